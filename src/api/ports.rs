//! The ports of a runtime to the handlers: the jobs that load sent records, the Worker that writes documents, and the
//! files of the app.

use ::ingest::job::JobStatus;
use job::{JobAnswer, JobError, LocalFuture};

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
    /// The FHIR base of the server from which the records come.
    pub source: Option<String>,
}

/// The jobs of the runtime, which has the body of the current call.
pub trait IngestPort {
    /// Accepts the body of the call as the file of a job.
    fn accept<'a>(&'a self, request: IngestRequest<'a>) -> LocalFuture<'a, Result<JobAnswer, JobError>>;

    /// Checks that files can be stored.
    fn ready(&self) -> LocalFuture<'_, Result<(), JobError>>;

    /// Returns the status of a job of a client.
    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<Option<JobStatus>, JobError>>;
}

/// The Worker `reading`, which says what records mean. It has no access to records of its own.
pub trait ReadingPort {
    /// Returns the answer to a request as JSON (`reading/worker.ts`): a `summary` or the next step of a `tool`. The
    /// error is for the log.
    fn ask(&self, what: &'static str, request: String) -> LocalFuture<'_, Result<String, String>>;
}

/// The files of the app.
pub trait AssetPort {
    /// Returns the text of a file, by its path. The error is for the log.
    fn text(&self, path: &'static str) -> LocalFuture<'_, Result<String, String>>;
}
