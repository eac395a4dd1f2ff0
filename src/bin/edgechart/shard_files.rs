//! The database files of the records.

use std::path::PathBuf;

use native::{Failure, attach_auth, sharded_database};
use rusqlite::Connection;

#[derive(clap::Args)]
pub struct ShardFiles {
    /// The SQLite file of the records; with several shards, that of shard 0.
    #[arg(long)]
    pub db: PathBuf,
    /// The SQLite file of the authorization server, if it is not that of the records.
    #[arg(long, value_name = "FILE", env = "AUTH_DB_FILE")]
    auth_db: Option<PathBuf>,
    /// The SQLite files of shards 1, 2 and so on, in this order. Missing files are created. The default is the files in
    /// the variable SHARDS, separated by colons.
    #[arg(long = "shard", value_name = "FILE")]
    shards: Vec<PathBuf>,
}

impl ShardFiles {
    /// Returns the files of the further shards.
    pub fn further(&self) -> Vec<PathBuf> {
        if !self.shards.is_empty() {
            return self.shards.clone();
        }
        let named = std::env::var_os("SHARDS").unwrap_or_default();
        std::env::split_paths(&named).filter(|file| !file.as_os_str().is_empty()).collect()
    }

    /// Opens all files as one database. Missing files and tables are created.
    pub fn open(&self) -> Result<Connection, Failure> {
        let database = sharded_database(&self.db, &self.further())?;
        if let Some(auth) = &self.auth_db {
            attach_auth(&database, &self.db, auth)?;
        }
        Ok(database)
    }
}
