//! Joins: conditions on resources that references connect with the matches. A chain (`encounter.status`) follows a
//! reference of the match. `_has` (`_has:Observation:encounter:code`) follows a reference to the match
//! (<https://hl7.org/fhir/R4/search.html#chaining>, <https://hl7.org/fhir/R4/search.html#has>).

use super::clause::Clause;
use super::kind::Criterion;
use super::param::Param;
use super::registry::{id_param, named};
use fhir::{Reference, ResourceType};
use std::collections::BTreeSet;

/// The reference by which a join leads to other resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hop {
    /// From the resource that has the reference to its target: a chain.
    To(&'static Param),
    /// From the target of the reference to the resource that has it: `_has`.
    From(&'static Param),
}

impl Hop {
    /// Returns the parameter of the reference.
    pub const fn param(self) -> &'static Param {
        match self {
            Self::To(param) | Self::From(param) => param,
        }
    }

    /// Returns the clause on resources of that type that replaces a join. `found` are the possible targets of the
    /// reference for a chain, or the targets that were found for `_has`.
    pub fn clause(self, resource_type: ResourceType, found: &BTreeSet<Reference>) -> Clause {
        let (param, any) = match self {
            Self::To(param) => (param, found.iter().map(Criterion::refers_to).collect()),
            Self::From(_) => (id_param(resource_type), found.iter().map(|target| target.id.clone().into()).collect()),
        };
        Clause { param, any, also: None, negated: false }
    }
}

/// A condition that a resource satisfies if a reference connects it with a resource that satisfies a subquery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    /// The parameter of the query, as written.
    pub name: String,
    /// The reference.
    pub hop: Hop,
    /// The conditions on the other resource, one for each of its possible types.
    pub alternatives: Vec<Subquery>,
}

/// The conditions on the other resource of a join, all of which must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subquery {
    /// The type.
    pub resource_type: ResourceType,
    /// The clauses. Here, `patient` is a parameter like any other.
    pub all: Vec<Clause>,
    /// The joins.
    pub joins: Vec<Join>,
}

impl Clause {
    /// Returns the join with the meaning of a chained parameter that is answered in one step. `None` for any other
    /// parameter.
    pub fn into_join(self) -> Option<Join> {
        let (_, resource_type) = self.param.via?;
        let (reference, name) = self.param.name.split_once('.')?;
        let hop = Hop::To(named(self.param.base, reference)?);
        let own = Self { param: named(resource_type, name)?, ..self };
        let alternatives = vec![Subquery { resource_type, all: vec![own], joins: Vec::new() }];
        Some(Join { name: format!("{reference}.{name}"), hop, alternatives })
    }
}

impl Join {
    /// Adds the types of the resources that the join leads to, at any depth, without duplicates.
    pub(super) fn add_types(&self, types: &mut Vec<ResourceType>) {
        for inner in &self.alternatives {
            if !types.contains(&inner.resource_type) {
                types.push(inner.resource_type);
            }
            inner.joins.iter().for_each(|join| join.add_types(types));
        }
    }
}
