//! Stores: they answer [`Permitted`](smart::Permitted) searches and reads.
//!
//! [`MemoryStore`] holds resources itself. [`SqlStore`] reads a database, D1 or a file: the records of patients as
//! packed charts ([`chart`]), and types that are searched without a patient as rows, by SQL. [`KvStore`] reads shelves,
//! which are charts as values of a key-value store. One engine searches memory, charts and shelves, and the same cases
//! run on each store. A store returns the stored text of a resource as its own type of `Body`, without parsing it. HTTP
//! is in `api`, and loading in `ingest`.

mod access_lists;
mod answer;
mod chart_source;
mod corrections;
mod dependency;
mod encoding;
mod error;
mod follow;
mod format;
mod grant_status;
mod indexed_params;
mod join;
pub mod kv;
mod memory;
pub mod names;
mod port;
mod recent;
mod rounds;
mod search_charts;
mod search_in_turn;
mod search_plan;
pub mod shards;
pub mod sql;

pub use access_lists::{AccessListCache, AccessListReader};
pub use answer::{Cost, Page, Read, StoredResource};
pub use chart::{AccessList, AccessLists, Candidate, IndexedResource, matches};
pub use corrections::{Bookmark, Corrections, SessionStart};
pub use dependency::Dependency;
pub use encoding::{FactRow, LinkRow, fact_rows, known_params, link_rows};
pub use error::StoreError;
pub use format::{another_format, format, wanted_set};
pub use grant_status::{GrantCheckedStore, GrantStatusCache};
pub use indexed_params::IndexedParams;
pub use join::most_patients;
pub use kv::{KvStore, Shelf, ShelfCache, ShelfError, Shelves};
pub use memory::MemoryStore;
pub use port::{Store, UncheckedStore};
pub use rounds::MAX_INCLUDED;
pub use sql::{ChartCache, FreshnessWindow, RecordDatabases, ShardMapCache, SqlStore};
