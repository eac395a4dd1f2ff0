//! The combinations of parameters that the contract and US Core name. Any combination works; these are declared in the
//! CapabilityStatement.

use super::us_core::{Expectation, UsCore};
use fhir::{ResourceType as T, words};

/// Parameters that are used together in a search.
#[derive(Debug, Clone)]
pub struct Combination {
    /// The type that is searched.
    pub base: T,
    /// The expectation of US Core. The contract has no stricter one.
    pub level: Expectation,
    /// The names of the parameters.
    pub names: Vec<&'static str>,
}

/// Returns the combinations of a type that a version of US Core names, ordered by level.
#[must_use]
pub fn combinations(us_core: &'static UsCore, base: T) -> Vec<Combination> {
    let mut all = Vec::new();
    for level in [Expectation::Shall, Expectation::Should] {
        let is_first = |names: &str| FIRST.contains(&(base, names));
        let own = || us_core.combinations(base).filter(|(_, of)| *of == level).map(|(names, _)| names);
        let first = FIRST.iter().filter(|(of, names)| *of == base && own().any(|own| own == *names));
        for names in first.map(|(_, names)| *names).chain(own().filter(|names| !is_first(names))) {
            all.push(Combination { base, level, names: words(names).collect() });
        }
    }
    all
}

/// The combinations that come first of their type and level, in this order. The others follow as defined.
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
    use crate::named;

    #[test]
    fn every_name_is_a_parameter_of_its_type() {
        for (us_core, count) in UsCore::all().into_iter().zip([67, 71, 69]) {
            let all: Vec<_> = T::served().iter().flat_map(|base| combinations(us_core, *base)).collect();
            assert_eq!(all.len(), count, "{}", us_core.version());
            for combination in &all {
                for name in &combination.names {
                    assert!(named(combination.base, name).is_some(), "{} {name}", combination.base);
                }
            }
        }
    }

    #[test]
    fn what_comes_first_is_a_combination() {
        for (us_core, (base, names)) in
            UsCore::all().into_iter().flat_map(|of| FIRST.iter().map(move |first| (of, first)))
        {
            assert!(combinations(us_core, *base).iter().any(|all| all.names.join(" ") == *names), "{base} {names}");
        }
    }
}
