//! The combinations of parameters that the contract and US Core name. Any combination works; these are declared in the
//! CapabilityStatement.

use std::sync::LazyLock;

use super::definitions::COMBINED;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::named;

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
}
