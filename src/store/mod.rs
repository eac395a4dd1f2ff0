//! Answers: whoever holds the facts of resources says which of them a [`Permitted`] question finds.
//!
//! [`MemoryStore`] looks; [`SqlStore`] asks a database, be it D1 or a file; [`KvStore`] looks at shelves, values that hold
//! a patient's records packed. All are held against the same cases. A store hands out the stored text of a resource as its own kind of `Body`, and nobody opens it on the way. Not here: HTTP
//! (`api`), and how resources get in (`ingest`).

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

/// Where records are kept, on behalf of [`GuardedStore`], which sees that the grant is active: here that is not asked.
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

/// Where questions are answered. Revocation is checked with each answer.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Store {
    /// The text of a resource or an entry, as this store holds it. Making a `String` of it is for the rare request that
    /// wants another shape of it.
    type Body: Into<String>;

    /// The page of a search that begins behind `after`, a place that an earlier page gave.
    ///
    /// # Errors
    /// Where the grant has been revoked, or the storage does not answer.
    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// The resource that is asked for, if there is one within reach.
    ///
    /// # Errors
    /// Where the grant has been revoked, or the storage does not answer.
    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// Whether it can answer.
    ///
    /// # Errors
    /// Where the storage does not answer, or its rows are of another [`format()`].
    async fn ready(&self) -> Result<(), StoreError>;

    /// What a read that finds nothing is said to have cost: the same whether there is a resource out of reach or none.
    fn missed(&self) -> Cost;
}

/// A page of a searchset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<B> {
    /// The entries of the matches, in order: each by itself where the query wants some elements alone; else a store may put
    /// several into one text, with a comma between each two.
    pub matches: Vec<B>,
    /// The entries of what they include, in the same way: in the order of the query's includes, each by id.
    pub included: Vec<B>,
    /// Where the page ends, if there are more matches behind it.
    pub more: Option<String>,
    /// The number of matches on all pages, where it is known.
    pub total: Option<u64>,
    /// The patients to whom the resources of the page belong, the included ones too: in order, each once.
    pub patients: Vec<Id>,
    /// What it cost.
    pub cost: Cost,
}

/// What a read finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read<B> {
    /// The resource, if there is one within reach.
    pub found: Option<StoredResource<B>>,
    /// What it cost.
    pub cost: Cost,
}

/// A stored resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResource<B> {
    /// Its text.
    pub body: B,
    /// Its version: `meta.versionId`, or a digest of the text where it has none.
    pub version: String,
    /// `meta.lastUpdated` as an HTTP date.
    pub modified: Option<String>,
    /// The patients to whom it belongs: in order, each once.
    pub patients: Vec<Id>,
}

/// What reading the records for an answer cost, for `Server-Timing`. The status of the grant, which is asked at the same time
/// or known already, is not counted: the same answer costs the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cost {
    /// Nothing that is counted.
    #[default]
    Free,
    /// A database's work.
    D1 {
        /// Rows that it read.
        rows_read: u64,
        /// Round trips to it, one behind the other.
        trips: u64,
    },
    /// A key-value store's work.
    Kv {
        /// Values that were read from it.
        reads: u64,
    },
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The authorization behind the token does not stand any more.
    Revoked,
    /// The primary did not say whether the grant is active. The text is for the log alone.
    GrantStatus(String),
    /// It would take more than one question may take of this store.
    TooCostly,
    /// The storage did not answer, or not in the form that it should. The text is for the log alone.
    Unavailable(String),
}
