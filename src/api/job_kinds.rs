//! The kinds of jobs.

use ::export::ExportKind;
use ::ingest::job::IngestKind;
use job::AnyKind;

/// All kinds of jobs.
pub const KINDS: [AnyKind; 2] = [AnyKind::of::<IngestKind>(), AnyKind::of::<ExportKind>()];

/// Returns whether the server itself stores objects of the bucket under that key.
#[must_use]
pub fn is_own_object(key: &str) -> bool {
    KINDS.iter().flat_map(|kind| kind.prefixes).any(|prefix| key.starts_with(prefix))
}
