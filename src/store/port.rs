//! The ports of stores: the requests that stores answer, with and without the check of the grant.

use super::{Corrections, Cost, Dependency, Page, Read, StoreError};
use database::LargeText;
use fhir::Reference;
use search::Query;
use smart::{Authorization, Permitted};

/// A store that does not check revocation. The API accepts only a [`Store`], and
/// [`GrantCheckedStore`](super::GrantCheckedStore) makes one of it.
pub trait UncheckedStore {
    /// See [`Store::Body`].
    type Body: LargeText;

    /// See [`Store::search`].
    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// See [`Store::search_each`].
    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<Self::Body>, StoreError>;

    /// See [`Store::versions`].
    async fn versions(&self, _searches: &[Permitted<Query>]) -> Result<Option<(Vec<i64>, Cost)>, StoreError> {
        Ok(None)
    }

    /// See [`Store::read`].
    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// Returns the corrections that an answer must include. `None` if the records are not in a database with replicas.
    fn corrections(&self) -> Option<&Corrections> {
        None
    }

    /// See [`Store::dependencies`].
    async fn dependencies(&self) -> Vec<Dependency>;

    /// See [`Store::miss_cost`].
    fn miss_cost(&self) -> Cost;
}

/// A store of FHIR resources. It checks revocation with each answer.
pub trait Store {
    /// The text of a resource or an entry, as this store holds it. It becomes a `String` only for the rare request that
    /// needs another form.
    type Body: LargeText;

    /// Answers a search with the page after `after`, the end of an earlier page ([`Page::page_end`]).
    ///
    /// # Errors
    /// If the grant has been revoked, or the storage does not answer.
    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// Answers several searches of patients' records as one, in sequence, with the page after `after`. Each search is
    /// of a different type. All are of the same grant, name the same patients, and have the same number of matches on a
    /// page.
    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<Self::Body>, StoreError>;

    /// Returns the versions ([`Page::versions`]) of pages that these searches may have now, and the cost of reading
    /// them: a page with other versions may be out of date. `None` if there are none.
    async fn versions(&self, _searches: &[Permitted<Query>]) -> Result<Option<(Vec<i64>, Cost)>, StoreError> {
        Ok(None)
    }

    /// Reads a resource, if it exists and the grant opens it.
    ///
    /// # Errors
    /// If the grant has been revoked, or the storage does not answer.
    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// Checks that an authorization is active. Without a token there is none.
    ///
    /// # Errors
    /// If it has been revoked or stopped, or its status is not known.
    async fn check(&self, authorization: Option<&Authorization>) -> Result<(), StoreError>;

    /// Returns the databases or namespaces of the records. A fault means that one does not answer, or that its records
    /// have another [`format()`](super::format()).
    async fn dependencies(&self) -> Vec<Dependency>;

    /// Returns the cost of a read without a result. It is the same for a missing resource and for a closed one.
    fn miss_cost(&self) -> Cost;
}
