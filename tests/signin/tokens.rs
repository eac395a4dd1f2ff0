//! A6, A9, A10: codes and refresh tokens.

use super::agents::claims;
use super::{BASIC, SCOPE, VERIFIER, code, confidential, exchange, request, sign_in, text};
use crate::world::{Answered, World};

pub fn confidential_exchange(world: &World, code: &str) -> Answered {
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", "https://conf.example/cb?x=1"),
        ("code_verifier", VERIFIER),
    ];
    world.token(&[BASIC], &form)
}

pub fn refresh(world: &World, token: &str, more: &[(&str, &str)]) -> Answered {
    world.token(&[], &[&[("grant_type", "refresh_token"), ("refresh_token", token)], more].concat())
}

#[test]
fn a9_a_code_is_refused_without_everything_that_it_is_bound_to() {
    let world = World::new();
    let code = code(&world, &request(&[]));
    let short = "a".repeat(42);
    let long = "a".repeat(129);
    for (changes, error) in [
        (&[("code", "")][..], "invalid_request"),
        (&[("code", "BAD_CODE")], "invalid_grant"),
        (&[("redirect_uri", "")], "invalid_request"),
        (&[("redirect_uri", "https://pub.example/cb?x")], "invalid_grant"),
        (&[("code_verifier", "")], "invalid_grant"),
        (&[("code_verifier", super::CHALLENGE)], "invalid_grant"),
        (&[("code_verifier", &short)], "invalid_grant"),
        (&[("code_verifier", &long)], "invalid_grant"),
        (&[("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk=")], "invalid_grant"),
        (&[("client_id", "other")], "invalid_grant"),
        (&[("client_id", "nobody")], "invalid_client"),
        (&[("client_id", "conf")], "invalid_client"),
        (&[("client_id", "")], "invalid_client"),
        (&[("grant_type", "refresh_token"), ("refresh_token", &code)], "invalid_grant"),
        (&[("grant_type", "password")], "unsupported_grant_type"),
        (&[("grant_type", "")], "invalid_request"),
    ] {
        let answer = exchange(&world, &code, changes);
        assert_eq!(answer.error(), error, "{changes:?}");
        assert_eq!(answer.status, if error == "invalid_client" { 401 } else { 400 });
        assert_eq!(
            (answer.headers["Cache-Control"].as_str(), answer.headers["Pragma"].as_str()),
            ("no-store", "no-cache")
        );
    }
    let good = exchange(&world, &code, &[("scope", "openid")]);
    assert_eq!(good.status, 200, "after all that the code is still its owner's: {}", good.text);
    assert_eq!(text(&good, "scope"), SCOPE);
    assert_eq!(world.read_condition(&code, "ca"), 401);
}

#[test]
fn a9_a_code_is_redeemed_once_and_its_replay_ends_its_tokens() {
    let world = World::new();
    let code = code(&world, &request(&[]));
    let tokens = exchange(&world, &code, &[]);
    let access = text(&tokens, "access_token");
    for other in [&[("code_verifier", "x")][..], &[("client_id", "other")], &[("redirect_uri", "https://pub.example/")]]
    {
        assert_eq!(exchange(&world, &code, other).error(), "invalid_grant");
        assert_eq!(world.read_condition(&access, "ca"), 200, "a guess ends nothing: {other:?}");
    }
    let replay = exchange(&world, &code, &[]);
    assert_eq!(replay.error(), "invalid_grant");
    assert!(replay.detail.is_some_and(|detail| detail.starts_with("reuse detected")));
    assert_eq!(world.read_condition(&access, "ca"), 401);
    assert_eq!(refresh(&world, &text(&tokens, "refresh_token"), &[]).error(), "invalid_grant");
}

#[test]
fn a9_a_code_ends_after_a_minute_and_with_its_authorization() {
    let world = World::new();
    let late = code(&world, &request(&[]));
    world.pass(60);
    assert_eq!(exchange(&world, &late, &[]).error(), "invalid_grant");
    for gone in [
        "UPDATE grants SET revoked_at = 1",
        "UPDATE clients SET registration = json_set(registration, '$.disabled', json('true')) WHERE id = 'pub'",
    ] {
        let world = World::new();
        let code = code(&world, &request(&[]));
        world.execute(gone);
        assert!(matches!(exchange(&world, &code, &[]).error().as_str(), "invalid_grant" | "invalid_client"), "{gone}");
    }
}

#[test]
fn a9_pkce_is_enforced_whenever_a_challenge_was_sent_and_only_then() {
    let world = World::new();
    let form = |code: &str, verifier: &'static str| {
        let code = code.to_owned();
        let mut form = vec![("grant_type", "authorization_code".to_owned()), ("code", code)];
        form.push(("redirect_uri", "https://conf.example/cb?x=1".to_owned()));
        if !verifier.is_empty() {
            form.push(("code_verifier", verifier.to_owned()));
        }
        let form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
        world.token(&[BASIC], &form)
    };
    let without = code(&world, &confidential(&[("code_challenge", ""), ("code_challenge_method", "")]));
    assert_eq!(form(&without, VERIFIER).error(), "invalid_grant", "somebody took the challenge away");
    assert_eq!(form(&without, "").status, 200);
    let with = code(&world, &confidential(&[]));
    assert_eq!(form(&with, "").error(), "invalid_grant");
    assert_eq!(form(&with, VERIFIER).status, 200);
}

#[test]
fn a9_a_token_response_states_scope_and_lifetime() {
    let world = World::new();
    let public = exchange(&world, &code(&world, &request(&[("nonce", "n")])), &[]).json();
    assert_eq!((public["expires_in"].as_i64(), public["token_type"].as_str()), (Some(900), Some("Bearer")));
    assert_eq!(public["need_patient_banner"], true);
    let confidential = confidential_exchange(&world, &code(&world, &confidential(&[("scope", "patient/*.read")])));
    let confidential = confidential.json();
    assert_eq!(confidential["expires_in"], 3600);
    assert!(confidential.get("refresh_token").is_none() && confidential.get("id_token").is_none());
    let online = [("scope", "online_access patient/*.read")];
    let online = confidential_exchange(&world, &code(&world, &super::confidential(&online)));
    assert_eq!(online.json()["expires_in"], 1800, "so that an app in use renews it within the hour of its session");
}

#[test]
fn a10_a_refresh_token_is_exchanged_for_the_next() {
    let world = World::new();
    let first = exchange(&world, &code(&world, &request(&[])), &[]);
    let first = text(&first, "refresh_token");
    for bad in ["", "3f2b8c9e-0000-4000-8000-000000000000"] {
        assert!(matches!(refresh(&world, bad, &[]).error().as_str(), "invalid_request" | "invalid_grant"), "{bad}");
    }
    for wider in
        ["patient/*.read user/*.read", "user/Condition.read", "patient/MedicationDispense.read", "foo", "patient/*.*"]
    {
        assert_eq!(refresh(&world, &first, &[("scope", wider)]).error(), "invalid_scope", "{wider}");
    }
    assert_eq!(refresh(&world, &first, &[("client_id", "other")]).error(), "invalid_grant");
    let narrow = refresh(&world, &first, &[("scope", "patient/Condition.read"), ("patient", "b")]);
    assert_eq!((text(&narrow, "scope").as_str(), text(&narrow, "patient").as_str()), ("patient/Condition.read", "a"));
    let all = refresh(&world, &text(&narrow, "refresh_token"), &[("client_id", "pub")]);
    assert_eq!(text(&all, "scope"), SCOPE);
    let same = refresh(&world, &text(&all, "refresh_token"), &[("scope", SCOPE)]);
    assert_eq!(same.status, 200);
    assert_eq!(refresh(&world, &text(&same, "access_token"), &[]).error(), "invalid_grant");

    assert_eq!(refresh(&world, &first, &[]).error(), "invalid_grant", "it was spent, and the next one too");
    assert_eq!(world.read_condition(&text(&same, "access_token"), "ca"), 401, "and seen by two: the family ends");
    assert_eq!(refresh(&world, &text(&same, "refresh_token"), &[]).error(), "invalid_grant");
}

#[test]
fn rf08_a_refresh_that_comes_again_within_seconds_is_answered_alike_and_later_ends_the_family() {
    for (seconds, is_same) in [(0, true), (20, true), (21, false), (3_600, false)] {
        let world = World::new();
        let tokens = exchange(&world, &code(&world, &request(&[])), &[]);
        let token = text(&tokens, "refresh_token");
        let first = refresh(&world, &token, &[]);
        world.pass(seconds);
        assert_eq!(refresh(&world, &token, &[("client_id", "other")]).error(), "invalid_grant", "it is for its client");
        let again = refresh(&world, &token, &[]);
        let mut expected = first.json();
        expected["expires_in"] = (900 - seconds).into();
        assert_eq!(again.status == 200 && again.json() == expected, is_same, "{seconds} {}", again.text);
        if is_same {
            let narrow = refresh(&world, &token, &[("scope", "patient/Condition.read")]);
            assert_ne!(claims(&narrow)["jti"], claims(&first)["jti"], "a token with other scopes is another token");
        }
        let next = refresh(&world, &text(&first, "refresh_token"), &[]);
        assert_eq!(next.status == 200, is_same, "{seconds}");
        // After the next token has been used, no answer is repeated.
        if is_same {
            assert_eq!(refresh(&world, &token, &[]).error(), "invalid_grant");
            assert_eq!(refresh(&world, &text(&next, "refresh_token"), &[]).error(), "invalid_grant");
        }
    }
}

#[test]
fn a10_a_confidential_clients_token_needs_its_client() {
    let world = World::new();
    let tokens = confidential_exchange(&world, &code(&world, &confidential(&[])));
    let token = text(&tokens, "refresh_token");
    let anonymous = refresh(&world, &token, &[]);
    assert_eq!((anonymous.status, anonymous.error().as_str()), (401, "invalid_client"));
    assert_eq!(refresh(&world, &token, &[("client_id", "conf")]).error(), "invalid_client");
    assert_eq!(refresh(&world, &token, &[("client_id", "pub")]).error(), "invalid_grant");
    assert_eq!(world.token(&[BASIC], &[("grant_type", "refresh_token"), ("refresh_token", &token)]).status, 200);
}

#[test]
fn a10_refresh_tokens_last_ninety_days_from_each_exchange() {
    const DAY: i64 = 24 * 3_600;
    let world = World::new();
    let first = exchange(&world, &code(&world, &request(&[])), &[]);
    world.pass(90 * DAY - 1);
    let second = refresh(&world, &text(&first, "refresh_token"), &[]);
    assert_eq!(second.status, 200);
    world.pass(90 * DAY);
    assert_eq!(refresh(&world, &text(&second, "refresh_token"), &[]).error(), "invalid_grant");
}

#[test]
fn g10_11_05_refresh_tokens_last_as_long_as_is_configured() {
    const DAY: i64 = 24 * 3_600;
    let mut world = World::new();
    world.settings.refresh_days = 92;
    let (browser, page) = sign_in(&world, "pa", &request(&[]));
    assert!(page.text.contains("not used for 92 days"), "the page says it: {}", page.text);
    let first = exchange(&world, &browser.allow(&page).heard()["code"], &[]);
    world.pass(92 * DAY - 1);
    let second = refresh(&world, &text(&first, "refresh_token"), &[]);
    assert_eq!(second.status, 200, "three calendar months have at most 92 days");
    world.pass(92 * DAY - 1);
    let third = refresh(&world, &text(&second, "refresh_token"), &[]);
    assert_eq!(third.status, 200, "g10 11.16: three new months from each exchange");
    world.pass(92 * DAY);
    assert_eq!(refresh(&world, &text(&third, "refresh_token"), &[]).error(), "invalid_grant");
}

#[test]
fn rf14_rv10_an_authorization_lasts_as_long_as_its_refresh_token() {
    const DAY: i64 = 24 * 3_600;
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    world.pass(30 * DAY);
    world.purge();
    let page = browser.login(&browser.ask("GET", "/oauth/manage", &[], ""), "pa");
    assert!(page.text.contains("name=\"withdraw\""), "it can still be withdrawn: {}", page.text);
    assert_eq!(refresh(&world, &text(&tokens, "refresh_token"), &[]).status, 200);
    world.pass(98 * DAY);
    world.purge();
    let left = world.count("SELECT (SELECT count(*) FROM grants) + (SELECT count(*) FROM single_use_tokens)");
    assert_eq!(left, 0, "and is forgotten when nothing of it can be used");
}

#[test]
fn a10_scopes_without_approval_are_dropped_at_refresh() {
    let world = World::new();
    let first = exchange(&world, &code(&world, &request(&[])), &[]);
    world.execute("UPDATE clients SET registration = json_set(registration, '$.scopes', 'openid patient/*.read')");
    let second = refresh(&world, &text(&first, "refresh_token"), &[]);
    assert_eq!(text(&second, "scope"), "openid patient/*.read");
    world.execute("UPDATE clients SET registration = json_set(registration, '$.scopes', '')");
    assert_eq!(refresh(&world, &text(&second, "refresh_token"), &[]).error(), "invalid_grant");
}

/// Returns a browser in which `pa` granted `online_access`, and the tokens of the app.
fn online(world: &World) -> (crate::world::Browser<'_>, Answered) {
    let (browser, consent) = sign_in(world, "pa", &request(&[("scope", "online_access patient/*.read")]));
    let tokens = exchange(world, &browser.allow(&consent).heard()["code"], &[]);
    (browser, tokens)
}

#[test]
fn rf16_online_access_ends_with_the_session() {
    let world = World::new();
    let (browser, tokens) = online(&world);
    let tokens = refresh(&world, &text(&tokens, "refresh_token"), &[]);
    let access = text(&tokens, "access_token");
    assert_eq!(world.read_condition(&access, "ca"), 200);
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    browser.submit(&page, "/oauth/manage", &[("action", "sign-out")]);
    assert!(!browser.cookies.borrow().contains_key("session"));
    assert_eq!(refresh(&world, &text(&tokens, "refresh_token"), &[]).error(), "invalid_grant");
    assert_eq!(world.read_condition(&access, "ca"), 401, "the access token ends too");
}

#[test]
fn a_session_ends_after_an_hour_without_use_and_online_access_with_it() {
    let world = World::new();
    let (browser, tokens) = online(&world);
    let signed_in = || !browser.ask("GET", "/oauth/manage", &[], "").text.contains("name=\"password\"");
    world.pass(3_599);
    assert!(signed_in(), "within the hour; and this uses it");
    world.pass(3_599);
    assert!(signed_in());
    world.pass(3_600);
    assert!(!signed_in());
    assert_eq!(refresh(&world, &text(&tokens, "refresh_token"), &[]).error(), "invalid_grant");
}

#[test]
fn an_app_in_use_keeps_the_session_until_the_working_day_ends() {
    let world = World::new();
    let (browser, mut tokens) = online(&world);
    for _ in 0..31 {
        world.pass(900);
        let writes = world.count("SELECT expires_at FROM sessions");
        tokens = refresh(&world, &text(&tokens, "refresh_token"), &[]);
        assert_eq!(
            (tokens.status, world.read_condition(&text(&tokens, "access_token"), "ca")),
            (200, 200),
            "{}",
            tokens.text
        );
        let written = world.count("SELECT expires_at FROM sessions");
        assert!(written > writes || written == 1_800_000_000 + 8 * 3_600, "{written}");
    }
    world.pass(900);
    assert_eq!(refresh(&world, &text(&tokens, "refresh_token"), &[]).error(), "invalid_grant");
    assert!(browser.ask("GET", "/oauth/manage", &[], "").text.contains("name=\"password\""));
}

#[test]
fn a_session_in_constant_use_is_written_once_a_minute() {
    let world = World::new();
    let (browser, _) = online(&world);
    let ends = || world.count("SELECT expires_at FROM sessions");
    let first = ends();
    for _ in 0..12 {
        world.pass(5);
        browser.ask("GET", "/oauth/manage", &[], "");
        assert_eq!(ends(), first);
    }
    world.pass(1);
    browser.ask("GET", "/oauth/manage", &[], "");
    assert_eq!(ends(), first + 61);
}

#[test]
fn offline_access_outlasts_the_session() {
    let world = World::new();
    let (browser, consent) = sign_in(&world, "pa", &request(&[]));
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    browser.submit(&page, "/oauth/manage", &[("action", "sign-out")]);
    assert_eq!(world.read_condition(&text(&tokens, "access_token"), "ca"), 200);
    assert_eq!(refresh(&world, &text(&tokens, "refresh_token"), &[]).status, 200);
}

/// Requests a token with these scopes for a client that acts on its own behalf.
fn for_itself(world: &World, scope: &str) -> Answered {
    let secret = ("Authorization", "Basic c3lzOnN5cy1zZWNyZXQtb2YtYS1nb29kLWxlbmd0aC0wMTIzNDU2Nzg5");
    world.token(&[secret], &[("grant_type", "client_credentials"), ("scope", scope)])
}

#[test]
fn a_token_of_a_client_that_acts_for_itself_lives_as_long_as_is_registered() {
    let world = World::new();
    let life = || for_itself(&world, "system/*.read").json()["expires_in"].as_i64().unwrap();
    assert_eq!(life(), 300);
    for (registered, expected) in [(60, 60), (3_600, 3_600), (90_000, 3_600), (-1, 60)] {
        let member = format!("json_set(registration, '$.token_lifetime', {registered})");
        world.execute(&format!("UPDATE clients SET registration = {member} WHERE id = 'sys'"));
        assert_eq!(life(), expected, "{registered}: the bounds hold whatever is stored");
    }
}

#[test]
fn cc03_cc04_a_client_gets_approved_scopes_only() {
    let world = World::new();
    let ask = |scope: &str| for_itself(&world, scope);
    for good in ["system/*.read", "system/*.rs", "system/Patient.read", "system/Observation.rs?status=final"] {
        assert_eq!(text(&ask(good), "scope"), good);
        // Other scopes are left out.
        let more = format!("launch openid {good} system/Castle.read patient/Patient.read system/*.write");
        assert_eq!(text(&ask(&more), "scope"), good);
    }
    assert_eq!(text(&ask(""), "scope"), "system/*.read", "without any, all that are approved");
    for bad in [
        "system/MedicationDispense.read",
        "system/*.*",
        "system/Patient.cruds",
        "patient/Patient.read",
        "openid",
        "launch",
    ] {
        assert_eq!(ask(bad).error(), "invalid_scope", "{bad}");
    }
}

#[test]
fn the_longest_list_of_scopes_fits_into_an_accepted_token() {
    let world = World::new();
    let ask = |scope: &str| for_itself(&world, scope);
    let many = |count| (0..count).map(|n| format!("system/Observation.rs?code={n:04}")).collect::<Vec<_>>().join(" ");
    let (longest, too_long) = (many(256), many(257));
    assert!(longest.len() < 8_192 && too_long.len() > 8_192, "{} {}", longest.len(), too_long.len());
    let token = text(&ask(&longest), "access_token");
    assert!(token.len() > 10_000);
    let answer = world.ask(
        "GET",
        "/fhir/r4/Observation?patient=nobody&code=0001",
        &[("Authorization", &format!("Bearer {token}"))],
        "",
    );
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(ask(&too_long).error(), "invalid_scope");
    let browser = world.browser();
    assert_eq!(browser.authorize(&request(&[("scope", &too_long)])).heard()["error"], "invalid_scope");
}

#[test]
fn tk01_unknown_addresses_below_oauth_return_an_oauth_error() {
    let world = World::new();
    for path in ["/oauth/", "/oauth/token/", "/oauth/Token", "/oauth/%74oken", "/oauth/nothing?x=y"] {
        let answer = world.ask("GET", path, &[], "");
        assert_eq!((answer.status, answer.error().as_str()), (404, "invalid_request"), "{path}");
        assert_eq!(answer.headers["Content-Type"], "application/json; charset=utf-8");
    }
}
