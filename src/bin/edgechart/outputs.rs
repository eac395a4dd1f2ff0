//! Outputs of a change of the records besides the database: files of SQL for a deployment, and shelves.

use std::path::PathBuf;

use native::{Failure, SqlFiles, shelve, value_store};

use super::progress::Bar;
use super::shard_files::ShardFiles;

#[derive(clap::Args)]
pub struct Outputs {
    #[command(flatten)]
    pub mirror: Mirror,
    /// Writes the shelves of all stored resources afterwards: into local KV (the folder v3/kv of a local state), or as
    /// files for `wrangler kv bulk put` and `wrangler kv bulk delete` into another folder.
    #[arg(long)]
    kv: Option<PathBuf>,
}

impl Outputs {
    /// Writes the shelves, ends the SQL files, and prints what was written.
    pub fn write(&self, files: &ShardFiles, journal: Option<SqlFiles>) -> Result<(), Failure> {
        if let Some(path) = &self.kv {
            let mut bar = Bar::default();
            let mut values = value_store(path)?;
            let shelved = shelve(&files.open()?, values.as_mut(), &mut bar);
            bar.end();
            shelved?;
            println!("{}", values.finish()?);
        }
        for file in journal.map(SqlFiles::finish).transpose()?.into_iter().flatten() {
            println!("{}", file.display());
        }
        Ok(())
    }
}

/// Files of SQL for a deployment.
#[derive(clap::Args)]
pub struct Mirror {
    /// Writes every change as SQL files into this folder too, for remote D1 databases of which these ones are the
    /// mirror. Those for shard 1 are in its subfolder SHARD_1.
    #[arg(long, value_name = "FOLDER", requires = "jobs")]
    sql: Option<PathBuf>,
    /// The number of jobs of the deployment whose records the mirror lacks: the rows of its table `job`. If there are
    /// any, nothing is done.
    #[arg(long, value_name = "N", requires = "sql")]
    jobs: Option<u64>,
}

impl Mirror {
    /// The SQL files, if they are wanted, in the folder or in one inside it.
    pub fn journal(&self, inside: &str) -> Result<Option<SqlFiles>, Failure> {
        let Some((sql, jobs)) = self.sql.as_ref().zip(self.jobs) else { return Ok(None) };
        SqlFiles::of_mirror(&sql.join(inside), jobs).map(Some)
    }
}
