//! Exports over databases, a bucket and a queue that fail, lose, repeat and reorder, while loads change the records. An
//! export ends complete or failed, and a complete export has one state of the records.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::job_server::{Server, dump};
use crate::support::random::Random;
use crate::support::{CLOCK, now};
use base64ct::{Base64, Encoding};
use export::{ChainPage, ExportLevel, ExportPort, ExportRequest, ExportStatus, Manifest, ManifestFile, NextPage};
use fhir::{BLOCK, ResourceType};
use job::{AnyKind, JobAnswer, Message};
use native::{OptOutChange, opt_out_statements};
use search::IndexSet;
use serde_json::{Value, json};
use store::names::bucket;

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;

fn all_types() -> Vec<String> {
    ResourceType::served().iter().map(|of| of.name().to_owned()).collect()
}

/// Returns a request for all resources of these types.
pub fn request(level: ExportLevel, types: &[&str]) -> ExportRequest {
    let types: Vec<String> =
        if types.is_empty() { all_types() } else { types.iter().map(|of| (*of).to_owned()).collect() };
    ExportRequest {
        level,
        url: "http://edge.test/fhir/r4/$export".to_owned(),
        scopes: types.iter().map(|of| format!("system/{of}.rs")).collect::<Vec<_>>().join(" "),
        types,
        ..ExportRequest::default()
    }
}

fn system() -> ExportRequest {
    request(ExportLevel::System, &[])
}

fn ndjson<'a>(resources: impl IntoIterator<Item = &'a Value>) -> String {
    resources.into_iter().map(|resource| format!("{resource}\n")).collect()
}

fn sample() -> Server {
    let server = Server::new();
    server.load("sample", &ndjson(&crate::support::folder("sample").unwrap()));
    server
}

/// Returns the `Type/id` of a line.
fn name(line: &str) -> String {
    let resource: Value = serde_json::from_str(line).unwrap();
    format!("{}/{}", resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap())
}

fn names<'a>(lines: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
    lines.into_iter().map(|line| name(line)).collect()
}

/// Returns a version of a patient, with an observation and a role of a doctor. Each id shows its type.
fn person(at: usize, version: usize) -> Vec<Value> {
    let id = format!("p{at}");
    let meta = json!({"lastUpdated": format!("2026-01-01T00:00:{version:02}Z"), "versionId": version.to_string()});
    let doctor = format!("d{}", at % 3);
    vec![
        json!({"resourceType": "Patient", "id": id, "meta": meta,
            "generalPractitioner": [{"reference": format!("Practitioner/{doctor}")}]}),
        json!({"resourceType": "Observation", "id": format!("{id}-o"), "meta": meta, "status": "final",
            "code": {"text": "x"}, "subject": {"reference": format!("Patient/{id}")},
            "note": [{"text": format!("{version} ").repeat(20)}]}),
        json!({"resourceType": "Practitioner", "id": doctor, "meta": meta, "name": [{"family": format!("V{version}")}]}),
    ]
}

fn people(range: std::ops::Range<usize>, version: usize) -> String {
    let mut known = BTreeSet::new();
    let all: Vec<Value> = range.flat_map(|at| person(at, version)).collect();
    let first = |one: &&Value| known.insert((one["resourceType"].to_string(), one["id"].to_string()));
    ndjson(all.iter().filter(first))
}

#[test]
fn a_system_export_has_each_stored_resource_once_as_it_is_stored() {
    let server = sample();
    let lines = server.exported("e", &system());
    assert_eq!(lines, server.dump());
    let Manifest { transaction_time, expires_at, request, output, deleted, error, page } = server.manifest("e");
    assert_eq!((transaction_time, expires_at), (CLOCK - 1_000, CLOCK + 24 * HOUR));
    assert_eq!((request.as_str(), deleted, error), ("http://edge.test/fhir/r4/$export", vec![], vec![]));
    assert_eq!(page, None);
    let types: Vec<_> = output.iter().map(|file| file.resource_type.clone()).collect();
    let stored = names(&lines).into_iter().map(|name| name.split('/').next().unwrap().to_owned());
    let stored: BTreeSet<String> = stored.collect();
    assert_eq!(types, all_types().into_iter().filter(|of| stored.contains(of)).collect::<Vec<_>>());
    let numbers: BTreeSet<_> = output.iter().map(|file| file.number).collect();
    assert_eq!(numbers.len(), output.len());
}

#[test]
fn a_second_export_of_the_same_records_reads_no_chart_and_no_text() {
    let server = sample();
    let reads = |id: &str, request: &ExportRequest| {
        server.statements.borrow_mut().clear();
        let lines = server.exported(id, request);
        let statements = server.statements.borrow();
        let reads = |text: &&String| text.contains("JOIN chart") || text.contains("body");
        (lines, statements.iter().filter(reads).count())
    };
    let before: usize = server.bucket.borrow().keys().filter(|key| key.starts_with("parts/")).count();
    let (first, read) = reads("one", &system());
    assert!(read > 0 && before == 0);
    let parts = || server.bucket.borrow().keys().filter(|key| key.starts_with("parts/")).count();
    let written = parts();
    let (second, again) = reads("two", &system());
    assert_eq!((second, again, parts()), (first.clone(), 0, written));
    // The order of the types makes no difference, but fewer types do.
    let mut reversed = system();
    reversed.types.reverse();
    assert_eq!(reads("three", &reversed), (first, 0));
    assert!(reads("four", &request(ExportLevel::System, &["Patient"])).1 > 0);
    // After a load, one part of the population is exported again.
    server.load("more", &people(0..1, 1));
    let (more, _) = reads("five", &system());
    assert_eq!(more, server.dump());
}

#[test]
fn an_export_of_patients_has_their_records_and_what_these_refer_to() {
    let server = sample();
    let types: Vec<String> = all_types().into_iter().filter(|of| of != "Group").collect();
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    let all = server.dump();
    let lines = server.exported("patients", &request(ExportLevel::Patient, &types));
    assert!(lines.is_subset(&all));
    let parsed: BTreeMap<String, Value> =
        all.iter().map(|line| (name(line), serde_json::from_str(line).unwrap())).collect();
    // The test determines the expected resources independently: resources with a patient, and resources they refer to.
    fn references(value: &Value, to: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("reference") {
                    to.insert(reference.clone());
                }
                members.values().for_each(|value| references(value, to));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, to)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let directory =
        ["Practitioner", "PractitionerRole", "Organization", "Location", "Endpoint", "Medication", "Questionnaire"];
    let is_directory = |name: &String| directory.contains(&name.split('/').next().unwrap());
    let records: BTreeSet<String> = names(&lines).into_iter().filter(|name| !is_directory(name)).collect();
    let expected: BTreeSet<String> = parsed
        .keys()
        .filter(|name| !is_directory(name) && !["Group", "Binary"].contains(&name.split('/').next().unwrap()))
        // A resource about a group is in no patient's compartment.
        .filter(|name| {
            !parsed[*name]["subject"]["reference"].as_str().is_some_and(|subject| subject.starts_with("Group/"))
        })
        .cloned()
        .collect();
    let without_binary: BTreeSet<_> = records.iter().filter(|name| !name.starts_with("Binary/")).cloned().collect();
    assert_eq!(without_binary.symmetric_difference(&expected).collect::<Vec<_>>(), Vec::<&String>::new());
    let mut reached = records.clone();
    loop {
        let mut further = BTreeSet::new();
        reached.iter().for_each(|name| references(&parsed[name], &mut further));
        further.retain(|name| is_directory(name) && parsed.contains_key(name) && !reached.contains(name));
        if further.is_empty() {
            break;
        }
        reached.extend(further);
    }
    assert_eq!(names(&lines), reached);
    assert!(reached.iter().any(|name| name.starts_with("Practitioner/")));

    // The same records, as written by another JSON writer.
    let respelled = Server::new();
    let texts = all.iter().map(|line| crate::support::respelled(&serde_json::from_str(line).unwrap()) + "\n");
    respelled.load("sample", &texts.collect::<String>());
    assert_eq!(names(&respelled.exported("patients", &request(ExportLevel::Patient, &types))), reached);

    // Only the members of a group are exported, and the resources to which their records refer.
    let members = ["mateo-reyes"];
    let group =
        ExportRequest { patients: Some(members.map(str::to_owned).into()), ..request(ExportLevel::Group, &types) };
    let lines = server.exported("group", &group);
    let patients = names(&lines).into_iter().filter(|name| name.starts_with("Patient/"));
    assert_eq!(patients.collect::<Vec<_>>(), ["Patient/mateo-reyes"]);
    for line in &lines {
        let (mut all, name) = (BTreeSet::new(), name(line));
        references(&parsed[&name], &mut all);
        let subject = parsed[&name]["subject"]["reference"].as_str().or(parsed[&name]["patient"]["reference"].as_str());
        assert!(is_directory(&name) || subject.is_none_or(|subject| subject == "Patient/mateo-reyes"), "{name}");
    }
    let none = ExportRequest { patients: Some(Vec::new()), ..group };
    assert!(server.exported("nobody", &none).is_empty(), "an empty list is not all");
}

#[test]
fn filters_scopes_times_and_elements_narrow_an_export() {
    let server = sample();
    let all = server.dump();
    let parsed: Vec<Value> = all.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |keeps: &dyn Fn(&Value) -> bool| -> BTreeSet<String> {
        parsed.iter().filter(|one| keeps(one)).map(|one| name(&one.to_string())).collect()
    };
    let has_category = |one: &Value, code: &str| {
        let categories = one["category"].as_array().cloned().unwrap_or_default();
        categories
            .iter()
            .flat_map(|one| one["coding"].as_array().cloned().unwrap_or_default())
            .any(|one| one["code"] == code)
    };
    let types = ["Observation", "Patient", "Practitioner"];
    let is_other = |one: &Value| one["resourceType"] == "Patient" || one["resourceType"] == "Practitioner";
    let is_observation = |one: &Value| one["resourceType"] == "Observation";

    let filters = ["Observation?category=laboratory&status=final", "Observation?category=vital-signs"];
    let filtered = ExportRequest { filters: filters.map(str::to_owned).into(), ..request(ExportLevel::System, &types) };
    let expected = of(&|one| {
        is_other(one)
            || is_observation(one)
                && (has_category(one, "laboratory") && one["status"] == "final" || has_category(one, "vital-signs"))
    });
    assert_eq!(names(&server.exported("filters", &filtered)), expected);

    let scopes =
        "system/Observation.rs?category=laboratory system/Patient.r system/Practitioner.rs patient/Observation.rs";
    let scoped = ExportRequest { scopes: scopes.to_owned(), ..request(ExportLevel::System, &types) };
    let expected = of(&|one| is_other(one) || is_observation(one) && has_category(one, "laboratory"));
    assert_eq!(names(&server.exported("scopes", &scoped)), expected);

    let one = parsed.iter().find(|one| one["resourceType"] == "Practitioner").unwrap();
    let family = one["name"][0]["family"].as_str().unwrap();
    let filters = vec![format!("Practitioner?name={family}"), "Patient?_id=mateo-reyes".to_owned()];
    let of_directory = ExportRequest { filters, ..request(ExportLevel::System, &["Practitioner", "Patient"]) };
    let found = names(&server.exported("directory", &of_directory));
    assert!(
        found.contains(&name(&one.to_string())) && found.contains("Patient/mateo-reyes") && found.len() < 5,
        "{found:?}"
    );

    let patient = ["Observation?patient=mateo-reyes".to_owned()];
    let of_patient = ExportRequest { filters: patient.into(), ..request(ExportLevel::System, &["Observation"]) };
    let expected = of(&|one| is_observation(one) && one["subject"]["reference"] == "Patient/mateo-reyes");
    assert_eq!(names(&server.exported("patient", &of_patient)), expected);

    let elements = vec!["Observation.status".to_owned(), "name".to_owned()];
    let cut = ExportRequest { elements, ..request(ExportLevel::System, &types) };
    for line in server.exported("elements", &cut) {
        let one: Value = serde_json::from_str(&line).unwrap();
        let members: BTreeSet<&str> = one.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(line.contains("SUBSETTED") && members.contains("id"), "{line}");
        assert_eq!(members.contains("name"), one["resourceType"] != "Observation", "{line}");
        assert!(!members.contains("birthDate") && !members.contains("valueQuantity"), "{line}");
    }
}

#[test]
fn ex08_clients_share_no_part_that_their_scopes_do_not_open() {
    let first = sample();
    let lab = "system/Observation.rs?category=laboratory";
    for (wide, level, types) in [
        (format!("{lab} system/*.rs"), ExportLevel::System, &["Observation"][..]),
        (format!("system/Observation.r {lab} system/Patient.rs"), ExportLevel::Patient, &["Observation"]),
        (format!("{lab} system/*.rs"), ExportLevel::Group, &["Observation"]),
        (format!("{lab} system/Observation.rs?category=vital-signs"), ExportLevel::Patient, &["Observation"]),
        (format!("system/*.rs {lab}"), ExportLevel::System, &["Observation", "Condition"]),
    ] {
        let patients = (level == ExportLevel::Group).then(|| vec!["mateo-reyes".to_owned()]);
        let narrow = format!("{lab} system/Condition.rs");
        let by = |scopes: &str| ExportRequest {
            scopes: scopes.to_owned(),
            patients: patients.clone(),
            ..request(level, types)
        };
        let alone = [&narrow, &wide].map(|scopes| first.copy().exported("alone", &by(scopes)));
        assert!(!alone[0].is_empty() && alone[0].len() < alone[1].len(), "{wide}");
        for order in [[0, 1], [1, 0]] {
            let server = first.copy();
            for at in order {
                let scopes = [&narrow, &wide][at];
                assert_eq!(server.exported(&format!("e{at}"), &by(scopes)), alone[at], "{scopes} in {order:?}");
            }
        }
    }
}

#[test]
fn ex07_the_audit_log_has_whose_records_each_part_of_an_export_of_listed_patients_has() {
    let server = Server::new();
    server.load("people", &people(0..320, 1));
    let members: Vec<String> = (0..300).map(|at| format!("p{at}")).chain(["nobody".to_owned()]).collect();
    let group = ExportRequest { patients: Some(members), ..request(ExportLevel::Group, &["Observation"]) };
    let told = |id: &str, request: &ExportRequest| {
        server.audit.borrow_mut().clear();
        server.exported(id, request);
        let lines: Vec<Value> = server.audit.borrow().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(
            lines.iter().all(|line| line["job"] == id && line["client"] == "app" && line["event"] == "export-part")
        );
        let patients = lines.iter().flat_map(|line| line["patients"].as_array().unwrap());
        let patients: Vec<_> = patients.map(|id| id.as_str().unwrap().to_owned()).collect();
        let once: BTreeSet<_> = patients.iter().cloned().collect();
        assert_eq!(once.len(), patients.len());
        once
    };
    let expected: BTreeSet<String> = (0..300).map(|at| format!("p{at}")).collect();
    assert_eq!(told("first", &group), expected);
    // Parts that were made for an earlier export list the patients too.
    assert_eq!(told("second", &group), expected);
    assert!(
        told("all", &request(ExportLevel::Patient, &["Observation"])).is_empty(),
        "of all patients the types say it"
    );
}

fn opt_out(server: &Server, purpose: &str, remove: &[&str], add: &[&str]) {
    let texts = |all: &[&str]| all.iter().map(|id| (*id).to_owned()).collect();
    let change = OptOutChange { purpose: purpose.to_owned(), remove: texts(remove), add: texts(add) };
    native::run(&mut server.open_state(), &opt_out_statements(vec![change]).unwrap()).unwrap();
}

#[test]
fn who_opts_out_before_an_export_ends_is_not_in_it_p13_p14_p15_p16() {
    const PURPOSE: &str = "payer-to-payer";
    let (first, pair) = (Server::new(), ["p1", "p2"]);
    let of_both = |pair: [&str; 2]| {
        let target = pair.map(|id| json!({"reference": format!("Patient/{id}")}));
        json!({"resourceType": "Provenance", "id": pair.join("-"), "recorded": "2026-01-01T00:00:00Z",
            "target": target, "agent": [{"who": {"display": "x"}}]})
    };
    // What belongs to somebody else too leaves with the one who opts out.
    first.load("before", &format!("{}{}\n{}", people(0..5, 1), of_both(pair), of_both(["p0", "p1"])));
    let register = format!("INSERT INTO clients (id, registration) VALUES ('app', '{{\"purpose\": \"{PURPOSE}\"}}')");
    first.open_state().execute(&register, []).unwrap();
    let members: Vec<String> = (0..3).map(|at| format!("p{at}")).collect();
    for (level, patients) in
        [(ExportLevel::Group, Some(members)), (ExportLevel::Patient, None), (ExportLevel::System, None)]
    {
        let request = ExportRequest { patients, ..request(level, &["Patient", "Observation", "Provenance"]) };
        // Returns the number of resources of the pair, and whether the file of errors has only the number of patients.
        let found = |server: &Server, id: &str| {
            let manifest = server.manifest(id);
            let [lines, told] = [&manifest.output, &manifest.error].map(|files| server.lines(id, files));
            assert!(lines.iter().any(|line| name(line) == "Patient/p0"), "{level:?} {id}");
            let of_pair = |line: &&String| pair.iter().any(|id| name(line).contains(id));
            (
                lines.iter().filter(of_pair).count(),
                told.concat().contains("left out: 2.") && !told.concat().contains("p1"),
            )
        };
        let server = first.copy();
        let export = |id: &str| {
            server.exported(id, &request);
            found(&server, id)
        };
        opt_out(&server, "provider-access", &[], &pair);
        assert_eq!(export("p16"), (6, false), "{level:?}");
        opt_out(&server, PURPOSE, &[], &pair);
        assert_eq!(export("p13"), (0, true), "{level:?}");
        opt_out(&server, PURPOSE, &pair, &[]);
        assert_eq!(export("p15"), (6, false), "{level:?}");
        for step in 0.. {
            let (server, mut steps) = (first.copy(), 0);
            server.begin("p14", &request).unwrap();
            loop {
                if steps == step {
                    opt_out(&server, PURPOSE, &[], &pair);
                }
                let next = server.queue.borrow_mut().pop();
                let Some(message) = next else { break };
                server.receive(&message).unwrap();
                steps += 1;
            }
            let is_in_time = step < steps;
            assert_eq!(found(&server, "p14"), if is_in_time { (0, true) } else { (6, false) }, "{level:?} at {step}");
            if !is_in_time {
                break;
            }
        }
    }
    for (purpose, patient, remove) in [("other", "p1", "p2"), (PURPOSE, "Patient/p1", "p2"), (PURPOSE, "p1", "p1")] {
        let (remove, add) = (vec![remove.to_owned()], vec![patient.to_owned()]);
        let change = OptOutChange { purpose: purpose.to_owned(), remove, add };
        assert!(opt_out_statements(vec![change]).is_err(), "{purpose} {patient}");
    }
}

#[test]
fn a_wildcard_is_told_which_stored_types_it_does_not_open() {
    let server = Server::new();
    let of = |resource_type: &str, id: &str| {
        let patient = json!({"reference": "Patient/p0"});
        json!({"resourceType": resource_type, "id": id, "status": "active", "beneficiary": patient, "subject": patient})
    };
    let records = [of("Coverage", "c"), of("Specimen", "s"), of("Endpoint", "e")];
    server.load("people", &format!("{}{}", people(0..1, 1), ndjson(&records)));
    let closed = |types: &[&str]| types.iter().map(|of| (*of).to_owned()).collect::<Vec<_>>();
    for (id, level, asked, expected) in [
        (
            "system",
            ExportLevel::System,
            &["Coverage", "Media", "Specimen", "Endpoint"][..],
            "Coverage, Specimen, Endpoint",
        ),
        ("patients", ExportLevel::Patient, &["Coverage", "Media"], "Coverage"),
        ("again", ExportLevel::Patient, &["Specimen"], "Specimen"),
        ("none", ExportLevel::System, &["Media", "Questionnaire"], ""),
        ("listed", ExportLevel::Patient, &["Coverage", "Endpoint"], ""),
    ] {
        let patients = (id == "listed").then(|| vec!["p0".to_owned()]);
        let request = request(level, &["Patient", "Observation"]);
        server.exported(id, &ExportRequest { closed: closed(asked), patients, ..request });
        let errors = server.lines(id, &server.manifest(id).error);
        let issues: Vec<Value> = errors.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(issues.len(), usize::from(!expected.is_empty()), "{id}");
        for issue in issues.iter().map(|outcome| &outcome["issue"][0]) {
            assert_eq!((&issue["severity"], &issue["code"]), (&json!("information"), &json!("informational")));
            let text = issue["details"]["text"].as_str().unwrap();
            assert!(text.contains(&format!(": {expected}. ")), "{text}");
        }
    }
}

#[test]
fn an_export_by_patient_has_a_block_of_each() {
    let server = Server::new();
    let of = |target: &str| json!({"reference": target});
    let shared = json!({"resourceType": "Provenance", "id": "shared", "recorded": "2026-01-01T00:00:00Z",
        "target": [of("Observation/p1-o"), of("Patient/p2")], "agent": [{"who": of("Practitioner/d1")}]});
    server.load("people", &format!("{}{shared}\n", people(0..70, 1)));
    let types = ["Patient", "Observation", "Practitioner", "Provenance"];
    let request = ExportRequest { by_patient: true, ..request(ExportLevel::Patient, &types) };
    server.begin("e", &request).unwrap();
    server.settle();
    let (blocks, others): (Vec<_>, Vec<_>) =
        server.manifest("e").output.into_iter().partition(|file| file.resource_type.is_empty());
    let outside = ["Practitioner/d0", "Practitioner/d1", "Practitioner/d2", "Provenance/shared"];
    assert_eq!(names(&server.lines("e", &others)), outside.map(str::to_owned).into());
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut patient = String::new();
    for line in server.lines("e", &blocks) {
        let resource: Value = serde_json::from_str(&line).unwrap();
        if resource["resourceType"] == "Parameters" {
            assert_eq!(resource["parameter"][0]["name"], "header");
            patient = resource["parameter"][0]["valueReference"]["reference"].as_str().unwrap().to_owned();
            assert!(found.insert(patient.clone(), BTreeSet::new()).is_none(), "{patient} has two blocks");
            continue;
        }
        found.get_mut(&patient).unwrap().insert(name(&line));
    }
    assert_eq!(found.len(), 70);
    for (patient, names) in found {
        let id = patient.strip_prefix("Patient/").unwrap();
        assert_eq!(names, [patient.clone(), format!("Observation/{id}-o")].into());
    }
}

#[test]
fn a_scope_or_filter_that_cannot_be_read_fails_the_export() {
    let server = sample();
    for (id, request) in [
        (
            "scope",
            ExportRequest { scopes: "system/Patient.s".to_owned(), ..request(ExportLevel::System, &["Patient"]) },
        ),
        ("user", ExportRequest { scopes: "user/Patient.rs".to_owned(), ..request(ExportLevel::System, &["Patient"]) }),
        ("filter", ExportRequest { filters: vec!["Patient?colour=red".to_owned()], ..system() }),
        ("include", ExportRequest { filters: vec!["Patient?_revinclude=Provenance:target".to_owned()], ..system() }),
        ("chain", ExportRequest { filters: vec!["Condition?encounter.status=finished".to_owned()], ..system() }),
        ("type", ExportRequest { filters: vec!["Foo?a=b".to_owned()], ..system() }),
    ] {
        server.begin(id, &request).unwrap();
        server.settle();
        assert!(matches!(server.export_status(id), Some(ExportStatus::Failed(_))), "{id}");
        assert_eq!(now(server.exports().file("app", id, 0)), Ok(None));
    }
}

/// Receives the messages of a new load before the messages that are already waiting.
fn load_between(server: &Server, id: &str, text: &str) {
    let waiting = server.queue.borrow().len();
    server.send(id, text.as_bytes(), None, false).unwrap();
    while server.queue.borrow().len() > waiting {
        let message = server.queue.borrow_mut().pop().unwrap();
        server.receive(&message).unwrap();
    }
}

#[test]
fn ex08_a_load_between_any_two_steps_is_in_the_export_as_a_whole_or_not_at_all() {
    for level in [ExportLevel::System, ExportLevel::Patient] {
        let first = Server::new();
        first.load("before", &people(0..70, 1));
        let (before, mut seen) = (first.dump(), BTreeSet::new());
        for step in 0.. {
            let server = first.copy();
            server.begin("e", &request(level, &["Patient", "Observation", "Practitioner"])).unwrap();
            let mut steps = 0;
            loop {
                if steps == step {
                    // Some of the records change, and new ones are added.
                    load_between(&server, "during", &format!("{}{}", people(60..70, 2), people(80..83, 2)));
                }
                let next = server.queue.borrow_mut().pop();
                let Some(message) = next else { break };
                server.receive(&message).unwrap();
                steps += 1;
            }
            let lines: BTreeSet<_> = server.lines("e", &server.manifest("e").output).into_iter().collect();
            assert!(lines == before || lines == server.dump(), "{level:?} at {step}");
            seen.insert(lines == before);
            if steps < step {
                break;
            }
        }
        assert_eq!(seen.len(), 2, "{level:?}");
    }
}

#[test]
fn loads_between_all_steps_delay_an_export_and_do_not_mix_it() {
    let server = Server::new();
    server.load("before", &people(0..70, 1));
    server.begin("e", &system()).unwrap();
    let (mut states, mut version) = (vec![server.dump()], 2);
    loop {
        let next = server.queue.borrow_mut().pop();
        let Some(message) = next else { break };
        server.receive(&message).unwrap();
        if version < 30 {
            load_between(&server, &format!("load{version}"), &people(version..version + 9, version));
            states.push(server.dump());
            version += 1;
        }
    }
    let lines: BTreeSet<_> = server.lines("e", &server.manifest("e").output).into_iter().collect();
    assert!(states.contains(&lines), "it is none of {} states", states.len());
}

/// Receives messages until there are none. A message that has failed five times is given up, as by its queue.
fn settle_as_a_queue(server: &Server) {
    let mut tries: BTreeMap<String, usize> = BTreeMap::new();
    loop {
        let next = server.queue.borrow_mut().pop();
        let Some(message) = next else { return };
        let name = format!("{message:?}");
        if server.receive(&message).is_err() {
            let tries = tries.entry(name).or_default();
            *tries += 1;
            if *tries > 5 {
                server.give_up(&message);
            } else {
                server.queue.borrow_mut().insert(0, message);
            }
        }
    }
}

#[test]
fn after_a_fault_at_any_call_an_export_is_complete() {
    for level in [ExportLevel::System, ExportLevel::Patient] {
        let first = Server::new();
        first.load("before", &people(0..40, 1));
        let expected = first.dump();
        let run = |fault: Option<(usize, bool)>| {
            let server = first.copy();
            server.until_fault.set(fault.map(|(at, _)| at));
            server.fault_is_late.set(fault.is_some_and(|(_, is_late)| is_late));
            let request = request(level, &["Patient", "Observation", "Practitioner"]);
            if server.begin("e", &request).is_err() {
                server.begin("e", &request).unwrap();
            }
            settle_as_a_queue(&server);
            server.until_fault.set(None);
            let calls = server.calls.get();
            // A message that was lost when it was sent is sent again.
            server.clock.set(server.clock.get() + 301 * SECOND);
            now(server.exports().resume()).unwrap();
            settle_as_a_queue(&server);
            let lines = server.lines("e", &server.manifest("e").output);
            assert_eq!(lines.len(), expected.len(), "{fault:?}");
            assert_eq!(lines.into_iter().collect::<BTreeSet<_>>(), expected, "{fault:?}");
            calls
        };
        let calls = run(None);
        assert!(calls > 20, "{calls}");
        for at in 0..calls {
            run(Some((at, false)));
            run(Some((at, true)));
        }
    }
}

#[test]
fn repeated_and_reordered_messages_change_nothing() {
    let first = Server::new();
    first.load("before", &people(0..70, 1));
    let expected = first.dump();
    for order in 0..6 {
        let server = first.copy();
        server.begin("e", &system()).unwrap();
        let mut received = 0;
        loop {
            let length = server.queue.borrow().len();
            if length == 0 {
                break;
            }
            let at = (received * 7 + order * 3) % length;
            let message = server.queue.borrow_mut().remove(at);
            server.receive(&message).unwrap();
            // Each message is received twice, and the message of the whole job now and then.
            server.receive(&message).unwrap();
            if received < 9 && received % 3 == order % 3 {
                server.receive(&Message::Export { job: "e".to_owned(), part: None }).unwrap();
            }
            received += 1;
            assert!(received < 200);
        }
        let lines = server.lines("e", &server.manifest("e").output);
        assert_eq!(lines.into_iter().collect::<BTreeSet<_>>(), expected, "{order}");
    }
}

#[test]
fn storage_that_does_not_answer_fails_an_export_and_never_shortens_it() {
    let server = Server::new();
    server.load("before", &people(0..70, 1));
    server.begin("e", &system()).unwrap();
    let first = server.queue.borrow_mut().pop().unwrap();
    server.receive(&first).unwrap();
    let Some(ExportStatus::Running { done: 0, parts: Some(parts) }) = server.export_status("e") else { panic!() };
    assert!(parts > 2 && server.queue.borrow().len() == 1);
    let message = server.queue.borrow_mut().pop().unwrap();
    // Each try fails at its third call.
    for _ in 0..6 {
        server.until_fault.set(Some(2));
        assert!(server.receive(&message).is_err());
    }
    server.until_fault.set(None);
    assert_eq!(server.export_status("e"), Some(ExportStatus::Running { done: 0, parts: Some(parts) }));
    server.give_up(&message);
    assert!(matches!(server.export_status("e"), Some(ExportStatus::Failed(_))));
    server.settle();
    let Some(ExportStatus::Failed(why)) = server.export_status("e") else { panic!() };
    assert!(why.contains("several tries"), "{why}");
    assert_eq!(now(server.exports().file("app", "e", 0)), Ok(None));
}

#[test]
fn a_chart_that_is_damaged_is_told_in_an_error_file_and_read_again_by_the_next_export() {
    let server = Server::new();
    server.load("before", &people(0..3, 1));
    let good = server.exported("good", &system());
    let saved = std::fs::read(&server.records).unwrap();
    // The parts of earlier exports would hide the damage.
    server.open_state().execute("DELETE FROM export_part", []).unwrap();
    let observation = ResourceType::parse("Observation").unwrap().number();
    let damage = "UPDATE chart SET data = substr(data, 1, 40) WHERE (k >> 19) & 255 = ?1 \
                  AND k >> 27 = (SELECT n FROM compartment WHERE id = 'p1')";
    assert_eq!(server.open().execute(damage, [observation]).unwrap(), 1);
    let request = ExportRequest { notes: vec!["_foo was ignored.".to_owned()], ..system() };
    let lines = server.exported("bad", &request);
    let missing: Vec<_> = names(&good).difference(&names(&lines)).cloned().collect();
    assert_eq!(missing, ["Observation/p1-o"]);
    let errors = server.lines("bad", &server.manifest("bad").error);
    let texts: Vec<Value> = errors.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(texts[0]["issue"][0]["details"]["text"], "_foo was ignored.");
    assert_eq!(texts[0]["issue"][0]["severity"], "warning");
    let text = "Resources of type Observation of Patient/p1 cannot be read.";
    assert_eq!((texts.len(), &texts[1]["issue"][0]["details"]["text"]), (2, &json!(text)));
    std::fs::write(&server.records, saved).unwrap();
    assert_eq!(server.exported("again", &system()), good);
}

#[test]
fn an_export_expires_and_is_forgotten_with_its_objects() {
    let server = Server::new();
    server.load("before", &people(0..3, 1));
    let objects = || {
        let bucket = server.bucket.borrow();
        bucket.keys().filter(|key| key.starts_with("parts/") || key.starts_with("exports/")).count()
    };
    server.exported(
        "e",
        &ExportRequest { notes: vec!["x".to_owned()], ..request(ExportLevel::Patient, &["Patient", "Practitioner"]) },
    );
    assert!(objects() > 4);
    server.clock.set(CLOCK + 24 * HOUR - 1);
    assert!(matches!(server.export_status("e"), Some(ExportStatus::Complete(_))));
    now(server.exports().resume()).unwrap();
    let before = objects();
    // The export is refused because of its age, before the cron trigger runs.
    server.clock.set(CLOCK + 24 * HOUR);
    assert_eq!(server.export_status("e"), None);
    assert_eq!(now(server.exports().file("app", "e", 0)), Ok(None));
    assert_eq!(objects(), before);
    server.clock.set(CLOCK + 24 * HOUR + 1);
    now(server.exports().resume()).unwrap();
    assert!(server.bucket.borrow().keys().all(|key| !key.starts_with("exports/")));
    assert!(objects() > 0, "parts are kept a while, since a download may have begun");
    server.clock.set(CLOCK + 26 * HOUR);
    now(server.exports().resume()).unwrap();
    assert_eq!(objects(), 0);
    let left = |table: &str| {
        let count = format!("SELECT count(*) FROM {table}");
        server.open_state().query_row(&count, [], |row| row.get::<_, usize>(0)).unwrap()
    };
    assert_eq!((left("export_part"), left("job"), left("job_part")), (0, 1, 1), "that of the load");
}

#[test]
fn a_part_that_is_taken_up_again_is_kept_on() {
    let server = Server::new();
    server.load("before", &people(0..3, 1));
    let first = server.exported("one", &system());
    server.clock.set(CLOCK + 20 * HOUR);
    server.exported("two", &system());
    server.clock.set(CLOCK + 30 * HOUR);
    now(server.exports().resume()).unwrap();
    assert_eq!(server.export_status("one"), None);
    let lines: BTreeSet<_> = server.lines("two", &server.manifest("two").output).into_iter().collect();
    assert_eq!(lines, first);
    // After some days the export is made again, so that a rule of the bucket may delete old objects.
    let made =
        || server.bucket.borrow().keys().filter(|key| key.starts_with("parts/")).cloned().collect::<BTreeSet<_>>();
    let before = made();
    for day in 2..8 {
        server.clock.set(CLOCK + day * 24 * HOUR);
        server.exported(&format!("day{day}"), &system());
    }
    assert!(before.iter().all(|key| key.contains("-one/")) && made().iter().any(|key| key.contains("-day")));
}

#[test]
fn an_export_is_cancelled_at_any_step_and_gone_at_once() {
    let first = Server::new();
    first.load("before", &people(0..70, 1));
    for step in 0.. {
        let server = first.copy();
        server.begin("e", &system()).unwrap();
        for _ in 0..step {
            let next = server.queue.borrow_mut().pop();
            next.into_iter().for_each(|message| drop(server.receive(&message).unwrap()));
        }
        let is_over = server.queue.borrow().is_empty();
        assert_eq!(now(server.exports().cancel("other", "e")), Ok(false));
        assert_eq!(now(server.exports().cancel("app", "e")), Ok(true));
        let gone = || {
            assert_eq!(server.export_status("e"), None);
            assert_eq!(now(server.exports().file("app", "e", 0)), Ok(None));
            assert_eq!(now(server.exports().cancel("app", "e")), Ok(false));
        };
        gone();
        server.settle();
        gone();
        // The ended export no longer counts towards the limit.
        for at in 0..5 {
            assert!(matches!(server.begin(&format!("n{at}"), &system()), Ok(JobAnswer::Job(_))));
        }
        server.clock.set(CLOCK + 2 * HOUR);
        now(server.exports().resume()).unwrap();
        let left = "SELECT count(*) FROM job WHERE id = 'e'";
        assert_eq!(server.open_state().query_row(left, [], |row| row.get::<_, usize>(0)), Ok(0));
        assert!(server.bucket.borrow().keys().all(|key| !key.starts_with("exports/e/")));
        if is_over {
            break;
        }
    }
}

#[test]
fn ex11_a_change_in_the_public_directory_makes_one_file_anew_b6_b7_b11() {
    const SCOPES: &str = "system/PractitionerRole.rs?specialty=http://list.example|plans system/Endpoint.rs";
    let server = Server::new();
    let role = |at: usize, list: &str, name: &str| {
        let specialty = json!([{"coding": [{"system": "http://list.example", "code": list}], "text": name}]);
        json!({"resourceType": "PractitionerRole", "id": format!("d{at}"), "specialty": specialty})
    };
    let others = [
        json!({"resourceType": "Patient", "id": "p"}),
        json!({"resourceType": "Group", "id": "g", "type": "person", "actual": true}),
        json!({"resourceType": "Endpoint", "id": "e", "status": "active"}),
        role(7_000, "charts", "x"),
    ];
    server.load("all", &ndjson((0..5_000).map(|at| role(at, "plans", "x")).chain(others).collect::<Vec<_>>().iter()));
    let parts = |manifest: &Manifest| -> BTreeSet<String> {
        manifest.output.iter().map(|file| file.part.clone().unwrap()).collect()
    };
    let file = |part: &str| now(server.exports().published(SCOPES, part)).unwrap();
    let lines = |manifest: &Manifest| -> BTreeSet<String> {
        let texts = parts(manifest).iter().map(|part| server.text(&file(part).unwrap())).collect::<Vec<_>>();
        texts.iter().flat_map(|text| text.lines()).map(name).collect()
    };
    let first = server.publish(SCOPES);
    let expected: BTreeSet<_> =
        (0..5_000).map(|at| format!("PractitionerRole/d{at}")).chain(["Endpoint/e".to_owned()]).collect();
    assert_eq!(lines(&first), expected);
    assert!(parts(&first).len() > 3 && first.output.iter().map(|file| file.count).sum::<u64>() == 5_001);

    // An unchanged directory is listed again after a day, with the same files.
    server.clock.set(server.clock.get() + HOUR);
    assert_eq!(server.publish(SCOPES), first);
    server.clock.set(server.clock.get() + 24 * HOUR);
    let again = server.publish(SCOPES);
    assert!(again.transaction_time > first.transaction_time && again.output == first.output);

    // One file changes for a changed, a new, a deleted or a closed resource. The earlier file still answers.
    let deleted = json!({"resourceType": "Bundle", "type": "batch", "entry": [
        {"request": {"method": "DELETE", "url": "PractitionerRole/d9"}}]});
    let mut last = again;
    for (at, change) in
        [role(3, "plans", "y"), role(6_000, "plans", "x"), deleted, role(4, "closed", "x")].iter().enumerate()
    {
        server.clock.set(server.clock.get() + SECOND);
        server.load(&format!("change{at}"), &ndjson([change]));
        let next = server.publish(SCOPES);
        let (before, after) = (parts(&last), parts(&next));
        let counts = [before.difference(&after).count(), after.difference(&before).count()];
        assert_eq!(counts, [1, 1], "{change}");
        assert!(before.iter().all(|part| file(part).is_some()));
        last = next;
    }
    let missing = ["PractitionerRole/d4", "PractitionerRole/d9"].map(str::to_owned);
    let left = lines(&last);
    assert!(
        left.len() == 5_000 && left.contains("PractitionerRole/d6000") && missing.iter().all(|one| !left.contains(one))
    );

    // The manifest is read without a statement, and a file with one for its row.
    server.statements.borrow_mut().clear();
    assert_eq!(now(server.exports().publication(SCOPES)).unwrap(), Some(last.clone()));
    assert_eq!(server.statements.borrow().len(), 0);
    // With other scopes nothing is open, and a part of an export never is.
    assert_eq!(now(server.exports().publication("system/Endpoint.rs")).unwrap(), None);
    server.exported("e", &request(ExportLevel::System, &["Patient"]));
    let digests = "SELECT digest, json_extract(segments, '$.publication') IS NULL FROM export_part";
    let state = server.open_state();
    let mut digests = state.prepare(digests).unwrap();
    let all = digests.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?))).unwrap();
    let all: Vec<_> = all.map(Result::unwrap).collect();
    assert!(all.iter().any(|(_, is_private)| *is_private));
    for (part, is_private) in all {
        assert_eq!(file(&part).is_none(), is_private, "{part}");
        assert_eq!(now(server.exports().published("system/Endpoint.rs", &part)).unwrap(), None);
    }
    // A week after the last publication with it, a part is deleted.
    let gone = parts(&first).difference(&parts(&last)).next().unwrap().clone();
    server.clock.set(server.clock.get() + 6 * 24 * HOUR);
    now(server.exports().resume()).unwrap();
    assert!(file(&gone).is_some());
    server.publish(SCOPES);
    server.clock.set(server.clock.get() + 2 * 24 * HOUR);
    now(server.exports().resume()).unwrap();
    assert!(file(&gone).is_none() && parts(&last).iter().all(|part| file(part).is_some()));
}

#[test]
fn ex11_items_of_a_formulary_are_published_and_what_is_a_patients_is_not_p23() {
    const SCOPES: &str = "system/Basic.rs?code=http://list.example|item system/MedicationKnowledge.rs";
    for mut server in [Server::new(), Server::sharded()] {
        server.set = IndexSet::parse("formulary-2.1.0").unwrap();
        native::SqliteWriter::turning_to(server.open(), server.set).unwrap().finish().unwrap();
        let basic = |id: &str, code: &str, subject: &str, author: &str| {
            let code = json!({"coding": [{"system": "http://list.example", "code": code}]});
            let [subject, author] = [subject, author].map(|to| json!({"reference": to}));
            json!({"resourceType": "Basic", "id": id, "code": code, "subject": subject, "author": author})
        };
        let [drug, payer, patient] = ["MedicationKnowledge/drug", "Organization/payer", "Patient/p"];
        let all = [
            json!({"resourceType": "Patient", "id": "p"}),
            json!({"resourceType": "MedicationKnowledge", "id": "drug"}),
            basic("item", "item", drug, payer),
            basic("note", "note", drug, payer),
            basic("of-p", "item", patient, payer),
            basic("by-p", "item", drug, patient),
            basic("of-nobody", "item", "Patient/absent", payer),
        ];
        server.load("all", &ndjson(&all));
        let published = |manifest: &Manifest| -> BTreeSet<String> {
            let parts = manifest.output.iter().map(|file| file.part.as_deref().unwrap());
            let texts = parts.map(|part| server.text(&now(server.exports().published(SCOPES, part)).unwrap().unwrap()));
            texts.collect::<String>().lines().map(name).collect()
        };
        let first = server.publish(SCOPES);
        assert_eq!(published(&first), ["Basic/item", drug].map(str::to_owned).into());
        server.clock.set(server.clock.get() + SECOND);
        assert_eq!(server.publish(SCOPES), first);
        server.load("more", &ndjson(&[basic("item2", "item", drug, payer), basic("item", "note", drug, payer)]));
        assert_eq!(published(&server.publish(SCOPES)), ["Basic/item2", drug].map(str::to_owned).into());
    }
}

/// The scopes of a publication whose chain clients follow.
const FOLLOWED: &str = "system/PractitionerRole.rs?specialty=http://list.example|plans system/Endpoint.rs";

/// A client of a publication, which follows its chain as the workflow of Bulk Data Access 4.0.0-ballot says.
struct FollowingClient {
    /// The lines, by `Type/id`.
    resources: BTreeMap<String, String>,
    page: usize,
}

impl FollowingClient {
    fn new(server: &Server) -> Self {
        let manifest = now(server.exports().publication(FOLLOWED)).unwrap().unwrap();
        let mut client = Self { resources: BTreeMap::new(), page: manifest.page.unwrap() };
        client.take(server, &manifest.output, &[]);
        client
    }

    fn take(&mut self, server: &Server, output: &[ManifestFile], deleted: &[ManifestFile]) {
        let lines = |file: &ManifestFile| {
            let name = file.part.clone().unwrap_or_else(|| file.number.to_string());
            let text = server.text(&now(server.exports().published(FOLLOWED, &name)).unwrap().unwrap());
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        self.resources.extend(output.iter().flat_map(lines).map(|line| (name(&line), line)));
        for bundle in deleted.iter().flat_map(lines) {
            let bundle: Value = serde_json::from_str(&bundle).unwrap();
            for entry in bundle["entry"].as_array().unwrap() {
                assert_eq!(entry["request"]["method"], "DELETE");
                self.resources.remove(entry["request"]["url"].as_str().unwrap()).expect("it was there");
            }
        }
    }

    fn poll(&mut self, server: &Server) {
        loop {
            match page(server, self.page).next {
                NextPage::Pending => return,
                NextPage::Closed => *self = Self::new(server),
                NextPage::Number(next) => {
                    let ChainPage { output, deleted, .. } = page(server, next);
                    self.take(server, &output.unwrap(), &deleted);
                    self.page = next;
                }
            }
        }
    }
}

fn page(server: &Server, number: usize) -> ChainPage {
    now(server.exports().page(FOLLOWED, number)).unwrap().unwrap()
}

#[test]
fn clients_that_follow_a_publication_end_with_its_content_b9() {
    for seed in 1..=50 {
        let (server, mut random) = (Server::new(), Random(seed * 7_919));
        let endpoint = json!({"resourceType": "Endpoint", "id": "e", "status": "active"});
        server.load("first", &ndjson([&endpoint]));
        let first = server.publish(FOLLOWED);
        assert_eq!((first.page, first.output.len()), (Some(0), 1));
        assert_eq!((page(&server, 0).output, page(&server, 0).next), (None, NextPage::Pending));
        let (mut open, mut clients) = (BTreeSet::from(["Endpoint/e".to_owned()]), vec![FollowingClient::new(&server)]);
        for step in 0..4 {
            let from = random.below(8);
            let changes: Vec<Value> = (from..from + 1 + random.below(3))
                .map(|at| {
                    let (id, name) = (format!("d{at}"), format!("PractitionerRole/d{at}"));
                    let list = if random.one_in(3) { "charts" } else { "plans" };
                    if list == "plans" {
                        open.insert(name.clone())
                    } else {
                        open.remove(&name)
                    };
                    if list == "charts" && random.one_in(2) {
                        let request = json!({"method": "DELETE", "url": name});
                        return json!({"resourceType": "Bundle", "type": "batch", "entry": [{"request": request}]});
                    }
                    let coding = json!([{"system": "http://list.example", "code": list}]);
                    let specialty = json!([{"coding": coding, "text": step.to_string()}]);
                    json!({"resourceType": "PractitionerRole", "id": id, "specialty": specialty})
                })
                .collect();
            server.clock.set(server.clock.get() + SECOND);
            server.load(&format!("step{step}"), &ndjson(&changes));
            let before = server.bucket.borrow().clone();
            server.publish(FOLLOWED);
            // The publication ends before it writes the manifest, or before the last page leads to the new one.
            let (is_cut, is_apart) = (random.one_in(3), random.one_in(2));
            let is_old = |key: &str| is_cut && (key.ends_with("/manifest.json") || is_apart && key.contains("/page-"));
            server.bucket.borrow_mut().extend(before.into_iter().filter(|(key, _)| is_old(key)));
            clients.iter_mut().filter(|_| random.one_in(2)).for_each(|client| client.poll(&server));
            if random.one_in(2) {
                clients.push(FollowingClient::new(&server));
            }
        }
        server.clock.set(server.clock.get() + 25 * HOUR);
        server.publish(FOLLOWED);
        let newest = FollowingClient::new(&server).resources;
        assert_eq!(newest.keys().cloned().collect::<BTreeSet<_>>(), open, "{seed}");
        for client in &mut clients {
            client.poll(&server);
            assert_eq!(client.resources, newest, "{seed}");
        }
        assert!(page(&server, 0).next == NextPage::Number(1) && page(&server, 1).output.is_some(), "{seed}");
    }
}

#[test]
fn a_chain_that_is_closed_never_changes_b10() {
    let server = Server::new();
    // Each of these ids begins a file.
    let ids: Vec<_> = (0..).map(|at| format!("e{at}")).filter(|id| bucket(id, 1_024) == 0).take(40).collect();
    let load = |job: &str, ids: &[String], status: &str| {
        let endpoint = |id: &String| json!({"resourceType": "Endpoint", "id": id, "status": status});
        server.load(job, &ndjson(&ids.iter().map(endpoint).collect::<Vec<_>>()));
        server.clock.set(server.clock.get() + SECOND);
        server.publish(FOLLOWED).page.unwrap()
    };
    assert_eq!(load("all", &ids, "active"), 0);
    let mut client = FollowingClient::new(&server);
    assert_eq!(load("one", &ids[..1], "off"), 1);
    client.poll(&server);
    assert_eq!(client.page, 1);
    assert_eq!(load("more", &ids, "error"), 2);
    assert_eq!((page(&server, 1).next, page(&server, 2).output), (NextPage::Closed, None));
    let closed = page(&server, 1);
    assert_eq!(load("next", &ids[..2], "test"), 3);
    server.clock.set(server.clock.get() + 25 * HOUR);
    server.publish(FOLLOWED);
    assert_eq!(page(&server, 1), closed);
    client.poll(&server);
    assert_eq!((client.page, client.resources), (3, FollowingClient::new(&server).resources));
}

#[test]
fn five_exports_of_a_client_run_at_once_and_twenty_of_all() {
    let server = sample();
    let begin =
        |client: &str, at: usize| now(server.exports().begin(client, format!("{client}{at}"), system())).unwrap();
    for client in ["a", "b", "c", "d"] {
        for at in 0..5 {
            assert!(matches!(begin(client, at), JobAnswer::Job(_)));
        }
        assert_eq!(begin(client, 5), JobAnswer::Busy);
    }
    assert_eq!(begin("e", 0), JobAnswer::Busy);
    server.settle();
    for client in ["a", "b", "c", "d"] {
        for at in 0..5 {
            let status = now(server.exports().status(client, &format!("{client}{at}"))).unwrap();
            assert!(matches!(status, Some(ExportStatus::Complete(_))));
        }
    }
    assert!(matches!(begin("a", 5), JobAnswer::Job(_)));
    assert_eq!(now(server.exports().status("b", "a0")), Ok(None), "another client's");
    assert_eq!(now(server.exports().file("b", "a0", 0)), Ok(None));
    assert_eq!(now(server.exports().status("a", "never")), Ok(None));
}

#[test]
fn an_export_since_a_time_has_what_changed_and_tells_what_was_deleted() {
    let server = Server::new();
    server.load("first", &people(0..3, 1));
    let since = CLOCK;
    let later = |seconds: i64| server.clock.set(CLOCK + seconds * 1_000_000);
    later(5);
    server.load("second", &people(1..2, 5));
    later(30);
    let deletion = |id: &str| {
        let url = format!("Observation/{id}-o");
        format!(
            "{}\n",
            json!({"resourceType": "Bundle", "timestamp": "2026-01-01T00:00:30Z",
            "entry": [{"request": {"method": "DELETE", "url": url}}]})
        )
    };
    server.load("third", &format!("{}{}", deletion("p0"), deletion("p2")));
    // One of the deleted patients is loaded again.
    later(40);
    server.load("fourth", &people(2..3, 40));
    let incremental = ExportRequest { since: Some(since), ..system() };
    let lines = names(&server.exported("e", &incremental));
    let expected =
        ["Observation/p1-o", "Observation/p2-o", "Patient/p1", "Patient/p2", "Practitioner/d1", "Practitioner/d2"];
    assert_eq!(lines, expected.map(str::to_owned).into());
    let manifest = server.manifest("e");
    let deleted = server.lines("e", &manifest.deleted);
    let bundle: Value = serde_json::from_str(&deleted[0]).unwrap();
    assert_eq!((deleted.len(), &bundle["type"]), (1, &json!("transaction")));
    assert_eq!(bundle["entry"], json!([{"request": {"method": "DELETE", "url": "Observation/p0-o"}}]));

    // The server does not know whether a deleted resource was in the exported part of its type.
    let scopes =
        format!("{} system/Observation.rs?status=final", incremental.scopes.replace("system/Observation.rs", ""));
    let filters = vec!["Observation?status=final".to_owned()];
    for (id, part) in [
        ("scope", ExportRequest { scopes: scopes.trim().replace("  ", " "), ..incremental.clone() }),
        ("filter", ExportRequest { filters, ..incremental.clone() }),
    ] {
        assert!(server.exported(id, &part).len() >= 6, "{id}");
        assert_eq!(server.manifest(id).deleted, [], "{id}");
    }

    let until = ExportRequest { until: Some(CLOCK + 10_000_000), ..incremental.clone() };
    let lines = names(&server.exported("until", &until));
    assert_eq!(lines, ["Observation/p1-o", "Patient/p1", "Practitioner/d1"].map(str::to_owned).into());
    let future = ExportRequest { since: Some(CLOCK + HOUR), ..incremental.clone() };
    assert!(server.exported("future", &future).is_empty());
    // A group does not list former members.
    let group = ExportRequest {
        level: ExportLevel::Group,
        patients: Some(vec!["p0".to_owned(), "p1".to_owned()]),
        ..incremental
    };
    let lines = names(&server.exported("group", &group));
    assert!(lines.contains("Patient/p1") && !lines.contains("Patient/p0"), "{lines:?}");
    assert!(lines.contains("Practitioner/d1"), "what changed ones refer to comes with them: {lines:?}");
    assert_eq!(server.manifest("group").deleted, Vec::<ManifestFile>::new());
}

#[test]
fn a_large_resource_and_many_small_ones_are_whole_lines() {
    let server = Server::new();
    let note = |at: usize, length: usize| {
        json!({"resourceType": "Observation", "id": format!("o{at}"), "status": "final", "code": {"text": "x"},
            "subject": {"reference": "Patient/p"}, "note": [{"text": format!("{at}").repeat(length)}]})
    };
    let mut all = vec![json!({"resourceType": "Patient", "id": "p"}), note(1, 1_700_000)];
    all.extend((10..400).map(|at| note(at, 7_000)));
    server.load("large", &ndjson(&all));
    let lines = server.exported("e", &system());
    assert_eq!(lines, server.dump());
    assert_eq!(lines.len(), all.len());
}

#[test]
fn a_document_is_exported_as_it_was_loaded_and_never_held_as_a_whole() {
    let mut server = Server::new();
    server.has_documents = true;
    let bytes: Vec<u8> = (0..4 * BLOCK + 5).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let meta = json!({"versionId": "1", "lastUpdated": "2026-01-01T00:00:00Z"});
    let note = |at: usize, data: Value| {
        json!({"resourceType": "DocumentReference", "id": format!("n{at}"), "meta": meta, "status": "current",
            "subject": {"reference": "Patient/p"}, "content": [{"attachment": {"data": data}}]})
    };
    let mut all = vec![json!({"resourceType": "Patient", "id": "p", "meta": meta})];
    all.extend((0..20).map(|at| note(at, "AAAA".into())));
    all.extend((20..23).map(|at| note(at, Base64::encode_string(&bytes[at..]).into())));
    all.extend((30..50).map(|at| note(at, "AAAA".into())));
    server.load("documents", &ndjson(&all));
    let expected: BTreeSet<String> = all.iter().map(Value::to_string).collect();
    assert!(server.exported("e", &system()) == expected);
    let by_patient =
        ExportRequest { by_patient: true, ..request(ExportLevel::Patient, &["Patient", "DocumentReference"]) };
    server.begin("by", &by_patient).unwrap();
    server.settle();
    let blocks = server.lines("by", &server.manifest("by").output);
    assert!(blocks[0].contains("\"Parameters\""));
    assert!(blocks[1..].iter().cloned().collect::<BTreeSet<_>>() == expected);
    let bucket = server.bucket.borrow();
    let parts = bucket.iter().filter(|(key, _)| key.starts_with("parts/"));
    assert!(parts.map(|(_, (bytes, _))| bytes.len()).max() < Some(14 << 20));
}

#[test]
fn an_export_over_shards_is_the_same_also_while_buckets_move() {
    let server = Server::sharded();
    server.load("people", &people(0..70, 1));
    let expected = dump(&server.open());
    assert_eq!(server.exported("e", &system()), expected);
    server.open_state().execute("DELETE FROM export_part", []).unwrap();
    server.begin("moved", &system()).unwrap();
    for at in 0.. {
        let next = server.queue.borrow_mut().pop();
        let Some(message) = next else { break };
        server.receive(&message).unwrap();
        let buckets: Vec<u32> = (at * 300..at * 300 + 300).filter(|bucket| *bucket < 4_096).collect();
        native::move_buckets(&mut server.open(), &buckets, (at as usize) % 3, None).unwrap();
    }
    let lines: BTreeSet<_> = server.lines("moved", &server.manifest("moved").output).into_iter().collect();
    assert_eq!(lines, expected);
}

#[test]
fn the_exports_of_a_client_that_is_stopped_end() {
    let server = sample();
    server.begin("e", &system()).unwrap();
    let first = server.queue.borrow_mut().pop().unwrap();
    server.receive(&first).unwrap();
    let state = server.open_state();
    state.execute("INSERT INTO stopped VALUES ('app')", []).unwrap();
    let kind = AnyKind::of::<export::ExportKind>();
    for statement in kind.stop_client("app") {
        let binds: Vec<_> = statement.binds.iter().map(String::as_str).collect();
        state.execute(&statement.text, rusqlite::params_from_iter(binds)).unwrap();
    }
    server.settle();
    // The database has a separate clock.
    state.execute("UPDATE job SET ended_at = ?1 WHERE id = 'e'", [CLOCK]).unwrap();
    assert!(matches!(server.begin("f", &system()), Ok(JobAnswer::Stopped)));
    // The export is not restored when the client is enabled again.
    state.execute("DELETE FROM stopped", []).unwrap();
    assert_eq!(server.export_status("e"), None);
    assert_eq!(now(server.exports().file("app", "e", 0)), Ok(None));
    assert!(matches!(server.begin("g", &system()), Ok(JobAnswer::Job(_))));
}
