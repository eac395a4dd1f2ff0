//! Jobs and their parts, as they are stored.

use fhir::Micros;

/// A job. `P` says what it is about, and `N` is what its division notes for all parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job<P, N> {
    /// The id.
    pub id: String,
    /// The parameters.
    pub parameters: P,
    /// The client that has begun it, if one has.
    pub client: Option<String>,
    /// The time when it was accepted.
    pub created_at: Micros,
    /// The notes of its division for all parts, if it has been divided.
    pub notes: Option<N>,
    /// True if the operator has stopped the client.
    pub is_stopped: bool,
    /// True if its parts are known.
    pub is_divided: bool,
    /// The time when all parts were done.
    pub ended_at: Option<Micros>,
}

impl<P, N> Job<P, N> {
    /// A new job, which nothing was done for.
    pub const fn new(id: String, client: Option<String>, parameters: P, created_at: Micros) -> Self {
        let (is_stopped, is_divided) = (false, false);
        Self { id, parameters, client, created_at, notes: None, is_stopped, is_divided, ended_at: None }
    }
}

/// A part of a job. `C` says what it consists of, and `R` is a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<C, R> {
    /// The number. Part 0 is the division itself, and the others count from 1.
    pub number: usize,
    /// The contents. `None` if it is the whole job.
    pub contents: Option<C>,
    /// The times that it was begun.
    pub tries: usize,
    /// The report, after it was done.
    pub report: Option<R>,
}

/// A part of a job that is divided.
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

/// The jobs that have not ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    /// The number.
    pub jobs: u64,
    /// The bytes ([`super::Kind::bytes`]).
    pub bytes: u64,
    /// The parts that are not done.
    pub parts: u64,
}

impl Backlog {
    /// Returns whether it has come to this part of the most that may wait.
    pub(super) const fn is_full(self, most: Self, share: u64) -> bool {
        self.jobs >= most.jobs / share || self.bytes >= most.bytes / share || self.parts >= most.parts / share
    }
}

/// The jobs and limits that decide whether a job is accepted.
#[derive(Debug)]
pub struct EarlierJobs<P, N> {
    /// The job of an earlier request.
    pub job: Option<Job<P, N>>,
    /// True if the operator has stopped the client.
    pub is_stopped: bool,
    /// The backlog of all clients.
    pub all: Backlog,
    /// The backlog of this one.
    pub own: Backlog,
}

/// The jobs that a run of the cron trigger takes up or forgets.
#[derive(Debug)]
pub struct Stalled<P> {
    /// The ids of those without progress.
    pub jobs: Vec<String>,
    /// The ids of those of long ago, each with its parameters.
    pub forgotten: Vec<(String, P)>,
}
