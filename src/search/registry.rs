//! The one table of every search parameter, from the contract and from US Core 6.1.0. The parser, the extractor, the
//! patient compartment, the SQL, the in-memory matching, the CapabilityStatement and the table in the README all read it.
//!
//! Definitions: <https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html>,
//! <https://hl7.org/fhir/R4/searchparameter-registry.html>.

use super::param::{Kind, Param, ParamId};
use crate::fhir::ResourceType::{self as T, *};
use Kind::{Canonical, Code, Date, Id, Identifier, Reference, Text, Token};

const EVENT: &str = "http://hl7.org/fhir/event-status";
const REQUEST: &str = "http://hl7.org/fhir/request-status";

const NAME: &[&str] = &["name.family", "name.given", "name.prefix", "name.suffix", "name.text"];
const ADDRESS: &[&str] = &[
    "address.line",
    "address.city",
    "address.district",
    "address.state",
    "address.postalCode",
    "address.country",
    "address.text",
];
const ORGANIZATION_NAME: &[&str] = &["name", "alias"];
const EFFECTIVE: &[&str] = &["effectiveDateTime", "effectivePeriod", "effectiveTiming", "effectiveInstant"];
const PERFORMED: &[&str] = &["performedDateTime", "performedPeriod"];
const ONSET: &[&str] = &["onsetDateTime", "onsetPeriod"];
const ABATEMENT: &[&str] = &["abatementDateTime", "abatementPeriod"];
const ASSERTED: &[&str] = &["extension(http://hl7.org/fhir/StructureDefinition/condition-assertedDate).valueDateTime"];

const TO_PATIENT: Kind = Reference(&[Patient]);
const TO_MEDICATION: Kind = Reference(&[Medication]);
const TO_PARTICIPANT: Kind =
    Reference(&[PractitionerRole, Practitioner, Patient, RelatedPerson, Organization, CareTeam]);

const fn row(on: T, name: &'static str, kind: Kind, paths: &'static [&'static str]) -> Param {
    Param::new(on, name, kind, paths)
}

#[rustfmt::skip]
const ROWS: &[Param] = &[
    row(AllergyIntolerance, "patient", TO_PATIENT, &["patient"]),
    row(AllergyIntolerance, "clinical-status", Token, &["clinicalStatus"])
        .unless("verificationStatus.coding.code", "entered-in-error"),

    row(CarePlan, "patient", TO_PATIENT, &["subject"]),
    row(CarePlan, "category", Token, &["category"]),
    row(CarePlan, "date", Date, &["period"]).clinical(),
    row(CarePlan, "status", Code(REQUEST), &["status"]),

    row(CareTeam, "patient", TO_PATIENT, &["subject"]),
    row(CareTeam, "participant", TO_PARTICIPANT, &["participant.member"]),
    row(CareTeam, "role", Token, &["participant.role"]).identifying(),
    row(CareTeam, "status", Code("http://hl7.org/fhir/care-team-status"), &["status"]),

    row(Condition, "patient", TO_PATIENT, &["subject"]),
    row(Condition, "abatement-date", Date, ABATEMENT),
    row(Condition, "asserted-date", Date, ASSERTED),
    row(Condition, "category", Token, &["category"]),
    row(Condition, "clinical-status", Token, &["clinicalStatus"]),
    row(Condition, "code", Token, &["code"]),
    row(Condition, "encounter", Reference(&[Encounter]), &["encounter"]),
    row(Condition, "onset-date", Date, ONSET).clinical(),
    row(Condition, "recorded-date", Date, &["recordedDate"]),

    row(Coverage, "patient", TO_PATIENT, &["beneficiary"]),

    row(Device, "patient", TO_PATIENT, &["patient"]),
    row(Device, "status", Code("http://hl7.org/fhir/device-status"), &["status"]),
    row(Device, "type", Token, &["type"]),

    row(DiagnosticReport, "patient", TO_PATIENT, &["subject"]),
    row(DiagnosticReport, "category", Token, &["category"]),
    row(DiagnosticReport, "code", Token, &["code"]),
    row(DiagnosticReport, "date", Date, EFFECTIVE).clinical(),
    row(DiagnosticReport, "status", Code("http://hl7.org/fhir/diagnostic-report-status"), &["status"]),

    row(DocumentReference, "patient", TO_PATIENT, &["subject"]),
    row(DocumentReference, "category", Token, &["category"]),
    row(DocumentReference, "date", Date, &["date"]).clinical(),
    row(DocumentReference, "period", Date, &["context.period"]),
    row(DocumentReference, "status", Code("http://hl7.org/fhir/document-reference-status"), &["status"]),
    row(DocumentReference, "type", Token, &["type"]),

    row(Encounter, "patient", TO_PATIENT, &["subject"]),
    row(Encounter, "class", Token, &["class"]),
    row(Encounter, "date", Date, &["period"]).clinical(),
    row(Encounter, "discharge-disposition", Token, &["hospitalization.dischargeDisposition"]),
    row(Encounter, "identifier", Identifier, &["identifier"]).identifying(),
    row(Encounter, "location", Reference(&[Location]), &["location.location"]),
    row(Encounter, "status", Code("http://hl7.org/fhir/encounter-status"), &["status"]),
    row(Encounter, "type", Token, &["type"]),

    row(Goal, "patient", TO_PATIENT, &["subject"]),
    row(Goal, "description", Token, &["description"]),
    row(Goal, "lifecycle-status", Code("http://hl7.org/fhir/goal-status"), &["lifecycleStatus"]),
    row(Goal, "target-date", Date, &["target.dueDate"]).repeats(),

    row(Immunization, "patient", TO_PATIENT, &["patient"]),
    row(Immunization, "date", Date, &["occurrenceDateTime"]).clinical(),
    row(Immunization, "status", Code(EVENT), &["status"]),

    row(Location, "address", Text, ADDRESS),
    row(Location, "address-city", Text, &["address.city"]),
    row(Location, "address-postalcode", Text, &["address.postalCode"]),
    row(Location, "address-state", Text, &["address.state"]),
    row(Location, "name", Text, ORGANIZATION_NAME),

    row(Media, "patient", TO_PATIENT, &["subject"]),

    row(MedicationDispense, "patient", TO_PATIENT, &["subject"]),
    row(MedicationDispense, "medication", TO_MEDICATION, &["medicationReference"]),
    row(MedicationDispense, "status", Code("http://terminology.hl7.org/CodeSystem/medicationdispense-status"), &["status"]),
    row(MedicationDispense, "type", Token, &["type"]),

    row(MedicationRequest, "patient", TO_PATIENT, &["subject"]),
    row(MedicationRequest, "authoredon", Date, &["authoredOn"]).clinical(),
    row(MedicationRequest, "encounter", Reference(&[Encounter]), &["encounter"]),
    row(MedicationRequest, "intent", Code("http://hl7.org/fhir/CodeSystem/medicationrequest-intent"), &["intent"]),
    row(MedicationRequest, "medication", TO_MEDICATION, &["medicationReference"]),
    row(MedicationRequest, "status", Code("http://hl7.org/fhir/CodeSystem/medicationrequest-status"), &["status"]),

    row(Observation, "patient", TO_PATIENT, &["subject"]),
    row(Observation, "category", Token, &["category"]),
    row(Observation, "code", Token, &["code"]),
    row(Observation, "date", Date, EFFECTIVE).clinical(),
    row(Observation, "status", Code("http://hl7.org/fhir/observation-status"), &["status"]),

    row(Organization, "address", Text, ADDRESS),
    row(Organization, "name", Text, ORGANIZATION_NAME),

    row(Patient, "birthdate", Date, &["birthDate"]).identifying(),
    row(Patient, "death-date", Date, &["deceasedDateTime"]).identifying(),
    row(Patient, "family", Text, &["name.family"]).identifying(),
    row(Patient, "gender", Code("http://hl7.org/fhir/administrative-gender"), &["gender"]).identifying(),
    row(Patient, "given", Text, &["name.given"]).identifying(),
    row(Patient, "identifier", Identifier, &["identifier"]).identifying(),
    row(Patient, "name", Text, NAME).identifying(),

    row(Practitioner, "identifier", Identifier, &["identifier"]),
    row(Practitioner, "name", Text, NAME),

    row(PractitionerRole, "endpoint", Reference(&[Endpoint]), &["endpoint"]),
    row(PractitionerRole, "practitioner", Reference(&[Practitioner]), &["practitioner"]),
    row(PractitionerRole, "practitioner.identifier", Identifier, &["identifier"]).via("practitioner", Practitioner),
    row(PractitionerRole, "practitioner.name", Text, NAME).via("practitioner", Practitioner),
    row(PractitionerRole, "specialty", Token, &["specialty"]),

    row(Procedure, "patient", TO_PATIENT, &["subject"]),
    row(Procedure, "code", Token, &["code"]),
    row(Procedure, "date", Date, PERFORMED).clinical(),
    row(Procedure, "status", Code(EVENT), &["status"]),

    // `patient` is the one that all targets belong to (decision 22), so it has no path of its own.
    row(Provenance, "patient", TO_PATIENT, &[]),
    row(Provenance, "target", Reference(T::ALL), &["target"]),

    row(QuestionnaireResponse, "patient", TO_PATIENT, &["subject"]),
    row(QuestionnaireResponse, "authored", Date, &["authored"]).clinical(),
    row(QuestionnaireResponse, "questionnaire", Canonical, &["questionnaire"]),
    row(QuestionnaireResponse, "status", Code("http://hl7.org/fhir/questionnaire-answers-status"), &["status"]),

    row(RelatedPerson, "patient", TO_PATIENT, &["patient"]),
    row(RelatedPerson, "name", Text, NAME).identifying(),

    row(ServiceRequest, "patient", TO_PATIENT, &["subject"]),
    row(ServiceRequest, "authored", Date, &["authoredOn"]).clinical(),
    row(ServiceRequest, "category", Token, &["category"]),
    row(ServiceRequest, "code", Token, &["code"]),
    row(ServiceRequest, "status", Code(REQUEST), &["status"]),

    row(Specimen, "patient", TO_PATIENT, &["subject"]),
];

/// Every parameter of every type, but for the two that all types share ([`id_param`] and [`last_updated`]).
pub static PARAMS: [Param; ROWS.len()] = numbered();

/// Gives each row its parameter id: its place among the rows of its type, behind `_id` and `_lastUpdated`.
#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn numbered() -> [Param; ROWS.len()] {
    let mut rows = [ROWS[0]; ROWS.len()];
    let mut at = 0;
    let mut place = 0;
    while at < ROWS.len() {
        place = if at > 0 && ROWS[at].on as usize == ROWS[at - 1].on as usize { place + 1 } else { 2 };
        rows[at] = ROWS[at];
        rows[at].id = ParamId::of_param(ROWS[at].on, place);
        at += 1;
    }
    rows
}

/// A parameter that every type has, in `place` of each.
#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn shared(name: &'static str, kind: Kind, paths: &'static [&'static str], place: u16) -> [Param; T::ALL.len()] {
    let mut rows = [row(Patient, name, kind, paths); T::ALL.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = row(T::ALL[at], name, kind, paths);
        rows[at].identifying = matches!(kind, Id);
        rows[at].clinical = matches!(kind, Date) && is_ordered_by_update(T::ALL[at]);
        rows[at].id = ParamId::of_param(T::ALL[at], place);
        at += 1;
    }
    rows
}

static IDS: [Param; T::ALL.len()] = shared("_id", Id, &["id"], 0);
static LAST_UPDATED: [Param; T::ALL.len()] = shared("_lastUpdated", Date, UPDATED, 1);

/// `_id` on that type.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "the array has a place for each type")]
pub fn id_param(on: T) -> &'static Param {
    &IDS[on.index()]
}

/// `_lastUpdated` on that type.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "the array has a place for each type")]
pub fn last_updated(on: T) -> &'static Param {
    &LAST_UPDATED[on.index()]
}

/// The parameters of a type, `_id` and `_lastUpdated` first.
pub fn params_of(on: T) -> impl Iterator<Item = &'static Param> {
    [id_param(on), last_updated(on)].into_iter().chain(rows_of(on))
}

/// The rows of a type.
#[allow(clippy::indexing_slicing, reason = "the array has a place for each type, and one behind the last")]
fn rows_of(on: T) -> &'static [Param] {
    PARAMS.get(STARTS[on.index()]..STARTS[on.index() + 1]).unwrap_or_default()
}

/// Where the rows of each type begin, and behind them where the last ones end.
static STARTS: [usize; T::ALL.len() + 1] = starts();

#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn starts() -> [usize; T::ALL.len() + 1] {
    let mut starts = [0; T::ALL.len() + 1];
    let mut at = 0;
    while at < ROWS.len() {
        let mut behind = ROWS[at].on as usize + 1;
        while behind < starts.len() {
            starts[behind] = at + 1;
            behind += 1;
        }
        at += 1;
    }
    starts
}

/// The parameter of that name on that type.
#[must_use]
pub fn named(on: T, name: &str) -> Option<&'static Param> {
    match name {
        "_id" => Some(id_param(on)),
        "_lastUpdated" => Some(last_updated(on)),
        _ => rows_of(on).iter().find(|param| param.name == name),
    }
}

const UPDATED: &[&str] = &["meta.lastUpdated"];

/// Whether resources of that type have no clinical date, and are ordered by when they were updated.
const fn is_ordered_by_update(on: T) -> bool {
    matches!(clinical_order(on), [[first]] if matches!(first.as_bytes(), b"meta.lastUpdated"))
}

/// The elements whose start gives a resource its place, the first that has a time counting: decision 8.
#[must_use]
pub const fn clinical_order(on: T) -> &'static [&'static [&'static str]] {
    const PERIOD: &[&str] = &["period"];
    match on {
        Observation | DiagnosticReport => &[EFFECTIVE, &["issued"]],
        Condition => &[ONSET, ASSERTED, &["recordedDate"]],
        AllergyIntolerance => &[ONSET, &["recordedDate"]],
        Procedure => &[PERFORMED],
        Immunization => &[&["occurrenceDateTime"]],
        MedicationRequest | ServiceRequest => &[&["authoredOn"]],
        MedicationDispense => &[&["whenHandedOver"], &["whenPrepared"]],
        DocumentReference => &[&["date"], &["context.period"]],
        Encounter | CarePlan | CareTeam | Coverage => &[PERIOD],
        Goal => &[&["startDate"], &["statusDate"]],
        Provenance => &[&["recorded"]],
        QuestionnaireResponse => &[&["authored"]],
        Binary | Device | Endpoint | Group | Location | Media | Medication | Organization | Patient | Practitioner
        | PractitionerRole | Questionnaire | RelatedPerson | Specimen => &[UPDATED],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rows_stand_in_the_order_of_types_and_slots_are_unique() {
        assert!(PARAMS.is_sorted_by_key(|param| param.on));
        let all: Vec<_> = T::ALL.iter().flat_map(|kind| params_of(*kind)).collect();
        assert_eq!(all.len(), PARAMS.len() + 2 * T::ALL.len());
        let param_ids: HashSet<_> = all.iter().map(|param| param.id).collect();
        assert_eq!(param_ids.len(), all.len());
        let names: HashSet<_> = all.iter().map(|param| (param.on, param.name)).collect();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn the_clinical_parameter_looks_where_the_order_looks_first() {
        for param in T::ALL.iter().flat_map(|kind| params_of(*kind)).filter(|param| param.clinical) {
            assert_eq!(clinical_order(param.on).first(), Some(&param.paths), "{}", param.on);
        }
        assert!(last_updated(Patient).clinical && !last_updated(Observation).clinical);
    }
}
