//! The facts of the resources in `contained`, which chains search.

use std::collections::BTreeMap;

use serde_json::Value;

use super::contained::{local, type_of};
use super::extract::{Facts, facts, facts_of};
use super::index_set::IndexSet;
use super::param::Param;
use super::stored_params::stored_params;
use fhir::{Reference, ResourceType, for_each_reference_mut, for_each_text, for_each_value};

/// A resource that another one contains, or the container.
#[derive(Debug, Clone, PartialEq)]
pub struct Contained {
    /// The type.
    pub resource_type: ResourceType,
    /// The reference that leads to it from its container and from the other contained resources. No request can name
    /// this reference. `None` for the container.
    pub reference: Option<String>,
    /// The facts, except that of its id. The facts of the container are its references to what it contains.
    pub facts: Facts,
}

/// Returns the contents of these types in a resource, given by the members of its text that matter, and the container,
/// with its references by these parameters. Nothing if the text is damaged.
pub fn read_contained(
    container: &Reference,
    text: &str,
    types: &[ResourceType],
    params: &[&'static Param],
) -> Vec<Contained> {
    let Ok(mut resource) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let mut names = BTreeMap::from([("#".to_owned(), container.to_string())]);
    for_each_value(&resource, "contained", &mut |inner| {
        if let (Some(of), Some(id)) = (type_of(inner), local(inner)) {
            let Reference { resource_type, id: own } = container;
            names.entry(format!("#{id}")).or_insert_with(|| format!("{of}/{resource_type}~{own}#{id}"));
        }
    });
    for_each_reference_mut(&mut resource, &mut |text| {
        if let Some(name) = names.get(text) {
            name.clone_into(text);
        }
    });
    let is_asked = |param: &&Param| params.iter().any(|asked| asked.columns.contains(&param.id));
    let mut own: Facts = stored_params(container.resource_type)
        .filter(is_asked)
        .flat_map(|param| facts_of(param, &resource, ""))
        .collect();
    own.retain(|(_, fact)| fact.reference().is_some_and(|target| names.values().any(|name| name == target)));
    let mut all = vec![Contained { resource_type: container.resource_type, reference: None, facts: own }];
    let mut texts = Vec::new();
    for_each_text(text, "contained", &mut |inner| texts.push(inner));
    let mut texts = texts.into_iter();
    for_each_value(&resource, "contained", &mut |inner| {
        let text = texts.next().unwrap_or_default();
        let Some(resource_type) = type_of(inner).filter(|of| types.contains(of)) else { return };
        let reference = local(inner).and_then(|id| names.get(&format!("#{id}")).cloned());
        let mut facts = facts(resource_type, inner, text, IndexSet::of_r4(), &|_| None);
        facts.retain(|(param, _)| !param.kind.is_id());
        all.extend(reference.map(|name| Contained { resource_type, reference: Some(name), facts }));
    });
    all
}
