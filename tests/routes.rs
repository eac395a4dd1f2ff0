//! Compares the answer to each kind of address, in the table of routes and outside of it, with a checked-in table
//! (`tests/routes.tsv`). `REGENERATE=1 cargo test --test integration routes::` writes its answers again, for the
//! methods and paths in its first two columns.
//!
//! An answer is a status, the event in the audit log, and a summary of the body. Later columns have `=` for the same
//! answer as without a token.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::support::app::{App, app_over, bearer, claims};
use crate::support::{ORIGIN, index, memory, now};
use api::{Call, Environment, IngestPort, IngestRequest, Method, Moment, RequestTarget, Settings, answer};
use export::{ExportPort, ExportRequest, ExportStatus, OwnedFile};
use fhir::splice;
use ingest::job::JobStatus;
use job::{JobAnswer, JobError, LocalFuture};
use oauth::{Agents, TrustedIssuer};
use serde_json::{Value, json};
use store::MemoryStore;

const TABLE: &str = "tests/routes.tsv";
const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };
/// The only existing export.
const EXPORT: &str = "known";

/// A port without jobs.
struct Jobs;

impl IngestPort for Jobs {
    fn accept<'a>(&'a self, _: IngestRequest<'a>) -> LocalFuture<'a, Result<JobAnswer, JobError>> {
        Box::pin(async { Ok(JobAnswer::Job("new".to_owned())) })
    }

    fn ready(&self) -> LocalFuture<'_, Result<(), JobError>> {
        Box::pin(async { Ok(()) })
    }

    fn status<'a>(&'a self, _: &'a str, _: &'a str) -> LocalFuture<'a, Result<Option<JobStatus>, JobError>> {
        Box::pin(async { Ok(None) })
    }
}

/// An export in progress. It has no files.
struct Exports;

impl ExportPort for Exports {
    fn begin<'a>(&'a self, _: &'a str, _: String, _: ExportRequest) -> LocalFuture<'a, Result<JobAnswer, JobError>> {
        Box::pin(async { Ok(JobAnswer::Job("new".to_owned())) })
    }

    fn status<'a>(&'a self, _: &'a str, id: &'a str) -> LocalFuture<'a, Result<Option<ExportStatus>, JobError>> {
        Box::pin(async move { Ok((id == EXPORT).then_some(ExportStatus::Running { done: 0, parts: None })) })
    }

    fn cancel<'a>(&'a self, _: &'a str, id: &'a str) -> LocalFuture<'a, Result<bool, JobError>> {
        Box::pin(async move { Ok(id == EXPORT) })
    }

    fn file<'a>(&'a self, _: &'a str, _: &'a str, _: usize) -> LocalFuture<'a, Result<Option<OwnedFile>, JobError>> {
        Box::pin(async { Ok(None) })
    }
}

/// Returns the route, its methods, and the answer.
fn ask(app: &App<MemoryStore>, scopes: Option<&str>, method: &str, path: &str) -> [String; 3] {
    let token = scopes.map(|scopes| bearer(app, claims("app", scopes), MOMENT.seconds()));
    let lookup = |name: &str| match name {
        "Authorization" => token.clone().map(Cow::Owned),
        "Content-Type" if path == "/ingest" => Some("application/fhir+ndjson".into()),
        "Content-Type" => Some("application/x-www-form-urlencoded".into()),
        "Content-Length" => Some("1".into()),
        _ => None,
    };
    let call = Call {
        method: Method::parse(method),
        target: RequestTarget::of(path),
        headers: &lookup,
        body: (method == "POST").then(Vec::new),
        moment: MOMENT,
    };
    let (reply, log) = now(answer(app, &call));
    let header = |name: &str| {
        let found = reply.all_headers().find(|(of, _)| *of == name);
        found.map(|(_, value)| value.to_owned()).unwrap_or_default()
    };
    let media_type = header("Content-Type").split(';').next().unwrap().to_owned();
    let (allow, location) = (header("Allow"), header("Location"));
    let status = reply.status;
    let text = splice(reply.body);
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let said = [&body["issue"][0]["details"]["text"], &body["error_description"]].into_iter().find_map(Value::as_str);
    let line: Value = log.audit.first().map(|line| serde_json::from_str(line).unwrap()).unwrap_or_default();
    let event = line["event"].as_str().map(|event| format!(" [{event}]")).unwrap_or_default();
    let what = match (location.as_str(), said) {
        ("", Some(said)) => said.to_owned(),
        ("", None) if text.is_empty() => "-".to_owned(),
        ("", None) => media_type,
        (location, _) => location.to_owned(),
    };
    [log.call.route.to_owned(), allow, format!("{status}{event} {what}")]
}

#[test]
fn each_kind_of_address_is_answered_as_the_table_says() {
    let settings = |environment| Settings::new(ORIGIN, environment, b"test");
    let trusted = TrustedIssuer::parse(r#"[{"issuer": "https://issuer.example"}]"#).unwrap();
    let open = |environment| Settings { links: true, ..settings(environment) };
    let (sandbox, production) = (open(Environment::Sandbox), settings(Environment::Production));
    let sandbox = Settings { agents: Some(Agents::Any), service_base_urls: Some("{}".to_owned()), ..sandbox };
    let edge_only = Settings { trusted, ..open(Environment::Production) };
    let app = |settings| App {
        ingest: Some(&Jobs),
        export: Some(&Exports),
        ..app_over(memory(&index(&[json!({"resourceType": "Patient", "id": "amara"})]), &BTreeMap::new()), settings)
    };
    let (sandbox, production, edge_only) = (app(sandbox), app(production), app(edge_only));
    let columns =
        [(&sandbox, Some("system/*.rs")), (&sandbox, Some("system/*.write")), (&production, None), (&edge_only, None)];
    let written = std::fs::read_to_string(TABLE).unwrap();
    let (head, rows) = written.split_once('\n').unwrap();
    let mut table = format!("{head}\n");
    for row in rows.lines() {
        let mut cells = row.split('\t');
        let (method, path) = (cells.next().unwrap(), cells.next().unwrap());
        let [route, allow, first] = ask(&sandbox, None, method, path);
        let others = columns.map(|(app, scopes)| {
            let [_, _, other] = ask(app, scopes, method, path);
            if other == first { "=".to_owned() } else { other }
        });
        table += &format!("{method}\t{path}\t{route}\t{allow}\t{first}\t{}\n", others.join("\t"));
    }
    if std::env::var_os("REGENERATE").is_some() {
        std::fs::write(TABLE, table).unwrap();
        return;
    }
    for (at, (now, then)) in table.lines().zip(written.lines()).enumerate() {
        assert_eq!(now, then, "{TABLE}, line {}", at + 1);
    }
}
