//! To whom a resource belongs (<https://hl7.org/fhir/R4/compartmentdefinition-patient.html>, decisions 21 and 22).
//! Membership goes by the element behind the type's `patient` parameter alone: an observation that a patient performed on
//! another is the other's.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::fhir::{Id, Reference, ResourceType, each};
use crate::search::named;

/// To whom a resource belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// It is outside of every compartment, and visible to any token whose scopes name its type.
    Everyone,
    /// It belongs to these patients: to one as a rule, to several where a Provenance or a Group spans them, to none
    /// where nothing says to whom. What belongs to none is for grants that reach all patients.
    Patients(BTreeSet<Id>),
}

impl Owner {
    /// The one patient that it belongs to.
    #[must_use]
    pub fn sole(&self) -> Option<&Id> {
        match self {
            Self::Patients(patients) if patients.len() == 1 => patients.first(),
            Self::Patients(_) | Self::Everyone => None,
        }
    }
}

/// Whether resources of that type are outside of every compartment.
#[must_use]
pub const fn is_directory(kind: ResourceType) -> bool {
    use ResourceType as T;
    matches!(
        kind,
        T::Practitioner
            | T::PractitionerRole
            | T::Organization
            | T::Location
            | T::Medication
            | T::Endpoint
            | T::Questionnaire
    )
}

/// To whom a resource belongs. `known` tells the owner of another resource where it is known; a target of which nothing
/// is known says nothing.
#[must_use]
pub fn owner_of(kind: ResourceType, id: &Id, resource: &Value, known: &dyn Fn(&Reference) -> Option<Owner>) -> Owner {
    use ResourceType as T;
    if is_directory(kind) {
        return Owner::Everyone;
    }
    let mut patients = BTreeSet::new();
    #[expect(clippy::wildcard_enum_match_arm, reason = "all others say it by their parameter `patient`")]
    match kind {
        T::Patient => patients.extend([id.clone()]),
        T::Provenance => each_reference(resource, "target", &mut |target| match (target.kind, known(&target)) {
            (_, Some(Owner::Patients(owners))) => patients.extend(owners),
            (T::Patient, None) => patients.extend([target.id]),
            (_, Some(Owner::Everyone) | None) => {}
        }),
        T::Group => patients_at(resource, "member.entity", &mut patients),
        T::Binary => patients_at(resource, "securityContext", &mut patients),
        _ => {
            let paths = named(kind, "patient").map_or(&[][..], |param| param.paths);
            paths.iter().for_each(|path| patients_at(resource, path, &mut patients));
        }
    }
    Owner::Patients(patients)
}

fn patients_at(resource: &Value, path: &str, patients: &mut BTreeSet<Id>) {
    each_reference(resource, path, &mut |reference| {
        if reference.kind == ResourceType::Patient {
            patients.insert(reference.id);
        }
    });
}

fn each_reference(resource: &Value, path: &str, visit: &mut dyn FnMut(Reference)) {
    each(resource, path, &mut |element| {
        let text = element.get("reference").and_then(Value::as_str);
        text.and_then(Reference::parse).into_iter().for_each(&mut *visit);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;
    use serde_json::json;

    fn id(text: &str) -> Id {
        Id::parse(text).unwrap()
    }

    fn owners(kind: T, resource: &Value) -> Vec<String> {
        let known = |reference: &Reference| match (reference.kind, reference.id.as_str()) {
            (T::Observation, "of-a") => Some(Owner::Patients([id("a")].into())),
            (T::Observation, "of-b") => Some(Owner::Patients([id("b")].into())),
            (T::Practitioner, _) => Some(Owner::Everyone),
            _ => None,
        };
        match owner_of(kind, &id("x"), resource, &known) {
            Owner::Everyone => vec!["*".into()],
            Owner::Patients(patients) => patients.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_resource_belongs_to_its_subject_alone() {
        let observation = json!({"subject": {"reference": "Patient/a"}, "performer": [{"reference": "Patient/b"}]});
        assert_eq!(owners(T::Observation, &observation), ["a"]);
        assert_eq!(owners(T::Coverage, &json!({"beneficiary": {"reference": "Patient/a/_history/3"}})), ["a"]);
        assert_eq!(owners(T::Patient, &json!({"link": [{"other": {"reference": "Patient/b"}}]})), ["x"]);
        assert_eq!(owners(T::Practitioner, &json!({})), ["*"]);
    }

    #[test]
    fn without_a_patient_it_is_nobodys() {
        assert_eq!(owners(T::Observation, &json!({"subject": {"reference": "Group/herd1"}})), Vec::<String>::new());
        assert_eq!(
            owners(T::Observation, &json!({"subject": {"reference": "https://evil/Patient/a"}})),
            Vec::<String>::new()
        );
        assert_eq!(owners(T::Device, &json!({})), Vec::<String>::new());
        assert_eq!(owners(T::Binary, &json!({"securityContext": {"reference": "Patient/a"}})), ["a"]);
    }

    #[test]
    fn provenance_belongs_to_whom_its_targets_belong() {
        let targets = |targets: &[&str]| {
            let targets: Vec<_> = targets.iter().map(|text| json!({"reference": text})).collect();
            owners(T::Provenance, &json!({"target": targets}))
        };
        assert_eq!(targets(&["Observation/of-a", "Practitioner/p", "Claim/1", "Observation/unknown"]), ["a"]);
        assert_eq!(targets(&["Observation/of-a", "Observation/of-b"]), ["a", "b"]);
        assert_eq!(targets(&["Observation/of-a/_history/2", "Patient/a"]), ["a"]);
        assert_eq!(targets(&["Practitioner/p"]), Vec::<String>::new());
    }
}
