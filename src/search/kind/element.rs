//! Reading of elements and values that several kinds have in common.

use serde_json::Value;

use fhir::{Issue, IssueCode};

/// The longest text of a fact, in bytes.
pub const MAX_LENGTH: usize = 2_000;

/// Returns the issue of a malformed value, with the forms that the parameter accepts.
pub fn malformed(text: String, forms: &str) -> Issue {
    Issue::error(IssueCode::Value, text).hint(forms)
}

/// Returns the prefix of a number or a date (<https://hl7.org/fhir/R4/search.html#prefix>), `eq` if there is none, and
/// the text after it.
pub fn prefixed(text: &str) -> (&str, &str) {
    let prefix = text.get(..2).filter(|start| start.bytes().all(|byte| byte.is_ascii_lowercase()));
    prefix.map_or(("eq", text), |prefix| (prefix, text.get(2..).unwrap_or_default()))
}

/// Returns a member of an element, if it is a non-empty string.
pub fn text_of<'a>(element: &'a Value, name: &str) -> Option<&'a str> {
    element.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}
