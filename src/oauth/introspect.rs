//! Token introspection (RFC 7662; SMART App Launch, "Token introspection"). A client may introspect its own tokens. If
//! its registration allows it, it may introspect every token. Any other token is answered like an unknown one.

use serde_json::{Value, json};

use super::access_token::{Presented, TokenFault, Verified};
use super::auth_store::{AuthStore, GrantRow, SingleUseTokenKind};
use super::client::{Client, ClientKind};
use super::client_auth::authenticate;
use super::crypto::Crypto;
use super::documents::Fetch;
use super::error::{OAuthError, OAuthErrorCode};
use super::guesses::{Guard, Guess, Secret};
use super::secret::hashed;
use super::service::{TokenRequest, TokenService};

/// The state of a token.
enum TokenState {
    /// The token is active.
    Active { client: String, grant: String, response: Value },
    /// The token is one of this server that has ended.
    Ended,
    /// The token is not one of this server.
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

    /// Returns the client that asks: it authenticates, or presents an access token of its own and may introspect.
    async fn caller(&self, request: &TokenRequest<'_>) -> Result<Client, OAuthError> {
        let refused = OAuthError::new(OAuthErrorCode::InvalidClient, "the client did not authenticate, or may not ask");
        let bearer = request.authorization.and_then(|header| header.split_once(' '));
        let Some((_, token)) = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
            let client = authenticate(self, request).await?;
            // Anybody could claim to be a public client and try tokens out.
            return if client.kind == ClientKind::Public { Err(refused) } else { Ok(client) };
        };
        let TokenState::Active { client, .. } = self.access_token(token).await? else { return Err(refused) };
        let client = self.auth_store.client(&client).await?;
        client.filter(|client| client.introspect && !client.disabled).ok_or(refused)
    }

    async fn access_token(&self, token: &str) -> Result<TokenState, OAuthError> {
        let verified = match Presented::new(token).verify(self.keys, self.now, self.issuer, self.audience) {
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

#[cfg(test)]
#[cfg(feature = "cli")]
mod tests {
    use super::*;
    use crate::oauth::testing::{self, Server, form, now};

    fn server() -> Server {
        Server::with(&json!([
            {"client_id": "pub", "kind": "public", "scopes": "openid"},
            {"client_id": "sys", "kind": "backend", "secret": "secret-of-sys", "scopes": "system/*.read"},
            {"client_id": "sy", "kind": "backend", "secret": "secret-of-other", "scopes": "system/*.read"},
            {"client_id": "rs", "kind": "backend", "secret": "secret-of-rs1", "scopes": "system/*.read", "introspect": true},
        ]))
    }

    /// An access token of that client. The byte makes it unique.
    fn token(server: &Server, id: &str, secret: &str, byte: u8) -> String {
        let form = form(&[("grant_type", "client_credentials"), ("scope", "system/*.read")]);
        let authorization = testing::basic(id, secret);
        let request = TokenRequest { authorization: Some(&authorization), form: &form, network: "" };
        now(server.at(0, &[byte; 32]).answer(&request)).unwrap().access_token
    }

    fn introspect(
        server: &Server,
        authorization: &str,
        members: &[(&str, &str)],
        later: i64,
    ) -> Result<Value, OAuthErrorCode> {
        let form = form(members);
        let request = TokenRequest { authorization: Some(authorization), form: &form, network: "" };
        now(server.at(later, &[9; 32]).introspect(&request)).map(|(response, _)| response).map_err(|error| error.code)
    }

    fn revoke(server: &Server, authorization: &str, members: &[(&str, &str)]) -> Result<(), OAuthErrorCode> {
        let form = form(members);
        let request = TokenRequest { authorization: Some(authorization), form: &form, network: "" };
        now(server.at(0, &[9; 32]).revoke(&request)).map(drop).map_err(|error| error.code)
    }

    #[test]
    fn in04_to_in11_an_active_token_is_described_and_all_others_are_inactive() {
        let server = server();
        let token = token(&server, "sys", "secret-of-sys", 1);
        let rs = testing::basic("rs", "secret-of-rs1");
        let response = introspect(&server, &rs, &[("token", &token), ("token_type_hint", "nonsense")], 0).unwrap();
        assert_eq!((&response["active"], &response["client_id"]), (&json!(true), &json!("sys")));
        assert_eq!((&response["scope"], &response["sub"]), (&json!("system/*.read"), &json!("sys")));
        assert_eq!((&response["iss"], &response["exp"]), (&json!("https://here"), &json!(Server::NOW + 300)));
        assert!(response.get("patient").is_none() && response.get("fhirUser").is_none());
        let inactive = Ok(json!({"active": false}));
        assert_eq!(introspect(&server, &rs, &[("token", &token)], 300), inactive, "IN06");
        for unknown in ["invalid_token_value", &format!("{token}x"), &token.replace("eyJ", "eyK"), "a.b.c"] {
            assert_eq!(introspect(&server, &rs, &[("token", unknown)], 0), inactive, "{unknown}");
        }
    }

    #[test]
    fn in07_a_client_learns_about_its_own_tokens_only() {
        let server = server();
        let token = token(&server, "sys", "secret-of-sys", 1);
        assert_eq!(
            introspect(&server, &testing::basic("sys", "secret-of-sys"), &[("token", &token)], 0).unwrap()["active"],
            json!(true)
        );
        let other = introspect(&server, &testing::basic("sy", "secret-of-other"), &[("token", &token)], 0);
        assert_eq!(other, Ok(json!({"active": false})));
    }

    #[test]
    fn in01_to_in13_introspection_needs_authentication() {
        let server = server();
        let (own, right) = (token(&server, "sys", "secret-of-sys", 1), token(&server, "rs", "secret-of-rs1", 2));
        let invalid = Err(OAuthErrorCode::InvalidClient);
        assert_eq!(introspect(&server, &testing::basic("rs", "wrong"), &[("token", &own)], 0), invalid);
        assert_eq!(
            introspect(&server, &testing::basic("rs", "secret-of-rs1"), &[], 0),
            Err(OAuthErrorCode::InvalidRequest)
        );
        assert_eq!(introspect(&server, &format!("Bearer {own}"), &[("token", &own)], 0), invalid, "IN13");
        assert_eq!(introspect(&server, "Bearer nonsense", &[("token", &own)], 0), invalid);
        assert_eq!(
            introspect(&server, &format!("Bearer {right}"), &[("token", &own)], 0).unwrap()["active"],
            json!(true)
        );
        let form = form(&[("token", &own), ("client_id", "pub")]);
        let request = TokenRequest { authorization: None, form: &form, network: "" };
        let public = now(server.at(0, &[9; 32]).introspect(&request)).unwrap_err();
        assert_eq!(public.code, OAuthErrorCode::InvalidClient);
    }

    #[test]
    fn in16_scanning_for_tokens_is_limited_and_introspecting_real_ones_is_not() {
        let server = server();
        let token = token(&server, "sys", "secret-of-sys", 1);
        let rs = testing::basic("rs", "secret-of-rs1");
        for _ in 0..600 {
            assert!(introspect(&server, &rs, &[("token", &token)], 0).is_ok());
        }
        let scanned = (0..520).find(|at| {
            introspect(&server, &rs, &[("token", &format!("guess-{at}"))], 0) == Err(OAuthErrorCode::TooManyRequests)
        });
        assert_eq!(scanned, Some(420));
        // Otherwise anybody who sends nonsense to a resource server could lock it out.
        assert_eq!(introspect(&server, &rs, &[("token", &token)], 0).unwrap()["active"], json!(true));
    }

    #[test]
    fn rv01_to_rv08_a_client_revokes_its_own_tokens_at_once() {
        let server = server();
        let token = token(&server, "sys", "secret-of-sys", 1);
        let active = || {
            introspect(&server, &testing::basic("rs", "secret-of-rs1"), &[("token", &token)], 0).unwrap()["active"]
                == json!(true)
        };
        assert_eq!(revoke(&server, &testing::basic("sys", "secret-of-sys"), &[("token", "unknown")]), Ok(()));
        assert_eq!(revoke(&server, &testing::basic("sys", "secret-of-sys"), &[]), Err(OAuthErrorCode::InvalidRequest));
        assert_eq!(
            revoke(&server, &testing::basic("sys", "wrong"), &[("token", &token)]),
            Err(OAuthErrorCode::InvalidClient)
        );
        let foreign = revoke(&server, &testing::basic("sy", "secret-of-other"), &[("token", &token)]);
        assert_eq!(foreign, Err(OAuthErrorCode::InvalidRequest));
        assert!(active(), "another client's token lives on");
        for _ in 0..2 {
            let hint = ("token_type_hint", "refresh_token");
            assert_eq!(revoke(&server, &testing::basic("sys", "secret-of-sys"), &[("token", &token), hint]), Ok(()));
            assert!(!active());
        }
    }
}
