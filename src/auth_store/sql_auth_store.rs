//! The auth store in a database, and the functions with which its files run statements and read rows.

use std::cell::Cell;

use database::{Database, Rows, Statement, run_all};
use oauth::AuthStoreError;

/// The auth store in a SQL database.
#[derive(Debug)]
pub struct SqlAuthStore<D> {
    pub(super) database: D,
    /// The directory of the records, if it is not the database of the auth store.
    pub(super) directory: Option<D>,
    /// True if the clients and users of sandboxes, whose secrets are published, are accepted.
    pub(super) sandbox: bool,
    /// True if a grant or a session may have ended.
    pub(super) has_ended_access: Cell<bool>,
}

/// Returns a bind for an optional value. `None` becomes the empty text, which the statements turn into NULL.
pub(super) fn maybe(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}

/// Creates a statement with its binds.
pub(super) fn sql<const N: usize>(text: &str, binds: [&str; N]) -> Statement {
    Statement { text: text.to_owned(), binds: binds.map(str::to_owned).into() }
}

/// Returns the number in a column, or 0 if the column is null.
pub(super) fn integer<R: Rows>(rows: &R, row: usize, column: &str) -> Result<i64, AuthStoreError> {
    maybe_integer(rows, row, column).map(Option::unwrap_or_default)
}

/// Returns the number in a column. `None` if the column is null.
pub(super) fn maybe_integer<R: Rows>(rows: &R, row: usize, column: &str) -> Result<Option<i64>, AuthStoreError> {
    rows.number(row, column).map_err(|error| AuthStoreError(error.detail))
}

pub(super) fn malformed(what: &str) -> impl FnOnce(serde_json::Error) -> AuthStoreError {
    // The text of the error may quote a value.
    move |error| AuthStoreError(format!("{what} is damaged at column {}", error.column()))
}

impl<D: Database> SqlAuthStore<D> {
    /// Creates an auth store over a database. It accepts the clients and users of sandboxes.
    pub const fn new(database: D) -> Self {
        Self { database, directory: None, sandbox: true, has_ended_access: Cell::new(false) }
    }

    /// Reads the ids of stored patients from the directory of the records, which may be a replica.
    #[must_use]
    pub fn with_directory(self, directory: D) -> Self {
        Self { directory: Some(directory), ..self }
    }

    /// Refuses the clients and users of sandboxes.
    #[must_use]
    pub fn in_production(self) -> Self {
        Self { sandbox: false, ..self }
    }

    /// Records whether a grant or a session may have ended, through this store, or elsewhere according to a read.
    pub(super) fn note_end(&self, may_have_ended: bool) {
        self.has_ended_access.set(self.has_ended_access.get() || may_have_ended);
    }

    /// Returns whether a grant or a session may have ended, so that cached grants of this database may be wrong.
    #[must_use]
    pub fn has_ended_access(&self) -> bool {
        self.has_ended_access.get()
    }

    /// Runs statements as one batch.
    ///
    /// # Errors
    /// If the database does not answer each statement.
    pub async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D::Rows>, AuthStoreError> {
        run_all(&self.database, statements).await.map_err(|error| AuthStoreError(error.detail))
    }

    /// Runs one statement.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn run(&self, statement: Statement) -> Result<D::Rows, AuthStoreError> {
        let mut answers = self.batch(vec![statement]).await?;
        answers.pop().ok_or_else(|| AuthStoreError("the database did not answer".to_owned()))
    }
}
