//! The numbers under which stores keep the facts of parameters. Their table, `src/search/tables/parameter-numbers.tsv`,
//! only grows.

use std::sync::LazyLock;

use super::kind::Modifier;
use fhir::{ResourceType, columns, lines, words};

/// The number under which a store keeps the facts of a parameter, or of a type as a whole. Each type has its own
/// numbers. The table is committed, so the numbers are the same in every version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParamId(u16);

/// The name of the number under which every resource of a type is stored.
const EVERYTHING: &str = "*";

/// The bits that numbers beyond the table have; the table is shorter. No parameter has two modifiers of one bit.
const MODIFIER_BITS: [u16; 2] = [1 << 14, 1 << 15];

/// A name in the table.
struct Row {
    id: ParamId,
    name: &'static str,
    is_retired: bool,
}

/// The names in the table, by the index of the type. The number of a name is its position in the table, from 1. A name
/// with a leading `-` is retired.
static ROWS: LazyLock<Vec<Vec<Row>>> = LazyLock::new(|| {
    let mut rows: Vec<Vec<Row>> = ResourceType::all().map(|_| Vec::new()).collect();
    let names = lines(include_str!("tables/parameter-numbers.tsv")).flat_map(|line| {
        let [base, names, ..] = columns(line);
        let base = ResourceType::parse(base);
        words(names).map(move |name| (base, name))
    });
    for ((base, word), number) in names.zip(1..) {
        let (name, is_retired) = word.strip_prefix('-').map_or((word, false), |name| (name, true));
        if let Some(of_type) = base.and_then(|base| rows.get_mut(base.index())) {
            of_type.push(Row { id: ParamId(number), name, is_retired });
        }
    }
    rows
});

#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
fn rows_of(base: ResourceType) -> &'static [Row] {
    &ROWS[base.index()]
}

impl ParamId {
    /// Returns the id under which every resource of the type is stored. It is 0 for a type that is not served.
    pub fn everything(resource_type: ResourceType) -> Self {
        Self::of_param(resource_type, EVERYTHING).unwrap_or(Self(0))
    }

    /// Returns all parameter ids of a type, including those that are no longer used.
    pub fn of_type(resource_type: ResourceType) -> impl Iterator<Item = Self> {
        rows_of(resource_type).iter().map(|row| row.id)
    }

    /// Returns the id of a parameter of a type, if it has a number that is in use.
    pub(super) fn of_param(base: ResourceType, name: &str) -> Option<Self> {
        rows_of(base).iter().find(|row| row.name == name && !row.is_retired).map(|row| row.id)
    }

    /// Returns the id of the data that a modifier compares instead of the values of a parameter with this id. It is not
    /// in the table: its number has one more bit. `None` for a modifier that compares the values.
    #[must_use]
    pub const fn with_modifier(self, modifier: Modifier) -> Option<Self> {
        if matches!(modifier, Modifier::Identifier | Modifier::Text) {
            Some(Self(self.0 | MODIFIER_BITS[0]))
        } else if matches!(modifier, Modifier::OfType) {
            Some(Self(self.0 | MODIFIER_BITS[1]))
        } else {
            None
        }
    }

    /// Returns the number.
    pub const fn number(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::params_of;
    use std::collections::HashSet;

    #[test]
    fn the_ids_of_a_type_are_those_of_its_parameters_and_of_the_type_as_a_whole() {
        let mut seen = HashSet::new();
        for resource_type in ResourceType::served() {
            let all: HashSet<_> = ParamId::of_type(*resource_type).collect();
            assert!(all.contains(&ParamId::everything(*resource_type)), "{resource_type}");
            assert!(params_of(*resource_type).all(|param| all.contains(&param.id)), "{resource_type}");
            assert!(all.iter().all(|id| seen.insert(*id)), "{resource_type} shares an id with another type");
            assert!(all.iter().all(|id| id.number() < MODIFIER_BITS[0]), "{resource_type}");
        }
    }
}
