//! SQLite as a [`Database`]: runs the statements of D1 on a file or in memory.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, params_from_iter};

use ::database::{Database, DatabaseError, DatabaseErrorKind, Rows, Statement};

/// A SQLite connection that runs batches.
#[derive(Debug)]
pub struct SqliteDatabase(RefCell<Connection>);

impl SqliteDatabase {
    /// Makes a database on this connection.
    pub const fn new(connection: Connection) -> Self {
        Self(RefCell::new(connection))
    }
}

/// The rows of a result, each a map from column to text.
#[derive(Debug, Clone)]
pub struct SqliteRows(Vec<HashMap<String, String>>);

impl Rows for SqliteRows {
    type Body = String;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn text(&self, row: usize, column: &str) -> Option<String> {
        self.0.get(row)?.get(column).cloned()
    }

    fn run(&self, most: usize) -> Option<String> {
        let entries = self.entries(most);
        (!entries.is_empty()).then(|| entries.join(","))
    }

    fn entries(&self, most: usize) -> Vec<String> {
        (0..self.count().min(most)).filter_map(|row| self.text(row, "entry")).collect()
    }

    fn length(&self) -> usize {
        self.0.iter().filter_map(|row| row.get("entry")).map(String::len).sum()
    }

    fn owners(&self, most: usize) -> String {
        let with_entry = self.0.iter().take(most).filter(|row| row.contains_key("entry"));
        let texts = with_entry.filter_map(|row| row.get("owner"));
        let is_of_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let ids: BTreeSet<_> =
            texts.flat_map(|text| text.split(|c| !is_of_id(c))).filter(|id| !id.is_empty()).collect();
        ids.into_iter().collect::<Vec<_>>().join("\n")
    }

    /// Returns 0, since plain SQLite does not report the number of rows read, unlike D1.
    fn rows_read(&self) -> u64 {
        0
    }
}

impl Database for SqliteDatabase {
    type Rows = SqliteRows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<SqliteRows>, DatabaseError> {
        let mut connection = self.0.borrow_mut();
        let mut run = || -> rusqlite::Result<Vec<SqliteRows>> {
            let transaction = connection.transaction()?;
            let answers =
                statements.iter().map(|statement| query(&transaction, statement)).collect::<Result<_, _>>()?;
            transaction.commit()?;
            Ok(answers)
        };
        run().map_err(|error| DatabaseError::new(kind_of(&error), error.to_string()))
    }
}

fn kind_of(error: &rusqlite::Error) -> DatabaseErrorKind {
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => DatabaseErrorKind::Conflict,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DatabaseErrorKind::Unavailable,
        Some(ErrorCode::TooBig | ErrorCode::DiskFull) => DatabaseErrorKind::TooLarge,
        _ => DatabaseErrorKind::Other,
    }
}

fn query(connection: &Connection, statement: &Statement) -> rusqlite::Result<SqliteRows> {
    let mut prepared = connection.prepare_cached(&statement.text)?;
    let columns: Vec<String> = prepared.column_names().into_iter().map(str::to_owned).collect();
    let mut rows = prepared.query(params_from_iter(&statement.binds))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut texts = HashMap::new();
        for (at, column) in columns.iter().enumerate() {
            let text = match row.get_ref(at)? {
                ValueRef::Null | ValueRef::Blob(_) => continue,
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            };
            texts.insert(column.clone(), text);
        }
        found.push(texts);
    }
    Ok(SqliteRows(found))
}

/// A database that is shared by several engines.
impl Database for &SqliteDatabase {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        (**self).batch(statements).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::now;

    #[test]
    fn the_kind_of_an_error_follows_from_the_code_of_sqlite() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT NOT NULL)").unwrap();
        connection.set_limit(rusqlite::limits::Limit::SQLITE_LIMIT_SQL_LENGTH, 1_000).unwrap();
        let database = SqliteDatabase::new(connection);
        let run = |text: &str| {
            let statement = Statement { text: text.to_owned(), binds: Vec::new() };
            now(database.batch(vec![statement])).map(|_| ()).map_err(|error| error.kind)
        };
        assert_eq!(run("INSERT INTO t VALUES ('1', '')"), Ok(()));
        assert_eq!(run("INSERT INTO t VALUES ('1', '')"), Err(DatabaseErrorKind::Conflict));
        assert_eq!(run("UPDATE t SET b = NULL"), Err(DatabaseErrorKind::Conflict));
        assert_eq!(run(&format!("SELECT '{}'", "x".repeat(1_000))), Err(DatabaseErrorKind::TooLarge));
        assert_eq!(run("SELECT c FROM t"), Err(DatabaseErrorKind::Other));
    }

    #[test]
    fn a_value_that_cannot_be_read_is_an_error_with_the_name_of_its_column() {
        let database = SqliteDatabase::new(Connection::open_in_memory().unwrap());
        let text = "SELECT '12' AS number, '0A' AS bytes, NULL AS none, 'x' AS damaged".to_owned();
        let rows = now(database.batch(vec![Statement { text, binds: Vec::new() }])).unwrap().remove(0);
        assert_eq!((rows.number(0, "number"), rows.number::<i64>(0, "none")), (Ok(Some(12)), Ok(None)));
        assert_eq!((rows.bytes(0, "bytes"), rows.bytes(0, "none")), (Ok(Some(vec![10])), Ok(None)));
        assert_eq!(
            (rows.number::<i64>(0, "damaged"), rows.bytes(0, "damaged")),
            (Err(DatabaseError::damaged("damaged")), Err(DatabaseError::damaged("damaged")))
        );
        assert_eq!(
            (rows.required_text(0, "number"), rows.required_text(0, "none")),
            (Ok("12".to_owned()), Err(DatabaseError::damaged("none")))
        );
    }
}
