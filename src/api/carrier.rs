//! Binaries that are read with the scope of what carries them. No app asks for a scope of Binary to show a document, and
//! a Binary without `securityContext` belongs to the patients of the resources that have its address.

use futures_util::future::join_all;

use super::interactions::{QueryContext, store_problem};
use super::problem::Problem;
use crate::database::LargeText;
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::carriers_of;
use crate::smart::Denied;
use crate::store::{Cost, Read, Store, StoredResource};

/// The element that says whose a Binary is.
const SECURITY_CONTEXT: &str = "\"securityContext\"";

/// Reads a resource, if the grant opens it, or a Binary that a resource carries which the grant opens for reading.
///
/// # Errors
/// If the grant opens neither the type nor any that carries it, or the store does not answer.
pub async fn read_opened<S: Store>(
    store: &S,
    reference: &Reference,
    context: QueryContext<'_>,
) -> Result<Read<S::Body>, Problem> {
    let (denied, cost) = match context.grant.permits(reference.clone()) {
        Ok(permitted) => {
            let read = store.read(&permitted).await.map_err(store_problem)?;
            if read.found.is_some() {
                return Ok(read);
            }
            (None, read.cost)
        }
        Err(denied) => (Some(denied), Cost::default()),
    };
    if reference.resource_type == ResourceType::Binary {
        return Box::pin(read_carried(store, reference, denied, cost, context)).await;
    }
    denied.map_or(Ok(Read { found: None, cost }), |denied| Err(Problem::Denied(denied)))
}

/// Reads a Binary that a resource carries. It is not looked at before one is found, so that nobody learns by the time of
/// an answer whether there is one. `denied` says why the grant does not open the type, and `cost` what was read before.
async fn read_carried<S: Store>(
    store: &S,
    reference: &Reference,
    denied: Option<Denied>,
    mut cost: Cost,
    context: QueryContext<'_>,
) -> Result<Read<S::Body>, Problem> {
    let address = [context.base, "/", &reference.to_string()].concat();
    let searches: Vec<_> = carriers_of(&address).filter_map(|query| context.grant.permits_carriers(query)).collect();
    let Some(first) = searches.first() else {
        return denied.map_or(Ok(Read { found: None, cost }), |denied| Err(Problem::Denied(denied)));
    };
    let pages = if searches.iter().all(|search| search.request().patients.is_some()) {
        vec![store.search_each(&searches, None).await]
    } else {
        join_all(searches.iter().map(|search| store.search(search, None))).await
    };
    let (mut is_carried, mut patients) = (false, Vec::new());
    for page in pages {
        let page = page.map_err(store_problem)?;
        is_carried |= !page.matches.is_empty();
        patients.extend(page.patients);
        cost = cost.and_then(page.cost);
    }
    if !is_carried {
        return Ok(Read { found: None, cost });
    }
    let read = store.read(&first.read_of_carried(reference.clone())).await.map_err(store_problem)?;
    let found = read.found.and_then(|found| of_carriers(found, patients));
    Ok(Read { found, cost: cost.and_then(read.cost) })
}

/// A Binary that resources of these patients carry, if it belongs to one of them, or says nothing about whose it is. Then
/// it belongs to all of them.
fn of_carriers<B: LargeText>(found: StoredResource<B>, mut patients: Vec<Id>) -> Option<StoredResource<B>> {
    if found.patients.is_empty() {
        patients.sort_unstable();
        patients.dedup();
        return (!found.body.has(SECURITY_CONTEXT)).then_some(StoredResource { patients, ..found });
    }
    found.patients.iter().all(|patient| patients.contains(patient)).then_some(found)
}
