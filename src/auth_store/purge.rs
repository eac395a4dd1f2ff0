//! Deletes rows that have expired. The cron trigger runs it.

use super::sql_auth_store::{SqlAuthStore, sql};
use database::{Database, Rows};
use oauth::AuthStoreError;

/// The maximum number of rows that one statement deletes, so that other statements do not wait long for the database.
const SLICE: usize = 2_000;
/// The maximum number of statements of one run, below the 50 queries that D1 allows an invocation on its smallest plan.
const MAX_STATEMENTS: usize = 40;

/// Deletes codes and refresh tokens a week after their authorization has ended. Until then a redeemed token is
/// recognized, since its second use means that it was stolen.
const SINGLE_USE_TOKENS: &str = "DELETE FROM single_use_tokens WHERE id IN (SELECT t.id FROM grants g CROSS JOIN single_use_tokens t ON t.grant_id = g.id \
                        WHERE g.expires_at <= ?1 - 604800 LIMIT 2000) RETURNING 1";
/// Deletes these authorizations after their codes and refresh tokens.
const GRANTS: &str = "DELETE FROM grants WHERE id IN (SELECT g.id FROM grants g WHERE g.expires_at <= ?1 - 604800 \
                      AND NOT EXISTS (SELECT 1 FROM single_use_tokens t WHERE t.grant_id = g.id) LIMIT 2000) RETURNING 1";

/// The statements, each of which deletes a slice of expired rows. `?1` is the current time.
const ENDED: [&str; 10] = [
    "DELETE FROM pending_authorizations WHERE id IN (SELECT id FROM pending_authorizations WHERE expires_at <= ?1 LIMIT 2000) RETURNING 1",
    "DELETE FROM password_failures WHERE name IN (SELECT name FROM password_failures WHERE seen <= ?1 - 3600 LIMIT 2000) RETURNING 1",
    "DELETE FROM guesses WHERE name IN (SELECT name FROM guesses WHERE until <= ?1 LIMIT 2000) RETURNING 1",
    "DELETE FROM spent_assertions WHERE (client, jti) IN (SELECT client, jti FROM spent_assertions WHERE expires_at <= ?1 LIMIT 2000) RETURNING 1",
    "DELETE FROM launches WHERE id IN (SELECT id FROM launches WHERE expires_at <= ?1 LIMIT 2000) RETURNING 1",
    "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ?1 LIMIT 2000) RETURNING 1",
    "DELETE FROM sign_in_attempts WHERE id IN (SELECT id FROM sign_in_attempts WHERE expires_at <= ?1 LIMIT 2000) RETURNING 1",
    "DELETE FROM health_links WHERE id IN (SELECT id FROM health_links WHERE expires_at <= ?1 LIMIT 2000) RETURNING 1",
    SINGLE_USE_TOKENS,
    GRANTS,
];

impl<D: Database> SqlAuthStore<D> {
    /// Deletes expired rows, slice by slice, until none is left or the run has sent its maximum of statements. Returns
    /// whether none is left. Otherwise the next run continues.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn purge(&self, now: i64) -> Result<bool, AuthStoreError> {
        let now = now.to_string();
        let mut unfinished = ENDED.to_vec();
        let mut sent = 0;
        while !unfinished.is_empty() {
            if sent + unfinished.len() > MAX_STATEMENTS {
                return Ok(false);
            }
            sent += unfinished.len();
            let answers = self.batch(unfinished.iter().map(|text| sql(text, [&now])).collect()).await?;
            let mut counts = answers.iter().map(Rows::count);
            unfinished.retain(|_| counts.next().is_some_and(|count| count >= SLICE));
            if unfinished.contains(&SINGLE_USE_TOKENS) && !unfinished.contains(&GRANTS) {
                unfinished.push(GRANTS);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use crate::SqlAuthStore;
    use oauth::{AuthStore, GrantRow, Guard, Guess, Secret};
    use sqlite::now;
    use sqlite::{SqliteDatabase, tables};

    #[test]
    fn many_expired_rows_are_deleted_in_slices() {
        use super::{MAX_STATEMENTS, SLICE, sql};
        use crate::sql_auth_store::integer;
        assert!(super::ENDED.iter().all(|text| text.contains(&format!("LIMIT {SLICE})"))));
        let connection = tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap();
        let rows = |from: usize, until: usize| {
            format!("WITH RECURSIVE n(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {until} - 1)")
        };
        // A run begins with all tables, and continues with the unfinished ones.
        let most = (1 + MAX_STATEMENTS - super::ENDED.len()) * SLICE;
        let flood = format!(
            "{} INSERT INTO pending_authorizations (id, visit, request, expires_at) SELECT i, '', '', iif(i < {}, 10, 99) FROM n",
            rows(0, most + 510),
            most + 500
        );
        connection.execute_batch(&flood).unwrap();
        let family = format!(
            "INSERT INTO grants (id, client, created_at, expires_at) VALUES ('g', 'a', 0, 10); \
             {} INSERT INTO single_use_tokens (id, kind, grant_id, expires_at) SELECT i, 'refresh', 'g', 10 FROM n",
            rows(0, SLICE + 1)
        );
        connection.execute_batch(&family).unwrap();
        let auth_store = SqlAuthStore::new(SqliteDatabase::new(connection));
        let left = |table: &str| {
            let count = sql(&format!("SELECT count(*) AS total FROM {table}"), []);
            integer(&now(auth_store.run(count)).unwrap(), 0, "total").unwrap()
        };
        assert_eq!((now(auth_store.purge(20)), left("pending_authorizations"), left("grants")), (Ok(false), 510, 1));
        assert_eq!(
            (now(auth_store.purge(20)), left("pending_authorizations")),
            (Ok(true), 10),
            "rows that have not expired stay"
        );
        assert_eq!(now(auth_store.purge(700_000)), Ok(true));
        assert_eq!((left("pending_authorizations"), left("single_use_tokens"), left("grants")), (0, 0, 0));
    }

    #[test]
    fn only_expired_rows_are_deleted() {
        let auth_store =
            SqlAuthStore::new(SqliteDatabase::new(tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap()));
        let grant =
            |id: &str, expires_at| GrantRow { id: id.into(), client: "a".into(), expires_at, ..GrantRow::default() };
        now(auth_store.store_grant(grant("old", 1_000))).unwrap();
        now(auth_store.store_grant(grant("new", 2_000_000))).unwrap();
        assert!(now(auth_store.redeem_assertion("a", "j", 1_000)).unwrap());
        let guess = Guess::new(Secret::ClientSecret, "a", "x", "");
        assert_eq!(now(auth_store.count_if_wrong(&guess, 0, 1_000)).unwrap(), [None, None]);
        now(auth_store.purge(999)).unwrap();
        assert!(!now(auth_store.redeem_assertion("a", "j", 1_000)).unwrap(), "still remembered");
        now(auth_store.purge(1_000_000)).unwrap();
        assert!(now(auth_store.redeem_assertion("a", "j", 1_000)).unwrap());
        assert_eq!(now(auth_store.count_if_wrong(&guess, 0, 1_000)).unwrap(), [None, None]);
        assert!(
            now(auth_store.active_grant("old", 0)).unwrap().is_none()
                && now(auth_store.active_grant("new", 0)).unwrap().is_some()
        );
    }
}
