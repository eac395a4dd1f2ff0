//! Golden SQL: what each shape of search becomes on D1, and how SQLite goes about it. `docs/statements.md` holds it;
//! `REGENERATE=1 cargo test --features cli --test integration statements::` writes it anew.

use crate::support::BASE;
use edgechart::native::{database, explain};
use rusqlite::{Connection, params_from_iter};

const FILE: &str = "docs/statements.md";

/// One search for each shape, and the scopes it is asked with.
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
fn each_shape_of_search_becomes_the_statements_that_are_checked_in() {
    let file = std::env::temp_dir().join(format!("edgechart-statements-{}.sqlite", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let connection = database(&file).unwrap();
    let mut text = String::from(
        "# What searches become\n\nMade by `tests/statements.rs`. Below each statement stands what SQLite says of its plan: a search by \
         key of each\ntable that holds records, never a scan of one.\n",
    );
    for (name, search, scope) in SHAPES {
        text.push_str(&format!("\n## {name}\n`{search}`, asked with `{scope}`\n"));
        let explained = explain(search, scope, Some("a"), BASE, 0).unwrap();
        for statement in explained.statement.into_iter().chain(explained.beside) {
            let plan = plan(&connection, &statement.text, &statement.binds);
            for line in &plan {
                let scans = line.strip_prefix("SCAN ").unwrap_or_default();
                let of = scans.split(' ').next().unwrap_or_default();
                assert!(
                    !["resource", "fact", "link", "chart", "compartment", "locator", "c", "f", "l", "p", "r"]
                        .contains(&of),
                    "{search}: {line}\n{}",
                    statement.text
                );
            }
            let binds: Vec<_> = statement.binds.iter().map(|bind| format!("{bind:?}")).collect();
            text.push_str(&format!("\n```sql\n{}\n```\n\nBinds: `{}`\n\n", statement.text, binds.join(", ")));
            for line in plan {
                text.push_str(&format!("- {line}\n"));
            }
        }
    }
    drop(connection);
    std::fs::remove_file(&file).unwrap();
    if std::env::var_os("REGENERATE").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(FILE).unwrap_or_default() == text,
        "{FILE} is not up to date: REGENERATE=1 writes it"
    );
}

fn plan(connection: &Connection, text: &str, binds: &[String]) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {text}")).unwrap();
    let rows = statement.query_map(params_from_iter(binds), |row| row.get("detail")).unwrap();
    rows.map(Result::unwrap).collect()
}
