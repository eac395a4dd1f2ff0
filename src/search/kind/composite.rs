//! Parameters of type composite (<https://hl7.org/fhir/R4/search.html#combining>), over several elements of one
//! instance: the code and the value of a component.
//!
//! A fact is an instance, with the facts of each component. Its index keys join a key of each component, the last
//! component's at the end.

use serde_json::Value;

use super::Kind;
use super::criterion::CompositeCriterion;
use super::element::malformed;
use super::escape::split;
use super::fact::{Fact, Instance};
use super::form::{Comparisons, ParamKind, RawValue};
use super::index::{IndexKey, KeyMatch, PART_END, PART_REST};
use fhir::{Issue, for_each_text, for_each_value, quoted};

/// The kind of composite parameters, with their components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Composites(pub &'static [Component]);

/// A component of a composite parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Component {
    /// The name of the parameter that defines the component.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The paths of its elements, each as `root/path`. The root is the path of the elements that are one instance each,
    /// or empty for the resource. The path is relative to the root, or to the resource if there is a second `/`.
    pub paths: &'static [&'static str],
}

impl Component {
    /// Returns the component's paths relative to the instances of a root, each with true if relative to the resource.
    fn paths_below(&self, root: &str) -> impl Iterator<Item = (&'static str, bool)> {
        let below = move |path: &&'static str| path.strip_prefix(root)?.strip_prefix('/');
        self.paths
            .iter()
            .filter_map(below)
            .map(|path| path.strip_prefix('/').map_or((path, false), |path| (path, true)))
    }

    /// Returns whether a resource has an element of the component.
    fn is_in(&self, resource: &Value) -> bool {
        let mut is_there = false;
        for path in self.paths {
            let path = path.split_once("//").map_or_else(|| path.replacen('/', ".", 1), |(_, path)| path.to_owned());
            for_each_value(resource, path.trim_start_matches('.'), &mut |_| is_there = true);
        }
        is_there
    }

    /// Adds the facts of the component's elements in a text. Values that cannot be stored as facts are left out.
    fn read(&self, text: &str, path: &str, facts: &mut Vec<Fact>) {
        let is_kept =
            |fact: &Fact| fact.is_short() && fact.is_separable() && !fact.text().contains([PART_END, PART_REST]);
        let mut add = |fact: Fact| facts.extend(Some(fact).filter(is_kept));
        for_each_text(text, path, &mut |element| match serde_json::from_str(element) {
            Ok(element) if !self.kind.reads_text() => self.kind.facts(&element, &mut add),
            _ => self.kind.facts_in_text(element, &mut add),
        });
    }
}

impl Composites {
    /// Adds the instances that a root leads to in a resource, given as a value and as its text. An element that lacks a
    /// component is not an instance. The text is searched only if the resource has elements of all components.
    pub fn instances(&self, root: &str, resource: &Value, text: &str, add: &mut dyn FnMut(Fact)) {
        if !self.0.iter().all(|component| component.is_in(resource)) {
            return;
        }
        let of_resource = |component: &Component| {
            let mut facts = Vec::new();
            let paths = component.paths_below(root).filter(|(_, is_whole)| *is_whole);
            paths.for_each(|(path, _)| component.read(text, path, &mut facts));
            facts
        };
        let shared: Vec<Vec<Fact>> = self.0.iter().map(of_resource).collect();
        for_each_text(text, root, &mut |instance| {
            let facts = self.0.iter().zip(&shared).map(|(component, shared)| {
                let mut facts = shared.clone();
                let paths = component.paths_below(root).filter(|(_, is_whole)| !is_whole);
                paths.for_each(|(path, _)| component.read(instance, path, &mut facts));
                (!facts.is_empty()).then_some(facts)
            });
            if let Some(facts) = facts.collect() {
                add(Instance(facts).into());
            }
        });
    }

    /// Returns whether this composite finds the same facts as another one with the same roots.
    pub fn has_facts_of(&self, other: &Self) -> bool {
        let is_same =
            |(one, other): (&Component, &Component)| one.kind.has_facts_of(other.kind) && one.paths == other.paths;
        self.0.len() == other.0.len() && self.0.iter().zip(other.0).all(is_same)
    }
}

impl ParamKind for Composites {
    type Value = Instance;
    type Comparison = CompositeCriterion;

    /// Parses a value of each component, separated by `$`.
    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<CompositeCriterion>, Issue> {
        let texts = split(value.text, '$');
        if texts.len() != self.0.len() {
            let names: Vec<_> = self.0.iter().map(|component| component.name).collect();
            let text = format!("{} has not {} parts with $ between them.", quoted(value.text), names.len());
            return Err(malformed(text, &names.join("$")));
        }
        let part = |(component, text): (&Component, &str)| {
            let criteria = component.kind.criteria(&RawValue { param: component.name, text, ..*value })?;
            Ok((component.name, criteria))
        };
        let parts = self.0.iter().zip(texts).map(part).collect::<Result<_, Issue>>()?;
        Ok(Comparisons::OneOf(vec![CompositeCriterion(parts)]))
    }

    fn keys(&self, Instance(facts): &Instance) -> Vec<IndexKey> {
        let mut keys = vec![IndexKey::of(String::new())];
        for (at, (component, facts)) in self.0.iter().zip(facts).enumerate() {
            let own = component.kind.index_keys(facts.iter());
            let is_last = at + 1 == self.0.len();
            let behind = |before: &IndexKey| {
                let begin = &before.value;
                let all = own.iter().map(move |IndexKey { value, rest }| (format!("{begin}{value}"), rest.clone()));
                all.flat_map(|(value, rest)| {
                    if is_last {
                        return vec![IndexKey { value, rest }];
                    }
                    let matches = [KeyMatch { value: value.clone(), rest: Some(rest) }, KeyMatch::of(value)];
                    matches.iter().map(|key| IndexKey::of(key.as_part())).collect()
                })
                .collect::<Vec<_>>()
            };
            keys = keys.iter().flat_map(behind).collect();
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{Criterion, StoredFact};
    use crate::registry::named;
    use crate::{Handling, parse};
    use fhir::ResourceType as T;
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};
    use serde_json::json;

    fn read(resource_type: T, name: &str, resource: &Value) -> Vec<Fact> {
        let (param, mut found) = (named(resource_type, name).unwrap(), Vec::new());
        for root in param.paths {
            param.kind.instances(root, resource, &resource.to_string(), &mut |fact| found.push(fact));
        }
        found
    }

    fn criterion(resource_type: T, name: &str, value: &str) -> Criterion {
        let parsed = parse(resource_type, &[(name.to_owned(), value.to_owned())], Handling::Strict, "").unwrap();
        parsed.all[0].any[0].clone()
    }

    #[test]
    fn a_value_that_cannot_be_stored_is_left_out_of_an_instance() {
        let context = |code: String| json!({"useContext": [{"code": {"code": "a"}, "valueCodeableConcept": {"coding": [{"code": code}, {"code": "b"}]}}]});
        for code in ["x".repeat(2_001), "x\u{1e}y".to_owned(), "x\u{1f}y".to_owned()] {
            let found = read(T::Library, "context-type-value", &context(code));
            let [Fact::Instance(Instance(facts))] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!((facts[0].len(), facts[1].len()), (1, 1));
        }
    }

    #[test]
    fn an_instance_is_stored_whole_and_not_in_another_one() {
        let resource = json!({"component": [{"code": {"coding": [{"system": "s", "code": "a"}, {"code": "b"}]},
            "valueQuantity": {"value": 1.50, "unit": "mm", "code": "mm"}}]});
        let found = read(T::Observation, "component-code-value-quantity", &resource);
        let stored = StoredFact::of(&found[0]);
        let bytes = postcard::to_allocvec(&stored).unwrap();
        let again: StoredFact<'_> = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(again.fact().as_ref(), Some(&found[0]));
        let nested = Instance(vec![found.clone(), found]);
        assert_eq!(StoredFact::of(&nested.into()).fact(), None);
    }

    #[test]
    fn composites_are_described() {
        let words = |value| criterion(T::Observation, "code-value-quantity", value).words();
        let (verb, object) = words("http://s|a$ge1e2||mg");
        assert_eq!(verb, "is one where");
        assert_eq!(object, "code is a of http://s and value-quantity is greater than 100 mg or is 100 mg");
    }

    proptest! {
        #[test]
        fn the_keys_of_a_criterion_are_those_of_the_instances_that_satisfy_it(
            systems in subsequence(vec!["", "s", "t"], 1..3),
            code in select(vec!["a", "s", ""]),
            other in select(vec!["a", "b", "s"]),
            number in select(vec![1, 2]),
            first in select(vec!["a", "s|a", "|a", "s|", "|s", "t|s"]),
            second in select(vec!["a", "s|b", "|s", "s|", "t|"]),
            quantity in select(vec!["1", "gt1", "ne2", "1||mg", "le2|t|", "ap1|http://unitsofmeasure.org|g"]),
        ) {
            let codings: Vec<_> = systems.iter().map(|system| json!({"system": system, "code": other})).collect();
            let resource = json!({"useContext": [{
                "code": {"system": systems[0], "code": code},
                "valueCodeableConcept": {"coding": codings},
                "valueQuantity": {"value": number, "system": "http://unitsofmeasure.org", "code": "mg"},
            }]});
            for (name, value) in [("context-type-value", second), ("context-type-quantity", quantity)] {
                let kind = named(T::Library, name).unwrap().kind;
                let criterion = criterion(T::Library, name, &format!("{first}${value}"));
                for fact in read(T::Library, name, &resource) {
                    let keys = kind.index_keys(std::iter::once(&fact));
                    let found = criterion.lookups().iter().any(|lookup| keys.iter().any(|key| lookup.finds(key)));
                    prop_assert_eq!(found, criterion.holds(&fact), "{:?} {}", criterion, resource);
                }
            }
        }
    }
}
