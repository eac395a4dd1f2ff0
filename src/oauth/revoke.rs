//! Token revocation (RFC 7009). Revoking one token ends all tokens of its authorization at once.

use super::auth_store::{AuthStore, SingleUseTokenKind};
use super::client_auth::authenticate;
use super::client_kind::ClientKind;
use super::crypto::Crypto;
use super::documents::Fetch;
use super::error::{OAuthError, OAuthErrorCode};
use super::guesses::Guard;
use super::secret::hashed;
use super::service::{TokenRequest, TokenService};

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    /// Answers a revocation request, and returns the revoked grant. An unknown or expired token counts as revoked (RFC
    /// 7009, section 2.2).
    ///
    /// # Errors
    /// If the client does not authenticate, or the token is missing or belongs to another client.
    pub async fn revoke(&self, request: &TokenRequest<'_>) -> Result<Option<String>, OAuthError> {
        request.check_unique()?;
        let client = authenticate(self, request).await?;
        let token = request.get("token").ok_or(OAuthError::new(OAuthErrorCode::InvalidRequest, "token is missing"))?;
        let access = self.verify(token).await.ok();
        let (grant, holder) = match access.as_ref().map(super::access_token::Verified::claims) {
            Some(claims) => (claims.grant_id.clone(), claims.client_id.clone()),
            None => {
                match self.auth_store.single_use_token(SingleUseTokenKind::Refresh, &hashed(token), self.now).await? {
                    Some(refresh) => (Some(refresh.grant.id), refresh.grant.client),
                    None => return Ok(None),
                }
            }
        };
        if holder != client.client_id {
            // A public client has not authenticated, so it learns nothing about the token.
            let refused = OAuthError::new(OAuthErrorCode::InvalidRequest, "the token is another client's");
            return if client.kind == ClientKind::Public { Ok(None) } else { Err(refused) };
        }
        if let Some(grant) = &grant {
            self.auth_store.revoke(grant, self.now).await?;
        }
        Ok(grant)
    }
}
