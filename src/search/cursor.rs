//! The cursor of a `next` link: where the page before ended, signed, so that the server keeps no state and no one else
//! can make one. It is bound to the query and to the grant that it came with.

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Bytes of the signature that a cursor carries.
const TAG: usize = 16;

/// The key that signs cursors.
#[derive(Clone)]
pub struct CursorKey(Hmac<Sha256>);

impl CursorKey {
    /// A key of any bytes; 32 random ones are good.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        // HMAC takes keys of any length; longer than a block, it hashes them.
        let mut block = [0u8; 64];
        let hashed = <Sha256 as sha2::Digest>::digest(secret);
        block.iter_mut().zip(hashed).for_each(|(to, from)| *to = from);
        Self(Hmac::new(&block.into()))
    }

    /// The cursor that says to go on behind `place`.
    #[must_use]
    pub fn seal(&self, place: &str, bound_to: &str) -> String {
        let text = Base64UrlUnpadded::encode_string(place.as_bytes());
        let tag = self.mac(place, bound_to).finalize().into_bytes();
        let tag = Base64UrlUnpadded::encode_string(tag.get(..TAG).unwrap_or_default());
        [text, tag].join(".")
    }

    /// The place of a cursor that this key sealed for the same query and grant, and of no other text.
    #[must_use]
    pub fn open(&self, cursor: &str, bound_to: &str) -> Option<String> {
        let (text, tag) = cursor.split_once('.')?;
        let place = String::from_utf8(Base64UrlUnpadded::decode_vec(text).ok()?).ok()?;
        let tag = Base64UrlUnpadded::decode_vec(tag).ok().filter(|tag| tag.len() == TAG)?;
        self.mac(&place, bound_to).verify_truncated_left(&tag).ok()?;
        Some(place)
    }

    fn mac(&self, place: &str, bound_to: &str) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(&(bound_to.len() as u64).to_be_bytes());
        mac.update(bound_to.as_bytes());
        mac.update(place.as_bytes());
        mac
    }
}

impl std::fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CursorKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cursor_opens_for_its_own_query_and_grant_alone() {
        let key = CursorKey::new(b"secret");
        let cursor = key.seal("00ffabc", "Observation?patient=a|grant");
        assert_eq!(key.open(&cursor, "Observation?patient=a|grant").as_deref(), Some("00ffabc"));
        assert_eq!(key.open(&cursor, "Observation?patient=b|grant"), None);
        assert_eq!(CursorKey::new(b"other").open(&cursor, "Observation?patient=a|grant"), None);
    }

    #[test]
    fn an_edited_cursor_does_not_open() {
        let key = CursorKey::new(b"secret");
        let cursor = key.seal("place", "q");
        for at in 0..cursor.len() {
            let mut edited = cursor.clone().into_bytes();
            edited[at] = if edited[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(key.open(&String::from_utf8(edited).unwrap(), "q"), None, "byte {at}");
        }
        for text in ["", ".", "a.b", "cGxhY2U", "cGxhY2U.", "é.é"] {
            assert_eq!(key.open(text, "q"), None);
        }
    }

    proptest! {
        #[test]
        fn every_place_comes_back_and_only_where_it_belongs(place in ".{0,40}", bound in ".{0,40}", other in ".{0,40}") {
            let key = CursorKey::new(b"secret");
            let cursor = key.seal(&place, &bound);
            prop_assert_eq!(key.open(&cursor, &bound), Some(place.clone()));
            prop_assert_eq!(key.open(&cursor, &other), (other == bound).then_some(place));
            prop_assert_eq!(key.open(&other, &bound), None);
        }
    }
}
