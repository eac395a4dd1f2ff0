//! Introspection (RFC 7662) and revocation (RFC 7009).

use super::Server;
use oauth::testing::{self, form};
use oauth::{OAuthErrorCode, TokenRequest};
use serde_json::{Value, json};
use sqlite::now;

fn server() -> Server {
    Server::with(&json!([
        {"client_id": "pub", "kind": "public", "scopes": "openid"},
        {"client_id": "sys", "kind": "backend", "secret": "secret-of-sys", "scopes": "system/*.read"},
        {"client_id": "sy", "kind": "backend", "secret": "secret-of-other", "scopes": "system/*.read"},
        {"client_id": "rs", "kind": "backend", "secret": "secret-of-rs1", "scopes": "system/*.read", "introspect": true},
    ]))
}

/// Returns an access token of this client. The byte makes it unique.
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
    for bad in [&own, "nonsense"] {
        let refused = introspect(&server, &format!("Bearer {bad}"), &[("token", &own)], 0);
        assert_eq!(refused, Err(OAuthErrorCode::InvalidToken), "IN13 {bad}");
    }
    let second = introspect(&server, &format!("Bearer {right}"), &[("token", &own), ("client_secret", "x")], 0);
    assert_eq!(second, Err(OAuthErrorCode::InvalidRequest));
    assert_eq!(introspect(&server, &format!("Bearer {right}"), &[("token", &own)], 0).unwrap()["active"], json!(true));
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
