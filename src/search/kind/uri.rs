//! Parameters over an element of type `uri`, or of its specialisation `canonical`
//! (<https://hl7.org/fhir/R4/search.html#uri>). Addresses are compared exactly. A canonical address is also found
//! without its version.

use serde_json::Value;

use super::escape::unescape;
use crate::search::{Criterion, Fact};

/// Adds the canonical address of an element, with its version and without it.
pub(super) fn facts(element: &Value, add: &mut dyn FnMut(Fact)) {
    if let Some(address) = element.as_str() {
        add(Fact::Reference(address.to_owned()));
        if let Some((unversioned, _)) = address.split_once('|') {
            add(Fact::Reference(unversioned.to_owned()));
        }
    }
}

/// Parses a value.
pub(super) fn parse(raw: &str) -> Criterion {
    Criterion::Refers(unescape(raw))
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;
    use crate::fhir::ResourceType;
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
