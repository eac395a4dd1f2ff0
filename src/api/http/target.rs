//! The target of a request: its path, with the route, and its query.

use super::path::PathVariables;
use super::routes::Route;

/// The target of a request (RFC 9112, section 3.2.1).
#[derive(Debug, Clone, Copy)]
pub struct RequestTarget<'a> {
    /// The path as received, percent-encoded.
    pub path: &'a str,
    /// The part after the question mark as received, percent-encoded.
    pub query: Option<&'a str>,
    /// The route of the path, if there is one. The server may not have it.
    pub route: Option<&'static Route>,
    pub(crate) captured: PathVariables<'a>,
}

impl<'a> RequestTarget<'a> {
    /// Parses a target, which begins with the path.
    pub fn of(text: &'a str) -> Self {
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        let (route, captured) = Route::find(path).unzip();
        Self { path, query, route, captured: captured.unwrap_or_default() }
    }
}
