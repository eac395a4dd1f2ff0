//! Stored resources, read back from the tables of `migrations/`.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::Value;

use super::Failure;
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::{Facts, SortKey, facts};
use crate::smart::{Owner, is_directory};
use crate::store::IndexedResource;
use crate::store::chart::Chart;

/// The number of the row of a stored resource.
///
/// # Errors
/// If the database does not answer.
pub fn row_of(database: &Connection, reference: &Reference) -> Result<Option<i64>, Failure> {
    let text = "SELECT rowid FROM resource WHERE type = ?1 AND id = ?2";
    let key = [reference.kind.name(), reference.id.as_str()];
    Ok(database.prepare_cached(text)?.query_row(key, |row| row.get(0)).optional()?)
}

/// The text of a stored resource.
///
/// # Errors
/// If the database does not answer.
pub fn body_of(database: &Connection, reference: &Reference) -> Result<Option<String>, Failure> {
    let text = "SELECT body FROM resource WHERE type = ?1 AND id = ?2";
    let key = [reference.kind.name(), reference.id.as_str()];
    Ok(database.prepare_cached(text)?.query_row(key, |row| row.get(0)).optional()?)
}

/// A stored resource with its facts and owner. Its references were resolved when it was stored.
///
/// # Errors
/// If the database does not answer, or the row holds no resource.
pub fn stored_row(database: &Connection, row: i64) -> Result<IndexedResource, Failure> {
    let text = "SELECT type, id, patient, owners, sort, version, body FROM resource WHERE rowid = ?1";
    let stored = database.prepare_cached(text)?.query_row([row], |row| {
        let texts: [String; 6] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(4)?, row.get(5)?, row.get(6)?];
        Ok((texts, row.get::<_, Option<String>>(3)?))
    })?;
    let ([kind, id, patient, sort_key, version, body], owners) = stored;
    let unreadable = || Failure(format!("the stored {kind}/{id} is not one"));
    let (kind, id) = (ResourceType::parse(&kind).ok_or_else(unreadable)?, Id::parse(&id).ok_or_else(unreadable)?);
    Ok(IndexedResource {
        kind,
        owner: owner_in(kind, &patient, owners.as_deref()),
        sort_key: SortKey::from_text(sort_key),
        version,
        facts: facts_of(database, kind, &body)?,
        body,
        id,
    })
}

/// The facts of a stored resource by all parameters of this version. Chains lead to types that have rows.
fn facts_of(database: &Connection, kind: ResourceType, body: &str) -> Result<Facts, Failure> {
    let resource: Value = serde_json::from_str(body).map_err(Failure::doing("reading a stored resource"))?;
    let target = |reference: &Reference| serde_json::from_str(&body_of(database, reference).ok()??).ok();
    Ok(facts(kind, &resource, &target))
}

/// Indexes a stored resource again by all parameters of this version. Its text and its owner stay.
///
/// # Errors
/// If its text is no resource.
pub fn index_again(database: &Connection, resource: &mut IndexedResource) -> Result<(), Failure> {
    resource.facts = facts_of(database, resource.kind, &resource.body)?;
    Ok(())
}

/// The resources of a chart with all its pages. If it lacks a parameter, they are indexed again.
///
/// # Errors
/// If the chart is damaged.
pub fn resources_of(database: &Connection, chart: &Chart) -> Result<Vec<IndexedResource>, Failure> {
    let mut resources = chart.unpack().map_err(|error| Failure(error.0))?;
    if !chart.is_fully_indexed() {
        resources.iter_mut().try_for_each(|resource| index_again(database, resource))?;
    }
    Ok(resources)
}

/// The owner of a stored resource that has a row.
///
/// # Errors
/// If the database does not answer.
pub fn row_owner(database: &Connection, reference: &Reference) -> Result<Option<Owner>, Failure> {
    let text = "SELECT patient, owners FROM resource WHERE type = ?1 AND id = ?2";
    let key = [reference.kind.name(), reference.id.as_str()];
    let owner = |row: &Row<'_>| {
        let (patient, owners): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        Ok(owner_in(reference.kind, &patient, owners.as_deref()))
    };
    Ok(database.prepare_cached(text)?.query_row(key, owner).optional()?)
}

/// The owner in the columns `patient` and `owners`.
pub fn owner_in(kind: ResourceType, patient: &str, owners: Option<&str>) -> Owner {
    if is_directory(kind) {
        return Owner::Everyone;
    }
    let several: Vec<Value> = owners.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let patients: BTreeSet<_> =
        several.iter().filter_map(Value::as_str).chain([patient]).filter_map(Id::parse).collect();
    // An empty array precedes the patients of a resource whose owner is undetermined.
    if several.first().is_some_and(Value::is_array) { Owner::Undetermined(patients) } else { Owner::Patients(patients) }
}
