//! Token introspection (RFC 7662; SMART App Launch, "Token introspection"). A client may introspect its own tokens. If
//! its registration allows it, it may introspect every token. Any other token is answered like an unknown one.

use serde_json::{Value, json};

use super::access_token::{TokenFault, Verified};
use super::auth_store::{AuthStore, GrantRow, SingleUseTokenKind};
use super::client::Client;
use super::client_auth::authenticate;
use super::client_kind::ClientKind;
use super::crypto::Crypto;
use super::documents::Fetch;
use super::error::{OAuthError, OAuthErrorCode};
use super::guesses::{Guard, Guess, Secret};
use super::secret::hashed;
use super::service::{TokenRequest, TokenService};

enum TokenState {
    /// The token is active.
    Active { client: String, grant: String, response: Value },
    /// The token is from this server, but has ended.
    Ended,
    /// The token is not from this server.
    Unknown,
}

impl<L: AuthStore + Guard, C: Crypto + Fetch> TokenService<'_, L, C> {
    /// Answers an introspection request. Also returns the grant whose data the response discloses, for the audit log.
    ///
    /// # Errors
    /// If the client does not authenticate or may not introspect, or the token is missing.
    pub async fn introspect(&self, request: &TokenRequest<'_>) -> Result<(Value, Option<String>), OAuthError> {
        request.check_unique()?;
        let caller = self.caller(request).await?;
        let token = request.get("token").ok_or(OAuthError::new(OAuthErrorCode::InvalidRequest, "token is missing"))?;
        let found = match self.access_token(token).await? {
            TokenState::Unknown => {
                let guess = Guess::new(Secret::Token, &caller.client_id, token, request.network);
                guess.admit(self.auth_store, self.now).await?;
                self.refresh(token).await?
            }
            found @ (TokenState::Active { .. } | TokenState::Ended) => found,
        };
        Ok(match found {
            TokenState::Active { client, grant, response } if caller.introspect || client == caller.client_id => {
                (response, Some(grant))
            }
            TokenState::Active { .. } | TokenState::Ended | TokenState::Unknown => (json!({"active": false}), None),
        })
    }

    /// Returns the client of the request: it authenticates, or presents an access token of its own and may introspect.
    async fn caller(&self, request: &TokenRequest<'_>) -> Result<Client, OAuthError> {
        let refused = |code| OAuthError::new(code, "the client did not authenticate, or may not ask");
        let bearer = request.authorization.and_then(|header| header.split_once(' '));
        let Some((_, token)) = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
            // Anybody could claim to be a public client and try out tokens.
            let client = Some(authenticate(self, request).await?).filter(|client| client.kind != ClientKind::Public);
            return client.ok_or(refused(OAuthErrorCode::InvalidClient));
        };
        request.check_one_way()?;
        // A token that may not introspect is refused in the same way (RFC 7662, section 2.3).
        let refused = refused(OAuthErrorCode::InvalidToken);
        let TokenState::Active { client, .. } = self.access_token(token).await? else { return Err(refused) };
        let client = self.auth_store.client(&client).await?;
        client.filter(|client| client.introspect && !client.disabled).ok_or(refused)
    }

    async fn access_token(&self, token: &str) -> Result<TokenState, OAuthError> {
        let verified = match self.verify(token).await {
            Ok(verified) => verified,
            Err(TokenFault::Expired) => return Ok(TokenState::Ended),
            Err(TokenFault::Invalid(_)) => return Ok(TokenState::Unknown),
        };
        let Some(grant) = verified.claims().grant_id.as_deref() else { return Ok(TokenState::Ended) };
        match self.auth_store.active_grant(grant, self.now).await? {
            Some(grant) => {
                Ok(TokenState::Active { client: grant.client, grant: grant.id, response: response_for(&verified) })
            }
            None => Ok(TokenState::Ended),
        }
    }

    async fn refresh(&self, token: &str) -> Result<TokenState, OAuthError> {
        let Some(refresh) =
            self.auth_store.single_use_token(SingleUseTokenKind::Refresh, &hashed(token), self.now).await?
        else {
            return Ok(TokenState::Unknown);
        };
        if refresh.redeemed_by.is_some() || !refresh.is_active || refresh.expires_at <= self.now {
            return Ok(TokenState::Ended);
        }
        let GrantRow { id: grant, client, subject, scope, patient, context, .. } = refresh.grant;
        let response = json!({
            "active": true, "client_id": client, "scope": scope, "sub": subject, "iss": self.issuer,
            "exp": refresh.expires_at, "patient": patient, "encounter": context.encounter,
        });
        Ok(TokenState::Active { client, grant, response: without_nulls(response) })
    }
}

fn response_for(verified: &Verified) -> Value {
    let claims = verified.claims();
    without_nulls(json!({
        "active": true, "token_type": "Bearer", "client_id": claims.client_id, "scope": claims.scope,
        "sub": claims.sub, "iss": claims.iss, "aud": claims.aud, "exp": verified.expires(), "jti": claims.jti,
        "patient": claims.patient, "encounter": claims.encounter, "fhirUser": claims.fhir_user,
    }))
}

/// Removes the members that are null.
fn without_nulls(mut value: Value) -> Value {
    if let Some(members) = value.as_object_mut() {
        members.retain(|_, member| !member.is_null());
    }
    value
}
