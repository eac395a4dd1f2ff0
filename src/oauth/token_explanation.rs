//! Explains a token check by check, for developers (RFC 9068, section 4; OpenID Connect Core 1.0, section 3.1.3.7). It
//! grants nothing; only [`super::UnverifiedToken::verify`] does, with the same list of checks.
//!
//! Signatures of ES256 are verified here. Other algorithms fail with a text that the page has to verify them.

use base64ct::{Base64UrlUnpadded, Encoding};
use p256::EncodedPoint;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::access_token::{CHECKS, TokenRequirements, TokenStatements};
use super::jwt_policy::{ACCESS_TOKEN, EXPLAINED_ID_TOKEN, JwtPolicy};
use fhir::{abridged, instant};

/// The maximum length of a token, in bytes.
const MAX_LENGTH: usize = 64 * 1024;

/// The kinds of tokens that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenKind {
    /// An access token.
    Access,
    /// An identity token.
    Id,
}

impl TokenKind {
    const fn policy(self) -> &'static JwtPolicy {
        match self {
            Self::Access => &ACCESS_TOKEN,
            Self::Id => &EXPLAINED_ID_TOKEN,
        }
    }
}

/// The expected properties of a token.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExpectedToken {
    /// The issuer. `None` for any issuer.
    pub issuer: Option<String>,
    /// The audience. `None` for any audience.
    pub audience: Option<String>,
    /// The kind of the token.
    #[serde(rename = "type")]
    pub kind: TokenKind,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The name of the check: `form`, `algorithm`, `key`, `signature`, or that of a check after the signature.
    pub check: &'static str,
    /// True if the check passed.
    pub ok: bool,
    /// An explanation for people.
    pub says: String,
}

fn line(check: &'static str, ok: bool, says: impl Into<String>) -> Check {
    Check { check, ok, says: says.into() }
}

/// Checks a token against a JWK set, at a time in seconds since 1970.
pub fn checks(token: &str, jwks: &Value, now: i64, expected: &ExpectedToken) -> Vec<Check> {
    match Parts::of(token) {
        Err(reason) => vec![line("form", false, reason)],
        Ok(parts) => parts.checks(jwks, now, expected),
    }
}

struct Parts<'a> {
    header: Map<String, Value>,
    claims: Map<String, Value>,
    signed: &'a str,
    signature: Vec<u8>,
}

impl<'a> Parts<'a> {
    fn of(token: &'a str) -> Result<Self, &'static str> {
        if token.len() > MAX_LENGTH {
            return Err("It is too long for a token.");
        }
        let (signed, signature) = token.rsplit_once('.').ok_or("It is not three parts with dots between them.")?;
        let (header, claims) = signed.split_once('.').ok_or("It is not three parts with dots between them.")?;
        let decoded = |part: &str| Base64UrlUnpadded::decode_vec(part).ok();
        let object = |part: &str| serde_json::from_slice(&decoded(part)?).ok();
        Ok(Self {
            header: object(header).ok_or("Its first part is not a JSON object in base64url.")?,
            claims: object(claims).ok_or("Its second part is not a JSON object in base64url.")?,
            signed,
            signature: decoded(signature).ok_or("Its third part is not base64url.")?,
        })
    }

    fn checks(&self, jwks: &Value, now: i64, expected: &ExpectedToken) -> Vec<Check> {
        let mut checks =
            vec![line("form", true, "Three parts: header, claims and signature."), self.algorithm(expected.kind)];
        let key = self.key(jwks);
        checks.push(match &key {
            Ok(key) => line("key", true, format!("The key set has its key, {}.", text(key.get("kid")))),
            Err(reason) => line("key", false, reason.clone()),
        });
        checks.push(self.signature(key.ok()));
        let stated = self.stated();
        let (issuer, audience) = (expected.issuer.as_deref(), expected.audience.as_deref());
        let required = TokenRequirements { policy: expected.kind.policy(), issuer, audience, now };
        checks.extend(CHECKS.iter().filter_map(|(name, holds, _)| {
            Some(line(name, holds(&stated, required), self.says(name, &stated, now, expected)?))
        }));
        checks
    }

    fn named(&self) -> &str {
        self.header.get("alg").and_then(Value::as_str).unwrap_or_default()
    }

    fn algorithm(&self, kind: TokenKind) -> Check {
        let usual: Vec<_> = kind.policy().algorithms.iter().map(|algorithm| algorithm.name()).collect();
        let says = format!("It is signed by {}; taken is {}.", text(self.header.get("alg")), usual.join(" or "));
        line("algorithm", usual.contains(&self.named()), says)
    }

    /// Returns the key with the token's `kid`. A token without a `kid` uses the only key of its algorithm.
    fn key<'k>(&self, jwks: &'k Value) -> Result<&'k Map<String, Value>, String> {
        let all = jwks.get("keys").and_then(Value::as_array).ok_or("There is no key set: it has no list of keys.")?;
        let all = all.iter().filter_map(Value::as_object);
        let of_algorithm = |key: &&Map<String, Value>| {
            let is = |name: &str, value: &str| key.get(name).and_then(Value::as_str) == Some(value);
            let family = if self.named().starts_with("RS") || self.named().starts_with("PS") { "RSA" } else { "EC" };
            is("kty", family) && (key.get("alg").is_none() || is("alg", self.named()))
        };
        let found: Vec<_> = match self.header.get("kid") {
            Some(kid) => all.filter(|key| key.get("kid") == Some(kid)).collect(),
            None => all.filter(of_algorithm).collect(),
        };
        match found.as_slice() {
            [key] if of_algorithm(key) => Ok(key),
            [_] => {
                Err(format!("The key that it names is for another algorithm than {}.", text(self.header.get("alg"))))
            }
            [] => Err(format!("The key set has no key {}.", text(self.header.get("kid")))),
            _ => Err("The key set has several keys that it may mean.".to_owned()),
        }
    }

    fn signature(&self, key: Option<&Map<String, Value>>) -> Check {
        let Some(key) = key else {
            return line("signature", false, "Without its key, the signature cannot be checked.");
        };
        if self.named() != "ES256" {
            let says =
                format!("{} is not checked here: the page must check it, by WebCrypto.", text(self.header.get("alg")));
            return line("signature", false, says);
        }
        let Some(public) = public(key) else {
            return line("signature", false, "The key is not a public key on P-256.");
        };
        let signature = Signature::from_slice(&self.signature).ok();
        match signature.map(|signature| public.verify(self.signed.as_bytes(), &signature)) {
            Some(Ok(())) => line("signature", true, "The signature is that of the key over header and claims."),
            Some(Err(_)) => line(
                "signature",
                false,
                "The signature is not that of the key: the token was changed, or signed by another.",
            ),
            None => line("signature", false, "The third part is not a signature of ES256."),
        }
    }

    /// Returns the statements of the token. NaN stands for an invalid time.
    fn stated(&self) -> TokenStatements<'_> {
        let time = |name| Some(self.claims.get(name)?.as_f64().unwrap_or(f64::NAN));
        let audiences = match self.claims.get("aud") {
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            claim => claim.and_then(Value::as_str).into_iter().collect(),
        };
        TokenStatements {
            typ: self.header.get("typ").and_then(Value::as_str),
            is_critical: self.header.contains_key("crit"),
            issuer: self.claims.get("iss").and_then(Value::as_str),
            audiences,
            begins: [time("iat"), time("nbf")],
            ends: time("exp"),
        }
    }

    /// Describes the data that the check of that name examines. `None` if nothing was expected.
    fn says(&self, check: &str, stated: &TokenStatements<'_>, now: i64, expected: &ExpectedToken) -> Option<String> {
        let begins = stated.begins.into_iter().flatten();
        Some(match (check, stated.ends) {
            ("critical", _) => match self.header.get("crit") {
                None => "Its header demands nothing that is not understood.".to_owned(),
                crit => format!("Its header demands what is not understood: {}.", text(crit)),
            },
            ("type", _) => {
                let usual = match expected.kind {
                    TokenKind::Access => "An access token's is at+jwt.",
                    TokenKind::Id => "An identity token's is JWT, or none.",
                };
                format!("Its type is {}. {usual}", text(self.header.get("typ")))
            }
            ("issuer", _) => {
                let expected = short(expected.issuer.as_deref()?);
                format!("It was issued by {}; expected is {expected}.", text(self.claims.get("iss")))
            }
            ("audience", _) => {
                let expected = short(expected.audience.as_deref()?);
                format!("It is for {}; expected is {expected}.", text(self.claims.get("aud")))
            }
            ("begins", _) if begins.clone().any(f64::is_nan) => "Its iat or nbf is not a time.".to_owned(),
            ("begins", _) => match begins.reduce(f64::max) {
                None => "It does not say since when it is good.".to_owned(),
                // The conversion saturates: a time out of range is earlier or later than every other time.
                Some(begins) => format!("It is good since {}.", written(begins as i64)),
            },
            (_, None) => "It does not say when it ends.".to_owned(),
            (_, Some(ends)) if ends.is_nan() => "Its exp is not a time.".to_owned(),
            (_, Some(ends)) if expected.kind.policy().has_ended(ends, now) => {
                format!("It ended at {}, {} s ago.", written(ends as i64), now.saturating_sub(ends as i64))
            }
            (_, Some(ends)) => {
                format!("It ends at {}, in {} s.", written(ends as i64), (ends as i64).saturating_sub(now))
            }
        })
    }
}

/// Returns the point of a JWK on P-256 (RFC 7518, section 6.2.1).
fn public(jwk: &Map<String, Value>) -> Option<VerifyingKey> {
    let part = |name| {
        let bytes = Base64UrlUnpadded::decode_vec(jwk.get(name)?.as_str()?).ok()?;
        <[u8; 32]>::try_from(bytes).ok()
    };
    let point = EncodedPoint::from_affine_coordinates(&part("x")?.into(), &part("y")?.into(), false);
    VerifyingKey::from_encoded_point(&point).ok()
}

/// Formats a member for people.
fn text(value: Option<&Value>) -> String {
    match value {
        None => "(none)".to_owned(),
        Some(Value::String(text)) => short(text),
        Some(other) => short(&other.to_string()),
    }
}

fn short(text: &str) -> String {
    abridged(text, 200)
}

/// Formats a time as UTC, to the second.
fn written(seconds: i64) -> String {
    let time = seconds.checked_mul(1_000_000).map(instant);
    match time.as_deref().and_then(|time| time.split_once('.')) {
        Some((whole, _)) => format!("{whole}Z"),
        None => format!("{seconds} s since 1970"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{claims, keys};
    use serde_json::json;

    const NOW: i64 = 1_800_000_000;

    fn token() -> String {
        keys().sign(claims(), NOW, NOW + 300).unwrap()
    }

    fn expected() -> ExpectedToken {
        ExpectedToken {
            issuer: Some("https://here".into()),
            audience: Some("https://here/fhir/r4".into()),
            kind: TokenKind::Access,
        }
    }

    fn failing(token: &str, jwks: &Value, now: i64, expected: &ExpectedToken) -> Vec<&'static str> {
        checks(token, jwks, now, expected).into_iter().filter(|check| !check.ok).map(|check| check.check).collect()
    }

    fn part(value: &Value) -> String {
        Base64UrlUnpadded::encode_string(value.to_string().as_bytes())
    }

    #[test]
    fn every_check_of_a_good_token_passes() {
        let all = checks(&token(), &keys().jwks(), NOW, &expected());
        assert!(all.iter().all(|check| check.ok), "{all:?}");
        let names: Vec<_> = all.iter().map(|check| check.check).collect();
        assert_eq!(
            names,
            ["form", "algorithm", "key", "signature", "critical", "type", "issuer", "audience", "begins", "ends"]
        );
        assert_eq!(all[9].says, "It ends at 2027-01-15T08:05:00Z, in 300 s.");
    }

    #[test]
    fn each_fault_fails_its_own_check() {
        let (jwks, token) = (keys().jwks(), token());
        assert_eq!(failing(&token, &jwks, NOW + 300, &expected()), ["ends"]);
        assert_eq!(failing(&token, &jwks, NOW - 60, &expected()), ["begins"]);
        assert_eq!(failing(&token, &json!({"keys": []}), NOW, &expected()), ["key", "signature"]);
        assert_eq!(failing(&token, &json!(null), NOW, &expected()), ["key", "signature"]);
        let other = ExpectedToken { issuer: Some("https://evil".into()), audience: Some("x".into()), ..expected() };
        assert_eq!(failing(&token, &jwks, NOW, &other), ["issuer", "audience"]);
        assert_eq!(failing(&token, &jwks, NOW, &ExpectedToken { kind: TokenKind::Id, ..expected() }), ["type"]);
        let (head, signature) = token.rsplit_once('.').unwrap();
        let (header, _) = head.split_once('.').unwrap();
        let claims = part(&json!({"iss": "https://here", "aud": ["x", "https://here/fhir/r4"], "exp": NOW + 9}));
        assert_eq!(failing(&format!("{header}.{claims}.{signature}"), &jwks, NOW, &expected()), ["signature"]);
        for bad in ["", "a.b.c", "..", "é.é.é", &format!("{head}.="), head] {
            assert_eq!(failing(bad, &jwks, NOW, &expected()), ["form"], "{bad}");
        }
    }

    #[test]
    fn alg_none_and_a_mismatched_algorithm_fail() {
        let kid = keys().jwks()["keys"][0]["kid"].clone();
        let claims = part(&json!({"iss": "https://here", "aud": "https://here/fhir/r4", "exp": NOW + 9}));
        for (alg, failed) in [
            ("none", &["algorithm", "key", "signature"][..]),
            ("HS256", &["algorithm", "key", "signature"]),
            ("RS256", &["algorithm", "key", "signature"]),
            ("ES384", &["algorithm", "key", "signature"]),
        ] {
            let header = part(&json!({"alg": alg, "kid": kid, "typ": "at+jwt"}));
            assert_eq!(failing(&format!("{header}.{claims}."), &keys().jwks(), NOW, &expected()), failed, "{alg}");
        }
        let header = part(&json!({"alg": "ES256", "kid": kid, "typ": "at+jwt", "crit": ["x"]}));
        let failed = failing(&format!("{header}.{claims}.AAAA"), &keys().jwks(), NOW, &expected());
        assert_eq!(failed, ["signature", "critical"]);
    }

    #[test]
    fn a_signature_of_rs256_is_checked_by_the_page() {
        let jwks = json!({"keys": [{"kty": "RSA", "kid": "r", "alg": "RS256", "n": "AQAB", "e": "AQAB"}]});
        let header = part(&json!({"alg": "RS256", "kid": "r", "typ": "JWT"}));
        let claims = part(&json!({"iss": "https://here", "aud": "app", "iat": NOW, "exp": NOW + 9}));
        let expected = ExpectedToken { issuer: None, audience: Some("app".into()), kind: TokenKind::Id };
        let all = checks(&format!("{header}.{claims}.AAAA"), &jwks, NOW, &expected);
        let failed: Vec<_> = all.iter().filter(|check| !check.ok).collect();
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].says, "RS256 is not checked here: the page must check it, by WebCrypto.");
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        let header = part(&json!({"alg": "ES256"}));
        for time in [json!(i64::MAX), json!(i64::MIN), json!(1e300), json!(u64::MAX), json!("soon"), json!(null)] {
            let claims = part(&json!({"iat": time, "nbf": time, "exp": time}));
            for now in [i64::MIN, 0, i64::MAX] {
                assert!(!checks(&format!("{header}.{claims}.AAAA"), &json!({}), now, &expected()).is_empty());
            }
        }
    }
}
