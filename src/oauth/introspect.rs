//! What a token is worth (RFC 7662; SMART App Launch, "Token introspection"). A client asks about its own tokens; one that
//! is registered for it asks about every token. Whatever is not to be known is answered as what does not exist.

use serde_json::{Value, json};

use super::client::{Client, ClientKind};
use super::client_auth::authenticate;
use super::crypto::Crypto;
use super::documents::Fetch;
use super::error::{OAuthError, OAuthErrorCode};
use super::guard::{Guard, Guess, Secret};
use super::jwt::{Presented, TokenFault, Verified};
use super::ledger::{GrantRow, Ledger, VoucherKind};
use super::secret::hashed;
use super::token::{TokenRequest, TokenService};

/// What a token turned out to be.
enum Found {
    /// It stands.
    Live { client: String, said: Value },
    /// It was one of ours, and is over.
    Over,
    /// It is none of ours.
    Unknown,
}

impl<L: Ledger + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    /// Answers an introspection request.
    ///
    /// # Errors
    /// Where the asker does not prove who it is, may not ask, or names no token.
    pub async fn introspect(&self, request: &TokenRequest<'_>) -> Result<Value, OAuthError> {
        request.each_once()?;
        let asker = self.asker(request).await?;
        let token = request.get("token").ok_or(OAuthError::new(OAuthErrorCode::InvalidRequest, "token is missing"))?;
        let guess = Guess::new(Secret::Token, &asker.client_id, request.from);
        guess.admit(self.ledger, self.now).await?;
        let nothing = json!({"active": false});
        Ok(match self.find(token).await? {
            Found::Live { client, said } if asker.introspect || client == asker.client_id => said,
            Found::Live { .. } | Found::Over => nothing,
            Found::Unknown => {
                guess.was_wrong(self.ledger, self.now).await?;
                nothing
            }
        })
    }

    /// Who asks: a client that authenticates, or one with an access token of its own and the right to ask.
    async fn asker(&self, request: &TokenRequest<'_>) -> Result<Client, OAuthError> {
        let refused = OAuthError::new(OAuthErrorCode::InvalidClient, "the client did not authenticate, or may not ask");
        let bearer = request.authorization.and_then(|header| header.split_once(' '));
        let Some((_, token)) = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
            let client = authenticate(self, request).await?;
            // Anybody could be a public client, and try tokens out.
            return if client.kind == ClientKind::Public { Err(refused) } else { Ok(client) };
        };
        let Found::Live { client, .. } = self.access_token(token).await? else { return Err(refused) };
        let client = self.ledger.client(&client).await?;
        client.filter(|client| client.introspect && !client.disabled).ok_or(refused)
    }

    async fn find(&self, token: &str) -> Result<Found, OAuthError> {
        match self.access_token(token).await? {
            Found::Unknown => self.refresh(token).await,
            found @ (Found::Live { .. } | Found::Over) => Ok(found),
        }
    }

    async fn access_token(&self, token: &str) -> Result<Found, OAuthError> {
        let verified = match Presented::new(token).verify(self.keys, self.now, self.issuer, self.audience) {
            Ok(verified) => verified,
            Err(TokenFault::Expired) => return Ok(Found::Over),
            Err(TokenFault::Invalid(_)) => return Ok(Found::Unknown),
        };
        let Some(grant) = verified.claims().sid.as_deref() else { return Ok(Found::Over) };
        match self.ledger.standing(grant, self.now).await? {
            Some(grant) => Ok(Found::Live { client: grant.client, said: said_of(&verified) }),
            None => Ok(Found::Over),
        }
    }

    async fn refresh(&self, token: &str) -> Result<Found, OAuthError> {
        let Some(voucher) = self.ledger.voucher(VoucherKind::Refresh, &hashed(token), self.now).await? else {
            return Ok(Found::Unknown);
        };
        if voucher.spent || !voucher.stands || voucher.expires_at <= self.now {
            return Ok(Found::Over);
        }
        let GrantRow { client, subject, scope, patient, .. } = voucher.grant;
        let said = json!({
            "active": true, "client_id": client, "scope": scope, "sub": subject, "iss": self.issuer,
            "exp": voucher.expires_at, "patient": patient,
        });
        Ok(Found::Live { client, said: without_nothing(said) })
    }
}

fn said_of(verified: &Verified) -> Value {
    let claims = verified.claims();
    without_nothing(json!({
        "active": true, "token_type": "Bearer", "client_id": claims.client_id, "scope": claims.scope,
        "sub": claims.sub, "iss": claims.iss, "aud": claims.aud, "exp": verified.expires(), "jti": claims.jti,
        "patient": claims.patient, "fhirUser": claims.fhir_user,
    }))
}

/// The same without the members that say nothing.
fn without_nothing(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
    }
    value
}
