//! The jobs of a server that load files: how they begin, continue and are abandoned.

use super::keys::{id_of, key_of_sent};
use super::kind::{IngestKind, JobStatus, LoadParameters};
use super::work::{IngestWork, Progress, TargetRecords};
use ::job::{Bucket, Engine, Job, JobAnswer, JobError, JobOf, Message, Queue};
use database::Database;
use fhir::Micros;

/// The jobs of a server that load files.
#[derive(Debug)]
pub struct IngestJobs<D, B, Q> {
    engine: Engine<D, B, Q, IngestKind>,
    documents: Option<B>,
}

impl<D: Database, B: Bucket, Q: Queue> IngestJobs<D, B, Q> {
    /// Returns the jobs. Their state is in a database, their files are in a bucket, and their messages in a queue.
    pub const fn new(state: D, bucket: B, queue: Q, now: Micros) -> Self {
        Self { engine: Engine::new(state, bucket, queue, now), documents: None }
    }

    /// Returns the jobs with a bucket for documents: long documents are stored there.
    #[must_use]
    pub fn with_documents(self, documents: Option<B>) -> Self {
        Self { documents, ..self }
    }

    const fn work<'a>(&'a self, target: &'a TargetRecords<'a, D>) -> IngestWork<'a, D, B> {
        IngestWork { bucket: self.bucket(), documents: self.documents.as_ref(), target }
    }

    /// Returns the bucket.
    pub const fn bucket(&self) -> &B {
        &self.engine.bucket
    }

    /// Accepts the file of a client. `request` is the hash of the key with which the client repeats the request, `id`
    /// the id of a new job, and `source` the FHIR base of the server that the file comes from. `upload` stores the file
    /// under a key and returns its size. It is only called for a new job.
    ///
    /// # Errors
    /// If the database does not answer, or `upload` fails. Then nothing is loaded.
    pub async fn accept<E: From<JobError>>(
        &self,
        client: &str,
        request: Option<&str>,
        id: String,
        is_gzip: bool,
        source: Option<&str>,
        upload: impl AsyncFnOnce(&str) -> Result<u64, E>,
    ) -> Result<JobAnswer, E> {
        if let Some(answer) = self.engine.admit(client, request).await? {
            return Ok(answer);
        }
        let file = key_of_sent(&id, is_gzip);
        let bytes = upload(&file).await?;
        let parameters = LoadParameters { file: file.clone(), bytes, source: source.map(str::to_owned) };
        let job = Job::new(id.clone(), Some(client.to_owned()), parameters, self.engine.now);
        let added = self.engine.add(&job, request).await?.map(|job| job.id);
        if added.as_ref() == Some(&id) {
            // If this fails, the job is found later as one without progress.
            let _ = self.engine.queue.send(vec![Message::Ingest { job: id, part: None }]).await;
        } else {
            // Other requests were faster. If this fails, the bucket's lifecycle rule deletes the file.
            let _ = self.bucket().delete(vec![file]).await;
        }
        Ok(added.map_or(JobAnswer::Busy, JobAnswer::Job))
    }

    /// Returns the status of a job of a client.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn status(&self, client: &str, id: &str) -> Result<Option<JobStatus>, JobError> {
        self.engine.status(client, id).await
    }

    /// Continues a job, or a part of it.
    ///
    /// # Errors
    /// If the bucket, the queue or a database does not answer. The same message may succeed later.
    pub async fn go_on(
        &self,
        job: &str,
        part: Option<usize>,
        target: &TargetRecords<'_, D>,
    ) -> Result<Progress, JobError> {
        let work = self.work(target);
        match part {
            Some(part) => self.engine.run_part(job, part, &work).await,
            None => self.go_on_with(self.engine.job(job).await?, target).await,
        }
    }

    /// Loads a file that was put into the bucket, if it still exists.
    ///
    /// # Errors
    /// As for [`Self::go_on`].
    pub async fn load_file(&self, key: &str, target: &TargetRecords<'_, D>) -> Result<Progress, JobError> {
        self.go_on_with(self.job_of_file(key).await?, target).await
    }

    /// Ends a job, or a part of it, with a fault, because it has failed too often.
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn give_up(&self, job: &str, part: Option<usize>) -> Result<(), JobError> {
        self.end_with_fault(self.engine.job(job).await?, part).await
    }

    /// Ends the job of a file that was put into the bucket, like [`Self::give_up`].
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn give_up_file(&self, key: &str) -> Result<(), JobError> {
        self.end_with_fault(self.job_of_file(key).await?, None).await
    }

    /// Sends messages for jobs without progress, and forgets old jobs. Returns the number of messages.
    ///
    /// # Errors
    /// If the database or the queue does not answer.
    pub async fn resume(&self) -> Result<usize, JobError> {
        let (stalled, _) = self.engine.stalled(Vec::new()).await?;
        self.engine.forget(&stalled.forgotten).await?;
        self.engine.resume(&stalled.jobs).await
    }

    async fn go_on_with(
        &self,
        job: Option<JobOf<IngestKind>>,
        target: &TargetRecords<'_, D>,
    ) -> Result<Progress, JobError> {
        match job {
            Some(job) => self.engine.go_on(job, &self.work(target)).await,
            None => Ok(Progress::None),
        }
    }

    async fn end_with_fault(&self, job: Option<JobOf<IngestKind>>, part: Option<usize>) -> Result<(), JobError> {
        match job {
            Some(job) => self.engine.give_up(&job, part).await,
            None => Ok(()),
        }
    }

    /// Returns the job of a file that was put into the bucket. `None` if the file does not exist.
    async fn job_of_file(&self, key: &str) -> Result<Option<JobOf<IngestKind>>, JobError> {
        let Some(info) = self.bucket().info(key).await? else { return Ok(None) };
        // If a file is written again, it is another job, even with the same content.
        let id = id_of(&[key, &info.etag, &info.stored_at.to_string()]);
        let parameters = LoadParameters { file: key.to_owned(), bytes: info.bytes, source: None };
        self.engine.add(&Job::new(id, None, parameters, info.stored_at), None).await
    }
}
