//! The combinations of parameters that the contract and US Core name. Any combination works; these are declared in the
//! CapabilityStatement.

use std::sync::LazyLock;

use super::us_core::{Expectation, combinations};
use crate::fhir::{ResourceType as T, words};

/// Parameters that are searched by together.
#[derive(Debug, Clone)]
pub struct Combination {
    /// The type that is searched.
    pub on: T,
    /// The expectation of US Core. The contract has no stricter one.
    pub level: Expectation,
    /// The names of the parameters.
    pub names: Vec<&'static str>,
}

/// Every combination that US Core names, by type and level.
pub static COMBINATIONS: LazyLock<Vec<Combination>> = LazyLock::new(|| {
    let of = |on: &T| {
        let on = *on;
        combinations(on).map(move |(names, level)| Combination { on, level, names: words(names).collect() })
    };
    let mut all: Vec<_> = T::served().iter().flat_map(of).collect();
    all.sort_by_key(|combination| (combination.on, combination.level, combination.place()));
    all
});

/// The combinations that come before the others of their type and level, in this order. The others are in the order of
/// the definitions.
const FIRST: &[(T, &[&str])] = &[
    (T::Condition, &["patient", "clinical-status"]),
    (T::Condition, &["patient", "category", "clinical-status"]),
    (T::Condition, &["patient", "category", "encounter"]),
    (T::Condition, &["patient", "code"]),
    (T::Condition, &["patient", "onset-date"]),
    (T::Condition, &["patient", "asserted-date"]),
    (T::Condition, &["patient", "recorded-date"]),
    (T::Device, &["patient", "type"]),
    (T::DocumentReference, &["patient", "category"]),
    (T::DocumentReference, &["patient", "category", "date"]),
    (T::MedicationRequest, &["patient", "intent", "encounter"]),
];

impl Combination {
    fn place(&self) -> usize {
        FIRST.iter().position(|(on, names)| *on == self.on && *names == self.names).unwrap_or(FIRST.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::named;

    #[test]
    fn every_name_is_a_parameter_of_its_type() {
        for combination in COMBINATIONS.iter() {
            for name in &combination.names {
                assert!(named(combination.on, name).is_some(), "{} {name}", combination.on);
            }
        }
    }

    #[test]
    fn what_comes_first_is_a_combination() {
        for (on, names) in FIRST {
            assert!(COMBINATIONS.iter().any(|all| all.on == *on && all.names == *names), "{on} {names:?}");
        }
    }
}
