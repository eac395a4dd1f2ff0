//! Facts: the values of search parameters in a resource, normalised once, when the resource is loaded. Stores keep
//! facts, and a query compares a [`super::Criterion`] with them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::kind::date::DAY;
use super::kind::reference;
use super::kind::token::UNIT;
use super::param::Param;
use super::registry::params_of;
use crate::fhir::{Id, Reference, ResourceType, Span, each};

/// A value of a search parameter in a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// The logical id.
    Id(Id),
    /// A code and its system, either of which may be empty. The code is in ASCII lower case, except for identifiers.
    Token {
        /// The code system, or the identifier's namespace.
        system: String,
        /// The code, or the identifier's value.
        code: String,
    },
    /// A time.
    Span(Span),
    /// A string.
    String {
        /// The folded text, which searches compare.
        folded: String,
        /// The text as in the resource.
        written: String,
    },
    /// A reference: `Type/id`, or an address outside of this server.
    Reference(String),
}

impl Fact {
    /// A text that another value of the same parameter does not have.
    fn text(&self) -> String {
        match self {
            Self::Id(id) => id.as_str().to_owned(),
            Self::Token { system, code } => format!("{system}{UNIT}{code}"),
            Self::Span(Span { from, until }) => format!("{from} {until}"),
            Self::String { written, .. } => written.clone(),
            Self::Reference(target) => target.clone(),
        }
    }

    /// Returns whether it can be stored in an index: no text in it is longer than 2,000 bytes. A string is shortened
    /// when it becomes a fact; a shortened code, identifier or reference would be another one.
    #[must_use]
    pub fn is_short(&self) -> bool {
        const LONGEST: usize = 2_000;
        match self {
            Self::Token { system, code } => system.len() <= LONGEST && code.len() <= LONGEST,
            Self::Reference(target) => target.len() <= LONGEST,
            Self::Id(_) | Self::Span(_) | Self::String { .. } => true,
        }
    }
}

/// The number of values of a parameter that are compared with one another.
const FEW: usize = 16;

/// The facts of one resource.
pub type Facts = Vec<(&'static Param, Fact)>;

/// The facts of a resource, in the order of the registry. `target` gives the resource of a reference, for chained
/// parameters. Elements of an unexpected form have no facts, nor do resources in `contained`.
///
/// ```
/// use edgechart::fhir::ResourceType;
/// use edgechart::search::{Fact, facts};
///
/// let patient = serde_json::json!({"resourceType": "Patient", "name": [{"family": "Páez"}]});
/// let found = facts(ResourceType::Patient, &patient, &|_| None);
/// let (param, fact) = &found[0];
/// assert_eq!(param.name, "family");
/// assert_eq!(*fact, Fact::String { folded: "paez".to_owned(), written: "Páez".to_owned() });
/// ```
#[must_use]
pub fn facts(kind: ResourceType, resource: &Value, target: &dyn Fn(&Reference) -> Option<Value>) -> Facts {
    let mut found = Facts::new();
    for param in params_of(kind).filter(|param| !is_excepted(param, resource)) {
        let (before, mut many) = (found.len(), BTreeSet::new());
        let mut add = |mut fact| {
            if let Fact::Span(span) = &mut fact
                && param.name == "_lastUpdated"
            {
                // An instant has a time of day. One that is less precise counts by its first day.
                span.until = span.until.min(span.from.saturating_add(DAY));
            }
            if let Fact::Token { system, code } = &fact
                && (system.contains(UNIT) || code.contains(UNIT))
            {
                return;
            }
            // Most parameters have few values, which are compared one by one. Of many, the texts are compared.
            let of_param = found.get(before..).unwrap_or_default();
            let is_new = if of_param.len() < FEW {
                of_param.iter().all(|(_, known)| *known != fact)
            } else {
                if many.is_empty() {
                    many.extend(of_param.iter().map(|(_, known)| known.text()));
                }
                many.insert(fact.text())
            };
            if is_new {
                found.push((param, fact));
            }
        };
        match param.via {
            None => read(param, resource, &mut add),
            // A target of another type has no facts, because a search by the chain needs a scope for `to` alone.
            Some((reference, to)) => each(resource, reference, &mut |element| {
                let follow = |text: String| target(&Reference::parse(&text).filter(|found| found.kind == to)?);
                if let Some(chained) = reference::target(element).and_then(follow) {
                    read(param, &chained, &mut add);
                }
            }),
        }
    }
    found
}

fn is_excepted(param: &Param, resource: &Value) -> bool {
    let Some((path, code)) = param.unless else { return false };
    let mut excepted = false;
    each(resource, path, &mut |element| excepted |= element.as_str() == Some(code));
    excepted
}

fn read(param: &Param, resource: &Value, add: &mut dyn FnMut(Fact)) {
    for path in param.paths {
        each(resource, path, &mut |element| param.kind.facts(element, add));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_allergy_entered_in_error_has_no_clinical_status() {
        let found = |status: &Value| {
            let facts = facts(ResourceType::AllergyIntolerance, status, &|_| None);
            facts.into_iter().map(|(param, fact)| (param.name, fact)).collect::<Vec<_>>()
        };
        let active = Fact::Token { system: String::new(), code: "active".to_owned() };
        let status = json!({"coding": [{"code": "active"}]});
        let wrong = json!({"clinicalStatus": status, "verificationStatus": {"coding": [{"code": "entered-in-error"}]}});
        assert_eq!(found(&wrong), []);
        assert_eq!(found(&json!({"clinicalStatus": status})), [("clinical-status", active)]);
    }

    #[test]
    fn values_are_found_once_however_many_there_are() {
        let target = |number: usize| json!({"reference": format!("Observation/{number}")});
        let targets: Vec<_> = (0..50_000).map(|number| target(number % 25_000)).collect();
        let facts = facts(ResourceType::Provenance, &json!({"target": targets}), &|_| None);
        assert_eq!(facts.iter().filter(|(param, _)| param.name == "target").count(), 25_000);
    }

    #[test]
    fn a_chain_reads_the_target() {
        let role = json!({"practitioner": {"reference": "Practitioner/p"}});
        let target = |reference: &Reference| {
            (reference.id.as_str() == "p")
                .then(|| json!({"name": [{"family": "Páez"}], "identifier": [{"value": "7"}]}))
        };
        let facts = facts(ResourceType::PractitionerRole, &role, &target);
        let names: Vec<_> = facts.iter().map(|(param, _)| param.name).collect();
        assert_eq!(names, ["practitioner", "practitioner.identifier", "practitioner.name"]);
    }

    #[test]
    fn a_chain_leads_to_its_own_type_alone() {
        let role = json!({"practitioner": {"reference": "Patient/p"}});
        let facts = facts(ResourceType::PractitionerRole, &role, &|_| Some(json!({"name": [{"family": "Páez"}]})));
        assert_eq!(facts.iter().map(|(param, _)| param.name).collect::<Vec<_>>(), ["practitioner"]);
    }
}
