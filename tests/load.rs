//! Loads: their input, their reports, and the tables afterwards.

use std::io::Write;
use std::path::{Path, PathBuf};

use fhir::Reference;
use ingest::LoadTarget;
use native::{Loader, NoProgress, SqliteWriter, Summary, database};
use rusqlite::{Connection, OptionalExtension};
use serde_json::json;
use store::IndexedResource;

/// A temporary folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = crate::support::tempfile().with_extension("d");
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn db(&self) -> PathBuf {
        self.0.join("db.sqlite")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn loader(strict: bool) -> Loader {
    Loader { strict, ..crate::support::loader() }
}

fn load(folder: &Folder, paths: &[&Path]) -> Summary {
    let paths: Vec<_> = paths.iter().map(|path| path.to_path_buf()).collect();
    let writer = SqliteWriter::open(&folder.db()).unwrap();
    loader(false).load(&paths, writer, None, &mut NoProgress).unwrap()
}

fn stored(folder: &Folder, reference: &str) -> Option<IndexedResource> {
    let reference = Reference::parse(reference).unwrap();
    SqliteWriter::open(&folder.db()).unwrap().indexed(&reference).unwrap().unwrap()
}

fn body(folder: &Folder, reference: &str) -> Option<String> {
    stored(folder, reference).map(|stored| stored.body)
}

/// Returns every row of the tables that the Worker reads, as text.
fn rows(connection: &Connection) -> Vec<String> {
    crate::support::rows(connection, "main", &crate::support::READ_TABLES)
}

/// Returns the versions of the compartments, in the order of their numbers.
fn versions(folder: &Folder) -> Vec<i64> {
    let database = database(&folder.db()).unwrap();
    let mut statement = database.prepare("SELECT version FROM compartment ORDER BY n").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn count(folder: &Folder, sql: &str) -> i64 {
    database(&folder.db()).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

const TRANSACTION: &str = r#"{"resourceType": "Bundle", "type": "transaction", "entry": [
  {"fullUrl": "urn:uuid:11111111-1111-1111-1111-111111111111", "resource": {"resourceType": "Patient", "id": "p"}},
  {"fullUrl": "urn:uuid:22222222-2222-2222-2222-222222222222", "resource":
    {"subject": {"reference": "urn:uuid:11111111-1111-1111-1111-111111111111"}, "resourceType": "Observation", "status": "final",
     "valueQuantity": {"value": 1.2E+2}}},
  {"resource": {"resourceType": "Foo", "id": "e", "contained": [{"resourceType": "Coverage", "id": "coverage"}]}},
  {"resource": {"resourceType": "Bar", "id": "c"}},
  {"request": {"method": "DELETE", "url": "Patient/x"}}
]}"#;

#[test]
fn a_transaction_is_taken_with_its_references_resolved() {
    let folder = Folder::new();
    let summary = load(&folder, &[&folder.file("t.json", TRANSACTION)]);
    assert_eq!(summary.stored.get("Patient"), Some(&[1, 0, 0]));
    assert_eq!(summary.stored.get("Observation"), Some(&[1, 0, 0]));
    assert_eq!(
        summary.not_served.iter().map(|(resource_type, count)| format!("{resource_type} {count}")).collect::<Vec<_>>(),
        ["Bar 1", "Foo 1"]
    );
    assert_eq!(
        body(&folder, "Observation/22222222-2222-2222-2222-222222222222").as_deref(),
        Some(
            r#"{"subject":{"reference":"Patient/p"},"resourceType":"Observation","status":"final","valueQuantity":{"value":1.2E+2},"id":"22222222-2222-2222-2222-222222222222","meta":{"versionId":"fbe3b4d697efed4c","lastUpdated":"2001-01-01T00:00:00.000Z"}}"#
        )
    );
    assert_eq!(body(&folder, "Coverage/coverage"), None);
}

#[test]
fn every_form_of_file_is_read() {
    let folder = Folder::new();
    let patient = |id: &str| format!(r#"{{"resourceType":"Patient","id":"{id}"}}"#);
    let gz = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    folder.file("a.json", patient("a"));
    folder.file("b.ndjson", format!("{}\r\n\n{}", patient("b"), patient("c")));
    folder.file("c.json.gz", gz(&format!("\u{feff}{}", patient("d"))));
    folder.file("d.ndjson.gz", gz(&patient("e")));
    folder.file(
        "e.JSON",
        format!(r#"{{"resourceType":"Bundle","type":"searchset","entry":[{{"resource":{}}}]}}"#, patient("f")),
    );
    folder.file("notes.txt", "not data");
    std::fs::create_dir(folder.0.join("below")).unwrap();
    folder.file("below/f.ndjson", patient("g"));
    folder.file(".hidden.json", "oops");
    let summary = load(&folder, &[&folder.0]);
    assert_eq!((summary.stored.get("Patient"), summary.faults.len()), (Some(&[7, 0, 0]), 0), "{:?}", summary.faults);
    let named = loader(false).load(
        &[folder.0.join("notes.txt")],
        SqliteWriter::open(&folder.db()).unwrap(),
        None,
        &mut NoProgress,
    );
    assert!(named.unwrap_err().0.contains("only .json"));
}

#[test]
fn loading_twice_changes_nothing_and_what_changed_is_changed() {
    let folder = Folder::new();
    let file = folder.file("t.json", TRANSACTION);
    load(&folder, &[&file]);
    let before = rows(&database(&folder.db()).unwrap());
    let first = versions(&folder);
    let again = load(&folder, &[&file]);
    assert!(again.stored.values().all(|[new, changed, _]| new + changed == 0), "{:?}", again.stored);
    assert_eq!(rows(&database(&folder.db()).unwrap()), before);
    assert_eq!(versions(&folder), first);
    let other = folder.file("t.json", TRANSACTION.replace("final", "amended"));
    assert_eq!(load(&folder, &[&other]).stored.get("Observation"), Some(&[0, 1, 0]));
    let observation = stored(&folder, "Observation/22222222-2222-2222-2222-222222222222").unwrap();
    assert!(observation.body.contains("amended"));
    let statuses: Vec<_> = observation.facts.iter().filter(|(param, _)| param.name == "status").collect();
    assert!(format!("{statuses:?}").contains("\"amended\"") && statuses.len() == 1, "{statuses:?}");
    let second = versions(&folder);
    assert_ne!(second, first);
    load(&folder, &[&folder.file("t.json", TRANSACTION)]);
    assert_eq!(rows(&database(&folder.db()).unwrap()), before);
    let third = versions(&folder);
    assert!(third != first && third != second && third.iter().all(|version| (1..1 << 53).contains(version)));
}

#[test]
fn what_comes_without_last_updated_gets_the_time_of_the_load_that_changed_it() {
    let folder = Folder::new();
    let text = |name: &str| {
        format!(
            "{{\"resourceType\":\"Organization\",\"id\":\"plain\",\"name\":\"{name}\"}}\n\
             {{\"resourceType\":\"Organization\",\"id\":\"own\",\"meta\":{{\"versionId\":\"7\",\"lastUpdated\":\"2020-01-01T00:00:00Z\"}},\"name\":\"{name}\"}}\n"
        )
    };
    let load_at = |name: &str, now: i64| {
        let file = folder.file("o.ndjson", text(name));
        let loader = Loader { now, ..loader(true) };
        let summary = loader.load(&[file], SqliteWriter::open(&folder.db()).unwrap(), None, &mut NoProgress).unwrap();
        summary.stored["Organization"]
    };
    // Returns the text, and Last-Modified.
    let row = |id: &str| {
        let text = "SELECT body, modified FROM resource WHERE id = ?1";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        database(&folder.db()).unwrap().query_row(text, [id], read).unwrap()
    };
    let (first, later) = (1_700_000_000_000_000, 1_700_000_060_000_000);
    assert_eq!(load_at("One", first), [2, 0, 0]);
    let (body, modified): (String, String) = row("plain");
    assert!(body.contains("\"lastUpdated\":\"2023-11-14T22:13:20.000Z\""), "{body}");
    assert_eq!(modified, "Tue, 14 Nov 2023 22:13:20 GMT");
    let (own, modified): (String, String) = row("own");
    assert_eq!(own, text("One").lines().nth(1).unwrap());
    assert_eq!(modified, "Wed, 01 Jan 2020 00:00:00 GMT");
    // A repeated load changes nothing, at any time.
    let before = rows(&database(&folder.db()).unwrap());
    assert_eq!(load_at("One", later), [0, 0, 2]);
    assert_eq!(rows(&database(&folder.db()).unwrap()), before);
    assert_eq!(load_at("Two", later), [0, 2, 0]);
    let (body, modified): (String, String) = row("plain");
    assert!(body.contains("\"lastUpdated\":\"2023-11-14T22:14:20.000Z\""), "{body}");
    assert_eq!(modified, "Tue, 14 Nov 2023 22:14:20 GMT");
    let (_, modified): (String, String) = row("own");
    assert_eq!(modified, "Wed, 01 Jan 2020 00:00:00 GMT");
    assert_eq!(count(&folder, "SELECT count(DISTINCT sort) FROM fact WHERE sort LIKE '%plain'"), 1);
}

#[test]
fn what_changed_leaves_nothing_of_what_it_was() {
    let plan = |status: &str| {
        format!(
            r#"{{"resourceType":"CarePlan","id":"p","status":"{status}","intent":"plan","subject":{{"reference":"Patient/a"}},"category":[{{"text":"x"}}],"period":{{"start":"2019-01-01","end":"2023-01-01"}}}}"#
        )
    };
    let provenance = |recorded: &str| {
        format!(
            r#"{{"resourceType":"Provenance","id":"v","recorded":"{recorded}","target":[{{"reference":"Condition/ca"}},{{"reference":"Condition/cb"}}]}}"#
        )
    };
    let condition = |id: &str| {
        format!(
            r#"{{"resourceType":"Condition","id":"c{id}","subject":{{"reference":"Patient/{id}"}},"onsetPeriod":{{"start":"2019-01-01","end":"2019-01-20"}}}}"#
        )
    };
    let people = r#"{"resourceType":"Patient","id":"a"}
{"resourceType":"Patient","id":"b"}"#;
    let all = |status: &str, recorded: &str| {
        [people.to_owned(), condition("a"), condition("b"), plan(status), provenance(recorded)].join("\n")
    };
    let (changed, fresh) = (Folder::new(), Folder::new());
    let first = changed.file("first.ndjson", all("active", "2020-01-01T00:00:00Z"));
    let second = changed.file("second.ndjson", all("completed", "2021-01-01T00:00:00Z"));
    load(&changed, &[&first]);
    load(&changed, &[&second]);
    load(&fresh, &[&second]);
    assert_eq!(rows(&database(&changed.db()).unwrap()), rows(&database(&fresh.db()).unwrap()));
}

#[test]
fn the_last_of_two_with_one_id_counts() {
    let folder = Folder::new();
    let line = |gender: &str| format!("{{\"resourceType\":\"Patient\",\"id\":\"a\",\"gender\":\"{gender}\"}}\n");
    let summary = load(&folder, &[&folder.file("a.ndjson", line("male") + &line("female"))]);
    assert_eq!((summary.repeated, summary.stored.get("Patient")), (1, Some(&[1, 0, 0])));
    assert!(body(&folder, "Patient/a").unwrap().contains("female"));
    assert_eq!(count(&folder, "SELECT count(*) FROM fact WHERE value = 'male'"), 0);
}

#[test]
fn a_fault_says_file_line_and_reason_and_the_rest_is_taken() {
    let folder = Folder::new();
    let file = folder.file(
        "a.ndjson",
        "{\"resourceType\":\"Patient\",\"id\":\"a\"}\n{\"resourceType\":\"Patient\"\n{\"resourceType\":\"Patient\",\"id\":\"a b\"}\n{\"id\":\"x\"}\n\u{0}\n{\"resourceType\":\"Patient\",\"id\":\"b\"}\n",
    );
    let bundle = folder.file(
        "b.json",
        "{\"resourceType\":\"Bundle\",\"entry\":[\n\n{\"resource\":{\"resourceType\":\"Group\",\"id\":\"a b\"}}]}",
    );
    let latin = folder.file("c.ndjson", b"{\"resourceType\":\"Patient\",\"id\":\"\xe9\"}\n");
    let summary = load(&folder, &[&file, &bundle, &latin]);
    assert_eq!(summary.stored.get("Patient"), Some(&[2, 0, 0]));
    for (at, (place, reason)) in [
        ("a.ndjson:2", "not JSON"),
        ("a.ndjson:3", "an id that is none"),
        ("a.ndjson:4", "no resourceType"),
        ("a.ndjson:5", "not JSON"),
        ("b.json:3", "Group with an id that is none"),
        ("c.ndjson:1", "not UTF-8"),
    ]
    .into_iter()
    .enumerate()
    {
        let fault = &summary.faults[at];
        assert!(fault.contains(place) && fault.contains(reason), "{fault}");
    }
    let said = summary.to_string();
    assert!(said.contains("left out for an illegal id, so that references to them lead nowhere: Group 1, Patient 1\n"));
    assert!(said.ends_with("faults: 6"), "{said}");
}

#[test]
fn a_bad_entry_is_told_by_its_index_and_the_rest_of_its_bundle_is_loaded() {
    let folder = Folder::new();
    let bundle = folder.file(
        "b.json",
        r#"{"resourceType": "Bundle", "type": "collection", "entry": [
  {"resource": {"id": "x"}},
  null, 5, {"resource": null}, {"resource": 5}, {"resource": "Patient/a"}, {"resource": []},
  {"resource": {"resourceType": "Patient", "id": "a"}},
  {"resource": {"resourceType": "Patient", "id": "not an id"}},
  {"resource": {"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Patient", "id": "b"}}, 7]}}
]}"#,
    );
    let lines = folder.file("c.ndjson", "{\"resourceType\":\"Patient\",\"id\":\"c\"}\n[]\n5\n");
    let summary = load(&folder, &[&bundle, &lines]);
    assert_eq!(summary.stored.get("Patient"), Some(&[3, 0, 0]));
    for (fault, (place, reason)) in summary.faults.iter().zip([
        ("b.json:2: Bundle.entry[0]: ", "it has no resourceType"),
        ("b.json:3: Bundle.entry[1]: ", "it is not an object"),
        ("b.json:3: Bundle.entry[2]: ", "it is not an object"),
        ("b.json:3: Bundle.entry[3]: ", "it is null"),
        ("b.json:3: Bundle.entry[4]: ", "it is a number"),
        ("b.json:3: Bundle.entry[5]: ", "it is a string"),
        ("b.json:3: Bundle.entry[6]: ", "it is an array"),
        ("b.json:5: Bundle.entry[8]: ", "an id that is none"),
        ("b.json:6: Bundle.entry[9].resource.entry[1]: ", "it is not an object"),
        ("c.ndjson:2: ", "it is an array"),
        ("c.ndjson:3: ", "it is a number"),
    ]) {
        assert!(fault.contains(place) && fault.contains(reason), "{fault}");
    }
    assert_eq!(summary.faults.len(), 11);
}

#[test]
fn two_that_differ_under_one_id_are_told_with_the_one_that_counts() {
    let folder = Folder::new();
    let line = |gender: &str| format!("{{\"resourceType\":\"Patient\",\"id\":\"a\",\"gender\":\"{gender}\"}}\n");
    let first = folder.file("a.ndjson", line("male") + &line("female") + &line("male"));
    let second = folder.file("b.ndjson", line("female").replace(':', ": "));
    let summary = load(&folder, &[&first, &second]);
    assert_eq!((summary.repeated, summary.faults.len()), (3, 0));
    let [told] = summary.differing.as_slice() else { panic!("{:?}", summary.differing) };
    assert!(told.starts_with("Patient/a differs at ") && told.contains("a.ndjson:1: that of "), "{told}");
    assert!(told.ends_with("b.ndjson:1 counts") && summary.to_string().contains(told), "{told}");
    assert!(body(&folder, "Patient/a").unwrap().contains("female"));
}

#[test]
fn where_there_is_nothing_to_load_it_is_said() {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.join("empty")).unwrap();
    folder.file("empty/notes.txt", "not data");
    let writer = || SqliteWriter::open(&folder.db()).unwrap();
    let refused = loader(false).load(&[folder.0.join("empty")], writer(), None, &mut NoProgress).unwrap_err();
    assert!(refused.0.contains("empty: there is nothing to load in this folder"), "{refused}");
    let summary = load(&folder, &[&folder.file("foos.ndjson", "{\"resourceType\":\"Foo\",\"id\":\"c\"}\n")]);
    assert_eq!(summary.faults, ["nothing was loaded: there is no resource of a type that is served"]);
    assert_eq!(load(&folder, &[&folder.file("blank.ndjson", "\n\n")]).faults.len(), 1);
}

#[test]
fn a_load_with_faults_ends_with_a_status_of_its_own() {
    let folder = Folder::new();
    let good = folder.file("good.ndjson", "{\"resourceType\":\"Patient\",\"id\":\"a\"}\n");
    let bad = folder.file("bad.json", "[{\"resourceType\":\"Patient\",\"id\":\"b\"}]");
    let run = |paths: &[&Path], more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_edgechart"));
        let output = command.arg("load").args(paths).arg("--db").arg(folder.db()).args(more).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, out, _) = run(&[&good], &[]);
    assert!(status == Some(0) && out.contains("faults: 0"), "{out}");
    let (status, _, told) = run(&[&good, &bad], &["--strict"]);
    assert!(status == Some(1) && told.contains("bad.json:1: it is an array") && told.contains("nothing was stored"));
    let (status, out, told) = run(&[&good, &bad], &[]);
    assert!(status == Some(3) && out.contains("faults: 1") && told.contains("bad.json:1: it is an array"), "{told}");
    assert_eq!(count(&folder, "SELECT count(*) FROM resource"), 1);
}

#[test]
fn a_strict_load_stops_with_nothing_stored() {
    let folder = Folder::new();
    let file = folder.file("a.ndjson", "{\"resourceType\":\"Patient\",\"id\":\"a\"}\noops\n");
    let writer = SqliteWriter::open(&folder.db()).unwrap();
    let failure = loader(true).load(&[file], writer, None, &mut NoProgress).unwrap_err();
    assert!(failure.0.contains("a.ndjson:2") && failure.0.contains("nothing was stored"), "{failure}");
    assert_eq!(count(&folder, "SELECT count(*) FROM resource"), 0);
}

/// Bundles of a Patient and of an Observation, in this order. The columns are the end of `fullUrl`, the id (`-`: none),
/// the family name, the subject of the Observation, and the method, the URL and another member of the request. Then
/// come the Patient that is finally stored (`*`: with any id), the family name, and a fault of the last Bundle.
const REQUESTS: &str = r#"
x - New urn:uuid:x PUT Patient/b | b New |
x - New https://e/Patient/b PUT https://e/Patient/b/_history/3 | b New |
p - Old urn:uuid:p PUT Patient/p ; x - New urn:uuid:x put Patient/p | p New |
x other No urn:uuid:x PUT Patient/c | | Patient: its request is PUT Patient/c, and the id of its resource is other
x other No Patient/other PUT Patient/c | | Observation/o: it refers to Patient/other, an entry of its Bundle that is a fault
x - Old urn:uuid:x PUT Patient?identifier=s%7C1 ; y - New urn:uuid:y PUT Patient?identifier=s|1 | * New |
p - Old urn:uuid:p PUT Patient/p ; y - New urn:uuid:y PUT Patient?identifier=s|1 | p New |
p - Old urn:uuid:p PUT Patient/p ; z z No Patient/z PUT Patient?identifier=s|1 | p Old | Patient/z: Patient/p has the identifier
z z New Patient/z PUT Patient?identifier=s|1 | z New |
x - Old urn:uuid:x POST Patient ifNoneExist=identifier=s|1 ; y - No urn:uuid:y POST Patient ifNoneExist=identifier=s|1 | * Old |
p - Old urn:uuid:p PUT Patient/p ; y - No urn:uuid:y POST Patient ifNoneExist=identifier=s|1 | p Old |
x - No urn:uuid:x PUT Patient?family=No | | a condition that is not met here
p - Old urn:uuid:p PUT Patient/p ; x - No urn:uuid:x PUT Patient/p ifMatch=W/"7" | p Old | Patient/p: its request has ifMatch
p - Old urn:uuid:p PUT Patient/p ; x - No urn:uuid:x GET Patient/p | p Old | GET Patient/p, which stores nothing
"#;

#[test]
fn a_request_says_which_record_is_meant_and_nobody_gets_two_charts() {
    let bundle = |written: &str| {
        let mut words = written.split_whitespace();
        let [url, id, family, subject, method, address] = std::array::from_fn(|_| words.next().unwrap());
        let mut request = json!({"method": method, "url": address});
        if let Some((name, value)) = words.next().and_then(|member| member.split_once('=')) {
            request[name] = value.into();
        }
        let mut patient = json!({"resourceType": "Patient", "identifier": [{"system": "s", "value": "1"}],
            "name": [{"family": family}]});
        if id != "-" {
            patient["id"] = id.into();
        }
        let observation = json!({"resourceType": "Observation", "status": "final", "subject": {"reference": subject}});
        json!({"resourceType": "Bundle", "type": "transaction", "entry": [
            {"fullUrl": format!("urn:uuid:{url}"), "request": request, "resource": patient},
            {"request": {"method": "PUT", "url": "Observation/o"}, "resource": observation},
        ]})
    };
    for row in REQUESTS.trim().lines() {
        let [bundles, patient, fault] = row.split(" |").map(str::trim).collect::<Vec<_>>().try_into().unwrap();
        let folder = Folder::new();
        let (mut faults, mut last) = (String::new(), PathBuf::new());
        for written in bundles.split(';') {
            last = folder.file("bundle.json", bundle(written).to_string());
            faults = load(&folder, &[&last]).faults.join("\n");
        }
        assert!(if fault.is_empty() { faults.is_empty() } else { faults.contains(fault) }, "{row}: {faults}");
        let patients = i64::from(!patient.is_empty());
        assert_eq!(count(&folder, "SELECT count(*) FROM resource"), patients, "{row}");
        // The records of the patient are in the patient's own chart.
        let observation = stored(&folder, "Observation/o");
        let owner = observation.and_then(|row| row.owner.sole().map(ToString::to_string));
        let expected = patient
            .split_once(' ')
            .map(|(id, family)| (if id == "*" { owner.clone().unwrap() } else { id.to_owned() }, family));
        assert_eq!(owner.as_deref(), expected.as_ref().map(|(id, _)| id.as_str()), "{row}");
        if let Some((id, family)) = expected {
            assert!(body(&folder, &format!("Patient/{id}")).unwrap().contains(family), "{row}");
        }
        // A repeated load changes nothing.
        let before = rows(&database(&folder.db()).unwrap());
        load(&folder, &[&last]);
        assert_eq!(rows(&database(&folder.db()).unwrap()), before, "{row}");
    }
}

#[test]
fn a_record_that_had_an_identifier_is_not_overwritten_by_the_record_that_has_it_now() {
    let folder = Folder::new();
    let patient = |value: &str, family: &str| json!({"resourceType": "Patient", "identifier": [{"system": "s", "value": value}], "name": [{"family": family}]});
    let conditional = |family: &str| {
        let request = json!({"method": "PUT", "url": "Patient?identifier=s|1"});
        json!({"resourceType": "Bundle", "type": "batch", "entry": [
            {"fullUrl": "urn:uuid:x", "request": request, "resource": patient("1", family)}]})
    };
    load(&folder, &[&folder.file("a.json", conditional("Alice").to_string())]);
    let database = database(&folder.db()).unwrap();
    let id: String = database.query_row("SELECT id FROM resource", [], |row| row.get(0)).unwrap();
    let mut corrected = patient("2", "Alice");
    corrected["id"] = id.clone().into();
    load(&folder, &[&folder.file("b.ndjson", corrected.to_string())]);
    let faults = load(&folder, &[&folder.file("c.json", conditional("Bob").to_string())]).faults.join("\n");
    assert!(faults.contains("has another one now"), "{faults}");
    assert!(body(&folder, &format!("Patient/{id}")).unwrap().contains("Alice"));
}

#[test]
fn what_is_too_large_for_a_row_is_refused_with_a_clear_word() {
    let folder = Folder::new();
    let large =
        |size: usize| format!("{{\"resourceType\":\"Binary\",\"id\":\"b{size}\",\"data\":\"{}\"}}\n", "A".repeat(size));
    let summary = load(&folder, &[&folder.file("a.ndjson", large(1_900_000) + &large(2_000_000))]);
    assert_eq!(summary.stored.get("Binary"), Some(&[1, 0, 0]));
    let why = "a.ndjson:2: Binary/b2000000: it has 2000051 bytes without its documents, 2000000 of them in a value of \
        \"data\" that is not base64, or for which there is no bucket of documents; there may be 1998000";
    assert_eq!(summary.faults, [format!("{}/{why}", folder.0.display())]);
}

#[test]
fn references_are_resolved_against_what_is_stored_before_and_after() {
    let folder = Folder::new();
    let doctor = r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"Old"}]}"#;
    let role =
        r#"{"resourceType":"PractitionerRole","id":"ID","practitioner":{"reference":"Practitioner?identifier=npi|7"}}"#;
    let early = load(&folder, &[&folder.file("early.json", role.replace("ID", "early"))]);
    assert_eq!(early.unresolved, 1);
    load(&folder, &[&folder.file("doctor.json", doctor)]);
    load(&folder, &[&folder.file("late.json", role.replace("ID", "late"))]);
    assert!(body(&folder, "PractitionerRole/late").unwrap().contains("Practitioner/d"));
    assert!(body(&folder, "PractitionerRole/early").unwrap().contains("\"reference\":\"Practitioner/d\""));
    assert_eq!(count(&folder, "SELECT count(*) FROM dependent WHERE target LIKE '%identifier%'"), 0);
    // A chain reflects changes of its target.
    let named = |name: &str| {
        count(&folder, &format!("SELECT count(*) FROM fact WHERE value = '~{name}' AND sort LIKE '%late'"))
    };
    assert_eq!((named("old"), named("new")), (1, 0));
    load(&folder, &[&folder.file("doctor.json", doctor.replace("Old", "New"))]);
    assert_eq!((named("old"), named("new")), (0, 1));
    // An identifier that a second resource also has identifies neither.
    load(&folder, &[&folder.file("other.json", doctor.replace("\"d\"", "\"e\""))]);
    let unclear = load(&folder, &[&folder.file("unclear.json", role.replace("ID", "unclear"))]);
    assert_eq!(unclear.ambiguous.len(), 1);
    assert!(body(&folder, "PractitionerRole/unclear").unwrap().contains("?identifier="));
}

#[test]
fn provenance_follows_a_resource_to_another_patient() {
    let folder = Folder::new();
    let observation = |patient: &str| {
        format!(r#"{{"resourceType":"Observation","id":"o","subject":{{"reference":"Patient/{patient}"}}}}"#)
    };
    load(&folder, &[&folder.file("o.json", observation("a"))]);
    load(
        &folder,
        &[&folder.file("v.json", r#"{"resourceType":"Provenance","id":"v","target":[{"reference":"Observation/o"}]}"#)],
    );
    let owner = || stored(&folder, "Provenance/v").unwrap().owner.sole().map(ToString::to_string);
    assert_eq!(owner().as_deref(), Some("a"));
    load(&folder, &[&folder.file("o.json", observation("b"))]);
    assert_eq!(owner().as_deref(), Some("b"));
    let charts = |patient: &str| {
        let of = "SELECT count(*) FROM compartment p JOIN chart c ON c.k >> 27 = p.n WHERE p.id =";
        count(&folder, &format!("{of} '{patient}'"))
    };
    assert_eq!((charts("a"), charts("b")), (0, 2));
}

fn corrections(folder: &Folder) -> Option<i64> {
    database(&folder.db()).unwrap().query_row("SELECT number FROM correction", [], |row| row.get(0)).optional().unwrap()
}

#[test]
fn only_a_load_that_changes_what_was_stored_raises_the_number_of_corrections() {
    let folder = Folder::new();
    load(&folder, &[&PathBuf::from("sample")]);
    load(&folder, &[&folder.file("t.json", TRANSACTION)]);
    load(&folder, &[&folder.file("t.json", TRANSACTION)]);
    assert_eq!(corrections(&folder), None, "additions, and the same again");
    load(&folder, &[&folder.file("t.json", TRANSACTION.replace("final", "amended"))]);
    let first = corrections(&folder).unwrap();
    assert!(first > 1_700_000_000, "{first} is below the time");
    load(&folder, &[&folder.file("t.json", TRANSACTION)]);
    assert!(corrections(&folder).unwrap() > first);
}

#[test]
fn a_store_of_another_format_is_refused() {
    let folder = Folder::new();
    load(&folder, &[&folder.file("t.json", TRANSACTION)]);
    database(&folder.db()).unwrap().execute("UPDATE format SET number = '0-old'", []).unwrap();
    let refused = SqliteWriter::open(&folder.db()).err().unwrap();
    assert!(refused.0.contains("0-old") && refused.0.contains("load again"), "{refused}");
}
