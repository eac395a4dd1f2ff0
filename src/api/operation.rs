//! The addresses for operators: liveness, readiness and version.

use serde_json::json;

use super::reply::{HeaderPolicy, Reply};
use super::settings::Settings;
use crate::oauth::{AuthStore, AuthStoreError};
use crate::store::{Store, StoreError, format};

/// Answers `/healthz`: the server runs. No store is asked.
pub fn health() -> String {
    json!({"status": "pass"}).to_string()
}

/// Answers `/readyz`: the stores answer, or they do not. The text is for the log.
pub async fn ready<S: Store, L: AuthStore>(store: &S, auth_store: &L) -> (Reply<S::Body>, Option<String>) {
    let (status, word, detail) = match (store.ready().await, auth_store.ready().await) {
        (Ok(()), Ok(())) => (200, "pass", None),
        (Err(StoreError::Unavailable(detail) | StoreError::GrantStatus(detail)), _)
        | (_, Err(AuthStoreError(detail))) => (503, "fail", Some(detail)),
        (Err(StoreError::Revoked | StoreError::TooCostly), Ok(())) => (503, "fail", None),
    };
    let body = json!({"status": word, "checks": {"storage": [{"status": word}]}});
    (Reply::text(status, HeaderPolicy::Health, body.to_string()), detail)
}

/// Answers `/version`.
pub fn version(settings: &Settings) -> String {
    let body = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "fhirVersion": "4.0.1",
        "format": format(),
        "environment": settings.environment.name(),
    });
    body.to_string()
}
