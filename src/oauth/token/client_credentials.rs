//! Issuing a token to a client that acts for itself (RFC 6749, section 4.4).

use super::TokenResponse;
use crate::auth_store::{AuthStore, GrantRow};
use crate::client::{MAX_LIFETIME, SHORTEST_LIFETIME};
use crate::client_auth::authenticate;
use crate::client_kind::ClientKind;
use crate::crypto::Crypto;
use crate::documents::Fetch;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::grant_type::GrantType;
use crate::guesses::Guard;
use crate::secret::token_of;
use crate::service::{TokenRequest, TokenService};
use smart::{Level, Scope, sends};

use OAuthErrorCode::{InvalidScope, UnauthorizedClient};

/// The life of the access token, in seconds, if none is registered.
const CLIENT_CREDENTIALS_LIFE: i64 = 300;

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    pub(super) async fn client_credentials(&self, request: &TokenRequest<'_>) -> Result<TokenResponse, OAuthError> {
        let client = authenticate(self, request).await?;
        if !client.may(GrantType::ClientCredentials) {
            return Err(OAuthError::new(UnauthorizedClient, "the client may not act for itself"));
        }
        // The check of registrations is repeated: no client may both read and write.
        let is_own = |written: &str, scope: &Scope| match scope {
            _ if sends(written) != (client.kind == ClientKind::Ingest) => false,
            Scope::Resource(scope) => scope.level == Level::System,
            Scope::Other("launch") => client.may_launch(),
            Scope::Other(other) => sends(other),
        };
        let scopes =
            client.grantable(request.get("scope"), is_own).map_err(|why| OAuthError::new(InvalidScope, why))?;
        let life = client.token_lifetime.unwrap_or(CLIENT_CREDENTIALS_LIFE).clamp(SHORTEST_LIFETIME, MAX_LIFETIME);
        let ends = self.now + life;
        let row = GrantRow {
            id: token_of(self.random, "grant"),
            client: client.client_id.clone(),
            scope: scopes.to_string(),
            created_at: self.now,
            expires_at: ends,
            ..GrantRow::default()
        };
        self.check_resource(request, &row)?;
        self.auth_store.store_grant(row.clone()).await?;
        self.access(&row, &scopes, life, &client)
    }
}
