//! Redeemed client assertions, and counts of wrong guesses and of calls: the SQL of the trait in `oauth/guesses.rs`.

use super::sql_auth_store::{SqlAuthStore, integer, sql};
use database::{Database, Rows};
use oauth::{AuthStoreError, FailureWindow, Guard, Guess, Secret, hashed};

/// Writes a row that belongs to no assertion, at most once in ten seconds. This shows that the database can be written:
/// a full database can only be read, and then nobody can sign in.
pub const WRITE: &str = "INSERT OR REPLACE INTO spent_assertions (client, jti, expires_at) \
     SELECT '', 'ready', unixepoch() + 10 WHERE NOT EXISTS (SELECT 1 FROM spent_assertions \
     WHERE client = '' AND jti = 'ready' AND expires_at > unixepoch())";

impl<D: Database> Guard for SqlAuthStore<D> {
    async fn redeem_assertion(&self, client: &str, jti: &str, until: i64) -> Result<bool, AuthStoreError> {
        let text =
            "INSERT OR IGNORE INTO spent_assertions (client, jti, expires_at) VALUES (?1, ?2, ?3) RETURNING client";
        Ok(self.run(sql(text, [client, &hashed(jti), &until.to_string()])).await?.count() == 1)
    }

    async fn count_if_wrong(
        &self,
        guess: &Guess,
        now: i64,
        until: i64,
    ) -> Result<[Option<FailureWindow>; 2], AuthStoreError> {
        let right = match guess.secret {
            Secret::ClientSecret => {
                "SELECT 1 FROM clients WHERE id = ?5 AND json_extract(registration, '$.secret_hash') = ?6"
            }
            Secret::Assertion => "SELECT 1 WHERE ?5 <> ?5 AND ?6 <> ?6",
            Secret::Token => "SELECT 1 FROM single_use_tokens WHERE id = ?6 AND kind = 'refresh'",
        };
        let count = format!(
            "INSERT INTO guesses (name, count, until) \
             SELECT value, 1, CAST(?4 AS INTEGER) FROM json_each(json_array(?1, ?2)) WHERE NOT EXISTS ({right}) \
             ON CONFLICT (name) DO UPDATE SET count = iif(until > ?3, count + 1, 1), \
             until = iif(until > ?3, until, CAST(?4 AS INTEGER))"
        );
        let before = "SELECT name, count, until FROM guesses WHERE name IN (?1, ?2) AND until > ?3";
        let ([one, other], now, until) = (&guess.names, now.to_string(), until.to_string());
        let batch = vec![
            sql(before, [one, other, &now]),
            sql(&count, [one, other, &now, &until, &guess.client, &guess.presented]),
        ];
        let answers = self.batch(batch).await?;
        let rows = answers.first().ok_or_else(|| AuthStoreError("no answer".to_owned()))?;
        let window = |name: &String| -> Result<Option<FailureWindow>, AuthStoreError> {
            let row = (0..rows.count()).find(|row| rows.text(*row, "name").as_ref() == Some(name));
            let Some(row) = row else { return Ok(None) };
            let count = u32::try_from(integer(rows, row, "count")?).unwrap_or(u32::MAX);
            Ok(Some(FailureWindow { count, until: integer(rows, row, "until")? }))
        };
        let [one, other] = &guess.names;
        Ok([window(one)?, window(other)?])
    }

    async fn count_call(&self, name: &str, until: i64) -> Result<u32, AuthStoreError> {
        let text = "INSERT INTO guesses (name, count, until) VALUES (?1, 1, CAST(?2 AS INTEGER)) \
                    ON CONFLICT (name) DO UPDATE SET count = count + 1 RETURNING count";
        let rows = self.run(sql(text, [name, &until.to_string()])).await?;
        Ok(u32::try_from(integer(&rows, 0, "count")?).unwrap_or(u32::MAX))
    }
}
