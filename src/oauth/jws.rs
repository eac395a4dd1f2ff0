//! A signed JWT of somebody else, taken apart (RFC 7515, compact form): by hand, since its key, and so its algorithm, is
//! known only when its header has been read, and RSA and P-384 are the platform's.

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer};

use super::crypto::Algorithm;

/// A signed JWT whose signature nobody has looked at yet.
#[derive(Debug, Clone)]
pub struct Jws<'a, T> {
    /// By what it is signed.
    pub algorithm: Algorithm,
    /// By which key.
    pub kid: String,
    /// Where it says that the key is.
    pub jku: Option<String>,
    /// Of which type it is.
    pub typ: Option<String>,
    /// What it says.
    pub claims: T,
    /// What is signed.
    pub data: &'a str,
    /// The signature.
    pub signature: Vec<u8>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: String,
    #[serde(default)]
    typ: Option<String>,
    #[serde(default)]
    jku: Option<String>,
    #[serde(default, deserialize_with = "is_there")]
    crit: bool,
}

/// A member that must not be there, whatever it says: none of the extensions is known here.
fn is_there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// What is wrong with a text that should be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JwsFault {
    /// It is not three parts in base64url, or too long.
    Form,
    /// Its header has no `alg`, no `kid`, or has `crit`.
    Header,
    /// It is signed by none of the algorithms that are taken.
    Algorithm,
    /// Its claims are not what they must be.
    Claims,
}

impl<'a, T: DeserializeOwned> Jws<'a, T> {
    /// Takes one apart.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(text: &'a str, longest: usize, algorithms: &[Algorithm]) -> Result<Self, JwsFault> {
        let decoded = |part: &str| Base64UrlUnpadded::decode_vec(part).map_err(|_| JwsFault::Form);
        let (data, signature) = text.rsplit_once('.').filter(|_| text.len() <= longest).ok_or(JwsFault::Form)?;
        let (header, claims) = data.split_once('.').ok_or(JwsFault::Form)?;
        let signature = decoded(signature)?;
        let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| JwsFault::Header)?;
        let known = Algorithm::parse(&header.alg).filter(|algorithm| algorithms.contains(algorithm));
        let algorithm = known.ok_or(JwsFault::Algorithm)?;
        if header.crit {
            return Err(JwsFault::Header);
        }
        let claims = serde_json::from_slice(&decoded(claims)?).map_err(|_| JwsFault::Claims)?;
        let Header { kid, typ, jku, .. } = header;
        Ok(Self { algorithm, kid, jku, typ, claims, data, signature })
    }
}
