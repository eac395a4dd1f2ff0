//! The keys of the objects of exports in the bucket.

use fhir::{OF_THING, digest_text};

/// The prefix of the keys of parts, which exports share.
const PARTS: &str = "parts/";
/// The prefix of the keys of objects that belong to only one export.
const EXPORTS: &str = "exports/";

/// Returns the prefix of the keys of the objects of a part that a job makes.
pub fn key_of_part(digest: &str, job: &str) -> String {
    format!("{PARTS}{digest}-{job}")
}

pub fn key_of_object(part: &str, number: usize) -> String {
    format!("{part}/{number}")
}

pub fn key_of_manifest(job: &str) -> String {
    format!("{EXPORTS}{job}/manifest.json")
}

/// Returns the name of the publication of what these scopes open to everybody. Its manifest has a key like that of a
/// job, and the ids of jobs have no hyphen.
pub fn publication_of(scopes: &str) -> String {
    format!("published-{}", digest_text::<OF_THING>(scopes))
}

/// Returns the key of a page of the chain of a publication.
pub fn key_of_page(publication: &str, number: usize) -> String {
    format!("{EXPORTS}{publication}/page-{number}.json")
}

/// Returns the key of the list of the segments of a file.
pub fn key_of_file(job: &str, number: usize) -> String {
    format!("{EXPORTS}{job}/{number}.json")
}

/// Returns the prefix of the keys of objects with lines of only one export.
pub fn key_of_own(job: &str, name: &str) -> String {
    format!("{EXPORTS}{job}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_parts_and_exports_are_apart() {
        assert_eq!(key_of_object(&key_of_part("d", "j"), 2), "parts/d-j/2");
        assert_eq!([key_of_manifest("j"), key_of_file("j", 3)], ["exports/j/manifest.json", "exports/j/3.json"]);
        assert_eq!(key_of_object(&key_of_own("j", "directory"), 0), "exports/j/directory/0");
    }
}
