//! Jobs that load files, in any order and any number of times: the first kind of [`crate::job`]. A file is sent to the
//! server ([`IngestJobs::accept`]), or it is put into its bucket and a notification comes. A file that is long is
//! divided into parts first, by patient.
//!
//! Whatever is done twice has the same effect, because the newer form of a resource counts and the time of a load is
//! that of its job.

mod divide;
mod jobs;
mod keys;
mod kind;
mod lines;
mod work;

pub use jobs::IngestJobs;
pub use kind::{IngestKind, JobStatus, LoadParameters};
pub use work::{LoadedPart, Pause, Progress, TargetRecords};
