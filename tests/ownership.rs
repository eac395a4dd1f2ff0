//! The ownership of Provenance, Group and other types that may span several patients does not depend on the order of
//! resources or the number of loads. The result is the same in SQLite, on shelves and in memory.

use std::collections::BTreeMap;

use crate::support::{
    Access, BASE, LOADED_AT, Values, ids, index, now, over, over_sqlite, query_context, sqlite, tempfile,
};
use api::{Disclosure, Moment, Problem, answer_request};
use fhir::{Id, splice};
use ingest::LoadedMemory;
use native::{NoProgress, SqliteWriter, database, shelve};
use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::Connection;
use search::CursorKey;
use serde_json::{Value, json};
use smart::{Grant, Owner, PatientList, ScopeSet};
use store::{AccessList, Store};

/// Returns the resources, each with the patients to whom it finally belongs. `*` means the directory.
fn population() -> Vec<(Value, &'static str)> {
    let patient = |id: &str| json!({"resourceType": "Patient", "id": id});
    let observation = |id: &str, subject: &str| json!({"resourceType": "Observation", "id": id, "subject": {"reference": subject}, "effectiveDateTime": "2020-01-01"});
    let provenance = |id: &str, targets: &[&str]| {
        let targets: Vec<_> = targets.iter().map(|target| json!({"reference": target})).collect();
        json!({"resourceType": "Provenance", "id": id, "recorded": "2021-01-01T00:00:00Z", "target": targets})
    };
    let group = |id: &str, members: Vec<Value>| {
        let members: Vec<_> = members.into_iter().map(|entity| json!({"entity": entity})).collect();
        json!({"resourceType": "Group", "id": id, "type": "person", "actual": true, "member": members})
    };
    let of = |reference: &str| json!({"reference": reference});
    let appointment = |id: &str, actors: &[&str]| {
        let participants: Vec<_> = actors.iter().map(|actor| json!({"actor": of(actor)})).collect();
        json!({"resourceType": "Appointment", "id": id, "participant": participants})
    };
    vec![
        (patient("a"), "a"),
        (patient("b"), "b"),
        (observation("of-a", "Patient/a"), "a"),
        (observation("of-b", "Patient/b"), "b"),
        (observation("of-nobody", "Group/a-and-b"), ""),
        (
            json!({"resourceType": "Observation", "id": "by-a", "performer": [of("Practitioner/d"), of("Patient/a")]}),
            "a",
        ),
        (json!({"resourceType": "Observation", "id": "by-both", "performer": [of("Patient/b"), of("Patient/a")]}), ""),
        (json!({"resourceType": "Practitioner", "id": "d", "name": [{"family": "Doe"}]}), "*"),
        (json!({"resourceType": "PractitionerRole", "id": "r", "practitioner": of("Practitioner/d")}), "*"),
        (group("a-and-b", vec![of("Patient/a"), of("Patient/b")]), "a b"),
        (group("unknown", vec![of("Patient/a"), of("Patient/ghost")]), ""),
        (group("foreign", vec![of("Patient/a"), of("https://elsewhere.example/Patient/a")]), ""),
        (group("nested", vec![of("Patient/a"), of("Group/a-and-b")]), ""),
        (group("identifier", vec![of("Patient/a"), json!({"identifier": {"system": "s", "value": "1"}})]), ""),
        (json!({"resourceType": "Observation", "id": "of-two", "subject": [of("Patient/a"), of("Patient/b")]}), ""),
        (provenance("of-two", &["Observation/of-two"]), ""),
        (provenance("patient", &["Patient/a", "Observation/of-a"]), "a"),
        (provenance("version", &["Observation/of-b/_history/2"]), "b"),
        (provenance("both", &["Observation/of-a", "Observation/of-b"]), "a b"),
        (provenance("directory", &["Observation/of-a", "Practitioner/d", "Practitioner/ghost"]), "a"),
        (provenance("only-directory", &["Practitioner/d"]), ""),
        (provenance("ghost", &["Patient/a", "Observation/ghost"]), ""),
        (provenance("of-nobody", &["Patient/a", "Observation/of-nobody"]), ""),
        (provenance("by-a", &["Observation/by-a"]), "a"),
        (provenance("of-no-type", &["Observation/of-a", "Foo/1"]), ""),
        (provenance("claim", &["Observation/of-a", "Claim/of-a"]), "a"),
        (
            json!({"resourceType": "Claim", "id": "of-a", "patient": of("Patient/a"), "payee": {"party": of("Patient/b")}}),
            "a",
        ),
        (appointment("of-one", &["Patient/a", "Practitioner/d", "RelatedPerson/of-a"]), "a"),
        (appointment("of-two", &["Patient/a", "RelatedPerson/of-b"]), "a b"),
        (appointment("of-ghost", &["Patient/a", "Device/ghost"]), ""),
        (json!({"resourceType": "RelatedPerson", "id": "of-a", "patient": of("Patient/a")}), "a"),
        (json!({"resourceType": "RelatedPerson", "id": "of-b", "patient": of("Patient/b")}), "b"),
        (
            json!({"resourceType": "AuditEvent", "id": "of-an-appointment", "entity": [{"what": of("Appointment/of-two")}]}),
            "a b",
        ),
        (json!({"resourceType": "Account", "id": "of-both", "subject": [of("Patient/b"), of("Patient/a")]}), "a b"),
        (json!({"resourceType": "ResearchStudy", "id": "s", "partOf": [of("Patient/a")]}), ""),
        (json!({"resourceType": "ValueSet", "id": "v"}), "*"),
        (provenance("group", &["Group/a-and-b"]), "a b"),
        (provenance("chain", &["Provenance/patient"]), "a"),
        (provenance("longer-chain", &["Provenance/chain", "Observation/of-a"]), "a"),
        (provenance("circle-1", &["Provenance/circle-2", "Observation/of-a"]), ""),
        (provenance("circle-2", &["Provenance/circle-1"]), ""),
        (provenance("beside-circle", &["Provenance/circle-1", "Patient/a"]), ""),
        (provenance("itself", &["Provenance/itself", "Patient/a"]), ""),
    ]
}

/// Returns an earlier version of a resource, which belongs to other patients.
fn earlier(resource: &Value) -> Value {
    let mut earlier = resource.clone();
    match resource["resourceType"].as_str().unwrap() {
        "Observation" => earlier["subject"] = json!({"reference": "Patient/b"}),
        "Provenance" => earlier["target"] = json!([{"reference": "Observation/of-b"}]),
        "Group" => earlier["member"] = json!([{"entity": {"reference": "Patient/b"}}]),
        "Appointment" => earlier["participant"] = json!([{"actor": {"reference": "Patient/b"}}]),
        "Claim" | "RelatedPerson" => earlier["patient"] = json!({"reference": "Patient/b"}),
        "Practitioner" => earlier["name"] = json!([{"family": "Earlier"}]),
        _ => {}
    }
    earlier
}

fn ndjson(resources: &[Value]) -> String {
    resources.iter().map(|resource| format!("{resource}\n")).collect()
}

/// Everything that loads have stored: the rows of SQLite, the shelves, and the rows in memory.
#[derive(Debug, PartialEq)]
struct Everything {
    tables: Vec<String>,
    charts: BTreeMap<String, String>,
    shelves: BTreeMap<String, Vec<u8>>,
    memory: Vec<String>,
    owners: BTreeMap<String, String>,
}

fn loaded(loads: &[Vec<Value>]) -> Everything {
    let connection = stored(loads);
    let mut tables = Vec::new();
    for (table, columns) in [
        ("resource", "type, id, patient, owners, sort, params, version, modified, digest, body"),
        ("fact", "param, value, sort, rest"),
        ("link", "id, param, target"),
        ("alias", "name, target"),
        ("dependent", "target, source"),
    ] {
        let mut statement =
            connection.prepare(&format!("SELECT json_array('{table}', {columns}) FROM {table} ORDER BY 1")).unwrap();
        tables.extend(statement.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap));
    }
    let charts = crate::support::charts(&connection, "main");
    let mut shelves = Values::default();
    shelve(&connection, &mut shelves, &mut NoProgress).unwrap();
    let held = held(loads);
    let owner = |owner: &Owner| match owner {
        Owner::Everyone => "*".to_owned(),
        Owner::Patients(patients) => patients.iter().map(Id::as_str).collect::<Vec<_>>().join(" "),
        Owner::Undetermined(_) => String::new(),
    };
    let rows = held.store().rows();
    Everything {
        tables,
        charts,
        shelves: shelves.0.into_iter().collect(),
        memory: rows.iter().map(|row| format!("{row:?}")).collect(),
        owners: rows.iter().map(|row| (row.reference().to_string(), owner(&row.owner))).collect(),
    }
}

fn stored(loads: &[Vec<Value>]) -> Connection {
    let (db, file) = (tempfile(), tempfile().with_extension("ndjson"));
    for load in loads.iter().filter(|load| !load.is_empty()) {
        std::fs::write(&file, ndjson(load)).unwrap();
        let connection = database(&db).unwrap();
        connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY").unwrap();
        crate::support::loader()
            .load(std::slice::from_ref(&file), SqliteWriter::over(connection).unwrap(), None, &mut NoProgress)
            .unwrap();
    }
    std::fs::remove_file(&file).unwrap();
    let connection = database(&db).unwrap();
    std::fs::remove_file(&db).unwrap();
    connection
}

fn held(loads: &[Vec<Value>]) -> LoadedMemory {
    let mut held = LoadedMemory::new(BASE);
    for load in loads.iter().filter(|load| !load.is_empty()) {
        assert_eq!(held.load(&ndjson(load), LOADED_AT).refused, []);
    }
    held
}

#[test]
fn each_resource_belongs_to_the_patients_of_its_references() {
    let resources: Vec<_> = population().into_iter().map(|(resource, _)| resource).collect();
    let owners = loaded(&[resources]).owners;
    for (resource, expected) in population() {
        let name = format!("{}/{}", resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap());
        assert_eq!(owners[&name], expected, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ownership_does_not_depend_on_the_order_of_resources_and_loads(
        order in Just((0..population().len()).collect::<Vec<_>>()).prop_shuffle(),
        cuts in vec(any::<prop::sample::Index>(), 0..6),
        before in vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let all: Vec<_> = population().into_iter().map(|(resource, _)| resource).collect();
        let expected = loaded(std::slice::from_ref(&all));
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(order.len())).chain([0, order.len()]).collect();
        cuts.sort_unstable();
        // Some resources were stored before, in an earlier version.
        let mut known: Vec<usize> = before.iter().map(|index| index.index(all.len())).collect();
        known.sort_unstable();
        known.dedup();
        let mut loads = vec![known.into_iter().map(|at| earlier(&all[at])).collect::<Vec<_>>()];
        loads.extend(cuts.windows(2).map(|cut| order[cut[0]..cut[1]].iter().map(|at| all[*at].clone()).collect()));
        let found = loaded(&loads);
        prop_assert_eq!(&found.owners, &expected.owners);
        prop_assert!(found == expected, "the rows differ");
    }
}

/// Returns whether a token can read the Provenance `v`, and whether a search for the Provenance's patients includes it.
/// The token is for the patient, or for all patients if `patient` is empty.
fn opens<S: Store>(store: &S, patient: &str) -> [bool; 2] {
    let patient = Id::parse(patient);
    let scopes = ScopeSet::parse(if patient.is_some() { "patient/*.read" } else { "system/*.read" }).unwrap();
    let grant = Grant { client: "test".into(), patient, scopes, ..Grant::default() };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };
    ["Provenance/v", "Patient?_id=a,b&_revinclude=Provenance:target"].map(|question| {
        let context = query_context(&grant, &cursors, &moment);
        match now(answer_request(store, question, context, &mut Disclosure::default())) {
            Ok(reply) => splice(reply.body).contains("\"id\":\"v\""),
            Err(problem) => {
                assert_eq!(problem, Problem::NotFound);
                false
            }
        }
    })
}

#[test]
fn a_patient_sees_a_provenance_only_while_all_its_targets_are_the_patient_s() {
    let observation = |patient: &str| json!({"resourceType": "Observation", "id": "o", "subject": {"reference": format!("Patient/{patient}")}});
    let provenance = json!({"resourceType": "Provenance", "id": "v", "target": [{"reference": "Patient/a"}, {"reference": "Observation/o"}]});
    let patients = [json!({"resourceType": "Patient", "id": "a"}), json!({"resourceType": "Patient", "id": "b"})];
    let mut loads = vec![patients.to_vec()];
    // First the Observation is missing, then it belongs to b, then to a, then to b again.
    for (load, a, b) in [
        (provenance, [false; 2], [false; 2]),
        (observation("b"), [false; 2], [false; 2]),
        (observation("a"), [true; 2], [false; 2]),
        (observation("b"), [false; 2], [false; 2]),
    ] {
        loads.push(vec![load]);
        let sqlite = over_sqlite(stored(&loads), &Access::new());
        let mut values = Values::default();
        shelve(&stored(&loads), &mut values, &mut NoProgress).unwrap();
        let shelves = over(values, stored(&loads));
        let held = held(&loads);
        for (patient, expected) in [("a", a), ("b", b), ("", [true; 2])] {
            assert_eq!(opens(&sqlite, patient), expected, "SQLite, {patient}, load {}", loads.len());
            assert_eq!(opens(&shelves, patient), expected, "shelves, {patient}, load {}", loads.len());
            assert_eq!(opens(held.store(), patient), expected, "memory, {patient}, load {}", loads.len());
        }
    }
}

#[test]
fn a_name_of_very_many_records_is_found_in_the_one_that_is_open() {
    let of = |number: usize| {
        let patient = format!("p{number:03}");
        let subject = json!({"reference": format!("Patient/{patient}")});
        let visit = json!([{"system": "http://visit", "value": "same"}]);
        let encounter = json!({"resourceType": "Encounter", "id": patient, "subject": subject, "identifier": visit});
        [json!({"resourceType": "Patient", "id": patient}), encounter]
    };
    let indexed = index(&(0..600).flat_map(of).collect::<Vec<_>>());
    let listed = AccessList::These([Id::parse("p599").unwrap()].into());
    let access = Access::from([(PatientList::OfUser("few".to_owned()), listed)]);
    let question = "Encounter?identifier=http://visit%7Csame";
    let grant = |scopes: &str| Grant {
        scopes: ScopeSet::parse(scopes).unwrap(),
        user: Some("few".to_owned()),
        ..Grant::default()
    };
    let (store, cursors) = (sqlite(&indexed, &access), CursorKey::new(b"a key of sufficient length for it"));
    let moment = Moment { now: 0, random: [0; 32] };
    let ask = |grant: &Grant| {
        let context = query_context(grant, &cursors, &moment);
        now(answer_request(&store, question, context, &mut Disclosure::default()))
    };
    assert!(splice(ask(&grant("user/*.read")).unwrap().body).contains("Encounter/p599"));
    assert!(ask(&grant("system/*.read")).is_err(), "too many are open");
}

#[test]
fn wr13_a_provenance_of_several_patients_is_found_once_beside_each_of_them() {
    let provenance = |id: &str, targets: &[&str]| {
        let targets: Vec<_> = targets.iter().map(|target| json!({"reference": target})).collect();
        json!({"resourceType": "Provenance", "id": id, "target": targets, "recorded": "2020-01-01T00:00:00Z"})
    };
    let name = |number: usize| {
        ["Patient/a", "Patient/b"].get(number).map_or(format!("Patient/p{number}"), ToString::to_string)
    };
    // A resource of up to 64 patients is in the chart of each patient, and a resource of more patients in one chart.
    for count in [2, 64, 65, 400] {
        let all: Vec<_> = (0..count).map(name).collect();
        let mut both: Vec<&str> = all.iter().map(String::as_str).collect();
        both.push("Observation/o");
        let resource = |name: &String| json!({"resourceType": "Patient", "id": name.split_once('/').unwrap().1});
        let mut load: Vec<_> = all.iter().map(resource).collect();
        load.extend([
            json!({"resourceType": "Observation", "id": "o", "subject": {"reference": "Patient/b"}}),
            provenance("both", &both),
            provenance("of-a", &["Patient/a"]),
            provenance("of-b", &["Patient/b"]),
            provenance("unknown", &["Patient/a", "Patient/ghost"]),
        ]);
        // The observation is moved to another patient, and back.
        let again =
            |patient: &str| vec![json!({"resourceType": "Observation", "id": "o", "subject": {"reference": patient}})];
        let loads = [load, again("Patient/ghost"), again("Patient/b")];
        let mut values = Values::default();
        shelve(&stored(&loads), &mut values, &mut NoProgress).unwrap();
        let (held, sqlite) = (held(&loads), over_sqlite(stored(&loads), &Access::new()));
        let shelves = over(values, stored(&loads));
        for (question, expected) in [
            ("Provenance?_id=both,of-a,of-b,unknown", &["both", "of-a", "of-b", "unknown"][..]),
            ("Observation?patient=b&_revinclude=Provenance:target", &["o", "both"]),
            ("Observation?_id=o&_revinclude=Provenance:target", &["o", "both"]),
            ("Patient?_id=b&_revinclude=Provenance:target", &["b", "both", "of-b"]),
            ("Provenance?patient=b", &["of-b"]),
        ] {
            assert_eq!(ids(held.store(), question), expected, "memory, {count}: {question}");
            assert_eq!(ids(&sqlite, question), expected, "SQLite, {count}: {question}");
            assert_eq!(ids(&shelves, question), expected, "shelves, {count}: {question}");
        }
        let of_ghost = over_sqlite(stored(&loads[..2]), &Access::new());
        assert_eq!(ids(&of_ghost, "Observation?_id=o&_revinclude=Provenance:target"), ["o", "both"], "{count}");
        let charts = crate::support::charts(&stored(&loads), "main");
        let has_it = |(name, text): &(&String, &String)| name.ends_with("/Provenance") && text.contains("\"both\"");
        assert_eq!(charts.iter().filter(has_it).count(), if count <= 64 { count } else { 1 });
    }
}
