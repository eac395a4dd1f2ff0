//! Bodies that are too long to keep in memory. They are sent while the objects of a bucket are read.

use std::ops::Range;

/// A body that the runtime sends while it reads objects of the bucket of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    /// The pieces, in order.
    pub pieces: Vec<StreamPiece>,
}

/// A piece of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamPiece {
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// A range of an object.
    Object(ObjectPiece),
}

/// A range of an object, and the form in which it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectPiece {
    /// The key of the object.
    pub key: String,
    /// The range of its bytes.
    pub range: Range<u64>,
    /// The form.
    pub form: ObjectForm,
}

/// The form in which a range of an object is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectForm {
    /// The object as stored.
    Plain,
    /// The object as base64 (RFC 4648, section 4). The range is of the object's bytes and begins at a multiple of 3.
    Base64,
    /// Some of the object's base64: the characters in this range.
    Base64Part(Range<u64>),
    /// The range is a segment of raw DEFLATE without a final block. The bytes in this range of the inflated segment are
    /// sent. The range ends with the segment, unless this is the last piece of the stream.
    Inflated(Range<u64>),
}

impl Stream {
    /// Returns the length in bytes.
    pub fn length(&self) -> u64 {
        self.pieces.iter().map(StreamPiece::length).sum()
    }

    /// Returns the stream of a range of its bytes, as far as they exist.
    #[must_use]
    pub fn slice(self, range: Range<u64>) -> Self {
        let mut start = 0;
        let mut pieces = Vec::new();
        for piece in self.pieces {
            let end = start + piece.length();
            let (from, to) = (range.start.clamp(start, end), range.end.clamp(start, end));
            if from < to {
                pieces.push(piece.slice(from - start..to - start));
            }
            start = end;
        }
        Self { pieces }
    }
}

impl StreamPiece {
    /// Returns the length in bytes.
    fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Object(ObjectPiece { range, form, .. }) => match form {
                ObjectForm::Plain => length(range),
                ObjectForm::Base64 => length(range).div_ceil(3) * 4,
                ObjectForm::Base64Part(part) | ObjectForm::Inflated(part) => length(part),
            },
        }
    }

    /// Returns a range of the piece, which must be within it.
    fn slice(self, part: Range<u64>) -> Self {
        if part == (0..self.length()) {
            return self;
        }
        let within = |outer: &Range<u64>| outer.start + part.start..outer.start + part.end;
        match self {
            Self::Bytes(bytes) => {
                let range = part.start as usize..part.end as usize;
                Self::Bytes(bytes.get(range).unwrap_or_default().to_vec())
            }
            Self::Object(ObjectPiece { key, range, form }) => {
                let (range, form) = match form {
                    ObjectForm::Plain => (within(&range), ObjectForm::Plain),
                    ObjectForm::Base64 => base64_part(&range, &part),
                    ObjectForm::Base64Part(outer) => base64_part(&range, &within(&outer)),
                    ObjectForm::Inflated(outer) => (range, ObjectForm::Inflated(within(&outer))),
                };
                Self::Object(ObjectPiece { key, range, form })
            }
        }
    }
}

/// Returns a part of the base64 of a range, reading only as much of the range as needed.
fn base64_part(range: &Range<u64>, part: &Range<u64>) -> (Range<u64>, ObjectForm) {
    let groups = part.start / 4..part.end.div_ceil(4);
    let needed = range.start + groups.start * 3..range.end.min(range.start + groups.end * 3);
    (needed, ObjectForm::Base64Part(part.start - groups.start * 4..part.end - groups.start * 4))
}

const fn length(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn object(range: Range<u64>, form: ObjectForm) -> StreamPiece {
        StreamPiece::Object(ObjectPiece { key: "k".to_owned(), range, form })
    }

    /// Returns the bytes of a stream over an object whose bytes are their own positions, and which inflates to itself.
    fn bytes(stream: &Stream) -> Vec<u8> {
        use base64ct::{Base64, Encoding};
        let of = |range: &Range<u64>| range.clone().map(|at| at as u8).collect::<Vec<_>>();
        let cut = |all: Vec<u8>, part: &Range<u64>| all[part.start as usize..part.end as usize].to_vec();
        let piece = |piece: &StreamPiece| match piece {
            StreamPiece::Bytes(bytes) => bytes.clone(),
            StreamPiece::Object(ObjectPiece { range, form, .. }) => match form {
                ObjectForm::Plain => of(range),
                ObjectForm::Base64 => Base64::encode_string(&of(range)).into_bytes(),
                ObjectForm::Base64Part(part) => cut(Base64::encode_string(&of(range)).into_bytes(), part),
                ObjectForm::Inflated(part) => cut(of(range), part),
            },
        };
        stream.pieces.iter().flat_map(piece).collect()
    }

    proptest! {
        #[test]
        fn a_slice_has_the_bytes_of_the_range(a in 0_u64..40, b in 0_u64..40, c in 0_u64..40, d in 0_u64..40) {
            let stream = Stream { pieces: vec![
                StreamPiece::Bytes(vec![1, 2, 3]),
                object(5..9, ObjectForm::Plain),
                object(3..10, ObjectForm::Base64),
                object(0..20, ObjectForm::Inflated(4..11)),
                object(7..7, ObjectForm::Plain),
                StreamPiece::Bytes(vec![9]),
            ] };
            let whole = bytes(&stream);
            prop_assert_eq!(whole.len() as u64, stream.length());
            let cut = |whole: &[u8], from: u64, to: u64| -> Vec<u8> {
                whole.iter().copied().skip(from as usize).take(to.saturating_sub(from) as usize).collect()
            };
            let slice = stream.slice(a..b);
            let expected = cut(&whole, a, b);
            prop_assert_eq!(&bytes(&slice), &expected);
            prop_assert_eq!(slice.length(), expected.len() as u64);
            let again = slice.slice(c..d);
            prop_assert_eq!(bytes(&again), cut(&expected, c, d));
        }
    }
}
