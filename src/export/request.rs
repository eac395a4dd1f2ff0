//! The request for an export, as a client makes it and a job stores it.

use serde::{Deserialize, Serialize};

use crate::fhir::Micros;

/// A request for an export, as a job stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The level.
    pub level: ExportLevel,
    /// The full address of the request, for the manifest. Of a POST it has no parameters.
    pub url: String,
    /// The scopes of the token, as text.
    pub scopes: String,
    /// The names of the types that go out, in the order of the manifest.
    pub types: Vec<String>,
    /// Resources that changed after this time, in microseconds.
    pub since: Option<Micros>,
    /// Resources that changed before this time.
    pub until: Option<Micros>,
    /// The queries of `_typeFilter`, decoded: `Type?name=value`.
    pub filters: Vec<String>,
    /// The elements of `_elements`: `Type.name` or `name`.
    pub elements: Vec<String>,
    /// The ids of the patients: those of `patient`, or the members of the group. `None` stands for all.
    pub patients: Option<Vec<String>>,
    /// True for `organizeOutputBy=Patient`.
    pub by_patient: bool,
    /// What lenient handling has ignored. The error file says it.
    pub notes: Vec<String>,
}

/// The level of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportLevel {
    /// All resources: `[base]/$export`.
    System,
    /// Those of patients: `[base]/Patient/$export`.
    Patient,
    /// Those of the members of a group: `[base]/Group/[id]/$export`.
    Group,
}
