//! Joins that are answered before the search, since they say whose records it is about. Other joins stay in the record
//! of a patient. A Group belongs to several patients, so it is found by the names in the query, and its members replace
//! the join. `patient.identifier=system|value` names patients, whose records are then searched.

use std::collections::BTreeSet;

use super::searchset::entries_in;
use crate::http::problem::Problem;
use fhir::{Reference, ResourceType};
use search::{Query, references};
use smart::{Permitted, PermittedJoin};
use store::{Cost, Store, StoreError, most_patients};

/// Replaces joins from Groups by their members, and finds the patients whom a chain names. Returns the search and the
/// cost. `None` without such joins.
///
/// # Errors
/// If the store does not answer, or there are too many Groups or patients.
pub async fn answer_naming_joins<S: Store>(
    store: &S,
    permitted: &Permitted<Query>,
) -> Result<Option<(Permitted<Query>, Cost)>, Problem> {
    let of_groups = answer_group_joins(store, permitted).await?;
    let Some(chain) = permitted.naming_chain() else { return Ok(of_groups) };
    let (permitted, cost) = of_groups.unwrap_or_else(|| (permitted.clone(), Cost::default()));
    let page = store.search(&chain.as_search_with_joins(), None).await?;
    if page.page_end.is_some() || page.patients.len() > most_patients(&permitted) {
        return Err(StoreError::TooCostly.into());
    }
    Ok(Some((permitted.of_patients(page.patients), cost.and_then(page.cost))))
}

async fn answer_group_joins<S: Store>(
    store: &S,
    permitted: &Permitted<Query>,
) -> Result<Option<(Permitted<Query>, Cost)>, Problem> {
    let joins = permitted.group_joins();
    if joins.is_empty() {
        return Ok(None);
    }
    let (mut clauses, mut cost) = (Vec::with_capacity(joins.len()), Cost::default());
    for (resource_type, join) in joins {
        let mut members = BTreeSet::new();
        for inner in join.alternatives() {
            let search = inner.as_search_with_joins();
            // The joins of the subquery may begin at Groups, too.
            let (search, before) = match Box::pin(answer_group_joins(store, &search)).await? {
                Some(answered) => answered,
                None => (search, Cost::default()),
            };
            let page = store.search(&search, None).await?;
            if page.page_end.is_some() {
                return Err(StoreError::TooCostly.into());
            }
            cost = cost.and_then(before).and_then(page.cost);
            for entries in page.matches {
                add_members(&Into::<String>::into(entries), join, resource_type, &mut members)?;
            }
        }
        clauses.push(join.hop().clause(resource_type, &members));
    }
    Ok(Some((permitted.with_members(clauses), cost)))
}

/// Adds the members, of one type, of the Groups in the text of entries, which are separated by commas.
fn add_members(
    entries: &str,
    join: &PermittedJoin,
    resource_type: ResourceType,
    members: &mut BTreeSet<Reference>,
) -> Result<(), Problem> {
    for resource in entries_in(entries)?.iter().filter_map(|entry| entry.get("resource")) {
        let found = references(resource, &[join.hop().param()]).into_iter().map(|(_, member)| member);
        members.extend(found.filter(|member| member.resource_type == resource_type));
    }
    Ok(())
}
