//! A single resource in the form of charts, but not packed. Loads gather resources in this form.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::ChartError;
use super::head::StoredOwner;
use crate::IndexedResource;
use fhir::{Id, ResourceType, to_postcard};
use search::kind::StoredFact;
use search::{SortKey, stored_params};

#[derive(Serialize, Deserialize)]
struct StoredResource<'a> {
    owner: StoredOwner,
    sort_key: Cow<'a, str>,
    version: Cow<'a, str>,
    #[serde(borrow)]
    facts: Vec<(u16, StoredFact<'a>)>,
    body: Cow<'a, str>,
}

/// Returns the bytes of a resource.
#[must_use]
pub fn to_bytes(indexed: &IndexedResource) -> Vec<u8> {
    let resource = StoredResource {
        owner: StoredOwner::of(&indexed.owner),
        sort_key: indexed.sort_key.as_str().into(),
        version: indexed.version.as_str().into(),
        facts: indexed.facts.iter().map(|(param, fact)| (param.id.number(), StoredFact::of(fact))).collect(),
        body: indexed.body.as_str().into(),
    };
    to_postcard(&resource)
}

/// Returns the resource of that type from its bytes.
///
/// # Errors
/// If the bytes are damaged.
pub fn from_bytes(resource_type: ResourceType, bytes: &[u8]) -> Result<IndexedResource, ChartError> {
    let read = || {
        let stored: StoredResource<'_> = postcard::from_bytes(bytes).ok()?;
        let fact = |(number, value): (u16, StoredFact<'_>)| {
            let param = stored_params(resource_type).find(|param| param.id.number() == number)?;
            Some((param, value.fact()?))
        };
        Some(IndexedResource {
            resource_type,
            id: Id::parse(stored.sort_key.get(SortKey::ID_AT..)?)?,
            owner: stored.owner.owner()?,
            sort_key: SortKey::from_text(stored.sort_key.into_owned()),
            version: stored.version.into_owned(),
            facts: stored.facts.into_iter().map(fact).collect::<Option<_>>()?,
            body: stored.body.into_owned(),
        })
    };
    read().ok_or_else(|| ChartError::new("a gathered resource is damaged"))
}
