//! Exchanges a refresh token for new tokens (RFC 6749, section 6), once: each exchange issues the next one. A second
//! use means that two parties have seen it, and revokes the authorization (RFC 9700, section 4.14).

use super::life;
use crate::oauth::auth_store::{AuthStore, Exchange, SingleUseToken, SingleUseTokenKind};
use crate::oauth::client::{Client, ClientKind};
use crate::oauth::client_auth::authenticate;
use crate::oauth::crypto::Crypto;
use crate::oauth::documents::Fetch;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::grant_type::GrantType;
use crate::oauth::guesses::Guard;
use crate::oauth::secret::{hashed, token_of};
use crate::oauth::service::{TokenRequest, TokenService};
use crate::oauth::token::Issued;
use crate::smart::ScopeSet;

use OAuthErrorCode::{InvalidClient, InvalidGrant, InvalidRequest, InvalidScope, UnauthorizedClient};

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    pub(super) async fn refresh_token(&self, request: &TokenRequest<'_>) -> Result<Issued, OAuthError> {
        let refused =
            OAuthError::new(InvalidGrant, "the refresh token is not good: unknown, redeemed, ended, or another's");
        let token = request.get("refresh_token");
        let anonymous = request.authorization.is_none()
            && ["client_id", "client_secret", "client_assertion", "client_assertion_type"]
                .iter()
                .all(|name| request.get(name).is_none());
        // The most used browser library sends no `client_id` here (decision 25).
        let proven = if anonymous { None } else { Some(authenticate(self, request).await?) };
        let token = token.ok_or(OAuthError::new(InvalidRequest, "refresh_token is missing"))?;
        let id = hashed(token);
        let found = self.auth_store.single_use_token(SingleUseTokenKind::Refresh, &id, self.now).await?;
        let refresh = found.ok_or(refused.clone())?;
        let client = self.holder(proven, &refresh).await?;
        if refresh.grant.client != client.client_id {
            return Err(refused);
        }
        if !client.may(GrantType::RefreshToken) {
            return Err(OAuthError::new(UnauthorizedClient, "the client is not registered for refresh tokens"));
        }
        if refresh.is_redeemed {
            return Err(self.revoke_reused(&refresh.grant, refused).await?);
        }
        if !refresh.is_active || refresh.expires_at <= self.now {
            return Err(refused);
        }
        let scopes = narrow_scopes(&client, &refresh, request.get("scope"))?;
        if scopes.is_empty() {
            return Err(refused);
        }
        let mut issued = self.access(&refresh.grant, &scopes, life(&client, &refresh.grant))?;
        let (next, next_row) = self.successor();
        let name = token_of(self.random, "exchange");
        let exchange = Exchange {
            kind: SingleUseTokenKind::Refresh,
            id: &id,
            name: &name,
            next: Some(&next_row),
            ends: next_row.expires_at,
        };
        if !self.auth_store.redeem(exchange, self.now).await? {
            return Err(self.revoke_reused(&refresh.grant, refused).await?);
        }
        issued.refresh_token = Some(next);
        Ok(issued)
    }

    /// Returns the client of the request: the authenticated one or, without authentication, the holder of the token if
    /// it is a public client.
    async fn holder(&self, proven: Option<Client>, refresh: &SingleUseToken) -> Result<Client, OAuthError> {
        if let Some(client) = proven {
            return Ok(client);
        }
        let own = self.auth_store.client(&refresh.grant.client).await?;
        own.filter(|client| client.kind == ClientKind::Public && !client.disabled)
            .ok_or(OAuthError::new(InvalidClient, "the client did not authenticate"))
    }
}

/// Returns the scopes of the new token: the granted ones for which the client is still approved, narrowed to the
/// requested ones (decision 19). The next refresh may request all of them again.
fn narrow_scopes(client: &Client, refresh: &SingleUseToken, requested: Option<&str>) -> Result<ScopeSet, OAuthError> {
    let approved = client.approved();
    let granted = ScopeSet::parse(&refresh.grant.scope).unwrap_or_default();
    let granted = granted.retained(|_, scope| approved.covers(scope));
    let Some(requested) = requested else { return Ok(granted) };
    let wider = OAuthError::new(InvalidScope, "a scope is unknown, or more than was granted");
    let requested = ScopeSet::parse(requested).map_err(|_| wider.clone())?;
    if requested.iter().all(|(_, scope)| granted.covers(scope)) { Ok(requested) } else { Err(wider) }
}
