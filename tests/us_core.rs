//! The requirements of each version of US Core, from its table, as its test kit searches: for every profile, by each
//! required or recommended parameter and combination, with the values of a sample resource that names the profile.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Access, folder, index_by, memory, now, query_context, sqlite_by};
use api::{Disclosure, Moment, QueryContext, answer_request};
use fhir::{ResourceType, for_each_value, splice};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use search::registry::named;
use search::{CursorKey, Guide, IndexSet};
use serde_json::Value;
use smart::{Grant, Owner, ScopeSet};
use store::Store;

const PROFILES: &str = "http://hl7.org/fhir/us/core/StructureDefinition/";

/// The profile of all vital signs. Their resources name the profile of what was measured.
const GENERAL: &str = "us-core-vital-signs";

/// Returns the sample, and what US Core 9.0.0 asks for besides.
fn sample() -> Vec<Value> {
    [folder("sample"), folder("tests/fixtures/us-core-9.ndjson")].map(Option::unwrap).concat()
}

/// The requirements of a version for one type.
#[derive(Default)]
struct Requirements {
    profiles: Vec<String>,
    /// The names of parameters that a search combines, or of a single parameter.
    searches: Vec<Vec<String>>,
}

/// Returns the requirements of a version, by type.
fn asked(guide: &str) -> BTreeMap<String, Requirements> {
    let table = std::fs::read_to_string("src/search/tables/guides.tsv").unwrap();
    let lines = table.lines().skip_while(|line| *line != guide).skip(2).take_while(|line| line.contains('\t'));
    let read = |line: &str| {
        let mut columns = line.split('\t');
        let (on, profiles) = (columns.next().unwrap(), columns.next().unwrap_or_default());
        let mut searches = Vec::new();
        for column in columns.take(2) {
            let mut level = "";
            for word in column.split(' ') {
                match word {
                    "SHALL" | "SHOULD" | "MAY" => level = word,
                    _ if ["SHALL", "SHOULD"].contains(&level) => {
                        searches.push(word.split('=').next().unwrap().split('+').map(str::to_owned).collect());
                    }
                    _ => {}
                }
            }
        }
        (on.to_owned(), Requirements { profiles: profiles.split(' ').map(str::to_owned).collect(), searches })
    };
    lines.map(read).collect()
}

/// Returns a value by which a search finds the resource, if it has one. For a chain, another resource has the value.
fn value_of(sample: &[Value], resource: &Value, on: ResourceType, name: &str) -> Option<String> {
    if let Some((reference, behind)) = name.split_once('.') {
        let to = value_of(sample, resource, on, reference)?;
        let target =
            sample.iter().find(|one| to == format!("{}/{}", one["resourceType"], one["id"]).replace('"', ""))?;
        return value_of(sample, target, ResourceType::parse(to.split_once('/')?.0)?, behind);
    }
    let param = named(on, name).unwrap_or_else(|| panic!("there is no {on} {name}"));
    let paths = match name {
        "_id" => &["id"],
        "_lastUpdated" => &["meta.lastUpdated"],
        // The targets of a Provenance determine its patients.
        "patient" if on == ResourceType::Provenance => &["target"],
        _ => param.paths,
    };
    let mut found = None;
    for path in paths {
        for_each_value(resource, path, &mut |element| found = found.take().or_else(|| written(element)));
    }
    found
}

fn written(element: &Value) -> Option<String> {
    let text = |name: &str| element[name].as_str().map(|text| text.replace(',', "\\,"));
    if let Some(text) = element.as_str() {
        return Some(text.replace(',', "\\,"));
    }
    if let Some(codings) = element["coding"].as_array() {
        return codings.iter().find_map(written);
    }
    let value = text("code").or_else(|| text("value"));
    text("reference")
        .or_else(|| Some(format!("{}|{}", text("system")?, value?)))
        .or_else(|| Some(format!("ge{}", text("start")?)))
        .or_else(|| Some(format!("le{}", text("end")?)))
}

/// Returns the search that a test kit makes for a resource, if it has values for all parameters.
fn query(sample: &[Value], resource: &Value, on: ResourceType, names: &[String]) -> Option<String> {
    let mut query = format!("{on}?_count=200");
    for name in names {
        let value = value_of(sample, resource, on, name)?;
        query.push_str(&format!("&{name}={}", utf8_percent_encode(&value, NON_ALPHANUMERIC)));
    }
    Some(query)
}

/// Returns the ids that a server with the set of US Core finds, on all pages.
fn found<S: Store>(store: &S, query: &str) -> BTreeSet<String> {
    let scopes: Vec<_> = ResourceType::served().iter().map(|on| format!("system/{on}.read")).collect();
    let grant = Grant { client: "kit".into(), scopes: ScopeSet::parse(&scopes.join(" ")).unwrap(), ..Grant::default() };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };
    let context = QueryContext { index: IndexSet::us_core(), ..query_context(&grant, &cursors, &moment) };
    let (mut ids, mut next) = (BTreeSet::new(), Some(query.to_owned()));
    while let Some(question) = next.take() {
        let reply = now(answer_request(store, &question, context, &mut Disclosure::default()));
        let reply = reply.unwrap_or_else(|problem| panic!("{query}: {}", problem.outcome()));
        let page: Value = serde_json::from_str(&splice(reply.body)).unwrap();
        let entries = page["entry"].as_array().into_iter().flatten();
        ids.extend(entries.map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()));
        let link = page["link"].as_array().unwrap().iter().find(|link| link["relation"] == "next");
        next = link.map(|link| link["url"].as_str().unwrap().to_owned());
    }
    ids
}

#[test]
fn every_search_of_each_version_finds_resources_of_its_profiles_in_the_sample() {
    let sample = sample();
    let indexed = index_by(IndexSet::us_core(), &sample);
    let memory = memory(&indexed, &Access::new());
    let sqlite = sqlite_by(IndexSet::us_core(), &indexed, &Access::new());
    let mut answers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut failing = Vec::new();
    for (version, expected) in Guide::us_core().map(Guide::name).zip([222, 266, 277, 279]) {
        let mut count = 0;
        for (on, asked) in asked(version) {
            let on_type = ResourceType::parse(&on);
            let profiles = asked.profiles.iter().filter(|profile| *profile != GENERAL);
            for (profile, names) in profiles.flat_map(|one| asked.searches.iter().map(move |names| (one, names))) {
                count += 1;
                let (on, url) = (on_type.unwrap(), format!("{PROFILES}{profile}"));
                let claims = |resource: &&Value| {
                    resource["resourceType"] == on.name()
                        && resource["meta"]["profile"].as_array().is_some_and(|all| all.iter().any(|one| *one == url))
                };
                let first = sample.iter().filter(claims).find_map(|one| Some((one, query(&sample, one, on, names)?)));
                let Some((resource, query)) = first else {
                    failing.push(format!("{version} {profile}: no resource has {}", names.join(" ")));
                    continue;
                };
                let ids = answers.entry(query.clone()).or_insert_with(|| {
                    let ids = found(&memory, &query);
                    assert_eq!(found(&sqlite, &query), ids, "{query}");
                    ids
                });
                if !ids.contains(resource["id"].as_str().unwrap()) {
                    failing.push(format!("{version} {profile}: {} is not found by {query}", resource["id"]));
                }
            }
        }
        if count != expected {
            failing.push(format!("{version}: {count} searches"));
        }
    }
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}

#[test]
fn every_parameter_of_the_set_finds_a_resource_of_the_sample() {
    let sample = sample();
    let indexed = index_by(IndexSet::us_core(), &sample);
    let memory = memory(&indexed, &Access::new());
    let sqlite = sqlite_by(IndexSet::us_core(), &indexed, &Access::new());
    let types: BTreeMap<_, _> = indexed.iter().map(|one| (one.resource.resource_type, &one.resource.owner)).collect();
    assert_eq!(types.len(), 37, "{types:?}");
    // US Core requires nothing of Group.
    for (on, owner) in types.into_iter().filter(|(on, _)| *on != ResourceType::Group) {
        // Clinical resources are never searched among all patients.
        let whose = match owner {
            _ if named(on, "patient").is_some() => Some("patient"),
            Owner::Everyone => None,
            Owner::Patients(_) | Owner::Undetermined(_) => Some("_id"),
        };
        for param in IndexSet::us_core().params_of(on) {
            let names: Vec<_> = whose.into_iter().chain([param.name]).map(str::to_owned).collect();
            let of_type = sample.iter().filter(|resource| resource["resourceType"] == on.name());
            let first = of_type.filter_map(|one| Some((one, query(&sample, one, on, &names)?))).next();
            let (resource, query) = first.unwrap_or_else(|| panic!("{on} {} has no value", param.name));
            let ids = found(&memory, &query);
            assert!(ids.contains(resource["id"].as_str().unwrap()), "{query}");
            assert_eq!(found(&sqlite, &query), ids, "{query}");
        }
    }
}
