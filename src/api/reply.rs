//! An answer, before a host makes a response of it.

use crate::fhir::Piece;

/// The headers of every answer, where it says nothing else.
pub const USUAL: [(&str, &str); 7] = [
    ("Content-Type", FHIR_JSON),
    ("Cache-Control", "no-store"),
    ("Vary", "Authorization, Accept, Prefer, Origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
    ("Access-Control-Allow-Origin", "*"),
    (
        "Access-Control-Expose-Headers",
        "ETag, Last-Modified, Link, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id",
    ),
];

/// An answer: status, headers, and a body in pieces, some of which a store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<B> {
    /// The HTTP status.
    pub status: u16,
    /// Headers, each name once: what is other than [`USUAL`].
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<Piece<B>>,
}

/// `Content-Type` of FHIR.
pub const FHIR_JSON: &str = "application/fhir+json; charset=utf-8";
/// `Content-Type` of everything else in JSON.
pub const JSON: &str = "application/json; charset=utf-8";

impl<B> Reply<B> {
    /// An answer of that type and text.
    #[must_use]
    pub fn text(status: u16, content_type: &'static str, text: String) -> Self {
        let reply = Self { status, headers: Vec::new(), body: vec![Piece::Text(text)] };
        if content_type == FHIR_JSON { reply } else { reply.with("Content-Type", content_type) }
    }

    /// An answer without a body.
    #[must_use]
    pub const fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// The same with a header; an earlier one of the same name goes. An empty value takes a usual header away.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value.into()));
        self
    }

    /// All its headers.
    pub fn all_headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let own = |name: &str| self.headers.iter().any(|(other, _)| *other == name);
        let usual = USUAL.into_iter().filter(move |(name, _)| !own(name));
        let said = self.headers.iter().filter(|(_, value)| !value.is_empty());
        said.map(|(name, value)| (*name, value.as_str())).chain(usual)
    }
}
