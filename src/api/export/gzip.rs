//! The content of a file, made from its segments: as one gzip member (RFC 1952), or as text.

use crate::{ObjectForm, ObjectPiece, Stream, StreamPiece};
use ::export::{ExportFile, FileSegment, gzip_header, gzip_trailer};

/// Returns the file as a gzip member. The segments are sent as stored.
pub fn compressed(file: &ExportFile) -> Stream {
    let mut pieces = vec![StreamPiece::Bytes(gzip_header())];
    for FileSegment { object, offset, stored, .. } in &file.segments {
        // Successive segments of an object are read as one.
        if let Some(StreamPiece::Object(last)) = pieces.last_mut()
            && last.key == *object
            && last.range.end == *offset
        {
            last.range.end += stored;
            continue;
        }
        let range = *offset..offset + stored;
        pieces.push(StreamPiece::Object(ObjectPiece { key: object.clone(), range, form: ObjectForm::Plain }));
    }
    pieces.push(StreamPiece::Bytes(gzip_trailer(&file.segments)));
    Stream { pieces }
}

/// Returns the file as text.
pub fn inflated(file: &ExportFile) -> Stream {
    let piece = |FileSegment { object, offset, stored, inflated, .. }: &FileSegment| {
        let form = ObjectForm::Inflated(0..*inflated);
        StreamPiece::Object(ObjectPiece { key: object.clone(), range: *offset..offset + stored, form })
    };
    Stream { pieces: file.segments.iter().map(piece).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compress, Compression, Crc, FlushCompress, read::GzDecoder};
    use std::io::Read;

    /// Returns a segment like those of exports: raw DEFLATE, ended by a sync flush.
    fn segment(text: &[u8], object: &str, offset: u64) -> (Vec<u8>, FileSegment) {
        let mut deflate = Compress::new(Compression::default(), false);
        let mut stored = Vec::with_capacity(text.len() + 100);
        deflate.compress_vec(text, &mut stored, FlushCompress::Sync).unwrap();
        let mut crc = Crc::new();
        crc.update(text);
        let (length, inflated) = (stored.len() as u64, text.len() as u64);
        let segment = FileSegment { object: object.to_owned(), offset, stored: length, inflated, crc: crc.sum() };
        (stored, segment)
    }

    #[test]
    fn segments_are_joined_to_one_gzip_member() {
        let texts = ["{\"resourceType\":\"Patient\"}\n".repeat(3_000), "a\n".to_owned(), "b\n".repeat(70_000)];
        let (mut one, first) = segment(texts[0].as_bytes(), "one", 0);
        let (next, second) = segment(texts[1].as_bytes(), "one", first.stored);
        one.extend(next);
        let (two, third) = segment(texts[2].as_bytes(), "two", 0);
        let segments = vec![first, second, third];
        let file = ExportFile { segments, etag: "e".to_owned(), resource_type: "Patient".to_owned() };
        let stream = compressed(&file);
        assert_eq!(stream.pieces.len(), 4, "neighbours are read as one");
        let mut bytes = Vec::new();
        for piece in &stream.pieces {
            match piece {
                StreamPiece::Bytes(own) => bytes.extend(own),
                StreamPiece::Object(ObjectPiece { key, range, .. }) => {
                    let object = if key == "one" { &one } else { &two };
                    bytes.extend(&object[range.start as usize..range.end as usize]);
                }
            }
        }
        assert_eq!(bytes.len() as u64, stream.length());
        let mut text = String::new();
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, texts.concat());
        assert_eq!(inflated(&file).length(), text.len() as u64);
        assert_eq!(inflated(&file).pieces.len(), 3);
    }

    #[test]
    fn a_file_without_segments_is_an_empty_gzip_member() {
        let file = ExportFile { segments: Vec::new(), etag: "e".to_owned(), resource_type: "Patient".to_owned() };
        let all: Vec<u8> = compressed(&file)
            .pieces
            .into_iter()
            .flat_map(|piece| match piece {
                StreamPiece::Bytes(bytes) => bytes,
                StreamPiece::Object(_) => Vec::new(),
            })
            .collect();
        let mut text = String::new();
        GzDecoder::new(all.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text, "");
    }
}
