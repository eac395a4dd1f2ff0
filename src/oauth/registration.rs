//! Checks of client registrations (docs/decisions/permission-and-sign-in.md#registrations). A registration that
//! could not work, or would be insecure, is refused with a reason.

use super::address::address;
use super::agents::is_registered_agent;
use super::client::{Client, MAX_LIFETIME, PURPOSES, SHORTEST_LIFETIME};
use super::client_kind::ClientKind;
use super::grant_type::GrantType;
use super::jwt_policy::CLIENT_ASSERTION;
use super::key_set::KeySet;
use smart::{ScopeSet, names_groups};

/// The minimum length of secrets and passwords, in characters.
pub const SHORTEST_SECRET: usize = 12;

/// The most characters of the names of a client's Groups, which are in each of its tokens.
const LONGEST_GROUPS: usize = 1_024;

/// A fault of a registration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{member}: {reason}")]
pub struct RegistrationError {
    /// The faulty member.
    pub member: &'static str,
    /// A description of the fault.
    pub reason: String,
}

fn wrong<T>(member: &'static str, reason: impl Into<String>) -> Result<T, RegistrationError> {
    Err(RegistrationError { member, reason: reason.into() })
}

impl Client {
    /// Checks a registration before it is stored.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), RegistrationError> {
        self.check_name()?;
        self.check_proof()?;
        self.check_addresses()?;
        if let Err(error) = ScopeSet::parse(&self.scopes) {
            return wrong("scopes", format!("{:?} is no scope: {}", error.scope, error.reason));
        }
        let approved = self.approved();
        if self.kind == ClientKind::Ingest && !approved.is_for_ingest() {
            return wrong("scopes", "a client that sends records has system/*.write, and no other scope");
        }
        if self.kind != ClientKind::Ingest && approved.may_ingest() {
            return wrong("scopes", "system/*.write is for clients of the kind ingest alone");
        }
        if self.kind == ClientKind::Ingest
            && !self.grant_types.iter().all(|grant| *grant == GrantType::ClientCredentials)
        {
            return wrong("grants", "a client that sends records acts for itself: client_credentials");
        }
        let bounds = SHORTEST_LIFETIME..=MAX_LIFETIME;
        match (self.token_lifetime, self.kind) {
            (None, _) => {}
            (Some(life), ClientKind::Backend | ClientKind::Ingest) if bounds.contains(&life) => {}
            (Some(_), ClientKind::Backend | ClientKind::Ingest) => {
                return wrong("token_lifetime", "it is none of 60 to 3600 seconds");
            }
            (Some(_), ClientKind::Public | ClientKind::Confidential | ClientKind::Asymmetric) => {
                return wrong("token_lifetime", "it is for clients that act for themselves: backend and ingest");
            }
        }
        if let Some(name) = self.groups.iter().flatten().find(|name| !names_groups(name)) {
            return wrong("groups", format!("{name:?} is no id of a Group, and no party as Type/id or system|value"));
        }
        if self.groups.as_ref().is_some_and(|all| all.concat().len() > LONGEST_GROUPS) {
            return wrong("groups", format!("they have more than {LONGEST_GROUPS} characters: name a party of them"));
        }
        if self.purpose.as_deref().is_some_and(|purpose| !PURPOSES.contains(&purpose)) {
            return wrong("purpose", format!("it is none of {}", PURPOSES.join(", ")));
        }
        let limits = [("groups", self.groups.is_some()), ("purpose", self.purpose.is_some())];
        if let Some((name, _)) = limits.into_iter().find(|(_, is_set)| *is_set && self.kind != ClientKind::Backend) {
            return wrong(name, "it is for clients of the kind backend alone");
        }
        if self.kind == ClientKind::Public && self.may(GrantType::ClientCredentials) {
            return wrong("grants", "a public client cannot act for itself: anybody could be it");
        }
        Ok(())
    }

    fn check_name(&self) -> Result<(), RegistrationError> {
        let id = &self.client_id;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if !(1..=128).contains(&id.len()) || !id.bytes().all(plain) {
            return wrong("client_id", format!("{id:?} is not made of 1 to 128 letters, digits and - . _ ~"));
        }
        if is_registered_agent(id) {
            return wrong("client_id", "it begins as those of agents that register themselves");
        }
        if self.name.chars().count() > 100 || self.name.chars().any(char::is_control) {
            return wrong("name", "it is longer than 100 characters, or not one line");
        }
        Ok(())
    }

    fn check_proof(&self) -> Result<(), RegistrationError> {
        let secret = self.secret.as_deref().filter(|secret| !secret.is_empty());
        // HTTP Basic may send a secret percent-encoded or plain, so both forms must be equal.
        let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'%';
        if secret.is_some_and(|secret| !secret.bytes().all(plain)) {
            return wrong("secret", "it has a blank, a percent sign, or something that is not ASCII");
        }
        if self.kind != ClientKind::Public && secret.is_some_and(|secret| secret.len() < SHORTEST_SECRET) {
            return wrong("secret", format!("it is shorter than {SHORTEST_SECRET} characters"));
        }
        let secret = secret.is_some() || self.secret_hash.is_some();
        let keys = self.jwks.is_some() || self.jwks_uri.is_some();
        match self.kind {
            ClientKind::Public if secret => return wrong("secret", "a public client can keep none"),
            ClientKind::Public if keys => return wrong("jwks", "a public client can keep no private key"),
            ClientKind::Confidential if !secret => return wrong("secret", "a confidential client needs one"),
            ClientKind::Confidential if keys => {
                return wrong("jwks", "a confidential client has a secret; one with keys is asymmetric");
            }
            ClientKind::Asymmetric if secret => return wrong("secret", "an asymmetric client has keys instead"),
            ClientKind::Asymmetric if !keys => return wrong("jwks", "an asymmetric client needs jwks or jwks_uri"),
            ClientKind::Backend | ClientKind::Ingest if !secret && !keys => {
                return wrong("secret", "a client that acts for itself needs a secret, jwks or jwks_uri");
            }
            ClientKind::Public
            | ClientKind::Confidential
            | ClientKind::Asymmetric
            | ClientKind::Backend
            | ClientKind::Ingest => {}
        }
        let Some(jwks) = &self.jwks else { return Ok(()) };
        if self.jwks_uri.is_some() {
            return wrong("jwks_uri", "keys are either here (jwks) or there (jwks_uri)");
        }
        let Some(set) = KeySet::of(jwks) else {
            return wrong("jwks", "it is no JWK set: {\"keys\": [...]}, of twenty keys at most");
        };
        set.check(CLIENT_ASSERTION.algorithms).or_else(|reason| wrong("jwks", reason))
    }

    fn check_addresses(&self) -> Result<(), RegistrationError> {
        let each = |member: &'static str, addresses: &[String], check: fn(&str) -> Result<(), &'static str>| {
            for (at, address) in addresses.iter().enumerate() {
                if let Err(reason) = check(address) {
                    return wrong(member, format!("{address:?}: {reason}"));
                }
                if addresses.iter().skip(at + 1).any(|other| other == address) {
                    return wrong(member, format!("{address:?} is there twice"));
                }
            }
            Ok(())
        };
        each("redirect_uris", &self.redirect_uris, address)?;
        each("post_logout_redirect_uris", &self.post_logout_redirect_uris, address)?;
        each("launch_uri", self.launch_uri.as_slice(), address)?;
        each("jwks_uri", self.jwks_uri.as_slice(), address)?;
        each("origins", &self.origins, check_origin)
    }
}

/// Checks a web origin: scheme, host and port, of https or on this machine.
///
/// # Errors
/// The reason why the text is not such an origin.
fn check_origin(text: &str) -> Result<(), &'static str> {
    address(text)?;
    let path = text.split_once("://").is_some_and(|(_, rest)| rest.contains(['/', '?']));
    if path { Err("an origin has no path, and no slash at its end") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::IDENTITY;
    use serde_json::{Value, json};

    fn check(members: &Value) -> Result<(), &'static str> {
        let mut whole = json!({"client_id": "app", "kind": "public", "scopes": "openid"});
        for (name, value) in members.as_object().unwrap() {
            whole[name] = value.clone();
        }
        serde_json::from_value::<Client>(whole).unwrap().check().map_err(|error| error.member)
    }

    #[test]
    fn wr01_a_client_that_sends_records_has_that_scope_alone() {
        let ingest = |other: Value| {
            let mut all = json!({"kind": "ingest", "secret": "a-long-secret", "scopes": "system/*.write"});
            all.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
            check(&all)
        };
        assert_eq!(ingest(json!({})), Ok(()));
        assert_eq!(ingest(json!({"scopes": "system/*.cud", "grants": ["client_credentials"]})), Ok(()));
        for scopes in ["", "system/*.write system/*.read", "system/Patient.write", "system/*.*", "user/*.write"] {
            assert_eq!(ingest(json!({"scopes": scopes})), Err("scopes"), "{scopes}");
        }
        assert_eq!(ingest(json!({"secret": null})), Err("secret"));
        assert_eq!(ingest(json!({"grants": ["authorization_code"]})), Err("grants"));
        assert_eq!(ingest(json!({"kind": "backend", "scopes": "system/*.read system/*.write"})), Err("scopes"));
    }

    #[test]
    fn the_life_of_a_token_is_registered_for_clients_that_act_for_themselves() {
        let backend = |life: i64| json!({"kind": "backend", "secret": "twelve-chars", "token_lifetime": life});
        for (life, expected) in
            [(60, Ok(())), (3_600, Ok(())), (59, Err("token_lifetime")), (3_601, Err("token_lifetime"))]
        {
            assert_eq!(check(&backend(life)), expected, "{life}");
        }
        assert_eq!(check(&json!({"token_lifetime": 300})), Err("token_lifetime"), "a public client");
        let ingest =
            json!({"kind": "ingest", "secret": "twelve-chars", "scopes": "system/*.write", "token_lifetime": 900});
        assert_eq!(check(&ingest), Ok(()));
    }

    #[test]
    fn ex10_groups_are_named_by_id_or_party_for_clients_that_act_for_themselves() {
        let backend = |groups: Value| check(&json!({"kind": "backend", "secret": "twelve-chars", "groups": groups}));
        for good in [json!(["g1", "Organization/b", "http://hl7.org/fhir/sid/us-npi|1"]), json!([])] {
            assert_eq!(backend(good.clone()), Ok(()), "{good}");
        }
        let long: Vec<_> = (0..40).map(|n| format!("{n}-{}", "x".repeat(30))).collect();
        for bad in ["", "*", "|1", "http://npi|", "Foo/b", "Group/b", "Organization/b/_history/1"] {
            assert_eq!(backend(json!([bad])), Err("groups"), "{bad}");
        }
        assert_eq!(backend(json!(long)), Err("groups"));
        assert_eq!(check(&json!({"groups": ["g"]})), Err("groups"), "a public client");
        let purpose = |name: &str| check(&json!({"kind": "backend", "secret": "twelve-chars", "purpose": name}));
        assert_eq!(["payer-to-payer", "provider-access", "other"].map(purpose), [Ok(()), Ok(()), Err("purpose")]);
        let app = json!({"kind": "confidential", "secret": "twelve-chars", "purpose": "payer-to-payer"});
        assert_eq!(check(&app), Err("purpose"));
    }

    fn key() -> Value {
        let private: Value = serde_json::from_str(IDENTITY).unwrap();
        json!({"kty": "RSA", "kid": "k", "n": private["n"], "e": private["e"]})
    }

    #[test]
    fn a_redirect_uri_is_https_or_this_machine_and_exact() {
        for good in [
            "https://app.example/cb",
            "https://app.example:8443/cb?x=1",
            "https://app.example",
            "http://localhost:4567/custom/smart/redirect",
            "http://127.0.0.1/cb",
            "http://[::1]:80/cb",
            "https://app.example:65535/cb",
        ] {
            assert_eq!(check(&json!({"redirect_uris": [good]})), Ok(()), "{good}");
        }
        for bad in [
            "",
            "/cb",
            "app.example/cb",
            "http://app.example/cb",
            "http://localhosts/cb",
            "http://localhost.evil.example/cb",
            "http://localhost@evil.example/cb",
            "https://app.example/cb#x",
            "https://app.example/cb#",
            "https://*.example/cb",
            "https://app.example/a/../b",
            "https://app.example\\@evil.example",
            "https://app.example/c b",
            "https://app.example/\n",
            "https:///cb",
            "https://app.example:x/cb",
            "https://app.example:99999/cb",
            "https://app.example:65536/cb",
            "https://app.example:+80/cb",
            "http://localhost:65536/cb",
            "http://127.0.0.1:65536/cb",
            "http://[::1]:65536/cb",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "HTTPS://app.example/cb",
            "https://app.example/é",
        ] {
            assert_eq!(check(&json!({"redirect_uris": [bad]})), Err("redirect_uris"), "{bad}");
        }
        let twice = json!({"redirect_uris": ["https://a.example/", "https://a.example/"]});
        assert_eq!(check(&twice), Err("redirect_uris"));
    }

    #[test]
    fn credentials_must_fit_the_kind_of_the_client() {
        let set = json!({"keys": [key()]});
        for (members, expected) in [
            (json!({}), Ok(())),
            (json!({"secret": "x"}), Err("secret")),
            (json!({"secret": ""}), Ok(())),
            (json!({"jwks": set}), Err("jwks")),
            (json!({"grants": ["client_credentials"]}), Err("grants")),
            (json!({"kind": "confidential"}), Err("secret")),
            (json!({"kind": "confidential", "secret": ""}), Err("secret")),
            (json!({"kind": "confidential", "secret": "twelve-chars"}), Ok(())),
            (json!({"kind": "confidential", "secret": "eleven-char"}), Err("secret")),
            (json!({"kind": "confidential", "secret": "fifty-per-50%25"}), Err("secret")),
            (json!({"kind": "confidential", "secret": "more than two words"}), Err("secret")),
            (json!({"kind": "confidential", "secret": "twelve-chars", "jwks": set}), Err("jwks")),
            (json!({"kind": "asymmetric"}), Err("jwks")),
            (json!({"kind": "asymmetric", "jwks": set}), Ok(())),
            (json!({"kind": "asymmetric", "jwks": set, "secret": "twelve-chars"}), Err("secret")),
            (json!({"kind": "asymmetric", "jwks_uri": "https://a.example/jwks"}), Ok(())),
            (json!({"kind": "asymmetric", "jwks_uri": "http://a.example/jwks"}), Err("jwks_uri")),
            (json!({"kind": "asymmetric", "jwks": set, "jwks_uri": "https://a.example/jwks"}), Err("jwks_uri")),
            (json!({"kind": "backend"}), Err("secret")),
            (json!({"kind": "backend", "jwks": set}), Ok(())),
            (json!({"kind": "backend", "secret": "twelve-chars"}), Ok(())),
            (json!({"kind": "backend", "secret": "eleven-char"}), Err("secret")),
        ] {
            assert_eq!(check(&members), expected, "{members}");
        }
    }

    #[test]
    fn registered_keys_are_public_and_named() {
        let with = |name: &str, value: Value| {
            let mut key = key();
            key[name] = value;
            json!({"kind": "asymmetric", "jwks": {"keys": [key]}})
        };
        assert_eq!(check(&with("d", json!("x"))), Err("jwks"));
        assert_eq!(check(&with("kid", json!(""))), Err("jwks"));
        assert_eq!(check(&with("alg", json!("RS256"))), Err("jwks"));
        assert_eq!(check(&with("n", json!("AQAB"))), Err("jwks"));
        assert_eq!(check(&json!({"kind": "asymmetric", "jwks": {"keys": []}})), Err("jwks"));
        assert_eq!(check(&json!({"kind": "asymmetric", "jwks": [key()]})), Err("jwks"));
    }

    #[test]
    fn keys_for_other_purposes_are_ignored() {
        let with = |other: Value| check(&json!({"kind": "backend", "jwks": {"keys": [key(), other]}}));
        for other in [
            json!({"kty": "EC", "crv": "P-384", "use": "enc", "x": "AA", "y": "AA", "kid": "e"}),
            json!({"kty": "EC", "crv": "P-384", "alg": "ECDH-ES", "x": "AA", "y": "AA"}),
            json!({"kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB", "kid": "r"}),
            json!({"kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": "o"}),
            json!({"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"}),
            json!({"kid": "nothing"}),
        ] {
            assert_eq!(with(other.clone()), Ok(()), "{other}");
        }
        for bad in [
            json!({"kty": "EC", "crv": "P-384", "use": "enc", "x": "AA", "y": "AA", "d": "AA", "kid": "e"}),
            json!({"kty": "EC", "crv": "P-384", "use": "enc", "x": "AA", "y": "AA", "kid": "k"}),
            json!({"kty": "EC", "crv": "P-384", "x": "AA", "y": "AA", "kid": "weak"}),
        ] {
            assert_eq!(with(bad.clone()), Err("jwks"), "{bad}");
        }
    }

    #[test]
    fn names_scopes_and_origins_are_checked() {
        for (members, expected) in [
            (json!({"client_id": ""}), Err("client_id")),
            (json!({"client_id": "a b"}), Err("client_id")),
            (json!({"client_id": "a:b"}), Err("client_id")),
            (json!({"client_id": "a'--"}), Err("client_id")),
            (json!({"name": "a\nb"}), Err("name")),
            (json!({"scopes": "openid foo"}), Err("scopes")),
            (json!({"origins": ["https://a.example"]}), Ok(())),
            (json!({"origins": ["https://a.example/"]}), Err("origins")),
            (json!({"launch_uri": "https://a.example/launch.html"}), Ok(())),
            (json!({"launch_uri": "http://a.example/launch"}), Err("launch_uri")),
            (json!({"post_logout_redirect_uris": ["https://a.example/", "http://127.0.0.1/"]}), Ok(())),
            (json!({"post_logout_redirect_uris": ["http://a.example/"]}), Err("post_logout_redirect_uris")),
        ] {
            assert_eq!(check(&members), expected, "{members}");
        }
    }
}
