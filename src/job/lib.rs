//! Jobs: work in the background that is divided into parts, each of which may be begun several times. An [`Engine`]
//! runs the jobs of one [`Kind`], such as loads of files, and a [`Work`] does what is to be done for them.
//!
//! The rows of a job are the truth: a message of the queue only says which job to go on with, and a lost one is sent
//! again ([`Engine::resume`]). Messages may be lost, repeated, and come in any order, so that whatever a [`Work`] does
//! twice has to have the same effect.
//!
//! A job goes through these states:
//!
//! 1. accepted ([`Engine::admit`], [`Engine::add`]);
//! 2. divided: its parts are known ([`Work::plan`]), and one after the other has a message;
//! 3. done: each part has a report ([`Work::run`]). One that has failed too often is given up
//!    ([`Engine::give_up`]), and all of a client end when the operator stops it;
//! 4. ended. Jobs of most kinds end with their last part. Those of a kind that concludes ([`Kind::CONCLUDES`]) may get
//!    further parts then ([`Work::conclude`]).
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
pub use engine::{Admission, Engine, JobAnswer};
pub use error::JobError;
pub use kind::{Conclusion, DonePart, JobOf, Kind, PartOf, PartResult, Plan, Progress, Report, Work};
pub use message::{Message, NotifiedObject};
pub use ports::{Bucket, LocalFuture, ObjectInfo, Queue, StorageError};
pub use record::{Backlog, Job, Part, Stalled};
pub use replay::Replay;
pub use state::{before, end_of_jobs, ids, statement, stored};
pub use status::JobStatus;
