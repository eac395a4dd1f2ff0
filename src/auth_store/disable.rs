//! The emergency stop: refuses a client or a user from now on, and ends the sessions, codes and tokens they hold.

use super::sql_auth_store::sql;
use super::users::flag;
use database::Statement;

/// The party to disable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// A client.
    Client,
    /// A client of another authorization server, of which this server may know nothing yet.
    ForeignClient,
    /// A user.
    User,
}

/// The condition that `?1` is a client of another authorization server, or one with a document. Such a client is not
/// registered: it has jobs, a name of the form issuer, `|`, `client_id`, or the address of its document as its name.
/// The name of a registered client has neither `|` nor `://`.
const IS_OF_OTHERS: &str =
    "(instr(?1, '|') > 0 OR instr(?1, '://') > 0 OR EXISTS (SELECT 1 FROM job WHERE client = ?1))";

/// The condition that the client `?1` is registered, or has sent jobs.
const HAS_ROWS: &str = "(EXISTS (SELECT 1 FROM clients WHERE id = ?1) OR EXISTS (SELECT 1 FROM job WHERE client = ?1))";

impl Holder {
    /// Returns the statements that end everything that the client or user holds, as one batch. For a client: its
    /// tokens, codes, pending authorizations and launches. For a user: the sessions, the tokens and codes of apps, and
    /// the pending authorizations.
    #[must_use]
    pub fn end(self, name: &str) -> Vec<Statement> {
        let texts = match self {
            Self::Client | Self::ForeignClient => [
                "UPDATE grants SET revoked_at = unixepoch() WHERE client = ?1 AND revoked_at IS NULL",
                "DELETE FROM pending_authorizations WHERE json_extract(request, '$.client_id') = ?1",
                "DELETE FROM launches WHERE client = ?1",
            ],
            Self::User => [
                "UPDATE grants SET revoked_at = unixepoch() WHERE subject = ?1 AND revoked_at IS NULL",
                "DELETE FROM sessions WHERE user = ?1",
                "DELETE FROM pending_authorizations WHERE user = ?1",
            ],
        };
        texts.map(|text| sql(text, [name])).into()
    }

    /// Returns the statements of [`Holder::end`], which do nothing unless the condition holds. In the condition `?1` is
    /// the name, and `?2` is `bind`.
    pub(super) fn end_if(self, name: &str, condition: &str, bind: &str) -> Vec<Statement> {
        let conditional = |statement: Statement| sql(&format!("{} AND {condition}", statement.text), [name, bind]);
        self.end(name).into_iter().map(conditional).collect()
    }

    /// Returns the statements that disable the client or user and end everything that it holds ([`Holder::end`]), as
    /// one batch. The last statement returns the resulting state in the column `outcome`: `disabled`, `enabled`,
    /// `unknown` if there is no such client or user, or `stopped` if the client has sent nothing yet.
    #[must_use]
    pub fn disable(self, name: &str) -> Vec<Statement> {
        let mut batch = vec![self.switch(name, true)];
        let stop = format!("INSERT OR IGNORE INTO stopped (client) SELECT ?1 WHERE {}", self.is_of_others());
        batch.extend((self != Self::User).then(|| sql(&stop, [name])));
        batch.extend(self.end(name));
        batch.push(self.outcome(name));
        batch
    }

    /// Returns the statements that enable the client or user again, as one batch with the same last statement as
    /// [`Holder::disable`]. Revoked grants and ended sessions are not restored.
    #[must_use]
    pub fn enable(self, name: &str) -> Vec<Statement> {
        let mut batch = vec![self.switch(name, false)];
        batch.extend((self != Self::User).then(|| sql("DELETE FROM stopped WHERE client = ?1", [name])));
        batch.push(self.outcome(name));
        batch
    }

    fn switch(self, name: &str, disabled: bool) -> Statement {
        let text = match self {
            Self::Client | Self::ForeignClient => format!(
                "UPDATE clients SET registration = json_set(registration, '$.disabled', json('{disabled}')) \
                 WHERE id = ?1"
            ),
            Self::User => format!("UPDATE users SET disabled = {} WHERE name = ?1", flag(disabled)),
        };
        sql(&text, [name])
    }

    const fn is_of_others(self) -> &'static str {
        if matches!(self, Self::ForeignClient) { "1" } else { IS_OF_OTHERS }
    }

    fn outcome(self, name: &str) -> Statement {
        let text = match self {
            Self::Client | Self::ForeignClient => format!(
                "SELECT CASE WHEN ?1 IN (SELECT client FROM stopped_client) THEN iif({HAS_ROWS}, 'disabled', 'stopped') \
                 WHEN {HAS_ROWS} OR {} THEN 'enabled' ELSE 'unknown' END AS outcome",
                self.is_of_others()
            ),
            Self::User => "SELECT coalesce((SELECT iif(disabled, 'disabled', 'enabled') FROM users WHERE name = ?1), \
                           'unknown') AS outcome"
                .to_owned(),
        };
        sql(&text, [name])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqlAuthStore;
    use database::Rows;
    use oauth::{AuthStore, GrantRow, Session};
    use sqlite::now;
    use sqlite::{SqliteDatabase, tables};

    #[test]
    fn disabling_ends_everything_and_enabling_restores_nothing() {
        let connection = tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap();
        let client = |id: &str| format!(r#"{{"client_id":"{id}","kind":"public","scopes":"openid"}}"#);
        connection.execute("INSERT INTO users (name) VALUES ('x')", []).unwrap();
        for name in ["it's", "other"] {
            connection.execute("INSERT INTO clients VALUES (?1, ?2)", [name, &client(name)]).unwrap();
            connection.execute("INSERT INTO users (name) VALUES (?1)", [name]).unwrap();
        }
        let auth_store = SqlAuthStore::new(SqliteDatabase::new(connection));
        let grant = |id: &str, client: &str, user: &str| GrantRow {
            id: id.into(),
            client: client.into(),
            subject: Some(user.into()),
            expires_at: 99,
            ..GrantRow::default()
        };
        for (id, client, user) in [("a", "it's", "x"), ("b", "other", "it's"), ("c", "other", "other")] {
            now(auth_store.store_grant(grant(id, client, user))).unwrap();
        }
        for user in ["it's", "other"] {
            let session = Session { id: user.to_owned(), user: user.to_owned(), since: 0, was_prompted: true };
            now(auth_store.open_session(&session, None, None)).unwrap();
        }
        let run =
            |batch: Vec<Statement>| now(auth_store.batch(batch)).unwrap().pop().unwrap().text(0, "outcome").unwrap();
        let active = || ["a", "b", "c"].map(|id| now(auth_store.active_grant(id, 1)).unwrap().is_some());
        let is_off = || now(auth_store.client("it's")).unwrap().unwrap().disabled;

        assert_eq!(run(Holder::Client.disable("it's")), "disabled");
        assert_eq!((active(), is_off()), ([false, true, true], true));
        assert_eq!(run(Holder::User.disable("it's")), "disabled");
        assert_eq!(active(), [false, false, true]);
        let signed_in = |user: &str| now(auth_store.session(user, 1)).unwrap().is_some();
        assert!(!signed_in("it's") && signed_in("other"));

        assert_eq!(
            (run(Holder::Client.enable("it's")), run(Holder::User.enable("it's"))),
            ("enabled".into(), "enabled".into())
        );
        assert_eq!((active(), is_off(), signed_in("it's")), ([false, false, true], false, false));
        assert_eq!(run(Holder::User.disable("nobody")), "unknown");
        assert_eq!(run(Holder::Client.disable("https://agent.example/client.json")), "stopped");
        assert_eq!(run(Holder::Client.disable("their-app")), "unknown");
        let is_stopped =
            || now(auth_store.batch(vec![Statement::not_stopped("their-app", Some("x"))])).unwrap()[0].count() == 0;
        for (holder, name) in [(Holder::ForeignClient, "their-app"), (Holder::User, "x")] {
            assert!(!is_stopped());
            run(holder.disable(name));
            assert!(is_stopped(), "{name}");
            assert_eq!(run(holder.enable(name)), "enabled");
        }
    }
}
