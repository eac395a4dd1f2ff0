//! The parameters by which records are indexed. Records that were loaded before a parameter was added have no values of
//! it, so a search by it would find too little. Such a search is refused until the records are indexed again.
//!
//! The head of a chart has a column for each parameter by which it is indexed. For the rows of types that are searched
//! without a patient, and for the names of resources, the database and the manifest of the shelves list the parameters.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::StoreError;
use chart::Chart;
use chart::evaluate::{AccessLists, reaches};
use fhir::{ResourceType, json};
use search::registry::contained;
use search::{Clause, Hop, IndexSet, Param, Subquery};
use smart::{AccessRule, Permitted};

/// The ids of the parameters by which rows and names are indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedParams(BTreeSet<u16>);

impl IndexedParams {
    /// Returns the parameters of a set, in this version.
    pub fn of(set: &IndexSet) -> Self {
        let params = ResourceType::served().iter().flat_map(|resource_type| set.stored_params(*resource_type));
        Self(params.filter(|param| !param.kind.is_id()).map(|param| param.index_id.number()).collect())
    }

    /// Parses the text of the parameters, a JSON array of their ids. `None` if it is another text.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Returns the text of the parameters.
    pub fn text(&self) -> String {
        json(self)
    }

    /// Returns the parameters that are in both.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        Self(self.0.intersection(&other.0).copied().collect())
    }

    /// Returns whether a parameter is included. Ids always are.
    #[must_use]
    pub fn has(&self, param: &Param) -> bool {
        param.kind.is_id() || self.0.contains(&param.index_id.number())
    }

    /// Fails if one of `needed` is not included.
    ///
    /// # Errors
    /// The missing parameter, as [`StoreError::NotIndexed`].
    pub fn require(&self, needed: &[&'static Param]) -> Result<(), StoreError> {
        needed.iter().find(|param| !self.has(param)).map_or(Ok(()), |param| Err(StoreError::NotIndexed(param)))
    }
}

/// Returns the parameters that the filters of these access rules need.
pub fn needed_by_filters<'a>(rules: impl IntoIterator<Item = &'a AccessRule>) -> Vec<&'static Param> {
    rules.into_iter().flat_map(|rule| &rule.only).flat_map(params_of).collect()
}

/// Returns the parameters that the subquery of a join and its own joins need.
pub fn needed_by_subquery(permitted: &Permitted<Subquery>) -> Vec<&'static Param> {
    let mut needed: Vec<_> = permitted.request().all.iter().flat_map(params_of).collect();
    needed.extend(needed_by_filters(permitted.rules()));
    for join in permitted.joins() {
        needed.extend(params_of_hop(join.hop()));
        needed.extend(join.alternatives().iter().flat_map(needed_by_subquery));
    }
    needed
}

/// Returns the parameters whose values a clause compares. The values of a chain may be in contained resources.
pub(super) fn params_of(clause: &Clause) -> impl Iterator<Item = &'static Param> {
    let of_part =
        |(param, _): (&'static Param, _)| param.via.and_then(|_| contained(param.base)).into_iter().chain([param]);
    clause.parts().flat_map(of_part)
}

/// Returns the parameters by which a join finds the resources that a reference connects.
pub(super) fn params_of_hop(hop: Hop) -> impl Iterator<Item = &'static Param> {
    let contained = if let Hop::To(param) = hop { contained(param.base) } else { None };
    contained.into_iter().chain([hop.param()])
}

/// Fails if a chart is not indexed by one of the `needed` parameters, provided that an access rule reaches one of these
/// `rows` of the chart. An error for other rows would disclose their existence.
///
/// # Errors
/// The missing parameter, as [`StoreError::NotIndexed`].
pub fn check_chart<'a>(
    chart: &Chart,
    mut rows: impl Iterator<Item = u32>,
    needed: &[&'static Param],
    rules: impl Iterator<Item = &'a [AccessRule]>,
    access_lists: &AccessLists,
) -> Result<(), StoreError> {
    let is_missing = |param: &&&'static Param| param.base == chart.resource_type() && !chart.is_indexed_by(param);
    let Some(param) = needed.iter().find(is_missing) else { return Ok(()) };
    let rules: Vec<&AccessRule> = rules.flatten().collect();
    let is_reached = |row| rules.iter().any(|rule| reaches(&rule.patients, access_lists, chart.owner(row)));
    if rows.any(is_reached) { Err(StoreError::NotIndexed(param)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_as_they_were_written_or_not_at_all() {
        let all = IndexedParams::of(IndexSet::of_r4());
        assert_eq!(IndexedParams::parse(&all.text()), Some(all));
        assert_eq!(["[", "", "null", "[-1]"].map(IndexedParams::parse), [const { None }; 4]);
    }
}
