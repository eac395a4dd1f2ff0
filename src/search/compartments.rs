//! The compartments of R4 (<https://hl7.org/fhir/R4/compartmentdefinition.html>): the parameters that place a resource
//! in the compartment of a patient, an encounter, a practitioner, a related person or a device. The definitions are in
//! `src/search/tables/compartments.tsv`.

use std::sync::LazyLock;

use fhir::{Blocks, ResourceType, words};

static COMPARTMENTS: LazyLock<Blocks> = LazyLock::new(|| Blocks::read(include_str!("tables/compartments.tsv")));

/// Returns the types whose resources have compartments.
pub fn compartment_types() -> impl Iterator<Item = ResourceType> {
    ResourceType::served().iter().copied().filter(|owner| !COMPARTMENTS.about(owner.name()).is_empty())
}

/// Returns the served types whose resources can be in the compartments of a type.
pub fn types_in_compartment(owner: ResourceType) -> impl Iterator<Item = ResourceType> {
    COMPARTMENTS.about(owner.name()).iter().filter_map(|[name, ..]| ResourceType::parse(name))
}

/// Returns the names of the parameters that place a resource of a type in a compartment. `None` if the definition does
/// not have the type.
pub(super) fn members_by(owner: ResourceType, base: ResourceType) -> Option<impl Iterator<Item = &'static str>> {
    let mut lines = COMPARTMENTS.about(owner.name()).iter();
    lines.find(|[name, ..]| *name == base.name()).map(|[_, members, ..]| words(members))
}
