//! The names by which resources are found if their compartment is not known, and the types that need no names.

use serde_json::Value;

use chart::IndexedResource;
use fhir::{Id, Reference, ResourceType, digest};
use search::kind::NameValue;
use search::registry::{membership, params_of};
use search::{Clause, Criterion, Fact, Param, Query, provenance_target};
use smart::{Owner, is_directory};

/// The most patients for whom a Provenance is stored in each patient's chart. For more patients, the space would grow
/// with the square of their number, since each copy names all of them.
const MAX_COPIES: usize = 64;

/// The name of each Provenance of more patients.
pub const OF_MANY: &str = "Provenance of many patients";

/// The number of buckets over which compartments are distributed.
pub const BUCKETS: u32 = 4_096;

/// Distributes names evenly, by FNV-1a with both halves combined, because only the low bits are used.
pub fn bucket(name: &str, over: u32) -> u32 {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    ((hash ^ (hash >> 32)) % u64::from(over.max(1))) as u32
}

/// Returns whether a type is searched as a whole: the types of the directory, and types with a parameter that needs no
/// patient. Ids and identifiers do not count as such parameters, because the index finds them.
#[must_use]
pub fn has_own_rows(resource_type: ResourceType) -> bool {
    let asks_all = |param: &Param| param.identifying && !param.kind.gives_names();
    is_directory(resource_type) || params_of(resource_type).any(asks_all)
}

/// Returns the hash of a name for the table `locator`: the first six bytes of its SHA-256, as a signed number.
pub fn name_hash(name: &str) -> i64 {
    i64::from_be_bytes(digest(name)) >> 16
}

/// Returns the names of the resources that a search without a patient needs, from the first clause that gives names,
/// with the parameter of that clause that must be indexed.
pub fn names_of(query: &Query) -> Option<(&'static Param, Vec<String>)> {
    let gives_names = |clause: &&Clause| clause.param.identifying && !clause.negated && clause.param.kind.gives_names();
    query.all.iter().filter(gives_names).find_map(|clause| {
        let of_part = |(param, any): (&'static Param, &[Criterion])| {
            any.iter().map(|criterion| Some(name(param, criterion.name()?))).collect::<Option<Vec<_>>>()
        };
        let names = clause.parts().map(of_part).collect::<Option<Vec<_>>>()?.concat();
        Some((clause.parts().last()?.0, names))
    })
}

/// Returns the ids of the compartments in whose charts a resource is stored: that of its patient; for a Provenance of a
/// few patients, that of each; for any other resource, a compartment that is not a patient's. The names of the resource
/// lead to the first one.
pub fn compartments(resource_type: ResourceType, id: &Id, owner: &Owner) -> Vec<String> {
    let patients: Vec<String> = match owner.sole() {
        Some(patient) => vec![patient.to_string()],
        None if is_in_each_record(resource_type, owner) => owner.patients().map(ToString::to_string).collect(),
        None => Vec::new(),
    };
    // No id contains an underscore, so that no patient has this id.
    if patients.is_empty() { vec![format!("_{}", bucket(id.as_str(), BUCKETS))] } else { patients }
}

/// Returns whether resources of a type with that owner are in the record of each patient: Provenances of few patients.
#[must_use]
pub fn is_in_each_record(resource_type: ResourceType, owner: &Owner) -> bool {
    provenance_target().is_some_and(|param| param.base == resource_type) && owner.patients().count() <= MAX_COPIES
}

/// Returns the names of a resource in the index. Resources of the directory and patients need no name by id, because
/// their keys follow from it.
pub fn names(indexed: &IndexedResource) -> Vec<String> {
    let resource_type = indexed.resource_type;
    let mut names = Vec::new();
    if !is_directory(resource_type) && resource_type != ResourceType::Patient {
        names.push(indexed.reference().to_string());
    }
    for (param, fact) in indexed.facts.iter().filter(|(param, _)| is_indexed(param)) {
        names.extend(fact.names().into_iter().map(|value| name(param, value)));
    }
    if indexed.owner.sole().is_none()
        && let Some(param) = provenance_target().filter(|param| param.base == resource_type)
    {
        names.extend(indexed.facts_of(param).filter_map(Fact::reference).map(|target| referrers_name(param, target)));
        if !is_in_each_record(resource_type, &indexed.owner) {
            names.extend(indexed.owner.patients().map(|patient| patient_name(param, patient)));
            names.push(OF_MANY.to_owned());
        }
    }
    names.extend(member_names(indexed));
    names
}

/// Returns the names that lead to a resource from patients in whose compartments it is but with whom it is not stored:
/// its owners, if there are several, and patients to whom it refers otherwise.
pub fn member_names(indexed: &IndexedResource) -> Vec<String> {
    let Some(param) = membership(indexed.resource_type) else { return Vec::new() };
    let stored = compartments(indexed.resource_type, &indexed.id, &indexed.owner);
    let owners = indexed.owner.patients().filter(|owner| !stored.iter().any(|stored| stored == owner.as_str()));
    let owners = owners.map(|owner| patient_name(param, owner));
    let others = indexed.facts_of(param).filter_map(Fact::reference).map(|patient| referrers_name(param, patient));
    owners.chain(others).collect()
}

/// Returns the names of the resources of a type that are in the compartments of these patients but are not stored with
/// them, and their parameter. `None` if there are no such resources.
pub fn members_of<'a>(
    resource_type: ResourceType,
    patients: impl IntoIterator<Item = &'a Id>,
) -> Option<(&'static Param, Vec<String>)> {
    let param = membership(resource_type)?;
    Some((param, patients.into_iter().map(|patient| patient_name(param, patient)).collect()))
}

/// Returns whether values of a parameter are in the index.
#[must_use]
pub fn is_indexed(param: &Param) -> bool {
    param.identifying && param.kind.gives_names() && !param.kind.is_id()
}

/// Returns the name in the index of the resources that have a value of a parameter.
fn name(param: &Param, value: NameValue<'_>) -> String {
    // Values are quoted, because they may contain the tabs and line ends that separate names and lines.
    match value {
        NameValue::Id(id) => format!("{}/{id}", param.base),
        NameValue::Value(value) => format!("{}?{}={}", param.base, param.name, Value::from(value)),
        NameValue::System(system) => format!("{}?{}={}|", param.base, param.name, Value::from(system)),
    }
}

/// Returns whether a name stands for all resources with an identifier of a system.
#[must_use]
pub fn is_of_system(name: &str) -> bool {
    name.ends_with('|')
}

/// Returns the name of resources that refer to `target` by a parameter and are not in the record of a single patient.
pub fn referrers_name(param: &Param, target: &str) -> String {
    format!("{}?{}={target}", param.base, param.name)
}

/// Returns the name of the resources that refer to a patient by a parameter. Provenances of many patients have such a
/// name for each patient, even if they only refer to other resources of the patient's record.
pub fn patient_name(param: &Param, patient: &Id) -> String {
    referrers_name(param, &Reference::join(ResourceType::Patient, patient))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_spread_evenly() {
        let mut counts = [0; 8];
        (0..8_000).for_each(|n| counts[bucket(&format!("observation-{n}"), 8) as usize] += 1);
        assert!(counts.iter().all(|count| (800..1_200).contains(count)), "{counts:?}");
    }

    #[test]
    fn chains_lead_to_types_with_rows() {
        let params = ResourceType::served().iter().flat_map(|resource_type| params_of(*resource_type));
        let targets: Vec<_> = params.filter_map(|param| param.via).map(|(_, to)| to).collect();
        assert!(
            targets.into_iter().all(has_own_rows),
            "a stored resource is indexed again with targets that have rows"
        );
    }

    /// A different list of already served types requires a new format: `VERSION` in `src/store/format.rs`.
    #[test]
    fn only_types_that_are_searched_as_a_whole_are_stored_as_a_whole() {
        let whole: Vec<_> = ResourceType::served()
            .iter()
            .filter(|resource_type| has_own_rows(**resource_type) && !is_directory(**resource_type))
            .map(|resource_type| resource_type.name())
            .collect();
        assert_eq!(whole, ["CareTeam", "Patient", "RelatedPerson"], "besides the directory");
    }
}
