//! The period of care to which a search is limited: `start` and `end` of `$everything`
//! (<https://hl7.org/fhir/R4/patient-operation-everything.html>).

use super::clinical_order::{clinical_order, has_clinical_date};
use super::kind::{Modifier, RawValue};
use super::param::Param;
use super::query::Clause;
use super::registry::params_of;
use super::sort_key::{SortKey, UNDATED, newest_first};
use crate::fhir::{Issue, IssueCode, Micros, ResourceType, Span, quoted};

/// A period for the clinical dates of a type. A resource is in it if its date overlaps it, or if it has no date.
///
/// The date is that of the default order (decision 8). Where the search parameter that reads it has a value, that value
/// says when the date ends. Any other date is known by its sort key alone, and counts as the instant of its start; or,
/// if it is a Period, as one without an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClinicalPeriod {
    /// The coded time of the start. Dates before it have larger codes.
    start: Option<String>,
    /// The coded time after the end. Dates before it have larger codes.
    end: Option<String>,
    /// The clinical parameter has a value.
    dated: Option<Clause>,
    /// The value ends before the start, or starts after the end.
    outside: Vec<Clause>,
    /// True if the only date of the type is a Period.
    lasts: bool,
}

impl ClinicalPeriod {
    /// The period between two dates as a query has them, for a type. `None` if both are missing, or if the type has no
    /// clinical date.
    ///
    /// # Errors
    /// If one of them is not a date.
    pub fn parse(on: ResourceType, start: Option<&str>, end: Option<&str>) -> Result<Option<Self>, Issue> {
        let [(start, from), (end, until)] =
            [(start, date("start", start)?.map(|span| span.from)), (end, date("end", end)?.map(|span| span.until))];
        if !has_clinical_date(on) || (start.is_none() && end.is_none()) {
            return Ok(None);
        }
        let (mut dated, mut outside) = (None, Vec::new());
        if let Some(param) = params_of(on).find(|param| param.clinical) {
            dated = Some(clause(param, Some(Modifier::Missing), "false")?);
            for (prefix, text) in [("eb", start), ("sa", end)] {
                if let Some(text) = text {
                    outside.push(clause(param, None, &[prefix, text].concat())?);
                }
            }
        }
        let coded = |time: Option<Micros>| time.map(|time| newest_first(Some(time)));
        let lasts =
            matches!(clinical_order(on), [only] if matches!(only.as_slice(), [path] if path.ends_with("eriod")));
        Ok(Some(Self { start: coded(from), end: coded(until), dated, outside, lasts }))
    }

    /// Returns whether a resource is in the period, by its sort key. `satisfies` returns whether it satisfies a clause.
    pub fn has<'a>(&'a self, sort_key: &str, satisfies: impl Fn(&'a Clause) -> bool) -> bool {
        if self.dated.iter().any(&satisfies) {
            return !self.outside.iter().any(satisfies);
        }
        let code = sort_key.get(..SortKey::ID_AT).unwrap_or(UNDATED);
        let is_after_start = |start: &String| self.lasts || code <= start.as_str();
        let is_before_end = |end: &String| code > end.as_str();
        code == UNDATED
            || (self.start.as_ref().is_none_or(is_after_start) && self.end.as_ref().is_none_or(is_before_end))
    }

    /// The clauses that it needs of each resource.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        self.dated.iter().chain(&self.outside)
    }
}

/// The date of a parameter.
fn date(name: &str, text: Option<&str>) -> Result<Option<Span>, Issue> {
    // A plus sign that was not encoded arrives as a space; no date has a space.
    let parse = |text: &str| {
        let malformed = || Issue::error(IssueCode::Value, format!("{} is not a date.", quoted(text))).about(name);
        Span::parse(&text.replace(' ', "+")).ok_or_else(malformed)
    };
    text.map(parse).transpose()
}

fn clause(param: &'static Param, modifier: Option<Modifier>, text: &str) -> Result<Clause, Issue> {
    let any = param.kind.criteria(&RawValue { on: param.on, param: param.name, modifier, text, base: "", now: 0 })?;
    Ok(Clause { param, any, also: None, negated: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::Id;
    use crate::search::{Fact, IndexSet, facts};
    use ResourceType as T;
    use serde_json::{Value, json};

    /// Returns whether a resource is between two dates, with the facts of its parameters or by its sort key alone.
    fn is_within(on: T, resource: &Value, start: &str, end: &str, has_facts: bool) -> bool {
        let given = |text: &'static str| (!text.is_empty()).then_some(text);
        let (start, end): (&'static str, &'static str) = (start.to_owned().leak(), end.to_owned().leak());
        let Some(period) = ClinicalPeriod::parse(on, given(start), given(end)).unwrap() else { return true };
        let mut time = None;
        for path in clinical_order(on).iter().flatten() {
            crate::fhir::for_each_value(resource, path, &mut |element| {
                time = time.or(Span::of_element(element).map(Span::sort_time));
            });
        }
        let facts =
            if has_facts { facts(on, resource, &resource.to_string(), IndexSet::all(), &|_| None) } else { Vec::new() };
        let of = |param: &'static Param| -> Vec<&Fact> {
            facts.iter().filter(|(of, _)| *of == param).map(|(_, fact)| fact).collect()
        };
        let key = SortKey::new(time, &Id::parse("x").unwrap());
        period.has(key.as_str(), |clause| clause.holds(|param| of(param).into_iter()))
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
            assert_eq!(is_within(T::Encounter, &encounter, start, end, true), expected, "{start} to {end}");
        }
        let open = json!({"period": {"start": "2020-01-10"}});
        assert!(is_within(T::Encounter, &open, "2025", "", true));
        assert!(!is_within(T::Encounter, &open, "", "2019", true));
    }

    #[test]
    fn without_a_value_of_the_parameter_the_start_counts() {
        let recorded = json!({"recordedDate": "2020-05-05"});
        assert!(is_within(T::Condition, &recorded, "2020-05-05", "2020-05-05", true));
        assert!(!is_within(T::Condition, &recorded, "2020-05-06", "", true));
        assert!(!is_within(T::Condition, &recorded, "", "2020-05-04", true));
        let coverage = json!({"period": {"start": "2010", "end": "2011"}});
        assert!(is_within(T::Coverage, &coverage, "2020", "", false), "its end is not known here");
        assert!(!is_within(T::Coverage, &coverage, "", "2009", false));
    }

    #[test]
    fn what_has_no_clinical_date_is_in_every_period() {
        for (on, resource) in [(T::Encounter, json!({})), (T::Patient, json!({"birthDate": "1950"}))] {
            assert!(is_within(on, &resource, "2020", "2021", true), "{on}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in ["", "soon", "ge2020", "2020-13"] {
            for (start, end, name) in [(Some(text), None, "start"), (None, Some(text), "end")] {
                let issue = ClinicalPeriod::parse(T::Patient, start, end).unwrap_err();
                assert_eq!((issue.code, issue.parameter.as_deref()), (IssueCode::Value, Some(name)), "{text}");
            }
        }
    }
}
