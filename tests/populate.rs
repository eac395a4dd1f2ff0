//! A population of the generator in `tools/populate`: every type and every search parameter is in use.

use std::collections::{BTreeSet, HashMap};

use crate::support::{now, query_context};
use api::{Disclosure, Moment, answer_request};
use fhir::{ResourceType, splice};
use native::{Quiet, SqliteWriter};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use populate::Population;
use rusqlite::Connection;
use search::kind::{Target, Text, Token};
use search::{CursorKey, Fact, IndexSet, Param, named};
use serde_json::Value;
use smart::{Grant, Owner, ScopeSet};
use store::{IndexedResource, Store};

/// Enough for every type to occur.
const PATIENTS: u64 = 20;

#[test]
fn it_loads_with_every_type_and_each_search_parameter_finds_something() {
    let mut lines = Vec::new();
    Population { patients: PATIENTS, seed: 1 }.write(&mut lines).unwrap();
    let text = String::from_utf8(lines).unwrap();
    let file = crate::support::tempfile().with_extension("ndjson");
    let path = crate::support::tempfile();
    std::fs::write(&file, &text).unwrap();
    let writer = SqliteWriter::open(&path).unwrap();
    let summary = crate::support::loader().load(std::slice::from_ref(&file), writer, &mut Quiet).unwrap();
    let connection = Connection::open(&path).unwrap();
    std::fs::remove_file(&file).unwrap();
    std::fs::remove_file(&path).unwrap();

    assert_eq!((summary.unresolved, summary.repeated), (0, 0));
    assert!(summary.faults.is_empty() && summary.ambiguous.is_empty() && summary.not_served.is_empty(), "{summary}");
    let types: Vec<_> = ResourceType::served().iter().filter(|on| summary.stored.contains_key(on.name())).collect();
    assert_eq!(types.len(), 31, "those that US Core needs: {types:?}");
    assert_eq!(summary.stored["Patient"], [PATIENTS as usize, 0, 0]);

    let resources: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let indexed = crate::support::index(&resources);
    let memory = crate::support::memory(&indexed, &crate::support::Access::new());
    let sqlite = crate::support::over_sqlite(connection, &crate::support::Access::new());
    let mut examples = HashMap::new();
    for outcome in &indexed {
        for (param, fact) in &outcome.resource.facts {
            examples.entry(param.id).or_insert((&outcome.resource, fact));
        }
    }
    // It has what US Core asks for, which is nothing of a Group.
    let asked_for = types.iter().filter(|on| ***on != ResourceType::Group);
    let params = asked_for.flat_map(|on| IndexSet::us_core().params_of(**on));
    for param in params {
        let (resource, query) = match examples.get(&param.id) {
            Some((resource, fact)) => (*resource, asked(param, resource, fact)),
            // To whom a Provenance belongs is said by its targets, and kept as no fact.
            None if param.paths.is_empty() => {
                let resource =
                    indexed.iter().map(|one| &one.resource).find(|one| one.resource_type == param.on).unwrap();
                (resource, format!("{}?{}={}", param.on, param.name, resource.owner.sole().unwrap()))
            }
            None => panic!("{} {} has no value", param.on, param.name),
        };
        assert!(found(&memory, &query).contains(resource.id.as_str()), "{query}");
        assert_eq!(found(&memory, &query), found(&sqlite, &query), "{query}");
    }
}

/// A search by that parameter which finds that resource.
fn asked(param: &Param, resource: &IndexedResource, fact: &Fact) -> String {
    let value = match fact {
        Fact::Id(id) => id.to_string(),
        Fact::Token(Token { system, code }) => format!("{system}|{code}"),
        Fact::String(Text { written, .. }) => written.clone(),
        Fact::Reference(Target(reference)) => reference.clone(),
        Fact::Span(span) => format!("ge{}", fhir::instant(span.from)),
        Fact::Number(_) | Fact::Quantity(_) => "gt-1e99".to_owned(),
        Fact::Instance(_) => panic!("no parameter of US Core is a composite"),
    };
    let escaped = value.replace(',', "\\,");
    let value = utf8_percent_encode(&escaped, NON_ALPHANUMERIC);
    // Nothing clinical is searched among all patients.
    let scope = match resource.owner.sole() {
        _ if matches!(param.name, "patient" | "_id") || resource.owner == Owner::Everyone => String::new(),
        Some(patient) if named(param.on, "patient").is_some() => format!("patient={patient}&"),
        Some(_) | None => format!("_id={}&", resource.id),
    };
    format!("{}?{scope}{}={value}&_count=200", param.on, param.name)
}

/// The ids of all pages that a search finds.
fn found<S: Store>(store: &S, query: &str) -> BTreeSet<String> {
    let scopes: Vec<_> =
        ResourceType::served().iter().map(|resource_type| format!("system/{resource_type}.read")).collect();
    let scopes = ScopeSet::parse(&scopes.join(" ")).unwrap();
    let grant = Grant { client: "populate".into(), scopes, ..Grant::default() };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };
    let context = query_context(&grant, &cursors, &moment);
    let mut ids = BTreeSet::new();
    let mut next = Some(query.to_owned());
    while let Some(question) = next.take() {
        let reply = now(answer_request(store, &question, context, &mut Disclosure::default()));
        let reply = reply.unwrap_or_else(|problem| panic!("{query}: {}", problem.outcome()));
        let page: Value = serde_json::from_str(&splice(reply.body)).unwrap();
        for entry in page["entry"].as_array().into_iter().flatten() {
            ids.insert(entry["resource"]["id"].as_str().unwrap().to_owned());
        }
        let link = page["link"].as_array().unwrap().iter().find(|link| link["relation"] == "next");
        next = link.map(|link| link["url"].as_str().unwrap().to_owned());
    }
    ids
}
