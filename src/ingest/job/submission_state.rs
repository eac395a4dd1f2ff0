//! The statements of submissions that run together with those of jobs (`migrations/0019_submissions.sql`).

use crate::database::Statement;
use crate::fhir::Micros;
use crate::job::{KEPT, STALLED, before, statement};

/// The time for which the headers of a submission that is not completed are kept: a day.
const HEADERS_KEPT: Micros = 24 * 3_600 * 1_000_000;
/// The most submissions that are gone on with in one run.
const MOST_SUBMISSIONS: usize = 100;

/// Selects the files of submissions that are still to be fetched, whose size is not known.
pub const WAITING: &str = "SELECT s.client, 0 FROM submission s JOIN submission_file f ON f.submission = s.id \
                           WHERE s.status = 'completed' AND s.fetched = 0 AND f.job IS NULL AND f.fault IS NULL";

/// The statements that end the submissions of a client that is stopped. The headers, which may hold secrets, are
/// deleted.
pub fn stop(client: &str) -> Vec<Statement> {
    let of_client = "SELECT id FROM submission WHERE client = ?1";
    let end =
        format!("UPDATE submission SET status = 'stopped', fetched = 1 WHERE fetched = 0 AND id IN ({of_client})");
    let headers = format!("UPDATE submission_manifest SET headers = '{{}}' WHERE submission IN ({of_client})");
    [end, headers].map(|text| statement(&text, [client.to_owned()])).into()
}

/// The statements of a run of the cron trigger. The first selects the submissions without progress; the others forget
/// the headers of submissions that were not completed in time, and submissions of long ago.
pub fn sweep(now: Micros) -> Vec<Statement> {
    let stalled = format!(
        "SELECT id FROM submission WHERE status = 'completed' AND fetched = 0 AND touched_at < ?1 LIMIT {MOST_SUBMISSIONS}"
    );
    let headers = "UPDATE submission_manifest SET headers = '{}' WHERE submission IN \
                   (SELECT id FROM submission WHERE status = 'in-progress' AND touched_at < ?1)";
    let of_old = |table: &str, column: &str| {
        let old = "SELECT id FROM submission WHERE created_at < ?1";
        before(&format!("DELETE FROM {table} WHERE {column} IN ({old})"), now - KEPT)
    };
    vec![
        before(&stalled, now - STALLED),
        before(headers, now - HEADERS_KEPT),
        of_old("submission_file", "submission"),
        of_old("submission_manifest", "submission"),
        of_old("submission", "id"),
    ]
}
