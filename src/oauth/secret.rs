//! Random secrets, and their hashes. A secret has at least 128 random bits, so a fast hash suffices; passwords are
//! hashed in `password.rs`.

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The mark of secrets that are only for sandboxes: a member of a private key, or the beginning of any other secret.
/// `edgechart keys` marks the secrets for the local machine. A production server refuses marked secrets.
pub const SANDBOX_MARK: &str = "sandbox";

/// Returns whether a secret (a private JWK or a text) has the sandbox mark.
#[must_use]
pub fn is_sandbox_secret(secret: &str) -> bool {
    let marked = |key: serde_json::Value| key.get(SANDBOX_MARK) == Some(&true.into());
    let text = secret.strip_prefix(SANDBOX_MARK).is_some_and(|rest| rest.starts_with('-'));
    text || serde_json::from_str(secret).is_ok_and(marked)
}

/// A secret of the server that is not in its database, so that its hashes cannot be guessed from the rows.
///
/// # Examples
///
/// ```
/// use oauth::Pepper;
///
/// let pepper = Pepper::new(b"a secret of the server");
/// assert_eq!(pepper.pseudonym("user", "amara"), pepper.pseudonym("user", "amara"));
/// assert_ne!(pepper.pseudonym("user", "amara"), pepper.pseudonym("network", "amara"));
/// assert_ne!(pepper.pseudonym("user", "amara"), Pepper::new(b"another one").pseudonym("user", "amara"));
/// ```
#[derive(Clone)]
pub struct Pepper(Hmac<Sha256>);

impl std::fmt::Debug for Pepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pepper(..)")
    }
}

impl Pepper {
    /// Derives the pepper from these bytes.
    pub fn new(secret: &[u8]) -> Self {
        // The same secret also signs other data. The prefix makes the keys different.
        let key = Sha256::new().chain_update("pepper").chain_update(secret).finalize();
        // HMAC uses a key of one block unchanged.
        let mut block = [0; 64];
        block.iter_mut().zip(key).for_each(|(to, from)| *to = from);
        Self(Hmac::new(&block.into()))
    }

    /// Returns the HMAC-SHA256 of a value. Different usages give different results.
    pub fn mix(&self, usage: &str, value: &str) -> [u8; 32] {
        let mut mac = self.0.clone();
        mac.update(usage.as_bytes());
        mac.update(&[0]);
        mac.update(value.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Returns a keyed hash of 128 bits, as text. Equal values for the same usage have equal pseudonyms.
    pub fn pseudonym(&self, usage: &str, value: &str) -> String {
        let mixed = self.mix(usage, value);
        Base64UrlUnpadded::encode_string(mixed.first_chunk::<16>().map_or(&mixed[..], |half| half))
    }
}

/// Returns the stored form of a secret value: its SHA-256 hash in base64url.
pub fn hashed(value: &str) -> String {
    Base64UrlUnpadded::encode_string(&fhir::digest::<32>(value))
}

/// Returns whether two texts are equal. The duration does not depend on the position of a difference.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

/// Derives a token from random bytes. The same bytes give different tokens for different uses.
pub fn token_of(random: &[u8; 32], usage: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(random);
    digest.update(usage);
    Base64UrlUnpadded::encode_string(&digest.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_call_makes_different_values_for_different_uses() {
        let random = [7; 32];
        assert_ne!(token_of(&random, "a"), token_of(&random, "b"));
        assert_eq!(token_of(&random, "a").len(), 43);
    }

    #[test]
    fn jw24_secrets_of_a_sandbox_are_recognized() {
        for marked in ["sandbox-basic-secret", r#"{"kty":"EC","sandbox":true}"#] {
            assert!(is_sandbox_secret(marked), "{marked}");
        }
        for own in ["", "sandbox", "my-sandbox-", r#"{"kty":"EC"}"#, r#"{"sandbox":false}"#, "[]"] {
            assert!(!is_sandbox_secret(own), "{own}");
        }
    }

    #[test]
    fn texts_are_compared_as_a_whole() {
        assert!(same("abc", "abc") && same("", ""));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
