//! The single exchange of a refresh token for new tokens (RFC 6749, section 6), which include the next refresh token. A
//! second use means that two parties have seen it, and revokes the authorization (RFC 9700, section 4.14). Only the
//! same client may repeat its request, for a few seconds and until it uses the next token: an answer may be lost, and
//! two tabs may refresh at once. It gets the same tokens (docs/decisions/permission-and-sign-in.md#repeated-refresh).

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use super::life;
use crate::agents::known_client;
use crate::auth_store::{AuthStore, Exchange, SingleUseToken, SingleUseTokenKind};
use crate::client::Client;
use crate::client_auth::authenticate;
use crate::client_kind::ClientKind;
use crate::crypto::Crypto;
use crate::documents::Fetch;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::grant_type::GrantType;
use crate::guesses::Guard;
use crate::secret::hashed;
use crate::service::{TokenRequest, TokenService};
use crate::token::TokenResponse;
use smart::ScopeSet;

use OAuthErrorCode::{InvalidClient, InvalidGrant, InvalidRequest, InvalidScope, UnauthorizedClient};

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    pub(super) async fn refresh_token(&self, request: &TokenRequest<'_>) -> Result<TokenResponse, OAuthError> {
        let refused =
            OAuthError::new(InvalidGrant, "the refresh token is not good: unknown, redeemed, ended, or another's");
        let token = request.get("refresh_token");
        let anonymous = request.authorization.is_none()
            && ["client_id", "client_secret", "client_assertion", "client_assertion_type"]
                .iter()
                .all(|name| request.get(name).is_none());
        // The most widely used browser library sends no `client_id` here.
        let proven = if anonymous { None } else { Some(authenticate(self, request).await?) };
        let token = token.ok_or(OAuthError::new(InvalidRequest, "refresh_token is missing"))?;
        let id = hashed(token);
        let find = || self.auth_store.single_use_token(SingleUseTokenKind::Refresh, &id, self.now);
        let refresh = find().await?.ok_or(refused.clone())?;
        let client = self.holder(proven, &refresh).await?;
        if refresh.grant.client != client.client_id {
            return Err(refused);
        }
        if !client.may(GrantType::RefreshToken) {
            return Err(OAuthError::new(UnauthorizedClient, "the client is not registered for refresh tokens"));
        }
        if refresh.redeemed_by.is_some() {
            return self.repeat(request, &client, &refresh, refused).await;
        }
        if !refresh.is_active || refresh.expires_at <= self.now {
            return Err(refused);
        }
        let issued = self.issue(request, &client, &refresh)?;
        let (next, next_row) = self.successor();
        let exchange = Exchange {
            kind: SingleUseTokenKind::Refresh,
            id: &id,
            name: &sealed(self.random, self.now, token),
            next: Some(&next_row),
            ends: next_row.expires_at,
        };
        if self.auth_store.redeem(exchange, self.now).await? {
            return Ok(TokenResponse { refresh_token: Some(next), ..issued });
        }
        // A concurrent exchange may have redeemed the token first.
        match find().await?.filter(|refresh| refresh.redeemed_by.is_some()) {
            Some(refresh) => self.repeat(request, &client, &refresh, refused).await,
            None => Err(refused),
        }
    }

    /// Answers a request for a token that was already redeemed: like the first time for [`GRACE`] seconds, until the
    /// next token is used. Otherwise the authorization ends.
    async fn repeat(
        &self,
        request: &TokenRequest<'_>,
        client: &Client,
        refresh: &SingleUseToken,
        refused: OAuthError,
    ) -> Result<TokenResponse, OAuthError> {
        let name = refresh.redeemed_by.as_deref().unwrap_or_default();
        let earlier = unsealed(name, request.get("refresh_token").unwrap_or_default());
        if let Some((random, then)) = earlier.filter(|(_, then)| refresh.is_active && self.now - then <= GRACE) {
            let service = TokenService { now: then, random: &random, ..*self };
            let (next, next_row) = service.successor();
            let known = self.auth_store.single_use_token(SingleUseTokenKind::Refresh, &next_row.id, self.now).await?;
            if known.is_some_and(|known| known.redeemed_by.is_none()) {
                let issued = service.issue(request, client, refresh)?;
                let expires_in = issued.expires_in - (self.now - then);
                return Ok(TokenResponse { refresh_token: Some(next), expires_in, ..issued });
            }
        }
        Err(self.revoke_reused(&refresh.grant, refused).await?)
    }

    fn issue(
        &self,
        request: &TokenRequest<'_>,
        client: &Client,
        refresh: &SingleUseToken,
    ) -> Result<TokenResponse, OAuthError> {
        self.check_resource(request, &refresh.grant)?;
        let scopes = narrow_scopes(client, refresh, request.get("scope"))?;
        if scopes.is_empty() {
            return Err(OAuthError::new(
                InvalidGrant,
                "the client is approved for none of the granted scopes any more",
            ));
        }
        self.access(&refresh.grant, &scopes, life(client, &refresh.grant), client)
    }

    /// Returns the client of the request: the authenticated one, or else the public client that holds the token.
    async fn holder(&self, proven: Option<Client>, refresh: &SingleUseToken) -> Result<Client, OAuthError> {
        if let Some(client) = proven {
            return Ok(client);
        }
        let own = known_client(self.auth_store, self.agents, self.issuer, &refresh.grant.client).await?;
        own.filter(|client| client.kind == ClientKind::Public)
            .ok_or(OAuthError::new(InvalidClient, "the client did not authenticate"))
    }
}

/// The time during which a request may be repeated, in seconds.
const GRACE: i64 = 20;

/// Returns the name of the exchange of a token: the random bytes and the time that determine the next tokens, so that
/// they can be made again. The bytes are encrypted with a key derived from the token, which encrypts nothing else.
fn sealed(random: &[u8; 32], now: i64, token: &str) -> String {
    let sealed: Vec<_> = random.iter().zip(key_of(token)).map(|(byte, key)| byte ^ key).collect();
    format!("{}.{now}", Base64UrlUnpadded::encode_string(&sealed))
}

/// Returns the random bytes and the time in the name of an exchange.
fn unsealed(name: &str, token: &str) -> Option<([u8; 32], i64)> {
    let (sealed, now) = name.split_once('.')?;
    let mut random: [u8; 32] = Base64UrlUnpadded::decode_vec(sealed).ok()?.try_into().ok()?;
    random.iter_mut().zip(key_of(token)).for_each(|(byte, key)| *byte ^= key);
    Some((random, now.parse().ok()?))
}

fn key_of(token: &str) -> [u8; 32] {
    Sha256::new().chain_update("exchange").chain_update(token).finalize().into()
}

/// Returns the scopes of the new token: the granted ones for which the client is still approved, narrowed to the
/// requested ones. The next refresh may request all granted scopes again.
fn narrow_scopes(client: &Client, refresh: &SingleUseToken, requested: Option<&str>) -> Result<ScopeSet, OAuthError> {
    let approved = client.approved();
    let granted = ScopeSet::parse(&refresh.grant.scope).unwrap_or_default();
    let granted = granted.retained(|_, scope| approved.covers(scope));
    let Some(requested) = requested else { return Ok(granted) };
    let wider = OAuthError::new(InvalidScope, "a scope is unknown, or more than was granted");
    let requested = ScopeSet::parse(requested).map_err(|_| wider.clone())?;
    if requested.iter().all(|(_, scope)| granted.covers(scope)) { Ok(requested) } else { Err(wider) }
}
