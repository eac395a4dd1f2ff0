//! The stored form of jobs and their parts.

use fhir::Micros;

/// A job. `P` is the type of its parameters, and `N` that of the notes of its division for all parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job<P, N> {
    /// The id.
    pub id: String,
    /// The parameters.
    pub parameters: P,
    /// The client that began the job, if it was a client.
    pub client: Option<String>,
    /// The time when the job was accepted.
    pub created_at: Micros,
    /// The notes of the division for all parts, if the job has been divided.
    pub notes: Option<N>,
    /// True if the operator has stopped the client.
    pub is_stopped: bool,
    /// True if the parts of the job are known.
    pub is_divided: bool,
    /// The time when all parts were done.
    pub ended_at: Option<Micros>,
}

impl<P, N> Job<P, N> {
    /// Makes a new job, for which nothing has been done yet.
    pub const fn new(id: String, client: Option<String>, parameters: P, created_at: Micros) -> Self {
        let (is_stopped, is_divided) = (false, false);
        Self { id, parameters, client, created_at, notes: None, is_stopped, is_divided, ended_at: None }
    }
}

/// A part of a job. `C` is the type of its contents, and `R` that of its report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<C, R> {
    /// The number. Part 0 is the division itself, and the others count from 1.
    pub number: usize,
    /// The contents. `None` if the part is the whole job.
    pub contents: Option<C>,
    /// The number of times that the part was begun.
    pub tries: usize,
    /// The report, if the part is done.
    pub report: Option<R>,
}

/// A new part of a job that is being divided.
#[derive(Debug)]
pub struct NewPart<'a, C, R> {
    /// See [`Part::number`].
    pub number: usize,
    /// See [`Part::contents`].
    pub contents: Option<&'a C>,
    /// See [`Part::report`].
    pub report: Option<&'a R>,
}

impl<C, R> NewPart<'_, C, R> {
    /// The part of a job that is done as a whole.
    pub const WHOLE: Self = Self { number: 1, contents: None, report: None };
}

/// The limits of the jobs of a kind that have not ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    /// The number of jobs.
    pub jobs: u64,
    /// The number of bytes ([`super::Kind::bytes`]).
    pub bytes: u64,
    /// The number of parts that are not done.
    pub parts: u64,
}

/// The jobs and limits that decide whether a job is accepted.
#[derive(Debug)]
pub struct EarlierJobs<P, N> {
    /// The job of an earlier request.
    pub job: Option<Job<P, N>>,
    /// True if the operator has stopped the client.
    pub is_stopped: bool,
    /// True if too many jobs are waiting, of all clients or of this one.
    pub is_full: bool,
}

/// The jobs that a run of the cron trigger continues or forgets.
#[derive(Debug)]
pub struct Stalled<P> {
    /// The ids of jobs without progress.
    pub jobs: Vec<String>,
    /// The ids of old jobs, each with its parameters.
    pub forgotten: Vec<(String, P)>,
}
