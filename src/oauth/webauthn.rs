//! WebAuthn (Web Authentication Level 3): the checks of a new passkey (section 7.1) and of a sign-in with one (section
//! 7.2). Attestation is `none`: any authenticator may hold a passkey.

use base64ct::{Base64UrlUnpadded, Encoding};
use fhir::digest;
use minicbor::Decoder;
use minicbor::data::Type;
use serde_json::{Value, json};

use super::crypto::{Algorithm, Crypto, CryptoError};
use super::secret::same;

/// The longest accepted part of a credential, in bytes.
const MAX_LENGTH: usize = 4 * 1024;
/// The longest credential id, in bytes (section 7.1, no. 26).
const MAX_ID_LENGTH: usize = 1_023;
/// The flags of the authenticator data (section 6.1).
const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_KEY: u8 = 0x40;

/// The party for which passkeys are made: this server.
#[derive(Debug, Clone, Copy)]
pub struct RelyingParty<'a> {
    /// The origin of its pages.
    pub origin: &'a str,
}

/// The reason for refusing a credential, for the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebAuthnFault(pub &'static str);

/// The ceremony that the browser reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceremony {
    /// A passkey was made.
    Create,
    /// A passkey was used.
    Get,
}

/// The data that the browser collected. Its challenge selects the attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientData {
    /// The challenge, in base64url.
    pub challenge: String,
    /// The hash that the authenticator signed.
    hash: [u8; 32],
}

/// A new passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCredential {
    /// The credential id, in base64url.
    pub id: String,
    /// The public key: a JWK with `alg`.
    pub key: Value,
    /// The signature counter.
    pub sign_count: u32,
}

/// Decodes a form field in base64url.
///
/// # Errors
/// If it is absent, too long or malformed.
pub fn bytes(field: Option<&str>) -> Result<Vec<u8>, WebAuthnFault> {
    let text = field.filter(|text| text.len() <= MAX_LENGTH).ok_or(WebAuthnFault("malformed"))?;
    Base64UrlUnpadded::decode_vec(text).map_err(|_| WebAuthnFault("malformed"))
}

impl RelyingParty<'_> {
    /// Returns the host of the origin: the `rpId`.
    pub fn id(&self) -> &str {
        let host = self.origin.split_once("://").map_or(self.origin, |(_, host)| host);
        host.rsplit_once(':').map_or(host, |(host, _)| host)
    }

    /// Parses `clientDataJSON`, and checks type and origin.
    ///
    /// # Errors
    /// The first fault.
    pub fn client_data(&self, sent: &[u8], ceremony: Ceremony) -> Result<ClientData, WebAuthnFault> {
        let data: Value = serde_json::from_slice(sent).map_err(|_| WebAuthnFault("malformed"))?;
        let text = |name: &str| data.get(name).and_then(Value::as_str);
        let wanted = match ceremony {
            Ceremony::Create => "webauthn.create",
            Ceremony::Get => "webauthn.get",
        };
        if text("type") != Some(wanted) {
            return Err(WebAuthnFault("wrong_type"));
        }
        if text("origin") != Some(self.origin) || data.get("topOrigin").is_some() {
            return Err(WebAuthnFault("wrong_origin"));
        }
        if !matches!(data.get("crossOrigin"), None | Some(Value::Bool(false))) {
            return Err(WebAuthnFault("wrong_origin"));
        }
        let challenge = text("challenge").ok_or(WebAuthnFault("malformed"))?.to_owned();
        Ok(ClientData { challenge, hash: digest(sent) })
    }

    /// Parses an attestation object without attestation.
    ///
    /// # Errors
    /// The first fault.
    pub fn new_credential(&self, object: &[u8]) -> Result<NewCredential, WebAuthnFault> {
        let data = attested(object).ok_or(WebAuthnFault("malformed"))?;
        let (data, rest) = self.authenticator_data(data)?;
        let credential = (data.flags & HAS_KEY != 0).then(|| credential(rest)).flatten();
        let (id, key) = credential.ok_or(WebAuthnFault("unknown_key"))?;
        Ok(NewCredential { id: Base64UrlUnpadded::encode_string(id), key, sign_count: data.sign_count })
    }

    /// Verifies an assertion with the public key of a passkey, and returns the signature counter.
    ///
    /// # Errors
    /// The first fault, or an error of the platform.
    pub async fn verify<C: Crypto>(
        &self,
        crypto: &C,
        (client, data, signature): (&ClientData, &[u8], &[u8]),
        key: &str,
    ) -> Result<Result<u32, WebAuthnFault>, CryptoError> {
        let parsed = match self.authenticator_data(data) {
            Ok((parsed, _)) => parsed,
            Err(fault) => return Ok(Err(fault)),
        };
        let wrong = Ok(Err(WebAuthnFault("wrong_signature")));
        let Ok(key) = serde_json::from_str::<Value>(key) else { return wrong };
        let Some(algorithm) = key.get("alg").and_then(Value::as_str).and_then(Algorithm::parse) else { return wrong };
        let signature = match algorithm {
            Algorithm::Es256 => p256::ecdsa::Signature::from_der(signature).ok().map(|one| one.to_bytes().to_vec()),
            Algorithm::Rs256 => Some(signature.to_vec()),
            Algorithm::Rs384 | Algorithm::Es384 => None,
        };
        let Some(signature) = signature else { return wrong };
        let signed = [data, &client.hash].concat();
        Ok(if crypto.verify(algorithm, &key, &signed, &signature).await? {
            Ok(parsed.sign_count)
        } else {
            Err(WebAuthnFault("wrong_signature"))
        })
    }

    /// Parses authenticator data (section 6.1), and checks relying party and user. Returns the variable part.
    fn authenticator_data<'d>(&self, data: &'d [u8]) -> Result<(AuthenticatorData, &'d [u8]), WebAuthnFault> {
        let malformed = WebAuthnFault("malformed");
        let (party, rest) = data.split_first_chunk::<32>().ok_or(malformed)?;
        let (&[flags], rest) = rest.split_first_chunk::<1>().ok_or(malformed)?;
        let (count, rest) = rest.split_first_chunk::<4>().ok_or(malformed)?;
        if *party != digest(self.id()) {
            return Err(WebAuthnFault("wrong_party"));
        }
        if flags & USER_PRESENT == 0 || flags & USER_VERIFIED == 0 {
            return Err(WebAuthnFault("not_verified"));
        }
        Ok((AuthenticatorData { flags, sign_count: u32::from_be_bytes(*count) }, rest))
    }
}

/// The fixed part of authenticator data, after its checks.
#[derive(Debug, Clone, Copy)]
struct AuthenticatorData {
    flags: u8,
    sign_count: u32,
}

/// Returns the authenticator data of an attestation object with the format `none` (section 6.5.4).
fn attested(object: &[u8]) -> Option<&[u8]> {
    let mut decoder = Decoder::new(object);
    let (mut format, mut data) = (None, None);
    for _ in 0..decoder.map().ok()?? {
        match decoder.str().ok()? {
            "fmt" => format = decoder.str().ok(),
            "authData" => data = Some(decoder.bytes().ok()?),
            "attStmt" => (decoder.map().ok()? == Some(0)).then_some(())?,
            _ => return None,
        }
    }
    data.filter(|_| format == Some("none") && decoder.position() == object.len())
}

/// Returns the id and the public key of attested credential data (section 6.5.1).
fn credential(data: &[u8]) -> Option<(&[u8], Value)> {
    let (_model, rest) = data.split_first_chunk::<16>()?;
    let (length, rest) = rest.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_be_bytes(*length));
    let (id, key) = rest.split_at_checked(length).filter(|_| length > 0 && length <= MAX_ID_LENGTH)?;
    Some((id, jwk(key)?))
}

/// Converts a COSE key (RFC 9053, section 7) for ES256 or RS256 to a JWK.
fn jwk(key: &[u8]) -> Option<Value> {
    let mut decoder = Decoder::new(key);
    let (mut kind, mut algorithm, mut curve) = (None, None, None);
    let [mut first, mut second] = [None, None];
    for _ in 0..decoder.map().ok()?? {
        match decoder.i64().ok()? {
            1 => kind = decoder.i64().ok(),
            3 => algorithm = decoder.i64().ok(),
            -1 if matches!(decoder.datatype().ok()?, Type::Bytes) => first = decoder.bytes().ok(),
            -1 => curve = decoder.i64().ok(),
            -2 if first.is_none() && curve.is_some() => first = decoder.bytes().ok(),
            -2 | -3 => second = decoder.bytes().ok(),
            _ => return None,
        }
    }
    let text = Base64UrlUnpadded::encode_string;
    let (first, second) = (first?, second?);
    match (kind?, algorithm?, curve) {
        (2, -7, Some(1)) if first.len() == 32 && second.len() == 32 => {
            Some(json!({"kty": "EC", "crv": "P-256", "x": text(first), "y": text(second), "alg": "ES256"}))
        }
        (3, -257, None) if (256..=512).contains(&first.len()) && second.len() <= 8 => {
            Some(json!({"kty": "RSA", "n": text(first), "e": text(second), "alg": "RS256"}))
        }
        _ => None,
    }
}

/// Returns whether a user handle is the one of that user.
#[must_use]
pub fn is_handle(expected: &str, sent: Option<&str>) -> bool {
    sent.is_some_and(|sent| same(expected, sent))
}
