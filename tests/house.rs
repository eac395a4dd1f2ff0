//! The rules of the house, held against the code: which room may use which, and what no room below the hosts may name.
//! One crate has no walls of its own.

#![cfg(test)]

use std::path::{Path, PathBuf};

/// The rooms, from the ground up. A room may use itself and what stands before it; two in one place know nothing of each
/// other.
const FLOORS: &[&[&str]] = &[
    &["fhir"],
    &["search"],
    &["smart"],
    &["oauth", "store"],
    &["ingest", "auth_store"],
    &["api"],
    &["edge", "native", "browser"],
];

/// What only a host may name.
const HOSTS_ONLY: &[&str] = &[
    "worker::",
    "wasm_bindgen",
    "js_sys",
    "web_sys",
    "rusqlite",
    "std::time",
    "std::fs",
    "std::env",
    "getrandom",
    "println!",
];

fn floor(room: &str) -> usize {
    FLOORS.iter().position(|rooms| rooms.contains(&room)).unwrap_or_else(|| panic!("{room} has no floor"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The room of a file, and its lines before the tests, without comments.
fn sources() -> Vec<(String, PathBuf, Vec<String>)> {
    let rooms = files(Path::new("src")).into_iter().filter_map(|path| {
        let place = path.strip_prefix("src").unwrap().to_owned();
        let room = place.iter().next()?.to_string_lossy().trim_end_matches(".rs").to_owned();
        if path.extension()? != "rs" || matches!(room.as_str(), "lib" | "bin") {
            return None;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap().split("#![cfg(test)]").next().unwrap();
        let lines = code.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect();
        Some((room, path, lines))
    });
    rooms.collect()
}

#[test]
fn arrows_point_downwards() {
    for (room, path, lines) in sources() {
        for line in lines {
            for used in line.split("crate::").skip(1) {
                let other: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let allowed = other == room || floor(&other) < floor(&room);
                assert!(allowed, "{} is in {room} and uses {other}: {line}", path.display());
            }
        }
    }
}

#[test]
fn only_hosts_name_a_runtime() {
    for (room, path, lines) in sources() {
        if floor(&room) == FLOORS.len() - 1 {
            continue;
        }
        for line in lines {
            for word in HOSTS_ONLY {
                assert!(!line.contains(word), "{} names {word}: {line}", path.display());
            }
        }
    }
}

#[test]
fn statuses_stand_where_refusals_are_written() {
    // A reply is made with its status beside it in `api`; what a refusal means is said in two files alone.
    for (room, path, lines) in sources().iter().filter(|(room, ..)| !matches!(room.as_str(), "api" | "edge")) {
        // The generator's tables say how many milligrams a tablet has.
        if path.ends_with("oauth/error.rs") || path.starts_with("src/native/populate") {
            continue;
        }
        for line in lines {
            for status in ["400", "401", "403", "404", "405", "500"] {
                let alone = line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == status);
                assert!(!alone, "{} in {room} says {status}: {line}", path.display());
            }
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for path in files(Path::new("src")).iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with("//! ") && !text.starts_with("//! wip"), "{} opens without a word", path.display());
    }
}
