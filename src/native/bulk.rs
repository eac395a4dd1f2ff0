//! A client of Bulk Data Access (<https://hl7.org/fhir/uv/bulkdata/export.html>): starts an export on a server, and
//! downloads the files. An interrupted call leaves nothing that the next one uses.

use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::http::{Request, encoded};
use super::input::InputDocuments;
use super::server::{Server, ServerAccess, text_of};
use super::{Failure, Progress, private};
use fhir::{OF_FORM, digest_text};

/// The seconds between two requests for a status, if the server names no time. The last number repeats.
const POLLS: [u64; 6] = [1, 2, 4, 8, 15, 30];
/// The number of times that a file is fetched if it differs from what the manifest says.
const TIMES: u32 = 3;
/// The maximum number of the server's texts that are shown.
const MAX_TEXTS: usize = 200;

/// Whose records are exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkLevel {
    /// All records.
    System,
    /// The records of all patients.
    Patient,
    /// The records of the patients of a Group, by its id.
    Group(String),
}

/// The time after which the exported resources have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkSince {
    /// The time of the last export of the folder.
    Last,
    /// An instant.
    Instant(String),
}

/// An export to be fetched.
#[derive(Debug)]
pub struct BulkExport {
    /// The FHIR base of the server, without a slash at its end.
    pub base: String,
    /// Whose records.
    pub level: BulkLevel,
    /// The types. An empty list means all types.
    pub types: Vec<String>,
    /// Searches of the form `Type?name=value`. A resource must match one of the searches for its type.
    pub filters: Vec<String>,
    /// The time after which the exported resources have changed. `None` exports all.
    pub since: Option<BulkSince>,
    /// The client's access to the server.
    pub access: ServerAccess,
    /// The folder of the files, and of the time of the last export.
    pub state: PathBuf,
    /// The duration of a wait of one second. It is shorter in tests.
    pub second: Duration,
}

/// An export that was fetched.
#[derive(Debug, Default)]
pub struct FetchedExport {
    /// The files to load, files of deletions last.
    pub files: Vec<PathBuf>,
    /// `transactionTime`.
    pub transaction_time: String,
    /// The number of resources.
    pub resources: usize,
    /// The number of deletions.
    pub deletions: usize,
    /// What the server could not export.
    pub errors: Vec<String>,
    /// The other notes of the server.
    pub notes: Vec<String>,
    lock: Option<File>,
}

impl std::fmt::Display for FetchedExport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { files, transaction_time, resources, deletions, errors, notes, .. } = self;
        write!(f, "the export of {transaction_time}: {} files, {resources} resources, ", files.len())?;
        write!(f, "{deletions} deletions")?;
        for (what, texts) in [("the server could not export", errors), ("the server says", notes)] {
            texts.iter().take(MAX_TEXTS).try_for_each(|text| write!(f, "\n{what}: {text}"))?;
            if texts.len() > MAX_TEXTS {
                write!(f, "\n{what}: {} more", texts.len() - MAX_TEXTS)?;
            }
        }
        Ok(())
    }
}

/// The manifest of an export (<https://hl7.org/fhir/uv/bulkdata/export.html#response---complete-status>).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    transaction_time: String,
    #[serde(default)]
    requires_access_token: bool,
    output: Vec<ManifestFile>,
    #[serde(default)]
    deleted: Vec<ManifestFile>,
    #[serde(default)]
    error: Vec<ManifestFile>,
    /// The name of `error` in Bulk Data Access 4.0. A manifest may have both.
    #[serde(default)]
    outcome: Vec<ManifestFile>,
    /// The pages of the manifest.
    #[serde(default)]
    link: Value,
}

#[derive(Debug, Deserialize)]
struct ManifestFile {
    #[serde(rename = "type")]
    resource_type: Option<String>,
    url: String,
    count: Option<usize>,
}

impl BulkExport {
    /// Returns the folder for exports with this address, inside another folder.
    pub fn folder(&self, below: &Path) -> PathBuf {
        below.join(digest_text::<OF_FORM>(self.request()))
    }

    /// Returns the address that starts the export, without the time.
    fn request(&self) -> String {
        let path = match &self.level {
            BulkLevel::System => "$export".to_owned(),
            BulkLevel::Patient => "Patient/$export".to_owned(),
            BulkLevel::Group(id) => format!("Group/{}/$export", encoded(id).replace("%2D", "-").replace("%2E", ".")),
        };
        let mut query = format!("?_outputFormat={}", encoded("application/fhir+ndjson"));
        if !self.types.is_empty() {
            query.push_str(&format!("&_type={}", encoded(&self.types.join(","))));
        }
        self.filters.iter().for_each(|filter| query.push_str(&format!("&_typeFilter={}", encoded(filter))));
        format!("{}/{path}{query}", self.base)
    }

    /// Starts an export on the server, fetches the files, and has the server delete them.
    ///
    /// # Errors
    /// If the server refuses or fails, or if the files differ from what its manifest says.
    pub fn fetch(&self, progress: &mut dyn Progress) -> Result<FetchedExport, Failure> {
        let lock = self.lock(progress)?;
        self.remove_files()?;
        let mut server = Server::new(&self.base, &self.access, &self.types, self.second);
        let status = self.begin(&mut server, progress)?;
        let manifest = self.poll(&status, &mut server, progress)?;
        let fetched = self.fetch_files(&manifest, &mut server, progress);
        // If this fails, the server deletes the files later by itself.
        let _ = server.ask(&status, &["Accept: application/json"], Some("DELETE"), progress);
        Ok(FetchedExport { lock: Some(lock), ..fetched? })
    }

    /// Records that an export was loaded: the next export with [`BulkSince::Last`] begins at its time. Removes the
    /// files unless they are to be kept until that export.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn finish(&self, fetched: FetchedExport, keeps: bool) -> Result<(), Failure> {
        let FetchedExport { transaction_time, lock: _lock, .. } = fetched;
        let file = self.state.join("time");
        let written = private::write(&file, transaction_time.as_bytes());
        written.map_err(Failure::doing(format!("writing {}", file.display())))?;
        if keeps { Ok(()) } else { self.remove_files() }
    }

    /// Creates the folder, which only its owner may read, and waits until no other command uses it.
    fn lock(&self, progress: &mut dyn Progress) -> Result<File, Failure> {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let file = self.state.join("lock");
        let made = builder.recursive(true).create(self.state.join("files")).and_then(|()| private::create(&file));
        let lock = made.map_err(Failure::doing(format!("the folder {}", self.state.display())))?;
        if lock.try_lock().is_err() {
            progress.say(&format!("another command uses {}: this one waits", self.state.display()));
            lock.lock().map_err(Failure::doing(format!("locking {}", file.display())))?;
        }
        Ok(lock)
    }

    fn remove_files(&self) -> Result<(), Failure> {
        let doing = || format!("removing the files in {}", self.state.display());
        for entry in std::fs::read_dir(self.state.join("files")).map_err(Failure::doing(doing()))? {
            entry.and_then(|entry| std::fs::remove_file(entry.path())).map_err(Failure::doing(doing()))?;
        }
        Ok(())
    }

    /// Returns the time after which the exported resources have changed. `None` exports all.
    fn since(&self, progress: &mut dyn Progress) -> Result<Option<String>, Failure> {
        let file = self.state.join("time");
        match &self.since {
            None => Ok(None),
            Some(BulkSince::Instant(since)) => Ok(Some(since.clone())),
            Some(BulkSince::Last) => match std::fs::read_to_string(&file) {
                Ok(time) if !time.is_empty() => Ok(Some(time)),
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(Failure(format!("reading {}: {error}", file.display())))
                }
                Ok(_) | Err(_) => {
                    progress.say("there was no export before: this one is of all records");
                    Ok(None)
                }
            },
        }
    }

    /// Starts an export on the server. Returns the address of its status.
    fn begin(&self, server: &mut Server<'_>, progress: &mut dyn Progress) -> Result<String, Failure> {
        let since = self.since(progress)?.map(|since| format!("&_since={}", encoded(&since)));
        let address = format!("{}{}", self.request(), since.unwrap_or_default());
        let headers = ["Accept: application/fhir+json", "Prefer: respond-async"];
        let response = server.ask(&address, &headers, None, progress)?;
        let Some(status) = response.header("content-location").filter(|_| response.status == 202) else {
            let said = text_of(&response.json());
            return Err(Failure(format!("{address} begins no export: {} {said}", response.status)));
        };
        self.check_secrecy(status)?;
        Ok(status.to_owned())
    }

    /// Checks that a token may be sent to an address: a token of an https server is never sent over http.
    fn check_secrecy(&self, address: &str) -> Result<(), Failure> {
        let is_secret = address.starts_with("https:") || !self.base.starts_with("https:");
        if is_address(address) && is_secret {
            return Ok(());
        }
        Err(Failure(format!("the server names {address}, which is no address for a token")))
    }

    fn poll(&self, status: &str, server: &mut Server<'_>, progress: &mut dyn Progress) -> Result<Manifest, Failure> {
        let mut said = String::new();
        let mut polls = POLLS.into_iter();
        progress.begin("waiting", 0);
        loop {
            let response = server.ask(status, &["Accept: application/json"], None, progress)?;
            match response.status {
                200 => return self.parsed(&response.body),
                202 => {
                    let now = response.header("x-progress").unwrap_or_default();
                    if said != now {
                        progress.say(&format!("the server says: {now}"));
                        now.clone_into(&mut said);
                    }
                    let own = polls.next().unwrap_or(30);
                    server.wait(response.retry_after().unwrap_or(own).max(1));
                }
                other => {
                    let said = text_of(&response.json());
                    return Err(Failure(format!("the export has failed: {other} {said}")));
                }
            }
        }
    }

    /// Reads a manifest, and checks that each file has an absolute HTTP address.
    fn parsed(&self, body: &[u8]) -> Result<Manifest, Failure> {
        let manifest: Manifest = serde_json::from_slice(body).map_err(Failure::doing("reading the manifest"))?;
        let Manifest { output, deleted, error, outcome, link, .. } = &manifest;
        if link
            .as_array()
            .into_iter()
            .flatten()
            .any(|link| link.get("relation").is_some_and(|relation| relation == "next"))
        {
            return Err(Failure("the manifest has several pages, which are not read".to_owned()));
        }
        for ManifestFile { url, .. } in output.iter().chain(deleted).chain(error).chain(outcome) {
            if !is_address(url) {
                return Err(Failure(format!("the manifest has {url}, which is no address of a file")));
            }
            if manifest.requires_access_token {
                self.check_secrecy(url)?;
            }
        }
        Ok(manifest)
    }

    fn fetch_files<'a>(
        &'a self,
        manifest: &Manifest,
        server: &mut Server<'a>,
        progress: &mut dyn Progress,
    ) -> Result<FetchedExport, Failure> {
        let Manifest { transaction_time, output, deleted, error, outcome, .. } = manifest;
        let mut fetched = FetchedExport { transaction_time: transaction_time.clone(), ..FetchedExport::default() };
        let mut open = Server::new(&self.base, &ServerAccess::Open, &[], self.second);
        let server = if manifest.requires_access_token { server } else { &mut open };
        let folder = self.state.join("files");
        progress.begin("fetching", 0);
        for (number, file) in output.iter().enumerate() {
            let path = folder.join(format!("{number:06}.ndjson"));
            fetched.resources += file.fetch(file.resource_type.as_deref(), &path, server, progress)?;
            fetched.files.push(path);
        }
        let path = folder.join("fetched.ndjson");
        for (number, file) in deleted.iter().enumerate() {
            file.fetch(Some("Bundle"), &path, server, progress)?;
            let dated = folder.join(format!("deleted-{number:06}.ndjson"));
            fetched.deletions += dated_deletions(&path, &dated, transaction_time)?;
            fetched.files.push(dated);
        }
        for file in error.iter().chain(outcome) {
            file.fetch(Some("OperationOutcome"), &path, server, progress)?;
            for outcome in resources(&path)? {
                let outcome = outcome.map_err(Failure)?;
                let issues = outcome.get("issue").and_then(Value::as_array).into_iter().flatten();
                let mut severities = issues.filter_map(|issue| issue.get("severity")?.as_str());
                let is_error = severities.any(|severity| matches!(severity, "error" | "fatal"));
                let texts = if is_error { &mut fetched.errors } else { &mut fetched.notes };
                texts.push(text_of(&outcome));
            }
        }
        Ok(fetched)
    }
}

impl ManifestFile {
    /// Fetches the file until it is complete: each line is a resource of its type, and the number of lines agrees with
    /// the manifest. Returns the number of resources.
    fn fetch(
        &self,
        resource_type: Option<&str>,
        path: &Path,
        server: &mut Server<'_>,
        progress: &mut dyn Progress,
    ) -> Result<usize, Failure> {
        let (url, headers) = (&self.url, ["Accept: application/fhir+ndjson".to_owned()]);
        for _ in 0..TIMES {
            private::create(path).map_err(Failure::doing(format!("writing {}", path.display())))?;
            let request = Request { address: url, headers: &headers, output: Some(path), ..Request::default() };
            let response = server.send(request, progress)?;
            if response.status != 200 {
                return Err(Failure(format!("{url} is refused: {}", response.status)));
            }
            match self.check(resource_type, path) {
                Ok(count) => return Ok(count),
                Err(why) => progress.say(&format!("{url} is not what the manifest says: {why}")),
            }
        }
        Err(Failure(format!("{url} is not what the manifest says, {TIMES} times")))
    }

    fn check(&self, resource_type: Option<&str>, path: &Path) -> Result<usize, Failure> {
        let mut count = 0;
        for resource in resources(path)? {
            let resource = resource.map_err(Failure)?;
            let found = resource.get("resourceType").and_then(Value::as_str);
            if found.is_none() || resource_type.is_some_and(|wanted| found != Some(wanted)) {
                return Err(Failure(format!("a resource is of type {}", found.unwrap_or("none"))));
            }
            count += 1;
        }
        match self.count {
            Some(said) if said != count => {
                Err(Failure(format!("it has {count} resources, and the manifest says {said}")))
            }
            Some(_) | None => Ok(count),
        }
    }
}

/// Returns whether a text is an absolute HTTP address.
fn is_address(text: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()))
}

/// Returns the resources of a file, each parsed, or the line and the reason why it cannot be read.
fn resources(path: &Path) -> Result<impl Iterator<Item = Result<Value, String>>, Failure> {
    Ok(InputDocuments::open(path)?.map(|document| {
        let document = document.map_err(|(line, why)| format!("line {}: {why}", line + 1))?;
        serde_json::from_str(&document.text).map_err(|error| format!("line {}: {error}", document.line + 1))
    }))
}

/// Writes the Bundles of a file of deletions. A Bundle without a time gets the time of the export: a resource that is
/// stored again later is newer than its deletion. Returns the number of deletions.
fn dated_deletions(from: &Path, to: &Path, transaction_time: &str) -> Result<usize, Failure> {
    let doing = || format!("writing {}", to.display());
    let mut file = private::create(to).map_err(Failure::doing(doing()))?;
    let mut count = 0;
    for bundle in resources(from)? {
        let mut bundle = bundle.map_err(Failure)?;
        count += bundle.get("entry").and_then(Value::as_array).map_or(0, Vec::len);
        if let Some(members) = bundle.as_object_mut() {
            members.entry("timestamp").or_insert_with(|| transaction_time.into());
        }
        writeln!(file, "{bundle}").map_err(Failure::doing(doing()))?;
    }
    Ok(count)
}
