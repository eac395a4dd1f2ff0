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
