//! Bulk Data export (<https://hl7.org/fhir/uv/bulkdata/>): what a client asks for, and what it is told about it.

mod request;
mod status;

pub use request::{ExportLevel, ExportRequest};
pub use status::{ExportFile, ExportStatus, FileSegment, Manifest, ManifestFile};
