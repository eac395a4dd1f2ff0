//! SMART Health Links with their encrypted files: the SQL of the trait in `oauth/health_link.rs`.

use super::sql_auth_store::{SqlAuthStore, integer, sql};
use database::{Database, Rows};
use oauth::{AuthStoreError, HealthLink, HealthLinks, MAX_LINKS, NO_PASSCODE, TICKET};

const COLUMNS: &str = "id, user, patient, label, passcode, attempts, created_at, expires_at";

/// The condition that the link `?1` opens at `?3`: it has attempts left, and its user may still see the patient.
const OPENS: &str = "id = ?1 AND expires_at > ?3 AND attempts > 0 AND EXISTS (SELECT 1 FROM access a JOIN users u \
                     ON u.name = a.user WHERE u.name = health_links.user AND u.disabled = 0 \
                     AND a.patient IN (health_links.patient, '*'))";

impl<D: Database> HealthLinks for SqlAuthStore<D> {
    async fn add_link(&self, link: &HealthLink) -> Result<bool, AuthStoreError> {
        let text = format!(
            "INSERT INTO health_links ({COLUMNS}, file) SELECT ?1, ?2, ?3, ?4, ?5, CAST(?6 AS INTEGER), \
             CAST(?7 AS INTEGER), CAST(?8 AS INTEGER), ?9 WHERE (SELECT count(*) FROM health_links \
             WHERE user = ?2 AND expires_at > ?7) < {MAX_LINKS} RETURNING 1"
        );
        let HealthLink { id, user, patient, label, passcode, file, .. } = link;
        let [attempts, made, ends] =
            [i64::from(link.attempts), link.created_at, link.expires_at].map(|n| n.to_string());
        let binds: [&str; 9] = [id, user, patient, label, passcode, &attempts, &made, &ends, file];
        Ok(self.run(sql(&text, binds)).await?.count() > 0)
    }

    async fn open_link(&self, id: &str, key: &str, now: i64) -> Result<Option<HealthLink>, AuthStoreError> {
        let count = format!(
            "UPDATE health_links SET attempts = attempts - 1 WHERE {OPENS} AND passcode <> '' \
             AND ?2 NOT IN (passcode, '', '{NO_PASSCODE}', '{TICKET}') RETURNING {COLUMNS}"
        );
        let read = format!(
            "SELECT {COLUMNS}, iif(?2 IN (passcode, '{TICKET}'), file, NULL) AS file FROM health_links \
             WHERE {OPENS} AND (?2 = '{TICKET}' OR (passcode = '') = (?2 = ''))"
        );
        let now = now.to_string();
        for rows in self.batch([count, read].map(|text| sql(&text, [id, key, &now])).into()).await? {
            if let Some(link) = links(&rows)?.pop() {
                return Ok(Some(HealthLink { file: rows.text(0, "file").unwrap_or_default(), ..link }));
            }
        }
        Ok(None)
    }

    async fn links_of(&self, user: &str, now: i64) -> Result<Vec<HealthLink>, AuthStoreError> {
        let text = format!(
            "SELECT {COLUMNS} FROM health_links WHERE user = ?1 AND expires_at > ?2 ORDER BY created_at DESC, id"
        );
        links(&self.run(sql(&text, [user, &now.to_string()])).await?)
    }

    async fn end_link(&self, user: &str, id: &str) -> Result<Option<HealthLink>, AuthStoreError> {
        let text = format!("DELETE FROM health_links WHERE user = ?1 AND id = ?2 RETURNING {COLUMNS}");
        Ok(links(&self.run(sql(&text, [user, id])).await?)?.pop())
    }
}

fn links<R: Rows>(rows: &R) -> Result<Vec<HealthLink>, AuthStoreError> {
    let link = |row| {
        let text = |column| rows.required_text(row, column).map_err(|error| AuthStoreError(error.detail));
        let (id, user, patient) = (text("id")?, text("user")?, text("patient")?);
        let (label, passcode) = (text("label")?, text("passcode")?);
        let attempts = u32::try_from(integer(rows, row, "attempts")?).unwrap_or_default();
        let (created_at, expires_at) = (integer(rows, row, "created_at")?, integer(rows, row, "expires_at")?);
        Ok(HealthLink { id, user, patient, label, passcode, attempts, created_at, expires_at, file: String::new() })
    };
    (0..rows.count()).map(link).collect()
}
