//! The jobs of a deployment, over D1, R2 and a queue: the kind of job for each message, and the port for files.

use std::time::Duration;

use worker::{Data, Env};

use super::bucket::{JobQueue, R2, files_of, jobs_of, queue_of};
use super::clock::OF_CHANGES;
use super::d1::D1;
use super::env::{Isolate, StoreKind};
use super::http::IncomingRequest;
use api::{IngestPort, IngestRequest, Settings, is_own_object};
use export::{self, ExportJobs, ExportSource};
use fhir::Micros;
use ingest::job::{IngestJobs, JobStatus, Pause, Progress, TargetRecords};
use job::{Bucket, JobAnswer, JobError, LocalFuture, Message};
use store::ShardMapCache;

/// The key of an object that does not exist. A request for it shows whether the bucket answers.
const READY: &str = "ready";

/// The reason why a message is not processed.
const UNKNOWN: &str = "a message is of a kind that this version does not know";

/// Continues in a separate task, so that a local server, whose Workers share a thread, answers requests first.
const GIVES_WAY: Pause<'static> = Pause(&|| Box::pin(worker::Delay::from(Duration::ZERO)));

/// The jobs of an isolate that load files.
type Ingest<'a> = IngestJobs<D1<'a>, R2, JobQueue>;

/// Returns the jobs that load files, at this time. `None` if the deployment has no bucket and queue for them, or its
/// records are not in D1.
fn ingest<'a>(isolate: &'a Isolate, env: &Env, now: Micros) -> Option<Ingest<'a>> {
    let (bucket, queue) = jobs_of(env).filter(|_| matches!(isolate.records, StoreKind::D1))?;
    let jobs = IngestJobs::new(D1::primary(&isolate.auth_database), bucket, queue, now);
    Some(jobs.with_documents(files_of(env)))
}

/// The exports of an isolate.
pub type Exports<'a> = ExportJobs<D1<'a>, R2, JobQueue>;

/// Returns the exports at this time. `None` if there is no bucket or queue for them, or the records are not in D1.
pub fn exports<'a>(isolate: &'a Isolate, env: &Env, now: Micros) -> Option<Exports<'a>> {
    let (bucket, queue) = files_of(env).zip(queue_of(env)).filter(|_| matches!(isolate.records, StoreKind::D1))?;
    Some(ExportJobs::new(D1::primary(&isolate.auth_database), bucket, queue, now, isolate.export_kept))
}

/// The progress of a job after a message.
pub enum Received {
    /// The progress of a job that loads a file.
    Load(Progress),
    /// The progress of an export.
    Export(export::Progress),
}

/// Continues the job of a message. A job that has failed too often is given up.
///
/// # Errors
/// If a bucket, the queue or a database does not answer, or this version does not know the kind of the message. The
/// same message may succeed later.
pub async fn receive(
    isolate: &Isolate,
    env: &Env,
    message: &Message,
    is_dead: bool,
    now: Micros,
) -> Result<Received, JobError> {
    if let Message::Export { job, part } = message {
        let none = || JobError("there are no bindings FILES and JOBS, or STORE is not d1".to_owned());
        let exports = exports(isolate, env, now).ok_or_else(none)?;
        if is_dead {
            exports.give_up(job, *part).await?;
            return Ok(Received::Export(export::Progress::None));
        }
        let map = ShardMapCache::default();
        let databases = isolate.primary_databases(&map);
        let Settings { base, index: set, .. } = &isolate.settings;
        return exports.go_on(job, *part, &ExportSource { databases, base, set }).await.map(Received::Export);
    }
    load(isolate, env, message, is_dead, now).await.map(Received::Load)
}

/// Continues the load of a message, as [`receive`] does.
async fn load(
    isolate: &Isolate,
    env: &Env,
    message: &Message,
    is_dead: bool,
    now: Micros,
) -> Result<Progress, JobError> {
    let none = || JobError("there are no bindings INBOX and JOBS, or STORE is not d1".to_owned());
    let ingest = ingest(isolate, env, now).ok_or_else(none)?;
    if is_dead {
        match message {
            Message::Notification { object } if is_own_object(&object.key) => {}
            Message::Notification { object } => ingest.give_up_file(&object.key).await?,
            Message::Ingest { job, part } => ingest.give_up(job, *part).await?,
            Message::Export { .. } | Message::Unknown => return Err(JobError(UNKNOWN.to_owned())),
        }
        return Ok(Progress::None);
    }
    let map = ShardMapCache::default();
    let databases = isolate.primary_databases(&map);
    let Settings { base, index, .. } = &isolate.settings;
    let target = TargetRecords {
        databases,
        base,
        attachments: &isolate.attachments,
        set: index,
        clock: OF_CHANGES,
        pause: GIVES_WAY,
    };
    match message {
        Message::Notification { object } if is_own_object(&object.key) => Ok(Progress::None),
        Message::Notification { object } => ingest.load_file(&object.key, &target).await,
        Message::Ingest { job, part } => ingest.go_on(job, *part, &target).await,
        Message::Export { .. } | Message::Unknown => Err(JobError(UNKNOWN.to_owned())),
    }
}

/// Sends messages for the jobs without progress, forgets old ones, and publishes the public directory if it changed.
/// Returns the number of messages.
///
/// # Errors
/// If a database or the queue does not answer.
pub async fn resume(isolate: &Isolate, env: &Env, now: Micros) -> Result<usize, JobError> {
    let loads = match ingest(isolate, env, now) {
        Some(ingest) => ingest.resume().await,
        None => Ok(0),
    };
    // A fault of one kind of jobs does not stop the other.
    let exports = exports(isolate, env, now);
    let sent = match &exports {
        Some(exports) => exports.resume().await,
        None => Ok(0),
    };
    if let (Some(exports), Some(public)) = (&exports, &isolate.settings.public) {
        let map = ShardMapCache::default();
        let Settings { base, index: set, .. } = &isolate.settings;
        let databases = isolate.primary_databases(&map);
        exports.publish(&ExportSource { databases, base, set }, public).await?;
    }
    Ok(loads? + sent?)
}

/// The port for a call, with the body of the request.
pub struct RequestPort<'a> {
    jobs: Ingest<'a>,
    incoming: &'a IncomingRequest,
}

impl<'a> RequestPort<'a> {
    /// Returns the port for a call. `None` as for [`ingest`].
    pub fn of(isolate: &'a Isolate, env: &Env, incoming: &'a IncomingRequest, now: Micros) -> Option<Self> {
        Some(Self { jobs: ingest(isolate, env, now)?, incoming })
    }

    /// Stores the body of the request. The platform accepts only a body of known length.
    async fn upload(&self, key: &str) -> Result<u64, JobError> {
        let fault = |error: worker::Error| JobError(error.to_string());
        let body = self.incoming.stream().ok_or_else(|| JobError("the request has no body".to_owned()))?;
        let stored = self.jobs.bucket().0.put(key, Data::ReadableStream(body)).execute().await.map_err(fault)?;
        stored.map(|object| object.size()).ok_or_else(|| JobError("the bucket did not store the file".to_owned()))
    }
}

impl IngestPort for RequestPort<'_> {
    fn accept<'a>(&'a self, request: IngestRequest<'a>) -> LocalFuture<'a, Result<JobAnswer, JobError>> {
        let IngestRequest { client, request, job, is_gzip, source } = request;
        Box::pin(async move {
            let upload = async |key: &str| self.upload(key).await;
            self.jobs.accept(client, request.as_deref(), job, is_gzip, source.as_deref(), upload).await
        })
    }

    fn ready(&self) -> LocalFuture<'_, Result<(), JobError>> {
        // The queue is not checked, since that would need a message.
        Box::pin(async { self.jobs.bucket().info(READY).await.map(|_| ()).map_err(JobError::from) })
    }

    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<Option<JobStatus>, JobError>> {
        Box::pin(self.jobs.status(client, id))
    }
}
