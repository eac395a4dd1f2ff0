//! The databases of the records: the directory, which is also the first shard, and the further shards.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::future::try_join_all;

use super::{Database, DatabaseError, Rows, Statement};
use crate::store::corrections::Corrections;
use crate::store::shards::ShardMap;

/// The map of shards that an isolate has read, with the number of the corrections that were known then.
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

/// The shards behind the first one.
#[derive(Debug)]
struct FurtherShards<'a, D> {
    databases: Vec<D>,
    primary: D,
    map: &'a ShardMapCache,
    corrections: &'a Corrections,
}

/// A statement for the directory or for the shard of a compartment.
#[derive(Debug)]
pub struct PlacedStatement {
    /// The compartment. `None` for the directory.
    pub compartment: Option<String>,
    /// The statement.
    pub statement: Statement,
}

impl<'a, D> RecordDatabases<'a, D> {
    /// One database, which has the directory and all charts.
    pub const fn one(database: D) -> Self {
        Self { directory: database, further: None }
    }

    /// The directory and the databases of the further shards, in their order. `primary` is the directory's primary,
    /// which has the map of shards, and `map` the map that the isolate has read. A move of charts counts as a
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

    /// All databases, the directory first.
    pub fn all(&self) -> impl Iterator<Item = &D> {
        std::iter::once(&self.directory).chain(self.further.iter().flat_map(|further| &further.databases))
    }
}

impl<D: Database> RecordDatabases<'_, D> {
    /// Runs statements where they belong: those of one database as a batch, and the batches at the same time. Returns
    /// the rows of each statement.
    ///
    /// # Errors
    /// If a database does not answer, or the map names one that is not there.
    pub async fn run(&self, statements: Vec<PlacedStatement>) -> Result<Vec<D::Rows>, DatabaseError> {
        let Some(further) = &self.further else {
            return whole(&self.directory, statements.into_iter().map(|placed| placed.statement).collect()).await;
        };
        let map = further.map().await?;
        let mut batches: Vec<(usize, Vec<usize>, Vec<Statement>)> = Vec::new();
        for (at, PlacedStatement { compartment, statement }) in statements.into_iter().enumerate() {
            let shard = compartment.map_or(0, |compartment| map.shard_of(&compartment));
            match batches.iter_mut().find(|(other, ..)| *other == shard) {
                Some((_, places, batch)) => {
                    places.push(at);
                    batch.push(statement);
                }
                None => batches.push((shard, vec![at], vec![statement])),
            }
        }
        let run = async |(shard, places, batch): (usize, Vec<usize>, Vec<Statement>)| {
            let no_shard = || DatabaseError(format!("there is no binding for shard {shard}"));
            let rows = whole(self.all().nth(shard).ok_or_else(no_shard)?, batch).await?;
            Ok::<_, DatabaseError>(places.into_iter().zip(rows).collect::<Vec<_>>())
        };
        let mut answers: Vec<_> = try_join_all(batches.into_iter().map(run)).await?.into_iter().flatten().collect();
        answers.sort_unstable_by_key(|(at, _)| *at);
        Ok(answers.into_iter().map(|(_, rows)| rows).collect())
    }
}

impl<D: Database> FurtherShards<'_, D> {
    /// The map of shards, which is read again after a correction.
    async fn map(&self) -> Result<Rc<ShardMap>, DatabaseError> {
        let number = self.corrections.number();
        if let Some((of, known)) = self.map.0.borrow().as_ref()
            && *of == number
        {
            return Ok(Rc::clone(known));
        }
        let text = "SELECT first, shard FROM shard_map ORDER BY first".to_owned();
        let answers = whole(&self.primary, vec![Statement { text, binds: Vec::new() }]).await?;
        let range = |rows: &D::Rows, row| Some((parsed(rows, row, "first")?, parsed(rows, row, "shard")?));
        let ranges = answers.first().and_then(|rows| (0..rows.count()).map(|row| range(rows, row)).collect());
        let map = ranges.and_then(|ranges: Vec<_>| ShardMap::of_ranges(&ranges, self.databases.len() + 1));
        let map = map.ok_or_else(|| DatabaseError("the map of shards does not fit the bindings".to_owned()))?;
        let map = Rc::new(map);
        *self.map.0.borrow_mut() = Some((number, Rc::clone(&map)));
        Ok(map)
    }
}

/// Runs statements as one batch, and returns the rows of each.
async fn whole<D: Database>(database: &D, statements: Vec<Statement>) -> Result<Vec<D::Rows>, DatabaseError> {
    let expected = statements.len();
    let answers = database.batch(statements).await?;
    if answers.len() == expected {
        Ok(answers)
    } else {
        Err(DatabaseError("the database answered another number of statements".to_owned()))
    }
}

fn parsed<N: std::str::FromStr>(rows: &impl Rows, row: usize, column: &str) -> Option<N> {
    rows.text(row, column)?.parse().ok()
}
