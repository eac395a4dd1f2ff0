//! The engine: accepts jobs of a kind, goes on with them at each message, and ends them.

use super::error::JobError;
use super::kind::{DonePart, JobOf, Kind, Outcome, PartOf, Plan, Progress, Report, Work};
use super::message::Message;
use super::ports::Queue;
use super::record::{Backlog, Earlier, Job, NewPart, Stalled};
use super::state::JobState;
use super::status::JobStatus;
use crate::database::{Database, Statement};
use crate::fhir::Micros;

/// The part of all that may wait that one client may have, so that the others find room.
const SHARE_OF_CLIENT: u64 = 4;

/// Runs the jobs of a kind, with their state in a database, and a queue.
#[derive(Debug)]
pub struct Engine<D, Q, K> {
    state: JobState<D>,
    queue: Q,
    kind: K,
    /// The time.
    now: Micros,
}

/// The answer to a request for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// The job, which is new or that of an earlier request with the same key.
    Job(String),
    /// Too much is waiting, of all clients or of this one.
    Busy,
    /// The operator has stopped the client.
    Stopped,
}

/// Whether a request for a job is admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    /// A job may begin.
    Open,
    /// No job begins, and this is the answer.
    Closed(Accepted),
}

/// The progress of a kind's job by a work.
type ProgressOf<K, W> = Progress<<K as Kind>::Report, <W as Work<K>>::Details>;

impl<D: Database, Q: Queue, K: Kind> Engine<D, Q, K> {
    /// An engine at that time.
    pub const fn new(database: D, queue: Q, kind: K, now: Micros) -> Self {
        Self { state: JobState(database), queue, kind, now }
    }

    /// The database of the state.
    pub const fn database(&self) -> &D {
        &self.state.0
    }

    /// The queue.
    pub const fn queue(&self) -> &Q {
        &self.queue
    }

    /// The kind.
    pub const fn kind(&self) -> &K {
        &self.kind
    }

    /// The time.
    pub const fn now(&self) -> Micros {
        self.now
    }

    /// Decides whether a job of a client may begin. `request` is the hash of the key by which the client repeats the
    /// request.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn admit(&self, client: &str, request: Option<&str>) -> Result<Admission, JobError> {
        let Earlier { job, is_stopped, all, own } = self.state.earlier::<K>(client, request).await?;
        Ok(if is_stopped {
            Admission::Closed(Accepted::Stopped)
        } else if let Some(job) = job {
            Admission::Closed(Accepted::Job(job.id))
        } else if all.is_full(1) || own.is_full(SHARE_OF_CLIENT) {
            Admission::Closed(Accepted::Busy)
        } else {
            Admission::Open
        })
    }

    /// Adds a job, unless it is known, and returns it as it is stored. `request` is that of [`Self::admit`]: if another
    /// request with it was faster, its job is returned.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn add(&self, job: &JobOf<K>, request: Option<&str>) -> Result<JobOf<K>, JobError> {
        let added = self.state.add(job, request).await?;
        added.ok_or_else(|| JobError("a job is not there that was just added".to_owned()))
    }

    /// The job with that id.
    ///
    /// # Errors
    /// If the database does not answer, or the job is damaged.
    pub async fn job(&self, id: &str) -> Result<Option<JobOf<K>>, JobError> {
        Ok(self.state.job(id).await?)
    }

    /// The status of a job of a client.
    ///
    /// # Errors
    /// If the database does not answer, or the job is damaged.
    pub async fn status(&self, client: &str, id: &str) -> Result<Option<JobStatus<K::Report>>, JobError> {
        let found = self.state.job_with_parts::<K>(id).await?;
        let found = found.filter(|(job, _)| job.client.as_deref() == Some(client));
        Ok(found.map(|(job, parts)| JobStatus::of(&job, parts)))
    }

    /// The jobs that have not ended.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn backlog(&self) -> Result<Backlog, JobError> {
        Ok(self.state.earlier::<K>("", None).await?.all)
    }

    /// Goes on with a job: divides it, or sends messages for its parts. If there is one part, it is done.
    ///
    /// # Errors
    /// Those of the work, and if the queue or the database does not answer. The same message may succeed later.
    pub async fn go_on<W: Work<K>>(&self, job: JobOf<K>, work: &W) -> Result<ProgressOf<K, W>, JobError> {
        if job.ended_at.is_some() {
            // Its report may be missing.
            self.end(&job.id).await?;
            return Ok(Progress::None);
        }
        if job.is_stopped {
            return self.stop(&job).await;
        }
        if !job.is_divided {
            return self.divide(job, work).await;
        }
        let Some((_, parts)) = self.state.job_with_parts::<K>(&job.id).await? else { return Ok(Progress::None) };
        let open: Vec<_> = parts.iter().filter(|part| part.report.is_none()).map(|part| part.number).collect();
        match open[..] {
            [] => Ok(Progress::None),
            [part] => self.run(&job.id, part, None, work).await,
            _ => self.send_parts(job.id, &open).await,
        }
    }

    /// Does the part of a message.
    ///
    /// # Errors
    /// As [`Self::go_on`].
    pub async fn run_part<W: Work<K>>(&self, job: &str, part: usize, work: &W) -> Result<ProgressOf<K, W>, JobError> {
        self.run(job, part, None, work).await
    }

    /// Ends a job, or a part of it, with a fault, because it has failed too often.
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn give_up(&self, job: &JobOf<K>, part: Option<usize>) -> Result<(), JobError> {
        if job.ended_at.is_some() {
            return Ok(());
        }
        if part.is_none() {
            if job.is_divided {
                // Each of its parts has a message of its own.
                return Ok(());
            }
            self.state.divide::<K>(&job.id, &[], None, self.now).await?;
        }
        // With several shards a part of it may have been written.
        self.settle(&job.id, part.unwrap_or_default(), &K::Report::given_up(part), true).await
    }

    /// The jobs without progress, and those of long ago. The statements of `further` run in the same batch, and their
    /// rows are returned.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn stalled(&self, further: Vec<Statement>) -> Result<(Stalled, Vec<D::Rows>), JobError> {
        Ok(self.state.stalled(self.now, further).await?)
    }

    /// Forgets jobs of long ago, with their objects.
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn forget(&self, jobs: &[(String, String)]) -> Result<(), JobError> {
        if !jobs.is_empty() {
            self.kind.forget(jobs).await?;
            self.state.forget(jobs).await?;
        }
        Ok(())
    }

    /// Sends messages for jobs without progress, and further messages. The statements note that these were sent.
    /// Returns the number of messages.
    ///
    /// # Errors
    /// If the queue or the database does not answer.
    pub async fn resume(
        &self,
        jobs: &[String],
        further: Vec<Message>,
        statements: Vec<Statement>,
    ) -> Result<usize, JobError> {
        let of_jobs = jobs.iter().map(|job| K::message(job.clone(), None));
        let messages: Vec<_> = of_jobs.chain(further).collect();
        let count = messages.len();
        if count > 0 {
            self.queue.send(messages).await?;
            self.state.touch(jobs, self.now, statements).await?;
        }
        Ok(count)
    }

    /// Divides a job as the work plans it, and sends messages for its parts. If there is one part, it is done.
    async fn divide<W: Work<K>>(&self, job: JobOf<K>, work: &W) -> Result<ProgressOf<K, W>, JobError> {
        match work.plan(&job).await? {
            Plan::Whole(input) => {
                self.state.divide::<K>(&job.id, &[NewPart::WHOLE], None, self.now).await?;
                self.run(&job.id, 1, Some(input), work).await
            }
            Plan::Parts { parts, notes, report } => {
                let division = NewPart { number: 0, contents: None, report: Some(&report) };
                let of_part = |(number, contents)| NewPart { number, contents: Some(contents), report: None };
                let all: Vec<_> = [division].into_iter().chain((1..).zip(&parts).map(of_part)).collect();
                self.state.divide::<K>(&job.id, &all, Some(&notes), self.now).await?;
                if parts.is_empty() {
                    return self.end_part(&job, 0, unchanged(report)).await;
                }
                let numbers: Vec<_> = (1..=parts.len()).collect();
                self.send_parts(job.id, &numbers).await
            }
            Plan::Refused(report) => {
                self.state.divide::<K>(&job.id, &[NewPart::WHOLE], None, self.now).await?;
                self.end_part(&job, 1, unchanged(report)).await
            }
        }
    }

    async fn send_parts<R, T>(&self, job: String, parts: &[usize]) -> Result<Progress<R, T>, JobError> {
        let message = |part: &usize| K::message(job.clone(), Some(*part));
        self.queue.send(parts.iter().map(message).collect()).await?;
        Ok(Progress::Divided { job, parts: parts.len() })
    }

    /// Does a part of a job. `input` is what the plan has read for it.
    async fn run<W: Work<K>>(
        &self,
        id: &str,
        number: usize,
        input: Option<W::Input>,
        work: &W,
    ) -> Result<ProgressOf<K, W>, JobError> {
        let begun: Option<(JobOf<K>, PartOf<K>)> = self.state.begin::<K>(id, number, self.now).await?;
        let Some((job, part)) = begun else { return Ok(Progress::None) };
        if part.report.is_some() {
            if job.ended_at.is_some() {
                self.end(id).await?;
            }
            return Ok(Progress::None);
        }
        if job.is_stopped {
            return self.stop(&job).await;
        }
        let outcome = work.run(&job, &part, input).await?;
        self.end_part(&job, number, outcome).await
    }

    /// Ends all of a job whose client was stopped.
    async fn stop<T: Default>(&self, job: &JobOf<K>) -> Result<Progress<K::Report, T>, JobError> {
        let report = K::Report::stopped();
        self.state.stop(&job.id, &report, self.now).await?;
        self.end(&job.id).await?;
        Ok(done(job, 0, unchanged(report)))
    }

    /// Ends a part with its outcome.
    async fn end_part<T>(
        &self,
        job: &JobOf<K>,
        number: usize,
        outcome: Outcome<K::Report, T>,
    ) -> Result<Progress<K::Report, T>, JobError> {
        self.settle(&job.id, number, &outcome.report, outcome.corrects).await?;
        Ok(done(job, number, outcome))
    }

    /// Stores the report of a part, and ends the job if it was the last one.
    async fn settle(&self, id: &str, number: usize, report: &K::Report, corrects: bool) -> Result<(), JobError> {
        if self.state.end_part(id, number, report, corrects, self.now).await? {
            self.end(id).await?;
        }
        Ok(())
    }

    /// Notes the end of a job that has ended.
    async fn end(&self, id: &str) -> Result<(), JobError> {
        let Some((job, parts)) = self.state.job_with_parts::<K>(id).await? else { return Ok(()) };
        self.kind.end(&job, parts).await
    }
}

/// The outcome of a part that has changed nothing.
fn unchanged<R, T: Default>(report: R) -> Outcome<R, T> {
    Outcome { report, corrects: false, details: T::default() }
}

/// The progress of a part that was done.
fn done<N, R, T>(job: &Job<N>, part: usize, outcome: Outcome<R, T>) -> Progress<R, T> {
    let Outcome { report, details, .. } = outcome;
    Progress::Done(Box::new(DonePart { job: job.id.clone(), client: job.client.clone(), part, report, details }))
}
