//! How resources get in: from the text of files to what stores keep.
//!
//! A load goes over its input twice. First a [`Catalogue`] learns what there is: the names by which resources are
//! referred to, whom they belong to, and what chained searches look into. Then each resource is settled against it:
//! its references resolved, its attachments addressed, its facts found. Nothing here reads files or writes stores.

mod catalogue;
mod document;
mod held;
mod settle;

pub use catalogue::{Beyond, Catalogue, Nothing, names};
pub use document::{Entry, Fault, Refused, Taken, entries, line_of};
pub use held::{Held, RefusedPlace, Report};
pub use settle::{DOCUMENTS, MAX_BODY, Outcome, Settler, Unsettled};
