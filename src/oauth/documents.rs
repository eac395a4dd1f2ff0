//! Public documents of other servers, fetched and kept: sets of keys, and where they are.

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
    /// Where there is none.
    async fn fetch(&self, address: &str) -> Result<Fetched, FetchError>;
}

/// A document of another server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
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
pub struct Documents(RefCell<HashMap<String, Held>>);

#[derive(Debug, Clone)]
struct Held {
    /// Nothing, where there was none to be had.
    document: Option<Rc<Value>>,
    /// Until when it is used without asking again, in seconds since 1970.
    until: i64,
    /// When it may be asked for again because what is sought is not in it.
    again: i64,
}

/// How long a document is kept where its server says nothing, and how long at most, in seconds.
const KEPT: i64 = 300;
const KEPT_MOST: i64 = 3_600;
/// How long a document that lacks something is not asked for again, and one that was not to be had.
const PATIENCE: i64 = 60;
const PATIENCE_AFTER_FAILURE: i64 = 5;
/// Documents that are kept at once. Then all are forgotten: there are as many as registrations, and those are few.
const MOST: usize = 1_000;

impl Documents {
    /// The document at an address: as it was fetched before, if it may still be kept, and if what is sought is in it or it
    /// was asked for a moment ago.
    ///
    /// # Errors
    /// Where it is not to be had, or not JSON.
    pub async fn get<F: Fetch>(
        &self,
        fetch: &F,
        address: &str,
        sought: impl Fn(&Value) -> bool,
        now: i64,
    ) -> Result<Rc<Value>, FetchError> {
        let held = self.0.borrow().get(address).cloned();
        let fresh = held.filter(|held| {
            let found = held.document.as_deref().is_some_and(sought);
            now < held.until && (found || now < held.again)
        });
        match fresh {
            Some(held) => held.document.ok_or_else(|| FetchError("it was not to be had a moment ago".to_owned())),
            None => self.fetch(fetch, address, now).await,
        }
    }

    async fn fetch<F: Fetch>(&self, fetch: &F, address: &str, now: i64) -> Result<Rc<Value>, FetchError> {
        let fetched = fetch.fetch(address).await.and_then(|fetched| {
            let document: Value = serde_json::from_str(&fetched.text).map_err(|error| FetchError(error.to_string()))?;
            Ok((Rc::new(document), fetched.max_age.unwrap_or(KEPT).clamp(0, KEPT_MOST)))
        });
        let held = match &fetched {
            Ok((document, age)) => {
                Held { document: Some(Rc::clone(document)), until: now + age, again: now + PATIENCE }
            }
            Err(_) => Held { document: None, until: now + PATIENCE_AFTER_FAILURE, again: now + PATIENCE_AFTER_FAILURE },
        };
        let mut known = self.0.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(address.to_owned(), held);
        fetched.map(|(document, _)| document)
    }
}
