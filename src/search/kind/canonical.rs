//! Parameters of type reference over canonical addresses (<https://hl7.org/fhir/R4/search.html#reference>). They are
//! compared exactly, and a canonical address is also found without its version.

use serde_json::Value;

use super::escape::unescape;
use super::form::{Comparisons, ParamKind, RawValue};
use super::index::IndexKey;
use super::modifier::Modifier;
use super::reference::Target;
use super::uri::{UriCriterion, below};
use fhir::Issue;

/// The kind of parameters over a canonical address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonicals;

impl ParamKind for Canonicals {
    type Value = Target;
    type Comparison = UriCriterion;

    /// Adds the address with its version and without it.
    fn values(&self, element: &Value, add: &mut dyn FnMut(Target)) {
        if let Some(address) = element.as_str() {
            add(Target(address.to_owned()));
            if let Some((unversioned, _)) = address.split_once('|') {
                add(Target(unversioned.to_owned()));
            }
        }
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<UriCriterion>, Issue> {
        Ok(Comparisons::OneOf(vec![match value.modifier {
            Some(Modifier::Below) => below(value)?,
            _ => UriCriterion::Is { address: unescape(value.text), until: "" },
        }]))
    }

    fn keys(&self, target: &Target) -> Vec<IndexKey> {
        target.keys()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;
    use fhir::ResourceType;
    use serde_json::json;

    #[test]
    fn a_canonical_is_found_with_and_without_its_version() {
        let response = json!({"questionnaire": "http://x/q|2"});
        assert_eq!(
            found(ResourceType::QuestionnaireResponse, &response),
            ["questionnaire=http://x/q|2", "questionnaire=http://x/q"]
        );
    }
}
