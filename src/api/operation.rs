//! The addresses for operators: liveness, readiness and version.

use futures_util::future::join3;
use serde_json::{Map, json};

use super::app_context::AppContext;
use super::configuration::settings::Settings;
use super::http::reply::{HeaderPolicy, Reply};
use super::http::routes::Handler;
use super::http::target::RequestTarget;
use fhir::Micros;
use job::JobError;
use oauth::{AuthStore, AuthStoreError};
use store::{Dependency, Store, format};

/// Answers `/healthz`: the server is running. No store is queried.
pub fn health() -> String {
    json!({"status": "pass"}).to_string()
}

/// Answers `/readyz`: the dependencies that can be used. The text is for the log, with the reasons why others cannot.
pub async fn ready<S: Store, L: AuthStore, C>(
    app: &AppContext<'_, S, L, C>,
    now: Micros,
) -> (Reply<S::Body>, Option<String>) {
    if let Some(known) = app.readiness.known(now) {
        return readiness(&known);
    }
    let AppContext { store, auth_store, ingest, .. } = app;
    let authorization = async { auth_store.ready().await.map_err(|AuthStoreError(detail)| detail) };
    let files = async {
        match ingest {
            Some(jobs) => Some(jobs.ready().await.map_err(|JobError(detail)| detail)),
            None => None,
        }
    };
    let (mut all, authorization, files) = join3(store.dependencies(), authorization, files).await;
    all.push(Dependency::of("authorization", authorization));
    all.extend(files.map(|files| Dependency::of("files", files)));
    // Without a valid configuration, no call gets here (`unconfigured`).
    all.push(Dependency::of("configuration", Ok(())));
    app.readiness.put(now, &all);
    readiness(&all)
}

/// Returns the answer if the configuration is invalid. Only `/readyz` has one.
pub fn unconfigured<B>(target: &RequestTarget<'_>) -> Option<Reply<B>> {
    let unconfigured = || readiness(&[Dependency::of("configuration", Err(String::new()))]).0;
    target.route.is_some_and(|route| route.handler == Handler::Ready).then(unconfigured)
}

/// Returns the state of these dependencies, in the form of `application/health+json`
/// (<https://datatracker.ietf.org/doc/html/draft-inadarei-api-health-check-06>). The text is for the log.
fn readiness<B>(all: &[Dependency]) -> (Reply<B>, Option<String>) {
    let word = |is_ready: bool| if is_ready { "pass" } else { "fail" };
    let checks: Map<_, _> =
        all.iter().map(|one| (one.name.to_string(), json!([{"status": word(one.fault.is_none())}]))).collect();
    let faults = all.iter().filter_map(|one| one.fault.as_ref().map(|fault| format!("{}: {fault}", one.name)));
    let faults: Vec<_> = faults.collect();
    let body = json!({"status": word(faults.is_empty()), "checks": checks});
    let status = if faults.is_empty() { 200 } else { 503 };
    let detail = (!faults.is_empty()).then(|| faults.join("; "));
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

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::splice;

    #[test]
    fn each_dependency_fails_by_itself_and_only_the_log_says_why() {
        let names = ["records", "shard-1", "charts", "authorization", "files"];
        let all = |away: &str| {
            let checked = |name| if name == away { Err("no such host".to_owned()) } else { Ok(()) };
            names.map(|name| Dependency::of(name, checked(name)))
        };
        let (reply, detail) = readiness::<String>(&all(""));
        assert_eq!((reply.status, detail), (200, None));
        for away in names {
            let (reply, detail) = readiness::<String>(&all(away));
            let body: serde_json::Value = serde_json::from_str(&splice(reply.body)).unwrap();
            assert_eq!((reply.status, &body["status"]), (503, &json!("fail")));
            assert_eq!(detail, Some(format!("{away}: no such host")));
            for name in names {
                let expected = if name == away { "fail" } else { "pass" };
                assert_eq!(body["checks"][name], json!([{"status": expected}]), "{away} {name}");
            }
        }
        assert_eq!(unconfigured::<String>(&RequestTarget::of("/readyz")).map(|reply| reply.status), Some(503));
        assert!(unconfigured::<String>(&RequestTarget::of("/version")).is_none());
    }
}
