//! Moves of the charts of buckets between shards: nothing is lost or duplicated, an interrupted move can be finished, and
//! the SQL files do the same to remote databases.
//! `tests/cases.rs` runs every case on three shards.

use std::path::PathBuf;

use native::{NoProgress, SqlFiles, SqliteWriter, delete_moved, move_buckets, shard_status, sharded_database, shelve};
use rusqlite::Connection;
use serde_json::json;
use store::Store;
use store::names::{BUCKETS, bucket};

use crate::support::random::Random;

/// A directory and two further shards, in separate files.
struct Folder {
    files: [PathBuf; 3],
}

impl Folder {
    fn new() -> Self {
        Self { files: [crate::support::tempfile(), crate::support::tempfile(), crate::support::tempfile()] }
    }

    fn open(&self) -> Connection {
        sharded_database(&self.files[0], &self.files[1..]).unwrap()
    }

    /// Loads the sample, or other files instead.
    fn load(&self, paths: &[PathBuf]) {
        crate::support::loader().load(paths, SqliteWriter::over(self.open()).unwrap(), None, &mut NoProgress).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    }
}

/// The charts and versions of all shards: (k, data) and (n, id, version), in order.
type Content = (Vec<(i64, Vec<u8>)>, Vec<(i64, String, i64)>);

fn content(connections: &[&Connection], schemas: &[&str]) -> Content {
    let (mut charts, mut compartments) = (Vec::new(), Vec::new());
    for (connection, schema) in connections.iter().flat_map(|one| schemas.iter().map(move |schema| (one, schema))) {
        let mut statement = connection.prepare(&format!("SELECT k, data FROM {schema}.chart")).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        charts.extend(rows.map(Result::unwrap));
        let text = format!("SELECT n, id, version FROM {schema}.compartment WHERE version <> 0");
        let mut statement = connection.prepare(&text).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        compartments.extend(rows.map(Result::unwrap));
    }
    charts.sort();
    compartments.sort();
    (charts, compartments)
}

fn all(database: &Connection) -> Content {
    content(&[database], &["main", "shard_1", "shard_2"])
}

fn sample() -> Vec<PathBuf> {
    vec![PathBuf::from("sample")]
}

/// Returns the numbers of buckets, compartments and other shards' buckets of each shard.
fn counts(database: &Connection) -> Vec<(usize, u64, usize)> {
    let (_, status) = shard_status(database).unwrap();
    status.iter().map(|shard| (shard.buckets, shard.compartments, shard.others.len())).collect()
}

#[test]
fn charts_are_neither_lost_nor_doubled_by_moves() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    let before = all(&database);
    let compartments = before.1.len() as u64;
    assert!(compartments > 8);
    assert_eq!(counts(&database), [(4_096, compartments, 0), (0, 0, 0), (0, 0, 0)]);
    let upper: Vec<u32> = (2_048..BUCKETS).collect();
    assert_eq!(move_buckets(&mut database, &upper, 1, None).unwrap(), 2_048);
    let [main, first, _] = counts(&database)[..] else { panic!() };
    assert_eq!((main.0, first.0, main.1 + first.1), (2_048, 2_048, compartments));
    assert!(main.2 > 0 && first.2 == 0, "until they are deleted, the copies of before stay: {main:?}");
    assert_eq!(delete_moved(&mut database, None).unwrap(), main.2);
    assert_eq!(all(&database), before);
    assert_eq!(delete_moved(&mut database, None).unwrap(), 0);
    assert_eq!(move_buckets(&mut database, &upper, 1, None).unwrap(), 0, "they are there");
    // The records are moved to the third shard, and back into the directory.
    for to in [2, 0] {
        move_buckets(&mut database, &(0..BUCKETS).collect::<Vec<_>>(), to, None).unwrap();
        delete_moved(&mut database, None).unwrap();
        assert_eq!(all(&database), before);
        assert_eq!(counts(&database)[to], (4_096, compartments, 0));
    }
    let text = "SELECT count(*) FROM main.compartment";
    let listed: i64 = database.query_row(text, [], |row| row.get(0)).unwrap();
    assert_eq!(listed.unsigned_abs(), compartments, "the directory lists all of them, wherever they are");
}

#[test]
fn a_load_gives_the_same_charts_however_they_are_distributed() {
    let (one, other) = (Folder::new(), Folder::new());
    one.load(&sample());
    let mut database = other.open();
    move_buckets(&mut database, &(0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect::<Vec<_>>(), 1, None).unwrap();
    drop(database);
    other.load(&sample());
    assert_eq!(all(&one.open()), all(&other.open()));
    let again = other.open();
    let [main, first, _] = counts(&again)[..] else { panic!() };
    assert!(main.1 > 0 && first.1 > 0 && main.2 + first.2 == 0, "{main:?} {first:?}");
    drop(again);
    other.load(&sample());
    assert_eq!(all(&one.open()), all(&other.open()), "a second load changes nothing");
    let shelved = [one.open(), other.open()].map(|database| {
        let mut values = crate::support::Values::default();
        shelve(&database, &mut values, &mut NoProgress).unwrap();
        values.0
    });
    assert!(shelved[0] == shelved[1], "and the shelves are the same");
}

#[test]
fn a_shard_that_was_lost_is_rebuilt_by_the_same_load() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    move_buckets(&mut database, &(0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect::<Vec<_>>(), 1, None).unwrap();
    delete_moved(&mut database, None).unwrap();
    let before = all(&database);
    let in_shard = counts(&database)[1].1;
    drop(database);
    std::fs::remove_file(&folder.files[1]).unwrap();
    assert_eq!(counts(&folder.open())[1].1, 0);
    folder.load(&sample());
    let database = folder.open();
    assert_eq!(counts(&database)[1].1, in_shard);
    assert!(in_shard > 2 && all(&database) == before, "with the same charts and versions");
}

#[test]
fn an_interrupted_move_is_finished_by_the_next_one() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    let before = all(&database);
    let of_patient = bucket("mateo-reyes", BUCKETS);
    // A copy without an entry in the map, and an incomplete copy.
    let (first, last) = (i64::from(of_patient) << 19, (i64::from(of_patient) + 1) << 19);
    let text =
        format!("INSERT INTO shard_1.compartment SELECT * FROM main.compartment WHERE n BETWEEN {first} AND {last}");
    database.execute_batch(&text).unwrap();
    assert_eq!(counts(&database)[1], (0, 0, 1));
    move_buckets(&mut database, &[of_patient], 1, None).unwrap();
    delete_moved(&mut database, None).unwrap();
    assert_eq!(all(&database), before);
    assert_eq!(counts(&database)[1], (1, 1, 0));
}

#[test]
fn a_reader_with_the_map_of_before_reads_the_map_again() {
    let folder = Folder::new();
    folder.load(&sample());
    let store = crate::support::over_shards(&folder.files, &crate::support::Access::new());
    let question = "Condition?patient=mateo-reyes";
    let before = crate::support::ids(&store, question);
    assert!(!before.is_empty());
    let mut database = folder.open();
    for to in [1, 0] {
        move_buckets(&mut database, &[bucket("mateo-reyes", BUCKETS)], to, None).unwrap();
        assert_eq!(crate::support::ids(&store, question), before, "both shards have it");
        if to == 1 {
            delete_moved(&mut database, None).unwrap();
            assert_eq!(crate::support::ids(&store, question), before, "the directory says that it is elsewhere");
        }
    }
}

#[test]
fn a_move_to_a_shard_that_is_not_there_is_refused() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    let refused = move_buckets(&mut database, &[7], 3, None).unwrap_err();
    assert!(refused.0.contains("no shard 3"), "{refused}");
    move_buckets(&mut database, &[7], 2, None).unwrap();
    drop(database);
    let refused = shard_status(&sharded_database(&folder.files[0], &folder.files[1..2]).unwrap()).unwrap_err();
    assert!(refused.0.contains("give the file of each shard"), "{refused}");
}

/// Makes a remote database for each shard, with the records of the sample and a long one, as in the folder's files.
fn remote_databases(folder: &Folder) -> [Connection; 3] {
    let long = crate::support::tempfile().with_extension("json");
    let mut random = Random(7);
    let text: String = (0..100_000).map(|_| char::from(b'!' + random.below(90) as u8)).collect();
    let subject = json!({"reference": "Patient/mateo-reyes"});
    let condition = json!({"resourceType": "Condition", "id": "long", "subject": subject, "text": {"div": text}});
    std::fs::write(&long, condition.to_string()).unwrap();
    folder.load(&[&sample()[..], std::slice::from_ref(&long)].concat());
    std::fs::remove_file(&long).unwrap();
    ["main", "shard_1", "shard_2"].map(|schema| {
        let remote = native::tables(Connection::open_in_memory().unwrap()).unwrap();
        copy(&folder.open(), schema, &remote);
        remote
    })
}

/// Copies all records of a schema into another database.
fn copy(from: &Connection, schema: &str, to: &Connection) {
    let columns = |row: &rusqlite::Row<'_>| {
        (0..row.as_ref().column_count()).map(|at| row.get(at).unwrap()).collect::<Vec<rusqlite::types::Value>>()
    };
    for table in
        ["compartment", "chart", "locator", "resource", "fact", "link", "alias", "dependent", "format", "shard_map"]
    {
        let mut statement = from.prepare(&format!("SELECT * FROM {schema}.{table}")).unwrap();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let values = columns(row);
            let marks = vec!["?"; values.len()].join(", ");
            let insert = format!("INSERT INTO {table} VALUES ({marks})");
            to.execute(&insert, rusqlite::params_from_iter(values)).unwrap();
        }
    }
}

/// Runs the SQL files of a journal in `folder` on the remote databases, and removes them.
fn run_on(remote: &[Connection; 3], folder: &std::path::Path, journal: SqlFiles) {
    for file in journal.finish().unwrap() {
        let shard = file.parent().and_then(|parent| parent.file_name()).and_then(|name| name.to_str());
        let at = shard.and_then(|name| name.strip_prefix("SHARD_")).map_or(0, |number| number.parse().unwrap());
        let (text, target): (_, &Connection) = (std::fs::read_to_string(&file).unwrap(), &remote[at]);
        assert!(text.split(";\n").all(|statement| statement.len() < 100_000));
        target.execute_batch(&text).unwrap();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

fn map_in(database: &Connection) -> String {
    let map = "SELECT group_concat(first || ':' || shard) FROM (SELECT * FROM shard_map ORDER BY first)";
    database.query_row(map, [], |row| row.get(0)).unwrap()
}

#[test]
fn the_sql_files_do_the_same_to_remote_databases() {
    let (folder, sql) = (Folder::new(), crate::support::tempfile());
    let remote = remote_databases(&folder);
    let run = |journal: SqlFiles| run_on(&remote, &sql, journal);
    let journal = || SqlFiles::new(&sql).unwrap();
    for (buckets, to) in [((0..BUCKETS / 2).collect::<Vec<_>>(), 1), ((1_000..BUCKETS).collect(), 2), (vec![9], 0)] {
        let mut database = folder.open();
        let mut moved = journal();
        move_buckets(&mut database, &buckets, to, Some(&mut moved)).unwrap();
        run(moved);
        let mut deleted = journal();
        delete_moved(&mut database, Some(&mut deleted)).unwrap();
        run(deleted);
        assert_eq!(content(&remote.each_ref()[..], &["main"]), all(&database));
        assert_eq!(map_in(&remote[0]), map_in(&database));
    }
}

#[test]
fn a_directory_without_the_shards_of_its_map_is_not_ready() {
    let folder = Folder::new();
    folder.load(&sample());
    let fault = || {
        let directory = crate::support::limited(&folder.files[0]);
        let store = crate::support::over_sqlite(directory, &crate::support::Access::new());
        crate::support::now(store.dependencies()).remove(0).fault
    };
    assert_eq!(fault(), None);
    move_buckets(&mut folder.open(), &[7], 2, None).unwrap();
    assert!(fault().is_some_and(|why| why.contains("shard 2, which is not bound")));
    let whole = crate::support::over_shards(&folder.files, &crate::support::Access::new());
    assert!(crate::support::now(whole.dependencies()).iter().all(|one| one.fault.is_none()));
}
