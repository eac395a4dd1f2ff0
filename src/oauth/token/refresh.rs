//! A refresh token for new tokens (RFC 6749, section 6), once: each exchange gives the next. One that comes again has been
//! seen by two, and the whole family ends (RFC 9700, section 4.14).

use super::life;
use crate::oauth::auth_store::{AuthStore, SingleUseToken, SingleUseTokenKind};
use crate::oauth::client::{Client, ClientKind};
use crate::oauth::client_auth::authenticate;
use crate::oauth::crypto::Crypto;
use crate::oauth::documents::Fetch;
use crate::oauth::error::{OAuthError, OAuthErrorCode};
use crate::oauth::grant_type::GrantType;
use crate::oauth::guard::Guard;
use crate::oauth::secret::{hashed, token_of};
use crate::oauth::service::{TokenRequest, TokenService};
use crate::oauth::token::Issued;
use crate::smart::ScopeSet;

use OAuthErrorCode::{InvalidClient, InvalidGrant, InvalidRequest, InvalidScope, UnauthorizedClient};

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    pub(super) async fn refresh_token(&self, request: &TokenRequest<'_>) -> Result<Issued, OAuthError> {
        let refused =
            OAuthError::new(InvalidGrant, "the refresh token is not good: unknown, spent, ended, or another's");
        let token = request.get("refresh_token");
        let anonymous = request.authorization.is_none()
            && ["client_id", "client_secret", "client_assertion", "client_assertion_type"]
                .iter()
                .all(|name| request.get(name).is_none());
        // The most used browser library sends no client_id here (decision 25).
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
        if refresh.spent {
            return Err(self.reused(&refresh.grant, refused).await?);
        }
        if !refresh.stands || refresh.expires_at <= self.now {
            return Err(refused);
        }
        let scopes = narrowed(&client, &refresh, request.get("scope"))?;
        if scopes.is_empty() {
            return Err(refused);
        }
        let mut issued = self.access(&refresh.grant, &scopes, life(&client, &refresh.grant))?;
        let (next, kept) = self.successor();
        let exchange = token_of(self.random, "exchange");
        let ends = kept.expires_at;
        if !self.auth_store.exchange(SingleUseTokenKind::Refresh, &id, &exchange, Some(&kept), ends, self.now).await? {
            return Err(self.reused(&refresh.grant, refused).await?);
        }
        issued.refresh_token = Some(next);
        Ok(issued)
    }

    /// The client that holds the token: the one that proved who it is; where none did, the token's own, if that one has
    /// nothing to prove it with.
    async fn holder(&self, proven: Option<Client>, refresh: &SingleUseToken) -> Result<Client, OAuthError> {
        if let Some(client) = proven {
            return Ok(client);
        }
        let own = self.auth_store.client(&refresh.grant.client).await?;
        own.filter(|client| client.kind == ClientKind::Public && !client.disabled)
            .ok_or(OAuthError::new(InvalidClient, "the client did not authenticate"))
    }
}

/// What the new token opens: what was granted and the client is still approved for; of that, what is asked for (decision
/// 19). The next refresh may ask for all of it again.
fn narrowed(client: &Client, refresh: &SingleUseToken, asked: Option<&str>) -> Result<ScopeSet, OAuthError> {
    let approved = client.approved();
    let granted = ScopeSet::parse(&refresh.grant.scope).unwrap_or_default();
    let granted = granted.retained(|_, scope| approved.covers(scope));
    let Some(asked) = asked else { return Ok(granted) };
    let wider = OAuthError::new(InvalidScope, "a scope is unknown, or more than was granted");
    let asked = ScopeSet::parse(asked).map_err(|_| wider.clone())?;
    if asked.iter().all(|(_, scope)| granted.covers(scope)) { Ok(asked) } else { Err(wider) }
}
