//! An EHR launches apps (SMART App Launch, "Launch app: EHR launch"), with its own token.

use serde_json::{Value, json};

use super::{code, exchange, request, text};
use crate::support::BASE;
use crate::world::{Answered, World, encoded};

const EHR: (&str, &str) = ("Authorization", "Basic ZWhyOmVoci1zZWNyZXQtb2YtYS1nb29kLWxlbmd0aC0wMTIzNDU2Nzg5");

/// Returns an access token response for the EHR.
pub fn token(world: &World, scope: &str) -> Answered {
    world.token(&[EHR], &[("grant_type", "client_credentials"), ("scope", scope)])
}

pub fn launch(world: &World, token: &str, body: &Value) -> Answered {
    let headers = [("Authorization", &*format!("Bearer {token}")), ("Content-Type", "application/json")];
    world.ask("POST", "/oauth/launch", &headers, &body.to_string())
}

fn good() -> Value {
    json!({"client_id": "pub", "user": "dr", "patient": "b"})
}

#[test]
fn an_ehr_launches_an_app_and_its_user_signs_in() {
    let world = World::new();
    let granted = token(&world, "launch");
    assert_eq!((text(&granted, "scope").as_str(), granted.json()["expires_in"].as_i64()), ("launch", Some(300)));
    let ehr = text(&granted, "access_token");
    let launched = launch(&world, &ehr, &good());
    assert_eq!(launched.status, 200, "{}", launched.text);
    assert_eq!(launched.headers["Cache-Control"], "no-store");
    let handle = text(&launched, "launch");
    let address = format!("https://pub.example/launch?iss={}&launch={handle}", encoded(&[("", BASE)]).split_off(1));
    assert_eq!(decoded(&text(&launched, "launch_uri")), decoded(&address));
    assert_eq!(launched.json()["expires_in"], 300);

    let browser = world.browser();
    let ask = request(&[("scope", "launch patient/*.read"), ("launch", &handle)]);
    let page = browser.authorize(&ask);
    assert!(browser.login(&page, "pa").text.contains("somebody else"));
    let consent = browser.login(&page, "dr");
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&tokens, "patient"), "b");
    // The app also has the scope, but may not launch apps.
    assert_eq!(launch(&world, &text(&tokens, "access_token"), &good()).status, 403);
    assert!(world.log.borrow().contains("\"launch\""));
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
}

#[test]
fn a_form_is_accepted_and_patient_and_launch_uri_are_optional() {
    let world = World::new();
    let ehr = format!("Bearer {}", text(&token(&world, "launch system/Patient.read"), "access_token"));
    let form = encoded(&[("client_id", "other"), ("user", "dr"), ("patient", ""), ("intent", "reconcile")]);
    let launched = world.ask("POST", "/oauth/launch", &[("Authorization", &ehr)], &form);
    assert_eq!(launched.status, 200, "{}", launched.text);
    assert!(launched.json().get("launch_uri").is_none() && launched.json()["launch"].is_string());
    let body = json!({"client_id": "pub", "user": "dr", "patient": null, "other": {"any": ["thing"]}});
    assert_eq!(launch(&world, ehr.strip_prefix("Bearer ").unwrap(), &body).status, 200);
}

#[test]
fn launches_without_permission_are_refused_as_in_rfc_6750() {
    let world = World::new();
    let asked = |headers: &[(&str, &str)]| world.ask("POST", "/oauth/launch", headers, &encoded(&[]));
    let none = asked(&[]);
    assert_eq!((none.status, none.headers["WWW-Authenticate"].as_str()), (401, "Bearer"));
    let own = text(&token(&world, "launch"), "access_token");
    for bad in ["Bearer x".to_owned(), "Bearer".to_owned(), EHR.1.to_owned(), format!("Bearer {own}x")] {
        let answer = asked(&[("Authorization", &bad)]);
        assert_eq!((answer.status, answer.error().as_str()), (401, "invalid_token"), "{bad}");
        assert_eq!(answer.headers["WWW-Authenticate"], "Bearer error=\"invalid_token\"", "{bad}");
    }
    let less = text(&token(&world, "system/Patient.read"), "access_token");
    let of_a_user = text(&exchange(&world, &code(&world, &request(&[])), &[]), "access_token");
    for bad in [&less, &of_a_user] {
        let answer = launch(&world, bad, &good());
        assert_eq!((answer.status, answer.error().as_str()), (403, "insufficient_scope"));
        assert_eq!(answer.headers["WWW-Authenticate"], "Bearer error=\"insufficient_scope\", scope=\"launch\"");
    }
    assert_eq!(world.count("SELECT count(*) FROM launches"), 0);
    assert_eq!(launch(&world, &own, &good()).status, 200);
    for ended in [
        "UPDATE clients SET registration = json_set(registration, '$.scopes', 'system/Patient.read') WHERE id = 'ehr'",
        "UPDATE grants SET revoked_at = 1",
    ] {
        world.execute(ended);
        assert!(matches!(launch(&world, &own, &good()).status, 401 | 403), "{ended}");
    }
    assert_eq!(world.ask("GET", "/oauth/launch", &[], "").status, 405);
    // A scope for users is not a scope of a backend client.
    assert_eq!(token(&world, "launch/patient").error(), "invalid_scope");
    world.execute("UPDATE clients SET registration = json_set(registration, '$.kind', 'confidential', '$.grants', json('[\"client_credentials\"]'), '$.scopes', 'launch') WHERE id = 'ehr'");
    assert_eq!(token(&world, "launch").error(), "invalid_scope", "CC03");
}

#[test]
fn lc13_a_launch_needs_an_app_a_user_and_a_patient_whom_the_user_may_see() {
    let world = World::new();
    let ehr = text(&token(&world, "launch"), "access_token");
    for (member, value) in [
        ("client_id", json!("")),
        ("client_id", json!("nobody")),
        ("client_id", json!("off")),
        ("client_id", json!("sys")),
        ("client_id", json!(["pub"])),
        ("user", json!(null)),
        ("user", json!("nobody")),
        ("patient", json!("c")),
        ("patient", json!("a,b")),
        ("patient", json!("*")),
        ("patient", json!(5)),
    ] {
        let mut body = good();
        body[member] = value.clone();
        let answer = launch(&world, &ehr, &body);
        assert_eq!((answer.status, answer.error().as_str()), (400, "invalid_request"), "{member} {value}");
    }
    let form = format!("{}&user=pa", encoded(&[("client_id", "pub"), ("user", "dr")]));
    let bearer = format!("Bearer {ehr}");
    for body in [form.as_str(), "client_id=%", ""] {
        assert_eq!(world.ask("POST", "/oauth/launch", &[("Authorization", &bearer)], body).status, 400, "{body}");
    }
    let twice = r#"{"client_id": "pub", "user": "dr", "patient": "b", "patient": "a"}"#;
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
    assert_eq!(world.ask("POST", "/oauth/launch", &headers, twice).status, 400);
    world.execute("UPDATE users SET disabled = 1 WHERE name = 'dr'");
    assert_eq!(launch(&world, &ehr, &good()).status, 400);
    assert_eq!(world.count("SELECT count(*) FROM launches"), 0);
}
