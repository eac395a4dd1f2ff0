//! Moving the charts of buckets between shards: nothing is lost or doubled, a load meanwhile counts, an interrupted move
//! can be finished, and the SQL files do the same to remote databases. `tests/cases.rs` asks every case of three shards.

use std::path::PathBuf;

use edgechart::native::{Quiet, SqlFiles, SqliteWriter, delete_moved, move_buckets, shard_status, sharded_database};
use edgechart::store::names::{BUCKETS, bucket};
use rusqlite::Connection;

/// A directory and two further shards, in files of their own.
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

    /// Loads the sample, or a file in its place.
    fn load(&self, paths: &[PathBuf], journal: Option<SqlFiles>) -> Option<SqlFiles> {
        crate::support::loader().load(paths, SqliteWriter::over(self.open(), journal).unwrap(), &mut Quiet).unwrap().1
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    }
}

/// The charts and versions of all shards together: (k, data) and (n, id, version), in order.
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

/// The changed buckets of the shards, without those that hold nothing.
fn counts(database: &Connection) -> Vec<(usize, u64, usize)> {
    let (_, status) = shard_status(database).unwrap();
    status.iter().map(|shard| (shard.buckets, shard.compartments, shard.others.len())).collect()
}

#[test]
fn charts_are_neither_lost_nor_doubled_by_moves() {
    let folder = Folder::new();
    folder.load(&sample(), None);
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
    // On to the third, and back into the directory.
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
    one.load(&sample(), None);
    let mut database = other.open();
    move_buckets(&mut database, &(0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect::<Vec<_>>(), 1, None).unwrap();
    drop(database);
    other.load(&sample(), None);
    assert_eq!(all(&one.open()), all(&other.open()));
    let again = other.open();
    let [main, first, _] = counts(&again)[..] else { panic!() };
    assert!(main.1 > 0 && first.1 > 0 && main.2 + first.2 == 0, "{main:?} {first:?}");
    drop(again);
    other.load(&sample(), None);
    assert_eq!(all(&one.open()), all(&other.open()), "a second load changes nothing");
}

#[test]
fn a_shard_that_was_lost_is_rebuilt_by_the_same_load() {
    let folder = Folder::new();
    folder.load(&sample(), None);
    let mut database = folder.open();
    move_buckets(&mut database, &(0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect::<Vec<_>>(), 1, None).unwrap();
    delete_moved(&mut database, None).unwrap();
    let before = all(&database);
    let in_shard = counts(&database)[1].1;
    drop(database);
    std::fs::remove_file(&folder.files[1]).unwrap();
    assert_eq!(counts(&folder.open())[1].1, 0);
    folder.load(&sample(), None);
    let database = folder.open();
    assert_eq!(counts(&database)[1].1, in_shard);
    assert!(in_shard > 2 && all(&database) == before, "with the same charts and versions");
}

#[test]
fn an_interrupted_move_is_finished_by_the_next_one() {
    let folder = Folder::new();
    folder.load(&sample(), None);
    let mut database = folder.open();
    let before = all(&database);
    let of_patient = bucket("mateo-reyes", BUCKETS);
    // A copy without an entry in the map, and another one that was cut off.
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
    folder.load(&sample(), None);
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
    folder.load(&sample(), None);
    let mut database = folder.open();
    let refused = move_buckets(&mut database, &[7], 3, None).unwrap_err();
    assert!(refused.0.contains("no shard 3"), "{refused}");
    move_buckets(&mut database, &[7], 2, None).unwrap();
    drop(database);
    let refused = shard_status(&sharded_database(&folder.files[0], &folder.files[1..2]).unwrap()).unwrap_err();
    assert!(refused.0.contains("give the file of each shard"), "{refused}");
}

#[test]
fn no_sql_is_written_for_a_deployment_with_jobs() {
    let folder = crate::support::tempfile();
    let refused = SqlFiles::of_mirror(&folder, 1).unwrap_err();
    assert!(refused.0.contains("by /ingest") && refused.0.contains("1 jobs"), "{refused}");
    assert!(!folder.exists());
}

#[test]
fn the_sql_files_do_the_same_to_remote_databases() {
    let folder = Folder::new();
    let remote = [(); 3].map(|()| edgechart::native::tables(Connection::open_in_memory().unwrap()).unwrap());
    let sql = crate::support::tempfile();
    let run = |journal: SqlFiles| {
        for file in journal.finish().unwrap() {
            let shard = file.parent().and_then(|parent| parent.file_name()).and_then(|name| name.to_str());
            let at = shard.and_then(|name| name.strip_prefix("SHARD_")).map_or(0, |number| number.parse().unwrap());
            let (text, target): (_, &Connection) = (std::fs::read_to_string(&file).unwrap(), &remote[at]);
            target.execute_batch(&text).unwrap();
        }
        std::fs::remove_dir_all(&sql).unwrap();
    };
    let journal = || Some(SqlFiles::of_mirror(&sql, 0).unwrap());
    run(folder.load(&sample(), journal()).unwrap());
    for (buckets, to) in [((0..BUCKETS / 2).collect::<Vec<_>>(), 1), ((1_000..BUCKETS).collect(), 2), (vec![9], 0)] {
        let mut database = folder.open();
        let mut moved = journal().unwrap();
        move_buckets(&mut database, &buckets, to, Some(&mut moved)).unwrap();
        run(moved);
        let mut deleted = journal().unwrap();
        delete_moved(&mut database, Some(&mut deleted)).unwrap();
        run(deleted);
        assert_eq!(content(&remote.each_ref()[..], &["main"]), all(&database));
        let map = "SELECT group_concat(first || ':' || shard) FROM (SELECT * FROM shard_map ORDER BY first)";
        let of = |database: &Connection| database.query_row(map, [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(of(&remote[0]), of(&database));
    }
    // A load after the moves writes to the shards too.
    let changed = crate::support::tempfile().with_extension("ndjson");
    let texts = std::fs::read_to_string("sample/Observation.ndjson").unwrap_or_default();
    std::fs::write(&changed, texts.replace("\"final\"", "\"amended\"")).unwrap();
    run(folder.load(std::slice::from_ref(&changed), journal()).unwrap());
    assert_eq!(content(&remote.each_ref()[..], &["main"]), all(&folder.open()));
    std::fs::remove_file(&changed).unwrap();
}
