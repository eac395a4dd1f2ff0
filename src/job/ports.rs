//! The ports that a runtime implements for jobs: a bucket of objects, and a queue of messages.

use std::ops::Range;
use std::pin::Pin;

use super::message::Message;
use fhir::Micros;

/// A future that is not sent to another thread.
pub type LocalFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// The reason why a bucket or a queue did not do what was requested. It is for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StorageError(pub String);

/// The properties of a stored object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectInfo {
    /// The size in bytes.
    pub bytes: u64,
    /// The entity tag. Each content has a different one.
    pub etag: String,
    /// The time when the object was stored.
    pub stored_at: Micros,
}

/// Objects by key, such as an R2 bucket.
pub trait Bucket {
    /// Returns the properties of an object. `None` if it does not exist.
    async fn info(&self, key: &str) -> Result<Option<ObjectInfo>, StorageError>;

    /// Reads a range of an object, or the existing part of the range. `None` if the object does not exist.
    async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>, StorageError>;

    /// Stores an object.
    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), StorageError>;

    /// Deletes objects, if they exist.
    async fn delete(&self, keys: Vec<String>) -> Result<(), StorageError>;
}

/// A queue of messages.
pub trait Queue {
    /// Sends messages.
    ///
    /// # Errors
    /// If the queue does not accept one of them. Others may have been sent.
    async fn send(&self, messages: Vec<Message>) -> Result<(), StorageError>;
}
