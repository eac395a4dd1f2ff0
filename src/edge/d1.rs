//! D1 as a [`Database`].

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;

use super::ffi::{Answers, D1Database as Binding, Texts, batch, cell, entries, owners, sizes};
use super::js::{needed, said};
use super::text::Text;
use super::turns::settled;
use crate::store::{Database, DatabaseError, Rows, Statement, another_format, format};

/// The sessions of `FFI.js`, by their indexes.
const NEAREST: u8 = 0;
const PRIMARY: u8 = 1;
const NONE: u8 = 2;

/// The binding's name.
const BINDING: &str = "DB";

/// The database of that environment.
///
/// # Errors
/// Where there is no such binding.
pub fn database(env: &Env) -> Result<Binding, String> {
    needed(env, BINDING)
}

thread_local! {
    /// Whether this isolate has seen that the rows are of its format.
    static FORMAT_IS_KNOWN: Cell<bool> = const { Cell::new(false) };
}

/// D1, asked at the primary or at the nearest replica.
pub struct D1<'a> {
    database: &'a Binding,
    at_primary: bool,
}

impl<'a> D1<'a> {
    /// Reads from the nearest replica.
    pub const fn nearest(database: &'a Binding) -> Self {
        Self { database, at_primary: false }
    }

    /// Asks the primary: for what is written, and for what is spent once. No replica can be behind it.
    pub const fn primary(database: &'a Binding) -> Self {
        Self { database, at_primary: true }
    }

    /// Runs statements as one batch, in a session of its own. Reads that fail are tried once more, without a session, at the
    /// primary: a fault may pass, and of a session workerd writes down where it is in the local database, which it cannot
    /// while a load writes to it.
    ///
    /// # Errors
    /// Where D1 does not answer.
    pub async fn run(&self, statements: &[Statement]) -> Result<Vec<D1Rows>, DatabaseError> {
        let session = if self.at_primary { PRIMARY } else { NEAREST };
        match self.attempt(statements, session).await {
            Err(_) if statements.iter().all(|statement| statement.text.starts_with("SELECT")) => {
                self.attempt(statements, NONE).await
            }
            answered => answered,
        }
    }

    async fn attempt(&self, statements: &[Statement], session: u8) -> Result<Vec<D1Rows>, DatabaseError> {
        let fault = |error: JsValue| DatabaseError(said(&error));
        let answers = settled(self.send(statements, session).map_err(fault)?).await.map_err(fault)?;
        rows(answers.unchecked_into(), statements.len()).map_err(fault)
    }

    fn send(&self, statements: &[Statement], session: u8) -> Result<Promise, JsValue> {
        let mut texts = Texts::default();
        let mut counts = Vec::with_capacity(statements.len());
        for Statement { text, binds } in statements {
            texts.push(text);
            for bind in binds {
                texts.push(bind);
            }
            counts.push(binds.len() as u32);
        }
        batch(self.database, session, &texts.all, &texts.lengths, &counts)
    }
}

/// The rows of so many statements.
fn rows(answers: Answers, statements: usize) -> Result<Vec<D1Rows>, JsValue> {
    let answers = Rc::new(answers);
    let mut counted = vec![[0; 2]; statements];
    sizes(&answers, counted.as_flattened_mut())?;
    let mut all = Vec::with_capacity(statements);
    for (at, [count, read]) in counted.into_iter().enumerate() {
        all.push(D1Rows { answers: Rc::clone(&answers), at, count: count as usize, read: read.into() });
    }
    Ok(all)
}

/// The rows of one statement, left where they are: in the answers to its batch, at that place.
pub struct D1Rows {
    answers: Rc<Answers>,
    at: usize,
    count: usize,
    read: u64,
}

impl Rows for D1Rows {
    type Body = Text;

    fn count(&self) -> usize {
        self.count
    }

    fn text(&self, row: usize, column: &str) -> Option<String> {
        cell(&self.answers, self.at, row, column)
    }

    fn entries(&self, most: usize) -> Vec<Text> {
        let entries = entries(&self.answers, self.at, most).into_iter().flatten();
        entries.map(|entry| Text::There(entry.unchecked_into())).collect()
    }

    fn run(&self, most: usize) -> Option<Text> {
        entries(&self.answers, self.at, most).map(|run| Text::There(run.into()))
    }

    fn owners(&self, most: usize) -> String {
        owners(&self.answers, self.at, most)
    }

    fn rows_read(&self) -> u64 {
        self.read
    }
}

impl Database for D1<'_> {
    type Rows = D1Rows;

    /// The first batch of an isolate asks for the format of the rows too.
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

/// D1 where its records are not asked for, but the authorization' memory, which grants are active, and whom users may see.
pub struct AuthD1<'a>(pub D1<'a>);

impl Database for AuthD1<'_> {
    type Rows = D1Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        self.0.run(&statements).await
    }
}
