//! Searches of compartments (<https://hl7.org/fhir/R4/compartmentdefinition.html>) and of several types at once
//! (<https://hl7.org/fhir/R4/http.html#search>).

use std::ops::ControlFlow;

use super::answer::{Answer, PageEnd, open_cursor};
use super::answer_tags::confirm;
use super::group_joins::answer_naming_joins;
use super::record_types::{in_order, types_of};
use super::request::RecordRequest;
use super::search::find;
use super::searchset::{closed_types, left_out, piece, searchset};
use crate::audit::Disclosure;
use crate::http::form::FormPairs;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use fhir::{Issue, IssueCode, Micros, Reference, ResourceType};
use search::{Clause, Handling, IndexSet, Query, Total, in_compartment, member_of, types_in_compartment};
use smart::{Permitted, is_directory};
use store::Store;

/// The most types in one search.
const MAX_TYPES: usize = 10;

/// Searches the resources of a type in a compartment. That of a patient contains the resources that belong to the
/// patient, alone or with others, and those that refer to the patient otherwise. `disclosure` is as for a search.
///
/// # Errors
/// If the compartment has no resources of the type, or as for a search.
pub async fn search_compartment<S: Store>(
    store: &S,
    compartment: &Reference,
    resource_type: ResourceType,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let parse = |now| {
        let mut query = context.parse(resource_type, parameters, now)?;
        limit(&mut query, compartment, context.index).ok_or(Problem::NoRoute)?;
        Ok(query)
    };
    find(store, &parse, &format!("{compartment}/{resource_type}"), request, disclosure).await
}

/// Searches all types in the compartment of a patient, or those in `_type`. `disclosure` is as for a search.
///
/// # Errors
/// As for a search.
pub async fn search_record<S: Store>(
    store: &S,
    compartment: &Reference,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let (types, rest) = without_types(parameters)?;
    // Patients that refer to a patient are not part of the record.
    let is_wanted =
        |on: &ResourceType| if types.is_empty() { *on != compartment.resource_type } else { types.contains(on) };
    let members: Vec<_> = types_in_compartment(compartment.resource_type).collect();
    let wanted: Vec<_> = in_order().filter(|on| is_wanted(on) && members.contains(on)).collect();
    let parse = |now| {
        let mut queries = Vec::with_capacity(wanted.len());
        for resource_type in &wanted {
            let mut query = context.parse(*resource_type, &rest, now)?;
            queries.extend(limit(&mut query, compartment, context.index).map(|()| query));
        }
        Ok(queries)
    };
    if wanted.is_empty() {
        let text = "The compartment has no resources of these types.";
        return Err(Problem::from(Issue::error(IssueCode::Value, text).about("_type")));
    }
    let named = context.prefer.filter(|_| !types.is_empty());
    answer(store, &parse, named, (&format!("{compartment}/*"), &types), request, disclosure).await
}

/// Searches the types in `_type`, whose resources must belong to patients. `disclosure` is as for a search.
///
/// # Errors
/// If there is no `_type`, if a type is of the directory, if no patient is named, or as for a search.
pub async fn search_types<S: Store>(
    store: &S,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let (types, rest) = without_types(parameters)?;
    if types.is_empty() {
        return Err(Problem::Base);
    }
    if types.len() > MAX_TYPES {
        let text = format!("A search takes at most {MAX_TYPES} types.");
        return Err(Problem::from(Issue::error(IssueCode::TooCostly, text).about("_type")));
    }
    if let Some(resource_type) = types.iter().find(|resource_type| is_directory(**resource_type)) {
        let text = format!("{resource_type} belongs to no patient, and is searched by itself.");
        return Err(Problem::from(Issue::error(IssueCode::NotSupported, text).about("_type")));
    }
    let wanted: Vec<_> = in_order().filter(|resource_type| types.contains(resource_type)).collect();
    let parse = |now| wanted.iter().map(|resource_type| context.parse(*resource_type, &rest, now)).collect();
    answer(store, &parse, Some(Handling::Strict), ("", &types), request, disclosure).await
}

/// Limits a query to a compartment. `None` if it has no resources of the type, or if nothing determines them here.
fn limit(query: &mut Query, compartment: &Reference, set: &IndexSet) -> Option<()> {
    let mut clauses: Vec<Clause> = in_compartment(set, compartment, query.resource_type)?;
    if compartment.resource_type == ResourceType::Patient {
        query.member_of = member_of(vec![compartment.id.clone()], query.resource_type);
        if query.member_of.is_none() {
            let patient = || vec![compartment.id.clone()];
            query.patients.get_or_insert_with(patient).retain(|patient| *patient == compartment.id);
        }
        return Some(());
    }
    match clauses.len() {
        0 => return None,
        1 => query.all.append(&mut clauses),
        _ => query.any_of = clauses,
    }
    Some(())
}

fn without_types(parameters: &FormPairs) -> Result<(Vec<ResourceType>, FormPairs), Problem> {
    let (types, rest): (FormPairs, _) = parameters.iter().cloned().partition(|(name, _)| name == "_type");
    let types: Result<Vec<_>, _> = types.iter().map(|(_, value)| types_of(value)).collect();
    Ok((types?.concat(), rest))
}

/// Answers a request with this path and these types as searches of several types.
async fn answer<S: Store>(
    store: &S,
    parse: &dyn Fn(Micros) -> Result<Vec<Query>, Problem>,
    handling: Option<Handling>,
    (path, types): (&str, &[ResourceType]),
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let mut queries = parse(context.moment.now)?;
    queries.iter().try_for_each(is_of_several)?;
    queries.iter().for_each(|query| disclosure.record_query(query));
    let Some(first) = queries.first() else { return Err(Problem::NoRoute) };
    let names: Vec<_> = types.iter().map(|resource_type| resource_type.name()).collect();
    let mut own = FormPairs::new();
    if !types.is_empty() {
        own.push(("_type".to_owned(), names.join(",")));
    }
    // With lenient handling, a parameter may hold for some of the types only.
    for pair in queries.iter().flat_map(|query| &query.parameters) {
        if !own.contains(pair) {
            own.push(pair.clone());
        }
    }
    let own = context.address(path, &own);
    let has_moment = queries.iter().any(|query| query.now.is_some());
    let earlier = open_cursor(first.cursor.as_deref(), &own, has_moment, context)?;
    if let Some(PageEnd { moment: Some(moment), .. }) = earlier {
        queries = parse(moment)?;
    }
    let moment = queries.iter().find_map(|query| query.now);
    let (mut searches, closed) = context.grant.narrow_each(queries, handling)?;
    let tags = request.tags(path).filter(|_| moment.is_none());
    let before = match Box::pin(confirm(tags.as_ref(), store, &searches, context.prefer, disclosure)).await? {
        ControlFlow::Break(reply) => return Ok(reply),
        ControlFlow::Continue(cost) => cost,
    };
    let mut is_alone = true;
    for permitted in &mut searches {
        if let Some((answered, _)) = Box::pin(answer_naming_joins(store, permitted)).await? {
            (*permitted, is_alone) = (answered, false);
        }
    }
    let Some(first) = searches.first().map(Permitted::request) else { return Err(Problem::NoRoute) };
    if searches.iter().any(|permitted| permitted.request().whose().is_none()) {
        let text = "A search of several types needs patient, which says whose records it means.";
        return Err(Problem::from(Issue::error(IssueCode::Required, text).about("patient")));
    }
    let earlier = earlier.as_ref().map(|end| end.position.as_str());
    let page = store.search_each(&searches, earlier).await?;
    disclosure.patients = page.patients;
    let issues = searches.iter().flat_map(left_out).chain(closed_types(&closed)).collect();
    let entries = page.matches.into_iter().map(|entry| piece(entry, &first.subset)).collect();
    let page_end = page.page_end.map(|position| PageEnd { position, moment });
    let cost = before.and_then(page.cost);
    let versions = page.versions.filter(|_| is_alone);
    let answer = Answer { own, page_end, total: page.total, entries, issues, versions, cost };
    Ok(searchset(answer, tags.as_ref(), parameters, context))
}

/// Fails if a query requests something that a search of several types does not support.
fn is_of_several(query: &Query) -> Result<(), Problem> {
    let name = match query {
        Query { sort, .. } if !sort.is_empty() => "_sort",
        Query { include, .. } if !include.is_empty() => "_include",
        Query { revinclude, .. } if !revinclude.is_empty() => "_revinclude",
        Query { total: Total::Accurate, .. } => "_total",
        _ => return Ok(()),
    };
    let text = format!("A search of several types, which come one after the other, does not take \"{name}\".");
    Err(Problem::from(Issue::error(IssueCode::NotSupported, text).about(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_compartment_of_a_patient_is_of_the_directory() {
        assert!(types_in_compartment(ResourceType::Patient).all(|resource_type| !is_directory(resource_type)));
    }
}
