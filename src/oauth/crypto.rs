//! The cryptography of the platform, as a trait. Signatures are slow to verify in wasm, and the code for RSA and P-384
//! is large; runtimes have both (WebCrypto in `edge/crypto.rs`). Only access tokens are signed in wasm.

use serde_json::Value;

/// The supported signature algorithms (RFC 7518, section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    Rs384,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// ECDSA on P-384 with SHA-384.
    Es384,
}

impl Algorithm {
    /// Returns the algorithm with that name. Case matters.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Rs256, Self::Rs384, Self::Es256, Self::Es384].into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Returns the name in headers and registrations (`alg`).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Rs384 => "RS384",
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
        }
    }

    /// Returns the type of the algorithm's keys, `kty`.
    pub const fn key_type(self) -> &'static str {
        match self {
            Self::Rs256 | Self::Rs384 => "RSA",
            Self::Es256 | Self::Es384 => "EC",
        }
    }

    /// Returns the curve of the algorithm's keys, `crv`.
    pub const fn curve(self) -> Option<&'static str> {
        match self {
            Self::Rs256 | Self::Rs384 => None,
            Self::Es256 => Some("P-256"),
            Self::Es384 => Some("P-384"),
        }
    }
}

/// The cryptographic operations of the platform.
pub trait Crypto {
    /// Signs data with RS256 and the current key for identity tokens.
    ///
    /// # Errors
    /// If there is no such key, or the platform cannot sign.
    async fn sign_rs256(&self, data: &[u8]) -> Result<Vec<u8>, CryptoError>;

    /// Returns whether the signature of the data was made with that key. Returns `false` for a key that does not fit
    /// the algorithm.
    async fn verify(
        &self,
        algorithm: Algorithm,
        jwk: &Value,
        data: &[u8],
        signature: &[u8],
    ) -> Result<bool, CryptoError>;

    /// Stretches a password with PBKDF2-HMAC-SHA256 (RFC 8018). Cloudflare's runtime allows at most 100,000 rounds.
    async fn stretch(&self, password: &[u8], salt: &[u8], rounds: u32) -> Result<[u8; 32], CryptoError>;
}

/// The error message of the platform, only for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CryptoError(pub String);
