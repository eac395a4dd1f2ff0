//! D1 as a [`Database`].

use std::cell::Cell;

use js_sys::{Array, JsString, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;
use worker::wasm_bindgen_futures::JsFuture;
use worker::worker_sys::types::{D1Database, D1DatabaseSession, D1Result};

use super::js::{needed, said};
use crate::store::{Database, DatabaseError, Rows, Statement, another_format, format};

/// The binding's name.
const BINDING: &str = "DB";

thread_local! {
    /// Whether this isolate has seen that the rows are of its format.
    static FORMAT_IS_KNOWN: Cell<bool> = const { Cell::new(false) };
    /// The name of the column that bodies stand in, made a JavaScript string once.
    static ENTRY: JsValue = JsValue::from_str("entry");
}

/// A session with D1.
pub struct D1(D1DatabaseSession);

impl D1 {
    /// A session that reads from the nearest replica.
    ///
    /// # Errors
    /// Where there is no such binding.
    pub fn nearest(env: &Env) -> worker::Result<Self> {
        Self::session(env, "first-unconstrained")
    }

    /// A session with the primary: for what is written, and for what is spent once.
    ///
    /// # Errors
    /// Where there is no such binding.
    pub fn primary(env: &Env) -> worker::Result<Self> {
        Self::session(env, "first-primary")
    }

    fn session(env: &Env, constraint: &str) -> worker::Result<Self> {
        let database: D1Database = needed(env, BINDING)?;
        Ok(Self(database.with_session(Some(constraint))?))
    }

    /// Runs statements as one batch.
    ///
    /// # Errors
    /// Where D1 does not answer.
    pub async fn run(&self, statements: &[Statement]) -> Result<Vec<D1Rows>, JsValue> {
        let prepared = Array::new();
        for Statement { text, binds } in statements {
            let binds: Array = binds.iter().map(|bind| JsValue::from_str(bind)).collect();
            let statement = self.0.session_prepare(text)?.bind(binds)?;
            prepared.push(statement.as_ref());
        }
        let answers: Array = JsFuture::from(self.0.session_batch(prepared)?).await?.dyn_into()?;
        answers.iter().map(|answer| D1Rows::of(&answer.unchecked_into())).collect()
    }
}

/// The rows of one statement, left where they are.
pub struct D1Rows {
    rows: Array,
    rows_read: u64,
}

impl D1Rows {
    fn of(result: &D1Result) -> Result<Self, JsValue> {
        let rows = result.results()?.unwrap_or_default();
        let read = Reflect::get(&result.meta()?.into(), &"rows_read".into())?;
        Ok(Self { rows, rows_read: read.as_f64().unwrap_or_default() as u64 })
    }

    fn value(&self, row: usize, column: &JsValue) -> Option<JsValue> {
        Reflect::get(&self.rows.get(u32::try_from(row).ok()?), column).ok()
    }
}

impl Rows for D1Rows {
    type Body = JsString;

    fn count(&self) -> usize {
        self.rows.length() as usize
    }

    fn text(&self, row: usize, column: &str) -> Option<String> {
        let value = self.value(row, &column.into())?;
        value.as_string().or_else(|| value.as_f64().map(|number| (number as i64).to_string()))
    }

    fn body(&self, row: usize, column: &str) -> Option<JsString> {
        let value = if column == "entry" {
            ENTRY.with(|entry| self.value(row, entry))
        } else {
            self.value(row, &column.into())
        };
        value?.dyn_into().ok()
    }

    fn rows_read(&self) -> u64 {
        self.rows_read
    }
}

impl Database for D1 {
    type Rows = D1Rows;

    /// The first batch of an isolate asks for the format of the rows too.
    async fn batch(&self, mut statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        let asks = !FORMAT_IS_KNOWN.get();
        if asks {
            statements.push(Statement { text: "SELECT number FROM format".to_owned(), binds: Vec::new() });
        }
        let mut answers = self.run(&statements).await.map_err(|error| DatabaseError(said(&error)))?;
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

/// D1 where it holds no records: it says which grants stand and whom users may see.
pub struct Access(pub D1);

impl Database for Access {
    type Rows = D1Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        self.0.run(&statements).await.map_err(|error| DatabaseError(said(&error)))
    }
}
