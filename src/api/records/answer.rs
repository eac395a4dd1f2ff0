//! The answer to a request that finds resources, and the cursor with which its next page is requested.

use crate::http::problem::Problem;
use crate::query_context::QueryContext;
use fhir::{BodyPiece, Issue, IssueCode, Micros};
use store::Cost;

/// The answer to a search or to an operation that finds resources.
pub struct Answer<B> {
    /// The address of the request as understood.
    pub own: String,
    /// The end of the page, if there is another page.
    pub page_end: Option<PageEnd>,
    /// The number of matches on all pages, if known.
    pub total: Option<u64>,
    /// The entries: matches first, then included resources.
    pub entries: Vec<BodyPiece<B>>,
    /// Warnings about what was left out.
    pub issues: Vec<Issue>,
    /// The versions of the records on which the answer depends ([`store::Page::versions`]).
    pub versions: Option<Vec<i64>>,
    /// The cost of reading.
    pub cost: Cost,
}

/// The end of a page, which the cursor of the next page contains.
pub struct PageEnd {
    /// The position of its last match in the store.
    pub position: String,
    /// The moment of the search, if the query depends on it. It is the same for each page.
    pub moment: Option<Micros>,
}

impl PageEnd {
    /// Separates the moment from the position.
    const SEPARATOR: char = '\u{1f}';

    fn written(&self) -> String {
        match self.moment {
            None => self.position.clone(),
            Some(moment) => format!("{}{}{moment}", self.position, Self::SEPARATOR),
        }
    }

    /// Parses the end of a page.
    fn read(text: String, has_moment: bool) -> Option<Self> {
        if !has_moment {
            return Some(Self { position: text, moment: None });
        }
        let (position, moment) = text.rsplit_once(Self::SEPARATOR)?;
        Some(Self { position: position.to_owned(), moment: Some(moment.parse().ok()?) })
    }
}

/// Returns the end of the previous page from the cursor of a request. `own` is the address of the request, and
/// `has_moment` is true if the request depends on its moment.
///
/// # Errors
/// If the cursor belongs to another request.
pub fn open_cursor(
    cursor: Option<&str>,
    own: &str,
    has_moment: bool,
    context: QueryContext<'_>,
) -> Result<Option<PageEnd>, Problem> {
    let Some(cursor) = cursor else { return Ok(None) };
    let refused = || {
        let text = "The cursor does not fit: it is bound to its query and to the client, the user and the patient of the \
            token that it came with.";
        Problem::from(Issue::error(IssueCode::Value, text).about("_cursor").hint("follow the next link as it is"))
    };
    let end = context.cursors.open(cursor, &cursor_context(own, context));
    end.and_then(|text| PageEnd::read(text, has_moment)).map(Some).ok_or_else(refused)
}

/// Returns the address of the next page: the same query with a cursor. A cursor needs no encoding in an address.
pub fn next_address(own: &str, end: &PageEnd, context: QueryContext<'_>) -> String {
    let cursor = context.cursors.seal(&end.written(), &cursor_context(own, context));
    let mark = if own.contains('?') { "&" } else { "?" };
    [own, mark, "_cursor=", &cursor].concat()
}

/// Returns the text to which a cursor is bound: the address of the query, and the identity of the grant.
fn cursor_context(own: &str, context: QueryContext<'_>) -> String {
    [own, "\u{1f}", &context.grant.identity()].concat()
}
