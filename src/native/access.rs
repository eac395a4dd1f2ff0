//! Who may ask: keys, clients, users and, for trying things out, tokens.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};
use serde::Deserialize;

use super::Failure;
use crate::oauth::{AccessClaims, Client, Keys, Pepper, is_of_playground, password, token_of};

/// The playground's clients and users, as `/sandbox.json` shows them.
pub const SANDBOX: &str = include_str!("../api/sandbox.json");

/// The clients and users of the playground, for a server of that origin.
///
/// # Errors
/// Where they are not well formed.
pub fn playground(origin: &str) -> serde_json::Result<Registrations> {
    let origin = origin.trim_end_matches('/');
    serde_json::from_str(&SANDBOX.replace("{origin}", origin)).map(|mut all: Registrations| {
        all.clients.iter_mut().for_each(|client| client.sandbox = true);
        all
    })
}

/// Clients and users to register.
#[derive(Debug, Deserialize)]
pub struct Registrations {
    /// The clients.
    #[serde(default)]
    pub clients: Vec<Client>,
    /// The users.
    #[serde(default)]
    pub users: Vec<User>,
}

/// A person who signs in.
#[derive(Debug, Deserialize)]
pub struct User {
    /// The name to sign in with; also the subject of tokens.
    pub username: String,
    /// The password; without one the user cannot sign in.
    pub password: Option<String>,
    /// The user's own resource, as `Type/id`.
    #[serde(rename = "fhirUser")]
    pub fhir_user: Option<String>,
    /// Whether the user is refused.
    #[serde(default)]
    pub disabled: bool,
    /// The patients that the user may see.
    pub patients: Patients,
}

/// Whom a user may see.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Patients {
    /// `"all"`
    All(String),
    /// These.
    These(Vec<String>),
}

/// 32 random bytes.
///
/// # Errors
/// Where the machine has none.
pub fn random() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Failure::doing("asking for random bytes"))?;
    Ok(bytes)
}

fn check(client: &Client) -> Result<(), String> {
    if client.secret.as_deref().is_some_and(is_of_playground) {
        return Err("secret: what begins with \"sandbox-\" is published".to_owned());
    }
    client.check().map_err(|error| error.to_string())
}

/// A password as it is kept: peppered, salted and stretched.
fn kept_password(pepper: &Pepper, password: &str) -> Result<String, Failure> {
    let salt: Vec<u8> = random()?.into_iter().take(16).collect();
    let stretched = stretch(&password::peppered(pepper, password), &salt, password::ROUNDS);
    Ok(password::kept(password::ROUNDS, &salt, &stretched))
}

/// PBKDF2-HMAC-SHA256, as the Worker's platform does it.
#[must_use]
pub fn stretch(password: &[u8], salt: &[u8], rounds: u32) -> [u8; 32] {
    pbkdf2::pbkdf2_hmac_array::<sha2::Sha256, 32>(password, salt, rounds)
}

/// Registers clients and users. Disabling either ends what was authorised for it. Passwords need the server's pepper.
///
/// # Errors
/// Where a registration is not right, or the database does not take it.
pub fn register(
    connection: &mut Connection,
    registrations: Registrations,
    pepper: &dyn Fn() -> Result<Pepper, Failure>,
) -> Result<usize, Failure> {
    let transaction = connection.transaction()?;
    let count = registrations.clients.len() + registrations.users.len();
    let mut known = BTreeSet::new();
    for client in registrations.clients {
        let id = client.client_id.clone();
        // The playground's own are as they must be; only its address may be any.
        if !client.sandbox {
            check(&client).map_err(|reason| Failure(format!("the client {id:?}: {reason}")))?;
        }
        if !known.insert(id.clone()) {
            return Err(Failure(format!("the client {id:?} is there twice")));
        }
        let stored = client.stored().map_err(|error| Failure(format!("the client {id:?}: {}", error.reason)))?;
        let text = serde_json::to_string(&stored).map_err(Failure::doing("writing a registration"))?;
        transaction.execute("INSERT OR REPLACE INTO clients VALUES (?1, ?2)", [&id, &text])?;
        if stored.disabled {
            transaction.execute(
                "UPDATE grants SET revoked_at = unixepoch() WHERE client = ?1 AND revoked_at IS NULL",
                [&id],
            )?;
        }
    }
    for user in registrations.users {
        let password = user.password.as_deref().filter(|password| !password.is_empty());
        let password = password.map(|password| kept_password(&pepper()?, password)).transpose()?;
        transaction.execute(
            "INSERT OR REPLACE INTO users (name, password, fhir_user, disabled) VALUES (?1, ?2, ?3, ?4)",
            params![user.username, password, user.fhir_user, user.disabled],
        )?;
        if user.disabled {
            transaction.execute("DELETE FROM sessions WHERE user = ?1", [&user.username])?;
            transaction.execute(
                "UPDATE grants SET revoked_at = unixepoch() WHERE subject = ?1 AND revoked_at IS NULL",
                [&user.username],
            )?;
        }
        transaction.execute("DELETE FROM access WHERE user = ?1", [&user.username])?;
        let patients = match user.patients {
            Patients::These(patients) => patients,
            Patients::All(all) if all == "all" => vec!["*".to_owned()],
            Patients::All(other) => {
                return Err(Failure(format!("the user {:?}: {other:?} is neither a list nor \"all\"", user.username)));
            }
        };
        for patient in patients {
            transaction.execute("INSERT INTO access VALUES (?1, ?2)", [&user.username, &patient])?;
        }
    }
    transaction.commit()?;
    Ok(count)
}

/// What a token for trying things out is for.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The issuer.
    pub issuer: String,
    /// The client that will hold it.
    pub client: String,
    /// The user, if it is one's.
    pub user: Option<String>,
    /// The patient in context.
    pub patient: Option<String>,
    /// The scopes.
    pub scope: String,
    /// Seconds that it is good for.
    pub life: i64,
}

/// Signs a token with the key of a sandbox, for trying things out, and writes down the authorization that it stems from.
///
/// # Errors
/// Where the key is none, or the database does not take it.
pub fn token(connection: &Connection, keys: &Keys, wanted: Wanted, now: i64) -> Result<String, Failure> {
    let random = random()?;
    let grant = token_of(&random, "grant");
    let expires = now + wanted.life;
    connection.execute(
        "INSERT INTO grants (id, client, subject, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![grant, wanted.client, wanted.user, now, expires],
    )?;
    let claims = AccessClaims {
        aud: format!("{}/fhir/r4", wanted.issuer),
        iss: wanted.issuer,
        sub: wanted.user.unwrap_or_else(|| wanted.client.clone()),
        client_id: wanted.client,
        jti: token_of(&random, "access"),
        scope: wanted.scope,
        sid: Some(grant),
        patient: wanted.patient,
        fhir_user: None,
    };
    keys.sign(claims, now, expires).map_err(Failure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_playground_s_clients_are_as_registrations_must_be_and_its_private_keys_fit() {
        let published: Value = serde_json::from_str(SANDBOX).unwrap();
        let all = playground("https://here.test/").unwrap();
        for client in &all.clients {
            assert_eq!(client.check(), Ok(()), "{}", client.client_id);
            assert!(client.sandbox && client.secret.as_deref().is_none_or(is_of_playground), "{}", client.client_id);
            let Some(jwks) = &client.jwks else { continue };
            let private = &published["private_jwks"][&client.client_id];
            for (public, private) in jwks["keys"].as_array().unwrap().iter().zip(private["keys"].as_array().unwrap()) {
                assert!(private["d"].is_string());
                for member in public.as_object().unwrap().keys() {
                    assert_eq!(public[member], private[member], "{}: {member}", client.client_id);
                }
            }
        }
        let demo = all.clients.iter().find(|client| client.client_id == "demo-app").unwrap();
        assert_eq!(demo.redirect_uris, ["https://here.test/", "https://here.test/callback.html"]);
    }
}
