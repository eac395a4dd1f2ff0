//! The token endpoint (RFC 6749, section 3.2): for now a client that acts for itself.

use super::client::GrantKind;
use super::client_auth::authenticate;
use super::crypto::Crypto;
use super::error::{OAuthError, OAuthErrorCode};
use super::guard::Guard;
use super::jwt::{AccessClaims, Keys};
use super::ledger::{GrantRow, Ledger, LedgerError};
use super::secret::token_of;
use crate::smart::{Level, Scope, ScopeSet};

/// How long the token of a client that acts for itself is good, in seconds (decision 26).
const CLIENT_CREDENTIALS_LIFE: i64 = 300;

/// A token request, decoded.
#[derive(Debug)]
pub struct TokenRequest<'a> {
    /// The `Authorization` header.
    pub authorization: Option<&'a str>,
    /// The parameters of the form.
    pub form: &'a [(String, String)],
}

/// What the token endpoint works with.
#[derive(Debug)]
pub struct TokenService<'a, L, C> {
    /// Its memory.
    pub ledger: &'a L,
    /// The platform's cryptography.
    pub crypto: &'a C,
    /// Its keys.
    pub keys: &'a Keys,
    /// Its name.
    pub issuer: &'a str,
    /// The FHIR base that the tokens are for.
    pub audience: &'a str,
    /// Seconds since 1970.
    pub now: i64,
    /// 32 random bytes, for this call alone.
    pub random: &'a [u8; 32],
}

/// The answer of RFC 6749, section 5.1.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Issued {
    /// The token.
    pub access_token: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// Seconds.
    pub expires_in: i64,
    /// What was granted.
    pub scope: String,
}

impl<L: Ledger + Guard, C: Crypto> TokenService<'_, L, C> {
    /// Answers a token request.
    ///
    /// # Errors
    /// Where no token is given.
    pub async fn answer(&self, request: &TokenRequest<'_>) -> Result<Issued, OAuthError> {
        use OAuthErrorCode::{InvalidRequest, UnsupportedGrantType};
        let mut names: Vec<_> = request.form.iter().map(|(name, _)| name).collect();
        names.sort();
        if names.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(OAuthError::new(InvalidRequest, "a parameter is there twice"));
        }
        match request.get("grant_type") {
            Some("client_credentials") => self.client_credentials(request).await,
            Some(_) => Err(OAuthError::new(UnsupportedGrantType, "the grant_type is not supported")),
            None => Err(OAuthError::new(InvalidRequest, "grant_type is missing")),
        }
    }

    async fn client_credentials(&self, request: &TokenRequest<'_>) -> Result<Issued, OAuthError> {
        use OAuthErrorCode::{InvalidScope, UnauthorizedClient};
        let client = authenticate(self, request).await?;
        if !client.may(GrantKind::ClientCredentials) {
            return Err(OAuthError::new(UnauthorizedClient, "the client may not act for itself"));
        }
        let refused = OAuthError::new(InvalidScope, "a scope is unknown, or the client is not approved for it");
        let scopes = ScopeSet::parse(request.get("scope").unwrap_or(&client.scopes)).map_err(|_| refused.clone())?;
        let is_own = |scope: &Scope| matches!(scope, Scope::Clinical(clinical) if clinical.level == Level::System);
        if scopes.is_empty() || !scopes.iter().all(|(_, scope)| is_own(scope)) || !client.is_approved_for(&scopes) {
            return Err(refused);
        }
        let expires = self.now + CLIENT_CREDENTIALS_LIFE;
        let grant = token_of(self.random, "grant");
        let row = GrantRow {
            id: grant.clone(),
            client: client.client_id.clone(),
            subject: None,
            created_at: self.now,
            expires_at: expires,
        };
        self.ledger.grant(row).await.map_err(broken)?;
        let claims = AccessClaims {
            iss: self.issuer.to_owned(),
            aud: self.audience.to_owned(),
            sub: client.client_id.clone(),
            client_id: client.client_id,
            jti: token_of(self.random, "access"),
            scope: scopes.to_string(),
            sid: Some(grant),
            patient: None,
            fhir_user: None,
        };
        let access_token = self.keys.sign(claims, self.now, expires).map_err(|error| OAuthError {
            detail: Some(error),
            ..OAuthError::new(OAuthErrorCode::ServerError, "the token could not be signed")
        })?;
        Ok(Issued {
            access_token,
            token_type: "Bearer",
            expires_in: CLIENT_CREDENTIALS_LIFE,
            scope: scopes.to_string(),
        })
    }
}

impl TokenRequest<'_> {
    /// A parameter; an empty one counts as absent (RFC 6749, section 3.2).
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.form.iter().find(|(of, _)| of == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

pub(super) fn broken(error: LedgerError) -> OAuthError {
    let refusal =
        OAuthError::new(OAuthErrorCode::ServerError, "the request could not be answered; it may succeed later");
    OAuthError { detail: Some(error.0), ..refusal }
}
