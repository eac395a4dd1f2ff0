//! Joins within the directory, over the rows of its types. The inner questions are answered first, the innermost of all
//! at the beginning: a clause about the resources that are found then stands in place of the join, and the search is
//! one without joins. Each step takes a trip to the database.

use std::collections::BTreeSet;

use super::databases::RoutedStatement;
use super::lower::lower_found;
use crate::database::{Rows, Statement};
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::{Clause, Hop, Inner, SortKey, references};
use crate::smart::{Permitted, PermittedJoin};
use crate::store::StoreError;
use crate::store::encoding::LAST_SORT_KEY;
use crate::store::evaluate::AccessLists;

/// The most resources by which a join finds others, as many as a parameter takes values.
const MOST_FOUND: usize = 125;
/// The most resources whose references are read to find those that they refer to.
const MOST_READ: usize = 512;

/// The most resources that satisfy the inner question of a join.
const fn most_found(hop: Hop) -> usize {
    match hop {
        Hop::To(_) => MOST_FOUND,
        Hop::From(_) => MOST_READ,
    }
}

/// The clauses that stand for these joins from resources of a type of the directory. `read` runs statements as one
/// batch.
///
/// # Errors
/// If they cannot be run, or the inner question of a join finds too much.
pub async fn clauses_of_joins<R: Rows>(
    joins: &[PermittedJoin],
    on: ResourceType,
    access_lists: &AccessLists,
    read: &impl AsyncFn(Vec<RoutedStatement>) -> Result<Vec<R>, StoreError>,
) -> Result<Vec<Clause>, StoreError> {
    let mut statements = Vec::new();
    for join in joins {
        for inner in join.alternatives() {
            let on = inner.request().on;
            let clauses = Box::pin(clauses_of_joins(inner.joins(), on, access_lists, read)).await?;
            statements.push(RoutedStatement::rows(on, statement(join.hop(), inner, clauses, access_lists)));
        }
    }
    if statements.is_empty() {
        return Ok(Vec::new());
    }
    let mut answers = read(statements).await?.into_iter();
    let of_join = |join: &PermittedJoin| {
        let mut found = BTreeSet::new();
        for (inner, rows) in join.alternatives().iter().zip(answers.by_ref()) {
            add_found(join.hop(), inner.request().on, on, &rows, &mut found)?;
        }
        if found.len() > MOST_FOUND { Err(StoreError::TooCostly) } else { Ok(join.hop().clause(on, &found)) }
    };
    joins.iter().map(of_join).collect()
}

/// The statements of the first trip for these joins.
pub fn first_statements(joins: &[PermittedJoin], access_lists: &AccessLists) -> Vec<Statement> {
    let inner = || joins.iter().flat_map(|join| join.alternatives().iter().map(|inner| (join.hop(), inner)));
    if let Some((_, inner)) = inner().find(|(_, inner)| !inner.joins().is_empty()) {
        return first_statements(inner.joins(), access_lists);
    }
    inner().map(|(hop, inner)| statement(hop, inner, Vec::new(), access_lists)).collect()
}

/// The statement for an inner question, with these clauses in place of its own joins.
fn statement(hop: Hop, inner: &Permitted<Inner>, of_joins: Vec<Clause>, access_lists: &AccessLists) -> Statement {
    let params = match hop {
        Hop::To(_) => Vec::new(),
        Hop::From(param) => vec![param],
    };
    lower_found(&inner.as_search(of_joins), access_lists, &params, most_found(hop))
}

/// Adds what the rows of an inner question about resources of type `of` say to be found: these resources, or those of
/// type `on` that they refer to.
fn add_found<R: Rows>(
    hop: Hop,
    of: ResourceType,
    on: ResourceType,
    rows: &R,
    found: &mut BTreeSet<Reference>,
) -> Result<(), StoreError> {
    if rows.count() > most_found(hop) {
        return Err(StoreError::TooCostly);
    }
    for row in 0..rows.count() {
        let sort_key = rows.text(row, "sort").unwrap_or_default();
        if sort_key == LAST_SORT_KEY {
            return Err(StoreError::TooCostly);
        }
        let id = sort_key.get(SortKey::ID_AT..).and_then(Id::parse);
        let damaged = || StoreError::Damaged(format!("a row of type {of} is damaged"));
        match hop {
            Hop::To(_) => found.extend([Reference { resource_type: of, id: id.ok_or_else(damaged)? }]),
            Hop::From(param) => {
                let elements = rows.text(row, "elements").ok_or_else(damaged)?;
                let elements = serde_json::from_str(&elements).map_err(|_| damaged())?;
                let targets = references(&elements, &[param]).into_iter().map(|(_, target)| target);
                found.extend(targets.filter(|target| target.resource_type == on));
            }
        }
    }
    Ok(())
}
