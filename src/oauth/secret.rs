//! Values that nobody can guess, and how they are kept: as a hash. They hold 128 random bits or more, so a fast hash will
//! do; passwords do not, and are elsewhere.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

/// A value as it is kept.
#[must_use]
pub fn hashed(value: &str) -> String {
    Base64UrlUnpadded::encode_string(&Sha256::digest(value))
}

/// Whether two texts are the same, in a time that does not say where they differ.
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
    fn sameness_is_of_the_whole() {
        assert!(same("abc", "abc") && same("", ""));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
