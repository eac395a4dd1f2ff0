//! The stored numbers of types and parameters, compared with the served types and parameters and with earlier commits.
//! `REGENERATE=1 cargo test --test integration numbers::` appends the missing numbers, and the line that fixes them. It
//! changes no line.

use base16ct::lower::encode_string;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::sync::Once;

use fhir::ResourceType;
use search::CARRIERS;
use search::registry::{member_elements, param_names};

const SERVED: &str = "src/fhir/tables/served.tsv";
const TYPES: &str = "src/fhir/tables/type-numbers.tsv";
const PARAMETERS: &str = "src/search/tables/parameter-numbers.tsv";
/// The number of rows of each table after each change of it, and their digest.
const COMMITTED: &str = "tests/numbers.tsv";

/// Returns the columns of each line of a table. In a table of numbers, the number of a row is its place, from 1. A line
/// of the table of parameters has a row for each name.
fn rows(file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let row = |columns: &[&str]| columns.iter().map(|column| (*column).to_owned()).collect();
    let named = |on: &str, word: &str| match word.strip_prefix('-') {
        Some(name) => row(&[on, name, "retired"]),
        None => row(&[on, word]),
    };
    lines
        .flat_map(|line| match line.split_once('\t') {
            Some((on, names)) if file == PARAMETERS => names.split(' ').map(|word| named(on, word)).collect(),
            _ => vec![row(&line.split('\t').collect::<Vec<_>>())],
        })
        .collect()
}

fn name(row: &[String]) -> String {
    row.iter().filter(|column| *column != "retired").cloned().collect::<Vec<_>>().join(" ")
}

fn is_retired(row: &[String]) -> bool {
    row.last().is_some_and(|column| column == "retired")
}

/// Returns the names that need a number: the served types, and for each the parameters that searches support, the type
/// as a whole, the presence of other parameters, the values for modifiers, the time of change, the carried Binaries,
/// and the compartments besides those of its owners.
fn served() -> (Vec<String>, Vec<String>) {
    let (mut types, mut parameters) = (Vec::new(), Vec::new());
    for row in rows(SERVED) {
        let on = ResourceType::parse(&row[0]).unwrap();
        let carries = CARRIERS.iter().filter(|(of, _)| *of == on).map(|_| "_attachment");
        let members = (!member_elements(on).is_empty()).then_some("_member");
        let names = ["*", "_present", "_beside", "_changed"].into_iter().chain(carries).chain(members);
        let names = names.chain(param_names(on));
        parameters.extend(names.map(|name| format!("{on} {name}")));
        types.push(row[0].clone());
    }
    (types, parameters)
}

fn digest(rows: &[Vec<String>]) -> String {
    let mut digest = Sha256::new();
    for (row, number) in rows.iter().zip(1..) {
        digest.update(format!("{} {number}\n", name(row)));
    }
    encode_string(&digest.finalize()[..8])
}

/// Returns both tables, with the names that need a number. With `REGENERATE`, this function appends the missing
/// numbers, and the lines of [`COMMITTED`] that fix them.
fn tables() -> [(&'static str, Vec<String>); 2] {
    static APPENDED: Once = Once::new();
    let (types, parameters) = served();
    let tables = [(TYPES, types), (PARAMETERS, parameters)];
    if std::env::var_os("REGENERATE").is_some() {
        APPENDED.call_once(|| tables.iter().for_each(|(file, wanted)| append(file, wanted)));
    }
    tables
}

fn append(file: &str, wanted: &[String]) {
    let known = rows(file);
    let is_new = |wanted: &&String| !known.iter().any(|row| !is_retired(row) && name(row) == **wanted);
    let new: Vec<_> = wanted.iter().filter(is_new).collect();
    if new.is_empty() {
        return;
    }
    let mut text = fs::read_to_string(file).unwrap();
    let mut last = None;
    for name in new {
        let (on, name) = name.split_once(' ').map_or((name.as_str(), None), |(on, name)| (on, Some(name)));
        match name {
            Some(name) if last == Some(on) => text.insert_str(text.len() - 1, &format!(" {name}")),
            Some(name) => writeln!(text, "{on}\t{name}").unwrap(),
            None => writeln!(text, "{on}").unwrap(),
        }
        last = Some(on);
    }
    fs::write(file, text).unwrap();
    let (all, mut committed) = (rows(file), fs::read_to_string(COMMITTED).unwrap());
    writeln!(committed, "{file}\t{}\t{}", all.len(), digest(&all)).unwrap();
    fs::write(COMMITTED, committed).unwrap();
}

#[test]
fn what_is_served_has_one_number_and_every_other_number_is_retired() {
    for (file, wanted) in tables() {
        let mut numbered = BTreeSet::new();
        for row in &rows(file) {
            assert!(is_retired(row) || numbered.insert(name(row)), "{file}: {row:?} has two numbers: retire one");
        }
        let wanted: BTreeSet<_> = wanted.into_iter().collect();
        let missing: Vec<_> = wanted.difference(&numbered).collect();
        assert!(missing.is_empty(), "{file} lacks {missing:?}: REGENERATE=1 cargo test --test integration numbers::");
        let unused: Vec<_> = numbered.difference(&wanted).collect();
        assert!(unused.is_empty(), "these are not served, and are to be retired in {file}: {unused:?}");
    }
}

#[test]
fn committed_numbers_never_change() {
    for (file, _) in tables() {
        let committed = rows(COMMITTED);
        let (all, mut held) = (rows(file), 0);
        for row in committed.iter().filter(|row| row[0] == file) {
            held = row[1].parse().unwrap();
            assert!(held <= all.len(), "a row of {file} is missing: there were {held}");
            assert_eq!(digest(&all[..held]), row[2], "one of the first {held} rows of {file} has changed");
        }
        assert_eq!(held, all.len(), "the new rows of {file} need a line in {COMMITTED}: {}", digest(&all));
    }
}
