//! D1 as a [`Database`].

use std::cell::Cell;

use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use worker::{D1Database, D1PreparedStatement, Env};

use super::ffi::{Answer, Batches, entries, length, owners};
use super::text::Text;
use database::{Database, DatabaseError, Rows, Statement};
use store::shards::MAX_SHARDS;
use store::{Bookmark, Corrections, SessionStart, another_format, format};

/// The binding of the records.
pub const RECORDS: &str = "DB";
/// The prefix of the bindings of further shards. The number of the shard follows it, from 1 on.
const SHARD: &str = "SHARD_";
/// The binding of the authorization server's state and of the access lists. It may be the same database.
pub const AUTH: &str = "AUTH_DB";

/// Returns the database of a binding.
///
/// # Errors
/// If there is no such binding.
pub fn database(env: &Env, binding: &str) -> Result<D1Database, String> {
    env.d1(binding).map_err(|error| format!("there is no binding {binding}: {error}"))
}

/// Returns the databases of the further shards: those with bindings for successive numbers.
pub fn shards(env: &Env) -> Vec<RecordsD1> {
    (1..MAX_SHARDS).map_while(|number| env.d1(&format!("{SHARD}{number}")).ok()).map(RecordsD1::new).collect()
}

/// A database of the records, with the state that the isolate caches for it.
pub struct RecordsD1 {
    database: D1Database,
    /// The bookmark from which sessions begin after a correction.
    bookmark: Bookmark,
    /// True if the format of its records has been checked.
    format_is_known: Cell<bool>,
}

impl RecordsD1 {
    /// Makes the state of a database, with nothing cached.
    pub fn new(database: D1Database) -> Self {
        Self { database, bookmark: Bookmark::default(), format_is_known: Cell::default() }
    }
}

/// D1, at the primary or at the nearest replica.
pub struct D1<'a> {
    database: &'a D1Database,
    /// The database of the records with the corrections that a replica must have. `None` for a primary, of the records
    /// or of the authorization server.
    records: Option<(&'a RecordsD1, &'a Corrections)>,
}

impl<'a> D1<'a> {
    /// Reads from the nearest replica that has all known corrections.
    pub const fn nearest(records: &'a RecordsD1, corrections: &'a Corrections) -> Self {
        Self { database: &records.database, records: Some((records, corrections)) }
    }

    /// Reads from and writes to a database of the records, at its primary.
    pub const fn records(records: &'a RecordsD1) -> Self {
        Self::primary(&records.database)
    }

    /// Runs statements on the primary: for writes, and for reads that must see all earlier writes.
    pub const fn primary(database: &'a D1Database) -> Self {
        Self { database, records: None }
    }

    /// Runs statements as one batch, in a separate session. Failed reads are retried once at the primary without a
    /// session: a fault may be temporary, and for a session workerd writes its bookmark to the local database, which
    /// fails while a load writes there.
    ///
    /// # Errors
    /// If D1 does not answer.
    pub async fn run(&self, statements: &[Statement]) -> Result<Vec<D1Rows>, DatabaseError> {
        match self.run_in_session(statements).await {
            Err(_) if statements.iter().all(|statement| statement.text.starts_with("SELECT")) => {
                batch(self.database.as_ref(), statements, |text| self.database.prepare(text)).await.map_err(fault)
            }
            answered => answered.map_err(fault),
        }
    }

    async fn run_in_session(&self, statements: &[Statement]) -> worker::Result<Vec<D1Rows>> {
        let number = self.records.map_or(0, |(_, corrections)| corrections.number());
        let start = self.records.map_or(SessionStart::Primary, |(records, _)| records.bookmark.start(number));
        let session = self.database.with_session(Some(match &start {
            SessionStart::Nearest => "first-unconstrained",
            SessionStart::Bookmark(bookmark) => bookmark,
            SessionStart::Primary => "first-primary",
        }))?;
        let answers = batch(session.as_ref(), statements, |text| session.prepare(text)).await;
        match (self.records, start, &answers) {
            (Some((records, _)), SessionStart::Primary, Ok(_)) => {
                if let Some(bookmark) = session.get_bookmark()? {
                    records.bookmark.keep(number, bookmark);
                }
            }
            // The bookmark may be newer than a restored database.
            (Some((records, _)), SessionStart::Bookmark(_), Err(_)) => records.bookmark.forget(),
            _ => {}
        }
        answers
    }
}

async fn batch(
    batches: &JsValue,
    statements: &[Statement],
    prepare: impl Fn(&str) -> D1PreparedStatement,
) -> worker::Result<Vec<D1Rows>> {
    let mut prepared = Vec::with_capacity(statements.len());
    for Statement { text, binds } in statements {
        let binds: Vec<_> = binds.iter().map(|bind| JsValue::from_str(bind)).collect();
        prepared.push(JsValue::from(prepare(text).bind(&binds)?.inner()));
    }
    let answers: Array = batches.unchecked_ref::<Batches>().batch(prepared)?.await?.dyn_into()?;
    Ok(answers.iter().map(|answer| D1Rows::of(answer.unchecked_into())).collect())
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn fault(error: worker::Error) -> DatabaseError {
    DatabaseError::of_message(error.to_string())
}

/// The rows of one statement, which stay in JavaScript.
#[derive(Clone)]
pub struct D1Rows {
    rows: Array,
    read: u64,
}

impl D1Rows {
    #[allow(clippy::needless_pass_by_value, reason = "as an iterator gives it")]
    fn of(answer: Answer) -> Self {
        let read = answer.meta().rows_read().unwrap_or_default() as u64;
        Self { rows: answer.results().unwrap_or_default(), read }
    }
}

impl Rows for D1Rows {
    type Body = Text;

    fn count(&self) -> usize {
        self.rows.length() as usize
    }

    fn text(&self, row: usize, column: &str) -> Option<String> {
        let value = Reflect::get(&self.rows.get(u32::try_from(row).ok()?), &column.into()).ok()?;
        value.as_string().or_else(|| value.as_f64().map(|number| number.to_string()))
    }

    fn entries(&self, most: usize) -> Vec<Text> {
        let entries = entries(&self.rows, most).into_iter().flatten();
        entries.map(|entry| Text::Js(entry.unchecked_into())).collect()
    }

    fn run(&self, most: usize) -> Option<Text> {
        entries(&self.rows, most).map(|run| Text::Js(run.into()))
    }

    fn length(&self) -> usize {
        length(&self.rows)
    }

    fn owners(&self, most: usize) -> String {
        owners(&self.rows, most)
    }

    fn rows_read(&self) -> u64 {
        self.read
    }
}

impl Database for D1<'_> {
    type Rows = D1Rows;

    /// Runs a batch. The first batch on each database of the records also checks the format.
    async fn batch(&self, mut statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        let unchecked = self.records.map(|(records, _)| &records.format_is_known).filter(|known| !known.get());
        if unchecked.is_some() {
            statements.push(Statement { text: "SELECT number FROM format".to_owned(), binds: Vec::new() });
        }
        let mut answers = self.run(&statements).await?;
        if let Some(known) = unchecked {
            let stored = answers.pop().and_then(|rows| rows.text(0, "number")).unwrap_or_default();
            if stored != format() {
                return Err(DatabaseError::other(another_format("records", &stored)));
            }
            known.set(true);
        }
        Ok(answers)
    }
}
