//! The resources that were deleted, in the order of their references.

use crate::database::Statement;
use crate::fhir::Micros;

/// The most rows of an answer.
pub const MOST_DELETED: usize = 1_000;

/// The statement for the resources that this server deleted after `since` and before `until`, whose references come
/// after a text: [`MOST_DELETED`] rows with the column `reference`. Those of which the time is not known are among them.
#[must_use]
pub fn select_deleted(since: Option<Micros>, until: Option<Micros>, after: &str) -> Statement {
    let text = format!(
        "SELECT reference FROM deleted WHERE reference > ?1 AND (changed_at = 0 OR changed_at > CAST(?2 AS INTEGER)) \
         AND changed_at < CAST(?3 AS INTEGER) ORDER BY reference LIMIT {MOST_DELETED}"
    );
    let [since, until] = [since.unwrap_or(Micros::MIN), until.unwrap_or(Micros::MAX)].map(|time| time.to_string());
    Statement { text, binds: vec![after.to_owned(), since, until] }
}
