//! Cryptography and documents for tests, implemented natively.

#![cfg(any(test, feature = "testing"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::missing_errors_doc,
    clippy::unreachable,
    reason = "only tests use it"
)]

use std::cell::RefCell;
use std::collections::HashMap;

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, Mac};
use rsa::pkcs1v15::{Signature as RsaSignature, SigningKey, VerifyingKey};
use rsa::signature::{SignatureEncoding, Signer, Verifier};
use rsa::{BigUint, RsaPrivateKey, RsaPublicKey};
use serde_json::Value;
use sha2::{Sha256, Sha384};

use super::access_token::{AccessClaims, EXAMPLE_KEY, SigningKeys};
use super::crypto::{Algorithm, Crypto, CryptoError};
use super::documents::{Fetch, FetchError, FetchedDocument};

/// A key for identity tokens, made for these tests.
pub const IDENTITY: &str = r#"{"kty":"RSA","n":"p3MySrnK2J2QwJnCOSx7pja18JoVmGJwHzF9KjrdaJCa3LQYzVBdhp1HTZjqz64Hpu4b1fS83WEi2W9F0R0OZ-TsE4vMs4MwYyUEVszXrTLt_8UeJiVlfiLArDR9dlqmVIJ-x5jLYMU1lVXaTjK_V1Ud2m8lSL0smyxDxL0YS8UB0RZ18rUYgnTD7PmawYNDakVVoC1PYXgXzeG3LuKlntuWl4m3NwVpGFWidlhESQVUH36lUbOBnR8ueRcnmK8kGoObTgk2sBAYDBq9lKPB6yqBK6ary-MG9ndw2ywgnY1viF6bBY0XgCOhHm7j_y1xWPSE_Uf4aSrXV7DnHw0Avw","e":"AQAB","d":"A9s9_UU_drL_nRqYGS5SarGNNHgCp0_HuprZLG_OnungUdTpUqaB1j0pDJBzrUoaGFjDgK9HlOb3y9TUNsyvLZVdb9XNu79PDfl8RW4nnsWIKwEkgJxmifvNlCm2pKh8dtXKiwOUgNYJ4IvpoINqr12LzSFiKnAGPEyjWD9Cn_wP9ti5DVAMH7rluVa5raqOv2S2BL0dWNhOKHoZKAdtzaHNSdgC0S6cpTCzzMheec4_ABJj93R31yKM39r0zShamH-7wFb2NLnksSCUtP9X4N-JCIR_IGMEyNBLcIuC-3--uy_4nbL_pgDsVEx0M9Zn6pulz7EYG43aUJG9MGHYgQ","p":"4a7I_odoIjvojxIWI9-SfN01oa3rNXra2RiY0Zos8cyjVIjhUWhLj02P_NETZFJDNW-H8wNaD5ViYe5Z3J1qiK27En-alyN0dGz29QUm3FczMemzlctNGiOxj0cK_SreCXomw39NJr5nu4ZCUNRDYeiVneS0Zhww3RlO-wjCCjM","q":"vfHKUU6elYWVO1-PuuMH_6lr9UiRWgVQ-dOLj0if6FVz6wzat3iMFcFFeqbSy7GpG1qyKsGcgT_eflbBBqpWSd3qMCTQHR1Te8Jt4AnTXPKYdMoOvIYaBfRJOv2xRnFRZRsaP_Kj5UeEUioiFkjGmMPktiJCpPYHdKGnDTJ_u0U","dp":"x_Sm3O14FCzkRi8OMsaZ8cvFAvUnWwD4-jTS4ZMqkypu5C1LBWfU2qksFCHifpZsOeIRn_yuRPRkcMRQFinbBDJ5d1Bb1eFyAt2wiTMBVWRlVanslaHFNI2_emTFlb3vcJIr2jbmUpeNLRctlpQbB5qdRYInW_lKSftsgPsngQU","dq":"TFupQ6phYiaDaYzvEOg3zPVk6wQzOocsmGIMlptRfWrs4K8YNe2GEzDRJ49s6moPW2nIehu_OM5eOVfS3UUYzzUg8h26dBnX98afuRL6H0F_PGQGLI-UYpRj5A0ceP8RA54znUWD0aZAcW9yqJa1D7Cgfv-i3wHw2Vgq-ck1RCk","qi":"YP_2ZOP0-5LdozJO4Fsnh6nV1r4lPjbaCznobxBWj09zqsbaZV3mGEYTuT0TFOJaDKz85L8Y0S-xKWtzq_ScPs7X-D3fr9lEGnZHHbBLT0mD2EQRznfYoaPD2nhoTZ3-URK7r0fp2D_YWRIfHeh8Bt07C_Kz5wYlVlS9Z8exF4I"}"#;

/// Returns the signing keys of the test server.
pub fn keys() -> SigningKeys {
    SigningKeys::new(EXAMPLE_KEY, &[]).unwrap()
}

/// Returns the claims of a patient's access token.
pub fn claims() -> AccessClaims {
    AccessClaims {
        iss: "https://here".into(),
        aud: "https://here/fhir/r4".into(),
        sub: "amara".into(),
        client_id: "app".into(),
        jti: "j".into(),
        scope: "patient/*.read openid".into(),
        grant_id: Some("g".into()),
        patient: Some("a".into()),
        encounter: None,
        fhir_user: None,
        groups: None,
        purpose: None,
    }
}

/// Replaces a member of an object. `null` removes it.
pub fn with(mut object: Value, name: &str, member: Value) -> Value {
    let members = object.as_object_mut().unwrap();
    members.remove(name);
    if !member.is_null() {
        members.insert(name.to_owned(), member);
    }
    object
}

/// Native cryptography, and documents for [`Fetch`].
#[derive(Debug, Default)]
pub struct Native(pub FakeDocuments);

fn bytes(jwk: &Value, member: &str) -> Option<Vec<u8>> {
    Base64UrlUnpadded::decode_vec(jwk.get(member)?.as_str()?).ok()
}

fn number(jwk: &Value, member: &str) -> Option<BigUint> {
    bytes(jwk, member).map(|bytes| BigUint::from_bytes_be(&bytes))
}

/// Returns the private RSA key of a JWK.
pub fn rsa_private(jwk: &str) -> RsaPrivateKey {
    let jwk: Value = serde_json::from_str(jwk).unwrap();
    let of = |member| number(&jwk, member).unwrap();
    RsaPrivateKey::from_components(of("n"), of("e"), of("d"), vec![of("p"), of("q")]).unwrap()
}

fn verified(algorithm: Algorithm, jwk: &Value, data: &[u8], signature: &[u8]) -> Option<bool> {
    let rsa = || RsaPublicKey::new(number(jwk, "n")?, number(jwk, "e")?).ok();
    let point = || Some([vec![4], bytes(jwk, "x")?, bytes(jwk, "y")?].concat());
    Some(match algorithm {
        Algorithm::Rs256 => {
            VerifyingKey::<Sha256>::new(rsa()?).verify(data, &RsaSignature::try_from(signature).ok()?).is_ok()
        }
        Algorithm::Rs384 => {
            VerifyingKey::<Sha384>::new(rsa()?).verify(data, &RsaSignature::try_from(signature).ok()?).is_ok()
        }
        Algorithm::Es256 => p256::ecdsa::VerifyingKey::from_sec1_bytes(&point()?)
            .ok()?
            .verify(data, &p256::ecdsa::Signature::from_slice(signature).ok()?)
            .is_ok(),
        Algorithm::Es384 => p384::ecdsa::VerifyingKey::from_sec1_bytes(&point()?)
            .ok()?
            .verify(data, &p384::ecdsa::Signature::from_slice(signature).ok()?)
            .is_ok(),
    })
}

impl Fetch for Native {
    async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError> {
        self.0.fetch(address).await
    }

    async fn send_form(&self, address: &str, by: Option<&str>, form: String) -> Result<String, FetchError> {
        self.0.send_form(address, by, form).await
    }
}

impl Crypto for Native {
    async fn sign_rs256(&self, data: &[u8]) -> Result<Vec<u8>, CryptoError> {
        Ok(SigningKey::<Sha256>::new(rsa_private(IDENTITY)).sign(data).to_vec())
    }

    async fn verify(
        &self,
        algorithm: Algorithm,
        jwk: &Value,
        data: &[u8],
        signature: &[u8],
    ) -> Result<bool, CryptoError> {
        Ok(verified(algorithm, jwk, data, signature).unwrap_or(false))
    }

    async fn stretch(&self, password: &[u8], salt: &[u8], rounds: u32) -> Result<[u8; 32], CryptoError> {
        let keyed = |data: &[u8]| -> [u8; 32] {
            let mut mac = Hmac::<Sha256>::new_from_slice(password).unwrap();
            mac.update(data);
            mac.finalize().into_bytes().into()
        };
        let mut block = keyed(&[salt, &[0, 0, 0, 1]].concat());
        let mut sum = block;
        for _ in 1..rounds {
            block = keyed(&block);
            sum.iter_mut().zip(block).for_each(|(sum, byte)| *sum ^= byte);
        }
        Ok(sum)
    }
}

/// Documents of other servers.
#[derive(Debug, Default)]
pub struct FakeDocuments {
    documents: RefCell<HashMap<String, FetchedDocument>>,
    fetches: RefCell<usize>,
}

impl FakeDocuments {
    /// Puts a document at an address.
    pub fn put(&self, address: &str, document: &Value, max_age: Option<i64>) {
        self.documents.borrow_mut().insert(address.to_owned(), FetchedDocument { text: document.to_string(), max_age });
    }

    /// Removes the document at an address.
    pub fn take(&self, address: &str) {
        self.documents.borrow_mut().remove(address);
    }

    /// Returns the number of fetches so far.
    pub fn fetches(&self) -> usize {
        *self.fetches.borrow()
    }
}

impl Fetch for FakeDocuments {
    async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError> {
        *self.fetches.borrow_mut() += 1;
        self.documents.borrow().get(address).cloned().ok_or_else(|| FetchError("nothing is there".into()))
    }

    async fn send_form(&self, address: &str, _: Option<&str>, _: String) -> Result<String, FetchError> {
        self.fetch(address).await.map(|answer| answer.text)
    }
}

/// Returns a decoded form with these fields.
pub fn form(members: &[(&str, &str)]) -> Vec<(String, String)> {
    members.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Returns an `Authorization` header of HTTP Basic.
pub fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", base64ct::Base64::encode_string(format!("{id}:{secret}").as_bytes()))
}

/// Returns an assertion, signed by RS384 with a private JWK.
pub fn assertion(key: &str, header: &Value, claims: &Value) -> String {
    let part = |value: &Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
    let data = format!("{}.{}", part(header), part(claims));
    let signature = SigningKey::<Sha384>::new(rsa_private(key)).sign(data.as_bytes()).to_vec();
    format!("{data}.{}", Base64UrlUnpadded::encode_string(&signature))
}

#[cfg(test)]
#[test]
fn stretching_is_that_of_rfc_7914() {
    // RFC 7914, section 11, its first 32 bytes.
    let key = sqlite::now(Native::default().stretch(b"passwd", b"salt", 1)).unwrap();
    assert_eq!(key[..4], [0x55, 0xac, 0x04, 0x6e]);
}
