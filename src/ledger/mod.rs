//! The authorization server's memory as SQL: one implementation of [`Ledger`] for every [`Database`], so that what D1 is
//! asked in the Worker is tried on real SQLite.
//!
//! A database here has no transactions, only batches, each of which happens as a whole or not at all. Whatever may happen
//! once is therefore one batch: its first statement spends, and the others look whether it did.
//! All binds are text; SQLite gives them the affinity of the column that they meet, and where they meet none it is said.

mod disable;
mod guard;
mod people;
mod purge;
mod vouchers;

pub use disable::Holder;

use crate::oauth::{
    AppAccess, Attempt, AuthorizationRequest, Client, GrantRow, Interaction, Launch, Ledger, LedgerError, Roster,
    SESSION_IDLE, Session, Successor, User, Voucher, VoucherKind,
};
use crate::store::{Database, Rows, Statement, missing_tables};

/// The ledger in a database.
#[derive(Debug)]
pub struct SqlLedger<D> {
    database: D,
    /// Whether the playground's clients and users are known, whose secrets are published.
    playground: bool,
}

/// The tables of the ledger.
const TABLES: [&str; 11] = [
    "clients",
    "grants",
    "access",
    "users",
    "sessions",
    "interactions",
    "launches",
    "vouchers",
    "tallies",
    "spent",
    "guesses",
];

/// A bind that is null where there is nothing.
fn maybe(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}

/// A statement with its binds.
fn sql<const N: usize>(text: &str, binds: [&str; N]) -> Statement {
    Statement { text: text.to_owned(), binds: binds.map(str::to_owned).into() }
}

fn integer<R: Rows>(rows: &R, row: usize, column: &str) -> i64 {
    rows.text(row, column).and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn odd(what: &str) -> impl FnOnce(serde_json::Error) -> LedgerError {
    move |error| LedgerError(format!("{what}: {error}"))
}

impl<D: Database> SqlLedger<D> {
    /// Over that database.
    pub const fn new(database: D) -> Self {
        Self { database, playground: true }
    }

    /// The same, where the playground's clients and users are not known.
    #[must_use]
    pub fn in_production(self) -> Self {
        Self { playground: false, ..self }
    }

    /// Runs statements as one batch.
    ///
    /// # Errors
    /// Where the database does not answer, or not to each.
    pub async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D::Rows>, LedgerError> {
        let expected = statements.len();
        let answers = self.database.batch(statements).await.map_err(|error| LedgerError(error.0))?;
        if answers.len() == expected {
            Ok(answers)
        } else {
            Err(LedgerError("the database answered another number of statements".to_owned()))
        }
    }

    /// Runs one statement.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub async fn run(&self, statement: Statement) -> Result<D::Rows, LedgerError> {
        let mut answers = self.batch(vec![statement]).await?;
        answers.pop().ok_or_else(|| LedgerError("the database did not answer".to_owned()))
    }
}

impl<D: Database> Ledger for SqlLedger<D> {
    async fn ready(&self) -> Result<(), LedgerError> {
        let tables = self.run(Statement::tables()).await?;
        missing_tables(&tables, &TABLES).map_or(Ok(()), |missing| Err(LedgerError(missing)))
    }

    async fn client(&self, id: &str) -> Result<Option<Client>, LedgerError> {
        let rows = self.run(sql("SELECT registration FROM clients WHERE id = ?1", [id])).await?;
        let text = rows.text(0, "registration");
        let client: Option<Client> = text.map(|text| Client::read(&text).map_err(odd("a registration"))).transpose()?;
        Ok(client.filter(|client| self.playground || !client.sandbox))
    }

    async fn grant(&self, row: GrantRow) -> Result<(), LedgerError> {
        self.run(vouchers::insert_grant(&row, "", &[])).await.map(|_| ())
    }

    async fn user(&self, name: &str) -> Result<Option<User>, LedgerError> {
        self.find_user(name).await
    }

    async fn roster(&self, user: &str, most: usize) -> Result<Roster, LedgerError> {
        self.find_roster(user, most).await
    }

    async fn count_guess(&self, attempt: &Attempt, now: i64) -> Result<Option<i64>, LedgerError> {
        self.tally(attempt, now).await
    }

    async fn forgive(&self, attempt: &Attempt) -> Result<(), LedgerError> {
        self.untally(attempt).await
    }

    async fn open_session(
        &self,
        session: &Session,
        interaction: Option<&str>,
        earlier: Option<&str>,
    ) -> Result<(), LedgerError> {
        let Session { id, user, since } = session;
        let batch = vec![
            sql("DELETE FROM sessions WHERE id = ?1", [earlier.unwrap_or_default()]),
            sql(
                "INSERT INTO sessions (id, user, since, expires_at) VALUES (?1, ?2, ?3, ?4)",
                [id, user, &since.to_string(), &(since + SESSION_IDLE).to_string()],
            ),
            sql(
                "UPDATE interactions SET user = ?2, patient = NULL WHERE id = ?1",
                [interaction.unwrap_or_default(), user],
            ),
        ];
        self.batch(batch).await.map(|_| ())
    }

    async fn session(&self, id: &str, now: i64) -> Result<Option<Session>, LedgerError> {
        let batch = vec![people::find_session(id, now, self.playground), people::use_session("?1", &[id], now)];
        Ok(self.batch(batch).await?.first().and_then(people::session_of))
    }

    async fn close_session(&self, id: &str) -> Result<(), LedgerError> {
        self.run(sql("DELETE FROM sessions WHERE id = ?1", [id])).await.map(|_| ())
    }

    async fn begin(&self, interaction: &Interaction, expires_at: i64) -> Result<(), LedgerError> {
        let Interaction { id, visit, request, user, patient } = interaction;
        let request = serde_json::to_string(request).map_err(odd("a request"))?;
        let text = "INSERT INTO interactions (id, visit, request, user, patient, expires_at) \
                    VALUES (?1, ?2, ?3, nullif(?4, ''), nullif(?5, ''), ?6)";
        let (user, patient) = (maybe(user.as_deref()), maybe(patient.as_deref()));
        self.run(sql(text, [id, visit, &request, &user, &patient, &expires_at.to_string()])).await.map(|_| ())
    }

    async fn under_way(
        &self,
        session: Option<&str>,
        interaction: &str,
        now: i64,
    ) -> Result<(Option<Session>, Option<Interaction>), LedgerError> {
        let find = "SELECT id, visit, request, user, patient FROM interactions WHERE id = ?1 AND expires_at > ?2";
        let batch = vec![
            people::find_session(session.unwrap_or_default(), now, self.playground),
            sql(find, [interaction, &now.to_string()]),
            people::use_session("?1", &[session.unwrap_or_default()], now),
        ];
        let answers = self.batch(batch).await?;
        let [session, rows, _] = answers.as_slice() else { return Ok((None, None)) };
        let text = |column| rows.text(0, column);
        let interaction = match (text("id"), text("visit"), text("request")) {
            (Some(id), Some(visit), Some(request)) => {
                let request: AuthorizationRequest = serde_json::from_str(&request).map_err(odd("a request"))?;
                Some(Interaction { id, visit, request, user: text("user"), patient: text("patient") })
            }
            _ => None,
        };
        Ok((people::session_of(session), interaction))
    }

    async fn pick(&self, interaction: &str, patient: &str) -> Result<(), LedgerError> {
        self.run(sql("UPDATE interactions SET patient = ?2 WHERE id = ?1", [interaction, patient])).await.map(|_| ())
    }

    async fn give_up(&self, interaction: &str, now: i64) -> Result<bool, LedgerError> {
        let text = "DELETE FROM interactions WHERE id = ?1 AND expires_at > ?2 RETURNING id";
        Ok(self.run(sql(text, [interaction, &now.to_string()])).await?.count() > 0)
    }

    async fn issue(
        &self,
        interaction: &Interaction,
        grant: &GrantRow,
        code: &str,
        expires_at: i64,
    ) -> Result<bool, LedgerError> {
        self.issue_code(interaction, grant, code, expires_at).await
    }

    async fn voucher(&self, kind: VoucherKind, id: &str, now: i64) -> Result<Option<Voucher>, LedgerError> {
        self.find_voucher(kind, id, now).await
    }

    async fn exchange(
        &self,
        kind: VoucherKind,
        id: &str,
        exchange: &str,
        next: Option<&Successor>,
        ends: i64,
        now: i64,
    ) -> Result<bool, LedgerError> {
        self.spend_voucher(kind, id, exchange, next, ends, now).await
    }

    async fn revoke(&self, grant: &str, now: i64) -> Result<(), LedgerError> {
        let text = "UPDATE grants SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
        self.run(sql(text, [grant, &now.to_string()])).await.map(|_| ())
    }

    async fn standing(&self, grant: &str, now: i64) -> Result<Option<GrantRow>, LedgerError> {
        self.find_standing(grant, now).await
    }

    async fn given_in(&self, session: &Session, client: &str, now: i64) -> Result<Vec<GrantRow>, LedgerError> {
        self.find_given(session, client, now).await
    }

    async fn apps_of(&self, user: &str, now: i64) -> Result<Vec<AppAccess>, LedgerError> {
        self.find_apps(user, now).await
    }

    async fn revoke_app(&self, user: &str, client: &str, now: i64) -> Result<bool, LedgerError> {
        let text = "UPDATE grants SET revoked_at = ?3 WHERE subject = ?1 AND client = ?2 AND revoked_at IS NULL \
                    AND expires_at > ?3 RETURNING id";
        Ok(self.run(sql(text, [user, client, &now.to_string()])).await?.count() > 0)
    }

    async fn launched(&self, id: &str, launch: &Launch, expires_at: i64) -> Result<(), LedgerError> {
        let Launch { client, user, patient } = launch;
        let text =
            "INSERT INTO launches (id, client, user, patient, expires_at) VALUES (?1, ?2, ?3, nullif(?4, ''), ?5)";
        self.run(sql(text, [id, client, user, &maybe(patient.as_deref()), &expires_at.to_string()])).await.map(|_| ())
    }

    async fn launch(&self, id: &str, now: i64) -> Result<Option<Launch>, LedgerError> {
        let text = "SELECT client, user, patient FROM launches WHERE id = ?1 AND expires_at > ?2";
        let rows = self.run(sql(text, [id, &now.to_string()])).await?;
        let launch = |client, user| Launch { client, user, patient: rows.text(0, "patient") };
        Ok(rows.text(0, "client").zip(rows.text(0, "user")).map(|(client, user)| launch(client, user)))
    }

    async fn everybody(&self) -> Result<(Vec<Client>, Vec<String>), LedgerError> {
        self.find_everybody().await
    }
}
