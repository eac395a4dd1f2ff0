//! The kinds of jobs, for the commands that stop jobs or have them done again.

use crate::ingest::job::FileJobs;
use crate::job::AnyKind;

/// All kinds of jobs.
pub const KINDS: [AnyKind; 1] = [AnyKind::of::<FileJobs>()];
