//! The implementation of the authorization server's port, with the statements of the other files.

use serde_json::Value;

use super::grants::{self, GRANT, grant_of};
use super::guesses;
use super::sql_auth_store::{SqlAuthStore, integer, malformed, maybe, maybe_integer, sql};
use super::users::{self, flag, user_of};
use database::{Database, GRANT_IS_ACTIVE, Rows, Statement, missing_tables, run_each};
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
        self.run(grants::insert_grant(&row, "", &[])).await.map(|_| ())
    }

    async fn user(&self, name: &str) -> Result<Option<User>, AuthStoreError> {
        let text = "SELECT name, password, fhir_user, disabled FROM users WHERE name = ?1 AND sandbox <= ?2";
        user_of(&self.run(sql(text, [name, flag(self.sandbox)])).await?)
    }

    /// Returns the patients of a user's list, or all stored patients if the user may see all. Such a list has the
    /// patient `*`, which sorts before every id.
    async fn access_list(&self, user: &str, most: usize) -> Result<AccessListPage, AuthStoreError> {
        let limit = (most + 1).to_string();
        let listed = "SELECT patient FROM access WHERE user = ?1 ORDER BY patient LIMIT CAST(?2 AS INTEGER)";
        let mut rows = self.run(sql(listed, [user, &limit])).await?;
        if rows.text(0, "patient").as_deref() == Some("*") {
            let stored =
                "SELECT id AS patient FROM resource WHERE type = 'Patient' ORDER BY id LIMIT CAST(?1 AS INTEGER)";
            let directory = self.directory.as_ref().unwrap_or(&self.database);
            let found = run_each(directory, [sql(stored, [&limit])]).await;
            [rows] = found.map_err(|error| AuthStoreError(error.detail))?;
        }
        let patients = (0..rows.count().min(most)).filter_map(|row| rows.text(row, "patient")).collect();
        Ok(AccessListPage { patients, more: rows.count() > most })
    }

    /// Counts first and checks afterwards, so that concurrent guesses get no more free attempts than sequential ones.
    async fn count_attempt(&self, attempt: &PasswordAttempt, now: i64) -> Result<Option<i64>, AuthStoreError> {
        let PasswordAttempt { counters, account } = attempt;
        let (account, many) = account.as_ref().map_or(("", u32::MAX), |(name, many)| (name, *many));
        let (now, many) = (now.to_string(), many.to_string());
        let names: Vec<&str> = counters.iter().map(|failures| failures.name.as_str()).collect();
        let until =
            "SELECT max(until) - ?2 AS wait FROM password_failures WHERE name IN (SELECT value FROM json_each(?1))";
        let mut batch = vec![sql(until, [&serde_json::json!(names).to_string(), &now])];
        for oauth::PasswordCounter { name, free, under_attack, .. } in counters {
            let binds = [name, &now, &free.to_string(), account, &many, &under_attack.to_string()];
            batch.push(sql(users::COUNT_WRONG, binds));
        }
        if !account.is_empty() {
            batch.push(sql(users::COUNT_ACCOUNT, [account, &now]));
        }
        let answers = self.batch(batch).await?;
        let (wait, counted) = answers.split_first().ok_or_else(|| AuthStoreError("no answer".to_owned()))?;
        let refused = counted.iter().take(counters.len()).any(|rows| rows.count() == 0);
        let wait = integer(wait, 0, "wait")?.max(1);
        Ok(refused.then_some(wait))
    }

    async fn clear_failures(&self, attempt: &PasswordAttempt) -> Result<(), AuthStoreError> {
        let mut batch = Vec::with_capacity(3);
        for oauth::PasswordCounter { name, is_shared, .. } in &attempt.counters {
            batch.push(if *is_shared {
                sql("UPDATE password_failures SET wrong = max(0, wrong - 1), until = 0 WHERE name = ?1", [name])
            } else {
                sql("DELETE FROM password_failures WHERE name = ?1", [name])
            });
        }
        if let Some((account, _)) = &attempt.account {
            batch.push(sql("DELETE FROM password_failures WHERE name = ?1", [account]));
        }
        self.batch(batch).await.map(|_| ())
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
        let launch = maybe(pending.request.launch.as_deref());
        let request = serde_json::to_string(&pending.request).map_err(malformed("a code"))?;
        let now = grant.created_at.to_string();
        let is_pending = "WHERE EXISTS (SELECT 1 FROM pending_authorizations p WHERE p.id = ?14 AND p.expires_at > ?15) \
                          AND (?16 = '' OR EXISTS (SELECT 1 FROM launches l WHERE l.id = ?16 AND l.expires_at > ?15))";
        let batch = vec![
            grants::insert_grant(grant, is_pending, &[&pending.id, &now, &launch]),
            sql(
                "INSERT INTO single_use_tokens (id, kind, grant_id, request, expires_at) \
                 SELECT ?1, 'code', g.id, ?3, ?4 FROM grants g WHERE g.id = ?2",
                [code, &grant.id, &request, &expires_at.to_string()],
            ),
            sql("DELETE FROM launches WHERE id = ?1", [&launch]),
            sql("DELETE FROM pending_authorizations WHERE id = ?1", [&pending.id]),
        ];
        Ok(self.batch(batch).await?.first().is_some_and(|rows| rows.count() > 0))
    }

    async fn single_use_token(
        &self,
        kind: SingleUseTokenKind,
        id: &str,
        now: i64,
    ) -> Result<Option<SingleUseToken>, AuthStoreError> {
        let text = format!(
            "SELECT {GRANT}, {GRANT_IS_ACTIVE} AS is_active, t.redeemed_by, t.expires_at AS ends, t.request \
             FROM single_use_tokens t JOIN grants g ON g.id = t.grant_id WHERE t.id = ?1 AND t.kind = ?3"
        );
        let rows = self.run(sql(&text, [id, &now.to_string(), kind.name()])).await?;
        let Some(grant) = grant_of(&rows, 0)? else { return Ok(None) };
        let request = rows.text(0, "request");
        let request = request.map(|text| serde_json::from_str(&text).map_err(malformed("a code"))).transpose()?;
        if kind == SingleUseTokenKind::Code && request.is_none() {
            return Err(AuthStoreError("a code has no request that it is bound to".to_owned()));
        }
        let token = SingleUseToken {
            grant,
            is_active: integer(&rows, 0, "is_active")? != 0,
            redeemed_by: rows.text(0, "redeemed_by"),
            expires_at: integer(&rows, 0, "ends")?,
            request: request.unwrap_or_default(),
        };
        self.note_end(!token.is_active);
        Ok(Some(token))
    }

    async fn redeem(&self, exchange: Exchange<'_>, now: i64) -> Result<bool, AuthStoreError> {
        let Exchange { kind, id, name, next, ends } = exchange;
        let redeem = format!(
            "UPDATE single_use_tokens SET redeemed_by = ?3 WHERE id = ?1 AND kind = ?4 AND redeemed_by IS NULL AND expires_at > ?2 \
             AND EXISTS (SELECT 1 FROM grants g WHERE g.id = single_use_tokens.grant_id AND {GRANT_IS_ACTIVE}) RETURNING id"
        );
        let extend = "UPDATE grants SET expires_at = max(expires_at, CAST(?3 AS INTEGER)), used_at = ?4 WHERE id = \
                      (SELECT t.grant_id FROM single_use_tokens t WHERE t.id = ?1 AND t.redeemed_by = ?2)";
        let online = "(SELECT g.session FROM grants g JOIN single_use_tokens t ON t.grant_id = g.id \
                      WHERE t.id = ?1 AND t.redeemed_by = ?2 AND g.online = 1)";
        let mut batch = vec![
            sql(&redeem, [id, &now.to_string(), name, kind.name()]),
            sql(extend, [id, name, &ends.to_string(), &now.to_string()]),
            users::use_session(online, &[id, name], now),
        ];
        if let Some(oauth::NextRefreshToken { id: successor, expires_at }) = next {
            batch.push(sql(
                "INSERT INTO single_use_tokens (id, kind, grant_id, expires_at) \
                 SELECT ?3, 'refresh', t.grant_id, ?4 FROM single_use_tokens t WHERE t.id = ?1 AND t.redeemed_by = ?2",
                [id, name, successor, &expires_at.to_string()],
            ));
        }
        Ok(self.batch(batch).await?.first().is_some_and(|rows| rows.count() > 0))
    }

    async fn revoke(&self, grant: &str, now: i64) -> Result<(), AuthStoreError> {
        self.note_end(true);
        let text = "UPDATE grants SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
        self.run(sql(text, [grant, &now.to_string()])).await.map(|_| ())
    }

    async fn active_grant(&self, grant: &str, now: i64) -> Result<Option<GrantRow>, AuthStoreError> {
        let text = format!("SELECT {GRANT} FROM grants g WHERE g.id = ?1 AND {GRANT_IS_ACTIVE}");
        let row = grant_of(&self.run(sql(&text, [grant, &now.to_string()])).await?, 0)?;
        self.note_end(row.is_none());
        Ok(row)
    }

    async fn grants_of_session(
        &self,
        session: &Session,
        client: &str,
        now: i64,
    ) -> Result<Vec<GrantRow>, AuthStoreError> {
        let text = format!(
            "SELECT {GRANT} FROM grants g WHERE g.subject = ?1 AND {GRANT_IS_ACTIVE} AND g.client = ?3 AND g.session = ?4 \
             ORDER BY g.created_at DESC, g.id LIMIT 200"
        );
        let rows = self.run(sql(&text, [&session.user, &now.to_string(), client, &session.id])).await?;
        (0..rows.count()).filter_map(|row| grant_of(&rows, row).transpose()).collect()
    }

    async fn apps_of(&self, user: &str, now: i64) -> Result<Vec<AppAccess>, AuthStoreError> {
        let text = format!(
            "SELECT g.client, coalesce(nullif(json_extract(c.registration, '$.name'), ''), g.client) AS name, \
             json_group_array(DISTINCT g.scope) AS scopes, json_group_array(DISTINCT g.patient) AS patients, \
             min(g.created_at) AS since, max(g.used_at) AS used_at, max(g.expires_at) AS ends \
             FROM grants g LEFT JOIN clients c ON c.id = g.client WHERE g.subject = ?1 AND {GRANT_IS_ACTIVE} \
             GROUP BY g.client ORDER BY max(g.created_at) DESC, g.client"
        );
        let rows = self.run(sql(&text, [user, &now.to_string()])).await?;
        let texts = |row, column| -> Result<Vec<String>, AuthStoreError> {
            let Some(text) = rows.text(row, column) else { return Ok(Vec::new()) };
            let list: Vec<Value> = serde_json::from_str(&text).map_err(malformed(column))?;
            // SQLite does not specify the order of aggregated values.
            let mut list: Vec<_> = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            list.sort_unstable();
            Ok(list)
        };
        let app = |(row, client): (usize, String)| {
            Ok(AppAccess {
                name: rows.text(row, "name").unwrap_or_else(|| client.clone()),
                client,
                scope: texts(row, "scopes")?.join(" "),
                patients: texts(row, "patients")?,
                since: integer(&rows, row, "since")?,
                used_at: maybe_integer(&rows, row, "used_at")?,
                expires_at: integer(&rows, row, "ends")?,
            })
        };
        let clients = (0..rows.count()).filter_map(|row| Some((row, rows.text(row, "client")?)));
        clients.map(app).collect()
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
        let text = "SELECT u.name, u.password, u.fhir_user, u.disabled FROM identities i JOIN users u ON u.name = i.user \
                    WHERE i.issuer = ?1 AND i.subject = ?2 AND u.sandbox <= ?3";
        user_of(&self.run(sql(text, [issuer, subject, flag(self.sandbox)])).await?)
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
        let batch = vec![
            sql("SELECT registration FROM clients ORDER BY id LIMIT 200", []),
            sql("SELECT name FROM users WHERE disabled = 0 AND sandbox = 1 ORDER BY name LIMIT 200", []),
        ];
        let answers = self.batch(batch).await?;
        let [clients, users] = answers.as_slice() else { return Ok((Vec::new(), Vec::new())) };
        let texts = (0..clients.count()).filter_map(|row| clients.text(row, "registration"));
        let clients = texts.map(|text| Client::read(&text).map_err(malformed("a registration")));
        Ok((clients.collect::<Result<_, _>>()?, (0..users.count()).filter_map(|row| users.text(row, "name")).collect()))
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
