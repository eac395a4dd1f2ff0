//! Loads of the bulk export of another server, with the faults of servers and networks.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use base64ct::{Base64UrlUnpadded, Encoding};
use native::{
    BulkExport, BulkLevel, BulkSince, ClientAccess, ClientKey, ClientProof, Failure, FetchedExport, Loader, Progress,
    Quiet, ServerAccess, SqliteWriter, Summary, database,
};
use serde_json::{Value, json};

use crate::support::export_server::{Answer, ExportServer};

const PATIENTS: &str = "{\"resourceType\":\"Patient\",\"id\":\"a\"}\n{\"resourceType\":\"Patient\",\"id\":\"b\"}\n";
const TIME: &str = "2026-03-01T00:00:00Z";

/// A folder that is removed at the end.
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

/// A server with an export of two files, which is ready at the second question.
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
    server.on("GET /1.ndjson", [Answer::file(PATIENTS)]);
    server.on("GET /2.ndjson", [Answer::file(observations(&server, 50))]);
    server.on("DELETE /status", [Answer::new(202, &[], "")]);
    server
}

/// Loads what was fetched, as the command line does.
fn load(export: &BulkExport, folder: &Folder, fetched: FetchedExport) -> Summary {
    let writer = SqliteWriter::open(&folder.db()).unwrap();
    let loader = Loader { source_base: Some(export.base.clone()), strict: false, ..crate::support::loader() };
    let summary = loader.load(&fetched.files, writer, &mut Quiet).unwrap();
    export.finish(fetched, false, &mut Quiet).unwrap();
    summary
}

fn failure(fetched: Result<FetchedExport, Failure>) -> String {
    fetched.err().unwrap().0
}

/// Keeps what is said.
#[derive(Default)]
struct Said(Vec<String>);

impl Progress for Said {
    fn begin(&mut self, _: &str, _: u64) {}
    fn at(&mut self, _: u64) {}
    fn say(&mut self, line: &str) {
        self.0.push(line.to_owned());
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
    server.on("GET /3.ndjson", [Answer::file(format!("{bundle}\n"))]);
    let outcome = |severity: &str, text: &str| {
        json!({"resourceType": "OperationOutcome",
            "issue": [{"severity": severity, "code": "exception", "diagnostics": text}]})
    };
    let outcomes = format!("{}\n{}\n", outcome("error", "a chart is damaged"), outcome("information", "ignored: _x"));
    server.on("GET /4.ndjson", [Answer::file(outcomes)]);
    let folder = Folder::new();
    let mut export = export(&server, &folder);
    export.types = vec!["Patient".to_owned(), "Observation".to_owned()];
    export.filters = vec!["Observation?category=laboratory".to_owned()];
    export.since = Some(BulkSince::Instant("2026-01-01T00:00:00+01:00".to_owned()));

    let mut said = Said::default();
    let fetched = export.fetch(&mut said).unwrap();
    assert_eq!(said.0, ["the server says: 1 of 2"]);
    assert_eq!((fetched.resources, fetched.deletions, fetched.transaction_time.as_str()), (Some(52), 2, TIME));
    let text = fetched.to_string();
    assert!(text.contains("the server could not export: a chart is damaged"), "{text}");
    assert!(
        text.contains("the server says: ignored: _x") && text.contains("since 2026-01-01T00:00:00+01:00"),
        "{text}"
    );
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
    assert_eq!(server.lines(), ["DELETE /status"]);
    assert!(std::fs::read_dir(folder.0.join("state")).unwrap().all(|entry| entry.unwrap().file_name() != "files"));
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
    let mut said = Said::default();
    let fetched = export.fetch(&mut said).unwrap();
    assert!(said.0[0].starts_with("there was no export before"), "{:?}", said.0);
    assert!(!server.asked()[0].line.contains("_since"));
    load(&export, &folder, fetched);
    let empty = json!({"transactionTime": "2026-03-02T00:00:00Z", "output": []}).to_string();
    server.on("GET /status", [Answer::new(200, &[], empty)]);
    server.asked();
    let fetched = export.fetch(&mut Quiet).unwrap();
    assert!(server.asked()[0].line.ends_with("&_since=2026%2D03%2D01T00%3A00%3A00Z"));
    assert_eq!((fetched.files.len(), fetched.resources), (0, Some(0)));
    export.finish(fetched, false, &mut Quiet).unwrap();
    server.on("GET /Patient/$export", [Answer::new(400, &[], "{}")]);
    assert!(failure(export.fetch(&mut Quiet)).contains("_since=2026%2D03%2D02"), "an export that is empty counts");
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
        export.fetch(&mut Quiet).unwrap();
        assert_eq!(server.lines()[0], line);
    }
    folders.dedup();
    assert_eq!(folders.len(), 3);
}

#[test]
fn a_client_proves_itself_by_its_key_and_gets_another_token_when_one_has_ended() {
    let server = exporting(&json!({"requiresAccessToken": true}));
    let url = &server.url;
    let smart = json!({"token_endpoint": format!("{url}/token"), "capabilities": ["permission-v2"]});
    server.on("GET /.well-known/smart-configuration", [Answer::new(200, &[], smart.to_string())]);
    let token = |name: &str| {
        let body = json!({"access_token": name, "token_type": "bearer", "expires_in": 300, "scope": "system/*.rs"});
        Answer::new(200, &[], body.to_string())
    };
    let resources: Vec<Value> = ["Patient", "Coverage"].iter().map(|of| json!({"type": of})).collect();
    let statement = json!({"resourceType": "CapabilityStatement", "rest": [{"resource": resources}]});
    server.on("GET /metadata", [Answer::new(200, &[], statement.to_string())]);
    let refused = Answer::new(400, &[], json!({"error": "invalid_scope"}).to_string());
    server.on("POST /token", [Answer::new(503, &[], ""), refused, token("first"), token("second"), token("third")]);
    server.on("GET /1.ndjson", [Answer::file(PATIENTS).needing("second")]);
    let body = observations(&server, 50);
    // The second token ends after the file was begun.
    server.on("GET /2.ndjson", [Answer::file(body.clone()).cut(1_000), Answer::file(body).needing("third")]);
    let secret = p384::SecretKey::from_slice(&[9; 48]).unwrap();
    let key = ClientKey::parse(&secret.to_jwk_string()).unwrap();
    let folder = Folder::new();
    let proof = ClientProof::Key(key);
    let client = ClientAccess { client: "me".to_owned(), proof, token_url: None, scope: None };
    let access = ServerAccess::Client(Box::new(client));
    let export = BulkExport { access, ..export(&server, &folder) };
    let fetched = export.fetch(&mut Quiet).unwrap();
    assert_eq!(fetched.resources, Some(52));
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
    // The wildcard of the server may stand for some of its types.
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

#[test]
fn a_token_goes_to_no_file_that_needs_none() {
    let server = exporting(&json!({}));
    let folder = Folder::new();
    let export = BulkExport { access: ServerAccess::Token("secret".to_owned()), ..export(&server, &folder) };
    export.fetch(&mut Quiet).unwrap();
    for asked in server.asked() {
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
    let manifest = server_manifest(&server);
    server.on(
        "GET /status",
        [
            Answer::new(500, &[], transient.to_string()),
            Answer::new(502, &[], "<html>"),
            Answer::new(202, &[], "").cut(0),
            busy(),
            Answer::new(200, &[], manifest),
        ],
    );
    let body = observations(&server, 50);
    let cut = |after: usize| Answer::file(body.clone()).cut(after);
    server.on("GET /1.ndjson", [Answer::new(503, &[], "a page"), busy(), Answer::file(PATIENTS)]);
    server.on("GET /2.ndjson", [cut(1_000), Answer::new(500, &[], "no ndjson"), cut(10), cut(0), cut(5_000)]);
    let folder = Folder::new();
    let export = export(&server, &folder);
    let fetched = export.fetch(&mut Quiet).unwrap();
    assert_eq!(std::fs::read_to_string(&fetched.files[1]).unwrap(), body, "no byte twice, none left out");
    let ranges: Vec<_> = server
        .asked()
        .into_iter()
        .filter(|asked| asked.line == "GET /2.ndjson")
        .map(|asked| (asked.headers.get("range").cloned(), asked.headers.get("if-range").cloned()))
        .collect();
    let range = |from: usize| (Some(format!("bytes={from}-")), Some("\"form\"".to_owned()));
    assert_eq!(ranges[..5], [(None, None), range(1_000), range(1_000), range(1_010), range(1_010)]);
    assert_eq!(load(&export, &folder, fetched).stored["Observation"], [50, 0, 0]);
}

/// The manifest of a server of this file.
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
fn a_file_that_is_not_what_the_manifest_says_is_fetched_again_and_never_loaded() {
    let body = |server: &ExportServer, count| observations(server, count);
    for name in ["too few", "too many", "cut in a line", "another type", "no json"] {
        let server = exporting(&json!({}));
        let whole = body(&server, 50);
        let wrong = match name {
            "too few" => body(&server, 49),
            "too many" => body(&server, 51),
            "cut in a line" => whole.strip_suffix("\"}}\n").unwrap().to_owned(),
            "another type" => whole.replacen("Observation", "Condition", 1),
            _ => "<html>".repeat(500),
        };
        let answer = |text: &str| Answer::new(200, &[], text);
        server.on("GET /2.ndjson", [answer(&wrong), answer(&wrong), answer(&whole)]);
        let folder = Folder::new();
        let export = export(&server, &folder);
        let mut said = Said::default();
        let fetched = export.fetch(&mut said).unwrap();
        assert_eq!(std::fs::read_to_string(&fetched.files[1]).unwrap(), whole, "{name}");
        assert_eq!(said.0.iter().filter(|line| line.contains("is fetched again")).count(), 2, "{:?}", said.0);
        drop(fetched);

        let folder = Folder::new();
        let export = BulkExport { state: folder.0.join("state"), ..export };
        server.on("GET /2.ndjson", [answer(&wrong)]);
        let why = failure(export.fetch(&mut Quiet));
        assert!(why.contains("is not what the manifest says, 3 times"), "{name}: {why}");
        // What was right is kept, and the same command goes on behind it.
        server.on("GET /2.ndjson", [answer(&whole)]);
        server.asked();
        export.fetch(&mut Quiet).unwrap();
        assert_eq!(server.lines(), ["GET /2.ndjson"], "{name}");
    }
}

#[test]
fn the_same_command_goes_on_where_it_was_cut_off() {
    let server = exporting(&json!({}));
    let body = observations(&server, 50);
    // The server refuses after a part of the file, which ends the command.
    server.on("GET /2.ndjson", [Answer::file(body.clone()).cut(3_000), Answer::new(403, &[], "{}")]);
    let folder = Folder::new();
    let export = export(&server, &folder);
    assert!(failure(export.fetch(&mut Quiet)).contains("/2.ndjson is refused: 403"));
    server.on("GET /2.ndjson", [Answer::file(body.clone())]);
    server.asked();
    let fetched = export.fetch(&mut Quiet).unwrap();
    let asked = server.asked();
    assert_eq!(asked.len(), 1, "neither the export nor the other file is asked for again");
    assert_eq!(asked[0].headers["range"], "bytes=3000-");
    assert_eq!(std::fs::read_to_string(&fetched.files[1]).unwrap(), body);
    let second = failure(export.fetch(&mut Quiet));
    assert!(second.contains("another command uses"), "{second}");
    drop(fetched);

    // One that was ended after the last byte.
    let files = folder.0.join("state/files");
    std::fs::rename(files.join("000001-Observation.ndjson"), files.join("000001-Observation.part")).unwrap();
    let fetched = export.fetch(&mut Quiet).unwrap();
    assert_eq!(std::fs::read_to_string(&fetched.files[1]).unwrap(), body);
    drop(fetched);
    let other = BulkExport { since: Some(BulkSince::Instant(TIME.to_owned())), ..export };
    let why = failure(other.fetch(&mut Quiet));
    assert!(why.contains("an export of all records is under way"), "{why}");
}

#[test]
fn a_file_of_another_form_or_of_a_server_without_ranges_comes_from_its_beginning() {
    let old = Answer::file("{\"resourceType\":\"Patient\",\"id\":\"old\"}\n".repeat(50)).cut(1_000);
    let (without, mut newer) = (Answer::new(200, &[], ""), Answer::file(""));
    newer.headers = vec!["ETag: \"newer\"".to_owned()];
    for mut second in [without, newer] {
        let server = exporting(&json!({}));
        second.body = observations(&server, 50).into();
        server.on("GET /2.ndjson", [old.clone(), second]);
        let folder = Folder::new();
        let fetched = export(&server, &folder).fetch(&mut Quiet).unwrap();
        assert_eq!(std::fs::read_to_string(&fetched.files[1]).unwrap(), observations(&server, 50));
    }
}

#[test]
fn a_compressed_file_is_kept_and_loaded_as_it_came_and_goes_on_too() {
    let server = exporting(&json!({}));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(observations(&server, 50).as_bytes()).unwrap();
    let mut file = Answer::file(gzip.finish().unwrap());
    file.headers.push("Content-Encoding: gzip".to_owned());
    server.on("GET /2.ndjson", [file.clone().cut(200), file]);
    let folder = Folder::new();
    let export = export(&server, &folder);
    let fetched = export.fetch(&mut Quiet).unwrap();
    assert!(fetched.files[1].ends_with("000001-Observation.ndjson.gz"));
    assert_eq!(load(&export, &folder, fetched).stored["Observation"], [50, 0, 0]);
}

#[test]
fn an_export_that_failed_or_is_gone_is_told_and_the_next_command_begins_another() {
    let server = exporting(&json!({}));
    let folder = Folder::new();
    let export = export(&server, &folder);
    let manifest = server_manifest(&server);
    server.on("GET /2.ndjson", [Answer::new(404, &[], "{}")]);
    assert!(failure(export.fetch(&mut Quiet)).starts_with("its files are gone\nthe same command begins another"));
    server.on("GET /status", [Answer::new(404, &[], "{}")]);
    server.asked();
    assert!(failure(export.fetch(&mut Quiet)).starts_with("the server does not know the export any more"));
    assert_eq!(server.lines()[0], "GET /Patient/$export");
    let failed = json!({"resourceType": "OperationOutcome",
        "issue": [{"severity": "error", "code": "exception", "details": {"text": "storage"}}]});
    server.on("GET /status", [Answer::new(500, &[], failed.to_string())]);
    let why = failure(export.fetch(&mut Quiet));
    assert!(why.contains("the export has failed: 500 storage"), "{why}");
    server.on("GET /status", [Answer::new(200, &[], manifest)]);
    server.on("GET /2.ndjson", [Answer::file(observations(&server, 50))]);
    server.asked();
    let fetched = export.fetch(&mut Quiet).unwrap();
    assert_eq!(server.lines()[0], "GET /Patient/$export", "a failed export is not asked for again");
    assert_eq!(load(&export, &folder, fetched).stored["Observation"], [50, 0, 0]);
}

#[test]
fn a_refusal_is_told_in_the_words_of_the_server() {
    let server = exporting(&json!({}));
    let refused = json!({"resourceType": "OperationOutcome",
        "issue": [{"severity": "error", "code": "value", "diagnostics": "_type: Foo is no type"}]});
    server.on("GET /Patient/$export", [Answer::new(400, &[], refused.to_string())]);
    let folder = Folder::new();
    let why = failure(export(&server, &folder).fetch(&mut Quiet));
    assert!(why.ends_with("begins no export: 400 _type: Foo is no type"), "{why}");
    for (location, status) in [("/status", 202), ("ftp://a.test/status", 202), ("", 202), ("http://a.test/s", 200)] {
        server.on("GET /Patient/$export", [Answer::new(status, &[&format!("Content-Location: {location}")], "")]);
        assert!(export(&server, &folder).fetch(&mut Quiet).is_err(), "{location}");
    }
    server.on("GET /Patient/$export", [Answer::new(401, &[], "{}")]);
    let why = failure(export(&server, &folder).fetch(&mut Quiet));
    assert!(why.contains("begins no export: 401"), "{why}");
}
