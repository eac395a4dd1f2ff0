//! The download of one file of a bulk export: it goes on where it was cut, and is taken when it is whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::Value;

use super::manifest::{FileKind, ManifestFile};
use crate::http::{self, Downloaded};
use crate::server::{Server, Tries, text_of};
use crate::{Failure, Progress, private};

/// The times that a file is downloaded which is not what the manifest says.
const TIMES: u32 = 3;
/// The first bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A file of a manifest, and where it is kept.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The kind of its lines.
    pub kind: FileKind,
    /// The entry of the file in the manifest.
    pub entry: &'a ManifestFile,
    /// The number of the entry.
    pub number: usize,
    /// The folder of the files.
    pub folder: &'a Path,
    /// True if the server wants its token with it.
    pub needs_token: bool,
}

/// The reason why a file did not come.
#[derive(Debug)]
pub enum NotFetched {
    /// The export has ended, for this reason: there are no files any more.
    Ended(String),
    /// Another failure. What has come is kept.
    Failure(Failure),
}

impl From<Failure> for NotFetched {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Wanted<'_> {
    fn path(&self, end: &str) -> PathBuf {
        // The name of a type comes from the server.
        let name: String = match self.kind {
            FileKind::Output => self.entry.resource_type.iter().flat_map(|name| name.chars()).collect(),
            FileKind::Deleted => "deleted".to_owned(),
            FileKind::Error => "error".to_owned(),
        };
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).take(64).collect();
        self.folder.join(format!("{:06}-{name}{end}", self.number))
    }

    /// The file, if it was fetched before.
    #[must_use]
    pub fn fetched(&self) -> Option<PathBuf> {
        [".ndjson", ".ndjson.gz"].map(|end| self.path(end)).into_iter().find(|path| path.exists())
    }

    /// Fetches the file, unless it was fetched before.
    ///
    /// # Errors
    /// If the server does not send it, or sends another one than the manifest says.
    pub fn fetch(&self, source: &mut Server<'_>, progress: &mut dyn Progress) -> Result<PathBuf, NotFetched> {
        if let Some(path) = self.fetched() {
            return Ok(path);
        }
        let (part, url) = (self.path(".part"), &self.entry.url);
        private::create_missing(&part).map_err(Failure::doing(format!("writing {}", part.display())))?;
        let (mut tries, mut renewed, mut wrong) = (Tries::default(), false, 0);
        loop {
            let before = length(&part);
            let downloaded = self.download(&part, source, progress)?;
            let wait = match downloaded {
                Downloaded::Refused(response) if response.is_past_the_end() && before > 0 => None,
                Downloaded::Refused(response) if response.is_unauthorized() && !renewed && source.forget_token() => {
                    renewed = true;
                    continue;
                }
                Downloaded::Refused(response) if response.is_gone() => {
                    return Err(NotFetched::Ended("its files are gone".to_owned()));
                }
                Downloaded::Refused(response) if response.is_busy() => Some(response.retry_after()),
                Downloaded::Refused(response) if response.has_failed() => {
                    if !tries.fails() {
                        return Err(Failure(format!("{url}: the server fails: {}", response.status)).into());
                    }
                    Some(response.retry_after())
                }
                Downloaded::Refused(response) => {
                    return Err(Failure(format!("{url} is refused: {}", response.status)).into());
                }
                Downloaded::FromBeginning => {
                    emptied(&part)?;
                    Some(Some(0))
                }
                Downloaded::Cut(why) => {
                    if length(&part) > before {
                        tries.succeed();
                        renewed = false;
                    }
                    if !tries.fails() {
                        return Err(Failure(format!("{url}: {why}")).into());
                    }
                    Some(None)
                }
                Downloaded::Whole => None,
            };
            if let Some(wait) = wait {
                source.wait(wait.unwrap_or_else(|| tries.wait()));
                continue;
            }
            let Err(why) = self.check(&part) else { return Ok(self.take(&part)?) };
            wrong += 1;
            emptied(&part)?;
            if wrong == TIMES {
                return Err(Failure(format!("{url} is not what the manifest says, {TIMES} times: {why}")).into());
            }
            progress.say(&format!("{url} is fetched again: {why}"));
        }
    }

    /// Downloads what is missing, of the same form of the file where the server has named it.
    fn download(
        &self,
        part: &Path,
        source: &mut Server<'_>,
        progress: &mut dyn Progress,
    ) -> Result<Downloaded, Failure> {
        let (head, form) = (self.path(".head"), self.path(".form"));
        keep_form(&head, &form)?;
        let mut headers = vec!["Accept: application/fhir+ndjson".to_owned(), "Accept-Encoding: gzip".to_owned()];
        if self.needs_token {
            headers.extend(source.authorization(progress)?);
        }
        if length(part) == 0 {
            let _ = std::fs::remove_file(&form);
        } else if let Ok(tag) = std::fs::read_to_string(&form) {
            headers.push(format!("If-Range: {tag}"));
        }
        private::create(&head).map_err(Failure::doing(format!("writing {}", head.display())))?;
        let downloaded = http::download(&self.entry.url, &headers, part, &head)?;
        keep_form(&head, &form)?;
        Ok(downloaded)
    }

    /// Checks that a file is whole: each line is a resource of its type, and there are as many as the manifest says.
    fn check(&self, part: &Path) -> Result<(), String> {
        #[derive(Deserialize)]
        struct Line<'a> {
            #[serde(rename = "resourceType", borrow)]
            resource_type: std::borrow::Cow<'a, str>,
        }
        let wanted = match self.kind {
            FileKind::Output => self.entry.resource_type.as_deref(),
            FileKind::Deleted => Some("Bundle"),
            FileKind::Error => Some("OperationOutcome"),
        };
        let mut count = 0;
        for_each_line(part, &mut |number, line| {
            let parsed: Line<'_> = serde_json::from_slice(line).map_err(|error| format!("line {number}: {error}"))?;
            if wanted.is_some_and(|wanted| wanted != parsed.resource_type) {
                return Err(format!("line {number} is of type {}", parsed.resource_type));
            }
            count += 1;
            Ok(())
        })?;
        match self.entry.count {
            Some(said) if said != count => Err(format!("it has {count} resources, and the manifest says {said}")),
            Some(_) | None => Ok(()),
        }
    }

    /// Gives a file that is whole its name.
    fn take(&self, part: &Path) -> Result<PathBuf, Failure> {
        let doing = || format!("reading {}", part.display());
        let mut first = [0; 2];
        let read = File::open(part).and_then(|mut file| file.read(&mut first)).map_err(Failure::doing(doing()))?;
        let path = self.path(if read == 2 && first == GZIP { ".ndjson.gz" } else { ".ndjson" });
        std::fs::rename(part, &path).map_err(Failure::doing(doing()))?;
        for end in [".head", ".form"] {
            let _ = std::fs::remove_file(self.path(end));
        }
        Ok(path)
    }
}

/// The length of a file.
fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |data| data.len())
}

fn emptied(path: &Path) -> Result<(), Failure> {
    private::create(path).map(|_| ()).map_err(Failure::doing(format!("writing {}", path.display())))
}

/// Keeps the strong validator of a file that has begun to come, so that no other form of it is put behind it (RFC 9110,
/// section 13.1.5).
fn keep_form(head: &Path, form: &Path) -> Result<(), Failure> {
    let Ok(text) = std::fs::read_to_string(head) else { return Ok(()) };
    // After redirects, the last response is that of the file.
    let text = text.replace('\r', "");
    let last = text.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let status = last.split(' ').nth(1).unwrap_or_default();
    let tag = last.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("etag").then(|| value.trim())
    });
    match tag.filter(|tag| matches!(status, "200" | "206") && tag.starts_with('"')) {
        Some(tag) => {
            private::write(form, tag.as_bytes()).map_err(Failure::doing(format!("writing {}", form.display())))
        }
        None => Ok(()),
    }
}

/// Takes a line and its number.
type TakeLine<'a> = dyn FnMut(usize, &[u8]) -> Result<(), String> + 'a;

/// Calls `take` with each line of a file that is not blank, and its number.
fn for_each_line(path: &Path, take: &mut TakeLine<'_>) -> Result<(), String> {
    let reader = || File::open(path).map_err(|error| error.to_string());
    let mut first = [0; 2];
    let is_gzip = reader()?.read(&mut first).is_ok_and(|read| read == 2) && first == GZIP;
    let file = reader()?;
    let file: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let mut lines = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line).map_err(|error| format!("it is not whole: {error}"))?;
        if read == 0 {
            return Ok(());
        }
        number += 1;
        if !line.trim_ascii().is_empty() {
            take(number, &line)?;
        }
    }
}

/// The texts of the OperationOutcomes of a file, each with whether it is an error, and no note.
///
/// # Errors
/// If it cannot be read.
pub fn outcomes(path: &Path) -> Result<Vec<(bool, String)>, Failure> {
    let mut texts = Vec::new();
    let read = for_each_line(path, &mut |_, line| {
        let outcome: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let issues = outcome.get("issue").and_then(Value::as_array);
        let severity = |issue: &Value| matches!(issue.get("severity").and_then(Value::as_str), Some("error" | "fatal"));
        texts.push((issues.is_some_and(|issues| issues.iter().any(severity)), text_of(&outcome)));
        Ok(())
    });
    read.map(|()| texts).map_err(Failure)
}

/// Writes the Bundles of a file of deletions, each with the time of the export where it has none: a resource that comes
/// back later is newer than its deletion. Returns the number of deletions.
///
/// # Errors
/// If a file cannot be read or written.
pub fn dated_deletions(from: &Path, to: &Path, transaction_time: &str) -> Result<usize, Failure> {
    let doing = || format!("writing {}", to.display());
    let mut file = private::create(to).map_err(Failure::doing(doing()))?;
    let mut count = 0;
    let read = for_each_line(from, &mut |_, line| {
        let mut bundle: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        count += bundle.get("entry").and_then(Value::as_array).map_or(0, Vec::len);
        if let Some(members) = bundle.as_object_mut() {
            members.entry("timestamp").or_insert_with(|| transaction_time.into());
        }
        writeln!(file, "{bundle}").map_err(|error| error.to_string())
    });
    read.map(|()| count).map_err(|why| Failure(format!("{}: {why}", doing())))
}
