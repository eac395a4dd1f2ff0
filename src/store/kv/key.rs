//! The keys of values, and the two small tables by which a Worker finds values whose keys it cannot compute.
//!
//! ```text
//! <patient>/<Type>        the shelf of one type of one patient
//! _/<Type>/<n>            a part of a shelf of the whole type: of a type of the directory, of a type that is searched
//!                         without a patient, or of resources that belong to nobody or to several patients
//! <shelf>/<name>          a page of a shelf that is too large for one value
//! _/index/<n>             lines, deflated: a name (`Type/id`, an identifier, or the target of a Provenance), a tab,
//!                         and its location
//! _/manifest              the format, and the numbers of parts and index values
//! ```
//!
//! No id contains an underscore, so that no patient has the id `_`.

use serde_json::{Map, Value};

use crate::names::bucket;
use crate::{IndexedParams, IndexedResource, StoreError, another_format, format};
use chart::ChartName;
use fhir::{Id, Reference, ResourceType};
use search::{IndexSet, Param};

/// The name of the manifest.
pub const MANIFEST: &str = "_/manifest";

/// The description of all shelves: an object with the format, the parameters whose names are in the index, and numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest(Map<String, Value>);

impl Manifest {
    /// Creates the manifest for an index with this number of values and the names of the parameters of a set.
    pub fn new(index: u32, set: &IndexSet) -> Self {
        let params = serde_json::json!(IndexedParams::of(set));
        let members = [("format", Value::from(format())), ("index", Value::from(index)), ("params", params)];
        Self(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// Sets the number of parts of the shelf of a whole type.
    pub fn set_parts(&mut self, resource_type: ResourceType, parts: u32) {
        self.0.insert(resource_type.name().to_owned(), Value::from(parts));
    }

    /// Returns the text.
    pub fn text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// Parses the manifest.
    pub fn read(bytes: &[u8]) -> Result<Self, StoreError> {
        let damaged = |what: &str| StoreError::Damaged(format!("{MANIFEST}: {what}"));
        let Ok(Value::Object(members)) = serde_json::from_slice(bytes) else { return Err(damaged("it is no object")) };
        let stored = members.get("format").and_then(Value::as_str).ok_or_else(|| damaged("it has no format"))?;
        if stored != format() {
            return Err(StoreError::Unavailable(another_format("shelves", stored)));
        }
        let has_index = members.contains_key("index");
        let mut counts = members.iter().filter(|(name, _)| !matches!(name.as_str(), "format" | "params"));
        if !has_index || counts.any(|(_, count)| count_of(count).is_none()) {
            return Err(damaged("a number of parts or of values of the index"));
        }
        Ok(Self(members))
    }

    /// Fails if the index lacks the names that are values of a parameter. It always has the names by id.
    ///
    /// # Errors
    /// The parameter, as [`StoreError::NotIndexed`]; or an error if the list of parameters is damaged.
    pub fn require(&self, param: &'static Param) -> Result<(), StoreError> {
        let listed = self.0.get("params").filter(|_| !param.kind.is_id());
        let listed = listed.map_or(Some(IndexedParams::default()), |params| IndexedParams::parse(&params.to_string()));
        let damaged = || StoreError::Damaged(format!("{MANIFEST}: params"));
        listed.ok_or_else(damaged)?.require(&[param])
    }

    /// Returns the number with that name. It is 0 if it is missing, as for a type without parts.
    fn number(&self, name: &str) -> u32 {
        self.0.get(name).and_then(count_of).unwrap_or(0)
    }

    /// Returns the number of parts of the shelf of a whole type.
    pub fn parts_of(&self, resource_type: ResourceType) -> u32 {
        self.number(resource_type.name())
    }

    /// Returns the part that holds a resource, if its type has parts.
    pub fn part(&self, reference: &Reference) -> Option<ChartName> {
        let parts = self.parts_of(reference.resource_type);
        (parts > 0).then(|| part_name(reference.resource_type, bucket(reference.id.as_str(), parts)))
    }

    /// Returns the key of the index value that holds a name.
    pub fn index_of(&self, name: &str) -> String {
        index(bucket(name, self.number("index").max(1)))
    }
}

/// Reads a number of parts, or of index values.
fn count_of(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

/// Returns the key of the shelf of one type of one patient.
pub fn shelf(patient: &Id, resource_type: ResourceType) -> String {
    format!("{patient}/{resource_type}")
}

/// Returns the key of a part of the shelf of a whole type.
pub fn part(resource_type: ResourceType, number: u32) -> String {
    format!("_/{resource_type}/{number}")
}

/// Returns the name of a part of the shelf of a whole type. Like those of other compartments that are not patients', it
/// begins with an underscore.
pub fn part_name(resource_type: ResourceType, number: u32) -> ChartName {
    ChartName::new(&format_args!("_{number}"), resource_type)
}

/// Returns the number of the part with this name. `None` if the name is not that of a part.
pub fn part_number(name: &ChartName) -> Option<&str> {
    name.compartment.strip_prefix('_')
}

/// Returns the key of the shelf with that name.
pub fn key_of(name: &ChartName) -> String {
    match part_number(name) {
        Some(number) => format!("_/{}/{number}", name.resource_type),
        None => name.to_string(),
    }
}

/// Returns the key of a value of the index.
pub fn index(number: u32) -> String {
    format!("_/index/{number}")
}

/// Returns the type of the resources on the shelf with that key.
pub fn type_of(key: &str) -> Option<ResourceType> {
    ResourceType::parse(key.split('/').nth(1)?)
}

/// Returns the location of a resource in the index: its patient, or a slash and its id if it is in a part.
pub fn location(indexed: &IndexedResource) -> String {
    indexed.owner.sole().map_or_else(|| format!("/{}", indexed.id), ToString::to_string)
}

/// Returns the name of the shelf at a location of the index.
pub fn name_at(location: &str, resource_type: ResourceType, manifest: &Manifest) -> Option<ChartName> {
    match location.strip_prefix('/') {
        Some(id) => manifest.part(&Reference { resource_type, id: Id::parse(id)? }),
        None => Some(ChartName::new(&Id::parse(location)?, resource_type)),
    }
}

/// Returns the locations of the resources with a name, from the text of its index value.
pub fn locations<'a>(index: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    index.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix('\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_by_its_whole_name() {
        let text = "Encounter/a\tp\nEncounter/ab\tq\nEncounter/a\t/a\n";
        assert_eq!(locations(text, "Encounter/a").collect::<Vec<_>>(), ["p", "/a"]);
        assert_eq!(locations(text, "Encounter").count(), 0);
    }
}
