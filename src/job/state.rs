//! The state of jobs, as SQL (`migrations/0002_authorization.sql`). Each change may be repeated.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::kind::{JobOf, Kind, PartOf};
use super::record::{Backlog, EarlierJobs, Job, NewPart, Part, Stalled};
use database::{Database, DatabaseError, RAISE_CORRECTIONS, Rows, Statement, run_all, run_each};
use fhir::{Micros, json};

/// The time for which jobs are kept: 35 days. During this time, a file can be loaded again after a restore.
pub const KEPT: Micros = 35 * 24 * 3_600 * 1_000_000;
/// The time without progress after which a message counts as lost: 5 minutes.
pub const STALLED: Micros = 5 * 60 * 1_000_000;
/// The divisor for the share of the backlog that one client may have, so that other clients find room.
const SHARE_OF_CLIENT: u64 = 4;
/// The maximum number of jobs that are continued or forgotten in one run.
const MAX_JOBS: usize = 100;

/// The state of the jobs of a kind, in a database.
#[derive(Debug)]
pub struct JobState<D, K> {
    pub database: D,
    kind: PhantomData<K>,
}

const JOB: &str = "SELECT id, parameters, client, created_at, notes, divided, ended_at, \
                   client IN (SELECT client FROM stopped_client) AS stopped FROM job";
const IS_DONE: &str = "NOT EXISTS (SELECT 1 FROM job_part p WHERE p.job = ?1 AND p.report IS NULL)";
const PARTS: &str = "SELECT number, contents, tries, report FROM job_part WHERE job = ?1";

/// The progress of a job after the report of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Some parts have no report.
    Some,
    /// All parts have reports, and the job has not ended.
    All,
    /// The job has ended.
    Ended,
}

/// Ends a job if all its parts have reports.
fn end_if_done(id: &str, now: Micros) -> Statement {
    let text = format!(
        "UPDATE job SET touched_at = ?2, ended_at = iif({IS_DONE}, ?2, NULL) WHERE id = ?1 AND ended_at IS NULL"
    );
    statement(&text, [id.to_owned(), now.to_string()])
}

/// Returns the expression that tells whether the jobs of a kind that have not ended leave no room for another job of
/// this client.
fn is_full<K: Kind>(client: &str) -> String {
    let kind = K::NAME;
    let Backlog { jobs, bytes, parts } = K::MAX_WAITING;
    let [own_jobs, own_bytes, own_parts] = [jobs, bytes, parts].map(|most| most / SHARE_OF_CLIENT);
    format!(
        "WITH waiting (client, bytes) AS ( \
         SELECT client, bytes FROM job WHERE kind = '{kind}' AND ended_at IS NULL), \
         open (client) AS (SELECT j.client FROM job j CROSS JOIN job_part p ON p.job = j.id \
         WHERE j.kind = '{kind}' AND j.ended_at IS NULL AND p.report IS NULL) \
         SELECT count(*) >= {jobs} OR coalesce(sum(bytes), 0) >= {bytes} \
         OR count(*) FILTER (WHERE client = {client}) >= {own_jobs} \
         OR coalesce(sum(bytes) FILTER (WHERE client = {client}), 0) >= {own_bytes} \
         OR (SELECT count(*) FROM open) >= {parts} \
         OR (SELECT count(*) FROM open WHERE client = {client}) >= {own_parts} FROM waiting"
    )
}

/// Returns a statement with its binds.
pub fn statement<const N: usize>(text: &str, binds: [String; N]) -> Statement {
    Statement { text: text.to_owned(), binds: binds.into() }
}

impl<D, K> JobState<D, K> {
    /// Makes the state in this database.
    pub const fn new(database: D) -> Self {
        Self { database, kind: PhantomData }
    }
}

impl<D: Database, K: Kind> JobState<D, K> {
    /// Selects the job with this id.
    fn of_id(id: &str) -> Statement {
        statement(&format!("{JOB} WHERE id = ?1 AND kind = '{}'", K::NAME), [id.to_owned()])
    }

    /// Selects the job of a request. An empty `request` finds no job.
    fn of_request(client: &str, request: &str) -> Statement {
        let text = format!("{JOB} WHERE client = ?1 AND request = ?2 AND kind = '{}'", K::NAME);
        statement(&text, [client.to_owned(), request.to_owned()])
    }

    async fn run<const N: usize>(&self, statements: [Statement; N]) -> Result<[D::Rows; N], DatabaseError> {
        run_each(&self.database, statements).await
    }

    /// Adds a job, unless it is known. `request` is the hash of the key by which a client repeats a request; if an
    /// earlier request had the same key, its job is kept. Returns the job, or `None` if too many jobs are waiting for
    /// another one of this client: the statement that adds a job counts them.
    pub async fn add(&self, job: &JobOf<K>, request: Option<&str>) -> Result<Option<JobOf<K>>, DatabaseError> {
        let Job { id, parameters, client, created_at, .. } = job;
        let insert = format!(
            "INSERT OR IGNORE INTO job (id, kind, parameters, client, request, bytes, created_at, touched_at) \
             SELECT ?1, ?2, ?3, nullif(?4, ''), nullif(?5, ''), ?6, ?7, ?7 WHERE ?4 = '' OR NOT ({})",
            is_full::<K>("?4")
        );
        let maybe = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let binds = [
            id.clone(),
            K::NAME.to_owned(),
            json(parameters),
            maybe(client.as_deref()),
            maybe(request),
            K::bytes(parameters).to_string(),
            created_at.to_string(),
        ];
        let known = match (client, request) {
            (Some(client), Some(request)) => Self::of_request(client, request),
            _ => Self::of_id(id),
        };
        let [_, found] = self.run([statement(&insert, binds), known]).await?;
        job_in(&found)
    }

    pub async fn job(&self, id: &str) -> Result<Option<JobOf<K>>, DatabaseError> {
        let [found] = self.run([Self::of_id(id)]).await?;
        job_in(&found)
    }

    pub async fn job_with_parts(&self, id: &str) -> Result<Option<(JobOf<K>, Vec<PartOf<K>>)>, DatabaseError> {
        let [job, parts] =
            self.run([Self::of_id(id), statement(&format!("{PARTS} ORDER BY number"), [id.to_owned()])]).await?;
        let parts = (0..parts.count()).map(|row| part_in(&parts, row)).collect::<Result<_, _>>()?;
        Ok(job_in(&job)?.zip(Some(parts)))
    }

    /// Returns the first part of a job that has no report, except for the given part.
    pub async fn open_part(&self, id: &str, except: usize) -> Result<Option<usize>, DatabaseError> {
        let next = "SELECT number FROM job_part WHERE job = ?1 AND number <> CAST(?2 AS INTEGER) AND report IS NULL \
                    ORDER BY number LIMIT 1";
        let [next] = self.run([statement(next, [id.to_owned(), except.to_string()])]).await?;
        next.number(0, "number")
    }

    /// Returns the oldest job of a client that has not ended, except for the given job. All files that were put
    /// directly into the bucket belong to one client without a name.
    pub async fn first_of(&self, client: Option<&str>, except: Option<&str>) -> Result<Option<String>, DatabaseError> {
        let first = format!(
            "SELECT id FROM job WHERE kind = '{}' AND client IS nullif(?1, '') AND ended_at IS NULL AND id <> ?2 \
             ORDER BY created_at, id LIMIT 1",
            K::NAME
        );
        let binds = [client, except].map(|text| text.unwrap_or_default().to_owned());
        let [first] = self.run([statement(&first, binds)]).await?;
        Ok(first.text(0, "id"))
    }

    /// Returns the job of an earlier request of a client, and whether another job may begin.
    pub async fn earlier(
        &self,
        client: &str,
        request: Option<&str>,
    ) -> Result<EarlierJobs<K::Parameters, K::Notes>, DatabaseError> {
        let known = Self::of_request(client, request.unwrap_or_default());
        let limits = is_full::<K>("?1");
        let limits = format!("SELECT ?1 IN (SELECT client FROM stopped_client) AS stopped, ({limits}) AS is_full");
        let [known, limits] = self.run([known, statement(&limits, [client.to_owned()])]).await?;
        let is_true = |name| required(limits.number::<u8>(0, name)?, name).map(|number| number == 1);
        Ok(EarlierJobs { job: job_in(&known)?, is_stopped: is_true("stopped")?, is_full: is_true("is_full")? })
    }

    /// Ends a job and all its parts with the same report.
    pub async fn stop(&self, id: &str, report: &K::Report, now: Micros) -> Result<(), DatabaseError> {
        let of_job = "SELECT id FROM job WHERE id = ?1";
        self.database.batch(end_of_jobs(of_job, id, report, &now.to_string())).await.map(|_| ())
    }

    /// Stores the parts of a job and the notes of its division. If the parts are already known, nothing changes.
    pub async fn divide(
        &self,
        id: &str,
        parts: &[NewPart<'_, K::Contents, K::Report>],
        notes: Option<&K::Notes>,
        now: Micros,
    ) -> Result<(), DatabaseError> {
        let row = |NewPart { number, contents, report }: &NewPart<'_, K::Contents, K::Report>| {
            Value::from(vec![Value::from(*number), contents.map(json).into(), report.map(json).into()])
        };
        let rows: Value = parts.iter().map(row).collect();
        let insert = "INSERT OR IGNORE INTO job_part (job, number, contents, report) \
                      SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) \
                      WHERE EXISTS (SELECT 1 FROM job WHERE id = ?1 AND divided = 0)";
        let divided = "UPDATE job SET notes = iif(divided, notes, nullif(?3, '')), divided = 1, touched_at = ?2 \
                       WHERE id = ?1";
        let insert = statement(insert, [id.to_owned(), rows.to_string()]);
        let notes = notes.map(json).unwrap_or_default();
        self.run([insert, statement(divided, [id.to_owned(), now.to_string(), notes])]).await.map(|_| ())
    }

    /// Begins a try of a part. Returns the job, and the part with the number of this try.
    pub async fn begin(
        &self,
        id: &str,
        number: usize,
        now: Micros,
    ) -> Result<Option<(JobOf<K>, PartOf<K>)>, DatabaseError> {
        let count = "UPDATE job_part SET tries = tries + 1 WHERE job = ?1 AND number = ?2 AND report IS NULL";
        let of_part = || [id.to_owned(), number.to_string()];
        let [_, _, job, part] = self
            .run([
                statement(count, of_part()),
                statement("UPDATE job SET touched_at = ?2 WHERE id = ?1", [id.to_owned(), now.to_string()]),
                Self::of_id(id),
                statement(&format!("{PARTS} AND number = ?2"), of_part()),
            ])
            .await?;
        let part = if part.count() == 0 { None } else { Some(part_in(&part, 0)?) };
        Ok(job_in(&job)?.zip(part))
    }

    /// Stores the report of a part, unless it has one. If it was the last part and `ends` is true, the job ends. If the
    /// part corrected stored records, the number of corrections is raised.
    pub async fn store_report(
        &self,
        id: &str,
        number: usize,
        report: &K::Report,
        corrects: bool,
        ends: bool,
        now: Micros,
    ) -> Result<Done, DatabaseError> {
        let part = "INSERT INTO job_part (job, number, report) VALUES (?1, ?2, ?3) \
                    ON CONFLICT DO UPDATE SET report = excluded.report WHERE report IS NULL";
        let mut statements = vec![statement(part, [id.to_owned(), number.to_string(), json(report)])];
        statements.push(if ends { end_if_done(id, now) } else { touch(&[id.to_owned()], now) });
        statements.push(statement(
            &format!("SELECT ended_at IS NOT NULL AS ended, {IS_DONE} AS done FROM job WHERE id = ?1"),
            [id.to_owned()],
        ));
        if corrects {
            statements.insert(0, statement(RAISE_CORRECTIONS, []));
        }
        let answers = self.database.batch(statements).await?;
        let is = |column| answers.last().is_some_and(|rows| rows.text(0, column).is_some_and(|text| text == "1"));
        Ok(if is("ended") {
            Done::Ended
        } else if is("done") {
            Done::All
        } else {
            Done::Some
        })
    }

    /// Ends a job if all its parts have reports. Returns whether it has ended.
    pub async fn end(&self, id: &str, now: Micros) -> Result<bool, DatabaseError> {
        let ended = statement("SELECT 1 FROM job WHERE id = ?1 AND ended_at IS NOT NULL", [id.to_owned()]);
        let [_, ended] = self.run([end_if_done(id, now), ended]).await?;
        Ok(ended.count() > 0)
    }

    /// Adds one more report to a job whose parts all have reports, and ends it. A job that has ended, or has parts
    /// without a report, is left unchanged. Returns whether the job has ended.
    pub async fn end_with(&self, id: &str, report: &K::Report, now: Micros) -> Result<bool, DatabaseError> {
        let further = format!(
            "INSERT INTO job_part (job, number, report) \
             SELECT ?1, (SELECT max(number) + 1 FROM job_part WHERE job = ?1), ?2 FROM job \
             WHERE id = ?1 AND ended_at IS NULL AND {IS_DONE}"
        );
        let ended = statement("SELECT 1 FROM job WHERE id = ?1 AND ended_at IS NOT NULL", [id.to_owned()]);
        let [_, _, ended] =
            self.run([statement(&further, [id.to_owned(), json(report)]), end_if_done(id, now), ended]).await?;
        Ok(ended.count() > 0)
    }

    /// Adds parts to a job that has `before` parts, including the division, and has not ended. If the number of its
    /// parts has changed meanwhile, the job is left unchanged.
    pub async fn extend(
        &self,
        id: &str,
        before: usize,
        parts: &[NewPart<'_, K::Contents, K::Report>],
        now: Micros,
    ) -> Result<(), DatabaseError> {
        let rows: Value = parts
            .iter()
            .map(|NewPart { number, contents, .. }| Value::from(vec![Value::from(*number), contents.map(json).into()]))
            .collect();
        let insert = "INSERT OR IGNORE INTO job_part (job, number, contents) \
                      SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2) \
                      WHERE EXISTS (SELECT 1 FROM job WHERE id = ?1 AND ended_at IS NULL) \
                      AND (SELECT count(*) FROM job_part WHERE job = ?1) = CAST(?3 AS INTEGER)";
        let insert = statement(insert, [id.to_owned(), rows.to_string(), before.to_string()]);
        self.run([insert, touch(&[id.to_owned()], now)]).await.map(|_| ())
    }

    /// Returns the jobs without progress, and old jobs to be forgotten. The statements of `further` run in the same
    /// batch, and their rows are returned.
    pub async fn stalled(
        &self,
        now: Micros,
        further: Vec<Statement>,
    ) -> Result<(Stalled<K::Parameters>, Vec<D::Rows>), DatabaseError> {
        let kind = K::NAME;
        let old = format!(
            "{JOB} WHERE kind = '{kind}' AND ended_at IS NOT NULL AND created_at < ?1 \
             ORDER BY created_at LIMIT {MAX_JOBS}"
        );
        // The other jobs of a client wait for the first.
        let stalled = format!(
            "SELECT id FROM (SELECT id, touched_at, \
             row_number() OVER (PARTITION BY client ORDER BY created_at, id) AS place \
             FROM job WHERE kind = '{kind}' AND ended_at IS NULL) WHERE place = 1 AND touched_at < ?1 \
             ORDER BY touched_at LIMIT {MAX_JOBS}"
        );
        let mut statements = vec![before(&old, now - KEPT), before(&stalled, now - STALLED)];
        statements.extend(further);
        let mut rows = run_all(&self.database, statements).await?;
        let further = rows.split_off(rows.len().min(2));
        let [old, stalled] = &rows[..] else { return Err(DatabaseError::other("no jobs were answered")) };
        let of_row =
            |row| Ok((old.required_text(row, "id")?, required(stored(old, row, "parameters")?, "parameters")?));
        let forgotten = (0..old.count()).map(of_row).collect::<Result<_, DatabaseError>>()?;
        Ok((Stalled { jobs: ids(stalled), forgotten }, further))
    }

    /// Forgets jobs whose objects have been deleted.
    pub async fn forget(&self, jobs: &[(String, K::Parameters)]) -> Result<(), DatabaseError> {
        let ids: Value = jobs.iter().map(|(id, _)| id.as_str()).collect();
        let delete = |table: &str, column: &str| {
            let text = format!("DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?1))");
            statement(&text, [ids.to_string()])
        };
        self.run([delete("job_part", "job"), delete("job", "id")]).await.map(|_| ())
    }

    /// Records that messages of these jobs were sent.
    pub async fn touch(&self, jobs: &[String], now: Micros) -> Result<(), DatabaseError> {
        self.run([touch(jobs, now)]).await.map(|_| ())
    }
}

/// Returns a statement about rows whose time is before `time`, which is `?1`.
pub fn before(text: &str, time: Micros) -> Statement {
    statement(text, [time.to_string()])
}

/// Returns the statement that records progress of jobs, or the sending of their messages.
fn touch(ids: &[String], now: Micros) -> Statement {
    let text = "UPDATE job SET touched_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))";
    statement(text, [Value::from(ids).to_string(), now.to_string()])
}

/// Returns the ids in rows.
pub fn ids<R: Rows>(rows: &R) -> Vec<String> {
    (0..rows.count()).filter_map(|row| rows.text(row, "id")).collect()
}

/// Returns the statements that end jobs, and all their parts, with this report. `jobs` selects the jobs by `name`,
/// which is `?1`. `now` is an expression.
pub fn end_of_jobs<R: Serialize>(jobs: &str, name: &str, report: &R, now: &str) -> Vec<Statement> {
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

fn job_in<P: DeserializeOwned, N: DeserializeOwned>(rows: &impl Rows) -> Result<Option<Job<P, N>>, DatabaseError> {
    if rows.count() == 0 {
        return Ok(None);
    }
    let number = |name| required(rows.number::<i64>(0, name)?, name);
    Ok(Some(Job {
        id: rows.required_text(0, "id")?,
        parameters: required(stored(rows, 0, "parameters")?, "parameters")?,
        client: rows.text(0, "client"),
        created_at: number("created_at")?,
        notes: stored(rows, 0, "notes")?,
        is_stopped: rows.number(0, "stopped")? == Some(1),
        is_divided: number("divided")? != 0,
        ended_at: rows.number(0, "ended_at")?,
    }))
}

fn part_in<C: DeserializeOwned, R: DeserializeOwned>(
    rows: &impl Rows,
    row: usize,
) -> Result<Part<C, R>, DatabaseError> {
    let number = |name| required(rows.number(row, name)?, name);
    Ok(Part {
        number: number("number")?,
        contents: stored(rows, row, "contents")?,
        tries: number("tries")?,
        report: stored(rows, row, "report")?,
    })
}

/// Returns the value of a column that is never null.
fn required<T>(value: Option<T>, column: &str) -> Result<T, DatabaseError> {
    value.ok_or_else(|| DatabaseError::damaged(column))
}

/// Returns the value that is stored as JSON in a column. `None` if it is null.
///
/// # Errors
/// If the text is damaged.
pub fn stored<T: DeserializeOwned>(rows: &impl Rows, row: usize, column: &str) -> Result<Option<T>, DatabaseError> {
    let text = rows.text(row, column);
    text.map(|text| serde_json::from_str(&text).map_err(|_| DatabaseError::damaged(column))).transpose()
}
