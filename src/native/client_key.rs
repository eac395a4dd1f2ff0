//! The private key of a client of SMART Backend Services. It signs the assertions by which the client authenticates
//! (<https://hl7.org/fhir/smart-app-launch/client-confidential-asymmetric.html>).

use base64ct::{Base64UrlUnpadded, Encoding};
use p384::ecdsa::Signature;
use rsa::pkcs1v15::SigningKey as RsaSigningKey;
use rsa::signature::{SignatureEncoding, Signer};
use rsa::{BigUint, RsaPrivateKey};
use serde_json::{Value, json};
use sha2::Sha384;

use super::Failure;

/// The lifetime of an assertion, in seconds. The maximum is five minutes.
const LIFE: u64 = 240;

/// A private key.
pub struct ClientKey {
    id: Option<String>,
    signer: KeySigner,
}

enum KeySigner {
    Es384(p384::ecdsa::SigningKey),
    Rs384(Box<RsaSigningKey<Sha384>>),
}

impl ClientKey {
    /// Reads a private key: a JWK of the curve P-384 or of RSA, or the first such key of a set.
    ///
    /// # Errors
    /// If there is no such key.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let value: Value = serde_json::from_str(text).map_err(Failure::doing("reading the key: it is no JWK"))?;
        let keys = value.get("keys").and_then(Value::as_array).map_or(std::slice::from_ref(&value), Vec::as_slice);
        let none =
            || Failure("there is no private key for ES384 or RS384: a JWK of EC P-384 or RSA with `d`".to_owned());
        keys.iter().find_map(Self::of).ok_or_else(none)
    }

    fn of(jwk: &Value) -> Option<Self> {
        let text = |member: &str| jwk.get(member).and_then(Value::as_str);
        let bytes = |member: &str| Base64UrlUnpadded::decode_vec(text(member)?).ok();
        let number = |member: &str| bytes(member).map(|bytes| BigUint::from_bytes_be(&bytes));
        let signer = match (text("kty")?, text("crv")) {
            ("EC", Some("P-384")) => KeySigner::Es384(p384::ecdsa::SigningKey::from_slice(&bytes("d")?).ok()?),
            ("RSA", _) => {
                // The primes of an RSA key are optional, since they follow from the exponents.
                let primes = number("p").zip(number("q")).map_or_else(Vec::new, |(p, q)| vec![p, q]);
                let key = RsaPrivateKey::from_components(number("n")?, number("e")?, number("d")?, primes).ok()?;
                KeySigner::Rs384(Box::new(RsaSigningKey::new(key)))
            }
            _ => return None,
        };
        Some(Self { id: text("kid").map(str::to_owned), signer })
    }

    /// Returns an assertion of the client for a token endpoint. `now` is in seconds since 1970, and each `id` is new.
    ///
    /// # Errors
    /// If the key cannot sign.
    pub fn assertion(&self, client: &str, token_url: &str, now: u64, id: &str) -> Result<String, Failure> {
        let alg = match &self.signer {
            KeySigner::Es384(_) => "ES384",
            KeySigner::Rs384(_) => "RS384",
        };
        let mut header = json!({"alg": alg, "typ": "JWT"});
        if let (Some(id), Some(members)) = (&self.id, header.as_object_mut()) {
            members.insert("kid".to_owned(), id.as_str().into());
        }
        let claims = json!({"iss": client, "sub": client, "aud": token_url, "iat": now, "exp": now + LIFE, "jti": id});
        let encoded = |value: &Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
        let signed = format!("{}.{}", encoded(&header), encoded(&claims));
        let doing = Failure::doing::<rsa::signature::Error>;
        let signature = match &self.signer {
            KeySigner::Es384(key) => {
                let signature: Signature = key.try_sign(signed.as_bytes()).map_err(doing("signing"))?;
                signature.to_bytes().to_vec()
            }
            KeySigner::Rs384(key) => key.try_sign(signed.as_bytes()).map_err(doing("signing"))?.to_vec(),
        };
        Ok(format!("{signed}.{}", Base64UrlUnpadded::encode_string(&signature)))
    }
}

impl std::fmt::Debug for ClientKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ClientKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oauth::testing::{IDENTITY, rsa_private};
    use rsa::signature::Verifier;

    fn parts(token: &str) -> (Value, Value, String, Vec<u8>) {
        let [header, claims, signature] = token.split('.').collect::<Vec<_>>().try_into().unwrap();
        let json = |part: &str| serde_json::from_slice(&Base64UrlUnpadded::decode_vec(part).unwrap()).unwrap();
        let signed = format!("{header}.{claims}");
        (json(header), json(claims), signed, Base64UrlUnpadded::decode_vec(signature).unwrap())
    }

    #[test]
    fn an_assertion_is_signed_by_the_key_and_names_client_endpoint_and_end() {
        let secret = p384::SecretKey::from_slice(&[7; 48]).unwrap();
        let mut jwk: Value = serde_json::from_str(&secret.to_jwk_string()).unwrap();
        jwk["kid"] = "k".into();
        let set = json!({"keys": [{"kty": "oct", "k": "AA"}, jwk]}).to_string();
        let token = ClientKey::parse(&set).unwrap().assertion("me", "https://ehr.test/token", 1_000, "one").unwrap();
        let (header, claims, signed, signature) = parts(&token);
        assert_eq!(header, json!({"alg": "ES384", "typ": "JWT", "kid": "k"}));
        assert_eq!(
            claims,
            json!({"iss": "me", "sub": "me", "aud": "https://ehr.test/token", "iat": 1_000, "exp": 1_240, "jti": "one"})
        );
        let key = p384::ecdsa::VerifyingKey::from(secret.public_key());
        key.verify(signed.as_bytes(), &Signature::from_slice(&signature).unwrap()).unwrap();

        let (header, _, signed, signature) =
            parts(&ClientKey::parse(IDENTITY).unwrap().assertion("me", "https://ehr.test", 0, "two").unwrap());
        assert_eq!(header, json!({"alg": "RS384", "typ": "JWT"}));
        let key = rsa::pkcs1v15::VerifyingKey::<Sha384>::new(rsa_private(IDENTITY).to_public_key());
        key.verify(signed.as_bytes(), &signature.as_slice().try_into().unwrap()).unwrap();
    }

    #[test]
    fn a_public_key_and_one_of_another_kind_are_refused() {
        for text in ["", "[]", "{}", r#"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#, r#"{"kty":"RSA","n":"AQAB"}"#] {
            assert!(ClientKey::parse(text).is_err(), "{text}");
        }
    }
}
