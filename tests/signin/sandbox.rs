//! The app of a sandbox signs its user in, with the published password.

use super::request;
use crate::support::ORIGIN;
use crate::world::{World, encoded};

#[test]
fn the_app_of_this_origin_signs_a_user_in_and_no_other_page_does() {
    let world = World::new();
    let own = [("Origin", ORIGIN), ("Sec-Fetch-Site", "same-origin")];
    let sign_in = |headers: &[(&str, &str)], password: &str| {
        let browser = world.browser();
        let answer =
            browser.ask("POST", "/sandbox/sign-in", headers, &encoded(&[("username", "pa"), ("password", password)]));
        (browser, answer)
    };
    let (browser, answer) = sign_in(&own, "pa");
    assert_eq!((answer.status, answer.location()), (204, None));
    let consent = browser.authorize(&request(&[]));
    assert!(consent.text.contains("You are signed in as pa."), "{}", consent.text);
    assert!(browser.allow(&consent).heard().contains_key("code"));
    assert!(world.log.borrow().contains("\"event\":\"login\""), "{}", world.log.borrow());

    for headers in [
        &[][..],
        &[("Origin", "https://elsewhere.example"), ("Sec-Fetch-Site", "cross-site")],
        &[("Origin", ORIGIN), ("Sec-Fetch-Site", "cross-site")],
        &[("Origin", "https://elsewhere.example"), ("Sec-Fetch-Site", "same-origin")],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "none")],
    ] {
        let (browser, answer) = sign_in(headers, "pa");
        assert_eq!(answer.status, 400, "{headers:?}");
        assert!(browser.cookies.borrow().is_empty(), "{headers:?}");
    }
    let (browser, answer) = sign_in(&own, "wrong");
    assert_eq!(answer.status, 403);
    assert!(!browser.cookies.borrow().keys().any(|name| name.ends_with("session")));
}

#[test]
fn passwords_are_not_guessed_at_there_either() {
    let world = World::new();
    let browser = world.browser_at("network");
    let guess = || {
        let form = encoded(&[("username", "pa"), ("password", "guess")]);
        browser.ask("POST", "/sandbox/sign-in", &[("Origin", ORIGIN)], &form).status
    };
    assert!((0..40).any(|_| guess() == 429));
}
