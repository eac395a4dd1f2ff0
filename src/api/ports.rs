//! The jobs by which records are sent and exported, as a runtime offers them to the handlers.

use std::fmt::Debug;
use std::pin::Pin;

use crate::export::{ExportRequest, ExportStatus, OwnedFile};
use crate::ingest::job::JobStatus;
use crate::job::{Accepted, Backlog, JobError};

/// A future that does not need to be sent to another thread.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A file that a client sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestRequest<'a> {
    /// The client.
    pub client: &'a str,
    /// The hash of the `Idempotency-Key`.
    pub request: Option<String>,
    /// The id of a new job.
    pub job: String,
    /// True if the body is compressed with gzip.
    pub is_gzip: bool,
    /// The FHIR base of the server that the records come from.
    pub source: Option<String>,
}

/// The jobs of the runtime, which has the body of the call that is answered.
pub trait IngestPort: Debug {
    /// Accepts the body of the call as the file of a job.
    fn accept<'a>(&'a self, request: IngestRequest<'a>) -> Boxed<'a, Result<Accepted, JobError>>;

    /// The jobs that have not ended.
    fn backlog(&self) -> Boxed<'_, Result<Backlog, JobError>>;

    /// Checks that files can be stored.
    fn ready(&self) -> Boxed<'_, Result<(), JobError>>;

    /// The status of a job of a client.
    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> Boxed<'a, Result<Option<JobStatus>, JobError>>;
}

/// The exports of the runtime.
pub trait ExportPort: Debug {
    /// Begins an export of a client, whose job has this id. It is busy where too many of the client's exports, or of
    /// all, go on.
    fn begin<'a>(
        &'a self,
        client: &'a str,
        job: String,
        request: ExportRequest,
    ) -> Boxed<'a, Result<Accepted, JobError>>;

    /// The status of an export of a client. `None` if the client has none of that id: it is of another client, has
    /// expired, or was cancelled.
    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> Boxed<'a, Result<Option<ExportStatus>, JobError>>;

    /// Cancels an export of a client, or deletes it. Returns whether there was one.
    fn cancel<'a>(&'a self, client: &'a str, id: &'a str) -> Boxed<'a, Result<bool, JobError>>;

    /// A file of an export of a client, by its number. `None` as for the status, and if it is not complete or has no
    /// such file.
    fn file<'a>(
        &'a self,
        client: &'a str,
        id: &'a str,
        number: usize,
    ) -> Boxed<'a, Result<Option<OwnedFile>, JobError>>;
}
