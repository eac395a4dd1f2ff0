//! The emergency stop on the command line.

use rusqlite::Connection;

use super::Failure;
use super::statements::{for_each_row, sql_text};
use api::KINDS;
use auth_store::Holder;
use database::Statement;

/// A client or a user to be disabled or enabled.
#[derive(Debug, Clone)]
pub struct Switch {
    /// The kind of the holder: client or user.
    pub holder: Holder,
    /// The identifier of the client, or the name of the user.
    pub name: String,
    /// True if the holder is enabled, false if it is disabled.
    pub enable: bool,
}

impl Switch {
    /// Returns the statements. The last one returns the state. If a client is disabled, they also stop its jobs.
    fn statements(&self) -> Vec<Statement> {
        if self.enable {
            return self.holder.enable(&self.name);
        }
        let mut statements = match self.holder {
            Holder::Client | Holder::ForeignClient => {
                KINDS.iter().flat_map(|kind| kind.stop_client(&self.name)).collect()
            }
            Holder::User => Vec::new(),
        };
        statements.extend(self.holder.disable(&self.name));
        statements
    }

    /// Returns the statements as SQL text, for a remote database.
    ///
    /// # Errors
    /// If the name is longer than D1 accepts.
    pub fn sql(&self) -> Result<String, Failure> {
        sql_text(&self.statements())
    }

    /// Runs the statements, and returns a sentence about the result.
    ///
    /// # Errors
    /// If there is no such client or user, or the database does not accept the statements.
    pub fn run(&self, connection: &mut Connection) -> Result<String, Failure> {
        let kind = match self.holder {
            Holder::Client | Holder::ForeignClient => "client",
            Holder::User => "user",
        };
        let mut outcome = String::new();
        for_each_row(connection, &self.statements(), &mut |row| {
            outcome = row.get("outcome")?;
            Ok(())
        })?;
        match outcome.as_str() {
            "unknown" => Err(Failure(format!("there is no {kind} {:?}", self.name))),
            "stopped" => Ok(format!("the {kind} {:?} is stopped; it has sent nothing so far", self.name)),
            outcome => Ok(format!("the {kind} {:?} is {outcome}", self.name)),
        }
    }
}
