//! The ports of stores of records: the requests that they answer, with and without the check of the grant.

use super::{Corrections, Cost, Dependency, Page, Read, StoreError};
use database::LargeText;
use fhir::Reference;
use search::Query;
use smart::Permitted;

/// A store that does not check revocation, so that the API takes none. [`GrantCheckedStore`](super::GrantCheckedStore)
/// makes a [`Store`] of it.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait UncheckedStore {
    /// See [`Store::Body`].
    type Body: LargeText;

    /// See [`Store::search`].
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// See [`Store::search_each`].
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<Self::Body>, StoreError>;

    /// See [`Store::read`].
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// The corrections that an answer must have. `None` if the records come from no database with replicas.
    fn corrections(&self) -> Option<&Corrections> {
        None
    }

    /// See [`Store::dependencies`].
    async fn dependencies(&self) -> Vec<Dependency>;

    /// See [`Store::miss_cost`].
    fn miss_cost(&self) -> Cost;
}

/// A store of FHIR resources. It checks revocation with each answer.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Store {
    /// The text of a resource or an entry, as this store holds it. It becomes a `String` only for the rare request that
    /// wants another form.
    type Body: LargeText;

    /// Answers a search with the page after `after`, the end of an earlier page ([`Page::page_end`]).
    ///
    /// # Errors
    /// If the grant has been revoked, or the storage does not answer.
    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// Answers searches of the records of patients one after the other as one, with the page after `after`. Each is of
    /// another type, and all are of one grant, name the same patients, and have the same number of matches on a page.
    ///
    /// # Errors
    /// As for [`Self::search`].
    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<Self::Body>, StoreError>;

    /// Reads a resource, if it exists and the grant opens it.
    ///
    /// # Errors
    /// If the grant has been revoked, or the storage does not answer.
    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// Checks that a grant is active. A token of another issuer has none, and is.
    ///
    /// # Errors
    /// If the grant has been revoked, or its status is not known.
    async fn check(&self, grant: Option<&str>) -> Result<(), StoreError>;

    /// The databases or namespaces of the records. One has a fault if it does not answer, or its records are of another
    /// [`format()`](super::format()).
    async fn dependencies(&self) -> Vec<Dependency>;

    /// The cost of a read without a result. It is the same for a missing resource and for one that the grant does not
    /// open.
    fn miss_cost(&self) -> Cost;
}
