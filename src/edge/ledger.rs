//! What the authorization server remembers, in D1.

use super::d1::{D1, said};
use crate::oauth::{Client, GrantRow, Ledger, LedgerError};
use crate::store::{Rows, Statement};

/// The ledger in D1, at its primary.
pub struct D1Ledger(D1);

impl D1Ledger {
    /// Over that session.
    pub const fn new(database: D1) -> Self {
        Self(database)
    }

    async fn run(&self, text: &str, binds: Vec<String>) -> Result<Option<super::d1::D1Rows>, LedgerError> {
        let statement = Statement { text: text.to_owned(), binds };
        let answers = self.0.run(&[statement]).await.map_err(|error| LedgerError(said(&error)))?;
        Ok(answers.into_iter().next())
    }
}

impl Ledger for D1Ledger {
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
