//! The native side of the comparison of all runtimes: answers a list of queries from memory and from SQLite, and writes
//! the hashes of the answers. `tests/edge/agree.test.mjs` makes the list, and compares every other runtime.
//!
//! AGREE names a folder with `data.ndjson` and `queries.txt`; `memory.tsv` and `sqlite.tsv` are written beside them.

use std::fmt::Write;
use std::path::Path;

use crate::support::{BASE, LOADED_AT, now, query_context};
use api::{Disclosure, Moment, answer_request};
use fhir::{ResourceType, splice};
use ingest::LoadedMemory;
use native::{NoProgress, SqliteWriter, database};
use rusqlite::Connection;
use search::{CursorKey, IndexSet};
use serde_json::Value;
use sha2::{Digest, Sha256};
use smart::{Grant, ScopeSet};
use store::Store;

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };
const PAGES: usize = 5;

/// Returns the pages of a store's answer, and whether anything was found. `tests/browser/answers.mjs` does the same.
fn answer<S: Store>(store: &S, query: &str) -> (String, bool) {
    let scopes: Vec<_> =
        ResourceType::served().iter().map(|resource_type| format!("system/{resource_type}.read")).collect();
    let scopes = ScopeSet::parse(&scopes.join(" ")).unwrap();
    let grant = Grant { client: "agree".into(), scopes, ..Grant::default() };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(&grant, &cursors, &MOMENT);
    let (mut pages, mut found) = (Sha256::new(), false);
    let mut next = Some(query.to_owned());
    for _ in 0..PAGES {
        let Some(question) = next.take() else { break };
        let mut text = match now(answer_request(store, &question, context, &mut Disclosure::default())) {
            Ok(reply) => splice(reply.body),
            Err(problem) => problem.outcome(),
        };
        let page: Value = serde_json::from_str(&text).unwrap();
        found |= page.get("entry").is_some() || page.get("id").is_some() && page["resourceType"] != "Bundle";
        if page["resourceType"] == "Bundle" {
            let links = page["link"].as_array().unwrap();
            next =
                links.iter().find(|link| link["relation"] == "next").map(|link| link["url"].as_str().unwrap().into());
            let signature = next.as_ref().and_then(|link| link.rsplit_once('.')).map_or("", |(_, signature)| signature);
            for own in [page["id"].as_str().unwrap(), page["meta"]["lastUpdated"].as_str().unwrap(), signature] {
                text = text.replacen(own, "", 1);
            }
        }
        pages.update(text);
    }
    let hash = pages.finalize().iter().fold(String::new(), |mut hash, byte| {
        write!(hash, "{byte:02x}").unwrap();
        hash
    });
    (hash, found)
}

fn write<S: Store>(folder: &Path, name: &str, store: &S) {
    let queries = std::fs::read_to_string(folder.join("queries.txt")).unwrap();
    let answers: Vec<_> = queries.lines().map(|query| (query, answer(store, query))).collect();
    let lines = answers.iter().map(|(query, (hash, _))| format!("{query}\t{hash}\n"));
    std::fs::write(folder.join(name), lines.collect::<String>()).unwrap();
    let found = answers.iter().filter(|(_, (_, found))| *found).count();
    assert!(
        found > answers.len() / 4,
        "{found} of {} find something: to agree about nothing proves little",
        answers.len()
    );
}

#[test]
#[ignore = "a part of tests/edge/agree.test.mjs, which names in AGREE the folder with data and queries"]
fn memory_and_sqlite_write_what_they_answer() {
    let Some(folder) = std::env::var_os("AGREE") else {
        panic!("AGREE names no folder");
    };
    let folder = Path::new(&folder);
    let data = folder.join("data.ndjson");

    let mut held = LoadedMemory::new(BASE);
    let report = held.load(&std::fs::read_to_string(&data).unwrap(), LOADED_AT);
    assert_eq!(report.refused, []);
    write(folder, "memory.tsv", held.store());

    let path = folder.join("native.sqlite");
    let writer = SqliteWriter::indexing(database(&path).unwrap(), IndexSet::of_r4()).unwrap();
    let summary = crate::support::loader().load(&[data], writer, None, &mut NoProgress).unwrap();
    assert_eq!(summary.stored.values().flatten().sum::<usize>(), report.resources);
    let records = Connection::open(&path).unwrap();
    write(folder, "sqlite.tsv", &crate::support::over_sqlite(records, &crate::support::Access::new()));
}
