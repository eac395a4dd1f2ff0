//! The status of a job, as a client reads it.

use serde::Serialize;

use super::kind::{JobOf, Kind, PartOf, Report};
use fhir::instant;

/// The status of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobStatus<R> {
    /// The id of the job.
    pub id: String,
    /// `in-progress`, `completed`, or `completed-with-faults`.
    pub status: &'static str,
    /// The time when the job was accepted.
    pub created: String,
    /// The time when the last part was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// See [`Kind::bytes`].
    pub bytes: u64,
    /// The number of parts. `None` until the job has been divided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
    /// The number of parts that are done.
    pub parts_done: usize,
    /// The merged reports of these parts.
    #[serde(flatten)]
    pub report: R,
}

impl<R: Report> JobStatus<R> {
    /// Returns the status of a job with these parts.
    pub fn of<K: Kind<Report = R>>(job: &JobOf<K>, parts: Vec<PartOf<K>>) -> Self {
        // Part 0 is the division.
        let of_job = |part: &&PartOf<K>| part.number > 0;
        let all = parts.iter().filter(of_job).count();
        let done = parts.iter().filter(of_job).filter(|part| part.report.is_some()).count();
        let report = parts.into_iter().filter_map(|part| part.report).fold(R::default(), R::and);
        Self {
            id: job.id.clone(),
            status: match (job.ended_at, report.has_faults()) {
                (None, _) => "in-progress",
                (Some(_), false) => "completed",
                (Some(_), true) => "completed-with-faults",
            },
            created: instant(job.created_at),
            ended: job.ended_at.map(instant),
            bytes: K::bytes(&job.parameters),
            parts: job.is_divided.then_some(all),
            parts_done: done,
            report,
        }
    }
}
