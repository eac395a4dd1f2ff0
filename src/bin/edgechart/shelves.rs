//! The option `--kv`.

use std::path::PathBuf;

use native::{Failure, shelve, value_store};

use super::progress::Bar;
use super::shard_files::ShardFiles;

#[derive(clap::Args)]
pub struct Shelves {
    /// Also writes the shelves of all stored resources at the end: into local KV (the folder v3/kv of a local state),
    /// or into another folder, as files for `wrangler kv bulk put` and `wrangler kv bulk delete`.
    #[arg(long)]
    kv: Option<PathBuf>,
}

impl Shelves {
    /// Writes the shelves, if requested, and prints their numbers.
    pub fn write(&self, files: &ShardFiles) -> Result<(), Failure> {
        let Some(path) = &self.kv else { return Ok(()) };
        let mut bar = Bar::default();
        let mut values = value_store(path)?;
        let shelved = shelve(&files.open()?, values.as_mut(), &mut bar);
        bar.end();
        shelved?;
        println!("{}", values.finish()?);
        Ok(())
    }
}
