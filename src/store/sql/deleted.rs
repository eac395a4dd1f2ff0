//! The deleted resources.

use database::Statement;
use fhir::Micros;

/// Returns the statement for the resources that this server deleted after `since` and before `until`, with the column
/// `reference`, in order.
pub fn select_deleted(since: Option<Micros>, until: Option<Micros>) -> Statement {
    let text = "SELECT reference FROM deleted WHERE changed_at > CAST(?1 AS INTEGER) \
        AND changed_at < CAST(?2 AS INTEGER) ORDER BY reference";
    let [since, until] = [since.unwrap_or(Micros::MIN), until.unwrap_or(Micros::MAX)].map(|time| time.to_string());
    Statement { text: text.to_owned(), binds: vec![since, until] }
}
