//! Errors of the authorization server (RFC 6749, section 5.2). Status codes are written here and in `api/problem.rs`
//! only.

use super::crypto::CryptoError;

/// The error codes of RFC 6749 and RFC 6750 that clients hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OAuthErrorCode {
    /// The request is not well formed.
    InvalidRequest,
    /// The client is not who it says, or does not say it.
    InvalidClient,
    /// What is exchanged is not good: unknown, spent, ended, withdrawn, or another's.
    InvalidGrant,
    /// The client may not ask in this way.
    UnauthorizedClient,
    /// No such way to ask.
    UnsupportedGrantType,
    /// A scope that is unknown, or for which the client is not approved.
    InvalidScope,
    /// No access token, or one that is not good (RFC 6750, section 3.1).
    InvalidToken,
    /// An access token that does not open this (RFC 6750, section 3.1).
    InsufficientScope,
    /// There were too many wrong attempts.
    TooManyRequests,
    /// Something here broke.
    ServerError,
}

impl OAuthErrorCode {
    /// The code as it stands in the answer.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidToken => "invalid_token",
            Self::InsufficientScope => "insufficient_scope",
            Self::TooManyRequests => "temporarily_unavailable",
            Self::ServerError => "server_error",
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidClient | Self::InvalidToken => 401,
            Self::InsufficientScope => 403,
            Self::TooManyRequests => 429,
            Self::ServerError => 500,
            Self::InvalidRequest
            | Self::InvalidGrant
            | Self::UnauthorizedClient
            | Self::UnsupportedGrantType
            | Self::InvalidScope => 400,
        }
    }
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthError {
    /// Which.
    pub code: OAuthErrorCode,
    /// A sentence for the developer. It quotes nothing of the request.
    pub description: &'static str,
    /// When to try again, in seconds.
    pub retry_after: Option<i64>,
    /// For the log alone.
    pub detail: Option<String>,
}

impl OAuthError {
    /// A refusal with that sentence.
    #[must_use]
    pub const fn new(code: OAuthErrorCode, description: &'static str) -> Self {
        Self { code, description, retry_after: None, detail: None }
    }

    /// The body of the answer.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::json!({"error": self.code.code(), "error_description": self.description}).to_string()
    }
}

/// What broke is for the log; the client may try again.
fn broken(detail: String) -> OAuthError {
    let refusal =
        OAuthError::new(OAuthErrorCode::ServerError, "the request could not be answered; it may succeed later");
    OAuthError { detail: Some(detail), ..refusal }
}

/// What the storage said instead. For the log alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthStoreError(pub String);

impl From<AuthStoreError> for OAuthError {
    fn from(error: AuthStoreError) -> Self {
        broken(error.0)
    }
}

impl From<CryptoError> for OAuthError {
    fn from(error: CryptoError) -> Self {
        broken(error.0)
    }
}
