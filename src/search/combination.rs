//! The combinations of parameters that the contract and US Core name. Any combination works; these are declared in the
//! CapabilityStatement, and where two of their parameters would each find much and together little, a store keeps the
//! [`Pair`] as one fact, so that the answer costs what it holds.

use std::sync::LazyLock;

use super::param::{Kind, Param, Slot};
use super::registry::named;
use crate::fhir::ResourceType::{self as T, *};

/// How binding a combination is (<https://hl7.org/fhir/R4/extension-capabilitystatement-expectation.html>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Must be supported.
    Shall,
    /// Is supported by choice.
    Should,
}

impl Level {
    /// The word that the expectation extension takes.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shall => "SHALL",
            Self::Should => "SHOULD",
        }
    }
}

/// Parameters that are asked together.
#[derive(Debug, Clone, Copy)]
pub struct Combination {
    /// The type that they search.
    pub on: T,
    /// How binding it is: the stricter of the contract and US Core.
    pub level: Level,
    /// Their names.
    pub names: &'static [&'static str],
}

const fn shall(on: T, names: &'static [&'static str]) -> Combination {
    Combination { on, level: Level::Shall, names }
}

const fn should(on: T, names: &'static [&'static str]) -> Combination {
    Combination { on, level: Level::Should, names }
}

/// Every combination, by type.
#[rustfmt::skip]
pub static COMBINATIONS: &[Combination] = &[
    should(AllergyIntolerance, &["patient", "clinical-status"]),
    shall(CarePlan, &["patient", "category"]),
    should(CarePlan, &["patient", "category", "date"]),
    should(CarePlan, &["patient", "category", "status"]),
    should(CarePlan, &["patient", "category", "status", "date"]),
    shall(CareTeam, &["patient", "status"]),
    should(CareTeam, &["patient", "role"]),
    shall(Condition, &["patient", "category"]),
    should(Condition, &["patient", "clinical-status"]),
    should(Condition, &["patient", "category", "clinical-status"]),
    should(Condition, &["patient", "category", "encounter"]),
    should(Condition, &["patient", "code"]),
    should(Condition, &["patient", "onset-date"]),
    should(Condition, &["patient", "asserted-date"]),
    should(Condition, &["patient", "recorded-date"]),
    should(Condition, &["patient", "abatement-date"]),
    should(Device, &["patient", "type"]),
    should(Device, &["patient", "status"]),
    shall(DiagnosticReport, &["patient", "category"]),
    shall(DiagnosticReport, &["patient", "code"]),
    shall(DiagnosticReport, &["patient", "category", "date"]),
    should(DiagnosticReport, &["patient", "status"]),
    should(DiagnosticReport, &["patient", "code", "date"]),
    shall(DocumentReference, &["patient", "category"]),
    shall(DocumentReference, &["patient", "category", "date"]),
    shall(DocumentReference, &["patient", "type"]),
    should(DocumentReference, &["patient", "status"]),
    should(DocumentReference, &["patient", "type", "period"]),
    shall(Encounter, &["date", "patient"]),
    should(Encounter, &["class", "patient"]),
    should(Encounter, &["patient", "discharge-disposition"]),
    should(Encounter, &["patient", "location"]),
    should(Encounter, &["patient", "status"]),
    should(Encounter, &["patient", "type"]),
    should(Goal, &["patient", "description"]),
    should(Goal, &["patient", "lifecycle-status"]),
    should(Goal, &["patient", "target-date"]),
    should(Immunization, &["patient", "date"]),
    should(Immunization, &["patient", "status"]),
    should(MedicationDispense, &["patient", "status"]),
    should(MedicationDispense, &["patient", "status", "type"]),
    shall(MedicationRequest, &["patient", "intent"]),
    shall(MedicationRequest, &["patient", "intent", "status"]),
    should(MedicationRequest, &["patient", "intent", "encounter"]),
    should(MedicationRequest, &["patient", "intent", "authoredon"]),
    shall(Observation, &["patient", "category"]),
    shall(Observation, &["patient", "code"]),
    shall(Observation, &["patient", "category", "date"]),
    should(Observation, &["patient", "category", "status"]),
    should(Observation, &["patient", "code", "date"]),
    shall(Patient, &["birthdate", "name"]),
    shall(Patient, &["gender", "name"]),
    should(Patient, &["birthdate", "family"]),
    should(Patient, &["death-date", "family"]),
    should(Patient, &["family", "gender"]),
    shall(Procedure, &["patient", "date"]),
    should(Procedure, &["patient", "status"]),
    should(Procedure, &["patient", "code", "date"]),
    should(QuestionnaireResponse, &["patient", "authored"]),
    should(QuestionnaireResponse, &["patient", "questionnaire"]),
    should(QuestionnaireResponse, &["patient", "status"]),
    should(RelatedPerson, &["patient", "name"]),
    shall(ServiceRequest, &["patient", "category"]),
    shall(ServiceRequest, &["patient", "code"]),
    shall(ServiceRequest, &["patient", "category", "authored"]),
    should(ServiceRequest, &["patient", "status"]),
    should(ServiceRequest, &["patient", "code", "authored"]),
];

/// Two parameters of one type whose values are kept together.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// The one whose values come first: always a token, a code or a reference.
    pub first: &'static Param,
    /// The other: such a one too, or a date that is not the type's clinical date.
    pub second: &'static Param,
    /// Their number in a store.
    pub slot: Slot,
}

/// The pairs of a type: every combination that, without the patient and the clinical date, leaves two parameters.
#[must_use]
pub fn pairs(on: T) -> &'static [Pair] {
    static PAIRS: LazyLock<Vec<Vec<Pair>>> = LazyLock::new(|| T::ALL.iter().map(|kind| pairs_of(*kind)).collect());
    PAIRS.get(on.index()).map_or(&[], Vec::as_slice)
}

fn pairs_of(on: T) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for combination in COMBINATIONS.iter().filter(|combination| combination.on == on && on != Patient) {
        let params = combination.names.iter().filter(|name| **name != "patient").filter_map(|name| named(on, name));
        let rest: Vec<_> = params.filter(|param| !param.clinical).collect();
        let [first, second] = rest[..] else { continue };
        let known = pairs.iter().any(|pair| (pair.first, pair.second) == (first, second));
        if !known && !matches!(first.kind, Kind::Date | Kind::Text) && second.kind != Kind::Text {
            pairs.push(Pair { first, second, slot: Slot::of_pair(on, pairs.len() as u16) });
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_parameter_of_its_type() {
        for combination in COMBINATIONS {
            for name in combination.names {
                assert!(named(combination.on, name).is_some(), "{} {name}", combination.on);
            }
        }
    }

    #[test]
    fn pairs_are_those_that_the_clinical_order_cannot_serve_alone() {
        let all: Vec<String> = T::ALL
            .iter()
            .flat_map(|kind| pairs(*kind))
            .map(|pair| format!("{} {}+{}", pair.first.on, pair.first.name, pair.second.name))
            .collect();
        assert_eq!(
            all,
            [
                "CarePlan category+status",
                "Condition category+clinical-status",
                "Condition category+encounter",
                "DocumentReference type+period",
                "MedicationDispense status+type",
                "MedicationRequest intent+status",
                "MedicationRequest intent+encounter",
                "Observation category+status",
            ]
        );
    }
}
