//! What the authorization server remembers, in D1.

use worker::Env;

use super::d1::{D1, said};
use crate::oauth::{Client, GrantRow, Ledger, LedgerError};
use crate::store::{Rows, Statement};

/// The ledger in D1, at its primary.
pub struct D1Ledger<'a>(&'a Env);

impl<'a> D1Ledger<'a> {
    /// Over the database of that environment.
    pub const fn new(env: &'a Env) -> Self {
        Self(env)
    }

    /// Runs one statement.
    ///
    /// # Errors
    /// Where D1 does not answer.
    pub async fn run(&self, text: &str, binds: Vec<String>) -> Result<Option<super::d1::D1Rows>, LedgerError> {
        let statement = Statement { text: text.to_owned(), binds };
        let database = D1::primary(self.0).map_err(|error| LedgerError(error.to_string()))?;
        let answers = database.run(&[statement]).await.map_err(|error| LedgerError(said(&error)))?;
        Ok(answers.into_iter().next())
    }
}

impl Ledger for D1Ledger<'_> {
    async fn client(&self, id: &str) -> Result<Option<Client>, LedgerError> {
        let rows = self.run("SELECT registration FROM clients WHERE id = ?1", vec![id.to_owned()]).await?;
        let Some(text) = rows.and_then(|rows| rows.text(0, "registration")) else { return Ok(None) };
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| LedgerError(format!("the registration of {id:?}: {error}")))
    }

    async fn grant(&self, row: GrantRow) -> Result<(), LedgerError> {
        let text = "INSERT INTO grants (id, client, subject, created_at, expires_at) \
                    VALUES (?1, ?2, nullif(?3, ''), CAST(?4 AS INTEGER), CAST(?5 AS INTEGER))";
        let GrantRow { id, client, subject, created_at, expires_at } = row;
        let binds = vec![id, client, subject.unwrap_or_default(), created_at.to_string(), expires_at.to_string()];
        self.run(text, binds).await.map(|_| ())
    }
}
