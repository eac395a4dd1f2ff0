//! The buckets and the queue: Cloudflare's R2 and Queues.

use std::ops::Range;

use worker::Env;

use job::{Bucket, Message, ObjectInfo, Queue, StorageError};

/// The binding of the bucket of incoming files.
const BUCKET: &str = "INBOX";
/// The binding of the bucket of files that are sent to readers.
const FILES: &str = "FILES";
const QUEUE: &str = "JOBS";

pub struct R2(pub worker::Bucket);

/// The producer of a queue.
pub struct JobQueue(worker::Queue);

/// Returns the bucket and the queue of jobs. `None` if the deployment lacks one of them.
pub fn jobs_of(env: &Env) -> Option<(R2, JobQueue)> {
    Some((R2(env.bucket(BUCKET).ok()?), JobQueue(env.queue(QUEUE).ok()?)))
}

/// Returns the queue of jobs. `None` if the deployment has none.
pub fn queue_of(env: &Env) -> Option<JobQueue> {
    env.queue(QUEUE).ok().map(JobQueue)
}

/// Returns the bucket of files that are sent to readers. `None` if the deployment has none.
pub fn files_of(env: &Env) -> Option<R2> {
    env.bucket(FILES).ok().map(R2)
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn fault(error: worker::Error) -> StorageError {
    StorageError(error.to_string())
}

impl Bucket for R2 {
    async fn info(&self, key: &str) -> Result<Option<ObjectInfo>, StorageError> {
        let object = self.0.head(key).await.map_err(fault)?;
        Ok(object.map(|object| ObjectInfo {
            bytes: object.size(),
            etag: object.etag(),
            stored_at: object.uploaded().as_millis().cast_signed() * 1_000,
        }))
    }

    async fn read(&self, key: &str, Range { start, end }: Range<u64>) -> Result<Option<Vec<u8>>, StorageError> {
        if start >= end {
            return Ok(Some(Vec::new()));
        }
        let range = worker::Range::OffsetWithLength { offset: start, length: end - start };
        let object = self.0.get(key).range(range).execute().await.map_err(fault)?;
        let Some(object) = object else { return Ok(None) };
        let Some(body) = object.body() else { return Ok(None) };
        body.bytes().await.map(Some).map_err(fault)
    }

    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), StorageError> {
        self.0.put(key, bytes).execute().await.map(|_| ()).map_err(fault)
    }

    async fn delete(&self, keys: Vec<String>) -> Result<(), StorageError> {
        self.0.delete_multiple(keys).await.map_err(fault)
    }
}

/// The maximum number of messages in a batch (<https://developers.cloudflare.com/queues/platform/limits/>).
const MAX_MESSAGES: usize = 100;

impl Queue for JobQueue {
    async fn send(&self, messages: Vec<Message>) -> Result<(), StorageError> {
        for batch in messages.chunks(MAX_MESSAGES) {
            let batch = worker::BatchMessageBuilder::new().messages(batch.to_vec()).build();
            self.0.send_batch(batch).await.map_err(fault)?;
        }
        Ok(())
    }
}
