//! SQL statements.

/// The longest statement that D1 accepts, in bytes (<https://developers.cloudflare.com/d1/platform/limits/>).
pub const MAX_STATEMENT_LENGTH: usize = 100_000;

/// A statement and the values of its parameters `?1`, `?2` …. The values are text, so that no runtime rounds a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The SQL text.
    pub text: String,
    /// The values, in order.
    pub binds: Vec<String>,
}
