//! The native side of random trials: sends requests to memory, SQLite and shelves, and writes their answers.
//! `tests/oracle/trials.test.mjs` makes data, grants and requests, and judges the answers.
//!
//! TRIALS_FOLDER names a folder with `trials.ndjson`, a population in each line. `answers.ndjson` is written beside it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use crate::support::{Access, index_respelled, memory, now, query_context, shelves, sqlite};
use api::{Disclosure, Moment, answer_request};
use fhir::{Id, Reference, splice};
use search::CursorKey;
use serde_json::{Value, json};
use smart::{Grant, PatientList, ScopeSet};
use store::{AccessList, Store};

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };
/// Scopes that open all of the data.
const EVERYTHING: &str = "system/*.read";

/// Returns the patients whom the users may see, and those who have opted out.
fn access() -> Access {
    let few = ["a", "b"].iter().filter_map(|id| Id::parse(id)).collect();
    let of_user = |user: &str| PatientList::OfUser(user.to_owned());
    let opted_out = AccessList::AllBut([Id::parse("b").unwrap()].into());
    Access::from([
        (of_user("few"), AccessList::These(few)),
        (of_user("chief"), AccessList::All),
        (PatientList::OfPurpose("transfer".to_owned()), opted_out),
    ])
}

/// One page of an answer: its status, its text, and the patients that the audit log names.
type Page = (u16, String, Vec<String>);

fn pages<S: Store>(store: &S, question: &str, grant: &Grant) -> Vec<Page> {
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(grant, &cursors, &MOMENT);
    let mut pages = Vec::new();
    let mut next = Some(question.to_owned());
    while let Some(question) = next.take() {
        let mut disclosure = Disclosure::default();
        let (status, text) = match now(answer_request(store, &question, context, &mut disclosure)) {
            Ok(reply) => (200, splice(reply.body)),
            Err(problem) => (problem.reply::<String>().status, problem.outcome()),
        };
        let body: Value = serde_json::from_str(&text).unwrap();
        let mut links = body["link"].as_array().into_iter().flatten();
        next = links.find(|link| link["relation"] == "next").map(|link| link["url"].as_str().unwrap().to_owned());
        let named = disclosure.patients.iter().map(ToString::to_string).collect();
        pages.push((status, text, named));
    }
    pages
}

fn grant(asked: &Value, scopes: &str) -> Grant {
    let text = |name: &str| asked[name].as_str();
    Grant {
        id: None,
        client: "trial".into(),
        patient: text("patient").and_then(Id::parse),
        user: text("user").map(str::to_owned),
        fhir_user: text("fhirUser").and_then(Reference::parse),
        scopes: ScopeSet::parse(scopes).unwrap(),
        groups: asked["groups"].is_array().then(|| names(&asked["groups"]).into_iter().map(str::to_owned).collect()),
        purpose: text("purpose").map(str::to_owned),
    }
}

pub fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Answers each line of a file of the folder that TRIALS_FOLDER names.
pub fn answer_each(file: &str, mut answer: impl FnMut(&Value) -> Value) {
    let folder = std::env::var_os("TRIALS_FOLDER").unwrap_or_else(|| panic!("TRIALS_FOLDER names no folder"));
    let lines = BufReader::new(std::fs::File::open(Path::new(&folder).join(file)).unwrap()).lines();
    let mut answers = std::fs::File::create(Path::new(&folder).join("answers.ndjson")).unwrap();
    for line in lines {
        writeln!(answers, "{}", answer(&serde_json::from_str(&line.unwrap()).unwrap())).unwrap();
    }
}

#[test]
#[ignore = "a part of tests/oracle/trials.test.mjs, which names in TRIALS_FOLDER the folder with the trials"]
fn stores_agree_about_trials_and_nothing_hidden_shows() {
    answer_each("trials.ndjson", |population| {
        let data = population["data"].as_array().unwrap();
        let indexed = index_respelled(data);
        let (memory, sqlite) = (memory(&indexed, &access()), sqlite(&indexed, &access()));
        let shelves = shelves(&indexed, &access());
        let answers = population["asked"].as_array().unwrap().iter().map(|asked| {
            let (question, scopes) = (asked["question"].as_str().unwrap(), asked["scopes"].as_str().unwrap());
            let own = grant(asked, scopes);
            let here = pages(&memory, question, &own);
            assert_eq!(here, pages(&sqlite, question, &own), "SQLite: {asked}");
            assert_eq!(here, pages(&shelves, question, &own), "shelves: {asked}");
            let opened = names(&asked["opened"]);
            let is_open = |name: &str| opened.contains(&name);
            let cut = indexed.iter().filter(|row| is_open(&row.resource.reference().to_string())).cloned();
            let cut = crate::support::memory(&cut.collect::<Vec<_>>(), &access());
            assert_eq!(here, pages(&cut, question, &own), "what is closed tells: {asked}");
            let is_refused = here[0].0 != 200;
            let open_to_all = is_refused && pages(&memory, question, &grant(asked, EVERYTHING))[0].0 == 200;
            let pages = here.into_iter().map(|(status, text, named)| {
                let body: Value = serde_json::from_str(&text).unwrap();
                let of = |mode: &str| {
                    let entries = body["entry"].as_array().into_iter().flatten();
                    let of_mode = entries.filter(|entry| entry["search"]["mode"] == mode);
                    of_mode.map(|entry| name(&entry["resource"])).collect::<Vec<_>>()
                };
                let ids = if body["resourceType"] == "Bundle" { of("match") } else { vec![name(&body)] };
                json!({"status": status, "ids": ids, "included": of("include"), "named": named, "total": body["total"]})
            });
            json!({"pages": pages.collect::<Vec<_>>(), "openToAll": open_to_all})
        });
        Value::Array(answers.collect())
    });
}

pub fn name(resource: &Value) -> String {
    let text = |name: &str| resource[name].as_str().unwrap_or_default();
    format!("{}/{}", text("resourceType"), text("id"))
}
