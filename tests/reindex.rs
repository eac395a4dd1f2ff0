//! Records that were loaded before a parameter was added: a search by the parameter is refused, other searches are
//! answered, and reindexing gives the same result as a load. Instead of using an older version, the tests remove the
//! values of some parameters from the stored records.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::support::{Access, Values, index, loaded, now, over, over_sqlite, query_context};
use api::{Disclosure, Moment, Problem, answer_request};
use chart::{pack, without};
use fhir::{Id, IssueCode, ResourceType, splice};
use ingest::{
    self,
    writer::{Clock, WriteFailure},
};
use native::{
    NoProgress, Reindexed, SqliteDatabase, SqliteWriter, Summary, move_buckets, reindex, sharded_database, shelve,
};
use rusqlite::{Connection, OptionalExtension, params};
use search::registry::{attachment, named, presence};
use search::{CursorKey, IndexSet, Param, SortKey};
use serde_json::{Value, json};
use smart::{Grant, PatientList, ScopeSet};
use store::kv::PackedShelf;
use store::names::{BUCKETS, name_hash, names};
use store::sql::{chart_keys, chart_of};
use store::{AccessList, IndexedParams, RecordDatabases};

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

/// The time at which these tests reindex, which differs from the time of loads.
const REINDEXED_AT: i64 = 1_850_000_000_000_000;

/// The bits of a key of the table `chart` that are the place in a chart, and the place of a small head.
const PLACES: i64 = (1 << 19) - 1;
const HEAD: i64 = 65_535 << 3;

/// The parameters that these tests treat as new: of charts, names, rows and links, and chained parameters. The presence
/// of other parameters, and the Binaries that documents carry, are new too.
const NEW: [(&str, &str); 8] = [
    ("Observation", "code"),
    ("Encounter", "identifier"),
    ("Patient", "birthdate"),
    ("Patient", "gender"),
    ("Practitioner", "name"),
    ("PractitionerRole", "practitioner.name"),
    ("PractitionerRole", "practitioner"),
    ("Provenance", "target"),
];

fn new_params() -> Vec<&'static Param> {
    let params = NEW.iter().map(|(on, name)| named(ResourceType::parse(on).unwrap(), name).unwrap());
    let carrying = attachment(ResourceType::DocumentReference);
    params.chain(carrying).chain(ResourceType::served().iter().filter_map(|on| presence(*on))).collect()
}

fn records() -> Vec<Value> {
    let mut all = vec![
        json!({"resourceType": "Practitioner", "id": "d", "name": [{"family": "Lind"}]}),
        json!({"resourceType": "PractitionerRole", "id": "r", "practitioner": {"reference": "Practitioner/d"}}),
    ];
    for patient in ["a", "b"] {
        let subject = json!({"reference": format!("Patient/{patient}")});
        all.push(json!({
            "resourceType": "Patient", "id": patient, "birthDate": "1970-05-01", "gender": "female",
            "name": [{"family": "Ka"}],
        }));
        for at in 0..3 {
            all.push(json!({
                "resourceType": "Observation", "id": format!("{patient}{at}"), "status": "final", "subject": subject,
                "code": {"coding": [{"code": if at == 0 { "y" } else { "x" }}]},
                "effectiveDateTime": format!("2020-01-0{}", at + 1),
            }));
        }
        all.push(json!({
            "resourceType": "AllergyIntolerance", "id": format!("i{patient}"), "patient": subject,
            "clinicalStatus": {"text": "active"},
        }));
        all.push(json!({
            "resourceType": "Encounter", "id": format!("e{patient}"), "status": "finished", "subject": subject,
            "identifier": [{"system": "s", "value": patient}],
        }));
        let target = json!([{"reference": format!("Observation/{patient}1")}]);
        all.push(json!({"resourceType": "Provenance", "id": format!("p{patient}"), "target": target}));
    }
    let note = json!([{"attachment": {"url": "Binary/x"}}]);
    let subject = json!({"reference": "Patient/a"});
    all.push(json!({"resourceType": "DocumentReference", "id": "n", "subject": subject, "content": note}));
    all.push(json!({"resourceType": "Binary", "id": "x", "contentType": "text/plain", "data": "eA=="}));
    let both = json!([{"reference": "Observation/a0"}, {"reference": "Observation/b0"}]);
    all.push(json!({"resourceType": "Provenance", "id": "both", "target": both}));
    all
}

/// Removes the values of parameters from all schemas of a database, as if an older version had loaded it.
fn outdate(database: &Connection, schemas: &[&str], new: &[&'static Param]) {
    for schema in schemas {
        let heads = format!("SELECT k, data FROM {schema}.chart WHERE k & {PLACES} = {HEAD}");
        let mut statement = database.prepare(&heads).unwrap();
        let heads = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let heads: Vec<(i64, Vec<u8>)> = heads.map(Result::unwrap).collect();
        for (k, mut row) in heads {
            let (n, resource_type) = chart_of(k).unwrap();
            let text = format!("SELECT k - ?1, data FROM {schema}.chart WHERE k BETWEEN ?1 AND ?2 ORDER BY k DESC");
            let (first, last) = chart_keys(n, resource_type);
            let mut rows = database.prepare(&text).unwrap();
            let rows = rows.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            let rows: Vec<(i64, Vec<u8>)> = rows.map(Result::unwrap).collect();
            let chart = store::sql::whole_chart(resource_type, rows).unwrap().unwrap();
            if new.iter().any(|param| param.base == resource_type) {
                for resource in chart.unpack().unwrap() {
                    for name in names(&resource).iter().filter(|name| name.contains('?')) {
                        database.execute("DELETE FROM main.locator WHERE hash = ?1", [name_hash(name)]).unwrap();
                    }
                }
            }
            // The row has the length of the head, the head, and the last page.
            let page = row.split_off(4 + u32::from_le_bytes(*row.first_chunk().unwrap()) as usize);
            let mut head = row.split_off(4);
            for param in new {
                head = without(&head, param.id).unwrap();
            }
            let row = [&u32::try_from(head.len()).unwrap().to_le_bytes(), &*head, &*page].concat();
            database.execute(&format!("UPDATE {schema}.chart SET data = ?2 WHERE k = ?1"), params![k, row]).unwrap();
        }
    }
    let mut held: Vec<u16> = serde_json::from_str(&IndexedParams::of(IndexSet::us_core()).text()).unwrap();
    held.retain(|id| new.iter().all(|param| param.id.number() != *id));
    database.execute("UPDATE main.format SET params = ?1", [json!(held).to_string()]).unwrap();
    for (param, schema) in new.iter().flat_map(|param| schemas.iter().map(move |schema| (param, schema))) {
        let number = param.id.number();
        for table in ["fact", "link"] {
            database.execute(&format!("DELETE FROM {schema}.{table} WHERE param = ?1"), [number]).unwrap();
        }
        let digests = format!("UPDATE {schema}.resource SET digest = 'old' WHERE type = ?1");
        database.execute(&digests, [param.base.name()]).unwrap();
    }
}

fn grant(scopes: &str, patient: Option<&str>, user: Option<&str>) -> Grant {
    Grant {
        client: "test".into(),
        patient: patient.and_then(Id::parse),
        user: user.map(str::to_owned),
        scopes: ScopeSet::parse(scopes).unwrap(),
        ..Grant::default()
    }
}

fn system() -> Grant {
    grant("system/*.read", None, None)
}

/// Returns the ids of an answer, or the text of the error. The error of an unindexed parameter is `not-supported`.
fn asked<S: store::Store>(store: &S, question: &str, grant: &Grant) -> Result<Vec<String>, String> {
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(grant, &cursors, &MOMENT);
    let reply = match now(answer_request(store, question, context, &mut Disclosure::default())) {
        Ok(reply) => reply,
        Err(Problem::Bad(issues)) => {
            assert_eq!(issues[0].code, IssueCode::NotSupported, "{issues:?}");
            assert!(issues[0].diagnostics.as_deref().is_some_and(|hint| hint.contains("edgechart reindex")));
            return Err(issues[0].text.clone());
        }
        Err(problem) => return Err(format!("{problem:?}")),
    };
    let body: Value = serde_json::from_str(&splice(reply.body)).unwrap();
    let id = |resource: &Value| resource["id"].as_str().unwrap().to_owned();
    Ok(match body["entry"].as_array() {
        Some(entries) => entries.iter().map(|entry| id(&entry["resource"])).collect(),
        None if body["resourceType"] == "Bundle" => Vec::new(),
        None => vec![id(&body)],
    })
}

/// Returns the names of the parameters whose values are missing for a request.
fn refused<S: store::Store>(store: &S, question: &str, grant: &Grant) -> String {
    let text = asked(store, question, grant).unwrap_err();
    let text = text.strip_prefix("The stored ").unwrap_or_else(|| panic!("{question}: {text}"));
    let (resource_type, rest) = text.split_once(" resources are not indexed by \"").unwrap();
    let (name, rest) = rest.split_once('"').unwrap();
    assert_eq!(rest, ": they were loaded before this was added.");
    format!("{resource_type}.{name}")
}

/// Searches and reads that need a new parameter, each with the parameter.
const NEEDING: [(&str, &str); 15] = [
    ("AllergyIntolerance?patient=a&clinical-status:missing=false", "AllergyIntolerance.:missing"),
    ("AllergyIntolerance?patient=a&clinical-status:not=active", "AllergyIntolerance.:missing"),
    ("Observation?patient=a&category:missing=true", "Observation.:missing"),
    ("Practitioner?identifier:missing=true", "Practitioner.:missing"),
    ("Observation?patient=a&code=x", "Observation.code"),
    ("Observation?patient=a&code=x&_summary=count", "Observation.code"),
    ("Observation?patient=a,b&status=final&code=x", "Observation.code"),
    ("Observation?patient=a&_revinclude=Provenance:target", "Provenance.target"),
    ("Encounter?identifier=a", "Encounter.identifier"),
    ("Encounter?identifier=s|&status=finished", "Encounter.identifier"),
    ("Patient?birthdate=1970-05-01", "Patient.birthdate"),
    ("Patient?family=ka&_sort=birthdate", "Patient.birthdate"),
    ("Practitioner?name=lind", "Practitioner.name"),
    ("PractitionerRole?practitioner.name=lind", "PractitionerRole.practitioner.name"),
    ("PractitionerRole?_include=PractitionerRole:practitioner", "PractitionerRole.practitioner"),
];

/// Searches and reads that need no new parameter.
const OTHERS: [(&str, &[&str]); 11] = [
    ("Observation?patient=a&category:not=x", &["a2", "a1", "a0"]),
    ("Practitioner?identifier:not=7", &["d"]),
    ("Observation?patient=a", &["a2", "a1", "a0"]),
    ("Observation?patient=a&status=final&_sort=date", &["a0", "a1", "a2"]),
    ("Observation?_id=b1", &["b1"]),
    ("Observation/b1", &["b1"]),
    ("Encounter?patient=a&status=finished", &["ea"]),
    ("Patient?family=ka", &["a", "b"]),
    ("Patient/a", &["a"]),
    ("Practitioner", &["d"]),
    ("PractitionerRole?_id=r", &["r"]),
];

fn holds<S: store::Store>(store: &S) {
    for (question, param) in NEEDING {
        assert_eq!(refused(store, question, &system()), param, "{question}");
    }
    for (question, ids) in OTHERS {
        let found = asked(store, question, &system()).unwrap_or_else(|error| panic!("{question}: {error}"));
        assert_eq!(found, ids, "{question}");
    }
    // A scope's filter on an unindexed parameter opens nothing, and resources outside of all rules cause no refusal.
    let filtered = |patient| grant("patient/Observation.rs?code=x", Some(patient), None);
    for question in ["Observation", "Observation?status=final", "Observation/a1", "Observation/a0"] {
        assert_eq!(refused(store, question, &filtered("a")), "Observation.code", "{question}");
    }
    assert_eq!(asked(store, "Observation", &filtered("c")), Ok(Vec::new()));
    assert_eq!(asked(store, "Observation/a1", &filtered("c")), Err("NotFound".to_owned()));
    let user = grant("user/Observation.rs?code=x", None, Some("dr"));
    assert_eq!(refused(store, "Observation?patient=a", &user), "Observation.code");
    assert_eq!(asked(store, "Observation?patient=b&code=x", &user), Ok(Vec::new()));
    assert_eq!(asked(store, "Observation/b1", &user), Err("NotFound".to_owned()));
    assert_eq!(asked(store, "Observation/ghost", &user), Err("NotFound".to_owned()));
    let both = grant("patient/Observation.rs?code=x patient/Observation.rs?status=final", Some("a"), None);
    assert_eq!(refused(store, "Observation", &both), "Observation.code");
    let people = grant("user/Patient.rs?gender=male", None, Some("dr"));
    for question in ["Patient?family=ka", "Patient/a"] {
        assert_eq!(refused(store, question, &people), "Patient.gender", "{question}");
    }
    for reader in readers() {
        assert_eq!(refused(store, "Binary/x", &reader), "DocumentReference._attachment", "{reader:?}");
    }
    assert!(now(store.dependencies()).iter().all(|one| one.fault.is_none()));
}

/// Returns grants that open the Binary that a document carries.
fn readers() -> [Grant; 3] {
    let scopes = |level: &str| format!("{level}/DocumentReference.r");
    let user = grant(&scopes("user"), None, Some("dr"));
    [grant(&scopes("patient"), Some("a"), None), user, grant(&scopes("system"), None, None)]
}

fn access() -> Access {
    BTreeMap::from([(PatientList::OfUser("dr".to_owned()), AccessList::These([Id::parse("a").unwrap()].into()))])
}

/// A directory and a further shard that has every other bucket, with a file of records.
struct Store {
    files: [PathBuf; 2],
    records: PathBuf,
}

const SCHEMAS: [&str; 2] = ["main", "shard_1"];

impl Store {
    /// Makes the store, and loads the records.
    fn new() -> Self {
        Self::indexed_by(IndexSet::us_core())
    }

    /// Makes the store, and loads the records, indexed by a set of parameters.
    fn indexed_by(set: &'static IndexSet) -> Self {
        let [one, other, records] = [(); 3].map(|()| crate::support::tempfile());
        let store = Self { files: [one, other], records: records.with_extension("ndjson") };
        let buckets: Vec<u32> = (0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect();
        move_buckets(&mut store.open(), &buckets, 1, None).unwrap();
        SqliteWriter::indexing(store.open(), set).unwrap().finish().unwrap();
        store.load(&records_with("final"));
        store
    }

    fn open(&self) -> Connection {
        sharded_database(&self.files[0], &self.files[1..]).unwrap()
    }

    fn load(&self, records: &[Value]) -> Summary {
        let lines: Vec<_> = records.iter().map(Value::to_string).collect();
        std::fs::write(&self.records, lines.join("\n")).unwrap();
        let writer = SqliteWriter::over(self.open()).unwrap();
        crate::support::loader().load(std::slice::from_ref(&self.records), writer, None, &mut NoProgress).unwrap()
    }

    fn outdate(&self) {
        outdate(&self.open(), &SCHEMAS, &new_params());
    }

    fn reindex(&self) -> Reindexed {
        reindex(self.open(), None, REINDEXED_AT).unwrap()
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.files.iter().chain([&self.records]).for_each(|file| drop(std::fs::remove_file(file)));
    }
}

/// Returns the records, with another status of the Observation `a0`.
fn records_with(status: &str) -> Vec<Value> {
    let mut all = records();
    let changed = all.iter_mut().find(|resource| resource["id"] == "a0").unwrap();
    changed["status"] = json!(status);
    all
}

/// Returns every row of the tables that readers or later loads use, as text.
fn rows(database: &Connection, schemas: &[&str]) -> Vec<String> {
    let for_loads = [("alias", "name, target"), ("dependent", "target, source")];
    let tables = [&crate::support::READ_TABLES[..], &for_loads].concat();
    schemas.iter().flat_map(|schema| crate::support::rows(database, schema, &tables)).collect()
}

/// Returns the versions of all compartments, by id.
fn versions(database: &Connection) -> BTreeMap<String, i64> {
    let mut all = BTreeMap::new();
    for schema in SCHEMAS {
        let text = format!("SELECT id, version FROM {schema}.compartment WHERE version <> 0");
        let mut statement = database.prepare(&text).unwrap();
        let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        all.extend(found.map(Result::unwrap));
    }
    all
}

#[test]
fn a_search_by_a_parameter_that_records_lack_is_refused_and_others_are_answered() {
    let store = Store::new();
    // All charts are in the directory.
    let mut database = store.open();
    move_buckets(&mut database, &(0..BUCKETS).collect::<Vec<_>>(), 0, None).unwrap();
    store.outdate();
    let open = || over_sqlite(Connection::open(&store.files[0]).unwrap(), &access());
    let before = open();
    holds(&before);
    assert!(store.reindex().charts > 0);
    // Isolates that read the outdated records before, and new isolates.
    for after in [before, open()] {
        for (question, _) in NEEDING {
            let is_count = question.contains("_summary=count");
            assert!(is_count != asked(&after, question, &system()).is_ok_and(|ids| !ids.is_empty()), "{question}");
        }
        let user = grant("user/Observation.rs?code=x", None, Some("dr"));
        assert_eq!(asked(&after, "Observation?patient=a", &user).unwrap(), ["a2", "a1"]);
        assert_eq!(asked(&after, "Observation/a1", &user).unwrap(), ["a1"]);
        assert!(readers().iter().all(|reader| asked(&after, "Binary/x", reader).unwrap() == ["x"]));
    }
}

#[test]
fn indexing_again_gives_a_period_without_a_start_its_place() {
    let store = Store::new();
    let mut database = store.open();
    move_buckets(&mut database, &(0..BUCKETS).collect::<Vec<_>>(), 0, None).unwrap();
    let plan = |id: &str, period: Value| json!({"resourceType": "CarePlan", "id": id, "subject": {"reference": "Patient/a"}, "period": period});
    store.load(&[plan("a-start", json!({"start": "2020-01-01"})), plan("z-end", json!({"end": "2021-05-01"}))]);
    undate(&database, "a", named(ResourceType::CarePlan, "date").unwrap());
    let ask =
        || asked(&over_sqlite(Connection::open(&store.files[0]).unwrap(), &access()), "CarePlan?patient=a", &system());
    assert_eq!(ask().unwrap(), ["a-start", "z-end"]);
    assert_eq!(store.reindex().charts, 1);
    assert_eq!(ask().unwrap(), ["z-end", "a-start"]);
}

/// Stores a chart of one page without the dates of its resources, and without the values of a parameter.
fn undate(database: &Connection, patient: &str, param: &'static Param) {
    let number = "SELECT n FROM main.compartment WHERE id = ?1";
    let n: i64 = database.query_row(number, [patient], |row| row.get(0)).unwrap();
    let (first, last) = chart_keys(n, param.base);
    let mut rows = database.prepare("SELECT k - ?1, data FROM main.chart WHERE k BETWEEN ?1 AND ?2").unwrap();
    let rows = rows.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let rows: Vec<(i64, Vec<u8>)> = rows.map(Result::unwrap).collect();
    let chart = store::sql::whole_chart(param.base, rows).unwrap().unwrap();
    let mut resources = chart.unpack().unwrap();
    resources.iter_mut().for_each(|resource| resource.sort_key = SortKey::new(None, &resource.id));
    let packed = pack(&resources, IndexSet::us_core());
    let head = without(&packed.head, param.id).unwrap();
    let row = [&u32::try_from(head.len()).unwrap().to_le_bytes(), &*head, packed.pages.last().unwrap()].concat();
    database.execute("UPDATE main.chart SET data = ?2 WHERE k = ?1", params![first + HEAD, row]).unwrap();
}

#[test]
fn shelves_say_what_they_lack_as_databases_do() {
    let store = Store::new();
    let shelved = || {
        let mut values = Values::default();
        shelve(&store.open(), &mut values, &mut NoProgress).unwrap();
        values
    };
    let current = shelved();
    store.outdate();
    assert_eq!(shelved(), current, "shelves of outdated records are indexed again");
    let mut values = current;
    let indexed: Vec<_> = index(&records()).into_iter().map(|indexed| indexed.resource).collect();
    for (key, value) in &mut values.0 {
        let Some(resource_type) = key.split('/').nth(1).and_then(ResourceType::parse) else { continue };
        let own = store::Shelf::open(resource_type, value).unwrap().chart;
        let is_own = |id: &Id| own.find(id.as_str()).is_some();
        let rows: Vec<_> =
            indexed.iter().filter(|row| row.resource_type == resource_type && is_own(&row.id)).cloned().collect();
        let mut packed = pack(&rows, IndexSet::us_core());
        for param in new_params() {
            packed.head = without(&packed.head, param.id).unwrap();
        }
        *value = PackedShelf::of(&packed).value;
    }
    let manifest = values.0.get_mut("_/manifest").unwrap();
    let mut members: Value = serde_json::from_slice(manifest).unwrap();
    let is_old = |id: &Value| new_params().iter().all(|param| *id != param.id.number());
    members["params"].as_array_mut().unwrap().retain(is_old);
    *manifest = members.to_string().into_bytes();
    let database = loaded(&[], &access());
    holds(&over(values, database));
}

#[test]
fn indexing_again_makes_what_a_load_makes() {
    let store = Store::new();
    let (fresh, versions_before) = (rows(&store.open(), &SCHEMAS), versions(&store.open()));
    store.outdate();
    assert_ne!(rows(&store.open(), &SCHEMAS), fresh);
    // The charts of Patient, Observation, Encounter and Provenance of two patients, the document and its Binary.
    assert_eq!(store.reindex(), Reindexed { charts: 12, resources: 4, unread: Vec::new() });
    assert_eq!(rows(&store.open(), &SCHEMAS), fresh);
    let after = versions(&store.open());
    assert!(["a", "b"].iter().all(|id| after[*id] != versions_before[*id]), "isolates read the charts anew");
    assert_eq!(store.reindex(), Reindexed::default(), "nothing is left to do");
    assert_eq!((rows(&store.open(), &SCHEMAS), versions(&store.open())), (fresh, after));
}

#[test]
fn another_set_and_back_gives_what_a_load_gives() {
    let [of_us_core, of_r4] = [IndexSet::us_core(), IndexSet::of_r4()];
    let store = Store::new();
    let stored = || rows(&store.open(), &SCHEMAS);
    let (before, other) = (stored(), rows(&Store::indexed_by(of_r4).open(), &SCHEMAS));
    assert_ne!(before, other);
    let turn = |set| reindex(store.open(), Some(set), REINDEXED_AT).unwrap();
    assert!(turn(of_r4).charts > 0);
    assert_eq!(stored(), other);
    store.load(&records_with("final"));
    assert_eq!(stored(), other, "a load takes the set of the store");
    assert_eq!(turn(of_r4), Reindexed::default(), "nothing is left to do");
    // G11: the set of a guide is another one too.
    for (set, name) in [(of_us_core, "us-core"), (IndexSet::parse("r4 plan-net-1.2.0").unwrap(), "r4 plan-net-1.2.0")] {
        let refused = SqliteWriter::indexing(store.open(), set).err().unwrap();
        let command = format!("edgechart reindex --index \"{name}\"");
        assert!(refused.0.contains("indexed by the set r4") && refused.0.contains(&command), "{refused}");
    }
    assert!(turn(of_us_core).charts > 0);
    assert_eq!(stored(), before);
}

#[test]
fn a_search_while_a_set_changes_is_right_or_refused() {
    let store = Store::new();
    let mut database = store.open();
    move_buckets(&mut database, &(0..BUCKETS).collect::<Vec<_>>(), 0, None).unwrap();
    let of_us_core = [
        ("Observation?patient=a&code=x", &["a2", "a1"][..]),
        ("Observation?patient=a&category:missing=true", &["a2", "a1", "a0"]),
        ("Practitioner?name=lind", &["d"]),
    ];
    let further = [
        ("Observation?subject=Patient/a", &["a2", "a1", "a0"][..]),
        ("Observation?patient=a&encounter:missing=true", &["a2", "a1", "a0"]),
        ("Observation?patient=a&combo-code=y", &["a0"]),
        ("Practitioner?family=lind", &["d"]),
        ("Patient?_id=a&organization:missing=true", &["a"]),
    ];
    for wanted in ["r4", "us-core"] {
        database.execute("UPDATE main.format SET wanted = ?1", [wanted]).unwrap();
        let mut is_changing = true;
        while is_changing {
            is_changing = run_steps(&store, 1).unwrap().is_some();
            let open = over_sqlite(Connection::open(&store.files[0]).unwrap(), &access());
            for (question, ids) in of_us_core {
                assert_eq!(asked(&open, question, &system()).unwrap(), ids, "{question}");
            }
            for (question, ids) in further {
                let answer = asked(&open, question, &system());
                assert!(answer.as_ref().is_ok_and(|found| found == ids) || answer.is_err(), "{question}: {answer:?}");
                assert!(is_changing || answer.is_ok() == (wanted == "r4"), "{question}: {answer:?}");
            }
        }
    }
}

/// Runs the steps of a cron trigger on the databases of the files, at most `most` steps in one run.
fn run_steps(store: &Store, most: usize) -> Result<Option<ingest::Reindexed>, WriteFailure> {
    let open = |file: &PathBuf| SqliteDatabase::new(crate::support::limited(file));
    let (map, corrections) = Default::default();
    let [directory, other] = &store.files;
    let databases = RecordDatabases::sharded(open(directory), vec![open(other)], open(directory), &map, &corrections);
    let mut left = most;
    now(ingest::reindex(&databases, Clock(&|| REINDEXED_AT), &mut || {
        let goes_on = left > 0;
        left = left.saturating_sub(1);
        goes_on
    }))
}

#[test]
fn steps_make_what_a_load_makes_however_many_are_in_one_run() {
    let store = Store::new();
    let fresh = rows(&store.open(), &SCHEMAS);
    assert_eq!(run_steps(&store, 9), Ok(None), "nothing is outdated");
    for most in [1, 2, 100] {
        store.outdate();
        let (mut charts, mut resources, mut runs) = (0, 0, 0);
        while let Some(done) = run_steps(&store, most).unwrap() {
            (charts, resources, runs) = (charts + done.charts, resources + done.resources, runs + 1);
            let question = "Practitioner?name=lind";
            let open = over_sqlite(Connection::open(&store.files[0]).unwrap(), &access());
            let answer = asked(&open, question, &system());
            assert_eq!(answer.is_ok(), done.is_finished, "{question} is refused until all is done");
        }
        assert_eq!((charts, resources), (12, 4));
        // One step for all compartments, one that finds none left, one for all rows, and one that finds none left.
        assert_eq!(runs, 4_usize.div_ceil(most), "{most} steps in a run");
        assert_eq!(rows(&store.open(), &SCHEMAS), fresh);
    }
}

#[test]
fn steps_begin_anew_after_a_load_of_another_version_and_go_on_after_one_of_this_version() {
    let store = Store::new();
    store.outdate();
    run_steps(&store, 1).unwrap();
    let done = || -> Option<String> {
        store.open().query_row("SELECT done FROM reindexing", [], |row| row.get(0)).optional().unwrap()
    };
    let before = done();
    assert!(before.is_some());
    store.load(&records_with("amended"));
    assert_eq!(done(), before);
    store.open().execute("UPDATE reindexing SET params = '[1]'", []).unwrap();
    store.load(&records_with("amended"));
    assert_eq!(done(), None);
    // The state of another version is ignored.
    run_steps(&store, 1).unwrap();
    store.open().execute("UPDATE reindexing SET params = '[1]', done = '99999999999999'", []).unwrap();
    run_steps(&store, 1).unwrap();
    // A damaged state is ignored, too.
    store.open().execute("UPDATE reindexing SET done = 'x'", []).unwrap();
    while run_steps(&store, 1).unwrap().is_some() {}
    let other = Store::new();
    other.load(&records_with("amended"));
    assert_eq!(rows(&store.open(), &SCHEMAS), rows(&other.open(), &SCHEMAS));
}

#[test]
fn there_is_nothing_to_index_without_records_of_this_format() {
    let empty = crate::support::tempfile();
    let failed = |connection: Connection| reindex(connection, None, REINDEXED_AT).unwrap_err().to_string();
    assert!(failed(sharded_database(&empty, &[]).unwrap()).contains("no records"));
    std::fs::remove_file(&empty).unwrap();
    let store = Store::new();
    store.open().execute("UPDATE main.format SET number = '0-old'", []).unwrap();
    assert!(failed(store.open()).contains("0-old"));
    assert!(run_steps(&store, 1).unwrap_err().to_string().contains("0-old"));
}

#[test]
fn what_was_interrupted_is_finished_by_the_next_run() {
    let store = Store::new();
    let fresh = rows(&store.open(), &SCHEMAS);
    store.outdate();
    // The run stops after the charts.
    let stop = "CREATE TRIGGER stop BEFORE UPDATE ON resource BEGIN SELECT RAISE(ABORT, 'stop'); END";
    store.open().execute(stop, []).unwrap();
    assert!(reindex(store.open(), None, REINDEXED_AT).is_err());
    store.open().execute("DROP TRIGGER stop", []).unwrap();
    assert_eq!(store.reindex(), Reindexed { charts: 0, resources: 4, unread: Vec::new() });
    assert_eq!(rows(&store.open(), &SCHEMAS), fresh);
}

#[test]
fn a_damaged_chart_or_row_stays_as_it_is_and_all_others_are_indexed() {
    for in_steps in [false, true] {
        let store = Store::new();
        store.outdate();
        store.open().execute("UPDATE resource SET body = '{' WHERE type = 'Practitioner'", []).unwrap();
        for schema in SCHEMAS {
            let n = "(SELECT n FROM main.compartment WHERE id = 'b')";
            let number = ResourceType::Observation.number();
            let of_one = format!("k >> 27 = {n} AND (k >> 19) & 255 = {number}");
            store.open().execute(&format!("UPDATE {schema}.chart SET data = zeroblob(20) WHERE {of_one}"), []).unwrap();
        }
        let (mut charts, mut resources, mut unread) = (0, 0, Vec::new());
        if in_steps {
            while let Some(done) = run_steps(&store, 1).unwrap() {
                (charts, resources) = (charts + done.charts, resources + done.resources);
                unread.extend(done.unread);
            }
        } else {
            Reindexed { charts, resources, unread } = store.reindex();
        }
        assert_eq!((charts, resources), (11, 2), "all charts but one, and the rows of the patients");
        // The role cannot be indexed by the name of the practitioner either.
        let [of_chart, of_rows @ ..] = &unread[..] else { panic!("nothing is told") };
        assert!(of_chart.contains("a stored chart: "), "{of_chart}");
        assert_eq!(of_rows, ["the stored text of Practitioner/d is damaged"; 2]);
        let open = over_sqlite(Connection::open(&store.files[0]).unwrap(), &access());
        assert_eq!(asked(&open, "Patient?birthdate=1970-05-01", &system()).map(|ids| ids.len()), Ok(2));
    }
}

#[test]
fn a_load_rewrites_a_chart_with_all_parameters_and_leaves_the_others() {
    let (store, other) = (Store::new(), Store::new());
    store.outdate();
    let outdated = rows(&store.open(), &SCHEMAS);
    let same: usize = store.load(&records_with("final")).stored.values().map(|[_, _, same]| same).sum();
    // Resources with rows of new parameters are stored again.
    assert_eq!(same, records().len() - 4);
    let charts = |rows: &[String]| rows.iter().filter(|row| row.contains(".chart ")).cloned().collect::<Vec<_>>();
    assert_eq!(charts(&rows(&store.open(), &SCHEMAS)), charts(&outdated));
    for store in [&store, &other] {
        store.load(&records_with("amended"));
    }
    let (own, fresh) = (charts(&rows(&store.open(), &SCHEMAS)), charts(&rows(&other.open(), &SCHEMAS)));
    let changed: Vec<_> = own.iter().filter(|row| !charts(&outdated).contains(row)).collect();
    assert_eq!(changed.len(), 1, "the head of one chart, with its page");
    assert!(changed.iter().all(|row| fresh.contains(row)), "a head claims no more than it has");
    assert_eq!(store.reindex().charts, 11);
    assert_eq!(rows(&store.open(), &SCHEMAS), rows(&other.open(), &SCHEMAS));
}
