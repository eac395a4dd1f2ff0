//! The token service: the clients' requests to get, introspect and revoke tokens.

use super::access_token::{SigningKeys, TokenFault, UnverifiedToken, Verified};
use super::agents::AdmittedAgents;
use super::auth_store::GrantRow;
use super::crypto::Crypto;
use super::documents::Documents;
use super::error::{OAuthError, OAuthErrorCode};
use super::form_fields::FormFields;
use super::resource::Resource;

/// A request of a client to the token, introspection or revocation endpoint, decoded.
#[derive(Debug)]
pub struct TokenRequest<'a> {
    /// The `Authorization` header.
    pub authorization: Option<&'a str>,
    /// The parameters of the form.
    pub form: &'a [(String, String)],
    /// The network from which the request comes. Empty if the runtime does not report it.
    pub network: &'a str,
}

impl TokenRequest<'_> {
    /// Checks that no parameter occurs twice (RFC 6749, section 3.2).
    ///
    /// # Errors
    /// If a parameter occurs twice.
    pub fn check_unique(&self) -> Result<(), OAuthError> {
        if FormFields(self.form).has_twice() {
            return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, "a parameter is there twice"));
        }
        Ok(())
    }

    /// Returns the value of a parameter. An empty value counts as absent (RFC 6749, section 3.2).
    pub fn get(&self, name: &str) -> Option<&str> {
        FormFields(self.form).get(name)
    }
}

/// The token, introspection and revocation endpoints, with their context for one request. Each endpoint is a method in
/// its own file: `token/mod.rs`, `introspect.rs`, `revoke.rs`. `launch.rs` uses it to authenticate an EHR.
#[derive(Debug)]
pub struct TokenService<'a, L, C> {
    /// The state of the authorization server.
    pub auth_store: &'a L,
    /// The platform's cryptography.
    pub crypto: &'a C,
    /// The cache of documents fetched from other servers.
    pub documents: &'a Documents,
    /// The signing keys.
    pub keys: &'a SigningKeys,
    /// The issuer identifier, `iss` of every token.
    pub issuer: &'a str,
    /// The FHIR base for which tokens are issued.
    pub audience: &'a str,
    /// The clients that may read through `/mcp`. `None` if none may.
    pub agents: Option<AdmittedAgents<'a>>,
    /// The path of the style of this server, for apps (`smart_style_url`).
    pub style_path: &'a str,
    /// The days for which a refresh token is valid. Each exchange issues a new one.
    pub refresh_days: i64,
    /// The time, in seconds since 1970.
    pub now: i64,
    /// 32 random bytes, only for this call.
    pub random: &'a [u8; 32],
}

impl<L, C: Crypto> TokenService<'_, L, C> {
    /// Verifies an access token of this server, for either resource.
    pub(super) async fn verify(&self, token: &str) -> Result<Verified, TokenFault> {
        let verify = async |resource: Resource| {
            let audience = resource.audience(self.issuer, self.audience);
            UnverifiedToken::new(token).verify((self.keys, self.crypto), self.now, self.issuer, &audience).await
        };
        match verify(Resource::Fhir).await {
            Err(TokenFault::Invalid(_)) if self.agents.is_some() => verify(Resource::Mcp).await,
            verified => verified,
        }
    }

    /// Checks the parameter `resource`: a token is for the resource of its authorization (RFC 8707, section 2.2).
    pub(super) fn check_resource(&self, request: &TokenRequest<'_>, grant: &GrantRow) -> Result<(), OAuthError> {
        let named = request.get("resource").map(|address| Resource::named(address, self.issuer, self.audience));
        if named.is_some_and(|named| named != Some(Resource::of_grant(&grant.id))) {
            return Err(OAuthError::new(OAuthErrorCode::InvalidTarget, "resource is not what was authorized"));
        }
        Ok(())
    }
}
