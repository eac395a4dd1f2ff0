//! The kind of jobs that export records: the stored data of such a job, and the keys of its objects.

use serde::{Deserialize, Serialize};

use super::files::{read_file, read_manifest};
use super::keys::{key_of_file, key_of_manifest, key_of_own};
use super::request::ExportRequest;
use super::scope::PartOfExport;
use super::status::{ExportFile, Manifest};
use job::{Backlog, Bucket, JobError, JobOf, Kind, Message, PartOf, Report};

/// The most objects deleted at once (<https://developers.cloudflare.com/r2/api/workers/workers-api-reference/>).
const DELETED_AT_ONCE: usize = 1_000;

/// The jobs that export records into a bucket.
#[derive(Debug)]
pub struct ExportKind;

/// The report of a part of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportReport {
    /// The digest that identifies the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The number of its resources.
    pub resources: u64,
    /// The reason why the export has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl ExportReport {
    /// Returns the report of an export that has failed.
    pub fn failure(why: impl Into<String>) -> Self {
        Self { failed: Some(why.into()), ..Self::default() }
    }
}

impl Report for ExportReport {
    fn given_up(_: Option<usize>) -> Self {
        Self::failure("The records could not be read in several tries. Begin another export later.")
    }

    fn stopped() -> Self {
        Self::failure("The export was stopped.")
    }

    fn and(self, other: Self) -> Self {
        let (resources, failed) = (self.resources + other.resources, self.failed.or(other.failed));
        Self { digest: None, resources, failed }
    }

    fn has_faults(&self) -> bool {
        self.failed.is_some()
    }
}

impl Kind for ExportKind {
    type Parameters = ExportRequest;
    type Notes = ();
    type Contents = PartOfExport;
    type Report = ExportReport;

    const NAME: &'static str = "export";
    const STORES_RECORDS: bool = false;
    const CONCLUDES: bool = true;
    // A client may use a quarter of them.
    const MAX_WAITING: Backlog = Backlog { jobs: 20, bytes: u64::MAX, parts: u64::MAX };
    // The bucket of exports sends no notifications.
    const PREFIXES: &'static [&'static str] = &[];

    fn message(job: String, part: Option<usize>) -> Message {
        Message::Export { job, part }
    }

    fn bytes(_: &ExportRequest) -> u64 {
        0
    }

    async fn finish_job(_: &impl Bucket, _: &JobOf<Self>, _: Vec<PartOf<Self>>) -> Result<(), JobError> {
        // The conclusion of the job has written the manifest. Parts are deleted by age, since exports share them.
        Ok(())
    }

    async fn forget(bucket: &impl Bucket, jobs: &[(String, ExportRequest)]) -> Result<(), JobError> {
        for (id, _) in jobs {
            delete_objects(bucket, id).await?;
        }
        Ok(())
    }
}

/// Deletes the objects that belong to only one export.
async fn delete_objects(bucket: &impl Bucket, job: &str) -> Result<(), JobError> {
    let Some(manifest) = read_manifest(bucket, job).await? else { return Ok(()) };
    let Manifest { output, deleted, error, .. } = manifest;
    let mut objects = Vec::new();
    for file in output.iter().chain(&deleted).chain(&error) {
        if let Some(ExportFile { segments, .. }) = read_file(bucket, job, file.number).await? {
            let own = key_of_own(job, "");
            let own = segments.into_iter().map(|segment| segment.object).filter(|object| object.starts_with(&own));
            objects.extend(own);
        }
        objects.push(key_of_file(job, file.number));
    }
    objects.sort_unstable();
    objects.dedup();
    // The manifest is deleted last, so that the next run can continue after a fault.
    objects.push(key_of_manifest(job));
    for some in objects.chunks(DELETED_AT_ONCE) {
        bucket.delete(some.to_vec()).await?;
    }
    Ok(())
}
