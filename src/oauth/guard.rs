//! What keeps guesses and replays out must be remembered: a port of its own, which the same D1 answers that keeps the
//! ledger. A guess costs a write only where it was wrong.

use super::ledger::LedgerError;

/// What protection remembers.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Guard {
    /// Spends the identifier of a client's assertion. `false` where it was spent before.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn spend(&self, client: &str, jti: &str, until: i64) -> Result<bool, LedgerError>;

    /// How many wrong guesses there were under that name in its present window, and when the window ends.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn wrong_guesses(&self, name: &str, now: i64) -> Result<Option<Window>, LedgerError>;

    /// Counts a wrong guess under that name; a window that begins with it ends at `until`.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn count_wrong_guess(&self, name: &str, now: i64, until: i64) -> Result<(), LedgerError>;
}

/// Wrong guesses in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// How many.
    pub count: u32,
    /// When it ends, in seconds since 1970.
    pub until: i64,
}
