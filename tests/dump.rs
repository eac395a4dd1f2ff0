//! A dump has the resources as they are stored, from charts and from shards.

use std::path::{Path, PathBuf};

use native::{NoProgress, SqliteWriter, dump, move_buckets, sharded_database, stored_database};
use rusqlite::Connection;
use store::names::BUCKETS;

fn load(file: &Path, paths: &[PathBuf]) {
    crate::support::loader().load(paths, SqliteWriter::open(file).unwrap(), None, &mut NoProgress).unwrap();
}

/// Returns the lines of a dump, in order, and its counts and digests.
fn dumped(database: &Connection) -> (Vec<String>, String) {
    let mut out = Vec::new();
    let contents = dump(database, None, &mut out).unwrap();
    let mut lines: Vec<_> = String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    (lines, contents.to_string())
}

#[test]
fn a_dump_that_is_loaded_gives_the_same_dump() {
    let files = [crate::support::tempfile(), crate::support::tempfile(), crate::support::tempfile()];
    load(&files[0], &[PathBuf::from("sample")]);
    let (lines, contents) = dumped(&stored_database(&files[0], &[]).unwrap());
    let again = crate::support::tempfile().with_extension("ndjson");
    std::fs::write(&again, lines.join("\n")).unwrap();
    load(&files[1], std::slice::from_ref(&again));
    assert_eq!(dumped(&stored_database(&files[1], &[]).unwrap()), (lines.clone(), contents.clone()));
    assert_eq!(contents.lines().last().unwrap().split_whitespace().nth(1), Some(lines.len().to_string().as_str()));
    // Charts are moved, some of them exist twice, and the dump is the same.
    let mut database = sharded_database(&files[1], &files[2..]).unwrap();
    move_buckets(&mut database, &(0..BUCKETS / 2).collect::<Vec<_>>(), 1, None).unwrap();
    drop(database);
    assert_eq!(dumped(&stored_database(&files[1], &files[2..]).unwrap()), (lines, contents));
    files.iter().chain([&again]).for_each(|file| std::fs::remove_file(file).unwrap());
}
