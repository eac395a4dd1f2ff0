//! The database that the commands of the authorization server change.

use std::path::{Path, PathBuf};

/// The database of the authorization server: a file, or a remote database.
#[derive(clap::Args)]
pub struct AuthDatabase {
    /// The SQLite file.
    #[arg(long, required_unless_present = "sql")]
    db: Option<PathBuf>,
    /// Prints the statements instead of running them, for a remote database.
    #[arg(long)]
    sql: bool,
}

impl AuthDatabase {
    /// Returns the file to change, or `None` if the statements are to be printed.
    pub fn file(&self) -> Option<&Path> {
        self.db.as_deref().filter(|_| !self.sql)
    }
}
