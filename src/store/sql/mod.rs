//! Answers from an SQLite database: Cloudflare's D1, or a file. A question is lowered to statements of text and binds,
//! which run as one batch, so that every answer takes one round trip. The rows come back as a [`Page`].

mod lower;
mod permit;
mod source;
mod text;

use std::vec::IntoIter;

use super::{Cost, Page, Read, RecordStore, StoreError, StoredResource, another_format, format};
use crate::fhir::{Id, Reference};
use crate::search::{Query, Total};
use crate::smart::Permitted;

pub use lower::{Included, Lowered, RowOwner, lower, lower_read};

/// A statement and the values of its parameters `?1`, `?2` …, which are text, so that no runtime rounds a number.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Statement {
    /// SQL.
    pub text: String,
    /// The values, in order.
    pub binds: Vec<String>,
}

/// The SQL condition that the grant `g` is active at `?2`, in seconds since 1970: it is neither revoked nor expired,
/// and if it is `online`, its session has not ended. FHIR, introspection and refresh all use this condition.
pub const GRANT_IS_ACTIVE: &str = "(g.revoked_at IS NULL AND g.expires_at > ?2 AND (g.online = 0 OR EXISTS \
                                   (SELECT 1 FROM sessions s WHERE s.id = g.session AND s.expires_at > ?2)))";

impl Statement {
    /// Selects a row if the grant with that id is active at `now`, in seconds since 1970, and none otherwise.
    #[must_use]
    pub fn live(grant: &str, now: i64) -> Self {
        Self {
            text: format!("SELECT 1 AS live FROM grants g WHERE g.id = ?1 AND {GRANT_IS_ACTIVE}"),
            binds: vec![grant.to_owned(), now.to_string()],
        }
    }

    /// Selects the names of the existing tables ([`missing_tables`]).
    #[must_use]
    pub fn tables() -> Self {
        Self { text: "SELECT name FROM sqlite_schema WHERE type = 'table'".to_owned(), binds: Vec::new() }
    }
}

/// The tables of the records.
const TABLES: [&str; 6] = ["resource", "fact", "link", "alias", "dependent", "format"];

/// The longest statement that D1 takes, in bytes (<https://developers.cloudflare.com/d1/platform/limits/>).
const LONGEST: usize = 100_000;

/// The log text about the wanted tables that are not among the existing ones ([`Statement::tables`]), if any are
/// missing.
#[must_use]
pub fn missing_tables<R: Rows>(tables: &R, wanted: &[&str]) -> Option<String> {
    let known: Vec<_> = (0..tables.count()).filter_map(|row| tables.text(row, "name")).collect();
    let missing: Vec<_> = wanted.iter().copied().filter(|name| !known.iter().any(|other| other == name)).collect();
    (!missing.is_empty()).then(|| format!("tables are missing: {}", missing.join(", ")))
}

/// A database that runs a batch of statements in one round trip.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Database {
    /// The rows of a statement.
    type Rows: Rows;

    /// Runs the statements on one snapshot of the data, and returns the rows of each.
    ///
    /// # Errors
    /// If the database does not answer.
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError>;
}

/// The rows that one statement returned.
pub trait Rows {
    /// A large text, which is left where the database has it.
    type Body: Into<String>;

    /// The number of rows.
    fn count(&self) -> usize;
    /// The text or number in a column of a row, as text. `None` if it is null.
    fn text(&self, row: usize, column: &str) -> Option<String>;
    /// The texts in the column `entry` of the first `most` rows, except for nulls.
    fn entries(&self, most: usize) -> Vec<Self::Body>;
    /// The same texts joined by commas. `None` if there are none.
    fn run(&self, most: usize) -> Option<Self::Body>;
    /// The ids in the column `owner` of those of the first `most` rows whose `entry` is not null, each once, joined by
    /// line ends. The column has other characters around the ids.
    fn owners(&self, most: usize) -> String;
    /// The number of rows that the database read for them.
    fn rows_read(&self) -> u64;
}

/// The error message of a database, for the log alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseError(pub String);

/// A store that queries a database.
#[derive(Debug)]
pub struct SqlStore<D> {
    database: D,
    base: String,
}

impl<D> SqlStore<D> {
    /// Creates a store over a database, whose entries have URLs below the FHIR base `base`.
    pub const fn new(database: D, base: String) -> Self {
        Self { database, base }
    }
}

impl<D: Database> RecordStore for SqlStore<D> {
    type Body = <D::Rows as Rows>::Body;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError> {
        let Lowered { page, count, includes, owner } = lower(ask, &self.base, after);
        let (paged, counted) = (page.is_some(), count.is_some());
        let mut statements = Vec::with_capacity(3 + includes.len());
        if let Some(page) = page {
            statements.push(page);
        }
        if let Some(count) = count {
            statements.push(count);
        }
        let mut owners = Vec::with_capacity(includes.len());
        for include in includes {
            statements.push(include.statement);
            owners.push(include.owner);
        }
        let (mut answers, cost) = self.run(statements).await?;
        let query = ask.question();
        let page = if paged { answers.next() } else { None };
        let total = if counted { answers.next() } else { None };
        let total = total.and_then(|rows| rows.text(0, "total")).and_then(|number| number.parse().ok());
        let found = page.as_ref().map_or(0, Rows::count);
        let shown = found.min(query.count);
        let more = found > shown;
        let known = query.total == Total::WhereKnown && after.is_none() && !more;
        let mut matches = Vec::new();
        match &page {
            // For some elements alone, each entry is needed by itself.
            Some(rows) if !query.elements.is_empty() => matches = rows.entries(shown),
            Some(rows) => matches.extend(rows.run(shown)),
            None => {}
        }
        let mut patients = Vec::new();
        if let Some(rows) = page.as_ref().filter(|_| shown > 0) {
            owner.add(rows, shown, &mut patients);
        }
        let mut included = Vec::new();
        for (rows, owner) in answers.zip(owners) {
            if let Some(entries) = rows.run(usize::MAX) {
                owner.add(&rows, usize::MAX, &mut patients);
                included.push(entries);
            }
        }
        Ok(Page {
            matches,
            included,
            page_end: page.as_ref().filter(|_| more).and_then(|rows| rows.text(shown.checked_sub(1)?, "place")),
            total: total.or_else(|| known.then_some(shown as u64)),
            patients,
            cost,
        })
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError> {
        let (statement, owner) = lower_read(ask);
        let (mut answers, cost) = self.run(vec![statement]).await?;
        let held = |rows: D::Rows| {
            let (body, version) = (rows.entries(1).pop()?, rows.text(0, "version")?);
            let mut patients = Vec::new();
            owner.add(&rows, 1, &mut patients);
            Some(StoredResource { body, version, modified: rows.text(0, "modified"), patients })
        };
        Ok(Read { found: answers.next().filter(|rows| rows.count() > 0).and_then(held), cost })
    }

    async fn ready(&self) -> Result<(), StoreError> {
        let statement = Statement { text: "SELECT number FROM format".to_owned(), binds: Vec::new() };
        let (mut answers, _) = self.run(vec![Statement::tables(), statement]).await?;
        let missing = answers.next().and_then(|tables| missing_tables(&tables, &TABLES));
        if let Some(missing) = missing {
            return Err(StoreError::Unavailable(missing));
        }
        let stored = answers.next().and_then(|rows| rows.text(0, "number")).unwrap_or_default();
        if stored == format() {
            return Ok(());
        }
        Err(StoreError::Unavailable(another_format("records", &stored)))
    }

    fn missed(&self) -> Cost {
        Cost::D1 { rows_read: 1, trips: 1 }
    }
}

impl RowOwner<'_> {
    /// Adds the patients to whom the first `most` rows belong.
    fn add<R: Rows>(self, rows: &R, most: usize, patients: &mut Vec<Id>) {
        match self {
            Self::None => {}
            Self::Patient(patient) => patient.put(patients),
            Self::Column => {
                for id in rows.owners(most).split('\n') {
                    if let Some(patient) = Id::parse(id) {
                        patient.put(patients);
                    }
                }
            }
        }
    }
}

impl<D: Database> SqlStore<D> {
    /// Runs the statements.
    async fn run(&self, statements: Vec<Statement>) -> Result<(IntoIter<D::Rows>, Cost), StoreError> {
        // A token with many filters adds each of them to the condition of each included type.
        if statements.iter().any(|statement| statement.text.len() > LONGEST) {
            return Err(StoreError::TooCostly);
        }
        let expected = statements.len();
        let answers = self.database.batch(statements).await.map_err(|error| StoreError::Unavailable(error.0))?;
        let cost = Cost::D1 { rows_read: answers.iter().map(Rows::rows_read).sum(), trips: 1 };
        if answers.len() == expected {
            Ok((answers.into_iter(), cost))
        } else {
            Err(StoreError::Unavailable("the database answered another number of statements".to_owned()))
        }
    }
}
