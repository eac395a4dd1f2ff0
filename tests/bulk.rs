//! Loads of another server's bulk export, with faults of servers and networks.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use native::{
    BulkExport, BulkLevel, BulkSince, ClientAccess, ClientKey, ClientProof, Failure, FetchedExport, Loader, NoProgress,
    Progress, ServerAccess, SqliteWriter, Summary, database,
};
use serde_json::{Value, json};

use crate::support::export_server::{Answer, ExportServer};

const PATIENTS: &str = "{\"resourceType\":\"Patient\",\"id\":\"a\"}\n{\"resourceType\":\"Patient\",\"id\":\"b\"}\n";
const TIME: &str = "2026-03-01T00:00:00Z";

/// A folder that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        Self(crate::support::tempfile().with_extension("bulk"))
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

fn export(server: &ExportServer, folder: &Folder) -> BulkExport {
    BulkExport {
        base: server.url.clone(),
        level: BulkLevel::Patient,
        types: Vec::new(),
        filters: Vec::new(),
        since: None,
        access: ServerAccess::Open,
        state: folder.0.join("state"),
        second: Duration::from_millis(1),
    }
}

fn observations(server: &ExportServer, count: usize) -> String {
    let one = |at: usize| {
        let subject = format!("{}/Patient/a", server.url);
        format!(
            "{}\n",
            json!({"resourceType": "Observation", "id": at.to_string(), "status": "final",
            "code": {"text": "x".repeat(50)}, "subject": {"reference": subject}})
        )
    };
    (0..count).map(one).collect()
}

/// Starts a server with an export of two files, which is complete at the second request for its status.
fn exporting(more: &Value) -> ExportServer {
    let server = ExportServer::start();
    let url = &server.url;
    let location = format!("Content-Location: {url}/status");
    let mut manifest = json!({
        "transactionTime": TIME, "request": format!("{url}/Patient/$export"), "requiresAccessToken": false,
        "output": [
            {"type": "Patient", "url": format!("{url}/1.ndjson"), "count": 2},
            {"type": "Observation", "url": format!("{url}/2.ndjson"), "count": 50},
        ],
        "error": [],
    });
    for (name, value) in more.as_object().unwrap() {
        manifest[name] = value.clone();
    }
    let manifest = manifest.to_string().replace("URL", url);
    for path in ["/Patient/$export", "/$export", "/Group/g-1/$export"] {
        server.on(&format!("GET {path}"), [Answer::new(202, &[&location], "")]);
    }
    server.on(
        "GET /status",
        [
            Answer::new(202, &["X-Progress: 1 of 2", "Retry-After: 1"], ""),
            Answer::new(200, &["Content-Type: application/json"], manifest),
        ],
    );
    server.on("GET /1.ndjson", [Answer::new(200, &[], PATIENTS)]);
    server.on("GET /2.ndjson", [Answer::new(200, &[], observations(&server, 50))]);
    server.on("DELETE /status", [Answer::new(202, &[], "")]);
    server
}

/// Loads the fetched files, as the command line does.
fn load(export: &BulkExport, folder: &Folder, fetched: FetchedExport) -> Summary {
    let writer = SqliteWriter::open(&folder.db()).unwrap();
    let loader = Loader { source_base: Some(export.base.clone()), strict: false, ..crate::support::loader() };
    let summary = loader.load(&fetched.files, writer, None, &mut NoProgress).unwrap();
    export.finish(fetched, false).unwrap();
    summary
}

fn failure(fetched: Result<FetchedExport, Failure>) -> String {
    fetched.err().unwrap().0
}

/// Keeps the reported lines.
#[derive(Default)]
struct Messages(Vec<String>);

impl Progress for Messages {
    fn begin(&mut self, _: &str, _: u64) {}
    fn at(&mut self, _: u64) {}
    fn say(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }
}

/// Sends the reported lines to another thread.
struct Channel(std::sync::mpsc::Sender<String>);

impl Progress for Channel {
    fn begin(&mut self, _: &str, _: u64) {}
    fn at(&mut self, _: u64) {}
    fn say(&mut self, line: &str) {
        let _ = self.0.send(line.to_owned());
    }
}

#[test]
fn an_export_is_begun_waited_for_fetched_loaded_and_deleted() {
    let server = exporting(&json!({
        "deleted": [{"type": "Bundle", "url": "URL/3.ndjson", "count": 1}],
        "error": [{"type": "OperationOutcome", "url": "URL/4.ndjson"}],
    }));
    let deletion = |url: &str| json!({"request": {"method": "DELETE", "url": url}});
    let bundle = json!({"resourceType": "Bundle", "type": "transaction",
        "entry": [deletion("Patient/b"), deletion("Patient/c")]});
    server.on("GET /3.ndjson", [Answer::new(200, &[], format!("{bundle}\n"))]);
    let outcome = |severity: &str, text: &str| {
        json!({"resourceType": "OperationOutcome",
            "issue": [{"severity": severity, "code": "exception", "diagnostics": text}]})
    };
    let outcomes = format!("{}\n{}\n", outcome("error", "a chart is damaged"), outcome("information", "ignored: _x"));
    server.on("GET /4.ndjson", [Answer::new(200, &[], outcomes)]);
    let folder = Folder::new();
    let mut export = export(&server, &folder);
    export.types = vec!["Patient".to_owned(), "Observation".to_owned()];
    export.filters = vec!["Observation?category=laboratory".to_owned()];
    export.since = Some(BulkSince::Instant("2026-01-01T00:00:00+01:00".to_owned()));

    let mut said = Messages::default();
    let fetched = export.fetch(&mut said).unwrap();
    assert_eq!(said.0, ["the server says: 1 of 2"]);
    assert_eq!((fetched.resources, fetched.deletions, fetched.transaction_time.as_str()), (52, 2, TIME));
    let text = fetched.to_string();
    assert!(text.contains("the server could not export: a chart is damaged"), "{text}");
    assert!(text.contains("the server says: ignored: _x"), "{text}");
    let asked = server.asked();
    assert_eq!(
        asked[0].line,
        "GET /Patient/$export?_outputFormat=application%2Ffhir%2Bndjson&_type=Patient%2CObservation\
         &_typeFilter=Observation%3Fcategory%3Dlaboratory&_since=2026%2D01%2D01T00%3A00%3A00%2B01%3A00"
    );
    assert_eq!(asked[0].headers["prefer"], "respond-async");
    assert_eq!(asked[0].headers["accept"], "application/fhir+json");
    assert!(asked.iter().all(|asked| !asked.headers.contains_key("authorization")));
    let dated = std::fs::read_to_string(fetched.files.last().unwrap()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&dated).unwrap()["timestamp"], TIME);

    let summary = load(&export, &folder, fetched);
    assert_eq!(summary.stored["Patient"], [1, 0, 0], "one of two was deleted");
    assert_eq!(summary.stored["Observation"], [50, 0, 0]);
    assert_eq!((&summary.faults, summary.unresolved, summary.nobodys.len()), (&Vec::new(), 0, 0));
    assert_eq!(asked.last().unwrap().line, "DELETE /status");
    assert_eq!(std::fs::read_dir(folder.0.join("state/files")).unwrap().count(), 0);
    let database = database(&folder.db()).unwrap();
    let stored: String = database
        .query_row("SELECT group_concat(id) FROM resource WHERE type = 'Patient'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(stored, "a");
}

#[test]
fn the_export_since_the_last_one_begins_where_that_ended() {
    let server = exporting(&json!({}));
    let folder = Folder::new();
    let export = BulkExport { since: Some(BulkSince::Last), ..export(&server, &folder) };
    let mut said = Messages::default();
    let fetched = export.fetch(&mut said).unwrap();
    assert!(said.0[0].starts_with("there was no export before"), "{:?}", said.0);
    assert!(!server.asked()[0].line.contains("_since"));
    load(&export, &folder, fetched);
    let empty = json!({"transactionTime": "2026-03-02T00:00:00Z", "output": []}).to_string();
    server.on("GET /status", [Answer::new(200, &[], empty)]);
    server.asked();
    let fetched = export.fetch(&mut NoProgress).unwrap();
    assert!(server.asked()[0].line.ends_with("&_since=2026%2D03%2D01T00%3A00%3A00Z"));
    assert_eq!((fetched.files.len(), fetched.resources), (0, 0));
    export.finish(fetched, false).unwrap();
    server.on("GET /Patient/$export", [Answer::new(400, &[], "{}")]);
    assert!(failure(export.fetch(&mut NoProgress)).contains("_since=2026%2D03%2D02"), "an export that is empty counts");
}

#[test]
fn each_level_has_its_address_and_its_folder() {
    let server = exporting(&json!({}));
    let mut folders = Vec::new();
    for (level, line) in [
        (BulkLevel::System, "GET /$export"),
        (BulkLevel::Patient, "GET /Patient/$export"),
        (BulkLevel::Group("g-1".to_owned()), "GET /Group/g-1/$export"),
    ] {
        let folder = Folder::new();
        let export = BulkExport { level, ..export(&server, &folder) };
        folders.push(export.folder(&folder.0));
        export.fetch(&mut NoProgress).unwrap();
        assert_eq!(server.lines()[0], line);
    }
    folders.dedup();
    assert_eq!(folders.len(), 3);
}

fn client(server: &ExportServer, tokens: impl IntoIterator<Item = Answer>) -> ServerAccess {
    let smart = json!({"token_endpoint": format!("{}/token", server.url), "capabilities": ["permission-v2"]});
    server.on("GET /.well-known/smart-configuration", [Answer::new(200, &[], smart.to_string())]);
    server.on("POST /token", tokens);
    let secret = p384::SecretKey::from_slice(&[9; 48]).unwrap();
    let proof = ClientProof::Key(ClientKey::parse(&secret.to_jwk_string()).unwrap());
    ServerAccess::Client(Box::new(ClientAccess { client: "me".to_owned(), proof, scope: None }))
}

fn token(name: &str) -> Answer {
    let body = json!({"access_token": name, "token_type": "bearer", "expires_in": 300, "scope": "system/*.rs"});
    Answer::new(200, &[], body.to_string())
}

#[test]
fn a_client_proves_itself_by_its_key_and_gets_another_token_when_one_has_ended() {
    let server = exporting(&json!({"requiresAccessToken": true}));
    let url = &server.url;
    let resources: Vec<Value> = ["Patient", "Coverage"].iter().map(|of| json!({"type": of})).collect();
    let statement = json!({"resourceType": "CapabilityStatement", "rest": [{"resource": resources}]});
    server.on("GET /metadata", [Answer::new(200, &[], statement.to_string())]);
    let refused = Answer::new(400, &[], json!({"error": "invalid_scope"}).to_string());
    let tokens = [Answer::new(503, &[], ""), refused, token("first"), token("second"), token("third")];
    server.on("GET /1.ndjson", [Answer::new(200, &[], PATIENTS).needing("second")]);
    let body = observations(&server, 50);
    // The second token expires after the download has begun.
    server.on(
        "GET /2.ndjson",
        [Answer::new(200, &[], body.clone()).cut(1_000), Answer::new(200, &[], body).needing("third")],
    );
    let folder = Folder::new();
    let export = BulkExport { access: client(&server, tokens), ..export(&server, &folder) };
    let fetched = export.fetch(&mut NoProgress).unwrap();
    assert_eq!(fetched.resources, 52);
    let asked = server.asked();
    let bearer = |line: &str| -> Vec<_> {
        let of = asked.iter().filter(|asked| asked.line.starts_with(line));
        of.map(|asked| asked.headers["authorization"].trim_start_matches("Bearer ").to_owned()).collect()
    };
    assert_eq!(bearer("GET /status"), ["first", "first"]);
    assert_eq!(bearer("GET /1.ndjson"), ["first", "second"]);
    assert_eq!(bearer("GET /2.ndjson"), ["second", "second", "third"]);
    let forms: Vec<_> = asked.iter().filter(|asked| asked.line == "POST /token").map(|asked| &asked.body).collect();
    assert_eq!(forms.len(), 5);
    // The server's wildcard may cover only some of its types.
    let scope =
        |form: &str| form.split('&').nth(1).unwrap().replace("%2F", "/").replace("%2E", ".").replace("%20", " ");
    assert_eq!(scope(forms[1]), "scope=system/Patient.rs system/Coverage.rs");
    assert_eq!(scope(forms[2]), "scope=system/%2A.rs", "where it grants no such list");
    let claims = |form: &str| -> Value {
        let assertion = form.rsplit("client_assertion=").next().unwrap().replace("%2E", ".").replace("%2D", "-");
        let part = assertion.split('.').nth(1).unwrap().replace("%5F", "_");
        serde_json::from_slice(&Base64UrlUnpadded::decode_vec(&part).unwrap()).unwrap()
    };
    let (one, other) = (claims(forms[1]), claims(forms[2]));
    assert_eq!((one["iss"].as_str(), one["aud"].as_str()), (Some("me"), Some(format!("{url}/token").as_str())));
    assert_ne!(one["jti"], other["jti"]);
}

fn server_manifest(server: &ExportServer) -> String {
    let url = &server.url;
    json!({
        "transactionTime": TIME, "requiresAccessToken": false, "error": [],
        "output": [
            {"type": "Patient", "url": format!("{url}/1.ndjson"), "count": 2},
            {"type": "Observation", "url": format!("{url}/2.ndjson"), "count": 50},
        ],
    })
    .to_string()
}

#[test]
fn a_token_goes_to_no_file_that_needs_none() {
    let server = exporting(&json!({}));
    let folder = Folder::new();
    let export = BulkExport { access: client(&server, [token("secret")]), ..export(&server, &folder) };
    export.fetch(&mut NoProgress).unwrap();
    for asked in server.asked().iter().skip_while(|asked| asked.line != "POST /token").skip(1) {
        let has = asked.headers.get("authorization").is_some_and(|header| header == "Bearer secret");
        assert_eq!(has, !asked.line.contains(".ndjson"), "{}", asked.line);
    }
}

#[test]
fn a_server_that_is_busy_fails_or_cuts_is_asked_again() {
    let server = exporting(&json!({}));
    let location = format!("Content-Location: {}/status", server.url);
    let busy = || Answer::new(429, &["Retry-After: 2"], "{}");
    server.on("GET /Patient/$export", [busy(), busy(), Answer::new(202, &[&location], "")]);
    let transient = json!({"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": "transient"}]});
    let failures = [Answer::new(500, &[], transient.to_string()), Answer::new(502, &[], "<html>")];
    let waits = [Answer::new(202, &[], "").cut(0), busy(), Answer::new(200, &[], server_manifest(&server))];
    server.on("GET /status", failures.into_iter().chain(waits));
    let file = Answer::new(200, &[], observations(&server, 50));
    let cut = |after: usize| file.clone().cut(after);
    server.on("GET /1.ndjson", [Answer::new(503, &[], "a page"), busy(), Answer::new(200, &[], PATIENTS)]);
    server.on("GET /2.ndjson", [cut(1_000), Answer::new(500, &[], "no ndjson"), cut(10), cut(5_000), file.clone()]);
    let folder = Folder::new();
    let export = export(&server, &folder);
    let fetched = export.fetch(&mut NoProgress).unwrap();
    assert_eq!(std::fs::read(&fetched.files[1]).unwrap(), file.body, "no byte twice, none left out");
    assert_eq!(load(&export, &folder, fetched).stored["Observation"], [50, 0, 0]);
}

#[test]
fn a_file_that_is_not_what_the_manifest_says_is_fetched_again_and_never_loaded() {
    for name in ["too few", "too many", "cut in a line", "another type", "no json"] {
        let server = exporting(&json!({}));
        let whole = observations(&server, 50);
        let wrong = match name {
            "too few" => observations(&server, 49),
            "too many" => observations(&server, 51),
            "cut in a line" => whole.strip_suffix("\"}}\n").unwrap().to_owned(),
            "another type" => whole.replacen("Observation", "Condition", 1),
            _ => "<html>".repeat(500),
        };
        let answer = |text: &str| Answer::new(200, &[], text);
        server.on("GET /2.ndjson", [answer(&wrong), answer(&wrong), answer(&whole)]);
        let folder = Folder::new();
        let export = export(&server, &folder);
        let mut said = Messages::default();
        let fetched = export.fetch(&mut said).unwrap();
        assert_eq!(std::fs::read_to_string(&fetched.files[1]).unwrap(), whole, "{name}");
        assert_eq!(said.0.iter().filter(|line| line.contains("is not what")).count(), 2, "{:?}", said.0);
        drop(fetched);
        server.on("GET /2.ndjson", [answer(&wrong)]);
        let why = failure(export.fetch(&mut NoProgress));
        assert!(why.contains("is not what the manifest says, 3 times"), "{name}: {why}");
        assert_eq!(server.lines().last().unwrap(), "DELETE /status");
    }
}

#[test]
fn a_compressed_file_is_loaded_as_any_other() {
    let server = exporting(&json!({}));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(observations(&server, 50).as_bytes()).unwrap();
    let file = Answer::new(200, &["Content-Encoding: gzip"], gzip.finish().unwrap());
    server.on("GET /2.ndjson", [file.clone().cut(200), file]);
    let folder = Folder::new();
    let export = export(&server, &folder);
    let fetched = export.fetch(&mut NoProgress).unwrap();
    assert_eq!(load(&export, &folder, fetched).stored["Observation"], [50, 0, 0]);
}

#[test]
fn an_export_that_failed_or_is_gone_is_told_and_the_next_command_begins_another() {
    let server = exporting(&json!({}));
    let folder = Folder::new();
    let export = export(&server, &folder);
    server.on("GET /2.ndjson", [Answer::new(404, &[], "{}")]);
    assert!(failure(export.fetch(&mut NoProgress)).ends_with("/2.ndjson is refused: 404"));
    let failed = json!({"resourceType": "OperationOutcome",
        "issue": [{"severity": "error", "code": "exception", "details": {"text": "storage"}}]});
    for status in [401, 404, 500] {
        server.on("GET /status", [Answer::new(status, &[], failed.to_string())]);
        assert_eq!(failure(export.fetch(&mut NoProgress)), format!("the export has failed: {status} storage"));
    }
    server.on("GET /status", [Answer::new(200, &[], server_manifest(&server))]);
    server.on("GET /2.ndjson", [Answer::new(200, &[], observations(&server, 50))]);
    server.asked();
    let fetched = export.fetch(&mut NoProgress).unwrap();
    assert_eq!(server.lines()[0], "GET /Patient/$export", "a failed export is not asked for again");
    assert_eq!(load(&export, &folder, fetched).stored["Observation"], [50, 0, 0]);
}

#[test]
fn a_second_command_waits_for_the_folder() {
    let server = exporting(&json!({}));
    let folder = Folder::new();
    let export = export(&server, &folder);
    let fetched = export.fetch(&mut NoProgress).unwrap();
    let (told, waits) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| export.fetch(&mut Channel(told)).map(|fetched| fetched.resources));
        let line: String = waits.recv().unwrap();
        assert!(line.contains("another command uses"), "{line}");
        assert!(fetched.files.iter().all(|file| file.exists()));
        drop(fetched);
        assert_eq!(second.join().unwrap().unwrap(), 52);
    });
}

#[test]
fn what_is_no_manifest_is_refused() {
    let server = exporting(&json!({}));
    let folder = Folder::new();
    let export = export(&server, &folder);
    let with = |url: &str| json!({"transactionTime": TIME, "output": [{"type": "Patient", "url": url}]}).to_string();
    let none = ["", "[]", r#"{"output":[]}"#, r#"{"transactionTime":"2026-01-01T00:00:00Z"}"#].map(str::to_owned);
    for text in none.into_iter().chain(["file:///etc/passwd", "/1.ndjson", "https://"].map(with)) {
        server.on("GET /status", [Answer::new(200, &[], text.clone())]);
        assert!(failure(export.fetch(&mut NoProgress)).contains("manifest"), "{text}");
    }
}

#[test]
fn a_refusal_is_told_in_the_words_of_the_server() {
    let server = exporting(&json!({}));
    let refused = json!({"resourceType": "OperationOutcome",
        "issue": [{"severity": "error", "code": "value", "diagnostics": "_type: Foo is no type"}]});
    server.on("GET /Patient/$export", [Answer::new(400, &[], refused.to_string())]);
    let folder = Folder::new();
    let why = failure(export(&server, &folder).fetch(&mut NoProgress));
    assert!(why.ends_with("begins no export: 400 _type: Foo is no type"), "{why}");
    for (location, status) in [("/status", 202), ("ftp://a.test/status", 202), ("", 202), ("http://a.test/s", 200)] {
        server.on("GET /Patient/$export", [Answer::new(status, &[&format!("Content-Location: {location}")], "")]);
        assert!(export(&server, &folder).fetch(&mut NoProgress).is_err(), "{location}");
    }
    server.on("GET /Patient/$export", [Answer::new(401, &[], "{}")]);
    let why = failure(export(&server, &folder).fetch(&mut NoProgress));
    assert!(why.contains("begins no export: 401"), "{why}");
}
