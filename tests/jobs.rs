//! Jobs over a bucket and a queue that fail, lose, repeat and reorder. The final records are always those that the
//! command line would have loaded, and no patient is ever seen between two states.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::exports::request;
use crate::support::job_server::{Server, dump};
use crate::support::{CLOCK, now};
use api::{KINDS, is_own_object};
use export::{ExportLevel, ExportStatus};
use ingest::job::Progress;
use job::{JobAnswer, JobError, Message, Replay};
use native::{self, Loader, NoProgress};
use serde_json::{Value, json};

const SECOND: i64 = 1_000_000;

fn ndjson<'a>(resources: impl IntoIterator<Item = &'a Value>) -> String {
    resources.into_iter().map(|resource| format!("{resource}\n")).collect()
}

/// Returns the records of a database that the command line has loaded with this text.
fn by_command_line(text: &str) -> BTreeSet<String> {
    let [database, file] = [crate::support::tempfile(), crate::support::tempfile().with_extension("ndjson")];
    std::fs::write(&file, text).unwrap();
    let writer = native::SqliteWriter::open(&database).unwrap();
    // The records of a job have the time of the job.
    let loader = Loader { now: CLOCK, ..crate::support::loader() };
    loader.load(std::slice::from_ref(&file), writer, None, &mut NoProgress).unwrap();
    let dumped = dump(&native::database(&database).unwrap());
    [database, file].iter().for_each(|path| std::fs::remove_file(path).unwrap());
    dumped
}

fn sample() -> String {
    ndjson(&crate::support::folder("sample").unwrap())
}

/// Returns a patient, with an observation of several kilobytes for each number.
fn patient(id: &str, observations: Range<usize>, version: usize) -> Vec<Value> {
    let updated = format!("2026-01-01T00:00:{version:02}Z");
    let meta = json!({"lastUpdated": updated, "versionId": version.to_string()});
    let text = format!("{version} ").repeat(2_000);
    let own = json!({"resourceType": "Patient", "id": id, "meta": meta, "name": [{"family": format!("V{version}")}]});
    let of = |number: usize| {
        json!({"resourceType": "Observation", "id": format!("{id}-{number}"), "meta": meta, "status": "final",
        "code": {"text": "x"}, "subject": {"reference": format!("Patient/{id}")}, "note": [{"text": text}]})
    };
    std::iter::once(own).chain(observations.map(of)).collect()
}

#[test]
fn the_server_s_own_objects_are_those_of_the_local_bucket_and_of_the_document() {
    let [bucket, document] =
        ["tools/server/arrivals.mjs", "docs/ingest.md"].map(|path| std::fs::read_to_string(path).unwrap());
    let prefixes: Vec<_> = KINDS.iter().flat_map(|kind| kind.prefixes).copied().collect();
    let list = format!("const OWN = ['{}'];", prefixes.join("', '"));
    assert!(bucket.contains(&list), "{list}");
    for prefix in prefixes {
        assert!(document.contains(&format!("`{prefix}`")), "{prefix}");
        assert!(is_own_object(&format!("{prefix}a")) && !is_own_object(&format!("a/{prefix}a")));
    }
}

#[test]
fn a_file_is_loaded_as_the_command_line_loads_it_whole_divided_and_compressed() {
    let text = sample();
    let expected = by_command_line(&text);
    assert!(text.len() < 8 << 20);
    // Blank lines lengthen a file, so that it is divided.
    let long = format!("{text}{}", format!("{}\n", " ".repeat(1_000)).repeat(9_000));
    for (name, bytes, is_gzip, parts) in [
        ("whole", text.clone().into_bytes(), false, 1),
        ("long", long.into_bytes(), false, 0),
        ("gzip", gzip(&text), true, 1),
    ] {
        let server = Server::new();
        assert_eq!(server.send(name, &bytes, None, is_gzip), Ok(JobAnswer::Job(name.to_owned())));
        assert_eq!(server.status(name).status, "in-progress");
        server.settle();
        let inflated = if is_gzip { text.len() } else { bytes.len() };
        assert!(server.pauses.get() > inflated >> 20, "it gives way after each MiB: {}", server.pauses.get());
        let status = server.status(name);
        assert_eq!((status.status, &status.report.faults[..]), ("completed", &[][..]), "{name}");
        assert!(parts == 0 && status.parts > Some(1) || status.parts == Some(parts), "{name}: {:?}", status.parts);
        assert_eq!(status.report.new, expected.len(), "{name}");
        assert_eq!(server.dump(), expected, "{name}");
        let left: Vec<_> = server.bucket.borrow().keys().filter(|key| key.starts_with("pieces/")).cloned().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_part_of_a_job_whose_row_is_damaged_is_not_loaded() {
    let text = sample();
    let long = format!("{text}{}", format!("{}\n", " ".repeat(1_000)).repeat(9_000));
    let server = Server::new();
    server.send("long", long.as_bytes(), None, false).unwrap();
    let first = server.queue.borrow_mut().pop().unwrap();
    assert!(matches!(server.receive(&first), Ok(Progress::Divided { .. })));
    let set = |notes: &str| server.open_state().execute("UPDATE job SET notes = ?1", [notes]).unwrap();
    assert_eq!(set("["), 1);
    let part = server.queue.borrow_mut().pop().unwrap();
    assert_eq!(server.receive(&part), Err(JobError("a stored value is damaged: notes".to_owned())));
    assert!(server.dump().is_empty());
    set("[]");
    server.queue.borrow_mut().push(part);
    server.settle();
    assert_eq!(server.status("long").status, "completed");
    assert_eq!(server.dump(), by_command_line(&text));
}

fn gzip(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn wr04_an_equal_request_is_the_same_job_and_another_client_does_not_see_it() {
    let server = Server::new();
    let text = ndjson(&patient("p", 0..1, 1));
    let first = server.send("one", text.as_bytes(), Some("key"), false);
    assert_eq!(first, Ok(JobAnswer::Job("one".to_owned())));
    assert_eq!(server.send("two", b"never read", Some("key"), false), first);
    assert_eq!(server.queue.borrow().len(), 1);
    assert_eq!(now(server.jobs().status("other", "one")), Ok(None));
    server.settle();
    assert_eq!(server.send("three", b"", Some("key"), false), first);
}

#[test]
fn wr02_too_much_that_waits_is_refused_and_one_client_does_not_fill_all() {
    let server = Server::new();
    let send = |client: &str, number: usize| {
        let upload = async |_: &str| Ok::<_, JobError>(2);
        now(server.jobs().accept(client, None, format!("{client}{number}"), false, None, upload))
    };
    for number in 0..250 {
        assert!(matches!(send("a", number), Ok(JobAnswer::Job(_))));
    }
    assert_eq!(send("a", 250), Ok(JobAnswer::Busy));
    for number in 0..750 {
        assert!(matches!(send(["b", "c", "d"][number % 3], number), Ok(JobAnswer::Job(_))), "{number}");
    }
    assert_eq!(send("e", 0), Ok(JobAnswer::Busy));
    server.settle();
    assert!(matches!(send("a", 250), Ok(JobAnswer::Job(_))));
}

#[test]
fn wr12_no_file_of_one_client_keeps_a_file_or_an_export_of_others_waiting() {
    let server = Server::new();
    let of = |number: usize| {
        json!({"resourceType": "Observation", "id": format!("{number}"), "status": "final", "code": {"text": "x"},
            "subject": {"reference": format!("Patient/{number}")}})
    };
    let text = ndjson(&(0..2_000).map(of).collect::<Vec<_>>());
    let accept = |client: &str, id: &str, text: &str| {
        let upload = async |key: &str| {
            server.bucket.borrow_mut().insert(key.to_owned(), (text.as_bytes().to_vec(), CLOCK));
            Ok::<_, JobError>(text.len() as u64)
        };
        let accepted = now(server.jobs().accept(client, None, id.to_owned(), false, None, upload));
        assert_eq!(accepted, Ok(JobAnswer::Job(id.to_owned())));
    };
    let receive_first = || {
        let message = server.queue.borrow_mut().remove(0);
        server.receive(&message).unwrap();
        message
    };
    (0..20).for_each(|number| accept("ehr", &format!("long{number:02}"), &text));
    (0..20).for_each(|_| drop(receive_first()));
    let first = server.status("long00");
    assert_eq!((first.parts, server.queue.borrow().len()), (Some(16), 1), "each client has one message");
    accept("lab", "small", &ndjson(&patient("p", 0..1, 1)));
    server.begin("export", &request(ExportLevel::System, &["Observation"])).unwrap();
    while now(server.jobs().status("lab", "small")).unwrap().unwrap().status == "in-progress" {
        receive_first();
    }
    assert_eq!(server.status("long00").parts_done, 1);
    let mut last_is_load = false;
    while !matches!(server.export_status("export"), Some(ExportStatus::Complete(_))) {
        let is_load = matches!(receive_first(), Message::Ingest { .. });
        assert!(!is_load || !last_is_load, "an export waits for one part");
        last_is_load = is_load;
    }
    // Waiting parts count towards the share of a client.
    let more = "INSERT INTO job_part (job, number) SELECT 'long19', value FROM json_each(?1)";
    server.open_state().execute(more, [Value::from_iter(100..10_100).to_string()]).unwrap();
    assert_eq!(server.send("more", b"{}", None, false), Ok(JobAnswer::Busy));
}

#[test]
fn what_cannot_be_read_ends_its_job_with_a_fault_by_line() {
    let server = Server::new();
    let lines =
        format!("{}oops\n{}", ndjson(&patient("p", 0..1, 1)), ndjson(&[json!({"resourceType": "Foo", "id": "c"})]));
    let long = format!("{lines}{}", format!("{}\n", " ".repeat(1_000)).repeat(9_000));
    let [patient_q, patient_r, patient_t] = ["q", "r", "t"].map(|id| ndjson(&patient(id, 0..1, 1)));
    let blanks = format!("{}\n", " ".repeat(1_000)).repeat(9_000);
    let cut = {
        let mut cut = gzip(&long);
        cut.truncate(cut.len() - 9);
        cut
    };
    for (name, bytes, is_gzip, stored, location, why) in [
        ("lines", lines.as_bytes(), false, 2, "line 3", "it is not JSON"),
        ("long", long.as_bytes(), false, 0, "line 3", "it is not JSON"),
        ("latin", b"{\"\xff\"}", false, 0, "the file", "it is not UTF-8"),
        ("one line", &[lines.as_bytes(), b"\xff\n"].concat(), false, 0, "line 3", "it is not JSON"),
        ("first line", &[b"oops\n", patient_q.as_bytes()].concat(), false, 2, "line 1", "it is not JSON"),
        (
            "long first line",
            &[b"oops\n", patient_r.as_bytes(), blanks.as_bytes()].concat(),
            false,
            2,
            "line 1",
            "it is not JSON",
        ),
        (
            "long line",
            &[ndjson(&patient("s", 0..1, 1)).as_bytes(), &vec![b'x'; 9 << 20], b"\n", patient_t.as_bytes()].concat(),
            false,
            4,
            "line 3",
            "it is longer than",
        ),
        ("plain", b"{}", true, 0, "the file", "it is not gzip"),
        ("cut", &cut, true, 0, "the file", "it is not gzip"),
        ("no ndjson", "[\n".repeat(5 << 20).as_bytes(), false, 0, "the file", "its first 100 lines are no JSON"),
    ] {
        server.send(name, bytes, None, is_gzip).unwrap();
        server.settle();
        let status = server.status(name);
        assert_eq!((status.status, status.report.new), ("completed-with-faults", stored), "{name}");
        let fault = &status.report.faults[0];
        assert!(fault.location == location && fault.why.starts_with(why), "{name}: {fault:?}");
    }
    assert!(!server.bucket.borrow().keys().any(|key| key.starts_with("pieces/")));
}

#[test]
fn a_lost_message_is_sent_again_and_a_dead_one_ends_its_job() {
    let server = Server::new();
    server.send("lost", ndjson(&patient("p", 0..1, 1)).as_bytes(), None, false).unwrap();
    server.queue.borrow_mut().clear();
    let resume = || now(server.jobs().resume()).unwrap();
    assert_eq!(resume(), 0, "it may still come");
    server.clock.set(server.clock.get() + 301 * SECOND);
    assert_eq!([resume(), resume()], [1, 0]);
    server.settle();
    assert_eq!(server.status("lost").status, "completed");

    server.send("dead", ndjson(&patient("q", 0..1, 1)).as_bytes(), None, false).unwrap();
    let message = server.queue.borrow_mut().pop().unwrap();
    server.give_up(&message);
    let status = server.status("dead");
    assert_eq!((status.status, &*status.report.faults[0].location), ("completed-with-faults", "the file"));
    assert_eq!(server.receive(&message), Ok(Progress::None));

    server.drop_file("gone.ndjson", b"{}");
    server.bucket.borrow_mut().clear();
    server.settle();
    // Jobs are forgotten long after their end.
    server.clock.set(server.clock.get() + 36 * 24 * 3_600 * SECOND);
    resume();
    assert_eq!(now(server.jobs().status("ehr", "lost")), Ok(None));
    let left = server.open_state().query_row("SELECT count(*) FROM job", [], |row| row.get(0));
    assert_eq!(left, Ok(0));
}

#[test]
fn references_wait_for_their_target_in_whatever_order_files_come() {
    let meta = json!({"lastUpdated": "2026-01-01T00:00:00Z"});
    let files = [
        vec![json!({"resourceType": "Patient", "id": "p", "identifier": [{"system": "mrn", "value": "7"}]})],
        vec![
            json!({"resourceType": "Practitioner", "id": "d", "identifier": [{"system": "npi", "value": "1 2"}], "meta": meta}),
        ],
        vec![json!({"resourceType": "Bundle", "type": "transaction", "entry": [
            {"resource": {"resourceType": "Encounter", "id": "e", "status": "finished", "identifier": [{"system": "s", "value": "e"}],
                "class": {"code": "AMB"}, "subject": {"reference": "Patient?identifier=mrn|7"},
                "participant": [{"individual": {"reference": "Practitioner?identifier=npi%7C1%202"}}]}}]})],
        vec![json!({"resourceType": "Observation", "id": "o", "status": "final", "code": {"text": "x"}, "meta": meta,
            "subject": {"identifier": {"system": "mrn", "value": "7"}, "type": "Patient"},
            "encounter": {"identifier": {"system": "s", "value": "e"}}})],
        vec![json!({"resourceType": "Provenance", "id": "v", "target": [{"reference": "Observation/o"}],
            "recorded": "2026-01-01T00:00:00Z", "agent": [{"who": {"reference": "Practitioner?identifier=npi|1 2"}}]})],
    ];
    let texts: Vec<_> = files.iter().map(ndjson).collect();
    let expected = by_command_line(&texts.concat());
    let body = |id: &str| expected.iter().find(|text| text.contains(&format!("\"id\":\"{id}\""))).unwrap().clone();
    assert!(body("o").contains("\"reference\":\"Patient/p\"") && body("o").contains("Encounter/e"), "{}", body("o"));
    let server = |order: &[usize]| {
        let server = Server::new();
        for at in order {
            server.drop_file(&format!("{at}.ndjson"), texts[*at].as_bytes());
            server.settle();
        }
        let database = native::database(&server.records).unwrap();
        let waiting = crate::support::rows(&database, "main", &[("dependent", "target, source")]);
        // A name that leads to a patient is kept, since it may lead to another patient later.
        let waiting: Vec<_> = waiting.into_iter().filter(|row| row.contains("npi") || row.contains("s|e")).collect();
        assert!(waiting.is_empty(), "{waiting:?}");
        server.dump()
    };
    let all = server(&[0, 1, 2, 3, 4]);
    assert_eq!(all, expected);
    for order in [[4, 3, 2, 1, 0], [3, 4, 0, 2, 1], [2, 4, 3, 1, 0], [1, 3, 2, 0, 4]] {
        assert_eq!(server(&order), all, "{order:?}");
    }
}

#[test]
fn wr05_the_newest_counts_in_whatever_order_forms_and_deletions_come() {
    let form = |version: usize| ndjson(&patient("p", 0..2, version));
    let deletion = |second: usize| {
        let delete = |url: &str| json!({"request": {"method": "DELETE", "url": url}});
        format!(
            "{}\n",
            json!({"resourceType": "Bundle", "timestamp": format!("2026-01-01T00:00:{second:02}Z"),
            "entry": [delete("Observation/p-1"), delete("Observation/never")]})
        )
    };
    let history = [form(1), deletion(2), form(3), deletion(4)];
    let end = |order: &[usize]| {
        let server = Server::new();
        for at in order {
            server.drop_file(&format!("{at}.ndjson"), history[*at].as_bytes());
            server.settle();
        }
        server.dump()
    };
    let expected = end(&[0, 1, 2, 3]);
    assert_eq!(expected.len(), 2);
    assert!(expected.iter().all(|text| !text.contains("p-1\"") && text.contains("\"versionId\":\"3\"")));
    for order in [[3, 2, 1, 0], [3, 0, 1, 2], [2, 3, 0, 1], [1, 0, 3, 2]] {
        assert_eq!(end(&order), expected, "{order:?}");
    }
    assert_eq!(end(&[0, 1, 2, 3, 1, 0, 2]), expected, "files may come again");
    assert_eq!(end(&[1, 3, 2]).len(), 2);
    assert_eq!(end(&[3, 1]).len(), 0);
}

#[test]
fn after_a_restore_the_jobs_since_are_done_again() {
    let file = |version: usize| -> String {
        (0..3).map(|at| ndjson(&patient(&format!("p{at}"), 0..version * 2, version))).collect()
    };
    let server = Server::new();
    server.drop_file("1.ndjson", file(1).as_bytes());
    server.settle();
    let saved = std::fs::read(&server.records).unwrap();
    server.clock.set(server.clock.get() + 60 * SECOND);
    let since = server.clock.get();
    // One of the later files is divided, and another one deletes.
    server.drop_file("2.ndjson", format!("{}{}", file(2), format!("{}\n", " ".repeat(10_000)).repeat(850)).as_bytes());
    let deletion =
        json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": "Observation/p0-0"}}]});
    server.drop_file("3.ndjson", deletion.to_string().as_bytes());
    server.settle();
    let expected = server.dump();
    std::fs::write(&server.records, saved).unwrap();
    assert_ne!(server.dump(), expected);
    native::done_again(&mut native::database(&server.state).unwrap(), &Replay { since, except: Vec::new() }).unwrap();
    // The end of the first job begins the next one.
    assert_eq!(now(server.jobs().resume()), Ok(1));
    server.settle();
    assert_eq!(server.dump(), expected);
}

#[test]
fn a_lost_shard_is_rebuilt_from_the_files_in_the_bucket() {
    let server = Server::sharded();
    let since = server.clock.get();
    let all = |version: usize| -> String {
        (0..12).map(|at| ndjson(&patient(&format!("p{at}"), 0..version * 2, version))).collect()
    };
    server.drop_file("1.ndjson", all(1).as_bytes());
    server.settle();
    server.clock.set(since + SECOND);
    server.drop_file("2.ndjson", all(2).as_bytes());
    let deletion =
        json!({"resourceType": "Bundle", "entry": [{"request": {"method": "DELETE", "url": "Observation/p0-0"}}]});
    server.drop_file("3.ndjson", deletion.to_string().as_bytes());
    server.settle();
    let expected = server.dump();
    for shard in &server.shards {
        std::fs::remove_file(shard).unwrap();
        drop(native::database(shard).unwrap());
        assert!(server.dump().len() < expected.len(), "the shard has charts");
        native::done_again(&mut native::database(&server.state).unwrap(), &Replay { since, except: Vec::new() })
            .unwrap();
        assert_eq!(now(server.jobs().resume()), Ok(1));
        server.settle();
        assert_eq!(server.dump(), expected);
    }
}

/// Returns the versions of each patient's stored resources.
fn versions(server: &Server) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for text in server.dump() {
        let resource: Value = serde_json::from_str(&text).unwrap();
        let id = resource["id"].as_str().unwrap();
        let patient = id.split('-').next().unwrap().to_owned();
        found.entry(patient).or_default().insert(resource["meta"]["versionId"].as_str().unwrap().to_owned());
    }
    found
}

#[test]
fn after_a_fault_at_any_call_the_same_messages_complete_the_job() {
    // There are two versions of the patients, and the second file is divided.
    let all =
        |version: usize| -> String { (0..4).map(|at| ndjson(&patient(&format!("p{at}"), 0..6, version))).collect() };
    let (first, second) = (all(1), format!("{}{}", all(2), format!("{}\n", " ".repeat(1_000)).repeat(8_900)));
    let run = |fault: Option<(usize, bool)>| {
        let server = Server::new();
        server.drop_file("first.ndjson", first.as_bytes());
        server.settle();
        server.calls.set(0);
        server.until_fault.set(fault.map(|(at, _)| at));
        server.fault_is_late.set(fault.is_some_and(|(_, is_late)| is_late));
        // The client sends a refused file again.
        if server.send("second", second.as_bytes(), Some("key"), false).is_err() {
            server.send("again", second.as_bytes(), Some("key"), false).unwrap();
        }
        let next = || server.queue.borrow_mut().pop();
        while let Some(message) = next() {
            if server.receive(&message).is_err() {
                server.queue.borrow_mut().push(message);
            }
            for (patient, versions) in versions(&server) {
                assert_eq!(versions.len(), 1, "{patient} is between two states after {fault:?}");
            }
        }
        // A message that was lost when it was sent is sent again.
        server.clock.set(server.clock.get() + 301 * SECOND);
        if now(server.jobs().resume()).is_err() {
            now(server.jobs().resume()).unwrap();
        }
        server.settle();
        (server.dump(), server.calls.get())
    };
    let (expected, calls) = run(None);
    assert_eq!(expected.len(), 28);
    assert!(expected.iter().all(|text| text.contains("\"versionId\":\"2\"")));
    for fault in (0..calls).flat_map(|at| [(at, false), (at, true)]) {
        assert_eq!(run(Some(fault)).0, expected, "{fault:?}");
    }
}

#[test]
fn a_job_yields_within_a_part_after_a_number_of_bytes_and_of_resources() {
    const AT_ONCE: usize = 128 << 10;
    let small = |number: usize| {
        json!({"resourceType": "Observation", "id": format!("s{number}"), "status": "final", "code": {"text": "x"},
            "subject": {"reference": "Patient/p"}})
    };
    // The records of one patient are one part, which is not divided.
    let long = patient("p", 0..300, 1);
    let small: Vec<_> = std::iter::once(patient("p", 0..0, 1).remove(0)).chain((0..3_000).map(small)).collect();
    for (records, bytes) in [(&long, ndjson(&long).len()), (&small, small.len() << 10)] {
        let server = Server::new();
        let status = server.load("one", &ndjson(records));
        assert_eq!((status.report.new, status.parts), (records.len(), Some(1)));
        // The division is a pass over the resources, and the last run of the load has two.
        let least = 3 * (bytes / AT_ONCE);
        assert!(server.pauses.get() >= least, "{} of {least}", server.pauses.get());
    }
    // Each chart is followed by a break, if it has enough bytes.
    let charts: Vec<_> = (0..20).flat_map(|at| patient(&format!("p{at}"), 0..40, 1)).collect();
    let (server, bytes) = (Server::new(), ndjson(&charts).len());
    assert_eq!(server.load("charts", &ndjson(&charts)).report.new, charts.len());
    let least = 3 * (bytes / AT_ONCE) + 20;
    assert!(server.pauses.get() >= least, "{} of {least}", server.pauses.get());
}

#[test]
fn wr15_patients_with_large_charts_are_loaded_in_turn_and_seen_before_a_file_or_after_it() {
    let server = Server::new();
    // Texts that are hard to compress.
    let digits = |seed: usize| -> String {
        (0..4_000).map(|at| format!("{:x}", (seed * 7_919 + at).wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect()
    };
    let of = |patient: usize, number: usize| {
        json!({"resourceType": "Observation", "id": format!("{patient}-{number}"), "status": "final",
            "code": {"text": "x"}, "subject": {"reference": format!("Patient/{patient}")},
            "note": [{"text": digits(patient * 100 + number)}]})
    };
    for patient in 0..12 {
        let all: Vec<_> = (0..24).map(|number| of(patient, number)).collect();
        assert_eq!(server.load(&format!("large{patient}"), &ndjson(&all)).report.new, 24);
    }
    server.statements.borrow_mut().clear();
    let more: Vec<_> = (0..12).map(|patient| of(patient, 24)).collect();
    let ghost = json!({"resourceType": "Provenance", "id": "v", "target": [{"reference": "Observation/3-24"}]});
    let status = server.load("more", &format!("{}oops\n{ghost}\n", ndjson(&more)));
    assert_eq!((status.report.new, status.report.faults.len(), status.parts), (13, 1, Some(1)), "{status:?}");
    let loads = server.statements.borrow().iter().filter(|text| text.starts_with("SELECT number, wanted")).count();
    assert!((3..12).contains(&loads), "{loads}");
    assert_eq!(server.dump().len(), 12 * 25 + 1);
}

/// A random sequence (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}

/// Sends files in a random order, each twice, to a server that is killed at random calls. `JOB_TRIALS` is the number of
/// kills, `JOB_SEED` the first seed.
#[test]
fn random_kills_repetitions_and_orders_end_in_the_same_records() {
    let setting = |name, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (kills, mut seed) = (setting("JOB_TRIALS", 40), setting("JOB_SEED", 1));
    let files: Vec<String> = (1..=3)
        .map(|version| {
            let of_all: String = (0..3).map(|at| ndjson(&patient(&format!("p{at}"), 0..3, version))).collect();
            // One of the files is divided.
            if version == 2 { format!("{of_all}{}", format!("{}\n", " ".repeat(10_000)).repeat(850)) } else { of_all }
        })
        .collect();
    let expected = by_command_line(&files[2]);
    let mut killed = 0;
    while killed < kills {
        seed += 1;
        let (server, mut dice) = (Server::new(), Dice(seed as u64));
        let mut order = vec![0, 1, 2, 0, 1, 2];
        (0..order.len()).for_each(|at| order.swap(at, dice.below(6)));
        for file in order {
            server.drop_file(&format!("{file}.ndjson"), files[file].as_bytes());
        }
        while !server.queue.borrow().is_empty() {
            let next = dice.below(server.queue.borrow().len());
            let message = server.queue.borrow_mut().swap_remove(next);
            if server.until_fault.get().is_none() && dice.below(2) == 0 {
                server.until_fault.set(Some(dice.below(16)));
                server.fault_is_late.set(dice.below(2) == 0);
                killed += 1;
            }
            if server.receive(&message).is_err() || dice.below(8) == 0 {
                server.queue.borrow_mut().push(message);
            }
            for (patient, versions) in versions(&server) {
                assert_eq!(versions.len(), 1, "seed {seed}: {patient} is between two states");
            }
        }
        server.until_fault.set(None);
        server.clock.set(server.clock.get() + 301 * SECOND);
        now(server.jobs().resume()).unwrap();
        server.settle();
        assert_eq!(server.dump(), expected, "seed {seed}");
        assert!(!server.bucket.borrow().keys().any(|key| key.starts_with("pieces/")), "seed {seed}");
    }
}
