//! Patient compartments (<https://hl7.org/fhir/R4/compartmentdefinition-patient.html>;
//! docs/decisions/permission-and-sign-in.md#owners). A resource belongs only to the patient of its type's `patient`
//! parameter: an observation that one patient performed on another belongs to the other. A resource without such a
//! patient, such as a message to a patient, belongs to the patient in whose compartment it is, if there is exactly one.
//! Only types that the table places in the directory are open to everybody.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use collections::order::set_of;
use fhir::{Id, Reference, ResourceType, for_each_value, words};
use search::Facts;
use search::registry::{member_elements, membership, patient_elements};

/// The way in which the owner of a resource is determined, by type.
#[derive(Debug, PartialEq, Eq)]
enum Compartment {
    /// Resources are in no compartment, and everybody may see them.
    Directory,
    /// Resources belong to no patient, but are not open to everybody.
    Nobody,
    /// A resource is a patient, and belongs to itself.
    Itself,
    /// A resource belongs to the patient that the first elements refer to. Without such a reference, it belongs to the
    /// one patient that the second elements, the others of R4's definition of the compartment, refer to.
    Patient(Vec<&'static str>, Vec<&'static str>),
    /// A resource belongs to the owners of all resources that these elements refer to.
    Each(Vec<&'static str>),
    /// A resource belongs to the patients that are its members.
    Members,
}

/// The compartments of the types of R4, by index, from `src/fhir/tables/served.tsv`.
static COMPARTMENTS: LazyLock<Vec<Compartment>> = LazyLock::new(|| {
    let of = |resource_type: ResourceType| match resource_type.choices().map_or("", |choices| choices.owner) {
        "" => Compartment::Patient(patient_elements(resource_type), member_elements(resource_type)),
        "directory" => Compartment::Directory,
        "nobody" => Compartment::Nobody,
        "itself" => Compartment::Itself,
        "members" => Compartment::Members,
        "each" => Compartment::Each(patient_elements(resource_type)),
        elements => match elements.strip_prefix("each ") {
            Some(elements) => Compartment::Each(words(elements).collect()),
            None => Compartment::Patient(words(elements).collect(), member_elements(resource_type)),
        },
    };
    ResourceType::all().map(of).collect()
});

#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
fn compartment(resource_type: ResourceType) -> &'static Compartment {
    &COMPARTMENTS[resource_type.index()]
}

/// The owner of a resource: the patients to whom it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// The resource is in no compartment. Any token whose scopes name its type may read it.
    Everyone,
    /// The resource belongs to these patients: usually one; several where a Provenance, a Group or an Appointment spans
    /// them; none where no element names a patient. A resource of no patient needs a grant that reaches all patients.
    Patients(BTreeSet<Id>),
    /// Some of the owners are unknown; the others are listed. The resource needs a grant that reaches all patients.
    Undetermined(BTreeSet<Id>),
}

impl Owner {
    /// Returns the patient, if the resource belongs to exactly one.
    pub fn sole(&self) -> Option<&Id> {
        match self {
            Self::Patients(patients) if patients.len() == 1 => patients.first(),
            Self::Patients(_) | Self::Undetermined(_) | Self::Everyone => None,
        }
    }

    /// Returns whether a resource of this type should belong to a patient but its patient is unknown.
    #[must_use]
    pub fn is_nobody(&self, resource_type: ResourceType) -> bool {
        matches!(self, Self::Patients(patients) if patients.is_empty()) && !belongs_to_nobody(resource_type)
    }

    /// Removes the facts of [`membership`], except those that name patients of this server who are not owners.
    pub fn leave_others(&self, facts: &mut Facts) {
        facts.retain(|(param, fact)| {
            let is_member = membership(param.base).is_some_and(|member| member.id == param.id);
            let named = || Reference::parse(fact.reference()?);
            !is_member || named().is_some_and(|named| self.patients().all(|owner| *owner != named.id))
        });
    }

    /// Returns the known patients of the resource.
    pub fn patients(&self) -> impl Iterator<Item = &Id> {
        match self {
            Self::Patients(patients) | Self::Undetermined(patients) => Some(patients),
            Self::Everyone => None,
        }
        .into_iter()
        .flatten()
    }
}

/// Returns whether resources of this type are in no compartment.
#[must_use]
pub fn is_directory(resource_type: ResourceType) -> bool {
    matches!(compartment(resource_type), Compartment::Directory)
}

/// Returns whether resources of this type belong to no patient, and are closed to everybody who may not see all
/// patients.
#[must_use]
pub fn belongs_to_nobody(resource_type: ResourceType) -> bool {
    matches!(compartment(resource_type), Compartment::Nobody)
}

/// Returns whether resources of this type belong to the owners of other resources: a Provenance to the owners of its
/// targets, a Group to those of its members, an Appointment to those of its participants. Other types name their
/// patient themselves.
#[must_use]
pub fn is_owned_through_others(resource_type: ResourceType) -> bool {
    matches!(compartment(resource_type), Compartment::Each(_) | Compartment::Members)
}

/// Returns whether resources of this type belong to the patients that are their members: whether it is Group.
#[must_use]
pub fn belongs_to_members(resource_type: ResourceType) -> bool {
    matches!(compartment(resource_type), Compartment::Members)
}

/// Calls `action` with each Reference element that determines the owner of a resource: a reference to its patient, or
/// to a resource whose owner it shares. A member of a Group without a Reference counts as null.
pub fn for_each_owning<'a>(resource_type: ResourceType, resource: &'a Value, action: &mut dyn FnMut(&'a Value)) {
    match compartment(resource_type) {
        Compartment::Patient(elements, others) => {
            let mut is_about = false;
            for element in elements {
                let bare = element.trim_end_matches("[Patient]");
                for_each_value(resource, bare, &mut |_| is_about = true);
                for_each_value(resource, element, action);
            }
            for element in others.iter().filter(|_| !is_about) {
                for_each_value(resource, element, &mut |element| {
                    if may_be_patient(element, resource) {
                        action(element);
                    }
                });
            }
        }
        Compartment::Each(elements) => elements.iter().for_each(|element| for_each_value(resource, element, action)),
        Compartment::Members => {
            for_each_value(resource, "member", &mut |member| action(member.get("entity").unwrap_or(&Value::Null)));
        }
        Compartment::Directory | Compartment::Nobody | Compartment::Itself => {}
    }
}

/// Returns whether a Reference in a resource may refer to a patient. It cannot if its address, its `type` or the
/// contained resource is of another type, or if it has only a text.
fn may_be_patient(element: &Value, resource: &Value) -> bool {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let named = match text(element, "reference") {
        None if element.get("identifier").is_none() => return false,
        None => text(element, "type"),
        Some(address) => match address.strip_prefix('#') {
            Some(id) => {
                let contained = resource.get("contained").and_then(Value::as_array).into_iter().flatten();
                contained.filter(|one| text(one, "id").as_deref() == Some(id)).find_map(|one| text(one, "resourceType"))
            }
            None => {
                let unversioned = Reference::unversioned(&address);
                let of_type = unversioned.split_once('?').map(|(path, _)| path);
                let of_type = of_type.or_else(|| unversioned.rsplit_once('/').map(|(path, _)| path));
                of_type.and_then(|path| path.rsplit('/').next()).map(str::to_owned)
            }
        },
    };
    named.and_then(|name| ResourceType::parse(&name)).is_none_or(|named| named == ResourceType::Patient)
}

/// Returns the Reference of [`for_each_owning`] that decides the owner of a resource with a patient of its own. `None`
/// if there are several, which FHIR does not allow; such a resource belongs to no patient.
pub fn sole_owning<T: PartialEq>(mut owning: Vec<Option<T>>) -> Option<T> {
    owning.dedup();
    <[_; 1]>::try_from(owning).ok().and_then(|[only]| only)
}

/// Returns the owner of a resource that is owned through others: the union of their owners. `targets` holds a `None`
/// for each target that is not a reference to a served type. `known` returns the owner of a known resource; it is not
/// called for the directory. If a target is unknown or belongs to no patient, the owner is undetermined. So it is if a
/// member of a Group is not a patient.
///
/// # Errors
/// The first error of `known`.
pub fn joint_owner<E>(
    resource_type: ResourceType,
    targets: Vec<Option<Reference>>,
    known: &dyn Fn(&Reference) -> Result<Option<Owner>, E>,
) -> Result<Owner, E> {
    let (mut patients, mut determined) = (BTreeSet::new(), true);
    for target in targets {
        let target = target.filter(|target| {
            *compartment(resource_type) != Compartment::Members || target.resource_type == ResourceType::Patient
        });
        match target.as_ref().map(|target| (is_directory(target.resource_type), target)) {
            Some((true, _)) => {}
            Some((false, target)) => {
                let owner = known(target)?;
                determined &= matches!(&owner, Some(Owner::Patients(owners)) if !owners.is_empty());
                patients.extend(owner.iter().flat_map(Owner::patients).cloned());
            }
            None => determined = false,
        }
    }
    Ok(if determined { Owner::Patients(patients) } else { Owner::Undetermined(patients) })
}

/// Returns the owner of a resource. `known` returns the owner of another known resource; see [`joint_owner`].
///
/// # Errors
/// The first error of `known`.
pub fn owner_of<E>(
    resource_type: ResourceType,
    id: &Id,
    resource: &Value,
    known: &dyn Fn(&Reference) -> Result<Option<Owner>, E>,
) -> Result<Owner, E> {
    if is_directory(resource_type) {
        return Ok(Owner::Everyone);
    }
    let mut owning = Vec::new();
    for_each_owning(resource_type, resource, &mut |element| {
        owning.push(element.get("reference").and_then(Value::as_str).and_then(Reference::parse));
    });
    if is_owned_through_others(resource_type) {
        return joint_owner(resource_type, owning, known);
    }
    if resource_type == ResourceType::Patient {
        return Ok(Owner::Patients(set_of([id.clone()])));
    }
    let patient = sole_owning(owning).filter(|reference| reference.resource_type == ResourceType::Patient);
    let patients = set_of(patient.map(|patient| patient.id));
    // Everybody may read some Basics, but none that may be about a patient or by one.
    let is_doubtful = resource_type == ResourceType::Basic && patients.is_empty() && may_name_patient(resource);
    Ok(if is_doubtful { Owner::Undetermined(patients) } else { Owner::Patients(patients) })
}

/// Returns whether the subject or the author of a Basic may be a patient, or is said to be one.
fn may_name_patient(basic: &Value) -> bool {
    let says = |element: &Value| element.get("type").is_some_and(|of| of == ResourceType::Patient.name());
    ["subject", "author"]
        .into_iter()
        .filter_map(|name| basic.get(name))
        .any(|one| says(one) || may_be_patient(one, basic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;
    use search::registry::named;
    use serde_json::json;
    use std::convert::Infallible;

    fn id(text: &str) -> Id {
        Id::parse(text).unwrap()
    }

    fn owners(resource_type: T, resource: &Value) -> Vec<String> {
        let owner = |reference: &Reference| match (reference.resource_type, reference.id.as_str()) {
            (T::Observation, "of-a") => Some(Owner::Patients([id("a")].into())),
            (T::Observation, "of-b") => Some(Owner::Patients([id("b")].into())),
            (T::Observation, "of-nobody") => Some(Owner::Patients(BTreeSet::new())),
            (T::Patient, "a" | "b") => Some(Owner::Patients([reference.id.clone()].into())),
            _ => None,
        };
        let known = |reference: &Reference| Ok::<_, Infallible>(owner(reference));
        let Ok(owner) = owner_of(resource_type, &id("x"), resource, &known);
        match owner {
            Owner::Everyone => vec!["*".into()],
            Owner::Patients(patients) => patients.iter().map(ToString::to_string).collect(),
            Owner::Undetermined(patients) => {
                ["?".to_owned()].into_iter().chain(patients.iter().map(ToString::to_string)).collect()
            }
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
    fn what_is_about_nobody_belongs_to_the_one_patient_whom_it_names_otherwise() {
        let (a, b, p) = (
            json!({"reference": "Patient/a"}),
            json!({"reference": "Patient/b"}),
            json!({"reference": "Practitioner/p"}),
        );
        let contained = json!([{"resourceType": "Practitioner", "id": "p"}, {"resourceType": "Patient", "id": "q"}]);
        for (resource_type, resource, expected) in [
            (T::Observation, json!({"performer": [p, a]}), "a"),
            (T::Observation, json!({"performer": [a, b]}), ""),
            (T::Observation, json!({"subject": {"display": "somebody"}, "performer": [a]}), ""),
            (T::Observation, json!({"subject": {"reference": "Location/l"}, "performer": [a]}), ""),
            (T::CommunicationRequest, json!({"requester": a}), "a"),
            (T::CommunicationRequest, json!({"subject": b, "requester": a}), "b"),
            (T::Communication, json!({"sender": a, "recipient": [p, a, {"display": "the ward"}]}), "a"),
            (T::Communication, json!({"sender": p, "recipient": [a]}), "a"),
            (T::Communication, json!({"sender": a, "recipient": [b]}), ""),
            (
                T::Communication,
                json!({"sender": a, "recipient": [{"reference": "https://elsewhere/Practitioner/p"}]}),
                "a",
            ),
            (T::Communication, json!({"sender": a, "recipient": [{"reference": "https://elsewhere/Patient/c"}]}), ""),
            (T::Communication, json!({"sender": a, "recipient": [{"reference": "urn:uuid:1"}]}), ""),
            (T::Communication, json!({"sender": a, "recipient": [{"identifier": {"value": "1"}}]}), ""),
            (
                T::Communication,
                json!({"sender": a, "recipient": [{"identifier": {"value": "1"}, "type": "Practitioner"}]}),
                "a",
            ),
            (T::Communication, json!({"sender": a, "recipient": [{"reference": "#p"}], "contained": contained}), "a"),
            (T::Communication, json!({"sender": a, "recipient": [{"reference": "#q"}], "contained": contained}), ""),
            (T::List, json!({"source": a}), "a"),
            (T::SupplyRequest, json!({"requester": a}), ""),
        ] {
            let expected: Vec<_> = expected.split_whitespace().map(str::to_owned).collect();
            assert_eq!(owners(resource_type, &resource), expected, "{resource_type} {resource}");
        }
    }

    #[test]
    fn every_type_says_whose_it_is() {
        for resource_type in T::served() {
            let (Compartment::Patient(elements, _) | Compartment::Each(elements)) = compartment(*resource_type) else {
                continue;
            };
            assert!(
                !elements.is_empty(),
                "{resource_type} has no parameter `patient`: its line has to say whose it is"
            );
            if let Some(param) = named(*resource_type, "patient").filter(|_| *resource_type != T::Provenance) {
                assert_eq!(param.paths, elements, "{resource_type}");
            }
        }
    }

    #[test]
    fn a_resource_without_a_patient_belongs_to_none() {
        assert_eq!(owners(T::Observation, &json!({"subject": {"reference": "Group/herd1"}})), Vec::<String>::new());
        assert_eq!(
            owners(T::Observation, &json!({"subject": {"reference": "https://evil/Patient/a"}})),
            Vec::<String>::new()
        );
        assert_eq!(owners(T::Device, &json!({})), Vec::<String>::new());
        assert_eq!(owners(T::Binary, &json!({"securityContext": {"reference": "Patient/a"}})), ["a"]);
    }

    #[test]
    fn a_provenance_belongs_to_the_owners_of_its_targets() {
        let targets = |targets: &[&str]| {
            let targets: Vec<_> = targets.iter().map(|text| json!({"reference": text})).collect();
            owners(T::Provenance, &json!({"target": targets}))
        };
        assert_eq!(targets(&["Observation/of-a", "Practitioner/p"]), ["a"]);
        assert_eq!(targets(&["Observation/of-a", "Observation/of-b"]), ["a", "b"]);
        assert_eq!(targets(&["Observation/of-a/_history/2", "Patient/a"]), ["a"]);
        let all =
            "Observation/unknown Observation/of-nobody Patient/unknown Claim/unknown Foo/1 urn:uuid:1 #contained \
            https://elsewhere/Observation/of-a"
                .split(' ');
        for unknown in all {
            assert_eq!(targets(&["Observation/of-a", unknown]), ["?", "a"], "{unknown}");
        }
        assert_eq!(targets(&["Practitioner/p"]), Vec::<String>::new());
        let by_identifier = json!({"target": [{"reference": "Patient/a"}, {"identifier": {"value": "1"}}]});
        assert_eq!(owners(T::Provenance, &by_identifier), ["?", "a"]);
    }

    #[test]
    fn what_names_several_patients_belongs_to_each() {
        let of = |text: &str| json!({"reference": text});
        let actors = |actors: &[Value]| {
            let participants: Vec<_> = actors.iter().map(|actor| json!({"actor": actor})).collect();
            owners(T::Appointment, &json!({"participant": participants}))
        };
        assert_eq!(actors(&[of("Patient/a"), of("Practitioner/p"), of("Location/l")]), ["a"]);
        assert_eq!(actors(&[of("Patient/a"), of("Patient/b")]), ["a", "b"]);
        assert_eq!(actors(&[of("Practitioner/p")]), Vec::<String>::new());
        for unknown in [of("Device/unknown"), of("urn:uuid:1"), json!({"display": "Someone"})] {
            assert_eq!(actors(&[of("Patient/a"), unknown.clone()]), ["?", "a"], "{unknown}");
        }
        assert_eq!(owners(T::Appointment, &json!({"participant": [{"type": []}]})), Vec::<String>::new());
        assert_eq!(owners(T::Account, &json!({"subject": [of("Patient/a"), of("Observation/of-b")]})), ["a", "b"]);
        let audited = json!({"agent": [{"who": of("Practitioner/p")}], "entity": [{"what": of("Observation/of-a")}]});
        assert_eq!(owners(T::AuditEvent, &audited), ["a"]);
        assert_eq!(owners(T::Schedule, &json!({"actor": [of("Patient/a"), of("Practitioner/p")]})), ["a"]);
    }

    #[test]
    fn some_types_belong_to_nobody_whatever_they_say() {
        let subject = json!({"subject": {"reference": "Patient/a"}, "focus": [{"reference": "Patient/a"}]});
        for resource_type in [T::Bundle, T::MessageHeader, T::ResearchStudy, T::Subscription] {
            assert_eq!(owners(resource_type, &subject), Vec::<String>::new(), "{resource_type}");
            assert!(belongs_to_nobody(resource_type) && !is_directory(resource_type), "{resource_type}");
        }
    }

    /// Types of the directory are open to everybody. Therefore this test repeats each by name.
    #[test]
    fn pc25_the_directory_has_definitions_and_catalogues_besides_who_gives_care() {
        let care = "Endpoint HealthcareService Location Medication Organization OrganizationAffiliation Practitioner \
            PractitionerRole Questionnaire Slot";
        let is_knowledge = |name: &str| {
            let ends =
                ["Definition", "Statement", "Synthesis", "Capabilities", "Guide", "Knowledge", "Script", "System"];
            name != "DeviceUseStatement" && name != "MedicationStatement" && ends.iter().any(|end| name.ends_with(end))
                || ["MedicinalProduct", "Substance", "Evidence"].iter().any(|start| name.starts_with(start))
                || "CatalogEntry ConceptMap ExampleScenario InsurancePlan Library Measure SearchParameter StructureMap \
                    ValueSet"
                    .split_whitespace()
                    .any(|known| known == name)
        };
        for resource_type in T::served() {
            let name = resource_type.name();
            let expected = care.split_whitespace().any(|known| known == name) || is_knowledge(name);
            assert_eq!(is_directory(*resource_type), expected, "{name}");
        }
    }

    #[test]
    fn a_group_belongs_to_its_members_if_all_are_known_patients() {
        let members = |members: &[Value]| {
            let members: Vec<_> = members.iter().map(|entity| json!({"entity": entity})).collect();
            owners(T::Group, &json!({"member": members}))
        };
        let of = |text: &str| json!({"reference": text});
        assert_eq!(members(&[of("Patient/a"), of("Patient/b")]), ["a", "b"]);
        for unknown in [
            of("Patient/unknown"),
            of("https://elsewhere/Patient/a"),
            of("Group/nested"),
            of("Practitioner/p"),
            of("Observation/of-a"),
            json!({"identifier": {"system": "s", "value": "1"}}),
            json!({"display": "Someone"}),
        ] {
            assert_eq!(members(&[of("Patient/a"), unknown.clone()]), ["?", "a"], "{unknown}");
        }
        assert_eq!(owners(T::Group, &json!({"member": [{}, {"entity": of("Patient/a")}]})), ["?", "a"]);
    }
}
