//! SMART Health Links, as a trait of the auth store.

use super::error::AuthStoreError;

/// A link by which a user shares a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HealthLink {
    /// The hash of the last part of its address.
    pub id: String,
    /// The user who made it.
    pub user: String,
    /// The id of the patient.
    pub patient: String,
    /// The words of the user about it.
    pub label: String,
    /// The keyed hash of its passcode. Empty if it has none.
    pub passcode: String,
    /// The number of wrong passcodes that are left. At 0 it no longer opens.
    pub attempts: u32,
    /// The time at which it was made, in seconds since 1970.
    pub created_at: i64,
    /// The time at which it expires, in seconds since 1970.
    pub expires_at: i64,
    /// The encrypted file, whose key is not stored. Empty if it was not asked for, or the caller may not have it.
    pub file: String,
}

/// The key of a caller that has no passcode for a link with one. No hash of a passcode is equal to it.
pub const NO_PASSCODE: &str = "-";
/// The key of a caller with a single-use address of the file.
pub const TICKET: &str = "+";

/// The most links of a user that have not expired.
pub const MAX_LINKS: usize = 20;

/// The links of the auth store.
pub trait HealthLinks {
    /// Stores a link. Returns `false`, and changes nothing, if the user has [`MAX_LINKS`].
    async fn add_link(&self, link: &HealthLink) -> Result<bool, AuthStoreError>;

    /// Returns a link by the hash of its address, and its file if `key` opens it: the keyed hash of a passcode, a
    /// constant of this module, or an empty text for a link without a passcode. A wrong passcode is counted by the
    /// statement that compares it. `None` if the link has expired, has no attempts left or is opened by a key of
    /// another kind, or if its user may no longer see the patient.
    async fn open_link(&self, id: &str, key: &str, now: i64) -> Result<Option<HealthLink>, AuthStoreError>;

    /// Returns the links of a user that have not expired, the newest first.
    async fn links_of(&self, user: &str, now: i64) -> Result<Vec<HealthLink>, AuthStoreError>;

    /// Deletes a link of a user with its file, and returns it. `None` if the user has no such link.
    async fn end_link(&self, user: &str, id: &str) -> Result<Option<HealthLink>, AuthStoreError>;
}
