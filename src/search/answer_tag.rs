//! The entity tag of the answer to a search: keyed hashes of its contents and of the versions of the records that it
//! was made of, sealed with random bytes that are new in each tag. So neither a tag nor a comparison of tags discloses
//! anything, and the server recognizes its own tags without keeping them.

use std::hash::{DefaultHasher, Hasher};

use base64ct::{Base64UrlUnpadded, Encoding};
use hmac::Mac;

use super::cursor::{CursorKey, KeyedMac};
use fhir::DigestOfParts;

/// The length of the random bytes, and of what is sealed.
const HALF: usize = 16;

/// The key of the tags of one request of one grant.
pub struct TagKey {
    mac: KeyedMac,
    hasher: DefaultHasher,
}

/// The sealed part of a tag. That of a tag of another key is meaningless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerTag {
    /// The hash of the contents.
    pub contents: u64,
    /// The hash of the versions of the records. 0 if the answer depends on more than these records.
    pub versions: u64,
}

impl CursorKey {
    /// Returns the key of tags that are only valid where these parts are the same.
    pub fn tags(&self, parts: &[&str]) -> TagKey {
        let mut mac = self.0.clone();
        // No cursor is bound to a text of this length.
        mac.update(&[[u8::MAX; 32], DigestOfParts::of(parts).bytes()].concat());
        let mut key = TagKey { mac, hasher: DefaultHasher::new() };
        key.hasher.write(&key.mask(&[]));
        key
    }
}

impl TagKey {
    /// Returns a hasher whose hashes nobody can compute, or find collisions of, without the key.
    pub fn hasher(&self) -> DefaultHasher {
        self.hasher.clone()
    }

    /// Returns the hash of versions, which is not 0.
    pub fn hash_of(&self, versions: &[i64]) -> u64 {
        let bytes: Vec<u8> = versions.iter().flat_map(|version| version.to_be_bytes()).collect();
        let mut hasher = self.hasher();
        hasher.write(&bytes);
        hasher.finish().max(1)
    }

    /// Seals a tag with random bytes that are only used for it.
    pub fn seal(&self, random: [u8; HALF], tag: AnswerTag) -> String {
        let sealed = [tag.contents, tag.versions].map(u64::to_be_bytes).concat();
        let bytes = [&random[..], &self.masked(random, &sealed)].concat();
        ["W/\"", &Base64UrlUnpadded::encode_string(&bytes), "\""].concat()
    }

    /// Opens the tags in `If-None-Match`, weak or strong. `*` is ignored: it would confirm an answer to a client that
    /// has never had it.
    pub fn open_each(&self, if_none_match: &str) -> Vec<AnswerTag> {
        let open = |tag: &str| {
            let tag = tag.trim_ascii();
            let text = tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"')?.strip_suffix('"')?;
            let mut bytes = [0; 2 * HALF];
            let (random, sealed) = Base64UrlUnpadded::decode(text, &mut bytes).ok()?.split_first_chunk()?;
            let opened = self.masked(*random, sealed);
            let ([contents, versions], []) = opened.as_chunks() else { return None };
            Some(AnswerTag { contents: u64::from_be_bytes(*contents), versions: u64::from_be_bytes(*versions) })
        };
        if_none_match.split(',').filter_map(open).collect()
    }

    /// Seals or opens bytes.
    fn masked(&self, random: [u8; HALF], bytes: &[u8]) -> Vec<u8> {
        bytes.iter().zip(self.mask(&random)).map(|(byte, mask)| byte ^ mask).collect()
    }

    /// Compiled once, for the size of the Worker.
    #[inline(never)]
    fn mask(&self, random: &[u8]) -> [u8; 32] {
        self.mac.clone().chain_update(random).finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_opened_by_its_key_weak_or_strong_in_a_list_and_only_whole() {
        let key = |view| CursorKey::new(b"secret").tags(&[view, "rest"]);
        let tag = AnswerTag { contents: 5, versions: u64::MAX };
        let sealed = key("a").seal([7; HALF], tag);
        let opaque = sealed.strip_prefix("W/").unwrap();
        for known in [&sealed, opaque, &format!("\"x\", W/\"\",{sealed}"), &format!(" {opaque} ,*")] {
            assert_eq!(key("a").open_each(known), [tag], "{known}");
        }
        let long = format!("\"{}\"", "A".repeat(8_192));
        let (cut, bare) = (sealed.strip_suffix('"').unwrap(), sealed.replace('"', ""));
        for none in ["", "*", "W/\"1\"", cut, &bare, "\"\0\"", &long, "\"ééé\""] {
            assert_eq!(key("a").open_each(none), [], "{none}");
        }
        assert_ne!(key("b").open_each(&sealed), [tag]);
    }
}
