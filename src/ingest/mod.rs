//! Loading: from the text of files to indexed resources.
//!
//! A load reads its input twice. The first pass fills a [`Catalogue`] with the names by which resources are referred
//! to, their owners, and the elements that chained searches read; the [`Owners`] of Provenance and Group are computed
//! from it. The second pass indexes each resource: resolves references, completes attachment addresses, and extracts
//! facts. Stored resources that depend on the load are indexed again at its end. This module reads no files and writes
//! to no store.

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
