//! The parameter `_id` (<https://hl7.org/fhir/R4/search.html#id>). Its search type is token; its values are ids alone.
//!
//! Stores keep no facts for it, because the key of a resource contains its id.

use serde_json::Value;

use super::bad;
use crate::fhir::{Id, Issue, quoted};
use crate::search::{Criterion, Fact};

/// Adds the id of an element.
pub(super) fn facts(element: &Value, add: &mut dyn FnMut(Fact)) {
    if let Some(id) = element.as_str().and_then(Id::parse) {
        add(Fact::Id(id));
    }
}

/// Parses a value.
///
/// # Errors
/// If the value is not an id.
pub(super) fn parse(raw: &str) -> Result<Criterion, Issue> {
    match Id::parse(raw) {
        Some(id) => Ok(Criterion::Id(id)),
        None => Err(bad(format!("{} is not an id.", quoted(raw)), "1 to 64 of A-Z a-z 0-9 - .")),
    }
}
