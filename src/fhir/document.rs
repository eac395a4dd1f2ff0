//! Long values of `data` in Attachments and Binaries, and of base64 extensions. Their bytes are objects of a bucket,
//! one for each block. The stored text has a mark, which is not valid base64, in place of the base64. This file reads
//! and writes marks and finds them in texts. `ingest` makes them, and code that outputs a text replaces them.

use std::fmt::{Display, Formatter};
use std::ops::Range;

use base64ct::{Base64, Encoding};
use memchr::memchr;

use super::digest::{OF_THING, digest_text};

/// The beginning of the keys of blocks in the bucket.
pub const DOCUMENTS_PREFIX: &str = "documents/";

/// The size of all blocks of a document but the last, in bytes. It is divisible by 3, so that the base64 of a document
/// is the concatenated base64 of its blocks.
pub const BLOCK: usize = 3 << 20;

/// The longest document, in bytes.
pub const MAX_DOCUMENT_LENGTH: u64 = 50 << 20;

/// The names of the members whose values may be marks.
const DOCUMENT_MEMBERS: [&str; 2] = ["data", "valueBase64Binary"];

/// The character that begins each block of a mark.
const SIGN: char = '~';
const DIGITS: usize = 64;

/// A block of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Block {
    /// The SHA-256 of the bytes, in lower-case hexadecimal.
    pub hash: String,
    /// The number of bytes.
    pub length: u64,
}

impl Block {
    /// Returns the block of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { hash: digest_text::<32>(bytes), length: bytes.len() as u64 }
    }

    /// Returns the key of the block's object.
    pub fn key(&self) -> String {
        [DOCUMENTS_PREFIX, &self.hash].concat()
    }

    fn read(text: &str) -> Option<Self> {
        let (hash, length) = text.split_at_checked(DIGITS)?;
        let is_hash = hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let length = length.strip_prefix('.').filter(|length| *length == "0" || !length.starts_with(['0', '+']))?;
        is_hash.then_some(())?;
        Some(Self { hash: hash.to_owned(), length: length.parse().ok()? })
    }
}

/// A document, as described by the mark in a stored text: its blocks in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The blocks. There is at least one, and each but the last has a number of bytes that is divisible by 3.
    blocks: Vec<Block>,
}

impl Document {
    /// Returns the document of these blocks. `None` if there are none, or if their base64 cannot be joined.
    pub fn new(blocks: Vec<Block>) -> Option<Self> {
        let (_, others) = blocks.split_last()?;
        let is_whole = others.iter().all(|block| block.length > 0 && block.length.is_multiple_of(3));
        is_whole.then_some(Self { blocks })
    }

    /// Returns the document of these bytes, divided like a load does.
    pub fn of(bytes: &[u8]) -> Self {
        let blocks: Vec<_> = bytes.chunks(BLOCK).map(Block::of).collect();
        Self { blocks: if blocks.is_empty() { vec![Block::of(&[])] } else { blocks } }
    }

    /// Parses a mark.
    pub fn parse(mark: &str) -> Option<Self> {
        let blocks = mark.strip_prefix(SIGN)?.split(SIGN).map(Block::read);
        Self::new(blocks.collect::<Option<_>>()?)
    }

    /// Returns the blocks, in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the number of bytes of the document.
    pub fn length(&self) -> u64 {
        self.blocks.iter().fold(0, |length, block| length.saturating_add(block.length))
    }

    /// Returns a text that is unique to documents with the same bytes. It does not disclose the keys of the blocks.
    pub fn tag(&self) -> String {
        digest_text::<OF_THING>(self.to_string())
    }
}

/// Writes the mark.
impl Display for Document {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.blocks.iter().try_for_each(|Block { hash, length }| write!(f, "{SIGN}{hash}.{length}"))
    }
}

/// Returns the documents of a text, each with the range of its mark, which is between quotes. A text may be indented.
pub fn documents(text: &str) -> impl Iterator<Item = (Range<usize>, Document)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = beginning(text.as_bytes(), from)?;
            from = start + 1;
            let end = start + text.get(start..)?.find('"')?;
            let is_value = text.get(..start).and_then(|before| before.strip_suffix('"')).is_some_and(is_data);
            if let Some(document) = text.get(start..end).filter(|_| is_value).and_then(Document::parse) {
                from = end;
                return Some((start..end, document));
            }
        }
    })
}

/// Returns the text with base64 in place of its marks. `read` reads a block.
///
/// # Errors
/// The errors of `read`.
pub fn joined<E>(text: &str, mut read: impl FnMut(&Block) -> Result<Vec<u8>, E>) -> Result<String, E> {
    let (mut whole, mut from) = (String::new(), 0);
    for (range, document) in documents(text) {
        whole.push_str(text.get(from..range.start).unwrap_or_default());
        for block in document.blocks() {
            whole.push_str(&Base64::encode_string(&read(block)?));
        }
        from = range.end;
    }
    whole.push_str(text.get(from..).unwrap_or_default());
    Ok(whole)
}

/// Returns whether a text may have marks. The check is quick and does not parse them.
#[must_use]
pub fn may_have_documents(text: &[u8]) -> bool {
    beginning(text, 0).is_some()
}

/// Returns the position of the next sign at the beginning of a string.
fn beginning(text: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + memchr(SIGN as u8, text.get(from..)?)?;
        if text.get(..at)?.ends_with(b"\"") {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Returns whether a member may be a document. The name is given as written between its quotes.
#[must_use]
pub fn may_be_document(name: &[u8]) -> bool {
    let is_one = |name: &[u8]| DOCUMENT_MEMBERS.iter().any(|one| one.as_bytes() == name);
    let unescaped = || serde_json::from_slice::<String>(&[b"\"", name, b"\""].concat());
    is_one(name) || name.contains(&b'\\') && unescaped().is_ok_and(|name| is_one(name.as_bytes()))
}

/// Returns whether the value after this text belongs to a member that may be a document.
fn is_data(before: &str) -> bool {
    let is_blank = |c: char| matches!(c, ' ' | '\n' | '\r' | '\t');
    let name = before.trim_end_matches(is_blank).strip_suffix(':').map(|name| name.trim_end_matches(is_blank));
    let split = name.and_then(|name| name.strip_suffix('"')?.rsplit_once('"'));
    // A quote after a backslash is inside a name.
    split.is_some_and(|(rest, name)| !rest.ends_with('\\') && may_be_document(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn of_lengths(lengths: &[u64]) -> Vec<Block> {
        lengths.iter().map(|length| Block { length: *length, ..Block::of(&length.to_le_bytes()) }).collect()
    }

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        for lengths in [&[7][..], &[3, 3, 1], &[0]] {
            let document = Document::new(of_lengths(lengths)).unwrap();
            assert_eq!(Document::parse(&document.to_string()), Some(document.clone()));
            assert_eq!(document.length(), lengths.iter().sum::<u64>());
        }
        assert_eq!(Document::new(of_lengths(&[4, 1])), None);
        assert_eq!(Document::new(Vec::new()), None);
        let hash = "a".repeat(64);
        assert!(Document::parse(&format!("~{hash}.1")).is_some());
        for other in [
            String::new(),
            "~".to_owned(),
            hash.clone(),
            format!("~{hash}"),
            format!("~{hash}."),
            format!("~{hash}.01"),
            format!("~{hash}.+1"),
            format!("~{hash}.-1"),
            format!("~{hash}.1x"),
            format!("~{hash}.1~"),
            format!("~{hash}.99999999999999999999"),
            format!("~{}.1", "A".repeat(64)),
            format!("~{}.1", "a".repeat(63)),
            format!("~{}é.1", "a".repeat(63)),
        ] {
            assert_eq!(Document::parse(&other), None, "{other}");
        }
    }

    #[test]
    fn bytes_of_several_blocks_have_a_tag_that_tells_no_key() {
        let bytes = vec![7; BLOCK + 1];
        let document = Document::of(&bytes);
        let lengths: Vec<_> = document.blocks().iter().map(|block| block.length).collect();
        assert_eq!(lengths, [BLOCK as u64, 1]);
        assert!(
            document
                .blocks()
                .iter()
                .all(|block| !document.to_string().is_empty() && !block.hash.contains(&document.tag()))
        );
        assert_ne!(document.tag(), Document::of(&bytes[1..]).tag());
        assert_eq!(Document::of(b"").length(), 0);
    }

    #[test]
    fn marks_are_found_as_values_of_data_alone() {
        let mark = Document::of(b"pdf").to_string();
        let found =
            |text: &str| documents(text).map(|(range, _)| text.get(range).unwrap().to_owned()).collect::<Vec<_>>();
        for text in [
            format!("{{\"data\":\"{mark}\"}}"),
            format!("{{\"d\\u0061ta\":\"{mark}\"}}"),
            format!("{{\"a\":\"~\",\"data\" :\n \"{mark}\",\"b\":\"~x\"}}"),
            format!("{{\"x\":{{\"data\":\"{mark}\"}},\"y\":\"{mark}\"}}"),
            format!("{{\"\\u0064at\\u0061\":\"{mark}\"}}"),
            format!("{{\"x\":{{\"valueBase64Binary\":\"{mark}\"}},\"y\":\"{mark}\"}}"),
        ] {
            assert_eq!(found(&text), [mark.as_str()], "{text}");
            assert!(may_have_documents(text.as_bytes()));
        }
        let twice = format!("[{{\"data\":\"{mark}\"}},{{\"data\":\"{mark}\"}}]");
        assert_eq!(found(&twice).len(), 2);
        for text in [
            format!("{{\"display\":\"{mark}\"}}"),
            format!("{{\"x\\\"data\":\"{mark}\"}}"),
            format!("{{\"xdata\":\"{mark}\"}}"),
            format!("{{\"data\":[\"{mark}\"]}}"),
            "{\"data\":\"~\"}".to_owned(),
            format!("{{\"data\":\"{mark}"),
            "\"~".to_owned(),
        ] {
            assert!(found(&text).is_empty(), "{text}");
        }
        assert!(!may_have_documents(b"{\"data\":\"AAAA~\"}"));
    }

    proptest! {
        #[test]
        fn any_text_is_looked_through(parts in vec(prop_oneof![
            Just("\"data\":\"~".to_owned()), Just("\"".to_owned()), Just("~".to_owned()), Just("é".to_owned()),
            Just(Document::of(b"x").to_string()), Just("\\".to_owned()),
        ], 0..12)) {
            let text = parts.concat();
            for (range, document) in documents(&text) {
                prop_assert_eq!(text.get(range).unwrap(), document.to_string());
            }
        }
    }
}
