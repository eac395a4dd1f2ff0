//! Random secrets, and their hashes. A secret has at least 128 random bits, so a fast hash suffices; passwords are
//! hashed in `password.rs`.

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// The member of a private key, and the beginning of any other secret, that says: for a playground alone. `edgechart keys`
/// puts it into what it makes for this machine; a production server refuses what has it.
pub const SANDBOX_MARK: &str = "sandbox";

/// Returns whether a secret, a private JWK or a text, is marked as a playground's.
#[must_use]
pub fn is_of_playground(secret: &str) -> bool {
    let marked = |key: serde_json::Value| key.get(SANDBOX_MARK) == Some(&true.into());
    let text = secret.strip_prefix(SANDBOX_MARK).is_some_and(|rest| rest.starts_with('-'));
    text || serde_json::from_str(secret).is_ok_and(marked)
}

/// A secret of the server that is not in its database: what is mixed with it cannot be guessed at from the rows alone.
#[derive(Clone)]
pub struct Pepper(Hmac<Sha256>);

impl std::fmt::Debug for Pepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pepper(..)")
    }
}

impl Pepper {
    /// The pepper made of these bytes.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        // Other things are signed with the same secret: the key of each is another.
        let key = Sha256::new().chain_update("pepper").chain_update(secret).finalize();
        // HMAC takes a key of one block as it is.
        let mut block = [0; 64];
        block.iter_mut().zip(key).for_each(|(to, from)| *to = from);
        Self(Hmac::new(&block.into()))
    }

    /// A value mixed with it, for one use.
    #[must_use]
    pub fn mix(&self, usage: &str, value: &str) -> [u8; 32] {
        let mut mac = self.0.clone();
        mac.update(usage.as_bytes());
        mac.update(&[0]);
        mac.update(value.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// A keyed hash by which equal values can be matched, for one use: of 128 bits, as text.
    #[must_use]
    pub fn pseudonym(&self, usage: &str, value: &str) -> String {
        let mixed = self.mix(usage, value);
        Base64UrlUnpadded::encode_string(mixed.first_chunk::<16>().map_or(&mixed[..], |half| half))
    }
}

/// A value as it is kept.
#[must_use]
pub fn hashed(value: &str) -> String {
    Base64UrlUnpadded::encode_string(&Sha256::digest(value))
}

/// Returns whether two texts are the same, in a time that does not say where they differ.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differences) == 0
}

/// A value made of random bytes, for one use: from the same bytes, another use makes another value.
#[must_use]
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
    fn jw24_a_playground_s_secrets_are_told_apart() {
        for marked in ["sandbox-basic-secret", r#"{"kty":"EC","sandbox":true}"#] {
            assert!(is_of_playground(marked), "{marked}");
        }
        for own in ["", "sandbox", "my-sandbox-", r#"{"kty":"EC"}"#, r#"{"sandbox":false}"#, "[]"] {
            assert!(!is_of_playground(own), "{own}");
        }
    }

    #[test]
    fn sameness_is_of_the_whole() {
        assert!(same("abc", "abc") && same("", ""));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
