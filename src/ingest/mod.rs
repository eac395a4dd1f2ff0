//! How resources get in: from the text of files to what stores keep.
//!
//! A load goes over its input twice. First a [`Catalogue`] learns what there is: the names by which resources are
//! referred to, whom they belong to, and what chained searches look into; from it the [`Owners`] of Provenance and Groups
//! are worked out. Then each resource is indexed against it: its references resolved, its attachments addressed, its facts
//! found. Last, what is stored and depends on the load is indexed again. Nothing here reads files or writes stores.

mod catalogue;
mod document;
mod index;
mod memory;
mod owners;

pub use catalogue::{Catalogue, EarlierLoads, NoEarlierLoads, depends_on, names};
pub use document::{DocumentEntry, Fault, ParsedResource, Rejected, entries, entry_path, line_of};
pub use index::{DOCUMENTS, IndexError, Indexed, Indexer, MAX_BODY};
pub use memory::{LoadedMemory, RejectedResource, Report};
pub use owners::Owners;
