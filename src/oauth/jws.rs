//! Signed JWTs of other issuers (RFC 7515, compact form). They are parsed here because the key, and with it the
//! algorithm, is known only after the header has been read, and because the platform verifies RSA and P-384.

use std::str::from_utf8;

use base64ct::{Base64UrlUnpadded, Encoding};
use serde_json::Value;

use super::crypto::Algorithm;
use super::jwt_policy::JwtPolicy;
use fhir::Elements;

/// A parsed JWT whose signature has not been verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jws<'a> {
    /// The signature algorithm.
    pub algorithm: Algorithm,
    /// The `kid` of the key.
    pub kid: String,
    pub header: Members,
    /// The claims, which have not been verified yet.
    pub claims: Members,
    /// The signed text: header and payload.
    pub data: &'a str,
    pub signature: Vec<u8>,
}

/// The reasons for refusing a text as a JWT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JwsFault {
    /// The token is too long, or does not consist of three parts in base64url.
    Form,
    /// The header lacks `alg` or `kid`, or has `crit`. No extension is supported.
    Header,
    /// The policy does not allow its algorithm.
    Algorithm,
    /// The payload is not a JSON object.
    Claims,
}

impl<'a> Jws<'a> {
    /// Parses a compact JWT without verifying its signature.
    ///
    /// # Errors
    /// The first fault.
    pub fn read(text: &'a str, policy: &JwtPolicy) -> Result<Self, JwsFault> {
        let decoded = |part: &str| Base64UrlUnpadded::decode_vec(part).map_err(|_| JwsFault::Form);
        let members = |bytes: &[u8]| Members::parse(from_utf8(bytes).ok()?);
        let (data, signature) = text.rsplit_once('.').filter(|_| text.len() <= policy.longest).ok_or(JwsFault::Form)?;
        let (header, claims) = data.split_once('.').ok_or(JwsFault::Form)?;
        let signature = decoded(signature)?;
        let header = members(&decoded(header)?).filter(|header| header.get("crit").is_none());
        let header = header.ok_or(JwsFault::Header)?;
        let (Some(Some(algorithm)), Some(Some(kid))) = (header.text("alg"), header.text("kid")) else {
            return Err(JwsFault::Header);
        };
        let known = Algorithm::parse(algorithm).filter(|algorithm| policy.algorithms.contains(algorithm));
        let (algorithm, kid) = (known.ok_or(JwsFault::Algorithm)?, kid.to_owned());
        let claims = members(&decoded(claims)?).ok_or(JwsFault::Claims)?;
        Ok(Self { algorithm, kid, header, claims, data, signature })
    }
}

/// The members of a JSON object. Duplicates are refused, because another reader might use the other one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Members(Vec<(String, Value)>);

impl Members {
    /// Parses an object.
    fn parse(text: &str) -> Option<Self> {
        let mut members = Self(Vec::new());
        for (name, value) in Elements::of(text).ok()?.0 {
            if members.get(&name).is_some() {
                return None;
            }
            members.0.push((name.into_owned(), serde_json::from_str(value.get()).ok()?));
        }
        Some(members)
    }

    /// Returns a member.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns a member that is a string: `Some(None)` if it is absent, `None` if it is of another type.
    pub fn text(&self, name: &str) -> Option<Option<&str>> {
        self.get(name).map_or(Some(None), |value| value.as_str().map(Some))
    }

    /// Returns a member that is a number, like [`Self::text`].
    pub fn number(&self, name: &str) -> Option<Option<f64>> {
        self.get(name).map_or(Some(None), |value| value.as_f64().map(Some))
    }

    /// Returns a member that is a string or a list of strings. The list is empty if the member is absent. `None` if it
    /// is of another type.
    pub fn texts(&self, name: &str) -> Option<Vec<&str>> {
        match self.get(name) {
            None => Some(Vec::new()),
            Some(Value::Array(all)) => all.iter().map(Value::as_str).collect(),
            Some(one) => one.as_str().map(|one| vec![one]),
        }
    }
}
