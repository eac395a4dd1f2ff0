//! What has ended is forgotten, by the clock.

use super::{SqlLedger, sql};
use crate::oauth::LedgerError;
use crate::store::Database;

/// How long an authorization that has ended is still known to have been one, in seconds.
const REMEMBERED: i64 = 7 * 24 * 3_600;

impl<D: Database> SqlLedger<D> {
    /// Forgets what has ended. Spent vouchers stay as long as their authorization does: one that comes again tells that it
    /// was stolen.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub async fn purge(&self, now: i64) -> Result<(), LedgerError> {
        let (now, before) = (now.to_string(), (now - REMEMBERED).to_string());
        let ended = [
            "DELETE FROM spent WHERE expires_at <= ?1",
            "DELETE FROM guesses WHERE until <= ?1",
            "DELETE FROM tallies WHERE until <= ?1 AND seen <= ?2",
            "DELETE FROM interactions WHERE expires_at <= ?1",
            "DELETE FROM launches WHERE expires_at <= ?1",
            "DELETE FROM sessions WHERE expires_at <= ?1",
            "DELETE FROM grants WHERE expires_at <= ?2",
            "DELETE FROM vouchers WHERE expires_at <= ?1 AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.id = grant_id)",
        ];
        let statement = |text: &str| match (text.contains("?1"), text.contains("?2")) {
            (true, true) => sql(text, [&now, &before]),
            (true, false) => sql(text, [&now]),
            (false, _) => sql(&text.replace("?2", "?1"), [&before]),
        };
        self.batch(ended.map(statement).into()).await.map(|_| ())
    }
}

#[cfg(test)]
#[cfg(feature = "cli")]
mod tests {
    use crate::ledger::SqlLedger;
    use crate::native::{SqliteDatabase, tables};
    use crate::oauth::trial::now;
    use crate::oauth::{GrantRow, Guard, Guess, Ledger, Secret};

    #[test]
    fn what_has_ended_is_forgotten_and_what_has_not_is_not() {
        let ledger =
            SqlLedger::new(SqliteDatabase::new(tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap()));
        let grant =
            |id: &str, expires_at| GrantRow { id: id.into(), client: "a".into(), expires_at, ..GrantRow::default() };
        now(ledger.grant(grant("old", 1_000))).unwrap();
        now(ledger.grant(grant("new", 2_000_000))).unwrap();
        assert!(now(ledger.spend_assertion("a", "j", 1_000)).unwrap());
        let guess = Guess::new(Secret::ClientSecret, "a", "x", "");
        assert_eq!(now(ledger.count_if_wrong(&guess, 0, 1_000)).unwrap(), [None, None]);
        now(ledger.purge(999)).unwrap();
        assert!(!now(ledger.spend_assertion("a", "j", 1_000)).unwrap(), "still remembered");
        now(ledger.purge(1_000_000)).unwrap();
        assert!(now(ledger.spend_assertion("a", "j", 1_000)).unwrap());
        assert_eq!(now(ledger.count_if_wrong(&guess, 0, 1_000)).unwrap(), [None, None]);
        assert!(now(ledger.standing("old", 0)).unwrap().is_none() && now(ledger.standing("new", 0)).unwrap().is_some());
    }
}
