//! Shelves: packed resources are unpacked unchanged, bytes from outside cause no failure, a request reads only what it
//! needs, and a second load writes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base16ct::lower::encode_string;

use crate::support::{Access, Values, folder, index, index_by, loaded, loaded_by, now, over, query_context};
use api::{Disclosure, Moment, Problem, answer_request};
use chart::{BodyLocation, Chart, Contents, FORM, PackedChart, blocks, contents, deflate_with_plain, pack};
use fhir::{Id, IssueCode, ResourceType, Span, splice};
use native::{NoProgress, shelve, value_store};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::select;
use search::kind::{Target, Text, Token};
use search::registry::presence;
use search::{CursorKey, Fact, IndexSet, SortKey, stored_params};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use smart::{Grant, Owner, ScopeSet};
use store::kv::PackedShelf;
use store::{IndexedResource, Shelf, Store, format};

fn id() -> impl Strategy<Value = Id> {
    prop_oneof!["[A-Za-z0-9.-]{1,64}", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"]
        .prop_map(|text| Id::parse(&text).unwrap())
}

fn fact() -> impl Strategy<Value = Fact> {
    prop_oneof![
        (".{0,9}", ".{0,9}").prop_map(|(system, code)| Fact::from(Token { system, code })),
        (any::<i64>(), any::<i64>()).prop_map(|(from, until)| Fact::from(Span { from, until })),
        (".{0,20}", ".{0,20}").prop_map(|(folded, written)| Fact::from(Text { folded, written })),
        ".{0,20}".prop_map(|text| Fact::from(Target(text))),
        id().prop_map(|id| Fact::from(Target(format!("Encounter/{id}")))),
    ]
}

fn indexed(resource_type: ResourceType) -> impl Strategy<Value = IndexedResource> {
    let params = stored_params(resource_type).filter(|param| param.name != "_id" && param.is_stored());
    let params: Vec<_> = params.collect();
    let owner = prop_oneof![
        Just(Owner::Everyone),
        btree_set(id(), 0..3).prop_map(Owner::Patients),
        btree_set(id(), 0..3).prop_map(Owner::Undetermined),
    ];
    let held = (prop_oneof![".{0,9}", "[0-9a-f]{16}"], ".{1,50}");
    (id(), owner, prop::option::of(-1_000_000_i64..1_000_000), vec((select(params), fact()), 0..6), held).prop_map(
        move |(id, owner, start, facts, (version, body))| IndexedResource {
            resource_type,
            owner,
            sort_key: SortKey::new(start, &id),
            version,
            facts,
            body,
            id,
        },
    )
}

/// Sorts resources canonically, and removes duplicate facts.
fn sorted(mut all: Vec<IndexedResource>) -> Vec<IndexedResource> {
    for indexed in &mut all {
        let own = Fact::from(indexed.id.clone());
        indexed.facts.retain(|(_, fact)| *fact != own);
        indexed.facts.sort_by_key(|(param, fact)| format!("{:?}{fact:?}", param.id));
        indexed.facts.dedup();
    }
    all.sort_by_key(|indexed| format!("{indexed:?}"));
    all
}

/// Opens a chart of Observation with all its pages.
fn opened(packed: PackedChart) -> Chart {
    opened_as(ResourceType::Observation, packed)
}

fn opened_as(resource_type: ResourceType, packed: PackedChart) -> Chart {
    let chart = Chart::open(resource_type, &packed.head).unwrap();
    packed.pages.into_iter().enumerate().for_each(|(number, page)| chart.put_page(number, page));
    chart
}

/// Returns the resources without duplicate ids.
fn distinct(mut all: Vec<IndexedResource>) -> Vec<IndexedResource> {
    let mut seen = BTreeSet::new();
    all.retain(|indexed| seen.insert(indexed.id.clone()));
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_packed_comes_out_again(own in vec(indexed(ResourceType::Observation), 0..12)) {
        let own = distinct(own);
        let chart = opened(pack(&own, IndexSet::of_r4()));
        prop_assert_eq!(chart.rows().len(), own.len());
        let keys: Vec<_> = chart.rows().map(|row| chart.sort_key(row).to_owned()).collect();
        prop_assert!(keys.is_sorted());
        prop_assert_eq!(sorted(chart.unpack().unwrap()), sorted(own));
    }

    #[test]
    fn bytes_that_were_changed_break_nothing(
        own in vec(indexed(ResourceType::Observation), 1..6),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let own = distinct(own);
        let packed = pack(&own, IndexSet::us_core());
        let shelf = changed(PackedShelf::of(&pack(&own, IndexSet::of_r4())).value, 16, &changes, cut);
        if let Ok(shelf) = Shelf::open(ResourceType::Observation, &shelf) {
            let _ = shelf.chart.unpack();
        }
        // The head itself is changed, below the checksums of deflate.
        let Contents { plain, inflated } = contents(&packed.head).unwrap();
        let head = changed(inflated, 0, &changes, cut);
        if let Ok(chart) = Chart::open(ResourceType::Observation, &deflate_with_plain(plain, &head)) {
            packed.pages.into_iter().enumerate().for_each(|(number, page)| chart.put_page(number, page));
            let _ = chart.unpack();
            prop_assert!(chart.find(own[0].id.as_str()).is_none_or(|row| row < chart.rows().end));
        }
    }
}

/// Changes some of the bytes after the first `from`, and may cut off the end.
fn changed(
    mut bytes: Vec<u8>,
    from: usize,
    changes: &[(prop::sample::Index, u8)],
    cut: Option<prop::sample::Index>,
) -> Vec<u8> {
    for (at, byte) in changes {
        let at = from + at.index(bytes.len() - from);
        bytes[at] = *byte;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
    bytes
}

#[test]
fn a_page_has_64_texts_and_is_inflated_once() {
    let resources: Vec<_> = (0..200)
        .map(|at| {
            json!({
                "resourceType": "Observation", "id": format!("o{at:03}"), "subject": {"reference": "Patient/a"},
                "effectiveDateTime": format!("{}-01-01", 1_800 + at),
            })
        })
        .collect();
    let rows: Vec<_> = index(&resources).into_iter().map(|indexed| indexed.resource).collect();
    let chart = opened(pack(&rows, IndexSet::of_r4()));
    assert_eq!((chart.pages(), chart.id(0), chart.id(199)), (4, "o199", "o000"));
    let page = |row| match chart.body(row).unwrap() {
        BodyLocation::Read(page, _) => page,
        BodyLocation::Unread(number) => panic!("page {number} has not been read"),
    };
    assert!(Rc::ptr_eq(&page(0), &page(7)) && !Rc::ptr_eq(&page(0), &page(8)));
    // The last page has the eight newest texts.
    assert!(page(0).len() * 8 == page(199).len() && chart.size() > 200 * rows[0].body.len());
}

#[test]
fn further_parameters_leave_the_part_of_us_core_as_it_is() {
    let sample = folder("sample").unwrap();
    let of = |set| {
        let mut all: BTreeMap<ResourceType, Vec<IndexedResource>> = BTreeMap::new();
        for resource in index_by(set, &sample).into_iter().map(|indexed| indexed.resource) {
            all.entry(resource.resource_type).or_default().push(resource);
        }
        all
    };
    let [of_us_core, of_r4] = [IndexSet::us_core(), IndexSet::of_r4()];
    let further = of(of_r4);
    let mut same = 0;
    for (resource_type, rows) in of(of_us_core) {
        let rows_of_r4 = &further[&resource_type];
        let (plain, more) = (pack(&rows, of_us_core), pack(rows_of_r4, of_r4));
        let (block, none) = blocks(&plain.head).unwrap();
        assert!(none.is_none() && plain.head[0] == FORM, "{resource_type}");
        let present = |rows: &[IndexedResource]| -> Vec<_> {
            let presence = presence(resource_type).unwrap();
            rows.iter().flat_map(|row| row.facts_of(presence).cloned()).collect()
        };
        // The presence of further parameters is stored with that of the others.
        if present(&rows) == present(rows_of_r4) {
            same += 1;
            assert_eq!(blocks(&more.head).unwrap().0, block, "{resource_type}");
        }
        assert_eq!(plain.pages, more.pages, "{resource_type}");
        let (plain, more) = (opened_as(resource_type, plain), opened_as(resource_type, more));
        assert!(plain.is_indexed_for(of_us_core) && more.is_indexed_for(of_r4), "{resource_type}");
        let has_further = of_r4.params_of(resource_type).any(|param| !param.in_us_core);
        assert_eq!(more.is_indexed_for(of_us_core), !has_further, "{resource_type}");
        assert_eq!(sorted(more.unpack().unwrap()), sorted(rows_of_r4.clone()), "{resource_type}");
    }
    assert!(same > 5, "{same}");
}

#[test]
fn a_shelf_of_another_format_is_refused_by_name() {
    let mut bytes = PackedShelf::of(&pack(&[], IndexSet::of_r4())).value;
    let open = |bytes: &[u8]| Shelf::open(ResourceType::Observation, bytes);
    assert!(open(&bytes).is_ok());
    bytes[0] = b'x';
    let error = open(&bytes).unwrap_err().0;
    assert!(error.contains("format \"x") && error.contains(format()) && error.contains("load them again"), "{error}");
    assert!(open(b"now").unwrap_err().0.contains("\"now\""));
    assert!(open(&[]).is_err());
}

// ---- answers --------------------------------------------------------------------------------------------------------

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

fn grant(scopes: &str, patient: Option<&str>) -> Grant {
    let patient = patient.and_then(Id::parse);
    Grant { client: "test".into(), patient, scopes: ScopeSet::parse(scopes).unwrap(), ..Grant::default() }
}

/// Returns the ids of an answer, and the number of values that were read for it.
fn asked<S: Store>(store: &S, question: &str, grant: &Grant) -> Result<(Vec<String>, u64), Problem> {
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(grant, &cursors, &MOMENT);
    let reply = now(answer_request(store, question, context, &mut Disclosure::default()))?;
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
    shelve(&loaded(&index(resources), &Access::new()), &mut values, &mut NoProgress).unwrap();
    values
}

fn nobody() -> rusqlite::Connection {
    loaded(&[], &BTreeMap::new())
}

/// Returns requests of the patients `0` to `9`, each with a medication, and a Provenance of the first.
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
    // First the shelves of the requests and of the Provenance are read at once; then the index, which has the
    // Provenances of many patients, the manifest, and the part with the medication.
    assert_eq!(asked(&store, search, &all).unwrap(), (ids.map(str::to_owned).into(), 5));
    assert_eq!(asked(&store, search, &all).unwrap().1, 0);
    let own = grant("patient/*.read", Some("1"));
    assert_eq!(asked(&store, "MedicationRequest", &own).unwrap().1, 1);
    assert_eq!(asked(&store, "MedicationRequest/1-0", &own).unwrap(), (vec!["MedicationRequest/1-0".into()], 0));
    assert_eq!(asked(&store, "Patient/2", &all).unwrap().1, 1);
    // Only the shelf is read, since the value of the index was read before.
    assert_eq!(asked(&store, "MedicationRequest/3-0", &all).unwrap().1, 1);
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
fn large_records_are_in_pages_of_their_own_and_only_those_needed_are_read() {
    // Digits without repetitions are compressed to half of their length.
    let digits =
        |at: usize| (0..20_000).map(|n| encode_string(&Sha256::digest(format!("{at} {n}")))).collect::<String>();
    let note = |at: usize| {
        json!({
            "resourceType": "DocumentReference", "id": format!("n{at:02}"), "status": "current", "date": format!("20{at:02}-01-01"),
            "subject": {"reference": "Patient/a"}, "content": [{"attachment": {"data": digits(at)}}],
        })
    };
    let mut resources: Vec<_> = (12..30).map(note).collect();
    resources.push(json!({"resourceType": "Patient", "id": "a"}));
    let values = shelved(&resources);
    assert!(values.0.values().all(|value| value.len() < 1 << 20));
    assert!(values.0["a/DocumentReference"].len() < 20_000);
    let store = over(values.clone(), nobody());
    let own = grant("patient/*.read", Some("a"));
    assert_eq!(
        asked(&store, "DocumentReference?_count=2", &own).unwrap(),
        (vec!["DocumentReference/n29".into(), "DocumentReference/n28".into()], 3)
    );
    assert_eq!(asked(&store, "DocumentReference?_summary=count", &own).unwrap(), (vec![], 0));
    assert_eq!(asked(&store, "DocumentReference/n12", &own).unwrap().1, 1);
    assert_eq!(asked(&store, "DocumentReference?_count=2", &own).unwrap().1, 0);
    // A page from another load is never used.
    let mut torn = values;
    torn.0.retain(|key, _| key.split('/').count() < 3 || key.starts_with('_'));
    let store = over(torn, nobody());
    assert!(
        matches!(asked(&store, "DocumentReference?_count=2", &own), Err(Problem::Storage(text)) if text.contains("being loaded"))
    );
}

#[test]
fn a_search_reads_a_small_value_and_nothing_when_it_is_repeated() {
    let mut all = vec![json!({"resourceType": "Patient", "id": "a"})];
    for at in 0..2_000 {
        all.push(json!({
            "resourceType": "Observation", "id": format!("o{at:04}"), "status": "final", "code": {"text": "x"},
            "subject": {"reference": "Patient/a"}, "effectiveDateTime": format!("{}-01-01", 1_000 + at),
            "note": [{"text": "n".repeat(1_000)}],
        }));
    }
    for at in 0..200 {
        let target = json!([{"reference": format!("Observation/o{:04}", at * 10)}]);
        all.push(json!({"resourceType": "Provenance", "id": format!("p{at:03}"), "target": target}));
    }
    let values = shelved(&all);
    let (size, read) = (values.0["a/Observation"].len() + values.0["a/Provenance"].len(), Rc::clone(&values.1));
    assert!(size < 120_000, "{size} bytes for 2,200 resources");
    let own = grant("patient/*.read", Some("a"));
    let store = over(values.clone(), nobody());
    let search = |store: &_, question: &str| {
        read.set(0);
        let (ids, reads) = asked(store, question, &own).unwrap();
        (ids.first().cloned().unwrap_or_default(), ids.len(), reads, read.get())
    };
    let found = search(&over(values.clone(), nobody()), "Observation?_has:Provenance:target:_id=p007,none");
    assert_eq!(found, ("Observation/o0070".into(), 1, 2, size), "and the values to which a join leads");
    let found = search(&store, "Observation?_count=50&_revinclude=Provenance:target");
    assert_eq!(found, ("Observation/o1999".into(), 55, 2, size));
    let found = search(&store, "Observation?date=lt1010&_revinclude=Provenance:target");
    assert_eq!(found, ("Observation/o0009".into(), 11, 0, 0));
    assert_eq!(search(&store, "Observation?_sort=date&_summary=count"), (String::new(), 0, 0, 0));
    assert_eq!(search(&store, "Observation/o1000"), ("Observation/o1000".into(), 1, 0, 0));
    // A value that ends too early is detected.
    let mut torn = values;
    torn.0.get_mut("a/Observation").unwrap().truncate(size / 2);
    let store = over(torn, nobody());
    for _ in 0..2 {
        let answer = asked(&store, "Observation?_count=50", &own);
        assert!(matches!(answer, Err(Problem::Storage(text)) if text.contains("damaged")));
    }
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
    let fault = |values| now(over(values, nobody()).dependencies()).remove(0).fault;
    assert!(fault(Values::default()).is_some());
    let mut values = shelved(&[]);
    assert_eq!(fault(values.clone()), None);
    let manifest = values.0.get_mut("_/manifest").unwrap();
    *manifest = String::from_utf8(manifest.clone())
        .unwrap()
        .replacen(&json!(format()).to_string(), "\"0-old\"", 1)
        .into_bytes();
    assert!(fault(values).unwrap().contains("0-old"));
}

// ---- the sample, and the places for values --------------------------------------------------------------------------

#[test]
fn a_shelf_of_the_sample_holds_what_a_load_found() {
    // A shelf takes bytes of its own. The set r4 may take half as many bytes again.
    for (set, halves) in [(IndexSet::us_core(), 2), (IndexSet::of_r4(), 3)] {
        let resources = index_by(set, &folder("sample").unwrap());
        let database = loaded_by(set, &resources, &Access::new());
        let mut values = Values::default();
        shelve(&database, &mut values, &mut NoProgress).unwrap();
        let known: BTreeMap<_, _> = resources.iter().map(|o| (o.resource.reference(), o.resource.clone())).collect();
        let mut seen = BTreeSet::new();
        for (key, value) in
            values.0.iter().filter(|(key, _)| !key.starts_with("_/manifest") && !key.starts_with("_/index"))
        {
            let resource_type = ResourceType::parse(key.split('/').nth(1).unwrap()).unwrap();
            let rows = Shelf::open(resource_type, value).unwrap().chart.unpack().unwrap();
            for indexed in rows {
                let reference = indexed.reference();
                assert_eq!(sorted(vec![indexed]), sorted(vec![known[&reference].clone()]), "{key}");
                seen.insert(reference);
            }
        }
        assert_eq!(seen.len(), known.len());
        let bytes: usize = values.0.values().map(Vec::len).sum();
        let most = (175 * known.len() + 449 * values.0.len()) * halves / 2;
        assert!(bytes < most, "{bytes} bytes of {} resources, {}", known.len(), set.name());
    }
}

#[test]
fn files_to_be_sent_hold_what_is_new_and_what_is_gone() {
    let target = crate::support::tempfile().with_extension("folder");
    let write = |resources: &[Value]| {
        let mut values = value_store(&target).unwrap();
        shelve(&loaded(&index(resources), &Access::new()), values.as_mut(), &mut NoProgress).unwrap();
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
