//! Stores: they answer [`Permitted`] searches and reads.
//!
//! [`MemoryStore`] holds resources itself. [`SqlStore`] reads a database, D1 or a file: the records of patients as
//! packed charts ([`chart`]), and the types that are searched without a patient as rows, by SQL. [`KvStore`] reads
//! shelves, which are charts as values of a key-value store. One engine searches memory, charts and shelves, and the
//! same cases run on each store. A store returns the stored text of a resource as its own type of `Body`, and no code
//! parses it on the way out. HTTP is in `api`, and loading in `ingest`.

mod access_lists;
pub mod chart;
mod corrections;
mod dependency;
mod encoding;
mod evaluate;
mod format;
mod grant_status;
mod indexed;
mod indexed_params;
pub mod kv;
mod memory;
pub mod names;
mod order;
mod recent;
pub mod shards;
pub mod sql;

use crate::fhir::{Id, Reference};
use crate::search::{Param, Query};
use crate::smart::Permitted;

pub use access_lists::{AccessListCache, AccessListReader};
pub use corrections::{Bookmark, Corrections, RAISE_CORRECTIONS, SessionStart};
pub use dependency::Dependency;
pub use encoding::{FactRow, LinkRow, fact_rows, known_params, link_rows};
pub use evaluate::{AccessList, AccessLists};
pub use format::{another_format, format};
pub use grant_status::{GrantCheckedStore, GrantStatusCache};
pub use indexed::IndexedResource;
pub use indexed_params::IndexedParams;
pub use kv::{KvStore, Shelf, ShelfCache, ShelfError, Shelves};
pub use memory::MemoryStore;
pub use sql::{
    ChartCache, Database, DatabaseError, FreshnessWindow, GRANT_IS_ACTIVE, RecordDatabases, Rows, ShardMapCache,
    SqlStore, Statement, missing_tables,
};

/// A store that does not check revocation. [`GrantCheckedStore`] adds the check.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait RecordStore {
    /// See [`Store::Body`].
    type Body: Into<String>;

    /// See [`Store::search`].
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// See [`Store::read`].
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// The corrections that an answer must have. `None` if the records come from no database with replicas.
    fn corrections(&self) -> Option<&Corrections> {
        None
    }

    /// See [`Store::dependencies`].
    async fn dependencies(&self) -> Vec<Dependency>;

    /// See [`Store::missed`].
    fn missed(&self) -> Cost;
}

/// A store of FHIR resources. It checks revocation with each answer.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Store {
    /// The text of a resource or an entry, as this store holds it. It becomes a `String` only for the rare request that
    /// wants another form.
    type Body: Into<String>;

    /// Answers a search with the page after `after`, the end of an earlier page ([`Page::page_end`]).
    ///
    /// # Errors
    /// If the grant has been revoked, or the storage does not answer.
    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError>;

    /// Reads a resource, if it exists and the grant opens it.
    ///
    /// # Errors
    /// If the grant has been revoked, or the storage does not answer.
    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError>;

    /// Checks that a grant is active. A token of another issuer has none, and is.
    ///
    /// # Errors
    /// If the grant has been revoked, or its status is not known.
    async fn check(&self, grant: Option<&str>) -> Result<(), StoreError>;

    /// The databases or namespaces of the records. One has a fault if it does not answer, or its records are of another
    /// [`format()`].
    async fn dependencies(&self) -> Vec<Dependency>;

    /// The cost of a read without a result. It is the same for a missing resource and for one that the grant does not
    /// open.
    fn missed(&self) -> Cost;
}

/// A page of a searchset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<B> {
    /// The entries of the matches, in order. If the query wants only some elements, there is a text for each; else a
    /// store may join several entries into one text, separated by commas.
    pub matches: Vec<B>,
    /// The included entries, joined likewise, in the order of the query's includes and then of ids.
    pub included: Vec<B>,
    /// The end of the page, if there are more matches.
    pub page_end: Option<String>,
    /// The number of matches on all pages, if it is known.
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

/// The cost of reading the records for an answer, for `Server-Timing`. It includes neither the check of the grant,
/// which is made at the same time or not at all, nor the reading of access lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cost {
    /// No cost that is counted.
    #[default]
    Free,
    /// The work of a database.
    D1 {
        /// Rows that it read.
        rows_read: u64,
        /// Batches of statements that it was sent. Some may have run at the same time.
        trips: u64,
    },
    /// The work of a key-value store.
    Kv {
        /// Values that were read from it.
        reads: u64,
    },
}

impl From<chart::ChartError> for StoreError {
    fn from(error: chart::ChartError) -> Self {
        Self::Unavailable(error.0)
    }
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
    /// The records that the query asks for were indexed before this parameter was added.
    NotIndexed(&'static Param),
    /// The storage did not answer, or answered in an unexpected form. The text is for the log alone.
    Unavailable(String),
}

impl StoreError {
    /// The text for the log.
    #[must_use]
    pub fn into_detail(self) -> String {
        match self {
            Self::GrantStatus(detail) | Self::Unavailable(detail) => detail,
            Self::Revoked | Self::TooCostly | Self::NotIndexed(_) => "no answer".to_owned(),
        }
    }
}
