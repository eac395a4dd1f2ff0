//! Joins within the directory, over the rows of its types. Subqueries are answered first, from the innermost outwards.
//! A clause for the resources that were found then replaces the join, so that the search has no joins left. Each step
//! takes a trip to the database.

use std::collections::BTreeSet;

use super::databases::RoutedStatement;
use super::lower::lower_found;
use crate::encoding::LAST_SORT_KEY;
use crate::join::{FoundReferences, Part, Record, containers, join, parts};
use crate::{IndexedResource, StoreError};
use chart::evaluate::AccessLists;
use database::{Rows, Statement};
use fhir::{Id, Reference, ResourceType};
use search::registry::id_param;
use search::{Clause, Hop, Param, Query, SortKey, Subquery, references};
use smart::{Owner, Permitted, PermittedJoin};

/// The most resources by which a join finds others. A parameter accepts as many values.
const MAX_FOUND: usize = 125;
/// The most resources whose references are read to find their targets.
const MAX_READ: usize = 512;

/// Returns the most resources that may satisfy the subquery of a join.
const fn most_found(hop: Hop) -> usize {
    match hop {
        Hop::To(_) => MAX_FOUND,
        Hop::From(_) => MAX_READ,
    }
}

/// Returns the clauses that replace these joins from resources of a type of the directory. `read` runs a batch.
///
/// # Errors
/// If the statements cannot be run, or the subquery of a join finds too many resources.
pub async fn clauses_of_joins<R: Rows>(
    joins: &[PermittedJoin],
    search: &Permitted<Query>,
    access_lists: &AccessLists,
    read: &impl AsyncFn(Vec<RoutedStatement>) -> Result<Vec<R>, StoreError>,
) -> Result<Vec<Clause>, StoreError> {
    clauses_and_found(joins, search, access_lists, read, &mut Vec::new()).await
}

/// Returns the clauses that replace joins from the results of a search. The references to resources that satisfy
/// subqueries, at any depth, are added to `directory`.
async fn clauses_and_found<'a, R: Rows>(
    joins: &'a [PermittedJoin],
    search: &Permitted<Query>,
    access_lists: &AccessLists,
    read: &impl AsyncFn(Vec<RoutedStatement>) -> Result<Vec<R>, StoreError>,
    directory: &mut Vec<(&'a Permitted<Subquery>, FoundReferences)>,
) -> Result<Vec<Clause>, StoreError> {
    let resource_type = search.request().resource_type;
    let mut statements = Vec::new();
    for join in joins {
        for inner in join.alternatives() {
            let own = inner.as_search(Vec::new());
            let clauses = Box::pin(clauses_and_found(inner.joins(), &own, access_lists, read, directory)).await?;
            let statement = statement(join.hop(), inner, clauses, access_lists);
            statements.push(RoutedStatement::directory(statement));
        }
    }
    if statements.is_empty() {
        return Ok(Vec::new());
    }
    // The rows that the search may find and whose contained resources chains search.
    let clause = containers(joins).into_iter().find_map(|(base, clause)| (base == resource_type).then_some(clause));
    statements.extend(clause.into_iter().map(|clause| {
        let params: Vec<_> = joins.iter().map(|join| join.hop().param()).chain([clause.param]).collect();
        let statement = lower_found(&search.without_joins(vec![clause]), access_lists, &params, MAX_READ);
        RoutedStatement::directory(statement)
    }));
    let mut answers = read(statements).await?.into_iter();
    let mut clauses = Vec::with_capacity(joins.len());
    for join in joins {
        let mut found = BTreeSet::new();
        for (inner, rows) in join.alternatives().iter().zip(answers.by_ref()) {
            let found_type = inner.request().resource_type;
            directory.push((inner, add_found(join.hop(), found_type, resource_type, &rows, &mut found)?));
        }
        if found.len() > MAX_FOUND {
            return Err(StoreError::TooCostly);
        }
        clauses.push(join.hop().clause(resource_type, &found));
    }
    if let Some(rows) = answers.next() {
        let containers = Containers::of(joins, resource_type, &rows)?;
        let joined = join(&[containers], joins, resource_type, access_lists, directory);
        for (clause, joined) in clauses.iter_mut().zip(joined) {
            let ids: Vec<_> = joined.ids().map(Into::into).collect();
            clause.also = (!ids.is_empty()).then(|| (id_param(resource_type), ids));
        }
    }
    Ok(clauses)
}

/// The resources that are contained in rows of the directory.
struct Containers(Vec<Part>);

impl Containers {
    fn of<R: Rows>(joins: &[PermittedJoin], resource_type: ResourceType, rows: &R) -> Result<Self, StoreError> {
        let mut all = Vec::new();
        for (id, elements) in found_rows(resource_type, rows, MAX_READ)? {
            let row = Reference { resource_type, id };
            all.extend(parts(joins, &row, &Owner::Everyone, &elements));
        }
        Ok(Self(all))
    }
}

impl<'a> Record<'a> for Containers {
    type Row = &'a IndexedResource;

    fn rows(&self, _: ResourceType) -> Vec<&'a IndexedResource> {
        Vec::new()
    }

    fn references(&self, _: &'static Param) -> Vec<(String, Vec<&'a IndexedResource>)> {
        Vec::new()
    }

    fn parts(&self) -> &[Part] {
        &self.0
    }
}

fn statement(hop: Hop, inner: &Permitted<Subquery>, of_joins: Vec<Clause>, access_lists: &AccessLists) -> Statement {
    let params = match hop {
        Hop::To(_) => Vec::new(),
        Hop::From(param) => vec![param],
    };
    lower_found(&inner.as_search(of_joins), access_lists, &params, most_found(hop))
}

/// Adds the resources that the rows of a subquery find: these resources, of type `found_type`, or those of type
/// `resource_type` to which they refer. Returns the references to the resources that satisfy the subquery.
fn add_found<R: Rows>(
    hop: Hop,
    found_type: ResourceType,
    resource_type: ResourceType,
    rows: &R,
    found: &mut BTreeSet<Reference>,
) -> Result<FoundReferences, StoreError> {
    let mut satisfying = FoundReferences::new();
    for (id, elements) in found_rows(found_type, rows, most_found(hop))? {
        let row = Reference { resource_type: found_type, id };
        satisfying.insert(row.to_string());
        match hop {
            Hop::To(_) => found.extend([row]),
            Hop::From(param) => {
                let elements = serde_json::from_str(&elements).map_err(|_| damaged(found_type))?;
                let targets = references(&elements, &[param]).into_iter().map(|(_, target)| target);
                found.extend(targets.filter(|target| target.resource_type == resource_type));
            }
        }
    }
    Ok(satisfying)
}

/// Returns the ids of the found rows of a type, at most `most`, each with the requested elements.
fn found_rows<R: Rows>(found_type: ResourceType, rows: &R, most: usize) -> Result<Vec<(Id, String)>, StoreError> {
    let sort_key = |row| rows.text(row, "sort");
    if rows.count() > most || (0..rows.count()).any(|row| sort_key(row).as_deref() == Some(LAST_SORT_KEY)) {
        return Err(StoreError::TooCostly);
    }
    let read = |row| {
        let id = sort_key(row).and_then(|sort_key| Id::parse(sort_key.get(SortKey::ID_AT..)?));
        Ok((id.ok_or_else(|| damaged(found_type))?, rows.text(row, "elements").unwrap_or_default()))
    };
    (0..rows.count()).map(read).collect()
}

fn damaged(found_type: ResourceType) -> StoreError {
    StoreError::Damaged(format!("a row of type {found_type} is damaged"))
}
