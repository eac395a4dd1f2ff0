//! The kinds of jobs.

use ::export::ExportKind;
use ::ingest::job::IngestKind;
use job::AnyKind;

/// All kinds of jobs.
pub const KINDS: [AnyKind; 2] = [AnyKind::of::<IngestKind>(), AnyKind::of::<ExportKind>()];

/// Returns whether the object of the bucket with that key is the server's own.
#[must_use]
pub fn is_own_object(key: &str) -> bool {
    KINDS.iter().flat_map(|kind| kind.prefixes).any(|prefix| key.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_s_own_objects_are_those_of_the_local_bucket_and_of_the_document() {
        let prefixes: Vec<_> = KINDS.iter().flat_map(|kind| kind.prefixes).collect();
        let list =
            format!("const OWN = ['{}'];", prefixes.iter().map(|prefix| **prefix).collect::<Vec<_>>().join("', '"));
        assert!(include_str!("../../tools/server/arrivals.mjs").contains(&list), "{list}");
        for prefix in prefixes {
            assert!(include_str!("../../docs/ingest.md").contains(&format!("`{prefix}`")), "{prefix}");
            assert!(is_own_object(&format!("{prefix}a")) && !is_own_object(&format!("a/{prefix}a")));
        }
    }
}
