//! The keys of objects in the bucket, and the ids of jobs that follow from what they are about.

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};

/// The beginning of the keys of files that were sent to the server.
const SENT: &str = "jobs/";
/// The beginning of the keys of objects with lines of a file that is divided.
const PIECES: &str = "pieces/";
/// The beginning of the keys of reports.
const REPORTS: &str = "reports/";
/// The longest key that R2 takes, in bytes (<https://developers.cloudflare.com/r2/platform/limits/>).
const LONGEST_KEY: usize = 1_024;

/// The key of the file that a job was sent with.
pub fn key_of_sent(job: &str, is_gzip: bool) -> String {
    format!("{SENT}{job}{}", if is_gzip { ".gz" } else { "" })
}

/// Returns whether this server has stored the object of that key. A notification of it is no new job.
pub fn is_own(key: &str) -> bool {
    [SENT, PIECES, REPORTS].iter().any(|start| key.starts_with(start))
}

/// The key of an object with lines of a file that is divided.
pub fn key_of_piece(job: &str, object: usize) -> String {
    format!("{PIECES}{job}/{object}")
}

/// The key of the report of a file. That of a file with a long key is named after its job.
pub fn key_of_report(file: &str, job: &str) -> String {
    let key = format!("{REPORTS}{file}.json");
    if key.len() <= LONGEST_KEY { key } else { format!("{REPORTS}{job}.json") }
}

/// An id that follows from these texts.
pub fn id_of(parts: &[&str]) -> String {
    let digest = parts.iter().fold(Sha256::new(), |digest, part| {
        digest.chain_update((part.len() as u64).to_be_bytes()).chain_update(part.as_bytes())
    });
    encode_string(digest.finalize().get(..16).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_has_a_key_that_the_bucket_takes() {
        assert_eq!(key_of_report("a/b.ndjson", "j"), "reports/a/b.ndjson.json");
        assert_eq!(key_of_report(&"k".repeat(1_020), "j"), "reports/j.json");
        assert!(["reports/a", "jobs/a", "pieces/a/0"].iter().all(|key| is_own(key)) && !is_own("job/a"));
    }
}
