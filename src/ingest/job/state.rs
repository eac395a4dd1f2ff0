//! The state of jobs, as SQL (`migrations/0016_jobs.sql`). Each change may be repeated.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::divide::Piece;
use crate::fhir::{Micros, json};
use crate::ingest::report::FileReport;
use crate::store::{Database, DatabaseError, RAISE_CORRECTIONS, Rows, Statement};

/// The time for which jobs are kept: 35 days. So long files can be loaded again after a restore.
const KEPT: Micros = 35 * 24 * 3_600 * 1_000_000;
/// The time without progress after which a message counts as lost: 5 minutes.
const STALLED: Micros = 5 * 60 * 1_000_000;
/// The most jobs that are gone on with or forgotten in one run.
const MOST_JOBS: usize = 100;

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The state of jobs in a database.
#[derive(Debug)]
pub struct JobState<D>(pub D);

const JOB: &str = "SELECT id, file, client, bytes, created_at, divided, ended_at FROM job";
const PARTS: &str = "SELECT number, pieces, tries, report FROM job_part WHERE job = ?1";

pub(super) fn statement<const N: usize>(text: &str, binds: [String; N]) -> Statement {
    Statement { text: text.to_owned(), binds: binds.into() }
}

impl<D: Database> JobState<D> {
    async fn run<const N: usize>(&self, statements: [Statement; N]) -> Result<[D::Rows; N], DatabaseError> {
        let rows = self.0.batch(statements.into()).await?;
        rows.try_into().map_err(|_| DatabaseError("the database answered another number of statements".to_owned()))
    }

    /// Adds a job, unless it is known. `request` is the hash of the key by which a client repeats a request; the job of
    /// an earlier request with it stays. Returns the job.
    pub async fn add(&self, job: &Job, request: Option<&str>) -> Result<Option<Job>, DatabaseError> {
        let Job { id, file, client, bytes, created_at, .. } = job;
        let insert = "INSERT OR IGNORE INTO job (id, file, client, request, bytes, created_at, touched_at) \
                      VALUES (?1, ?2, nullif(?3, ''), nullif(?4, ''), ?5, ?6, ?6)";
        let maybe = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let binds = [
            id.clone(),
            file.clone(),
            maybe(client.as_deref()),
            maybe(request),
            bytes.to_string(),
            created_at.to_string(),
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

    /// The job of an earlier request of a client, and the backlog.
    pub async fn earlier(&self, client: &str, request: Option<&str>) -> Result<(Option<Job>, Backlog), DatabaseError> {
        let backlog = "SELECT count(*) AS jobs, coalesce(sum(bytes), 0) AS bytes FROM job WHERE ended_at IS NULL";
        let known = of_request(client, request.unwrap_or_default());
        let [known, backlog] = self.run([known, statement(backlog, [])]).await?;
        let number = |name| backlog.text(0, name).and_then(|text| text.parse().ok()).unwrap_or_default();
        Ok((job_in(&known)?, Backlog { jobs: number("jobs"), bytes: number("bytes") }))
    }

    /// Notes the parts of a job. If they are known, they stay.
    pub async fn divide(&self, id: &str, parts: &[NewPart<'_>], now: Micros) -> Result<(), DatabaseError> {
        let row = |NewPart { number, pieces, report }: &NewPart<'_>| {
            Value::from(vec![Value::from(*number), pieces.map(json).into(), report.map(json).into()])
        };
        let rows: Value = parts.iter().map(row).collect();
        let insert = "INSERT OR IGNORE INTO job_part (job, number, pieces, report) \
                      SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) \
                      WHERE EXISTS (SELECT 1 FROM job WHERE id = ?1 AND divided = 0)";
        let divided = "UPDATE job SET divided = 1, touched_at = ?2 WHERE id = ?1";
        let insert = statement(insert, [id.to_owned(), rows.to_string()]);
        self.run([insert, statement(divided, [id.to_owned(), now.to_string()])]).await.map(|_| ())
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

    /// The jobs and the submissions without progress. Those of long ago are forgotten.
    pub async fn stalled(&self, now: Micros) -> Result<(Vec<String>, Vec<String>), DatabaseError> {
        let before = || [(now - STALLED).to_string()];
        let old = format!(
            "SELECT id FROM job WHERE ended_at IS NOT NULL AND created_at < ?1 ORDER BY created_at LIMIT {MOST_JOBS}"
        );
        let stalled = format!("ended_at IS NULL AND touched_at < ?1 ORDER BY touched_at LIMIT {MOST_JOBS}");
        let long_ago = || [(now - KEPT).to_string()];
        let submissions = format!(
            "SELECT id FROM submission WHERE status = 'completed' AND fetched = 0 AND touched_at < ?1 LIMIT {MOST_JOBS}"
        );
        let of_old = |table: &str, column: &str| {
            let old = "SELECT id FROM submission WHERE created_at < ?1";
            statement(&format!("DELETE FROM {table} WHERE {column} IN ({old})"), long_ago())
        };
        let [_, _, found, submissions, ..] = self
            .run([
                statement(&format!("DELETE FROM job_part WHERE job IN ({old})"), long_ago()),
                statement(&format!("DELETE FROM job WHERE id IN ({old})"), long_ago()),
                statement(&format!("SELECT id FROM job WHERE {stalled}"), before()),
                statement(&submissions, before()),
                of_old("submission_file", "submission"),
                of_old("submission_manifest", "submission"),
                of_old("submission", "id"),
            ])
            .await?;
        let ids = |rows: &D::Rows| (0..rows.count()).filter_map(|row| rows.text(row, "id")).collect();
        Ok((ids(&found), ids(&submissions)))
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

/// The statements that have all jobs since a time done again, as if they had just been accepted. The cron trigger
/// begins them.
#[must_use]
pub fn replay(since: Micros) -> [Statement; 2] {
    let since = || [since.to_string()];
    [
        statement("DELETE FROM job_part WHERE job IN (SELECT id FROM job WHERE created_at >= ?1)", since()),
        statement("UPDATE job SET divided = 0, ended_at = NULL, touched_at = 0 WHERE created_at >= ?1", since()),
    ]
}

/// The job of a request. An empty `request` finds none.
fn of_request(client: &str, request: &str) -> Statement {
    statement(&format!("{JOB} WHERE client = ?1 AND request = ?2"), [client.to_owned(), request.to_owned()])
}

fn damaged() -> DatabaseError {
    DatabaseError("a row of a job is damaged".to_owned())
}

fn job_in(rows: &impl Rows) -> Result<Option<Job>, DatabaseError> {
    if rows.count() == 0 {
        return Ok(None);
    }
    let text = |name| rows.text(0, name);
    let number = |name| text(name).and_then(|text| text.parse::<i64>().ok());
    let job = || {
        Some(Job {
            id: text("id")?,
            file: text("file")?,
            client: text("client"),
            bytes: number("bytes")?.unsigned_abs(),
            created_at: number("created_at")?,
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
