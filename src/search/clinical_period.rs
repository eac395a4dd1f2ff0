//! The period of care to which a search is limited: `start` and `end` of `$everything`
//! (<https://hl7.org/fhir/R4/patient-operation-everything.html>).

use super::kind::RawValue;
use super::param::Param;
use super::query::Clause;
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
        check("start", start)?;
        check("end", end)?;
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

/// Fails if the value of a parameter is not a date.
fn check(name: &str, text: Option<&str>) -> Result<(), Issue> {
    // A plus sign that was not encoded arrives as a space; no date has a space.
    let is_date = |text: &str| Span::parse(&text.replace(' ', "+")).is_some();
    match text.filter(|text| !is_date(text)) {
        Some(text) => Err(Issue::error(IssueCode::Value, format!("{} is not a date.", quoted(text))).about(name)),
        None => Ok(()),
    }
}

fn clause(param: &'static Param, text: &str) -> Result<Clause, Issue> {
    let value = RawValue { resource_type: param.base, param: param.name, modifier: None, text, base: "", now: 0 };
    let any = param.kind.criteria(&value)?;
    Ok(Clause { param, any, also: None, negated: false })
}
