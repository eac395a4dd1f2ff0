//! The check that the grant of a token is active. The records may come from a replica, which may be arbitrarily old, so
//! that it cannot tell whether a grant is active. The primary is therefore queried at the same time as the records, and
//! no answer goes out before the status is known. An isolate keeps the status of an active grant for at most five
//! seconds, and never that of an inactive one.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::join::both;
use super::sql::{Database, Rows, Statement};
use super::{Cost, Page, Read, RecordStore, Store, StoreError};
use crate::fhir::Reference;
use crate::search::Query;
use crate::smart::Permitted;

/// The seconds for which a grant counts as active after the primary was asked.
const LONGEST: i64 = 5;
/// The most grants that are remembered. When there are more, all are forgotten.
const MOST: usize = 1_000;

/// The grants that were active when this isolate last asked the primary.
#[derive(Debug, Default)]
pub struct GrantStatusCache {
    /// The time at which the primary was asked, in seconds, by grant id.
    active: RefCell<HashMap<String, i64>>,
    /// The number of times that all grants were forgotten.
    forgotten: Cell<u64>,
}

/// The number of times that all grants had been forgotten when the primary was asked. Its answer is not remembered if
/// they have been forgotten since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AskedAt(u64);

impl GrantStatusCache {
    /// Returns whether a grant is known to be active. `now` is in seconds.
    fn is_active(&self, grant: &str, now: i64) -> bool {
        self.active.borrow().get(grant).is_some_and(|asked| (0..LONGEST).contains(&now.saturating_sub(*asked)))
    }

    /// Returns the state to pass to [`Self::learn`]. Call it before the primary is asked.
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

    /// Forgets all grants, because this isolate may just have ended one.
    pub fn forget(&self) {
        self.forgotten.set(self.forgotten.get().wrapping_add(1));
        self.active.borrow_mut().clear();
    }
}

/// A store that answers from the records only if the grant of the question is active.
#[derive(Debug)]
pub struct GrantCheckedStore<'a, R, D> {
    records: R,
    primary: D,
    cache: &'a GrantStatusCache,
    now: i64,
}

impl<'a, R, D> GrantCheckedStore<'a, R, D> {
    /// Creates a store over these records. `primary` is the database in which grants are written, never a replica of
    /// it; `cache` is that of the isolate, and `now` the time of the call in seconds.
    pub const fn new(records: R, primary: D, cache: &'a GrantStatusCache, now: i64) -> Self {
        Self { records, primary, cache, now }
    }
}

impl<R, D: Database> GrantCheckedStore<'_, R, D> {
    /// Asks the primary whether a grant is active, unless that is known. A token of another issuer has no grant.
    async fn status(&self, grant: Option<&str>) -> Result<(), StoreError> {
        let Some(grant) = grant.filter(|grant| !self.cache.is_active(grant, self.now)) else { return Ok(()) };
        let asked = self.cache.asks();
        let answers = self.primary.batch(vec![Statement::live(grant, self.now)]).await;
        let answers = answers.map_err(|error| StoreError::GrantStatus(error.0))?;
        match answers.first().map(Rows::count) {
            None => Err(StoreError::GrantStatus("the primary did not answer the statement".to_owned())),
            Some(0) => Err(StoreError::Revoked),
            Some(_) => {
                self.cache.learn(grant, asked, self.now);
                Ok(())
            }
        }
    }
}

impl<R: RecordStore, D: Database> Store for GrantCheckedStore<'_, R, D> {
    type Body = R::Body;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<R::Body>, StoreError> {
        let (status, page) = both(self.status(ask.grant_id()), self.records.search(ask, after)).await;
        status.and(page)
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<R::Body>, StoreError> {
        let (status, read) = both(self.status(ask.grant_id()), self.records.read(ask)).await;
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
    fn a_grant_is_active_for_seconds_unless_it_is_forgotten_meanwhile() {
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
    fn the_number_of_remembered_grants_is_limited() {
        let cache = GrantStatusCache::default();
        (0..5_000).for_each(|at| cache.learn(&at.to_string(), cache.asks(), 0));
        assert!(cache.active.borrow().len() <= MOST);
    }
}
