//! Loads and other changes of a database file, in one transaction.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use rusqlite::{Connection, OptionalExtension};

use super::Failure;
use super::export::literal;
use super::schema::{database, has_format};
use super::shards::{raise_corrections, schema};
use super::spill_file::SpillFile;
use super::sqlite_tables::SqliteTables;
use fhir::{Id, Micros, Reference, ResourceType};
use ingest::writer::{Records, SkippedCompartments, WriteError};
use ingest::{self, IndexedEntry, LoadRefusal, LoadTarget, SpillTable, Stored, narrowing};
use search::IndexSet;
use store::names::has_own_rows;
use store::{IndexedParams, IndexedResource, format, wanted_set};

/// A writer of a database.
pub struct SqliteWriter {
    writer: ingest::Writer<SqliteTables<Connection>>,
    changed_at: Option<Micros>,
    /// The compartments that a load leaves unchanged.
    skipped: SkippedCompartments,
    /// Other compartments, in which a chart could not be read or written, each with the reason.
    failed: RefCell<SkippedCompartments>,
    /// The first fault of the temporary files of loads.
    spill_failure: Rc<RefCell<Option<Failure>>>,
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error.compartment.filter(|_| error.is_damage) {
            Some(n) => Self(format!(
                "{}: edgechart discard --compartment {n} deletes all charts of that patient, to be loaded again",
                error.why
            )),
            None => Self(error.why),
        }
    }
}

impl SqliteWriter {
    /// Opens a database file.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::over(database(path)?)
    }

    /// Makes a writer on an open connection. New records are indexed by the parameters of US Core.
    pub fn over(connection: Connection) -> Result<Self, Failure> {
        connection.execute_batch("PRAGMA temp_store = FILE; PRAGMA cache_size = -131072;")?;
        Self::begin(connection, SkippedCompartments::new(), None)
    }

    /// Makes a writer on an open connection, for records that are indexed by a set of parameters.
    ///
    /// # Errors
    /// If the tables were written in another format, or their records are to be indexed by another set.
    pub fn indexing(connection: Connection, set: &'static IndexSet) -> Result<Self, Failure> {
        if let Some(wanted) = wanted(&connection)?.filter(|wanted| *wanted != set) {
            return Err(Failure(format!(
                "the records are indexed by the set {}, and not by {1}: edgechart reindex --index \"{1}\" changes it",
                wanted.name(),
                set.name()
            )));
        }
        connection.execute_batch("PRAGMA temp_store = FILE; PRAGMA cache_size = -131072;")?;
        Self::begin(connection, SkippedCompartments::new(), Some(set))
    }

    /// Makes a writer on an open connection, for records that are to be indexed by a set of parameters from now on.
    /// Records that are indexed by another set must be indexed again.
    pub fn turning_to(connection: Connection, set: &'static IndexSet) -> Result<Self, Failure> {
        connection.execute_batch(&want(set))?;
        Self::over(connection)
    }

    /// Makes a writer that leaves these compartments unchanged. `first` is the set of parameters of first records.
    fn begin(
        connection: Connection,
        skipped: SkippedCompartments,
        first: Option<&'static IndexSet>,
    ) -> Result<Self, Failure> {
        let tables = SqliteTables::of(connection)?;
        let mut without_format = Vec::new();
        for shard in 0..tables.shards.count {
            if !has_format(tables.connection(), schema(shard))? {
                without_format.push(shard);
            }
        }
        let set = wanted(tables.connection())?.or(first).unwrap_or(IndexSet::us_core());
        let writer = ingest::Writer::new(tables, set);
        let (failed, spill_failure) = (RefCell::default(), Rc::default());
        let mut writer = Self { writer, changed_at: None, skipped, failed, spill_failure };
        writer.writer.bar(&writer.skipped);
        writer.connection().execute_batch("BEGIN IMMEDIATE")?;
        for shard in without_format {
            let text = format!("INSERT INTO {}.format (number) VALUES (?1)", schema(shard));
            writer.connection().execute(&text, [format()])?;
            if shard == 0 {
                writer.set_params(&IndexedParams::of(set))?;
                writer.connection().execute_batch(&want(set))?;
            }
        }
        for statement in narrowing(set) {
            writer.connection().execute_batch(&statement)?;
        }
        Ok(writer)
    }

    /// Stores this time as the time of all further changes. Until this is called, the time is unknown.
    pub const fn change_at(&mut self, time: Micros) {
        self.changed_at = Some(time);
        self.writer.change_at(time);
    }

    fn connection(&self) -> &Connection {
        self.writer.tables().connection()
    }

    const fn tables(&mut self) -> &mut SqliteTables<Connection> {
        self.writer.tables_mut()
    }

    /// Returns the parameters by which all rows and names are indexed.
    fn params(&self) -> Result<IndexedParams, Failure> {
        let text: String = self.connection().query_row("SELECT params FROM main.format", [], |row| row.get(0))?;
        IndexedParams::parse(&text)
            .ok_or_else(|| Failure("the list of parameters in the table format is damaged".to_owned()))
    }

    fn set_params(&self, params: &IndexedParams) -> Result<(), Failure> {
        let text = format!("UPDATE format SET params = {}", literal(&params.text()));
        Ok(self.connection().execute_batch(&text)?)
    }

    /// Writes what was gathered, and commits. If stored records are corrected, the number of corrections is raised.
    ///
    /// # Errors
    /// If the database does not accept it.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.write()?;
        if let Some((_, why)) = self.failed.borrow_mut().pop_first() {
            return Err(Failure(why));
        }
        let corrects = self.writer.corrects();
        let connection = self.writer.into_tables().finish()?;
        connection.execute_batch("COMMIT")?;
        if corrects { raise_corrections(&connection) } else { Ok(()) }
    }

    /// Returns whether a chart could not be read or written.
    pub fn has_failed(&self) -> bool {
        !self.failed.borrow().is_empty()
    }

    /// Rolls the transaction back, and begins a new one. The compartments that have failed are left unchanged.
    ///
    /// # Errors
    /// If the database cannot be written, or only skipped compartments have failed.
    pub fn begin_again(self) -> Result<Self, Failure> {
        let Self { writer, changed_at, mut skipped, failed, .. } = self;
        let set = writer.set();
        let mut failed = failed.take();
        if let Some((_, why)) = failed.first_key_value().filter(|_| failed.keys().all(|n| skipped.contains_key(n))) {
            return Err(Failure(why.clone()));
        }
        skipped.append(&mut failed);
        writer.tables().connection().execute_batch("ROLLBACK")?;
        let connection = writer.into_tables().finish()?;
        let mut again = Self::begin(connection, skipped, Some(set))?;
        changed_at.into_iter().for_each(|time| again.change_at(time));
        Ok(again)
    }

    /// Returns the first fault of the tables, or of the temporary files of loads, if there was one.
    fn check(&self) -> Result<(), Failure> {
        self.writer.tables().check()?;
        self.spill_failure.take().map_or(Ok(()), Err)
    }

    /// Records an error that concerns one compartment, and returns it as the fault of a resource.
    fn fail(&self, error: WriteError) -> Result<LoadRefusal, Failure> {
        let compartment = error.compartment;
        let failure = Failure::from(error);
        let Some(n) = compartment else { return Err(failure) };
        self.failed.borrow_mut().insert(n, failure.0.clone());
        Ok(LoadRefusal(failure.0))
    }

    /// Writes the charts, and inserts the gathered facts.
    fn write(&mut self) -> Result<(), Failure> {
        self.flush()?;
        self.tables().insert_facts()
    }

    /// Ends the transaction, and begins the next one.
    fn commit(&mut self) -> Result<(), Failure> {
        self.write()?;
        Ok(self.connection().execute_batch("COMMIT; BEGIN IMMEDIATE")?)
    }

    /// Rewrites the charts that are not indexed by the set of parameters, in a separate transaction for each
    /// compartment. Returns their number. `unread` receives the reasons why other charts are left unchanged.
    ///
    /// # Errors
    /// If the database does not answer or accept the changes.
    pub fn index_charts(&mut self, unread: &mut Vec<String>) -> Result<usize, Failure> {
        let numbers: Vec<i64> = {
            let mut statement = self.connection().prepare("SELECT n FROM main.compartment ORDER BY n")?;
            statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        let mut all = 0;
        for n in numbers {
            let indexed = self.writer.index_charts(n);
            self.tables().check()?;
            let (count, errors) = indexed?;
            unread.extend(errors.into_iter().map(|error| Failure::from(error).0));
            if count > 0 {
                all += count;
                self.commit()?;
            }
        }
        Ok(all)
    }

    /// Stores the rows of all types again that lack a parameter or may have a superfluous one, and records that rows
    /// and names lack no parameter. Returns the number of changed resources. `unread` receives the reasons why other
    /// resources are left unchanged.
    ///
    /// # Errors
    /// If the database does not answer or accept the changes.
    pub fn index_rows(&mut self, unread: &mut Vec<String>) -> Result<usize, Failure> {
        let (params, all) = (self.params()?, IndexedParams::of(self.writer.set()));
        let mut count = 0;
        for resource_type in ResourceType::served().iter().copied().filter(|resource_type| has_own_rows(*resource_type))
        {
            for reference in stored(self.connection(), resource_type)? {
                match self.writer.index_row(&reference) {
                    Ok(stored) => count += usize::from(stored == Stored::Changed),
                    Err(error) => unread.push(error.why),
                }
            }
            self.tables().check()?;
        }
        if params != all {
            self.set_params(&all)?;
        }
        Ok(count)
    }
}

/// Returns the statement that records the set of parameters by which the records are to be indexed.
fn want(set: &IndexSet) -> String {
    format!("UPDATE format SET wanted = {}", literal(set.text()))
}

/// Returns the set of parameters by which the records of a database are to be indexed. `None` if there are no records.
///
/// # Errors
/// If this version does not know the set, or the database does not answer.
pub fn wanted(database: &Connection) -> Result<Option<&'static IndexSet>, Failure> {
    let noted: Option<String> =
        database.query_row("SELECT wanted FROM main.format", [], |row| row.get(0)).optional()?;
    noted.map(|noted| wanted_set(&noted).map_err(Failure)).transpose()
}

fn stored(database: &Connection, resource_type: ResourceType) -> Result<Vec<Reference>, Failure> {
    let mut statement = database.prepare_cached("SELECT id FROM main.resource WHERE type = ?1 ORDER BY rowid")?;
    let ids: Vec<String> = statement.query_map([resource_type.name()], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(ids.iter().filter_map(|id| Id::parse(id)).map(|id| Reference { resource_type, id }).collect())
}

impl LoadTarget for SqliteWriter {
    type Error = Failure;
    type Earlier = Records<SqliteTables<Connection>>;

    fn earlier(&self) -> &Self::Earlier {
        self.writer.earlier()
    }

    fn set(&self) -> &'static IndexSet {
        self.writer.set()
    }

    fn spill_table(&self) -> Result<Option<Rc<dyn SpillTable>>, Failure> {
        Ok(Some(Rc::new(SpillFile::new(Rc::clone(&self.spill_failure))?)))
    }

    fn store(&mut self, indexed: IndexedEntry) -> Result<Result<Stored, LoadRefusal>, Failure> {
        let stored = self.writer.store(indexed);
        self.check()?;
        stored.or_else(|error| self.fail(error).map(Err))
    }

    fn remove(&mut self, reference: &Reference, at: Micros) -> Result<Result<bool, LoadRefusal>, Failure> {
        let removed = self.writer.remove(reference, at);
        self.check()?;
        removed.or_else(|error| self.fail(error).map(Err))
    }

    fn flush(&mut self) -> Result<(), Failure> {
        // Each fault concerns one chart, and the next call continues after it.
        loop {
            let flushed = self.writer.flush();
            self.check()?;
            let Err(error) = flushed else { return Ok(()) };
            self.fail(error)?;
        }
    }

    fn indexed(&self, reference: &Reference) -> Result<Result<Option<IndexedResource>, LoadRefusal>, Failure> {
        let indexed = self.writer.indexed(reference);
        self.check()?;
        indexed.or_else(|error| self.fail(error).map(Err))
    }
}
