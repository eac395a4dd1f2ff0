//! The conditions that a resource has changed in a span of time.

use super::parse::{Handling, parse};
use super::query::Clause;
use crate::fhir::{Micros, ResourceType, instant};

/// The clauses by which a resource of a type has changed after `since` and before `until`.
#[must_use]
pub fn changed_between(resource_type: ResourceType, since: Option<Micros>, until: Option<Micros>) -> Vec<Clause> {
    let bound = |prefix: &str, time: Micros| ("_lastUpdated".to_owned(), format!("{prefix}{}", instant(time)));
    let bounds: Vec<_> =
        since.map(|time| bound("gt", time)).into_iter().chain(until.map(|time| bound("lt", time))).collect();
    parse(resource_type, &bounds, Handling::Strict, "").map(|query| query.all).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::Span;
    use crate::search::{Fact, last_updated};

    #[test]
    fn a_change_is_after_since_and_before_until() {
        let time = |text: &str| Span::parse(text).unwrap();
        let holds = |since: Option<&str>, until: Option<&str>, changed: &str| {
            let bound = |text: Option<&str>| text.map(|text| time(text).from);
            let clauses = changed_between(ResourceType::Observation, bound(since), bound(until));
            assert_eq!(clauses.len(), usize::from(since.is_some()) + usize::from(until.is_some()));
            let fact: Fact = time(changed).into();
            clauses.iter().all(|clause| {
                clause.holds(|param| {
                    (param.name == last_updated(ResourceType::Observation).name).then_some(&fact).into_iter()
                })
            })
        };
        let (noon, later) = (Some("2026-01-01T12:00:00Z"), "2026-01-01T12:00:01Z");
        assert!(holds(noon, None, later) && !holds(noon, None, "2026-01-01T11:59:59Z"));
        assert!(!holds(noon, None, "2026-01-01T12:00:00.000Z"), "`since` itself is not after it");
        assert!(holds(None, noon, "2026-01-01T11:59:59Z") && !holds(None, noon, later));
        assert!(holds(None, None, later) && !holds(noon, Some(later), later));
    }
}
