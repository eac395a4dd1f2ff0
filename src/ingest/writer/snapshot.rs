//! Writing to databases that answer asynchronously, such as D1.
//!
//! The work runs on a snapshot: the rows that have been read so far. If it looks up other rows, these lookups are
//! recorded, the work is aborted, the missing rows are read in one trip, and the work starts again. Once nothing is
//! missing, its changes are written. The number of trips depends on how far lookups depend on one another.

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

/// The most bytes of stored charts that a work reads, unless it cannot be divided. They are in memory several times: in
/// the old form, in the new form, and in statements.
const MAX_CHART_BYTES: u64 = 6 << 20;

type Known = HashMap<Lookup, Vec<Row>>;

/// The tables, as far as they have been read, with the changes of a work.
#[derive(Debug)]
pub struct Snapshot<'a> {
    known: &'a Known,
    /// The rows of the lookups that the work has changed.
    changed: Known,
    missing: RefCell<HashSet<Lookup>>,
    changes: Vec<Change>,
    /// The charts to write, by the compartment and the number of the type.
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

    /// Returns the rows of a lookup for changing them. `None` if they have not been read.
    fn rows_mut(&mut self, lookup: &Lookup) -> Option<&mut Vec<Row>> {
        if !self.changed.contains_key(lookup) {
            self.changed.insert(lookup.clone(), self.known.get(lookup)?.clone());
        }
        self.changed.get_mut(lookup)
    }

    /// Removes the rows with these values in some columns from all lookups.
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

    /// Replaces the row with the same key in all lookups.
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
            // No lookup reads facts or links.
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

/// The reason why the changes of a work were not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteFailure {
    /// The work has failed.
    #[error(transparent)]
    Work(WriteError),
    /// A database did not answer, or rejected the changes because others had changed the same charts.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The charts to read have more than `MAX_CHART_BYTES`. Nothing was written.
    #[error("it reads too much at once")]
    TooMuch,
}

/// The result of a work whose changes were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written<R> {
    /// The result of the work.
    pub result: R,
    /// True if stored data were changed or removed.
    pub corrects: bool,
}

/// Returns the time, in microseconds since 1970.
#[derive(Clone, Copy)]
pub struct Clock<'a>(pub &'a dyn Fn() -> Micros);

impl Debug for Clock<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock(..)")
    }
}

/// Runs a work on databases whose records are indexed by a set of parameters, and writes its changes. The work runs
/// several times, and must do the same each time. Its changes are stored with the start time of the last run. With
/// `may_be_divided`, it fails if it reads too much at once.
///
/// # Errors
/// The errors of the work and of the databases. Then nothing is written. With several shards, some changes may be
/// written, which the same work completes; they count as a correction.
pub async fn write<D: Database, R>(
    databases: &RecordDatabases<'_, D>,
    set: &'static IndexSet,
    clock: Clock<'_>,
    may_be_divided: bool,
    mut work: impl AsyncFnMut(&mut Writer<Snapshot<'_>>) -> Result<R, WriteError>,
) -> Result<Written<R>, WriteFailure> {
    let (mut known, mut chart_bytes) = (Known::new(), 0);
    loop {
        let mut writer = Writer::new(Snapshot::of(&known), set);
        writer.change_at(clock.0());
        writer.relies_on_whole_loads = databases.is_one();
        let worked = work(&mut writer).await;
        let corrects = writer.corrects();
        let Snapshot { missing, changes, .. } = writer.into_tables();
        let missing: Vec<_> = missing.into_inner().into_iter().collect();
        if missing.is_empty() {
            let result = worked.map_err(WriteFailure::Work)?;
            databases.write(&changes).await?;
            return Ok(Written { result, corrects });
        }
        if may_be_divided && missing.iter().filter(|lookup| matches!(lookup, Lookup::Chart(..))).nth(1).is_some() {
            chart_bytes += databases.chart_bytes(&missing).await?;
            if chart_bytes > MAX_CHART_BYTES {
                return Err(WriteFailure::TooMuch);
            }
        }
        let rows = databases.look_up(&missing).await?;
        known.extend(missing.into_iter().zip(rows));
    }
}
