//! Stored data that was damaged outside of edgechart. The result is an error that names the place, or a fault of the
//! resource or patient whose data is damaged, and never a silently incomplete answer.

use std::path::PathBuf;

use crate::support::job_server::Server;
use crate::support::{
    Access, READ_TABLES, Values, index, limited, loaded, loader, now, over, over_sqlite, query_context, rows, tempfile,
};
use api::{Disclosure, Moment, Problem, answer_request};
use chart::deflate;
use fhir::splice;
use ingest::{FileReport, LoadTarget};
use native::{Loader, NoProgress, SqliteWriter, Summary, database, shelve};
use rusqlite::Connection;
use search::CursorKey;
use serde_json::{Value, json};
use smart::{Grant, ScopeSet};
use store::Store;
use store::format;
use store::kv::format_field;

fn ndjson(documents: &[Value]) -> String {
    documents.iter().map(|document| format!("{document}\n")).collect()
}

fn patient(id: &str) -> Value {
    json!({"resourceType": "Patient", "id": id, "name": [{"family": id}]})
}

fn condition(id: &str, patient: &str) -> Value {
    json!({"resourceType": "Condition", "id": id, "code": {"text": id}, "subject": {"reference": format!("Patient/{patient}")}})
}

fn practitioner(id: &str, family: &str, npi: &str) -> Value {
    json!({"resourceType": "Practitioner", "id": id, "name": [{"family": family}], "identifier": [{"system": "npi", "value": npi}]})
}

fn role(id: &str, practitioner: &str) -> Value {
    json!({"resourceType": "PractitionerRole", "id": id, "practitioner": {"reference": format!("Practitioner/{practitioner}")}})
}

fn provenance(id: &str, target: &str) -> Value {
    json!({"resourceType": "Provenance", "id": id, "target": [{"reference": target}]})
}

/// Returns the faults of a report, each without its location.
fn faults(report: &FileReport) -> Vec<&str> {
    report.faults.iter().map(|fault| fault.why.as_str()).collect()
}

/// Returns all rows, including those that only loads read.
fn all_rows(database: &Connection) -> Vec<String> {
    rows(database, "main", &[&READ_TABLES[..], &[("alias", "name, target"), ("dependent", "target, source")]].concat())
}

/// Replaces the text of a stored resource.
fn set_body(database: &Connection, reference: &str, body: &str) {
    let (kind, id) = reference.split_once('/').unwrap();
    let set = database.execute("UPDATE resource SET body = ?3 WHERE type = ?1 AND id = ?2", [kind, id, body]);
    assert_eq!(set.unwrap(), 1);
}

/// Replaces the charts of one type of a patient by invalid bytes.
fn damage_charts(database: &Connection, patient: &str, kind: &str) {
    let number = fhir::ResourceType::parse(kind).unwrap().number();
    let damaged = database.execute(
        "UPDATE chart SET data = zeroblob(20) WHERE k >> 27 = (SELECT n FROM compartment WHERE id = ?1) \
         AND (k >> 19) & 255 = ?2",
        rusqlite::params![patient, number],
    );
    assert!(damaged.unwrap() > 0);
}

// ---- jobs -----------------------------------------------------------------------------------------------------------

#[test]
fn a_new_text_replaces_a_damaged_one_and_leaves_nothing_of_it() {
    let expected = Server::new();
    expected.load("all", &ndjson(&[practitioner("d", "Berg", "8"), role("r", "d")]));
    for damaged in ["{", "null", "\u{0}"] {
        let server = Server::new();
        server.load("before", &ndjson(&[practitioner("d", "Lind", "7"), role("r", "d")]));
        set_body(&server.open(), "Practitioner/d", damaged);
        let report = server.load("after", &ndjson(&[practitioner("d", "Berg", "8")])).report;
        assert_eq!((report.changed, faults(&report)), (1, vec![]));
        assert_eq!(all_rows(&server.open()), all_rows(&expected.open()), "{damaged:?}");
    }
}

#[test]
fn the_same_text_again_mends_a_damaged_one() {
    let server = Server::new();
    let text = ndjson(&[practitioner("d", "Lind", "7"), role("r", "d"), patient("a")]);
    server.load("before", &text);
    let before = all_rows(&server.open());
    for reference in ["Practitioner/d", "PractitionerRole/r", "Patient/a"] {
        set_body(&server.open(), reference, "{");
        let again = server.load(reference, &text);
        assert_eq!((again.status, again.report.changed), ("completed", 1), "{reference}: {:?}", again.report);
        assert_eq!(all_rows(&server.open()), before, "{reference}");
    }
}

#[test]
fn a_reference_to_a_damaged_resource_costs_that_resource_a_fault_and_no_other() {
    let server = Server::new();
    server.load("before", &ndjson(&[practitioner("d", "Lind", "7"), practitioner("e", "Ek", "9"), role("r", "d")]));
    set_body(&server.open(), "Practitioner/d", "{");
    let mut changed = role("r", "d");
    changed["active"] = json!(true);
    let lines = [changed, role("new", "d"), role("other", "e"), patient("a"), condition("c", "a")];
    let report = server.load("roles", &ndjson(&lines)).report;
    let told = ["PractitionerRole/r", "PractitionerRole/new"]
        .map(|of| format!("{of}: the stored text of Practitioner/d is damaged"));
    assert_eq!((report.new, report.changed, faults(&report)), (3, 0, told.iter().map(String::as_str).collect()));
    // A role that moves to another practitioner no longer needs the damaged one.
    let report = server.load("moved", &ndjson(&[role("r", "e")])).report;
    assert_eq!((report.changed, faults(&report)), (1, vec![]));
    let delete =
        json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": "Practitioner/d"}}]});
    let report = server.load("deleted", &ndjson(&[delete])).report;
    assert_eq!((report.deleted, faults(&report)), (1, vec![]));
    let expected = Server::new();
    let all = [practitioner("e", "Ek", "9"), role("r", "e"), role("other", "e"), patient("a"), condition("c", "a")];
    expected.load("all", &ndjson(&all));
    assert_eq!(all_rows(&server.open()), all_rows(&expected.open()));
}

#[test]
fn a_damaged_resource_that_depends_on_the_load_is_told_and_keeps_no_other_out() {
    let server = Server::new();
    server.load("before", &ndjson(&[practitioner("d", "Lind", "7"), role("r", "d"), role("s", "d")]));
    set_body(&server.open(), "PractitionerRole/r", "{");
    let report = server.load("after", &ndjson(&[practitioner("d", "Berg", "7"), patient("a")])).report;
    let told = "PractitionerRole/r is not indexed again: the stored text of PractitionerRole/r is damaged";
    assert_eq!((report.new, report.changed, faults(&report)), (1, 1, vec![told]));
    let of_berg = "SELECT count(*) FROM fact WHERE sort LIKE '%s' AND rest = 'Berg'";
    assert_eq!(server.open().query_row(of_berg, [], |row| row.get::<_, i64>(0)).unwrap(), 1, "the other role is");
}

#[test]
fn a_row_whose_owners_are_damaged_is_left_as_it_is() {
    let server = Server::new();
    let team = |status: &str| json!({"resourceType": "CareTeam", "id": "t", "status": status, "subject": {"reference": "Patient/a"}});
    server.load("before", &ndjson(&[team("active")]));
    server.open().execute("UPDATE resource SET owners = '[' WHERE type = 'CareTeam'", []).unwrap();
    let before = all_rows(&server.open());
    let delete = json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": "CareTeam/t"}}]});
    for (name, line) in [("changed", team("inactive")), ("deleted", delete)] {
        let report = server.load(name, &ndjson(&[line, practitioner(name, "Lind", name)])).report;
        assert_eq!((report.new, report.changed, report.deleted), (1, 0, 0));
        assert_eq!(faults(&report), ["CareTeam/t: the stored row of CareTeam/t is damaged"]);
    }
    let practitioners = |row: &String| row.contains("ractitioner") || row.contains("npi") || row.contains(".fact");
    let others = |rows: Vec<String>| rows.into_iter().filter(|row| !practitioners(row)).collect::<Vec<_>>();
    assert_eq!(others(all_rows(&server.open())), others(before));
}

#[test]
fn a_resource_is_not_moved_because_the_one_that_decides_its_owner_is_damaged() {
    let server = Server::new();
    server.load("before", &ndjson(&[patient("v"), condition("c", "v"), provenance("p", "Condition/c")]));
    damage_charts(&server.open(), "v", "Condition");
    let before = all_rows(&server.open());
    let mut again = provenance("p", "Condition/c");
    again["recorded"] = json!("2026-01-01T00:00:00Z");
    let report = server.load("after", &ndjson(&[again, provenance("q", "Condition/c")])).report;
    assert_eq!((report.new, report.changed), (0, 0));
    let told = ["p", "q"].map(|id| format!("Provenance/{id}: a stored chart: a value is cut short"));
    assert_eq!(faults(&report), told);
    assert_eq!(all_rows(&server.open()), before);
}

/// Returns a Provenance of two patients, of whom the second has a damaged chart, and the loads that change it.
fn of_two_patients() -> ([Value; 5], [Value; 2]) {
    let mut both = provenance("v", "Condition/c");
    both["target"] = json!([{"reference": "Condition/c"}, {"reference": "Condition/d"}]);
    let stored = [patient("p"), condition("c", "p"), patient("q"), condition("d", "q"), both];
    let delete = json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": "Provenance/v"}}]});
    (stored, [provenance("v", "Condition/c"), delete])
}

#[test]
fn a_resource_of_two_patients_stays_as_it_is_where_a_chart_of_one_is_damaged() {
    let (stored, changes) = of_two_patients();
    for (number, change) in changes.into_iter().enumerate() {
        let server = Server::new();
        server.load("before", &ndjson(&stored));
        damage_charts(&server.open(), "q", "Provenance");
        let report = server.load("after", &ndjson(&[change.clone(), patient("x")])).report;
        assert_eq!((report.new, report.changed, report.deleted), (1, 0, 0), "{number}");
        assert_eq!(faults(&report), ["Provenance/v: a stored chart: a value is cut short"]);
        let files = Files::new();
        files.load(&stored);
        damage_charts(&files.open(), "q", "Provenance");
        let summary = files.load(&[change, patient("x")]);
        assert_eq!(summary.stored.get("Patient"), Some(&[1, 0, 0]));
        assert!(summary.faults.iter().any(|fault| fault.contains("Provenance/v: ")), "{:?}", summary.faults);
    }
}

#[test]
fn what_depends_on_a_resource_that_is_refused_is_told() {
    let server = Server::new();
    server.load("before", &ndjson(&[practitioner("d", "Lind", "7")]));
    server.open().execute("UPDATE resource SET version = x'00' WHERE type = 'Practitioner'", []).unwrap();
    let report = server.load("after", &ndjson(&[practitioner("d", "Berg", "7"), role("r", "d")])).report;
    let why = "the stored row of Practitioner/d is damaged";
    let told = [format!("Practitioner/d: {why}"), format!("PractitionerRole/r is not indexed again: {why}")];
    assert_eq!(faults(&report), told);
}

// ---- the command line -----------------------------------------------------------------------------------------------

/// A file of records, and a database.
struct Files {
    records: PathBuf,
    database: PathBuf,
}

impl Files {
    fn new() -> Self {
        Self { records: tempfile().with_extension("ndjson"), database: tempfile() }
    }

    fn load(&self, resources: &[Value]) -> Summary {
        std::fs::write(&self.records, ndjson(resources)).unwrap();
        let writer = SqliteWriter::open(&self.database).unwrap();
        let loader = Loader { strict: false, ..loader() };
        loader.load(std::slice::from_ref(&self.records), writer, None, &mut NoProgress).unwrap()
    }

    fn open(&self) -> Connection {
        database(&self.database).unwrap()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        [&self.records, &self.database].into_iter().for_each(|file| drop(std::fs::remove_file(file)));
    }
}

#[test]
fn wr09_a_load_leaves_out_the_patient_of_a_damaged_chart_and_stores_all_others() {
    let first = [patient("v"), condition("c", "v"), patient("w"), condition("d", "w"), provenance("p", "Condition/d")];
    let files = Files::new();
    files.load(&first);
    damage_charts(&files.open(), "v", "Condition");
    damage_charts(&files.open(), "w", "Provenance");
    let before = all_rows(&files.open());
    // The fault is found only after resources of the same patients, and of others, were read.
    let mut changed = patient("v");
    changed["gender"] = json!("female");
    let mut amended = provenance("p", "Condition/d");
    amended["recorded"] = json!("2026-01-01T00:00:00Z");
    let next = [changed, patient("x"), condition("e", "v"), condition("f", "w"), amended, condition("g", "x")];
    let summary = files.load(&next);
    let told: Vec<_> = summary.faults.iter().map(|fault| fault.split(": ").nth(1).unwrap()).collect();
    assert_eq!(told, ["Patient/v", "Condition/e", "Condition/f", "Provenance/p"], "{:#?}", summary.faults);
    assert!(summary.faults.iter().all(|fault| fault.contains("edgechart discard --compartment")));
    assert_eq!((summary.stored.get("Patient"), summary.stored.get("Condition")), (Some(&[1, 0, 0]), Some(&[1, 0, 0])));
    let fresh = Files::new();
    fresh.load(&[patient("x"), condition("g", "x")]);
    let without_numbers =
        |row: &&String| ["resource", "fact", "link"].iter().any(|of| row.contains(&format!(".{of} ")));
    let rows = |database: &Connection| all_rows(database).iter().filter(without_numbers).cloned().collect::<Vec<_>>();
    let mut both: Vec<_> = before.iter().filter(without_numbers).cloned().chain(rows(&fresh.open())).collect();
    let mut found = rows(&files.open());
    both.sort();
    found.sort();
    assert_eq!(found, both, "nothing of the two patients has changed");
    // If the first fault ends the load, nothing is stored.
    let writer = SqliteWriter::open(&files.database).unwrap();
    let strict = loader().load(std::slice::from_ref(&files.records), writer, None, &mut NoProgress);
    assert!(strict.unwrap_err().0.contains("nothing was stored"));
}

// ---- answers --------------------------------------------------------------------------------------------------------

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

fn asked<S: Store>(store: &S, request: &str) -> Result<String, Problem> {
    let grant = Grant { scopes: ScopeSet::parse("system/*.read").unwrap(), ..Grant::default() };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(&grant, &cursors, &MOMENT);
    now(answer_request(store, request, context, &mut Disclosure::default())).map(|reply| splice(reply.body))
}

/// Returns the log text for a request about damaged data. Its answer is 500 with an OperationOutcome.
fn damage<S: Store>(store: &S, request: &str) -> String {
    let problem = asked(store, request).unwrap_err();
    let outcome: Value = serde_json::from_str(&problem.outcome()).unwrap();
    assert_eq!((problem.reply::<String>().status, &outcome["resourceType"]), (500, &json!("OperationOutcome")));
    let Problem::Storage(detail) = problem else { panic!("{problem:?}") };
    detail
}

#[test]
fn damage_of_a_database_is_an_error_that_names_its_place() {
    let resources = index(&[patient("v"), condition("c", "v"), practitioner("d", "Lind", "7")]);
    let damaged = |statement: &str| {
        let file = tempfile();
        let mut writer = SqliteWriter::open(&file).unwrap();
        for resource in &resources {
            writer.store(resource.clone()).unwrap().unwrap();
        }
        writer.finish().unwrap();
        assert!(database(&file).unwrap().execute(statement, []).unwrap() > 0);
        let store = over_sqlite(limited(&file), &Access::new());
        std::fs::remove_file(&file).unwrap();
        store
    };
    let store = damaged("UPDATE compartment SET version = 'x' WHERE id = 'v'");
    for request in ["Condition?patient=v", "Condition/c"] {
        assert_eq!(damage(&store, request), "the version of the compartment v is damaged");
    }
    assert!(asked(&store, "Practitioner/d").is_ok());
    let store =
        damaged("UPDATE chart SET data = zeroblob(20) WHERE k >> 27 = (SELECT n FROM compartment WHERE id = 'v')");
    assert!(damage(&store, "Condition?patient=v").starts_with("a stored chart, v/Condition: "));
    // The last byte is in the page that follows the head.
    let store = damaged("UPDATE chart SET data = substr(data, 1, length(data) - 1) || x'ff'");
    assert!(damage(&store, "Condition?patient=v").starts_with("a stored chart, v/Condition: "));
    assert!(damage(&store, "Condition/c").starts_with("a stored chart, v/Condition: "));
    let store = damaged("UPDATE format SET params = '['");
    assert_eq!(damage(&store, "Practitioner?name=lind"), "the list of parameters in the table format is damaged");
}

#[test]
fn damage_of_values_is_an_error_that_names_its_key() {
    let database = loaded(&index(&[patient("v"), condition("c", "v"), practitioner("d", "Lind", "7")]), &Access::new());
    let mut values = Values::default();
    shelve(&database, &mut values, &mut NoProgress).unwrap();
    let nobody = || loaded(&[], &Access::new());
    assert!(asked(&over(values.clone(), nobody()), "Condition/c").unwrap().contains("\"c\""));
    let damaged = |key: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut values = values.clone();
        change(values.0.get_mut(key).unwrap());
        over(values, nobody())
    };
    let index = values.0.keys().find(|key| key.starts_with("_/index/")).unwrap();
    let store =
        damaged(index, &|value| *value = [&format_field(format())[..], &deflate(b"Condition/c\t\xff\n")].concat());
    assert_eq!(damage(&store, "Condition/c"), format!("{index}: a value of the index is not UTF-8"));
    let store = damaged("v/Condition", &|value| value.truncate(40));
    assert!(damage(&store, "Condition?patient=v").starts_with("v/Condition: "));
    assert!(asked(&store, "Patient/v").is_ok());
    for (member, number) in [("Practitioner", json!("x")), ("Practitioner", json!(-1)), ("index", json!(null))] {
        let store = damaged("_/manifest", &|value| {
            let mut manifest: Value = serde_json::from_slice(value).unwrap();
            assert!(manifest[member].is_number(), "{manifest}");
            manifest[member] = number.clone();
            *value = manifest.to_string().into_bytes();
        });
        for request in ["Practitioner?name=lind", "Condition/c"] {
            assert_eq!(damage(&store, request), "_/manifest: a number of parts or of values of the index");
        }
    }
    let store = damaged("_/manifest", &|value| value.push(0xff));
    assert_eq!(damage(&store, "Practitioner?name=lind"), "_/manifest: it is no object");
}
