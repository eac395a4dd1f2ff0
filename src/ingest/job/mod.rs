//! Jobs that load files, in any order and any number of times: the first kind of [`::job`]. A file is sent to the
//! server ([`IngestJobs::accept`]), or it is put into the server's bucket, which sends a notification. A long file is
//! first divided into parts, by patient.
//!
//! Repeated steps have the same effect, because the newer form of a resource counts, and the time of a load is the time
//! of its job.

mod divide;
mod jobs;
mod keys;
mod kind;
mod lines;
mod whole_text;
mod work;

pub use crate::breaks::Pause;
pub use jobs::IngestJobs;
pub use kind::{IngestKind, JobStatus, LoadParameters};
pub use work::{LoadedPart, Progress, TargetRecords};
