//! Errors of a writer.

use crate::catalogue::Damage;
use chart::ChartError;

/// The reason why records cannot be written: stored data are damaged, or a chart would become too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct WriteError {
    /// The reason, for people.
    pub why: String,
    /// The number of the compartment, if only one is concerned.
    pub compartment: Option<i64>,
    /// True if a stored chart cannot be read.
    pub is_damage: bool,
}

impl From<WriteError> for Damage {
    fn from(error: WriteError) -> Self {
        Self(error.why)
    }
}

impl WriteError {
    /// Creates an error that concerns more than one compartment.
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), compartment: None, is_damage: false }
    }

    /// Returns a function that makes the error of a damaged chart of that compartment.
    pub fn of_chart(n: i64) -> impl FnOnce(ChartError) -> Self {
        move |ChartError(why)| Self { why: format!("a stored chart: {why}"), compartment: Some(n), is_damage: true }
    }

    /// Returns the error that a chart of that compartment would become too large.
    pub fn too_large(n: i64) -> Self {
        Self { why: "the chart of the patient becomes too large".to_owned(), compartment: Some(n), is_damage: false }
    }
}
