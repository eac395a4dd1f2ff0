//! Joins: chains and `_has`, for memory and charts alike.
//!
//! A join stays in the record of a patient: a resource and those that a reference connects it with are stored in the
//! compartment of the same patient. So a store that has read the charts of a record has all that a join needs, and each
//! row that a join looks at is one that the grant opens.

use std::collections::HashSet;

use super::StoreError;
use super::evaluate::{AccessLists, Candidate, opens};
use super::names::compartments;
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::{Hop, Inner, Param, Query};
use crate::smart::{Permitted, PermittedJoin};

/// The most charts in which a search looks for joined resources, if it does not say of which patients. A search that
/// does is bounded by the parser.
pub const MOST_CHARTS: usize = 125;

/// The resources of one record.
pub trait Record<'a> {
    /// A resource.
    type Row: Candidate<'a>;

    /// Those of a type.
    fn rows(&self, of: ResourceType) -> Vec<Self::Row>;

    /// The values of a reference, each with the resources that have it.
    fn references(&self, param: &'static Param) -> Vec<(String, Vec<Self::Row>)>;
}

/// The ids of the resources of a type that satisfy a join.
#[derive(Debug, Default)]
pub struct Joined(HashSet<String>);

impl Joined {
    /// Returns whether all joins find a resource.
    pub fn all_find<'a>(joined: &[Self], row: impl Candidate<'a>) -> bool {
        joined.iter().all(|found| found.0.contains(row.id()))
    }
}

/// The resources of type `on` that satisfy each of these joins, within their records.
pub fn join<'a, R: Record<'a>>(
    records: &[R],
    joins: &'a [PermittedJoin],
    on: ResourceType,
    access_lists: &AccessLists,
) -> Vec<Joined> {
    let of_record = |join: &'a PermittedJoin, record: &R| ids(record, join, on, access_lists);
    joins.iter().map(|join| Joined(records.iter().flat_map(|record| of_record(join, record)).collect())).collect()
}

/// The ids of the resources of a record and of type `on` that satisfy a join.
fn ids<'a, R: Record<'a>>(
    record: &R,
    join: &'a PermittedJoin,
    on: ResourceType,
    access_lists: &AccessLists,
) -> HashSet<String> {
    let inner = || join.alternatives().iter().flat_map(|inner| matches(record, inner, access_lists));
    match join.hop() {
        Hop::To(param) => {
            let found: HashSet<String> = inner().map(reference).collect();
            let connected = record.references(param).into_iter().filter(|(target, _)| found.contains(target));
            connected.flat_map(|(_, rows)| rows).map(|row| row.id().to_owned()).collect()
        }
        Hop::From(param) => {
            let found: HashSet<&str> = inner().map(Candidate::id).collect();
            let is_connected = |rows: &[R::Row]| rows.iter().any(|row| found.contains(row.id()));
            let connected = record.references(param).into_iter().filter(|(_, rows)| is_connected(rows));
            let target = connected.filter_map(|(target, _)| Reference::parse(&target));
            target.filter(|target| target.resource_type == on).map(|target| target.id.to_string()).collect()
        }
    }
}

/// The resources of a record that satisfy the inner question of a join, and that the grant opens.
fn matches<'a, R: Record<'a>>(record: &R, permitted: &'a Permitted<Inner>, access_lists: &AccessLists) -> Vec<R::Row> {
    let Inner { on, all, .. } = permitted.request();
    let joined: Vec<_> = permitted.joins().iter().map(|join| ids(record, join, *on, access_lists)).collect();
    let mut rows = record.rows(*on);
    rows.retain(|row| {
        joined.iter().all(|ids| ids.contains(row.id()))
            && all.iter().all(|clause| row.satisfies(clause))
            && opens(permitted.rules(), access_lists, *row)
    });
    rows
}

fn reference<'a>(row: impl Candidate<'a>) -> String {
    format!("{}/{}", row.resource_type(), row.id())
}

/// The patients in whose records these resources are, each once, for the joins of a search.
///
/// # Errors
/// If they are too many.
pub fn patients_of_records<'a>(
    rows: impl Iterator<Item = impl Candidate<'a>>,
    permitted: &Permitted<Query>,
) -> Result<Vec<String>, StoreError> {
    let most = most_patients(permitted);
    let mut patients: Vec<String> = Vec::new();
    for row in rows {
        let Some(id) = Id::parse(row.id()) else { continue };
        for compartment in compartments(row.resource_type(), &id, row.owner()) {
            if Id::is_valid(&compartment) && !patients.contains(&compartment) {
                patients.push(compartment);
            }
        }
        if patients.len() > most {
            return Err(StoreError::TooCostly);
        }
    }
    Ok(patients)
}

/// The most patients in whose records the joins of a search are looked for, if it does not say which.
pub fn most_patients(permitted: &Permitted<Query>) -> usize {
    MOST_CHARTS / joined_types(permitted).len().max(1)
}

/// The types of the resources that joins lead to, at any depth, each once.
pub fn joined_types(permitted: &Permitted<Query>) -> Vec<ResourceType> {
    let mut types = Vec::new();
    for inner in permitted.all_joins().iter().flat_map(|join| join.alternatives()) {
        if !types.contains(&inner.request().on) {
            types.push(inner.request().on);
        }
    }
    types
}
