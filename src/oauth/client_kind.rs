//! The kinds of clients.

use serde::{Deserialize, Serialize};

/// The kinds of clients, by the credential that they can keep secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClientKind {
    /// A public client: it runs in a browser or on a phone, keeps no secret, and relies on PKCE.
    Public,
    /// A confidential client with a secret.
    Confidential,
    /// A confidential client with a private key.
    Asymmetric,
    /// A backend service with a secret or a private key. It acts for itself.
    Backend,
    /// A backend service that sends records and cannot read any.
    Ingest,
}
