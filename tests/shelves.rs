//! Shelves: that what is packed comes out again, that bytes from outside break nothing, what a question reads, and that
//! loading twice writes nothing.

#![cfg(test)]

mod support;

use std::collections::BTreeMap;
use std::rc::Rc;

use edgechart::api::{Disclosure, Moment, Problem, QueryContext, answer_question};
use edgechart::fhir::{Id, IssueCode, Reference, ResourceType, Span, splice};
use edgechart::native::{Quiet, SqliteDatabase, shelve, value_store};
use edgechart::search::{CursorKey, Fact, SortKey, params_of};
use edgechart::smart::{Grant, Owner, ScopeSet};
use edgechart::store::shelf::{Shelf, pack};
use edgechart::store::{IndexedResource, KvStore, ShelfCache, Store, format};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use support::{Access, BASE, Values, folder, guarded, index, loaded, now, over};

fn id() -> impl Strategy<Value = Id> {
    "[A-Za-z0-9.-]{1,64}".prop_map(|text| Id::parse(&text).unwrap())
}

fn fact() -> impl Strategy<Value = Fact> {
    prop_oneof![
        (".{0,9}", ".{0,9}").prop_map(|(system, code)| Fact::Token { system, code }),
        (any::<i64>(), any::<i64>()).prop_map(|(from, until)| Fact::Span(Span { from, until })),
        (".{0,20}", ".{0,20}").prop_map(|(folded, written)| Fact::String { folded, written }),
        ".{0,20}".prop_map(Fact::Reference),
    ]
}

fn indexed(kind: ResourceType) -> impl Strategy<Value = IndexedResource> {
    let params: Vec<_> = params_of(kind).filter(|param| param.name != "_id").collect();
    let owner = prop_oneof![
        Just(Owner::Everyone),
        btree_set(id(), 0..3).prop_map(Owner::Patients),
        btree_set(id(), 0..3).prop_map(Owner::Undetermined),
    ];
    let link = (select(params.clone()), id())
        .prop_map(|(param, id)| (param, Reference { kind: ResourceType::Medication, id }));
    let held = (".{0,9}", prop::option::of(".{1,9}"), ".{0,50}");
    (
        id(),
        owner,
        prop::option::of(-1_000_000_i64..1_000_000),
        vec((select(params), fact()), 0..6),
        vec(link, 0..3),
        held,
    )
        .prop_map(move |(id, owner, start, facts, links, (version, modified, body))| IndexedResource {
            kind,
            owner,
            sort_key: SortKey::new(start, &id),
            version,
            modified,
            facts,
            links,
            body,
            id,
        })
}

/// In an order in which the same is equal: a fact that comes twice is one.
fn sorted(mut all: Vec<IndexedResource>) -> Vec<IndexedResource> {
    for indexed in &mut all {
        let own = Fact::Id(indexed.id.clone());
        indexed.facts.retain(|(_, fact)| *fact != own);
        indexed.facts.sort_by_key(|(param, fact)| format!("{:?}{fact:?}", param.id));
        indexed.facts.dedup();
        indexed.links.sort_by_key(|(param, target)| format!("{:?}{target}", param.id));
        indexed.links.dedup();
    }
    all.sort_by_key(|indexed| format!("{indexed:?}"));
    all
}

fn opened(bytes: Vec<u8>) -> Shelf {
    Shelf::open(Rc::new(bytes)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_packed_comes_out_again(
        own in vec(indexed(ResourceType::Observation), 0..12),
        included in vec(indexed(ResourceType::Provenance), 0..4),
    ) {
        let packed = pack(&own, &included);
        prop_assert!(packed.blocks.is_empty());
        let shelf = opened(packed.shelf);
        prop_assert_eq!(shelf.own().len(), own.len());
        prop_assert_eq!(sorted(shelf.unpack()), sorted(own.into_iter().chain(included).collect()));
    }

    #[test]
    fn bytes_that_were_changed_break_nothing(
        own in vec(indexed(ResourceType::Observation), 1..6),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = pack(&own, &[]).shelf;
        for (at, byte) in changes {
            let at = 16 + at.index(bytes.len() - 16);
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(shelf) = Shelf::open(Rc::new(bytes)) {
            prop_assert!(shelf.unpack().len() <= shelf.all().len());
            prop_assert!(shelf.find(&own[0].reference()).is_none_or(|row| row < shelf.all().end));
        }
    }
}

#[test]
fn a_shelf_of_another_format_is_refused_by_name() {
    let mut bytes = pack(&[], &[]).shelf;
    bytes[0] = b'9';
    let error = Shelf::open(Rc::new(bytes)).unwrap_err().0;
    assert!(error.contains("format \"9-") && error.contains(format()) && error.contains("load them again"), "{error}");
    assert!(Shelf::open(Rc::new(b"now".to_vec())).unwrap_err().0.contains("\"now\""));
    assert!(Shelf::open(Rc::new(Vec::new())).is_err());
}

// ---- answers --------------------------------------------------------------------------------------------------------

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

fn grant(scopes: &str, patient: Option<&str>) -> Grant {
    let patient = patient.and_then(Id::parse);
    Grant { client: "test".into(), patient, scopes: ScopeSet::parse(scopes).unwrap(), ..Grant::default() }
}

/// The ids of an answer, and the values that were read for it.
fn asked<S: Store>(store: &S, question: &str, grant: &Grant) -> Result<(Vec<String>, u64), Problem> {
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = QueryContext { base: BASE, cursors: &cursors, grant, prefer: None, moment: &MOMENT };
    let reply = now(answer_question(store, question, context, &mut Disclosure::default()))?;
    let timing = reply.headers.iter().find(|(name, _)| *name == "Server-Timing").unwrap().1.clone();
    let reads = timing.strip_prefix("kv;desc=\"reads=").unwrap().trim_end_matches('"').parse().unwrap();
    let body: Value = serde_json::from_str(&splice(reply.body)).unwrap();
    let name = |resource: &Value| {
        format!("{}/{}", resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap())
    };
    let entries = body["entry"].as_array().cloned().unwrap_or_default();
    let ids = entries.iter().map(|entry| name(&entry["resource"])).collect();
    Ok((if body["resourceType"] == "Bundle" { ids } else { vec![name(&body)] }, reads))
}

fn shelved(resources: &[Value]) -> Values {
    let mut values = Values::default();
    shelve(&loaded(&index(resources), &Access::new()), &mut values, &mut Quiet).unwrap();
    values
}

fn nobody() -> rusqlite::Connection {
    loaded(&[], &BTreeMap::new())
}

/// Requests of patients `0` to `9`, each with a medication, and Provenance of the first.
fn requests() -> Vec<Value> {
    let mut all = vec![json!({"resourceType": "Medication", "id": "m", "code": {"text": "x"}})];
    for patient in 0..10 {
        let patient = patient.to_string();
        all.push(json!({"resourceType": "Patient", "id": patient, "name": [{"family": "Ka"}]}));
        for at in 0..3 {
            all.push(json!({
                "resourceType": "MedicationRequest", "id": format!("{patient}-{at}"), "intent": "order", "status": "active",
                "authoredOn": format!("2020-01-0{}", at + 1),
                "subject": {"reference": format!("Patient/{patient}")}, "medicationReference": {"reference": "Medication/m"},
            }));
        }
    }
    all.push(json!({"resourceType": "Provenance", "id": "p", "target": [{"reference": "MedicationRequest/0-1"}]}));
    all
}

#[test]
fn a_question_about_a_patient_is_one_read_and_none_when_it_is_asked_again() {
    let store = over(shelved(&requests()), nobody());
    let all = grant("system/*.read", None);
    let search = "MedicationRequest?patient=0&_include=MedicationRequest:medication&_revinclude=Provenance:target";
    let ids =
        ["MedicationRequest/0-2", "MedicationRequest/0-1", "MedicationRequest/0-0", "Medication/m", "Provenance/p"];
    assert_eq!(asked(&store, search, &all).unwrap(), (ids.map(str::to_owned).into(), 1));
    assert_eq!(asked(&store, search, &all).unwrap().1, 0);
    let own = grant("patient/*.read", Some("1"));
    assert_eq!(asked(&store, "MedicationRequest", &own).unwrap().1, 1);
    assert_eq!(asked(&store, "MedicationRequest/1-0", &own).unwrap(), (vec!["MedicationRequest/1-0".into()], 0));
    assert_eq!(asked(&store, "Patient/2", &all).unwrap().1, 1);
    // The manifest, a value of the index, and the shelf.
    assert_eq!(asked(&store, "MedicationRequest/3-0", &all).unwrap().1, 3);
    assert_eq!(asked(&store, "MedicationRequest?_id=3-1,3-2", &all).unwrap().1, 0);
    assert_eq!(asked(&store, "Patient?name=ka&_count=3", &all).unwrap().0.len(), 3);
}

#[test]
fn what_is_not_there_says_the_same_whether_it_is_out_of_reach_or_not_at_all() {
    let store = over(shelved(&requests()), nobody());
    let own = grant("patient/*.read", Some("1"));
    for question in ["MedicationRequest/0-0", "MedicationRequest/ghost", "Patient/0", "Patient/ghost"] {
        assert_eq!(asked(&store, question, &own), Err(Problem::NotFound), "{question}");
    }
}

#[test]
fn large_records_are_in_body_blocks_and_only_those_needed_are_read() {
    let note = |at: usize| {
        json!({
            "resourceType": "DocumentReference", "id": format!("n{at:02}"), "status": "current", "date": format!("20{at:02}-01-01"),
            "subject": {"reference": "Patient/a"}, "description": "é".repeat(400_000),
        })
    };
    let mut resources: Vec<_> = (10..30).map(note).collect();
    resources.push(json!({"resourceType": "Patient", "id": "a"}));
    let values = shelved(&resources);
    assert!(values.0.values().all(|value| value.len() < 4 << 20));
    assert!(values.0["a/DocumentReference"].len() < 20_000);
    let store = over(values.clone(), nobody());
    let own = grant("patient/*.read", Some("a"));
    assert_eq!(
        asked(&store, "DocumentReference?_count=2", &own).unwrap(),
        (vec!["DocumentReference/n29".into(), "DocumentReference/n28".into()], 2)
    );
    assert_eq!(asked(&store, "DocumentReference?_summary=count", &own).unwrap(), (vec![], 0));
    assert_eq!(asked(&store, "DocumentReference/n10", &own).unwrap().1, 1);
    // A body block of another load is never sliced.
    let mut torn = values;
    torn.0.retain(|key, _| key.split('/').count() < 3 || key.starts_with('_'));
    let store = over(torn, nobody());
    assert!(
        matches!(asked(&store, "DocumentReference?_count=2", &own), Err(Problem::Storage(text)) if text.contains("being loaded"))
    );
}

/// A patient of many results, of which each tenth has Provenance. What they say ends with `word`.
fn results(word: &str) -> Values {
    let mut all = vec![json!({"resourceType": "Patient", "id": "a"})];
    for at in 0..2_000 {
        all.push(json!({
            "resourceType": "Observation", "id": format!("o{at:04}"), "status": "final", "code": {"text": "x"},
            "subject": {"reference": "Patient/a"}, "effectiveDateTime": format!("{}-01-01", 1_000 + at),
            "note": [{"text": format!("{}{word}", "n".repeat(1_000))}],
        }));
    }
    for at in 0..200 {
        let target = json!([{"reference": format!("Observation/o{:04}", at * 10)}]);
        all.push(json!({"resourceType": "Provenance", "id": format!("p{at:03}"), "target": target}));
    }
    shelved(&all)
}

#[test]
fn a_large_shelf_is_read_as_far_as_the_answer_goes() {
    let values = results("");
    let (size, read) = (values.0["a/Observation"].len(), Rc::clone(&values.1));
    let own = grant("patient/*.read", Some("a"));
    let store = over(values.clone(), nobody());
    let search = |store: &_, question: &str| {
        read.set(0);
        let (ids, reads) = asked(store, question, &own).unwrap();
        (ids.first().cloned().unwrap_or_default(), ids.len(), reads, read.get())
    };
    let (first, count, reads, bytes) = search(&store, "Observation?_count=50&_revinclude=Provenance:target");
    assert_eq!((first.as_str(), count, reads), ("Observation/o1999", 55, 1));
    assert!(size > 2 << 20 && bytes < 640 << 10, "{bytes} of {size}");
    // What is here answers without a read; what is not, after one, and then all of it is here.
    let (first, count, reads, _) = search(&store, "Observation?_count=50&_sort=date&_summary=count");
    assert_eq!((first.as_str(), count, reads), ("", 0, 0));
    assert_eq!(search(&store, "Observation/o1990").2, 0);
    let (first, count, reads, bytes) = search(&store, "Observation?date=lt1010&_revinclude=Provenance:target");
    assert_eq!((first.as_str(), count, reads, bytes), ("Observation/o0009", 11, 1, size));
    assert_eq!(search(&store, "Observation/o1000").2, 0);
    // Elsewhere it is one read from the start, up to there and not much further.
    let store = over(values.clone(), nobody());
    let (first, count, reads, bytes) = search(&store, "Observation?date=lt2500&_count=20");
    assert_eq!((first.as_str(), count, reads), ("Observation/o1499", 20, 1));
    assert!(bytes < size / 2, "{bytes} of {size}");
    let store = over(values.clone(), nobody());
    assert_eq!(search(&store, "Observation/o0000"), ("Observation/o0000".into(), 1, 1, size));
    // A value that ends too soon is said to.
    let mut torn = values;
    torn.0.get_mut("a/Observation").unwrap().truncate(size / 2);
    let store = over(torn, nobody());
    assert_eq!(search(&store, "Observation?_count=50").1, 50);
    for _ in 0..2 {
        let answer = asked(&store, "Observation?date=lt1010", &own);
        assert!(matches!(answer, Err(Problem::Storage(text)) if text.contains("cut short")));
    }
}

#[test]
fn a_shelf_is_not_read_on_in_another_one() {
    let cache = ShelfCache::default();
    let own = grant("patient/*.read", Some("a"));
    let [old, new] = ["of old", "of the second load"].map(results);
    let store =
        |values| guarded(KvStore::new(values, SqliteDatabase::new(nobody()), BASE.to_owned(), &cache, 1_800_000_000));
    assert_eq!(asked(&store(old), "Observation?_count=50", &own).unwrap().1, 1);
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = QueryContext { base: BASE, cursors: &cursors, grant: &own, prefer: None, moment: &MOMENT };
    let reply =
        now(answer_question(&store(new), "Observation?date=lt1010", context, &mut Disclosure::default())).unwrap();
    let body: Value = serde_json::from_str(&splice(reply.body)).unwrap();
    let notes: Vec<_> = body["entry"].as_array().unwrap().iter().map(|e| &e["resource"]["note"][0]["text"]).collect();
    assert_eq!(notes.len(), 10);
    assert!(notes.iter().all(|note| note.as_str().unwrap().ends_with("nof the second load")));
}

#[test]
fn a_question_that_would_read_too_much_is_refused() {
    let resources: Vec<_> = (0..450)
        .map(|at| {
            json!({
                "resourceType": "Encounter", "id": at.to_string(), "identifier": [{"system": "s", "value": at.to_string()}],
                "subject": {"reference": format!("Patient/{at}")},
            })
        })
        .collect();
    let store = over(shelved(&resources), nobody());
    let all = grant("system/*.read", None);
    assert_eq!(asked(&store, "Encounter?identifier=s%7C7", &all).unwrap().0, ["Encounter/7"]);
    assert_eq!(asked(&store, "Encounter?identifier=7,8", &all).unwrap().0, ["Encounter/7", "Encounter/8"]);
    let Err(Problem::Bad(issues)) = asked(&store, "Encounter?identifier=s%7C", &all) else { panic!("it was answered") };
    assert_eq!(issues[0].code, IssueCode::TooCostly);
}

#[test]
fn where_nothing_was_loaded_nothing_is_answered() {
    let store = over(Values::default(), nobody());
    let own = grant("patient/*.read", Some("a"));
    for question in ["Observation", "Practitioner?name=x"] {
        assert!(
            matches!(asked(&store, question, &own), Err(Problem::Storage(text)) if text.contains("no shelves")),
            "{question}"
        );
    }
    assert!(now(store.ready()).is_err());
    let mut values = shelved(&[]);
    assert!(now(over(values.clone(), nobody()).ready()).is_ok());
    let manifest = values.0.get_mut("_/manifest").unwrap();
    *manifest = String::from_utf8(manifest.clone()).unwrap().replace(format(), "0-old").into_bytes();
    let error = now(over(values, nobody()).ready()).unwrap_err();
    assert!(format!("{error:?}").contains("0-old"), "{error:?}");
}

// ---- the sample, and the places for values --------------------------------------------------------------------------

#[test]
fn a_shelf_of_the_sample_holds_what_a_load_found() {
    let outcomes = index(&folder("sample").unwrap());
    let database = loaded(&outcomes, &Access::new());
    let mut values = Values::default();
    shelve(&database, &mut values, &mut Quiet).unwrap();
    let known: BTreeMap<_, _> = outcomes.iter().map(|o| (o.resource.reference(), o.resource.clone())).collect();
    let mut seen = 0;
    for (key, value) in values.0.iter().filter(|(key, _)| !key.starts_with("_/manifest") && !key.starts_with("_/index"))
    {
        let shelf = opened(value.clone());
        let all = shelf.unpack();
        assert_eq!(all.len(), shelf.all().len(), "{key}");
        for indexed in all {
            let stored = known[&indexed.reference()].clone();
            assert_eq!(sorted(vec![indexed]), sorted(vec![stored]), "{key}");
            seen += 1;
        }
    }
    assert!(seen > known.len(), "{seen}");
}

#[test]
fn files_to_be_sent_hold_what_is_new_and_what_is_gone() {
    let target = support::tempfile().with_extension("folder");
    let write = |resources: &[Value]| {
        let mut values = value_store(&target).unwrap();
        shelve(&loaded(&index(resources), &Access::new()), values.as_mut(), &mut Quiet).unwrap();
        values.finish().unwrap()
    };
    let files = || {
        let mut names: Vec<_> = std::fs::read_dir(&target).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
            .into_iter()
            .map(|name| name.into_string().unwrap())
            .filter(|name| name.ends_with(".json"))
            .collect::<Vec<_>>()
    };
    let patient = |id: &str| json!({"resourceType": "Patient", "id": id});
    let first = write(&[patient("a"), patient("b")]);
    assert_eq!((first.same, first.gone, files()), (0, 0, vec!["000001-put.json".into()]));
    let pairs: Value = serde_json::from_str(&std::fs::read_to_string(target.join("000001-put.json")).unwrap()).unwrap();
    assert_eq!(pairs.as_array().unwrap().len(), first.written);
    assert!(pairs.as_array().unwrap().iter().all(|pair| pair["base64"] == true && pair["key"].is_string()));
    let again = write(&[patient("a"), patient("b")]);
    assert_eq!((again.written, again.same, again.gone), (0, first.written, 0));
    let fewer = write(&[patient("a")]);
    assert_eq!(
        (fewer.gone, files()),
        (1, ["000001-put.json", "000002-put.json", "000003-delete.json"].map(String::from).into())
    );
    assert_eq!(std::fs::read_to_string(target.join("000003-delete.json")).unwrap(), "[\"b/Patient\"]");
    std::fs::remove_dir_all(&target).unwrap();
}
