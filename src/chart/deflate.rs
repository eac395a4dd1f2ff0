//! Stored values: the number of the form, a checksum, and a block. The form with further columns has instead the length
//! of a block, that block and another block. The checksum is the CRC-32 of gzip (RFC 1952, section 8) of all bytes
//! after it and, in the form with further columns, also of the form number before it.
//!
//! A block is the length of its plain bytes, the inflated length of the others, the plain bytes, and the other bytes as
//! DEFLATE writes them (RFC 1951). Plain bytes are those that do not repeat, such as UUIDs: among other bytes, they
//! would worsen the compression.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc, Decompress, FlushDecompress, Status};

use super::error::ChartError;
use super::form::{FORM, FORM_WITH_FURTHER, MAX_INFLATED};

/// The compression level, from 0 to 9. Higher levels take much longer and save one or two percent.
const LEVEL: u32 = 6;

/// The contents of a stored value, or of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents<'a> {
    /// The bytes that are stored plain.
    pub plain: &'a [u8],
    /// The bytes that are stored deflated.
    pub inflated: Vec<u8>,
}

/// Returns the stored form of some bytes.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    deflate_with_plain(&[], bytes)
}

/// Returns the stored form of plain bytes and other bytes.
pub fn deflate_with_plain(plain: &[u8], bytes: &[u8]) -> Vec<u8> {
    stored(FORM, &block(plain, bytes))
}

/// Returns the stored form of a block and a further block.
pub fn deflate_with_further(block: &[u8], further: &[u8]) -> Vec<u8> {
    stored(FORM_WITH_FURTHER, &[&length_of(block)[..], block, further].concat())
}

/// Returns the block of plain bytes and other bytes.
#[allow(clippy::panic, reason = "writing to memory does not fail")]
pub fn block(plain: &[u8], bytes: &[u8]) -> Vec<u8> {
    let lengths = [length_of(plain), length_of(bytes)];
    let mut deflating = DeflateEncoder::new([lengths.as_flattened(), plain].concat(), Compression::new(LEVEL));
    let written = deflating.write_all(bytes);
    let Ok(block) = written.and_then(|()| deflating.finish()) else { panic!("a block that was not written") };
    block
}

fn stored(form: u8, summed: &[u8]) -> Vec<u8> {
    [&[form], &checksum(form, summed).to_le_bytes()[..], summed].concat()
}

fn length_of(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes()
}

/// Returns the bytes that are stored deflated.
pub fn inflate(stored: &[u8]) -> Result<Vec<u8>, ChartError> {
    contents(stored).map(|contents| contents.inflated)
}

/// Returns the contents of a stored value.
pub fn contents(stored: &[u8]) -> Result<Contents<'_>, ChartError> {
    match blocks(stored)? {
        (block, None) => inflated(block),
        (_, Some(_)) => Err(another_form(FORM_WITH_FURTHER)),
    }
}

/// Returns the block of a stored value, and its further block if it has one.
pub fn blocks(stored: &[u8]) -> Result<(&[u8], Option<&[u8]>), ChartError> {
    let (form, rest) = stored.split_first().ok_or_else(cut)?;
    if ![FORM, FORM_WITH_FURTHER].contains(form) {
        return Err(another_form(*form));
    }
    let (sum, summed) = rest.split_first_chunk().ok_or_else(cut)?;
    if u32::from_le_bytes(*sum) != checksum(*form, summed) {
        return Err(damaged());
    }
    if *form == FORM {
        return Ok((summed, None));
    }
    let (block, rest) = length(summed).ok_or_else(cut)?;
    let (block, further) = rest.split_at_checked(block).ok_or_else(cut)?;
    Ok((block, Some(further)))
}

/// Returns the contents of a block.
///
/// # Errors
/// If it is damaged.
pub fn inflated(block: &[u8]) -> Result<Contents<'_>, ChartError> {
    let (plain, length, deflated) = parts(block)?;
    if length > MAX_INFLATED {
        return Err(ChartError::new("a value is too large"));
    }
    let mut inflated = Vec::with_capacity(length);
    // `decompress_vec` does not write beyond the capacity.
    match Decompress::new(false).decompress_vec(deflated, &mut inflated, FlushDecompress::Finish) {
        Ok(Status::StreamEnd) if inflated.len() == length => Ok(Contents { plain, inflated }),
        Ok(_) | Err(_) => Err(damaged()),
    }
}

/// Returns the plain bytes of a block, the inflated length of the other bytes, and those bytes as stored.
///
/// # Errors
/// If the block is truncated.
pub fn parts(block: &[u8]) -> Result<(&[u8], usize, &[u8]), ChartError> {
    let (plain, rest) = length(block).ok_or_else(cut)?;
    let (length, rest) = length(rest).ok_or_else(cut)?;
    let (plain, deflated) = rest.split_at_checked(plain).ok_or_else(cut)?;
    Ok((plain, length, deflated))
}

/// Returns whether a stored value can be inflated, and its blocks then have at most `most` bytes.
#[must_use]
pub fn is_readable(stored: &[u8], most: usize) -> bool {
    let length = |block| parts(block).map_or(usize::MAX, |(plain, length, _)| plain.len().saturating_add(length));
    blocks(stored).is_ok_and(|(block, further)| length(block).saturating_add(further.map_or(0, length)) <= most)
}

fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*length) as usize, rest))
}

fn cut() -> ChartError {
    ChartError::new("a value is cut short")
}

fn damaged() -> ChartError {
    ChartError::new("a value is damaged")
}

fn another_form(form: u8) -> ChartError {
    ChartError(format!("a value is of form {form}, and this is {FORM}: load again"))
}

fn checksum(form: u8, bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    if form != FORM {
        sum.update(&[form]);
    }
    sum.update(bytes);
    sum.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stored_comes_back_and_damage_is_seen() {
        let text = b"Observation Observation Observation".repeat(9);
        let stored = deflate(&text);
        assert!(stored.len() < text.len() / 4);
        assert_eq!(inflate(&stored), Ok(text.clone()));
        let with_plain = deflate_with_plain(b"plain", &text);
        assert_eq!(contents(&with_plain), Ok(Contents { plain: b"plain", inflated: text.clone() }));
        assert!(is_readable(&stored, 1_000) && is_readable(&with_plain, 1_000) && !is_readable(&stored[..12], 1_000));
        let further = deflate_with_further(&block(b"plain", &text), &block(b"more", &text));
        let (first, second) = blocks(&further).unwrap();
        assert_eq!(inflated(first), Ok(Contents { plain: b"plain", inflated: text.clone() }));
        assert_eq!(inflated(second.unwrap()), Ok(Contents { plain: b"more", inflated: text.clone() }));
        assert!(is_readable(&further, 1_000) && contents(&further).is_err());
        for end in 0..further.len() {
            assert!(blocks(&further[..end]).is_err(), "{end}");
        }
        let large = deflate(&vec![0; MAX_INFLATED + 1]);
        assert_eq!(
            (is_readable(&large, MAX_INFLATED), inflate(&large)),
            (false, Err(ChartError::new("a value is too large")))
        );
        assert!(is_readable(&deflate(&vec![0; MAX_INFLATED]), MAX_INFLATED));
        for stored in [stored, with_plain] {
            assert_eq!(inflate(&[]), Err(ChartError::new("a value is cut short")));
            assert!((1..stored.len()).all(|end| inflate(&stored[..end]).is_err()));
            for (at, bit) in (0..stored.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let mut damaged = stored.clone();
                damaged[at] ^= 1 << bit;
                assert!(inflate(&damaged).is_err(), "byte {at}");
            }
            let mut other = stored.clone();
            other[0] += 2;
            assert_eq!(inflate(&other), Err(ChartError::new("a value is of form 4, and this is 2: load again")));
            // Wrong lengths, with a correct checksum.
            let with_lengths = |plain: u32, length: u32| {
                let summed = [&plain.to_le_bytes(), &length.to_le_bytes(), &stored[13..]].concat();
                super::stored(FORM, &summed)
            };
            let error = |plain, length| inflate(&with_lengths(plain, length)).unwrap_err().0;
            assert_eq!(error(0, u32::MAX), "a value is too large");
            assert_eq!(error(u32::MAX, 315), "a value is cut short");
            assert_eq!((error(3, 315), error(0, 314)), ("a value is damaged".into(), "a value is damaged".into()));
        }
    }
}
