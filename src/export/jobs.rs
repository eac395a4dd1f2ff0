//! The exports of a server: how they begin, continue and are abandoned, and what clients see of them.

use std::collections::BTreeSet;

use super::files::{read_file, read_manifest, read_page};
use super::keys::{key_of_object, publication_of};
use super::kind::{ExportKind, ExportReport};
use super::request::{ExportLevel, ExportRequest};
use super::status::{ChainPage, ExportFile, ExportStatus, Manifest, OwnedFile};
use super::stored_parts::{self, StoredPart};
use super::work::{ExportSource, ExportWork};
use database::{Database, Rows, Statement, run_all, run_each};
use fhir::{DigestOfParts, Id, Micros, OF_THING, ResourceType};
use job::{
    self, Bucket, DonePart, Engine, Job, JobAnswer, JobError, LocalFuture, Message, Queue, Report, before, end_of_jobs,
    ids, statement, stored,
};
use search::changed_between;
use smart::{PublicScopes, is_directory};
use store::sql::RoutedStatement;

/// The progress that a message made.
pub type Progress = job::Progress<ExportReport, BTreeSet<Id>>;

/// A finished part, with the patients whose records it may contain, if the export lists patients.
pub type ExportedPart = DonePart<ExportReport, BTreeSet<Id>>;

/// The time after which a cancelled export is forgotten. Until then, a message for it may still write objects.
const CANCELLED_FOR: Micros = HOUR;
/// The most exports that one run forgets.
const MAX_FORGOTTEN: usize = 100;

/// The most hours. Parts are made again after some days, and a rule of the bucket may delete objects after 14.
const MAX_HOURS: Micros = 168;
const HOUR: Micros = 3_600 * 1_000_000;

/// Parses the time for which a deployment keeps exports after their end: a number of hours.
///
/// # Errors
/// If the text is not a number from 1 to 168.
pub fn kept_for(hours: &str) -> Result<Micros, String> {
    let hours = hours.parse().ok().filter(|hours| (1..=MAX_HOURS).contains(hours));
    hours.map(|hours| hours * HOUR).ok_or_else(|| format!("it is no number of hours from 1 to {MAX_HOURS}"))
}

/// The requests of clients for exports. Each fails if the database or the bucket does not answer.
pub trait ExportPort {
    /// Begins an export of a client, with the id of a new job. It is refused as busy if too many exports of the client,
    /// or of all clients, are running. If the database does not answer, nothing is exported.
    fn begin<'a>(
        &'a self,
        client: &'a str,
        job: String,
        request: ExportRequest,
    ) -> LocalFuture<'a, Result<JobAnswer, JobError>>;

    /// Returns the status of an export of a client. `None` if the export is unknown, of another client, expired or
    /// cancelled, or if the client was stopped in the meantime.
    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<Option<ExportStatus>, JobError>>;

    /// Cancels or deletes an export of a client. Returns whether [`Self::status`] knew the export. Later requests do
    /// not find it.
    fn cancel<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<bool, JobError>>;

    /// Returns the manifest of what these scopes open to everybody. `None` if it has not been published yet.
    fn publication<'a>(&'a self, _scopes: &'a str) -> LocalFuture<'a, Result<Option<Manifest>, JobError>> {
        Box::pin(async { Ok(None) })
    }

    /// Returns a page of the chain of that publication.
    fn page<'a>(&'a self, _scopes: &'a str, _number: usize) -> LocalFuture<'a, Result<Option<ChainPage>, JobError>> {
        Box::pin(async { Ok(None) })
    }

    /// Returns a file of that publication, or of an earlier one with the same scopes, by the digest of its part, or by
    /// the number of the page for one of deletions.
    fn published<'a>(
        &'a self,
        _scopes: &'a str,
        _part: &'a str,
    ) -> LocalFuture<'a, Result<Option<ExportFile>, JobError>> {
        Box::pin(async { Ok(None) })
    }

    /// Returns a file of an export of a client, by number. `None` as for the status, or if there is no complete file.
    fn file<'a>(
        &'a self,
        client: &'a str,
        id: &'a str,
        number: usize,
    ) -> LocalFuture<'a, Result<Option<OwnedFile>, JobError>>;
}

/// The exports of a server.
#[derive(Debug)]
pub struct ExportJobs<D, B, Q> {
    engine: Engine<D, B, Q, ExportKind>,
    /// The time for which an export is kept after its end.
    kept: Micros,
}

/// The name under which the server itself exports the public directory. No client has it.
const PUBLISHER: &str = "$bulk-publish";
/// The time after which an unchanged directory is published again, so that its parts are kept.
const REPUBLISHED_AFTER: Micros = 24 * HOUR;
/// Selects the number of the rows of a type, with the last time of a change, to which the path `?2` leads.
const STATE: &str = "SELECT count(*) || ' ' || max(params ->> ?2) AS state FROM resource WHERE type = ?1";
/// Selects the number of the compartments of no single patient in a database, with a sum of their versions.
const SHARED: &str = "SELECT count(*) || ' ' || sum(version & 4294967295) AS state FROM compartment \
                      WHERE id BETWEEN '_' AND '_~'";

/// The reports of a job. `failed` is the reason why it has failed.
const OF_PARTS: &str = "SELECT count(*) FILTER (WHERE number > 0) AS parts, \
                        count(report) FILTER (WHERE number > 0) AS done, max(report ->> 'failed') AS failed \
                        FROM job_part WHERE job = ?1";

impl<D: Database, B: Bucket, Q: Queue> ExportJobs<D, B, Q> {
    /// Returns the exports. Their state is in a database, their files are in a bucket, and their messages in a queue.
    /// `kept` is the time for which an export is kept after its end.
    pub const fn new(state: D, bucket: B, queue: Q, now: Micros, kept: Micros) -> Self {
        Self { engine: Engine::new(state, bucket, queue, now), kept }
    }

    /// Continues an export, or a part of it.
    ///
    /// # Errors
    /// If the bucket, the queue or a database does not answer. The same message may succeed later.
    pub async fn go_on(
        &self,
        job: &str,
        part: Option<usize>,
        source: &ExportSource<'_, D>,
    ) -> Result<Progress, JobError> {
        let work = ExportWork {
            state: self.engine.database(),
            bucket: &self.engine.bucket,
            source,
            now: self.engine.now,
            kept: self.kept,
        };
        match part {
            Some(part) => self.engine.run_part(job, part, &work).await,
            None => match self.engine.job(job).await? {
                Some(job) => self.engine.go_on(job, &work).await,
                None => Ok(Progress::None),
            },
        }
    }

    /// Ends an export as failed, because a part of it has failed too often.
    ///
    /// # Errors
    /// If the bucket or the database does not answer.
    pub async fn give_up(&self, job: &str, part: Option<usize>) -> Result<(), JobError> {
        match self.engine.job(job).await? {
            Some(job) => self.engine.give_up(&job, part).await,
            None => Ok(()),
        }
    }

    /// Sends messages for exports without progress, and forgets exports that have expired or were cancelled, and parts
    /// that no export needs any more. Returns the number of messages.
    ///
    /// # Errors
    /// If the database, the bucket or the queue does not answer.
    pub async fn resume(&self) -> Result<usize, JobError> {
        let now = self.engine.now;
        let ended = format!(
            "SELECT id FROM job WHERE kind = 'export' AND ended_at IS NOT NULL \
             AND (ended_at < ?1 OR (client IS NULL AND ended_at < {})) ORDER BY ended_at LIMIT {MAX_FORGOTTEN}",
            now - CANCELLED_FOR
        );
        let (stalled, rows) = self.engine.stalled(vec![before(&ended, now - self.kept)]).await?;
        let mut forgotten = stalled.forgotten;
        for id in rows.first().map(ids).unwrap_or_default() {
            if let Some(job) = self.engine.job(&id).await? {
                forgotten.push((job.id, job.parameters));
            }
        }
        self.engine.forget(&forgotten).await?;
        stored_parts::delete_ended(self.engine.database(), &self.engine.bucket, now).await?;
        self.engine.resume(&stalled.jobs).await
    }

    /// Begins a publication of what is open to everybody, if it has changed since the last one, or the last one is old.
    ///
    /// # Errors
    /// If a database, the bucket or the queue does not answer.
    pub async fn publish(&self, source: &ExportSource<'_, D>, public: &PublicScopes) -> Result<(), JobError> {
        // One that has begun is continued.
        if self.engine.begin_next(Some(PUBLISHER), None).await? {
            return Ok(());
        }
        let scopes = public.grant().scopes;
        let types: BTreeSet<ResourceType> = scopes.resource_scopes().filter_map(|scope| scope.resource_type).collect();
        let select = |of: &ResourceType| {
            let changed = changed_between(*of, Some(0), None).first().map(|clause| clause.param.id.number());
            let path = format!("$.\"{}\"[0]", changed.unwrap_or_default());
            RoutedStatement::directory(statement(STATE, [of.to_string(), path]))
        };
        let mut states = source.databases.run(types.iter().map(select).collect()).await?;
        if !types.iter().copied().all(is_directory) {
            states.extend(source.databases.run_in_each(&statement(SHARED, [])).await?);
        }
        let mut state = DigestOfParts::default();
        for rows in &states {
            state.add(rows.text(0, "state").unwrap_or_default());
        }
        let (scopes, state, now) = (scopes.to_string(), state.text::<OF_THING>(), self.engine.now);
        let last = read_manifest(&self.engine.bucket, &publication_of(&scopes)).await?;
        if last.is_some_and(|last| last.request == state && now < last.transaction_time + REPUBLISHED_AFTER) {
            return Ok(());
        }
        let request = ExportRequest {
            level: ExportLevel::Public,
            url: state,
            scopes,
            types: types.iter().map(ToString::to_string).collect(),
            ..ExportRequest::default()
        };
        self.begin(PUBLISHER, format!("published{now}"), request).await.map(|_| ())
    }

    const fn is_expired(&self, ended_at: Micros) -> bool {
        ended_at + self.kept <= self.engine.now
    }
}

impl<D: Database, B: Bucket, Q: Queue> ExportPort for ExportJobs<D, B, Q> {
    fn begin<'a>(
        &'a self,
        client: &'a str,
        job: String,
        request: ExportRequest,
    ) -> LocalFuture<'a, Result<JobAnswer, JobError>> {
        Box::pin(async move {
            if let Some(answer) = self.engine.admit(client, None).await? {
                return Ok(answer);
            }
            let new = Job::new(job, Some(client.to_owned()), request, self.engine.now);
            let Some(Job { id: job, .. }) = self.engine.add(&new, None).await? else { return Ok(JobAnswer::Busy) };
            // If this fails, the job is found later as one without progress.
            let _ = self.engine.queue.send(vec![Message::Export { job: job.clone(), part: None }]).await;
            Ok(JobAnswer::Job(job))
        })
    }

    fn status<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<Option<ExportStatus>, JobError>> {
        Box::pin(async move {
            let [job, parts] =
                run_each(self.engine.database(), [of_client(client, id), statement(OF_PARTS, [id.to_owned()])]).await?;
            if job.count() == 0 {
                return Ok(None);
            }
            let ended_at: Option<Micros> = job.number(0, "ended_at")?;
            if ended_at.is_some_and(|ended_at| self.is_expired(ended_at)) {
                return Ok(None);
            }
            if let Some(why) = parts.text(0, "failed") {
                let was_stopped = ExportReport::stopped().failed.as_ref() == Some(&why);
                return Ok(Some(ExportStatus::Failed(why)).filter(|_| !was_stopped));
            }
            if ended_at.is_none() {
                let number = |column| parts.number::<usize>(0, column).map(Option::unwrap_or_default);
                let is_divided = job.number::<u8>(0, "divided")? == Some(1);
                let parts = if is_divided { Some(number("parts")?) } else { None };
                return Ok(Some(ExportStatus::Running { done: number("done")?, parts }));
            }
            let manifest = read_manifest(&self.engine.bucket, id).await?;
            let manifest = manifest.ok_or_else(|| JobError("the manifest of an export is missing".to_owned()))?;
            Ok(Some(manifest).filter(|manifest| manifest.expires_at > self.engine.now).map(ExportStatus::Complete))
        })
    }

    fn cancel<'a>(&'a self, client: &'a str, id: &'a str) -> LocalFuture<'a, Result<bool, JobError>> {
        Box::pin(async move {
            if self.status(client, id).await?.is_none() {
                return Ok(false);
            }
            let stopped = end_of_jobs(
                "SELECT id FROM job WHERE id = ?1 AND kind = 'export'",
                id,
                &ExportReport::stopped(),
                &self.engine.now.to_string(),
            );
            let taken = "UPDATE job SET client = NULL WHERE id = ?1 AND client = ?2 AND kind = 'export' RETURNING id";
            let mut statements = vec![statement(taken, [id.to_owned(), client.to_owned()])];
            statements.extend(stopped);
            let answers = run_all(self.engine.database(), statements).await?;
            // If this fails, the next job is found later as one without progress.
            let _ = self.engine.begin_next(Some(client), None).await;
            Ok(answers.first().is_some_and(|taken| taken.count() > 0))
        })
    }

    fn file<'a>(
        &'a self,
        client: &'a str,
        id: &'a str,
        number: usize,
    ) -> LocalFuture<'a, Result<Option<OwnedFile>, JobError>> {
        Box::pin(async move {
            let [job, parts] =
                run_each(self.engine.database(), [of_client(client, id), statement(OF_PARTS, [id.to_owned()])]).await?;
            let ended_at: Option<Micros> = if job.count() == 0 { None } else { job.number(0, "ended_at")? };
            let is_complete = ended_at.is_some_and(|ended_at| !self.is_expired(ended_at));
            if !is_complete || parts.text(0, "failed").is_some() {
                return Ok(None);
            }
            let Some(file) = read_file(&self.engine.bucket, id, number).await? else { return Ok(None) };
            let types = stored(&job, 0, "types")?.ok_or_else(|| JobError("an export has no types".to_owned()))?;
            Ok(Some(OwnedFile { file, scopes: job.required_text(0, "scopes")?, types }))
        })
    }

    fn publication<'a>(&'a self, scopes: &'a str) -> LocalFuture<'a, Result<Option<Manifest>, JobError>> {
        Box::pin(async move { read_manifest(&self.engine.bucket, &publication_of(scopes)).await })
    }

    fn page<'a>(&'a self, scopes: &'a str, number: usize) -> LocalFuture<'a, Result<Option<ChainPage>, JobError>> {
        Box::pin(async move { read_page(&self.engine.bucket, &publication_of(scopes), number).await })
    }

    fn published<'a>(
        &'a self,
        scopes: &'a str,
        part: &'a str,
    ) -> LocalFuture<'a, Result<Option<ExportFile>, JobError>> {
        Box::pin(async move {
            let publication = publication_of(scopes);
            if let Ok(number) = part.parse() {
                return read_file(&self.engine.bucket, &publication, number).await;
            }
            let found = stored_parts::published(self.engine.database(), part, &publication).await?;
            Ok(found.map(|StoredPart { object, contents }| {
                let segments = contents.segments.iter();
                let segments = segments.map(|segment| segment.of_file(key_of_object(&object, segment.object)));
                ExportFile { segments: segments.collect(), etag: part.to_owned(), resource_type: String::new() }
            }))
        })
    }
}

/// Selects the export of a client.
fn of_client(client: &str, id: &str) -> Statement {
    let text = "SELECT divided, ended_at, parameters ->> 'scopes' AS scopes, parameters -> 'types' AS types \
                FROM job WHERE id = ?1 AND client = ?2 AND kind = 'export'";
    statement(text, [id.to_owned(), client.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_kept_for_a_number_of_hours() {
        assert_eq!([kept_for("1"), kept_for("168")], [Ok(HOUR), Ok(168 * HOUR)]);
        assert!(["", "0", "169", "-1", "1.5", "a day"].into_iter().all(|text| kept_for(text).is_err()));
    }
}
