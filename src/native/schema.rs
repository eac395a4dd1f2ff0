//! Database files, and the format of the records in them.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::{Failure, private};
use sqlite::tables;
use store::format;

/// Opens a database file. The file and its tables are created if they are missing.
///
/// # Errors
/// If the file cannot be opened.
pub fn database(path: &Path) -> Result<Connection, Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Failure::doing(format!("making {}", folder.display())))?;
    }
    let opening = || format!("opening the database {}", path.display());
    private::create_missing(path).map_err(Failure::doing(opening()))?;
    let connection = Connection::open(path).map_err(Failure::doing(opening()))?;
    // A server may have the same file open. The connection waits for its locks.
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    Ok(tables(connection)?)
}

/// Returns whether an attached database has records. The records must be of this format.
pub fn has_format(connection: &Connection, schema: &str) -> Result<bool, Failure> {
    let text = format!("SELECT number FROM {schema}.format");
    let stored: Option<String> = connection.query_row(&text, [], |row| row.get(0)).optional()?;
    match stored {
        Some(stored) if stored != format() => Err(Failure(format!(
            "the database was loaded in format {stored}, and this is {}: remove it and load again",
            format()
        ))),
        stored => Ok(stored.is_some()),
    }
}
