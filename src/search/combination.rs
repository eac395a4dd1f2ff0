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
    let mut all = Vec::new();
    for on in T::served() {
        for level in [Expectation::Shall, Expectation::Should] {
            let is_first = |names: &str| FIRST.contains(&(*on, names));
            let own = || combinations(*on).filter(|(_, of)| *of == level).map(|(names, _)| names);
            let first = FIRST.iter().filter(|(of, names)| of == on && own().any(|own| own == *names));
            for names in first.map(|(_, names)| *names).chain(own().filter(|names| !is_first(names))) {
                all.push(Combination { on: *on, level, names: words(names).collect() });
            }
        }
    }
    all
});

/// The combinations that come before the others of their type and level, in this order. The others are in the order of
/// the definitions.
const FIRST: &[(T, &str)] = &[
    (T::Condition, "patient clinical-status"),
    (T::Condition, "patient category clinical-status"),
    (T::Condition, "patient category encounter"),
    (T::Condition, "patient code"),
    (T::Condition, "patient onset-date"),
    (T::Condition, "patient asserted-date"),
    (T::Condition, "patient recorded-date"),
    (T::Device, "patient type"),
    (T::DocumentReference, "patient category"),
    (T::DocumentReference, "patient category date"),
    (T::MedicationRequest, "patient intent encounter"),
];

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
            assert!(COMBINATIONS.iter().any(|all| all.on == *on && all.names.join(" ") == *names), "{on} {names}");
        }
    }
}
