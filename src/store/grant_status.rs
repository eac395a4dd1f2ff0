//! Whether the grant behind a token is active. The records may come from a replica, which may be arbitrarily old: a row of a
//! grant that it has, or lacks, proves nothing. So the status of a grant is asked of the primary, at the same time as the
//! records, and no answer goes out before it is known. A yes is kept for at most five seconds in an isolate, a no never.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::join::both;
use super::sql::{Database, Rows, Statement};
use super::{Cost, Page, Read, RecordStore, Store, StoreError};
use crate::fhir::Reference;
use crate::search::Query;
use crate::smart::Permitted;

/// Seconds that a grant counts as active after the primary was asked.
const LONGEST: i64 = 5;
/// Grants that are remembered at once. Then all are forgotten.
const MOST: usize = 1_000;

/// The grants that were active when the primary was asked last, for one isolate.
#[derive(Debug, Default)]
pub struct GrantStatusCache {
    /// When the primary was asked, in seconds, by the ids of the grants.
    active: RefCell<HashMap<String, i64>>,
    forgotten: Cell<u64>,
}

/// The moment at which the primary was asked: its answer is not remembered where all was forgotten since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AskedAt(u64);

impl GrantStatusCache {
    /// Whether a grant is known to be active. `now` is in seconds.
    fn is_active(&self, grant: &str, now: i64) -> bool {
        self.active.borrow().get(grant).is_some_and(|asked| (0..LONGEST).contains(&now.saturating_sub(*asked)))
    }

    /// To be taken before the primary is asked.
    const fn asks(&self) -> AskedAt {
        AskedAt(self.forgotten.get())
    }

    /// Remembers that a grant was active when the primary was asked, at `now` in seconds.
    fn learn(&self, grant: &str, asked: AskedAt, now: i64) {
        if asked != self.asks() {
            return;
        }
        let mut active = self.active.borrow_mut();
        if active.len() >= MOST {
            active.clear();
        }
        active.insert(grant.to_owned(), now);
    }

    /// Forgets all grants, since one may just have ended in this isolate.
    pub fn forget(&self) {
        self.forgotten.set(self.forgotten.get().wrapping_add(1));
        self.active.borrow_mut().clear();
    }
}

/// A store that answers from records only while the grant of the question is active.
#[derive(Debug)]
pub struct GuardedStore<'a, R, D> {
    records: R,
    primary: D,
    cache: &'a GrantStatusCache,
    now: i64,
}

impl<'a, R, D> GuardedStore<'a, R, D> {
    /// A store over these records. `primary` is the database in which grants are written, never a replica of it; `cache` is
    /// the isolate's, and `now` the time of the call in seconds.
    pub const fn new(records: R, primary: D, cache: &'a GrantStatusCache, now: i64) -> Self {
        Self { records, primary, cache, now }
    }
}

impl<R, D: Database> GuardedStore<'_, R, D> {
    /// Asks the primary whether a grant is active, unless that is known. A token of another issuer has no grant.
    async fn status(&self, grant: Option<&str>) -> Result<(), StoreError> {
        let Some(grant) = grant.filter(|grant| !self.cache.is_active(grant, self.now)) else { return Ok(()) };
        let asked = self.cache.asks();
        let answers = self.primary.batch(vec![Statement::live(grant, self.now)]).await;
        let answers = answers.map_err(|error| StoreError::GrantStatus(error.0))?;
        match answers.first().map(Rows::count) {
            None => Err(StoreError::GrantStatus("the primary answered nothing".to_owned())),
            Some(0) => Err(StoreError::Revoked),
            Some(_) => {
                self.cache.learn(grant, asked, self.now);
                Ok(())
            }
        }
    }
}

impl<R: RecordStore, D: Database> Store for GuardedStore<'_, R, D> {
    type Body = R::Body;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<R::Body>, StoreError> {
        let (status, page) = both(self.status(ask.grant()), self.records.search(ask, after)).await;
        status.and(page)
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<R::Body>, StoreError> {
        let (status, read) = both(self.status(ask.grant()), self.records.read(ask)).await;
        status.and(read)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.records.ready().await
    }

    fn missed(&self) -> Cost {
        self.records.missed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_is_active_for_seconds_and_not_past_what_happens_meanwhile() {
        let cache = GrantStatusCache::default();
        assert!(!cache.is_active("g", 100));
        cache.learn("g", cache.asks(), 100);
        assert!(cache.is_active("g", 104) && !cache.is_active("g", 105) && !cache.is_active("other", 104));
        assert!(!cache.is_active("g", 99), "a clock that goes back proves nothing");
        let asked = cache.asks();
        cache.forget();
        assert!(!cache.is_active("g", 101));
        cache.learn("g", asked, 101);
        assert!(!cache.is_active("g", 101), "it may have been revoked while the answer was on its way");
    }

    #[test]
    fn there_are_never_too_many() {
        let cache = GrantStatusCache::default();
        (0..5_000).for_each(|at| cache.learn(&at.to_string(), cache.asks(), 0));
        assert!(cache.active.borrow().len() <= MOST);
    }
}
