//! The bucket and the queue of the jobs, and the messages in the queue. A message says which job to go on with, and has
//! no state: messages may be lost, repeated, and come in any order.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::fhir::Micros;

/// The reason why a bucket or a queue did not do what it was asked. It is for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageError(pub String);

/// The properties of a stored object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectInfo {
    /// The size in bytes.
    pub bytes: u64,
    /// The entity tag. Another content has another one.
    pub etag: String,
    /// The time when it was stored.
    pub stored_at: Micros,
}

/// Objects by key, such as an R2 bucket.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Bucket {
    /// The properties of an object. `None` if there is none.
    ///
    /// # Errors
    /// If the bucket does not answer.
    async fn info(&self, key: &str) -> Result<Option<ObjectInfo>, StorageError>;

    /// Reads a range of an object, or as much of the range as there is. `None` if there is no object.
    ///
    /// # Errors
    /// If the bucket does not answer.
    async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>, StorageError>;

    /// Stores an object.
    ///
    /// # Errors
    /// If the bucket does not accept it.
    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), StorageError>;

    /// Deletes objects, as far as they are there.
    ///
    /// # Errors
    /// If the bucket does not answer.
    async fn delete(&self, keys: Vec<String>) -> Result<(), StorageError>;
}

/// A queue of messages.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Queue {
    /// Sends messages.
    ///
    /// # Errors
    /// If the queue does not accept one of them. Others may have been sent.
    async fn send(&self, messages: Vec<Message>) -> Result<(), StorageError>;
}

/// Other servers, whose files are fetched.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Remote {
    /// Fetches a document of limited length. The server has to be one that the deployment allows.
    ///
    /// # Errors
    /// If there is no such document, or the server does not answer.
    async fn document(&self, url: &str, headers: &[(String, String)]) -> Result<String, RemoteFault>;

    /// Fetches a file, and stores it in the bucket under this key. Returns its size.
    ///
    /// # Errors
    /// If there is no such file, or the server or the bucket does not answer.
    async fn store(&self, url: &str, headers: &[(String, String)], key: &str) -> Result<u64, RemoteFault>;
}

/// The reason why something was not fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFault {
    /// True if another try would fail too.
    pub is_permanent: bool,
    /// The reason, for the client.
    pub why: String,
}

/// A message of the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Message {
    /// A notification of the bucket (<https://developers.cloudflare.com/r2/buckets/event-notifications/>).
    Notification {
        /// The object that was stored.
        object: NotifiedObject,
    },
    /// A job, or a part of it, that is to go on.
    Job {
        /// The id of the job.
        job: String,
        /// The number of the part.
        part: Option<usize>,
    },
    /// A submission whose files are to be fetched.
    Submission {
        /// Its id.
        submission: String,
    },
}

/// The object of a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotifiedObject {
    /// The key.
    pub key: String,
}

/// The beginning of the keys of files that were sent to the server.
const SENT: &str = "jobs/";
/// The beginning of the keys of objects with lines of a file that is divided.
const PIECES: &str = "pieces/";
/// The beginning of the keys of reports.
const REPORTS: &str = "reports/";
/// The longest key that R2 takes, in bytes (<https://developers.cloudflare.com/r2/platform/limits/>).
const LONGEST_KEY: usize = 1_024;

/// The key of the file that a job was sent with.
pub fn key_of_sent(job: &str, is_gzip: bool) -> String {
    format!("{SENT}{job}{}", if is_gzip { ".gz" } else { "" })
}

/// Returns whether this server has stored the object of that key. A notification of it is no new job.
pub fn is_own(key: &str) -> bool {
    [SENT, PIECES, REPORTS].iter().any(|start| key.starts_with(start))
}

/// The key of an object with lines of a file that is divided.
pub fn key_of_piece(job: &str, object: usize) -> String {
    format!("{PIECES}{job}/{object}")
}

/// The key of the report of a file. That of a file with a long key is named after its job.
pub fn key_of_report(file: &str, job: &str) -> String {
    let key = format!("{REPORTS}{file}.json");
    if key.len() <= LONGEST_KEY { key } else { format!("{REPORTS}{job}.json") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_a_notification_or_names_a_job() {
        let read = |text: serde_json::Value| serde_json::from_value::<Message>(text).ok();
        let notification = json!({"account": "a", "action": "PutObject", "object": {"key": "k", "size": 1}});
        let object = NotifiedObject { key: "k".to_owned() };
        assert_eq!(read(notification), Some(Message::Notification { object }));
        for message in [None, Some(3)].map(|part| Message::Job { job: "j".to_owned(), part }) {
            assert_eq!(read(serde_json::to_value(&message).unwrap()), Some(message));
        }
        assert_eq!(read(json!({"object": {}})), None);
    }

    #[test]
    fn every_report_has_a_key_that_the_bucket_takes() {
        assert_eq!(key_of_report("a/b.ndjson", "j"), "reports/a/b.ndjson.json");
        assert_eq!(key_of_report(&"k".repeat(1_020), "j"), "reports/j.json");
        assert!(["reports/a", "jobs/a", "pieces/a/0"].iter().all(|key| is_own(key)) && !is_own("job/a"));
    }
}
