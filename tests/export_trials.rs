//! Exports, tried at random: whatever is granted and asked, an export has the resources that the grant opens to the
//! system for reading and that were asked for, none else, and each once. A search by a grant of the same scopes would
//! find each of them.
//!
//! The rules are those of `trials.rs`, over JSON, and share nothing with the engine but the data.
//! `TRIALS=100000 cargo test --profile cli --test integration export_trials::` tries more.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::ops::Range;

use crate::support::{Access, BASE, index_respelled, loaded, now};
use crate::trials::{PATIENTS, Token, allowed, concerns, data, name, references, scope};
use database::{Database, DatabaseError, Statement};
use export::{ExportJobs, ExportLevel, ExportRequest, ExportSource, ExportStatus, gzip_header, gzip_trailer};
use job::{Accepted, Bucket, Message, ObjectInfo, Queue, StorageError};
use native::{SqliteDatabase, tables};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestRunner};
use search::IndexSet;
use serde_json::Value;
use store::RecordDatabases;

const TYPES: [&str; 10] = [
    "Patient",
    "Observation",
    "Condition",
    "Encounter",
    "Group",
    "MedicationRequest",
    "Provenance",
    "Practitioner",
    "PractitionerRole",
    "Location",
];
/// The types of resources that come with those that refer to them.
const REFERRED: [&str; 4] = ["Practitioner", "PractitionerRole", "Location", "Medication"];

/// What an export is asked for.
#[derive(Debug, Clone)]
struct Asked {
    scopes: Vec<String>,
    level: ExportLevel,
    members: Option<Vec<&'static str>>,
    filters: Vec<&'static str>,
    /// The types. Until they are known there are none.
    types: Vec<String>,
}

/// Two clients that ask for the same: the scopes of the second one are those of the first and these.
#[derive(Debug, Clone)]
struct Two {
    asked: Asked,
    further: Vec<String>,
    /// True if the second one comes first.
    reversed: bool,
}

fn two() -> impl Strategy<Value = Two> {
    let further = prop_oneof![
        1 => Just(vec!["system/*.rs".to_owned()]),
        2 => prop::collection::vec(scope(), 0..3),
    ];
    (asked(), further, any::<bool>()).prop_map(|(asked, further, reversed)| Two { asked, further, reversed })
}

fn asked() -> impl Strategy<Value = Asked> {
    let filters = vec![
        "Observation?category=laboratory",
        "Observation?category=survey,vital-signs&status=final",
        "Observation?status:not=final",
        "Condition?clinical-status=active",
        "Location?name=ward",
    ];
    // Some grants open much, so that trials have something to export.
    let scopes = prop_oneof![
        3 => prop::collection::vec(scope(), 1..6),
        1 => prop::collection::vec(scope(), 0..3).prop_map(|mut scopes| {
            scopes.push("system/*.rs".to_owned());
            scopes
        }),
    ];
    (
        scopes,
        select(&[ExportLevel::System, ExportLevel::Patient, ExportLevel::Group][..]),
        subsequence(&PATIENTS[..], 0..=3),
        prop_oneof![2 => Just(Vec::new()), 1 => subsequence(filters, 1..3)],
    )
        .prop_map(|(scopes, level, members, filters)| Asked {
            scopes,
            level,
            members: (level == ExportLevel::Group).then_some(members),
            filters,
            types: Vec::new(),
        })
}

/// Returns whether a resource is what a filter asks for.
fn is_found(resource: &Value, filter: &str) -> bool {
    let (_, query) = filter.split_once('?').unwrap();
    query.split('&').all(|parameter| {
        let (parameter, codes) = parameter.split_once('=').unwrap();
        match parameter {
            "category" => {
                let categories = resource["category"].as_array().into_iter().flatten();
                let of = |category: &Value| category["coding"][0]["code"].as_str().map(str::to_owned);
                categories.filter_map(of).any(|code| codes.split(',').any(|one| one == code))
            }
            "status" => resource["status"] == codes,
            "status:not" => resource["status"] != codes,
            "clinical-status" => resource["clinicalStatus"]["coding"][0]["code"] == codes,
            "name" => resource["name"].as_str().unwrap().to_lowercase().starts_with(codes),
            other => panic!("{other}"),
        }
    })
}

/// The names of the resources that an export must have, by the second reading.
fn expected(asked: &Asked, all: &BTreeMap<String, &Value>) -> BTreeSet<String> {
    // An export is for the system: scopes of users and patients open nothing.
    let scopes = asked.scopes.iter().filter(|scope| scope.starts_with("system/")).cloned().collect();
    let token = Token { scopes, patient: None, user: None, fhir_user: None };
    let of_type = |resource: &Value| resource["resourceType"].as_str().unwrap().to_owned();
    let opens = |resource: &Value| {
        let own: Vec<_> =
            asked.filters.iter().filter(|filter| filter.split('?').next() == Some(&of_type(resource))).collect();
        asked.types.contains(&of_type(resource))
            && allowed(&token, 'r', resource, all)
            && (own.is_empty() || own.iter().any(|filter| is_found(resource, filter)))
    };
    if asked.level == ExportLevel::System {
        return all.iter().filter(|(_, resource)| opens(resource)).map(|(name, _)| name.clone()).collect();
    }
    let is_member = |patient: &String| asked.members.as_ref().is_none_or(|members| members.contains(&patient.as_str()));
    let is_in = |resource: &Value| {
        !REFERRED.contains(&&*of_type(resource))
            && concerns(resource, all).is_some_and(|(patients, _)| patients.iter().any(is_member))
    };
    let records = all.iter().filter(|(_, resource)| is_in(resource) && opens(resource));
    let mut found: BTreeSet<String> = records.map(|(name, _)| name.clone()).collect();
    loop {
        let cited: BTreeSet<String> = found.iter().flat_map(|name| references(all[name])).collect();
        let further = cited.into_iter().filter(|name| {
            let target = all.get(name).filter(|target| REFERRED.contains(&&*of_type(target)));
            !found.contains(name) && target.is_some_and(|target| opens(target))
        });
        let further: Vec<_> = further.collect();
        if further.is_empty() {
            return found;
        }
        found.extend(further);
    }
}

/// A database that several users share.
struct Shared<'d>(&'d SqliteDatabase);

impl Database for Shared<'_> {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        self.0.batch(statements).await
    }
}

#[derive(Default)]
struct Platform {
    objects: RefCell<HashMap<String, Vec<u8>>>,
    messages: RefCell<Vec<Message>>,
}

impl Bucket for &Platform {
    async fn info(&self, _: &str) -> Result<Option<ObjectInfo>, StorageError> {
        Ok(None)
    }

    async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>, StorageError> {
        let objects = self.objects.borrow();
        let cut = |bytes: &Vec<u8>| bytes[range.start as usize..bytes.len().min(range.end as usize)].to_vec();
        Ok(objects.get(key).map(cut))
    }

    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), StorageError> {
        self.objects.borrow_mut().insert(key.to_owned(), bytes);
        Ok(())
    }

    async fn delete(&self, keys: Vec<String>) -> Result<(), StorageError> {
        self.objects.borrow_mut().retain(|key, _| !keys.contains(key));
        Ok(())
    }
}

impl Queue for &Platform {
    async fn send(&self, messages: Vec<Message>) -> Result<(), StorageError> {
        self.messages.borrow_mut().extend(messages);
        Ok(())
    }
}

/// The names of the resources of an export, in the order of its files.
fn exported(
    records: &SqliteDatabase,
    (state, platform): (&SqliteDatabase, &Platform),
    id: &str,
    asked: &Asked,
) -> Vec<String> {
    let jobs = ExportJobs::new(Shared(state), platform, platform, 1_900_000_000_000_000, 1_000_000_000);
    let request = ExportRequest {
        level: asked.level,
        url: String::new(),
        scopes: asked.scopes.join(" "),
        types: asked.types.clone(),
        since: None,
        until: None,
        filters: asked.filters.iter().map(|filter| (*filter).to_owned()).collect(),
        elements: Vec::new(),
        patients: asked.members.as_ref().map(|members| members.iter().map(|one| (*one).to_owned()).collect()),
        by_patient: false,
        closed: Vec::new(),
        notes: Vec::new(),
    };
    assert_eq!(now(jobs.begin("app", id.to_owned(), request)), Ok(Accepted::Job(id.to_owned())));
    let source = ExportSource { databases: RecordDatabases::one(Shared(records)), set: IndexSet::all(), base: BASE };
    loop {
        let next = platform.messages.borrow_mut().pop();
        let Some(Message::Export { job, part }) = next else { break };
        now(jobs.go_on(&job, part, &source)).unwrap();
    }
    let manifest = match now(jobs.status("app", id)) {
        Ok(Some(ExportStatus::Complete(manifest))) => manifest,
        other => panic!("{other:?}"),
    };
    assert!(manifest.error.is_empty() && manifest.deleted.is_empty());
    let mut names = Vec::new();
    for file in &manifest.output {
        let segments = now(jobs.file("app", id, file.number)).unwrap().unwrap().file.segments;
        let mut gzip = gzip_header();
        for segment in &segments {
            let (from, to) = (segment.offset as usize, (segment.offset + segment.stored) as usize);
            gzip.extend(&platform.objects.borrow()[&segment.object][from..to]);
        }
        gzip.extend(gzip_trailer(&segments));
        let mut text = String::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut text).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        names.extend(lines.map(|resource| name(&resource)));
    }
    now(jobs.cancel("app", id)).unwrap();
    names
}

#[test]
fn ex08_an_export_has_what_its_grant_opens_and_nothing_else() {
    let trials: u32 = std::env::var("TRIALS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    const EACH: usize = 25;
    let cases = trials.div_ceil(2 * EACH as u32);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let (held, number) = (Cell::new(0_usize), Cell::new(0_usize));
    let outcome = runner.run(&(data(), prop::collection::vec(two(), EACH)), |(data, trials)| {
        let records = SqliteDatabase::new(loaded(&index_respelled(&data), &Access::new()));
        let state = SqliteDatabase::new(tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap());
        // All trials with the same records share the parts.
        let platform = Platform::default();
        let all: BTreeMap<String, &Value> = data.iter().map(|resource| (name(resource), resource)).collect();
        for Two { asked, further, reversed } in trials {
            // Whoever begins an export names the types that a scope of the system opens for reading.
            let opens = |of: &&&str| {
                asked.scopes.iter().any(|scope| {
                    let scope = scope.split('?').next().unwrap();
                    let named = scope.strip_prefix("system/").and_then(|rest| rest.split_once('.'));
                    named.is_some_and(|(on, access)| {
                        (on == **of || on == "*")
                            && (["read", "*"].contains(&access) || access != "write" && access.contains('r'))
                    })
                })
            };
            let types: Vec<String> =
                TYPES.iter().chain(&["Medication"]).filter(opens).map(|of| (*of).to_owned()).collect();
            // A filter is of a type that goes out.
            let is_of_type = |filter: &&str| types.iter().any(|of| filter.split('?').next() == Some(of));
            let filters = asked.filters.iter().copied().filter(is_of_type).collect();
            let one = Asked { filters, types, ..asked };
            let other = Asked { scopes: [one.scopes.clone(), further].concat(), ..one.clone() };
            for asked in if reversed { [other, one] } else { [one, other] } {
                number.set(number.get() + 1);
                let names = exported(&records, (&state, &platform), &format!("e{}", number.get()), &asked);
                let once: BTreeSet<String> = names.iter().cloned().collect();
                prop_assert_eq!(once.len(), names.len(), "a resource comes twice: {:?}", asked);
                prop_assert_eq!(&once, &expected(&asked, &all), "{:?}", asked);
                held.set(held.get() + names.len());
            }
        }
        Ok(())
    });
    outcome.unwrap();
    assert!(held.get() > trials as usize, "the trials export too little: {}", held.get());
}
