//! `_typeFilter`: searches whose results are exported.

use super::exporter::Exporter;
use crate::Settings;
use crate::http::form::{decode, encode};
use crate::http::problem::Problem;
use crate::records::record_types::type_named;
use fhir::{Issue, IssueCode, ResourceType, quoted};
use search::{Handling, ParseContext, Query, parse_in};
use smart::{Denied, is_directory};

/// The name of the parameter.
pub const TYPE_FILTER: &str = "_typeFilter";

/// A search of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeFilter {
    pub resource_type: ResourceType,
    /// The search, with encoded names and values: `Type?name=value&name=value`.
    pub text: String,
    /// The search, parsed.
    pub query: Query,
}

/// Returns the searches in a value of `_typeFilter`, as texts. In version 2.0.0, a value is a list of searches, in
/// version 3.0.0 a single one. A comma only separates searches if a type and a question mark follow it.
pub fn searches_in(value: &str) -> Vec<&str> {
    let begins = |rest: &str| {
        let name = rest.split_once('?').map_or("", |(name, _)| name);
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let mut all = Vec::new();
    let mut start = 0;
    for (at, _) in value.match_indices(',') {
        let (before, rest) = (value.get(..at).unwrap_or_default(), value.get(at + 1..).unwrap_or_default());
        if begins(rest) && !before.ends_with('\\') {
            all.push(value.get(start..at).unwrap_or_default());
            start = at + 1;
        }
    }
    all.push(value.get(start..).unwrap_or_default());
    all
}

impl TypeFilter {
    /// Parses a search. It is decoded once more, since a search may be encoded in the value.
    ///
    /// # Errors
    /// All faults of the search. One of them is that it does more than select resources by their contents.
    pub fn parse(settings: &Settings, text: &str) -> Result<Self, Vec<Issue>> {
        let one = |issue: Issue| vec![issue.about(TYPE_FILTER)];
        let form = "Type?parameter=value";
        let Some((name, query)) = text.split_once('?') else {
            let text = format!("{} is no search of a type.", quoted(text));
            return Err(one(Issue::error(IssueCode::Value, text).hint(form)));
        };
        let resource_type = type_named(name, TYPE_FILTER).map_err(|issue| vec![issue])?;
        let pairs = decode(query).map_err(one)?;
        if pairs.is_empty() {
            let text = format!("{} has no parameter.", quoted(text));
            return Err(one(Issue::error(IssueCode::Value, text).hint(form)));
        }
        let parse = |pairs: &[(String, String)]| {
            let Settings { base, index, .. } = settings;
            parse_in(&ParseContext { set: index, now: 0, handling: Handling::Strict, base }, resource_type, pairs)
        };
        let about = |issue: Issue| {
            let text = match &issue.parameter {
                Some(parameter) => format!("{resource_type}, {}: {}", quoted(parameter), issue.text),
                None => format!("{resource_type}: {}", issue.text),
            };
            Issue { text, ..issue }.about(TYPE_FILTER)
        };
        let parsed = parse(&pairs).map_err(|issues| issues.into_iter().map(about).collect::<Vec<_>>())?;
        let refused = |text: String| Err(one(Issue::error(IssueCode::NotSupported, text)));
        let params = parsed.all.iter().map(|clause| clause.param);
        let chained = { params }.find(|param| is_directory(resource_type) && param.via.is_some());
        let joined = parsed.joins.first().map(|join| join.name.as_str()).or(chained.map(|param| param.name));
        if let Some(name) = joined {
            let name = quoted(name);
            return refused(format!("{resource_type}: {name} leads to other resources, which a filter does not."));
        }
        if parsed.patients.is_some() {
            let text = format!("{resource_type}: a filter does not say whose records go out.");
            let issue = Issue::error(IssueCode::NotSupported, text);
            return Err(one(issue.hint("the parameter patient of a POST, or a Group")));
        }
        if parsed.now.is_some() {
            return refused(format!("{resource_type}: the prefix \"ap\" means something else each time."));
        }
        if parsed.all.len() != parsed.parameters.len() {
            let selects =
                |pair: &(String, String)| parse(std::slice::from_ref(pair)).is_ok_and(|one| !one.all.is_empty());
            let odd = pairs.iter().find(|pair| !selects(pair)).map_or("", |(name, _)| name);
            return refused(format!("{resource_type}: {} selects no resources.", quoted(odd)));
        }
        let written = encode(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        Ok(Self { resource_type, text: format!("{resource_type}?{written}"), query: parsed })
    }

    /// Checks that the exporter may know the values that the filter compares. A chained parameter reads another type.
    ///
    /// # Errors
    /// If no scope without a filter opens that type.
    pub fn permit(&self, exporter: &Exporter) -> Result<(), Problem> {
        let mut targets = self.query.all.iter().filter_map(|clause| clause.param.via).map(|(_, target)| target);
        match targets.find(|target| !exporter.opens_all(*target)) {
            Some(resource_type) => {
                let needed = format!("system/{resource_type}.read");
                Err(Problem::Denied(Denied::Scope { resource_type, needed }))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;

    fn parse(text: &str) -> Result<String, String> {
        let settings = Settings::new("https://records.example", Environment::Production, b"");
        let parsed = TypeFilter::parse(&settings, text);
        parsed.map(|filter| filter.text).map_err(|issues| issues[0].text.clone())
    }

    #[test]
    fn a_list_has_searches_and_a_search_has_commas() {
        for (value, expected) in [
            ("Observation?status=final", &["Observation?status=final"][..]),
            ("Observation?code=a,b", &["Observation?code=a,b"]),
            ("Observation?code=a,b,Goal?_id=x", &["Observation?code=a,b", "Goal?_id=x"]),
            ("Goal?_id=x,Goal?_id=y", &["Goal?_id=x", "Goal?_id=y"]),
            ("Goal?_id=x\\,Goal?_id=y", &["Goal?_id=x\\,Goal?_id=y"]),
            ("Goal?_id=x,goal?_id=y", &["Goal?_id=x,goal?_id=y"]),
            ("", &[""]),
        ] {
            assert_eq!(searches_in(value), expected, "{value}");
        }
    }

    #[test]
    fn a_search_is_decoded_and_parsed_by_its_type() {
        for (text, expected) in [
            ("Observation?status=final&date=ge2020-01-01", "Observation?status=final&date=ge2020-01-01"),
            ("Observation?date=gt2018-07-01T00%3A00%3A00Z", "Observation?date=gt2018-07-01T00:00:00Z"),
            ("Condition?category:not=x,y", "Condition?category:not=x,y"),
            ("Patient?_lastUpdated=ge2020", "Patient?_lastUpdated=ge2020"),
            ("Patient?name=a%26b%25", "Patient?name=a%26b%25"),
            ("Observation?code=http://loinc.org|1-8", "Observation?code=http://loinc.org%7C1-8"),
        ] {
            assert_eq!(parse(text), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn ex04_what_selects_nothing_or_leads_elsewhere_is_refused() {
        for (text, why) in [
            ("Observation", "\"Observation\" is no search of a type."),
            ("Observation?", "\"Observation?\" has no parameter."),
            ("Castle?a=b", "\"Castle\" is no type that is served here."),
            ("Observation?colour=red", "Observation, \"colour\": Observation has no search parameter \"colour\"."),
            ("Observation?date=yesterday", "Observation, \"date\": \"yesterday\" is not a date."),
            ("Observation?status=final&_sort=date", "Observation: \"_sort\" selects no resources."),
            ("Observation?_count=5", "Observation: \"_count\" selects no resources."),
            ("Observation?_elements=code", "Observation: \"_elements\" selects no resources."),
            ("Observation?patient=a", "Observation: a filter does not say whose records go out."),
            ("Observation?subject=Patient/a", "Observation: a filter does not say whose records go out."),
            (
                "Observation?encounter.status=finished",
                "Observation: \"encounter.status\" leads to other resources, which a filter does not.",
            ),
            (
                "Patient?_has:Observation:patient:code=a",
                "Patient: \"_has:Observation:patient:code\" leads to other resources, which a filter does not.",
            ),
            ("Observation?date=ap2020", "Observation: the prefix \"ap\" means something else each time."),
        ] {
            assert_eq!(parse(text), Err(why.to_owned()), "{text}");
        }
        for include in ["_include=Observation:encounter", "_revinclude=Provenance:target"] {
            let text = format!("Observation?{include}");
            assert!(parse(&text).is_err_and(|why| why.ends_with("selects no resources.")), "{text}");
        }
    }
}
