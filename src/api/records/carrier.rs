//! Reads of Binaries by a scope for the resources that carry them. Apps that show documents hardly ever request a scope
//! for Binary, and a Binary without `securityContext` belongs to the patients of the resources that have its address.

use std::collections::BTreeSet;

use futures_util::future::join_all;

use crate::http::problem::Problem;
use crate::query_context::QueryContext;
use database::LargeText;
use fhir::{Id, Reference, ResourceType};
use search::carriers_of;
use store::{Cost, Read, Store, StoredResource};

/// The element that determines the owner of a Binary.
const SECURITY_CONTEXT: &str = "\"securityContext\"";

/// Reads a resource that the grant opens, or a Binary that is carried by a resource that the grant opens for reading.
///
/// # Errors
/// If the grant opens neither the type nor any type that carries it, or the store does not answer.
pub async fn read_opened<S: Store>(
    store: &S,
    reference: &Reference,
    context: QueryContext<'_>,
) -> Result<Read<S::Body>, Problem> {
    let own = match context.grant.permits(reference.clone()) {
        Ok(permitted) => Ok(store.read(&permitted).await?),
        Err(denied) => Err(Problem::Denied(denied)),
    };
    let is_found = own.as_ref().is_ok_and(|read| read.found.is_some());
    if !is_found
        && reference.resource_type == ResourceType::Binary
        && let Some(read) = Box::pin(read_carried(store, reference, context)).await?
    {
        let before = own.map_or(Cost::default(), |read| read.cost);
        return Ok(Read { cost: before.and_then(read.cost), ..read });
    }
    own
}

/// Reads a Binary that a resource carries. The Binary is only read after such a resource was found, so that the
/// duration of an answer does not disclose whether it exists. `None` if the grant opens no type that carries Binaries.
async fn read_carried<S: Store>(
    store: &S,
    reference: &Reference,
    context: QueryContext<'_>,
) -> Result<Option<Read<S::Body>>, Problem> {
    let address = [context.base, "/", &reference.to_string()].concat();
    let searches: Vec<_> = carriers_of(&address).filter_map(|query| context.grant.permits_carriers(query)).collect();
    let Some(first) = searches.first() else { return Ok(None) };
    let pages = if searches.iter().all(|search| search.request().patients.is_some()) {
        vec![store.search_each(&searches, None).await]
    } else {
        join_all(searches.iter().map(|search| store.search(search, None))).await
    };
    let (mut carriers, mut patients, mut cost) = (Vec::new(), BTreeSet::new(), Cost::default());
    for page in pages {
        let page = page?;
        carriers.extend(page.matches.into_iter().filter_map(|entry| address_in(&entry.into(), context.base)));
        patients.extend(page.patients);
        cost = cost.in_parallel(page.cost);
    }
    if carriers.is_empty() {
        return Ok(Some(Read { found: None, cost }));
    }
    let read = store.read(&first.read_of_carried(reference.id.clone())).await?;
    let found = read.found.and_then(|found| of_carriers(found, patients, &carriers));
    Ok(Some(Read { found, cost: cost.and_then(read.cost) }))
}

/// Returns the reference to the resource of an entry, as JSON: `"Type/id"`.
fn address_in(entry: &str, base: &str) -> Option<String> {
    let (_, address) = entry.split_once("\"fullUrl\":\"")?;
    let (reference, _) = address.strip_prefix(base)?.strip_prefix('/')?.split_once('"')?;
    Some(["\"", reference, "\""].concat())
}

/// Returns a Binary that these resources of these patients carry, if it belongs to one of them. Without an owner it
/// belongs to all, unless its `securityContext` is another resource.
fn of_carriers<B: LargeText>(
    found: StoredResource<B>,
    patients: BTreeSet<Id>,
    carriers: &[String],
) -> Option<StoredResource<B>> {
    if found.patients.is_empty() {
        let is_nobodys = !found.body.has(SECURITY_CONTEXT) || carriers.iter().any(|carrier| found.body.has(carrier));
        let patients = patients.into_iter().collect();
        return is_nobodys.then_some(StoredResource { patients, ..found });
    }
    found.patients.iter().all(|patient| patients.contains(patient)).then_some(found)
}
