//! Stored values: the number of the form, a checksum, the length of the plain bytes and that of the others when they
//! are inflated, the plain bytes, and the others as DEFLATE writes them (RFC 1951). The checksum is Adler-32 (RFC 1950)
//! of all bytes. Plain bytes are those that do not repeat, such as UUIDs: among others they make these deflate worse.

use adler2::Adler32;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::{ChartError, FORM, MOST_INFLATED};

/// The effort of deflating, from 0 to 10. Higher levels take much longer and win one or two percent.
const LEVEL: u8 = 6;

/// The contents of a stored value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents<'a> {
    /// The bytes that were stored plain.
    pub plain: &'a [u8],
    /// The bytes that were deflated.
    pub inflated: Vec<u8>,
}

/// The stored form of some bytes.
#[must_use]
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    deflate_beside(&[], bytes)
}

/// The stored form of plain bytes and others.
#[must_use]
pub fn deflate_beside(plain: &[u8], bytes: &[u8]) -> Vec<u8> {
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
    let numbers = [checksum(plain, bytes).to_le_bytes(), length(plain), length(bytes)];
    [&[FORM], numbers.as_flattened(), plain, &compress_to_vec(bytes, LEVEL)].concat()
}

/// The bytes that were stored, without plain ones.
///
/// # Errors
/// If the form is another, or the bytes are damaged.
pub fn inflate(stored: &[u8]) -> Result<Vec<u8>, ChartError> {
    contents(stored).map(|contents| contents.inflated)
}

/// The contents of a stored value.
///
/// # Errors
/// If the form is another, or the bytes are damaged.
pub fn contents(stored: &[u8]) -> Result<Contents<'_>, ChartError> {
    let cut = || ChartError::new("a value is cut short");
    let (form, rest) = stored.split_first().ok_or_else(cut)?;
    if *form != FORM {
        return Err(ChartError(format!("a value is of form {form}, and this is {FORM}: load again")));
    }
    let (numbers, rest) = rest.split_first_chunk::<12>().ok_or_else(cut)?;
    let [sum, plain, length] = [0, 4, 8].map(|at| numbers.get(at..at + 4).and_then(<[u8]>::first_chunk));
    let number = |bytes: Option<&[u8; 4]>| bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let (plain, deflated) = rest.split_at_checked(number(plain) as usize).ok_or_else(cut)?;
    let length = number(length) as usize;
    if length > MOST_INFLATED {
        return Err(ChartError::new("a value is too large"));
    }
    match decompress_to_vec_with_limit(deflated, length) {
        Ok(inflated) if inflated.len() == length && checksum(plain, &inflated) == number(sum) => {
            Ok(Contents { plain, inflated })
        }
        Ok(_) | Err(_) => Err(ChartError::new("a value is damaged")),
    }
}

fn checksum(plain: &[u8], bytes: &[u8]) -> u32 {
    let mut sum = Adler32::new();
    sum.write_slice(plain);
    sum.write_slice(bytes);
    sum.checksum()
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
        let beside = deflate_beside(b"plain", &text);
        assert_eq!(contents(&beside), Ok(Contents { plain: b"plain", inflated: text }));
        for stored in [stored, beside] {
            assert_eq!(inflate(&[]), Err(ChartError::new("a value is cut short")));
            assert!((1..stored.len()).all(|end| inflate(&stored[..end]).is_err()));
            // The number of the form, each bit of the checksum, of the lengths, and of the bytes.
            for (at, bit) in (0..stored.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let mut damaged = stored.clone();
                damaged[at] ^= 1 << bit;
                assert!(inflate(&damaged).is_err() || at == stored.len() - 1, "byte {at}");
            }
            let mut other = stored.clone();
            other[0] += 1;
            assert_eq!(inflate(&other), Err(ChartError::new("a value is of form 3, and this is 2: load again")));
            let mut longer = stored;
            longer[9..13].copy_from_slice(&u32::MAX.to_le_bytes());
            assert_eq!(inflate(&longer), Err(ChartError::new("a value is too large")));
        }
    }
}
