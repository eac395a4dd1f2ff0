//! The lines of a file that is read in ranges, so that it is never in memory as a whole.

use std::io::Write;

use flate2::write::MultiGzDecoder;

use crate::text::{not_utf8, without_mark};
use crate::{MAX_FILE_LENGTH, MAX_INLINE_LENGTH, Splitter, TakenBlock};

/// The most bytes of a file that are added at a time. Inflated, they become at most a thousand times as many.
pub const STEP: usize = 4 << 10;

/// The first byte of gzip.
const GZIP: u8 = 0x1f;

/// The longest file when inflated, in bytes.
pub const MAX_INFLATED_LENGTH: u64 = 1 << 30;

/// The inflated text of a file, produced as its bytes arrive, with marks in place of documents.
pub enum SplitText {
    Plain(Box<Splitter>),
    Gzip(Box<MultiGzDecoder<Splitting>>),
}

/// Splits a file into lines as its bytes arrive.
pub struct Lines {
    pub text: SplitText,
    /// The number of the next line, counted from 0.
    number: usize,
    /// The number of bytes after the last line end.
    rest: usize,
    /// True if the current line is too long, so that its bytes are dropped.
    is_too_long: bool,
}

impl SplitText {
    /// Creates the text of an empty file, compressed or not. With `has_documents`, documents are taken out of it
    /// ([`Self::take_blocks`]).
    pub fn new(is_gzip: bool, has_documents: bool) -> Self {
        let splitter = Splitter::new(has_documents.then_some(MAX_INLINE_LENGTH));
        if is_gzip { Self::gzip(splitter) } else { Self::Plain(Box::new(splitter)) }
    }

    fn gzip(splitter: Splitter) -> Self {
        Self::Gzip(Box::new(MultiGzDecoder::new(Splitting(splitter))))
    }

    /// Adds at most [`STEP`] bytes of the file. A file that begins like gzip and unlike text is gzip, in any case.
    ///
    /// # Errors
    /// If the bytes are not valid gzip. The reason is for people.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        if let Self::Plain(plain) = self
            && plain.read() == 0
            && bytes.first() == Some(&GZIP)
        {
            let splitter = std::mem::replace(&mut **plain, Splitter::new(None));
            *self = Self::gzip(splitter);
        }
        match self {
            Self::Plain(plain) => plain.add(bytes),
            Self::Gzip(gzip) => gzip.write_all(bytes).map_err(|error| not_gzip(&error))?,
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the file is not valid gzip.
    pub fn end(&mut self) -> Result<(), String> {
        if let Self::Gzip(gzip) = self {
            gzip.try_finish().map_err(|error| not_gzip(&error))?;
        }
        self.splitter().end();
        Ok(())
    }

    /// Takes the blocks of documents in the bytes so far.
    pub fn take_blocks(&mut self) -> Vec<TakenBlock> {
        self.splitter().take_blocks()
    }

    /// Returns the text that has not yet been taken.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        self.splitter().text()
    }

    /// Returns the number of inflated bytes that have been read.
    pub fn read(&mut self) -> u64 {
        self.splitter().read()
    }

    fn splitter(&mut self) -> &mut Splitter {
        match self {
            Self::Plain(plain) => plain,
            Self::Gzip(gzip) => &mut gzip.get_mut().0,
        }
    }
}

/// A writer that feeds a splitter.
pub struct Splitting(Splitter);

impl Write for Splitting {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Takes the number of a line, counted from 0, and the line or the reason why it cannot be read.
pub type Line<'l> = dyn FnMut(usize, Result<&str, String>) -> Result<(), String> + 'l;

impl Lines {
    /// Creates the lines of an empty file, compressed or not. With `has_documents`, documents are taken out of them
    /// ([`SplitText::take_blocks`]).
    pub fn new(is_gzip: bool, has_documents: bool) -> Self {
        Self { text: SplitText::new(is_gzip, has_documents), number: 0, rest: 0, is_too_long: false }
    }

    /// Adds at most [`STEP`] bytes of the file, and calls `each` with the lines that they complete.
    ///
    /// # Errors
    /// If the bytes are not valid gzip, if the file is too long, or if `each` fails. The reason is for people.
    pub fn add(&mut self, bytes: &[u8], each: &mut Line<'_>) -> Result<(), String> {
        self.text.add(bytes)?;
        self.split(each)
    }

    /// Ends the file, and calls `each` with its last line. This may produce blocks too.
    ///
    /// # Errors
    /// The errors of [`Self::add`].
    pub fn end(&mut self, each: &mut Line<'_>) -> Result<(), String> {
        self.text.end()?;
        self.split(each)?;
        if self.is_too_long {
            return each(self.number, Err(too_long()));
        }
        line(self.number, self.text.bytes(), each)
    }

    fn split(&mut self, each: &mut Line<'_>) -> Result<(), String> {
        let inflated = self.text.bytes();
        let since = inflated.get(self.rest..).unwrap_or_default();
        let end = since.iter().rposition(|byte| *byte == b'\n').map(|end| self.rest + end);
        self.rest = end.map_or(inflated.len(), |end| inflated.len() - end - 1);
        let Some(end) = end else {
            if inflated.len() > MAX_FILE_LENGTH {
                self.is_too_long = true;
            }
            if self.is_too_long {
                (*inflated, self.rest) = (Vec::new(), 0);
            }
            return self.check_length();
        };
        let rest = inflated.split_off(end + 1);
        let whole = std::mem::replace(inflated, rest);
        self.check_length()?;
        for text in whole.strip_suffix(b"\n").unwrap_or(&whole).split(|byte| *byte == b'\n') {
            if std::mem::take(&mut self.is_too_long) {
                each(self.number, Err(too_long()))?;
            } else {
                line(self.number, text, each)?;
            }
            self.number += 1;
        }
        Ok(())
    }

    fn check_length(&mut self) -> Result<(), String> {
        if self.text.read() > MAX_INFLATED_LENGTH {
            return Err(format!("it is longer than {MAX_INFLATED_LENGTH} bytes: divide it"));
        }
        Ok(())
    }
}

fn line(number: usize, bytes: &[u8], each: &mut Line<'_>) -> Result<(), String> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return each(number, Err(not_utf8(bytes, &error))),
    };
    let text = without_mark(text);
    if text.trim().is_empty() { Ok(()) } else { each(number, Ok(text)) }
}

fn too_long() -> String {
    format!("it is longer than {MAX_FILE_LENGTH} bytes")
}

fn not_gzip(error: &std::io::Error) -> String {
    format!("it is not gzip: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load_documents::tests::gzip;
    use base64ct::{Base64, Encoding};
    use fhir::{BLOCK, Document};
    use proptest::prelude::*;

    fn lines(bytes: &[u8], is_gzip: bool, range: usize) -> Result<Vec<(usize, String)>, String> {
        let (mut lines, mut found) = (Lines::new(is_gzip, false), Vec::new());
        let mut each = |number, text: Result<&str, String>| {
            found.push((number, text.map_or_else(|why| format!("! {why}"), str::to_owned)));
            Ok(())
        };
        bytes.chunks(range.min(STEP)).try_for_each(|range| lines.add(range, &mut each))?;
        lines.end(&mut each)?;
        Ok(found)
    }

    proptest! {
        #[test]
        fn lines_are_the_same_whatever_the_ranges(text in "[a-c\n\r ü]{0,200}", range in 1_usize..50) {
            // A lone CR ends a line.
            let ended = text.replace("\r\n", "\0").replace('\r', "\n").replace('\0', "\r\n");
            let expected = ended.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
            let expected: Vec<_> = expected.into_iter().map(|(at, line)| (at, line.to_owned())).collect();
            prop_assert_eq!(&lines(text.as_bytes(), false, range).unwrap(), &expected);
            let (start, end) = text.as_bytes().split_at(text.len() / 2);
            // The first byte also shows whether a file is compressed.
            for is_said in [true, false] {
                prop_assert_eq!(&lines(&[gzip(start), gzip(end)].concat(), is_said, range).unwrap(), &expected);
            }
        }
    }

    #[test]
    fn a_file_that_is_no_text_is_refused_with_a_reason() {
        let why = |bytes: &[u8], is_gzip| lines(bytes, is_gzip, 1 << 20).unwrap_err();
        assert!(why(b"{}", true).starts_with("it is not gzip"));
        assert!(why(&gzip(b"{}\n{}")[..15], true).starts_with("it is not gzip"));
    }

    #[test]
    fn wr03_a_line_that_cannot_be_read_is_told_and_the_others_are_taken() {
        let text = |bytes: &[u8], is_gzip| lines(bytes, is_gzip, 1 << 20).unwrap();
        let found = text(b"{}\n\xff\n[]", false);
        assert!(found[1].1.starts_with("! it is not UTF-8"));
        assert_eq!((found.len(), &*found[2].1), (3, "[]"));
        let long = [b"{}\n".to_vec(), vec![b'x'; 2 * MAX_FILE_LENGTH], b"\n[]\n".to_vec()].concat();
        let expected = [(0, "{}".to_owned()), (1, format!("! {}", too_long())), (2, "[]".to_owned())];
        assert_eq!(text(&long, false), expected);
        assert_eq!(text(&gzip(&long), true), expected);
        assert_eq!(text(&long[..MAX_FILE_LENGTH + STEP], false), expected[..2]);
    }

    #[test]
    fn a_long_document_of_a_line_is_taken_out_as_it_comes() {
        let bytes: Vec<u8> = (0..BLOCK * 3 + 7).map(|at| (at % 253) as u8).collect();
        let line = format!("{{\"data\":\"{}\"}}", Base64::encode_string(&bytes));
        assert!(line.len() > MAX_FILE_LENGTH);
        let text = format!("{{}}\n{line}\n[]");
        for (file, is_gzip) in [(text.as_bytes().to_vec(), false), (gzip(text.as_bytes()), true)] {
            let (mut lines, mut found, mut blocks) = (Lines::new(is_gzip, true), Vec::new(), Vec::new());
            let mut each = |_, text: Result<&str, String>| {
                found.push(text.unwrap().to_owned());
                Ok(())
            };
            for step in file.chunks(STEP) {
                lines.add(step, &mut each).unwrap();
                blocks.extend(lines.text.take_blocks());
            }
            lines.end(&mut each).unwrap();
            // Some bytes of gzip only come at the end.
            blocks.extend(lines.text.take_blocks());
            let mark = Document::of(&bytes);
            assert_eq!(found, ["{}".to_owned(), format!("{{\"data\":\"{mark}\"}}"), "[]".to_owned()]);
            assert_eq!(blocks.into_iter().map(|taken| taken.block).collect::<Vec<_>>(), mark.blocks());
        }
    }

    #[test]
    fn a_mark_of_the_byte_order_is_left_out_before_each_line_and_that_of_utf_16_is_named() {
        let found = lines("\u{feff}{}\n\u{feff}[]\r\u{feff}7".as_bytes(), false, 2).unwrap();
        assert_eq!(found, [(0, "{}".to_owned()), (1, "[]".to_owned()), (2, "7".to_owned())]);
        for start in [[0xff, 0xfe], [0xfe, 0xff]] {
            assert!(lines(&[&start[..], b"{\0}\0"].concat(), false, 2).unwrap()[0].1.contains("UTF-16"));
        }
    }
}
