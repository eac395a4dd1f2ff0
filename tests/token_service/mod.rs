//! The token service over a real SQLite database: client authentication, guesses, and introspection.

mod client_auth;
mod guesses;
mod introspect;

use auth_store::SqlAuthStore;
use native::{Registrations, SqliteDatabase, register, tables};
use oauth::testing::{IDENTITY, Native, keys};
use oauth::{Documents, Pepper, SigningKeys, TokenService};
use serde_json::Value;

/// The authorization server over a real SQLite database.
#[derive(Debug)]
pub struct Server {
    /// The auth store.
    pub auth_store: SqlAuthStore<SqliteDatabase>,
    /// The platform.
    pub platform: Native,
    documents: Documents,
    keys: SigningKeys,
}

impl Server {
    /// The name of the issuer.
    pub const ISSUER: &str = "https://here";
    /// The time of the tests, in seconds since 1970.
    pub const NOW: i64 = 1_800_000_000;

    /// Makes a server with these registrations.
    #[must_use]
    pub fn with(clients: &Value) -> Self {
        let mut connection = tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap();
        let clients = serde_json::from_value(clients.clone()).unwrap();
        let pepper = || Ok(Pepper::new(b"test"));
        register(&mut connection, Registrations { clients, users: Vec::new() }, &pepper).unwrap();
        Self {
            auth_store: SqlAuthStore::new(SqliteDatabase::new(connection)),
            platform: Native::default(),
            documents: Documents::default(),
            keys: keys().with_identity(&[IDENTITY]).unwrap(),
        }
    }

    /// Returns the token service, `later` seconds after [`Self::NOW`].
    pub fn at<'a>(
        &'a self,
        later: i64,
        random: &'a [u8; 32],
    ) -> TokenService<'a, SqlAuthStore<SqliteDatabase>, Native> {
        TokenService {
            auth_store: &self.auth_store,
            crypto: &self.platform,
            documents: &self.documents,
            keys: &self.keys,
            issuer: Self::ISSUER,
            audience: "https://here/fhir/r4",
            agents: None,
            style_path: "/style.json",
            refresh_days: 90,
            now: Self::NOW + later,
            random,
        }
    }
}
