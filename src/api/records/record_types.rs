//! The types of resources: their order in answers, their names in parameters, and which of them are records of
//! patients.

use fhir::{Issue, IssueCode, ResourceType, quoted};
use smart::{belongs_to_nobody, is_directory};

/// Returns whether resources of a type may belong to a patient.
pub fn is_of_records(resource_type: ResourceType) -> bool {
    !is_directory(resource_type) && !belongs_to_nobody(resource_type)
}

/// Returns the served types in the order of the answer, beginning with Patient.
pub fn in_order() -> impl Iterator<Item = ResourceType> {
    let others = ResourceType::served().iter().copied().filter(|resource_type| *resource_type != ResourceType::Patient);
    std::iter::once(ResourceType::Patient).chain(others)
}

/// Returns the types in a value of `_type`.
pub fn types_of(value: &str) -> Result<Vec<ResourceType>, Issue> {
    value.split(',').map(|name| type_named(name, "_type")).collect()
}

/// Returns the type with a name in a parameter.
///
/// # Errors
/// If there is no served type with that name.
pub fn type_named(name: &str, parameter: &str) -> Result<ResourceType, Issue> {
    ResourceType::parse(name).ok_or_else(|| {
        let names: Vec<_> = in_order().map(ResourceType::name).collect();
        let text = format!("{} is no type that is served here.", quoted(name));
        Issue::error(IssueCode::Value, text).about(parameter).hint(names.join(", "))
    })
}
