//! Discards charts that cannot be read, so that a load writes them again.

use rusqlite::{Connection, params_from_iter};

use super::Failure;
use super::shards::raise_corrections;
use database::{RAISE_CORRECTIONS, Statement};
use fhir::Id;
use store::sql::compartment_keys;

/// The compartment whose charts are discarded.
#[derive(Debug, Clone)]
pub enum DiscardTarget {
    /// The compartment of a patient.
    Patient(Id),
    /// The compartment of this number, which the error of a load names.
    Compartment(i64),
}

impl DiscardTarget {
    /// Returns the statements for remote databases. The first two, for each database that may have charts of the
    /// compartment, delete the charts and change its version. The last one, for the database of the authorization
    /// server, keeps outdated replicas from being read. All three may be run in each of these databases.
    pub fn statements(&self) -> Vec<Statement> {
        let raise = Statement { text: RAISE_CORRECTIONS.to_owned(), binds: Vec::new() };
        self.changes().into_iter().chain([raise]).collect()
    }

    /// Returns two statements. The first deletes the rows of the charts. The second changes the compartment's version,
    /// so that no isolate uses its cached charts.
    fn changes(&self) -> [Statement; 2] {
        let (condition, bind) = match self {
            Self::Patient(patient) => ("id = ?1", patient.to_string()),
            Self::Compartment(n) => ("n = CAST(?1 AS INTEGER)", n.to_string()),
        };
        let (first, last) = compartment_keys(0, 0);
        let key = |offset: i64| format!("(SELECT n * {} + {offset} FROM compartment WHERE {condition})", last + 1);
        let delete = format!("DELETE FROM chart WHERE k BETWEEN {} AND {}", key(first), key(last));
        // In a directory, the version 0 means that the charts are in another database.
        let change = format!("UPDATE compartment SET version = version + 1 WHERE {condition} AND version <> 0");
        [delete, change].map(|text| Statement { text, binds: vec![bind.clone()] })
    }

    /// Deletes the charts from a database, and returns how many rows they had.
    ///
    /// # Errors
    /// If the database does not have the compartment, or does not accept the change.
    pub fn run(&self, database: &mut Connection) -> Result<usize, Failure> {
        let transaction = database.transaction()?;
        let [rows, compartments] =
            self.changes().map(|Statement { text, binds }| transaction.execute(&text, params_from_iter(binds)));
        let rows = rows?;
        if compartments? == 0 {
            return Err(Failure("the database has no charts of such a compartment".to_owned()));
        }
        transaction.commit()?;
        raise_corrections(database)?;
        Ok(rows)
    }
}
