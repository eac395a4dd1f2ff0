//! The client's side of Bulk Data Access (<https://hl7.org/fhir/uv/bulkdata/export.html>): has a server export its
//! records, and fetches the files. The same call goes on where an earlier one was ended.

mod file;
mod manifest;
mod state;

use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::server::{Server, ServerAccess, text_of};
use super::{Failure, Progress};
use fhir::{OF_FORM, digest_text};
use file::{NotFetched, Wanted, dated_deletions, outcomes};
use manifest::{FileKind, Manifest, is_address};
use state::{BulkState, RunningExport, StateFolder};

/// The units between two questions for a status, where the server does not say it. Each wait is longer than the one
/// before.
const POLLS: [u64; 6] = [1, 2, 4, 8, 15, 30];
/// The most texts of a kind that are shown.
const MOST_TEXTS: usize = 200;

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

/// The time after which resources have changed that are exported.
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
    /// The types. Empty: all.
    pub types: Vec<String>,
    /// Searches, `Type?name=value`, of which the resources of a type have to match one.
    pub filters: Vec<String>,
    /// The time after which they have changed. `None`: all.
    pub since: Option<BulkSince>,
    /// The proof of the client.
    pub access: ServerAccess,
    /// The folder in which files and state are kept.
    pub state: PathBuf,
    /// The time for which a second of the server stands. It is shorter in tests.
    pub second: Duration,
}

/// An export that was fetched.
#[derive(Debug)]
pub struct FetchedExport {
    /// The files to load, those of deletions last.
    pub files: Vec<PathBuf>,
    /// `transactionTime`.
    pub transaction_time: String,
    /// The time after which resources have changed that it has.
    pub since: Option<String>,
    /// The number of resources, if the server says it of each file.
    pub resources: Option<u64>,
    /// The number of deletions.
    pub deletions: usize,
    /// The errors of the server's export.
    pub errors: Vec<String>,
    /// The other notes of the server.
    pub notes: Vec<String>,
    folder: StateFolder,
    state: BulkState,
}

impl std::fmt::Display for FetchedExport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { files, transaction_time, since, resources, deletions, errors, notes, .. } = self;
        let since = since.as_ref().map(|since| format!(", of what has changed since {since}")).unwrap_or_default();
        write!(f, "the export of {transaction_time}{since}: {} files", files.len())?;
        if let Some(resources) = resources {
            write!(f, ", {resources} resources")?;
        }
        if *deletions > 0 {
            write!(f, ", {deletions} deletions")?;
        }
        for (what, texts) in [("the server could not export", errors), ("the server says", notes)] {
            for text in texts.iter().take(MOST_TEXTS) {
                write!(f, "\n{what}: {text}")?;
            }
            if texts.len() > MOST_TEXTS {
                write!(f, "\n{what}: {} more", texts.len() - MOST_TEXTS)?;
            }
        }
        Ok(())
    }
}

impl BulkExport {
    /// The folder for exports by this address, below another one.
    #[must_use]
    pub fn folder(&self, below: &Path) -> PathBuf {
        below.join(digest_text::<OF_FORM>(self.request()))
    }

    /// The address by which an export begins, without the time.
    fn request(&self) -> String {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
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

    /// Has the server export, and fetches the files.
    ///
    /// # Errors
    /// If the server refuses, fails, or sends other files than its manifest says. What has come is kept, and the same
    /// call goes on with it.
    pub fn fetch(&self, progress: &mut dyn Progress) -> Result<FetchedExport, Failure> {
        let request = self.request();
        let folder = StateFolder::open(&self.state)?;
        let mut state = folder.read(&request)?;
        let mut source = Server::new(&self.base, &self.access, &self.types, self.second);
        let export = match state.export.take() {
            Some(export) => self.checked(export)?,
            None => self.begin(&request, &state, &folder, &mut source, progress)?,
        };
        state.export = Some(export.clone());
        folder.write(&state)?;
        let manifest = match &export.manifest {
            Some(manifest) => manifest.clone(),
            None => match self.poll(&export.status, &mut source, progress) {
                Ok(manifest) => manifest,
                Err(NotFetched::Failure(failure)) => return Err(failure),
                Err(NotFetched::Ended(why)) => return self.ended(state, &folder, &why),
            },
        };
        state.export = Some(RunningExport { manifest: Some(manifest.clone()), ..export.clone() });
        folder.write(&state)?;
        let files = folder.files()?;
        progress.begin("fetching", 0);
        let mut fetched = Vec::new();
        for (number, (kind, entry)) in manifest.files().enumerate() {
            let needs_token = manifest.requires_access_token;
            if needs_token {
                self.check_secrecy(&entry.url)?;
            }
            let wanted = Wanted { kind, entry, number, folder: &files, needs_token };
            match wanted.fetch(&mut source, progress) {
                Ok(path) => fetched.push((kind, path)),
                Err(NotFetched::Failure(failure)) => return Err(failure),
                Err(NotFetched::Ended(why)) => return self.ended(state, &folder, &why),
            }
        }
        self.gathered(&manifest, export.since, &fetched, folder, state)
    }

    /// Forgets an export that the server has ended. The next call begins another one.
    fn ended<T>(&self, state: BulkState, folder: &StateFolder, why: &str) -> Result<T, Failure> {
        folder.remove_files()?;
        folder.write(&BulkState { export: None, ..state })?;
        Err(Failure(format!("{why}\nthe same command begins another export of {}", self.base)))
    }

    /// An export that is under way, if it is the one that is asked for.
    fn checked(&self, export: RunningExport) -> Result<RunningExport, Failure> {
        let is_same = match &self.since {
            Some(BulkSince::Last) => true,
            Some(BulkSince::Instant(since)) => export.since.as_ref() == Some(since),
            None => export.since.is_none(),
        };
        if is_same {
            return Ok(export);
        }
        let since = export.since.map_or_else(|| "of all records".to_owned(), |since| format!("since {since}"));
        Err(Failure(format!(
            "an export {since} is under way in {}: end it by its own command, or remove the folder",
            self.state.display()
        )))
    }

    /// Has the server begin an export.
    fn begin(
        &self,
        request: &str,
        state: &BulkState,
        folder: &StateFolder,
        source: &mut Server<'_>,
        progress: &mut dyn Progress,
    ) -> Result<RunningExport, Failure> {
        folder.remove_files()?;
        let since = match &self.since {
            None => None,
            Some(BulkSince::Instant(since)) => Some(since.clone()),
            Some(BulkSince::Last) => {
                if state.transaction_time.is_none() {
                    progress.say("there was no export before: this one is of all records");
                }
                state.transaction_time.clone()
            }
        };
        let encoded = |text: &String| format!("&_since={}", utf8_percent_encode(text, NON_ALPHANUMERIC));
        let address = format!("{request}{}", since.as_ref().map(encoded).unwrap_or_default());
        let headers = ["Accept: application/fhir+json", "Prefer: respond-async"];
        let response = source.ask(&address, &headers, None, progress)?;
        let status = response.header("content-location").filter(|_| response.status == 202);
        let Some(status) = status else {
            return Err(Failure(format!(
                "{address} begins no export: {}",
                self.said(&response.json(), response.status)
            )));
        };
        self.check_secrecy(status)?;
        Ok(RunningExport { status: status.to_owned(), since, manifest: None })
    }

    /// Checks that a token may go to an address: one of a server at https goes nowhere by http.
    fn check_secrecy(&self, address: &str) -> Result<(), Failure> {
        let is_secret = address.starts_with("https:") || !self.base.starts_with("https:");
        if is_address(address) && is_secret {
            return Ok(());
        }
        Err(Failure(format!("the server names {address}, which is no address for a token")))
    }

    fn said(&self, body: &serde_json::Value, status: u16) -> String {
        format!("{status} {}", text_of(body))
    }

    /// Waits for the manifest.
    fn poll(&self, status: &str, source: &mut Server<'_>, progress: &mut dyn Progress) -> Result<Manifest, NotFetched> {
        let mut said = String::new();
        let mut polls = POLLS.into_iter();
        progress.begin("waiting", 0);
        loop {
            let response = source.ask(status, &["Accept: application/json"], None, progress)?;
            match response.status {
                200 => return Ok(Manifest::parse(&response.body)?),
                202 => {
                    let now = response.header("x-progress").unwrap_or_default();
                    if said != now {
                        progress.say(&format!("the server says: {now}"));
                        now.clone_into(&mut said);
                    }
                    let own = polls.next().unwrap_or(30);
                    source.wait(response.retry_after().unwrap_or(own).max(1));
                }
                _ if response.is_gone() => {
                    return Err(NotFetched::Ended("the server does not know the export any more".to_owned()));
                }
                other if response.is_refusal() => {
                    let text = self.said(&response.json(), other);
                    return Err(Failure(format!("the server does not tell how the export goes on: {text}")).into());
                }
                // A failure of a moment has been asked about again.
                other => {
                    let text = self.said(&response.json(), other);
                    return Err(NotFetched::Ended(format!("the export has failed: {text}")));
                }
            }
        }
    }

    fn gathered(
        &self,
        manifest: &Manifest,
        since: Option<String>,
        fetched: &[(FileKind, PathBuf)],
        folder: StateFolder,
        state: BulkState,
    ) -> Result<FetchedExport, Failure> {
        let of = |wanted: FileKind| fetched.iter().filter(move |(kind, _)| *kind == wanted).map(|(_, path)| path);
        let mut files: Vec<_> = of(FileKind::Output).cloned().collect();
        let mut deletions = 0;
        for path in of(FileKind::Deleted) {
            let dated = path.with_file_name(format!("deleted-{}.ndjson", files.len()));
            deletions += dated_deletions(path, &dated, &manifest.transaction_time)?;
            files.push(dated);
        }
        let mut said = [Vec::new(), Vec::new()];
        for path in of(FileKind::Error) {
            let (errors, notes): (Vec<_>, _) = outcomes(path)?.into_iter().partition(|(is_error, _)| *is_error);
            said.iter_mut().zip([errors, notes]).for_each(|(all, some)| all.extend(some));
        }
        let [errors, notes] = said.map(|said| said.into_iter().map(|(_, text)| text).collect());
        let resources = manifest.output.iter().map(|file| file.count).sum();
        let transaction_time = manifest.transaction_time.clone();
        Ok(FetchedExport { files, transaction_time, since, resources, deletions, errors, notes, folder, state })
    }

    /// Notes that an export was loaded: the next one since the last begins where it ends. Its files are removed at the
    /// server, and here too unless they are to be kept until then.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn finish(&self, fetched: FetchedExport, keeps: bool, progress: &mut dyn Progress) -> Result<(), Failure> {
        let FetchedExport { folder, state, transaction_time, .. } = fetched;
        let status = state.export.map(|export| export.status);
        let state = BulkState { transaction_time: Some(transaction_time), export: None, ..state };
        folder.write(&state)?;
        if !keeps {
            folder.remove_files()?;
        }
        let mut source = Server::new(&self.base, &self.access, &self.types, self.second);
        // A server that keeps it forgets it by itself.
        let _ = status.map(|status| source.ask(&status, &["Accept: application/json"], Some("DELETE"), progress));
        Ok(())
    }
}
