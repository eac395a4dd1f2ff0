//! The status of an export, its manifest and its files, and the access to them.

use super::{ALL, LAB, Server, file_of, text};
use crate::support::{BASE, GRANT, ORIGIN};
use export::ExportStatus;
use serde_json::json;

#[test]
fn ex02_exports_are_for_clients_that_act_for_themselves() {
    let server = Server::with_exports();
    let status = server.complete(ALL, &["Patient"], 0, 0);
    let file = file_of(&status, 1);
    for path in ["/fhir/r4/$export", "/fhir/r4/Patient/$export", "/fhir/r4/Group/two/$export", &status, &file] {
        let none = server.send("GET", path, &[], "");
        assert_eq!((none.status, none.issue().0), (401, text("login")), "{path}");
        for scopes in ["patient/*.read", "user/*.read", "system/*.write", "system/Patient.s"] {
            let answer = server.get(path, scopes);
            assert_eq!((answer.status, answer.issue().0), (401, text("forbidden")), "{path} {scopes}");
            assert!(answer.header("WWW-Authenticate").contains("insufficient_scope"));
        }
        let revoked = server.token("etl", ALL, "another");
        assert_eq!(server.send("GET", path, &[("Authorization", &revoked)], "").status, 401, "{path}");
    }
    // An explicit type without a scope is refused, as in a search.
    for path in ["/fhir/r4/$export?_type=Coverage", "/fhir/r4/Patient/$export?_type=Patient,Coverage"] {
        let answer = server.get(path, ALL);
        assert_eq!((answer.status, answer.issue().0), (401, text("forbidden")));
    }
    assert_eq!(server.get("/fhir/r4/Patient/$export", "system/Practitioner.read").status, 401);
    // Scopes of other levels are ignored.
    let request = server.accepted(&server.get("/fhir/r4/$export", "system/Patient.read openid"));
    assert_eq!(request.scopes, "system/Patient.read");
}

#[test]
fn a_running_export_says_how_far_it_is() {
    let server = Server::with_exports();
    let path = server.get("/fhir/r4/$export", ALL).header("Content-Location").replace(ORIGIN, "");
    let answer = server.ask("GET", &path, ALL, &[("Accept", "application/json")]);
    assert_eq!((answer.status, answer.header("Retry-After")), (202, "1"));
    assert_eq!((answer.header("X-Progress"), answer.text.as_str()), ("being divided into parts", ""));
    server.set(&path, ExportStatus::Running { done: 3, parts: Some(40) });
    assert_eq!(server.get(&path, ALL).header("X-Progress"), "7% (3 of 40 parts)");
    server.set(&path, ExportStatus::Failed(text("The records did not answer.")));
    let failed = server.get(&path, ALL);
    assert_eq!((failed.status, failed.issue().0), (500, text("exception")));
    assert!(failed.header("Content-Type").starts_with("application/fhir+json"));
    assert!(failed.text.contains("The records did not answer."));
    // No file is available until all are.
    assert_eq!(server.get(&file_of(&path, 1), ALL).status, 404);
}

#[test]
fn the_manifest_lists_the_files() {
    let server = Server::with_exports();
    let path = server.complete(ALL, &["Patient", "Observation"], 1, 1);
    let answer = server.ask("GET", &path, ALL, &[("Accept", "application/json")]);
    assert_eq!(answer.status, 200);
    assert!(answer.header("Content-Type").starts_with("application/json"));
    assert_eq!(answer.header("Expires"), "Sat, 16 Jan 2027 08:00:00 GMT");
    let url = |number: usize| format!("{ORIGIN}{}", file_of(&path, number));
    assert_eq!(
        answer.json(),
        json!({
            "transactionTime": "2027-01-15T07:59:59.000Z",
            "request": format!("{BASE}/$export"),
            "requiresAccessToken": true,
            "output": [
                {"type": "Patient", "url": url(1), "count": 3},
                {"type": "Observation", "url": url(2), "count": 3},
            ],
            "deleted": [{"type": "Bundle", "url": url(3), "count": 3}],
            "error": [{"type": "OperationOutcome", "url": url(4), "count": 3}],
        })
    );
    let empty = server.get(&server.complete(ALL, &[], 0, 0), ALL).json();
    assert_eq!((&empty["output"], &empty["error"], empty.get("deleted")), (&json!([]), &json!([]), None));
    // Files by patient have no resource type.
    let by_patient = server.get(&server.complete(ALL, &[""], 0, 0), ALL).json();
    assert_eq!(by_patient["outputOrganizedBy"], "Patient");
    assert_eq!(by_patient["output"][0].get("type"), None);
}

#[test]
fn an_export_is_cancelled_once_and_gone() {
    let server = Server::with_exports();
    let running = server.get("/fhir/r4/$export", ALL).header("Content-Location").replace(ORIGIN, "");
    for path in [running, server.complete(ALL, &["Patient"], 0, 0)] {
        let ended = server.ask("DELETE", &path, ALL, &[("Accept", "application/json")]);
        assert_eq!(ended.status, 202);
        assert_eq!(ended.audit[0]["event"], "export-cancel");
        for (method, path) in [("GET", path.clone()), ("DELETE", path.clone()), ("GET", file_of(&path, 1))] {
            let answer = server.ask(method, &path, ALL, &[]);
            assert_eq!((answer.status, answer.issue().0), (404, text("not-found")), "{method} {path}");
        }
    }
}

#[test]
fn ex01_an_export_of_another_client_is_like_none() {
    let server = Server::with_exports();
    let path = server.complete(ALL, &["Patient"], 0, 0);
    let other = server.token("other", ALL, GRANT);
    let unknown = server.get("/fhir/r4/$export-status/unknown", ALL);
    for (method, path) in [("GET", path.clone()), ("DELETE", path.clone()), ("GET", file_of(&path, 1))] {
        let answer = server.send(method, &path, &[("Authorization", &other)], "");
        assert_eq!((answer.status, &answer.text), (404, &unknown.text), "{method} {path}");
    }
    assert_eq!(server.get(&path, ALL).status, 200, "it is still there");
    for odd in ["0.ndjson", "01.ndjson", "2.ndjson", "x.ndjson", "-1.ndjson", "1/2.ndjson", ".ndjson"] {
        let path = format!("{}/{odd}", path.replace("$export-status", "$export-file"));
        assert_eq!(server.get(&path, ALL).status, 404, "{odd}");
    }
}

#[test]
fn ex06_too_many_exports_wait() {
    let server = Server::with_exports();
    server.exports().is_busy.set(true);
    let answer = server.get("/fhir/r4/$export", ALL);
    assert_eq!((answer.status, answer.issue().0, answer.header("Retry-After")), (429, text("throttled"), "30"));
    assert_eq!(answer.audit[0]["error"], "throttled");
}

#[test]
fn storage_that_does_not_answer_is_transient() {
    let server = Server::with_exports();
    let path = server.complete(ALL, &["Patient"], 0, 0);
    server.exports().has_fault.set(true);
    for (method, path) in [("GET", "/fhir/r4/$export"), ("GET", &path), ("DELETE", &path), ("GET", &file_of(&path, 1))]
    {
        let answer = server.ask(method, path, ALL, &[]);
        assert_eq!((answer.status, answer.issue().0), (503, text("transient")), "{method} {path}");
        assert!(!answer.text.contains("database"), "details are for the log");
    }
}

#[test]
fn a_file_is_ndjson_with_a_tag_for_each_encoding() {
    let server = Server::with_exports();
    let path = file_of(&server.complete(ALL, &["Patient"], 0, 0), 1);
    let plain = server.get(&path, ALL);
    assert_eq!((plain.status, plain.header("Content-Type")), (200, "application/fhir+ndjson"));
    assert_eq!((plain.header("ETag"), plain.header("Accept-Ranges")), ("\"tag\"", "bytes"));
    assert_eq!((plain.header("Content-Length"), plain.header("Content-Encoding")), ("1500", ""));
    assert_eq!(plain.stream.unwrap().length(), 1_500);
    let gzip = server.ask("GET", &path, ALL, &[("Accept-Encoding", "gzip, deflate")]);
    assert_eq!((gzip.header("ETag"), gzip.header("Content-Encoding")), ("\"tag-gzip\"", "gzip"));
    assert_eq!(gzip.header("Content-Length"), "70", "10 of the header, 50 as stored, and 10 of the end");
    assert!(gzip.header("Vary").contains("Accept-Encoding"));
    assert!(gzip.header("Cache-Control").contains("no-transform"));
    let head = server.ask("HEAD", &path, ALL, &[("Range", "bytes=0-9")]);
    assert_eq!((head.status, head.header("Content-Length"), &head.stream), (200, "1500", &None));
    let known = server.ask("GET", &path, ALL, &[("If-None-Match", "\"tag\"")]);
    assert_eq!((known.status, known.stream), (304, None));
}

#[test]
fn ex02_each_file_needs_a_scope_for_its_type() {
    let server = Server::with_exports();
    let status = server.complete(ALL, &["Patient", "Observation", ""], 1, 1);
    let get = |number: usize, scopes: &str| server.get(&file_of(&status, number), scopes).status;
    let some = "system/Patient.read";
    assert_eq!((get(1, some), get(2, some)), (200, 401));
    assert_eq!(server.get(&status, some).status, 401, "the manifest has a type that is closed");
    // The file of faults needs only access to the export.
    assert_eq!(get(5, some), 200);
    // A file by patient may have all types of the export, and so may a file of deletions.
    for number in [3, 4] {
        assert_eq!((get(number, some), get(number, LAB), get(number, ALL)), (401, 401, 200));
    }
    // A token that opens a type in part gets files that were exported under scopes that open no more.
    assert_eq!((get(1, LAB), get(2, LAB)), (200, 401));
    let own = server.complete(LAB, &["Patient", "Observation"], 0, 0);
    assert_eq!(server.get(&file_of(&own, 2), LAB).status, 200);
    for wider in [ALL, &format!("{LAB} system/Goal.rs"), &format!("{LAB} system/Observation.rs?category=survey")] {
        assert_eq!(server.get(&file_of(&own, 2), wider).status, 200, "{wider}");
    }
    let mixed = server.complete(&format!("{LAB} system/*.rs"), &["Patient", "Observation"], 0, 0);
    assert_eq!(server.get(&file_of(&mixed, 2), LAB).status, 401);
    // A file of exported Bundles is not a file of deletions.
    let bundles = server.complete("system/Bundle.read", &["Bundle"], 0, 0);
    assert_eq!(server.get(&file_of(&bundles, 1), ALL).status, 401);
    assert_eq!(server.get(&file_of(&bundles, 1), "system/Bundle.read").status, 200);
}

#[test]
fn ex07_the_audit_log_has_exports_and_files_and_whose_records_they_have() {
    let server = Server::with_exports();
    let named = json!([
        {"name": "_type", "valueString": "Patient"},
        {"name": "patient", "valueReference": {"reference": "Patient/amara"}},
    ]);
    let begun = server.post("/fhir/r4/Group/two/$export", &named);
    let [line] = begun.audit.as_slice() else { panic!("{begun:?}") };
    assert_eq!((&line["event"], &line["client"], &line["status"]), (&json!("export"), &json!("etl"), &json!(202)));
    assert_eq!((&line["type"], &line["id"], &line["types"]), (&json!("Group"), &json!("two"), &json!(["Patient"])));
    assert_eq!(line["job"].as_str(), begun.header("Content-Location").rsplit_once('/').map(|(_, id)| id));
    assert_eq!((&line["asked"], &line["patients"]), (&json!(["amara"]), &json!(["amara"])));
    for (group, patients) in [("some", json!(["amara"])), ("two", json!(["amara", "bela"])), ("empty", json!(null))] {
        let begun = server.get(&format!("/fhir/r4/Group/{group}/$export"), ALL);
        assert_eq!((&begun.audit[0]["patients"], begun.audit[0].get("asked")), (&patients, None), "{group}");
    }
    // The audit lines of the parts list all patients.
    let many = server.get("/fhir/r4/Group/many/$export", ALL);
    assert_eq!(many.audit[0]["patients"]["count"], 250);
    assert!(server.get("/fhir/r4/Patient/$export", ALL).audit[0].get("patients").is_none(), "the types say it");
    let absent = json!([{"name": "patient", "valueReference": {"reference": "Patient/nobody"}}]);
    assert_eq!(server.post("/fhir/r4/Patient/$export", &absent).audit[0]["asked"], json!(["nobody"]));
    let status = server.complete(ALL, &["Patient"], 0, 0);
    assert!(server.get(&status, ALL).audit.is_empty(), "how far it is, is no event");
    let file = server.get(&file_of(&status, 1), ALL);
    let [line] = file.audit.as_slice() else { panic!("{file:?}") };
    assert_eq!((&line["event"], &line["types"]), (&json!("export-file"), &json!(["Patient"])));
    assert_eq!(line["job"].as_str(), status.rsplit_once('/').map(|(_, id)| id));
    let refused = server.send("GET", &status, &[], "");
    assert_eq!((&refused.audit[0]["event"], &refused.audit[0]["error"]), (&json!("export-status"), &json!("no_token")));
}
