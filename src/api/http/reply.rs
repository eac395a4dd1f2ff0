//! An answer, before a runtime converts it to a response.

use super::stream::Stream;
use crate::configuration::settings::Environment;
use fhir::BodyPiece;
use store::Cost;

/// The `Content-Type` of FHIR.
pub const FHIR_JSON: &str = "application/fhir+json; charset=utf-8";
/// The `Content-Type` of all other JSON.
const JSON: &str = "application/json; charset=utf-8";

/// The policy on who may read and store an answer. It determines the headers of all answers with the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderPolicy {
    /// FHIR: records and OperationOutcomes.
    Fhir,
    /// Public documents: discovery, keys, and the published users of the sandbox.
    Public(Environment),
    /// JSON that must not be stored: tokens, OAuth errors, and the version of the server.
    UncachedJson,
    /// The state of the server.
    Health,
    /// A page for a user, or a redirect to one.
    Page,
    /// The style sheet of the pages.
    Style,
    /// A public document whose address changes with its contents.
    Unchanging,
}

type Header = (&'static str, &'static str);

const NO_STORE: Header = ("Cache-Control", "no-store");

/// The headers of every answer.
const ALWAYS: &[Header] =
    &[("X-Content-Type-Options", "nosniff"), ("Strict-Transport-Security", "max-age=31536000; includeSubDomains")];

/// The headers of answers that pages of any origin may read. None of these answers depends on a cookie.
const OPEN: &[Header] = &[
    ("Access-Control-Allow-Origin", "*"),
    (
        "Access-Control-Expose-Headers",
        "Accept-Ranges, Content-Disposition, Content-Location, Content-Range, ETag, Expires, Last-Modified, Link, \
         Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Progress, X-Request-Id",
    ),
    ("Vary", "Authorization, Accept, Prefer, Origin"),
];

/// The headers of answers that no other page may frame or read, and whose addresses are not sent to other servers.
const APART: &[Header] =
    &[("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"), ("Vary", "Cookie"), ("Pragma", "no-cache")];

impl HeaderPolicy {
    /// Returns the headers of the policy, without duplicate names.
    pub fn headers(self) -> impl Iterator<Item = Header> {
        let (shared, own): (_, &[Header]) = match self {
            Self::Fhir => (OPEN, &[("Content-Type", FHIR_JSON), NO_STORE]),
            Self::Public(Environment::Sandbox) => {
                (OPEN, &[("Content-Type", JSON), ("Cache-Control", "public, max-age=60")])
            }
            Self::Public(Environment::Production) => {
                (OPEN, &[("Content-Type", JSON), ("Cache-Control", "public, max-age=300")])
            }
            Self::UncachedJson => (OPEN, &[("Content-Type", JSON), NO_STORE, ("Pragma", "no-cache")]),
            Self::Health => (OPEN, &[("Content-Type", "application/health+json"), NO_STORE]),
            Self::Page => (APART, &[("Content-Type", "text/html; charset=utf-8"), NO_STORE]),
            Self::Style => {
                (&[], &[("Content-Type", "text/css; charset=utf-8"), ("Cache-Control", "public, max-age=3600")])
            }
            Self::Unchanging => {
                (OPEN, &[("Content-Type", JSON), ("Cache-Control", "public, max-age=31536000, immutable")])
            }
        };
        ALWAYS.iter().chain(shared).chain(own).copied()
    }
}

/// An answer: a status, headers, and a body in pieces, some of which belong to a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply<B> {
    /// The HTTP status.
    pub status: u16,
    /// The policy, which determines most headers.
    pub policy: HeaderPolicy,
    /// The headers of this answer, without duplicate names. They have precedence over those of the policy.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<BodyPiece<B>>,
    /// The body, if it is sent while objects of the bucket of files are read. `body` is then empty.
    pub stream: Option<Stream>,
    /// The cost of reading the records for the answer.
    pub cost: Cost,
}

impl<B> Reply<B> {
    /// Returns an answer with a text.
    pub fn text(status: u16, policy: HeaderPolicy, text: String) -> Self {
        Self { body: vec![BodyPiece::Text(text)], ..Self::empty(status, policy) }
    }

    /// Returns an answer without a body.
    pub const fn empty(status: u16, policy: HeaderPolicy) -> Self {
        Self { status, policy, headers: Vec::new(), body: Vec::new(), stream: None, cost: Cost::Free }
    }

    /// Returns an answer with a stream. Its length is declared, so that an interruption is noticed.
    pub fn streamed(status: u16, policy: HeaderPolicy, stream: Stream) -> Self {
        let length = stream.length().to_string();
        Self { stream: Some(stream), ..Self::empty(status, policy) }.with("Content-Length", length)
    }

    /// Sets a header. It replaces an earlier one with the same name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        let value = value.into();
        // Each cookie has its own header (RFC 6265, section 3).
        match self.headers.iter_mut().find(|(other, _)| *other == name && name != "Set-Cookie") {
            Some((_, earlier)) => *earlier = value,
            None => self.headers.push((name, value)),
        }
        self
    }

    /// Returns all headers: those of the answer, then those of its policy.
    pub fn all_headers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let own = |name: &str| self.headers.iter().any(|(other, _)| *other == name);
        let of_policy = self.policy.headers().filter(move |(name, _)| !own(name));
        let of_this = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        of_this.chain(of_policy.map(|(name, value): (_, &str)| (name, value)))
    }
}

/// Adds a `Server-Timing` header with the cost of the answer, if the store counts it.
pub fn with_cost<B>(reply: Reply<B>, cost: Cost) -> Reply<B> {
    let reply = Reply { cost, ..reply };
    match cost {
        Cost::Free => reply,
        Cost::D1 { rows_read, trips } => {
            let parts = ["d1;desc=\"rows_read=", &rows_read.to_string(), ", trips=", &trips.to_string(), "\""];
            reply.with("Server-Timing", parts.concat())
        }
        Cost::Kv { reads } => reply.with("Server-Timing", format!("kv;desc=\"reads={reads}\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn c14_secret_answers_are_neither_cached_nor_shown_to_other_pages() {
        let [sandbox, production] = [Environment::Sandbox, Environment::Production].map(HeaderPolicy::Public);
        for policy in [
            HeaderPolicy::Fhir,
            sandbox,
            production,
            HeaderPolicy::UncachedJson,
            HeaderPolicy::Health,
            HeaderPolicy::Page,
            HeaderPolicy::Style,
            HeaderPolicy::Unchanging,
        ] {
            let all: Vec<_> = policy.headers().collect();
            let headers: BTreeMap<_, _> = all.iter().copied().collect();
            assert_eq!(all.len(), headers.len(), "{policy:?} says something twice");
            assert_eq!(headers["X-Content-Type-Options"], "nosniff");
            assert!(headers["Strict-Transport-Security"].starts_with("max-age=31536000"));
            let everybody_s =
                matches!(policy, HeaderPolicy::Public(_) | HeaderPolicy::Style | HeaderPolicy::Unchanging);
            assert_eq!(headers["Cache-Control"] == "no-store", !everybody_s, "{policy:?}");
            let has_cookies = policy == HeaderPolicy::Page;
            assert_eq!(headers.contains_key("X-Frame-Options"), has_cookies, "{policy:?}");
            assert!(!(has_cookies && headers.contains_key("Access-Control-Allow-Origin")));
            assert!(!headers.contains_key("Access-Control-Allow-Credentials"), "{policy:?}");
        }
    }

    #[test]
    fn a_header_of_an_answer_precedes_that_of_its_class() {
        let reply =
            Reply::<String>::empty(200, HeaderPolicy::Fhir).with("Cache-Control", "a").with("Cache-Control", "b");
        let found: Vec<_> = reply.all_headers().filter(|(name, _)| *name == "Cache-Control").collect();
        assert_eq!(found, [("Cache-Control", "b")]);
    }
}
