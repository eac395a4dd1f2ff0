//! Long documents: a load removes them from the text, and readers do not notice. `Binary` is returned as bytes or JSON,
//! according to `Accept`.

use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

use crate::support::job_server::Server;
use crate::support::now;
use crate::support::records::{Records, text};
use base64ct::{Base64, Encoding};
use fhir::{BLOCK, Block, DOCUMENTS_PREFIX, Document};
use flate2::Compression;
use flate2::write::GzEncoder;
use ingest::MAX_FILE_LENGTH;
use native::{BlockStore, documents_of, dump, stored_database};
use serde_json::{Value, json};

/// The length of a document of three blocks.
const SEVERAL_BLOCKS: usize = 2 * BLOCK + 1_000;

/// Returns bytes that resemble a document.
fn bytes_of(length: usize, seed: u8) -> Vec<u8> {
    let mut state = u32::from(seed) + 1;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn binary(id: &str, content_type: &str, bytes: &[u8], of: Option<&str>) -> Value {
    let mut resource = json!({"resourceType": "Binary", "id": id, "contentType": content_type});
    if let Some(of) = of {
        resource["securityContext"] = json!({"reference": format!("Patient/{of}")});
    }
    resource["data"] = Base64::encode_string(bytes).into();
    resource
}

const ALL: &str = "system/Binary.rs system/DocumentReference.rs system/Patient.rs";
const PDF: [(&str, &str); 1] = [("Accept", "application/pdf")];

fn patient(id: &str) -> Value {
    json!({"resourceType": "Patient", "id": id})
}

/// Returns a record with a document of this length, a shorter one, and one that stays in its resource.
fn record(length: usize) -> (Records, Vec<Value>, Vec<u8>) {
    let long = bytes_of(length, 1);
    let mut ada = patient("a");
    ada["photo"] = json!([{"contentType": "image/png", "data": Base64::encode_string(&bytes_of(90_000, 2))}]);
    let note = json!({"resourceType": "DocumentReference", "id": "note", "subject": {"reference": "Patient/a"},
        "description": "~", "content": [
            {"attachment": {"contentType": "application/pdf", "data": Base64::encode_string(&long), "title": "A"}},
            {"attachment": {"contentType": "text/plain", "data": Base64::encode_string(b"short"), "title": "B"}}]});
    let resources = vec![
        ada,
        patient("b"),
        note,
        binary("long", "application/pdf", &long, Some("a")),
        binary("of-b", "application/pdf", &long, Some("b")),
        binary("page", "text/html", b"<script>alert(1)</script>", Some("a")),
        binary("nobody", "application/pdf", b"nobody's", None),
        binary("empty", "application/pdf", b"", Some("a")),
    ];
    (Records::of(&resources), resources, long)
}

/// Returns the resource without the members that a load adds.
fn without_meta(mut resource: Value) -> Value {
    resource.as_object_mut().unwrap().shift_remove("meta");
    resource
}

#[test]
fn no_reader_sees_that_a_document_has_left_its_resource() {
    let (records, resources, _) = record(SEVERAL_BLOCKS);
    let stored = documents_of(&stored_database(&records.database, &[]).unwrap()).unwrap();
    assert_eq!(stored.len(), 4, "three blocks of the long one, which is there once, and the photo");
    // The text in the database has a document mark.
    let raw = std::fs::metadata(&records.database).unwrap().len();
    assert!(raw < 2_000_000, "{raw}");
    for resource in &resources {
        let path = format!("{}/{}", text(resource, "resourceType"), text(resource, "id"));
        let read = records.ask(ALL, None, "GET", &path, &[("Accept", "application/fhir+json")]);
        assert_eq!((read.status, without_meta(read.json())), (200, resource.clone()), "{path}");
        let dumped = records.dump().remove(&path).unwrap();
        assert_eq!(without_meta(dumped), *resource, "{path}");
    }
    let found = records.ask(ALL, None, "GET", "DocumentReference?patient=a&_include=DocumentReference:patient", &[]);
    let entries: Vec<_> =
        found.json()["entry"].as_array().unwrap().iter().map(|entry| without_meta(entry["resource"].clone())).collect();
    assert_eq!(entries, [resources[2].clone(), resources[0].clone()]);
    let pretty = records.ask(ALL, None, "GET", "DocumentReference/note?_pretty=true", &[]);
    assert!(pretty.body.starts_with(b"{\n  \"resourceType\""));
    assert_eq!(without_meta(pretty.json()), resources[2]);
    let all = records.ask("system/*.rs system/Binary.rs", None, "GET", "Patient/a/$everything", &[]);
    let note = all.json()["entry"].as_array().unwrap().iter().find(|entry| entry["resource"]["id"] == "note").cloned();
    assert_eq!(note.map(|entry| without_meta(entry["resource"].clone())), Some(resources[2].clone()));
    // Documents that are not in the answer are not read.
    let part = records.ask(ALL, None, "GET", "Patient/a?_elements=name", &[]);
    assert!(part.status == 200 && part.body.len() < 500);
    let part = records.ask(ALL, None, "GET", "Patient/a?_elements=photo", &[]);
    assert_eq!(part.json()["photo"], resources[0]["photo"]);
}

#[test]
fn a_binary_is_bytes_or_json_as_it_is_asked_for() {
    let (records, resources, long) = record(100_000);
    let ask = |path: &str, accept: &str| records.ask(ALL, None, "GET", path, &[("Accept", accept)]);
    for accept in ["application/pdf", "application/octet-stream", "application/pdf,*/*;q=0.1"] {
        let answer = ask("Binary/long", accept);
        assert_eq!((answer.status, answer.header("Content-Type")), (200, "application/pdf"));
        assert!(answer.body == long);
        assert_eq!(answer.header("Content-Length"), long.len().to_string());
    }
    for accept in ["*/*", "", "application/fhir+json", "application/json", "text/plain", "image/png, */*"] {
        let answer = ask("Binary/long", accept);
        assert_eq!((answer.status, without_meta(answer.json())), (200, resources[3].clone()), "{accept}");
        assert_eq!(answer.header("Content-Type"), "application/fhir+json; charset=utf-8");
    }
    assert_eq!(without_meta(ask("Binary/long?_format=json", "application/pdf").json()), resources[3]);
    assert_eq!(ask("Binary/long", "application/fhir+xml").status, 406);
    assert_eq!(ask("DocumentReference/note", "application/xml").status, 406);
    assert!(ask("DocumentReference/note", "application/pdf").json().is_object());
    // A Binary without data has no bytes.
    assert_eq!(ask("Binary/empty", "application/pdf").status, 200);
    assert_eq!(ask("Binary/nothing", "application/pdf").status, 404);
}

#[test]
fn a_range_is_206_and_behind_the_end_416() {
    let (records, _, long) = record(SEVERAL_BLOCKS);
    let ask = |headers: &[(&str, &str)]| records.ask(ALL, None, "GET", "Binary/long", &[&PDF[..], headers].concat());
    let first = ask(&[("Range", "bytes=0-99")]);
    assert_eq!((first.status, first.header("Content-Length")), (206, "100"));
    assert_eq!(first.header("Content-Range"), format!("bytes 0-99/{}", long.len()));
    assert!(first.body == long[..100]);
    // A range may cross the boundaries of blocks.
    let (from, to) = (BLOCK - 5, 2 * BLOCK + 5);
    let middle = ask(&[("Range", &format!("bytes={from}-{}", to - 1))]);
    assert!(middle.status == 206 && middle.body == long[from..to]);
    let last = ask(&[("Range", "bytes=-7")]);
    assert!(last.status == 206 && last.body == long[long.len() - 7..]);
    let behind = ask(&[("Range", "bytes=99999999-")]);
    assert_eq!((behind.status, behind.header("Content-Range")), (416, &*format!("bytes */{}", long.len())));
    assert_eq!(behind.json()["resourceType"], "OperationOutcome");
    // A known tag gives 304, and a range of another version is ignored.
    let tag = first.header("ETag").to_owned();
    assert!(tag.starts_with('"') && !Document::of(&long).to_string().contains(tag.trim_matches('"')));
    assert_eq!(ask(&[("If-None-Match", &tag)]).status, 304);
    assert_eq!(ask(&[("Range", "bytes=0-9"), ("If-Range", &tag)]).status, 206);
    assert_eq!(ask(&[("Range", "bytes=0-9"), ("If-Range", "\"other\"")]).status, 200);
}

#[test]
fn dc03_bytes_are_a_download_that_nothing_runs() {
    let (records, ..) = record(100_000);
    let page = records.ask(ALL, None, "GET", "Binary/page", &[("Accept", "text/html")]);
    assert_eq!((page.status, &*page.body), (200, &b"<script>alert(1)</script>"[..]));
    for (name, value) in [
        ("Content-Type", "application/octet-stream"),
        ("Content-Disposition", "attachment; filename=\"Binary-page.bin\""),
        ("Content-Security-Policy", "sandbox; default-src 'none'"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store, no-transform"),
        ("Accept-Ranges", "bytes"),
        ("Access-Control-Allow-Origin", "*"),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    for exposed in ["Accept-Ranges", "Content-Disposition", "Content-Range", "ETag"] {
        assert!(page.header("Access-Control-Expose-Headers").split(", ").any(|name| name == exposed), "{exposed}");
    }
    let head = records.ask(ALL, None, "HEAD", "Binary/page", &[("Accept", "text/html")]);
    assert_eq!((head.status, head.body.len(), head.header("Content-Length")), (200, 0, "25"));
    let head = records.ask(ALL, None, "HEAD", "DocumentReference/note", &[]);
    let whole = records.ask(ALL, None, "GET", "DocumentReference/note", &[]);
    assert_eq!((head.body.len(), head.header("Content-Length")), (0, &*whole.body.len().to_string()));
}

#[test]
fn dc02_bytes_are_for_those_who_may_read_the_binary() {
    let (records, _, long) = record(100_000);
    let as_a = |scopes: &str, path: &str| records.ask(scopes, Some("a"), "GET", path, &PDF).status;
    assert_eq!(as_a("patient/Binary.r", "Binary/long"), 200);
    // The Binary of another patient, with the same bytes, stays closed.
    assert_eq!(as_a("patient/Binary.r", "Binary/of-b"), 404);
    assert_eq!(as_a("patient/Binary.r", "Binary/nobody"), 404);
    assert_eq!(as_a("patient/Observation.rs", "Binary/long"), 401);
    // No resource that these scopes open carries the Binary.
    assert_eq!(as_a("patient/*.rs", "Binary/long"), 404);
    let block = Document::of(&long).blocks()[0].hash.clone();
    for path in [format!("Binary/{block}"), format!("documents/{block}")] {
        assert_eq!(as_a("patient/Binary.r", &path), 404, "{path}");
    }
}

#[test]
fn dc01_a_mark_that_comes_from_outside_opens_nothing() {
    let (records, _, long) = record(100_000);
    let mark = Document::of(&long).to_string();
    let forged = |id: &str, data: &str| {
        let text = json!({"resourceType": "Binary", "id": id, "contentType": "application/pdf",
            "securityContext": {"reference": "Patient/b"}});
        text.to_string().replace("\"contentType\"", &format!("{data},\"contentType\""))
    };
    let lines = [
        forged("plain", &format!("\"data\":\"{mark}\"")),
        forged("escaped", &format!("\"data\":\"\\u007e{}\"", mark.trim_start_matches('~'))),
        forged("name", &format!("\"d\\u0061ta\":\"{mark}\"")),
        forged("other", &format!("\"_note\":\"{mark}\",\"x\\\"data\":\"{mark}\"")),
    ];
    let summary = records.load_text(&lines.join("\n"));
    assert_eq!(summary.matches("begins with ~").count(), 3, "{summary}");
    for id in ["plain", "escaped", "name"] {
        assert_eq!(records.ask(ALL, None, "GET", &format!("Binary/{id}"), &PDF).status, 404, "{id}");
    }
    let other = records.ask(ALL, None, "GET", "Binary/other", &PDF);
    assert_eq!((other.status, &other.json()["_note"]), (200, &json!(mark)));
}

#[test]
fn a_dump_that_is_loaded_gives_the_same_documents() {
    let (records, ..) = record(100_000);
    let dumped = records.dump();
    let again = Records::of(&dumped.values().cloned().collect::<Vec<_>>());
    assert_eq!(again.dump(), dumped);
    // Loading the same resources again changes nothing.
    let summary = records.load(&dumped.values().cloned().collect::<Vec<_>>());
    assert!(summary.contains("0 new, 0 changed, 8 as before"), "{summary}");
    // A dump needs the bucket.
    let mut out = Vec::new();
    let refused = dump(&stored_database(&records.database, &[]).unwrap(), None, &mut out).unwrap_err();
    assert!(refused.0.contains("--files"));
}

#[test]
fn blocks_that_no_resource_has_are_known() {
    let (records, mut resources, _) = record(100_000);
    let wanted = || documents_of(&stored_database(&records.database, &[]).unwrap()).unwrap();
    let stored = || records.blocks().borrow().older_than(Duration::ZERO).unwrap();
    assert_eq!(wanted(), stored());
    resources[0]["photo"] = json!([]);
    resources[3] = binary("long", "application/pdf", b"another", Some("a"));
    records.load(&resources);
    let photo = Block::of(&bytes_of(90_000, 2)).hash;
    assert_eq!(stored().difference(&wanted()).collect::<Vec<_>>(), [&photo], "others have the long one still");
    // A newer document is kept, since a load may be about to refer to it.
    assert!(records.blocks().borrow().older_than(Duration::from_secs(3_600)).unwrap().is_empty());
}

/// Returns a note with a document that is too long by one byte, and with everything else that an Attachment has.
fn too_long() -> (Value, Value) {
    let attachment = json!({"contentType": "application/pdf", "title": "Scan", "size": 52_428_801, "hash": "AAAA"});
    let mut note = json!({"resourceType": "DocumentReference", "id": "scan", "status": "current",
        "subject": {"reference": "Patient/a"}, "content": [{"attachment": attachment}]});
    let mut stored = note.clone();
    note["content"][0]["attachment"]["data"] = Base64::encode_string(&vec![0; (50 << 20) + 1]).into();
    let url = "http://hl7.org/fhir/StructureDefinition/data-absent-reason";
    stored["content"][0]["attachment"]["_data"] = json!({"extension": [{"url": url, "valueCode": "unsupported"}]});
    (note, stored)
}

#[test]
fn a_resource_with_a_document_that_is_too_long_is_stored_without_it() {
    let (records, (note, stored)) = (Records::of(&[patient("a")]), too_long());
    let long = binary("long", "application/pdf", &vec![0; (50 << 20) + 1], Some("a"));
    let summary = records.load(&[note, long]);
    assert!(summary.contains("2 resources: 2 new"), "{summary}");
    for element in ["DocumentReference/scan: content[0].attachment.data", "Binary/long: data"] {
        let fault = format!("{element} has 52428801 bytes and a document at most 52428800");
        assert!(summary.contains(&fault), "{summary}");
    }
    assert_eq!(without_meta(records.ask(ALL, None, "GET", "DocumentReference/scan", &[]).json()), stored);
    let read = records.ask(ALL, None, "GET", "Binary/long", &[("Accept", "application/fhir+json")]);
    assert_eq!((read.status, read.json().get("data")), (200, None));
    assert_eq!(read.json()["_data"], stored["content"][0]["attachment"]["_data"]);
    // There are no bytes to send, so that the answer is the resource.
    assert_eq!(records.ask(ALL, None, "GET", "Binary/long", &PDF).json().get("data"), None);
}

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

/// Returns the texts of a job server, and the keys of the documents in its bucket.
fn ingested(text: &str, is_gzip: bool) -> (BTreeSet<String>, BTreeSet<String>, usize) {
    let mut server = Server::new();
    server.has_documents = true;
    let bytes = if is_gzip { gzip(text) } else { text.as_bytes().to_vec() };
    server.send("job", &bytes, None, is_gzip).unwrap();
    server.settle();
    let report = format!("{:?}", server.status("job"));
    assert!(report.contains("faults: []"), "{report}");
    let mut texts = BTreeSet::new();
    let keys: BTreeSet<_> =
        server.bucket.borrow().keys().filter(|key| key.starts_with(DOCUMENTS_PREFIX)).cloned().collect();
    let database = server.open();
    let wanted = documents_of(&database).unwrap().iter().map(|hash| [DOCUMENTS_PREFIX, hash].concat()).collect();
    assert_eq!(keys, wanted);
    let mut out = Vec::new();
    dump(&database, Some(&OfBucket(&server)), &mut out).unwrap();
    texts.extend(String::from_utf8(out).unwrap().lines().map(str::to_owned));
    (texts, keys, server.calls.get())
}

/// The documents in the bucket of a job server.
struct OfBucket<'s>(&'s Server);

impl BlockStore for OfBucket<'_> {
    fn put(&mut self, _: &ingest::TakenBlock) -> Result<bool, native::Failure> {
        Ok(false)
    }

    fn read(&self, block: &Block) -> Result<Vec<u8>, native::Failure> {
        let bytes = self.0.bucket.borrow().get(&block.key()).unwrap().0.clone();
        assert_eq!(Block::of(&bytes), *block);
        Ok(bytes)
    }

    fn older_than(&self, _: Duration) -> Result<BTreeSet<String>, native::Failure> {
        Ok(BTreeSet::new())
    }

    fn remove(&mut self, _: &str) -> Result<(), native::Failure> {
        Ok(())
    }
}

#[test]
fn jobs_take_lines_that_are_long_for_their_documents() {
    let stamped = |mut resource: Value| {
        resource["meta"] = json!({"versionId": "1", "lastUpdated": "2024-01-01T00:00:00Z"});
        resource
    };
    let long = bytes_of(2 * BLOCK + 17, 3);
    let resources = [
        stamped(patient("a")),
        stamped(binary("one", "application/pdf", &long, Some("a"))),
        stamped(binary("two", "application/pdf", &bytes_of(100_000, 4), Some("a"))),
    ];
    let expected: BTreeSet<_> = resources.iter().map(ToString::to_string).collect();
    let lines: Vec<_> = resources.iter().map(ToString::to_string).collect();
    let entries: Vec<_> = resources.iter().map(|resource| json!({"resource": resource})).collect();
    let bundle = json!({"resourceType": "Bundle", "type": "collection", "entry": entries});
    let pretty = serde_json::to_string_pretty(&bundle).unwrap();
    for (text, is_gzip) in
        [(lines.join("\n"), false), (lines.join("\n"), true), (bundle.to_string(), false), (pretty, true)]
    {
        assert!(text.len() > MAX_FILE_LENGTH);
        let (texts, keys, _) = ingested(&text, is_gzip);
        let compacted: BTreeSet<_> = texts;
        assert_eq!(compacted.len(), 3);
        assert!(compacted == expected);
        assert_eq!(keys.len(), 4);
    }
}

#[test]
fn a_job_that_fails_anywhere_leaves_at_most_a_document_that_nothing_has() {
    let text =
        [patient("a").to_string(), binary("one", "application/pdf", &bytes_of(50_000, 5), Some("a")).to_string()]
            .join("\n");
    let (expected, keys, calls) = ingested(&text, false);
    assert!(calls > 8);
    for late in [false, true] {
        for until in 0..calls {
            let mut server = Server::new();
            server.has_documents = true;
            server.fault_is_late.set(late);
            server.until_fault.set(Some(until));
            if server.send("job", text.as_bytes(), Some("key"), false).is_err() {
                server.until_fault.set(None);
                server.send("again", text.as_bytes(), Some("key"), false).unwrap();
            }
            server.settle();
            // A message that was lost when it was sent is sent again.
            server.clock.set(server.clock.get() + 301_000_000);
            if now(server.jobs().resume()).is_err() {
                now(server.jobs().resume()).unwrap();
            }
            server.settle();
            let mut out = Vec::new();
            let database = server.open();
            dump(&database, Some(&OfBucket(&server)), &mut out).unwrap();
            let texts: BTreeSet<_> = String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
            assert!(texts == expected, "{until} {late}");
            let bucket = server.bucket.borrow();
            assert!(keys.iter().all(|key| bucket.contains_key(key)), "{until} {late}");
        }
    }
}
