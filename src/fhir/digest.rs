//! Shortened SHA-256 digests.

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};

/// The length of a digest that distinguishes the forms of one thing, in bytes.
pub const OF_FORM: usize = 8;
/// The length of a digest that distinguishes all things, in bytes.
pub const OF_THING: usize = 16;

/// Returns the first bytes of the SHA-256 of a content.
pub fn digest<const N: usize>(content: impl AsRef<[u8]>) -> [u8; N] {
    shortened(&sha256(content.as_ref()))
}

/// The SHA-256 of a content. Compiled once, whatever the lengths of the digests.
#[inline(never)]
fn sha256(content: &[u8]) -> [u8; 32] {
    Sha256::digest(content).into()
}

/// Returns [`digest`] in lower-case hexadecimal.
pub fn digest_text<const N: usize>(content: impl AsRef<[u8]>) -> String {
    encode_string(&digest::<N>(content))
}

/// Returns the first bytes of a hash, or of as many random bytes.
pub fn shortened<const N: usize>(hash: &[u8; 32]) -> [u8; N] {
    const { assert!(N <= 32, "SHA-256 has 32 bytes") };
    let mut short = [0; N];
    short.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
    short
}

/// The digest of several parts, each preceded by its length.
#[derive(Debug, Clone, Default)]
pub struct DigestOfParts(Sha256);

impl DigestOfParts {
    /// Returns the digest of these parts.
    pub fn of(parts: &[&str]) -> Self {
        let mut digest = Self::default();
        for part in parts {
            digest.add(part);
        }
        digest
    }

    /// Adds a part.
    pub fn add(&mut self, part: impl AsRef<[u8]>) -> &mut Self {
        let part = part.as_ref();
        self.0.update((part.len() as u64).to_be_bytes());
        self.0.update(part);
        self
    }

    /// Returns the first bytes of the digest.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        shortened(&self.0.clone().finalize().into())
    }

    /// Returns [`Self::bytes`] in lower-case hexadecimal.
    pub fn text<const N: usize>(&self) -> String {
        encode_string(&self.bytes::<N>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_parts_have_another_digest() {
        let all =
            [&[][..], &[""], &["ab"], &["a", "b"], &["", "ab"]].map(|parts| DigestOfParts::of(parts).text::<32>());
        assert!(all.iter().enumerate().all(|(at, one)| one.len() == 64 && !all[..at].contains(one)));
    }

    #[test]
    fn a_short_digest_is_the_beginning_of_the_whole_one() {
        assert_eq!(digest_text::<OF_FORM>("abc"), "ba7816bf8f01cfea");
        assert!(digest_text::<32>("abc").starts_with(&digest_text::<OF_THING>("abc")));
        let parts = DigestOfParts::of(&["a"]);
        assert!(parts.text::<32>().starts_with(&parts.text::<OF_FORM>()));
    }
}
