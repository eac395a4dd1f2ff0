//! A1 to A3 and A5: the rules for an authorization request.

use super::{STATE, code, confidential, exchange, request, text};
use crate::support::{BASE, ORIGIN};
use crate::world::{World, encoded};

#[test]
fn a1_before_the_redirect_is_verified_a_refusal_is_a_page() {
    let world = World::new();
    let browser = world.browser();
    for changes in [
        &[("client_id", "")][..],
        &[("client_id", "nobody")],
        &[("client_id", "off"), ("redirect_uri", "https://off.example/cb")],
        &[("redirect_uri", "")],
        &[("redirect_uri", "https://evil.example/cb")],
        &[("redirect_uri", "https://pub.example/cb/x")],
        &[("redirect_uri", "https://other.example/cb")],
        &[("redirect_uri", "https://pub.example/cb\r\nX: y")],
    ] {
        let answer = browser.authorize(&request(changes));
        assert_eq!((answer.status, answer.location()), (400, None), "{changes:?}");
        assert_eq!(answer.headers["Content-Type"], "text/html; charset=utf-8");
        assert!(answer.headers["Content-Security-Policy"].contains("default-src 'none'"));
    }
    for twice in ["client_id=pub", "redirect_uri=https%3A%2F%2Fpub.example%2Fcb"] {
        let path = format!("/oauth/authorize?{}&{twice}", encoded(&request(&[])));
        let answer = browser.ask("GET", &path, &[], "");
        assert_eq!((answer.status, answer.location()), (400, None), "{twice}");
    }
    for bad in ["/oauth/authorize", "/oauth/authorize?client_id=%", "/oauth/authorize?client_id=%ff"] {
        assert_eq!(browser.ask("GET", bad, &[], "").status, 400, "{bad}");
    }
    assert_eq!(world.count("SELECT count(*) FROM pending_authorizations"), 0);
}

#[test]
fn a2_after_the_redirect_is_verified_the_app_receives_the_error() {
    let world = World::new();
    let browser = world.browser();
    let long = "x".repeat(3_000);
    let many = "patient/Condition.read ".repeat(5_000);
    let slash = format!("{BASE}/");
    for (changes, error) in [
        (&[("response_type", "")][..], "invalid_request"),
        (&[("response_type", "token")], "unsupported_response_type"),
        (&[("response_type", "code token")], "unsupported_response_type"),
        (&[("response_mode", "fragment")], "invalid_request"),
        (&[("request", "x")], "request_not_supported"),
        (&[("request_uri", "https://x")], "request_uri_not_supported"),
        (&[("state", "")], "invalid_request"),
        (&[("state", &long)], "invalid_request"),
        (&[("nonce", &long)], "invalid_request"),
        (&[("aud", "")], "invalid_request"),
        (&[("aud", "https://other.example/fhir")], "invalid_request"),
        (&[("aud", "https://edge.test/fhir/r4")], "invalid_request"),
        (&[("aud", ORIGIN)], "invalid_request"),
        (&[("resource", "https://other.example")], "invalid_target"),
        (&[("scope", "foo")], "invalid_scope"),
        (&[("scope", "patient/Foo.read")], "invalid_scope"),
        (&[("scope", "patient/observation.read")], "invalid_scope"),
        (&[("scope", "patient/*.*")], "invalid_scope"),
        (&[("scope", "patient/MedicationDispense.read")], "invalid_scope"),
        (&[("scope", "system/*.read")], "invalid_scope"),
        (&[("scope", "profile system/*.read patient/Foo.read patient/Condition.write")], "invalid_scope"),
        (&[("scope", "patient/*.read\topenid")], "invalid_scope"),
        (&[("scope", "patient/*.read\nopenid")], "invalid_scope"),
        (&[("scope", "\"")], "invalid_scope"),
        (&[("scope", "patient/Condition.rs?category=a\nb")], "invalid_scope"),
        (&[("scope", "patient/Condition.rs?category=\"><script>")], "invalid_scope"),
        (&[("scope", "patient/Condition.rs?category=\u{202e}")], "invalid_scope"),
        (&[("scope", " ")], "invalid_scope"),
        (&[("scope", &many)], "invalid_scope"),
        (&[("prompt", "none")], "login_required"),
        (&[("prompt", "none login")], "invalid_request"),
        (&[("prompt", "sometimes")], "invalid_request"),
        (&[("max_age", "soon")], "invalid_request"),
        (&[("max_age", "-1")], "invalid_request"),
        (&[("launch", "unknown")], "invalid_request"),
        (&[("scope", "launch patient/*.read")], "invalid_request"),
        (&[("client_id", "sys"), ("redirect_uri", "https://sys.example/cb")], "unauthorized_client"),
    ] {
        let answer = browser.authorize(&request(changes));
        assert_eq!(answer.status, 303, "{changes:?} {}", answer.text);
        let heard = answer.heard();
        assert_eq!(heard.get("error").map(String::as_str), Some(error), "{changes:?}");
        assert_eq!(heard["iss"], ORIGIN);
        let told = !changes.iter().any(|(name, _)| *name == "state");
        assert_eq!(heard.get("state").map(String::as_str), told.then_some(STATE), "{changes:?}");
        let legal = |c: char| matches!(c, ' '..='!' | '#'..='[' | ']'..='~');
        assert!(heard["error_description"].chars().all(legal));
    }
    for good in [&[("aud", slash.as_str())][..], &[("resource", BASE)], &[("state", "a&b#é<script>")]] {
        assert_eq!(browser.authorize(&request(good)).status, 200, "{good:?}");
    }
    let twice = format!("/oauth/authorize?{}&state=other", encoded(&request(&[])));
    let heard = browser.ask("GET", &twice, &[], "").heard();
    assert_eq!((heard["error"].as_str(), heard.get("state")), ("invalid_request", None));
}

#[test]
fn a2_state_is_returned_unchanged() {
    let world = World::new();
    let browser = world.browser();
    let state = "a&b=c#d é<script>%41+ \u{7f}";
    let consent = browser.login(&browser.authorize(&request(&[("state", state)])), "pa");
    let answer = browser.allow(&consent);
    assert_eq!(answer.heard()["state"], state);
    assert!(!answer.location().unwrap().contains(['#', '<', ' ']));
}

#[test]
fn dl12_a_stored_request_is_eight_kib_at_most() {
    let world = World::new();
    let browser = world.browser();
    for changes in [
        &[("state", "\u{1}".repeat(1_400))][..],
        &[("scope", (0..120).map(|n| format!("patient/Condition.read?x{n} ")).collect())],
        &[("scope", granular(66)), ("state", "s".repeat(2_048)), ("nonce", "n".repeat(2_048))],
        &[("scope", granular(129))],
    ] {
        let of: Vec<_> = changes.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = browser.authorize(&request(&of));
        let known = !of.iter().any(|(name, value)| *name == "scope" && value.contains("?x"));
        assert_eq!(answer.error(), if known { "invalid_request" } else { "invalid_scope" }, "{of:?}");
        let state = of.iter().find(|(name, _)| *name == "state").map_or(STATE, |(_, state)| state);
        assert_eq!(answer.heard()["state"], state, "it comes back as it went");
    }
    assert_eq!(world.count("SELECT count(*) FROM pending_authorizations"), 0);
    let (state, nonce, scope) = ("s".repeat(2_048), "n".repeat(1_800), granular(55));
    let longest = [("state", state.as_str()), ("nonce", &nonce), ("scope", &scope), ("prompt", "login")];
    let sent = encoded(&request(&longest));
    assert!((8_000..12_000).contains(&sent.len()), "{}", sent.len());
    // A POST from another site is redirected to a GET.
    let elsewhere = world.browser().ask("POST", "/oauth/authorize", &[], &sent);
    let page = browser.ask("GET", elsewhere.location().unwrap(), &[], "");
    assert_eq!((elsewhere.status, page.status), (303, 200), "{}", page.text);
    let widest = "SELECT max(length(CAST(request AS BLOB))) FROM pending_authorizations";
    assert!((7_400..=8_192).contains(&world.count(widest)), "{}", world.count(widest));
    let heard = browser.allow(&browser.login(&page, "pa")).heard();
    assert_eq!(heard["state"], state);
    assert_eq!(text(&exchange(&world, &heard["code"], &[]), "scope"), scope.trim_end());
}

/// Returns a list of `count` scopes with a filter, each of 63 or 64 bytes.
fn granular(count: usize) -> String {
    (0..count).map(|n| format!("patient/Observation.rs?category=http://example.org/a-system|{n:02} ")).collect()
}

#[test]
fn a2_scopes_that_the_app_may_not_have_are_left_out_and_the_answer_says_so() {
    let world = World::new();
    for (requested, granted) in [
        ("patient/*.read patient/Condition.write", "patient/*.read"),
        (
            "profile launch/patient system/*.read patient/Castle.read foo patient/Condition.rs",
            "launch/patient patient/Condition.rs",
        ),
        ("patient/*.* patient/Condition.read", "patient/Condition.read"),
        // Without scopes, the request is for all scopes that the app is registered for.
        (
            "",
            "launch/patient launch/encounter openid fhirUser offline_access online_access patient/*.read patient/*.rs patient/Observation.write user/*.read",
        ),
    ] {
        world.execute("UPDATE clients SET registration = replace(registration, 'launch/encounter ', '')");
        let granted = granted.replace("launch/encounter ", "");
        let tokens = exchange(&world, &code(&world, &request(&[("scope", requested)])), &[]);
        assert_eq!(text(&tokens, "scope"), granted, "{requested}");
    }
}

#[test]
fn scopes_equal_to_the_registration_are_not_stored() {
    let world = World::new();
    let browser = world.browser();
    world.execute("UPDATE clients SET registration = replace(registration, 'launch/encounter ', '')");
    // The scopes that `world.rs` registers, without `launch` and `launch/encounter`.
    let all = "launch/patient openid fhirUser offline_access online_access patient/*.read patient/*.rs \
               patient/Observation.write user/*.read";
    let consent = browser.login(&browser.authorize(&request(&[("scope", all)])), "pa");
    assert_eq!(world.count("SELECT count(*) FROM pending_authorizations WHERE request ->> 'scope' = ''"), 1);
    let code = browser.allow(&consent).heard()["code"].clone();
    let granted = text(&exchange(&world, &code, &[]), "scope");
    assert_eq!(granted, all);
}

#[test]
fn a3_a_public_client_needs_an_s256_challenge() {
    let world = World::new();
    let browser = world.browser();
    let none = [("code_challenge", ""), ("code_challenge_method", "")];
    for changes in [
        &none[..],
        &[("code_challenge_method", "")],
        &[("code_challenge", "")],
        &[("code_challenge_method", "plain")],
        &[("code_challenge_method", "s256")],
        &[("code_challenge_method", "S512")],
        &[("code_challenge", "tooshort")],
        &[("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c=")],
    ] {
        assert_eq!(browser.authorize(&request(changes)).error(), "invalid_request", "{changes:?}");
        let of_confidential = browser.authorize(&confidential(changes));
        assert_eq!(of_confidential.status == 200, changes == none, "{changes:?}");
    }
}

#[test]
fn authorize_accepts_post_like_get() {
    let world = World::new();
    let cross_site = [("Origin", "https://pub.example"), ("Sec-Fetch-Site", "cross-site")];
    let body = encoded(&request(&[]));
    // The browser sends no cookie with the request, and must keep its existing cookie.
    let posted = world.ask("POST", "/oauth/authorize", &cross_site, &body);
    assert_eq!((posted.status, posted.location()), (303, Some(format!("/oauth/authorize?{body}").as_str())));
    assert!(posted.cookies.is_empty());
    let browser = world.browser();
    let page = browser.ask("GET", posted.location().unwrap(), &[], "");
    assert_eq!((page.status, page.cookies.len()), (200, 1));
    let with_cookie = browser.ask("POST", "/oauth/authorize", &[("Origin", "https://pub.example")], &body);
    assert_eq!((with_cookie.status, with_cookie.cookies.len()), (303, 0));
    for bad in ["x".repeat(15_361), "state=a\r\nSet-Cookie: x=y".to_owned(), "a=#b".to_owned(), "a=é".to_owned()] {
        let refused = world.ask("POST", "/oauth/authorize", &[], &bad);
        assert_eq!((refused.status, refused.location()), (400, None), "{bad}");
    }
    let json = [("Content-Type", "application/json")];
    assert_eq!(world.ask("POST", "/oauth/authorize", &json, "{}").status, 400);
    for (method, path) in [("PUT", "/oauth/authorize"), ("GET", "/oauth/login"), ("OPTIONS", "/oauth/consent")] {
        assert_eq!(world.ask(method, path, &[], "").status, 405, "{method} {path}");
    }
}

#[test]
fn one_browser_can_have_several_pending_sign_ins() {
    let world = World::new();
    let browser = world.browser();
    let first = browser.authorize(&request(&[]));
    // Another site sends the browser to `/oauth/authorize`, by a form and by a link.
    let posted = world.ask("POST", "/oauth/authorize", &[("Sec-Fetch-Site", "cross-site")], &encoded(&request(&[])));
    let second = browser.ask("GET", posted.location().unwrap(), &[("Sec-Fetch-Site", "cross-site")], "");
    assert!(second.cookies.is_empty());
    for page in [&first, &second] {
        let consent = browser.login(page, "pa");
        assert!(browser.allow(&consent).heard().contains_key("code"));
    }
}

#[test]
fn lc02_lc03_lc09_a_launch_is_for_one_app_and_one_user_and_expires() {
    let world = World::new();
    let launched = || {
        let form = encoded(&[("client_id", "pub"), ("user", "dr"), ("patient", "b")]);
        let answer = world.ask("POST", "/sandbox/launch", &[("Accept", "application/json")], &form);
        let address = answer.json()["launch_uri"].as_str().unwrap().to_owned();
        address.rsplit_once("launch=").unwrap().1.to_owned()
    };
    let browser = world.browser();
    let ask = |handle: &str, more: &[(&str, &str)]| {
        browser.authorize(&request(&[&[("scope", "launch patient/*.read"), ("launch", handle)], more].concat()))
    };
    let handle = launched();
    let other = [("client_id", "other"), ("redirect_uri", "https://other.example/cb")];
    assert_eq!(ask(&handle, &other).error(), "invalid_request", "LC03");
    let page = ask(&handle, &[]);
    assert!(browser.login(&page, "pa").text.contains("somebody else"), "LC09");
    let consent = browser.login(&page, "dr");
    assert!(consent.text.contains("Ben &lt;i&gt; Bell"), "{}", consent.text);
    let forged = browser.submit(&consent, "/oauth/patient", &[("patient", "a")]);
    let chosen = if forged.status == 200 { forged } else { consent };
    let tokens = exchange(&world, &browser.allow(&chosen).heard()["code"], &[]);
    assert_eq!(text(&tokens, "patient"), "b", "the EHR said whose chart is open");
    assert_eq!(ask(&handle, &[("prompt", "login")]).error(), "invalid_request", "it was used");
    let late = launched();
    world.pass(300);
    assert_eq!(ask(&late, &[]).error(), "invalid_request", "LC02");
}
