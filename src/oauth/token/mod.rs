//! The token endpoint (RFC 6749, section 3.2): a code, a refresh token, or a client that acts for itself.

mod client_credentials;
mod code;
mod refresh;

use super::access_token::AccessClaims;
use super::auth_store::{AuthStore, GrantRow, NextRefreshToken, SESSION_IDLE};
use super::client::Client;
use super::client_kind::ClientKind;
use super::crypto::Crypto;
use super::documents::Fetch;
use super::error::{OAuthError, OAuthErrorCode};
use super::event::EventContext;
use super::grant_type::GrantType;
use super::guesses::Guard;
use super::resource::Resource;
use super::secret::{hashed, token_of};
use super::service::{TokenRequest, TokenService};
use smart::ScopeSet;

/// The life of the access token of a public client, and of other clients, in seconds.
const PUBLIC_LIFE: i64 = 900;
const CONFIDENTIAL_LIFE: i64 = 3_600;
/// The seconds of a day.
const DAY: i64 = 24 * 3_600;

/// A token response (RFC 6749, section 5.1), with the launch context of SMART.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct TokenResponse {
    pub access_token: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// The life of the access token, in seconds.
    pub expires_in: i64,
    /// The granted scopes, separated by blanks.
    pub scope: String,
    /// The refresh token, with `offline_access` or `online_access`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// The identity token, with `openid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
    /// The id of the patient in context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patient: Option<String>,
    /// The id of the encounter in context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encounter: Option<String>,
    /// True if the app must show the patient's identity, because no EHR shows it (SMART App Launch,
    /// "need_patient_banner").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub need_patient_banner: Option<bool>,
    /// The `intent` of the EHR launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// The address of the colours and the typeface of this server (SMART App Launch, "smart_style_url"). `None` for a
    /// token without a user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smart_style_url: Option<String>,
    /// The client, user and patient of the token, for the audit log.
    #[serde(skip)]
    pub about: EventContext,
}

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    /// Answers a token request.
    ///
    /// # Errors
    /// If no token can be issued for the request.
    pub async fn answer(&self, request: &TokenRequest<'_>) -> Result<TokenResponse, OAuthError> {
        use OAuthErrorCode::{InvalidRequest, UnsupportedGrantType};
        request.check_unique()?;
        let name = request.get("grant_type").ok_or(OAuthError::new(InvalidRequest, "grant_type is missing"))?;
        let unknown = OAuthError::new(UnsupportedGrantType, "the grant_type is not supported");
        match GrantType::parse(name).ok_or(unknown)? {
            GrantType::AuthorizationCode => self.authorization_code(request).await,
            GrantType::RefreshToken => self.refresh_token(request).await,
            GrantType::ClientCredentials => self.client_credentials(request).await,
        }
    }

    /// Issues an access token for an authorization of a client, for `life` seconds.
    fn access(
        &self,
        grant: &GrantRow,
        scopes: &ScopeSet,
        life: i64,
        client: &Client,
    ) -> Result<TokenResponse, OAuthError> {
        let (resource, fhir_user) = (Resource::of_grant(&grant.id), self.fhir_user(grant, scopes));
        let claims = AccessClaims {
            iss: self.issuer.to_owned(),
            aud: resource.audience(self.issuer, self.audience),
            sub: grant.subject.clone().unwrap_or_else(|| grant.client.clone()),
            client_id: grant.client.clone(),
            // Repeated refreshes have the same random bytes, and may differ in their scopes.
            jti: token_of(self.random, &format!("access {scopes}")),
            scope: scopes.to_string(),
            grant_id: Some(grant.id.clone()),
            patient: grant.patient.clone(),
            encounter: grant.context.encounter.clone(),
            // It is relative to the FHIR base, which is not the audience of a token for `/mcp`.
            fhir_user: if resource.is_fhir() { fhir_user } else { fhir_user.and(grant.fhir_user.clone()) },
            groups: client.groups.clone(),
            purpose: client.purpose.clone(),
        };
        let access_token = self.keys.sign(claims, self.now, self.now + life).map_err(|error| OAuthError {
            detail: Some(error),
            ..OAuthError::new(OAuthErrorCode::ServerError, "the token could not be signed")
        })?;
        Ok(TokenResponse {
            access_token,
            token_type: "Bearer",
            expires_in: life,
            scope: scopes.to_string(),
            patient: grant.patient.clone(),
            encounter: grant.context.encounter.clone(),
            need_patient_banner: grant.patient.as_ref().map(|_| !grant.context.has_banner),
            intent: grant.context.intent.clone(),
            smart_style_url: grant.subject.as_ref().map(|_| format!("{}{}", self.issuer, self.style_path)),
            about: grant.clone().into(),
            ..TokenResponse::default()
        })
    }

    /// Returns the address of the user's own resource, if the app may know the user.
    fn fhir_user(&self, grant: &GrantRow, scopes: &ScopeSet) -> Option<String> {
        let resource = grant.fhir_user.as_ref().filter(|_| scopes.has("fhirUser") || scopes.has("profile"))?;
        Some(format!("{}/{resource}", self.audience))
    }

    /// Revokes an authorization whose code or refresh token was used twice, because two parties have seen it. The event
    /// is logged.
    async fn revoke_reused(&self, grant: &GrantRow, refused: OAuthError) -> Result<OAuthError, OAuthError> {
        self.auth_store.revoke(&grant.id, self.now).await?;
        let detail = format!("reuse detected: the authorization {:?} of {:?} was withdrawn", grant.id, grant.client);
        Ok(OAuthError { detail: Some(detail), ..refused })
    }

    /// Creates a refresh token, and its stored form.
    fn successor(&self) -> (String, NextRefreshToken) {
        let token = token_of(self.random, "refresh");
        let id = hashed(&token);
        (token, NextRefreshToken { id, expires_at: self.now + self.refresh_days * DAY })
    }
}

/// Returns the life of a user's access token, in seconds. It is short for an online grant, so that an active app
/// refreshes the token, and thereby uses the session, before the session ends. Each call of `/mcp` asks whether the
/// authorization is active, so its tokens may live longer.
fn life(client: &Client, grant: &GrantRow) -> i64 {
    let life = match client.kind {
        ClientKind::Public if Resource::of_grant(&grant.id).is_fhir() => PUBLIC_LIFE,
        ClientKind::Public
        | ClientKind::Confidential
        | ClientKind::Asymmetric
        | ClientKind::Backend
        | ClientKind::Ingest => CONFIDENTIAL_LIFE,
    };
    if grant.online { life.min(SESSION_IDLE / 2) } else { life }
}
