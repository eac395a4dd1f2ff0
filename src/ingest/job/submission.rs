//! Submissions: manifests that another server offers, and the files that they list, by the operation `$bulk-submit` of
//! Bulk Data Access 4.0.0 (ballot). Nothing is fetched until the client has completed the submission, so that one which
//! it stops has changed nothing. Then each file becomes a job.

use serde_json::Value;

use super::jobs::IngestJobs;
use super::keys::{id_of, key_of_sent};
use super::kind::LoadParameters;
use super::remote::{Remote, RemoteFault};
use super::work::Progress;
use crate::database::{Database, DatabaseError, Rows, Statement, run_each};
use crate::fhir::Micros;
use crate::job::{Bucket, Job, JobError, Message, Queue, statement};

/// The most manifests of a submission, and the most files.
const MOST_MANIFESTS: usize = 100;
const MOST_FILES: usize = 10_000;
/// The most files that are fetched for one message.
const FETCHED_AT_ONCE: usize = 10;
/// The most times that a file is tried whose server does not answer.
const MOST_TRIES: usize = 5;
/// The fault of what was tried too often.
const GIVEN_UP: &str = "it could not be fetched in several tries";
/// The most faults that the report of a submission lists.
const MOST_FAULTS: usize = 1_000;
/// Selects the faults of a submission: of manifests, of files that could not be fetched, and of those that were loaded.
const FAULTS: &str = "SELECT * FROM ( \
     SELECT url AS manifest, '' AS url, 0 AS part, 0 AS place, fault \
     FROM submission_manifest WHERE submission = ?1 AND fault IS NOT NULL UNION ALL \
     SELECT manifest, url, 0, 0, url || ': ' || fault FROM submission_file \
     WHERE submission = ?1 AND fault IS NOT NULL UNION ALL \
     SELECT f.manifest, f.url, p.number, e.key, \
     f.url || ': ' || (e.value ->> 'where') || ': ' || (e.value ->> 'why') \
     FROM submission_file f JOIN job_part p ON p.job = f.job JOIN json_each(p.report, '$.faults') e \
     WHERE f.submission = ?1)";
/// Selects the client of a submission that is completed, and whose files are still to be fetched.
const OPEN_CLIENT: &str = "SELECT client FROM submission WHERE id = ?1 AND status = 'completed' AND fetched = 0 \
                           AND client NOT IN (SELECT client FROM stopped_client)";
/// Selects the address of the next manifest to be read.
const NEXT_MANIFEST: &str =
    "SELECT url FROM submission_manifest WHERE submission = ?1 AND listed = 0 ORDER BY url LIMIT 1";

/// A request of a client about a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmitRequest {
    /// The submission.
    pub id: SubmissionId,
    /// A manifest.
    pub manifest: Option<Manifest>,
    /// The manifest that is withdrawn.
    pub replaces: Option<String>,
    /// The status of the submission from now on.
    pub status: SubmissionStatus,
}

/// A manifest of files that another server offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Its address.
    pub url: String,
    /// The headers of the requests for it and for files of its origin, as a JSON object.
    pub headers: String,
    /// The FHIR base of the server.
    pub source: String,
}

/// The identity of a submission: the client, the submitter, and the name that the client gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionId {
    /// The `client_id`.
    pub client: String,
    /// The submitter, as `system|value`.
    pub submitter: String,
    /// The `submissionId`.
    pub name: String,
}

impl SubmissionId {
    /// The id in addresses.
    #[must_use]
    pub fn id(&self) -> String {
        id_of(&[&self.client, &self.submitter, &self.name])
    }
}

/// The status of a submission, as its client has said (<http://hl7.org/fhir/event-status>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmissionStatus {
    /// Further manifests come.
    InProgress,
    /// All manifests have come.
    Completed,
    /// It is withdrawn.
    Stopped,
}

impl SubmissionStatus {
    /// All values.
    const ALL: [Self; 3] = [Self::InProgress, Self::Completed, Self::Stopped];

    /// The code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::InProgress => "in-progress",
            Self::Completed => "completed",
            Self::Stopped => "stopped",
        }
    }

    /// The status with that code.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }
}

/// The answer to a request about a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submitted {
    /// It was noted.
    Noted,
    /// The operator has stopped the client.
    Stopped,
    /// The submission was completed or stopped before.
    Over,
    /// The manifest that is to be replaced is not part of it.
    NoManifest,
    /// It has too many manifests.
    TooMany,
}

/// The report of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionReport {
    /// The `submissionId`.
    pub name: String,
    /// The time of the first request.
    pub created_at: Micros,
    /// True if all files were loaded, or cannot be, or the submission was stopped.
    pub is_over: bool,
    /// The number of files, and of those that are done.
    pub files: (usize, usize),
    /// The faults by manifest: 1,000 at most. Each names the file.
    pub faults: Vec<(String, Vec<String>)>,
    /// The number of further faults.
    pub more_faults: usize,
}

impl<D: Database, B: Bucket, Q: Queue> IngestJobs<D, B, Q> {
    /// Notes a request about a submission, and begins with its files when it is completed.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn submit(&self, request: &SubmitRequest) -> Result<Submitted, JobError> {
        let (id, now) = (request.id.id(), self.engine.now().to_string());
        let of_one = |text: &str| statement(text, [id.clone()]);
        let [known, manifests] = self
            .run([
                statement(
                    "SELECT (SELECT status FROM submission WHERE id = ?1) AS status, \
                     ?2 IN (SELECT client FROM stopped_client) AS stopped",
                    [id.clone(), request.id.client.clone()],
                ),
                of_one("SELECT url FROM submission_manifest WHERE submission = ?1"),
            ])
            .await?;
        if known.number(0, "stopped")? == Some(1) {
            return Ok(Submitted::Stopped);
        }
        let before = known.text(0, "status");
        if before.as_deref().is_some_and(|status| status != SubmissionStatus::InProgress.code()) {
            // The same request may come twice.
            let repeats = request.manifest.is_none() && before.as_deref() == Some(request.status.code());
            return Ok(if repeats { Submitted::Noted } else { Submitted::Over });
        }
        let manifests = (0..manifests.count()).map(|row| manifests.required_text(row, "url"));
        let manifests = manifests.collect::<Result<Vec<_>, _>>()?;
        if request.replaces.as_ref().is_some_and(|url| !manifests.contains(url)) {
            return Ok(Submitted::NoManifest);
        }
        if manifests.len() >= MOST_MANIFESTS && request.manifest.is_some() && request.replaces.is_none() {
            return Ok(Submitted::TooMany);
        }
        let SubmissionId { client, name, .. } = &request.id;
        let status = request.status.code().to_owned();
        let insert = "INSERT INTO submission (id, client, name, status, created_at, touched_at) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT DO UPDATE SET status = ?4, touched_at = ?5";
        let mut changes = vec![statement(insert, [id.clone(), client.clone(), name.clone(), status, now])];
        if let Some(url) = &request.replaces {
            let delete = "DELETE FROM submission_manifest WHERE submission = ?1 AND url = ?2";
            changes.push(statement(delete, [id.clone(), url.clone()]));
        }
        changes.extend(request.manifest.as_ref().map(|manifest| add_manifest(&id, manifest)));
        self.batch(changes).await?;
        if request.status == SubmissionStatus::Stopped {
            self.batch(over(&id)).await?;
        }
        if request.status == SubmissionStatus::Completed {
            // If that fails, it is found as one without progress.
            let _ = self.engine.queue().send(vec![Message::Submission { submission: id }]).await;
        }
        Ok(Submitted::Noted)
    }

    /// The report of a submission of a client.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn submission(&self, client: &str, id: &str) -> Result<Option<SubmissionReport>, JobError> {
        let with_id = |text: &str| statement(text, [id.to_owned()]);
        let [submission, manifests, files, faults, all] = self
            .run([
                with_id("SELECT client, name, status, created_at, fetched FROM submission WHERE id = ?1"),
                with_id("SELECT url FROM submission_manifest WHERE submission = ?1 ORDER BY url"),
                with_id(
                    "SELECT count(*) AS files, count(*) FILTER (WHERE f.fault IS NOT NULL OR j.ended_at IS NOT NULL) \
                     AS done FROM submission_file f LEFT JOIN job j ON j.id = f.job WHERE f.submission = ?1",
                ),
                with_id(&format!("{FAULTS} ORDER BY manifest, url, part, place LIMIT {MOST_FAULTS}")),
                with_id(&format!("SELECT count(*) AS faults FROM ({FAULTS})")),
            ])
            .await?;
        if submission.text(0, "client").as_deref() != Some(client) {
            return Ok(None);
        }
        let urls = (0..manifests.count()).map(|row| Ok((manifests.required_text(row, "url")?, Vec::new())));
        let mut of_manifests = urls.collect::<Result<Vec<(String, Vec<String>)>, DatabaseError>>()?;
        for row in 0..faults.count() {
            let (manifest, fault) = (faults.required_text(row, "manifest")?, faults.required_text(row, "fault")?);
            of_manifests.iter_mut().filter(|(url, _)| *url == manifest).for_each(|(_, of)| of.push(fault.clone()));
        }
        let number = |rows: &D::Rows, column| rows.number::<usize>(0, column).map(Option::unwrap_or_default);
        let (files, done) = (number(&files, "files")?, number(&files, "done")?);
        let is_stopped = submission.required_text(0, "status")? == SubmissionStatus::Stopped.code();
        let is_fetched = submission.number(0, "fetched")? == Some(1);
        Ok(Some(SubmissionReport {
            name: submission.required_text(0, "name")?,
            created_at: submission.number(0, "created_at")?.ok_or_else(|| DatabaseError::damaged("created_at"))?,
            is_over: is_stopped || is_fetched && done == files,
            files: (files, done),
            faults: of_manifests,
            more_faults: number(&all, "faults")?.saturating_sub(faults.count()),
        }))
    }

    /// Goes on with a submission that is completed: reads its manifests, then fetches its files, some for each message.
    /// Files that were tried less often come first, so that one whose server does not answer blocks no other.
    ///
    /// # Errors
    /// If a manifest or a file has to be tried again, or the bucket, the queue or the database does not answer. The
    /// same message may succeed later.
    pub async fn fetch(&self, id: &str, remote: &impl Remote) -> Result<Progress, JobError> {
        while self.is_open(id).await? && self.read_manifest(id, remote).await? {}
        let files = "SELECT f.url, f.manifest, f.tries, m.headers, m.source \
                     FROM submission_file f JOIN submission_manifest m \
                     ON m.submission = f.submission AND m.url = f.manifest \
                     WHERE f.submission = ?1 AND f.job IS NULL AND f.fault IS NULL ORDER BY f.tries, f.url";
        let next = statement(&format!("{files} LIMIT {}", FETCHED_AT_ONCE + 1), [id.to_owned()]);
        let [rows] = self.run([next]).await?;
        let tries = |row| rows.number::<usize>(row, "tries").map(Option::unwrap_or_default);
        let (least, mut failed) = (tries(0)?, None);
        for row in 0..rows.count() {
            if tries(row)? > least {
                failed = failed.or_else(|| Some("files are tried again".to_owned()));
                break;
            }
            if row == FETCHED_AT_ONCE {
                self.engine.queue().send(vec![Message::Submission { submission: id.to_owned() }]).await?;
                return Ok(Progress::None);
            }
            // The client may have been stopped since the file before.
            let Some(client) = self.begin_file(id, &rows.required_text(row, "url")?).await? else {
                return Ok(Progress::None);
            };
            if let Err(why) = self.fetch_file(id, client, &rows, row, least, remote).await? {
                failed = Some(why);
            }
        }
        match failed {
            Some(why) => Err(JobError(why)),
            None => {
                self.batch(over(id)).await?;
                Ok(Progress::None)
            }
        }
    }

    /// Returns whether files of a submission are still to be fetched.
    async fn is_open(&self, id: &str) -> Result<bool, DatabaseError> {
        let [open] = self.run([statement(OPEN_CLIENT, [id.to_owned()])]).await?;
        Ok(open.count() > 0)
    }

    /// Begins a try of a file. Returns the client, if files are still to be fetched.
    async fn begin_file(&self, id: &str, url: &str) -> Result<Option<String>, DatabaseError> {
        let count = "UPDATE submission_file SET tries = tries + 1 WHERE submission = ?1 AND url = ?2";
        let touch = "UPDATE submission SET touched_at = ?2 WHERE id = ?1";
        let [_, _, open] = self
            .run([
                statement(count, [id.to_owned(), url.to_owned()]),
                statement(touch, [id.to_owned(), self.engine.now().to_string()]),
                statement(OPEN_CLIENT, [id.to_owned()]),
            ])
            .await?;
        Ok(open.text(0, "client"))
    }

    /// Fetches the file of a row, which becomes a job or has a fault then. `tries` is the number of earlier tries.
    /// Returns the reason if it has to be tried again.
    async fn fetch_file(
        &self,
        id: &str,
        client: String,
        rows: &D::Rows,
        row: usize,
        tries: usize,
        remote: &impl Remote,
    ) -> Result<Result<(), String>, JobError> {
        let url = rows.required_text(row, "url")?;
        let job = id_of(&[id, &url]);
        let file = key_of_sent(&job, is_gzip(&url));
        let stored = if tries < MOST_TRIES {
            let (manifest, headers) = (rows.required_text(row, "manifest")?, rows.required_text(row, "headers")?);
            remote.store(&url, &headers_in(headers_for(&url, &manifest, &headers))?, &file).await
        } else {
            // The tries have had no end, such as those of an instance that was killed.
            Err(RemoteFault { is_permanent: true, why: GIVEN_UP.to_owned() })
        };
        let (job, fault) = match stored {
            Ok(bytes) => {
                let source = rows.text(row, "source").filter(|source| !source.is_empty());
                let parameters = LoadParameters { file, bytes, source };
                let new = Job::new(job.clone(), Some(client), parameters, self.engine.now());
                self.engine.add(&new, None).await?;
                self.engine.queue().send(vec![Message::Ingest { job: job.clone(), part: None }]).await?;
                (job, String::new())
            }
            Err(RemoteFault { is_permanent: true, why }) => (String::new(), why),
            Err(RemoteFault { why, .. }) if tries + 1 < MOST_TRIES => return Ok(Err(why)),
            Err(RemoteFault { is_permanent: false, .. }) => (String::new(), GIVEN_UP.to_owned()),
        };
        let done = "UPDATE submission_file SET job = nullif(?3, ''), fault = nullif(?4, '') \
                    WHERE submission = ?1 AND url = ?2";
        self.batch(vec![statement(done, [id.to_owned(), url, job, fault])]).await?;
        Ok(Ok(()))
    }

    /// Reads a manifest that was not read yet. Returns whether there was one.
    async fn read_manifest(&self, id: &str, remote: &impl Remote) -> Result<bool, JobError> {
        let next = format!(
            "SELECT url, headers, source, (SELECT count(*) FROM submission_manifest WHERE submission = ?1) AS all_ \
             FROM submission_manifest WHERE submission = ?1 AND url = ({NEXT_MANIFEST})"
        );
        let [next] = self.run([statement(&next, [id.to_owned()])]).await?;
        let (Some(url), Some(headers)) = (next.text(0, "url"), next.text(0, "headers")) else {
            return Ok(false);
        };
        let source = next.text(0, "source").unwrap_or_default();
        let count = next.number::<usize>(0, "all_")?.unwrap_or_default();
        let listed = match remote.document(&url, &headers_in(&headers)?).await {
            Ok(document) => files_in(&document),
            Err(RemoteFault { is_permanent: true, why }) => Err(why),
            Err(RemoteFault { is_permanent: false, why }) => return Err(JobError(why)),
        };
        let mut changes = Vec::new();
        let fault = match listed {
            Ok((files, next)) => {
                let insert = "INSERT OR IGNORE INTO submission_file (submission, url, manifest) \
                              SELECT ?1, value, ?2 FROM json_each(?3)";
                let files = Value::from(files).to_string();
                changes.push(statement(insert, [id.to_owned(), url.clone(), files]));
                let next = next.filter(|_| count < MOST_MANIFESTS);
                changes.extend(next.map(|next| {
                    let headers = headers_for(&next, &url, &headers).to_owned();
                    add_manifest(id, &Manifest { url: next, headers, source })
                }));
                String::new()
            }
            Err(why) => why,
        };
        let done =
            "UPDATE submission_manifest SET listed = 1, fault = nullif(?3, '') WHERE submission = ?1 AND url = ?2";
        changes.push(statement(done, [id.to_owned(), url, fault]));
        self.batch(changes).await?;
        Ok(true)
    }

    /// Goes on with a submission whose message has failed too often, without the manifest that could not be read. Files
    /// have tries of their own.
    ///
    /// # Errors
    /// If the queue or the database does not answer.
    pub async fn give_up_manifest(&self, id: &str) -> Result<(), JobError> {
        let fault = format!(
            "UPDATE submission_manifest SET listed = 1, fault = ?2 WHERE submission = ?1 AND url = ({NEXT_MANIFEST})"
        );
        self.batch(vec![statement(&fault, [id.to_owned(), GIVEN_UP.to_owned()])]).await?;
        Ok(self.engine.queue().send(vec![Message::Submission { submission: id.to_owned() }]).await?)
    }

    async fn run<const N: usize>(&self, statements: [Statement; N]) -> Result<[D::Rows; N], DatabaseError> {
        run_each(self.engine.database(), statements).await
    }

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D::Rows>, DatabaseError> {
        self.engine.database().batch(statements).await
    }
}

/// The statements after which nothing is fetched any more. The headers, which may hold secrets, are deleted.
fn over(id: &str) -> Vec<Statement> {
    let with_id = |text: &str| statement(text, [id.to_owned()]);
    vec![
        with_id("UPDATE submission SET fetched = 1 WHERE id = ?1"),
        with_id("UPDATE submission_manifest SET headers = '{}' WHERE submission = ?1"),
    ]
}

fn add_manifest(id: &str, Manifest { url, headers, source }: &Manifest) -> Statement {
    let insert = "INSERT OR IGNORE INTO submission_manifest (submission, url, headers, source) VALUES (?1, ?2, ?3, ?4)";
    statement(insert, [id.to_owned(), url.clone(), headers.clone(), source.clone()])
}

/// The headers of a manifest, as a JSON object, for a request to `url`. They are for its origin alone: another one, to
/// which the manifest leads, is not to learn its secrets.
fn headers_for<'h>(url: &str, manifest: &str, headers: &'h str) -> &'h str {
    if origin(url) == origin(manifest) { headers } else { "{}" }
}

/// Returns whether a file is compressed, by its name: the path of its address, without the query, such as a signature.
fn is_gzip(url: &str) -> bool {
    url.split(['?', '#']).next().is_some_and(|path| path.ends_with(".gz"))
}

/// The scheme, the host and the port of an address.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(host..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(url.len(), |end| host + end);
    url.get(..end).unwrap_or(url)
}

/// The files that a manifest lists, to load and to delete, and the next manifest.
fn files_in(document: &str) -> Result<(Vec<String>, Option<String>), String> {
    let manifest: Value = serde_json::from_str(document).map_err(|error| format!("it is not JSON: {error}"))?;
    let urls = |name: &str| {
        let listed = manifest.get(name).and_then(Value::as_array).into_iter().flatten();
        listed.filter_map(|item| item.get("url").and_then(Value::as_str)).map(str::to_owned).collect::<Vec<_>>()
    };
    let files = [urls("output"), urls("deleted")].concat();
    if manifest.get("output").is_none_or(|output| !output.is_array()) {
        return Err("it is no manifest: it has no array output".to_owned());
    }
    if files.len() > MOST_FILES {
        return Err(format!("it lists more than {MOST_FILES} files"));
    }
    let links = manifest.get("link").and_then(Value::as_array).into_iter().flatten();
    let next = links.filter(|link| link.get("relation").and_then(Value::as_str) == Some("next"));
    let next = next.filter_map(|link| link.get("url").and_then(Value::as_str)).next();
    Ok((files, next.map(str::to_owned)))
}

/// The headers that a JSON object has.
fn headers_in(json: &str) -> Result<Vec<(String, String)>, DatabaseError> {
    let headers = serde_json::from_str::<serde_json::Map<String, Value>>(json);
    let headers = headers.map_err(|_| DatabaseError::damaged("headers"))?.into_iter();
    Ok(headers.filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_an_address_says_whether_a_file_is_compressed() {
        for url in ["https://a/f.ndjson.gz", "https://a/f.ndjson.gz?signature=a.b&x", "https://a/f.gz#x"] {
            assert!(is_gzip(url), "{url}");
        }
        for url in ["https://a/f.ndjson", "https://a/f?name=f.gz", "https://a/f.gz/f", "https://a/f#.gz"] {
            assert!(!is_gzip(url), "{url}");
        }
    }

    #[test]
    fn headers_go_to_the_origin_of_the_manifest_alone() {
        let of = |url: &str| headers_for(url, "https://a.example/m?x", "{secret}");
        for own in ["https://a.example/f.ndjson", "https://a.example", "https://a.example?y"] {
            assert_eq!(of(own), "{secret}", "{own}");
        }
        for other in
            ["https://a.example:444/f", "https://a.example.b/f", "http://a.example/f", "https://b/https://a.example/"]
        {
            assert_eq!(of(other), "{}", "{other}");
        }
    }
}
