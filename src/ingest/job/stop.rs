//! The end of the jobs of a client that the operator stops.

use crate::database::Statement;
use crate::ingest::report::FileReport;
use crate::job::{Report, end_of_jobs, statement};

/// The statements that end the jobs and the submissions of a client that is stopped. The headers of submissions, which
/// may hold secrets, are deleted.
#[must_use]
pub fn stop_client(client: &str) -> Vec<Statement> {
    let of_client = "SELECT id FROM submission WHERE client = ?1";
    let report = FileReport::stopped();
    let mut all = end_of_jobs("SELECT id FROM job WHERE client = ?1", client, &report, "unixepoch() * 1000000");
    let end =
        format!("UPDATE submission SET status = 'stopped', fetched = 1 WHERE fetched = 0 AND id IN ({of_client})");
    let headers = format!("UPDATE submission_manifest SET headers = '{{}}' WHERE submission IN ({of_client})");
    all.extend([end, headers].map(|text| statement(&text, [client.to_owned()])));
    all
}
