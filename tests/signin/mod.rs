//! Signing in through the router, on SQLite. The names of tests have the ids of the security checklist that they cover.

mod agents;
mod audit;
mod authorize;
mod consent;
mod context;
mod faults;
mod guesses;
mod identities;
mod languages;
mod launches;
mod pages;
mod purge;
mod reauthentication;
mod sandbox;
mod sign_out;
mod tokens;

use crate::support;
use crate::world::{Answered, Browser, World};

/// The verifier and the challenge of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const SCOPE: &str = "launch/patient openid fhirUser offline_access patient/*.read";
const STATE: &str = "0123456789abcdef";
const BASIC: (&str, &str) = ("Authorization", "Basic Y29uZjpjb25mLXNlY3JldC1vZi1hLWdvb2QtbGVuZ3RoLTAxMjM0NTY3ODk=");

/// Returns a valid request of the public client, with some parameters changed. An empty value removes a parameter.
fn request<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut request = vec![
        ("response_type", "code"),
        ("client_id", "pub"),
        ("redirect_uri", "https://pub.example/cb"),
        ("scope", SCOPE),
        ("state", STATE),
        ("aud", support::BASE),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ];
    for (name, value) in changes {
        request.retain(|(of, _)| of != name);
        if !value.is_empty() {
            request.push((name, value));
        }
    }
    request
}

/// Returns a request of the confidential client.
fn confidential<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut all = vec![("client_id", "conf"), ("redirect_uri", "https://conf.example/cb?x=1")];
    all.extend(changes);
    request(&all)
}

/// Signs a user in for a request, in a new browser, and returns the next page.
fn sign_in<'a>(world: &'a World, user: &str, request: &[(&str, &str)]) -> (Browser<'a>, Answered) {
    let browser = world.browser();
    let page = browser.login(&browser.authorize(request), user);
    (browser, page)
}

/// Returns a code after the sign-in and consent of the patient `pa`.
fn code(world: &World, request: &[(&str, &str)]) -> String {
    let (browser, consent) = sign_in(world, "pa", request);
    browser.allow(&consent).heard()["code"].clone()
}

/// Exchanges a code as the public client, with some parameters changed.
fn exchange(world: &World, code: &str, changes: &[(&str, &str)]) -> Answered {
    let mut form = vec![
        ("grant_type", "authorization_code"),
        ("client_id", "pub"),
        ("code", code),
        ("redirect_uri", "https://pub.example/cb"),
        ("code_verifier", VERIFIER),
    ];
    for (name, value) in changes {
        form.retain(|(of, _)| of != name);
        if !value.is_empty() {
            form.push((name, value));
        }
    }
    world.token(&[], &form)
}

fn text(answer: &Answered, member: &str) -> String {
    answer.json()[member].as_str().unwrap_or_else(|| panic!("{member} in {}", answer.text)).to_owned()
}
