//! `shard`: distributes charts over databases.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use native::{Failure, ShardStatus, SqlFiles, delete_moved, move_buckets, shard_status};
use rusqlite::Connection;
use store::names::BUCKETS;

use super::shard_files::ShardFiles;

#[derive(clap::Args)]
pub struct Shard {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Shows the buckets, compartments and bytes of each shard.
    Status(ShardFiles),
    /// Assigns an equal share of all buckets to the last of the shards, which is new.
    Add {
        #[command(flatten)]
        shards: ShardFiles,
        #[command(flatten)]
        moving: MoveArguments,
    },
    /// Moves buckets to a shard. Without any it finishes an interrupted move.
    Move {
        #[command(flatten)]
        shards: ShardFiles,
        /// The buckets, as numbers or ranges: 0-1023 or 7,9. There are 4,096.
        #[arg(long, default_value = "", value_parser = parse_buckets)]
        buckets: Buckets,
        /// The number of the shard to move them to. The database of the directory is shard 0.
        #[arg(long)]
        to: usize,
        #[command(flatten)]
        moving: MoveArguments,
    },
}

/// Numbers of buckets, in order.
#[derive(Clone)]
struct Buckets(Vec<u32>);

#[derive(clap::Args)]
struct MoveArguments {
    /// The seconds between the entry into the map and the deletion from the old shards. Servers read a new map within
    /// five seconds.
    #[arg(long, default_value_t = 15)]
    wait: u64,
    /// Also writes every change as SQL files into this folder, for remote D1 databases of which the local ones are a
    /// fresh copy. The files below `1-move` must be run before the wait, and those below `2-delete` after it. The files
    /// for shard 1 are in a subfolder SHARD_1.
    #[arg(long, value_name = "FOLDER")]
    sql: Option<PathBuf>,
}

impl MoveArguments {
    /// Returns the SQL files of a step, if they are wanted.
    fn journal(&self, step: &str) -> Result<Option<SqlFiles>, Failure> {
        self.sql.as_ref().map(|folder| SqlFiles::new(&folder.join(step))).transpose()
    }
}

impl Shard {
    pub fn run(self) -> Result<(), Failure> {
        let (shards, moving, wanted) = match self.action {
            Action::Status(shards) => (shards, None, None),
            Action::Add { shards, moving } => (shards, Some(moving), None),
            Action::Move { shards, buckets, to, moving } => (shards, Some(moving), Some((buckets.0, to))),
        };
        let mut database = shards.open()?;
        let Some(moving) = moving else { return print_shards(&database) };
        let (buckets, to) = match wanted {
            Some(wanted) => wanted,
            None => {
                let (map, status) = shard_status(&database)?;
                let to = status.len() - 1;
                if to == 0 || status.last().is_some_and(|last| last.buckets > 0) {
                    return Err(Failure(
                        "the last shard must be a new one, without buckets: give its file last".to_owned(),
                    ));
                }
                (map.share_of_new(to), to)
            }
        };
        let mut files = Vec::new();
        let mut moved = moving.journal("1-move")?;
        // Without buckets, the map is written again, so that servers read it.
        let count = move_buckets(&mut database, &buckets, to, moved.as_mut())?;
        files.extend(moved.map(SqlFiles::finish).transpose()?.into_iter().flatten());
        println!("{count} buckets are in shard {to}; waiting {} s for servers that use the map of before", moving.wait);
        std::thread::sleep(Duration::from_secs(moving.wait));
        let mut deleted = moving.journal("2-delete")?;
        let count = delete_moved(&mut database, deleted.as_mut())?;
        files.extend(deleted.map(SqlFiles::finish).transpose()?.into_iter().flatten());
        println!("{count} buckets are deleted where they were");
        files.iter().for_each(|file| println!("{}", file.display()));
        print_shards(&database)
    }
}

fn print_shards(database: &Connection) -> Result<(), Failure> {
    let (map, all) = shard_status(database)?;
    println!("{:>5}{:>9}{:>14}{:>12}{:>16}", "shard", "buckets", "compartments", "rows", "bytes");
    for (shard, status) in all.iter().enumerate() {
        let ShardStatus { buckets, compartments, rows, bytes, others } = status;
        println!("{shard:>5}{buckets:>9}{compartments:>14}{rows:>12}{bytes:>16}");
        if !others.is_empty() {
            println!("      and copies of {} buckets of other shards: an interrupted move", others.len());
        }
    }
    let ranges: Vec<_> = map.ranges().iter().map(|(first, shard)| format!("from {first}: {shard}")).collect();
    println!("map: {}", ranges.join(", "));
    Ok(())
}

/// Parses numbers and ranges of buckets.
fn parse_buckets(text: &str) -> Result<Buckets, String> {
    let mut buckets = BTreeSet::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.parse::<u32>(), last.parse::<u32>()) {
            (Ok(first), Ok(last)) if first <= last && last < BUCKETS => buckets.extend(first..=last),
            _ => return Err(format!("{part} is no bucket or range of buckets from 0 to {}", BUCKETS - 1)),
        }
    }
    Ok(Buckets(buckets.into_iter().collect()))
}
