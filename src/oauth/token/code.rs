//! A code for tokens (RFC 6749, section 4.1.3), once. Whoever shows it must be the client that it was made for, and show
//! what it is bound to: a code that somebody else has seen is worth nothing, and is not spent by trying.

use super::life;
use crate::oauth::auth_store::{AuthStore, SingleUseToken, SingleUseTokenKind};
use crate::oauth::authorize::holds;
use crate::oauth::client_auth::authenticate;
use crate::oauth::crypto::Crypto;
use crate::oauth::documents::Fetch;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::grant_type::GrantType;
use crate::oauth::guard::Guard;
use crate::oauth::id_token::{IdClaims, issue};
use crate::oauth::secret::{hashed, token_of};
use crate::oauth::service::{TokenRequest, TokenService};
use crate::oauth::token::Issued;
use crate::smart::ScopeSet;

use OAuthErrorCode::{InvalidGrant, InvalidRequest, ServerError, UnauthorizedClient};

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    pub(super) async fn authorization_code(&self, request: &TokenRequest<'_>) -> Result<Issued, OAuthError> {
        let refused = OAuthError::new(InvalidGrant, "the code is not good: unknown, spent, ended, or bound to others");
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
        let shown = code.request.redirect_uri == redirect_uri
            && holds(code.request.challenge.as_deref(), request.get("code_verifier"));
        if !shown {
            return Err(refused);
        }
        // From here on the request could only come from who got the code, or from who stole all that it is bound to. A
        // code that was spent has then been seen by both, and what the first one got ends (decision 25).
        if code.spent {
            return Err(self.reused(&code.grant, refused).await?);
        }
        if !code.stands || code.expires_at <= self.now {
            return Err(refused);
        }
        let scopes = ScopeSet::parse(&code.grant.scope).map_err(|_| refused.clone())?;
        // Everything that can fail is done before the code is spent.
        let mut issued = self.access(&code.grant, &scopes, life(&client, &code.grant))?;
        if scopes.has("openid") {
            issued.id_token = Some(self.identity(&code, &scopes).await?);
        }
        let goes_on = scopes.has("offline_access") || scopes.has("online_access");
        let next = (goes_on && client.may(GrantType::RefreshToken)).then(|| self.successor());
        let kept = next.as_ref().map(|(_, kept)| kept);
        // With a refresh token the authorization lasts as long as that does: until then it can be seen and withdrawn.
        let ends = kept.map_or(self.now + issued.expires_in, |kept| kept.expires_at);
        let exchange = token_of(self.random, "exchange");
        if !self.auth_store.exchange(SingleUseTokenKind::Code, &id, &exchange, kept, ends, self.now).await? {
            // Another exchange was faster.
            return Err(self.reused(&code.grant, refused).await?);
        }
        issued.refresh_token = next.map(|(token, _)| token);
        Ok(issued)
    }

    async fn identity(&self, code: &SingleUseToken, scopes: &ScopeSet) -> Result<String, OAuthError> {
        let key = self.keys.identity().ok_or_else(|| OAuthError {
            detail: Some("there is no key for identity tokens".to_owned()),
            ..OAuthError::new(ServerError, "the identity token could not be signed")
        })?;
        let claims = IdClaims {
            iss: self.issuer.to_owned(),
            sub: code.grant.subject.clone().unwrap_or_default(),
            aud: code.grant.client.clone(),
            fhir_user: self.fhir_user(&code.grant, scopes),
            nonce: code.request.nonce.clone(),
            sid: code.grant.session.clone(),
            auth_time: code.request.auth_time,
        };
        Ok(issue(self.crypto, key, claims, self.now).await?)
    }
}
