//! A cache of public documents of other servers: key sets and discovery documents.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

/// Asks other servers for their public documents.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Fetch {
    /// Fetches a JSON document: without following redirects, within seconds, and of bounded size.
    ///
    /// # Errors
    /// If there is none.
    async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError>;
}

/// A document of another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedDocument {
    /// Its text.
    pub text: String,
    /// How long it may be kept, in seconds, where the server says so.
    pub max_age: Option<i64>,
}

/// Why there is no document. For the log alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchError(pub String);

/// Documents that an isolate has fetched.
#[derive(Debug, Default)]
pub struct Documents(RefCell<HashMap<String, CachedDocument>>);

#[derive(Debug, Clone)]
struct CachedDocument {
    /// Nothing, where there was none to be had.
    document: Option<Rc<Value>>,
    /// When it was fetched, in seconds since 1970.
    fetched: i64,
    /// Until when it is used without asking again.
    until: i64,
    /// When it may be asked for again because what is sought is not in it.
    again: i64,
}

/// How long documents of one kind are used: as long as their server says (RFC 9111), within these bounds in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// At least so long, even where the server forbids it.
    least: i64,
    /// So long after it was fetched where the server does not answer any more (RFC 5861, `stale-if-error`).
    after_error: i64,
}

/// Documents of registered clients are used no longer than their servers say: a client may have each of its assertions
/// checked with keys that are fetched for it (SMART App Launch, "Asymmetric client authentication").
pub const OF_CLIENTS: Retention = Retention { least: 0, after_error: 0 };
/// Documents of trusted issuers are used for a minute at least, since anybody may send tokens of unknown keys, and for a day
/// where the issuer does not answer.
pub const OF_ISSUERS: Retention = Retention { least: PATIENCE, after_error: 86_400 };

/// How long a document is kept where its server says nothing, and how long at most, in seconds.
const KEPT: i64 = 300;
const KEPT_MOST: i64 = 3_600;
/// How long a document that lacks something is not asked for again, and one that was not to be had.
const PATIENCE: i64 = 60;
const PATIENCE_AFTER_FAILURE: i64 = 5;
/// Documents that are kept at once. Then all are forgotten: there are as many as registrations, and those are few.
const MOST: usize = 1_000;

/// A document that something was concluded from, and its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentSource {
    /// Its address.
    pub address: String,
    /// The document.
    pub document: Rc<Value>,
}

impl Documents {
    /// The document at an address: as it was fetched before, if it may still be kept, and if what is sought is in it or it
    /// was asked for a moment ago.
    ///
    /// # Errors
    /// If it is not to be had, or not JSON.
    pub async fn get<F: Fetch>(
        &self,
        fetch: &F,
        (address, retention): (&str, Retention),
        sought: impl Fn(&Value) -> bool,
        now: i64,
    ) -> Result<Rc<Value>, FetchError> {
        if let Some(held) = self.0.borrow_mut().get_mut(address).filter(|held| now < held.until) {
            if now < held.again || held.document.as_deref().is_some_and(sought) {
                let failed = || FetchError("it was not to be had a moment ago".to_owned());
                return held.document.clone().ok_or_else(failed);
            }
            // What else is sought while it is on its way does not make it be fetched twice.
            held.again = now + PATIENCE;
        }
        self.fetch(fetch, (address, retention), now).await
    }

    /// Returns whether a document is still the one that is used.
    pub fn is_current(&self, source: &DocumentSource, now: i64) -> bool {
        let known = self.0.borrow();
        let held = known.get(&source.address).filter(|held| now < held.until);
        held.and_then(|held| held.document.as_ref()).is_some_and(|document| Rc::ptr_eq(document, &source.document))
    }

    async fn fetch<F: Fetch>(
        &self,
        fetch: &F,
        (address, retention): (&str, Retention),
        now: i64,
    ) -> Result<Rc<Value>, FetchError> {
        let fetched = fetch.fetch(address).await.and_then(|fetched| {
            let document: Value = serde_json::from_str(&fetched.text).map_err(|error| FetchError(error.to_string()))?;
            Ok((document, fetched.max_age.unwrap_or(KEPT).clamp(retention.least, KEPT_MOST)))
        });
        let mut known = self.0.borrow_mut();
        let earlier = known.remove(address);
        let (held, answer) = match (fetched, earlier) {
            (Ok((document, age)), earlier) => {
                // One that has not changed stays the same, and so does what was concluded from it.
                let same = earlier.and_then(|held| held.document).filter(|earlier| **earlier == document);
                let document = same.unwrap_or_else(|| Rc::new(document));
                let held = CachedDocument {
                    document: Some(Rc::clone(&document)),
                    fetched: now,
                    until: now + age,
                    again: now + PATIENCE,
                };
                (held, Ok(document))
            }
            (Err(error), earlier) => {
                let kept = earlier.and_then(|held| {
                    let stale = (held.fetched + retention.after_error).min(now + PATIENCE);
                    let held = CachedDocument { until: held.until.max(stale), again: now + PATIENCE, ..held };
                    held.document.clone().filter(|_| now < held.until).map(|document| (held, Ok(document)))
                });
                let until = now + PATIENCE_AFTER_FAILURE;
                kept.unwrap_or((CachedDocument { document: None, fetched: now, until, again: until }, Err(error)))
            }
        };
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(address.to_owned(), held);
        answer
    }
}
