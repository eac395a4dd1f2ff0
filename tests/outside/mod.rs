//! Odd bytes at every entry point: the seeds of `fuzz/`, changed at random, including findings of earlier fuzzing.
//! ODD=100000 sets their number.

mod entry_points;

use std::collections::BTreeSet;
use std::path::Path;

use entry_points::{DOORS, good_token};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

/// Returns the seeds of an entry point, one from each file.
fn seeds(door: &str) -> Vec<Vec<u8>> {
    let files = std::fs::read_dir(Path::new("fuzz/seeds").join(door)).unwrap();
    let mut seeds: Vec<_> = files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    seeds.sort();
    seeds
}

/// Makes a seed with replaced pieces: by other bytes, by pieces of another seed, or by nothing.
fn odd(seeds: &[Vec<u8>]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let piece = prop_oneof![
        vec(any::<u8>(), 0..4),
        ".{0,4}".prop_map(String::into_bytes),
        (select(seeds.to_vec()), any::<Index>(), 0..20_usize).prop_map(|(seed, at, length)| {
            let at = at.index(seed.len().max(1)).min(seed.len());
            seed[at..].iter().take(length).copied().collect()
        }),
    ];
    let cuts = vec((any::<Index>(), 0..6_usize, piece), 0..5);
    (select(seeds.to_vec()), cuts).prop_map(|(mut bytes, cuts)| {
        for (at, length, piece) in cuts {
            let at = at.index(bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, piece);
        }
        bytes
    })
}

#[test]
fn no_door_gives_way() {
    let cases = std::env::var("ODD").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    for (name, door) in DOORS {
        let seeds = seeds(name);
        seeds.iter().for_each(|seed| door(seed));
        let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&odd(&seeds), |bytes| {
            door(&bytes);
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn every_door_has_its_target_and_the_good_token_is_a_seed() {
    let files = |folder: &str| -> BTreeSet<String> {
        let files = std::fs::read_dir(folder).unwrap();
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    let doors: BTreeSet<_> = DOORS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(files("fuzz/targets"), doors);
    assert_eq!(files("fuzz/seeds"), doors);
    assert!(seeds("token").contains(&good_token().into_bytes()), "a seed that is good: {}", good_token());
}

#[test]
fn fuzz_depends_on_each_crate_that_its_modules_use() {
    let names = |path: &str| -> BTreeSet<String> {
        let text = std::fs::read_to_string(path).unwrap();
        let lines = text.lines().filter_map(|line| line.split_once([' ', '.']).filter(|(_, rest)| rest.contains('=')));
        lines.map(|(name, _)| name.replace('-', "_")).collect()
    };
    let (ours, theirs) = (names("Cargo.toml"), names("fuzz/Cargo.toml"));
    let modules = ["tests/support", "tests/world"].into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let files = modules.map(|file| file.unwrap().path()).chain([Path::new("tests/outside/entry_points.rs").into()]);
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let paths = text.split(|char: char| !char.is_alphanumeric() && !['_', ':'].contains(&char));
        let roots: BTreeSet<_> =
            paths.filter_map(|path| path.split_once("::")).map(|(root, _)| root.to_owned()).collect();
        let lacking: Vec<_> = ours.difference(&theirs).filter(|name| roots.contains(*name)).collect();
        assert!(lacking.is_empty(), "{} uses {lacking:?}", file.display());
    }
}
