//! What the authorization server must remember, as a port: a host keeps it in D1.

use super::client::Client;

/// An authorization that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRow {
    /// Its name in the tokens that stem from it.
    pub id: String,
    /// The client that holds it.
    pub client: String,
    /// The user who gave it; none where the client acts for itself.
    pub subject: Option<String>,
    /// When it was given, in seconds since 1970.
    pub created_at: i64,
    /// When the last of it ends.
    pub expires_at: i64,
}

/// Where the authorization server keeps what it must remember.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Ledger {
    /// The client of that identifier.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn client(&self, id: &str) -> Result<Option<Client>, LedgerError>;

    /// Remembers an authorization.
    ///
    /// # Errors
    /// Where the storage does not answer.
    async fn grant(&self, row: GrantRow) -> Result<(), LedgerError>;
}

/// What the storage said instead. For the log alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerError(pub String);
