//! Files that are sent to `/ingest`, with refusals and faults of servers.

use std::path::PathBuf;
use std::time::Duration;

use ingest::{FileReport, RejectedResource};
use native::{ClientAccess, ClientKey, ClientProof, Failure, NoProgress, Sender, Sent, ServerAccess};
use serde_json::json;

use crate::support::export_server::{Answer, ExportServer};

/// Starts a server that issues tokens and accepts files. The first report of a job is that the job is in progress.
fn server() -> ExportServer {
    let server = ExportServer::start();
    let smart = json!({"token_endpoint": format!("{}/oauth/token", server.url)}).to_string();
    server.on("GET /fhir/r4/.well-known/smart-configuration", [Answer::new(200, &[], smart)]);
    let token = json!({"access_token": "t", "expires_in": 300, "scope": "system/*.write"}).to_string();
    server.on("POST /oauth/token", [Answer::new(200, &[], token)]);
    server.on("POST /ingest", [Answer::new(202, &[], r#"{"id": "j"}"#).needing("t")]);
    let faults = vec![RejectedResource { location: "line 2".to_owned(), why: "it is not JSON".to_owned() }];
    let report = FileReport { new: 1, faults, more_faults: 7, ..FileReport::default() };
    let report = serde_json::to_string(&report).unwrap();
    server.on("GET /ingest/j", [Answer::new(202, &[], ""), Answer::new(200, &[], report)]);
    server
}

fn send(server: &ExportServer, proof: ClientProof) -> Result<Sent, Failure> {
    let file: PathBuf = crate::support::tempfile().with_extension("ndjson");
    std::fs::write(&file, "{\"resourceType\":\"Patient\",\"id\":\"a\"}\n\noops\n").unwrap();
    let scope = Some("system/*.write".to_owned());
    let client = ClientAccess { client: "engine".to_owned(), proof, scope };
    let sender = Sender {
        server: server.url.clone(),
        client: "engine".to_owned(),
        access: ServerAccess::Client(Box::new(client)),
        again: false,
        source_base: None,
        second: Duration::from_millis(1),
    };
    let sent = sender.send(std::slice::from_ref(&file), &mut NoProgress);
    std::fs::remove_file(&file).unwrap();
    sent
}

fn secret() -> ClientProof {
    ClientProof::Secret("a secret".to_owned())
}

fn refusal(server: &ExportServer) -> String {
    send(server, secret()).unwrap_err().0
}

#[test]
fn a_client_proves_itself_by_its_secret_or_its_key_and_its_report_names_lines_of_the_file() {
    let server = server();
    let sent = send(&server, secret()).unwrap();
    assert_eq!((sent.jobs, sent.report.new, sent.report.more_faults), (1, 1, 7));
    assert!(sent.report.faults[0].location.ends_with(".ndjson:3"), "{:?}", sent.report.faults);
    let key = ClientKey::parse(&p384::SecretKey::from_slice(&[9; 48]).unwrap().to_jwk_string()).unwrap();
    send(&server, ClientProof::Key(key)).unwrap();
    let asked = server.asked();
    let tokens: Vec<_> = asked.iter().filter(|asked| asked.line == "POST /oauth/token").collect();
    assert_eq!(tokens[0].headers["authorization"], "Basic ZW5naW5lOmEgc2VjcmV0");
    assert!(tokens[0].body.ends_with("scope=system%2F%2A%2Ewrite"), "{}", tokens[0].body);
    assert!(!tokens[1].headers.contains_key("authorization") && tokens[1].body.contains("&client_assertion="));
    let keys: Vec<_> = asked.iter().filter_map(|asked| asked.headers.get("idempotency-key")).collect();
    assert_eq!(keys[0], keys[1], "the same content is the same job");
}

#[test]
fn a_server_that_is_busy_is_asked_again() {
    let server = server();
    let busy = json!({"resourceType": "OperationOutcome", "issue": [{"code": "transient"}]}).to_string();
    let accepted = Answer::new(202, &[], r#"{"id": "j"}"#);
    let answers = [Answer::new(429, &["Retry-After: 2"], ""), Answer::new(503, &["Retry-After: 2"], busy), accepted];
    server.on("POST /ingest", answers);
    assert_eq!(send(&server, secret()).unwrap().jobs, 1);
}

#[test]
fn what_the_server_refuses_is_told_in_its_words() {
    let refused = server();
    let body = json!({"error": "invalid_client", "error_description": "the client is disabled"}).to_string();
    refused.on("POST /oauth/token", [Answer::new(401, &[], body)]);
    assert!(refusal(&refused).contains("gives no token: {\"error\":\"invalid_client\""), "{}", refusal(&refused));
    assert!(refused.asked().iter().all(|asked| asked.line != "POST /ingest"));

    let without = server();
    without.on("POST /ingest", [Answer::new(404, &[], "no Route matched")]);
    assert_eq!(refusal(&without), "the server does not accept the file: 404 no Route matched");

    let lost = server();
    let issue = json!({"issue": [{"code": "not-found", "details": {"text": "there is no such job"}}]}).to_string();
    lost.on("GET /ingest/j", [Answer::new(404, &[], issue)]);
    assert_eq!(refusal(&lost), "the server does not answer with the state of the job: 404 there is no such job");

    let odd = server();
    odd.on("GET /ingest/j", [Answer::new(200, &[], "<html>")]);
    assert!(refusal(&odd).starts_with("reading the report: "), "{}", refusal(&odd));
    let none = ExportServer::start();
    none.on("GET /fhir/r4/.well-known/smart-configuration", [Answer::new(404, &[], "{}")]);
    assert!(refusal(&none).contains("names no token_endpoint"), "{}", refusal(&none));
}
