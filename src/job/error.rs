//! Errors of jobs.

use super::ports::StorageError;
use database::DatabaseError;

/// The reason why a job was not continued. It is for the log, and the same message may succeed later.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

impl From<DatabaseError> for JobError {
    fn from(error: DatabaseError) -> Self {
        Self(error.detail)
    }
}

impl From<StorageError> for JobError {
    fn from(error: StorageError) -> Self {
        Self(error.0)
    }
}
