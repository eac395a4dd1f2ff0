//! UUIDs, which many ids are.

use uuid::Uuid;

/// Parses a UUID in lower case with dashes.
pub fn uuid(text: &str) -> Option<[u8; 16]> {
    let uuid = Uuid::try_parse(text).ok()?;
    let is_canonical = uuid.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text;
    is_canonical.then(|| uuid.into_bytes())
}

/// Appends a UUID in lower case with dashes.
pub fn write_uuid(bytes: &[u8; 16], to: &mut String) {
    to.push_str(Uuid::from_bytes(*bytes).hyphenated().encode_lower(&mut Uuid::encode_buffer()));
}

/// Returns a UUID in lower case with dashes.
pub fn uuid_text(bytes: &[u8; 16]) -> [u8; 36] {
    let mut text = [0; 36];
    Uuid::from_bytes(*bytes).hyphenated().encode_lower(&mut text);
    text
}
