//! `documents`: lists the objects of long documents, and deletes unused ones.

use std::path::PathBuf;
use std::time::Duration;

use fhir::DOCUMENTS_PREFIX;
use native::{Failure, block_store, documents_of, stored_database};

use super::shard_files::ShardFiles;

#[derive(clap::Args)]
pub struct Documents {
    #[command(flatten)]
    files: ShardFiles,
    /// Deletes the objects in this folder, the folder of `load --files`, that no resource has. Nothing may be loaded
    /// meanwhile.
    #[arg(long, value_name = "FOLDER")]
    sweep: Option<PathBuf>,
    /// Keeps the objects that are younger than this number of hours.
    #[arg(long, value_name = "N", default_value_t = 24, requires = "sweep")]
    hours: u64,
}

impl Documents {
    pub fn run(self) -> Result<(), Failure> {
        let database = stored_database(&self.files.db, &self.files.further())?;
        let wanted = documents_of(&database)?;
        let Some(folder) = self.sweep else {
            wanted.iter().for_each(|hash| println!("{DOCUMENTS_PREFIX}{hash}"));
            return Ok(());
        };
        let mut store = block_store(&folder)?;
        let mut gone = 0;
        for hash in store.older_than(Duration::from_secs(self.hours * 3_600))?.difference(&wanted) {
            store.remove(hash)?;
            println!("{DOCUMENTS_PREFIX}{hash}");
            gone += 1;
        }
        eprintln!("{gone} objects deleted, {} in use", wanted.len());
        store.finish()
    }
}
