//! The traits by which an engine knows its user: a kind of jobs, and the work that is done for them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::JobError;
use super::message::Message;
use super::ports::Bucket;
use super::record::{Backlog, Job, Part};

/// A kind of jobs: what is stored of one, and what becomes of its objects.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Kind {
    /// The parameters of a job: what it is about.
    type Parameters: Serialize + DeserializeOwned;
    /// The notes of the division of a job for all parts.
    type Notes: Serialize + DeserializeOwned;
    /// The contents of a part.
    type Contents: Serialize + DeserializeOwned;
    /// The report of a part.
    type Report: Report;

    /// The name of the kind, in the column `kind` of its jobs.
    const NAME: &'static str;

    /// True if jobs of this kind store records. Then they are done again after a restore of the records.
    const STORES_RECORDS: bool;

    /// True if a job of this kind does not end with its last part, but when [`Work::conclude`] says so.
    const CONCLUDES: bool = false;

    /// The most that may wait. Further jobs are refused until some have ended.
    const MAX_WAITING: Backlog = Backlog { jobs: 1_000, bytes: 4 << 30, parts: 40_000 };

    /// The beginnings of the keys of objects that the server itself stores in the bucket for these jobs. Notifications
    /// of them begin nothing.
    const PREFIXES: &'static [&'static str];

    /// The message by which a job or a part of it goes on.
    fn message(job: String, part: Option<usize>) -> Message;

    /// The bytes of a job, which count while it waits. 0 if it has none before it is done.
    fn bytes(parameters: &Self::Parameters) -> u64;

    /// Does what is left after the end of a job: writes its report, and deletes the objects that are needed no more. It
    /// may come twice.
    ///
    /// # Errors
    /// If the bucket does not answer.
    async fn finish_job(bucket: &impl Bucket, job: &JobOf<Self>, parts: Vec<PartOf<Self>>) -> Result<(), JobError>;

    /// Deletes the objects of jobs of long ago: their ids, each with its parameters.
    ///
    /// # Errors
    /// If the bucket does not answer.
    async fn forget(bucket: &impl Bucket, jobs: &[(String, Self::Parameters)]) -> Result<(), JobError>;
}

/// A job of a kind.
pub type JobOf<K> = Job<<K as Kind>::Parameters, <K as Kind>::Notes>;

/// A part of a job of a kind.
pub type PartOf<K> = Part<<K as Kind>::Contents, <K as Kind>::Report>;

/// The report of a part, which is stored.
pub trait Report: Default + Serialize + DeserializeOwned {
    /// The report of a part that has failed too often. `None` for all of a job that could not be divided.
    fn given_up(part: Option<usize>) -> Self;

    /// The report of a job whose client was stopped.
    fn stopped() -> Self;

    /// The report of two parts.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Returns whether something has failed.
    fn has_faults(&self) -> bool;
}

/// The work that is done for the jobs of a kind. Each step may come again, and then has the same effect.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Work<K: Kind> {
    /// The input of the only part, which a plan has read already.
    type Input;
    /// The details of a part that the caller gets besides its report.
    type Details: Default;

    /// Divides a job into parts.
    ///
    /// # Errors
    /// If the bucket or a database does not answer. The plan may succeed later.
    async fn plan(&self, job: &JobOf<K>) -> Result<Plan<K, Self::Input>, JobError>;

    /// Does a part of a job.
    ///
    /// # Errors
    /// If the bucket or a database does not answer. The part may succeed later.
    async fn run(
        &self,
        job: &JobOf<K>,
        part: &PartOf<K>,
        input: Option<Self::Input>,
    ) -> Result<PartResult<K::Report, Self::Details>, JobError>;

    /// Concludes a job all of whose parts have reports, if its kind does so ([`Kind::CONCLUDES`]): says what is left to
    /// do. Until the job has ended it comes again with each message of the job.
    ///
    /// # Errors
    /// If the bucket or a database does not answer. It may succeed later.
    async fn conclude(&self, job: &JobOf<K>, parts: &[PartOf<K>]) -> Result<Conclusion<K::Contents>, JobError> {
        let _ = (job, parts);
        Ok(Conclusion::Ended)
    }
}

/// What is left to do for a job all of whose parts have reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conclusion<C> {
    /// Nothing: the job ends.
    Ended,
    /// Further parts with these contents.
    Further(Vec<C>),
}

/// The plan for a job.
#[derive(Debug)]
pub enum Plan<K: Kind, I> {
    /// The job is done as a whole, now.
    Whole(I),
    /// The job is done in parts.
    Parts {
        /// The contents of each part.
        parts: Vec<K::Contents>,
        /// See [`Kind::Notes`].
        notes: K::Notes,
        /// The report of the division.
        report: K::Report,
    },
    /// Nothing can be done for it.
    Refused(K::Report),
}

/// The result of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartResult<R, D> {
    /// The report.
    pub report: R,
    /// True if it has changed or removed records that were stored before, so that no replica may undo that.
    pub corrects: bool,
    /// See [`Work::Details`].
    pub details: D,
}

/// The progress that a message has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress<R, D> {
    /// There was nothing to do.
    None,
    /// The job was divided into this number of parts, of which the next has a message.
    Divided {
        /// The id of the job.
        job: String,
        /// The number of parts.
        parts: usize,
    },
    /// A part was done.
    Done(Box<DonePart<R, D>>),
}

/// A part of a job that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DonePart<R, D> {
    /// The id of the job.
    pub job: String,
    /// See [`Job::client`].
    pub client: Option<String>,
    /// The number of the part.
    pub part: usize,
    /// The report of the part.
    pub report: R,
    /// See [`Work::Details`].
    pub details: D,
}
