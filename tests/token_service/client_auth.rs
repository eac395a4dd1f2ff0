//! Each kind of client authenticates in its own way.

use super::Server;
use oauth::testing::{self, IDENTITY, assertion, form};
use oauth::{ASSERTION_TYPE, OAuthError, OAuthErrorCode, TokenRequest, authenticate};
use serde_json::{Value, json};
use sqlite::now;

const TOKEN_URL: &str = "https://here/oauth/token";

fn public_key() -> Value {
    let key: Value = serde_json::from_str(IDENTITY).unwrap();
    json!({"kty": "RSA", "kid": "k", "n": key["n"], "e": key["e"], "alg": "RS384"})
}

fn server() -> Server {
    Server::with(&json!([
        {"client_id": "pub", "kind": "public", "scopes": "openid"},
        {"client_id": "conf", "kind": "confidential", "secret": "right-secret", "scopes": "openid"},
        {"client_id": "jwk", "kind": "asymmetric", "jwks": {"keys": [public_key()]}, "scopes": "openid"},
        {"client_id": "remote", "kind": "asymmetric", "jwks_uri": "https://app.example/jwks", "scopes": "openid"},
        {"client_id": "sys", "kind": "backend", "jwks": {"keys": [public_key()]}, "scopes": "system/*.read"},
        {"client_id": "off", "kind": "confidential", "secret": "right-secret", "scopes": "openid", "disabled": true},
    ]))
}

fn authenticated(server: &Server, authorization: Option<&str>, members: &[(&str, &str)]) -> Result<String, OAuthError> {
    let form = form(members);
    let request = TokenRequest { authorization, form: &form, network: "192.0.2.1" };
    now(authenticate(&server.at(0, &[0; 32]), &request)).map(|client| client.client_id)
}

fn signed(client: &str, changes: &Value) -> String {
    let mut claims = json!({"iss": client, "sub": client, "aud": TOKEN_URL, "exp": Server::NOW + 300, "jti": "once"});
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    assertion(IDENTITY, &json!({"alg": "RS384", "kid": "k", "typ": "JWT"}), &claims)
}

fn asserted(server: &Server, assertion: &str) -> Result<String, OAuthError> {
    authenticated(server, None, &[("client_assertion_type", ASSERTION_TYPE), ("client_assertion", assertion)])
}

#[test]
fn ba_each_kind_of_client_authenticates_in_its_own_way() {
    let server = server();
    let code = |authorization: Option<&str>, members: &[(&str, &str)]| {
        authenticated(&server, authorization, members).map_err(|error| error.code)
    };
    let (invalid, odd) = (Err(OAuthErrorCode::InvalidClient), Err(OAuthErrorCode::InvalidRequest));
    assert_eq!(code(None, &[("client_id", "pub")]), Ok("pub".into()));
    assert_eq!(code(Some(&testing::basic("conf", "right-secret")), &[]), Ok("conf".into()));
    assert_eq!(code(Some(&testing::basic("conf", "right-secret")), &[("client_id", "conf")]), Ok("conf".into()));
    assert_eq!(code(Some(&testing::basic("conf", "right-secret")), &[("client_id", "pub")]), odd, "BA08");
    for (id, secret) in
        [("conf", "wrong"), ("conf", ""), ("nobody", "right-secret"), ("pub", ""), ("jwk", ""), ("off", "right-secret")]
    {
        assert_eq!(code(Some(&testing::basic(id, secret)), &[]), invalid, "{id}");
    }
    for id in ["conf", "jwk", "nobody", "off", "a'--", "a\0b"] {
        assert_eq!(code(None, &[("client_id", id)]), invalid, "BA13 {id}");
    }
    assert_eq!(code(None, &[]), invalid, "BA01");
    assert_eq!(code(Some("Bearer abc"), &[]), invalid, "BA10");
    assert_eq!(code(None, &[("client_id", "conf"), ("client_secret", "right-secret")]), invalid, "BA05");
    assert_eq!(code(Some(&testing::basic("conf", "right-secret")), &[("client_secret", "right-secret")]), odd, "BA06");
    let assertion = signed("jwk", &json!({}));
    let both = [("client_assertion_type", ASSERTION_TYPE), ("client_assertion", assertion.as_str())];
    assert_eq!(code(Some(&testing::basic("conf", "right-secret")), &both), odd, "BA07");
}

#[test]
fn ba17_an_unknown_client_and_a_wrong_secret_are_answered_alike() {
    let server = server();
    let refusal = |id, secret| authenticated(&server, Some(&testing::basic(id, secret)), &[]).unwrap_err();
    assert_eq!(refusal("conf", "wrong"), refusal("nobody", "wrong"));
    assert_eq!(refusal("conf", "wrong"), refusal("off", "right-secret"));
}

#[test]
fn ba18_guesses_at_a_secret_are_limited() {
    let server = server();
    let code = |secret| authenticated(&server, Some(&testing::basic("conf", secret)), &[]).map_err(|error| error.code);
    for _ in 0..200 {
        assert!(code("right-secret").is_ok(), "who knows it is not slowed");
    }
    for _ in 0..40 {
        assert_eq!(code("wrong"), Err(OAuthErrorCode::InvalidClient));
    }
    assert_eq!(code("wrong"), Err(OAuthErrorCode::TooManyRequests));
    assert_eq!(code("right-secret"), Err(OAuthErrorCode::TooManyRequests), "nor may one see that a guess was right");
}

#[test]
fn pj30_to_pj32_an_assertion_can_be_used_once() {
    let server = server();
    assert_eq!(asserted(&server, &signed("jwk", &json!({}))), Ok("jwk".into()));
    for again in [signed("jwk", &json!({})), signed("jwk", &json!({"exp": Server::NOW + 200}))] {
        assert_eq!(asserted(&server, &again).unwrap_err().code, OAuthErrorCode::InvalidClient);
    }
    assert_eq!(asserted(&server, &signed("sys", &json!({}))), Ok("sys".into()), "another client's own");
}

#[test]
fn pj08_to_pj19_an_assertion_is_accepted_only_from_its_own_client() {
    let server = server();
    let refused = |assertion: &str| asserted(&server, assertion).unwrap_err().code == OAuthErrorCode::InvalidClient;
    for client in ["conf", "pub", "off", "nobody"] {
        assert!(refused(&signed(client, &json!({}))), "{client} has no such key");
    }
    let good = signed("jwk", &json!({"jti": "j1"}));
    let (data, signature) = good.rsplit_once('.').unwrap();
    let other = signed("jwk", &json!({"jti": "j2"}));
    assert!(refused(&format!("{}.{signature}", other.rsplit_once('.').unwrap().0)), "another's signature");
    assert!(refused(&format!("{data}.{}", "A".repeat(signature.len()))));
    let claims = json!({"iss": "jwk", "sub": "jwk", "aud": TOKEN_URL, "exp": Server::NOW + 300, "jti": "j3"});
    for header in [
        json!({"alg": "RS384", "kid": "other"}),
        json!({"alg": "ES384", "kid": "k"}),
        json!({"alg": "RS384", "kid": "k", "jku": "https://evil.example/jwks"}),
        json!({"alg": "RS384", "kid": "../../keys/k", "jwk": public_key()}),
    ] {
        assert!(refused(&assertion(IDENTITY, &header, &claims)), "{header}");
    }
    assert_eq!(asserted(&server, &good), Ok("jwk".into()), "what failed has redeemed nothing");
    let members = [("client_assertion_type", "jwt"), ("client_assertion", good.as_str())];
    assert_eq!(authenticated(&server, None, &members).unwrap_err().code, OAuthErrorCode::InvalidClient, "PJ02");
    let fresh = signed("jwk", &json!({"jti": "j4"}));
    let members =
        [("client_assertion_type", ASSERTION_TYPE), ("client_assertion", fresh.as_str()), ("client_id", "sys")];
    assert_eq!(authenticated(&server, None, &members).unwrap_err().code, OAuthErrorCode::InvalidClient, "PJ17");
}

#[test]
fn pj39_keys_are_fetched_only_from_the_registered_address() {
    let server = server();
    let refused = asserted(&server, &signed("remote", &json!({}))).unwrap_err();
    assert_eq!(refused.code, OAuthErrorCode::InvalidClient);
    assert!(refused.detail.is_some(), "why is in the log");
    let server = self::server();
    server.platform.0.put("https://app.example/jwks", &json!({"keys": [public_key()]}), None);
    assert_eq!(asserted(&server, &signed("remote", &json!({}))), Ok("remote".into()));
    assert_eq!(server.platform.0.fetches(), 1);
}

#[test]
fn pj42_assertions_of_others_cause_few_fetches_and_are_limited() {
    let server = server();
    server.platform.0.put("https://app.example/jwks", &json!({"keys": [public_key()]}), Some(0));
    let bogus = signed("remote", &json!({})).replace('.', ".A");
    let forged = assertion(
        IDENTITY,
        &json!({"alg": "RS384", "kid": "other"}),
        &json!({"iss": "remote", "sub": "remote", "aud": TOKEN_URL, "exp": Server::NOW + 300, "jti": "j"}),
    );
    assert!(asserted(&server, &bogus).is_err());
    for _ in 0..40 {
        assert_eq!(asserted(&server, &forged).unwrap_err().code, OAuthErrorCode::InvalidClient);
    }
    assert_eq!(asserted(&server, &forged).unwrap_err().code, OAuthErrorCode::TooManyRequests);
    assert_eq!(server.platform.0.fetches(), 1);
    // The client continues to work, and its next key is fetched at once.
    assert_eq!(asserted(&server, &signed("remote", &json!({}))), Ok("remote".into()));
    assert_eq!(asserted(&server, &signed("remote", &json!({"jti": "next"}))), Ok("remote".into()));
    assert_eq!(server.platform.0.fetches(), 2);
}

#[test]
fn cc_a_backend_gets_a_token_by_its_assertion() {
    let server = server();
    let assertion = signed("sys", &json!({}));
    let form = form(&[
        ("grant_type", "client_credentials"),
        ("scope", "system/*.read"),
        ("client_assertion_type", ASSERTION_TYPE),
        ("client_assertion", &assertion),
    ]);
    let request = TokenRequest { authorization: None, form: &form, network: "" };
    let issued = now(server.at(0, &[1; 32]).answer(&request)).unwrap();
    assert_eq!((issued.expires_in, issued.scope.as_str()), (300, "system/*.read"));
    assert!(issued.refresh_token.is_none() && issued.id_token.is_none());
    let form = testing::form(&[("grant_type", "client_credentials")]);
    let authorization = testing::basic("conf", "right-secret");
    let request = TokenRequest { authorization: Some(&authorization), form: &form, network: "" };
    let refused = now(server.at(0, &[1; 32]).answer(&request)).unwrap_err();
    assert_eq!(refused.code, OAuthErrorCode::UnauthorizedClient);
}
