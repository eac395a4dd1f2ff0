//! Which references a search may follow, forward and back (`_include`, `_revinclude`).

use super::param::Param;
use super::registry::named;
use crate::fhir::ResourceType::{self as T, *};

/// A reference that is followed to resources of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Include {
    /// The parameter whose reference it is. Its type is that of the matches, or, in reverse, of what points to them.
    pub param: &'static Param,
    /// The type at the other end; in reverse, that of the matches.
    pub to: T,
}

impl Include {
    /// The type that it adds to an answer whose matches are of type `on`.
    #[must_use]
    pub fn brings(&self, on: T) -> T {
        if self.param.on == on { self.to } else { self.param.on }
    }

    /// As it is asked for: `MedicationRequest:medication`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}:{}", self.param.on, self.param.name)
    }
}

/// Type, parameter, and the types that the reference is followed to.
const FORWARD: &[(T, &str, &[T])] = &[
    (CareTeam, "participant", &[PractitionerRole, Practitioner, Patient, RelatedPerson]),
    (MedicationDispense, "medication", &[Medication]),
    (MedicationRequest, "medication", &[Medication]),
    (PractitionerRole, "endpoint", &[Endpoint]),
    (PractitionerRole, "practitioner", &[Practitioner]),
];

/// The types whose Provenance can be asked for with them.
const WITH_PROVENANCE: &[T] = &[
    AllergyIntolerance,
    CarePlan,
    CareTeam,
    Condition,
    Coverage,
    Device,
    DiagnosticReport,
    DocumentReference,
    Encounter,
    Goal,
    Immunization,
    MedicationDispense,
    MedicationRequest,
    Observation,
    Patient,
    Procedure,
    QuestionnaireResponse,
    RelatedPerson,
    ServiceRequest,
];

/// The references that may be followed from resources of that type.
pub fn includes(on: T) -> impl Iterator<Item = Include> {
    let rows = FORWARD.iter().filter(move |(from, _, _)| *from == on);
    rows.filter_map(|(from, name, to)| Some((named(*from, name)?, to)))
        .flat_map(|(param, to)| to.iter().map(move |to| Include { param, to: *to }))
}

/// The references to resources of that type that may be followed back.
pub fn reverse_includes(on: T) -> impl Iterator<Item = Include> {
    let supported = WITH_PROVENANCE.contains(&on);
    provenance_target().into_iter().filter(move |_| supported).map(move |param| Include { param, to: on })
}

/// The parameter that says what a Provenance is about.
#[must_use]
pub fn provenance_target() -> Option<&'static Param> {
    named(Provenance, "target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_reference_that_can_reach_its_types() {
        let forward: usize = T::ALL.iter().map(|kind| includes(*kind).count()).sum();
        assert_eq!(forward, FORWARD.iter().map(|(_, _, to)| to.len()).sum::<usize>());
        assert_eq!(T::ALL.iter().map(|kind| reverse_includes(*kind).count()).sum::<usize>(), WITH_PROVENANCE.len());
    }

    #[test]
    fn an_include_brings_the_other_end() {
        let forward = includes(MedicationRequest).next().unwrap();
        let back = reverse_includes(Observation).next().unwrap();
        assert_eq!(
            (forward.brings(MedicationRequest), forward.name()),
            (Medication, "MedicationRequest:medication".into())
        );
        assert_eq!((back.brings(Observation), back.name()), (Provenance, "Provenance:target".into()));
    }
}
