//! What protection remembers.

use super::{SqlLedger, integer, sql};
use crate::oauth::{Guard, LedgerError, Window, hashed};
use crate::store::{Database, Rows};

impl<D: Database> Guard for SqlLedger<D> {
    async fn spend_assertion(&self, client: &str, jti: &str, until: i64) -> Result<bool, LedgerError> {
        let text = "INSERT OR IGNORE INTO spent (client, jti, expires_at) VALUES (?1, ?2, ?3) RETURNING client";
        Ok(self.run(sql(text, [client, &hashed(jti), &until.to_string()])).await?.count() == 1)
    }

    async fn wrong_guesses(&self, names: [&str; 2], now: i64) -> Result<[Option<Window>; 2], LedgerError> {
        let text = "SELECT name, count, until FROM guesses WHERE name IN (?1, ?2) AND until > ?3";
        let [one, other] = names;
        let rows = self.run(sql(text, [one, other, &now.to_string()])).await?;
        Ok(names.map(|name| {
            let row = (0..rows.count()).find(|row| rows.text(*row, "name").as_deref() == Some(name))?;
            let count = u32::try_from(integer(&rows, row, "count")).unwrap_or(u32::MAX);
            Some(Window { count, until: integer(&rows, row, "until") })
        }))
    }

    async fn count_wrong_guess(&self, names: [&str; 2], now: i64, until: i64) -> Result<(), LedgerError> {
        let text = "INSERT INTO guesses (name, count, until) \
                    SELECT value, 1, CAST(?4 AS INTEGER) FROM json_each(json_array(?1, ?2)) WHERE true \
                    ON CONFLICT (name) DO UPDATE SET count = iif(until > ?3, count + 1, 1), \
                    until = iif(until > ?3, until, CAST(?4 AS INTEGER))";
        let [one, other] = names;
        self.run(sql(text, [one, other, &now.to_string(), &until.to_string()])).await.map(|_| ())
    }
}
