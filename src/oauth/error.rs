//! Errors of the authorization server (RFC 6749, section 5.2). Only this file and `api/http/problem.rs` have status
//! codes.

use super::crypto::CryptoError;

/// The error codes that clients receive (RFC 6749, section 5.2; RFC 6750, section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OAuthErrorCode {
    /// The request is malformed.
    InvalidRequest,
    /// The client authentication failed or is missing.
    InvalidClient,
    /// The code or refresh token is unknown, redeemed, expired, revoked, or of another client.
    InvalidGrant,
    /// The client may not use this grant type.
    UnauthorizedClient,
    /// The grant type is not supported.
    UnsupportedGrantType,
    /// A scope is unknown, or the client is not approved for it.
    InvalidScope,
    /// The parameter `resource` is not of the authorization (RFC 8707, section 2).
    InvalidTarget,
    /// No redirect address is accepted (RFC 7591, section 3.2.2).
    InvalidRedirectUri,
    /// The access token is missing or invalid (RFC 6750, section 3.1).
    InvalidToken,
    /// The access token does not permit the request (RFC 6750, section 3.1).
    InsufficientScope,
    /// There were too many wrong attempts.
    TooManyRequests,
    /// An internal error.
    ServerError,
}

impl OAuthErrorCode {
    /// Returns the value of the member `error`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidToken => "invalid_token",
            Self::InsufficientScope => "insufficient_scope",
            Self::TooManyRequests => "temporarily_unavailable",
            Self::ServerError => "server_error",
        }
    }

    /// Returns the HTTP status.
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
            | Self::InvalidScope
            | Self::InvalidTarget
            | Self::InvalidRedirectUri => 400,
        }
    }
}

/// An error response of an OAuth endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthError {
    /// The error code.
    pub code: OAuthErrorCode,
    /// A sentence for developers (`error_description`). It does not quote the request.
    pub description: &'static str,
    /// The seconds until the client may try again (`Retry-After`).
    pub retry_after: Option<i64>,
    /// Details, only for the log.
    pub detail: Option<String>,
}

impl OAuthError {
    /// Creates an error without details for the log.
    pub const fn new(code: OAuthErrorCode, description: &'static str) -> Self {
        Self { code, description, retry_after: None, detail: None }
    }

    /// Returns the JSON body of the response (RFC 6749, section 5.2).
    pub fn to_json(&self) -> String {
        serde_json::json!({"error": self.code.code(), "error_description": self.description}).to_string()
    }
}

/// Returns an internal error. The detail is only logged; the client may try again.
fn broken(detail: String) -> OAuthError {
    let refusal =
        OAuthError::new(OAuthErrorCode::ServerError, "the request could not be answered; it may succeed later");
    OAuthError { detail: Some(detail), ..refusal }
}

/// The error message of the storage, only for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
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
