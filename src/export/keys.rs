//! The keys of the objects of exports in the bucket, and digests of what they have.

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};

/// The beginning of the keys of parts, which exports share.
const PARTS: &str = "parts/";
/// The beginning of the keys of objects that one export has alone.
const EXPORTS: &str = "exports/";

/// The beginning of the keys of the objects of a part that a job makes.
pub fn key_of_part(digest: &str, job: &str) -> String {
    format!("{PARTS}{digest}-{job}")
}

/// The key of an object of a part.
pub fn key_of_object(part: &str, number: usize) -> String {
    format!("{part}/{number}")
}

/// The key of the manifest of a job.
pub fn key_of_manifest(job: &str) -> String {
    format!("{EXPORTS}{job}/manifest.json")
}

/// The key of the list of the segments of a file.
pub fn key_of_file(job: &str, number: usize) -> String {
    format!("{EXPORTS}{job}/{number}.json")
}

/// The beginning of the keys of objects with lines of one export alone.
pub fn key_of_own(job: &str, name: &str) -> String {
    format!("{EXPORTS}{job}/{name}")
}

/// A digest of values, each with its length in front.
#[derive(Debug, Clone, Default)]
pub struct DigestOf(Sha256);

impl DigestOf {
    /// Adds a value.
    pub fn add(&mut self, value: &str) -> &mut Self {
        self.0.update((value.len() as u64).to_be_bytes());
        self.0.update(value.as_bytes());
        self
    }

    /// Adds several values, and their number.
    pub fn add_all<'a>(&mut self, values: impl ExactSizeIterator<Item = &'a str>) -> &mut Self {
        self.0.update((values.len() as u64).to_be_bytes());
        for value in values {
            self.add(value);
        }
        self
    }

    /// The digest.
    pub fn text(&self) -> String {
        encode_string(&self.0.clone().finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> String {
        DigestOf::default().add_all(values.iter().copied()).text()
    }

    #[test]
    fn other_values_have_another_digest() {
        let all = [of(&[]), of(&[""]), of(&["ab"]), of(&["a", "b"]), of(&["", "ab"])];
        assert!(all.iter().enumerate().all(|(at, one)| !all[..at].contains(one)));
        assert_eq!((of(&["a"]), of(&["a"]).len()), (of(&["a"]), 64));
    }

    #[test]
    fn keys_of_parts_and_exports_are_apart() {
        assert_eq!(key_of_object(&key_of_part("d", "j"), 2), "parts/d-j/2");
        assert_eq!([key_of_manifest("j"), key_of_file("j", 3)], ["exports/j/manifest.json", "exports/j/3.json"]);
        assert_eq!(key_of_object(&key_of_own("j", "directory"), 0), "exports/j/directory/0");
    }
}
