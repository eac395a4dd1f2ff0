//! The platform of the tests: an identity provider that answers, and the verification of ES256 signatures.

use std::cell::RefCell;
use std::collections::BTreeMap;

use api::{Limit, Throttle};
use base64ct::{Base64UrlUnpadded, Encoding};
use oauth::{Algorithm, Crypto, CryptoError, Fetch, FetchError, FetchedDocument, IdentityProvider};
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};

use crate::support::Platform;

pub const ISSUER: &str = "https://idp.example";
pub const OTHER: &str = "https://other-idp.example";

/// An identity provider.
pub struct Provider {
    documents: RefCell<BTreeMap<String, Value>>,
    /// The identity token of the next answer.
    pub token: RefCell<Option<String>>,
    /// The forms that the token endpoint received, with their `Authorization`.
    pub forms: RefCell<Vec<(String, String)>>,
}

pub fn text(bytes: &[u8]) -> String {
    Base64UrlUnpadded::encode_string(bytes)
}

/// Returns a private key of the tests.
pub fn key(number: u8) -> SigningKey {
    SigningKey::from_slice(&[number; 32]).unwrap()
}

/// Returns the coordinates of the public key.
pub fn point(key: &SigningKey) -> [Vec<u8>; 2] {
    let point = key.verifying_key().to_encoded_point(false);
    [point.x().unwrap().to_vec(), point.y().unwrap().to_vec()]
}

/// Returns a JWT with this header, signed with this key.
pub fn signed(header: &Value, claims: &Value, key: &SigningKey) -> String {
    let data = format!("{}.{}", text(header.to_string().as_bytes()), text(claims.to_string().as_bytes()));
    let signature: Signature = key.sign(data.as_bytes());
    format!("{data}.{}", text(&signature.to_bytes()))
}

impl Provider {
    pub fn configured() -> Vec<IdentityProvider> {
        let one =
            |issuer: &str, name: &str| json!({"issuer": issuer, "name": name, "client_id": "edge", "secret": "S"});
        let text = json!([one(ISSUER, "Hospital"), one(OTHER, "Other")]).to_string();
        IdentityProvider::parse(&text, |_| Ok("a secret".to_owned())).unwrap()
    }

    pub fn new() -> Self {
        let [x, y] = point(&key(9));
        let jwks = json!({"keys": [{"kty": "EC", "crv": "P-256", "kid": "k", "x": text(&x), "y": text(&y)}]});
        let mut documents = BTreeMap::new();
        for issuer in [ISSUER, OTHER] {
            let metadata = json!({
                "issuer": issuer, "authorization_endpoint": format!("{issuer}/auth"), "jwks_uri": format!("{issuer}/jwks"),
                "token_endpoint": format!("{issuer}/token"),
                "authorization_response_iss_parameter_supported": issuer == ISSUER,
            });
            documents.insert(format!("{issuer}/.well-known/openid-configuration"), metadata);
            documents.insert(format!("{issuer}/jwks"), jwks.clone());
        }
        Self { documents: RefCell::new(documents), token: RefCell::default(), forms: RefCell::default() }
    }

    /// Publishes a document at an address.
    pub fn publish(&self, address: &str, document: Value) {
        self.documents.borrow_mut().insert(address.to_owned(), document);
    }

    /// Removes the documents of the provider, which then does not answer.
    pub fn stop(&self) {
        self.documents.borrow_mut().clear();
    }
}

impl Fetch for Provider {
    async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError> {
        let found = self.documents.borrow().get(address).map(ToString::to_string);
        found.map(|text| FetchedDocument { text, max_age: Some(60) }).ok_or_else(|| FetchError("nothing".into()))
    }

    async fn send_form(&self, address: &str, by: Option<&str>, form: String) -> Result<String, FetchError> {
        self.forms.borrow_mut().push((format!("{address} {}", by.unwrap_or_default()), form));
        let token = self.token.borrow().clone().ok_or_else(|| FetchError("the answer was 400".into()))?;
        Ok(json!({"id_token": token, "access_token": "x", "token_type": "Bearer"}).to_string())
    }
}

impl Crypto for Provider {
    async fn sign_rs256(&self, data: &[u8]) -> Result<Vec<u8>, CryptoError> {
        Platform.sign_rs256(data).await
    }

    async fn verify(
        &self,
        algorithm: Algorithm,
        jwk: &Value,
        data: &[u8],
        signature: &[u8],
    ) -> Result<bool, CryptoError> {
        Platform.verify(algorithm, jwk, data, signature).await
    }

    async fn stretch(&self, password: &[u8], salt: &[u8], rounds: u32) -> Result<[u8; 32], CryptoError> {
        Platform.stretch(password, salt, rounds).await
    }
}

impl Throttle for Provider {
    async fn admits(&self, limit: Limit, key: &str) -> bool {
        Platform.admits(limit, key).await
    }
}
