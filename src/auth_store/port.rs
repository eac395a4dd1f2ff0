//! The implementation of the authorization server's port, with the statements of the other files.

use super::sql_auth_store::{SqlAuthStore, integer, malformed, maybe, sql};
use super::{guesses, single_use, users};
use database::{Database, Rows, Statement, missing_tables};
use oauth::{
    AccessListPage, AppAccess, AuthStore, AuthStoreError, AuthorizationRequest, Client, Exchange, GrantRow, Launch,
    LaunchContext, PasswordAttempt, PendingAuthorization, SESSION_IDLE, Session, SignInAttempt, SingleUseToken,
    SingleUseTokenKind, User,
};

/// The tables of the auth store.
const TABLES: [&str; 20] = [
    "clients",
    "grants",
    "access",
    "users",
    "sessions",
    "pending_authorizations",
    "launches",
    "single_use_tokens",
    "password_failures",
    "spent_assertions",
    "guesses",
    "correction",
    "job",
    "job_part",
    "stopped",
    "export_part",
    "opt_out",
    "identities",
    "sign_in_attempts",
    "health_links",
];

impl<D: Database> AuthStore for SqlAuthStore<D> {
    async fn ready(&self) -> Result<(), AuthStoreError> {
        let tables = self.run(Statement::tables()).await?;
        if let Some(missing) = missing_tables(&tables, &TABLES) {
            return Err(AuthStoreError(missing));
        }
        self.run(sql(guesses::WRITE, [])).await.map(|_| ())
    }

    async fn client(&self, id: &str) -> Result<Option<Client>, AuthStoreError> {
        // A client that is not registered can only be stopped.
        let find = "SELECT registration FROM clients WHERE id = ?1 UNION ALL SELECT json_object('client_id', client, \
                    'kind', 'public', 'disabled', json('true')) FROM stopped WHERE client = ?1 LIMIT 1";
        let rows = self.run(sql(find, [id])).await?;
        let text = rows.text(0, "registration");
        let client: Option<Client> =
            text.map(|text| Client::read(&text).map_err(malformed("a registration"))).transpose()?;
        self.note_end(client.as_ref().is_some_and(|client| client.disabled));
        Ok(client.filter(|client| self.sandbox || !client.sandbox))
    }

    async fn store_grant(&self, row: GrantRow) -> Result<(), AuthStoreError> {
        self.run(single_use::insert_grant(&row, "", &[])).await.map(|_| ())
    }

    async fn user(&self, name: &str) -> Result<Option<User>, AuthStoreError> {
        self.find_user(name).await
    }

    async fn access_list(&self, user: &str, most: usize) -> Result<AccessListPage, AuthStoreError> {
        self.find_access_list(user, most).await
    }

    async fn count_attempt(&self, attempt: &PasswordAttempt, now: i64) -> Result<Option<i64>, AuthStoreError> {
        self.count_failures(attempt, now).await
    }

    async fn clear_failures(&self, attempt: &PasswordAttempt) -> Result<(), AuthStoreError> {
        self.decrement(attempt).await
    }

    async fn open_session(
        &self,
        session: &Session,
        pending: Option<&str>,
        earlier: Option<&str>,
    ) -> Result<(), AuthStoreError> {
        self.note_end(earlier.is_some());
        let Session { id, user, since, was_prompted } = session;
        let prompted = i32::from(*was_prompted).to_string();
        let batch = vec![
            sql("DELETE FROM sessions WHERE id = ?1", [earlier.unwrap_or_default()]),
            sql(
                "INSERT INTO sessions (id, user, since, expires_at, prompted) VALUES (?1, ?2, ?3, ?4, ?5)",
                [id, user, &since.to_string(), &(since + SESSION_IDLE).to_string(), &prompted],
            ),
            sql(
                "UPDATE pending_authorizations SET user = ?2, patient = NULL, encounter = NULL WHERE id = ?1",
                [pending.unwrap_or_default(), user],
            ),
        ];
        self.batch(batch).await.map(|_| ())
    }

    async fn session(&self, id: &str, now: i64) -> Result<Option<Session>, AuthStoreError> {
        let batch = vec![users::find_session(id, now, self.sandbox), users::use_session("?1", &[id], now)];
        let answers = self.batch(batch).await?;
        let session = answers.first().map_or(Ok(None), users::session_of)?;
        self.note_end(session.is_none());
        Ok(session)
    }

    async fn close_session(&self, id: &str) -> Result<(), AuthStoreError> {
        self.note_end(true);
        self.run(sql("DELETE FROM sessions WHERE id = ?1", [id])).await.map(|_| ())
    }

    async fn store_pending(&self, pending: &PendingAuthorization, expires_at: i64) -> Result<(), AuthStoreError> {
        let PendingAuthorization { id, visit, request, user, patient, .. } = pending;
        let request = serde_json::to_string(request).map_err(malformed("a request"))?;
        let text = "INSERT INTO pending_authorizations (id, visit, request, user, patient, expires_at) \
                    VALUES (?1, ?2, ?3, nullif(?4, ''), nullif(?5, ''), ?6)";
        let (user, patient) = (maybe(user.as_deref()), maybe(patient.as_deref()));
        self.run(sql(text, [id, visit, &request, &user, &patient, &expires_at.to_string()])).await.map(|_| ())
    }

    async fn resume(
        &self,
        session: Option<&str>,
        pending: &str,
        now: i64,
    ) -> Result<(Option<Session>, Option<PendingAuthorization>), AuthStoreError> {
        let find = "SELECT id, visit, request, user, patient, encounter FROM pending_authorizations \
             WHERE id = ?1 AND expires_at > ?2";
        let batch = vec![
            users::find_session(session.unwrap_or_default(), now, self.sandbox),
            sql(find, [pending, &now.to_string()]),
            users::use_session("?1", &[session.unwrap_or_default()], now),
        ];
        let answers = self.batch(batch).await?;
        let [session, rows, _] = answers.as_slice() else { return Ok((None, None)) };
        let text = |column| rows.text(0, column);
        let pending = match (text("id"), text("visit"), text("request")) {
            (Some(id), Some(visit), Some(request)) => {
                let request: AuthorizationRequest = serde_json::from_str(&request).map_err(malformed("a request"))?;
                let (user, patient, encounter) = (text("user"), text("patient"), text("encounter"));
                Some(PendingAuthorization { id, visit, request, user, patient, encounter })
            }
            _ => None,
        };
        Ok((users::session_of(session)?, pending))
    }

    async fn select_patient(&self, pending: &str, patient: &str) -> Result<(), AuthStoreError> {
        let text = "UPDATE pending_authorizations SET patient = ?2, encounter = NULL WHERE id = ?1";
        self.run(sql(text, [pending, patient])).await.map(|_| ())
    }

    async fn select_encounter(&self, pending: &str, encounter: &str) -> Result<(), AuthStoreError> {
        let text = "UPDATE pending_authorizations SET encounter = ?2 WHERE id = ?1";
        self.run(sql(text, [pending, encounter])).await.map(|_| ())
    }

    async fn abandon(&self, pending: &str, now: i64) -> Result<bool, AuthStoreError> {
        let text = "DELETE FROM pending_authorizations WHERE id = ?1 AND expires_at > ?2 RETURNING id";
        Ok(self.run(sql(text, [pending, &now.to_string()])).await?.count() > 0)
    }

    async fn store_code(
        &self,
        pending: &PendingAuthorization,
        grant: &GrantRow,
        code: &str,
        expires_at: i64,
    ) -> Result<bool, AuthStoreError> {
        self.issue_code(pending, grant, code, expires_at).await
    }

    async fn single_use_token(
        &self,
        kind: SingleUseTokenKind,
        id: &str,
        now: i64,
    ) -> Result<Option<SingleUseToken>, AuthStoreError> {
        let token = self.find_single_use_token(kind, id, now).await?;
        self.note_end(token.as_ref().is_some_and(|token| !token.is_active));
        Ok(token)
    }

    async fn redeem(&self, exchange: Exchange<'_>, now: i64) -> Result<bool, AuthStoreError> {
        self.redeem_token(exchange, now).await
    }

    async fn revoke(&self, grant: &str, now: i64) -> Result<(), AuthStoreError> {
        self.note_end(true);
        let text = "UPDATE grants SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
        self.run(sql(text, [grant, &now.to_string()])).await.map(|_| ())
    }

    async fn active_grant(&self, grant: &str, now: i64) -> Result<Option<GrantRow>, AuthStoreError> {
        let row = self.find_grant_status(grant, now).await?;
        self.note_end(row.is_none());
        Ok(row)
    }

    async fn grants_of_session(
        &self,
        session: &Session,
        client: &str,
        now: i64,
    ) -> Result<Vec<GrantRow>, AuthStoreError> {
        self.find_session_grants(session, client, now).await
    }

    async fn apps_of(&self, user: &str, now: i64) -> Result<Vec<AppAccess>, AuthStoreError> {
        self.find_apps(user, now).await
    }

    async fn revoke_app(&self, user: &str, client: &str, now: i64) -> Result<bool, AuthStoreError> {
        self.note_end(true);
        let text = "UPDATE grants SET revoked_at = ?3 WHERE subject = ?1 AND client = ?2 AND revoked_at IS NULL \
                    AND expires_at > ?3 RETURNING id";
        Ok(self.run(sql(text, [user, client, &now.to_string()])).await?.count() > 0)
    }

    async fn store_launch(&self, id: &str, launch: &Launch, expires_at: i64) -> Result<(), AuthStoreError> {
        let Launch { client, user, patient, context } = launch;
        let text = "INSERT INTO launches (id, client, user, patient, expires_at, encounter, intent, banner) \
                    VALUES (?1, ?2, ?3, nullif(?4, ''), ?5, nullif(?6, ''), nullif(?7, ''), CAST(?8 AS INTEGER))";
        let [patient, encounter, intent] =
            [patient, &context.encounter, &context.intent].map(|value| maybe(value.as_deref()));
        let banner = i32::from(context.has_banner).to_string();
        let binds = [id, client, user, &patient, &expires_at.to_string(), &encounter, &intent, &banner];
        self.run(sql(text, binds)).await.map(|_| ())
    }

    async fn launch(&self, id: &str, now: i64) -> Result<Option<Launch>, AuthStoreError> {
        let text =
            "SELECT client, user, patient, encounter, intent, banner FROM launches WHERE id = ?1 AND expires_at > ?2";
        let rows = self.run(sql(text, [id, &now.to_string()])).await?;
        let text = |column| rows.text(0, column);
        let has_banner = integer(&rows, 0, "banner")? != 0;
        let context = LaunchContext { encounter: text("encounter"), intent: text("intent"), has_banner };
        let launch = |(client, user)| Launch { client, user, patient: text("patient"), context };
        Ok(text("client").zip(text("user")).map(launch))
    }

    async fn user_of_identity(&self, issuer: &str, subject: &str) -> Result<Option<User>, AuthStoreError> {
        self.find_user_of_identity(issuer, subject).await
    }

    async fn begin_attempt(&self, attempt: &SignInAttempt, expires_at: i64) -> Result<(), AuthStoreError> {
        let SignInAttempt { id, issuer, visit, fresh, began_at } = attempt;
        let text = "INSERT INTO sign_in_attempts (id, issuer, visit, fresh, began_at, expires_at) \
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let fresh = i32::from(*fresh).to_string();
        let (began, ends) = (began_at.to_string(), expires_at.to_string());
        self.run(sql(text, [id, issuer, visit, &fresh, &began, &ends])).await.map(|_| ())
    }

    async fn take_attempt(&self, id: &str, now: i64) -> Result<Option<SignInAttempt>, AuthStoreError> {
        let text = "DELETE FROM sign_in_attempts WHERE id = ?1 AND expires_at > ?2 \
                    RETURNING id, issuer, visit, fresh, began_at";
        let rows = self.run(sql(text, [id, &now.to_string()])).await?;
        let text = |column| rows.text(0, column);
        let (Some(id), Some(issuer), Some(visit)) = (text("id"), text("issuer"), text("visit")) else {
            return Ok(None);
        };
        let (fresh, began_at) = (integer(&rows, 0, "fresh")? != 0, integer(&rows, 0, "began_at")?);
        Ok(Some(SignInAttempt { id, issuer, visit, fresh, began_at }))
    }

    async fn clients_and_users(&self) -> Result<(Vec<Client>, Vec<String>), AuthStoreError> {
        self.find_clients_and_users().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sqlite::now;
    use sqlite::{SqliteDatabase, tables};

    #[test]
    fn an_auth_store_says_whether_it_may_have_ended_a_grant_or_a_session() {
        let ends = |call: &dyn Fn(&SqlAuthStore<SqliteDatabase>)| {
            let connection = tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap();
            let auth_store = SqlAuthStore::new(SqliteDatabase::new(connection));
            call(&auth_store);
            auth_store.has_ended_access()
        };
        let session = Session { id: "s".into(), user: "u".into(), since: 1, was_prompted: true };
        let open = |auth_store: &SqlAuthStore<SqliteDatabase>, earlier| {
            now(auth_store.open_session(&session, None, earlier)).unwrap();
        };
        let read_client = |auth_store: &SqlAuthStore<SqliteDatabase>, disabled: bool| {
            let client = json!({"client_id": "c", "kind": "backend", "disabled": disabled});
            let text = "INSERT INTO clients (id, registration) VALUES ('c', ?1)";
            now(auth_store.run(sql(text, [&client.to_string()]))).unwrap();
            assert_eq!(now(auth_store.client("c")).unwrap().unwrap().disabled, disabled);
        };
        assert!(!ends(&|auth_store| read_client(auth_store, false)));
        assert!(ends(&|auth_store| read_client(auth_store, true)));
        assert!(!ends(&|auth_store| open(auth_store, None)));
        assert!(ends(&|auth_store| open(auth_store, Some("earlier"))));
        assert!(ends(&|auth_store| now(auth_store.close_session("s")).unwrap()));
        assert!(ends(&|auth_store| now(auth_store.revoke("g", 1)).unwrap()));
        assert!(ends(&|auth_store| assert!(!now(auth_store.revoke_app("u", "c", 1)).unwrap())));
        assert!(!ends(&|auth_store| now(auth_store.store_grant(GrantRow::default())).unwrap()));
        assert!(ends(&|auth_store| assert!(now(auth_store.active_grant("g", 1)).unwrap().is_none())));
        assert!(ends(&|auth_store| assert!(now(auth_store.session("s", 1)).unwrap().is_none())));
    }
}
