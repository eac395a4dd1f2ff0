//! Passkeys, and attempts to sign in with them or at an identity provider.

use super::sql_auth_store::{SqlAuthStore, integer, maybe_integer, sql};
use database::{Database, Rows};
use oauth::{AttemptKind, AuthStoreError, MAX_PASSKEYS, Passkey, SignInAttempt};

impl<D: Database> SqlAuthStore<D> {
    pub(super) async fn insert_attempt(&self, attempt: &SignInAttempt, expires_at: i64) -> Result<(), AuthStoreError> {
        let (kind, context) = match &attempt.kind {
            AttemptKind::Provider(issuer) => ("provider", issuer.as_str()),
            AttemptKind::Passkey(pending) => ("passkey", pending.as_deref().unwrap_or_default()),
            AttemptKind::NewPasskey(user) => ("new-passkey", user.as_str()),
        };
        let text = "INSERT INTO sign_in_attempts (id, kind, visit, context, fresh, began_at, expires_at) \
                    VALUES (?1, ?2, ?3, ?4, CAST(?5 AS INTEGER), CAST(?6 AS INTEGER), CAST(?7 AS INTEGER))";
        let fresh = i32::from(attempt.fresh).to_string();
        let (began, ends) = (attempt.began_at.to_string(), expires_at.to_string());
        self.run(sql(text, [&attempt.id, kind, &attempt.visit, context, &fresh, &began, &ends])).await.map(|_| ())
    }

    pub(super) async fn delete_attempt(&self, id: &str, now: i64) -> Result<Option<SignInAttempt>, AuthStoreError> {
        let text = "DELETE FROM sign_in_attempts WHERE id = ?1 AND expires_at > ?2 \
                    RETURNING id, kind, visit, context, fresh, began_at";
        let rows = self.run(sql(text, [id, &now.to_string()])).await?;
        let (Some(id), Some(visit), Some(context)) =
            (rows.text(0, "id"), rows.text(0, "visit"), rows.text(0, "context"))
        else {
            return Ok(None);
        };
        let kind = match rows.text(0, "kind").as_deref() {
            Some("provider") => AttemptKind::Provider(context),
            Some("passkey") => AttemptKind::Passkey(Some(context).filter(|pending| !pending.is_empty())),
            Some("new-passkey") => AttemptKind::NewPasskey(context),
            Some(_) | None => return Err(AuthStoreError("an attempt to sign in is of no known kind".to_owned())),
        };
        let (fresh, began_at) = (integer(&rows, 0, "fresh")? != 0, integer(&rows, 0, "began_at")?);
        Ok(Some(SignInAttempt { id, kind, visit, fresh, began_at }))
    }

    /// Returns the passkeys with this value in this column.
    pub(super) async fn find_passkeys(
        &self,
        column: &'static str,
        value: &str,
    ) -> Result<Vec<Passkey>, AuthStoreError> {
        let text = format!(
            "SELECT id, user, name, public_key, sign_count, cloned, created_at, used_at FROM passkeys \
             WHERE {column} = ?1 ORDER BY created_at, id"
        );
        let rows = self.run(sql(&text, [value])).await?;
        let text = |row, column| rows.required_text(row, column).map_err(|error| AuthStoreError(error.detail));
        let passkey = |row| {
            Ok(Passkey {
                id: text(row, "id")?,
                user: text(row, "user")?,
                name: text(row, "name")?,
                public_key: text(row, "public_key")?,
                sign_count: u32::try_from(integer(&rows, row, "sign_count")?).unwrap_or(u32::MAX),
                is_cloned: integer(&rows, row, "cloned")? != 0,
                created_at: integer(&rows, row, "created_at")?,
                used_at: maybe_integer(&rows, row, "used_at")?,
            })
        };
        (0..rows.count()).map(passkey).collect()
    }

    pub(super) async fn insert_passkey(
        &self,
        passkey: &Passkey,
        session: &str,
        now: i64,
    ) -> Result<bool, AuthStoreError> {
        let Passkey { id, user, name, public_key, sign_count, .. } = passkey;
        let text = "INSERT OR IGNORE INTO passkeys (id, user, name, public_key, sign_count, created_at) \
                    SELECT ?1, s.user, ?3, ?4, CAST(?5 AS INTEGER), CAST(?7 AS INTEGER) \
                    FROM sessions s JOIN users u ON u.name = s.user \
                    WHERE s.id = ?6 AND s.user = ?2 AND s.expires_at > ?7 AND u.disabled = 0 \
                    AND (SELECT count(*) FROM passkeys p WHERE p.user = ?2) < CAST(?8 AS INTEGER) RETURNING id";
        let (count, now, most) = (sign_count.to_string(), now.to_string(), MAX_PASSKEYS.to_string());
        let rows = self.run(sql(text, [id, user, name, public_key, &count, session, &now, &most])).await?;
        Ok(rows.count() > 0)
    }

    /// Counts a use in one batch, so that a counter that does not increase is always recorded.
    pub(super) async fn count_use(&self, id: &str, sign_count: u32, now: i64) -> Result<bool, AuthStoreError> {
        let (count, now) = (sign_count.to_string(), now.to_string());
        let increases = "(CAST(?2 AS INTEGER) > sign_count OR (sign_count = 0 AND CAST(?2 AS INTEGER) = 0))";
        let stop = format!("UPDATE passkeys SET cloned = 1 WHERE id = ?1 AND NOT {increases}");
        let used = "UPDATE passkeys SET sign_count = CAST(?2 AS INTEGER), used_at = CAST(?3 AS INTEGER) \
                    WHERE id = ?1 AND cloned = 0 RETURNING id";
        let answers = self.batch(vec![sql(&stop, [id, &count]), sql(used, [id, &count, &now])]).await?;
        Ok(answers.last().is_some_and(|rows| rows.count() > 0))
    }
}
