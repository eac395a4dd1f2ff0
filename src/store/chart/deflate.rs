//! Stored values: the number of the form, the inflated length, and the bytes in the zlib format (RFC 1950), which has a
//! checksum.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::{ChartError, FORM, MOST_INFLATED};

/// The effort of deflating, from 0 to 10. Higher levels take much longer and win one or two percent.
const LEVEL: u8 = 6;
/// The bytes before the deflated ones: the form, and the inflated length as 32 bits, little-endian.
const PREFIX: usize = 5;

/// The stored form of some bytes.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    [&[FORM][..], &length.to_le_bytes(), &compress_to_vec_zlib(bytes, LEVEL)].concat()
}

/// The bytes that were stored.
///
/// # Errors
/// If the form is another, or the bytes are damaged.
pub fn inflate(stored: &[u8]) -> Result<Vec<u8>, ChartError> {
    let (prefix, deflated) =
        stored.split_first_chunk::<PREFIX>().ok_or_else(|| ChartError::new("a value is cut short"))?;
    let [form, length @ ..] = *prefix;
    if form != FORM {
        return Err(ChartError(format!("a value is of form {form}, and this is {FORM}: load again")));
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_INFLATED {
        return Err(ChartError::new("a value is too large"));
    }
    match decompress_to_vec_zlib_with_limit(deflated, length) {
        Ok(bytes) if bytes.len() == length => Ok(bytes),
        Ok(_) | Err(_) => Err(ChartError::new("a value is damaged")),
    }
}

/// The length of the bytes that were stored, as the value says.
pub fn inflated_length(stored: &[u8]) -> usize {
    let length = stored.get(1..PREFIX).and_then(<[u8]>::first_chunk);
    length.map_or(0, |length| u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stored_comes_back_and_damage_is_seen() {
        let text = b"Observation Observation Observation".repeat(9);
        let stored = deflate(&text);
        assert!(stored.len() < text.len() / 4);
        assert_eq!(inflate(&stored), Ok(text));
        assert!(inflate(&[]).is_err());
        assert!(inflate(&stored[..stored.len() - 3]).is_err());
        assert_eq!(inflated_length(&stored), 315);
        let mut damaged = stored.clone();
        damaged[12] ^= 1;
        assert!(inflate(&damaged).is_err());
        let mut other = stored.clone();
        other[0] += 1;
        assert_eq!(inflate(&other), Err(ChartError::new("a value is of form 2, and this is 1: load again")));
        let mut longer = stored;
        longer[1..5].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(inflate(&longer), Err(ChartError::new("a value is too large")));
    }
}
