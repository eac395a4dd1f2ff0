//! The facts of a resource: its elements, by the paths of the search parameters of its type.

use std::collections::BTreeSet;

use serde_json::Value;

use super::kind::{Fact, target as reference_target};
use super::param::Param;
use super::registry::params_of;
use crate::fhir::{Reference, ResourceType, for_each_value};

/// The number of values of a parameter that are compared with one another.
const FEW: usize = 16;

/// The facts of one resource.
pub type Facts = Vec<(&'static Param, Fact)>;

/// The facts of a resource, in the order of the registry. `target` gives the resource of a reference, for chained
/// parameters. Elements of an unexpected form have no facts, nor do resources in `contained`.
///
/// ```
/// use edgechart::fhir::ResourceType;
/// use edgechart::search::facts;
/// use edgechart::search::kind::Text;
///
/// let patient = serde_json::json!({"resourceType": "Patient", "name": [{"family": "Páez"}]});
/// let found = facts(ResourceType::Patient, &patient, &|_| None);
/// let (param, fact) = &found[0];
/// assert_eq!(param.name, "family");
/// assert_eq!(*fact, Text { folded: "paez".to_owned(), written: "Páez".to_owned() }.into());
/// ```
#[must_use]
pub fn facts(resource_type: ResourceType, resource: &Value, target: &dyn Fn(&Reference) -> Option<Value>) -> Facts {
    let mut found = Facts::new();
    for param in params_of(resource_type).filter(|param| !is_excepted(param, resource)) {
        let (before, mut many) = (found.len(), BTreeSet::new());
        let mut add = |mut fact: Fact| {
            if param.name == "_lastUpdated" {
                fact.limit_to_instant();
            }
            if !fact.is_separable() {
                return;
            }
            // Most parameters have few values, which are compared one by one. Many are compared by their texts.
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
            Some((reference, to)) => for_each_value(resource, reference, &mut |element| {
                let follow = |text: String| target(&Reference::parse(&text).filter(|found| found.resource_type == to)?);
                if let Some(chained) = reference_target(element).and_then(follow) {
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
    for_each_value(resource, path, &mut |element| excepted |= element.as_str() == Some(code));
    excepted
}

fn read(param: &Param, resource: &Value, add: &mut dyn FnMut(Fact)) {
    for path in param.paths {
        for_each_value(resource, path, &mut |element| param.kind.facts(element, add));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::kind::Token;
    use serde_json::json;

    #[test]
    fn an_allergy_entered_in_error_has_no_clinical_status() {
        let found = |status: &Value| {
            let facts = facts(ResourceType::AllergyIntolerance, status, &|_| None);
            facts.into_iter().map(|(param, fact)| (param.name, fact)).collect::<Vec<_>>()
        };
        let active = Fact::from(Token { system: String::new(), code: "active".to_owned() });
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
