//! An answer, before a host makes a response of it.

use crate::fhir::Piece;

/// An answer: status, headers, and a body in pieces, some of which a store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<B> {
    /// The HTTP status.
    pub status: u16,
    /// Headers, each name once.
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
        Self { status, headers: vec![("Content-Type", content_type.to_owned())], body: vec![Piece::Text(text)] }
    }

    /// An answer without a body.
    #[must_use]
    pub const fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// The same with a header; an earlier one of the same name goes.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self.headers.push((name, value.into()));
        self
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str())
    }
}
