//! Reading of elements and values that the kinds have in common.

use serde_json::Value;

use crate::fhir::{Issue, IssueCode};

/// The longest text of a fact, in bytes.
pub const LONGEST: usize = 2_000;

/// The issue of a malformed value, with the forms that the parameter takes.
pub fn malformed(text: String, forms: &str) -> Issue {
    Issue::error(IssueCode::Value, text).hint(forms)
}

/// A member of an element, if it is a string that is not empty.
pub fn text_of<'a>(element: &'a Value, name: &str) -> Option<&'a str> {
    element.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}
