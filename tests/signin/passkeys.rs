//! Signing in with passkeys, and attacks on it.

use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::request;
use crate::support::ORIGIN;
use crate::world::provider::{key, point, text};
use crate::world::{Answered, Browser, Fault, World, hidden};

#[derive(Clone)]
struct Authenticator {
    key: SigningKey,
    handle: String,
    count: u32,
    party: &'static str,
    origin: &'static str,
    flags: u8,
}

impl Authenticator {
    fn new() -> Self {
        Self { key: key(3), handle: String::new(), count: 1, party: "edge.test", origin: ORIGIN, flags: 0x05 }
    }

    fn data(&self, flags: u8, rest: &[u8]) -> Vec<u8> {
        let party: [u8; 32] = Sha256::digest(self.party).into();
        [&party[..], &[self.flags | flags], &self.count.to_be_bytes(), rest].concat()
    }

    fn client(&self, kind: &str, challenge: &str) -> String {
        json!({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false}).to_string()
    }

    /// Returns the attestation object of a new passkey with this credential id, in CBOR.
    fn attestation(&self, id: u8) -> Vec<u8> {
        let [x, y] = point(&self.key);
        let cose = [&[0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32][..], &x, &[0x22, 0x58, 32], &y].concat();
        let credential = [&[0; 16][..], &[0, 16], &[id; 16], &cose].concat();
        let data = self.data(0x40, &credential);
        let length = u8::try_from(data.len()).unwrap();
        let head =
            [&[0xa3, 0x63][..], b"fmt", &[0x64], b"none", &[0x67], b"attStmt", &[0xa0, 0x68], b"authData"].concat();
        [&head[..], &[0x58, length], &data].concat()
    }

    /// Returns the fields of a sign-in for this challenge.
    fn assertion(&self, id: u8, challenge: &str) -> Vec<(&'static str, String)> {
        let (client, data) = (self.client("webauthn.get", challenge), self.data(0, &[]));
        let hash: [u8; 32] = Sha256::digest(&client).into();
        let signature: Signature = self.key.sign(&[&data[..], &hash].concat());
        vec![
            ("id", text(&[id; 16])),
            ("client_data", text(client.as_bytes())),
            ("auth_data", text(&data)),
            ("signature", text(signature.to_der().as_bytes())),
            ("user_handle", self.handle.clone()),
        ]
    }
}

fn send(browser: &Browser<'_>, page: &Answered, path: &str, fields: &[(&str, String)]) -> Answered {
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    browser.send(page, path, &fields)
}

fn challenge(browser: &Browser<'_>, page: &Answered, purpose: &str) -> Answered {
    browser.send(page, "/oauth/passkey/challenge", &[("purpose", purpose)])
}

/// Signs the user in with a password at the management page.
fn manage<'a>(world: &'a World, user: &str) -> (Browser<'a>, Answered) {
    let browser = world.browser();
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    let page = browser.login(&page, user);
    assert!(page.text.contains("Passkeys"), "{}", page.text);
    (browser, page)
}

/// Adds a passkey with this credential id, and returns the page.
fn add(browser: &Browser<'_>, page: &Answered, authenticator: &mut Authenticator, id: u8) -> Answered {
    let options = challenge(browser, page, "add").json();
    authenticator.handle = options["user"]["id"].as_str().unwrap().to_owned();
    let client = authenticator.client("webauthn.create", options["challenge"].as_str().unwrap());
    let fields = [
        ("name", "Key".to_owned()),
        ("client_data", text(client.as_bytes())),
        ("attestation", text(&authenticator.attestation(id))),
    ];
    browser.follow(send(browser, page, "/oauth/passkeys", &fields))
}

/// Returns a world in which `dr` has a passkey.
fn world() -> (World, Authenticator) {
    let world = World::new();
    let mut authenticator = Authenticator::new();
    {
        let (browser, page) = manage(&world, "dr");
        assert!(add(&browser, &page, &mut authenticator, 1).text.contains("The passkey was added"));
    }
    world.execute("DELETE FROM sessions");
    authenticator.count += 1;
    (world, authenticator)
}

fn sign_in(browser: &Browser<'_>, page: &Answered, authenticator: &Authenticator) -> Answered {
    let options = challenge(browser, page, "").json();
    let fields = authenticator.assertion(1, options["challenge"].as_str().unwrap());
    browser.follow(send(browser, page, "/oauth/passkey", &fields))
}

fn sessions(world: &World) -> i64 {
    world.count("SELECT count(*) FROM sessions")
}

#[test]
fn a_user_adds_a_passkey_signs_in_with_it_and_removes_it() {
    let (world, authenticator) = world();
    let browser = world.browser();
    let picked = sign_in(&browser, &browser.authorize(&request(&[])), &authenticator);
    assert!(picked.text.contains("Choose a patient"), "{}", picked.text);
    let consent = browser.submit(&picked, "/oauth/patient", &[("patient", "b")]);
    assert!(browser.allow(&consent).heard().contains_key("code"));
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    let removed = browser.submit(&page, "/oauth/passkeys", &[("remove", &text(&[1; 16]))]);
    assert!(removed.text.contains("was removed") && removed.text.contains("no passkey"), "{}", removed.text);
    let log = world.log.borrow();
    for event in ["passkey-added", "login-passkey", "passkey-removed"] {
        assert!(log.contains(event), "{event}");
    }
}

#[test]
fn pk01_an_assertion_or_a_challenge_is_used_once() {
    let (world, authenticator) = world();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let options = challenge(&browser, &page, "").json();
    let fields = authenticator.assertion(1, options["challenge"].as_str().unwrap());
    assert!(browser.follow(send(&browser, &page, "/oauth/passkey", &fields)).text.contains("Choose a patient"));
    world.execute("DELETE FROM sessions");
    assert!(browser.follow(send(&browser, &page, "/oauth/passkey", &fields)).text.contains("did not work"));
    let options = challenge(&browser, &page, "").json();
    world.pass(300);
    let fields = authenticator.assertion(1, options["challenge"].as_str().unwrap());
    assert!(browser.follow(send(&browser, &page, "/oauth/passkey", &fields)).text.contains("did not work"));
    assert_eq!(sessions(&world), 0);
}

#[test]
fn pk02_wrong_origin_party_user_or_key_is_refused() {
    type Change = fn(&mut Authenticator);
    let changes: [(&str, Change); 8] = [
        ("wrong_origin", |one| one.origin = "http://evil.test"),
        ("wrong_origin", |one| one.origin = "http://edge.test:81"),
        ("wrong_party", |one| one.party = "evil.test"),
        ("not_verified", |one| one.flags = 0x01),
        ("not_verified", |one| one.flags = 0x04),
        ("other_user", |one| one.handle = text(&[0; 32])),
        ("other_user", |one| one.handle = String::new()),
        ("wrong_signature", |one| one.key = key(4)),
    ];
    for (error, change) in changes {
        let (world, mut authenticator) = world();
        change(&mut authenticator);
        let browser = world.browser();
        let page = sign_in(&browser, &browser.authorize(&request(&[])), &authenticator);
        assert!(page.text.contains("This passkey did not work") && sessions(&world) == 0, "{error}: {}", page.text);
        assert!(world.log.borrow().contains(error), "{error}: {}", world.log.borrow());
    }
}

#[test]
fn pk03_a_challenge_of_another_browser_request_or_purpose_is_refused() {
    let (world, authenticator) = world();
    let (browser, other) = (world.browser(), world.browser());
    let page = browser.authorize(&request(&[]));
    let others = other.authorize(&request(&[]));
    let second = browser.authorize(&request(&[]));
    let manage = browser.ask("GET", "/oauth/manage", &[], "");
    for (from, of) in [(&other, &others), (&browser, &second), (&browser, &manage)] {
        let options = challenge(from, of, "").json();
        let fields = authenticator.assertion(1, options["challenge"].as_str().unwrap());
        let answer = browser.follow(send(&browser, &page, "/oauth/passkey", &fields));
        assert!(answer.text.contains("did not work"), "{}", answer.text);
    }
    // Without the token of the form there is no challenge.
    let mut fields = hidden(&page);
    fields.retain(|(name, _)| name != "csrf");
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(browser.post("/oauth/passkey/challenge", &fields).status, 400);
    assert_eq!(sessions(&world), 0);
}

#[test]
fn pk04_a_copied_authenticator_is_refused_from_then_on() {
    let (world, mut authenticator) = world();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    authenticator.count = 7;
    assert!(sign_in(&browser, &page, &authenticator).text.contains("Choose a patient"));
    world.execute("DELETE FROM sessions");
    assert!(sign_in(&browser, &page, &authenticator).text.contains("did not work"), "the count has not increased");
    authenticator.count = 8;
    assert!(sign_in(&browser, &page, &authenticator).text.contains("did not work"), "it is refused for good");
    assert!(world.log.borrow().contains("cloned_authenticator") && sessions(&world) == 0);
}

#[test]
fn pk05_another_users_credential_cannot_be_taken_or_replaced() {
    let (world, authenticator) = world();
    let (browser, page) = manage(&world, "pa");
    let mut own = Authenticator { key: key(5), ..authenticator.clone() };
    assert!(add(&browser, &page, &mut own, 1).text.contains("were not changed"), "the credential id is taken");
    let removed = browser.submit(&page, "/oauth/passkeys", &[("remove", &text(&[1; 16]))]);
    assert!(removed.text.contains("were not changed"));
    assert_eq!(world.count("SELECT count(*) FROM passkeys WHERE user = 'dr'"), 1);
    // A passkey of `pa` does not sign in any other user.
    assert!(add(&browser, &page, &mut own, 2).text.contains("was added"));
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let options = challenge(&browser, &page, "").json();
    own.handle = authenticator.handle;
    own.count += 1;
    let fields = own.assertion(2, options["challenge"].as_str().unwrap());
    assert!(browser.follow(send(&browser, &page, "/oauth/passkey", &fields)).text.contains("did not work"));
}

#[test]
fn pk06_only_a_fresh_session_adds_a_passkey() {
    let world = World::new();
    let (browser, page) = manage(&world, "dr");
    let options = challenge(&browser, &page, "add").json();
    world.pass(301);
    assert_eq!(challenge(&browser, &page, "add").status, 400);
    let authenticator = Authenticator::new();
    let client = authenticator.client("webauthn.create", options["challenge"].as_str().unwrap());
    let fields = [("client_data", text(client.as_bytes())), ("attestation", text(&authenticator.attestation(1)))];
    assert!(browser.follow(send(&browser, &page, "/oauth/passkeys", &fields)).text.contains("were not changed"));
    assert!(browser.ask("GET", "/oauth/manage", &[], "").text.contains("Sign in again"));
    assert_eq!(world.count("SELECT count(*) FROM passkeys"), 0);
}

#[test]
fn pk06_only_a_fresh_session_removes_a_passkey() {
    let (world, authenticator) = world();
    let browser = world.browser();
    sign_in(&browser, &browser.authorize(&request(&[])), &authenticator);
    let page = browser.ask("GET", "/oauth/manage", &[], "");
    world.pass(301);
    let removed = browser.submit(&page, "/oauth/passkeys", &[("remove", &text(&[1; 16]))]);
    assert!(removed.text.contains("were not changed"), "{}", removed.text);
    assert!(removed.text.contains("Sign in again") && !removed.text.contains(r#"name="remove""#));
    assert_eq!(world.count("SELECT count(*) FROM passkeys"), 1);
}

#[test]
fn pk07_a_disabled_user_has_no_passkey() {
    let (world, authenticator) = world();
    world.execute("UPDATE users SET disabled = 1 WHERE name = 'dr'");
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    assert!(sign_in(&browser, &page, &authenticator).text.contains("did not work"));
}

#[test]
fn pk08_wrong_passkeys_are_counted_with_wrong_passwords_of_a_network() {
    let (world, authenticator) = world();
    let browser = world.browser_at("192.0.2.7");
    let page = browser.authorize(&request(&[]));
    let wrong = Authenticator { key: key(4), ..authenticator };
    let refused = (0..102).map(|_| sign_in(&browser, &page, &wrong).status).filter(|status| *status == 429).count();
    assert!(refused > 0);
}

#[test]
fn odd_bytes_are_refused_and_never_a_fault() {
    let (world, authenticator) = world();
    let browser = world.browser();
    let page = browser.authorize(&request(&[]));
    let options = challenge(&browser, &page, "").json();
    let fields = authenticator.assertion(1, options["challenge"].as_str().unwrap());
    for at in 0..fields.len() {
        for odd in ["", "é", "AA", "A", &"A".repeat(5_000), &text(b"{}"), &text(b"[[[[")] {
            let mut fields = fields.clone();
            fields[at].1 = odd.to_owned();
            assert_eq!(send(&browser, &page, "/oauth/passkey", &fields).status, 303, "{} {odd}", fields[at].0);
        }
    }
    let (browser, page) = manage(&world, "ma");
    let whole = authenticator.attestation(9);
    for length in 0..whole.len() {
        let options = challenge(&browser, &page, "add").json();
        let client = authenticator.client("webauthn.create", options["challenge"].as_str().unwrap());
        let fields = [("client_data", text(client.as_bytes())), ("attestation", text(&whole[..length]))];
        assert_eq!(send(&browser, &page, "/oauth/passkeys", &fields).status, 303);
    }
    assert_eq!(world.count("SELECT count(*) FROM passkeys WHERE user = 'ma'"), 0);
}

#[test]
fn a_fault_of_the_database_leaves_no_half_of_a_sign_in_with_a_passkey() {
    for at in 0..10 {
        for fault in [Fault::Before(at), Fault::After(at)] {
            let (world, mut authenticator) = world();
            let browser = world.browser();
            let page = browser.authorize(&request(&[]));
            let options = challenge(&browser, &page, "").json();
            let fields = authenticator.assertion(1, options["challenge"].as_str().unwrap());
            world.fault.set(Some(fault));
            let first = send(&browser, &page, "/oauth/passkey", &fields);
            if world.fault.take().is_some() {
                assert_eq!(first.status, 303, "{fault:?}");
                continue;
            }
            assert_eq!((first.status, browser.cookies.borrow().contains_key("session")), (500, false), "{fault:?}");
            authenticator.count += 1;
            let again = sign_in(&browser, &page, &authenticator);
            assert!(again.text.contains("Choose a patient"), "{fault:?} {}", again.text);
        }
    }
}
