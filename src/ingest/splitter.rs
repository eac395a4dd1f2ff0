//! Takes long values of `data` out of a text while it is read, so that at most a block of a value is in memory. A mark
//! replaces the base64 ([`fhir::Document`]), and the blocks of its bytes are for a bucket.
//!
//! The text is processed as bytes and not parsed: it may be a document of several lines, or have one on each line.
//! Base64 is taken out in any spelling that FHIR allows, with blanks and line ends; when it is written again, its bytes
//! are the same. Any other value is left in place. A string ends with its line, as in JSON, so that a damaged line does
//! not affect others. A lone CR ends a line, and becomes LF.

use super::invalid_data::InvalidData;
use fhir::{BLOCK, Block, Document, MAX_DOCUMENT_LENGTH, may_be_document};

/// The longest base64 that stays in the text, in bytes.
pub const MAX_INLINE_LENGTH: usize = 64 << 10;

/// The longest text of a name that is read: the longest spelling, which consists of escapes.
const MAX_NAME_LENGTH: usize = 6 * 17;

/// The longest text of a value before its first block is complete, in bytes. At most half may be blanks and escapes.
const MAX_WRITTEN_LENGTH: usize = 2 * BLOCK / 3 * 4;

/// A block that was taken out of a text, with its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenBlock {
    /// The block.
    pub block: Block,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl TakenBlock {
    fn of(bytes: Vec<u8>) -> Self {
        Self { block: Block::of(&bytes), bytes }
    }
}

/// The position of the reader in the text.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// Between strings.
    Outside,
    /// In a string. True after a backslash.
    String(bool),
    /// In a value of `data`.
    Value(Value),
    /// In the rest of a value of `data` that is dropped. True after a backslash.
    Rest(bool),
}

/// The part of a value of `data` that has been read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Value {
    /// The text of the value as written, until its first block is complete.
    written: Vec<u8>,
    escape: Vec<u8>,
    /// The bits of characters that are not yet bytes.
    bits: u32,
    characters: u8,
    /// The number of padding signs after them.
    padding: u8,
    /// True if the padding is complete, so that only blanks may follow.
    is_ended: bool,
    /// True if a blank or line end was read.
    has_blanks: bool,
    /// True if a character was read that cannot occur in SampledData.
    has_other: bool,
    /// The bytes of the block that is being read.
    bytes: Vec<u8>,
    /// The previous blocks, as far as a document may have them.
    blocks: Vec<Block>,
    /// The number of bytes after these blocks that were dropped.
    dropped: u64,
}

impl Value {
    /// Adds a character. Returns whether the value is still valid base64.
    fn take(&mut self, character: u8) -> bool {
        let six_bits = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => return self.pad(),
            b' ' | b'\t' | b'\r' | b'\n' => {
                self.has_blanks = true;
                return true;
            }
            _ => return false,
        };
        if self.is_ended || self.padding > 0 {
            return false;
        }
        self.has_other |= !matches!(character, b'0'..=b'9' | b'E' | b'U' | b'L' | b'+');
        self.bits = self.bits << 6 | u32::from(six_bits);
        self.characters += 1;
        if self.characters == 4 {
            let [_, bytes @ ..] = self.bits.to_be_bytes();
            self.bytes.extend(bytes);
            (self.bits, self.characters) = (0, 0);
        }
        true
    }

    /// Adds a padding sign. Returns whether the value is still valid base64.
    fn pad(&mut self) -> bool {
        self.padding += 1;
        match (self.characters, self.padding) {
            (2, 1) => {}
            (2, 2) | (3, 1) => self.end(),
            _ => return false,
        }
        true
    }

    /// Ends the characters. The last group may have two or three, whose surplus bits are dropped.
    fn end(&mut self) {
        let [_, first, second, _] = (self.bits << (6 * (4 - u32::from(self.characters.min(4))))).to_be_bytes();
        self.bytes.extend((self.characters > 1).then_some(first));
        self.bytes.extend((self.characters == 3).then_some(second));
        (self.bits, self.characters, self.padding, self.is_ended) = (0, 0, 0, true);
    }

    /// Ends the value. Returns whether it is base64: fully padded or not at all, and not SampledData, whose numbers are
    /// separated by blanks.
    fn is_base64(&mut self) -> bool {
        if self.characters == 1 || self.padding > 0 || !self.escape.is_empty() || self.is_sampled() {
            return false;
        }
        self.end();
        true
    }

    /// Returns whether the value so far may be SampledData.
    const fn is_sampled(&self) -> bool {
        self.has_blanks && !self.has_other
    }

    /// Returns the number of bytes so far.
    const fn length(&self) -> u64 {
        (self.blocks.len() * BLOCK + self.bytes.len()) as u64 + self.dropped
    }
}

/// Takes long values of `data` out of a text.
#[derive(Debug)]
pub struct Splitter {
    /// See [`MAX_INLINE_LENGTH`]. `None` if all values are left in place.
    longest_inline: Option<usize>,
    place: Place,
    /// The last string, as written, as far as it may be `data`.
    name: Vec<u8>,
    /// True if only white space has followed that string.
    is_named: bool,
    /// True if that string is `data`, and only a colon and white space have followed it.
    is_of_data: bool,
    text: Vec<u8>,
    /// True if a CR was read between strings, but not the byte after it.
    has_cr: bool,
    blocks: Vec<TakenBlock>,
    read: u64,
}

impl Splitter {
    /// Creates a splitter that leaves values of at most this length in the text. With `None`, it takes nothing out. A
    /// value that looks like a mark is never left in the text.
    pub const fn new(longest_inline: Option<usize>) -> Self {
        Self {
            longest_inline,
            place: Place::Outside,
            name: Vec::new(),
            is_named: false,
            is_of_data: false,
            text: Vec::new(),
            has_cr: false,
            blocks: Vec::new(),
            read: 0,
        }
    }

    /// Splits a text that is entirely in memory.
    pub fn split(longest_inline: Option<usize>, text: &[u8]) -> (Vec<u8>, Vec<TakenBlock>) {
        let mut splitter = Self::new(longest_inline);
        splitter.add(text);
        splitter.end();
        (splitter.text, splitter.blocks)
    }

    /// Returns the text that has been read but not yet taken, with marks.
    pub const fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Returns the number of bytes that have been read.
    pub const fn read(&self) -> u64 {
        self.read
    }

    /// Takes the complete blocks.
    pub fn take_blocks(&mut self) -> Vec<TakenBlock> {
        std::mem::take(&mut self.blocks)
    }

    /// Ends the text.
    pub fn end(&mut self) {
        if let Place::Value(value) = std::mem::replace(&mut self.place, Place::Outside) {
            self.put_back(&value);
        }
        self.end_line(false);
    }

    /// Writes the last CR, or LF instead of it if no LF follows.
    fn end_line(&mut self, has_lf: bool) {
        if std::mem::take(&mut self.has_cr) {
            self.text.push(if has_lf { b'\r' } else { b'\n' });
        }
    }

    /// Reads the next bytes of the text.
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.read += bytes.len() as u64;
        while !bytes.is_empty() {
            let taken = match std::mem::replace(&mut self.place, Place::Outside) {
                Place::Outside => self.read_outside(bytes),
                Place::String(is_escaped) => self.read_string(bytes, is_escaped),
                Place::Value(value) => self.read_value(bytes, value),
                Place::Rest(is_escaped) => self.read_rest(bytes, is_escaped),
            };
            bytes = bytes.get(taken..).unwrap_or_default();
        }
    }

    /// Reads up to and including the opening quote of the next string. Returns the number of bytes.
    fn read_outside(&mut self, bytes: &[u8]) -> usize {
        let quote = memchr::memchr(b'"', bytes);
        let between = bytes.get(..quote.unwrap_or(bytes.len())).unwrap_or_default();
        for byte in between {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b':' if self.is_named => (self.is_named, self.is_of_data) = (false, may_be_document(&self.name)),
                _ => (self.is_named, self.is_of_data) = (false, false),
            }
        }
        for part in between.split_inclusive(|byte| *byte == b'\r') {
            self.end_line(part.first() == Some(&b'\n'));
            let line = part.strip_suffix(b"\r");
            self.text.extend(line.unwrap_or(part));
            self.has_cr = line.is_some();
        }
        let Some(quote) = quote else { return bytes.len() };
        self.end_line(false);
        self.text.push(b'"');
        self.name.clear();
        self.is_named = false;
        let is_of_data = std::mem::take(&mut self.is_of_data);
        self.place = if is_of_data { Place::Value(Value::default()) } else { Place::String(false) };
        quote + 1
    }

    /// Reads up to the end of a string. Returns the number of bytes.
    fn read_string(&mut self, bytes: &[u8], is_escaped: bool) -> usize {
        let (taken, place) = up_to_end(bytes, is_escaped);
        let part = bytes.get(..taken).unwrap_or_default();
        self.text.extend(part);
        let of_name = if place.is_none() { part.strip_suffix(b"\"").unwrap_or_default() } else { part };
        // A longer name cannot be a spelling of `data`.
        let room = (MAX_NAME_LENGTH + 1).saturating_sub(self.name.len());
        self.name.extend(of_name.iter().take(room));
        self.is_named = place.is_none();
        self.place = place.map_or(Place::Outside, Place::String);
        taken
    }

    /// Reads up to the end of a value that is dropped. Returns the number of bytes.
    fn read_rest(&mut self, bytes: &[u8], is_escaped: bool) -> usize {
        let (taken, place) = up_to_end(bytes, is_escaped);
        if place.is_none() {
            self.text.extend(bytes.get(taken.saturating_sub(1)..taken).unwrap_or_default());
        }
        self.place = place.map_or(Place::Outside, Place::Rest);
        taken
    }

    /// Reads a value of `data`. Returns the number of bytes.
    fn read_value(&mut self, bytes: &[u8], mut value: Value) -> usize {
        for (at, byte) in bytes.iter().enumerate() {
            let character = match (*byte, value.escape.is_empty()) {
                (b'"', true) => {
                    self.finish(value);
                    self.text.push(b'"');
                    return at + 1;
                }
                (b'\n' | b'\r', _) => {
                    // A string ends with its line.
                    self.put_back(&value);
                    return at;
                }
                (b'\\', true) => {
                    value.escape.push(b'\\');
                    continue;
                }
                (character, true) => Some(character),
                (byte, false) => {
                    value.escape.push(byte);
                    let length = if value.escape.get(1) == Some(&b'u') { 6 } else { 2 };
                    if value.escape.len() < length {
                        continue;
                    }
                    escaped(&value.escape)
                }
            };
            let is_first = value.written.is_empty() && value.blocks.is_empty();
            if is_first && character == Some(b'~') {
                self.write_invalid(InvalidData::Sign);
                self.place = Place::Rest(false);
                return at + 1;
            }
            let is_kept = self.longest_inline.is_none();
            // A blank is kept, and a line end becomes an escape.
            let character = character.filter(|_| !matches!(byte, b'\t'));
            if is_kept || !character.is_some_and(|character| value.take(character)) {
                // The value so far is not base64, or all values are left in place.
                self.place = if value.blocks.is_empty() { Place::String(false) } else { Place::Rest(false) };
                if value.escape.is_empty() {
                    self.put_back(&value);
                    return at;
                }
                self.put_back(&value);
                return at + 1;
            }
            if value.blocks.is_empty() {
                if value.escape.is_empty() {
                    value.written.push(*byte);
                } else {
                    value.written.append(&mut value.escape);
                }
            }
            value.escape.clear();
            // A value that begins like long SampledData, or has more blanks than a document may have, is left in place.
            if value.blocks.is_empty() && value.written.len() > MAX_WRITTEN_LENGTH
                || value.bytes.len() == BLOCK && value.is_sampled()
            {
                self.put_back(&value);
                self.place = Place::String(false);
                return at + 1;
            }
            if value.bytes.len() >= BLOCK {
                self.take_block(&mut value);
            }
        }
        self.place = Place::Value(value);
        bytes.len()
    }

    /// Takes the completed block of a value. A value longer than a block is too long for the text. Of a value that is
    /// too long for a document, the bytes are only counted.
    fn take_block(&mut self, value: &mut Value) {
        if value.length() > MAX_DOCUMENT_LENGTH {
            value.dropped += value.bytes.len() as u64;
            value.bytes.clear();
            return;
        }
        let block = TakenBlock::of(std::mem::take(&mut value.bytes));
        value.blocks.push(block.block.clone());
        value.written = Vec::new();
        self.blocks.push(block);
    }

    /// Ends a value at its closing quote.
    fn finish(&mut self, mut value: Value) {
        let is_short = self.longest_inline.is_none_or(|most| value.written.len() <= most);
        if value.blocks.is_empty() && is_short || !value.is_base64() {
            return self.put_back(&value);
        }
        if value.length() > MAX_DOCUMENT_LENGTH {
            return self.write_invalid(InvalidData::Length(value.length()));
        }
        if !value.bytes.is_empty() {
            self.take_block(&mut value);
        }
        match Document::new(value.blocks) {
            Some(document) => self.text.extend(document.to_string().as_bytes()),
            None => self.write_invalid(InvalidData::Form),
        }
    }

    /// Writes why a value is invalid, in its place.
    fn write_invalid(&mut self, invalid: InvalidData) {
        self.text.extend(invalid.to_string().as_bytes());
    }

    /// Puts the text of a value back, as far as it was read, or the reason why it is invalid.
    fn put_back(&mut self, value: &Value) {
        if value.blocks.is_empty() {
            self.text.extend(&value.written);
            self.text.extend(&value.escape);
        } else {
            self.write_invalid(InvalidData::Form);
        }
    }
}

/// Returns the number of bytes up to and including the quote that ends a string, or up to the line end that ends it. If
/// the string does not end, returns the number of all bytes, and whether a trailing backslash escapes the next one.
fn up_to_end(bytes: &[u8], mut is_escaped: bool) -> (usize, Option<bool>) {
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        if std::mem::take(&mut is_escaped) && !matches!(rest.first(), Some(b'\n' | b'\r')) {
            at += 1;
            continue;
        }
        let found = memchr::memchr3(b'"', b'\\', b'\n', rest);
        let found = memchr::memchr(b'\r', rest.get(..found.unwrap_or(rest.len())).unwrap_or_default()).or(found);
        let Some(found) = found else { break };
        match rest.get(found) {
            Some(b'\\') => (at, is_escaped) = (at + found + 1, true),
            // The line end is not part of the string.
            Some(b'\n' | b'\r') => return (at + found, None),
            _ => return (at + found + 1, None),
        }
    }
    (bytes.len(), Some(is_escaped))
}

/// Returns the ASCII character that an escape stands for.
fn escaped(escape: &[u8]) -> Option<u8> {
    match escape {
        [_, b'/'] => Some(b'/'),
        [_, b'n'] => Some(b'\n'),
        [_, b'r'] => Some(b'\r'),
        [_, b't'] => Some(b'\t'),
        [_, b'u', b'0', b'0', high, low] => {
            let digit = |digit: &u8| char::from(*digit).to_digit(16);
            Some((digit(high)? * 16 + digit(low)?) as u8)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64ct::{Base64, Encoding};
    use fhir::documents;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::{Value as Json, json};
    use std::collections::HashMap;

    fn split_by(longest: Option<usize>, text: &str, sizes: &[usize]) -> (String, Vec<TakenBlock>) {
        let mut splitter = Splitter::new(longest);
        let (mut rest, mut sizes) = (text.as_bytes(), sizes.iter().cycle());
        while !rest.is_empty() {
            let (part, behind) = rest.split_at((*sizes.next().unwrap()).clamp(1, rest.len()));
            splitter.add(part);
            rest = behind;
        }
        splitter.end();
        assert_eq!(splitter.read(), text.len() as u64);
        (String::from_utf8(splitter.text).unwrap(), splitter.blocks)
    }

    fn split(longest: usize, text: &str) -> (String, Vec<TakenBlock>) {
        split_by(Some(longest), text, &[usize::MAX])
    }

    /// Returns the text with base64 in place of its marks.
    fn joined(text: &str, blocks: &[TakenBlock]) -> String {
        let blocks: HashMap<_, _> = blocks.iter().map(|taken| (&taken.block, &taken.bytes)).collect();
        fhir::joined(text, |block| blocks.get(block).map(|bytes| (*bytes).clone()).ok_or(())).unwrap()
    }

    #[test]
    fn a_long_value_is_taken_out_and_a_short_one_stays() {
        let (long, short) = (Base64::encode_string(&[7; 50]), Base64::encode_string(&[7; 20]));
        let text = json!({"resourceType": "Binary", "data": long, "x": [{"data": short}, {"other": long}]}).to_string();
        let (split_text, blocks) = split(40, &text);
        assert_eq!(blocks, [TakenBlock::of(vec![7; 50])]);
        assert_eq!(joined(&split_text, &blocks), text);
        let read: Json = serde_json::from_str(&split_text).unwrap();
        assert_eq!(read["data"], format!("~{}.50", blocks[0].block.hash));
        assert_eq!(read["x"], json!([{"data": short}, {"other": long}]));
        // Without a bucket for documents, nothing is taken out.
        assert_eq!(split_by(None, &text, &[9]), (text, Vec::new()));
    }

    #[test]
    fn a_value_of_several_blocks_is_never_in_memory_as_a_whole() {
        for length in [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 5] {
            let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let text = format!("{{\"data\":\"{}\"}}\n", Base64::encode_string(&bytes));
            let mut splitter = Splitter::new(Some(MAX_INLINE_LENGTH));
            let mut taken = Vec::new();
            for part in text.as_bytes().chunks(1 << 16) {
                splitter.add(part);
                taken.extend(splitter.take_blocks());
                assert!(splitter.text.len() < 2_000);
            }
            splitter.end();
            let text = String::from_utf8(splitter.text).unwrap();
            let [(_, document)] = documents(&text).collect::<Vec<_>>().try_into().unwrap();
            assert_eq!(document, Document::of(&bytes));
            assert_eq!(taken.iter().flat_map(|taken| taken.bytes.clone()).collect::<Vec<_>>(), bytes);
        }
    }

    #[test]
    fn escapes_of_its_characters_are_read() {
        let bytes: Vec<u8> = (0..=255).collect();
        let plain = Base64::encode_string(&bytes);
        assert!(plain.contains('+') && plain.contains('/') && plain.ends_with("=="));
        for written in [plain.replace('/', "\\/"), plain.replace('+', "\\u002B"), plain.replace('=', "\\u003d")] {
            let text = format!("{{\"d\\u0061ta\" : \"{written}\"}}");
            let (split_text, blocks) = split(40, &text);
            assert_eq!(blocks, [TakenBlock::of(bytes.clone())], "{text}");
            // A short value keeps its spelling.
            assert_eq!(split(4_000, &text), (text, Vec::new()));
            assert!(!split_text.contains("~!"));
        }
    }

    #[test]
    fn every_spelling_of_base64_is_the_same_document() {
        for (bytes, spellings) in [
            (
                &b"\0\0\0\0\0\0"[..],
                &["AAAA AAAA", "AAAA\\nAAAA\\r\\n", "\\tAA\\u000aAA\\u0020AA\\u000DAA", " AAAAAAAA "][..],
            ),
            (b"\0\0\0\0\0", &["AAAAAAA", "AAAA\\nAAA", "AAAAAAA=", "AAAAAAB=", "AAAA\\nAAA=\\n", "AAAAAAA\\n="]),
            (b"\0\0\0\0", &["AAAAAA", "AAAAAB==", "AAAAAA=\\n="]),
            (b"\xff\xff\xff\xfe", &["/////g==", "\\/\\/\\/\\/\\/g", "//// /g=="]),
            // Numbers without blanks, and with letters, are base64.
            (b"\xd7\x6d\xf8\xe7\xae\xfc\xf7\x4d\x76", &["123456789012"]),
        ] {
            for (written, size) in spellings.iter().flat_map(|written| [1, 2, 100].map(|size| (written, size))) {
                let text = format!("{{\"valueBase64Binary\":\"{written}\",\"b\":1}}");
                let (split_text, blocks) = split_by(Some(4), &text, &[size]);
                assert_eq!(blocks, [TakenBlock::of(bytes.to_vec())], "{written}");
                let whole: Json = serde_json::from_str(&joined(&split_text, &blocks)).unwrap();
                assert_eq!(whole, json!({"valueBase64Binary": Base64::encode_string(bytes), "b": 1}));
            }
        }
    }

    #[test]
    fn what_is_no_base64_stays() {
        for value in [
            "AAAAA",
            "AAAAAAA=A",
            "AAAA====",
            "AAAAA===",
            "AAAAAA=",
            "AAAA-_AA",
            "AAAA\tAAAA",
            "12 13.5 E -7",
            "1200 1300 E U L 1450 ",
            "AAAAAAAAé",
            "\\u0041\\u00e9AAAAAA",
            "AAAAAAA\\",
            "AAAAAAA\\\"A",
        ] {
            let text = format!("{{\"data\":\"{value}\",\"b\":1}}");
            for size in [1, 2, 100] {
                assert_eq!(split_by(Some(4), &text, &[size]), (text.clone(), Vec::new()), "{value}");
            }
        }
    }

    #[test]
    fn a_value_that_looks_like_a_mark_is_refused() {
        let mark = Document::of(b"of somebody else").to_string();
        let escaped = [mark.replacen('~', "\\u007e", 1), mark.replacen('~', "\\u007E", 1)];
        for value in [&mark, &escaped[0], &escaped[1], &"~".to_owned(), &"~\\\"~".to_owned()] {
            for name in ["data", "d\\u0061ta", "\\u0064\\u0061\\u0074\\u0061"] {
                let text = format!("{{\"{name}\":\n\"{value}\",\"data\":\"AAAA\"}}");
                for longest in [None, Some(4)] {
                    let (split_text, blocks) = split_by(longest, &text, &[1]);
                    assert!(split_text.contains("\"~!sign\"") && blocks.is_empty(), "{text}");
                    assert_eq!(documents(&split_text).count(), 0);
                    assert!(split_text.ends_with(",\"data\":\"AAAA\"}"));
                }
            }
        }
        // In other places, a mark is a text like any other.
        let text = format!("{{\"display\":\"{mark}\",\"data\":[\"~\"],\"x\":\"data\",\"y\":\"~\"}}");
        assert_eq!(split(4, &text), (text, Vec::new()));
    }

    #[test]
    fn a_value_that_goes_on_as_something_else_or_is_too_long_is_refused() {
        let block = Base64::encode_string(&vec![1; BLOCK]);
        for behind in ["?", "A", "AA=", "\\nA", "A\n"] {
            let (split_text, _) = split(40, &format!("{{\"data\":\"{block}{behind}\"}}\n[]"));
            assert!(split_text.starts_with("{\"data\":\"~!form"), "{behind}");
            assert!(split_text.ends_with("\n[]"));
        }
        let most = MAX_DOCUMENT_LENGTH as usize / BLOCK + 3;
        for (end, length) in [("", 0), ("AA==", 1)] {
            let (split_text, blocks) = split(40, &format!("{{\"data\":\"{}{end}\"}}\n[]", block.repeat(most)));
            assert_eq!(split_text, format!("{{\"data\":\"~!length.{}\"}}\n[]", most * BLOCK + length));
            let taken: usize = blocks.iter().map(|taken| taken.bytes.len()).sum();
            assert!(taken <= MAX_DOCUMENT_LENGTH as usize);
        }
        let (split_text, _) = split(40, &format!("{{\"data\":\"{}?\"}}", block.repeat(most)));
        assert!(split_text.starts_with("{\"data\":\"~!form"), "{split_text}");
    }

    #[test]
    fn a_damaged_line_spoils_no_other() {
        let long = Base64::encode_string(&[7; 50]);
        let good = format!("{{\"data\":\"{long}\"}}");
        for damaged in
            ["{\"a\":\"b", "{\"data\":\"AAAA", "{\"data\":\"~", "{\"data", "{\"data\":\"A\\", "{\"x\\", "\"data\":"]
        {
            let (split_text, blocks) = split(40, &format!("{damaged}\n{good}\n"));
            assert_eq!(blocks.len(), 1, "{damaged}");
            let (first, second) = split_text.split_once('\n').unwrap();
            assert!(first == damaged || first.contains("~!sign"), "{first}");
            assert_eq!(joined(second, &blocks), format!("{good}\n"));
        }
    }

    fn value() -> impl Strategy<Value = String> {
        let base64 = vec(any::<u8>(), 0..70).prop_map(|bytes| Base64::encode_string(&bytes));
        prop_oneof![3 => base64, 1 => "[A-Za-z0-9+/=~ é\n\"\\\\]{0,30}"]
    }

    proptest! {
        #[test]
        fn splitting_and_joining_gives_the_text_at_any_boundary(
            values in vec(("data|other|da|~data", value()), 0..6),
            sizes in vec(1_usize..9, 1..8),
            is_pretty in any::<bool>(),
        ) {
            let members: Vec<_> = values.into_iter().map(|(name, value)| json!({name: value})).collect();
            let resource = json!({"resourceType": "Binary", "x": members});
            let text = if is_pretty { serde_json::to_string_pretty(&resource).unwrap() } else { resource.to_string() };
            let (split_text, blocks) = split_by(Some(24), &text, &sizes);
            prop_assert_eq!((&split_text, &blocks), (&split(24, &text).0, &split(24, &text).1));
            if !split_text.contains("\"~!") {
                // Base64 in another spelling becomes canonical: blanks, padding and surplus bits may differ.
                let bytes = |text: &str| -> Vec<String> {
                    let read: Json = serde_json::from_str(text).unwrap();
                    let members = read["x"].as_array().unwrap().iter().flat_map(|one| one.as_object().unwrap());
                    let plain = |(name, value): (&String, &Json)| {
                        let mut plain = name.clone() + &value.as_str().unwrap().replace([' ', '\n', '='], "");
                        plain.pop();
                        plain
                    };
                    members.map(plain).collect()
                };
                prop_assert_eq!(bytes(&joined(&split_text, &blocks)), bytes(&text));
            } else {
                prop_assert!(text.contains("\"~"));
            }
        }

        #[test]
        fn any_bytes_are_read(text in "[\"\\\\:,{}~A=\n data]{0,60}", sizes in vec(1_usize..5, 1..4)) {
            let whole = split(4, &text);
            prop_assert_eq!(split_by(Some(4), &text, &sizes), whole.clone());
            prop_assert_eq!(documents(&whole.0).count(), usize::from(!whole.1.is_empty()) * whole.1.len());
        }
    }
}
