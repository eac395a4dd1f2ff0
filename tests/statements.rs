//! The query plans of SQLite for each shape of search on D1.

use api::explain;
use fhir::Id;
use native::tables;
use rusqlite::{Connection, params_from_iter};
use search::IndexSet;
use smart::{Grant, ScopeSet};

use crate::support::BASE;

/// The names of the tables that hold records, and the aliases that statements give them.
const TABLES: [&str; 11] = ["resource", "fact", "link", "chart", "compartment", "locator", "c", "f", "l", "p", "r"];

/// One search for each shape, with its scopes.
const SHAPES: &[(&str, &str, &str)] = &[
    ("all of a patient", "Condition?patient=a", "system/*.read"),
    ("a code", "Observation?patient=a&code=http://loinc.org|4548-4", "system/*.read"),
    ("a code without its system", "Observation?patient=a&code=4548-4", "system/*.read"),
    ("one code of several", "Observation?patient=a&code=4548-4,2339-0", "system/*.read"),
    ("category and a time", "Observation?patient=a&category=laboratory&date=ge2020&date=lt2021", "system/*.read"),
    ("two tokens", "Observation?patient=a&category=laboratory&status=final", "system/*.read"),
    ("other times than the clinical", "Condition?patient=a&recorded-date=ge2020-05", "system/*.read"),
    ("the beginning of a name", "Patient?name=oka&gender=female", "system/*.read"),
    ("a name and a day of birth", "Patient?name=oka&birthdate=1968-03-09", "system/*.read"),
    ("a name and an open time", "Patient?name=oka&birthdate=ge1968", "system/*.read"),
    ("two longer texts", "Practitioner?name=lind&name=grace", "system/*.read"),
    ("a text anywhere", "Patient?name:contains=kaf", "system/*.read"),
    ("what a directory lacks", "Practitioner?name:missing=true", "system/*.read"),
    ("what nobody may be", "Patient?name=oka&gender:not=female", "system/*.read"),
    ("a reference", "MedicationRequest?patient=a&encounter=Encounter/e", "system/*.read"),
    ("a chain", "PractitionerRole?practitioner.name=lind", "system/*.read"),
    ("a chain within the directory", "PractitionerRole?practitioner.name:missing=true", "system/*.read"),
    ("what refers to it there", "Practitioner?_has:PractitionerRole:practitioner:specialty=x", "system/*.read"),
    ("a chain in a record", "Condition?patient=a&encounter.status=finished", "system/*.read"),
    ("what refers to those of a name", "Patient?name=oka&_has:Condition:patient:code=x", "system/*.read"),
    ("an id", "Observation?_id=x", "system/*.read"),
    ("a read by id", "Observation/x", "system/*.read"),
    ("one of several ids", "Observation?_id=x,y", "system/*.read"),
    ("an identifier", "Encounter?identifier=http://s|1", "system/*.read"),
    ("a practitioner by identifier", "Practitioner?identifier=http://s|1", "system/*.read"),
    ("a patient's own", "Observation?category=laboratory", "patient/*.read"),
    ("of those whom a user sees", "Observation?_id=x", "user/*.read"),
    (
        "a granular scope",
        "Observation?code=4548-4",
        "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory",
    ),
    (
        "what it cites, and what cites it",
        "MedicationRequest?patient=a&_include=MedicationRequest:medication&_revinclude=Provenance:target",
        "system/*.read system/Medication.read",
    ),
    ("the number alone", "Observation?patient=a&category=laboratory&_summary=count", "system/*.read"),
    ("oldest first", "Observation?patient=a&category=laboratory&_sort=date", "system/*.read"),
    ("by the names of people", "Practitioner?name=lind&_sort=name", "system/*.read"),
];

#[test]
fn each_shape_of_search_reads_the_tables_of_records_by_their_keys_and_in_their_order() {
    let connection = tables(Connection::open_in_memory().unwrap()).unwrap();
    for (name, search, scope) in SHAPES {
        let (patient, user, scopes) = (Id::parse("a"), Some("user".to_owned()), ScopeSet::parse(scope).unwrap());
        let grant = Grant { patient, user, scopes, ..Grant::default() };
        let explained = explain(search, &grant, BASE, IndexSet::r4(), 0);
        for statement in explained.statement.into_iter().chain(explained.further) {
            assert!(statement.text.len() < 100_000 && statement.binds.len() <= 100, "{name}: {}", statement.text);
            for line in plan(&connection, &statement.text, &statement.binds) {
                let scanned = line.strip_prefix("SCAN ").and_then(|table| table.split(' ').next());
                let is_slow = scanned.is_some_and(|table| TABLES.contains(&table)) || line.contains("FOR ORDER BY");
                assert!(!is_slow, "{name}: {line}\n{}", statement.text);
            }
        }
    }
}

fn plan(connection: &Connection, text: &str, binds: &[String]) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {text}")).unwrap();
    let rows = statement.query_map(params_from_iter(binds), |row| row.get("detail")).unwrap();
    rows.map(Result::unwrap).collect()
}
