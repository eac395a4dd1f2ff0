//! The keys of objects in the bucket, and the ids of jobs that are derived from their subjects.

use fhir::{DigestOfParts, OF_THING};

/// The prefix of the keys of files that were sent to the server.
const SENT: &str = "jobs/";
/// The prefix of the keys of objects with lines of a divided file.
const LINES: &str = "pieces/";
/// The prefix of the keys of reports.
const REPORTS: &str = "reports/";
/// The prefixes of the keys of all objects that this server stores ([`::job::Kind::PREFIXES`]).
pub const PREFIXES: &[&str] = &[SENT, LINES, REPORTS];
/// The longest key that R2 accepts, in bytes (<https://developers.cloudflare.com/r2/platform/limits/>).
const MAX_KEY_LENGTH: usize = 1_024;

/// Returns the key of the file with which a job was sent.
pub fn key_of_sent(job: &str, is_gzip: bool) -> String {
    format!("{SENT}{job}{}", if is_gzip { ".gz" } else { "" })
}

/// Returns whether the file with that key was sent to the server, or fetched by it.
pub fn is_sent(key: &str) -> bool {
    key.starts_with(SENT)
}

/// Returns the key of an object with lines of a divided file.
pub fn key_of_lines(job: &str, object: usize) -> String {
    format!("{LINES}{job}/{object}")
}

/// Returns the key of the report of a file. The report of a file with a long key is named after its job.
pub fn key_of_report(file: &str, job: &str) -> String {
    let key = format!("{REPORTS}{file}.json");
    if key.len() <= MAX_KEY_LENGTH { key } else { format!("{REPORTS}{job}.json") }
}

/// Returns an id derived from these texts.
pub fn id_of(parts: &[&str]) -> String {
    DigestOfParts::of(parts).text::<OF_THING>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_prefix_of_the_server_s_own() {
        for key in [key_of_sent("j", true), key_of_lines("j", 0), key_of_report("a", "j")] {
            assert!(PREFIXES.iter().any(|prefix| key.starts_with(prefix)), "{key}");
        }
    }

    #[test]
    fn every_report_has_a_key_that_the_bucket_takes() {
        assert_eq!(key_of_report("a/b.ndjson", "j"), "reports/a/b.ndjson.json");
        assert_eq!(key_of_report(&"k".repeat(1_020), "j"), "reports/j.json");
    }
}
