//! The kind of jobs that load files: the stored data of such a job, and the keys of its objects.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::divide::ObjectRange;
use super::keys::{self, is_sent, key_of_lines, key_of_report};
use crate::report::FileReport;
use ::job::{self, Bucket, JobError, JobOf, Kind, Message, PartOf};

/// The jobs that load files from a bucket.
#[derive(Debug)]
pub struct IngestKind;

/// The parameters of a job that loads a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadParameters {
    /// The key of the file in the bucket.
    pub file: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The FHIR base of the server that the file comes from, if the sender states it.
    pub source: Option<String>,
}

/// The status of a job that loads a file.
pub type JobStatus = job::JobStatus<FileReport>;

/// Deletes the first `count` objects with lines of a divided file.
pub(super) async fn delete_lines(bucket: &impl Bucket, id: &str, count: usize) -> Result<(), JobError> {
    if count > 0 {
        bucket.delete((0..count).map(|object| key_of_lines(id, object)).collect()).await?;
    }
    Ok(())
}

impl Kind for IngestKind {
    type Parameters = LoadParameters;
    /// The bases of the absolute references in the file.
    type Notes = BTreeSet<String>;
    /// The ranges of objects that contain the lines of the part.
    type Contents = Vec<ObjectRange>;
    type Report = FileReport;

    const NAME: &'static str = "ingest";
    const STORES_RECORDS: bool = true;
    const PREFIXES: &'static [&'static str] = keys::PREFIXES;

    fn message(job: String, part: Option<usize>) -> Message {
        Message::Ingest { job, part }
    }

    fn bytes(parameters: &LoadParameters) -> u64 {
        parameters.bytes
    }

    /// Writes the report of the file, and deletes the objects with its lines.
    async fn finish_job(bucket: &impl Bucket, job: &JobOf<Self>, parts: Vec<PartOf<Self>>) -> Result<(), JobError> {
        let objects = parts.iter().filter_map(|part| part.contents.as_ref()).flatten().map(|range| range.object + 1);
        let objects = objects.max().unwrap_or_default();
        let file = key_of_report(&job.parameters.file, &job.id);
        let status = JobStatus::of::<Self>(job, parts);
        let text = serde_json::to_vec(&status).map_err(|error| JobError(error.to_string()))?;
        bucket.write(&file, text).await?;
        delete_lines(bucket, &job.id, objects).await
    }

    async fn forget(bucket: &impl Bucket, jobs: &[(String, LoadParameters)]) -> Result<(), JobError> {
        let objects = jobs.iter().flat_map(|(id, LoadParameters { file, .. })| {
            // A file that was put into the bucket belongs to the person who put it there.
            [Some(file.clone()).filter(|file| is_sent(file)), Some(key_of_report(file, id))].into_iter().flatten()
        });
        Ok(bucket.delete(objects.collect()).await?)
    }
}
