//! The databases of the records: the directory, which is also the first shard, and the further shards. The map of
//! shards determines which of them has the charts of a compartment.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_util::future::try_join_all;

use super::chart_table::chart_keys;
use super::tables::{Change, ColumnType, Lookup, Row, ShardKey, Table, Value};
use crate::corrections::Corrections;
use crate::shards::{ShardMap, bucket_of};
use database::{Database, DatabaseError, Rows, Statement, run_all};

/// The map of shards that an isolate has read, with the number of corrections that were known at that time.
#[derive(Debug, Default)]
pub struct ShardMapCache(RefCell<Option<(i64, Rc<ShardMap>)>>);

impl ShardMapCache {
    /// Forgets the map, because it may have changed.
    pub fn forget(&self) {
        self.0.take();
    }
}

/// The databases of the records.
#[derive(Debug)]
pub struct RecordDatabases<'a, D> {
    directory: D,
    further: Option<FurtherShards<'a, D>>,
}

/// The shards after the first one.
#[derive(Debug)]
struct FurtherShards<'a, D> {
    databases: Vec<D>,
    primary: D,
    map: &'a ShardMapCache,
    corrections: &'a Corrections,
}

/// A statement for one of the databases.
#[derive(Debug)]
pub struct RoutedStatement {
    /// The database.
    pub to: Destination,
    /// The statement.
    pub statement: Statement,
}

/// The database of a statement.
#[derive(Debug, Clone)]
pub enum Destination {
    /// The directory, which also has the rows of types.
    Directory,
    /// The shard of the compartment with this id.
    Compartment(String),
}

impl RoutedStatement {
    /// Returns a statement for the directory.
    pub const fn directory(statement: Statement) -> Self {
        Self { to: Destination::Directory, statement }
    }
}

impl<'a, D> RecordDatabases<'a, D> {
    /// Returns a single database, which has the directory and all charts.
    pub const fn one(database: D) -> Self {
        Self { directory: database, further: None }
    }

    /// Returns the directory and the databases of the further shards, in order. `primary` is the directory's primary,
    /// which has the map of shards, and `map` is the map that the isolate has read. A move of charts counts as a
    /// correction, so that the map is read again after each of the `corrections`.
    pub const fn sharded(
        directory: D,
        databases: Vec<D>,
        primary: D,
        map: &'a ShardMapCache,
        corrections: &'a Corrections,
    ) -> Self {
        Self { directory, further: Some(FurtherShards { databases, primary, map, corrections }) }
    }

    /// Forgets the map of shards, so that it is read again.
    pub fn forget_map(&self) {
        if let Some(further) = &self.further {
            further.map.forget();
        }
    }

    /// Returns whether there is only one database, so that all changes are atomic.
    pub const fn is_one(&self) -> bool {
        self.further.is_none()
    }

    /// Returns all databases, the directory first.
    pub fn all(&self) -> impl Iterator<Item = &D> {
        std::iter::once(&self.directory).chain(self.further.iter().flat_map(|further| &further.databases))
    }
}

impl<D: Database> RecordDatabases<'_, D> {
    /// Runs statements in the databases to which they belong. The statements of a database are one batch, and the
    /// batches run at the same time. Returns the rows of each statement.
    pub async fn run(&self, statements: Vec<RoutedStatement>) -> Result<Vec<D::Rows>, DatabaseError> {
        let Some(further) = &self.further else {
            return run_all(&self.directory, statements.into_iter().map(|routed| routed.statement).collect()).await;
        };
        let map = further.map().await?;
        let shard = |to: &Destination| match to {
            Destination::Directory => 0,
            Destination::Compartment(compartment) => map.shard_of(compartment),
        };
        self.run_in(statements.into_iter().map(|routed| (shard(&routed.to), routed.statement)).collect()).await
    }

    /// Runs a statement in each database, at the same time. Returns the rows of each.
    pub async fn run_in_each(&self, statement: &Statement) -> Result<Vec<D::Rows>, DatabaseError> {
        self.run_in(self.all().enumerate().map(|(shard, _)| (shard, statement.clone())).collect()).await
    }

    /// Runs statements in the databases of these shards, like [`Self::run`].
    async fn run_in(&self, statements: Vec<(usize, Statement)>) -> Result<Vec<D::Rows>, DatabaseError> {
        let mut batches: Vec<(usize, Vec<usize>, Vec<Statement>)> = Vec::new();
        for (at, (shard, statement)) in statements.into_iter().enumerate() {
            match batches.iter_mut().find(|(other, ..)| *other == shard) {
                Some((_, positions, batch)) => {
                    positions.push(at);
                    batch.push(statement);
                }
                None => batches.push((shard, vec![at], vec![statement])),
            }
        }
        let run = async |(shard, positions, batch): (usize, Vec<usize>, Vec<Statement>)| {
            let no_shard = || DatabaseError::other(format!("there is no binding for shard {shard}"));
            let rows = run_all(self.all().nth(shard).ok_or_else(no_shard)?, batch).await?;
            Ok::<_, DatabaseError>(positions.into_iter().zip(rows).collect::<Vec<_>>())
        };
        let mut answers: Vec<_> = try_join_all(batches.into_iter().map(run)).await?.into_iter().flatten().collect();
        answers.sort_unstable_by_key(|(at, _)| *at);
        Ok(answers.into_iter().map(|(_, rows)| rows).collect())
    }

    /// Returns the map of shards.
    pub async fn map(&self) -> Result<Rc<ShardMap>, DatabaseError> {
        match &self.further {
            Some(further) => further.map().await,
            None => Ok(Rc::default()),
        }
    }

    /// Returns the size of the charts that lookups would read, without reading them.
    pub async fn chart_bytes(&self, lookups: &[Lookup]) -> Result<u64, DatabaseError> {
        let map = self.map().await?;
        let mut of_shards: BTreeMap<usize, Vec<serde_json::Value>> = BTreeMap::new();
        for lookup in lookups {
            if let Lookup::Chart(n, resource_type) = lookup {
                let (first, last) = chart_keys(*n, *resource_type);
                of_shards.entry(shard(&map, lookup.shard_key())).or_default().push(vec![first, last].into());
            }
        }
        let text = "SELECT coalesce(sum(length(c.data)), 0) AS bytes FROM json_each(?1) j CROSS JOIN chart c \
                    WHERE c.k BETWEEN j.value ->> 0 AND j.value ->> 1";
        let of_shard = |(shard, keys)| {
            let binds = vec![serde_json::Value::Array(keys).to_string()];
            (shard, Statement { text: text.to_owned(), binds })
        };
        let answers = self.run_in(of_shards.into_iter().map(of_shard).collect()).await?;
        answers.iter().map(|rows| rows.number::<u64>(0, "bytes").map(Option::unwrap_or_default)).sum()
    }

    /// Returns the rows of each lookup, read in one trip.
    pub async fn look_up(&self, lookups: &[Lookup]) -> Result<Vec<Vec<Row>>, DatabaseError> {
        let map = self.map().await?;
        let mut of_shards: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, lookup) in lookups.iter().enumerate() {
            of_shards.entry(shard(&map, lookup.shard_key())).or_default().push(at);
        }
        let (mut statements, mut of_statements) = (Vec::new(), Vec::new());
        for (shard, positions) in of_shards {
            let own: Vec<_> = positions.iter().filter_map(|at| lookups.get(*at).cloned()).collect();
            for (statement, of_own) in Lookup::statements(&own) {
                statements.push((shard, statement));
                of_statements.push(of_own.iter().filter_map(|at| positions.get(*at).copied()).collect::<Vec<_>>());
            }
        }
        let mut found = vec![Vec::new(); lookups.len()];
        for (rows, positions) in self.run_in(statements).await?.iter().zip(of_statements) {
            for row in 0..rows.count() {
                let at = parse_column::<usize>(rows, row, "at").and_then(|at| positions.get(at).copied());
                let lookup = at.and_then(|at| lookups.get(at).zip(found.get_mut(at)));
                let (lookup, found) = lookup.ok_or_else(|| DatabaseError::other("a row belongs to no lookup"))?;
                found.push(read_row(rows, row, lookup.table())?);
            }
        }
        Ok(found)
    }

    /// Makes changes. Those of one database are atomic. With several databases, there are three steps:
    ///
    /// 1. the data by which resources are found: compartments, names, and dependents;
    /// 2. the charts of the further shards;
    /// 3. the charts and rows of the directory, and names that no longer lead to a resource. A load uses the owner in a
    ///    row to find the charts that have the resource, so the charts are written before the row.
    ///
    /// So each resource can be found wherever it is, and repeating the load completes an interrupted one.
    ///
    /// # Errors
    /// If a database rejects the changes, or the map names a database that does not exist.
    pub async fn write(&self, changes: &[Change]) -> Result<(), DatabaseError> {
        let map = self.map().await?;
        let (mut first, mut last) = (Vec::new(), Vec::new());
        let mut charts: BTreeMap<usize, Vec<&Change>> = BTreeMap::new();
        for change in changes {
            match (shard(&map, change.shard_key()), change) {
                // The first shard lists its compartments together with their versions.
                (_, Change::List { n, .. }) if shard(&map, ShardKey::Compartment(*n)) == 0 => {}
                (0, change) if self.further.is_some() && change.is_of_names() => first.push(change),
                (0, _) => last.push(change),
                (shard, _) => charts.entry(shard).or_default().push(change),
            }
        }
        let of = |shard: usize, changes: &[&Change]| {
            Change::statements(changes).into_iter().map(move |statement| (shard, statement)).collect::<Vec<_>>()
        };
        let charts = charts.iter().flat_map(|(shard, changes)| of(*shard, changes)).collect();
        for step in [of(0, &first), charts, of(0, &last)] {
            if !step.is_empty() {
                self.run_in(step).await?;
            }
        }
        Ok(())
    }
}

fn shard(map: &ShardMap, key: ShardKey) -> usize {
    match key {
        ShardKey::Directory => 0,
        ShardKey::Compartment(n) => map.shard(bucket_of(n)),
    }
}

/// Returns a row of a table from the texts of its columns.
fn read_row(rows: &impl Rows, row: usize, table: Table) -> Result<Row, DatabaseError> {
    let value = |(name, of): &(&str, ColumnType)| {
        Ok(match of {
            ColumnType::Integer => Value::Integer(
                parse_column(rows, row, name)
                    .ok_or_else(|| DatabaseError::other(format!("{}.{name} has no number", table.name())))?,
            ),
            ColumnType::Text => rows.text(row, name).into(),
            ColumnType::Blob => rows.bytes(row, name)?.map_or(Value::Null, Value::Blob),
        })
    };
    table.columns().iter().map(value).collect()
}

impl<D: Database> FurtherShards<'_, D> {
    /// Returns the map of shards, which is read again after each correction.
    async fn map(&self) -> Result<Rc<ShardMap>, DatabaseError> {
        let number = self.corrections.number();
        if let Some((of, known)) = self.map.0.borrow().as_ref()
            && *of == number
        {
            return Ok(Rc::clone(known));
        }
        let text = "SELECT first, shard FROM shard_map ORDER BY first".to_owned();
        let answers = run_all(&self.primary, vec![Statement { text, binds: Vec::new() }]).await?;
        let entry = |rows: &D::Rows, row| Some((parse_column(rows, row, "first")?, parse_column(rows, row, "shard")?));
        let entries = answers.first().and_then(|rows| (0..rows.count()).map(|row| entry(rows, row)).collect());
        let map = entries.and_then(|entries: Vec<_>| ShardMap::of_entries(&entries, self.databases.len() + 1));
        let map = map.ok_or_else(|| DatabaseError::other("the map of shards does not fit the bindings"))?;
        let map = Rc::new(map);
        *self.map.0.borrow_mut() = Some((number, Rc::clone(&map)));
        Ok(map)
    }
}

fn parse_column<N: std::str::FromStr>(rows: &impl Rows, row: usize, column: &str) -> Option<N> {
    rows.text(row, column)?.parse().ok()
}
