//! A request for records: the last step before its interaction answers it.

use std::borrow::Cow;

use crate::bearer::Authorized;
use crate::configuration::settings::Settings;
use crate::http::call::{Call, Method};
use crate::http::form::FormPairs;
use crate::http::negotiate::require_json;
use crate::http::problem::Problem;
use crate::query_context::QueryContext;

/// A request for records whose token has been verified, and whose client accepts JSON. Searches, operations and reads
/// only produce JSON; the bytes of a Binary, which are not JSON, are read in the previous step.
pub struct RecordRequest<'a> {
    pub(crate) parameters: &'a FormPairs,
    pub(crate) context: QueryContext<'a>,
    /// The `If-None-Match` of the request.
    pub(crate) known: Option<Cow<'a, str>>,
    /// True if answers to searches have tags: those over HTTP to GET and HEAD. What POST searches has no address, and
    /// thus no tag.
    pub(crate) is_tagged: bool,
}

impl<'a> RecordRequest<'a> {
    /// Checks that the client accepts JSON.
    ///
    /// # Errors
    /// If it only accepts another format.
    pub fn of(authorized: &'a Authorized, settings: &'a Settings, call: &'a Call<'_>) -> Result<Self, Problem> {
        require_json(authorized.parameters(), call.header("Accept").as_deref())?;
        let known = call.header("If-None-Match");
        let is_tagged = matches!(call.method, Method::Get | Method::Head);
        Ok(Self { parameters: authorized.parameters(), context: authorized.context(settings, call), known, is_tagged })
    }

    /// Returns the parameters of the request, and the context in which they are interpreted.
    pub const fn parts(&self) -> (&'a FormPairs, QueryContext<'a>) {
        (self.parameters, self.context)
    }

    /// Returns the `If-None-Match` of the request.
    pub fn known(&self) -> Option<&str> {
        self.known.as_deref()
    }

    /// Returns the `If-None-Match` of a request whose answers have tags, which may be empty.
    pub fn known_of_search(&self) -> Option<&str> {
        self.is_tagged.then(|| self.known().unwrap_or_default())
    }
}
