//! Parameters of type reference (<https://hl7.org/fhir/R4/search.html#reference>).
//!
//! A fact is `Type/id`, or an address outside of this server, without a version.

use serde_json::Value;

use super::element::{LONGEST, malformed, text_of};
use super::escape::unescape;
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, KeyMatch, Lookup};
use crate::fhir::{Id, Issue, Reference, ResourceType, quoted};

/// The kind of parameters over a reference to one of these types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct References(pub &'static [ResourceType]);

impl ParamKind for References {
    type Value = Target;
    type Comparison = Target;

    fn name(&self) -> &'static str {
        "Reference"
    }

    fn fhir_type(&self) -> &'static str {
        "reference"
    }

    fn values(&self, element: &Value, add: &mut dyn FnMut(Target)) {
        target(element).map(Target).into_iter().for_each(add);
    }

    /// An id, `Type/id`, or an address. An id alone may belong to any of the types.
    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<Target>, Issue> {
        let text = unescape(value.text);
        let local = text.strip_prefix(value.base).and_then(|rest| rest.strip_prefix('/'));
        let path = local.unwrap_or(&text);
        let is_foreign = local.is_none() && (text.contains("://") || text.starts_with("urn:"));
        Ok(Comparisons::OneOf(match (Id::parse(path), Reference::parse(path)) {
            (Some(id), _) => self.0.iter().map(|resource_type| Target(Reference::join(*resource_type, &id))).collect(),
            (None, _) if is_foreign => vec![Target(Reference::unversioned(&text).to_owned())],
            (None, Some(reference)) if self.0.contains(&reference.resource_type) => vec![Target(reference.to_string())],
            (None, _) => {
                let names: Vec<_> = self.0.iter().map(|target| target.name()).collect();
                return Err(malformed(
                    format!("{} is not a reference that \"{}\" can have.", quoted(path), value.param),
                    &format!("an id, or Type/id with one of: {}", names.join(", ")),
                ));
            }
        }))
    }

    fn keys(&self, target: &Target) -> Vec<IndexKey> {
        target.keys()
    }

    fn targets(&self) -> Option<&'static [ResourceType]> {
        Some(self.0)
    }
}

/// The literal reference of a Reference element, without its version. `None` for a reference into `contained`.
pub fn target(element: &Value) -> Option<String> {
    let text = text_of(element, "reference").filter(|text| !text.starts_with('#'))?;
    Some(Reference::unversioned(text).to_owned())
}

/// A reference: `Type/id`, or an address outside of this server. It is a value, and the comparison with an equal one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(pub String);

impl Target {
    /// Its text.
    pub(super) fn keys(&self) -> Vec<IndexKey> {
        vec![IndexKey::of(self.0.clone())]
    }
}

impl FactValue for Target {
    fn text(&self) -> String {
        self.0.clone()
    }

    fn is_short(&self) -> bool {
        self.0.len() <= LONGEST
    }

    fn reference(&self) -> Option<&str> {
        Some(&self.0)
    }
}

impl Comparison for Target {
    type Value = Self;

    fn holds(&self, target: &Self) -> bool {
        self == target
    }

    fn words(&self) -> Phrase {
        ("refers to", self.0.clone())
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Key(KeyMatch::of(self.0.clone())))
    }

    fn reference(&self) -> Option<&str> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{found, parsed};
    use super::*;
    use crate::search::kind::Criterion;
    use ResourceType as T;
    use serde_json::json;

    #[test]
    fn references_are_the_same_as_id_as_type_and_id_and_under_our_base() {
        let alice = vec![Criterion::Refers(Target("Encounter/a".into()))];
        for raw in ["a", "Encounter/a", "https://here/fhir/r4/Encounter/a", "Encounter/a/_history/1"] {
            assert_eq!(parsed(T::Condition, "encounter", raw), Ok(alice.clone()), "{raw}");
        }
        for foreign in ["https://evil/fhir/r4/Encounter/a", "https://here/fhir/r4x/Encounter/a"] {
            assert_eq!(parsed(T::Condition, "encounter", foreign), Ok(vec![Criterion::Refers(Target(foreign.into()))]));
        }
        for bad in ["Patient/a", "Encounter/", "Foo/a", "a b", "https://here/fhir/r4/", "#a"] {
            assert!(parsed(T::Condition, "encounter", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn contained_resources_and_references_into_them_have_no_facts() {
        let request = json!({"contained": [{"resourceType": "Medication", "id": "m", "status": "active"}], "medicationReference": {"reference": "#m"}, "subject": {"reference": "Patient/p/_history/2"}});
        assert_eq!(found(T::MedicationRequest, &request), ["patient=Patient/p", "_present=|medication"]);
    }
}
