//! `reindex`: indexes stored records again.

use native::{Failure, Reindexed, reindex, time_of_changes};

use super::index::Index;
use super::micros;
use super::outputs::Outputs;
use super::shard_files::ShardFiles;

#[derive(clap::Args)]
pub struct Reindex {
    #[command(flatten)]
    files: ShardFiles,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    index: Option<Index>,
}

impl Reindex {
    pub fn run(self) -> Result<(), Failure> {
        let Self { files, outputs, index } = self;
        let set = index.map(|index| index.set()).transpose()?;
        let journal = outputs.mirror.journal("")?;
        let now = time_of_changes(micros()?, journal.is_some());
        let (Reindexed { charts, resources, unread }, journal) = reindex(files.open()?, journal, set, now)?;
        unread.iter().for_each(|why| println!("{why}"));
        println!("{charts} charts and the rows of {resources} resources were indexed again");
        outputs.write(&files, journal)
    }
}
