//! The jobs of files that clients send, or that a bucket receives, over D1, R2 and a queue.

use std::fmt::{Debug, Formatter};

use worker::{Data, Env};

use super::bucket::{JobQueue, R2, jobs_of};
use super::d1::D1;
use super::env::{Isolate, StoreKind};
use super::http::Incoming;
use super::remote::OtherServers;
use crate::api::{Boxed, IngestJobs, IngestRequest};
use crate::fhir::Micros;
use crate::ingest::DOCUMENTS;
use crate::ingest::job::{JobStatus, Jobs, Progress, SubmissionReport, SubmitRequest, Submitted, TargetRecords};
use crate::job::{Accepted, Backlog, Bucket, JobError, Message};
use crate::store::ShardMapCache;

/// The key of an object that is not there. Whether the bucket answers is seen by asking for it.
const READY: &str = "ready";

/// The jobs of an isolate.
pub type EdgeJobs<'a> = Jobs<D1<'a>, R2, JobQueue>;

/// The jobs at that time. `None` if the deployment has no bucket and queue for them, or its records are not in D1.
pub fn jobs<'a>(isolate: &'a Isolate, env: &Env, now: Micros) -> Option<EdgeJobs<'a>> {
    let (bucket, queue) = jobs_of(env).filter(|_| matches!(isolate.records, StoreKind::D1))?;
    Some(Jobs::new(D1::primary(&isolate.auth_database), bucket, queue, now))
}

/// Goes on with the job of a message. One that has failed too often is given up.
///
/// # Errors
/// If the bucket, the queue or a database does not answer. The same message may succeed later.
pub async fn receive(
    isolate: &Isolate,
    env: &Env,
    message: &Message,
    is_dead: bool,
    now: Micros,
) -> Result<Progress, JobError> {
    let none = || JobError("there are no bindings INBOX and JOBS, or STORE is not d1".to_owned());
    let jobs = jobs(isolate, env, now).ok_or_else(none)?;
    if is_dead {
        return jobs.give_up(message).await.map(|()| Progress::None);
    }
    let attachments = env.var("ATTACHMENT_BASE_URL").map_or_else(|_| DOCUMENTS.to_owned(), |base| base.to_string());
    let map = ShardMapCache::default();
    let databases = isolate.primary_databases(&map);
    let target = TargetRecords { databases, base: &isolate.settings.base, attachments: &attachments };
    let remote = OtherServers { bucket: jobs.bucket(), origins: &isolate.submit_origins };
    jobs.receive(message, &target, &remote).await
}

/// The jobs for a call, with the body of the request.
pub struct RequestJobs<'a> {
    jobs: EdgeJobs<'a>,
    incoming: &'a Incoming,
    origins: &'a [String],
}

impl<'a> RequestJobs<'a> {
    /// The jobs for a call. `None` as for [`jobs`].
    pub fn of(isolate: &'a Isolate, env: &Env, incoming: &'a Incoming, now: Micros) -> Option<Self> {
        Some(Self { jobs: jobs(isolate, env, now)?, incoming, origins: &isolate.submit_origins })
    }

    /// Stores the body of the request. The platform takes a body of known length only.
    async fn upload(&self, key: &str) -> Result<u64, JobError> {
        let fault = |error: worker::Error| JobError(error.to_string());
        let body = self.incoming.stream().ok_or_else(|| JobError("the request has no body".to_owned()))?;
        let stored = self.jobs.bucket().0.put(key, Data::ReadableStream(body)).execute().await.map_err(fault)?;
        stored.map(|object| object.size()).ok_or_else(|| JobError("the bucket did not store the file".to_owned()))
    }
}

impl Debug for RequestJobs<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("RequestJobs(..)")
    }
}

impl IngestJobs for RequestJobs<'_> {
    fn accept<'a>(&'a self, request: IngestRequest<'a>) -> Boxed<'a, Result<Accepted, JobError>> {
        let IngestRequest { client, request, job, is_gzip, source } = request;
        Box::pin(async move {
            let upload = async |key: &str| self.upload(key).await;
            self.jobs.accept(client, request.as_deref(), job, is_gzip, source.as_deref(), upload).await
        })
    }

    fn backlog(&self) -> Boxed<'_, Result<Backlog, JobError>> {
        Box::pin(self.jobs.backlog())
    }

    fn ready(&self) -> Boxed<'_, Result<(), JobError>> {
        // The queue is not asked, since only a message could.
        Box::pin(async { self.jobs.bucket().info(READY).await.map(|_| ()).map_err(JobError::from) })
    }

    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> Boxed<'a, Result<Option<JobStatus>, JobError>> {
        Box::pin(self.jobs.status(client, id))
    }

    fn origins(&self) -> &[String] {
        self.origins
    }

    fn submit(&self, request: SubmitRequest) -> Boxed<'_, Result<Submitted, JobError>> {
        Box::pin(async move { self.jobs.submit(&request).await })
    }

    fn submission<'a>(&'a self, client: &'a str, id: &'a str) -> Boxed<'a, Result<Option<SubmissionReport>, JobError>> {
        Box::pin(self.jobs.submission(client, id))
    }
}
