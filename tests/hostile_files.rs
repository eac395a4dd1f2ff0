//! Broken or hostile files, at each entry point for records: no record gets into another person's chart, and a fault of
//! one resource or one patient does not affect others.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::job_server::Server;
use crate::support::random::Random;
use crate::support::{BASE, CLOCK, now};
use auth_store::Holder;
use fhir::Id;
use ingest::FileReport;
use ingest::job::Progress;
use job::{JobAnswer, JobError, Replay};
use native::{self, DiscardTarget, Loader, NoProgress, Switch};
use serde_json::{Value, json};

const SECOND: i64 = 1_000_000;

fn ndjson(documents: &[Value]) -> String {
    documents.iter().map(|document| format!("{document}\n")).collect()
}

fn bundle(entries: &[Value]) -> Value {
    json!({"resourceType": "Bundle", "type": "collection", "entry": entries})
}

fn entry(full_url: &str, resource: &Value) -> Value {
    json!({"fullUrl": full_url, "resource": resource})
}

fn patient(id: &str, mrn: Option<&str>) -> Value {
    let identifiers: Vec<_> = mrn.iter().map(|mrn| json!({"system": "mrn", "value": mrn})).collect();
    json!({"resourceType": "Patient", "id": id, "identifier": identifiers})
}

fn condition(id: &str, subject: impl Into<Value>) -> Value {
    let subject = subject.into();
    json!({"resourceType": "Condition", "id": id, "code": {"text": id}, "subject": subject})
}

fn of(reference: &str) -> Value {
    json!({"reference": reference})
}

fn by_mrn(mrn: &str) -> Value {
    json!({"type": "Patient", "identifier": {"system": "mrn", "value": mrn}})
}

/// Returns a resource with the time of its last update.
fn dated(mut resource: Value, updated: &str) -> Value {
    resource["meta"] = json!({"lastUpdated": updated});
    resource
}

impl Server {
    /// Returns the owner of each Condition, by its id. It is empty for nobody, whose compartment begins with `_`.
    fn owners(&self) -> BTreeMap<String, String> {
        let mut owners = BTreeMap::new();
        for text in self.dump() {
            let resource: Value = serde_json::from_str(&text).unwrap();
            if resource["resourceType"] == "Condition" {
                owners.insert(resource["id"].as_str().unwrap().to_owned(), String::new());
            }
        }
        for (chart, resources) in crate::support::charts(&self.open(), "main") {
            let Some((owner, "Condition")) = chart.split_once('/') else { continue };
            for id in resources.split("id: Id(\"").skip(1) {
                let id = id.split('"').next().unwrap();
                if owners.get(id).is_some_and(String::is_empty) && !owner.starts_with('_') {
                    owners.insert(id.to_owned(), owner.to_owned());
                }
            }
        }
        owners
    }

    fn owner(&self, condition: &str) -> String {
        self.owners().remove(condition).unwrap_or_else(|| panic!("{condition} is not stored"))
    }
}

/// Returns the faults of a report, each without its location.
fn faults(report: &FileReport) -> Vec<&str> {
    report.faults.iter().map(|fault| fault.why.as_str()).collect()
}

#[test]
fn wr07_a_name_in_a_bundle_leads_nowhere_else() {
    let server = Server::new();
    server.load("one", &ndjson(&[bundle(&[entry("urn:uuid:x", &patient("alder", None))])]));
    let broken = json!({"resourceType": "Patient", "id": "not legal"});
    let files = [
        bundle(&[entry("urn:uuid:x", &broken), entry("urn:uuid:c", &condition("c", of("urn:uuid:x")))]),
        bundle(&[entry("urn:uuid:d", &condition("d", of("urn:uuid:x")))]),
        condition("e", of("urn:uuid:x")),
    ];
    for (number, file) in files.iter().enumerate() {
        let status = server.load(&number.to_string(), &ndjson(std::slice::from_ref(file)));
        assert_eq!(status.report.nobodys, [("Condition".to_owned(), 1)].into());
        assert_eq!(status.report.illegal_ids.get("Patient"), [&1].get(number).copied());
        let why = faults(&status.report);
        if number == 2 {
            // A line of NDJSON is not in a Bundle.
            assert!(why.is_empty());
            continue;
        }
        assert!(
            why.iter().any(|why| why.ends_with("belongs to nobody: no entry of its Bundle is urn:uuid:x")),
            "{why:?}"
        );
    }
    assert!(server.owners().values().all(String::is_empty), "{:?}", server.owners());
    // Two Bundles in one file use the same name for two people.
    let of_person = |id: &str| {
        bundle(&[
            entry("urn:uuid:x", &patient(id, None)),
            entry("urn:uuid:c", &condition(&format!("of-{id}"), of("urn:uuid:x"))),
        ])
    };
    let two = ndjson(&[of_person("birch"), of_person("cedar")]);
    assert_eq!(server.load("two", &two).report.faults, []);
    assert_eq!([server.owner("of-birch"), server.owner("of-cedar")], ["birch", "cedar"]);
    // A divided file has the same result.
    let divided = Server::new();
    let status = divided.load("long", &format!("{two}{}", format!("{}\n", " ".repeat(1_000)).repeat(9_000)));
    assert_eq!(status.report.faults, []);
    assert_eq!(divided.owners(), [("of-birch".into(), "birch".into()), ("of-cedar".into(), "cedar".into())].into());
}

#[test]
fn wr07_an_identifier_that_moves_takes_with_it_what_it_has_led_to() {
    let files = [
        vec![condition("c", by_mrn("123")), condition("d", of("Patient?identifier=mrn|123"))],
        vec![dated(patient("wrong", Some("123")), "2026-01-01T00:00:00Z")],
        vec![dated(patient("wrong", Some("999")), "2026-01-02T00:00:00Z")],
        vec![dated(patient("right", Some("123")), "2026-01-03T00:00:00Z")],
        vec![condition(
            "literal",
            json!({"reference": "Patient/wrong", "identifier": {"system": "mrn", "value": "123"}}),
        )],
    ];
    let expected = [("c", "right"), ("d", "right"), ("literal", "wrong")];
    let expected = expected.map(|(id, owner)| (id.to_owned(), owner.to_owned())).into();
    let orders = [
        [0, 1, 2, 3, 4],
        [1, 0, 2, 3, 4],
        [4, 1, 0, 3, 2],
        [3, 1, 0, 4, 2],
        [2, 1, 0, 3, 4],
        [4, 3, 2, 1, 0],
        [1, 3, 0, 2, 4],
    ];
    for order in orders {
        let server = Server::new();
        for at in order {
            server.load(&at.to_string(), &ndjson(&files[at]));
        }
        assert_eq!(server.owners(), expected, "{order:?}");
        let server = Server::new();
        server.load("all", &ndjson(&order.map(|at| files[at].clone()).concat()));
        assert_eq!(server.owners(), expected, "{order:?} as one file");
    }
    let server = Server::new();
    server.load("all", &ndjson(&files.concat()));
    // The patient is deleted, and loaded again under another id.
    let delete = json!({"resourceType": "Bundle", "timestamp": "2026-02-01T00:00:00Z", "entry": [{"request": {"method": "DELETE", "url": "Patient/right"}}]});
    server.load("delete", &ndjson(&[delete]));
    assert_eq!(server.owner("c"), "");
    server.load("other", &ndjson(&[patient("other", Some("123"))]));
    assert_eq!([server.owner("c"), server.owner("d"), server.owner("literal")], ["other", "other", "wrong"]);
}

#[test]
fn an_absolute_reference_leads_to_the_source_that_is_named_or_that_the_file_shows() {
    let absolute = |id: &str| condition("c", of(&format!("https://ehr.example/fhir/Patient/{id}")));
    let shown = |lines: &[Value]| {
        let server = Server::new();
        server.load("x", &ndjson(lines));
        let owner = server.owner("c");
        server.load("again", &ndjson(lines));
        assert_eq!(server.owner("c"), owner, "the same file again");
        owner
    };
    assert_eq!(shown(&[patient("p", None), absolute("p")]), "p");
    assert_eq!(shown(&[absolute("p"), patient("p", None)]), "p");
    assert_eq!(shown(&[patient("q", None), absolute("p")]), "", "its patient is not in the file");
    assert_eq!(shown(&[condition("c", of(&format!("{BASE}/Patient/late")))]), "late", "it is below the own base");
    let other = condition("d", of("https://other.example/fhir/Patient/p"));
    assert_eq!(shown(&[patient("p", None), absolute("p"), other]), "", "there are two servers");
    let relative = condition("d", of("Patient/p"));
    assert_eq!(shown(&[patient("p", None), absolute("p"), relative]), "", "the absolute one leads elsewhere");

    let stored = Server::new();
    stored.load("one", &ndjson(&[patient("p", None)]));
    stored.load("two", &ndjson(&[absolute("p")]));
    assert_eq!(stored.owner("c"), "", "a stored patient of the same id may be another person");
    let upload = async |key: &str| {
        let text = ndjson(&[absolute("p")]);
        stored.bucket.borrow_mut().insert(key.to_owned(), (text.clone().into_bytes(), CLOCK));
        Ok::<_, JobError>(text.len() as u64)
    };
    let source = Some("https://ehr.example/fhir");
    assert!(matches!(
        now(stored.jobs().accept("ehr", None, "three".into(), false, source, upload)),
        Ok(JobAnswer::Job(_))
    ));
    stored.settle();
    assert_eq!(stored.owner("c"), "p");

    // The file has many patients, so that it is divided.
    let pair = |number: usize| {
        let mut condition = absolute(&format!("p{number}"));
        condition["id"] = json!(format!("c{number}"));
        [condition, patient(&format!("p{number}"), None)]
    };
    let server = Server::new();
    for again in [false, true] {
        let status = server.load(&format!("many {again}"), &ndjson(&(0..400).flat_map(pair).collect::<Vec<_>>()));
        assert!(status.parts > Some(1), "{status:?}");
        let owners = server.owners();
        assert!(owners.iter().all(|(id, owner)| id.replace('c', "p") == *owner) && owners.len() == 400);
    }
}

#[test]
fn a_patient_that_comes_again_unchanged_is_found_by_what_comes_with_it_and_by_what_waits() {
    let absolute = |id: &str| {
        let mut condition = condition(id, of("https://ehr.example/fhir/Patient/p"));
        condition["code"] = json!({"text": id});
        condition
    };
    // The load adds records of a patient who is already stored.
    let server = Server::new();
    server.load("one", &ndjson(&[patient("p", None), absolute("c")]));
    server.load("two", &ndjson(&[patient("p", None), absolute("d")]));
    assert_eq!([server.owner("c"), server.owner("d")], ["p", "p"]);
    // A record is loaded before its patient, from a source that only a later file reveals.
    let server = Server::new();
    server.load("one", &ndjson(&[absolute("c")]));
    server.load("two", &ndjson(&[patient("p", None)]));
    assert_eq!(server.owner("c"), "");
    server.load("three", &ndjson(&[patient("p", None), absolute("d")]));
    assert_eq!([server.owner("c"), server.owner("d")], ["p", "p"]);
}

#[test]
fn wr08_a_time_in_the_future_pins_nothing() {
    let server = Server::new();
    let named = |name: &str, updated: Value| json!({"resourceType": "Patient", "id": "a", "name": [{"family": name}], "meta": {"lastUpdated": updated}});
    let family = || {
        server.dump().iter().find_map(|text| Some(text.split_once("\"family\":\"")?.1.split('"').next()?.to_owned()))
    };
    for (number, wrong) in [json!("9998-12-31T23:59:59Z"), json!("yesterday"), json!(7)].into_iter().enumerate() {
        let status = server.load(&format!("wrong{number}"), &ndjson(&[named("Wrong", wrong)]));
        assert_eq!((status.status, faults(&status.report).len()), ("completed-with-faults", 1));
        assert_eq!(family().as_deref(), Some("Wrong"));
        server.clock.set(server.clock.get() + SECOND);
        let right = named("Right", json!(fhir::instant(server.clock.get())));
        assert_eq!(server.load(&format!("right{number}"), &ndjson(&[right])).report.changed, 1);
        assert_eq!(family().as_deref(), Some("Right"));
        server.clock.set(server.clock.get() + SECOND);
    }
    // Older versions are reported.
    let older = server.load("older", &ndjson(&[named("Older", json!("2020-01-01T00:00:00Z"))])).report;
    assert_eq!((older.older, &older.older_resources[..]), (1, &["Patient/a".to_owned()][..]));
    // A deletion in the future is refused.
    let delete = |time: &str| json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": "Patient/b"}, "response": {"lastModified": time}}]});
    for (number, time) in ["9999-12-31T23:59:59.999Z", "tomorrow"].iter().enumerate() {
        let status = server.load(&format!("delete{number}"), &ndjson(&[delete(time)]));
        assert_eq!(faults(&status.report).len(), 1);
        server.clock.set(server.clock.get() + SECOND);
        assert_eq!(server.load(&format!("again{number}"), &ndjson(&[patient("b", None)])).report.new, 1);
        server.clock.set(server.clock.get() + SECOND);
    }
}

#[test]
fn wr09_a_value_that_no_index_takes_is_a_fault_of_its_resource() {
    let server = Server::new();
    let poison = |number: usize| {
        json!({"resourceType": "Observation", "id": format!("poison{number}"), "status": "final", "subject": {"reference": "Patient/v"},
            "code": {"coding": [{"code": "x".repeat(1_990_000)}]}})
    };
    let real = json!({"resourceType": "Observation", "id": "real", "status": "final", "code": {"text": "x"}, "subject": {"reference": "Patient/v"}});
    let lines = [&(0..36).map(poison).collect::<Vec<_>>()[..], &[real, patient("bystander", None)]].concat();
    let status = server.load("poison", &ndjson(&lines));
    assert_eq!((status.report.new, status.report.faults.len()), (2, 36));
    assert!(status.report.faults[0].why.starts_with("Observation/poison0: a value of \"code\" is longer than"));
}

#[test]
fn wr09_a_chart_that_cannot_be_read_harms_nobody_else() {
    let server = Server::new();
    server.load(
        "before",
        &ndjson(&[patient("v", None), condition("c", of("Patient/v")), condition("other", of("Patient/w"))]),
    );
    let damaged = server
        .open()
        .execute("UPDATE chart SET data = zeroblob(20) WHERE k >> 27 = (SELECT n FROM compartment WHERE id = 'v')", []);
    assert!(damaged.unwrap() > 0);
    let delete = json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": "Condition/c"}}]});
    let lines = [condition("d", of("Patient/v")), delete, patient("bystander", None), condition("e", of("Patient/w"))];
    let report = server.load("after", &ndjson(&lines)).report;
    assert_eq!((report.new, report.deleted), (2, 0));
    let told: BTreeSet<_> = faults(&report).iter().map(|why| why.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(told, ["Condition/c".to_owned(), "Condition/d".to_owned()].into());

    let discard = |patient: &str| DiscardTarget::Patient(Id::parse(patient).unwrap()).run(&mut server.open());
    assert!(discard("v").unwrap() >= 2, "a head and a page at least");
    assert!(discard("unknown").is_err());
    let report =
        server.load("again", &ndjson(&[condition("c", of("Patient/v")), condition("d", of("Patient/v"))])).report;
    assert_eq!((report.new, report.faults.len()), (2, 0), "the charts are written anew");
}

#[test]
fn wr10_a_client_that_is_stopped_has_nothing_loaded_any_more() {
    let server = Server::new();
    let register = |id: &str| {
        let registration = format!(r#"{{"client_id":"{id}","kind":"ingest","scopes":"system/*.write"}}"#);
        server.open_state().execute("INSERT INTO clients VALUES (?1, ?2)", [id, &registration]).unwrap();
    };
    register("ehr");
    let accepted = |id: &str| server.send(id, ndjson(&[patient(id, None)]).as_bytes(), None, false);
    for id in ["first", "second", "third"] {
        accepted(id).unwrap();
    }
    let mut messages = std::mem::take(&mut *server.queue.borrow_mut()).into_iter();
    server.receive(&messages.next().unwrap()).unwrap();
    let stop = |enable| {
        let switch = Switch { holder: Holder::Client, name: "ehr".to_owned(), enable };
        switch.run(&mut server.open_state()).unwrap()
    };
    assert_eq!(stop(false), "the client \"ehr\" is disabled");
    assert_eq!(accepted("late"), Ok(JobAnswer::Stopped));
    messages.for_each(|message| assert_eq!(server.receive(&message), Ok(Progress::None)));
    assert_eq!(server.dump().len(), 1, "what was loaded before stays");
    for id in ["second", "third"] {
        let status = server.status(id);
        assert_eq!(
            (status.status, faults(&status.report)),
            ("completed-with-faults", vec!["it is not loaded: the client is disabled"])
        );
    }
    // A replay after a restore leaves out the jobs of the stopped client, as it does those of named clients.
    server.clock.set(server.clock.get() + 400 * SECOND);
    let replay = |except: &[&str]| {
        let except = except.iter().map(|client| (*client).to_owned()).collect();
        native::done_again(&mut server.open_state(), &Replay { since: CLOCK - SECOND, except }).unwrap()
    };
    assert_eq!(replay(&[]), [("ehr".to_owned(), 3)]);
    assert_eq!(now(server.jobs().resume()), Ok(0));
    stop(true);
    assert_eq!(replay(&["ehr"]), [("ehr".to_owned(), 3)]);
    assert_eq!(now(server.jobs().resume()), Ok(0));
    assert_eq!(replay(&[]), []);
    // The jobs of a client run one after the other: each begins the next.
    assert_eq!(now(server.jobs().resume()), Ok(1));
    server.settle();
    assert_eq!(server.dump().len(), 3);
}

#[test]
fn a_client_of_another_authorization_server_is_stopped_too() {
    let server = Server::new();
    server.send("one", b"{}", None, false).unwrap();
    let switch = |name: &str| Switch { holder: Holder::Client, name: name.to_owned(), enable: false };
    assert_eq!(switch("ehr").run(&mut server.open_state()).unwrap(), "the client \"ehr\" is disabled");
    assert!(switch("nobody").run(&mut server.open_state()).is_err());
    // Another client has sent nothing yet. Its name shows that it is a client of another server.
    let silent = "https://idp.example|evil";
    let said = format!("the client {silent:?} is stopped; it has sent nothing so far");
    assert_eq!(switch(silent).run(&mut server.open_state()).unwrap(), said);
    assert_eq!(server.send_as(silent, "three", b"{}", None, false), Ok(JobAnswer::Stopped));
    assert_eq!(server.send("two", b"{}", None, false), Ok(JobAnswer::Stopped));
    server.settle();
    assert_eq!(server.status("one").report.faults[0].why, "it is not loaded: the client is disabled");
}

#[test]
fn objects_of_a_job_are_deleted_with_it_and_files_of_others_stay() {
    let server = Server::new();
    server.load("sent", &ndjson(&[patient("a", None)]));
    server.drop_file("theirs.ndjson", ndjson(&[patient("b", None)]).as_bytes());
    server.settle();
    let keys = || server.bucket.borrow().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(), ["jobs/sent", "reports/jobs/sent.json", "reports/theirs.ndjson.json", "theirs.ndjson"]);
    server.clock.set(server.clock.get() + 36 * 24 * 3_600 * SECOND);
    now(server.jobs().resume()).unwrap();
    assert_eq!(keys(), ["theirs.ndjson"]);
    assert_eq!(now(server.jobs().status("ehr", "sent")), Ok(None));
}

#[test]
fn a_file_of_the_bucket_counts_each_time_that_it_is_written() {
    let server = Server::new();
    let named = |name: &str| json!({"resourceType": "Patient", "id": "a", "name": [{"family": name}]});
    for name in ["A", "B", "A"] {
        server.clock.set(server.clock.get() + SECOND);
        server.drop_file("changes.ndjson", ndjson(&[named(name)]).as_bytes());
        server.settle();
        let family = format!("\"family\":\"{name}\"");
        assert!(server.dump().iter().all(|text| text.contains(&family)), "{name}");
    }
    // A repeated notification does not begin another job.
    server.clock.set(server.clock.get() + SECOND);
    let message = job::Message::Notification { object: job::NotifiedObject { key: "changes.ndjson".to_owned() } };
    assert_eq!(server.receive(&message), Ok(Progress::None));
}

#[test]
fn of_the_versions_in_a_file_the_newest_counts_whatever_their_order() {
    let version = |name: &str, day: usize| {
        let resource = json!({"resourceType": "Patient", "id": "a", "name": [{"family": name}]});
        entry("urn:uuid:a", &dated(resource, &format!("2026-01-0{day}T00:00:00Z")))
    };
    let deleted = json!({"request": {"method": "DELETE", "url": "Condition/c"}, "response": {"lastModified": "2026-01-05T00:00:00Z"}});
    let current = entry("urn:uuid:c", &dated(condition("c", of("Patient/a")), "2026-01-04T00:00:00Z"));
    let history = bundle(&[version("Three", 3), version("Two", 2), version("One", 1), deleted, current]);
    let [db, file] = [crate::support::tempfile(), crate::support::tempfile().with_extension("json")];
    std::fs::write(&file, history.to_string()).unwrap();
    let loader = Loader { strict: false, ..crate::support::loader() };
    let summary = loader
        .load(std::slice::from_ref(&file), native::SqliteWriter::open(&db).unwrap(), None, &mut NoProgress)
        .unwrap();
    let dumped = crate::support::job_server::dump(&native::database(&db).unwrap());
    assert!(dumped.len() == 1 && dumped.first().unwrap().contains("Three"), "{dumped:?}");
    assert_eq!((summary.repeated, summary.differing.len(), summary.faults.len()), (3, 0, 0));
    [db, file].iter().for_each(|path| std::fs::remove_file(path).unwrap());
}

/// A simple model: the owner of each record.
#[derive(Default)]
struct Model {
    /// The newest version of each patient, with its time: its number, or `None` if it was deleted.
    patients: BTreeMap<String, (i64, Option<String>)>,
    /// The newest version of each Condition: the patient whom it names, or `None` if it was deleted.
    conditions: BTreeMap<String, (i64, Option<Subject>)>,
}

/// The patient whom a Condition names.
#[derive(Clone, PartialEq)]
enum Subject {
    Literal(String),
    Number(String),
    Nobody,
}

/// Replaces a version, unless the known one is newer.
fn replace<T>(known: &mut BTreeMap<String, (i64, T)>, id: String, time: i64, form: T) {
    if known.get(&id).is_none_or(|(newest, _)| time >= *newest) {
        known.insert(id, (time, form));
    }
}

impl Model {
    fn owners(&self) -> BTreeMap<String, String> {
        let owner = |subject: &Subject| match subject {
            Subject::Literal(id) => id.clone(),
            Subject::Nobody => String::new(),
            Subject::Number(number) => {
                let has = |(_, form): &(i64, Option<String>)| form.as_ref() == Some(number);
                let mut found = self.patients.iter().filter(|(_, form)| has(form)).map(|(id, _)| id);
                match (found.next(), found.next()) {
                    (Some(only), None) => only.clone(),
                    _ => String::new(),
                }
            }
        };
        let stored = self.conditions.iter().filter_map(|(id, (_, form))| Some((id.clone(), form.as_ref()?)));
        stored.map(|(id, subject)| (id, owner(subject))).collect()
    }
}

/// Sends files as an adversary would: names across Bundles, identifiers that move, times out of order and in the
/// future, and database faults in between. `STEPS=100000 cargo test … hostile_files::` is the long run.
#[test]
fn no_record_is_in_a_chart_where_a_plain_model_does_not_have_it() {
    let steps: usize = std::env::var("STEPS").ok().and_then(|steps| steps.parse().ok()).unwrap_or(600);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut server, mut model) = (Server::new(), Model::default());
    // The files since the last comparison.
    let mut trail = String::new();
    for step in 0..steps {
        if step % 2_000 == 1_999 {
            (server, model) = (Server::new(), Model::default());
        }
        server.clock.set(server.clock.get() + 10 * SECOND);
        let clock = server.clock.get();
        let mut documents = Vec::new();
        for _ in 0..=random.below(3) {
            documents.push(act(&mut random, &mut model, clock));
        }
        if random.one_in(4) {
            server.until_fault.set(Some(random.below(12)));
            server.fault_is_late.set(random.one_in(2));
        }
        let text = ndjson(&documents);
        let id = format!("s{step}");
        trail.push_str(&format!("{id}, fault after {:?} calls:\n{text}", server.until_fault.get()));
        if server.send(&id, text.as_bytes(), Some(&id), false).is_err() {
            server.send(&id, text.as_bytes(), Some(&id), false).unwrap();
        }
        server.settle();
        server.until_fault.set(None);
        if now(server.jobs().status("ehr", &id)).unwrap().is_none_or(|status| status.ended.is_none()) {
            server.clock.set(server.clock.get() + 301 * SECOND);
            now(server.jobs().resume()).unwrap();
            server.settle();
        }
        if step % 10 == 9 {
            assert_eq!(server.owners(), model.owners(), "{trail}");
            trail.clear();
        }
    }
}

/// Returns a random document, and applies its effect to the model.
fn act(random: &mut Random, model: &mut Model, clock: i64) -> Value {
    // Times are recent, or in the future, for which the job's time counts. Each version has a unique second.
    let stated = clock - 1_000 * SECOND + random.below(1_000_000_000) as i64;
    let is_future = random.one_in(12);
    let time = if is_future { clock } else { stated };
    let text = if is_future { "9998-12-31T00:00:00Z".to_owned() } else { fhir::instant(stated) };
    let time = if is_future { time } else { time / 1_000 * 1_000 };
    // A version without a time is new only if its contents are new.
    let unique = format!("x-{}", random.below(1 << 40));
    let dated = |mut resource: Value, text: &str| {
        resource["language"] = json!(unique);
        dated(resource, text)
    };
    let patient_id = format!("p{}", random.below(6));
    let number = format!("n{}", random.below(5));
    let condition_id = format!("c{}", random.below(25));
    match random.below(8) {
        0 | 1 => {
            replace(&mut model.patients, patient_id.clone(), time, Some(number.clone()));
            dated(patient(&patient_id, Some(&number)), &text)
        }
        2 => {
            replace(&mut model.conditions, condition_id.clone(), time, Some(Subject::Number(number.clone())));
            let subject =
                if random.one_in(2) { by_mrn(&number) } else { of(&format!("Patient?identifier=mrn|{number}")) };
            dated(condition(&condition_id, subject), &text)
        }
        3 => {
            replace(&mut model.conditions, condition_id.clone(), time, Some(Subject::Literal(patient_id.clone())));
            let mut subject = by_mrn(&number);
            subject["reference"] = json!(format!("Patient/{patient_id}"));
            dated(condition(&condition_id, subject), &text)
        }
        4 => {
            // A Bundle with its patient, whose name another Bundle uses for another person.
            replace(&mut model.patients, patient_id.clone(), time, Some(number.clone()));
            replace(&mut model.conditions, condition_id.clone(), time, Some(Subject::Literal(patient_id.clone())));
            bundle(&[
                entry("urn:uuid:x", &dated(patient(&patient_id, Some(&number)), &text)),
                entry("urn:uuid:c", &dated(condition(&condition_id, of("urn:uuid:x")), &text)),
            ])
        }
        5 => {
            // A Bundle without its patient.
            replace(&mut model.conditions, condition_id.clone(), time, Some(Subject::Nobody));
            let name = if random.one_in(2) { "urn:uuid:x" } else { "https://elsewhere.example/fhir/Patient/p1" };
            bundle(&[
                entry("urn:uuid:c", &dated(condition(&condition_id, of(name)), &text)),
                entry("urn:uuid:o", &dated(condition(&condition_id, of("Patient/p1")), "2001-01-01T00:00:00Z")),
            ])
        }
        6 => {
            replace(&mut model.conditions, condition_id.clone(), time, None);
            deletion(&format!("Condition/{condition_id}"), &text)
        }
        _ => {
            replace(&mut model.patients, patient_id.clone(), time, None);
            deletion(&format!("Patient/{patient_id}"), &text)
        }
    }
}

fn deletion(url: &str, time: &str) -> Value {
    json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": url}, "response": {"lastModified": time}}]})
}
