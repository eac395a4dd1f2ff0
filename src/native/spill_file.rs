//! The temporary file for the facts of a load. SQLite deletes it.

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::{Connection, OptionalExtension, params};

use super::Failure;
use ingest::{NameDigest, SpillTable, SpilledValue};

/// A table in a temporary file.
#[derive(Debug)]
pub struct SpillFile {
    database: Connection,
    failure: Rc<RefCell<Option<Failure>>>,
}

impl SpillFile {
    /// Creates a file, which exists once the table no longer fits into its cache of 64 MiB. Values are appended; only
    /// their names are sorted. `failure` receives the first fault.
    ///
    /// # Errors
    /// If SQLite does not answer.
    pub fn new(failure: Rc<RefCell<Option<Failure>>>) -> Result<Self, Failure> {
        let database = Connection::open("")?;
        database.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; \
             CREATE TABLE spilled (name BLOB PRIMARY KEY, value BLOB NOT NULL);",
        )?;
        Ok(Self { database, failure })
    }

    fn note<R>(&self, result: rusqlite::Result<R>) -> Option<R> {
        let keep = |failure| _ = self.failure.borrow_mut().get_or_insert(failure);
        result.map_err(Failure::doing("the temporary file of a load")).map_err(keep).ok()
    }

    fn try_put(&self, values: &[SpilledValue]) -> rusqlite::Result<()> {
        let transaction = self.database.unchecked_transaction()?;
        let mut insert = transaction.prepare_cached("INSERT OR REPLACE INTO spilled VALUES (?1, ?2)")?;
        for (name, value) in values {
            insert.execute(params![name, value])?;
        }
        drop(insert);
        transaction.commit()
    }
}

impl SpillTable for SpillFile {
    fn batch(&self) -> usize {
        // In tests, small loads spill too.
        if cfg!(debug_assertions) { 16 } else { 200_000 }
    }

    fn value(&self, key: &NameDigest) -> Option<Vec<u8>> {
        let select = self.database.prepare_cached("SELECT value FROM spilled WHERE name = ?1");
        self.note(select.and_then(|mut select| select.query_row([key], |row| row.get(0)).optional())).flatten()
    }

    fn put(&self, values: &[SpilledValue]) {
        self.note(self.try_put(values));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_latest_values_and_notes_its_first_failure() {
        let failure = Rc::default();
        let file = SpillFile::new(Rc::clone(&failure)).unwrap();
        let (one, two) = ([1; 16], [2; 16]);
        let value = |text: &str| text.as_bytes().into();
        file.put(&[(one, value("a"))]);
        file.put(&[(one, value("c"))]);
        assert_eq!((file.value(&one), file.value(&two)), (Some(b"c".to_vec()), None));
        assert!(failure.borrow().is_none());
        file.database.execute_batch("DROP TABLE spilled").unwrap();
        assert_eq!(file.value(&one), None);
        assert!(failure.borrow().as_ref().is_some_and(|Failure(why)| why.contains("spilled")), "{failure:?}");
    }
}
