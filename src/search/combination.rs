//! The combinations of parameters that the contract and US Core name. Any combination works; these are declared in the
//! CapabilityStatement. If two of their parameters each find many resources and together few, they are a [`Pair`]. Of
//! types that have rows in a database, the values of a pair are stored as one fact, so that the cost of a search
//! depends on the size of its answer. Charts have no pairs.
//!
//! Patients, practitioners, their roles, organizations and locations are searched across all of their type, so any two
//! of their parameters are such a pair. A search by only one of them would read more rows with each patient that is
//! added.

use std::sync::LazyLock;

use super::definitions::COMBINED;
use super::kind::Kind;
use super::param::Param;
use super::param_id::ParamId;
use super::registry::{named, params_of};
use crate::fhir::ResourceType::{self as T, *};

/// The conformance expectation of a combination
/// (<https://hl7.org/fhir/R4/extension-capabilitystatement-expectation.html>).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expectation {
    /// Must be supported.
    Shall,
    /// Should be supported.
    Should,
}

impl Expectation {
    /// The code in the expectation extension.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shall => "SHALL",
            Self::Should => "SHOULD",
        }
    }
}

/// Parameters that are searched by together.
#[derive(Debug, Clone, Copy)]
pub struct Combination {
    /// The type that is searched.
    pub on: T,
    /// The expectation of US Core. The contract has no stricter one.
    pub level: Expectation,
    /// The names of the parameters.
    pub names: &'static [&'static str],
}

/// Every combination of the definitions, by type and level.
pub static COMBINATIONS: LazyLock<Vec<Combination>> = LazyLock::new(|| {
    let served = COMBINED.iter().filter_map(|(on, level, names)| {
        let on = T::parse(on)?;
        Some(Combination { on, level: *level, names })
    });
    let mut all: Vec<_> = served.collect();
    all.sort_by_key(|combination| (combination.on, combination.level, combination.place()));
    all
});

/// The combinations that come before the others of their type and level, in this order. The others are in the order of
/// the definitions.
const FIRST: &[(T, &[&str])] = &[
    (Condition, &["patient", "clinical-status"]),
    (Condition, &["patient", "category", "clinical-status"]),
    (Condition, &["patient", "category", "encounter"]),
    (Condition, &["patient", "code"]),
    (Condition, &["patient", "onset-date"]),
    (Condition, &["patient", "asserted-date"]),
    (Condition, &["patient", "recorded-date"]),
    (Device, &["patient", "type"]),
    (DocumentReference, &["patient", "category"]),
    (DocumentReference, &["patient", "category", "date"]),
    (MedicationRequest, &["patient", "intent", "encounter"]),
];

impl Combination {
    fn place(&self) -> usize {
        FIRST.iter().position(|first| *first == (self.on, self.names)).unwrap_or(FIRST.len())
    }
}

/// Two parameters of one type whose values are stored together.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// The parameter whose values come first. It is a date only in a pair of a date with itself.
    pub first: &'static Param,
    /// The other parameter.
    pub second: &'static Param,
    /// The way in which their values are stored.
    pub form: PairForm,
    /// Their number in stores.
    pub param_id: ParamId,
}

/// The way in which the values of a pair are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairForm {
    /// Each value of the first with each value of the second.
    Values,
    /// Each value of the first with an index of the years of the second, which is a date. A pair of a date with itself
    /// has the index of the years alone.
    Years,
    /// The beginnings of words of two strings, in pairs of equal length.
    Beginnings,
}

/// Returns whether a type is searched as a whole, because it has no parameter `patient`.
fn is_searched_whole(on: T) -> bool {
    named(on, "patient").is_none()
}

/// The pairs of a type. If the type is searched as a whole, they are any two of its parameters. Otherwise, they are the
/// combinations that have two parameters besides the patient and the clinical date.
#[must_use]
pub fn pairs(on: T) -> &'static [Pair] {
    static PAIRS: LazyLock<Vec<Vec<Pair>>> = LazyLock::new(|| T::ALL.iter().map(|kind| numbered(*kind)).collect());
    PAIRS.get(on.index()).map_or(&[], Vec::as_slice)
}

/// The pairs of a type with their numbers. A test shows that each has one.
fn numbered(on: T) -> Vec<Pair> {
    let pair = |(first, second, form)| Some(Pair { first, second, form, param_id: ParamId::of_pair(first, second)? });
    pairs_of(on).into_iter().filter_map(pair).collect()
}

fn pairs_of(on: T) -> Vec<(&'static Param, &'static Param, PairForm)> {
    let mut pairs = Vec::new();
    let mut add = |first: &'static Param, second: &'static Param, form| {
        if !pairs.contains(&(first, second, form)) {
            pairs.push((first, second, form));
        }
    };
    if is_searched_whole(on) {
        // These need no pairs: an id or an identifier finds one resource, and the answer is ordered by the clinical
        // date.
        let alone = |param: &Param| param.clinical || matches!(param.kind, Kind::Id | Kind::Identifier);
        let mut before: Vec<&'static Param> = Vec::new();
        for param in params_of(on).filter(|param| !alone(param)) {
            for other in &before {
                match (other.kind, param.kind) {
                    (Kind::Date, Kind::Date) => {}
                    (Kind::Date, _) => add(param, other, PairForm::Years),
                    (_, Kind::Date) => add(other, param, PairForm::Years),
                    (Kind::String, Kind::String) => add(other, param, PairForm::Beginnings),
                    (_, _) => add(other, param, PairForm::Values),
                }
            }
            if param.kind == Kind::Date {
                add(param, param, PairForm::Years);
            }
            before.push(param);
        }
        return pairs;
    }
    for combination in COMBINATIONS.iter().filter(|combination| combination.on == on) {
        let params = combination.names.iter().filter(|name| **name != "patient").filter_map(|name| named(on, name));
        let rest: Vec<_> = params.filter(|param| !param.clinical).collect();
        let [first, second] = rest[..] else { continue };
        if !matches!(first.kind, Kind::Date | Kind::String) && second.kind != Kind::String {
            add(first, second, PairForm::Values);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_parameter_of_its_type() {
        for combination in COMBINATIONS.iter() {
            for name in combination.names {
                assert!(named(combination.on, name).is_some(), "{} {name}", combination.on);
            }
        }
    }

    #[test]
    fn what_comes_first_is_a_combination() {
        for (on, names) in FIRST {
            assert!(COMBINATIONS.iter().any(|all| (all.on, all.names) == (*on, *names)), "{on} {names:?}");
        }
    }

    #[test]
    fn every_pair_has_a_number() {
        for (first, second, _) in T::ALL.iter().flat_map(|kind| pairs_of(*kind)) {
            let id = ParamId::of_pair(first, second);
            assert!(id.is_some(), "{} {}+{} needs a row in numbers.rs", first.on, first.name, second.name);
        }
    }

    #[test]
    fn pairs_are_those_that_the_clinical_order_cannot_serve_alone() {
        let all: Vec<String> = T::ALL
            .iter()
            .filter(|kind| !is_searched_whole(**kind))
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

    #[test]
    fn any_two_parameters_of_a_type_that_is_searched_whole_are_a_pair() {
        let of = |kind| {
            let said = |pair: &Pair| format!("{}+{} {:?}", pair.first.name, pair.second.name, pair.form);
            pairs(kind).iter().map(said).collect::<Vec<_>>()
        };
        assert_eq!(
            of(Patient),
            [
                "birthdate+birthdate Years",
                "death-date+death-date Years",
                "family+birthdate Years",
                "family+death-date Years",
                "gender+birthdate Years",
                "gender+death-date Years",
                "family+gender Values",
                "given+birthdate Years",
                "given+death-date Years",
                "family+given Beginnings",
                "gender+given Values",
                "name+birthdate Years",
                "name+death-date Years",
                "family+name Beginnings",
                "gender+name Values",
                "given+name Beginnings",
            ]
        );
        assert_eq!(
            of(PractitionerRole),
            [
                "endpoint+practitioner Values",
                "endpoint+practitioner.name Values",
                "practitioner+practitioner.name Values",
                "endpoint+specialty Values",
                "practitioner+specialty Values",
                "practitioner.name+specialty Values",
            ]
        );
        assert_eq!((of(Organization), of(Practitioner)), (vec!["address+name Beginnings".to_owned()], Vec::new()));
        assert_eq!(of(Location).len(), 10);
    }
}
