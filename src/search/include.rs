//! The references that a search may follow, forward (`_include`) and backward (`_revinclude`).

use super::param::Param;
use super::registry::{named, params_of};
use super::us_core::UsCore;
use crate::fhir::ResourceType as T;

/// A reference that is followed to resources of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Include {
    /// The parameter of the reference. Its type is the type of the matches, or, backward, of the resources that refer
    /// to them.
    pub param: &'static Param,
    /// The type of the target. Backward, it is the type of the matches.
    pub to: T,
}

impl Include {
    /// The type of the resources that it adds to matches of type `on`.
    #[must_use]
    pub fn added_type(&self, on: T) -> T {
        if self.param.on == on { self.to } else { self.param.on }
    }

    /// The value of `_include` or `_revinclude` that requests it, such as `MedicationRequest:medication`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}:{}", self.param.on, self.param.name)
    }
}

/// The references from resources of a type that may be followed.
pub fn includes(on: T) -> impl Iterator<Item = Include> {
    params_of(on).flat_map(|param| param.included.iter().map(move |to| Include { param, to: *to }))
}

/// The references to resources of a type that may be followed backward.
pub fn reverse_includes(on: T) -> impl Iterator<Item = Include> {
    let supported = UsCore::of_contract().has_provenance(on);
    provenance_target().into_iter().filter(move |_| supported).map(move |param| Include { param, to: on })
}

/// The parameter of Provenance for the resources that it is about.
#[must_use]
pub fn provenance_target() -> Option<&'static Param> {
    named(T::Provenance, "target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_those_of_us_core_and_lead_to_their_target_types() {
        let forward: Vec<_> = T::served().iter().flat_map(|resource_type| includes(*resource_type)).collect();
        assert_eq!(
            forward.iter().map(|include| format!("{}:{}", include.name(), include.to)).collect::<Vec<_>>(),
            [
                "CareTeam:participant:PractitionerRole",
                "CareTeam:participant:Practitioner",
                "CareTeam:participant:Patient",
                "CareTeam:participant:RelatedPerson",
                "MedicationDispense:medication:Medication",
                "MedicationRequest:medication:Medication",
                "PractitionerRole:endpoint:Endpoint",
                "PractitionerRole:practitioner:Practitioner",
            ]
        );
        let back: Vec<_> = T::served().iter().flat_map(|resource_type| reverse_includes(*resource_type)).collect();
        assert_eq!(back.len(), 19);
        for include in forward.iter().chain(&back) {
            assert!(include.param.kind.targets().unwrap().contains(&include.to));
        }
    }

    #[test]
    fn an_include_adds_the_type_at_the_other_end() {
        let forward = includes(T::MedicationRequest).next().unwrap();
        let back = reverse_includes(T::Observation).next().unwrap();
        assert_eq!(
            (forward.added_type(T::MedicationRequest), forward.name()),
            (T::Medication, "MedicationRequest:medication".into())
        );
        assert_eq!((back.added_type(T::Observation), back.name()), (T::Provenance, "Provenance:target".into()));
    }
}
