//! Conditions on the time at which this server last changed a resource. A store keeps this time in addition to the time
//! that the source states (`meta.lastUpdated`).

use super::clause::Clause;
use super::kind::DateCriterion;
use super::registry::changed;
use fhir::{Micros, ResourceType};

/// Returns the clauses for resources that this server changed after `since` and before `until`. A resource whose time
/// of change is unknown to the store satisfies them: it may be returned once too often, but is never left out.
pub fn changed_between(base: ResourceType, since: Option<Micros>, until: Option<Micros>) -> Vec<Clause> {
    let Some(param) = changed(base) else { return Vec::new() };
    let no = |criterion: DateCriterion| Clause { param, any: vec![criterion.into()], also: None, negated: true };
    let not_by = since.map(|since| no(DateCriterion::StartsBefore(since.saturating_add(1))));
    let not_from = until.map(|until| no(DateCriterion::StartsFrom(until)));
    not_by.into_iter().chain(not_from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::params_of;
    use crate::{Fact, IndexSet, stored_params};
    use ResourceType as T;
    use fhir::Span;

    #[test]
    fn what_was_changed_strictly_between_two_times_or_at_an_unknown_one_is_found() {
        let at = |from: Micros| Fact::from(Span { from, until: from + 1 });
        let finds = |since, until, facts: &[Fact]| {
            let clauses = changed_between(T::Patient, since, until);
            clauses.iter().all(|clause| clause.holds(|_| facts.iter()))
        };
        for (since, until, found) in [
            (None, None, [true; 5]),
            (Some(10), None, [false, false, true, true, true]),
            (None, Some(12), [true, true, true, false, false]),
            (Some(10), Some(12), [false, false, true, false, false]),
            (Some(12), Some(12), [false; 5]),
            (Some(Micros::MAX), None, [false; 5]),
        ] {
            assert_eq!([9, 10, 11, 12, 13].map(|time| finds(since, until, &[at(time)])), found, "{since:?} {until:?}");
            assert!(finds(since, until, &[]), "a time that is not known");
        }
    }

    #[test]
    fn each_type_has_it_in_every_set_and_no_query_asks_for_it() {
        for base in T::served() {
            let param = changed(*base).unwrap_or_else(|| panic!("{base} has no number for the time of its changes"));
            assert!(params_of(*base).all(|other| other != param && other.name != param.name), "{base}");
            assert_eq!(stored_params(*base).last(), Some(param));
            for set in [IndexSet::us_core(), IndexSet::of_r4()] {
                assert!(
                    set.stored_params(*base).any(|stored| stored == param) && set.named(*base, param.name).is_none(),
                    "{base}"
                );
            }
        }
    }
}
