//! The compartments of R4 (<https://hl7.org/fhir/R4/compartmentdefinition.html>): by which parameters a resource is in
//! that of a patient, an encounter, a practitioner, a related person or a device. `src/search/tables/compartments.tsv`
//! has the definitions.

use std::sync::LazyLock;

use fhir::{Blocks, ResourceType, words};

static COMPARTMENTS: LazyLock<Blocks> = LazyLock::new(|| Blocks::read(include_str!("tables/compartments.tsv")));

/// The types whose resources have compartments.
pub fn compartment_types() -> impl Iterator<Item = ResourceType> {
    ResourceType::served().iter().copied().filter(|of| !COMPARTMENTS.about(of.name()).is_empty())
}

/// The types with resources in the compartments of a type, of those that are served.
pub fn types_in_compartment(of: ResourceType) -> impl Iterator<Item = ResourceType> {
    COMPARTMENTS.about(of.name()).iter().filter_map(|[name, ..]| ResourceType::parse(name))
}

/// The names of the parameters by which a resource of a type is in a compartment. `None` if the definition does not
/// have the type.
pub(super) fn members_by(of: ResourceType, on: ResourceType) -> Option<impl Iterator<Item = &'static str>> {
    let mut lines = COMPARTMENTS.about(of.name()).iter();
    lines.find(|[name, ..]| *name == on.name()).map(|[_, members, ..]| words(members))
}
