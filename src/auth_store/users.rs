//! Statements for users, their sessions, and counts of wrong passwords.

use super::sql_auth_store::{integer, sql};
use database::{Rows, Statement};
use oauth::{AuthStoreError, SESSION_IDLE, SESSION_LIFE, Session, User};

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
pub const COUNT_ACCOUNT: &str = count!();
/// Counts a wrong password with a counter that may impose a wait. Returns no row if a wait is already in force.
pub const COUNT_WRONG: &str = concat!(
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

pub const fn flag(set: bool) -> &'static str {
    if set { "1" } else { "0" }
}

pub fn session_of<R: Rows>(rows: &R) -> Result<Option<Session>, AuthStoreError> {
    let (Some(id), Some(user)) = (rows.text(0, "id"), rows.text(0, "user")) else { return Ok(None) };
    let (since, was_prompted) = (integer(rows, 0, "since")?, integer(rows, 0, "prompted")? != 0);
    Ok(Some(Session { id, user, since, was_prompted }))
}

pub fn user_of<R: Rows>(rows: &R) -> Result<Option<User>, AuthStoreError> {
    let Some(name) = rows.text(0, "name") else { return Ok(None) };
    Ok(Some(User {
        name,
        password: rows.text(0, "password"),
        fhir_user: rows.text(0, "fhir_user"),
        disabled: integer(rows, 0, "disabled")? != 0,
    }))
}
