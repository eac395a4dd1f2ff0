//! The reasons why a store does not answer.

use std::fmt::Display;

use chart::ChartError;
use database::DatabaseError;
use search::Param;

/// The reasons why a store does not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The authorization behind the token was revoked or has expired.
    #[error("the authorization has ended")]
    Revoked,
    /// The primary did not report whether the grant is active. The text is only for the log.
    #[error("{0}")]
    GrantStatus(String),
    /// The query would cost more than this store allows for one query.
    #[error("the query costs too much")]
    TooCostly,
    /// The records that the query needs were indexed before this parameter was added.
    #[error("the records are not indexed by {}", .0.name)]
    NotIndexed(&'static Param),
    /// The storage did not answer, or answered in an unexpected form. The text is only for the log.
    #[error("{0}")]
    Unavailable(String),
    /// A stored value cannot be read. The text is only for the log: it names the value by its table and key, or by its
    /// key in KV, and never contains any of its contents.
    #[error("{0}")]
    Damaged(String),
}

impl StoreError {
    /// Returns a function that makes the error of a damaged chart with this name or key.
    pub fn of_chart(name: &impl Display) -> impl FnOnce(ChartError) -> Self {
        move |ChartError(why)| Self::Damaged(format!("a stored chart, {name}: {why}"))
    }
}

impl From<DatabaseError> for StoreError {
    fn from(error: DatabaseError) -> Self {
        Self::Unavailable(error.detail)
    }
}

impl From<ChartError> for StoreError {
    fn from(error: ChartError) -> Self {
        Self::Damaged(format!("a stored chart: {}", error.0))
    }
}
