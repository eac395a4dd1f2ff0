//! The reasons for which a store does not answer.

use std::fmt::Display;

use chart::ChartError;
use database::DatabaseError;
use search::Param;

/// The reasons for which a store does not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreError {
    /// The authorization behind the token was revoked or has expired.
    Revoked,
    /// The primary did not say whether the grant is active. The text is for the log alone.
    GrantStatus(String),
    /// The query would cost more than this store allows for one.
    TooCostly,
    /// The records that the query asks for were indexed before this parameter was added.
    NotIndexed(&'static Param),
    /// The storage did not answer, or answered in an unexpected form. The text is for the log alone.
    Unavailable(String),
    /// A stored value cannot be read. The text is for the log alone: it names the value by its table and key, or by its
    /// key in KV, and has nothing of its contents.
    Damaged(String),
}

impl StoreError {
    /// Makes the error of the stored chart with this name or key, which cannot be read.
    pub fn of_chart(name: &impl Display) -> impl FnOnce(ChartError) -> Self {
        move |ChartError(why)| Self::Damaged(format!("a stored chart, {name}: {why}"))
    }

    /// The text for the log.
    #[must_use]
    pub fn into_detail(self) -> String {
        match self {
            Self::GrantStatus(detail) | Self::Unavailable(detail) | Self::Damaged(detail) => detail,
            Self::Revoked | Self::TooCostly | Self::NotIndexed(_) => "no answer".to_owned(),
        }
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
