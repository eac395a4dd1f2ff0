//! The numbers under which stores keep the facts of parameters.

use super::numbers::{EVERYTHING, number, numbers};
use crate::fhir::ResourceType;

/// The number under which a store keeps the facts of a parameter, or of a type as a whole.
/// Each type has its own numbers. They are in a committed table, so they are the same in every version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParamId(u16);

/// The ids of the types as a whole, by index.
static OF_EVERYTHING: [ParamId; ResourceType::ALL.len()] = of_everything();

#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn of_everything() -> [ParamId; ResourceType::ALL.len()] {
    let mut ids = [ParamId(0); ResourceType::ALL.len()];
    let mut at = 0;
    while at < ids.len() {
        ids[at] = ParamId::of_param(ResourceType::ALL[at], EVERYTHING);
        at += 1;
    }
    ids
}

impl ParamId {
    /// The parameter id under which every resource of the type is stored.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "the array has an element for each type")]
    pub const fn everything(kind: ResourceType) -> Self {
        OF_EVERYTHING[kind.index()]
    }

    /// All parameter ids of a type, those included that are no longer used.
    pub fn of_type(kind: ResourceType) -> impl Iterator<Item = Self> {
        numbers(kind.name()).map(Self)
    }

    /// The id of a parameter of a type.
    ///
    /// # Panics
    /// At compile time, with the name, if it has no number.
    pub(super) const fn of_param(on: ResourceType, name: &str) -> Self {
        let number = number(on.name(), name);
        assert!(number.is_some(), "{}", name);
        if let Some(number) = number { Self(number) } else { Self(0) }
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params_of;
    use std::collections::HashSet;

    #[test]
    fn the_ids_of_a_type_are_those_of_its_parameters_and_of_the_type_as_a_whole() {
        let mut seen = HashSet::new();
        for kind in ResourceType::ALL {
            let all: HashSet<_> = ParamId::of_type(*kind).collect();
            assert!(all.contains(&ParamId::everything(*kind)), "{kind}");
            assert!(params_of(*kind).all(|param| all.contains(&param.id)), "{kind}");
            assert!(all.iter().all(|id| seen.insert(*id)), "{kind} shares an id with another type");
        }
    }
}
