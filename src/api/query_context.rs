//! The context in which the parameters of a request for records are interpreted.

use super::http::call::Moment;
use super::http::form::{FormPairs, encode};
use super::http::problem::Problem;
use fhir::{Micros, ResourceType};
use search::{CursorKey, Handling, IndexSet, MAX_COUNT, ParseContext, Query, parse_in};
use smart::Grant;

/// The context of a query or a read.
#[derive(Debug, Clone, Copy)]
pub struct QueryContext<'a> {
    /// The address of the FHIR base.
    pub base: &'a str,
    /// The set of search parameters that is offered.
    pub index: &'static IndexSet,
    /// The key that signs cursors.
    pub cursors: &'a CursorKey,
    /// The grant that permits the query.
    pub grant: &'a Grant,
    /// The value of `Prefer: handling=`, if present.
    pub prefer: Option<Handling>,
    /// The time and the random bytes of the call.
    pub moment: &'a Moment,
    /// The most matches of a page: [`MAX_COUNT`] for clients.
    pub most: usize,
}

impl QueryContext<'_> {
    /// Parses the parameters of a search at a moment.
    pub(super) fn parse(&self, resource_type: ResourceType, pairs: &FormPairs, now: Micros) -> Result<Query, Problem> {
        // A next link has the parameters that its first page took, for one of its types at least.
        let is_later_page = pairs.iter().any(|(name, _)| name == "_cursor");
        let handling = self.prefer.unwrap_or(if is_later_page { Handling::Lenient } else { Handling::Strict });
        let context = ParseContext { set: self.index, now, handling, base: self.base };
        let query = parse_in(&context, resource_type, pairs).map_err(Problem::Bad)?;
        let count = if query.count == MAX_COUNT { self.most } else { query.count };
        Ok(Query { count, ..query })
    }

    /// Returns the address of a request as understood: its path below the base, and its parameters.
    pub(super) fn address(&self, path: &str, parameters: &FormPairs) -> String {
        let text = encode(parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let mark = if text.is_empty() { "" } else { "?" };
        [self.base, "/", path, mark, &text].concat()
    }
}
