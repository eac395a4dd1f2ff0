//! The authorization request (RFC 6749, section 4.1.1; SMART App Launch, "Obtain authorization code"): an ordered list of
//! small checks. Before the redirect address is verified a refusal is a page of ours; after it, the app hears of it there.

mod pkce;
mod redirect;
mod request;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

pub use pkce::{holds, is_challenge};
pub use redirect::{VerifiedRedirect, with_parameters};
pub use request::{checked, registered_scopes};

use super::error::AuthStoreError;

/// A request that was found good, as it is kept until it is answered: nothing of it is read from an address again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuthorizationRequest {
    /// Who asks.
    pub client_id: String,
    /// Where the answer goes. It is verified again when it does.
    pub redirect_uri: String,
    /// What the app is to hear again.
    pub state: String,
    /// The scopes that are asked for; nothing where they are those of the registration (`registered_scopes`).
    pub scope: String,
    /// The PKCE challenge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge: Option<String>,
    /// What the identity token is to say again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// The hash of the launch handle, in an EHR launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    /// The user of that EHR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The patient whose chart is open there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patient: Option<String>,
    /// What of the pages may or must be shown, in words: `none`, `login`, `consent` (OpenID Connect Core 1.0, section
    /// 3.1.2.1).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// Who will probably sign in, as the app says: `login_hint` of the same section. It fills in a form and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// When the user signed in who answered it, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_time: Option<i64>,
}

/// Through [`Value`]: a struct's own deserializer is several KiB of code.
impl<'de> Deserialize<'de> for AuthorizationRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let maybe = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let text = |name: &str| maybe(name).unwrap_or_default();
        Ok(Self {
            client_id: text("client_id"),
            redirect_uri: text("redirect_uri"),
            state: text("state"),
            scope: text("scope"),
            challenge: maybe("challenge"),
            nonce: maybe("nonce"),
            launch: maybe("launch"),
            user: maybe("user"),
            patient: maybe("patient"),
            prompt: text("prompt"),
            hint: maybe("hint"),
            auth_time: value.get("auth_time").and_then(Value::as_i64),
        })
    }
}

impl AuthorizationRequest {
    /// Returns whether that word stands in its `prompt`.
    #[must_use]
    pub fn prompts(&self, word: &str) -> bool {
        self.prompt.split(' ').any(|own| own == word)
    }
}

/// What an app hears instead of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DenialCode {
    /// RFC 6749, section 4.1.2.1.
    InvalidRequest,
    /// The client may not ask in this way.
    UnauthorizedClient,
    /// The user said no, or may not say yes.
    AccessDenied,
    /// Something else than a code is asked for.
    UnsupportedResponseType,
    /// A scope that is unknown, or that the client is not approved for.
    InvalidScope,
    /// RFC 8707: another server.
    InvalidTarget,
    /// OpenID Connect: nothing may be shown, but a sign-in is needed.
    LoginRequired,
    /// The same, for the question for consent.
    ConsentRequired,
    /// The same, for the choice of a patient.
    InteractionRequired,
    /// RFC 9101: no request objects.
    RequestNotSupported,
    /// The same, by reference.
    RequestUriNotSupported,
    /// Something here broke.
    ServerError,
}

impl DenialCode {
    /// As it stands in the answer.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::AccessDenied => "access_denied",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::LoginRequired => "login_required",
            Self::ConsentRequired => "consent_required",
            Self::InteractionRequired => "interaction_required",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
            Self::ServerError => "server_error",
        }
    }
}

/// Why a request leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The app cannot be told: its user is. The sentence is for both.
    Page(&'static str),
    /// The app is told.
    Redirect(Denial),
    /// The storage did not answer.
    Broken(AuthStoreError),
}

/// An error on its way to an app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Where to.
    pub redirect: VerifiedRedirect,
    /// What the app is to hear again; nothing where it sent none, or two.
    pub state: Option<String>,
    /// Which.
    pub code: DenialCode,
    /// A sentence for the developer. It quotes nothing of the request.
    pub description: &'static str,
}

impl Denial {
    /// The address that tells the app, and who says it (RFC 9207).
    #[must_use]
    pub fn address(&self, issuer: &str) -> String {
        let mut parameters = vec![("error", self.code.code()), ("error_description", self.description)];
        parameters.extend(self.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", issuer));
        self.redirect.with(&parameters)
    }
}

impl From<AuthStoreError> for Refusal {
    fn from(error: AuthStoreError) -> Self {
        Self::Broken(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_as_it_was_stored() {
        let one = |name: &str| Some(name.to_owned());
        let whole = AuthorizationRequest {
            client_id: "a".to_owned(),
            redirect_uri: "https://app.example/cb".to_owned(),
            state: "s\u{0}\"é".to_owned(),
            scope: "openid".to_owned(),
            challenge: one("c"),
            nonce: one("n"),
            launch: one("l"),
            user: one("u"),
            patient: one("p"),
            prompt: "login consent".to_owned(),
            hint: one("h"),
            auth_time: Some(1_800_000_000),
        };
        for request in [whole, AuthorizationRequest::default()] {
            let text = serde_json::to_string(&request).unwrap();
            assert_eq!(serde_json::from_str::<AuthorizationRequest>(&text).unwrap(), request);
        }
        assert!(serde_json::from_str::<AuthorizationRequest>("{").is_err());
    }
}
