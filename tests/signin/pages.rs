//! A4 and A5: signing in, the choice of a patient, consent.

use crate::world::{World, hidden, offered, ticks};
use crate::{SCOPE, confidential, exchange, request, text};

#[test]
fn a4_a_form_without_its_marks_does_nothing() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let fields = hidden(&page);
    let of = |name: &str| fields.iter().find(|(of, _)| of == name).unwrap().1.clone();
    let (csrf, interaction) = (of("csrf"), of("interaction"));
    let person = [("username", "pa"), ("password", "pa")];
    let elsewhere = world.browser();
    let theirs = hidden(&elsewhere.authorize(&request(&[])));
    let post = |marks: &[(&str, &str)]| browser.post("/oauth/login", &[marks, &person].concat());
    for (why, answer) in [
        ("no token", post(&[("interaction", &interaction)])),
        ("an empty token", post(&[("interaction", &interaction), ("csrf", "")])),
        ("another browser's token", post(&[("interaction", &interaction), ("csrf", &theirs[0].1)])),
        ("another browser's request", post(&[("interaction", &theirs[1].1), ("csrf", &csrf)])),
        ("all of another browser", post(&[("interaction", &theirs[1].1), ("csrf", &theirs[0].1)])),
        ("an unknown request", post(&[("interaction", "x"), ("csrf", &csrf)])),
        ("no request", post(&[("csrf", &csrf)])),
        (
            "no cookie",
            world.ask(
                "POST",
                "/oauth/login",
                &[],
                &crate::world::encoded(&[("csrf", &csrf), ("interaction", &interaction)]),
            ),
        ),
    ] {
        assert_eq!((answer.status, answer.location()), (400, None), "{why}");
    }
    for (name, value) in
        [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site")]
    {
        let body = crate::world::encoded(&[("csrf", &csrf), ("interaction", &interaction), person[0], person[1]]);
        assert_eq!(browser.ask("POST", "/oauth/login", &[(name, value)], &body).status, 400, "{name}: {value}");
    }
    assert_eq!(world.count("SELECT count(*) FROM sessions"), 0);
    assert_eq!(post(&[("interaction", &interaction), ("csrf", &csrf)]).status, 200);
    world.pass(601);
    assert_eq!(post(&[("interaction", &interaction), ("csrf", &csrf)]).status, 400, "it waited too long");
}

#[test]
fn a4_signing_in_makes_a_new_session_and_ends_the_old() {
    let world = World::new();
    let browser = world.browser();
    browser.cookies.borrow_mut().insert("session".into(), "f".repeat(43));
    let page = browser.authorize(&request(&[]));
    browser.login(&page, "pa");
    let first = browser.cookies.borrow()["session"].clone();
    assert_ne!(first, "f".repeat(43));
    browser.login(&browser.authorize(&request(&[("prompt", "login")])), "pa");
    assert_ne!(browser.cookies.borrow()["session"], first);
    assert_eq!(world.count("SELECT count(*) FROM sessions"), 1);
    assert_eq!(world.count(&format!("SELECT count(*) FROM sessions WHERE id = '{first}'")), 0, "kept as a hash");
}

#[test]
fn a4_consent_is_of_who_signed_in_for_it() {
    let world = World::new();
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[])), "pa");
    // In another tab somebody else signs in.
    browser.login(&browser.authorize(&request(&[("prompt", "login")])), "dr");
    assert_eq!(browser.allow(&consent).status, 400);
    browser.cookies.borrow_mut().remove("session");
    assert_eq!(browser.allow(&consent).status, 400);
    assert_eq!(world.count("SELECT count(*) FROM grants"), 0);
}

#[test]
fn a4_only_what_was_asked_for_is_granted() {
    let world = World::new();
    let browser = world.browser();
    let ask = || {
        browser.authorize(&request(&[("prompt", "login"), ("scope", "launch/patient openid patient/Condition.read")]))
    };
    let consent = browser.login(&ask(), "pa");
    assert_eq!(ticks(&consent), ["openid", "patient/Condition.read"]);
    let more = [("decision", "allow"), ("scope", "patient/Condition.read"), ("scope", "patient/*.read")];
    assert_eq!(browser.submit(&consent, "/oauth/consent", &more).status, 400);
    assert_eq!(browser.submit(&consent, "/oauth/consent", &[("scope", "openid")]).status, 400, "no decision");
    let patient = [("decision", "allow"), ("scope", "patient/Condition.read"), ("patient", "b")];
    let code = browser.submit(&consent, "/oauth/consent", &patient).heard()["code"].clone();
    let tokens = exchange(&world, &code, &[]);
    assert_eq!(text(&tokens, "scope"), "launch/patient patient/Condition.read");
    assert_eq!(text(&tokens, "patient"), "a");
    assert!(tokens.json().get("id_token").is_none());
    for none in [
        &[("decision", "allow")][..],
        &[("decision", "deny"), ("scope", "patient/Condition.read")],
        &[("decision", "allow"), ("scope", "openid")],
    ] {
        let consent = browser.login(&ask(), "pa");
        assert_eq!(browser.submit(&consent, "/oauth/consent", none).error(), "access_denied", "{none:?}");
    }
    assert_eq!(world.count("SELECT count(*) FROM interactions WHERE user IS NOT NULL"), 0);
}

#[test]
fn a4_a_patient_is_not_offered_others_and_cannot_forge_them() {
    let world = World::new();
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[])), "pa");
    assert!(offered(&consent).is_empty() && consent.text.contains("Ada Bell"));
    assert_eq!(browser.submit(&consent, "/oauth/patient", &[("patient", "b")]).status, 400);
    assert_eq!(text(&exchange(&world, &browser.allow(&consent).heard()["code"], &[]), "patient"), "a");

    let pick = browser.login(&browser.authorize(&request(&[("prompt", "login")])), "dr");
    assert_eq!(offered(&pick), ["a", "b"]);
    assert!(pick.text.contains("Ben &lt;i&gt; Bell") && !pick.text.contains("<i>"));
    for forged in ["c", "unknown", "a,b", "a b", "*"] {
        assert_eq!(browser.submit(&pick, "/oauth/patient", &[("patient", forged)]).status, 400, "{forged}");
    }
    assert_eq!(browser.allow(&pick).status, 400, "no consent before the choice");
    let found = browser.submit(&pick, "/oauth/patient", &[("words", "ben")]);
    assert_eq!(offered(&found), ["b"]);
    assert!(offered(&browser.submit(&pick, "/oauth/patient", &[("words", "cy")])).is_empty());
    let consent = browser.submit(&found, "/oauth/patient", &[("patient", "b")]);
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&tokens, "patient"), "b");
    assert_eq!(
        (world.opens(&text(&tokens, "access_token"), "cb"), world.opens(&text(&tokens, "access_token"), "ca")),
        (200, 404)
    );
}

#[test]
fn a5_a_patient_scope_brings_a_patient_and_a_user_scope_does_not() {
    let world = World::new();
    let browser = world.browser();
    let inferred = browser.login(&browser.authorize(&request(&[("scope", "patient/*.read"), ("patient", "b")])), "dr");
    assert_eq!(offered(&inferred), ["a", "b"]);
    let consent = browser.authorize(&request(&[("scope", "user/*.read")]));
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert!(tokens.json().get("patient").is_none());
    assert_eq!(world.opens(&text(&tokens, "access_token"), "cb"), 200);
    let nobody = world.browser();
    let page = nobody.login(&nobody.authorize(&request(&[])), "ma");
    assert!(offered(&page).is_empty() && page.text.contains("No patient was found"));
}

#[test]
fn a4_consent_is_remembered_for_the_session_alone_and_for_no_more() {
    let world = World::new();
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[("scope", "patient/Condition.read openid")])), "pa");
    exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    let again = browser.authorize(&request(&[("scope", "patient/Condition.read")]));
    assert!(again.heard().contains_key("code"));
    for asked in [
        &[("scope", "patient/Condition.read patient/Observation.read")][..],
        &[("scope", "patient/Condition.read"), ("prompt", "consent")],
        &[("scope", "patient/Condition.read"), ("client_id", "other"), ("redirect_uri", "https://other.example/cb")],
    ] {
        assert_eq!(browser.authorize(&request(asked)).status, 200, "{asked:?}");
    }
    let elsewhere = world.browser();
    let page = elsewhere.login(&elsewhere.authorize(&request(&[("scope", "patient/Condition.read")])), "pa");
    assert_eq!((page.status, ticks(&page).len()), (200, 1));
    // Nobody vouches for a scheme of one's own.
    let native = request(&[("client_id", "native"), ("redirect_uri", "http://127.0.0.1:8000/cb")]);
    let first = browser.allow(&browser.authorize(&native));
    assert!(first.location().unwrap().starts_with("http://127.0.0.1:8000/cb?code="));
    assert_eq!(browser.authorize(&native).status, 200);
}

#[test]
fn a4_wrong_passwords_wait_longer_and_longer() {
    let world = World::new();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let wrong = || browser.submit(&page, "/oauth/login", &[("username", "pa"), ("password", "x")]);
    for _ in 0..16 {
        assert_eq!(wrong().status, 200);
    }
    let refused = wrong();
    assert_eq!((refused.status, refused.headers["Retry-After"].as_str()), (429, "1"));
    assert_eq!(browser.login(&page, "pa").status, 429, "nor is a right one looked at");
    assert_eq!(browser.login(&page, "dr").status, 200, "others sign in");
    world.pass(1);
    assert_eq!(wrong().status, 200);
    assert_eq!(wrong().headers["Retry-After"], "2");
    world.pass(2);
    assert_eq!(browser.login(&page, "pa").status, 200);
    assert_eq!(wrong().status, 200, "a right one begins anew");
}

#[test]
fn a4_somebody_who_was_disabled_is_signed_out() {
    let world = World::new();
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[])), "pa");
    world.execute("UPDATE users SET disabled = 1 WHERE name = 'pa'");
    assert_eq!(browser.allow(&consent).status, 400);
    let page = browser.authorize(&request(&[]));
    assert!(browser.login(&page, "pa").text.contains("do not belong together"));
}

#[test]
fn a4_who_is_somebody_else_signs_in_again() {
    let world = World::new();
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[])), "pa");
    let page = browser.submit(&consent, "/oauth/consent", &[("decision", "switch")]);
    assert!(page.text.contains("name=\"password\""));
    assert_eq!(offered(&browser.login(&page, "dr")), ["a", "b"]);
}

#[test]
fn prompt_none_takes_the_patient_of_before() {
    let world = World::new();
    let browser = world.browser();
    let pick = browser.login(&browser.authorize(&request(&[])), "dr");
    let silent = || browser.authorize(&request(&[("prompt", "none")]));
    assert_eq!(silent().error(), "interaction_required");
    let consent = browser.submit(&pick, "/oauth/patient", &[("patient", "b")]);
    exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    assert_eq!(text(&exchange(&world, &silent().heard()["code"], &[]), "patient"), "b");
    world.execute("DELETE FROM access WHERE user = 'dr' AND patient = 'b'");
    assert_eq!(silent().error(), "access_denied");
}

#[test]
fn a13_what_is_withdrawn_ends() {
    let world = World::new();
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[])), "pa");
    let tokens = exchange(&world, &browser.allow(&consent).heard()["code"], &[]);
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    assert!(page.text.contains("Pub &lt;b&gt;"), "{}", page.text);
    let grant =
        world.connection.borrow().query_row("SELECT id FROM grants", [], |row| row.get::<_, String>(0)).unwrap();
    let other = world.browser();
    let theirs = other.ask("GET", "/oauth/manage", &[], "");
    let theirs = other.login(&theirs, "dr");
    assert!(theirs.text.contains("No app has access"));
    other.submit(&theirs, "/oauth/manage", &[("withdraw", &grant)]);
    assert_eq!(browser.post("/oauth/manage", &[("withdraw", &grant)]).status, 400, "without the token of the form");
    assert_eq!(world.opens(&text(&tokens, "access_token"), "ca"), 200, "not by others, and not by other sites");
    browser.submit(&page, "/oauth/manage", &[("withdraw", &grant)]);
    assert_eq!(world.opens(&text(&tokens, "access_token"), "ca"), 401);
}

#[test]
fn lg01_lg04_nothing_that_could_be_used_is_kept_or_logged() {
    let world = World::new();
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&confidential(&[("scope", SCOPE)])), "pa");
    let code = browser.allow(&consent).heard()["code"].clone();
    let tokens = crate::tokens::confidential_exchange(&world, &code);
    let marks = hidden(&consent);
    let typed = "a-password-typed-there";
    browser.submit(
        &browser.authorize(&request(&[("prompt", "login")])),
        "/oauth/login",
        &[("username", typed), ("password", typed)],
    );
    world.token(&[], &[("grant_type", "refresh_token"), ("refresh_token", &text(&tokens, "refresh_token"))]);
    assert_eq!(world.opens(&text(&tokens, "access_token"), "ca"), 200);
    assert_eq!(crate::tokens::confidential_exchange(&world, &code).error(), "invalid_grant");
    let mut secrets = vec![
        typed.to_owned(),
        crate::VERIFIER.to_owned(),
        crate::BASIC.1.to_owned(),
        code,
        text(&tokens, "refresh_token"),
        text(&tokens, "access_token"),
        marks[0].1.clone(),
        marks[1].1.clone(),
    ];
    secrets.extend(browser.cookies.borrow().values().cloned());
    let mut kept = String::new();
    for table in ["users", "sessions", "interactions", "vouchers", "grants", "tallies", "launches"] {
        let connection = world.connection.borrow();
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for at in 0..columns {
                kept.push_str(&format!("{:?}\n", row.get_ref(at).unwrap()));
                if let Ok(text) = row.get::<_, String>(at) {
                    kept.push_str(&text);
                }
            }
        }
    }
    assert!(kept.contains("https://conf.example"), "it was looked at");
    let logged = world.log.borrow();
    for noted in ["\"login\"", "wrong_password", "\"consent\"", "\"code\"", "\"refresh\"", "\"read\"", "reuse detected"]
    {
        assert!(logged.contains(noted), "{noted}: {logged}");
    }
    for secret in secrets {
        assert!(!kept.contains(&secret) && !logged.contains(&secret), "{secret}");
    }
}
