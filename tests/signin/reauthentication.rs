//! Requests that require a certain user, or a recent sign-in (OpenID Connect Core 1.0, section 3.1.2.1).

use super::{SCOPE, exchange, request, text};
use crate::world::{Browser, World};

/// Returns a browser in which a user has consented to the app, and the identity token of the app.
fn signed_in<'a>(world: &'a World, user: &str) -> (Browser<'a>, String) {
    let browser = world.browser();
    let consent = browser.login(&browser.authorize(&request(&[("scope", SCOPE), ("patient", "")])), user);
    let tokens = exchange(world, &browser.allow(&consent).heard()["code"], &[]);
    (browser, text(&tokens, "id_token"))
}

fn claims(id_token: &str) -> serde_json::Value {
    use base64ct::{Base64UrlUnpadded, Encoding};
    serde_json::from_slice(&Base64UrlUnpadded::decode_vec(id_token.split('.').nth(1).unwrap()).unwrap()).unwrap()
}

#[test]
fn the_user_of_an_id_token_hint_has_to_be_the_one_who_is_signed_in() {
    let world = World::new();
    let (browser, own) = signed_in(&world, "pa");
    let hinted = |hint: &str, more: &[(&str, &str)]| {
        browser.authorize(&[&request(&[("scope", SCOPE), ("id_token_hint", hint)])[..], more].concat())
    };
    // An identity token of another user, signed by this server.
    let other = super::sign_out::signed_anew(&own, |claims| claims["sub"] = "dr".into());
    let silently = hinted(&own, &[("prompt", "none")]);
    assert!(silently.heard().contains_key("code"), "{:?}", silently.heard());
    assert_eq!(hinted(&other, &[("prompt", "none")]).error(), "login_required");
    let page = hinted(&other, &[]);
    assert!(page.text.contains("name=\"password\""), "{}", page.text);
    // A token that this server did not sign is ignored.
    assert!(hinted("x.y.z", &[("prompt", "none")]).heard().contains_key("code"));
}

#[test]
fn a_sign_in_that_is_too_old_is_done_again() {
    let world = World::new();
    let (browser, first) = signed_in(&world, "pa");
    let within = |seconds: &str, more: &[(&str, &str)]| {
        browser.authorize(&[&request(&[("scope", SCOPE), ("max_age", seconds)])[..], more].concat())
    };
    assert_eq!(within("0", &[("prompt", "none")]).error(), "login_required", "in the same second");
    world.pass(3);
    assert!(within("3", &[("prompt", "none")]).heard().contains_key("code"));
    assert_eq!(within("1", &[("prompt", "none")]).error(), "login_required");
    for seconds in ["0", "1"] {
        let page = within(seconds, &[]);
        assert!(page.text.contains("name=\"password\""), "{seconds}: {}", page.text);
        let answer = browser.login(&page, "pa");
        let answer = if answer.status == 200 { browser.allow(&answer) } else { answer };
        let tokens = exchange(&world, &answer.heard()["code"], &[]);
        let again = claims(&text(&tokens, "id_token"));
        assert!(again["auth_time"].as_i64() > claims(&first)["auth_time"].as_i64(), "{again}");
        world.pass(3);
    }
}
