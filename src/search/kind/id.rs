//! `_id`, the logical id (<https://hl7.org/fhir/R4/search.html#id>). Its search type is token; its values are ids alone.
//!
//! Stores keep no fact of it: a resource's key holds its id.

use serde_json::Value;

use super::bad;
use crate::fhir::{Id, Issue, quoted};
use crate::search::{Criterion, Fact};

/// The id that an element holds.
pub(super) fn facts(element: &Value, add: &mut dyn FnMut(Fact)) {
    if let Some(id) = element.as_str().and_then(Id::parse) {
        add(Fact::Id(id));
    }
}

/// Parses a value.
///
/// # Errors
/// Where the value is no id.
pub(super) fn parse(raw: &str) -> Result<Criterion, Issue> {
    match Id::parse(raw) {
        Some(id) => Ok(Criterion::Id(id)),
        None => Err(bad(format!("{} is not an id.", quoted(raw)), "1 to 64 of A-Z a-z 0-9 - .")),
    }
}
