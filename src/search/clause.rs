//! The clauses of a query: conditions of its parameters.

use super::kind::{Criterion, Fact, meets};
use super::param::Param;
use super::registry::params_of;
use fhir::Id;

/// The condition of one parameter of a query: some value satisfies one of the criteria, or, if negated, none does.
///
/// A comma between values is OR: `category=a,b` is a clause of two criteria. `:not` negates a clause, so that
/// `category:not=a,b` is satisfied if no value is `a` or `b`. `:missing=true` is a negated clause of
/// [`Criterion::Present`], with the element without a value as `also`. Values of the parameter `patient` of the
/// searched type are not in [`all`](super::Query::all); see [`patients`](super::Query::patients).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The parameter.
    pub param: &'static Param,
    /// The comparisons with a value. No value satisfies an empty list.
    pub any: Vec<Criterion>,
    /// Another parameter and its criteria, one of which a value may satisfy instead: that of
    /// [`super::registry::presence`].
    pub also: Option<(&'static Param, Vec<Criterion>)>,
    /// True if no value may satisfy `any` or `also`, so that a resource without values satisfies the clause.
    pub negated: bool,
}

impl Clause {
    /// Returns the parameters, each with its criteria, one of which a value must satisfy. Such a value of one parameter
    /// is enough, and excludes the resource if the clause is negated.
    pub fn parts(&self) -> impl Iterator<Item = (&'static Param, &[Criterion])> {
        let also = self.also.as_ref().map(|(param, any)| (*param, any.as_slice()));
        std::iter::once((self.param, self.any.as_slice())).chain(also)
    }

    /// Returns alternative conditions, if the clause is about a composite whose instance may be the resource. Each has
    /// the parameters of the components with their criteria. A value of each parameter must satisfy one of its
    /// criteria.
    pub fn conjunctions(&self) -> impl Iterator<Item = impl Iterator<Item = (&'static Param, &[Criterion])>> {
        let Param { base, component_params, .. } = *self.param;
        let component =
            move |(at, place): (usize, &usize)| params_of(base).as_slice().get(*place).map(|param| (at, param));
        let of_value = move |criterion| {
            let any = move |(at, param)| (param, Criterion::part(criterion, at).unwrap_or_default());
            component_params.iter().enumerate().filter_map(component).map(any)
        };
        self.any.iter().filter(|_| !component_params.is_empty()).map(of_value)
    }

    /// Returns whether a resource satisfies the clause. `facts` returns the resource's facts of a parameter.
    pub fn holds<'f, F: Iterator<Item = &'f Fact>>(&self, facts: impl Fn(&'static Param) -> F) -> bool {
        let has = |(param, any): (&'static Param, &[Criterion])| facts(param).any(|fact| meets(any, fact));
        (self.parts().any(has) || self.conjunctions().any(|mut all| all.all(has))) != self.negated
    }

    /// Returns whether no resource can satisfy the clause.
    #[must_use]
    pub const fn is_impossible(&self) -> bool {
        self.any.is_empty() && self.also.is_none() && !self.negated
    }

    /// Returns whether the clause only asks whether there is a value. If it is negated, there must be none.
    #[must_use]
    pub fn is_presence(&self) -> bool {
        self.any.iter().any(Criterion::is_presence)
    }

    /// Returns whether the clause selects few resources, so that the query needs no patient.
    pub(super) fn identifies(&self) -> bool {
        let of_presence = self.also.as_ref().is_some_and(|(param, _)| !param.kind.gives_names());
        let is_about_presence = of_presence || (self.param.kind.gives_names() && self.is_presence());
        self.param.identifying && !self.negated && !is_about_presence
    }

    /// Returns whether the clause selects resources by their names: ids or identifiers.
    #[must_use]
    pub fn names_resources(&self) -> bool {
        self.param.kind.gives_names() && self.identifies()
    }

    /// Returns the ids, if the clause requires one of several ids.
    pub fn ids(&self) -> Option<Vec<&Id>> {
        if self.negated || self.also.is_some() || !self.param.kind.is_id() {
            return None;
        }
        self.any.iter().map(Criterion::as_id).collect()
    }
}
