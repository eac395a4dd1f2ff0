//! Writing to databases that answer asynchronously, such as D1.
//!
//! The work runs on a snapshot: the rows that were read so far. What it looks up besides is noted, the work is given
//! up, the missing rows are read in one trip, and the work begins again. It ends when nothing is missing; then its
//! changes are written. A work needs as many trips as its lookups depend on one another, whatever their number.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{Debug, Formatter};

use super::error::WriteError;
use super::gathered::{GatheredChart, ResourceEdit};
use super::resource_writer::Writer;
use super::tables::Tables;
use database::{Database, DatabaseError};
use fhir::Micros;
use search::IndexSet;
use store::sql::{Change, Lookup, RecordDatabases, Row, Table, Value};

/// The most bytes of stored charts that a work reads, unless it cannot be divided. They are in memory several times: as
/// they were, as they become, and as statements.
const MAX_CHART_BYTES: u64 = 6 << 20;

/// The rows of lookups.
type Known = HashMap<Lookup, Vec<Row>>;

/// The tables as far as they were read, with the changes of a work.
#[derive(Debug)]
pub struct Snapshot<'a> {
    known: &'a Known,
    /// The rows of lookups that the work has changed.
    changed: Known,
    missing: RefCell<HashSet<Lookup>>,
    changes: Vec<Change>,
    /// The charts to write, by compartment and by the number of the type.
    gathered: BTreeMap<(i64, u8), GatheredChart>,
}

impl<'a> Snapshot<'a> {
    fn of(known: &'a Known) -> Self {
        Self {
            known,
            changed: Known::new(),
            missing: RefCell::default(),
            changes: Vec::new(),
            gathered: BTreeMap::new(),
        }
    }

    /// The rows of a lookup, to change them. `None` if they were not read.
    fn rows_mut(&mut self, lookup: &Lookup) -> Option<&mut Vec<Row>> {
        if !self.changed.contains_key(lookup) {
            self.changed.insert(lookup.clone(), self.known.get(lookup)?.clone());
        }
        self.changed.get_mut(lookup)
    }

    /// Removes the rows with these values in some columns wherever they were found.
    fn delete_all(&mut self, table: Table, values: &[(&str, Value)]) {
        let has = |row: &Row| {
            let columns = table.columns().iter().map(|(name, _)| *name).zip(row);
            columns.filter(|column| values.iter().any(|(name, of)| *column == (*name, of))).count() == values.len()
        };
        let of_table = self.known.keys().filter(|lookup| lookup.table() == table && self.rows(lookup).iter().any(has));
        for lookup in of_table.cloned().collect::<Vec<_>>() {
            self.rows_mut(&lookup).into_iter().for_each(|rows| rows.retain(|row| !has(row)));
        }
    }

    /// Replaces the row with the same key wherever it was found.
    fn put(&mut self, table: Table, row: &Row) {
        for lookup in Lookup::of(table, row) {
            if let Some(rows) = self.rows_mut(&lookup) {
                let key = table.key().len();
                rows.retain(|other| other.get(..key) != row.get(..key));
                rows.push(row.clone());
            }
        }
    }
}

impl Tables for Snapshot<'_> {
    fn rows(&self, lookup: &Lookup) -> Vec<Row> {
        let rows = self.changed.get(lookup).or_else(|| self.known.get(lookup)).cloned();
        rows.unwrap_or_else(|| {
            self.missing.borrow_mut().insert(lookup.clone());
            Vec::new()
        })
    }

    fn lacks_rows(&self) -> bool {
        !self.missing.borrow().is_empty()
    }

    fn change(&mut self, change: Change) {
        if self.lacks_rows() {
            return;
        }
        match &change {
            Change::Put(table, row) => self.put(*table, row),
            Change::Resource { row, .. } => self.put(Table::Resource, row),
            Change::Delete(table, key) => {
                for lookup in Lookup::of(*table, key) {
                    if let Some(rows) = self.rows_mut(&lookup) {
                        rows.retain(|row| row.get(..key.len()) != Some(key));
                    }
                }
            }
            Change::List { n, id } => {
                self.put(Table::Compartment, &vec![(*n).into(), id.as_str().into(), 0.into()]);
            }
            Change::Compartment { n, id, version } => {
                self.put(Table::Compartment, &vec![(*n).into(), id.as_str().into(), (*version).into()]);
            }
            Change::Version { n, after, .. } => {
                for row in self.rows_mut(&Lookup::Charts(*n)).into_iter().flatten() {
                    if let Some(version) = row.get_mut(2) {
                        *version = Value::Integer(*after);
                    }
                }
            }
            // No lookup reads facts and links.
            Change::DeleteAll(Table::Fact | Table::Link, _) => {}
            Change::DeleteAll(table, values) => self.delete_all(*table, values),
        }
        self.changes.push(change);
    }

    fn gather(&mut self, ResourceEdit { n, resource_type, id, data }: ResourceEdit) {
        let new = || GatheredChart { n, resource_type, resources: BTreeMap::new() };
        self.gathered.entry((n, resource_type.number())).or_insert_with(new).resources.insert(id, data);
    }

    fn next_gathered(&mut self) -> Option<GatheredChart> {
        self.gathered.pop_first().map(|(_, gathered)| gathered)
    }
}

/// The reason why a work was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteFailure {
    /// The work has failed.
    #[error(transparent)]
    Work(WriteError),
    /// A database did not answer, or did not accept the changes because others had changed the same charts.
    #[error(transparent)]
    Database(DatabaseError),
    /// The charts that it reads are more than `MAX_CHART_BYTES`. Nothing was written.
    #[error("it reads too much at once")]
    TooMuch,
}

/// The result of a work that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written<R> {
    /// The result of the work.
    pub result: R,
    /// True if it has changed or removed what was stored before.
    pub corrects: bool,
}

/// Tells the time, in microseconds since 1970.
#[derive(Clone, Copy)]
pub struct Clock<'a>(pub &'a dyn Fn() -> Micros);

impl Debug for Clock<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock(..)")
    }
}

/// Runs a work on databases whose records are indexed by a set of parameters, and writes what it changes. It runs
/// several times, and has to do the same each time. What it changes keeps the time at which the last run began.
/// `may_be_divided` says whether it fails where it reads too much at once.
///
/// # Errors
/// The errors of the work and of the databases. Then nothing is written, or with several shards a part, which the
/// same work completes; the part counts as a correction.
pub async fn write<D: Database, R>(
    databases: &RecordDatabases<'_, D>,
    set: &'static IndexSet,
    clock: Clock<'_>,
    may_be_divided: bool,
    mut work: impl FnMut(&mut Writer<Snapshot<'_>>) -> Result<R, WriteError>,
) -> Result<Written<R>, WriteFailure> {
    let mut result = None;
    let mut keep_result = |writer: &mut Writer<Snapshot<'_>>| {
        result = Some(work(writer)?);
        Ok(())
    };
    let corrects = run_until_known(databases, set, clock, may_be_divided, &mut keep_result).await?;
    let result = result.ok_or_else(|| WriteFailure::Work(WriteError::new("the work has not run")))?;
    Ok(Written { result, corrects })
}

/// Does what [`write`] does, compiled once for all works. Returns whether something was corrected.
async fn run_until_known<D: Database>(
    databases: &RecordDatabases<'_, D>,
    set: &'static IndexSet,
    clock: Clock<'_>,
    may_be_divided: bool,
    work: &mut dyn FnMut(&mut Writer<Snapshot<'_>>) -> Result<(), WriteError>,
) -> Result<bool, WriteFailure> {
    let (mut known, mut chart_bytes) = (Known::new(), 0);
    loop {
        let mut writer = Writer::new(Snapshot::of(&known), set);
        writer.change_at(clock.0());
        if databases.is_one() {
            writer.rely_on_whole_loads();
        }
        let worked = work(&mut writer);
        let corrects = writer.corrects();
        let Snapshot { missing, changes, .. } = writer.into_tables();
        let missing: Vec<_> = missing.into_inner().into_iter().collect();
        if missing.is_empty() {
            worked.map_err(WriteFailure::Work)?;
            databases.write(&changes).await.map_err(WriteFailure::Database)?;
            return Ok(corrects);
        }
        if may_be_divided && missing.iter().filter(|lookup| matches!(lookup, Lookup::Chart(..))).nth(1).is_some() {
            chart_bytes += databases.chart_bytes(&missing).await.map_err(WriteFailure::Database)?;
            if chart_bytes > MAX_CHART_BYTES {
                return Err(WriteFailure::TooMuch);
            }
        }
        let rows = databases.look_up(&missing).await.map_err(WriteFailure::Database)?;
        known.extend(missing.into_iter().zip(rows));
    }
}
