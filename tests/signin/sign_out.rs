//! Logout by an app (OpenID Connect RP-Initiated Logout 1.0), and the end of a session.

use super::{SCOPE, exchange, request, text};
use crate::world::{Answered, Browser, World, encoded};

const PATH: &str = "/oauth/logout";
const HOME: &str = "https://pub.example/";

/// Returns a browser in which the user has consented to the app, and the tokens of the app.
fn signed_in<'a>(world: &'a World, scope: &str) -> (Browser<'a>, Answered) {
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[("scope", scope)])), "pa");
    let tokens = exchange(world, &browser.allow(&consent).heard()["code"], &[]);
    (browser, tokens)
}

fn is_signed_in(browser: &Browser<'_>) -> bool {
    !browser.ask("GET", "/oauth/manage", &[], "").text.contains("name=\"password\"")
}

fn get(browser: &Browser<'_>, parameters: &[(&str, &str)]) -> Answered {
    browser.ask("GET", &format!("{PATH}?{}", encoded(parameters)), &[], "")
}

/// Changes the claims of a token and signs it again with the test key.
pub fn signed_anew(token: &str, change: impl Fn(&mut serde_json::Value)) -> String {
    use base64ct::{Base64UrlUnpadded, Encoding};
    let parts: Vec<_> = token.split('.').collect();
    let mut claims = serde_json::from_slice(&Base64UrlUnpadded::decode_vec(parts[1]).unwrap()).unwrap();
    change(&mut claims);
    format!("{}.{}.{}", parts[0], Base64UrlUnpadded::encode_string(claims.to_string().as_bytes()), parts[2])
}

#[test]
fn an_identity_token_of_the_session_signs_out_at_once() {
    let world = World::new();
    for posted in [false, true] {
        let (browser, tokens) = signed_in(&world, &format!("{SCOPE} online_access").replace("offline_access ", ""));
        let hint = text(&tokens, "id_token");
        let form = [("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", HOME), ("state", "a b&c")];
        // The identity token has long expired.
        world.pass(600);
        let answer = if posted { browser.post(PATH, &form) } else { get(&browser, &form) };
        assert_eq!((answer.status, answer.location()), (303, Some("https://pub.example/?state=a%20b%26c")));
        assert!(!is_signed_in(&browser) && !browser.cookies.borrow().contains_key("session"));
        assert_eq!(world.read_condition(&text(&tokens, "access_token"), "ca"), 401, "online access ends");
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", &text(&tokens, "refresh_token"))];
        assert_eq!(world.token(&[], &refresh).error(), "invalid_grant");
        assert!(world.log.borrow().contains("\"sign-out\""));
    }
    let (browser, tokens) = signed_in(&world, SCOPE);
    let answer = get(&browser, &[("id_token_hint", &text(&tokens, "id_token"))]);
    assert_eq!(answer.status, 200);
    assert!(answer.text.contains("You are signed out") && !is_signed_in(&browser));
    assert_eq!(world.read_condition(&text(&tokens, "access_token"), "ca"), 200, "offline access goes on");
}

#[test]
fn without_an_identity_token_of_the_session_the_user_is_asked() {
    let world = World::new();
    let (browser, tokens) = signed_in(&world, SCOPE);
    let hint = text(&tokens, "id_token");
    let (_, elsewhere) = signed_in(&world, SCOPE);
    let changed =
        |member: &'static str, value: &'static str| signed_anew(&hint, |claims| claims[member] = value.into());
    let unsigned = format!("{}.AAAA", hint.rsplit_once('.').unwrap().0);
    for hint in [
        String::new(),
        "x".to_owned(),
        unsigned,
        text(&tokens, "access_token"),
        text(&elsewhere, "id_token"),
        changed("iss", "https://evil.example"),
        changed("sub", "dr"),
        changed("sid", "s"),
        signed_anew(&hint, |claims| claims["sid"] = serde_json::Value::Null),
    ] {
        let form = [("id_token_hint", hint.as_str()), ("client_id", "pub"), ("post_logout_redirect_uri", HOME)];
        for answer in [get(&browser, &form), browser.ask("POST", PATH, &[("Origin", HOME)], &encoded(&form))] {
            assert_eq!((answer.status, answer.location()), (200, None), "{hint}");
            assert!(answer.text.contains("<h1>Sign out?</h1>") && answer.text.contains("Pub &lt;b&gt;"), "{hint}");
            assert!(answer.headers["Content-Security-Policy"].contains("form-action 'self' https://pub.example;"));
        }
        assert!(is_signed_in(&browser), "{hint}");
    }
    // An identity token identifies the requesting app, even if the token is from another session.
    let theirs = text(&elsewhere, "id_token");
    let page = get(&browser, &[("id_token_hint", &theirs), ("post_logout_redirect_uri", HOME), ("state", "s\"")]);
    let form = [("id_token_hint", theirs.as_str()), ("post_logout_redirect_uri", HOME), ("state", "s\"")];
    assert!(page.text.contains("name=\"state\" value=\"s&quot;\""), "{}", page.text);
    let csrf = crate::world::hidden(&page)[0].1.clone();
    for (headers, csrf) in [
        (&[("Origin", "https://evil.example")][..], csrf.as_str()),
        (&[("Sec-Fetch-Site", "cross-site")], &csrf),
        (&[], "x"),
    ] {
        let body = encoded(&[&form[..], &[("csrf", csrf)]].concat());
        assert_eq!(browser.ask("POST", PATH, headers, &body).status, 400);
    }
    assert_eq!(get(&browser, &[&form[..], &[("csrf", &csrf)]].concat()).status, 200, "a link answers no question");
    assert!(is_signed_in(&browser));
    let done = browser.post(PATH, &[&form[..], &[("csrf", &csrf)]].concat());
    assert_eq!((done.status, done.location()), (303, Some("https://pub.example/?state=s%22")));
    assert!(!is_signed_in(&browser));
}

#[test]
fn a_browser_is_sent_to_registered_addresses_only() {
    let world = World::new();
    let (browser, tokens) = signed_in(&world, SCOPE);
    let hint = text(&tokens, "id_token");
    for (client, address) in [
        ("pub", "https://pub.example"),
        ("pub", "https://pub.example/cb"),
        ("pub", "https://pub.example/?x=1"),
        ("pub", "https://evil.example/"),
        ("pub", "https://pub.example@evil.example/"),
        ("pub", "//pub.example/"),
        ("pub", "http://127.0.0.1:9/bye"),
        ("pub", "javascript:alert(1)"),
        ("other", HOME),
        ("nobody", HOME),
        ("off", HOME),
        ("", HOME),
    ] {
        let asked = [("client_id", client), ("post_logout_redirect_uri", address)];
        let hinted = [("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", address)];
        let alone = get(&world.browser(), &asked);
        assert_eq!((alone.status, alone.location()), (400, None), "{client} {address}");
        if client == "pub" {
            assert_eq!(get(&browser, &hinted).status, 400, "{address}");
        }
    }
    for bad in [
        &[("id_token_hint", hint.as_str()), ("client_id", "other")][..],
        &[("state", "a"), ("state", "b")],
        &[("id_token_hint", &"x".repeat(7_000))],
    ] {
        assert_eq!(get(&browser, bad).status, 400);
    }
    assert!(is_signed_in(&browser));
    let loopback =
        [("client_id", "pub"), ("post_logout_redirect_uri", "http://127.0.0.1:61234/bye?x=1"), ("state", "s")];
    assert_eq!(get(&world.browser(), &loopback).location(), Some("http://127.0.0.1:61234/bye?x=1&state=s"));
}

#[test]
fn without_a_session_the_user_is_not_asked() {
    let world = World::new();
    let browser = world.browser();
    let tolerated = [("logout_hint", "pa"), ("ui_locales", "de"), ("client_id", "nobody")];
    let page = get(&browser, &tolerated);
    assert_eq!(page.status, 200);
    assert!(page.text.contains("You are signed out"));
    assert_eq!(world.ask("PUT", PATH, &[], "").status, 405);
}

#[test]
fn a_post_of_another_site_is_redirected_to_get_the_cookie() {
    let world = World::new();
    let (browser, tokens) = signed_in(&world, SCOPE);
    let form = [("id_token_hint", &*text(&tokens, "id_token")), ("post_logout_redirect_uri", HOME), ("other", "x")];
    let cross_site = [("Origin", "https://pub.example"), ("Sec-Fetch-Site", "cross-site")];
    let answer = world.ask("POST", PATH, &cross_site, &encoded(&form));
    assert_eq!(answer.status, 303);
    let link = answer.location().unwrap();
    assert!(link.starts_with("/oauth/logout?id_token_hint=") && !link.contains("other"), "{link}");
    assert_eq!(browser.ask("GET", link, &[], "").location(), Some(HOME));
    assert!(!is_signed_in(&browser));
}
