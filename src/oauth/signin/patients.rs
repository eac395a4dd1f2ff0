//! The directory of patients, for the patient selection.

use crate::oauth::error::AuthStoreError;

/// The demographic data by which people recognize a patient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatientCard {
    /// The logical id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The birth date.
    pub born: Option<String>,
}

/// A query for patients.
#[derive(Debug, Clone, Copy)]
pub enum PatientQuery<'a> {
    /// The patients with these ids.
    These(&'a [String]),
    /// The patients whose name contains these words.
    Named(&'a str),
}

/// A directory of patients by name, restricted to those whom a user may see.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait PatientDirectory {
    /// Returns the wanted patients whom that user may see.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn find(&self, user: &str, wanted: PatientQuery<'_>) -> Result<Vec<PatientCard>, AuthStoreError>;
}
