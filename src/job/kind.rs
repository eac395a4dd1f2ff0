//! The traits that a user of the engine implements: a kind of jobs, and the work for these jobs.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::JobError;
use super::message::Message;
use super::ports::Bucket;
use super::record::{Backlog, Job, Part};

/// A kind of jobs: the stored types of a job, and the handling of its objects.
pub trait Kind {
    /// The parameters of a job.
    type Parameters: Serialize + DeserializeOwned;
    /// The notes that the division of a job makes for all parts.
    type Notes: Serialize + DeserializeOwned;
    /// The contents of a part.
    type Contents: Serialize + DeserializeOwned;
    /// The report of a part.
    type Report: Report;

    /// The name of the kind, in the column `kind` of its jobs.
    const NAME: &'static str;

    /// True if jobs of this kind store records. Such jobs are repeated after a restore of the records.
    const STORES_RECORDS: bool;

    /// True if [`Work::conclude`] decides when a job of this kind ends, and not its last part.
    const CONCLUDES: bool = false;

    /// The maximum backlog. Further jobs are refused until some jobs have ended.
    const MAX_WAITING: Backlog = Backlog { jobs: 1_000, bytes: 4 << 30, parts: 40_000 };

    /// The prefixes of the keys of objects that the server itself stores in the bucket for these jobs. Notifications of
    /// such objects begin no job.
    const PREFIXES: &'static [&'static str];

    /// Returns the message that continues a job or a part of it.
    fn message(job: String, part: Option<usize>) -> Message;

    /// Returns the bytes of a job, which count while it waits. 0 if the job has no bytes before it is done.
    fn bytes(parameters: &Self::Parameters) -> u64;

    /// Does the remaining work after the end of a job: writes its report, and deletes the objects that are no longer
    /// needed. It may be called twice.
    async fn finish_job(bucket: &impl Bucket, job: &JobOf<Self>, parts: Vec<PartOf<Self>>) -> Result<(), JobError>;

    /// Deletes the objects of old jobs, which are given by their ids and parameters.
    async fn forget(bucket: &impl Bucket, jobs: &[(String, Self::Parameters)]) -> Result<(), JobError>;
}

/// A job of a kind.
pub type JobOf<K> = Job<<K as Kind>::Parameters, <K as Kind>::Notes>;

/// A part of a job of a kind.
pub type PartOf<K> = Part<<K as Kind>::Contents, <K as Kind>::Report>;

/// The report of a part, which is stored.
pub trait Report: Default + Serialize + DeserializeOwned {
    /// Returns the report of a part that failed too often. `None` is a whole job that could not be divided.
    fn given_up(part: Option<usize>) -> Self;

    /// Returns the report of a job whose client was stopped.
    fn stopped() -> Self;

    /// Returns the merged report of two parts.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Returns whether the report has faults.
    fn has_faults(&self) -> bool;
}

/// The work for the jobs of a kind. Each step may be repeated, and must be idempotent.
pub trait Work<K: Kind> {
    /// The input of a single part, which the plan has already read.
    type Input;
    /// The details of a part that the caller gets in addition to its report.
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

    /// Concludes a job whose parts all have reports, if its kind concludes ([`Kind::CONCLUDES`]): returns the remaining
    /// work. It is called again at each message of the job until the job has ended.
    ///
    /// # Errors
    /// If the bucket or a database does not answer. It may succeed later.
    async fn conclude(&self, job: &JobOf<K>, parts: &[PartOf<K>]) -> Result<Conclusion<K::Contents>, JobError> {
        let _ = (job, parts);
        Ok(Conclusion::Ended)
    }
}

/// The remaining work of a job whose parts all have reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conclusion<C> {
    /// No work: the job ends.
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
    /// The job cannot be done.
    Refused(K::Report),
}

/// The result of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartResult<R, D> {
    /// The report.
    pub report: R,
    /// True if the part changed or removed stored records, so that no replica may undo the change.
    pub corrects: bool,
    /// See [`Work::Details`].
    pub details: D,
}

/// The progress that a message has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress<R, D> {
    /// There was nothing to do.
    None,
    /// The job was divided into this number of parts, and the next one has a message.
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
