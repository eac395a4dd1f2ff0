//! Writing and reading of rows of the table `resource`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use fhir::{Id, Micros, Reference, ResourceType};
use search::registry::changed;
use search::sort_key::time_of;
use search::{IndexSet, ParamId, SortKey};
use smart::{Owner, is_directory};
use store::sql::{self, Row};
use store::{IndexedResource, known_params};

/// The row of a stored resource.
pub struct StoredRow {
    pub owner: Owner,
    sort_key: String,
    version: String,
    pub params: StoredParams,
    pub digest: String,
    pub body: String,
}

/// The parameters for which a row has values, according to its column `params`. `None` if the column is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredParams(Option<BTreeMap<String, Vec<String>>>);

impl StoredParams {
    fn of(text: &str) -> Self {
        Self(serde_json::from_str(text).ok())
    }

    /// Returns whether the row may have values of a parameter.
    pub fn has(&self, id: ParamId) -> bool {
        self.0.as_ref().is_none_or(|params| params.contains_key(&id.number().to_string()))
    }

    /// Returns the start of the time of a parameter.
    fn time(&self, id: ParamId) -> Option<Micros> {
        time_of(self.0.as_ref()?.get(&id.number().to_string())?.first()?)
    }
}

impl StoredRow {
    /// Parses a row of the table `resource`. `None` if it is damaged.
    pub fn of(resource_type: ResourceType, row: &[sql::Value]) -> Option<Self> {
        let [_, _, patient, owners, sort_key, params, version, _, digest, body] = row else { return None };
        Some(Self {
            owner: owner_in(resource_type, patient.text()?, owners.text())?,
            sort_key: sort_key.text()?.to_owned(),
            version: version.text()?.to_owned(),
            params: StoredParams::of(params.text().unwrap_or_default()),
            digest: digest.text()?.to_owned(),
            body: body.text()?.to_owned(),
        })
    }

    /// Returns whether this is the row of a resource, apart from the facts, of which it has a digest.
    pub fn is_of(&self, resource: &IndexedResource) -> bool {
        self.body == resource.body
            && self.owner == resource.owner
            && self.sort_key == resource.sort_key.as_str()
            && self.version == resource.version
    }

    /// Returns whether the row lists the same parameters of this set, with the same times, as the resource has.
    pub fn says_of(&self, resource: &IndexedResource, set: &IndexSet) -> bool {
        self.params == StoredParams::of(&known_params(resource, set))
    }

    /// Returns the resource, with no facts except the time of its last change.
    pub fn into_indexed(self, Reference { resource_type, id }: &Reference) -> IndexedResource {
        let changed_at = changed(*resource_type).and_then(|param| self.params.time(param.id));
        let mut indexed = IndexedResource {
            resource_type: *resource_type,
            id: id.clone(),
            owner: self.owner,
            sort_key: SortKey::from_text(self.sort_key),
            version: self.version,
            facts: Vec::new(),
            body: self.body,
        };
        indexed.set_changed_at(changed_at);
        indexed
    }
}

/// Returns the row of a resource that is indexed by a set of parameters.
pub fn resource_row(resource: &IndexedResource, set: &IndexSet, digest: String) -> Row {
    let (patient, owners) = columns(&resource.owner);
    vec![
        resource.resource_type.name().into(),
        resource.id.as_str().into(),
        patient.into(),
        owners.into(),
        resource.sort_key.as_str().into(),
        known_params(resource, set).into(),
        resource.version.as_str().into(),
        resource.modified().into(),
        digest.into(),
        resource.body.as_str().into(),
    ]
}

/// Returns the values of the columns `patient` and `owners`.
fn columns(owner: &Owner) -> (String, Option<String>) {
    match (owner, owner.sole()) {
        (_, Some(patient)) => (patient.to_string(), None),
        (Owner::Patients(patients), None) if !patients.is_empty() => {
            let ids: Vec<_> = patients.iter().map(Id::as_str).collect();
            (String::new(), Some(Value::from(ids).to_string()))
        }
        // The patients follow an empty array. An array is not an id, so no access list contains it.
        (Owner::Undetermined(patients), None) => {
            let ids = patients.iter().map(|patient| Value::from(patient.as_str()));
            (String::new(), Some(std::iter::once(Value::Array(Vec::new())).chain(ids).collect::<Value>().to_string()))
        }
        (Owner::Patients(_) | Owner::Everyone, None) => (String::new(), None),
    }
}

/// Returns the owner from the columns `patient` and `owners`. `None` if they are damaged.
fn owner_in(resource_type: ResourceType, patient: &str, owners: Option<&str>) -> Option<Owner> {
    if is_directory(resource_type) {
        return Some(Owner::Everyone);
    }
    let several: Vec<Value> = owners.map_or(Some(Vec::new()), |text| serde_json::from_str(text).ok())?;
    let patients: BTreeSet<_> =
        several.iter().filter_map(Value::as_str).chain([patient]).filter_map(Id::parse).collect();
    // An empty array precedes the patients of a resource whose owner is undetermined.
    let is_undetermined = several.first().is_some_and(Value::is_array);
    Some(if is_undetermined { Owner::Undetermined(patients) } else { Owner::Patients(patients) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_owners_are_not_read_as_nobody() {
        let owner = |owners| owner_in(ResourceType::CareTeam, "", owners);
        assert_eq!(owner(None), Some(Owner::Patients(BTreeSet::new())));
        let several = BTreeSet::from(["a", "b"].map(|id| Id::parse(id).unwrap()));
        assert_eq!(owner(Some(r#"["a","b"]"#)), Some(Owner::Patients(several)));
        assert_eq!(["[", "{}", "", "a"].map(|text| owner(Some(text))), [const { None }; 4]);
    }
}
