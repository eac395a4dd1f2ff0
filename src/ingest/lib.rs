//! Loading: from the text of files to indexed resources.
//!
//! A load reads its input twice. The first pass fills a [`Catalogue`] with the names by which resources are referred
//! to, their owners, and the elements that chained searches read; the [`Owners`] of Provenance and Group are computed
//! from it. The second pass indexes each resource: resolves references, completes attachment addresses, and extracts
//! facts. Stored resources that depend on the load are indexed again at its end ([`Load`]). A [`Writer`] says what
//! a load changes in the tables of a database. This module reads no files, and knows databases only by
//! their port, [`database::Database`].

mod age;
mod bundle_names;
mod catalogue;
mod document;
mod index;
pub mod job;
mod load;
mod load_documents;
mod memory;
mod owners;
mod reindex;
mod report;
mod request;
mod sources;
mod splitter;
mod text;
mod value;
pub mod writer;

pub use catalogue::{Catalogue, Damage, EarlierLoads, NoEarlierLoads, depends_on, names, stored_names};
pub use document::{
    Deletion, DocumentEntry, Fault, Intake, Parsed, ParsedResource, Rejection, entries, entry_path, illegal_id,
    line_of, on_one_line,
};
pub use index::{DOCUMENTS, IndexError, IndexedEntry, Indexer};
pub use load::{Load, LoadEvent, LoadRefusal, LoadTarget, Stored, Take};
pub use load_documents::{ChangedPatients, MAX_FILE_LENGTH, narrowing};
pub use memory::{LoadedMemory, RejectedResource, Report};
pub use owners::Owners;
pub use reindex::{Reindexed, outdated_types, reindex};
pub use report::FileReport;
pub use sources::{Clash, Sources, note_bases};
pub use splitter::{InvalidData, MAX_INLINE_LENGTH, Splitter, TakenBlock};
pub use text::{TextDocuments, not_utf8};
pub use writer::Writer;
