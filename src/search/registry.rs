//! The search parameters that are served, one row each: the name, and the differences from [the
//! definitions](super::definitions) of US Core 6.1.0 and R4. The kind, the element paths and the target types come from
//! there. The parser, the extractor, the stores, the CapabilityStatement and `docs/search-parameters.md` all read this
//! one table.
//!
//! A new parameter needs a row here, and its number in `numbers.rs`. A new type needs a row in `fhir/resource_type.rs`,
//! its parameters here, and their numbers.

use super::definition::{Defined, Source, Types};
use super::kind::Kind;
use super::param::Param;
use crate::fhir::ResourceType as T;

/// Makes the rows: the name of each parameter, with the builders of [`Param`] for the differences from
/// [its definition](Defined::of). Each row gets its own constants, because the slices that it refers to must be static.
macro_rules! params {
    ($($on:ident { $($name:literal $(.$with:ident($($arg:expr),*))*,)* })*) => {
        const ROWS: &[Param] = &[$($({
            const DEFINED: Defined = Defined::of(T::$on, $name);
            const TARGETS: &Types = &DEFINED.targets();
            const INCLUDED: &Types = &DEFINED.inclusions();
            DEFINED.param(T::$on, $name, TARGETS, INCLUDED)$(.$with($($arg),*))*
        },)*)*];
    };
}

const EFFECTIVE: &[&str] = &["effectiveDateTime", "effectivePeriod", "effectiveTiming", "effectiveInstant"];
const PARTICIPANTS: &[T] =
    &[T::PractitionerRole, T::Practitioner, T::Patient, T::RelatedPerson, T::Organization, T::CareTeam];

// Stores keep values of these parameters by their numbers. A row that gives other values than before needs another
// number; `tests/search_parameters.rs` says so.
params! {
    AllergyIntolerance {
        "patient",
        "clinical-status".unless("verificationStatus.coding.code", "entered-in-error"),
    }
    CarePlan {
        "patient",
        "category",
        "date",
        "status",
    }
    CareTeam {
        "patient",
        "participant".to(PARTICIPANTS),
        "role".identifying(),
        "status",
    }
    Condition {
        "patient",
        "abatement-date",
        "asserted-date",
        "category",
        "clinical-status",
        "code",
        "encounter",
        "onset-date",
        "recorded-date",
    }
    Coverage {
        "patient",
    }
    Device {
        "patient",
        "status",
        "type",
    }
    DiagnosticReport {
        "patient",
        "category",
        "code",
        "date".paths(EFFECTIVE),
        "status",
    }
    DocumentReference {
        "patient",
        "category",
        "date",
        "period",
        "status",
        "type",
    }
    Encounter {
        "patient",
        "class",
        "date",
        "discharge-disposition",
        "identifier".identifying(),
        "location",
        "status",
        "type",
    }
    Goal {
        "patient",
        "description",
        "lifecycle-status",
        "target-date",
    }
    Immunization {
        "patient",
        "date",
        "status",
    }
    Location {
        "address",
        "address-city",
        "address-postalcode",
        "address-state",
        "name",
    }
    Media {
        "patient",
    }
    MedicationDispense {
        "patient",
        "medication",
        "status",
        "type",
    }
    MedicationRequest {
        "patient",
        "authoredon",
        "encounter",
        "intent",
        "medication",
        "status",
    }
    Observation {
        "patient",
        "category",
        "code",
        "date",
        "status",
    }
    Organization {
        "address",
        "name",
    }
    Patient {
        "birthdate".identifying(),
        "death-date".identifying(),
        "family".identifying(),
        "gender".identifying(),
        "given".identifying(),
        "identifier".identifying(),
        "name".identifying(),
    }
    Practitioner {
        "identifier",
        "name",
    }
    PractitionerRole {
        "endpoint",
        "practitioner",
        "practitioner.identifier",
        "practitioner.name",
        "specialty",
    }
    Procedure {
        "patient",
        "code",
        "date",
        "status",
    }
    Provenance {
        // The patient is the one to whom all targets belong (decision 22).
        "patient".paths(&[]),
        "target",
    }
    QuestionnaireResponse {
        "patient",
        "authored",
        "questionnaire",
        "status",
    }
    RelatedPerson {
        "patient",
        "name".identifying(),
    }
    ServiceRequest {
        "patient",
        "authored",
        "category",
        "code",
        "status",
    }
    Specimen {
        "patient",
    }
}

/// The parameters of all types, except the two that every type has ([`id_param`] and [`last_updated`]).
pub static PARAMS: [Param; ROWS.len()] = ordered();

/// Marks the dates by which the types are ordered.
#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn ordered() -> [Param; ROWS.len()] {
    let mut rows = [ROWS[0]; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        rows[at] = ROWS[at];
        rows[at].clinical = rows[at].leads_clinical_order();
        at += 1;
    }
    rows
}

/// A parameter that every type has.
#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn shared(
    name: &'static str,
    kind: Kind,
    paths: &'static [&'static str],
    definition: Source,
) -> [Param; T::ALL.len()] {
    let mut rows = [Param::new(T::Patient, name, kind, paths); T::ALL.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at] = Param::new(T::ALL[at], name, kind, paths);
        rows[at].definition = Some(definition);
        rows[at].identifying = kind.is_id();
        rows[at].clinical = rows[at].leads_clinical_order();
        at += 1;
    }
    rows
}

static IDS: [Param; T::ALL.len()] = shared("_id", Kind::ID, &["id"], Source::R4("Resource-id"));
static LAST_UPDATED: [Param; T::ALL.len()] =
    shared("_lastUpdated", Kind::DATE, &["meta.lastUpdated"], Source::R4("Resource-lastUpdated"));

/// The parameter `_id` of a type.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "the array has an element for each type")]
pub fn id_param(on: T) -> &'static Param {
    &IDS[on.index()]
}

/// The parameter `_lastUpdated` of a type.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "the array has an element for each type")]
pub fn last_updated(on: T) -> &'static Param {
    &LAST_UPDATED[on.index()]
}

/// The parameters of a type, `_id` and `_lastUpdated` first.
pub fn params_of(on: T) -> impl Iterator<Item = &'static Param> {
    [id_param(on), last_updated(on)].into_iter().chain(rows_of(on))
}

/// The rows of a type.
#[allow(clippy::indexing_slicing, reason = "the array has an element for each type, and one behind the last")]
fn rows_of(on: T) -> &'static [Param] {
    PARAMS.get(STARTS[on.index()]..STARTS[on.index() + 1]).unwrap_or_default()
}

/// The index of the first row of each type, and at the end the number of rows.
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

/// The parameter with that name, if the type has one.
#[must_use]
pub fn named(on: T, name: &str) -> Option<&'static Param> {
    match name {
        "_id" => Some(id_param(on)),
        "_lastUpdated" => Some(last_updated(on)),
        _ => rows_of(on).iter().find(|param| param.name == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rows_are_in_the_order_of_types_and_parameter_ids_are_unique() {
        assert!(PARAMS.is_sorted_by_key(|param| param.on));
        let all: Vec<_> = T::ALL.iter().flat_map(|kind| params_of(*kind)).collect();
        assert_eq!(all.len(), PARAMS.len() + 2 * T::ALL.len());
        let param_ids: HashSet<_> = all.iter().map(|param| param.id).collect();
        assert_eq!(param_ids.len(), all.len());
        let names: HashSet<_> = all.iter().map(|param| (param.on, param.name)).collect();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn addresses_are_those_of_the_definitions() {
        let url = |on, name| named(on, name).unwrap().definition.map(Source::url);
        for (on, name, address) in [
            (T::Observation, "date", "http://hl7.org/fhir/us/core/SearchParameter/us-core-observation-date"),
            (T::Observation, "_id", "http://hl7.org/fhir/SearchParameter/Resource-id"),
            (T::CareTeam, "participant", "http://hl7.org/fhir/SearchParameter/CareTeam-participant"),
            (T::MedicationRequest, "medication", "http://hl7.org/fhir/SearchParameter/medications-medication"),
        ] {
            assert_eq!(url(on, name).as_deref(), Some(address));
        }
        assert_eq!(url(T::PractitionerRole, "practitioner.name"), None);
    }

    #[test]
    fn the_clinical_parameter_has_the_first_paths_of_the_clinical_order() {
        for param in T::ALL.iter().flat_map(|kind| params_of(*kind)).filter(|param| param.clinical) {
            assert_eq!(param.on.clinical_order().first(), Some(&param.paths), "{}", param.on);
        }
        assert!(last_updated(T::Patient).clinical && !last_updated(T::Observation).clinical);
    }
}
