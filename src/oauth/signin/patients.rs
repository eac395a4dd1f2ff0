//! Who knows the patients.

use crate::oauth::error::AuthStoreError;

/// A patient, as people know one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatientCard {
    /// The logical id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The birth date.
    pub born: Option<String>,
}

/// Which patients.
#[derive(Debug, Clone, Copy)]
pub enum PatientQuery<'a> {
    /// Those with these ids.
    These(&'a [String]),
    /// Those with such a name.
    Named(&'a str),
}

/// Who knows the patients by name: of those whom a user may see, and of no others.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait PatientDirectory {
    /// The wanted patients whom that user may see.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn find(&self, user: &str, wanted: PatientQuery<'_>) -> Result<Vec<PatientCard>, AuthStoreError>;
}
