//! `reindex`: indexes stored records again.

use native::{Failure, Reindexed, reindex};

use super::index::Index;
use super::micros;
use super::shard_files::ShardFiles;
use super::shelves::Shelves;

#[derive(clap::Args)]
pub struct Reindex {
    #[command(flatten)]
    files: ShardFiles,
    #[command(flatten)]
    shelves: Shelves,
    #[command(flatten)]
    index: Option<Index>,
}

impl Reindex {
    pub fn run(self) -> Result<(), Failure> {
        let Self { files, shelves, index } = self;
        let set = index.map(|index| index.set()).transpose()?;
        let Reindexed { charts, resources, unread } = reindex(files.open()?, set, micros()?)?;
        unread.iter().for_each(|why| println!("{why}"));
        println!("{charts} charts and the rows of {resources} resources were indexed again");
        shelves.write(&files)
    }
}
