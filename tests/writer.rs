//! A load into databases that answer asynchronously stores the same as the command line, and stores it completely: it
//! does not lose concurrent writes, and after a fault at any call the same load completes it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::support::{BASE, CLOCK, LOADED_AT, READ_TABLES, now};
use database::{Database, DatabaseError, DatabaseErrorKind, Statement};
use ingest::writer::{Clock, Snapshot, WriteError, WriteFailure, Written, write};
use ingest::{DOCUMENTS, Intake, Load, LoadEvent, Sources, Stored, TextDocuments, Writer};
use native::{self, NoProgress, SqliteDatabase, move_buckets, sharded_database};
use rusqlite::Connection;
use search::IndexSet;
use serde_json::{Value, json};
use store::RecordDatabases;
use store::names::{BUCKETS, name_hash};

/// A directory and two further shards, each with every third bucket, or only a directory.
struct Files(Vec<PathBuf>);

impl Files {
    fn new(shards: usize) -> Self {
        let files = Self((0..shards).map(|_| crate::support::tempfile()).collect());
        let mut database = files.open();
        for shard in 1..shards {
            let buckets: Vec<u32> = (0..BUCKETS).filter(|bucket| *bucket as usize % shards == shard).collect();
            move_buckets(&mut database, &buckets, shard, None).unwrap();
        }
        // Writes the format and the parameters, as the first load of the command line does.
        native::SqliteWriter::over(database).unwrap().finish().unwrap();
        files
    }

    fn open(&self) -> Connection {
        sharded_database(&self.0[0], &self.0[1..]).unwrap()
    }

    /// Returns every row of the databases, including the versions of compartments.
    fn rows(&self) -> Vec<String> {
        let others = [("compartment", "n, version"), ("alias", "name, target"), ("dependent", "target, source")];
        let tables = [&READ_TABLES[..], &others].concat();
        let schemas = ["main", "shard_1", "shard_2"];
        let database = self.open();
        schemas[..self.0.len()].iter().flat_map(|schema| crate::support::rows(&database, schema, &tables)).collect()
    }

    fn load_by_command_line(&self, text: &str) {
        let file = crate::support::tempfile().with_extension("ndjson");
        std::fs::write(&file, text).unwrap();
        let writer = native::SqliteWriter::over(self.open()).unwrap();
        crate::support::loader().load(std::slice::from_ref(&file), writer, None, &mut NoProgress).unwrap();
        std::fs::remove_file(file).unwrap();
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.0.iter().for_each(|file| drop(std::fs::remove_file(file)));
    }
}

/// A database that counts its batches, and can fail one or run a function before one.
struct CountingDatabase<'w, 'h> {
    database: SqliteDatabase,
    watch: &'w Watch<'h>,
}

#[derive(Default)]
struct Watch<'h> {
    reads: Cell<usize>,
    writes: Cell<usize>,
    /// The number of the batch that fails, counted over all databases.
    fails: Option<usize>,
    before_writing: RefCell<Option<Box<dyn FnOnce() + 'h>>>,
}

impl Database for CountingDatabase<'_, '_> {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        let reads = statements.iter().all(|statement| statement.text.starts_with("SELECT"));
        let count = if reads { &self.watch.reads } else { &self.watch.writes };
        if !reads && let Some(work) = self.watch.before_writing.take() {
            work();
        }
        if self.watch.fails == Some(self.watch.reads.get() + self.watch.writes.get()) {
            return Err(DatabaseError::other("a fault"));
        }
        count.set(count.get() + 1);
        self.database.batch(statements).await
    }
}

const LOAD: Load<'_> = Load { base: BASE, attachments: DOCUMENTS, now: LOADED_AT, clock: CLOCK, keeps_newer: false };

fn work(load: Load<'_>, text: &str, writer: &mut Writer<Snapshot<'_>>) -> Result<[usize; 3], WriteError> {
    let mut counts = [0; 3];
    let documents = TextDocuments::of(text, Intake::Store);
    load.load(writer, &mut Sources::default(), &mut |take| documents.for_each(take), &mut |location, event| {
        match event {
            LoadEvent::Stored { effect: Stored::New, .. } => counts[0] += 1,
            LoadEvent::Stored { effect: Stored::Changed, .. } => counts[1] += 1,
            LoadEvent::Stored { effect: Stored::Same, .. } => counts[2] += 1,
            LoadEvent::NotServed(_) | LoadEvent::Repeated { .. } | LoadEvent::Older(_) | LoadEvent::Deleted(..) => {}
            LoadEvent::Fault(_) | LoadEvent::IllegalId(_) | LoadEvent::Differs(..) => panic!("{location}: {event:?}"),
        }
        Ok::<_, WriteError>(())
    })?;
    Ok(counts)
}

/// Loads a text through databases of these files.
fn load(files: &Files, text: &str, watch: &Watch<'_>) -> Result<Written<[usize; 3]>, WriteFailure> {
    load_as(LOAD, files, text, watch)
}

fn load_as(load: Load<'_>, files: &Files, text: &str, watch: &Watch<'_>) -> Result<Written<[usize; 3]>, WriteFailure> {
    let watched =
        |file: &PathBuf| CountingDatabase { database: SqliteDatabase::new(crate::support::limited(file)), watch };
    let (map, corrections) = Default::default();
    let databases = match &files.0[..] {
        [directory] => RecordDatabases::one(watched(directory)),
        [directory, others @ ..] => {
            let others = others.iter().map(watched).collect();
            RecordDatabases::sharded(watched(directory), others, watched(directory), &map, &corrections)
        }
        [] => panic!("there is no file"),
    };
    now(write(
        &databases,
        IndexSet::us_core(),
        Clock(&|| LOADED_AT),
        false,
        async |writer: &mut Writer<Snapshot<'_>>| work(load, text, writer),
    ))
}

fn ndjson<'a>(resources: impl IntoIterator<Item = &'a Value>) -> String {
    resources.into_iter().map(|resource| format!("{resource}\n")).collect()
}

/// Returns the resources of the sample that are about this number of patients, and the changes of a second load: names,
/// owners, dependents, rows, and a new patient.
fn loads(patients: usize) -> [Vec<Value>; 2] {
    let mut first = crate::support::folder("sample").unwrap();
    let of_patients = first.iter().filter(|resource| resource["resourceType"] == "Patient").skip(patients);
    let others: Vec<String> = of_patients.map(|patient| patient["id"].as_str().unwrap().to_owned()).collect();
    first.retain(|resource| others.iter().all(|id| !resource.to_string().contains(id)));
    // A group of all patients takes another trip, to members outside of the load. Smaller samples lack it as well.
    first.retain(|resource| resource["id"] != "juniper-hill-patients");
    let mut second: Vec<Value> = Vec::new();
    let patients: Vec<_> = first.iter().filter(|resource| resource["resourceType"] == "Patient").collect();
    let other = format!("Patient/{}", patients[1]["id"].as_str().unwrap());
    for resource in &first {
        let mut changed = resource.clone();
        match resource["resourceType"].as_str().unwrap() {
            "Practitioner" | "Patient" => changed["name"] = json!([{"family": "Changed", "given": ["Ann"]}]),
            "Organization" => changed["active"] = json!(false),
            "Observation" | "Encounter" if second.len().is_multiple_of(3) => {
                changed["subject"] = json!({"reference": other});
            }
            "Condition" | "CareTeam" => changed["text"] = json!({"status": "empty"}),
            _ => {}
        }
        second.push(changed);
    }
    let mut new = patients[0].clone();
    new["id"] = json!("somebody-new");
    second.push(new);
    second.push(json!({
        "resourceType": "Observation", "id": "of-somebody-new", "status": "final", "code": {"text": "c"},
        "subject": {"identifier": patients[0]["identifier"][0]},
    }));
    second.push(deletion(&removed(&first)));
    [first, second]
}

/// Returns some resources of each type, including resources on which others depend.
fn removed(resources: &[Value]) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut removed = Vec::new();
    for resource in resources {
        let resource_type = resource["resourceType"].as_str().unwrap();
        let count = seen.entry(resource_type.to_owned()).or_default();
        *count += 1;
        removed.extend((*count % 9 == 2).then(|| format!("{resource_type}/{}", resource["id"].as_str().unwrap())));
    }
    removed
}

/// Returns a Bundle that deletes these resources, and one that does not exist.
fn deletion(removed: &[String]) -> Value {
    let entry = |url: &str| json!({"request": {"method": "DELETE", "url": url}});
    let all = removed.iter().map(String::as_str).chain(["Observation/never-loaded"]);
    json!({"resourceType": "Bundle", "type": "transaction", "entry": all.map(entry).collect::<Vec<_>>()})
}

#[test]
fn what_is_stored_as_it_comes_is_not_written_again() {
    let text = ndjson(&crate::support::folder("sample").unwrap());
    let files = Files::new(1);
    let all = load(&files, &text, &Watch::default()).unwrap().result[0];
    let (rows, watch) = (files.rows(), Watch::default());
    let again = load(&files, &text, &watch).unwrap();
    assert_eq!((again.result, again.corrects), ([0, 0, all], false));
    // The names of dependent resources are written again, since they may belong to another text.
    assert_eq!(watch.writes.get(), 1);
    assert!(files.rows() == rows);
}

#[test]
fn a_deletion_leaves_what_a_load_without_the_resources_leaves() {
    let first = crate::support::folder("sample").unwrap();
    let removed = removed(&first);
    let kinds: BTreeSet<_> = removed.iter().map(|reference| reference.split_once('/').unwrap().0).collect();
    assert!(removed.len() > 100 && kinds.is_superset(&["Observation", "Practitioner", "Patient", "Provenance"].into()));
    let is_removed = |resource: &&Value| {
        let (resource_type, id) = (resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap());
        removed.contains(&format!("{resource_type}/{id}"))
    };
    let (rest, names) = (ndjson(first.iter().filter(|resource| !is_removed(resource))), |files: &Files| {
        let rows = files.rows().into_iter();
        rows.filter(|row| row.contains(".locator [")).collect::<BTreeSet<_>>()
    });
    for shards in [1, 3] {
        let (own, by_command_line, other) = (Files::new(shards), Files::new(shards), Files::new(shards));
        let deletion = ndjson(&[deletion(&removed)]);
        load(&own, &ndjson(&first), &Watch::default()).unwrap();
        assert!(load(&own, &deletion, &Watch::default()).unwrap().corrects);
        by_command_line.load_by_command_line(&ndjson(&first));
        by_command_line.load_by_command_line(&deletion);
        assert!(own.rows() == by_command_line.rows());
        load(&other, &rest, &Watch::default()).unwrap();
        let without_names = |files| contents(files).into_iter().filter(|row| !row.contains(".locator ["));
        let differing: Vec<_> =
            without_names(&own).zip(without_names(&other)).filter(|(a, b)| a != b).take(1).collect();
        assert!(without_names(&own).eq(without_names(&other)), "{differing:?}");
        // An identifier whose value another resource may share is kept.
        let left = names(&own);
        assert!(left.is_superset(&names(&other)));
        for reference in &removed {
            let hash = format!("Integer({})", name_hash(reference));
            assert!(left.iter().all(|row| !row.contains(&hash)), "{reference}");
        }
        // A repeated deletion changes nothing, and the resources may be loaded again.
        let before = own.rows();
        assert!(!load(&own, &deletion, &Watch::default()).unwrap().corrects);
        assert!(own.rows() == before);
        load(&own, &ndjson(&first), &Watch::default()).unwrap();
        load(&other, &ndjson(&first), &Watch::default()).unwrap();
        assert!(without_names(&own).eq(without_names(&other)));
    }
}

#[test]
fn after_a_restore_the_loads_since_then_end_in_the_same_records() {
    let [first, second] = loads(3);
    for shards in [1, 3] {
        let files = Files::new(shards);
        load(&files, &ndjson(&first), &Watch::default()).unwrap();
        let copies: Vec<Vec<u8>> = files.0.iter().map(|file| std::fs::read(file).unwrap()).collect();
        load(&files, &ndjson(&second), &Watch::default()).unwrap();
        let after = files.rows();
        for (file, copy) in files.0.iter().zip(copies) {
            std::fs::write(file, copy).unwrap();
        }
        assert!(files.rows() != after);
        load(&files, &ndjson(&second), &Watch::default()).unwrap();
        assert!(files.rows() == after, "with the same versions");
    }
}

/// Returns versions of some observations and of a Practitioner, each newer than the previous one, and some of another
/// patient; and resources that depend on them.
fn forms() -> Vec<Value> {
    let meta = |age: usize| json!({"lastUpdated": format!("2020-01-0{}T00:00:00Z", 1 + age / 2), "versionId": age.to_string()});
    let mut forms = Vec::new();
    for age in 1..6 {
        for id in ["o", "p", "q"] {
            let patient = json!({"reference": format!("Patient/{}", ["a", "b", "c"][(age + id.len()) % 3])});
            forms.push(json!({"resourceType": "Observation", "id": id, "meta": meta(age), "status": "final", "subject": patient, "valueInteger": age}));
            let target = json!([{"reference": format!("Observation/{id}")}]);
            forms.push(
                json!({"resourceType": "Provenance", "id": format!("of-{id}"), "meta": meta(1), "target": target}),
            );
        }
        let name = json!([{"family": format!("Family{age}")}]);
        forms.push(json!({"resourceType": "Practitioner", "id": "d", "meta": meta(age), "name": name}));
        let practitioner = json!({"reference": "Practitioner/d"});
        forms.push(
            json!({"resourceType": "PractitionerRole", "id": "r", "meta": meta(age), "practitioner": practitioner}),
        );
    }
    forms
}

#[test]
fn where_what_is_newer_is_kept_the_order_of_loads_makes_no_difference() {
    let newer = Load { keeps_newer: true, ..LOAD };
    let forms = forms();
    for shards in [1, 3] {
        let expected = Files::new(shards);
        for form in &forms {
            load(&expected, &ndjson([form]), &Watch::default()).unwrap();
        }
        // Names of an earlier compartment are not compared.
        let stored = |files: &Files| -> BTreeSet<String> {
            contents(files).into_iter().filter(|row| !row.contains(".locator [")).collect()
        };
        let expected = stored(&expected);
        let mut random = 1_u64;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % limit
        };
        for _ in 0..20 {
            let mut shuffled = forms.clone();
            (1..shuffled.len()).rev().for_each(|at| shuffled.swap(at, below(at + 1)));
            let (files, mut rest) = (Files::new(shards), &shuffled[..]);
            while !rest.is_empty() {
                let (part, behind) = rest.split_at(1 + below(rest.len()));
                load_as(newer, &files, &ndjson(part), &Watch::default()).unwrap();
                rest = behind;
            }
            let again = load_as(newer, &files, &ndjson(&shuffled), &Watch::default()).unwrap();
            assert_eq!((again.result[0], again.result[1]), (0, 0), "{again:?}");
            let differing: Vec<_> = stored(&files).symmetric_difference(&expected).cloned().collect();
            assert!(differing.is_empty(), "{differing:#?}");
        }
    }
}

#[test]
fn where_what_is_newer_is_kept_forms_and_deletions_count_by_their_time() {
    let newer = Load { keeps_newer: true, ..LOAD };
    let form = |day: usize| {
        let meta = json!({"lastUpdated": format!("2020-01-0{day}T00:00:00Z")});
        json!({"resourceType": "Patient", "id": "p", "meta": meta, "birthDate": format!("1990-01-0{day}")})
    };
    let gone = |day: i32| {
        let mut bundle = deletion(&["Patient/p".to_owned()]);
        bundle["timestamp"] = json!(format!("2020-01-0{day}T00:00:00Z"));
        bundle
    };
    // The stored version, the loaded versions, and the version that is then stored: the day of a version, or 0 for
    // none. The day of a deletion is negative.
    for (before, loaded, after) in [
        (5, &[4, 6, 3][..], 6),
        (5, &[4][..], 5),
        (0, &[1, -3, 2][..], 0),
        (0, &[-3, 2][..], 0),
        (5, &[-6, 4][..], 0),
        (5, &[4, -6][..], 0),
        (5, &[-4][..], 5),
        (5, &[-4, 3][..], 5),
        (5, &[-5][..], 0),
        (4, &[-5, 6][..], 6),
        (4, &[6, -5][..], 6),
        (0, &[6, -5, 1, -2][..], 6),
    ] {
        let files = Files::new(1);
        if before > 0 {
            load_as(newer, &files, &ndjson([&form(before)]), &Watch::default()).unwrap();
        }
        let forms: Vec<_> = loaded
            .iter()
            .map(|day: &i32| if *day < 0 { gone(-day) } else { form(day.unsigned_abs() as usize) })
            .collect();
        load_as(newer, &files, &ndjson(&forms), &Watch::default()).unwrap();
        let stored = format!("{:?}{:?}", contents(&files), crate::support::charts(&files.open(), "main"));
        for day in 1..7 {
            let has = stored.contains(&format!("1990-01-0{day}"));
            assert_eq!(has, day == after, "{before} {loaded:?}: day {day}");
        }
    }
    // The address of a skipped version leads to the resource.
    let files = Files::new(1);
    load_as(newer, &files, &ndjson([&form(5)]), &Watch::default()).unwrap();
    let observation = json!({"resourceType": "Observation", "id": "o", "subject": {"reference": "urn:uuid:x"}});
    let entries = json!([{"fullUrl": "urn:uuid:x", "resource": form(3)}, {"resource": observation}]);
    let bundle = json!({"resourceType": "Bundle", "type": "transaction", "entry": entries});
    load_as(newer, &files, &ndjson([&bundle]), &Watch::default()).unwrap();
    assert!(crate::support::charts(&files.open(), "main").contains_key("p/Observation"));
}

#[test]
fn of_a_resource_that_comes_and_is_deleted_in_one_load_the_last_occurrence_counts() {
    let files = Files::new(1);
    let subject = json!({"reference": "Patient/p"});
    let observation = json!({"resourceType": "Observation", "id": "o", "status": "final", "subject": subject});
    let provenance = json!({"resourceType": "Provenance", "id": "v", "target": [{"reference": "Observation/o"}]});
    let gone = deletion(&["Observation/o".to_owned()]);
    let in_charts = || crate::support::charts(&files.open(), "main");
    let has = |text: &str| in_charts().values().any(|chart| chart.contains(text));
    load(&files, &ndjson([&observation, &gone, &provenance]), &Watch::default()).unwrap();
    assert!(!has("\"o\"") && has("Undetermined"), "{:?}", in_charts());
    load(&files, &ndjson([&gone, &observation]), &Watch::default()).unwrap();
    assert!(has("\"o\"") && !has("Undetermined"), "{:?}", in_charts());
    load(&files, &ndjson([&gone]), &Watch::default()).unwrap();
    assert!(!has("\"o\"") && has("Undetermined"), "{:?}", in_charts());
}

#[test]
fn a_load_through_a_batch_interface_stores_what_the_command_line_stores() {
    let [first, second] = loads(usize::MAX);
    for shards in [1, 3] {
        let (own, other) = (Files::new(shards), Files::new(shards));
        assert_eq!(own.rows(), other.rows());
        for (text, again) in [(ndjson(&first), false), (ndjson(&second), false), (ndjson(&second), true)] {
            let watch = Watch::default();
            let written = load(&own, &text, &watch).unwrap();
            other.load_by_command_line(&text);
            assert!(own.rows() == other.rows(), "{shards} shards, {written:?}");
            let [new, changed, same] = written.result;
            assert!(if again { new + changed == 0 } else { new > 0 }, "{written:?}");
            assert_eq!(written.corrects, changed > 0);
            assert!(same > 0 || changed == 0, "{written:?}");
            // There are two trips for stored data, one for the shard map, and one for each step of the changes.
            let most = if shards == 1 { (2, 1) } else { (2 * shards + 1, shards + 1) };
            let (reads, writes) = (watch.reads.get(), watch.writes.get());
            assert!(reads <= most.0 && writes <= most.1, "{reads} batches of reads, and {writes} of writes");
        }
    }
}

#[test]
fn loads_in_parts_store_what_one_load_stores() {
    let [first, second] = loads(usize::MAX);
    let (own, other) = (Files::new(3), Files::new(3));
    for part in first.chunks(150).chain(second.chunks(400)) {
        load(&own, &ndjson(part), &Watch::default()).unwrap();
        other.load_by_command_line(&ndjson(part));
        assert!(own.rows() == other.rows());
    }
}

#[test]
fn what_another_writer_has_changed_meanwhile_is_not_lost() {
    let files = Files::new(1);
    let of_one = |id: &str, status: &str| {
        let patient = json!({"resourceType": "Patient", "id": "p"});
        let subject = json!({"reference": "Patient/p"});
        ndjson(&[patient, json!({"resourceType": "Condition", "id": id, "subject": subject, "text": status})])
    };
    // First the compartment is new to both loads, then both know it.
    for (one, another) in [("a", "b"), ("c", "d")] {
        let other = || {
            load(&files, &of_one(another, "x"), &Watch::default()).unwrap();
        };
        let watch = Watch { before_writing: RefCell::new(Some(Box::new(other))), ..Watch::default() };
        let failed = load(&files, &of_one(one, "x"), &watch);
        assert!(matches!(&failed, Err(WriteFailure::Database(error)) if error.kind == DatabaseErrorKind::Conflict));
        assert_eq!(load(&files, &of_one(another, "x"), &Watch::default()).unwrap().result, [0, 0, 2]);
        assert_eq!(load(&files, &of_one(one, "x"), &Watch::default()).unwrap().result, [1, 0, 1]);
    }
    // First the row is new to both loads, then both know it.
    let named = |name: &str| ndjson(&[json!({"resourceType": "Practitioner", "id": "p", "name": [{"text": name}]})]);
    for (one, another) in [("a", "b"), ("c", "d")] {
        let other = || {
            load(&files, &named(another), &Watch::default()).unwrap();
        };
        let watch = Watch { before_writing: RefCell::new(Some(Box::new(other))), ..Watch::default() };
        let failed = load(&files, &named(one), &watch);
        assert!(matches!(&failed, Err(WriteFailure::Database(error)) if error.kind == DatabaseErrorKind::Conflict));
        assert_eq!(load(&files, &named(another), &Watch::default()).unwrap().result, [0, 0, 1]);
        assert_eq!(load(&files, &named(one), &Watch::default()).unwrap().result, [0, 1, 0]);
    }
}

/// Returns the contents of the databases, without the versions and the places in charts.
fn contents(files: &Files) -> BTreeSet<String> {
    let is_compared = |row: &String| !row.contains(".chart [") && !row.contains(".compartment [");
    let database = files.open();
    let schemas = ["main", "shard_1", "shard_2"].into_iter().take(files.0.len());
    let charts = schemas.flat_map(|schema| crate::support::charts(&database, schema));
    files.rows().into_iter().filter(is_compared).chain(charts.map(|chart| format!("{chart:?}"))).collect()
}

#[test]
fn after_a_fault_at_any_call_the_same_load_completes_what_it_began() {
    let [first, second] = loads(3);
    let (first, second) = (ndjson(&first), ndjson(&second));
    for shards in [1, 3] {
        let expected = Files::new(shards);
        let watch = Watch::default();
        load(&expected, &first, &watch).unwrap();
        let before = expected.rows();
        load(&expected, &second, &watch).unwrap();
        let after = contents(&expected);
        for fails in 0.. {
            let files = Files::new(shards);
            load(&files, &first, &Watch::default()).unwrap();
            let watch = Watch { fails: Some(fails), ..Watch::default() };
            if load(&files, &second, &watch).is_ok() {
                assert!(fails >= 2 * shards, "{fails} calls have failed");
                break;
            }
            if shards == 1 {
                assert!(files.rows() == before, "nothing is half done after a fault at call {fails}");
            }
            load(&files, &second, &Watch::default()).unwrap();
            let own = contents(&files);
            let differing: Vec<String> =
                own.symmetric_difference(&after).map(|row| row.chars().take(200).collect()).collect();
            assert!(differing.is_empty(), "a fault at call {fails}: {differing:#?}");
        }
    }
}
