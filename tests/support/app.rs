//! The context of calls to a store through the router, and the tokens of these calls.

use api::{AppContext, Readiness, Settings, TokenCache};
use auth_store::SqlAuthStore;
use native::SqliteDatabase;
use oauth::{AccessClaims, Documents, SigningKeys};
use store::Store;

use super::{BASE, GRANT, ORIGIN, Platform, auth_store};

pub use oauth::EXAMPLE_KEY as KEY;

/// The context of calls, which lasts as long as the tests.
pub type App<S> = AppContext<'static, S, SqlAuthStore<SqliteDatabase>, Platform>;

/// Leaks a value, so that it lasts as long as the tests.
pub fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// Returns the context of calls to a store, without jobs, exports and summaries.
pub fn app_over<S: Store>(store: S, settings: Settings) -> App<S> {
    AppContext {
        settings: kept(settings),
        keys: kept(SigningKeys::new(KEY, &[]).unwrap()),
        tokens: kept(TokenCache::default()),
        store,
        auth_store: auth_store(),
        crypto: &Platform,
        documents: kept(Documents::default()),
        readiness: kept(Readiness::default()),
        ingest: None,
        export: None,
        reading: None,
        assets: None,
    }
}

/// Returns the claims of a token of a client with these scopes, under an active authorization.
pub fn claims(client: &str, scopes: &str) -> AccessClaims {
    AccessClaims {
        iss: ORIGIN.into(),
        aud: BASE.into(),
        sub: client.into(),
        client_id: client.into(),
        jti: "token".into(),
        scope: scopes.into(),
        grant_id: Some(GRANT.into()),
        patient: None,
        encounter: None,
        fhir_user: None,
        groups: None,
        purpose: None,
    }
}

/// Returns the Authorization header with a token of these claims at this second.
pub fn bearer<S>(app: &App<S>, claims: AccessClaims, seconds: i64) -> String {
    format!("Bearer {}", app.keys.sign(claims, seconds, seconds + 60).unwrap())
}
