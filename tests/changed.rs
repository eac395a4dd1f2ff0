//! The time at which this server changed a resource, in addition to the time that the source states. It is the time of
//! the load that stored or changed the resource, and is kept by repeated jobs, reindexing and moves. Searches by this
//! time never leave out resources that were loaded late, or were stored before the time was recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::support::job_server::Server;
use crate::support::{CLOCK, READ_TABLES, Values, now, over, over_sqlite};
use fhir::{Micros, ResourceType};
use ingest::LoadedMemory;
use native::{
    Loader, NoProgress, Reindexed, SqliteWriter, delete_moved, move_buckets, reindex, sharded_database, shelve,
};
use rusqlite::Connection;
use search::registry::changed;
use search::sort_key::time_of;
use search::{Handling, IndexSet, changed_between, parse};
use serde_json::{Value, json};
use smart::{Grant, ScopeSet};
use store::names::BUCKETS;
use store::sql::{chart_keys, chart_of, select_deleted, whole_chart};
use store::{MemoryStore, Store};

/// Times of loads. All are later than the times that the resources state.
const FIRST: Micros = 1_700_000_000_000_000;
const SECOND: Micros = FIRST + 60_000_000;
const THIRD: Micros = SECOND + 60_000_000;
const SCHEMAS: [&str; 2] = ["main", "shard_1"];

/// Returns the records of two patients, and a directory.
fn records() -> Vec<Value> {
    let meta = json!({"lastUpdated": "2010-05-01T00:00:00Z", "versionId": "1"});
    let mut all = vec![
        json!({"resourceType": "Practitioner", "id": "d", "meta": meta, "name": [{"family": "Lind"}]}),
        json!({"resourceType": "Organization", "id": "o", "name": "Clinic"}),
    ];
    for patient in ["a", "b"] {
        let subject = json!({"reference": format!("Patient/{patient}")});
        all.push(json!({"resourceType": "Patient", "id": patient, "meta": meta, "birthDate": "1970-05-01"}));
        all.push(json!({"resourceType": "CareTeam", "id": format!("t{patient}"), "subject": subject}));
        for at in 0..3 {
            all.push(json!({
                "resourceType": "Observation", "id": format!("{patient}{at}"), "meta": meta, "status": "final",
                "subject": subject, "effectiveDateTime": format!("2020-01-0{}", at + 1),
            }));
        }
        let target = json!([{"reference": format!("Observation/{patient}1")}]);
        all.push(json!({"resourceType": "Provenance", "id": format!("p{patient}"), "target": target}));
    }
    all
}

/// Returns the records, with one member of one resource replaced.
fn records_with(id: &str, member: &str, value: Value) -> Vec<Value> {
    let mut all = records();
    all.iter_mut().find(|resource| resource["id"] == id).unwrap()[member] = value;
    all
}

/// A directory and a further shard, which has every other bucket.
struct Files {
    files: [PathBuf; 2],
    records: PathBuf,
}

impl Files {
    /// Makes the files, and loads the records at the first time.
    fn new() -> Self {
        let [one, other, records] = [(); 3].map(|()| crate::support::tempfile());
        let files = Self { files: [one, other], records: records.with_extension("ndjson") };
        let buckets: Vec<u32> = (0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect();
        move_buckets(&mut files.open(), &buckets, 1, None).unwrap();
        files.load(&self::records(), FIRST);
        files
    }

    fn open(&self) -> Connection {
        sharded_database(&self.files[0], &self.files[1..]).unwrap()
    }

    fn load(&self, records: &[Value], changed_at: Micros) {
        let lines: Vec<_> = records.iter().map(Value::to_string).collect();
        std::fs::write(&self.records, lines.join("\n")).unwrap();
        let writer = SqliteWriter::over(self.open()).unwrap();
        let loader = Loader { now: changed_at, ..crate::support::loader() };
        loader.load(std::slice::from_ref(&self.records), writer, None, &mut NoProgress).unwrap();
    }

    /// Returns every row that readers use, and the versions of compartments.
    fn rows(&self) -> Vec<String> {
        let tables =
            [&READ_TABLES[..], &[("compartment", "n, version"), ("deleted", "reference, deleted_at, changed_at")]];
        let (tables, database) = (tables.concat(), self.open());
        SCHEMAS.iter().flat_map(|schema| crate::support::rows(&database, schema, &tables)).collect()
    }

    fn times(&self) -> Times {
        times(&self.open(), &SCHEMAS)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.files.iter().chain([&self.records]).for_each(|file| drop(std::fs::remove_file(file)));
    }
}

/// The times of changes of resources: in charts by `Type/id`, and in rows with the prefix `row`.
type Times = BTreeMap<String, Option<Micros>>;

fn times(database: &Connection, schemas: &[&str]) -> Times {
    let mut times = Times::new();
    for schema in schemas {
        let text = format!("SELECT k, data FROM {schema}.chart ORDER BY k DESC");
        let mut statement = database.prepare(&text).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let mut charts: BTreeMap<i64, Vec<(i64, Vec<u8>)>> = BTreeMap::new();
        for (key, data) in rows.map(Result::<(i64, Vec<u8>), _>::unwrap) {
            let (n, resource_type) = chart_of(key).unwrap();
            let (first, _) = chart_keys(n, resource_type);
            charts.entry(first).or_default().push((key - first, data));
        }
        for (first, rows) in charts {
            let chart = whole_chart(chart_of(first).unwrap().1, rows).unwrap().unwrap();
            for resource in chart.unpack().unwrap() {
                let old = times.insert(resource.reference().to_string(), resource.changed_at());
                assert!(old.is_none_or(|old| old == resource.changed_at()), "{}", resource.reference());
            }
        }
        let rows = format!("SELECT type, id, params FROM {schema}.resource");
        let mut statement = database.prepare(&rows).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        for (resource_type, id, known) in rows.map(Result::<(String, String, String), _>::unwrap) {
            let param = changed(ResourceType::parse(&resource_type).unwrap()).unwrap();
            let known: Value = serde_json::from_str(&known).unwrap();
            let time = known[param.id.number().to_string()][0].as_str();
            let time = time.and_then(time_of);
            times.insert(format!("row {resource_type}/{id}"), time);
        }
    }
    times
}

/// Returns the resources that were changed at another time, each with its time.
fn others(times: &Times, than: Micros) -> Vec<(&str, Option<Micros>)> {
    times.iter().filter(|(_, time)| **time != Some(than)).map(|(name, time)| (name.as_str(), *time)).collect()
}

#[test]
fn a_resource_keeps_the_time_of_the_load_that_changed_it() {
    let files = Files::new();
    let (rows, times) = (files.rows(), files.times());
    assert_eq!((times.len(), others(&times, FIRST)), (18, vec![]), "{times:?}");
    // Neither the bytes of charts and rows nor the versions of compartments change.
    files.load(&records(), SECOND);
    assert_eq!(files.rows(), rows, "a load of the same at another time changes nothing");
    let changed = records_with("a0", "status", json!("amended"));
    files.load(&changed, THIRD);
    assert_eq!(others(&files.times(), FIRST), [("Observation/a0", Some(THIRD))]);
    let rows_of_a =
        |rows: &[String]| rows.iter().filter(|row| row.contains(".chart ")).cloned().collect::<BTreeSet<_>>();
    let (before, after) = (rows_of_a(&rows), rows_of_a(&files.rows()));
    assert_eq!(before.difference(&after).count(), 1, "one chart was written");
}

#[test]
fn a_row_has_the_time_as_a_chart_has_it() {
    let files = Files::new();
    let mut changed = records_with("a", "birthDate", json!("1971-05-01"));
    changed[1]["name"] = json!("Hospital");
    files.load(&changed, SECOND);
    let expected = ["Patient/a", "row Organization/o", "row Patient/a"].map(|name| (name, Some(SECOND)));
    assert_eq!(others(&files.times(), FIRST), expected);
}

#[test]
fn what_is_in_another_record_than_before_was_changed() {
    let files = Files::new();
    // The Provenance `pa` is about the Observation, and its text is unchanged.
    files.load(&records_with("a1", "subject", json!({"reference": "Patient/b"})), SECOND);
    assert_eq!(others(&files.times(), FIRST), ["Observation/a1", "Provenance/pa"].map(|name| (name, Some(SECOND))));
}

#[test]
fn indexing_again_keeps_the_times() {
    let files = Files::new();
    files.load(&records_with("a0", "status", json!("amended")), SECOND);
    let before = files.times();
    let again = |set| reindex(files.open(), set, THIRD).unwrap();
    assert_eq!(again(None), Reindexed::default());
    assert!(again(Some(IndexSet::of_r4())).charts > 0);
    assert_eq!(files.times(), before);
    assert!(again(Some(IndexSet::us_core())).charts > 0);
    assert_eq!(files.times(), before);
}

#[test]
fn what_moves_to_another_shard_keeps_its_time() {
    let files = Files::new();
    files.load(&records_with("a0", "status", json!("amended")), SECOND);
    let before = files.times();
    let mut database = files.open();
    move_buckets(&mut database, &(0..BUCKETS).collect::<Vec<_>>(), 1, None).unwrap();
    delete_moved(&mut database, None).unwrap();
    assert_eq!(files.times(), before);
    files.load(&records(), THIRD);
    assert_eq!(files.times()["Observation/a0"], Some(THIRD));
    assert_eq!(files.times()["row Patient/a"], Some(FIRST));
}

/// Returns the ids of the resources of a type that a search finds, if this server changed them between two times.
fn found<S: Store>(store: &S, on: ResourceType, since: Option<Micros>, until: Option<Micros>) -> Vec<String> {
    let parameters: &[(String, String)] =
        if on == ResourceType::Observation { &[("patient".to_owned(), "a,b".to_owned())] } else { &[] };
    let mut query = parse(on, parameters, Handling::Strict, "").unwrap();
    query.all.extend(changed_between(on, since, until));
    let grant = Grant { scopes: ScopeSet::parse("system/*.read").unwrap(), ..Grant::default() };
    let permitted = grant.narrow(query, None).unwrap();
    let matches = now(store.search(&permitted, None)).unwrap().matches;
    let entries = matches.into_iter().map(Into::into).collect::<Vec<String>>().join(",");
    let entries: Vec<Value> = serde_json::from_str(&format!("[{entries}]")).unwrap();
    let mut ids: Vec<_> = entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

#[test]
fn a_question_about_changes_finds_what_was_loaded_late_in_every_store() {
    let files = Files::new();
    let mut changed = records_with("a0", "status", json!("amended"));
    changed[0]["name"] = json!([{"family": "Lindholm"}]);
    files.load(&changed, SECOND);
    let mut database = files.open();
    move_buckets(&mut database, &(0..BUCKETS).collect::<Vec<_>>(), 0, None).unwrap();
    let mut values = Values::default();
    shelve(&database, &mut values, &mut NoProgress).unwrap();
    let (sql, kv) = (over_sqlite(files.open(), &BTreeMap::new()), over(values, files.open()));
    let ask = |on, since, until| {
        let [of_sql, of_kv] = [found(&sql, on, since, until), found(&kv, on, since, until)];
        assert_eq!(of_sql, of_kv, "{on} {since:?} {until:?}");
        of_sql
    };
    assert_eq!(ask(ResourceType::Observation, None, None).len(), 6);
    assert_eq!(ask(ResourceType::Observation, Some(FIRST - 1), None).len(), 6, "what says that it is of 2010");
    assert_eq!(ask(ResourceType::Observation, Some(FIRST), None), ["a0"]);
    assert_eq!(ask(ResourceType::Observation, Some(SECOND), None), [""; 0]);
    assert_eq!(ask(ResourceType::Observation, None, Some(SECOND)).len(), 5);
    assert_eq!(
        (ask(ResourceType::Practitioner, Some(FIRST), None), ask(ResourceType::Practitioner, Some(SECOND), None)),
        (vec!["d".to_owned()], vec![])
    );
    assert_eq!(
        (ask(ResourceType::Organization, Some(FIRST - 1), None), ask(ResourceType::Organization, Some(FIRST), None)),
        (vec!["o".to_owned()], vec![])
    );
}

#[test]
fn where_the_time_is_not_known_a_question_about_changes_finds_all() {
    let mut memory = LoadedMemory::new("http://here");
    memory.load(&records().iter().map(Value::to_string).collect::<Vec<_>>().join("\n"), FIRST);
    let store: &MemoryStore = memory.store();
    assert!(store.rows().iter().all(|row| row.changed_at().is_none()));
    assert_eq!(found(store, ResourceType::Observation, Some(THIRD), None).len(), 6);
}

#[test]
fn a_job_keeps_the_time_of_its_write_and_a_deletion_that_of_this_server() {
    let server = Server::new();
    let text = records().iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    // The job waits for a minute before it is done.
    server.send("one", text.as_bytes(), None, false).unwrap();
    server.clock.set(CLOCK + 60_000_000);
    server.settle();
    let written = CLOCK + 60_000_000;
    assert_eq!(others(&times(&server.open(), &["main"]), written), []);
    server.clock.set(written + 60_000_000);
    server.load("again", &text);
    assert_eq!(others(&times(&server.open(), &["main"]), written), []);

    let deletion = |id: &str, at: &str| {
        let entry = json!({"request": {"method": "DELETE", "url": id}, "response": {"lastModified": at}});
        json!({"resourceType": "Bundle", "type": "history", "entry": [entry]}).to_string()
    };
    let deleted = |since, until| {
        let statement = select_deleted(since, until);
        let database = server.open();
        let mut select = database.prepare(&statement.text).unwrap();
        let rows = select.query_map(rusqlite::params_from_iter(&statement.binds), |row| row.get(0)).unwrap();
        rows.map(Result::<String, _>::unwrap).collect::<Vec<_>>()
    };
    assert_eq!(server.load("gone", &deletion("Observation/a0", "2015-01-01T00:00:00Z")).report.deleted, 1);
    let at = written + 60_000_000;
    for (since, until, found) in
        [(None, None, true), (Some(at - 1), None, true), (Some(at), None, false), (None, Some(at), false)]
    {
        assert_eq!(!deleted(since, until).is_empty(), found, "{since:?} {until:?}");
    }
    // A repeated deletion does not count, but a further one does.
    server.clock.set(at + 60_000_000);
    server.load("gone again", &deletion("Observation/a0", "2015-01-01T00:00:00Z"));
    assert_eq!(deleted(Some(at), None), [""; 0]);
    server.load("b", &deletion("Observation/b0", "2015-01-01T00:00:00Z"));
    assert_eq!(deleted(Some(at), None), ["Observation/b0"]);
    // A resource that is stored again no longer counts as deleted.
    let newer = records()[4].clone();
    assert_eq!(newer["id"], "a0");
    let newer = newer.to_string().replace("2010-05-01", "2016-01-01");
    let older = newer.replace("2016-01-01", "2014-01-01");
    assert_eq!(server.load("older", &older).report.older, 1);
    assert_eq!(deleted(None, None), ["Observation/a0", "Observation/b0"]);
    assert_eq!(server.load("newer", &newer).report.new, 1);
    assert_eq!(deleted(None, None), ["Observation/b0"]);
    assert_eq!(server.load("older again", &older).report.older, 1);
}
