//! Errors of stored charts.

/// The reason why stored bytes are not a chart. Only for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ChartError(pub String);

impl ChartError {
    pub(super) fn new(text: &str) -> Self {
        Self(text.to_owned())
    }
}
