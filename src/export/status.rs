//! The status of an export, its manifest, and its files.

use serde::{Deserialize, Serialize};

use crate::fhir::Micros;

/// The status of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportStatus {
    /// It goes on.
    Running {
        /// The number of parts that are done.
        done: usize,
        /// The number of parts. `None` until they are known.
        parts: Option<usize>,
    },
    /// It has failed. The text says why, for the client.
    Failed(String),
    /// It is complete.
    Complete(Manifest),
}

/// The manifest of an export that is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The time of the state of the records that the export has.
    pub transaction_time: Micros,
    /// The time when the files end.
    pub expires_at: Micros,
    /// The address of the request.
    pub request: String,
    /// The files of resources.
    pub output: Vec<ManifestFile>,
    /// The files of Bundles that name deleted resources.
    pub deleted: Vec<ManifestFile>,
    /// The files of OperationOutcomes.
    pub error: Vec<ManifestFile>,
}

/// A file of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// The type of its resources: of an error file OperationOutcome, of deleted resources Bundle.
    pub resource_type: String,
    /// Its number, which no other file of the export has.
    pub number: usize,
    /// The number of its resources.
    pub count: u64,
    /// The patient of its resources, if the files are organized by patient.
    pub patient: Option<String>,
}

/// The contents of a file: segments that are joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportFile {
    /// The segments, in their order.
    pub segments: Vec<FileSegment>,
    /// The entity tag, without quotes. Another content has another one.
    pub etag: String,
    /// The type of its resources.
    pub resource_type: String,
}

/// A segment of a file: raw DEFLATE (RFC 1951) that ends with a sync flush and has no final block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSegment {
    /// The key of the object that has it.
    pub object: String,
    /// Its first byte in the object.
    pub offset: u64,
    /// The bytes that it has there.
    pub stored: u64,
    /// The bytes to which it inflates.
    pub inflated: u64,
    /// The CRC-32 of these (RFC 1952, section 8).
    pub crc: u32,
}
