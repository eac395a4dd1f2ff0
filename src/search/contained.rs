//! Resources in `contained` (<https://hl7.org/fhir/R4/references.html#contained>). Their ids are valid only inside
//! their container, so that only chains find them.

use serde_json::Value;

use super::clause::Clause;
use super::kind::{Criterion, Fact, Token, TokenCriterion};
use super::registry::contained;
use fhir::{ResourceType, for_each_value};

/// Returns facts with the types of the resources that a resource contains, one for each type.
pub(super) fn contained_types(resource: &Value) -> Vec<Fact> {
    let mut types = Vec::new();
    for_each_value(resource, "contained", &mut |inner| types.extend(type_of(inner)));
    types.sort_unstable();
    types.dedup();
    types.into_iter().map(|of| Token { system: String::new(), code: of.name().to_owned() }.into()).collect()
}

/// Returns the contained resource with an id, if it is of that type.
pub(super) fn contained_in<'a>(resource: &'a Value, id: &str, target: ResourceType) -> Option<&'a Value> {
    let mut found = None;
    for_each_value(resource, "contained", &mut |inner| {
        found = found.or_else(|| (local(inner) == Some(id)).then_some(inner));
    });
    found.filter(|found| type_of(found) == Some(target))
}

/// Returns the clause that a resource contains one of these types. `None` if `resource_type` is not served.
pub fn containing(resource_type: ResourceType, types: &[ResourceType]) -> Option<Clause> {
    let is = |of: &ResourceType| TokenCriterion::Coded { system: String::new(), code: of.name().to_owned() }.into();
    let any: Vec<Criterion> = types.iter().map(is).collect();
    Some(Clause { param: contained(resource_type)?, any, also: None, negated: false })
}

pub(super) fn type_of(resource: &Value) -> Option<ResourceType> {
    ResourceType::parse(resource.get("resourceType")?.as_str()?)
}

pub(super) fn local(resource: &Value) -> Option<&str> {
    resource.get("id")?.as_str()
}
