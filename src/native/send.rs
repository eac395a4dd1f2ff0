//! Sends files to the address `/ingest` of a server, and waits for their jobs. Each request has a key that is derived
//! from its content, so that a repeated command continues where an earlier one stopped.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::Failure;
use super::http::{Request, encoded};
use super::input::{InputDocument, InputDocuments, files};
use super::load::{ILLEGAL_IDS, NOBODYS, NOT_SERVED, Progress, write_counts};
use super::server::{Server, ServerAccess, text_of};
use fhir::{DigestOfParts, joined};
use ingest::{
    FileReport, Intake, MAX_INLINE_LENGTH, Parsed, RejectedResource, Rejection, Splitter, entries, line_of,
    on_one_line, take,
};
use job::Report;

/// The size of a request, in bytes before compression.
const REQUEST: usize = 32 << 20;
/// The longest document that is sent as a whole. The entries of a longer Bundle are sent one by one.
const MAX_DOCUMENT_LENGTH: usize = 4 << 20;
/// The time between two requests for the status of a job.
const POLL: Duration = Duration::from_millis(300);

/// The server that files are sent to, and the client that sends them.
#[derive(Debug)]
pub struct Sender {
    /// The address of the server, without a slash at its end.
    pub server: String,
    /// The `client_id`.
    pub client: String,
    /// The access of the client.
    pub access: ServerAccess,
    /// True if files that were sent before are sent again.
    pub again: bool,
    /// The FHIR base of the server that the records come from.
    pub source_base: Option<String>,
    /// The duration of a wait of one second. It is shorter in tests.
    pub second: Duration,
}

/// The result of sending files.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The merged reports of all jobs. Their locations are locations in the files.
    pub report: FileReport,
    /// The number of jobs.
    pub jobs: usize,
}

/// The lines of a request, and their origins.
#[derive(Debug, Default)]
struct Batch {
    text: String,
    /// The file and the line from which each line comes.
    origins: Vec<(usize, usize)>,
}

impl Batch {
    fn push(&mut self, line: &str, origin: (usize, usize)) {
        self.text.push_str(line);
        self.text.push('\n');
        self.origins.push(origin);
    }
}

impl Sender {
    /// Sends the files and folders, and waits for their jobs.
    ///
    /// # Errors
    /// If a file cannot be read, or the server does not accept it. Files that were sent before are loaded.
    pub fn send(&self, paths: &[PathBuf], progress: &mut dyn Progress) -> Result<Sent, Failure> {
        let files = files(paths)?;
        let bytes = files.iter().map(|file| std::fs::metadata(file).map_or(0, |data| data.len())).sum();
        progress.begin("sending", bytes);
        let mut sent = Sent::default();
        // The token is requested first, so that a refused client fails before a file is read.
        let base = format!("{}/fhir/r4", self.server);
        let mut server = Server::new(&base, &self.access, &[], self.second);
        server.authorization(progress)?;
        // The id of each job, and the origins of its lines.
        let mut jobs = Vec::new();
        let mut batch = Batch::default();
        let mut before = 0;
        for (at, file) in files.iter().enumerate() {
            for document in InputDocuments::open(file)? {
                let InputDocument { text, line, read } = match document {
                    Ok(document) => document,
                    Err((line, why)) => {
                        sent.report.faults.push(fault(file, line, &why));
                        continue;
                    }
                };
                progress.at(before + read);
                for (line, why) in add(&mut batch, &text, (at, line)) {
                    sent.report.faults.push(fault(file, line, &why));
                }
                if batch.text.len() >= REQUEST {
                    let full = std::mem::take(&mut batch);
                    jobs.push((self.post(&full, &mut server, progress)?, full.origins));
                }
            }
            before += std::fs::metadata(file).map_or(0, |data| data.len());
        }
        if !batch.text.is_empty() {
            jobs.push((self.post(&batch, &mut server, progress)?, batch.origins));
        }
        sent.jobs = jobs.len();
        progress.begin("loading", jobs.len() as u64);
        for (done, (id, origins)) in jobs.iter().enumerate() {
            let mut report = self.wait(id, &mut server, progress)?;
            for fault in &mut report.faults {
                fault.location = located(&fault.location, origins, &files);
            }
            sent.report = std::mem::take(&mut sent.report).and(report);
            progress.at(done as u64 + 1);
        }
        Ok(sent)
    }

    /// Sends a request, and returns the id of its job.
    fn post(&self, batch: &Batch, server: &mut Server<'_>, progress: &mut dyn Progress) -> Result<String, Failure> {
        let again = if self.again { std::process::id().to_string() } else { String::new() };
        let key = format!("{}{again}", DigestOfParts::of(&[&self.client, &batch.text]).text::<32>());
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(batch.text.as_bytes()).map_err(Failure::doing("compressing"))?;
        let body = gzip.finish().map_err(Failure::doing("compressing"))?;
        let headers = [
            "Content-Type: application/fhir+ndjson".to_owned(),
            "Content-Encoding: gzip".to_owned(),
            format!("Idempotency-Key: {key}"),
        ];
        let query = self.source_base.as_ref().map(|base| format!("?source-base={}", encoded(base)));
        let address = format!("{}/ingest{}", self.server, query.unwrap_or_default());
        let request = Request { address: &address, headers: &headers, body: Some(&body), ..Request::default() };
        let answer = server.send(request, progress)?;
        let body = answer.json();
        let id = body.get("id").and_then(Value::as_str).filter(|_| answer.status == 202).map(str::to_owned);
        let refused = || Failure(format!("the server does not accept the file: {} {}", answer.status, text_of(&body)));
        id.ok_or_else(refused)
    }

    /// Waits for the end of a job, and returns its report.
    fn wait(&self, id: &str, server: &mut Server<'_>, progress: &mut dyn Progress) -> Result<FileReport, Failure> {
        let address = format!("{}/ingest/{id}", self.server);
        loop {
            let answer = server.ask(&address, &[], None, progress)?;
            match answer.status {
                200 => return serde_json::from_slice(&answer.body).map_err(Failure::doing("reading the report")),
                202 => std::thread::sleep(POLL),
                status => {
                    let said = text_of(&answer.json());
                    return Err(Failure(format!(
                        "the server does not answer with the state of the job: {status} {said}"
                    )));
                }
            }
        }
    }
}

/// Adds a document to a batch: as one line, or, if it is long, as a line for each entry. Returns the faults of entries
/// that are not sent, each with its line.
fn add(batch: &mut Batch, text: &str, (file, line): (usize, usize)) -> Vec<(usize, String)> {
    if text.len() <= MAX_DOCUMENT_LENGTH {
        batch.push(&on_one_line(text), (file, line));
        return Vec::new();
    }
    let (mut number, mut counted, mut faults) = (line, 0, Vec::new());
    // Documents do not count towards the length of the text, and are put back into the lines.
    let (split, blocks) = Splitter::split(Some(MAX_INLINE_LENGTH), text.as_bytes());
    let text = &*String::from_utf8_lossy(&split);
    let blocks: HashMap<_, _> = blocks.into_iter().map(|taken| (taken.block, taken.bytes)).collect();
    for (at, _, parsed) in entries(text, Intake::Store).into_iter().map(take) {
        number += line_of(text.get(counted..).unwrap_or_default(), at.saturating_sub(counted));
        counted = counted.max(at);
        match parsed {
            Ok(mut parsed) => {
                if let Parsed::Resource(resource) = &mut parsed {
                    faults.extend(resource.omit_documents().into_iter().map(|why| (number, why)));
                }
                match joined(&parsed.to_line(), |block| blocks.get(block).cloned().ok_or(block.hash.clone())) {
                    Ok(text) => batch.push(&text, (file, number)),
                    Err(hash) => faults.push((number, format!("a part of its document is missing: {hash}"))),
                }
            }
            // The line lets the server count the resource.
            Err(Rejection::NotServed(resource_type)) => {
                batch.push(&json!({"resourceType": resource_type}).to_string(), (file, number));
            }
            Err(Rejection::IllegalId(resource_type)) => {
                batch.push(&json!({"resourceType": resource_type.name(), "id": ""}).to_string(), (file, number));
            }
            Err(Rejection::Fault(why)) => faults.push((number, why)),
        }
    }
    faults
}

fn fault(file: &Path, line: usize, why: &str) -> RejectedResource {
    RejectedResource { location: format!("{}:{}", file.display(), line + 1), why: why.to_owned() }
}

/// Returns the location in a file for a location in a batch, such as `line 3, Bundle.entry[1]`.
fn located(location: &str, origins: &[(usize, usize)], files: &[PathBuf]) -> String {
    let rest = location.strip_prefix("line ").unwrap_or_default();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, path) = rest.split_at_checked(end).unwrap_or_default();
    let origin = number.parse::<usize>().ok().and_then(|number| origins.get(number.checked_sub(1)?));
    let file = origin.and_then(|(file, line)| Some((files.get(*file)?, line)));
    file.map_or_else(|| location.to_owned(), |(file, line)| format!("{}:{}{path}", file.display(), line + 1))
}

impl std::fmt::Display for Sent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let FileReport { new, changed, same, older, deleted, unresolved, not_served, faults, more_faults, .. } =
            &self.report;
        let all = new + changed + same;
        writeln!(f, "{all} resources in {} jobs: {new} new, {changed} changed, {same} as before", self.jobs)?;
        write_counts(f, NOT_SERVED, not_served)?;
        write_counts(f, ILLEGAL_IDS, &self.report.illegal_ids)?;
        for (count, what) in [
            (older, "older than what is kept, left out"),
            (deleted, "deleted"),
            (unresolved, "references to resources that the server does not have"),
        ] {
            if *count > 0 {
                writeln!(f, "{what}: {count}")?;
            }
        }
        if older > &0 {
            writeln!(f, "  such as {}", self.report.older_resources.join(", "))?;
        }
        write_counts(f, NOBODYS, &self.report.nobodys)?;
        write!(f, "faults: {}", faults.len() + more_faults)
    }
}

#[cfg(test)]
mod tests {
    use base64ct::{Base64, Encoding};

    use super::*;

    #[test]
    fn a_resource_with_a_long_document_is_sent_as_it_is() {
        let data = Base64::encode_string(&vec![5; 4 << 20]);
        let binary = json!({"resourceType": "Binary", "id": "b", "contentType": "application/pdf", "data": data});
        let mut batch = Batch::default();
        assert!(add(&mut batch, &binary.to_string(), (0, 0)).is_empty());
        assert!(batch.text == format!("{binary}\n"));
        let bundle = json!({"resourceType": "Bundle", "entry": [{"resource": binary}, {"resource": binary}]});
        assert!(add(&mut batch, &bundle.to_string(), (0, 1)).is_empty());
        let last: Value = serde_json::from_str(batch.text.lines().last().unwrap()).unwrap();
        assert!(last["entry"][0]["resource"] == binary && batch.origins.len() == 3);
    }

    #[test]
    fn a_document_that_is_too_long_is_left_out_of_its_resource() {
        let data = "A".repeat(4 * (fhir::MAX_DOCUMENT_LENGTH as usize / 3 + 1));
        let text = format!(r#"{{"resourceType":"Binary","id":"b","contentType":"text/plain","data":"{data}"}}"#);
        let mut batch = Batch::default();
        let faults = add(&mut batch, &text, (0, 0));
        assert!(faults.len() == 1 && faults[0].1.starts_with("data has "), "{faults:?}");
        assert!(batch.text.contains(r#""_data":{"extension""#) && batch.text.len() < 1_000, "{}", batch.text);
    }

    #[test]
    fn a_document_is_a_line_and_a_long_one_a_line_for_each_entry() {
        let mut batch = Batch::default();
        add(&mut batch, "{\n \"resourceType\": \"Patient\"}", (0, 4));
        assert_eq!((batch.text.as_str(), &batch.origins[..]), ("{  \"resourceType\": \"Patient\"}\n", &[(0, 4)][..]));
        let blanks = " ".repeat(MAX_DOCUMENT_LENGTH);
        let long = format!(
            "{{\"resourceType\":\"Bundle\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"entry\":[\n{{\"fullUrl\":\"urn:uuid:a\",\
             \"resource\":{{\"resourceType\":\"Patient\",\n\"id\":\"a\"}}}},{blanks}\n7,\n{{\"resource\":{{\"resourceType\":\"Group\",\"id\":\"g\",\"member\":[{{\"entity\":\
             {{\"reference\":\"urn:uuid:a\"}}}}]}}}},\n{{\"request\":{{\"method\":\
             \"DELETE\",\"url\":\"Patient/b\"}}}}]}}"
        );
        let faults = add(&mut batch, &long, (1, 0));
        let lines: Vec<_> = batch.text.lines().skip(1).collect();
        assert_eq!(batch.origins[1..], [(1, 1), (1, 4), (1, 5)]);
        let resource = |at: usize| {
            let document: Value = serde_json::from_str(lines[at]).unwrap();
            document["entry"][0]["resource"].clone()
        };
        assert_eq!(resource(0), json!({"resourceType": "Patient", "id": "a"}));
        let member = json!([{"entity": {"reference": "Patient/a"}}]);
        assert_eq!(resource(1), json!({"resourceType": "Group", "id": "g", "member": member}));
        assert!(lines[2].contains("\"timestamp\":\"2026-01-01T00:00:00Z\""));
        assert_eq!(faults, [(3, "it is not an object, and no entry".to_owned())]);
        let files = [PathBuf::from("a.json"), PathBuf::from("b.json")];
        assert_eq!(located("line 4, Bundle.entry[0]", &batch.origins, &files), "b.json:6, Bundle.entry[0]");
        assert_eq!(
            [located("the file", &batch.origins, &files), located("line 9", &batch.origins, &files)],
            ["the file", "line 9"]
        );
    }
}
