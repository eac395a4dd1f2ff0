//! The state of jobs, as SQL (`migrations/0016_jobs.sql`). Each change may be repeated.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::divide::Piece;
use super::{MOST_WAITING, STOPPED};
use crate::database::{Database, DatabaseError, RAISE_CORRECTIONS, Rows, Statement};
use crate::fhir::{Micros, json};
use crate::ingest::report::FileReport;

/// The time for which jobs are kept: 35 days. So long files can be loaded again after a restore.
const KEPT: Micros = 35 * 24 * 3_600 * 1_000_000;
/// The time without progress after which a message counts as lost: 5 minutes.
const STALLED: Micros = 5 * 60 * 1_000_000;
/// The time for which the headers of a submission that is not completed are kept: a day.
const HEADERS_KEPT: Micros = 24 * 3_600 * 1_000_000;
/// The most jobs that are gone on with or forgotten in one run.
const MOST_JOBS: usize = 100;

/// A job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: String,
    /// The key of its file.
    pub file: String,
    /// The client that has sent the file. `None` if it was put into the bucket.
    pub client: Option<String>,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The time when it was accepted. It is the time of the load.
    pub created_at: Micros,
    /// The FHIR base of the server that it comes from, if the sender names it.
    pub source: Option<String>,
    /// The bases of the absolute references in it, if it has been divided.
    pub referred: Option<BTreeSet<String>>,
    /// True if the operator has stopped the client.
    pub is_stopped: bool,
    /// True if its parts are known.
    pub is_divided: bool,
    /// The time when all parts were done.
    pub ended_at: Option<Micros>,
}

/// A part of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its number.
    pub number: usize,
    /// The ranges of objects with its lines. `None` if it is the whole file.
    pub pieces: Option<Vec<Piece>>,
    /// The times that it was begun.
    pub tries: usize,
    /// The report, after it was loaded.
    pub report: Option<FileReport>,
}

/// A part of a job that is divided.
#[derive(Debug, Clone, Copy, Default)]
pub struct NewPart<'a> {
    /// See [`Part::number`].
    pub number: usize,
    /// See [`Part::pieces`].
    pub pieces: Option<&'a [Piece]>,
    /// See [`Part::report`].
    pub report: Option<&'a FileReport>,
}

/// The jobs that have not ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Their number.
    pub jobs: u64,
    /// The bytes of their files.
    pub bytes: u64,
}

impl Backlog {
    /// Returns whether it has come to this part of what may wait.
    pub fn is_full(self, share: u64) -> bool {
        self.jobs >= MOST_WAITING.jobs / share || self.bytes >= MOST_WAITING.bytes / share
    }
}

/// The jobs and limits that decide whether a file is accepted.
#[derive(Debug)]
pub struct Earlier {
    /// The job of an earlier request.
    pub job: Option<Job>,
    /// True if the operator has stopped the client.
    pub is_stopped: bool,
    /// The backlog of all clients.
    pub all: Backlog,
    /// The backlog of this one.
    pub own: Backlog,
}

/// The work that a run of the cron trigger takes up or forgets.
#[derive(Debug)]
pub struct Stalled {
    /// The jobs without progress.
    pub jobs: Vec<String>,
    /// The submissions without progress.
    pub submissions: Vec<String>,
    /// The jobs of long ago, each with its file.
    pub forgotten: Vec<(String, String)>,
}

/// The state of jobs in a database.
#[derive(Debug)]
pub struct JobState<D>(pub D);

const JOB: &str = "SELECT id, file, client, bytes, created_at, source, referred, divided, ended_at, \
                   client IN (SELECT client FROM stopped_client) AS stopped FROM job";
const PARTS: &str = "SELECT number, pieces, tries, report FROM job_part WHERE job = ?1";

pub(super) fn statement<const N: usize>(text: &str, binds: [String; N]) -> Statement {
    Statement { text: text.to_owned(), binds: binds.into() }
}

impl<D: Database> JobState<D> {
    async fn run<const N: usize>(&self, statements: [Statement; N]) -> Result<[D::Rows; N], DatabaseError> {
        let rows = self.0.batch(statements.into()).await?;
        rows.try_into().map_err(|_| DatabaseError::other("the database answered another number of statements"))
    }

    /// Adds a job, unless it is known. `request` is the hash of the key by which a client repeats a request; the job of
    /// an earlier request with it stays. Returns the job.
    pub async fn add(&self, job: &Job, request: Option<&str>) -> Result<Option<Job>, DatabaseError> {
        let Job { id, file, client, bytes, created_at, source, .. } = job;
        let insert = "INSERT OR IGNORE INTO job (id, file, client, request, bytes, created_at, touched_at, source) \
                      VALUES (?1, ?2, nullif(?3, ''), nullif(?4, ''), ?5, ?6, ?6, nullif(?7, ''))";
        let maybe = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let binds = [
            id.clone(),
            file.clone(),
            maybe(client.as_deref()),
            maybe(request),
            bytes.to_string(),
            created_at.to_string(),
            maybe(source.as_deref()),
        ];
        let known = match (client, request) {
            (Some(client), Some(request)) => of_request(client, request),
            _ => statement(&format!("{JOB} WHERE id = ?1"), [id.clone()]),
        };
        let [_, found] = self.run([statement(insert, binds), known]).await?;
        job_in(&found)
    }

    /// The job with that id.
    pub async fn job(&self, id: &str) -> Result<Option<Job>, DatabaseError> {
        let [found] = self.run([statement(&format!("{JOB} WHERE id = ?1"), [id.to_owned()])]).await?;
        job_in(&found)
    }

    /// The job with that id, and its parts.
    pub async fn job_with_parts(&self, id: &str) -> Result<Option<(Job, Vec<Part>)>, DatabaseError> {
        let job = statement(&format!("{JOB} WHERE id = ?1"), [id.to_owned()]);
        let [job, parts] = self.run([job, statement(&format!("{PARTS} ORDER BY number"), [id.to_owned()])]).await?;
        Ok(job_in(&job)?.zip(Some((0..parts.count()).map(|row| part_in(&parts, row)).collect::<Result<_, _>>()?)))
    }

    /// The job of an earlier request of a client, and what is waiting: jobs, and files of submissions that are still to
    /// be fetched, whose size is not known.
    pub async fn earlier(&self, client: &str, request: Option<&str>) -> Result<Earlier, DatabaseError> {
        let backlog = "WITH waiting (client, bytes) AS ( \
                         SELECT client, bytes FROM job WHERE ended_at IS NULL UNION ALL \
                         SELECT s.client, 0 FROM submission s JOIN submission_file f ON f.submission = s.id \
                         WHERE s.status = 'completed' AND s.fetched = 0 AND f.job IS NULL AND f.fault IS NULL) \
                       SELECT count(*) AS jobs, coalesce(sum(bytes), 0) AS bytes, \
                       count(*) FILTER (WHERE client = ?1) AS own_jobs, \
                       coalesce(sum(bytes) FILTER (WHERE client = ?1), 0) AS own_bytes, \
                       ?1 IN (SELECT client FROM stopped_client) AS stopped FROM waiting";
        let known = of_request(client, request.unwrap_or_default());
        let [known, backlog] = self.run([known, statement(backlog, [client.to_owned()])]).await?;
        let number = |name| backlog.text(0, name).and_then(|text| text.parse().ok()).unwrap_or_default();
        Ok(Earlier {
            job: job_in(&known)?,
            is_stopped: number("stopped") == 1,
            all: Backlog { jobs: number("jobs"), bytes: number("bytes") },
            own: Backlog { jobs: number("own_jobs"), bytes: number("own_bytes") },
        })
    }

    /// Ends a job and all its parts with this report.
    pub async fn stop(&self, id: &str, report: &FileReport, now: Micros) -> Result<(), DatabaseError> {
        let of_job = "SELECT id FROM job WHERE id = ?1";
        self.0.batch(end_of_jobs(of_job, id, report, &now.to_string())).await.map(|_| ())
    }

    /// Notes the parts of a job, and the bases of absolute references in its file, if they are known. If the parts are
    /// known, all stays.
    pub async fn divide(
        &self,
        id: &str,
        parts: &[NewPart<'_>],
        referred: Option<&BTreeSet<String>>,
        now: Micros,
    ) -> Result<(), DatabaseError> {
        let row = |NewPart { number, pieces, report }: &NewPart<'_>| {
            Value::from(vec![Value::from(*number), pieces.map(json).into(), report.map(json).into()])
        };
        let rows: Value = parts.iter().map(row).collect();
        let insert = "INSERT OR IGNORE INTO job_part (job, number, pieces, report) \
                      SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) \
                      WHERE EXISTS (SELECT 1 FROM job WHERE id = ?1 AND divided = 0)";
        let divided = "UPDATE job SET referred = iif(divided, referred, nullif(?3, '')), divided = 1, touched_at = ?2 \
                       WHERE id = ?1";
        let insert = statement(insert, [id.to_owned(), rows.to_string()]);
        let referred = referred.map(json).unwrap_or_default();
        self.run([insert, statement(divided, [id.to_owned(), now.to_string(), referred])]).await.map(|_| ())
    }

    /// Begins a try of a part. Returns the job and the part with the number of this try.
    pub async fn begin(&self, id: &str, number: usize, now: Micros) -> Result<Option<(Job, Part)>, DatabaseError> {
        let count = "UPDATE job_part SET tries = tries + 1 WHERE job = ?1 AND number = ?2 AND report IS NULL";
        let of_part = || [id.to_owned(), number.to_string()];
        let [_, _, job, part] = self
            .run([
                statement(count, of_part()),
                statement("UPDATE job SET touched_at = ?2 WHERE id = ?1", [id.to_owned(), now.to_string()]),
                statement(&format!("{JOB} WHERE id = ?1"), [id.to_owned()]),
                statement(&format!("{PARTS} AND number = ?2"), of_part()),
            ])
            .await?;
        let part = if part.count() == 0 { None } else { Some(part_in(&part, 0)?) };
        Ok(job_in(&job)?.zip(part))
    }

    /// Ends a part with its report, unless it has one, and the job, if it was the last part. If the part has corrected
    /// what was stored before, the number of corrections rises. Returns whether the job has ended.
    pub async fn end_part(
        &self,
        id: &str,
        number: usize,
        report: &FileReport,
        corrects: bool,
        now: Micros,
    ) -> Result<bool, DatabaseError> {
        let part = "INSERT INTO job_part (job, number, report) VALUES (?1, ?2, ?3) \
                    ON CONFLICT DO UPDATE SET report = excluded.report WHERE report IS NULL";
        let mut statements = vec![
            statement(part, [id.to_owned(), number.to_string(), json(report)]),
            statement(
                "UPDATE job SET touched_at = ?2, ended_at = CASE WHEN EXISTS \
                 (SELECT 1 FROM job_part p WHERE p.job = ?1 AND p.report IS NULL) THEN NULL ELSE ?2 END \
                 WHERE id = ?1 AND ended_at IS NULL",
                [id.to_owned(), now.to_string()],
            ),
            statement("SELECT 1 AS ended FROM job WHERE id = ?1 AND ended_at IS NOT NULL", [id.to_owned()]),
        ];
        if corrects {
            statements.insert(0, statement(RAISE_CORRECTIONS, []));
        }
        let answers = self.0.batch(statements).await?;
        Ok(answers.last().is_some_and(|rows| rows.count() > 0))
    }

    /// The jobs and the submissions without progress, and the jobs of long ago. Submissions of long ago are forgotten,
    /// and the headers of those that were not completed in time.
    pub async fn stalled(&self, now: Micros) -> Result<Stalled, DatabaseError> {
        let before = |time: Micros| [(now - time).to_string()];
        let old = format!(
            "SELECT id, file FROM job WHERE ended_at IS NOT NULL AND created_at < ?1 ORDER BY created_at LIMIT {MOST_JOBS}"
        );
        let stalled = format!("ended_at IS NULL AND touched_at < ?1 ORDER BY touched_at LIMIT {MOST_JOBS}");
        let submissions = format!(
            "SELECT id FROM submission WHERE status = 'completed' AND fetched = 0 AND touched_at < ?1 LIMIT {MOST_JOBS}"
        );
        let of_old = |table: &str, column: &str| {
            let old = "SELECT id FROM submission WHERE created_at < ?1";
            statement(&format!("DELETE FROM {table} WHERE {column} IN ({old})"), before(KEPT))
        };
        let headers = "UPDATE submission_manifest SET headers = '{}' WHERE submission IN \
                       (SELECT id FROM submission WHERE status = 'in-progress' AND touched_at < ?1)";
        let [old, found, submissions, ..] = self
            .run([
                statement(&old, before(KEPT)),
                statement(&format!("SELECT id FROM job WHERE {stalled}"), before(STALLED)),
                statement(&submissions, before(STALLED)),
                statement(headers, before(HEADERS_KEPT)),
                of_old("submission_file", "submission"),
                of_old("submission_manifest", "submission"),
                of_old("submission", "id"),
            ])
            .await?;
        let ids = |rows: &D::Rows| (0..rows.count()).filter_map(|row| rows.text(row, "id")).collect();
        let forgotten = (0..old.count()).filter_map(|row| old.text(row, "id").zip(old.text(row, "file"))).collect();
        Ok(Stalled { jobs: ids(&found), submissions: ids(&submissions), forgotten })
    }

    /// Forgets jobs whose objects were deleted. The newest job stays, by which a deployment that has ever had one is
    /// known: a mirror of its records lacks what jobs have stored.
    pub async fn forget(&self, jobs: &[(String, String)]) -> Result<(), DatabaseError> {
        let ids: Value = jobs.iter().map(|(id, _)| id.as_str()).collect();
        let delete = |table: &str, column: &str| {
            let text = format!("DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?1))");
            statement(&text, [ids.to_string()])
        };
        let mut jobs = delete("job", "id");
        jobs.text.push_str(" AND id <> (SELECT id FROM job ORDER BY created_at DESC LIMIT 1)");
        self.run([delete("job_part", "job"), jobs]).await.map(|_| ())
    }

    /// Notes that messages of these jobs and submissions were sent.
    pub async fn touch(&self, jobs: &[String], submissions: &[String], now: Micros) -> Result<(), DatabaseError> {
        let touch = |table: &str, ids: &[String]| {
            let text = format!("UPDATE {table} SET touched_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))");
            statement(&text, [Value::from(ids).to_string(), now.to_string()])
        };
        self.run([touch("job", jobs), touch("submission", submissions)]).await.map(|_| ())
    }
}

/// The jobs that are done again after a restore: all since a time, apart from those of clients that are stopped or
/// named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The time.
    pub since: Micros,
    /// The clients whose jobs are left out.
    pub except: Vec<String>,
}

impl Replay {
    /// The statements, which have the jobs done as if they had just been accepted. The cron trigger begins them. The
    /// last statement returns the number of jobs that are left out by client, in the columns `client` and `jobs`.
    #[must_use]
    pub fn statements(&self) -> [Statement; 3] {
        let left_out = "client IN (SELECT client FROM stopped_client UNION SELECT value FROM json_each(?2))";
        let since = format!("created_at >= ?1 AND ({left_out}) IS NOT TRUE");
        let with = |text: &str| statement(text, [self.since.to_string(), Value::from(self.except.clone()).to_string()]);
        [
            with(&format!("DELETE FROM job_part WHERE job IN (SELECT id FROM job WHERE {since})")),
            with(&format!(
                "UPDATE job SET divided = 0, referred = NULL, ended_at = NULL, touched_at = 0 WHERE {since}"
            )),
            with(&format!(
                "SELECT client, count(*) AS jobs FROM job WHERE created_at >= ?1 AND {left_out} GROUP BY client"
            )),
        ]
    }
}

/// The statements that end jobs, and all their parts, with this report: those that `jobs` selects by `name`, which is
/// `?1`. `now` is an expression.
pub fn end_of_jobs(jobs: &str, name: &str, report: &FileReport, now: &str) -> Vec<Statement> {
    let open = format!("SELECT id FROM job WHERE id IN ({jobs}) AND ended_at IS NULL");
    let of_jobs = |text: String| statement(&text, [name.to_owned(), json(report)]);
    vec![
        of_jobs(format!("UPDATE job_part SET report = ?2 WHERE report IS NULL AND job IN ({open})")),
        of_jobs(format!(
            "INSERT OR IGNORE INTO job_part (job, number, report) SELECT id, 0, ?2 FROM job \
             WHERE divided = 0 AND id IN ({open})"
        )),
        statement(
            &format!(
                "UPDATE job SET divided = 1, ended_at = {now}, touched_at = {now} WHERE ended_at IS NULL AND id IN ({jobs})"
            ),
            [name.to_owned()],
        ),
    ]
}

/// The statements that end the jobs and the submissions of a client that is stopped. The headers of submissions, which
/// may hold secrets, are deleted.
#[must_use]
pub fn stop_client(client: &str) -> Vec<Statement> {
    let of_client = "SELECT id FROM submission WHERE client = ?1";
    let report = FileReport::refused("the file", STOPPED);
    let mut all = end_of_jobs("SELECT id FROM job WHERE client = ?1", client, &report, "unixepoch() * 1000000");
    let end =
        format!("UPDATE submission SET status = 'stopped', fetched = 1 WHERE fetched = 0 AND id IN ({of_client})");
    let headers = format!("UPDATE submission_manifest SET headers = '{{}}' WHERE submission IN ({of_client})");
    all.extend([end, headers].map(|text| statement(&text, [client.to_owned()])));
    all
}

/// The job of a request. An empty `request` finds none.
fn of_request(client: &str, request: &str) -> Statement {
    statement(&format!("{JOB} WHERE client = ?1 AND request = ?2"), [client.to_owned(), request.to_owned()])
}

fn damaged() -> DatabaseError {
    DatabaseError::other("a row of a job is damaged")
}

fn job_in(rows: &impl Rows) -> Result<Option<Job>, DatabaseError> {
    if rows.count() == 0 {
        return Ok(None);
    }
    let text = |name| rows.text(0, name);
    let number = |name| text(name).and_then(|text| text.parse::<i64>().ok());
    let referred = text("referred").map(|text| read(&text)).transpose()?;
    let job = || {
        Some(Job {
            id: text("id")?,
            file: text("file")?,
            client: text("client"),
            bytes: number("bytes")?.unsigned_abs(),
            created_at: number("created_at")?,
            source: text("source"),
            referred,
            is_stopped: number("stopped") == Some(1),
            is_divided: number("divided")? != 0,
            ended_at: number("ended_at"),
        })
    };
    job().map(Some).ok_or_else(damaged)
}

fn part_in(rows: &impl Rows, row: usize) -> Result<Part, DatabaseError> {
    let text = |name| rows.text(row, name);
    let number = |name| text(name).and_then(|text| text.parse().ok()).ok_or_else(damaged);
    Ok(Part {
        number: number("number")?,
        pieces: text("pieces").map(|text| read(&text)).transpose()?,
        tries: number("tries")?,
        report: text("report").map(|text| report_in(&text)).transpose()?,
    })
}

/// The report in a column of a part.
pub(super) fn report_in(text: &str) -> Result<FileReport, DatabaseError> {
    read(text)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, DatabaseError> {
    serde_json::from_str(text).map_err(|_| damaged())
}
