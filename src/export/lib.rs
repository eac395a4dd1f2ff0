//! Exports of records: Bulk Data Access (<https://hl7.org/fhir/uv/bulkdata/>), as a kind of [`job`].
//!
//! An export goes through these steps:
//!
//! 1. It is divided according to the records (`listing`), into parts with the charts of some compartments, and parts
//!    with rows of a type of the directory (`scope`).
//! 2. Each part is made: its charts are inflated, and the resources that the scopes open and the filters find
//!    ([`Selection`]) are deflated again as lines, by type (`segment`). A part is named by a digest of the request and
//!    of the versions of its contents. If another export has already made it, nothing is read.
//! 3. When all parts are made, the records are listed again. Changed parts are made again, until all are of the same
//!    state (`conclude`). Resources of the directory to which those of patients refer are added.
//! 4. Files are lists of segments, which are joined into one stream when they are read.

mod chain;
mod chart_part;
mod conclude;
mod deletions;
mod files;
mod jobs;
mod keys;
mod kind;
mod line;
mod listing;
mod referred;
mod request;
mod row_part;
mod scope;
mod segment;
mod selection;
mod status;
mod stored_parts;
mod work;
mod writer;

pub use jobs::{ExportJobs, ExportPort, ExportedPart, Progress, kept_for};
pub use kind::{ExportKind, ExportReport};
pub use request::{ExportLevel, ExportRequest};
pub use segment::{gzip_header, gzip_trailer};
pub use selection::{Selection, parse_filter};
pub use status::{ChainPage, ExportFile, ExportStatus, FileSegment, Manifest, ManifestFile, NextPage, OwnedFile};
pub use work::ExportSource;
