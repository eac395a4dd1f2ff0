//! Bulk Data export over HTTP, against exports in memory: every parameter and refusal of the request, the status, the
//! manifest, the files, and the access to them (<https://hl7.org/fhir/uv/bulkdata/STU2/export.html>).

mod files;
mod requests;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::support::app::{App, app_over, bearer, claims, kept};
use crate::support::{BASE, GRANT, Guarded, ORIGIN, index, now, sqlite};
use api::{AppContext, Call, Environment, Method, Moment, RequestTarget, Settings, Stream, answer};
use export::{ExportFile, ExportPort, ExportRequest, ExportStatus, FileSegment, Manifest, ManifestFile, OwnedFile};
use fhir::splice;
use job::{JobAnswer, JobError, LocalFuture};
use native::SqliteDatabase;
use oauth::AccessClaims;
use serde_json::{Value, json};
use store::SqlStore;

/// 2027-01-15T08:00:00Z.
const NOW: i64 = 1_800_000_000_000_000;
const ALL: &str = "system/*.read";
const LAB: &str = "system/Patient.rs system/Observation.rs?category=laboratory";

#[derive(Debug)]
struct Export {
    client: String,
    request: ExportRequest,
    status: ExportStatus,
}

/// Exports in memory. A new export is in progress until a test completes it.
#[derive(Debug, Default)]
struct Exports {
    all: RefCell<BTreeMap<String, Export>>,
    is_busy: Cell<bool>,
    has_fault: Cell<bool>,
}

impl Exports {
    fn of<T>(&self, client: &str, id: &str, get: impl Fn(&Export) -> T) -> Result<Option<T>, JobError> {
        if self.has_fault.get() {
            return Err(JobError("the database is away".to_owned()));
        }
        Ok(self.all.borrow().get(id).filter(|export| export.client == client).map(get))
    }
}

impl ExportPort for Exports {
    fn begin<'a>(
        &'a self,
        client: &'a str,
        job: String,
        request: ExportRequest,
    ) -> LocalFuture<'a, Result<JobAnswer, JobError>> {
        Box::pin(async move {
            if self.has_fault.get() {
                return Err(JobError("the database is away".to_owned()));
            }
            if self.is_busy.get() {
                return Ok(JobAnswer::Busy);
            }
            let status = ExportStatus::Running { done: 0, parts: None };
            self.all.borrow_mut().insert(job.clone(), Export { client: client.to_owned(), request, status });
            Ok(JobAnswer::Job(job))
        })
    }

    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<Option<ExportStatus>, JobError>> {
        Box::pin(async move { self.of(client, id, |export| export.status.clone()) })
    }

    fn cancel<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<bool, JobError>> {
        Box::pin(async move {
            let was_there = self.of(client, id, |_| ())?.is_some();
            if was_there {
                self.all.borrow_mut().remove(id);
            }
            Ok(was_there)
        })
    }

    fn file<'a>(
        &'a self,
        client: &'a str,
        id: &'a str,
        number: usize,
    ) -> LocalFuture<'a, Result<Option<OwnedFile>, JobError>> {
        Box::pin(async move {
            let found = self.of(client, id, |Export { status, request, .. }| {
                let ExportStatus::Complete(Manifest { output, deleted, error, .. }) = status else { return None };
                let of = |files: &[ManifestFile]| files.iter().find(|file| file.number == number).cloned();
                let deleted = of(deleted).map(|file| ManifestFile { resource_type: String::new(), ..file });
                let file = of(output).or(deleted).or(of(error))?;
                Some((file.resource_type, request.scopes.clone(), request.types.clone()))
            });
            Ok(found?.flatten().map(|(resource_type, scopes, types)| {
                let segments = vec![
                    FileSegment { object: "one".to_owned(), offset: 100, stored: 20, inflated: 1_000, crc: 1 },
                    FileSegment { object: "two".to_owned(), offset: 0, stored: 30, inflated: 500, crc: 2 },
                ];
                let file = ExportFile { segments, etag: "tag".to_owned(), resource_type };
                OwnedFile { file, scopes, types }
            }))
        })
    }
}

/// A server with or without exports.
struct Server {
    app: App<Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>>>,
    exports: Option<&'static Exports>,
    dice: Cell<u8>,
}

/// An answer.
#[derive(Debug)]
struct Answer {
    status: u16,
    headers: BTreeMap<&'static str, String>,
    text: String,
    stream: Option<Stream>,
    audit: Vec<Value>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(String::as_str).unwrap_or_default()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// Returns the code, the parameter and the text of the first issue.
    fn issue(&self) -> (String, String, String) {
        let body = self.json();
        assert_eq!(body["resourceType"], "OperationOutcome", "{self:?}");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let issue = &body["issue"][0];
        (text(&issue["code"]), text(&issue["expression"][0]), text(&issue["details"]["text"]))
    }
}

fn resources() -> Vec<Value> {
    let patient = |id: String| json!({"resourceType": "Patient", "id": id});
    let of = |reference: &str| json!({"entity": {"reference": reference}});
    let group = |id: &str, members: Value| json!({"resourceType": "Group", "id": id, "type": "person", "actual": true, "member": members});
    let mut all: Vec<_> = (0..250).map(|number| patient(format!("p{number:03}"))).collect();
    all.extend([patient("amara".to_owned()), patient("bela".to_owned())]);
    let many: Vec<_> = (0..250).map(|number| of(&format!("Patient/p{number:03}"))).collect();
    all.extend([
        json!({
            "resourceType": "Group", "id": "two", "type": "person", "actual": true,
            "managingEntity": {"reference": "Organization/payer"},
            "member": [of("Patient/amara"), of("Patient/bela"), of("Patient/amara")],
        }),
        group("empty", json!([])),
        group("many", Value::from(many)),
        group("some", json!([of("Patient/amara"), of("Patient/unknown")])),
        group("nested", json!([of("Group/two")])),
        group("staff", json!([of("Practitioner/dr")])),
        json!({"resourceType": "Group", "id": "none", "actual": false, "characteristic": [{}]}),
        json!({
            "resourceType": "Group", "id": "left", "type": "person", "actual": true, "member": [
                {"entity": {"reference": "Patient/amara"}, "inactive": true},
                {"entity": {"reference": "Patient/bela"}, "period": {"end": "2026-12-31"}},
            ],
        }),
    ]);
    all
}

impl Server {
    fn new(exports: Option<Exports>) -> Self {
        let exports: Option<&'static Exports> = exports.map(kept);
        let store = sqlite(&index(&resources()), &BTreeMap::new());
        let settings = Settings { export_v4: true, ..Settings::new(ORIGIN, Environment::Sandbox, b"test") };
        let app = app_over(store, settings);
        let app = AppContext { export: exports.map(|exports| exports as &dyn ExportPort), ..app };
        Self { app, exports, dice: Cell::default() }
    }

    fn with_exports() -> Self {
        Self::new(Some(Exports::default()))
    }

    fn exports(&self) -> &'static Exports {
        self.exports.unwrap()
    }

    fn token(&self, client: &str, scopes: &str, grant: &str) -> String {
        let patient = (!scopes.starts_with("system/")).then(|| "amara".into());
        let claims = AccessClaims { grant_id: Some(grant.into()), patient, ..claims(client, scopes) };
        bearer(&self.app, claims, NOW / 1_000_000)
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let lookup = |name: &str| {
            let found = headers.iter().find(|(of, _)| of.eq_ignore_ascii_case(name));
            found.map(|(_, value)| Cow::Owned((*value).to_owned()))
        };
        self.dice.set(self.dice.get() + 1);
        let call = Call {
            method: Method::parse(method),
            target: RequestTarget::of(path),
            headers: &lookup,
            body: (method == "POST").then(|| body.as_bytes().to_vec()),
            moment: Moment { now: NOW, random: [self.dice.get(); 32] },
        };
        let (reply, log) = now(answer(&self.app, &call));
        Answer {
            status: reply.status,
            headers: reply.all_headers().map(|(name, value)| (name, value.to_owned())).collect(),
            audit: log.audit.iter().map(|line| serde_json::from_str(line).unwrap()).collect(),
            text: splice(reply.body),
            stream: reply.stream,
        }
    }

    fn get(&self, path: &str, scopes: &str) -> Answer {
        self.ask("GET", path, scopes, &[])
    }

    fn ask(&self, method: &str, path: &str, scopes: &str, headers: &[(&str, &str)]) -> Answer {
        let token = self.token("etl", scopes, GRANT);
        let headers = [&[("Authorization", token.as_str())], headers].concat();
        self.send(method, path, &headers, "")
    }

    fn post(&self, path: &str, parameters: &Value) -> Answer {
        let token = self.token("etl", ALL, GRANT);
        let body = json!({"resourceType": "Parameters", "parameter": parameters}).to_string();
        let headers = [("Authorization", token.as_str()), ("Content-Type", "application/fhir+json")];
        self.send("POST", path, &headers, &body)
    }

    /// Returns the last accepted request.
    fn accepted(&self, answer: &Answer) -> ExportRequest {
        assert_eq!(answer.status, 202, "{answer:?}");
        let id = answer.header("Content-Location").rsplit_once('/').unwrap().1.to_owned();
        self.exports().all.borrow()[&id].request.clone()
    }

    /// Begins an export, completes it, and returns the path of its status.
    fn complete(&self, scopes: &str, output: &[&str], deleted: usize, error: usize) -> String {
        let begun = self.get("/fhir/r4/$export", scopes);
        let path = begun.header("Content-Location").strip_prefix(ORIGIN).unwrap().to_owned();
        let id = path.rsplit_once('/').unwrap().1;
        let mut number = 0;
        let mut file = |resource_type: &str| {
            number += 1;
            ManifestFile { resource_type: resource_type.to_owned(), number, count: 3, part: None }
        };
        let manifest = Manifest {
            transaction_time: NOW - 1_000_000,
            expires_at: NOW + 86_400_000_000,
            request: format!("{BASE}/$export"),
            output: output.iter().map(|on| file(on)).collect(),
            deleted: (0..deleted).map(|_| file("Bundle")).collect(),
            error: (0..error).map(|_| file("OperationOutcome")).collect(),
            page: None,
        };
        let mut all = self.exports().all.borrow_mut();
        all.get_mut(id).unwrap().status = ExportStatus::Complete(manifest);
        path
    }

    fn set(&self, path: &str, status: ExportStatus) {
        let id = path.rsplit_once('/').unwrap().1;
        self.exports().all.borrow_mut().get_mut(id).unwrap().status = status;
    }

    fn asked(&self, path: &str) -> ExportRequest {
        let answer = self.get(path, ALL);
        self.accepted(&answer)
    }

    /// Returns the code, the parameter and the text of a refusal with 400.
    fn refused(&self, path: &str) -> (String, String, String) {
        let answer = self.get(path, ALL);
        assert_eq!(answer.status, 400, "{path}: {answer:?}");
        answer.issue()
    }
}

fn text(value: &str) -> String {
    value.to_owned()
}

/// Returns the path of a file of the export with this status.
fn file_of(status: &str, number: usize) -> String {
    format!("{}/{number}.ndjson", status.replace("$export-status", "$export-file"))
}
