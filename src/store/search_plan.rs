//! The plan of a search: what it reads, as determined by the permitted query. It is made once for each search.

use super::StoreError;
use super::indexed_params::{check_chart, needed_by_filters, params_of, params_of_hop};
use chart::evaluate::AccessLists;
use chart::{Chart, View};
use search::{Clause, ClinicalPeriod, Param, Query, Subquery};
use smart::{AccessRule, Permitted, PermittedJoin};

/// A permitted search and what it reads.
#[derive(Debug)]
pub struct SearchPlan<'a> {
    /// The request.
    pub permitted: &'a Permitted<Query>,
    /// The rules of the search, and of its includes and joins.
    pub rules: Vec<&'a [AccessRule]>,
    /// The clauses of the search and of its joins, and of the rules for it, its includes and its joins.
    pub clauses: Vec<&'a Clause>,
    /// The parameters of the clauses, the order, the groups, the includes and the joins. Everything that is read must
    /// be indexed by them.
    pub needed: Vec<&'static Param>,
}

impl<'a> SearchPlan<'a> {
    /// Returns the plan of a search.
    pub fn of(permitted: &'a Permitted<Query>) -> Self {
        let Query { about, all, any_of, member_of, period, sort, latest, resource_type, .. } = permitted.request();
        let rules: Vec<_> = rules(permitted).collect();
        let of_members = member_of.iter().map(|members| &members.clause);
        let of_joins = inner(permitted).flat_map(|inner| &inner.request().all);
        let of_query = about.iter().chain(all).chain(any_of).chain(of_members).chain(of_joins);
        let of_query: Vec<_> = of_query.chain(period.iter().flat_map(ClinicalPeriod::clauses)).collect();
        let reached = std::iter::once(*resource_type).chain(permitted.included().iter().map(|(on, _)| *on));
        let mut needed: Vec<_> = of_query.iter().copied().flat_map(params_of).collect();
        needed.extend(needed_by_filters(rules.iter().copied().flatten()));
        needed.extend(sort.iter().map(|rule| rule.param).chain(latest.iter().map(|latest| latest.by)));
        needed.extend(reached.flat_map(|on| permitted.followed(on)).chain(permitted.followed_back()));
        needed.extend(permitted.all_joins().into_iter().flat_map(|join| params_of_hop(join.hop())));
        let of_rules = rules.iter().copied().flatten().flat_map(|rule| &rule.only);
        let clauses = of_query.into_iter().chain(of_rules).collect();
        Self { permitted, rules, clauses, needed }
    }

    /// Returns the search, once its access lists are known. `base` is the base of the entries' URLs.
    pub const fn search<'s>(&'s self, access_lists: &'s AccessLists, base: &'s str) -> Search<'s> {
        Search { permitted: self.permitted, plan: self, access_lists, base }
    }
}

/// A search whose access lists are known.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The request.
    pub permitted: &'a Permitted<Query>,
    pub plan: &'a SearchPlan<'a>,
    /// The access lists that the rules need.
    pub access_lists: &'a AccessLists,
    /// The FHIR base of the entries' URLs.
    pub base: &'a str,
}

impl Search<'_> {
    /// Fails if one of these charts is not indexed by a parameter that the search needs.
    ///
    /// # Errors
    /// The missing parameter, as [`StoreError::NotIndexed`].
    pub fn check(&self, charts: &[impl AsRef<Chart>]) -> Result<(), StoreError> {
        let SearchPlan { needed, rules, .. } = self.plan;
        charts
            .iter()
            .map(AsRef::as_ref)
            .try_for_each(|chart| check_chart(chart, chart.rows(), needed, rules.iter().copied(), self.access_lists))
    }

    /// Returns views of the charts, for finding included resources.
    pub fn views<'c>(&'c self, charts: &'c [impl AsRef<Chart>]) -> Vec<View<'c>> {
        charts.iter().map(|chart| View::new(chart.as_ref(), self.plan.clauses.iter().copied(), &[])).collect()
    }
}

/// Returns the rules of a search, and of its includes and joins.
pub fn rules(permitted: &Permitted<Query>) -> impl Iterator<Item = &[AccessRule]> {
    let of_includes = permitted.included().iter().map(|(_, rules)| rules.as_slice());
    of_includes.chain([permitted.rules()]).chain(inner(permitted).map(Permitted::rules))
}

/// Returns the subqueries of the joins of a search, at any depth.
fn inner(permitted: &Permitted<Query>) -> impl Iterator<Item = &Permitted<Subquery>> {
    permitted.all_joins().into_iter().flat_map(PermittedJoin::alternatives)
}
