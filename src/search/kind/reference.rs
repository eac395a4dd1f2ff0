//! Parameters of type reference (<https://hl7.org/fhir/R4/search.html#reference>).
//!
//! A fact is `Type/id`, or an address outside this server, without a version.

use serde_json::Value;

use super::element::{MAX_LENGTH, malformed, text_of};
use super::escape::unescape;
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, KeyMatch, KeyRange, Lookup};
use super::modifier::Modifier;
use fhir::{Id, Issue, Reference, ResourceType, quoted};

/// The kind of parameters over a reference to one of these types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct References(pub &'static [ResourceType]);

impl ParamKind for References {
    type Value = Target;
    type Comparison = ReferenceCriterion;

    fn values(&self, element: &Value, add: &mut dyn FnMut(Target)) {
        target(element).map(Target).into_iter().for_each(add);
    }

    /// Parses an id, `Type/id`, or an address. A mere id may belong to any of the types, or belongs to the type that
    /// the modifier names.
    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<ReferenceCriterion>, Issue> {
        use ReferenceCriterion::{OfAnyType, To};
        let targets = match &value.modifier {
            Some(Modifier::Type(only)) => std::slice::from_ref(only),
            _ => self.0,
        };
        let text = unescape(value.text);
        let local = text.strip_prefix(value.base).and_then(|rest| rest.strip_prefix('/'));
        let path = local.unwrap_or(&text);
        let is_foreign = local.is_none() && (text.contains("://") || text.starts_with("urn:"));
        Ok(Comparisons::OneOf(match (Id::parse(path), Reference::parse(path)) {
            (Some(id), _) if targets.len() == ResourceType::served().len() => vec![OfAnyType(id)],
            (Some(id), _) => {
                targets.iter().map(|resource_type| To(Target(Reference::join(*resource_type, &id)))).collect()
            }
            (None, _) if is_foreign && targets == self.0 => {
                vec![To(Target(Reference::unversioned(&text).to_owned()))]
            }
            (None, Some(reference)) if targets.contains(&reference.resource_type) => {
                vec![To(Target(reference.to_string()))]
            }
            (None, _) => {
                let names: Vec<_> = targets.iter().map(|target| target.name()).collect();
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
}

/// Returns the literal reference of a Reference element, without its version. `None` for a reference into `contained`.
pub fn target(element: &Value) -> Option<String> {
    let text = text_of(element, "reference").filter(|text| !text.starts_with('#'))?;
    Some(Reference::unversioned(text).to_owned())
}

/// A reference: `Type/id`, or an address outside this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(pub String);

impl Target {
    /// Returns the text.
    pub(super) fn keys(&self) -> Vec<IndexKey> {
        vec![IndexKey::of(self.0.clone())]
    }
}

impl FactValue for Target {
    fn text(&self) -> String {
        self.0.clone()
    }

    fn is_short(&self) -> bool {
        self.0.len() <= MAX_LENGTH
    }
}

/// A comparison with a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceCriterion {
    /// A reference to this resource or address.
    To(Target),
    /// A reference to a resource of any type with this id. It is one comparison, instead of one for each type.
    OfAnyType(Id),
}

impl Comparison for ReferenceCriterion {
    type Value = Target;

    fn holds(&self, target: &Target) -> bool {
        match self {
            Self::To(wanted) => wanted == target,
            Self::OfAnyType(id) => Reference::parse(&target.0).is_some_and(|reference| reference.id == *id),
        }
    }

    fn words(&self) -> Phrase {
        let wanted = match self {
            Self::To(Target(wanted)) => wanted.clone(),
            Self::OfAnyType(id) => id.to_string(),
        };
        ("refers to", wanted)
    }

    fn lookups(&self) -> Vec<Lookup> {
        let key = |text| Lookup::Key(KeyMatch::of(text));
        match self {
            Self::To(Target(wanted)) => vec![key(wanted.clone())],
            Self::OfAnyType(id) => {
                ResourceType::served().iter().map(|resource_type| key(Reference::join(*resource_type, id))).collect()
            }
        }
    }
}

/// The comparison with references to resources of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfType(pub ResourceType);

impl Comparison for OfType {
    type Value = Target;

    fn holds(&self, target: &Target) -> bool {
        Reference::parse(&target.0).is_some_and(|target| target.resource_type == self.0)
    }

    fn words(&self) -> Phrase {
        ("refers to", format!("a {}", self.0))
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Range(KeyRange::from(format!("{}/", self.0))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::parsed;
    use super::*;
    use crate::kind::Criterion;
    use ResourceType as T;

    #[test]
    fn an_id_of_any_type_is_one_comparison() {
        let [of_any_type] = &parsed(T::Provenance, "target", "a").unwrap()[..] else { panic!("it is one") };
        let holds = |text: &str| of_any_type.holds(&Target(text.into()).into());
        assert!(holds("Encounter/a") && holds("Condition/a"));
        for other in ["Encounter/b", "Foo/a", "https://here/fhir/r4/Encounter/a", "a"] {
            assert!(!holds(other), "{other}");
        }
        let lookups = of_any_type.lookups();
        assert_eq!(lookups.len(), T::served().len());
        assert!(lookups.contains(&Lookup::Key(KeyMatch::of("Condition/a".into()))));
    }

    #[test]
    fn a_type_is_that_of_a_reference_to_this_server() {
        let of_patients = Criterion::from(OfType(T::Patient));
        let holds = |target: &str| of_patients.holds(&Target(target.to_owned()).into());
        assert!(holds("Patient/a") && !holds("Group/a") && !holds("https://evil/Patient/a") && !holds("Patient/"));
        assert_eq!(of_patients.words(), ("refers to", "a Patient".to_owned()));
    }
}
