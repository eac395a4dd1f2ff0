//! Jobs: background work that is divided into parts, each of which may be begun several times. An [`Engine`] runs the
//! jobs of one [`Kind`], such as loads of files, and a [`Work`] performs them.
//!
//! The state of a job is in its rows: a message of the queue only names the job to continue, and a lost message is sent
//! again ([`Engine::resume`]). Messages may be lost, repeated, and arrive in any order, so that every step of a
//! [`Work`] must be idempotent.
//!
//! A job goes through these states:
//!
//! 1. accepted ([`Engine::admit`], [`Engine::add`]);
//! 2. divided: its parts are known ([`Work::plan`]), and they get a message one after the other;
//! 3. done: each part has a report ([`Work::run`]). A part that has failed too often is given up
//!    ([`Engine::give_up`]). When the operator stops a client, all parts of its jobs end;
//! 4. ended. Jobs of most kinds end with their last part. Jobs of a kind that concludes ([`Kind::CONCLUDES`]) may get
//!    further parts instead ([`Work::conclude`]).
//!
//! Jobs are forgotten after 35 days ([`Engine::forget`]).

mod any_kind;
mod concluding;
mod engine;
mod error;
mod kind;
mod message;
mod ports;
mod record;
mod replay;
mod state;
mod status;
mod testing;

pub use any_kind::AnyKind;
pub use engine::{Engine, JobAnswer};
pub use error::JobError;
pub use kind::{Conclusion, DonePart, JobOf, Kind, PartOf, PartResult, Plan, Progress, Report, Work};
pub use message::{Message, NotifiedObject};
pub use ports::{Bucket, LocalFuture, ObjectInfo, Queue, StorageError};
pub use record::{Backlog, Job, Part};
pub use replay::Replay;
pub use state::{before, end_of_jobs, ids, statement, stored};
pub use status::JobStatus;
