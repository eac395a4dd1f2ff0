//! The cursor of a `next` link: the signed position of the end of the previous page. The server keeps no state, and
//! nobody else can make a cursor. A cursor is bound to the query and the grant of its page.

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use fhir::shortened;

/// Bytes of the signature that a cursor carries.
const TAG: usize = 16;

pub(super) type KeyedMac = Hmac<Sha256>;

/// The key that signs cursors and seals the tags of answers.
#[derive(Clone)]
pub struct CursorKey(pub(super) KeyedMac);

impl CursorKey {
    /// Creates a key from a secret of any length. 32 random bytes suffice.
    pub fn new(secret: &[u8]) -> Self {
        // The hash of the secret fills a block of fixed size, so that creating the HMAC cannot fail.
        let mut block = [0u8; 64];
        let hashed = <Sha256 as sha2::Digest>::digest(secret);
        block.iter_mut().zip(hashed).for_each(|(to, from)| *to = from);
        Self(Hmac::new(&block.into()))
    }

    /// Makes the cursor of a page that begins after `position`. `bound_to` names the query and the grant.
    pub fn seal(&self, position: &str, bound_to: &str) -> String {
        let text = Base64UrlUnpadded::encode_string(position.as_bytes());
        let tag: [u8; 32] = self.mac(position, bound_to).finalize().into_bytes().into();
        let tag = Base64UrlUnpadded::encode_string(&shortened::<TAG>(&tag));
        [text, tag].join(".")
    }

    /// Returns the position in a cursor that this key made for the same `bound_to`, and `None` for any other text.
    pub fn open(&self, cursor: &str, bound_to: &str) -> Option<String> {
        let (text, tag) = cursor.split_once('.')?;
        let position = String::from_utf8(Base64UrlUnpadded::decode_vec(text).ok()?).ok()?;
        let tag = Base64UrlUnpadded::decode_vec(tag).ok().filter(|tag| tag.len() == TAG)?;
        self.mac(&position, bound_to).verify_truncated_left(&tag).ok()?;
        Some(position)
    }

    fn mac(&self, position: &str, bound_to: &str) -> KeyedMac {
        let mut mac = self.0.clone();
        mac.update(&(bound_to.len() as u64).to_be_bytes());
        mac.update(bound_to.as_bytes());
        mac.update(position.as_bytes());
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
        fn a_position_is_read_back_only_with_its_own_query_and_grant(
            position in ".{0,40}", bound in ".{0,40}", other in ".{0,40}",
        ) {
            let key = CursorKey::new(b"secret");
            let cursor = key.seal(&position, &bound);
            prop_assert_eq!(key.open(&cursor, &bound), Some(position.clone()));
            prop_assert_eq!(key.open(&cursor, &other), (other == bound).then_some(position));
            prop_assert_eq!(key.open(&other, &bound), None);
        }
    }
}
