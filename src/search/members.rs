//! The conditions of being in a compartment ([`super::compartments`]). They do not decide who may see a resource; its
//! owner does (`smart/compartment.rs`).

use super::clause::Clause;
use super::compartments::members_by;
use super::index_set::IndexSet;
use super::kind::{Criterion, OfType, RawValue};
use super::param::Param;
use super::query::MemberOf;
use super::registry::{id_param, is_of_directory, membership, named};
use fhir::{Id, Reference, ResourceType};

/// The word of the table for the resource that the compartment is of.
const ITSELF: &str = "{def}";

/// Returns the clauses of which a resource of a type satisfies at least one if it is in a compartment other than a
/// patient's. There is one clause for each parameter of the definition that the type has in this set and that may refer
/// to the type of the compartment. `None` if the definition does not have the type.
pub fn in_compartment(set: &IndexSet, owner: &Reference, base: ResourceType) -> Option<Vec<Clause>> {
    Some(members_by(owner.resource_type, base)?.filter_map(|name| clause(set, owner, base, name)).collect())
}

/// Returns the condition that a resource of a type is in the compartment of one of these patients. `None` if the
/// resources in a compartment are exactly those that belong to the patient.
pub fn member_of(patients: Vec<Id>, base: ResourceType) -> Option<MemberOf> {
    let param = membership(base)?;
    let criteria = |patient: &Id| criteria(param, base, &Reference::join(ResourceType::Patient, patient));
    let any = patients.iter().filter_map(criteria).flatten().collect();
    Some(MemberOf { patients, clause: Clause { param, any, also: None, negated: false } })
}

/// Returns the conditions that the subject of a resource is in the directory, and that no other element places the
/// resource in the compartment of a patient. `None` for a type without such elements.
pub fn about_directory(base: ResourceType) -> Option<[Clause; 2]> {
    let directory = ResourceType::served().iter().filter(|to| is_of_directory(**to));
    let subject = (named(base, "subject")?, directory.map(|to| OfType(*to).into()).collect(), false);
    let others = (membership(base)?, vec![OfType(ResourceType::Patient).into()], true);
    Some([subject, others].map(|(param, any, negated)| Clause { param, any, also: None, negated }))
}

fn clause(set: &IndexSet, owner: &Reference, base: ResourceType, name: &str) -> Option<Clause> {
    let (param, text): (&'static Param, String) = match name {
        ITSELF => (id_param(base), owner.id.to_string()),
        name => (set.named(base, name).filter(|param| param.kind.targets().is_some())?, owner.to_string()),
    };
    Some(Clause { param, any: criteria(param, base, &text)?, also: None, negated: false })
}

/// Returns the criteria of a value of a parameter.
fn criteria(param: &'static Param, base: ResourceType, text: &str) -> Option<Vec<Criterion>> {
    let value = RawValue { resource_type: base, param: param.name, modifier: None, text, base: "", now: 0 };
    param.kind.criteria(&value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compartments::{compartment_types, types_in_compartment};
    use ResourceType as T;

    fn names(of: &str, base: T) -> Option<Vec<&'static str>> {
        names_in(IndexSet::us_core(), of, base)
    }

    fn names_in(set: &IndexSet, of: &str, base: T) -> Option<Vec<&'static str>> {
        let clauses = in_compartment(set, &Reference::parse(of).unwrap(), base)?;
        Some(clauses.into_iter().map(|clause| clause.param.name).collect())
    }

    #[test]
    fn the_members_of_compartments_are_those_of_the_definitions() {
        let of: Vec<_> = compartment_types().map(ResourceType::name).collect();
        assert_eq!(of, ["Device", "Encounter", "Patient", "Practitioner", "RelatedPerson"]);
        assert!(types_in_compartment(T::Patient).any(|base| base == T::Observation));
        assert!(!types_in_compartment(T::Patient).any(|base| base == T::Device));
        assert_eq!(names_in(IndexSet::of_r4(), "Device/d", T::Observation), Some(vec!["subject", "device"]));
        assert_eq!(names("Device/d", T::Observation), Some(Vec::new()));
        assert_eq!(names("Encounter/e", T::Condition), Some(vec!["encounter"]));
        assert_eq!(names("Encounter/e", T::Encounter), Some(vec!["_id"]));
        assert_eq!(names("Practitioner/p", T::PractitionerRole), Some(vec!["practitioner"]));
        assert_eq!(names("Encounter/e", T::Coverage), None);
        assert_eq!(names("Observation/o", T::Observation), None);
    }
}
