//! The authorization request (RFC 6749, section 4.1.1; SMART App Launch, "Obtain authorization code") and the refusals
//! of one. [`SignIn`](crate::SignIn) checks it.

mod pkce;
mod redirect;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

pub use pkce::{holds, is_challenge};
pub use redirect::{VerifiedRedirect, encoded, form_of, is_loopback, with_parameters};

use super::error::AuthStoreError;
use super::launch_context::LaunchContext;
use super::request_fault::RequestFault;
use super::resource::Resource;
use fhir::Language;

/// The parameter with the languages that an app prefers, in order (OpenID Connect Core 1.0, section 3.1.2.1).
pub const UI_LOCALES: &str = "ui_locales";

/// A checked authorization request. It is stored until it is answered, so that no later request can change it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuthorizationRequest {
    /// The `client_id` of the app.
    pub client_id: String,
    /// The address of the response. It is verified again when the response is sent.
    pub redirect_uri: String,
    /// The `state` that the response repeats.
    pub state: String,
    /// The name of the client in its document. `None` for a registered client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// The resource that the tokens are for.
    #[serde(skip_serializing_if = "Resource::is_fhir")]
    pub resource: Resource,
    /// The requested scopes. Empty if they are the registered ones (`registered_scopes`).
    pub scope: String,
    /// The PKCE challenge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge: Option<String>,
    /// The `nonce` that the identity token repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// The hash of the parameter `launch`, in an EHR launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    /// The user who has to sign in: the user of the EHR in an EHR launch, or that of the app's `id_token_hint`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The id of the patient whose chart is open in the EHR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patient: Option<String>,
    /// The context of the EHR launch, besides the patient.
    #[serde(skip_serializing_if = "LaunchContext::is_empty")]
    pub context: LaunchContext,
    /// The parameter `prompt`: the pages that may or must be shown, such as `none`, `login` or `consent` (OpenID
    /// Connect Core 1.0, section 3.1.2.1).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// The parameter `login_hint` of the same section: the user who will probably sign in. It only fills in the name in
    /// the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The parameter `max_age` of the same section: the maximum number of seconds since the user's sign-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age: Option<i64>,
    /// The first language of the parameter `ui_locales` of the same section that is supported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The time of the user's sign-in, in seconds since 1970. It is set when the request is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_time: Option<i64>,
}

/// Deserializes through [`Value`], because the derived deserializer adds several KiB of code.
impl<'de> Deserialize<'de> for AuthorizationRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let maybe = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let text = |name: &str| maybe(name).unwrap_or_default();
        let of_context = |name: &str| value.get("context").and_then(|context| context.get(name));
        Ok(Self {
            client_id: text("client_id"),
            redirect_uri: text("redirect_uri"),
            state: text("state"),
            client_name: maybe("client_name"),
            resource: if text("resource") == "mcp" { Resource::Mcp } else { Resource::Fhir },
            scope: text("scope"),
            challenge: maybe("challenge"),
            nonce: maybe("nonce"),
            launch: maybe("launch"),
            user: maybe("user"),
            patient: maybe("patient"),
            context: LaunchContext {
                encounter: of_context("encounter").and_then(Value::as_str).map(str::to_owned),
                intent: of_context("intent").and_then(Value::as_str).map(str::to_owned),
                has_banner: of_context("has_banner").and_then(Value::as_bool).unwrap_or_default(),
            },
            prompt: text("prompt"),
            hint: maybe("hint"),
            max_age: value.get("max_age").and_then(Value::as_i64),
            language: maybe("language").as_deref().and_then(Language::parse),
            auth_time: value.get("auth_time").and_then(Value::as_i64),
        })
    }
}

impl AuthorizationRequest {
    /// Returns whether the parameter `prompt` contains that word.
    #[must_use]
    pub fn prompts(&self, word: &str) -> bool {
        self.prompt.split(' ').any(|own| own == word)
    }
}

/// The ways of refusing an authorization request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A page for the user, because the redirect address has not been verified.
    Page(RequestFault),
    /// An error response to the app.
    Redirect(Denial),
    /// The storage did not answer.
    Broken(AuthStoreError),
}

/// An error response to an app (RFC 6749, section 4.1.2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The address of the response.
    pub redirect: VerifiedRedirect,
    /// The `state` of the request. `None` if the request has none, or two.
    pub state: Option<String>,
    /// The error code (section 4.1.2.1; OpenID Connect Core 1.0, section 3.1.2.6; RFC 8707; RFC 9101).
    pub code: &'static str,
    /// A sentence for developers (`error_description`). It does not quote the request.
    pub description: &'static str,
}

impl Denial {
    /// Returns the redirect address with the error, and with the issuer (RFC 9207).
    pub fn address(&self, issuer: &str) -> String {
        let mut parameters = vec![("error", self.code), ("error_description", self.description)];
        parameters.extend(self.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", issuer));
        self.redirect.with(&parameters)
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
            client_name: one("n"),
            resource: Resource::Mcp,
            scope: "openid".to_owned(),
            challenge: one("c"),
            nonce: one("n"),
            launch: one("l"),
            user: one("u"),
            patient: one("p"),
            context: LaunchContext { encounter: one("e"), intent: one("i"), has_banner: true },
            prompt: "login consent".to_owned(),
            hint: one("h"),
            max_age: Some(0),
            language: Some(Language::Spanish),
            auth_time: Some(1_800_000_000),
        };
        for request in [whole, AuthorizationRequest::default()] {
            let text = serde_json::to_string(&request).unwrap();
            assert_eq!(serde_json::from_str::<AuthorizationRequest>(&text).unwrap(), request);
        }
        assert!(serde_json::from_str::<AuthorizationRequest>("{").is_err());
    }
}
