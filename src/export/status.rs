//! The status of an export, its manifest, and the locations of its files.

use serde::{Deserialize, Serialize};

use fhir::Micros;

/// The status of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportStatus {
    /// The export is running.
    Running {
        /// The number of parts that are finished.
        done: usize,
        /// The number of parts. `None` before the export is divided.
        parts: Option<usize>,
    },
    /// The export has failed. The text is for the client.
    Failed(String),
    /// The export is complete.
    Complete(Manifest),
}

/// The files of a complete export. The number of a file is unique across the three lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The time of the exported state of the data.
    pub transaction_time: Micros,
    /// The time at which the files expire.
    pub expires_at: Micros,
    /// The full address of the request.
    pub request: String,
    /// The files of resources.
    pub output: Vec<ManifestFile>,
    /// The files of Bundles that report deletions.
    pub deleted: Vec<ManifestFile>,
    /// The files of OperationOutcomes.
    pub error: Vec<ManifestFile>,
    /// The number of the last page of its chain, if it is of a publication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
}

/// A file of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// The type of its resources: `OperationOutcome` for faults, `Bundle` for deletions.
    pub resource_type: String,
    /// The number in its address.
    pub number: usize,
    /// The number of its resources.
    pub count: u64,
    /// The digest of the part that it is, in a publication.
    pub part: Option<String>,
}

/// A page of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainPage {
    /// The time of the state to which the page leads.
    pub transaction_time: Micros,
    /// All files of that state.
    pub files: Vec<ManifestFile>,
    /// The files that the state before does not have. `None` if the chain begins here.
    pub output: Option<Vec<ManifestFile>>,
    /// The files of Bundles that name the resources that only the state before has.
    pub deleted: Vec<ManifestFile>,
    /// The page after it.
    pub next: NextPage,
}

/// The page after a page of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NextPage {
    /// There will be one.
    Pending,
    /// There will be none: another chain has begun. It stays so.
    Closed,
    /// The page with this number.
    Number(usize),
}

/// The content of a file: segments of objects, joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportFile {
    /// The segments, in order.
    pub segments: Vec<FileSegment>,
    /// The entity tag of the content, without quotes.
    pub etag: String,
    /// The type of its resources. It is empty for several types: blocks of patients, and deletions.
    pub resource_type: String,
}

/// A file of an export, with the data that determine access to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedFile {
    /// The file.
    pub file: ExportFile,
    /// The scopes with which the export was begun.
    pub scopes: String,
    /// The names of the types of the export.
    pub types: Vec<String>,
}

/// A segment of a file: a range of an object that is raw DEFLATE (RFC 1951), ends with a sync flush, and has no final
/// block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSegment {
    /// The key of the object.
    pub object: String,
    /// The offset of the first byte in the object.
    pub offset: u64,
    /// The length as stored.
    pub stored: u64,
    /// The length of the text.
    pub inflated: u64,
    /// The CRC-32 of the text.
    pub crc: u32,
}
