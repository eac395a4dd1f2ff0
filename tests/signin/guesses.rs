//! CS11: wrong passwords are slowed down, and do not lock out the user who knows the right one.

use super::request;
use crate::world::{Answered, Browser, World};

fn guess(browser: &Browser<'_>, page: &Answered, user: &str) -> u16 {
    browser.submit(page, "/oauth/login", &[("username", user), ("password", "x")]).status
}

#[test]
fn guesses_from_many_networks_do_not_lock_the_user_out() {
    let world = World::new();
    let known = world.browser_at("192.0.2.1");
    assert_eq!(known.login(&known.authorize(&request(&[])), "pa").status, 200);
    for network in 0..230 {
        let browser = world.browser_at(&format!("network-{network}"));
        assert_eq!(guess(&browser, &browser.authorize(&request(&[])), "pa"), 200, "{network}");
    }
    let fresh = world.browser_at("198.51.100.1");
    let page = fresh.authorize(&request(&[]));
    assert_eq!(guess(&fresh, &page, "pa"), 200, "a slip of the hand");
    assert_eq!(fresh.login(&page, "pa").status, 200, "the right password from a network that did not guess");
    let page = known.authorize(&request(&[("prompt", "login")]));
    assert_eq!(known.login(&page, "pa").status, 200);
}

#[test]
fn an_account_under_attack_allows_few_free_guesses_per_network() {
    let world = World::new();
    let free = |network: &str, user: &str| {
        let browser = world.browser_at(network);
        let page = browser.authorize(&request(&[]));
        (0..99).take_while(|_| guess(&browser, &page, user) == 200).count()
    };
    assert_eq!(free("before", "dr"), 16);
    for network in 0..200 {
        let browser = world.browser_at(&format!("network-{network}"));
        guess(&browser, &browser.authorize(&request(&[])), "dr");
    }
    assert_eq!(free("after", "dr"), 3);
    assert_eq!(free("other", "pa"), 16, "another account is not concerned");
    world.pass(901);
    assert_eq!(free("later", "dr"), 16, "it ends with the guesses");
}

#[test]
fn a_browser_that_signed_in_before_has_its_own_free_attempts() {
    let world = World::new();
    let home = "192.0.2.1";
    let known = world.browser_at(home);
    assert_eq!(known.login(&known.authorize(&request(&[])), "pa").status, 200);
    assert_eq!(known.cookies.borrow()["device"].len(), 43);
    // A stranger in the same network uses up its free attempts, for this account and for others.
    let stranger = world.browser_at(home);
    let page = stranger.authorize(&request(&[]));
    for user in 0..20 {
        for _ in 0..10 {
            guess(&stranger, &page, &format!("user-{user}"));
        }
    }
    assert_eq!(guess(&stranger, &page, "pa"), 429);
    assert_eq!(stranger.login(&page, "pa").status, 429);
    let page = known.authorize(&request(&[("prompt", "login")]));
    for _ in 0..5 {
        assert_eq!(guess(&known, &page, "pa"), 200);
    }
    assert_eq!(known.login(&page, "pa").status, 200);
    // A known browser has as many free attempts as a network.
    let page = known.authorize(&request(&[("prompt", "login")]));
    assert_eq!((0..99).take_while(|_| guess(&known, &page, "pa") == 200).count(), 16);
}

#[test]
fn a_device_cookie_is_for_one_user_and_cannot_be_forged() {
    let world = World::new();
    let known = world.browser_at("192.0.2.1");
    known.login(&known.authorize(&request(&[])), "pa");
    let cookie = known.cookies.borrow()["device"].clone();
    for (value, user) in
        [(cookie.as_str(), "dr"), (&"A".repeat(43), "pa"), (&format!("{}.{}", "A".repeat(43), "x"), "pa")]
    {
        let forger = world.browser_at(&format!("network of {user} {value}"));
        forger.cookies.borrow_mut().insert("device".into(), value.to_owned());
        let page = forger.authorize(&request(&[]));
        assert_eq!((0..99).take_while(|_| guess(&forger, &page, user) == 200).count(), 16);
        assert_eq!(world.browser_at(&forger.network).login(&page, user).status, 400, "the page is the forger's");
        let other = world.browser_at(&forger.network);
        assert_eq!(guess(&other, &other.authorize(&request(&[])), user), 429, "it is counted by network");
    }
    // A second user of the browser does not replace the cookie of the first.
    let page = known.authorize(&request(&[("prompt", "login")]));
    assert_eq!(known.login(&page, "dr").status, 200);
    let both = known.cookies.borrow()["device"].clone();
    assert!(both.ends_with(&format!(".{cookie}")), "{both}");
    let page = known.authorize(&request(&[("prompt", "login")]));
    let again = known.send(&page, "/oauth/login", &[("username", "pa"), ("password", "pa")]);
    let line = again.cookies.iter().find(|line| line.starts_with("device=")).unwrap();
    assert!(line.contains("; HttpOnly; SameSite=Lax; Max-Age=15552000"), "{line}");
    assert!(line.starts_with(&format!("device={cookie}.")), "{line}");
}
