//! Exports of records: Bulk Data Access (<https://hl7.org/fhir/uv/bulkdata/>), as a kind of [`crate::job`].

mod request;
mod status;

pub use request::{ExportLevel, ExportRequest};
pub use status::{ExportFile, ExportStatus, FileSegment, Manifest, ManifestFile};
