//! The databases of the records: the directory, which is also the first shard, and the further shards.

use std::rc::Rc;

use futures_util::future::try_join_all;

use super::{Database, DatabaseError, Statement};
use crate::store::shards::ShardMap;

/// The databases of the records, and the map that says which has the charts of which compartment.
#[derive(Debug)]
pub struct RecordDatabases<D> {
    directory: D,
    others: Vec<D>,
    map: Rc<ShardMap>,
}

/// A statement for the database of a shard.
#[derive(Debug)]
pub struct ShardStatement {
    /// The shard.
    pub shard: usize,
    /// The statement.
    pub statement: Statement,
}

impl<D> RecordDatabases<D> {
    /// One database, which has the directory and all charts.
    pub fn one(database: D) -> Self {
        Self { directory: database, others: Vec::new(), map: Rc::default() }
    }

    /// The directory and the databases of the further shards, in their order.
    pub const fn sharded(directory: D, others: Vec<D>, map: Rc<ShardMap>) -> Self {
        Self { directory, others, map }
    }

    /// The database that has rows, the locator, and the list of compartments.
    pub const fn directory(&self) -> &D {
        &self.directory
    }

    /// All databases, the directory first.
    pub fn all(&self) -> impl Iterator<Item = &D> {
        std::iter::once(&self.directory).chain(&self.others)
    }

    /// The shard of a compartment.
    pub fn shard_of(&self, compartment: &str) -> usize {
        self.map.shard_of(compartment)
    }
}

impl<D: Database> RecordDatabases<D> {
    /// Runs statements on their shards: those of one shard as a batch, and the batches at the same time. Returns the
    /// rows of each statement.
    ///
    /// # Errors
    /// If a database does not answer, or there is no such shard.
    pub async fn run(&self, statements: Vec<ShardStatement>) -> Result<Vec<D::Rows>, DatabaseError> {
        let mut batches: Vec<(usize, Vec<usize>, Vec<Statement>)> = Vec::new();
        for (at, ShardStatement { shard, statement }) in statements.into_iter().enumerate() {
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
            let database = self.all().nth(shard).ok_or_else(no_shard)?;
            let rows = database.batch(batch).await?;
            if rows.len() != places.len() {
                return Err(DatabaseError("the database answered another number of statements".to_owned()));
            }
            Ok(places.into_iter().zip(rows).collect::<Vec<_>>())
        };
        let mut answers: Vec<_> = try_join_all(batches.into_iter().map(run)).await?.into_iter().flatten().collect();
        answers.sort_unstable_by_key(|(at, _)| *at);
        Ok(answers.into_iter().map(|(_, rows)| rows).collect())
    }
}
