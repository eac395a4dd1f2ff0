//! A single resource in the form of charts, but not packed. Loads gather resources in this form.

use serde::{Deserialize, Serialize};

use super::ChartError;
use super::head::StoredOwner;
use crate::IndexedResource;
use fhir::to_postcard;
use search::kind::StoredFact;

/// A resource that is not packed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LooseResource<'a> {
    pub owner: StoredOwner,
    /// The sort key, which ends with the id.
    pub sort_key: &'a str,
    pub version: &'a str,
    /// The text.
    pub body: &'a str,
    /// The facts, as [`write_facts`] writes them.
    #[serde(with = "serde_bytes")]
    pub facts: &'a [u8],
}

/// Returns the bytes of a resource.
pub fn to_bytes(indexed: &IndexedResource) -> Vec<u8> {
    to_postcard(&LooseResource {
        owner: StoredOwner::of(&indexed.owner),
        sort_key: indexed.sort_key.as_str(),
        version: &indexed.version,
        body: &indexed.body,
        facts: &write_facts(indexed),
    })
}

impl<'a> LooseResource<'a> {
    /// Returns the resource of some bytes.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn of(bytes: &'a [u8]) -> Result<Self, ChartError> {
        postcard::from_bytes(bytes).map_err(|_| damaged())
    }
}

fn damaged() -> ChartError {
    ChartError::new("a gathered resource is damaged")
}

/// Returns the facts of a resource, each with the number of its parameter.
pub(super) fn write_facts(indexed: &IndexedResource) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (param, fact) in &indexed.facts {
        bytes.extend(to_postcard(&(param.id.number(), StoredFact::of(fact))));
    }
    bytes
}

/// Returns the first of some facts with the number of its parameter, and the bytes after it.
///
/// # Errors
/// If the bytes are damaged.
pub(super) fn first_fact(facts: &[u8]) -> Result<((u16, StoredFact<'_>), &[u8]), ChartError> {
    postcard::take_from_bytes(facts).map_err(|_| damaged())
}
