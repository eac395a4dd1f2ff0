//! Users, their sessions and patient access lists, and counts of wrong passwords.

use super::sql_auth_store::{SqlAuthStore, integer, malformed, run_batch, sql};
use database::{Database, Rows, Statement};
use oauth::{
    AccessListPage, AuthStoreError, Client, PasswordAttempt, PasswordCounter, SESSION_IDLE, SESSION_LIFE, Session, User,
};

/// The time after the last wrong password when a counter restarts, in seconds. It is also the longest wait.
macro_rules! expiry {
    () => {
        "900"
    };
}

/// Starts a counter, or continues one that has not expired. `?1` is its name, `?2` the current time.
macro_rules! count {
    () => {
        concat!(
            "INSERT INTO password_failures (name, wrong, seen, until) VALUES (?1, 1, ?2, 0) ON CONFLICT (name) DO UPDATE SET ",
            "wrong = iif(seen < ?2 - ",
            expiry!(),
            ", 1, wrong + 1), seen = ?2"
        )
    };
}

/// The number of wrong passwords without a wait: `?6` if the counter `?4` of the account has reached `?5`, or `?3`.
macro_rules! free {
    () => {
        concat!(
            "CAST(iif((SELECT a.wrong FROM password_failures a WHERE a.name = ?4 AND a.seen >= ?2 - ",
            expiry!(),
            ") >= CAST(?5 AS INTEGER), ?6, ?3) AS INTEGER)"
        )
    };
}

/// Counts a wrong password of an account over all networks.
const COUNT_ACCOUNT: &str = count!();
/// Counts a wrong password with a counter that may impose a wait. Returns no row if a wait is already in force.
const COUNT_WRONG: &str = concat!(
    count!(),
    ", until = iif(seen >= ?2 - ",
    expiry!(),
    " AND wrong + 1 >= ",
    free!(),
    ", ?2 + min(",
    expiry!(),
    ", 1 << min(10, wrong + 1 - ",
    free!(),
    ")), 0) WHERE until <= ?2 RETURNING wrong"
);

pub fn find_session(id: &str, now: i64, sandbox: bool) -> Statement {
    // A disabled user has no session.
    let text = "SELECT s.id, s.user, s.since, s.prompted FROM sessions s JOIN users u ON u.name = s.user \
                WHERE s.id = ?1 AND s.expires_at > ?2 AND u.disabled = 0 AND u.sandbox <= ?3";
    sql(text, [id, &now.to_string(), flag(sandbox)])
}

/// The minimum time between writes of a session in constant use, in seconds.
const UNWRITTEN: i64 = 60;

/// Returns the statement that extends a used session. `which` is the SQL of its id. The time is bound after `binds`.
pub fn use_session(which: &str, binds: &[&str], now: i64) -> Statement {
    let at = format!("CAST(?{} AS INTEGER)", binds.len() + 1);
    let until = format!("min(since + {SESSION_LIFE}, {at} + {SESSION_IDLE})");
    let text = format!(
        "UPDATE sessions SET expires_at = {until} WHERE id = {which} AND expires_at > {at} \
         AND expires_at < {until} - {UNWRITTEN}"
    );
    let now = now.to_string();
    Statement { text, binds: binds.iter().chain([&now.as_str()]).map(|bind| (*bind).to_owned()).collect() }
}

const fn flag(set: bool) -> &'static str {
    if set { "1" } else { "0" }
}

pub fn session_of<R: Rows>(rows: &R) -> Result<Option<Session>, AuthStoreError> {
    let (Some(id), Some(user)) = (rows.text(0, "id"), rows.text(0, "user")) else { return Ok(None) };
    let (since, was_prompted) = (integer(rows, 0, "since")?, integer(rows, 0, "prompted")? != 0);
    Ok(Some(Session { id, user, since, was_prompted }))
}

fn user_of<R: Rows>(rows: &R) -> Result<Option<User>, AuthStoreError> {
    let Some(name) = rows.text(0, "name") else { return Ok(None) };
    Ok(Some(User {
        name,
        password: rows.text(0, "password"),
        fhir_user: rows.text(0, "fhir_user"),
        disabled: integer(rows, 0, "disabled")? != 0,
    }))
}

impl<D: Database> SqlAuthStore<D> {
    pub(super) async fn find_user(&self, name: &str) -> Result<Option<User>, AuthStoreError> {
        let text = "SELECT name, password, fhir_user, disabled FROM users WHERE name = ?1 AND sandbox <= ?2";
        user_of(&self.run(sql(text, [name, flag(self.sandbox)])).await?)
    }

    pub(super) async fn find_user_of_identity(
        &self,
        issuer: &str,
        subject: &str,
    ) -> Result<Option<User>, AuthStoreError> {
        let text = "SELECT u.name, u.password, u.fhir_user, u.disabled FROM identities i JOIN users u ON u.name = i.user \
                    WHERE i.issuer = ?1 AND i.subject = ?2 AND u.sandbox <= ?3";
        user_of(&self.run(sql(text, [issuer, subject, flag(self.sandbox)])).await?)
    }

    /// Returns the patients of a user's list, or all stored patients if the user may see all. Such a list has the
    /// patient `*`, which sorts before every id.
    pub(super) async fn find_access_list(&self, user: &str, most: usize) -> Result<AccessListPage, AuthStoreError> {
        let limit = (most + 1).to_string();
        let listed = "SELECT patient FROM access WHERE user = ?1 ORDER BY patient LIMIT CAST(?2 AS INTEGER)";
        let mut rows = self.run(sql(listed, [user, &limit])).await?;
        if rows.text(0, "patient").as_deref() == Some("*") {
            let stored =
                "SELECT id AS patient FROM resource WHERE type = 'Patient' ORDER BY id LIMIT CAST(?1 AS INTEGER)";
            rows = self.run_in(self.directory.as_ref().unwrap_or(&self.database), sql(stored, [&limit])).await?;
        }
        let patients = (0..rows.count().min(most)).filter_map(|row| rows.text(row, "patient")).collect();
        Ok(AccessListPage { patients, more: rows.count() > most })
    }

    async fn run_in(&self, database: &D, statement: Statement) -> Result<D::Rows, AuthStoreError> {
        let answer = run_batch(database, vec![statement]).await?.pop();
        answer.ok_or_else(|| AuthStoreError("the database did not answer".to_owned()))
    }

    /// Counts first and checks afterwards, so that concurrent guesses get no more free attempts than sequential ones.
    pub(super) async fn count_failures(
        &self,
        attempt: &PasswordAttempt,
        now: i64,
    ) -> Result<Option<i64>, AuthStoreError> {
        let PasswordAttempt { counters, account } = attempt;
        let (account, many) = account.as_ref().map_or(("", u32::MAX), |(name, many)| (name, *many));
        let (now, many) = (now.to_string(), many.to_string());
        let names: Vec<&str> = counters.iter().map(|failures| failures.name.as_str()).collect();
        let until =
            "SELECT max(until) - ?2 AS wait FROM password_failures WHERE name IN (SELECT value FROM json_each(?1))";
        let mut batch = vec![sql(until, [&serde_json::json!(names).to_string(), &now])];
        for PasswordCounter { name, free, under_attack, .. } in counters {
            batch.push(sql(COUNT_WRONG, [name, &now, &free.to_string(), account, &many, &under_attack.to_string()]));
        }
        if !account.is_empty() {
            batch.push(sql(COUNT_ACCOUNT, [account, &now]));
        }
        let answers = self.batch(batch).await?;
        let (wait, counted) = answers.split_first().ok_or_else(|| AuthStoreError("no answer".to_owned()))?;
        let refused = counted.iter().take(counters.len()).any(|rows| rows.count() == 0);
        let wait = integer(wait, 0, "wait")?.max(1);
        Ok(refused.then_some(wait))
    }

    pub(super) async fn decrement(&self, attempt: &PasswordAttempt) -> Result<(), AuthStoreError> {
        let mut batch = Vec::with_capacity(3);
        for PasswordCounter { name, is_shared, .. } in &attempt.counters {
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

    pub(super) async fn find_clients_and_users(&self) -> Result<(Vec<Client>, Vec<String>), AuthStoreError> {
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
