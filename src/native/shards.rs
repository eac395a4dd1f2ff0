//! Combines the databases of the shards: a load attaches them to the connection of the directory, so that it changes
//! all of them in one transaction.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::Failure;
use super::schema::database;
use database::RAISE_CORRECTIONS;
use store::shards::{MAX_SHARDS, ShardMap, bucket_of};

/// The schemas of attached databases, by shard.
const SCHEMAS: [&str; MAX_SHARDS] = [
    "main", "shard_1", "shard_2", "shard_3", "shard_4", "shard_5", "shard_6", "shard_7", "shard_8", "shard_9",
    "shard_10",
];

/// The schema of the database of the authorization server, if that database is not the directory.
const AUTH: &str = "auth";

/// The shards that are attached to a connection, and the map that assigns buckets to them.
#[derive(Debug, Clone)]
pub struct AttachedShards {
    /// The number of shards.
    pub count: usize,
    pub map: ShardMap,
}

/// Opens an existing database file, with the files of its further shards, for reading only.
pub fn stored_database(directory: &Path, shards: &[PathBuf]) -> Result<Connection, Failure> {
    let opening = || Failure::doing(format!("opening the database {}", directory.display()));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(directory, flags).map_err(opening())?;
    for (at, file) in shards.iter().enumerate() {
        attach(&connection, further(at)?, file)?;
    }
    Ok(connection)
}

/// Opens the database file of a directory, with the files of its further shards. Missing files and tables are created.
pub fn sharded_database(directory: &Path, shards: &[PathBuf]) -> Result<Connection, Failure> {
    let connection = database(directory)?;
    for (at, file) in shards.iter().enumerate() {
        // Creates the file and its tables.
        drop(database(file)?);
        attach(&connection, further(at)?, file)?;
    }
    Ok(connection)
}

/// Attaches the database of the authorization server, which counts corrections, if it is not the directory.
///
/// # Errors
/// If the file cannot be opened.
pub fn attach_auth(connection: &Connection, directory: &Path, auth: &Path) -> Result<(), Failure> {
    // Creates the file and its tables.
    drop(database(auth)?);
    let same = |one: &Path| one.canonicalize().map_err(Failure::doing(format!("finding {}", one.display())));
    if same(directory)? == same(auth)? { Ok(()) } else { attach(connection, AUTH, auth) }
}

/// Raises the number of corrections in the database of the authorization server. Must be called after the changes of
/// the records are committed, so that a reader that sees the number also sees the changes.
///
/// # Errors
/// If the database does not accept it.
pub fn raise_corrections(database: &Connection) -> Result<(), Failure> {
    let text = "SELECT count(*) FROM pragma_database_list WHERE name = ?1";
    let is_attached: i64 = database.query_row(text, [AUTH], |row| row.get(0))?;
    let schema = if is_attached > 0 { AUTH } else { "main" };
    Ok(database.execute_batch(&RAISE_CORRECTIONS.replace("INTO ", &format!("INTO {schema}.")))?)
}

/// Returns the schema of a further shard, by its index among the further shards.
fn further(at: usize) -> Result<&'static str, Failure> {
    SCHEMAS.get(at + 1).copied().ok_or_else(|| Failure(format!("there are at most {MAX_SHARDS} shards")))
}

fn attach(connection: &Connection, schema: &str, file: &Path) -> Result<(), Failure> {
    let name = file.to_str().ok_or_else(|| Failure(format!("{} is no UTF-8", file.display())))?;
    connection
        .execute(&format!("ATTACH DATABASE ?1 AS {schema}"), [name])
        .map_err(Failure::doing(format!("opening the database {}", file.display())))?;
    Ok(())
}

impl AttachedShards {
    /// Returns the shards of a connection.
    pub fn of(database: &Connection) -> Result<Self, Failure> {
        let mut statement =
            database.prepare("SELECT count(*) FROM pragma_database_list WHERE name LIKE 'shard\\__%' ESCAPE '\\'")?;
        let others: i64 = statement.query_row([], |row| row.get(0))?;
        let count = usize::try_from(others).unwrap_or_default() + 1;
        let mut statement = database.prepare("SELECT first, shard FROM main.shard_map ORDER BY first")?;
        let entries = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<_>, _>>()?;
        let map = ShardMap::of_entries(&entries, count).ok_or_else(|| {
            Failure(format!("the map of shards does not fit {count} databases: give the file of each shard"))
        })?;
        Ok(Self { count, map })
    }

    /// Returns the shard of the compartment with this number.
    pub fn shard(&self, n: i64) -> usize {
        self.map.shard(bucket_of(n))
    }

    /// Returns the names of all databases, the directory first.
    pub fn schemas(&self) -> impl Iterator<Item = &'static str> + use<> {
        SCHEMAS.into_iter().take(self.count)
    }
}

/// Returns the name of the database of a shard.
pub fn schema(shard: usize) -> &'static str {
    SCHEMAS.get(shard).copied().unwrap_or("main")
}
