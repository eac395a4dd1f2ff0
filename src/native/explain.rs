//! Prints the explanation of a search that [`api::explain()`] makes: the criteria, and the SQL statement.

use super::Failure;
use api::Explanation;
use fhir::{Id, Micros};
use search::IndexSet;
use smart::{Grant, ScopeSet};

/// Explains a search at the moment `now` for a token with these scopes.
///
/// # Errors
/// If a scope does not parse.
pub fn explain(
    search: &str,
    scope: &str,
    patient: Option<&str>,
    base: &str,
    now: Micros,
) -> Result<Explanation, Failure> {
    let scopes = ScopeSet::parse(scope).map_err(|error| Failure(format!("{:?}: {}", error.scope, error.reason)))?;
    let user = Some("user".to_owned());
    let grant =
        Grant { client: "explain".to_owned(), patient: patient.and_then(Id::parse), user, scopes, ..Grant::default() };
    Ok(api::explain(search, &grant, base, IndexSet::all(), now))
}
