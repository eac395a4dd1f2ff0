//! Jobs that are repeated.

use serde_json::Value;

use super::any_kind::AnyKind;
use super::state::statement;
use database::Statement;
use fhir::Micros;

/// The jobs that are repeated after a restore: all since a time that store records, except those of excluded clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The time.
    pub since: Micros,
    /// The clients whose jobs are left out.
    pub except: Vec<String>,
}

impl Replay {
    /// Returns the statements that reset the jobs of these kinds that store records to the state after their
    /// acceptance. The cron trigger begins them. The last statement returns the number of jobs that are left out for
    /// each client, in the columns `client` and `jobs`.
    pub fn statements(&self, kinds: &[AnyKind]) -> [Statement; 3] {
        let left_out = "client IN (SELECT client FROM stopped_client UNION SELECT value FROM json_each(?2))";
        let names = kinds.iter().filter(|kind| kind.stores_records).map(|kind| format!("'{}'", kind.name));
        let all = format!("created_at >= ?1 AND kind IN ({})", names.collect::<Vec<_>>().join(", "));
        let since = format!("{all} AND ({left_out}) IS NOT TRUE");
        let with = |text: &str| statement(text, [self.since.to_string(), Value::from(self.except.clone()).to_string()]);
        [
            with(&format!("DELETE FROM job_part WHERE job IN (SELECT id FROM job WHERE {since})")),
            with(&format!("UPDATE job SET divided = 0, notes = NULL, ended_at = NULL, touched_at = 0 WHERE {since}")),
            with(&format!("SELECT client, count(*) AS jobs FROM job WHERE {all} AND {left_out} GROUP BY client")),
        ]
    }
}
