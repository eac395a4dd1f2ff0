//! Exchanges an authorization code for tokens (RFC 6749, section 4.1.3), once. The client must be the one that the code
//! was issued to, and must repeat the `redirect_uri` and prove the PKCE challenge. A failed attempt does not redeem it.

use super::life;
use crate::auth_store::{AuthStore, Exchange, SingleUseToken, SingleUseTokenKind};
use crate::authorize::holds;
use crate::client_auth::authenticate;
use crate::crypto::Crypto;
use crate::documents::Fetch;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::grant_type::GrantType;
use crate::guesses::Guard;
use crate::id_token::{IdClaims, issue};
use crate::secret::{hashed, token_of};
use crate::service::{TokenRequest, TokenService};
use crate::token::TokenResponse;
use smart::ScopeSet;

use OAuthErrorCode::{InvalidGrant, InvalidRequest, ServerError, UnauthorizedClient};

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    pub(super) async fn authorization_code(&self, request: &TokenRequest<'_>) -> Result<TokenResponse, OAuthError> {
        let refused =
            OAuthError::new(InvalidGrant, "the code is not good: unknown, redeemed, ended, or bound to others");
        let client = authenticate(self, request).await?;
        if !client.may(GrantType::AuthorizationCode) {
            return Err(OAuthError::new(UnauthorizedClient, "the client is not registered for authorization codes"));
        }
        let code = request.get("code").ok_or(OAuthError::new(InvalidRequest, "code is missing"))?;
        let redirect_uri =
            request.get("redirect_uri").ok_or(OAuthError::new(InvalidRequest, "redirect_uri is missing"))?;
        let id = hashed(code);
        let found = self.auth_store.single_use_token(SingleUseTokenKind::Code, &id, self.now).await?;
        let code = found.filter(|code| code.grant.client == client.client_id).ok_or(refused.clone())?;
        let is_bound = code.request.redirect_uri == redirect_uri
            && holds(code.request.challenge.as_deref(), request.get("code_verifier"));
        if !is_bound {
            return Err(refused);
        }
        // From here on, the request can only come from the holder of the code, or from somebody who stole it with all
        // that it is bound to. Then both have seen a redeemed code, so the tokens of its first exchange end.
        if code.redeemed_by.is_some() {
            return Err(self.revoke_reused(&code.grant, refused).await?);
        }
        if !code.is_active || code.expires_at <= self.now {
            return Err(refused);
        }
        self.check_resource(request, &code.grant)?;
        let scopes = ScopeSet::parse(&code.grant.scope).map_err(|_| refused.clone())?;
        // All steps that can fail come before the code is redeemed.
        let mut issued = self.access(&code.grant, &scopes, life(&client, &code.grant), &client)?;
        if scopes.has("openid") {
            issued.id_token = Some(self.identity(&code, &scopes).await?);
        }
        let is_refreshable = scopes.has("offline_access") || scopes.has("online_access");
        let next = (is_refreshable && client.may(GrantType::RefreshToken)).then(|| self.successor());
        let next_row = next.as_ref().map(|(_, row)| row);
        // A refresh token extends the authorization to its own end, so that the user can withdraw it until then.
        let ends = next_row.map_or(self.now + issued.expires_in, |row| row.expires_at);
        let name = token_of(self.random, "exchange");
        let exchange = Exchange { kind: SingleUseTokenKind::Code, id: &id, name: &name, next: next_row, ends };
        if !self.auth_store.redeem(exchange, self.now).await? {
            // A concurrent exchange redeemed the code first.
            return Err(self.revoke_reused(&code.grant, refused).await?);
        }
        issued.refresh_token = next.map(|(token, _)| token);
        Ok(issued)
    }

    async fn identity(&self, code: &SingleUseToken, scopes: &ScopeSet) -> Result<String, OAuthError> {
        let failed = |detail: &str| OAuthError {
            detail: Some(detail.to_owned()),
            ..OAuthError::new(ServerError, "the identity token could not be signed")
        };
        let key = self.keys.identity().ok_or_else(|| failed("there is no key for identity tokens"))?;
        let claims = IdClaims {
            iss: self.issuer.to_owned(),
            sub: code.grant.subject.clone().ok_or_else(|| failed("a code has no user"))?,
            aud: code.grant.client.clone(),
            fhir_user: self.fhir_user(&code.grant, scopes),
            nonce: code.request.nonce.clone(),
            session: code.grant.session.clone(),
            auth_time: code.request.auth_time,
        };
        Ok(issue(self.crypto, key, claims, self.now).await?)
    }
}
