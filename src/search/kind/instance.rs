//! Instances of composites, and the comparisons with them. The parameters are in `composite.rs`.

use super::criterion::{Criterion, meets};
use super::fact::Fact;
use super::form::{Comparison, FactValue, Phrase};
use super::index::{Lookup, PART_END, PART_REST};

/// An instance of a composite: the facts of each component, of which there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance(pub Vec<Vec<Fact>>);

impl FactValue for Instance {
    fn text(&self) -> String {
        let of_component =
            |facts: &Vec<Fact>| facts.iter().map(|fact| format!("{}{PART_REST}", fact.text())).collect::<String>();
        self.0.iter().map(of_component).collect::<Vec<_>>().join(&PART_END.to_string())
    }
}

/// A comparison with an instance: for each component its name and its criteria, one of which must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositeCriterion(pub Vec<(&'static str, Vec<Criterion>)>);

impl CompositeCriterion {
    /// See [`Criterion::part`].
    pub fn part(&self, at: usize) -> Option<&[Criterion]> {
        self.0.get(at).map(|(_, any)| any.as_slice())
    }

    /// Returns whether a criterion depends on the moment of the search.
    pub(super) fn is_relative(&self) -> bool {
        self.parts().flatten().any(Criterion::is_relative)
    }

    fn parts(&self) -> impl Iterator<Item = &[Criterion]> {
        self.0.iter().map(|(_, any)| any.as_slice())
    }
}

impl Comparison for CompositeCriterion {
    type Value = Instance;

    fn holds(&self, Instance(facts): &Instance) -> bool {
        self.parts().zip(facts).all(|(any, facts)| facts.iter().any(|fact| meets(any, fact)))
    }

    fn words(&self) -> Phrase {
        let part = |(name, any): &(&str, Vec<Criterion>)| {
            let mut phrases: Vec<String> = Vec::new();
            for (verb, object) in any.iter().map(Criterion::words) {
                let phrase = format!("{verb} {object}");
                if !phrases.contains(&phrase) {
                    phrases.push(phrase);
                }
            }
            format!("{name} {}", if phrases.is_empty() { "is nothing".to_owned() } else { phrases.join(" or ") })
        };
        ("is one where", self.0.iter().map(part).collect::<Vec<_>>().join(" and "))
    }

    /// Returns the lookups of the last component, after the texts of the other components.
    fn lookups(&self) -> Vec<Lookup> {
        let mut begins = vec![String::new()];
        let mut lookups = Vec::new();
        for (at, any) in self.parts().enumerate() {
            let own: Vec<Lookup> = any.iter().flat_map(Criterion::lookups).collect();
            if at + 1 == self.0.len() {
                lookups = begins.iter().flat_map(|begin| own.iter().map(move |lookup| lookup.behind(begin))).collect();
                break;
            }
            let texts = own.iter().filter_map(|lookup| match lookup {
                Lookup::Key(key) => Some(key.as_part()),
                Lookup::Range(_) => None,
            });
            let texts: Vec<String> = texts.collect();
            begins = begins.iter().flat_map(|begin| texts.iter().map(move |text| format!("{begin}{text}"))).collect();
        }
        lookups
    }
}
