//! Segments: lines of NDJSON as raw DEFLATE (RFC 1951) that ends with a sync flush and has no final block. Concatenated
//! segments are one stream. So a file is a gzip stream (RFC 1952): a header, its segments, an empty final block, and
//! the CRC-32 and the length of all bytes, which are computed from those of the segments.

use flate2::{Compress, Compression, Crc, FlushCompress};
use serde::{Deserialize, Serialize};
use zlib_rs::crc32::crc32_combine;

use super::status::FileSegment;

/// The compression level. Stored segments are downloaded only a few times, and an export deflates everything.
const LEVEL: u32 = 1;
/// The header of a gzip stream without a name and a time.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
const FINAL_BLOCK: [u8; 2] = [3, 0];

/// A segment of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The name of the type of its resources.
    #[serde(rename = "t")]
    pub resource_type: String,
    /// The number of the object with the segment, among those of its part.
    #[serde(rename = "o")]
    pub object: usize,
    /// The first byte in the object.
    #[serde(rename = "a")]
    pub offset: u64,
    /// The number of bytes in the object.
    #[serde(rename = "s")]
    pub stored: u64,
    /// The bytes to which it inflates.
    #[serde(rename = "i")]
    pub inflated: u64,
    /// The CRC-32 of the inflated bytes.
    #[serde(rename = "c")]
    pub crc: u32,
    /// The number of its resources. If it is 0, the next segment of the type continues the line.
    #[serde(rename = "n")]
    pub count: u64,
}

impl Segment {
    /// Returns the segment of a file, for the key of its object.
    pub const fn of_file(&self, object: String) -> FileSegment {
        let Self { offset, stored, inflated, crc, .. } = *self;
        FileSegment { object, offset, stored, inflated, crc }
    }
}

/// The bytes of free room that deflating needs to continue.
const ROOM: usize = 32 << 10;

/// A segment to which lines are added.
#[derive(Debug)]
pub struct GrowingSegment {
    deflate: Compress,
    bytes: Vec<u8>,
    crc: Crc,
    /// The number of lines.
    pub count: u64,
}

impl Default for GrowingSegment {
    fn default() -> Self {
        let deflate = Compress::new(Compression::new(LEVEL), false);
        Self { deflate, bytes: Vec::new(), crc: Crc::new(), count: 0 }
    }
}

impl GrowingSegment {
    /// Adds a text as a line.
    pub fn add(&mut self, text: &[u8]) {
        self.write(text);
        self.end_line();
    }

    pub fn end_line(&mut self) {
        self.write(b"\n");
        self.count += 1;
    }

    /// Adds a part of a line.
    pub fn write(&mut self, bytes: &[u8]) {
        self.run(bytes, FlushCompress::None);
        self.crc.update(bytes);
    }

    /// Deflates bytes. A call of the compressor has taken all bytes and written all output only if it leaves free room.
    /// Otherwise it must be repeated with the remaining bytes, even if there are none.
    fn run(&mut self, mut bytes: &[u8], flush: FlushCompress) {
        loop {
            self.bytes.reserve(ROOM);
            let before = self.deflate.total_in();
            // Deflating to memory cannot fail.
            let _ = self.deflate.compress_vec(bytes, &mut self.bytes, flush);
            let taken = self.deflate.total_in() - before;
            bytes = bytes.get(taken as usize..).unwrap_or_default();
            if bytes.is_empty() && self.bytes.len() < self.bytes.capacity() {
                return;
            }
        }
    }

    /// Returns the inflated bytes of its lines.
    pub fn inflated(&self) -> u64 {
        self.deflate.total_in()
    }

    /// Returns the number of deflated bytes so far, without those that are still pending.
    pub const fn stored(&self) -> usize {
        self.bytes.len()
    }

    /// Ends the segment, and begins the next one. Returns the bytes, and the segment without its position.
    pub fn finish(&mut self, resource_type: &str) -> (Segment, Vec<u8>) {
        self.run(&[], FlushCompress::Sync);
        let bytes = std::mem::take(&mut self.bytes);
        let segment = Segment {
            resource_type: resource_type.to_owned(),
            object: 0,
            offset: 0,
            stored: bytes.len() as u64,
            inflated: self.inflated(),
            crc: self.crc.sum(),
            count: self.count,
        };
        self.deflate.reset();
        self.crc.reset();
        self.count = 0;
        (segment, bytes)
    }
}

/// Returns the bytes before the segments of a gzip stream.
pub fn gzip_header() -> Vec<u8> {
    HEADER.to_vec()
}

/// Returns the bytes after these segments of a gzip stream.
pub fn gzip_trailer(segments: &[FileSegment]) -> Vec<u8> {
    let crc = segments.iter().fold(0, |crc, segment| crc32_combine(crc, segment.crc, segment.inflated));
    let length = segments.iter().fold(0_u32, |length, segment| length.wrapping_add(segment.inflated as u32));
    [&FINAL_BLOCK[..], &crc.to_le_bytes(), &length.to_le_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::io::Read;

    fn stored(segments: &[Vec<String>]) -> (Vec<FileSegment>, Vec<u8>) {
        let (mut growing, mut all, mut bytes) = (GrowingSegment::default(), Vec::new(), Vec::new());
        for lines in segments {
            lines.iter().for_each(|line| growing.add(line.as_bytes()));
            let (Segment { stored, inflated, crc, count, .. }, own) = growing.finish("Patient");
            assert_eq!((stored, count), (own.len() as u64, lines.len() as u64));
            all.push(FileSegment { object: "o".to_owned(), offset: bytes.len() as u64, stored, inflated, crc });
            bytes.extend(own);
        }
        (all, bytes)
    }

    fn gzip(segments: &[FileSegment], stored: &[u8]) -> Vec<u8> {
        let of = |segment: &FileSegment| &stored[segment.offset as usize..][..segment.stored as usize];
        let middle: Vec<u8> = segments.iter().flat_map(of).copied().collect();
        [gzip_header(), middle, gzip_trailer(segments)].concat()
    }

    fn inflated(gzip: &[u8]) -> String {
        let mut text = String::new();
        // The decoder checks the CRC-32 and the length.
        GzDecoder::new(gzip).read_to_string(&mut text).unwrap();
        text
    }

    fn lines(segments: &[Vec<String>]) -> String {
        segments.iter().flatten().map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn joined_segments_are_the_lines_in_any_order() {
        let long = vec!["x".repeat(300_000), "{\"a\":1.0}".to_owned()];
        let segments = [long.clone(), vec!["ü".to_owned()], Vec::new(), long, vec![String::new()]];
        let (all, bytes) = stored(&segments);
        assert_eq!(inflated(&gzip(&all, &bytes)), lines(&segments));
        let backwards: Vec<_> = all.iter().rev().cloned().collect();
        let expected: Vec<_> = segments.iter().rev().cloned().collect();
        assert_eq!(inflated(&gzip(&backwards, &bytes)), lines(&expected));
        assert_eq!(inflated(&gzip(&[], &[])), "");
    }

    #[test]
    fn a_text_that_hardly_deflates_is_there_as_a_whole() {
        use base64ct::{Base64, Encoding};
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        for length in [20_000, 43_210, 50_000, 100_000, 1_000_000] {
            let line = Base64::encode_string(&(0..length).map(|_| next()).collect::<Vec<_>>());
            let (all, bytes) = stored(&[vec![line.clone()], vec!["after".to_owned()]]);
            assert!(inflated(&gzip(&all, &bytes)) == format!("{line}\nafter\n"), "{length}");
        }
    }

    #[test]
    fn a_segment_inflates_by_itself() {
        let (all, bytes) = stored(&[vec!["one".to_owned()], vec!["one".to_owned(), "two".to_owned()]]);
        for (segment, text) in all.iter().zip(["one\n", "one\ntwo\n"]) {
            assert_eq!(inflated(&gzip(std::slice::from_ref(segment), &bytes)), text);
        }
        assert!(bytes[..all[0].stored as usize].ends_with(&[0, 0, 0xff, 0xff]), "it ends with a sync flush");
    }

    proptest! {
        #[test]
        fn any_lines_come_back(segments in vec(vec("[ -~]{0,40}", 0..8), 0..8)) {
            let (all, bytes) = stored(&segments);
            prop_assert_eq!(inflated(&gzip(&all, &bytes)), lines(&segments));
        }
    }
}
