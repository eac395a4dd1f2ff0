//! Registration of clients and users, changes of access lists, and sandbox tokens, for the command line.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;

use super::Failure;
use super::statements::run;
use auth_store::{
    AccessChange, Identity, ListedPatients, MAX_PATIENTS, UserRow, change_access, register_client, register_user,
};
use database::Statement;
use fhir::Id;
use oauth::{
    AccessClaims, Client, IdentityProvider, MAX_SUBJECT_LENGTH, PURPOSES, Pepper, SHORTEST_SECRET, SigningKeys,
    is_sandbox_secret, password, token_of,
};

/// Returns the published clients and users of the sandbox, as `/sandbox.json` of a server at this origin lists them.
///
/// # Errors
/// If the document is not well formed.
pub fn sandbox_registrations(origin: &str) -> serde_json::Result<Registrations> {
    serde_json::from_str(&api::sandbox_registrations(origin)).map(|mut all: Registrations| {
        all.clients.iter_mut().for_each(|client| client.sandbox = true);
        all.users.iter_mut().for_each(|user| user.sandbox = true);
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
    pub users: Vec<UserRegistration>,
}

#[derive(Debug, Deserialize)]
pub struct UserRegistration {
    /// The user name. It is also the subject of tokens.
    pub username: String,
    /// The password. Without one the user cannot sign in.
    pub password: Option<String>,
    /// The user's own resource, as `Type/id`.
    #[serde(rename = "fhirUser")]
    pub fhir_user: Option<String>,
    /// True if the user may not sign in.
    #[serde(default)]
    pub disabled: bool,
    /// The patients whom the user may see.
    pub patients: RegisteredPatients,
    /// The accounts of the user at identity providers.
    #[serde(default)]
    pub identities: Vec<Identity>,
    /// True if the user belongs to the sandbox. Production servers refuse such users.
    #[serde(skip)]
    pub sandbox: bool,
}

/// The patients whom a user may see.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum RegisteredPatients {
    /// The word `"all"`: every patient.
    All(String),
    /// The ids of the patients.
    These(Vec<String>),
}

impl Default for RegisteredPatients {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl RegisteredPatients {
    /// Checks the ids, and returns the patients.
    fn listed(self, user: &str) -> Result<ListedPatients, Failure> {
        match self {
            Self::All(all) if all == "all" => Ok(ListedPatients::All),
            Self::All(other) => Err(Failure(format!("the user {user:?}: {other:?} is neither a list nor \"all\""))),
            Self::These(ids) => match ids.iter().find(|id| Id::parse(id).is_none()) {
                Some(wrong) => Err(Failure(format!("the user {user:?}: {wrong:?} is not the id of a patient"))),
                None => Ok(ListedPatients::These(ids)),
            },
        }
    }
}

/// Returns 32 random bytes from the operating system.
///
/// # Errors
/// If the operating system does not supply them.
pub fn random() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Failure::doing("asking for random bytes"))?;
    Ok(bytes)
}

fn check(client: &Client) -> Result<(), String> {
    if client.secret.as_deref().is_some_and(is_sandbox_secret) {
        return Err("secret: what begins with \"sandbox-\" is published".to_owned());
    }
    client.check().map_err(|error| error.to_string())
}

fn check_identity(Identity { issuer, subject }: &Identity) -> Result<(), String> {
    IdentityProvider::check_issuer(issuer)?;
    if subject.is_empty() || subject.len() > MAX_SUBJECT_LENGTH {
        return Err(format!("the subject {subject:?} is empty, or longer than {MAX_SUBJECT_LENGTH} bytes"));
    }
    Ok(())
}

/// Returns the stored form of a user's password: peppered, salted and stretched. The salt is derived from the pepper
/// and the name. The same password therefore has the same stored form, which a statement can compare.
fn kept_password(pepper: &Pepper, name: &str, password: &str) -> String {
    let salt: Vec<u8> = pepper.mix("salt", name).into_iter().take(16).collect();
    let stretched = stretch(&password::peppered(pepper, password), &salt, password::ROUNDS);
    password::stored_form(password::ROUNDS, &salt, &stretched)
}

/// Derives a key by PBKDF2-HMAC-SHA256, as the Worker's Web Crypto does.
pub fn stretch(password: &[u8], salt: &[u8], rounds: u32) -> [u8; 32] {
    pbkdf2::pbkdf2_hmac_array::<sha2::Sha256, 32>(password, salt, rounds)
}

/// Returns the statements that register clients and users. They revoke the authorizations of clients and users who are
/// disabled or get another secret or password, and those for patients who are removed from a user's access list.
/// Registering the same secret or password again revokes nothing. Passwords need the server's pepper.
///
/// # Errors
/// If a registration is invalid.
pub fn registration_statements(
    registrations: Registrations,
    pepper: &dyn Fn() -> Result<Pepper, Failure>,
) -> Result<Vec<Statement>, Failure> {
    let mut statements = Vec::new();
    let mut known = BTreeSet::new();
    for client in registrations.clients {
        let id = client.client_id.clone();
        // The sandbox's own clients are not checked, since only their addresses vary.
        if !client.sandbox {
            check(&client).map_err(|reason| Failure(format!("the client {id:?}: {reason}")))?;
        }
        let stored = client.stored().map_err(|error| Failure(format!("the client {id:?}: {}", error.reason)))?;
        statements.extend(register_client(&stored).map_err(Failure::doing("writing a registration"))?);
        if !known.insert(id.clone()) {
            return Err(Failure(format!("the client {id:?} is there twice")));
        }
    }
    known.clear();
    let mut identities = BTreeSet::new();
    for user in registrations.users {
        if !known.insert(user.username.clone()) {
            return Err(Failure(format!("the user {:?} is there twice", user.username)));
        }
        for identity in &user.identities {
            check_identity(identity).map_err(|reason| Failure(format!("the user {:?}: {reason}", user.username)))?;
            if !identities.insert(identity.clone()) {
                return Err(Failure(format!("the identity {:?} is there twice", identity.subject)));
            }
        }
        statements.extend(register_user(&user_row(user, pepper)?));
    }
    Ok(statements)
}

/// Registers clients and users in a database ([`registration_statements`]), and returns how many.
///
/// # Errors
/// If a registration is invalid, or the database does not accept it.
pub fn register(
    connection: &mut Connection,
    registrations: Registrations,
    pepper: &dyn Fn() -> Result<Pepper, Failure>,
) -> Result<usize, Failure> {
    let count = registrations.clients.len() + registrations.users.len();
    run(connection, &registration_statements(registrations, pepper)?)?;
    Ok(count)
}

fn user_row(user: UserRegistration, pepper: &dyn Fn() -> Result<Pepper, Failure>) -> Result<UserRow, Failure> {
    let name = user.username;
    let sent = user.password.as_deref().filter(|sent| !sent.is_empty());
    if sent.is_some_and(|sent| sent.chars().count() < SHORTEST_SECRET) {
        return Err(Failure(format!("the user {name:?}: the password is shorter than {SHORTEST_SECRET} characters")));
    }
    Ok(UserRow {
        password: match sent {
            Some(sent) => Some(kept_password(&pepper()?, &name, sent)),
            None => None,
        },
        fhir_user: user.fhir_user,
        disabled: user.disabled,
        sandbox: user.sandbox,
        patients: user.patients.listed(&name)?,
        identities: user.identities,
        name,
    })
}

/// A change of a user's access list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessListChange {
    /// The user name.
    pub username: String,
    /// The patients to remove from the list, before others are added.
    #[serde(default)]
    pub remove: RegisteredPatients,
    /// The patients to add to the list.
    #[serde(default)]
    pub add: RegisteredPatients,
}

/// Returns the statements that change the access lists of users. They fail if a user is not registered, or if single
/// patients are removed from a list of all patients.
///
/// # Errors
/// If a change is invalid.
pub fn access_statements(changes: Vec<AccessListChange>) -> Result<Vec<Statement>, Failure> {
    let mut statements = Vec::new();
    for AccessListChange { username: name, remove, add } in changes {
        let (remove, add) = (remove.listed(&name)?, add.listed(&name)?);
        if let (ListedPatients::These(removed), ListedPatients::These(added)) = (&remove, &add)
            && let Some(both) = removed.iter().find(|id| added.contains(id))
        {
            return Err(Failure(format!("the user {name:?}: {both:?} is to be removed and to be added")));
        }
        statements.extend(change_access(&AccessChange { name, remove, add }));
    }
    Ok(statements)
}

/// A change of the list of patients who have opted out of a purpose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptOutChange {
    /// The purpose: one of [`PURPOSES`].
    pub purpose: String,
    /// The ids of the patients to remove from the list.
    #[serde(default)]
    pub remove: Vec<String>,
    /// The ids of the patients to add to the list.
    #[serde(default)]
    pub add: Vec<String>,
}

/// Returns the statements that change the lists of patients who have opted out.
///
/// # Errors
/// If a purpose is unknown, a patient is not an id, or a patient is to be removed and to be added.
pub fn opt_out_statements(changes: Vec<OptOutChange>) -> Result<Vec<Statement>, Failure> {
    const REMOVE: &str = "DELETE FROM opt_out WHERE purpose = ?1 AND patient IN (SELECT value FROM json_each(?2))";
    const ADD: &str = "INSERT OR IGNORE INTO opt_out (purpose, patient) SELECT ?1, value FROM json_each(?2)";
    let mut statements = Vec::new();
    for OptOutChange { purpose, remove, add } in changes {
        if !PURPOSES.contains(&purpose.as_str()) {
            return Err(Failure(format!("{purpose:?} is none of {}", PURPOSES.join(", "))));
        }
        if let Some(both) = remove.iter().find(|id| add.contains(id)) {
            return Err(Failure(format!("{purpose}: {both:?} is to be removed and to be added")));
        }
        for (text, patients) in [(REMOVE, remove), (ADD, add)] {
            if let Some(wrong) = patients.iter().find(|id| Id::parse(id).is_none()) {
                return Err(Failure(format!("{purpose}: {wrong:?} is not the id of a patient")));
            }
            let rows = patients.chunks(MAX_PATIENTS).map(|some| serde_json::json!(some).to_string());
            statements.extend(rows.map(|rows| Statement { text: text.to_owned(), binds: vec![purpose.clone(), rows] }));
        }
    }
    Ok(statements)
}

/// The contents of a sandbox token, for trying the API.
#[derive(Debug, Clone)]
pub struct SandboxToken {
    /// The issuer.
    pub issuer: String,
    /// The client that holds the token.
    pub client: String,
    /// The user, if the token is for one.
    pub user: Option<String>,
    /// The resource of the user, such as `Practitioner/x`.
    pub fhir_user: Option<String>,
    /// The patient in context.
    pub patient: Option<String>,
    /// The scopes.
    pub scope: String,
    /// True for a token of `/mcp`, instead of the FHIR base.
    pub mcp: bool,
    /// The lifetime, in seconds.
    pub life: i64,
}

/// Signs a token for trying the API with the key of a sandbox, and stores the authorization that the token is based on.
///
/// # Errors
/// If there is no signing key, or the database does not accept the authorization.
pub fn token(connection: &Connection, keys: &SigningKeys, wanted: SandboxToken, now: i64) -> Result<String, Failure> {
    let random = random()?;
    let grant = token_of(&random, "grant");
    let expires = now + wanted.life;
    connection.execute(
        "INSERT INTO grants (id, client, subject, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![grant, wanted.client, wanted.user, now, expires],
    )?;
    let registered = "SELECT registration FROM clients WHERE id = ?1";
    let registered: Option<String> = connection.query_row(registered, [&wanted.client], |row| row.get(0)).optional()?;
    let client = registered.map(|text| Client::read(&text)).transpose().map_err(Failure::doing("the registration"))?;
    let (groups, purpose) = client.map_or((None, None), |client| (client.groups, client.purpose));
    let base = format!("{}/fhir/r4", wanted.issuer);
    let claims = AccessClaims {
        fhir_user: wanted.fhir_user.map(|resource| format!("{base}/{resource}")),
        aud: if wanted.mcp { format!("{}/mcp", wanted.issuer) } else { base },
        iss: wanted.issuer,
        sub: wanted.user.unwrap_or_else(|| wanted.client.clone()),
        client_id: wanted.client,
        jti: token_of(&random, "access"),
        scope: wanted.scope,
        grant_id: Some(grant),
        patient: wanted.patient,
        encounter: None,
        groups,
        purpose,
    };
    keys.sign(claims, now, expires).map_err(Failure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn clients_of_the_sandbox_are_valid_and_their_private_keys_fit() {
        let published: Value = serde_json::from_str(&api::sandbox_registrations("")).unwrap();
        let all = sandbox_registrations("https://here.test/").unwrap();
        for client in &all.clients {
            assert_eq!(client.check(), Ok(()), "{}", client.client_id);
            assert!(client.sandbox && client.secret.as_deref().is_none_or(is_sandbox_secret), "{}", client.client_id);
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

    fn people(text: &str) -> Registrations {
        Registrations { clients: Vec::new(), users: serde_json::from_str(text).unwrap() }
    }

    #[test]
    fn jw24_users_of_the_sandbox_do_not_exist_in_production() {
        use crate::{SqliteDatabase, tables};
        use auth_store::SqlAuthStore;
        use oauth::{AuthStore, Session};
        use sqlite::now;
        let mut connection = tables(Connection::open_in_memory().unwrap()).unwrap();
        let pepper = || Ok(Pepper::new(b"a pepper of production"));
        register(&mut connection, sandbox_registrations("https://here.test").unwrap(), &pepper).unwrap();
        register(&mut connection, people(r#"[{"username": "own", "patients": []}]"#), &pepper).unwrap();
        let auth_store = SqlAuthStore::new(SqliteDatabase::new(connection));
        for user in ["samuel", "own"] {
            let session = Session { id: user.to_owned(), user: user.to_owned(), since: 0, was_prompted: true };
            now(auth_store.open_session(&session, None, None)).unwrap();
            assert!(
                now(auth_store.user(user)).unwrap().is_some() && now(auth_store.session(user, 1)).unwrap().is_some()
            );
        }
        let auth_store = auth_store.in_production();
        assert!(
            now(auth_store.user("samuel")).unwrap().is_none()
                && now(auth_store.session("samuel", 1)).unwrap().is_none()
        );
        assert!(now(auth_store.resume(Some("samuel"), "i", 1)).unwrap().0.is_none());
        assert!(now(auth_store.user("own")).unwrap().is_some() && now(auth_store.session("own", 1)).unwrap().is_some());
        assert!(now(auth_store.client("backend-basic")).unwrap().is_none());
    }

    #[test]
    fn a_new_password_or_secret_ends_authorizations_and_the_same_one_does_not() {
        let mut connection = crate::tables(Connection::open_in_memory().unwrap()).unwrap();
        let all = |password: &str, secret: &str| -> Registrations {
            let user = |name: &str, password: &str| {
                format!(r#"{{"username": "{name}", "password": "{password}", "patients": "all"}}"#)
            };
            let app = |id: &str, secret: &str| {
                format!(
                    r#"{{"client_id": "{id}", "kind": "backend", "scopes": "system/*.read", "secret": "{secret}"}}"#
                )
            };
            let users = format!("[{}, {}]", user("dr", password), user("other", ""));
            let clients = format!("[{}, {}]", app("app", secret), app("own", "the-same-secret-as-ever"));
            Registrations {
                users: serde_json::from_str(&users).unwrap(),
                clients: serde_json::from_str(&clients).unwrap(),
            }
        };
        let mut left = |pepper: &[u8], password: &str, secret: &str| {
            register(&mut connection, all(password, secret), &|| Ok(Pepper::new(pepper))).unwrap();
            let text = "SELECT group_concat(id, '') FROM (SELECT id FROM grants WHERE revoked_at IS NULL UNION ALL \
                        SELECT id FROM sessions UNION ALL SELECT id FROM pending_authorizations UNION ALL SELECT id FROM launches)";
            let left: Option<String> = connection.query_row(text, [], |row| row.get(0)).unwrap();
            connection
                .execute_batch(
                    "DELETE FROM grants; DELETE FROM sessions; DELETE FROM pending_authorizations; DELETE FROM launches;
                     INSERT INTO grants (id, client, subject, created_at, expires_at) VALUES
                       ('a', 'x', 'dr', 0, 9), ('b', 'app', NULL, 0, 9), ('c', 'x', 'other', 0, 9), ('d', 'own', NULL, 0, 9);
                     INSERT INTO sessions (id, user, since, expires_at) VALUES ('e', 'dr', 0, 9), ('f', 'other', 0, 9);
                     INSERT INTO pending_authorizations (id, visit, request, user, expires_at) VALUES
                       ('g', 'v', '{\"client_id\":\"x\"}', 'dr', 9), ('h', 'v', '{\"client_id\":\"app\"}', NULL, 9),
                       ('i', 'v', '{\"client_id\":\"own\"}', 'other', 9);
                     INSERT INTO launches (id, client, user, expires_at) VALUES ('j', 'app', 'x', 9), ('k', 'own', 'x', 9);",
                )
                .unwrap();
            left.unwrap_or_default()
        };
        left(b"p", "a long password", "a-secret-of-some-length");
        assert_eq!(left(b"p", "a long password", "a-secret-of-some-length"), "abcdefghijk");
        assert_eq!(left(b"p", "another password", "a-secret-of-some-length"), "bcdfhijk");
        assert_eq!(left(b"p", "another password", "another-secret-of-a-length"), "acdefgik");
        assert_eq!(left(b"p", "another password", "another-secret-of-a-length"), "abcdefghijk");
        assert_eq!(left(b"p", "", "another-secret-of-a-length"), "bcdfhijk", "without a password nobody signs in");
        assert_eq!(left(b"p", "", "another-secret-of-a-length"), "abcdefghijk");
        assert_eq!(left(b"p", "a third password", "another-secret-of-a-length"), "bcdfhijk");
        // With another pepper no stored password matches.
        assert_eq!(left(b"q", "a third password", "another-secret-of-a-length"), "bcdfhijk");
    }

    #[test]
    fn ex10_other_groups_or_another_purpose_end_authorizations_and_exports_of_a_client_and_the_same_ones_do_not() {
        let mut connection = crate::tables(Connection::open_in_memory().unwrap()).unwrap();
        let mut left = |limits: &str| -> [i64; 2] {
            let fixed = r#""client_id": "app", "kind": "backend", "scopes": "system/*.rs", "secret": "a-secret-of-12""#;
            let app = format!("[{{{fixed}{limits}}}]");
            let all = Registrations { clients: serde_json::from_str(&app).unwrap(), users: Vec::new() };
            register(&mut connection, all, &|| Ok(Pepper::new(b"p"))).unwrap();
            let count = |text| connection.query_row(text, [], |row| row.get(0)).unwrap();
            let left = [
                "SELECT count(*) FROM grants WHERE revoked_at IS NULL",
                "SELECT count(*) FROM job WHERE client IS NOT NULL",
            ]
            .map(count);
            let insert = "DELETE FROM grants; DELETE FROM job;
                INSERT INTO grants (id, client, created_at, expires_at) VALUES ('a', 'app', 0, 9);
                INSERT INTO job (id, kind, parameters, client, bytes, created_at, touched_at) VALUES
                  ('e', 'export', '{}', 'app', 0, 0, 0), ('i', 'ingest', '{}', 'app', 0, 0, 0);";
            connection.execute_batch(insert).unwrap();
            left
        };
        let [none, one, two] = ["", r#", "groups": []"#, r#", "groups": ["g"]"#];
        left(none);
        assert_eq!([none, one, one, two, two, none].map(&mut left), [[1, 2], [0, 1], [1, 2], [0, 1], [1, 2], [0, 1]]);
        let purpose = r#", "purpose": "payer-to-payer""#;
        assert_eq!([purpose, purpose, none].map(left), [[0, 1], [1, 2], [0, 1]]);
    }

    #[test]
    fn another_resource_of_a_user_ends_authorizations_and_the_same_one_does_not() {
        let mut connection = crate::tables(Connection::open_in_memory().unwrap()).unwrap();
        let mut left = |resource: &str| -> i64 {
            let text = format!(r#"[{{"username": "dr", "patients": [], "fhirUser": "{resource}"}}]"#);
            register(&mut connection, people(&text), &|| Ok(Pepper::new(b""))).unwrap();
            let text = "SELECT count(*) FROM grants WHERE revoked_at IS NULL";
            let left = connection.query_row(text, [], |row| row.get(0)).unwrap();
            let insert = "INSERT OR REPLACE INTO grants (id, client, subject, created_at, expires_at) \
                          VALUES ('a', 'x', 'dr', 0, 9)";
            connection.execute(insert, []).unwrap();
            left
        };
        left("Practitioner/a");
        assert_eq!(["Practitioner/a", "Practitioner/b", "Practitioner/b"].map(&mut left), [1, 0, 1]);
    }

    #[test]
    fn an_identity_that_is_removed_ends_what_the_user_has() {
        let mut connection = crate::tables(Connection::open_in_memory().unwrap()).unwrap();
        let identity = |subject: &str| format!(r#"{{"issuer": "https://idp.example", "subject": "{subject}"}}"#);
        let user = |name: &str, all: &[String]| {
            format!(r#"{{"username": "{name}", "patients": [], "identities": [{}]}}"#, all.join(","))
        };
        let mut registered = |users: &[String]| -> Result<i64, Failure> {
            let text = format!("[{}]", users.join(","));
            register(&mut connection, people(&text), &|| Ok(Pepper::new(b"")))?;
            let left = connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))?;
            connection
                .execute("INSERT OR IGNORE INTO sessions (id, user, since, expires_at) VALUES ('s', 'dr', 0, 9)", [])?;
            Ok(left)
        };
        let (one, two) = (identity("1"), identity("2"));
        registered(&[user("dr", std::slice::from_ref(&one))]).unwrap();
        assert_eq!(registered(&[user("dr", std::slice::from_ref(&one))]).unwrap(), 1);
        assert_eq!(registered(&[user("dr", &[one.clone(), two.clone()])]).unwrap(), 1, "another one ends nothing");
        let refused = registered(&[user("pa", std::slice::from_ref(&one))]).unwrap_err();
        assert!(refused.0.contains("registered to another user"), "{}", refused.0);
        assert_eq!(registered(&[user("dr", std::slice::from_ref(&two))]).unwrap(), 0);
        assert!(registered(&[user("pa", std::slice::from_ref(&one))]).is_ok());
        assert!(registered(&[user("pa", std::slice::from_ref(&one)), user("dr", std::slice::from_ref(&one))]).is_err());
        for odd in
            [identity(""), identity(&"x".repeat(256)), one.replace("https", "ftp"), one.replace("subject", "email")]
        {
            let text = format!("[{}]", user("pa", &[odd]));
            let parsed = serde_json::from_str(&text);
            assert!(
                parsed.is_err()
                    || registration_statements(Registrations { clients: Vec::new(), users: parsed.unwrap() }, &|| Ok(
                        Pepper::new(b"")
                    ))
                    .is_err()
            );
        }
    }

    #[test]
    fn a_password_is_empty_or_has_twelve_characters() {
        let mut connection = crate::tables(Connection::open_in_memory().unwrap()).unwrap();
        let mut registered = |password: &str| {
            let text = format!(r#"[{{"username": "dr", "password": "{password}", "patients": []}}]"#);
            register(&mut connection, people(&text), &|| Ok(Pepper::new(b""))).is_ok()
        };
        assert!(registered("twelve chars") && registered("zwölf Zeiche") && registered(""));
        assert!(!registered("eleven char") && !registered("x"));
        let all = sandbox_registrations("https://here.test").unwrap();
        assert!(all.users.iter().all(|user| user.password.as_deref().is_some_and(|text| text.len() >= 12)));
    }

    #[test]
    fn rf15_an_authorization_ends_with_the_access_to_its_patient() {
        let mut connection = crate::tables(Connection::open_in_memory().unwrap()).unwrap();
        let pepper = || Ok(Pepper::new(b""));
        let insert = "INSERT INTO grants (id, client, subject, patient, created_at, expires_at) VALUES \
                      ('a', 'app', 'dr', 'a', 0, 9), ('b', 'app', 'dr', 'b', 0, 9), ('c', 'app', 'dr', NULL, 0, 9), \
                      ('d', 'app', 'other', 'b', 0, 9)";
        connection.execute(insert, []).unwrap();
        let mut left = |patients: &str| {
            let text = format!(r#"[{{"username": "dr", "patients": {patients}}}]"#);
            register(&mut connection, people(&text), &pepper).unwrap();
            let mut all = connection.prepare("SELECT id FROM grants WHERE revoked_at IS NULL ORDER BY id").unwrap();
            all.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap).collect::<Vec<_>>().concat()
        };
        assert_eq!(left("\"all\""), "abcd");
        assert_eq!(left("[\"a\", \"b\"]"), "abcd");
        assert_eq!(left("[\"a\"]"), "acd");
    }
}
