//! A cache of public documents of other servers: key sets and discovery documents.

use std::rc::Rc;

use serde_json::Value;

use collections::cache::{Cache, Cached};

/// The port for fetching public documents from other servers and for exchanging codes there.
pub trait Fetch {
    /// Fetches a JSON document without following redirects. The implementation limits time and size.
    ///
    /// # Errors
    /// If there is no such document.
    async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError>;

    /// Sends a form with this `Authorization` header, and returns the JSON of the answer. The same limits apply.
    ///
    /// # Errors
    /// If the answer is not a success, or not JSON.
    async fn send_form(&self, address: &str, authorization: Option<&str>, form: String) -> Result<String, FetchError>;
}

/// A document of another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedDocument {
    /// The text of the document.
    pub text: String,
    /// The time in seconds for which it may be cached, if the server states one (`max-age`).
    pub max_age: Option<i64>,
}

/// The reason why a document could not be fetched, only for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FetchError(pub String);

/// The cache of fetched documents in one isolate.
#[derive(Debug, Default)]
pub struct Documents {
    /// The documents of registered clients and of configured servers.
    known: Cache<CachedDocument, MAX>,
    /// The documents of agents. Anybody may name one, so these displace no others.
    of_agents: Cache<CachedDocument, MAX>,
}

#[derive(Debug)]
struct CachedDocument {
    /// The document. `None` if it could not be fetched.
    document: Option<Rc<Value>>,
    /// The time of the fetch, in seconds since 1970.
    fetched: i64,
    /// The time until which it is used without another fetch, in seconds since 1970.
    until: i64,
    /// The earliest time of another fetch, in seconds since 1970, whatever the server states and whatever is sought.
    again: i64,
    /// The number of fetches that have begun without an answer so far, and the time of the last one.
    begun: (usize, i64),
}

impl Cached for CachedDocument {}

/// The limits of caching for one kind of document. Within them, the server decides (RFC 9111).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// The least time between two fetches, in seconds, even if the server forbids caching or data are missing.
    least: i64,
    /// The time in seconds after a fetch for which the document is still used while the server does not answer (RFC
    /// 5861, `stale-if-error`).
    after_error: i64,
    /// The longest time for which the document is cached, in seconds.
    most: i64,
    /// The longest document, in bytes.
    longest: usize,
}

/// The limits for documents of registered clients. Anybody may send assertions in the name of a client. After an
/// assertion that proves to be from the client ([`Documents::allow_fetch`]), they are kept no longer than their servers
/// state, since a client may have each of its assertions checked with freshly fetched keys (SMART App Launch,
/// "Asymmetric client authentication").
pub const OF_CLIENTS: Retention = Retention { least: 10, after_error: 0, most: HOUR, longest: 64 * 1024 };
/// The limits for documents of trusted issuers: at least a minute, since anybody may send tokens with unknown keys, and
/// up to a day while the issuer does not answer.
pub const OF_ISSUERS: Retention = Retention { least: 60, after_error: 24 * HOUR, ..OF_CLIENTS };
/// The limits for documents that describe agents.
pub const OF_AGENTS: Retention =
    Retention { least: RETRY_AFTER_FAILURE, after_error: 0, most: 24 * HOUR, longest: 5 * 1024 };

/// The seconds of an hour.
const HOUR: i64 = 3_600;
/// The time for which a document is cached if its server states none, in seconds.
const DEFAULT_CACHED: i64 = 300;
/// The time before a failed fetch of a document is repeated, in seconds.
const RETRY_AFTER_FAILURE: i64 = 5;
/// The most concurrent fetches of a document that is not cached.
const MAX_AT_ONCE: usize = 2;
/// The most cached documents. The limit is rarely reached: there is one document per registration.
const MAX: usize = 1_000;

/// A document from which a result was derived, and its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentSource {
    /// The address.
    pub address: String,
    /// The document.
    pub document: Rc<Value>,
}

impl Documents {
    fn cache(&self, retention: Retention) -> &Cache<CachedDocument, MAX> {
        if retention == OF_AGENTS { &self.of_agents } else { &self.known }
    }

    /// Returns the document at an address. A cached document is used if it was fetched a moment ago, or if it may still
    /// be cached and `is_wanted` finds its data in it.
    ///
    /// # Errors
    /// If the document cannot be fetched, or is not JSON.
    pub async fn get<F: Fetch>(
        &self,
        fetch: &F,
        (address, retention): (&str, Retention),
        is_wanted: impl Fn(&Value) -> bool,
        now: i64,
    ) -> Result<Rc<Value>, FetchError> {
        let known = |cached: &mut CachedDocument| {
            let is_kept = now < cached.until;
            if now < cached.again || is_kept && cached.document.as_deref().is_some_and(is_wanted) {
                let failed = || FetchError("it was not to be had a moment ago".to_owned());
                return Some(cached.document.clone().ok_or_else(failed));
            }
            if is_kept {
                // Concurrent calls do not fetch the document twice.
                cached.again = now + retention.least;
            } else if cached.begun.0 >= MAX_AT_ONCE && now < cached.begun.1 + retention.least {
                return Some(Err(FetchError("it is being fetched".to_owned())));
            }
            cached.begun = (cached.begun.0 + 1, now);
            None
        };
        let cache = self.cache(retention);
        match cache.with(address, known) {
            Some(Some(known)) => return known,
            Some(None) => {}
            None => {
                let begun = (1, now);
                cache.put(address, CachedDocument { document: None, fetched: now, until: now, again: now, begun });
            }
        }
        self.fetch(fetch, (address, retention), now).await
    }

    /// Allows another fetch of a document at once, since a request proved to be from its owner. So other people's
    /// requests cause one fetch for each of the owner's requests, and otherwise one in the least time.
    pub fn allow_fetch(&self, address: &str, now: i64) {
        self.known.with(address, |cached| cached.again = cached.again.min(now));
    }

    /// Returns whether a document is still current.
    pub fn is_current(&self, source: &DocumentSource, now: i64) -> bool {
        let is_same = |cached: &mut CachedDocument| {
            let document = cached.document.as_ref().filter(|_| now < cached.until.max(cached.again));
            document.is_some_and(|document| Rc::ptr_eq(document, &source.document))
        };
        self.known.with(&source.address, is_same).unwrap_or_default()
    }

    async fn fetch<F: Fetch>(
        &self,
        fetch: &F,
        (address, retention): (&str, Retention),
        now: i64,
    ) -> Result<Rc<Value>, FetchError> {
        let cache = self.cache(retention);
        let fetched = fetch.fetch(address).await.and_then(|fetched| {
            if fetched.text.len() > retention.longest {
                return Err(FetchError("it is too long".to_owned()));
            }
            let document: Value = serde_json::from_str(&fetched.text).map_err(|error| FetchError(error.to_string()))?;
            Ok((document, fetched.max_age.unwrap_or(DEFAULT_CACHED).min(retention.most)))
        });
        let earlier = cache.take(address);
        let (cached, answer) = match (fetched, earlier) {
            (Ok((document, age)), earlier) => {
                // An unchanged document keeps its identity, so that results derived from it stay valid.
                let same = earlier.and_then(|cached| cached.document).filter(|earlier| **earlier == document);
                let document = same.unwrap_or_else(|| Rc::new(document));
                let cached = CachedDocument {
                    document: Some(Rc::clone(&document)),
                    fetched: now,
                    until: now + age,
                    again: now + retention.least,
                    begun: (0, now),
                };
                (cached, Ok(document))
            }
            (Err(error), earlier) => {
                let kept = earlier.and_then(|cached| {
                    let again = now + retention.least;
                    let until = cached.until.max((cached.fetched + retention.after_error).min(again));
                    let cached = CachedDocument { until, again: again.min(until), begun: (0, now), ..cached };
                    cached.document.clone().filter(|_| now < cached.until).map(|document| (cached, Ok(document)))
                });
                let (until, begun) = (now + RETRY_AFTER_FAILURE, (0, now));
                let failed = CachedDocument { document: None, fetched: now, until, again: until, begun };
                kept.unwrap_or((failed, Err(error)))
            }
        };
        cache.put(address, cached);
        answer
    }
}
