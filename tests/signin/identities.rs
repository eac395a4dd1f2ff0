//! Signing in at an identity provider, and attacks on it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::request;
use crate::world::provider::{ISSUER, OTHER, key, signed};
use crate::world::{Answered, Browser, Fault, World, encoded};

/// Returns a world in which `dr` has an account at the provider.
fn world() -> World {
    let world = World::new();
    world.execute(&format!("INSERT INTO identities (issuer, subject, user) VALUES ('{ISSUER}', 'sub-dr', 'dr')"));
    world
}

/// Follows the link of a page to the provider, and returns the parameters of the request to the provider.
fn begin(browser: &Browser<'_>, page: &Answered) -> BTreeMap<String, String> {
    begin_at(browser, page, ISSUER)
}

fn begin_at(browser: &Browser<'_>, page: &Answered, issuer: &str) -> BTreeMap<String, String> {
    let links = page.text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let host = issuer.strip_prefix("https://").unwrap();
    let of_issuer = |link: &&str| link.starts_with("/oauth/provider?") && link.contains(&format!("//{host}"));
    let mut links = links.filter(of_issuer);
    let link = links.next().unwrap_or_else(|| panic!("{}", page.text)).replace("&amp;", "&");
    let answer = browser.ask("GET", &link, &[("Sec-Fetch-Site", "same-origin")], "");
    assert!(answer.location().is_some_and(|to| to.starts_with(&format!("{issuer}/auth?"))), "{}", answer.text);
    answer.heard()
}

fn claims(world: &World, asked: &BTreeMap<String, String>) -> Value {
    let now = world.clock.get();
    json!({"iss": ISSUER, "sub": "sub-dr", "aud": "edge", "exp": now + 60, "iat": now, "nonce": asked["nonce"], "auth_time": now})
}

fn header() -> Value {
    json!({"alg": "ES256", "kid": "k"})
}

/// Makes the provider answer with these claims.
fn give(world: &World, claims: &Value) {
    *world.provider.token.borrow_mut() = Some(signed(&header(), claims, &key(9)));
}

fn back(browser: &Browser<'_>, parameters: &[(&str, &str)]) -> Answered {
    let path = format!("/oauth/callback?{}", encoded(parameters));
    browser.follow(browser.ask("GET", &path, &[("Sec-Fetch-Site", "cross-site")], ""))
}

fn sessions(world: &World) -> i64 {
    world.count("SELECT count(*) FROM sessions")
}

#[test]
fn a_user_signs_in_at_an_identity_provider_and_goes_on_where_the_password_would_lead() {
    let world = world();
    let browser = world.browser();
    let asked = begin(&browser, &browser.authorize(&request(&[])));
    assert_eq!((asked["scope"].as_str(), asked["client_id"].as_str()), ("openid", "edge"));
    assert_eq!(asked["redirect_uri"], "http://edge.test/oauth/callback");
    assert_eq!(asked["code_challenge_method"], "S256");
    assert!(!asked.contains_key("prompt"));
    give(&world, &claims(&world, &asked));
    let picked = back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]);
    assert!(picked.status == 200 && picked.text.contains("Choose a patient"), "{}", picked.text);
    let consent = browser.submit(&picked, "/oauth/patient", &[("patient", "a")]);
    assert!(browser.allow(&consent).heard().contains_key("code"));
    let forms = world.provider.forms.borrow();
    let (to, form) = &forms[0];
    assert!(to.starts_with(&format!("{ISSUER}/token Basic ")) && form.contains("code_verifier="), "{to} {form}");
    assert!(world.log.borrow().contains("login-provider") && !world.log.borrow().contains("sub-dr"));
}

#[test]
fn ip01_an_answer_of_another_provider_is_refused() {
    for iss in [Some(OTHER), Some("https://idp.example/"), None] {
        let world = world();
        let browser = world.browser();
        let asked = begin(&browser, &browser.authorize(&request(&[])));
        give(&world, &claims(&world, &asked));
        let mut parameters = vec![("state", asked["state"].as_str()), ("code", "c")];
        parameters.extend(iss.map(|iss| ("iss", iss)));
        assert_eq!(back(&browser, &parameters).status, 400, "{iss:?}");
        assert!(sessions(&world) == 0 && world.provider.forms.borrow().is_empty(), "the code goes nowhere");
    }
    // A code of one provider is never sent to the other, which does not send `iss`.
    let world = world();
    let browser = world.browser();
    let asked = begin_at(&browser, &browser.authorize(&request(&[])), OTHER);
    give(&world, &claims(&world, &asked));
    assert_eq!(back(&browser, &[("state", &asked["state"]), ("code", "c")]).status, 502);
    assert!(world.provider.forms.borrow().iter().all(|(to, _)| to.starts_with(OTHER)) && sessions(&world) == 0);
}

#[test]
fn ip02_a_state_that_is_forged_or_of_another_browser_is_refused() {
    let world = world();
    let (browser, other) = (world.browser(), world.browser());
    let asked = begin(&browser, &browser.authorize(&request(&[])));
    other.authorize(&request(&[]));
    give(&world, &claims(&world, &asked));
    let state = asked["state"].as_str();
    let forged = format!("{}{}", "x".repeat(43), state.split_at(43).1);
    for (browser, state) in [(&browser, forged.as_str()), (&browser, ""), (&other, state), (&browser, state)] {
        // The last state is right, but the other browser has used it up.
        assert_eq!(back(browser, &[("state", state), ("code", "c"), ("iss", ISSUER)]).status, 400);
    }
    let doubled = [("state", state), ("state", state), ("code", "c"), ("iss", ISSUER)];
    assert_eq!(back(&browser, &doubled).status, 400);
    assert!(sessions(&world) == 0 && world.provider.forms.borrow().is_empty());
}

#[test]
fn ip03_an_answer_counts_once_and_for_ten_minutes() {
    let world = world();
    let browser = world.browser();
    let asked = begin(&browser, &browser.authorize(&request(&[])));
    give(&world, &claims(&world, &asked));
    let parameters = [("state", asked["state"].as_str()), ("code", "c"), ("iss", ISSUER)];
    assert_eq!((back(&browser, &parameters).status, back(&browser, &parameters).status), (200, 400));
    assert_eq!((sessions(&world), world.provider.forms.borrow().len()), (1, 1));
    let browser = world.browser();
    let asked = begin(&browser, &browser.ask("GET", "/oauth/manage", &[], ""));
    world.pass(600);
    give(&world, &claims(&world, &asked));
    assert_eq!(back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]).status, 400);
}

#[test]
fn ip04_an_identity_token_that_is_not_for_this_sign_in_is_refused() {
    type Change = fn(&mut Value, i64);
    let changes: [(&str, Change); 13] = [
        ("nonce", |claims, _| claims["nonce"] = json!("other")),
        ("no nonce", |claims, _| claims["nonce"] = Value::Null),
        ("audience", |claims, _| claims["aud"] = json!("other")),
        ("more audiences", |claims, _| claims["aud"] = json!(["edge", "other"])),
        ("no audience", |claims, _| claims["aud"] = json!([])),
        ("azp", |claims, _| claims["azp"] = json!("other")),
        ("odd azp", |claims, _| claims["azp"] = json!(7)),
        ("issuer", |claims, _| claims["iss"] = json!(OTHER)),
        ("expired", |claims, now| claims["exp"] = json!(now)),
        ("no end", |claims, _| claims["exp"] = Value::Null),
        ("from the future", |claims, now| claims["iat"] = json!(now + 31)),
        ("no subject", |claims, _| claims["sub"] = json!("")),
        ("odd subject", |claims, _| claims["sub"] = json!(["sub-dr"])),
    ];
    let try_with = |token: &dyn Fn(&World, Value) -> String| {
        let world = world();
        let browser = world.browser();
        let asked = begin(&browser, &browser.authorize(&request(&[])));
        let token = token(&world, claims(&world, &asked));
        *world.provider.token.borrow_mut() = Some(token);
        let answer = back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]);
        (answer.status, sessions(&world))
    };
    for (name, change) in changes {
        let result = try_with(&|world, mut claims| {
            change(&mut claims, world.clock.get());
            signed(&header(), &claims, &key(9))
        });
        assert_eq!(result, (502, 0), "{name}");
    }
    for odd in [json!({"alg": "none", "kid": "k"}), json!({"alg": "HS256", "kid": "k"}), json!({"alg": "ES256"})] {
        assert_eq!(try_with(&|_, claims| signed(&odd, &claims, &key(9))), (502, 0), "{odd}");
    }
    let unknown = json!({"alg": "ES256", "kid": "other"});
    assert_eq!(try_with(&|_, claims| signed(&unknown, &claims, &key(9))), (502, 0));
    assert_eq!(try_with(&|_, claims| signed(&header(), &claims, &key(8))), (502, 0), "another key");
    assert_eq!(try_with(&|_, claims| signed(&header(), &claims, &key(9))), (200, 1));
}

#[test]
fn ip05_an_account_is_linked_by_issuer_and_subject_alone() {
    for (sub, disabled) in [("dr", false), ("sub-dr ", false), ("other", false), ("sub-dr", true)] {
        let world = world();
        if disabled {
            world.execute("UPDATE users SET disabled = 1 WHERE name = 'dr'");
        }
        let browser = world.browser();
        let asked = begin(&browser, &browser.authorize(&request(&[])));
        let mut claims = claims(&world, &asked);
        claims["sub"] = json!(sub);
        for claim in ["email", "preferred_username", "name"] {
            claims[claim] = json!("dr");
        }
        claims["email_verified"] = json!(true);
        give(&world, &claims);
        let page = back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]);
        assert!(page.text.contains("is not registered here") && page.text.contains("/oauth/login"), "{}", page.text);
        assert_eq!((sessions(&world), world.count("SELECT count(*) FROM identities")), (0, 1));
    }
}

#[test]
fn ip06_nothing_of_an_answer_says_where_the_browser_goes() {
    let world = world();
    let browser = world.browser();
    browser.authorize(&request(&[]));
    for path in ["/oauth/provider?provider=https%3A%2F%2Fevil.example", "/oauth/provider"] {
        let answer = browser.ask("GET", path, &[], "");
        assert_eq!((answer.status, answer.location()), (400, None));
    }
    let asked = begin(&browser, &browser.authorize(&request(&[])));
    let evil = "https://evil.example/";
    let answer = browser.ask(
        "GET",
        &format!(
            "/oauth/callback?{}",
            encoded(&[
                ("state", &asked["state"]),
                ("error", "access_denied"),
                ("iss", ISSUER),
                ("redirect_uri", evil),
                ("error_uri", evil)
            ])
        ),
        &[],
        "",
    );
    assert!(answer.location().is_some_and(|to| to.starts_with("/oauth/sign-in?")), "{:?}", answer.location());
    assert!(browser.follow(answer).text.contains("You can try again"));
    // A link on another site starts no sign-in.
    let link = format!("/oauth/provider?{}", encoded(&[("provider", ISSUER)]));
    assert_eq!(browser.ask("GET", &link, &[("Sec-Fetch-Site", "cross-site")], "").status, 400);
}

#[test]
fn ip07_who_must_sign_in_again_does_so_at_the_provider() {
    for (late, status) in [(0, 200), (-31, 502)] {
        let world = world();
        let browser = world.browser();
        let asked = begin(&browser, &browser.authorize(&request(&[("prompt", "login")])));
        assert_eq!((asked["prompt"].as_str(), asked["max_age"].as_str()), ("login", "0"));
        let mut claims = claims(&world, &asked);
        claims["auth_time"] = json!(world.clock.get() + late);
        give(&world, &claims);
        let answer = back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]);
        assert_eq!(answer.status, status);
    }
}

#[test]
fn a_sign_in_without_a_question_meets_no_maximum_age() {
    let world = world();
    for (prompt, meets) in [("", false), ("login", true)] {
        let browser = world.browser();
        let asked = begin(&browser, &browser.authorize(&request(&[("prompt", prompt)])));
        give(&world, &claims(&world, &asked));
        back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]);
        let page = browser.authorize(&request(&[("max_age", "60")]));
        assert_eq!(page.text.contains("Choose a patient"), meets, "{}", page.text);
    }
}

#[test]
fn after_a_fault_of_the_provider_the_user_can_try_again() {
    let world = world();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let asked = begin(&browser, &page);
    let answer = back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]);
    assert!(
        answer.status == 502 && answer.text.contains("Try again") && !answer.text.contains("400"),
        "{}",
        answer.text
    );
    *world.provider.token.borrow_mut() = Some("not a token".to_owned());
    let asked = begin(&browser, &page);
    assert_eq!(back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]).status, 502);
    let asked = begin(&browser, &page);
    give(&world, &claims(&world, &asked));
    assert_eq!(back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]).status, 200);
    let world = self::world();
    world.provider.stop();
    let browser = world.browser();
    browser.authorize(&request(&[]));
    let link = format!("/oauth/provider?{}", encoded(&[("provider", ISSUER)]));
    assert_eq!(browser.ask("GET", &link, &[], "").status, 502);
}

#[test]
fn a_fault_of_the_database_leaves_no_half_of_a_sign_in_at_a_provider() {
    for at in 0..8 {
        for fault in [Fault::Before(at), Fault::After(at)] {
            let world = world();
            let browser = world.browser();
            let page = browser.authorize(&request(&[]));
            let asked = begin(&browser, &page);
            give(&world, &claims(&world, &asked));
            let parameters = [("state", asked["state"].as_str()), ("code", "c"), ("iss", ISSUER)];
            let path = format!("/oauth/callback?{}", encoded(&parameters));
            world.fault.set(Some(fault));
            let first = browser.ask("GET", &path, &[], "");
            if world.fault.take().is_some() {
                assert_eq!(first.status, 303, "{fault:?}");
                continue;
            }
            assert_eq!((first.status, browser.cookies.borrow().contains_key("session")), (500, false), "{fault:?}");
            // The user starts again, from the same page.
            let asked = begin(&browser, &page);
            give(&world, &claims(&world, &asked));
            let again = back(&browser, &[("state", &asked["state"]), ("code", "c"), ("iss", ISSUER)]);
            assert!(again.text.contains("Choose a patient"), "{fault:?} {}", again.text);
        }
    }
}
