//! The audit log of signing in: each page with patients, each code, and each refusal to an app or a user.

use serde_json::{Value, json};

use super::{confidential, exchange, request, sign_in, text};
use crate::world::{World, encoded};

/// Returns the members of a log line that are equal in each run.
fn said(line: &Value) -> Value {
    let mut line = line.clone();
    for own in ["audit", "event_id", "time", "request", "network", "grant"] {
        line.as_object_mut().unwrap().remove(own);
    }
    line
}

/// Runs `done`, and returns the lines that it appends to the audit log.
fn logged<T>(world: &World, done: impl FnOnce() -> T) -> (T, Vec<Value>) {
    let before = world.log.borrow().len();
    let outcome = done();
    let log = world.log.borrow();
    let lines = log.get(before..).unwrap().lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    (outcome, lines.filter(|line| line.get("audit").is_some()).collect())
}

fn told<T>(world: &World, done: impl FnOnce() -> T) -> (T, Vec<Value>) {
    let (outcome, lines) = logged(world, done);
    (outcome, lines.iter().map(said).collect())
}

#[test]
fn the_patient_selection_is_logged_with_the_patients_it_shows() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let (pick, lines) = told(&world, || browser.login(&page, "dr"));
    let shown = |patients: Value| json!({"status": 200, "event": "patients-shown", "client": "pub", "user": "dr", "patients": patients});
    assert_eq!(
        lines,
        [json!({"status": 303, "event": "login", "client": "pub", "user": "dr"}), shown(json!(["a", "b"]))]
    );
    let (_, lines) = told(&world, || browser.submit(&pick, "/oauth/patient", &[("words", "ben")]));
    assert_eq!(lines, [shown(json!(["b"]))]);
    let (_, lines) = told(&world, || browser.submit(&pick, "/oauth/patient", &[("words", "nobody-of-that-name")]));
    assert_eq!(lines, [json!({"status": 200, "event": "patients-shown", "client": "pub", "user": "dr"})]);
    assert!(!world.log.borrow().contains("nobody-of-that-name"), "what was looked for is not said");
    let (_, lines) = told(&world, || browser.submit(&pick, "/oauth/patient", &[("patient", "c")]));
    let refused = json!({"status": 400, "event": "patient", "client": "pub", "user": "dr", "context": "c", "error": "not_permitted"});
    assert_eq!(lines, [refused]);
    // The consent page names the patient.
    let (_, lines) = told(&world, || browser.submit(&pick, "/oauth/patient", &[("patient", "b")]));
    assert_eq!(
        lines,
        [
            json!({"status": 200, "event": "patients-shown", "client": "pub", "user": "dr", "context": "b", "patients": ["b"]})
        ]
    );
}

#[test]
fn a_code_is_logged_with_its_authorization_with_and_without_a_consent_page() {
    let world = World::new();
    let scope = ("scope", "launch/patient patient/Condition.read");
    let (browser, consent) = sign_in(&world, "pa", &confidential(&[scope]));
    let (_, lines) = logged(&world, || browser.allow(&consent));
    let issued = |event: &str| json!({"status": 303, "event": event, "client": "conf", "user": "pa", "context": "a"});
    assert_eq!(lines.iter().map(said).collect::<Vec<_>>(), [issued("consent")]);
    for more in [&[][..], &[("prompt", "none")]] {
        let request = confidential(&[&[scope], more].concat());
        let (answer, lines) = logged(&world, || browser.authorize(&request));
        assert!(answer.heard().contains_key("code"), "{more:?}");
        assert_eq!(lines.iter().map(said).collect::<Vec<_>>(), [issued("authorize")], "{more:?}");
        let grant = lines[0]["grant"].as_str().unwrap();
        assert_eq!(world.count(&format!("SELECT count(*) FROM grants WHERE id = '{grant}'")), 1);
    }
}

#[test]
fn an_error_response_to_an_app_is_logged() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    let (_, lines) = told(&world, || browser.submit(&consent, "/oauth/consent", &[("decision", "deny")]));
    assert_eq!(
        lines,
        [json!({"status": 303, "event": "consent", "client": "pub", "user": "pa", "context": "a", "error": "denied"})]
    );
    let told_app = |changes: &[(&'static str, &'static str)], user: Option<&str>, error: &str| {
        let asked = request(changes);
        let browser = if user.is_some() { &browser } else { &world.browser() };
        let (answer, lines) = told(&world, || browser.authorize(&asked));
        assert_eq!(answer.error(), error, "{changes:?}");
        let mut line = json!({"status": 303, "event": "authorize", "client": "pub", "error": error});
        if let Some(user) = user {
            line["user"] = json!(user);
        }
        assert_eq!(lines, [line], "{changes:?}");
    };
    told_app(&[("scope", "nonsense")], None, "invalid_scope");
    told_app(&[("prompt", "none")], None, "login_required");
    told_app(&[("prompt", "none")], Some("pa"), "consent_required");
    let (_, lines) = told(&world, || browser.authorize(&request(&[("redirect_uri", "https://evil.example/cb")])));
    assert_eq!(lines, [json!({"status": 400, "event": "authorize", "error": "invalid_request"})]);
    let (_, lines) = told(&world, || browser.post("/oauth/consent", &[("interaction", "x"), ("csrf", "y")]));
    assert_eq!(lines, [json!({"status": 400, "event": "consent", "error": "forged"})]);
}

#[test]
fn lg04_a_failed_log_in_names_the_account_and_nothing_else_that_was_typed() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let tried = |name: &str| {
        let (_, lines) = logged(&world, || {
            browser.submit(&page, "/oauth/login", &[("username", name), ("password", "wrong-password")])
        });
        assert_eq!(lines.len(), 1);
        lines.into_iter().next().unwrap()
    };
    let wrong = json!({"status": 303, "event": "login", "client": "pub", "user": "pa", "error": "wrong_password"});
    assert_eq!(said(&tried("pa")), wrong);
    let unknown = tried("my-secret-password");
    assert!(unknown.get("user").is_none() && !unknown.to_string().contains("my-secret"));
    assert_eq!(unknown["unknown_user"], tried("my-secret-password")["unknown_user"], "it can be matched");
    assert_ne!(unknown["unknown_user"], tried("another")["unknown_user"]);
    world.execute("UPDATE users SET disabled = 1 WHERE name = 'ma'");
    assert_eq!(tried("ma")["user"], "ma", "a disabled account is one too");
    for _ in 0..15 {
        tried("pa");
    }
    let mut throttled = wrong;
    (throttled["status"], throttled["error"]) = (json!(429), json!("throttled"));
    assert_eq!(said(&tried("pa")), throttled);
}

#[test]
fn the_end_of_an_authorization_is_logged_with_its_user() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    let (_, lines) = told(&world, || browser.submit(&page, "/oauth/manage", &[("withdraw", "unknown")]));
    assert_eq!(lines, [json!({"status": 303, "event": "withdraw", "user": "pa", "error": "unknown_client"})]);
    let form = encoded(&[("client_id", "pub"), ("token", &text(&tokens, "access_token"))]);
    let (_, lines) = logged(&world, || world.ask("POST", "/oauth/revoke", &[], &form));
    assert_eq!(said(&lines[0]), json!({"status": 200, "event": "revoke", "client": "pub"}));
    let grant = lines[0]["grant"].as_str().unwrap();
    assert_eq!(world.count(&format!("SELECT count(*) FROM grants WHERE id = '{grant}' AND revoked_at > 0")), 1);
    let (_, lines) = told(&world, || browser.submit(&page, "/oauth/manage", &[("action", "sign-out")]));
    assert_eq!(lines, [json!({"status": 303, "event": "sign-out", "user": "pa"})]);
}

#[test]
fn lg01_a_secret_in_the_place_of_a_client_id_is_not_logged() {
    let world = World::new();
    let tried = |path: &str, id: &str| {
        let form =
            encoded(&[("client_id", id), ("grant_type", "refresh_token"), ("refresh_token", "x"), ("token", "x")]);
        logged(&world, || world.ask("POST", path, &[], &form)).1.remove(0)
    };
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect"] {
        let unknown = tried(path, "my-secret");
        assert!(unknown.get("client").is_none() && !unknown.to_string().contains("my-secret"), "{unknown}");
        assert_eq!(unknown["unknown_client"], tried(path, "my-secret")["unknown_client"], "it can be matched");
        assert_ne!(unknown["unknown_client"], tried(path, "another")["unknown_client"]);
    }
    assert_eq!(tried("/oauth/token", "pub")["client"], "pub");
}

#[test]
fn an_introspection_is_logged_with_the_grant_it_discloses() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &confidential(&[]));
    let tokens = super::tokens::confidential_exchange(&world, &browser.allow(&consent).heard()["code"]);
    let introspected = |token: &str| {
        let form = encoded(&[("token", token)]);
        logged(&world, || world.ask("POST", "/oauth/introspect", &[super::BASIC], &form)).1
    };
    for (token, is_told) in [("access_token", true), ("refresh_token", true), ("id_token", false)] {
        let lines = introspected(&text(&tokens, token));
        assert_eq!(
            lines.iter().map(said).collect::<Vec<_>>(),
            [json!({"status": 200, "event": "introspect", "client": "conf"})]
        );
        let grant = lines[0].get("grant").and_then(Value::as_str).unwrap_or_default();
        assert_eq!(
            world.count(&format!("SELECT count(*) FROM grants WHERE id = '{grant}'")),
            i64::from(is_told),
            "{token}"
        );
    }
}

#[test]
fn launches_and_the_form_of_the_simulator_are_logged() {
    let world = World::new();
    let (_, lines) = told(&world, || world.ask("GET", "/sandbox/launch", &[], ""));
    assert_eq!(lines, [json!({"status": 200, "event": "patients-shown", "patients": ["a", "b"]})]);
    let launch = |patient: &str| {
        let form = encoded(&[("client_id", "pub"), ("user", "dr"), ("patient", patient)]);
        told(&world, || world.ask("POST", "/sandbox/launch", &[], &form)).1
    };
    let line = json!({"status": 303, "event": "launch", "launched": "pub", "user": "dr", "context": "b"});
    assert_eq!(launch("b"), [line]);
    let refused = json!({"status": 400, "event": "launch", "error": "invalid_request"});
    assert_eq!(launch("c"), [refused]);
}

#[test]
fn events_have_ids_of_the_server_and_networks_are_keyed_hashes() {
    let world = World::new();
    let (browser, there) = (world.browser(), world.browser_at("192.0.2.7"));
    let headers = [("X-Request-Id", "mine")];
    let (_, lines) = logged(&world, || {
        let page = browser.authorize(&request(&[]));
        browser.login(&page, "dr");
        there.ask("GET", "/oauth/authorize", &headers, "");
        there.ask("GET", "/oauth/authorize", &headers, "");
    });
    let mut ids: Vec<_> = lines.iter().map(|line| line["event_id"].as_str().unwrap()).collect();
    assert!(ids.iter().all(|id| id.len() == 36 && fhir::Id::parse(id).is_some()), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), lines.len());
    let [.., one, other] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((&one["request"], &other["request"]), (&json!("mine"), &json!("mine")));
    let network = api::network_hash(&oauth::Pepper::new(b"test"), "192.0.2.7");
    assert_eq!((&one["network"], &other["network"]), (&json!(network), &json!(network)));
    assert!(lines[0]["network"] != one["network"] && !world.log.borrow().contains("192.0.2.7"));
}
