//! The target of a request: its path with the route that it is of, and its query.

use super::routes::{Body, Handler, Route, RouteMatch};

/// The target of a request (RFC 9112, section 3.2.1).
#[derive(Debug, Clone, Copy)]
pub struct RequestTarget<'a> {
    /// The path as received, percent-encoded.
    pub path: &'a str,
    /// The part after the question mark as received, percent-encoded.
    pub query: Option<&'a str>,
    /// The route of the path. The server may not have it.
    pub(super) route: Option<RouteMatch<'a>>,
}

impl<'a> RequestTarget<'a> {
    /// The target that a text is, from the path on.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        Self { path, query, route: Route::find(path) }
    }

    /// The way in which the body of a POST is taken.
    #[must_use]
    pub fn body(&self) -> Body {
        self.route.map_or(Body::None, |found| found.route.body)
    }

    /// Returns whether the answer needs the jobs by which records are sent.
    #[must_use]
    pub fn needs_jobs(&self) -> bool {
        self.route.is_some_and(|found| found.route.needs_jobs)
    }

    /// Returns whether the answer needs the exports, or says whether there are any.
    #[must_use]
    pub fn needs_exports(&self) -> bool {
        self.route.is_some_and(|found| found.route.needs_exports())
    }

    /// Returns whether the request changes nothing, so that it is given up if its caller goes away.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.route.is_some_and(|found| found.route.is_read)
    }

    /// Returns whether the request asks for readiness.
    #[must_use]
    pub fn is_readiness(&self) -> bool {
        self.route.is_some_and(|found| found.route.handler == Handler::Ready)
    }
}
