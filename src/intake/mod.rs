//! How resources get in: from the text of files to what stores keep.
//!
//! A load goes over its input twice. First a [`Catalogue`] learns what there is: the names by which resources are
//! referred to, whom they belong to, and what chained searches look into; from it the [`Owners`] of Provenance and Groups
//! are worked out. Then each resource is settled against it: its references resolved, its attachments addressed, its facts
//! found. Last, what is stored and depends on the load is settled again. Nothing here reads files or writes stores.

mod catalogue;
mod document;
mod held;
mod owners;
mod settle;

pub use catalogue::{Beyond, Catalogue, Nothing, depends_on, names};
pub use document::{Entry, Fault, Refused, Taken, entries, entry_path, line_of};
pub use held::{Held, RefusedPlace, Report};
pub use owners::Owners;
pub use settle::{DOCUMENTS, MAX_BODY, Outcome, Settler, Unsettled};
