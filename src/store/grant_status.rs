//! The check that the authorization of a token is active. The records may come from a replica, which may be arbitrarily
//! old, so that it cannot tell whether a grant is active. The primary is therefore queried at the same time as the
//! records, and no answer is sent before the status is known. An isolate keeps the status of an active grant for at
//! most five seconds, and never that of an inactive one. The same batch queries the number of corrections. If it has
//! risen, the records that were read in the meantime may have been corrected, and are read again.

use futures_util::future::join;

use super::corrections::Corrections;
use super::recent::Recent;
use super::{Cost, Dependency, Page, Read, Store, StoreError, UncheckedStore};
use database::{Database, Rows, Statement};
use fhir::Reference;
use search::Query;
use smart::{Authorization, Permitted};

/// The most grants that are cached.
const MAX: usize = 1_000;

/// The grants that were active when this isolate queried the primary within the last seconds.
#[derive(Debug, Default)]
pub struct GrantStatusCache(Recent<(), MAX>);

impl GrantStatusCache {
    /// Forgets all grants, because this isolate may just have ended one.
    pub fn forget(&self) {
        self.0.forget();
    }
}

/// A store that answers only if the grant of the request is active.
#[derive(Debug)]
pub struct GrantCheckedStore<'a, R, D> {
    records: R,
    primary: D,
    cache: &'a GrantStatusCache,
    now: i64,
}

impl<'a, R, D> GrantCheckedStore<'a, R, D> {
    /// Creates a store over these records. `primary` is the database in which grants are written, never a replica of
    /// it; `cache` is the cache of the isolate, and `now` the time of the call in seconds.
    pub const fn new(records: R, primary: D, cache: &'a GrantStatusCache, now: i64) -> Self {
        Self { records, primary, cache, now }
    }
}

impl<R: UncheckedStore, D: Database> GrantCheckedStore<'_, R, D> {
    /// Queries the primary for the status of an authorization and the number of corrections, unless they are cached.
    async fn check_grant(&self, authorization: Option<&Authorization>) -> Result<(), StoreError> {
        let unknown = authorization.filter(|one| self.cache.0.get(&one.key(), self.now).is_none());
        let corrections = self.records.corrections().filter(|corrections| corrections.are_due(self.now));
        let live = unknown.map(|one| match one {
            Authorization::Own(id) => Statement::live(id, self.now),
            Authorization::Foreign { client, user } => Statement::not_stopped(client, user.as_deref()),
        });
        let statements: Vec<_> = live.into_iter().chain(corrections.map(|_| Corrections::statement())).collect();
        if statements.is_empty() {
            return Ok(());
        }
        let requested =
            (self.cache.0.begin_request(self.now), corrections.map(|corrections| corrections.begin_request(self.now)));
        let answers = self.primary.batch(statements).await;
        let mut answers = answers.map_err(|error| StoreError::GrantStatus(error.detail))?.into_iter();
        let mut next = || {
            let missing = || StoreError::GrantStatus("the primary did not answer the statement".to_owned());
            answers.next().ok_or_else(missing)
        };
        if let Some(authorization) = unknown {
            if next()?.count() == 0 {
                return Err(StoreError::Revoked);
            }
            self.cache.0.put(&authorization.key(), (), 1, requested.0);
        }
        if let (Some(corrections), Some(requested)) = (corrections, requested.1) {
            corrections.update(&next()?, requested).map_err(|error| StoreError::GrantStatus(error.detail))?;
        }
        Ok(())
    }

    /// Returns the answer of the records, if the grant is active. If there were corrections in the meantime, the
    /// records are read again.
    async fn checked<T>(
        &self,
        authorization: Option<&Authorization>,
        answer: impl AsyncFn() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let corrections = || self.records.corrections().map_or(0, Corrections::number);
        let known = corrections();
        let (checked, answered) = join(self.check_grant(authorization), answer()).await;
        checked?;
        if corrections() == known { answered } else { answer().await }
    }
}

impl<R: UncheckedStore, D: Database> Store for GrantCheckedStore<'_, R, D> {
    type Body = R::Body;

    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<R::Body>, StoreError> {
        self.checked(permitted.authorization(), async || self.records.search(permitted, after).await).await
    }

    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<R::Body>, StoreError> {
        let authorization = searches.first().and_then(Permitted::authorization);
        self.checked(authorization, async || self.records.search_each(searches, after).await).await
    }

    async fn versions(&self, searches: &[Permitted<Query>]) -> Result<Option<(Vec<i64>, Cost)>, StoreError> {
        let authorization = searches.first().and_then(Permitted::authorization);
        self.checked(authorization, async || self.records.versions(searches).await).await
    }

    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<R::Body>, StoreError> {
        self.checked(permitted.authorization(), async || self.records.read(permitted).await).await
    }

    async fn check(&self, authorization: Option<&Authorization>) -> Result<(), StoreError> {
        self.check_grant(authorization).await
    }

    async fn dependencies(&self) -> Vec<Dependency> {
        self.records.dependencies().await
    }

    fn miss_cost(&self) -> Cost {
        self.records.miss_cost()
    }
}
