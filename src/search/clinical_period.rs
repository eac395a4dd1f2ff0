//! The period of care to which a search is limited: `start` and `end` of `$everything`
//! (<https://hl7.org/fhir/R4/patient-operation-everything.html>).

use super::clause::Clause;
use super::kind::RawValue;
use super::param::Param;
use super::registry::clinical_dates;
use fhir::{Issue, IssueCode, ResourceType, Span, quoted};

/// A period for the clinical dates of a type. A resource is in it if its date overlaps it, or if it has no date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClinicalPeriod {
    /// The clauses for dates that end before the start or start after the end, one for each parameter with such a date.
    outside: Vec<Clause>,
}

impl ClinicalPeriod {
    /// Returns the period between two dates of a query, for a type. `None` if both are missing, or if the type has no
    /// clinical date.
    ///
    /// # Errors
    /// If one of them is not a date.
    pub fn parse(resource_type: ResourceType, start: Option<&str>, end: Option<&str>) -> Result<Option<Self>, Issue> {
        for (name, date) in [("start", start), ("end", end)] {
            date.map_or(Ok(()), |date| check_date(name, date))?;
        }
        let mut outside = Vec::new();
        for param in clinical_dates(resource_type) {
            for (prefix, text) in [("eb", start), ("sa", end)] {
                outside.extend(text.map(|text| clause(param, &[prefix, text].concat())).transpose()?);
            }
        }
        Ok((!outside.is_empty()).then_some(Self { outside }))
    }

    /// Returns whether a resource is in the period. `satisfies` tells whether the resource satisfies a clause.
    pub fn has<'a>(&'a self, satisfies: impl Fn(&'a Clause) -> bool) -> bool {
        !self.outside.iter().any(satisfies)
    }

    /// Returns the clauses that must be evaluated for each resource.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        self.outside.iter()
    }
}

/// Checks that the value of a parameter is one date, without a prefix.
///
/// # Errors
/// If it is something else.
pub fn check_date(name: &str, text: &str) -> Result<(), Issue> {
    // A plus sign that was not encoded arrives as a space; no date has a space.
    let is_date = Span::parse(&text.replace(' ', "+")).is_some();
    let malformed = || Issue::error(IssueCode::Value, format!("{} is not a date.", quoted(text))).about(name);
    is_date.then_some(()).ok_or_else(malformed)
}

fn clause(param: &'static Param, text: &str) -> Result<Clause, Issue> {
    let value = RawValue { resource_type: param.base, param: param.name, modifier: None, text, base: "", now: 0 };
    let any = param.kind.criteria(&value)?;
    Ok(Clause { param, any, also: None, negated: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fact, IndexSet, facts};
    use ResourceType as T;
    use serde_json::{Value, json};

    /// Returns whether a resource is between two dates.
    fn is_within(base: T, resource: &Value, start: &str, end: &str) -> bool {
        let given = |text: &'static str| (!text.is_empty()).then_some(text);
        let (start, end): (&'static str, &'static str) = (start.to_owned().leak(), end.to_owned().leak());
        let Some(period) = ClinicalPeriod::parse(base, given(start), given(end)).unwrap() else { return true };
        let facts = facts(base, resource, &resource.to_string(), IndexSet::us_core(), &|_| None);
        let of = |param: &'static Param| -> Vec<&Fact> {
            facts.iter().filter(|(of, _)| *of == param).map(|(_, fact)| fact).collect()
        };
        period.has(|clause| clause.holds(|param| of(param).into_iter()))
    }

    #[test]
    fn a_date_that_overlaps_the_period_is_in_it() {
        let encounter = json!({"period": {"start": "2020-01-10", "end": "2020-03-10"}});
        for (start, end, expected) in [
            ("2020-02", "", true),
            ("2020-03-10", "", true),
            ("2020-03-11", "", false),
            ("", "2020-01-10", true),
            ("", "2020-01-09", false),
            ("2019", "2021", true),
            ("2020-02-01", "2020-02-02", true),
            ("2020-04", "2020-05", false),
        ] {
            assert_eq!(is_within(T::Encounter, &encounter, start, end), expected, "{start} to {end}");
        }
        let open = json!({"period": {"start": "2020-01-10"}});
        assert!(is_within(T::Encounter, &open, "2025", ""));
        assert!(!is_within(T::Encounter, &open, "", "2019"));
    }

    #[test]
    fn a_date_of_any_element_has_its_length() {
        for (base, resource) in [
            (T::Condition, json!({"recordedDate": "2020"})),
            (T::Coverage, json!({"period": {"start": "2019-05", "end": "2020-06-15"}})),
            (T::DocumentReference, json!({"context": {"period": {"start": "2020-03", "end": "2020-08"}}})),
            (T::AllergyIntolerance, json!({"onsetPeriod": {"start": "2010", "end": "2020-07"}})),
            (T::FamilyMemberHistory, json!({"date": "2020"})),
        ] {
            for (start, end, expected) in
                [("2020-06-15", "", true), ("", "2020-06", true), ("2021", "", false), ("", "2009", false)]
            {
                assert_eq!(is_within(base, &resource, start, end), expected, "{base} {start} to {end}");
            }
        }
    }

    #[test]
    fn what_has_no_clinical_date_is_in_every_period() {
        for (base, resource) in
            [(T::Encounter, json!({})), (T::Patient, json!({"meta": {"lastUpdated": "1950-01-01T00:00:00Z"}}))]
        {
            assert!(is_within(base, &resource, "2020", "2021"), "{base}");
        }
    }
}
