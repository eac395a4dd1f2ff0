//! D1 as a [`Database`].

use std::cell::Cell;

use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use worker::{D1Database, D1PreparedStatement, Env};

use super::ffi::{Answer, Batches, entries, owners};
use super::text::Text;
use crate::store::{
    Bookmark, Corrections, Database, DatabaseError, Rows, SessionStart, Statement, another_format, format,
};

/// The binding of the records.
pub const RECORDS: &str = "DB";
/// The binding of the authorization server's state and of the access lists. It may be the same database.
pub const AUTH: &str = "AUTH_DB";

/// The database of a binding.
///
/// # Errors
/// If there is no such binding.
pub fn database(env: &Env, binding: &str) -> Result<D1Database, String> {
    env.d1(binding).map_err(|error| format!("there is no binding {binding}: {error}"))
}

thread_local! {
    /// True after this isolate has checked the format of the rows.
    static FORMAT_IS_KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// D1, at the primary or at the nearest replica.
pub struct D1<'a> {
    database: &'a D1Database,
    /// The corrections that a replica must have, and the bookmark of the database. Without them it is the primary.
    replica: Option<(&'a Corrections, &'a Bookmark)>,
}

impl<'a> D1<'a> {
    /// Reads from the nearest replica that has all corrections that are known.
    pub const fn nearest(database: &'a D1Database, corrections: &'a Corrections, bookmark: &'a Bookmark) -> Self {
        Self { database, replica: Some((corrections, bookmark)) }
    }

    /// Runs statements as one batch, in its own session. Reads that fail are tried once more at the primary without a
    /// session. A fault may be temporary, and for a session workerd writes its bookmark to the local database, which
    /// fails while a load writes there.
    ///
    /// # Errors
    /// If D1 does not answer.
    pub async fn run(&self, statements: &[Statement]) -> Result<Vec<D1Rows>, DatabaseError> {
        match self.in_session(statements).await {
            Err(_) if statements.iter().all(|statement| statement.text.starts_with("SELECT")) => {
                self.without_session(statements).await.map_err(fault)
            }
            answered => answered.map_err(fault),
        }
    }

    async fn in_session(&self, statements: &[Statement]) -> worker::Result<Vec<D1Rows>> {
        let number = self.replica.map_or(0, |(corrections, _)| corrections.number());
        let start = self.replica.map_or(SessionStart::Primary, |(_, bookmark)| bookmark.start(number));
        let session = self.database.with_session(Some(match &start {
            SessionStart::Nearest => "first-unconstrained",
            SessionStart::Bookmark(bookmark) => bookmark,
            SessionStart::Primary => "first-primary",
        }))?;
        let answers = batch(session.as_ref(), statements, |text| session.prepare(text)).await;
        match (self.replica, start, &answers) {
            (Some((_, kept)), SessionStart::Primary, Ok(_)) => {
                if let Some(bookmark) = session.get_bookmark()? {
                    kept.keep(number, bookmark);
                }
            }
            // It may be of a later state than a database that was restored.
            (Some((_, kept)), SessionStart::Bookmark(_), Err(_)) => kept.forget(),
            _ => {}
        }
        answers
    }

    async fn without_session(&self, statements: &[Statement]) -> worker::Result<Vec<D1Rows>> {
        batch(self.database.as_ref(), statements, |text| self.database.prepare(text)).await
    }
}

/// Prepares the statements, runs them as one batch, and returns the rows of each.
async fn batch(
    on: &JsValue,
    statements: &[Statement],
    prepare: impl Fn(&str) -> D1PreparedStatement,
) -> worker::Result<Vec<D1Rows>> {
    let mut prepared = Vec::with_capacity(statements.len());
    for Statement { text, binds } in statements {
        let binds: Vec<_> = binds.iter().map(|bind| JsValue::from_str(bind)).collect();
        prepared.push(JsValue::from(prepare(text).bind(&binds)?.inner()));
    }
    let answers: Array = on.unchecked_ref::<Batches>().batch(prepared)?.await?.dyn_into()?;
    Ok(answers.iter().map(|answer| D1Rows::of(answer.unchecked_into())).collect())
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn fault(error: worker::Error) -> DatabaseError {
    DatabaseError(error.to_string())
}

/// The rows of one statement, which stay in JavaScript.
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

    fn owners(&self, most: usize) -> String {
        owners(&self.rows, most)
    }

    fn rows_read(&self) -> u64 {
        self.read
    }
}

impl Database for D1<'_> {
    type Rows = D1Rows;

    /// Runs a batch. The first batch of an isolate also checks the format of the rows.
    async fn batch(&self, mut statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        let asks = !FORMAT_IS_KNOWN.get();
        if asks {
            statements.push(Statement { text: "SELECT number FROM format".to_owned(), binds: Vec::new() });
        }
        let mut answers = self.run(&statements).await?;
        if asks {
            let stored = answers.pop().and_then(|rows| rows.text(0, "number")).unwrap_or_default();
            if stored != format() {
                return Err(DatabaseError(another_format("records", &stored)));
            }
            FORMAT_IS_KNOWN.set(true);
        }
        Ok(answers)
    }
}

/// D1 without the check of the format of the records, for the auth store and the access lists.
pub struct AuthD1<'a>(D1<'a>);

impl<'a> AuthD1<'a> {
    /// Runs statements on the primary: for writes, and for reads that must not be behind them.
    pub const fn primary(database: &'a D1Database) -> Self {
        Self(D1 { database, replica: None })
    }

    /// The database of the records, for the ids of the stored patients.
    pub const fn records(records: D1<'a>) -> Self {
        Self(records)
    }
}

impl Database for AuthD1<'_> {
    type Rows = D1Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        self.0.run(&statements).await
    }
}
