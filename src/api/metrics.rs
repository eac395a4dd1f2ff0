//! `/metrics`: the counts of this isolate, and the backlog of the deployment. Only holders of the scope `metrics` get
//! them (docs/decisions/project.md#measurements).

use super::app_context::AppContext;
use super::bearer::ParsedRequest;
use super::call::Call;
use super::problem::Problem;
use super::reply::{HeaderPolicy, Reply};
use super::throttle::Throttle;
use job::JobError;
use oauth::{AuthStore, AuthStoreError, Crypto, Fetch};
use smart::METRICS;
use store::Store;

/// The media type of the format of Prometheus.
const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers `/metrics`. The text is for the log. A gauge that cannot be read is left out.
///
/// # Errors
/// If the token does not permit it.
pub async fn answer<S: Store, L: AuthStore, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
) -> Result<(Reply<S::Body>, Option<String>), Problem> {
    let authorized = ParsedRequest::of(call)?.authorize(app, call, None).await?;
    authorized.activate(&app.store, |scopes| scopes.has(METRICS), ("seeing metrics", METRICS)).await?;
    let (mut gauges, mut faults) = (Vec::new(), Vec::new());
    match app.auth_store.purge_lag(call.moment.seconds()).await {
        Ok(seconds) => {
            let help = "Age of the oldest expired row that has not been deleted.";
            gauges.push(("edgechart_purge_lag_seconds", help, seconds));
        }
        Err(AuthStoreError(detail)) => faults.push(detail),
    }
    if let Some(jobs) = app.ingest {
        match jobs.backlog().await {
            Ok(backlog) => {
                gauges.push(("edgechart_jobs_waiting", "Jobs that have not ended.", backlog.jobs));
                gauges.push(("edgechart_jobs_waiting_bytes", "Bytes of their files.", backlog.bytes));
            }
            Err(JobError(detail)) => faults.push(detail),
        }
    }
    let reply = Reply::text(200, HeaderPolicy::UncachedJson, app.metrics.text(&gauges));
    Ok((reply.with("Content-Type", MEDIA_TYPE), (!faults.is_empty()).then(|| faults.join("; "))))
}
