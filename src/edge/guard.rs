//! What protection remembers, in D1.

use super::ledger::D1Ledger;
use crate::oauth::{Guard, LedgerError, Window, hashed};
use crate::store::Rows;

impl Guard for D1Ledger<'_> {
    async fn spend_assertion(&self, client: &str, jti: &str, until: i64) -> Result<bool, LedgerError> {
        let text = "INSERT OR IGNORE INTO spent (client, jti, expires_at) VALUES (?1, ?2, CAST(?3 AS INTEGER)) \
                    RETURNING client";
        let rows = self.run(text, vec![client.to_owned(), hashed(jti), until.to_string()]).await?;
        Ok(rows.is_some_and(|rows| rows.count() == 1))
    }

    async fn wrong_guesses(&self, names: [&str; 2], now: i64) -> Result<[Option<Window>; 2], LedgerError> {
        let text = "SELECT name, count, until FROM guesses \
                    WHERE name IN (?1, ?2) AND until > CAST(?3 AS INTEGER)";
        let [one, other] = names.map(str::to_owned);
        let Some(rows) = self.run(text, vec![one, other, now.to_string()]).await? else { return Ok([None, None]) };
        Ok(names.map(|name| {
            let row = (0..rows.count()).find(|row| rows.text(*row, "name").as_deref() == Some(name))?;
            let number = |column| rows.text(row, column)?.parse::<i64>().ok();
            Some(Window { count: u32::try_from(number("count")?).unwrap_or(u32::MAX), until: number("until")? })
        }))
    }

    async fn count_wrong_guess(&self, names: [&str; 2], now: i64, until: i64) -> Result<(), LedgerError> {
        let text = "INSERT INTO guesses (name, count, until) \
                    SELECT value, 1, CAST(?4 AS INTEGER) FROM json_each(json_array(?1, ?2)) WHERE true \
                    ON CONFLICT (name) DO UPDATE SET \
                    count = CASE WHEN until > CAST(?3 AS INTEGER) THEN count + 1 ELSE 1 END, \
                    until = CASE WHEN until > CAST(?3 AS INTEGER) THEN until ELSE CAST(?4 AS INTEGER) END";
        let [one, other] = names.map(str::to_owned);
        self.run(text, vec![one, other, now.to_string(), until.to_string()]).await.map(|_| ())
    }
}
