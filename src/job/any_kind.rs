//! Kinds of jobs without their types, for operations on the jobs of all kinds that need only statements.

use super::kind::{Kind, Report};
use super::state::end_of_jobs;
use database::Statement;

/// A kind of jobs without its types.
#[derive(Debug, Clone, Copy)]
pub struct AnyKind {
    /// See [`Kind::NAME`].
    pub(super) name: &'static str,
    /// See [`Kind::STORES_RECORDS`].
    pub(super) stores_records: bool,
    /// See [`Kind::PREFIXES`].
    pub prefixes: &'static [&'static str],
    stop: fn(&str) -> Vec<Statement>,
}

impl AnyKind {
    /// Returns the kind as a value.
    pub const fn of<K: Kind>() -> Self {
        Self { name: K::NAME, stores_records: K::STORES_RECORDS, prefixes: K::PREFIXES, stop: stop::<K> }
    }

    /// Returns the statements that end the jobs of this kind for a client that is stopped.
    pub fn stop_client(&self, client: &str) -> Vec<Statement> {
        (self.stop)(client)
    }
}

fn stop<K: Kind>(client: &str) -> Vec<Statement> {
    let jobs = format!("SELECT id FROM job WHERE client = ?1 AND kind = '{}'", K::NAME);
    end_of_jobs(&jobs, client, &K::Report::stopped(), "unixepoch() * 1000000")
}
