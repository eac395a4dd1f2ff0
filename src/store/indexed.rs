//! A resource as stored: its final text, and everything that searches need of it, extracted when it was loaded.

use crate::fhir::{Id, Reference, ResourceType, Span, http_date};
use crate::search::{Fact, Facts, Param, SortKey, params_of};
use crate::smart::Owner;

/// A loaded resource. `ingest` makes them.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedResource {
    /// Its type.
    pub resource_type: ResourceType,
    /// Its id.
    pub id: Id,
    /// The patients to whom it belongs.
    pub owner: Owner,
    /// Its sort key, which gives its position in the default order.
    pub sort_key: SortKey,
    /// See [`super::StoredResource::version`].
    pub version: String,
    /// The facts of its search parameters.
    pub facts: Facts,
    /// Its final text.
    pub body: String,
}

impl IndexedResource {
    /// The reference to it.
    #[must_use]
    pub fn reference(&self) -> Reference {
        Reference { resource_type: self.resource_type, id: self.id.clone() }
    }

    /// The values of one parameter: the facts of its columns.
    pub fn facts_of(&self, param: &Param) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(move |(of, _)| param.columns.contains(&of.id)).map(|(_, fact)| fact)
    }

    /// The times of one parameter.
    pub fn spans_of(&self, param: &Param) -> impl Iterator<Item = Span> {
        self.facts_of(param).filter_map(Fact::span)
    }

    /// The resources that it refers to by a parameter.
    pub fn references(&self, param: &Param) -> impl Iterator<Item = Reference> {
        self.facts_of(param).filter_map(|fact| Reference::parse(fact.reference()?))
    }

    /// The resources of the types of [`Param::included`] that it refers to.
    pub fn links(&self) -> impl Iterator<Item = (&'static Param, Reference)> {
        params_of(self.resource_type).flat_map(move |param| {
            let targets = move |to| self.references(param).filter(move |target| target.resource_type == to);
            param.included.iter().flat_map(move |to| targets(*to)).map(move |target| (param, target))
        })
    }

    /// See [`super::StoredResource::modified`].
    #[must_use]
    pub fn modified(&self) -> Option<String> {
        let (param, _) = self.facts.iter().find(|(param, _)| param.name == "_lastUpdated")?;
        http_date(self.spans_of(param).next()?.from)
    }

    /// The time of the type's clinical date parameter, which is the time in its sort key.
    #[must_use]
    pub fn clinical(&self) -> Option<Span> {
        let (param, _) = self.facts.iter().find(|(param, _)| param.clinical)?;
        self.spans_of(param).next()
    }
}
