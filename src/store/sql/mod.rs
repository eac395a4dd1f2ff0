//! Answers from an SQLite database: Cloudflare's D1, or a file. Records are charts, packed, in the table `chart`: the
//! engine searches them as it searches those in KV. The types that are searched without a patient also have rows of
//! their own, in `resource` and `fact`: a search of these is lowered to statements of text and binds.

mod chart_rows;
mod charts;
mod databases;
mod from_charts;
mod lower;
mod permit;
mod rewrite;
mod source;
mod store;
mod tables;
mod text;
mod window;

pub use chart_rows::{ChartPart, chart_keys, chart_of, compartment_keys, open_chart, parts};
pub use charts::ChartCache;
pub use databases::{PlacedStatement, RecordDatabases, ShardMapCache};
pub use from_charts::{answers_from_charts, chart_statement, chart_statements, reads_chart};
pub use lower::{Included, Lowered, RowOwner, lower, lower_read, lower_targets};
pub use rewrite::{ChartChange, RewriteError, rewrite, whole_chart};
pub use store::SqlStore;
pub use tables::{Change, ColumnType, Lookup, Place, Row, Table, Value};
pub use window::FreshnessWindow;

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

/// The longest statement that D1 takes, in bytes (<https://developers.cloudflare.com/d1/platform/limits/>).
pub const LONGEST: usize = 100_000;

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
    /// The bytes in a column of a row, which has them as hexadecimal digits. `None` if there are none.
    fn bytes(&self, row: usize, column: &str) -> Option<Vec<u8>> {
        base16ct::upper::decode_vec(self.text(row, column)?).ok()
    }
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
