//! Users, their sessions, whom they may see, and the passwords that were wrong.

use super::{SqlLedger, integer, odd, sql};
use crate::oauth::{Client, LedgerError, Roster, Session, Tally, User};
use crate::store::{Database, Rows, Statement};

/// Seconds after the last wrong password when they are forgotten; also the longest wait.
const FORGET: i64 = 900;

pub fn find_session(id: &str, now: i64, playground: bool) -> Statement {
    // A user who was disabled has no session any more.
    let text = "SELECT s.id, s.user, s.since FROM sessions s JOIN users u ON u.name = s.user \
                WHERE s.id = ?1 AND s.expires_at > ?2 AND u.disabled = 0 AND u.sandbox <= ?3";
    sql(text, [id, &now.to_string(), flag(playground)])
}

const fn flag(set: bool) -> &'static str {
    if set { "1" } else { "0" }
}

pub fn session_of<R: Rows>(rows: &R) -> Option<Session> {
    Some(Session { id: rows.text(0, "id")?, user: rows.text(0, "user")?, since: integer(rows, 0, "since") })
}

impl<D: Database> SqlLedger<D> {
    pub(super) async fn find_user(&self, name: &str) -> Result<Option<User>, LedgerError> {
        let text = "SELECT name, password, fhir_user, disabled FROM users WHERE name = ?1 AND sandbox <= ?2";
        let rows = self.run(sql(text, [name, flag(self.playground)])).await?;
        Ok(rows.text(0, "name").map(|name| User {
            name,
            password: rows.text(0, "password"),
            fhir_user: rows.text(0, "fhir_user"),
            disabled: integer(&rows, 0, "disabled") != 0,
        }))
    }

    /// The patients of a list, or, for who may see all, of the store.
    pub(super) async fn find_roster(&self, user: &str, most: usize) -> Result<Roster, LedgerError> {
        let text = "SELECT patient FROM access WHERE user = ?1 AND patient <> '*' UNION \
                    SELECT id FROM (SELECT r.id FROM resource r WHERE r.type = 'Patient' AND EXISTS \
                    (SELECT 1 FROM access a WHERE a.user = ?1 AND a.patient = '*') ORDER BY r.id LIMIT CAST(?2 AS INTEGER)) \
                    ORDER BY 1 LIMIT CAST(?2 AS INTEGER)";
        let rows = self.run(sql(text, [user, &(most + 1).to_string()])).await?;
        let patients = (0..rows.count().min(most)).filter_map(|row| rows.text(row, "patient")).collect();
        Ok(Roster { patients, more: rows.count() > most })
    }

    /// Counts first and looks afterwards: of many guesses at once none is free that would not be one after the other.
    pub(super) async fn tally(&self, tallies: &[Tally], now: i64) -> Result<Option<i64>, LedgerError> {
        let count = format!(
            "INSERT INTO tallies (name, wrong, seen, until) VALUES (?1, 1, ?2, 0) ON CONFLICT (name) DO UPDATE SET \
             wrong = iif(seen < ?2 - {FORGET}, 1, wrong + 1), seen = ?2, \
             until = iif(seen >= ?2 - {FORGET} AND wrong + 1 >= CAST(?3 AS INTEGER), \
             ?2 + min({FORGET}, 1 << min(10, wrong + 1 - CAST(?3 AS INTEGER))), 0) \
             WHERE until <= ?2 RETURNING wrong"
        );
        let now = now.to_string();
        let names: Vec<&str> = tallies.iter().map(|tally| tally.name.as_str()).collect();
        let until = "SELECT max(until) - ?2 AS wait FROM tallies WHERE name IN (SELECT value FROM json_each(?1))";
        let mut batch = vec![sql(until, [&serde_json::json!(names).to_string(), &now])];
        batch.extend(tallies.iter().map(|Tally { name, free }| sql(&count, [name, &now, &free.to_string()])));
        let answers = self.batch(batch).await?;
        let (wait, counted) = answers.split_first().ok_or_else(|| LedgerError("no answer".to_owned()))?;
        let refused = counted.iter().any(|rows| rows.count() == 0);
        Ok(refused.then(|| integer(wait, 0, "wait").max(1)))
    }

    pub(super) async fn untally(&self, tallies: &[Tally]) -> Result<(), LedgerError> {
        let last = tallies.len().saturating_sub(1);
        let statement = |(at, Tally { name, .. }): (usize, &Tally)| {
            let text = if at == last {
                "UPDATE tallies SET wrong = max(0, wrong - 1), until = 0 WHERE name = ?1"
            } else {
                "DELETE FROM tallies WHERE name = ?1"
            };
            sql(text, [name])
        };
        self.batch(tallies.iter().enumerate().map(statement).collect()).await.map(|_| ())
    }

    pub(super) async fn find_everybody(&self) -> Result<(Vec<Client>, Vec<String>), LedgerError> {
        let batch = vec![
            sql("SELECT registration FROM clients ORDER BY id LIMIT 200", []),
            sql("SELECT name FROM users WHERE disabled = 0 ORDER BY name LIMIT 200", []),
        ];
        let answers = self.batch(batch).await?;
        let [clients, users] = answers.as_slice() else { return Ok((Vec::new(), Vec::new())) };
        let texts = (0..clients.count()).filter_map(|row| clients.text(row, "registration"));
        let clients = texts.map(|text| serde_json::from_str(&text).map_err(odd("a registration")));
        Ok((clients.collect::<Result<_, _>>()?, (0..users.count()).filter_map(|row| users.text(row, "name")).collect()))
    }
}
