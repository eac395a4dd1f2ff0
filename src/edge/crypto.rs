//! WebCrypto as the [`Crypto`] of the authorization server.

use std::cell::OnceCell;

use js_sys::{Array, Object, Reflect, Uint8Array};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CryptoKey, SubtleCrypto};

use super::js::{message, object};
use super::rate_limit::RateLimits;
use api::{Limit, Throttle};
use oauth::{Algorithm, Crypto, CryptoError};

/// The platform's cryptography, with the key that signs identity tokens.
pub struct WebCrypto {
    subtle: SubtleCrypto,
    /// The private JWK, as in the secret.
    identity: Option<String>,
    /// The private key, imported at its first use and not extractable.
    imported: OnceCell<CryptoKey>,
    limits: RateLimits,
}

impl WebCrypto {
    /// Creates the cryptography with a private JWK and rate limits.
    ///
    /// # Errors
    /// If the runtime has no WebCrypto.
    pub fn new(identity: Option<String>, limits: RateLimits) -> Result<Self, JsValue> {
        let crypto = Reflect::get(&js_sys::global(), &"crypto".into())?;
        let subtle = crypto.unchecked_into::<web_sys::Crypto>().subtle();
        Ok(Self { subtle, identity, imported: OnceCell::new(), limits })
    }

    async fn identity(&self) -> Result<CryptoKey, JsValue> {
        if let Some(known) = self.imported.get() {
            return Ok(known.clone());
        }
        let text = self.identity.as_deref().ok_or("SIGN_RS256_CURRENT is not set")?;
        let key = self.import(Algorithm::Rs256, &js_sys::JSON::parse(text)?, "sign").await?;
        Ok(self.imported.get_or_init(|| key).clone())
    }

    async fn import(&self, algorithm: Algorithm, jwk: &JsValue, usage: &str) -> Result<CryptoKey, JsValue> {
        let usages = Array::of1(&usage.into());
        let key = jwk.unchecked_ref::<Object>();
        let promise = self.subtle.import_key_with_object("jwk", key, &parameters(algorithm)?, false, &usages)?;
        promise.await?.dyn_into()
    }

    async fn derive(&self, password: &[u8], salt: &[u8], rounds: u32) -> Result<Uint8Array, JsValue> {
        let usages = Array::of1(&"deriveBits".into());
        let data = Uint8Array::from(password);
        let promise = self.subtle.import_key_with_str("raw", &data, "PBKDF2", false, &usages)?;
        let key: CryptoKey = promise.await?.dyn_into()?;
        let salt = Uint8Array::from(salt);
        let algorithm = object(&[
            ("name", "PBKDF2".into()),
            ("hash", "SHA-256".into()),
            ("salt", salt.into()),
            ("iterations", rounds.into()),
        ])?;
        let bits = self.subtle.derive_bits_with_object(&algorithm, &key, 256)?.await?;
        Ok(Uint8Array::new(&bits))
    }
}

impl Crypto for WebCrypto {
    async fn sign_rs256(&self, data: &[u8]) -> Result<Vec<u8>, CryptoError> {
        let key = self.identity().await.map_err(|error| crypto_error(&error))?;
        let signed = parameters(Algorithm::Rs256)
            .and_then(|algorithm| self.subtle.sign_with_object_and_u8_array(&algorithm, &key, data));
        let signature = signed.map_err(|error| crypto_error(&error))?.await.map_err(|error| crypto_error(&error))?;
        Ok(Uint8Array::new(&signature).to_vec())
    }

    async fn verify(
        &self,
        algorithm: Algorithm,
        jwk: &Value,
        data: &[u8],
        signature: &[u8],
    ) -> Result<bool, CryptoError> {
        let jwk = js_sys::JSON::parse(&jwk.to_string()).map_err(|error| crypto_error(&error))?;
        // Keys come from outside. With a key that the platform refuses, no signature is valid.
        let Ok(key) = self.import(algorithm, &jwk, "verify").await else { return Ok(false) };
        let verified = parameters(algorithm).and_then(|parameters| {
            self.subtle.verify_with_object_and_u8_array_and_u8_array(&parameters, &key, signature, data)
        });
        let answer = verified.map_err(|error| crypto_error(&error))?.await.map_err(|error| crypto_error(&error))?;
        Ok(answer.is_truthy())
    }

    async fn stretch(&self, password: &[u8], salt: &[u8], rounds: u32) -> Result<[u8; 32], CryptoError> {
        let bytes = self.derive(password, salt, rounds).await.map_err(|error| crypto_error(&error))?;
        bytes.to_vec().try_into().map_err(|_| CryptoError("PBKDF2 returned another length".to_owned()))
    }
}

/// Returns the parameters of an algorithm in WebCrypto, which are the same for importing, signing and verifying.
fn parameters(algorithm: Algorithm) -> Result<Object, JsValue> {
    let name = if algorithm.curve().is_some() { "ECDSA" } else { "RSASSA-PKCS1-v1_5" };
    let hash = match algorithm {
        Algorithm::Rs256 | Algorithm::Es256 => "SHA-256",
        Algorithm::Rs384 | Algorithm::Es384 => "SHA-384",
    };
    let mut members = vec![("name", name.into()), ("hash", hash.into())];
    members.extend(algorithm.curve().map(|curve| ("namedCurve", curve.into())));
    object(&members)
}

impl Throttle for WebCrypto {
    async fn admits(&self, limit: Limit, key: &str) -> bool {
        self.limits.admit(limit, key).await
    }
}

fn crypto_error(error: &JsValue) -> CryptoError {
    CryptoError(message(error))
}
