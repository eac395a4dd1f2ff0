//! Facts: the values of search parameters in a resource, normalised once, when the resource is loaded. Stores keep
//! facts, and a query compares a [`super::Criterion`] with them.

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
            let fact = (param, fact);
            if !found.contains(&fact) {
                found.push(fact);
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
