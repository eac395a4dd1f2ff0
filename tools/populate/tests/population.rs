//! Populations: the same bytes each time, the small ones within the large ones, and nobody in two of different seeds.

use std::collections::BTreeSet;

use populate::Population;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn written(patients: u64, seed: u64) -> Vec<u8> {
    let mut lines = Vec::new();
    Population { patients, seed }.write(&mut lines).unwrap();
    lines
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let hash = Sha256::digest(written(3, 1)).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    // A change of the generator changes it, and says so here: measurements before and after it are of different data.
    assert_eq!(hash, "57389175760ad10260c95b7db12c8f7fdfd801c61149a4e5c4a41ad92a452c00");
    assert_ne!(written(3, 1), written(3, 2));
}

#[test]
fn a_small_population_is_the_beginning_of_a_larger_one() {
    let large = written(5, 7);
    assert!(large.starts_with(&written(3, 7)));
    assert!(large.starts_with(&written(0, 7)));
}

#[test]
fn nobody_is_in_two_populations() {
    let ids = |seed| -> BTreeSet<String> {
        let lines = String::from_utf8(written(4, seed)).unwrap();
        let resources = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let own = resources.filter(|resource| resource["resourceType"] != "Medication");
        own.map(|resource| resource["id"].as_str().unwrap().to_owned()).collect()
    };
    assert!(ids(1).is_disjoint(&ids(2)));
}
