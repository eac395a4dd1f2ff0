//! Moves buckets between shards while a server answers from them. The charts of a bucket are copied, then the map names
//! the new shard, and when no server uses the previous map any more, the charts are deleted from the old shard. Until
//! then both shards have them, so that a reader with either map finds them.

use std::collections::BTreeSet;

use rusqlite::{Connection, TransactionBehavior, params};

use super::Failure;
use super::export::{SqlFiles, literal};
use super::shards::{AttachedShards, raise_corrections, schema};
use fhir::DigestOfParts;
use store::shards::{SERIAL_BITS, ShardMap, numbers_of};
use store::sql::{Table, Value, compartment_keys};

/// The charts of one shard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShardStatus {
    /// The number of buckets that the map assigns to the shard.
    pub buckets: usize,
    /// The number of compartments in these buckets.
    pub compartments: u64,
    /// The number of rows of charts in these buckets.
    pub rows: u64,
    /// The number of bytes in these rows.
    pub bytes: u64,
    /// The buckets that the map assigns to other shards, although this shard still or already has their charts.
    pub others: Vec<u32>,
}

/// Returns the state of each shard of a database ([`super::sharded_database`]).
pub fn shard_status(database: &Connection) -> Result<(ShardMap, Vec<ShardStatus>), Failure> {
    let shards = AttachedShards::of(database)?;
    let mut all = Vec::with_capacity(shards.count);
    for (shard, schema) in shards.schemas().enumerate() {
        let mut status = ShardStatus { buckets: shards.map.buckets(shard).count(), ..ShardStatus::default() };
        for bucket in stored_buckets(database, schema)? {
            if shards.map.shard(bucket) != shard {
                status.others.push(bucket);
                continue;
            }
            let (first, last) = numbers_of(bucket);
            let text = format!("SELECT count(*) FROM {schema}.compartment WHERE n BETWEEN ?1 AND ?2 AND version <> 0");
            let compartments: i64 = database.prepare_cached(&text)?.query_row([first, last], |row| row.get(0))?;
            let text = format!("SELECT count(*), total(length(data)) FROM {schema}.chart WHERE k BETWEEN ?1 AND ?2");
            let (rows, bytes): (i64, f64) =
                database.prepare_cached(&text)?.query_row(keys_of(bucket), |row| Ok((row.get(0)?, row.get(1)?)))?;
            status.compartments += compartments.unsigned_abs();
            status.rows += rows.unsigned_abs();
            status.bytes += bytes as u64;
        }
        all.push(status);
    }
    Ok((shards.map, all))
}

/// Copies the charts of buckets to a shard, compares the copies with the originals, and enters the shard into the map.
/// Each bucket is copied in a separate transaction. Charts that a load changes meanwhile are copied again when the map
/// is changed. Every change is also written to the `journal`, if there is one, as SQL. Returns the number of buckets.
///
/// # Errors
/// If a database does not accept the changes, or a copy differs.
pub fn move_buckets(
    database: &mut Connection,
    buckets: &[u32],
    to: usize,
    mut journal: Option<&mut SqlFiles>,
) -> Result<usize, Failure> {
    let shards = AttachedShards::of(database)?;
    let mut stored = BTreeSet::new();
    for schema in shards.schemas() {
        stored.extend(stored_buckets(database, schema)?);
    }
    if to >= shards.count {
        return Err(Failure(format!("there is no shard {to}: give the file of each shard")));
    }
    with_format(database, to, journal.as_deref_mut())?;
    let map = &shards.map;
    let moving: Vec<u32> = buckets.iter().copied().filter(|bucket| map.shard(*bucket) != to).collect();
    for bucket in moving.iter().copied().filter(|bucket| stored.contains(bucket)) {
        let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        copy(&transaction, map.shard(bucket), to, bucket, journal.as_deref_mut())?;
        transaction.commit()?;
    }
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for bucket in moving.iter().copied() {
        let from = map.shard(bucket);
        if versions(&transaction, from, bucket)? != versions(&transaction, to, bucket)? {
            copy(&transaction, from, to, bucket, journal.as_deref_mut())?;
        }
    }
    enter(&transaction, &map.moved(&moving, to), journal.as_deref_mut())?;
    transaction.commit()?;
    // A correction makes servers read the map again.
    match journal {
        Some(journal) => journal.correct()?,
        None => raise_corrections(database)?,
    }
    Ok(moving.len())
}

/// Deletes charts from the shards to which the map does not assign them. No server may still use an older map. Returns
/// the number of buckets that were deleted from a shard.
///
/// # Errors
/// If a database does not accept the changes.
pub fn delete_moved(database: &mut Connection, mut journal: Option<&mut SqlFiles>) -> Result<usize, Failure> {
    let shards = AttachedShards::of(database)?;
    let mut deleted = 0;
    for (shard, schema) in shards.schemas().enumerate() {
        for bucket in stored_buckets(database, schema)? {
            if shards.map.shard(bucket) == shard {
                continue;
            }
            let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
            delete(&transaction, shard, bucket, journal.as_deref_mut())?;
            transaction.commit()?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

fn with_format(database: &Connection, shard: usize, journal: Option<&mut SqlFiles>) -> Result<(), Failure> {
    let schema = schema(shard);
    let text = format!(
        "INSERT INTO {schema}.format (number) SELECT number FROM main.format \
         WHERE NOT EXISTS (SELECT 1 FROM {schema}.format)"
    );
    if database.execute(&text, [])? == 0 {
        return Ok(());
    }
    let number: String = database.query_row(&format!("SELECT number FROM {schema}.format"), [], |row| row.get(0))?;
    journal.map_or(Ok(()), |journal| journal.of_shard(shard)?.insert("format (number)", &[literal(&number)]))
}

fn enter(database: &Connection, map: &ShardMap, journal: Option<&mut SqlFiles>) -> Result<(), Failure> {
    database.execute_batch("DELETE FROM main.shard_map")?;
    for (first, shard) in map.ranges() {
        database
            .prepare_cached("INSERT INTO main.shard_map (first, shard) VALUES (?1, ?2)")?
            .execute(params![first, shard])?;
    }
    let Some(journal) = journal else { return Ok(()) };
    journal.statement("DELETE FROM shard_map")?;
    map.ranges().iter().try_for_each(|(first, shard)| {
        journal.insert("shard_map (first, shard)", &[first.to_string(), shard.to_string()])
    })
}

/// Copies a bucket from one shard to another, and compares the copy with the original.
fn copy(
    database: &Connection,
    from: usize,
    to: usize,
    bucket: u32,
    mut journal: Option<&mut SqlFiles>,
) -> Result<(), Failure> {
    delete(database, to, bucket, journal.as_deref_mut())?;
    let (source, target) = (schema(from), schema(to));
    let (first, last) = numbers_of(bucket);
    // The directory lists all compartments, so that only their versions are copied.
    let text = if to == 0 {
        format!(
            "UPDATE {target}.compartment SET version = s.version FROM {source}.compartment s \
             WHERE s.n = compartment.n AND s.n BETWEEN ?1 AND ?2 AND s.version <> 0"
        )
    } else {
        format!(
            "INSERT INTO {target}.compartment (n, id, version) SELECT n, id, version FROM {source}.compartment \
             WHERE n BETWEEN ?1 AND ?2 AND version <> 0"
        )
    };
    database.prepare_cached(&text)?.execute([first, last])?;
    let text =
        format!("INSERT INTO {target}.chart (k, data) SELECT k, data FROM {source}.chart WHERE k BETWEEN ?1 AND ?2");
    database.prepare_cached(&text)?.execute(keys_of(bucket))?;
    if digest(database, source, bucket)? != digest(database, target, bucket)? {
        return Err(Failure(format!("the copy of bucket {bucket} in shard {to} differs from that in shard {from}")));
    }
    match journal {
        Some(journal) => write_copy(database, source, bucket, to, journal),
        None => Ok(()),
    }
}

/// Writes the rows of a bucket as SQL for another shard.
fn write_copy(
    database: &Connection,
    source: &str,
    bucket: u32,
    to: usize,
    journal: &mut SqlFiles,
) -> Result<(), Failure> {
    let journal = journal.of_shard(to)?;
    let (first, last) = numbers_of(bucket);
    let text = format!("SELECT n, id, version FROM {source}.compartment WHERE n BETWEEN ?1 AND ?2 AND version <> 0");
    let mut statement = database.prepare_cached(&text)?;
    let mut rows = statement.query([first, last])?;
    while let Some(row) = rows.next()? {
        let (n, id, version): (i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        // In the directory this replaces a row with version 0.
        journal.put(Table::Compartment, &[n.into(), id.into(), version.into()])?;
    }
    let text = format!("SELECT k, data FROM {source}.chart WHERE k BETWEEN ?1 AND ?2");
    let mut statement = database.prepare_cached(&text)?;
    let mut rows = statement.query(keys_of(bucket))?;
    while let Some(row) = rows.next()? {
        journal.put(Table::Chart, &[Value::Integer(row.get(0)?), Value::Blob(row.get(1)?)])?;
    }
    Ok(())
}

/// Deletes the charts of a bucket from a shard. The directory still lists the compartments.
fn delete(database: &Connection, shard: usize, bucket: u32, journal: Option<&mut SqlFiles>) -> Result<(), Failure> {
    let ((first, last), [first_key, last_key]) = (numbers_of(bucket), keys_of(bucket));
    // The statements run in a remote database, where its own schema is `main`.
    let statements = |schema: &str| {
        let compartments = if shard == 0 {
            format!("UPDATE {schema}.compartment SET version = 0 WHERE n BETWEEN {first} AND {last}")
        } else {
            format!("DELETE FROM {schema}.compartment WHERE n BETWEEN {first} AND {last}")
        };
        [compartments, format!("DELETE FROM {schema}.chart WHERE k BETWEEN {first_key} AND {last_key}")]
    };
    database.execute_batch(&statements(schema(shard)).join(";"))?;
    let Some(journal) = journal else { return Ok(()) };
    let journal = journal.of_shard(shard)?;
    statements("main").iter().try_for_each(|statement| journal.statement(statement))
}

fn stored_buckets(database: &Connection, schema: &str) -> Result<Vec<u32>, Failure> {
    let text = format!("SELECT DISTINCT n >> {SERIAL_BITS} FROM {schema}.compartment WHERE version <> 0 ORDER BY 1");
    let mut statement = database.prepare(&text)?;
    let buckets = statement.query_map([], |row| row.get(0))?;
    Ok(buckets.collect::<Result<_, _>>()?)
}

fn versions(database: &Connection, shard: usize, bucket: u32) -> Result<Vec<(i64, i64)>, Failure> {
    let (first, last) = numbers_of(bucket);
    let text = format!(
        "SELECT n, version FROM {}.compartment WHERE n BETWEEN ?1 AND ?2 AND version <> 0 ORDER BY n",
        schema(shard)
    );
    let mut statement = database.prepare_cached(&text)?;
    let versions = statement.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(versions.collect::<Result<_, _>>()?)
}

/// Returns a digest of the charts of a bucket in a database, and their number.
fn digest(database: &Connection, schema: &str, bucket: u32) -> Result<(u64, [u8; 32]), Failure> {
    let text = format!("SELECT k, data FROM {schema}.chart WHERE k BETWEEN ?1 AND ?2 ORDER BY k");
    let mut statement = database.prepare_cached(&text)?;
    let mut rows = statement.query(keys_of(bucket))?;
    let (mut count, mut digest) = (0, DigestOfParts::default());
    while let Some(row) = rows.next()? {
        digest.add(row.get::<_, i64>(0)?.to_be_bytes()).add(row.get::<_, Vec<u8>>(1)?);
        count += 1;
    }
    Ok((count, digest.bytes()))
}

/// Returns the first and the last key of charts in a bucket.
fn keys_of(bucket: u32) -> [i64; 2] {
    let (first, last) = numbers_of(bucket);
    compartment_keys(first, last).into()
}
