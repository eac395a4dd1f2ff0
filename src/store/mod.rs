//! Stores: they answer [`Permitted`] searches and reads.
//!
//! [`MemoryStore`] holds resources itself; [`SqlStore`] queries a database, D1 or a file; [`KvStore`] reads shelves, values
//! that hold a patient's records packed. The same cases run on each. A store returns the stored text of a resource as its
//! own type of `Body`, and no code parses it on the way out. HTTP is in `api`, and loading in `ingest`.

mod encoding;
mod evaluate;
mod format;
mod grant_status;
mod indexed;
mod join;
pub mod kv;
mod memory;
mod order;
pub mod shelf;
pub mod sql;

use crate::fhir::{Id, Reference};
use crate::search::Query;
use crate::smart::Permitted;

pub use encoding::{FactRow, LinkRow, fact_rows, link_rows};
pub use evaluate::{AccessList, AccessLists};
pub use format::{another_format, format};
pub use grant_status::{GrantStatusCache, GuardedStore};
pub use indexed::IndexedResource;
pub use kv::{KvStore, ShelfCache, Shelves, ValueReader};
pub use memory::MemoryStore;
pub use sql::{Database, DatabaseError, GRANT_IS_ACTIVE, Rows, SqlStore, Statement, missing_tables};

/// A store without a check of revocation. [`GuardedStore`] adds the check.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait RecordStore {
    /// See [`Store::Body`].
    type Body: Into<String>;

    /// See [`Store::search`].
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// See [`Store::read`].
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// See [`Store::ready`].
    ///
    /// # Errors
    /// Where the storage does not answer, or its rows are of another [`format()`].
    async fn ready(&self) -> Result<(), StoreError>;

    /// See [`Store::missed`].
    fn missed(&self) -> Cost;
}

/// A store of FHIR resources. It checks revocation with each answer.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Store {
    /// The text of a resource or an entry, as this store holds it. It becomes a `String` only for the rare request that wants
    /// it in another form.
    type Body: Into<String>;

    /// The page of a search that begins behind `after`, the end of an earlier page ([`Page::more`]).
    ///
    /// # Errors
    /// Where the grant has been revoked, or the storage does not answer.
    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// The resource, if it exists and the grant opens it.
    ///
    /// # Errors
    /// Where the grant has been revoked, or the storage does not answer.
    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// Checks that the store can answer.
    ///
    /// # Errors
    /// Where the storage does not answer, or its rows are of another [`format()`].
    async fn ready(&self) -> Result<(), StoreError>;

    /// The cost that a read without a result states: the same for a resource that the grant does not open and for none.
    fn missed(&self) -> Cost;
}

/// A page of a searchset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<B> {
    /// The entries of the matches, in order: one text for each if the query wants some elements only; else a store may join
    /// several into one text, with a comma between each two.
    pub matches: Vec<B>,
    /// The included entries, joined likewise, in the order of the query's includes, each by id.
    pub included: Vec<B>,
    /// The end of the page, if there are more matches behind it.
    pub more: Option<String>,
    /// The number of matches on all pages, where it is known.
    pub total: Option<u64>,
    /// The patients to whom the resources of the page belong, included ones too, in order and each once.
    pub patients: Vec<Id>,
    /// The cost of reading.
    pub cost: Cost,
}

/// The result of a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read<B> {
    /// The resource, if it exists and the grant opens it.
    pub found: Option<StoredResource<B>>,
    /// The cost of reading.
    pub cost: Cost,
}

/// A stored resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResource<B> {
    /// Its text.
    pub body: B,
    /// `meta.versionId`, or a digest of the text if there is none.
    pub version: String,
    /// `meta.lastUpdated` as an HTTP date.
    pub modified: Option<String>,
    /// The patients to whom it belongs, in order and each once.
    pub patients: Vec<Id>,
}

/// The cost of reading the records for an answer, for `Server-Timing`. It does not count the status of the grant, which is
/// asked at the same time or known already, so that the same answer always states the same cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cost {
    /// No cost that is counted.
    #[default]
    Free,
    /// A database's work.
    D1 {
        /// Rows that it read.
        rows_read: u64,
        /// Consecutive round trips to it.
        trips: u64,
    },
    /// A key-value store's work.
    Kv {
        /// Values that were read from it.
        reads: u64,
    },
}

/// The reasons for which a store does not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The authorization behind the token was revoked or has expired.
    Revoked,
    /// The primary did not say whether the grant is active. The text is for the log alone.
    GrantStatus(String),
    /// The query would cost more than this store allows for one.
    TooCostly,
    /// The storage did not answer, or answered in an unexpected form. The text is for the log alone.
    Unavailable(String),
}
