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

/// Answers `/readyz`: the stores answer, or they do not. The text is for the log, and names each store that does not.
pub async fn ready<S: Store, L: AuthStore>(store: &S, auth_store: &L) -> (Reply<S::Body>, Option<String>) {
    let records = store.ready().await.err().map(|error| match error {
        StoreError::Unavailable(detail) | StoreError::GrantStatus(detail) => format!("records: {detail}"),
        StoreError::Revoked | StoreError::TooCostly | StoreError::NotIndexed(_) => "records: no answer".to_owned(),
    });
    let authorization = auth_store.ready().await.err();
    let authorization = authorization.map(|AuthStoreError(detail)| format!("authorization: {detail}"));
    let faults: Vec<_> = records.into_iter().chain(authorization).collect();
    let (status, word) = if faults.is_empty() { (200, "pass") } else { (503, "fail") };
    let detail = (!faults.is_empty()).then(|| faults.join("; "));
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
