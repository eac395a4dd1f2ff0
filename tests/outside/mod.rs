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
