//! The types that carry Binaries: an attachment of such a type may have the address of a Binary.

use fhir::{Id, ResourceType as T};

/// The types that carry Binaries, each with its element of type Attachment.
pub const CARRIERS: [(T, &str); 6] = [
    (T::Communication, "payload.contentAttachment"),
    (T::Consent, "sourceAttachment"),
    (T::DiagnosticReport, "presentedForm"),
    (T::DocumentReference, "content.attachment"),
    (T::Media, "content"),
    (T::Patient, "photo"),
];

/// The longest address of a Binary.
const MAX_LENGTH: usize = 512;

/// Returns whether an address is that of a Binary, of this server or of another.
#[must_use]
pub fn is_of_binary(address: &str) -> bool {
    let end = address.rsplit_once('/').filter(|(_, id)| Id::is_valid(id));
    address.len() <= MAX_LENGTH && end.is_some_and(|(of, _)| of == "Binary" || of.ends_with("/Binary"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_binary_ends_in_its_type_and_its_id() {
        for address in ["Binary/a", "https://here/fhir/r4/Binary/a.b-C", "/Binary/1"] {
            assert!(is_of_binary(address), "{address}");
        }
        let long = format!("https://{}/Binary/a", "x".repeat(MAX_LENGTH));
        for address in
            ["Binary/", "Binary/a_b", "XBinary/a", "https://here/Binary/a?x=y", "Binary", "notes/1.txt", &long]
        {
            assert!(!is_of_binary(address), "{address}");
        }
    }
}
