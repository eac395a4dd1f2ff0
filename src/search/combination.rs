//! The combinations of parameters that the contract and guides name. Any combination works; these are declared in the
//! CapabilityStatement.

use super::guide::{Expectation, Guide, Guides};
use fhir::ResourceType as T;

/// Parameters that are used together in a search.
#[derive(Debug, Clone)]
pub struct Combination {
    /// The type that is searched.
    pub base: T,
    /// The expectation of the guide. The contract has no stricter one.
    pub level: Expectation,
    /// The names of the parameters.
    pub names: Vec<&'static str>,
}

/// Returns the combinations of a type that guides name, each once, ordered by guide and level.
pub fn combinations(guides: &Guides, base: T) -> Vec<Combination> {
    let mut all: Vec<Combination> = Vec::new();
    for guide in guides.all() {
        for combination in of_guide(guide, base) {
            let names = &combination.names;
            let is_it = |other: &Combination| {
                other.names.len() == names.len() && names.iter().all(|name| other.names.contains(name))
            };
            if !all.iter().any(is_it) {
                all.push(combination);
            }
        }
    }
    all
}

fn of_guide(guide: &'static Guide, base: T) -> impl Iterator<Item = Combination> {
    [Expectation::Shall, Expectation::Should].into_iter().flat_map(move |level| {
        let own = guide.combinations(base, level);
        let first = FIRST.iter().filter(|(of, names)| *of == base && own.contains(names)).map(|(_, names)| *names);
        let others = own.iter().copied().filter(|names| !FIRST.contains(&(base, names)));
        let all: Vec<_> = first.chain(others).map(|names| names.split('+').collect()).collect();
        all.into_iter().map(move |names| Combination { base, level, names })
    })
}

/// The combinations that come first of their type and level, in this order. The others follow as defined.
const FIRST: &[(T, &str)] = &[
    (T::Condition, "patient+clinical-status"),
    (T::Condition, "patient+category+clinical-status"),
    (T::Condition, "patient+category+encounter"),
    (T::Condition, "patient+code"),
    (T::Condition, "patient+onset-date"),
    (T::Condition, "patient+asserted-date"),
    (T::Condition, "patient+recorded-date"),
    (T::Device, "patient+type"),
    (T::DocumentReference, "patient+category"),
    (T::DocumentReference, "patient+category+date"),
    (T::MedicationRequest, "patient+intent+encounter"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::named;

    #[test]
    fn every_name_is_a_parameter_of_its_type() {
        for (us_core, count) in Guide::us_core().zip([67, 71, 69, 70]) {
            let all: Vec<_> = T::served().iter().flat_map(|base| combinations(&us_core.into(), *base)).collect();
            assert_eq!(all.len(), count, "{}", us_core.name());
            for combination in &all {
                for name in &combination.names {
                    assert!(named(combination.base, name).is_some(), "{} {name}", combination.base);
                }
            }
        }
    }

    #[test]
    fn what_comes_first_is_a_combination() {
        for (us_core, (base, names)) in Guide::us_core().flat_map(|of| FIRST.iter().map(move |first| (of, first))) {
            assert!(
                combinations(&us_core.into(), *base).iter().any(|all| all.names.join("+") == *names),
                "{base} {names}"
            );
        }
    }
}
