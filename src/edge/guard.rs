//! What protection remembers, in D1.

use super::ledger::D1Ledger;
use crate::oauth::{Guard, LedgerError, Window, hashed};
use crate::store::Rows;

impl Guard for D1Ledger<'_> {
    async fn spend(&self, client: &str, jti: &str, until: i64) -> Result<bool, LedgerError> {
        let text = "INSERT OR IGNORE INTO spent (client, jti, expires_at) VALUES (?1, ?2, CAST(?3 AS INTEGER)) \
                    RETURNING client";
        let rows = self.run(text, vec![client.to_owned(), hashed(jti), until.to_string()]).await?;
        Ok(rows.is_some_and(|rows| rows.count() == 1))
    }

    async fn wrong_guesses(&self, name: &str, now: i64) -> Result<Option<Window>, LedgerError> {
        let text = "SELECT count, until FROM guesses WHERE name = ?1 AND until > CAST(?2 AS INTEGER)";
        let rows = self.run(text, vec![name.to_owned(), now.to_string()]).await?;
        Ok(rows.and_then(|rows| {
            let number = |column| rows.text(0, column)?.parse::<i64>().ok();
            Some(Window { count: u32::try_from(number("count")?).unwrap_or(u32::MAX), until: number("until")? })
        }))
    }

    async fn count_wrong_guess(&self, name: &str, now: i64, until: i64) -> Result<(), LedgerError> {
        let text = "INSERT INTO guesses (name, count, until) VALUES (?1, 1, CAST(?3 AS INTEGER)) \
                    ON CONFLICT (name) DO UPDATE SET \
                    count = CASE WHEN until > CAST(?2 AS INTEGER) THEN count + 1 ELSE 1 END, \
                    until = CASE WHEN until > CAST(?2 AS INTEGER) THEN until ELSE CAST(?3 AS INTEGER) END";
        self.run(text, vec![name.to_owned(), now.to_string(), until.to_string()]).await.map(|_| ())
    }
}
