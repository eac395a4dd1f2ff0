//! Registration: the statements that store clients, users and access lists. They determine in the database what must
//! end, so that they can be sent to a database that cannot be read first. Running them twice changes nothing more.

use serde::{Deserialize, Serialize};

use super::disable::Holder;
use super::sql_auth_store::{maybe, sql};
use super::users::flag;
use database::Statement;
use oauth::Client;

/// The maximum number of patients in a statement. An id has at most 64 characters, and D1 accepts 100,000 bytes.
pub const MAX_PATIENTS: usize = 1_000;

/// Ends the grants of the user `?1` for patients whom the user may no longer see.
const END_UNSEEN: &str = "UPDATE grants SET revoked_at = unixepoch() WHERE subject = ?1 AND patient IS NOT NULL \
                          AND revoked_at IS NULL AND NOT EXISTS (SELECT 1 FROM access a WHERE a.user = ?1 \
                          AND a.patient IN ('*', grants.patient))";

/// The patients of an access list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListedPatients {
    /// Every patient.
    All,
    /// The patients with these ids.
    These(Vec<String>),
}

impl ListedPatients {
    /// Returns the rows that represent the patients, as JSON arrays that each fit into a statement.
    fn rows(&self) -> Vec<String> {
        let ids = match self {
            Self::All => &["*".to_owned()][..],
            Self::These(ids) => ids,
        };
        ids.chunks(MAX_PATIENTS).map(|ids| serde_json::json!(ids).to_string()).collect()
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::These(ids) if ids.is_empty())
    }
}

/// The row of a user, with the access list.
#[derive(Debug, Clone)]
pub struct UserRow {
    /// The user name.
    pub name: String,
    /// The stored form of the password. A user without a password cannot sign in.
    pub password: Option<String>,
    /// The user's own resource, as `Type/id`.
    pub fhir_user: Option<String>,
    /// True if the user may not sign in.
    pub disabled: bool,
    /// True if the user belongs to a sandbox.
    pub sandbox: bool,
    /// The patients whom the user may see.
    pub patients: ListedPatients,
    /// The accounts of the user at identity providers.
    pub identities: Vec<Identity>,
}

/// An account at an identity provider.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The issuer identifier of the provider: `iss` of its identity tokens.
    pub issuer: String,
    /// The subject: `sub` of the provider's identity tokens.
    pub subject: String,
}

/// A change of an access list.
#[derive(Debug, Clone)]
pub struct AccessChange {
    /// The user name.
    pub name: String,
    /// The patients to remove from the list.
    pub remove: ListedPatients,
    /// The patients to add to the list afterwards.
    pub add: ListedPatients,
}

/// Returns the statements that store a client, in the stored form, in place of an earlier registration. They end
/// everything that the client holds if it is disabled, or if its secret, its Groups or its purpose have changed. With
/// other Groups or another purpose, its earlier exports are not found any more.
///
/// # Errors
/// If the registration cannot be written as JSON.
pub fn register_client(client: &Client) -> serde_json::Result<Vec<Statement>> {
    let (id, hash) = (client.client_id.as_str(), maybe(client.secret_hash.as_deref()));
    let mut batch = if client.disabled {
        Holder::Client.end(id)
    } else {
        Holder::Client.end_if(
            id,
            "EXISTS (SELECT 1 FROM clients c WHERE c.id = ?1 \
             AND json_extract(c.registration, '$.secret_hash') IS NOT nullif(?2, ''))",
            &hash,
        )
    };
    let limits = serde_json::json!([client.groups, client.purpose]).to_string();
    let other_limits = "EXISTS (SELECT 1 FROM clients c WHERE c.id = ?1 \
                        AND json_extract(c.registration, '$.groups', '$.purpose') IS NOT ?2)";
    batch.extend(Holder::Client.end_if(id, other_limits, &limits));
    let forget = format!("UPDATE job SET client = NULL WHERE client = ?1 AND kind = 'export' AND {other_limits}");
    batch.push(sql(&forget, [id, &limits]));
    let registration = serde_json::to_string(client)?;
    batch.push(sql("INSERT OR REPLACE INTO clients (id, registration) VALUES (?1, ?2)", [id, &registration]));
    Ok(batch)
}

/// Returns the statements that store a user, with the access list, in place of an earlier registration. They end
/// everything that the user holds if the user is disabled, if the password or the user's own resource (`fhirUser`,
/// which the scope of that name opens) has changed, or if an identity is no longer registered. They end grants for
/// patients who are no longer on the list. The statements fail, and change nothing as a batch, if an identity is
/// registered to another user.
pub fn register_user(user: &UserRow) -> Vec<Statement> {
    let (name, password) = (user.name.as_str(), maybe(user.password.as_deref()));
    let identities = serde_json::json!(user.identities).to_string();
    let other_user = "NOT EXISTS (SELECT 1 FROM json_each(?2) n JOIN identities i \
                 ON i.issuer = json_extract(n.value, '$.issuer') AND i.subject = json_extract(n.value, '$.subject') \
                 WHERE i.user <> ?1)";
    let mut other_user = demand(other_user, "an identity is registered to another user than", name);
    other_user.binds.push(identities.clone());
    let mut batch = vec![other_user];
    if user.disabled {
        batch.extend(Holder::User.end(name));
    }
    let new_password = "EXISTS (SELECT 1 FROM users u WHERE u.name = ?1 AND u.password IS NOT nullif(?2, ''))";
    let lost_identity = "EXISTS (SELECT 1 FROM identities i WHERE i.user = ?1 AND NOT EXISTS (SELECT 1 \
                         FROM json_each(?2) n WHERE json_extract(n.value, '$.issuer') = i.issuer \
                         AND json_extract(n.value, '$.subject') = i.subject))";
    batch.extend(Holder::User.end_if(name, new_password, &password));
    batch.extend(Holder::User.end_if(name, lost_identity, &identities));
    let fhir_user = maybe(user.fhir_user.as_deref());
    let other_resource = "EXISTS (SELECT 1 FROM users u WHERE u.name = ?1 AND u.fhir_user IS NOT nullif(?2, ''))";
    batch.extend(Holder::User.end_if(name, other_resource, &fhir_user));
    batch.push(sql(
        "INSERT OR REPLACE INTO users (name, password, fhir_user, disabled, sandbox) \
         VALUES (?1, nullif(?2, ''), nullif(?3, ''), CAST(?4 AS INTEGER), CAST(?5 AS INTEGER))",
        [name, &password, &fhir_user, flag(user.disabled), flag(user.sandbox)],
    ));
    batch.push(sql("DELETE FROM identities WHERE user = ?1", [name]));
    batch.push(sql(
        "INSERT INTO identities (issuer, subject, user) \
         SELECT json_extract(value, '$.issuer'), json_extract(value, '$.subject'), ?1 FROM json_each(?2)",
        [name, &identities],
    ));
    batch.push(sql("DELETE FROM access WHERE user = ?1", [name]));
    batch.extend(add(name, &user.patients));
    batch.push(sql(END_UNSEEN, [name]));
    batch
}

/// Returns the statements that change an access list. They fail, and change nothing as a batch, if there is no such
/// user, or if single patients are removed from a list of all patients. They end grants for patients who are no longer
/// on the list.
pub fn change_access(AccessChange { name, remove, add: added }: &AccessChange) -> Vec<Statement> {
    let known = "EXISTS (SELECT 1 FROM users u WHERE u.name = ?1)";
    let mut batch = vec![demand(known, "there is no such user", name)];
    match remove {
        ListedPatients::All => batch.push(sql("DELETE FROM access WHERE user = ?1", [name])),
        ListedPatients::These(_) if remove.is_empty() => {}
        ListedPatients::These(_) => {
            let single = "NOT EXISTS (SELECT 1 FROM access a WHERE a.user = ?1 AND a.patient = '*')";
            batch.push(demand(single, "all patients are listed, and not single ones, for", name));
            let text = "DELETE FROM access WHERE user = ?1 AND patient IN (SELECT value FROM json_each(?2))";
            batch.extend(remove.rows().iter().map(|rows| sql(text, [name, rows])));
        }
    }
    batch.extend(add(name, added));
    batch.push(sql(END_UNSEEN, [name]));
    batch
}

/// Returns the statement that lists the patients of a user: a row for each patient, or one row with `*` for all.
pub fn listed_patients(name: &str) -> Statement {
    sql("SELECT patient FROM access WHERE user = ?1 ORDER BY patient", [name])
}

fn add(name: &str, patients: &ListedPatients) -> Vec<Statement> {
    let text = "INSERT OR IGNORE INTO access (user, patient) SELECT ?1, value FROM json_each(?2)";
    patients.rows().iter().map(|rows| sql(text, [name, rows])).collect()
}

/// Returns a statement that fails unless the condition holds. SQLite then reports the text as a wrong path, followed by
/// the name. No other expression fails with a given text.
fn demand(condition: &str, otherwise: &str, name: &str) -> Statement {
    sql(&format!("SELECT json_extract('{{}}', iif({condition}, '$', '{otherwise}: ' || ?1))"), [name])
}
