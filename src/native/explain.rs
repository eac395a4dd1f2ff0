//! What a search becomes on D1: for benchmarks, and for the curious.

use super::Failure;
use crate::api::parsed;
use crate::fhir::{Id, Issue};
use crate::smart::{Grant, Prefer, ScopeSet};
use crate::store::Statement;
use crate::store::sql::lower;

/// The statements of a search that is asked with these scopes, behind the check that the grant stands.
///
/// # Errors
/// Where it is no search, or the scopes do not permit it.
pub fn explain(search: &str, scope: &str, patient: Option<&str>, base: &str) -> Result<Vec<Statement>, Failure> {
    let said = |issues: Vec<Issue>| Failure(issues.into_iter().map(|issue| issue.text).collect::<Vec<_>>().join(" "));
    let query = parsed(search, base).map_err(said)?;
    let scopes = ScopeSet::parse(scope).map_err(|error| Failure(format!("{:?}: {}", error.scope, error.reason)))?;
    let patient = patient.and_then(Id::parse);
    let grant = Grant { id: None, client: "explain".into(), patient, user: Some("user".into()), scopes };
    let permitted = grant.narrow(query, Prefer::Unsaid).map_err(|denied| Failure(format!("{denied:?}")))?;
    let lowered = lower(&permitted, base, None);
    Ok(lowered.page.into_iter().chain(lowered.count).chain(lowered.includes).collect())
}
