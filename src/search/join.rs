//! Joins: conditions on resources that references connect with the matches. A chain (`encounter.status`) follows a
//! reference of the match, and `_has` (`_has:Observation:encounter:code`) one that leads to it
//! (<https://hl7.org/fhir/R4/search.html#chaining>, <https://hl7.org/fhir/R4/search.html#has>).

use super::kind::Criterion;
use super::param::Param;
use super::query::{Clause, Query};
use super::registry::id_param;
use fhir::{Reference, ResourceType};
use std::collections::BTreeSet;

/// The reference by which a join leads to other resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hop {
    /// From the resource that has it, to its target: a chain.
    To(&'static Param),
    /// From its target, to the resource that has it: `_has`.
    From(&'static Param),
}

impl Hop {
    /// The parameter of the reference.
    #[must_use]
    pub const fn param(self) -> &'static Param {
        match self {
            Self::To(param) | Self::From(param) => param,
        }
    }
}

impl Hop {
    /// The clause on resources of type `on` that stands for a join, of which these are found: the resources that the
    /// reference may lead to, or those that the references lead to.
    #[must_use]
    pub fn clause(self, on: ResourceType, found: &BTreeSet<Reference>) -> Clause {
        let (param, any) = match self {
            Self::To(param) => (param, found.iter().map(Criterion::refers_to).collect()),
            Self::From(_) => (id_param(on), found.iter().map(|target| target.id.clone().into()).collect()),
        };
        Clause { param, any, also: None, negated: false }
    }
}

/// A condition that a resource satisfies if a reference connects it with a resource that satisfies another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    /// The parameter of the query, as it was written.
    pub name: String,
    /// The reference.
    pub hop: Hop,
    /// The conditions on the other resource, one for each type that it may have.
    pub alternatives: Vec<Subquery>,
}

/// The conditions on the other resource of a join, all of which must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subquery {
    /// The type.
    pub on: ResourceType,
    /// The clauses. Here, `patient` is a parameter like others.
    pub all: Vec<Clause>,
    /// The joins.
    pub joins: Vec<Join>,
}

impl Join {
    /// Adds the types of the resources that it leads to, at any depth, unless they are there.
    fn add_types(&self, types: &mut Vec<ResourceType>) {
        for inner in &self.alternatives {
            if !types.contains(&inner.on) {
                types.push(inner.on);
            }
            inner.joins.iter().for_each(|join| join.add_types(types));
        }
    }
}

impl Query {
    /// The types of the resources that its joins lead to, each once.
    #[must_use]
    pub fn joined_types(&self) -> Vec<ResourceType> {
        let mut types = Vec::new();
        self.joins.iter().for_each(|join| join.add_types(&mut types));
        types
    }
}
