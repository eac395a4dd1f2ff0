//! The existing tables of a database.

use super::{Rows, Statement};

impl Statement {
    /// Selects the names of the existing tables ([`missing_tables`]).
    pub fn tables() -> Self {
        Self { text: "SELECT name FROM sqlite_schema WHERE type = 'table'".to_owned(), binds: Vec::new() }
    }
}

/// Returns the log text about the wanted tables that do not exist ([`Statement::tables`]), if any are missing.
pub fn missing_tables<R: Rows>(tables: &R, wanted: &[&str]) -> Option<String> {
    let known: Vec<_> = (0..tables.count()).filter_map(|row| tables.text(row, "name")).collect();
    let missing: Vec<_> = wanted.iter().copied().filter(|name| !known.iter().any(|other| other == name)).collect();
    (!missing.is_empty()).then(|| format!("tables are missing: {}", missing.join(", ")))
}
