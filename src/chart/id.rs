//! Compact forms of ids and digests.

use std::borrow::Cow;
use std::rc::Rc;

use base16ct::lower;
use serde::{Deserialize, Serialize};

use fhir::{uuid, write_uuid};

/// A text that is often a UUID, such as an id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PackedId {
    /// A UUID, written in lower case with dashes.
    Uuid([u8; 16]),
    /// Any other text.
    Text(String),
}

impl PackedId {
    /// Packs a text.
    pub fn of(text: &str) -> Self {
        uuid(text).map_or_else(|| Self::Text(text.to_owned()), Self::Uuid)
    }

    /// Appends the text.
    pub fn write(&self, to: &mut String) {
        match self {
            Self::Uuid(bytes) => write_uuid(bytes, to),
            Self::Text(text) => to.push_str(text),
        }
    }
}

/// A text that is often a digest of eight bytes, such as a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackedVersion {
    /// Sixteen hexadecimal digits in lower case.
    Digest([u8; 8]),
    /// Any other text. Consecutive rows share it.
    Text(Rc<str>),
}

impl PackedVersion {
    /// Packs a text.
    pub fn of(text: &str) -> Self {
        let mut bytes = [0; 8];
        match lower::decode(text, &mut bytes) {
            Ok(digest) if digest.len() == 8 => Self::Digest(bytes),
            Ok(_) | Err(_) => Self::Text(text.into()),
        }
    }

    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Digest(bytes) => lower::encode_string(bytes).into(),
            Self::Text(text) => (&**text).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_and_the_usual_ones_are_short() {
        let uuid = "0b9c3a52-7d1e-4c5f-8a6b-0123456789ab";
        assert!(matches!(PackedId::of(uuid), PackedId::Uuid(_)));
        for text in [uuid, &uuid.to_uppercase(), &uuid.replace('-', ""), "amara-okafor", ""] {
            let mut written = String::new();
            PackedId::of(text).write(&mut written);
            assert_eq!(written, text);
        }
        assert!(matches!(PackedVersion::of("0123456789abcdef"), PackedVersion::Digest(_)));
        for text in ["0123456789abcdef", "0123456789ABCDEF", "0123456789abcde", "3", ""] {
            assert_eq!(PackedVersion::of(text).text(), text);
        }
    }
}
