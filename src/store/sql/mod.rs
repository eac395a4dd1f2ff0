//! Answers from an SQLite database: Cloudflare's D1, or a file. A question is lowered to statements, pure text and binds;
//! they go out as one batch, so every answer is one round trip; and the rows come back as a [`Page`].

mod lower;
mod permit;
mod source;
mod text;

use std::vec::IntoIter;

use super::{Cost, Held, Page, Read, Store, StoreError, another_format, format};
use crate::fhir::Reference;
use crate::search::{Query, Total};
use crate::smart::Permitted;

pub use lower::{Lowered, lower, lower_read};

/// A statement and what is bound to its `?1`, `?2` …: text alone, so that no runtime rounds a number.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Statement {
    /// SQL.
    pub text: String,
    /// In order.
    pub binds: Vec<String>,
}

impl Statement {
    /// Returns a row where the grant of that id stands, and none where it does not.
    #[must_use]
    pub fn live(grant: &str) -> Self {
        Self {
            text: "SELECT 1 AS live FROM grants WHERE id = ?1 AND revoked_at IS NULL".to_owned(),
            binds: vec![grant.to_owned()],
        }
    }
}

/// A database that runs a batch of statements in one round trip.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Database {
    /// Its rows.
    type Rows: Rows;

    /// Runs the statements, all against one state of the data, and returns the rows of each.
    ///
    /// # Errors
    /// Where the database does not answer.
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError>;
}

/// The rows that one statement returned.
pub trait Rows {
    /// A text too large to be handed around: wherever the database put it.
    type Body: Into<String>;

    /// How many there are.
    fn count(&self) -> usize;
    /// The text or number in that column of that row, as text; nothing where it is null.
    fn text(&self, row: usize, column: &str) -> Option<String>;
    /// The texts in the column `entry` of the first rows, left where they are, but for those where it is null.
    fn entries(&self, most: usize) -> Vec<Self::Body>;
    /// The same as one, with a comma between each two; nothing where there are none.
    fn run(&self, most: usize) -> Option<Self::Body>;
    /// How many rows the database read for them.
    fn rows_read(&self) -> u64;
}

/// What a database said instead of an answer. For the log alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseError(pub String);

/// A store that asks a database.
#[derive(Debug)]
pub struct SqlStore<D> {
    database: D,
    base: String,
}

impl<D> SqlStore<D> {
    /// A store over that database, whose entries are addressed under the FHIR base `base`.
    pub const fn new(database: D, base: String) -> Self {
        Self { database, base }
    }
}

impl<D: Database> Store for SqlStore<D> {
    type Body = <D::Rows as Rows>::Body;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError> {
        let Lowered { page, count, mut includes } = lower(ask, &self.base, after);
        let (paged, counted) = (page.is_some(), count.is_some());
        let mut statements = Vec::with_capacity(3 + includes.len());
        if let Some(page) = page {
            statements.push(page);
        }
        if let Some(count) = count {
            statements.push(count);
        }
        statements.append(&mut includes);
        let (mut answers, cost) = self.run(ask.grant(), statements).await?;
        let query = ask.ask();
        let page = if paged { answers.next() } else { None };
        let total = if counted { answers.next() } else { None };
        let total = total.and_then(|rows| rows.text(0, "total")).and_then(|number| number.parse().ok());
        let found = page.as_ref().map_or(0, Rows::count);
        let shown = found.min(query.count);
        let more = found > shown;
        let known = query.total == Total::WhereKnown && after.is_none() && !more;
        let mut matches = Vec::new();
        match &page {
            // Of some elements alone, each entry is opened.
            Some(rows) if !query.elements.is_empty() => matches = rows.entries(shown),
            Some(rows) => matches.extend(rows.run(shown)),
            None => {}
        }
        let mut included = Vec::new();
        for rows in answers {
            included.extend(rows.run(usize::MAX));
        }
        Ok(Page {
            matches,
            included,
            more: page.as_ref().filter(|_| more).and_then(|rows| rows.text(shown.checked_sub(1)?, "place")),
            total: total.or_else(|| known.then_some(shown as u64)),
            cost,
        })
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError> {
        let (mut answers, cost) = self.run(ask.grant(), vec![lower_read(ask)]).await?;
        let held = |rows: D::Rows| {
            let (body, version) = (rows.entries(1).pop()?, rows.text(0, "version")?);
            Some(Held { body, version, modified: rows.text(0, "modified") })
        };
        Ok(Read { found: answers.next().filter(|rows| rows.count() > 0).and_then(held), cost })
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let statement = Statement { text: "SELECT number FROM format".to_owned(), binds: Vec::new() };
        let (mut answers, _) = self.run(None, vec![statement]).await?;
        let stored = answers.next().and_then(|rows| rows.text(0, "number")).unwrap_or_default();
        if stored == format() {
            return Ok(());
        }
        Err(StoreError::Unavailable(another_format("records", &stored)))
    }

    fn missed(&self) -> Cost {
        Cost::D1 { rows_read: 2, trips: 1 }
    }
}

impl<D: Database> SqlStore<D> {
    /// Runs the statements behind the check that the grant stands.
    async fn run(
        &self,
        grant: Option<&str>,
        mut statements: Vec<Statement>,
    ) -> Result<(IntoIter<D::Rows>, Cost), StoreError> {
        let expected = statements.len();
        if let Some(grant) = grant {
            statements.insert(0, Statement::live(grant));
        }
        let answers = self.database.batch(statements).await.map_err(|error| StoreError::Unavailable(error.0))?;
        let cost = Cost::D1 { rows_read: answers.iter().map(Rows::rows_read).sum(), trips: 1 };
        let mut answers = answers.into_iter();
        if grant.is_some() && answers.next().is_none_or(|rows| rows.count() == 0) {
            return Err(StoreError::Revoked);
        }
        if answers.len() == expected {
            Ok((answers, cost))
        } else {
            Err(StoreError::Unavailable("the database answered another number of statements".to_owned()))
        }
    }
}
