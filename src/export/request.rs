//! A request for an export.

use serde::{Deserialize, Serialize};

use fhir::Micros;

/// The records that an export takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportLevel {
    /// All records, including those that belong to no patient.
    #[default]
    System,
    /// The records of patients.
    Patient,
    /// The records of the members of a group.
    Group,
    /// The public directory, which the server publishes for everybody.
    Public,
}

/// A request for an export, as a job stores it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The level.
    pub level: ExportLevel,
    /// The full address of the request, for the manifest. For a POST, it has no parameters. It is empty in version
    /// 4.0.0, whose manifest lacks it; of a publication, it is the digest of what is published.
    pub url: String,
    /// The scopes of the token, as text.
    pub scopes: String,
    /// The names of the Groups to which the client is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// The names of the exported types, in the order of the manifest.
    pub types: Vec<String>,
    /// Resources that changed after this time, in microseconds.
    pub since: Option<Micros>,
    /// Resources that changed before this time.
    pub until: Option<Micros>,
    /// The queries of `_typeFilter`, decoded: `Type?name=value`. Queries on the same type are alternatives.
    pub filters: Vec<String>,
    /// The elements of `_elements`: `Type.name` or `name`.
    pub elements: Vec<String>,
    /// The ids of the patients: those of `patient`, or the members of the group. `None` means all patients.
    pub patients: Option<Vec<String>>,
    /// True if the request names patients.
    #[serde(default)]
    pub names_patients: bool,
    /// True for `organizeOutputBy=Patient`.
    pub by_patient: bool,
    /// The names of the types that a wildcard of the scopes leaves closed, if the request names no types.
    #[serde(default)]
    pub closed: Vec<String>,
    /// The notes about parameters that lenient handling ignored. They are in the error file.
    pub notes: Vec<String>,
}
