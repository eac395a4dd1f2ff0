//! The names that are valid inside one Bundle: the `fullUrl` of each entry
//! (<https://hl7.org/fhir/R4/bundle.html#references>).

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::spill::{NameDigest, key};
use fhir::{Reference, ResourceType, for_each_reference_mut};
use search::CARRIERS;

/// The names in a Bundle and in the Bundles that enclose it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BundleNames {
    /// The target of each name of an entry, such as its `fullUrl`.
    by_url: HashMap<NameDigest, NameTarget>,
    outer: Option<Rc<Self>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum NameTarget {
    /// The text of a Reference: `Type/id`, or a search that finds the one record with an identifier.
    One(String),
    /// The entries of several resources.
    Several,
    /// An entry that is rejected, and whose record is uncertain.
    Refused,
}

impl BundleNames {
    /// Returns the names in a Bundle that is an entry of another one.
    pub fn inside(outer: Rc<Self>) -> Self {
        Self { by_url: HashMap::new(), outer: Some(outer) }
    }

    /// Adds an entry by one of its names, with the text of a Reference to its record.
    pub fn add(&mut self, name: &str, target: &str) {
        let known = self.by_url.entry(key(name)).or_insert_with(|| NameTarget::One(target.to_owned()));
        // The versions of a resource in a history have the same address.
        if !matches!(known, NameTarget::Refused) && *known != NameTarget::One(target.to_owned()) {
            *known = NameTarget::Several;
        }
    }

    /// Adds a name of a rejected entry that may be of several records.
    pub fn refuse(&mut self, name: &str) {
        self.by_url.insert(key(name), NameTarget::Refused);
    }

    fn find(&self, name: &str) -> Option<&NameTarget> {
        self.by_url.get(&key(name)).or_else(|| self.outer.as_ref()?.find(name))
    }

    /// Resolves each Reference in a resource that leads to an entry, or to the source server, whose FHIR base is
    /// `base`, and the address of each attachment that leads to an entry. Returns whether the resource has changed.
    ///
    /// # Errors
    /// The Reference that leads to a rejected entry.
    pub fn resolve(
        &self,
        resource_type: ResourceType,
        resource: &mut Value,
        base: Option<&str>,
    ) -> Result<bool, String> {
        let (mut is_changed, mut refused) = (false, None);
        for_each_reference(resource, &mut |text| match self.target(text, base) {
            Some(NameTarget::One(target)) if target != *text => {
                *text = target;
                is_changed = true;
            }
            Some(NameTarget::Refused) => refused = Some(text.clone()),
            Some(NameTarget::One(_) | NameTarget::Several) | None => {}
        });
        for_each_attachment_url(resource_type, resource, &mut |url| {
            if let Some(NameTarget::One(target)) = self.find(url) {
                url.clone_from(target);
                is_changed = true;
            }
        });
        refused.map_or(Ok(is_changed), Err)
    }

    fn target(&self, text: &str, base: Option<&str>) -> Option<NameTarget> {
        let unversioned = Reference::unversioned(text);
        if let Some(found) = self.find(unversioned).filter(|found| **found != NameTarget::Several) {
            return Some(found.clone());
        }
        let base = base?;
        if let Some(reference) = Reference::parse(text) {
            // The address of an entry may end with an id other than that of its resource.
            return self.find(&format!("{base}/{reference}")).cloned();
        }
        let local = unversioned.strip_prefix(base)?.strip_prefix('/')?;
        let reference = Reference::parse(local)?.to_string();
        Some(self.find(&reference).cloned().unwrap_or(NameTarget::One(reference)))
    }
}

/// Calls `action` with the text of each Reference in a value, except for references to contained resources.
pub fn for_each_reference(value: &mut Value, action: &mut dyn FnMut(&mut String)) {
    for_each_reference_mut(value, &mut |text| {
        if !text.starts_with('#') {
            action(text);
        }
    });
}

/// Calls `action` with the address of each attachment of a resource.
pub fn for_each_attachment_url(resource_type: ResourceType, resource: &mut Value, action: &mut dyn FnMut(&mut String)) {
    let carrying = CARRIERS.iter().filter(|(carrier, _)| *carrier == resource_type).map(|(_, path)| path);
    for path in resource_type.attachments().iter().chain(carrying) {
        for_each_value_mut(resource, path, &mut |attachment| {
            if let Some(Value::String(url)) = attachment.get_mut("url") {
                action(url);
            }
        });
    }
}

/// Calls `action` with each value to which a dotted path leads, like [`fhir::for_each_value`].
fn for_each_value_mut(value: &mut Value, path: &str, action: &mut dyn FnMut(&mut Value)) {
    if let Value::Array(items) = value {
        items.iter_mut().for_each(|item| for_each_value_mut(item, path, action));
    } else if path.is_empty() {
        action(value);
    } else {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        if let Some(member) = value.get_mut(first) {
            for_each_value_mut(member, rest, action);
        }
    }
}

/// Returns the FHIR base in a resource's address, `[base]/[type]/[id]` with or without a version. `None` for others.
pub fn base_of(address: &str) -> Option<&str> {
    let address = Reference::unversioned(address);
    let (rest, id) = address.rsplit_once('/')?;
    let (base, resource_type) = rest.rsplit_once('/')?;
    let is_type = ResourceType::parse(resource_type).is_some() && fhir::Id::is_valid(id);
    let is_base = base.starts_with("http://") || base.starts_with("https://");
    (is_type && is_base).then_some(base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn resolved(names: &BundleNames, text: &str, base: Option<&str>) -> String {
        let mut resource = json!({"subject": [{"reference": text}]});
        let is_changed = names.resolve(ResourceType::Observation, &mut resource, base).unwrap();
        let found = resource["subject"][0]["reference"].as_str().unwrap().to_owned();
        assert_eq!(is_changed, found != text);
        found
    }

    #[test]
    fn the_address_of_an_attachment_may_be_the_name_of_an_entry() {
        let mut names = BundleNames::default();
        names.add("urn:uuid:1", "Binary/a");
        names.add("https://a/fhir/Binary/2", "Binary/2");
        for (url, expected) in [("urn:uuid:1", "Binary/a"), ("https://a/fhir/Binary/2", "Binary/2"), ("x", "x")] {
            let attached = |url: &str| json!({"content": [{"attachment": {"url": url}}]});
            let mut resource = attached(url);
            let is_changed = names.resolve(ResourceType::DocumentReference, &mut resource, None).unwrap();
            assert_eq!((is_changed, resource), (url != expected, attached(expected)));
        }
    }

    #[test]
    fn the_innermost_bundle_with_a_name_counts() {
        let mut outer = BundleNames::default();
        outer.add("urn:uuid:1", "Patient/outer");
        outer.add("urn:uuid:2", "Patient/two");
        let mut inner = BundleNames::inside(Rc::new(outer));
        inner.add("urn:uuid:1", "Patient/inner");
        inner.add("urn:uuid:3", "Patient/a");
        inner.add("urn:uuid:3", "Patient/b");
        assert_eq!(resolved(&inner, "urn:uuid:1", None), "Patient/inner");
        assert_eq!(resolved(&inner, "urn:uuid:2", None), "Patient/two");
        for unknown in ["urn:uuid:3", "urn:uuid:4", "#x", "Patient/x"] {
            assert_eq!(resolved(&inner, unknown, None), unknown);
        }
    }

    #[test]
    fn references_to_the_server_of_the_resource_are_relative_to_it() {
        let mut names = BundleNames::default();
        names.add("https://a/fhir/Patient/1", "Patient/one");
        let base = Some("https://a/fhir");
        for text in ["Patient/1", "https://a/fhir/Patient/1", "https://a/fhir/Patient/1/_history/2"] {
            assert_eq!(resolved(&names, text, base), "Patient/one");
        }
        assert_eq!(resolved(&names, "https://a/fhir/Patient/2", base), "Patient/2");
        for other in ["Patient/2", "https://b/fhir/Patient/1", "https://a/fhir/Foo/1", "https://a/fhirs/Patient/2"] {
            assert_eq!(resolved(&names, other, base), other);
        }
        assert_eq!(resolved(&names, "Patient/1", Some("https://b/fhir")), "Patient/1");
    }

    #[test]
    fn an_address_has_a_base_if_it_ends_with_a_type_and_an_id() {
        assert_eq!(base_of("https://a/fhir/Patient/1"), Some("https://a/fhir"));
        assert_eq!(base_of("https://a/fhir/Patient/1/_history/3"), Some("https://a/fhir"));
        for other in ["urn:uuid:1", "Patient/1", "https://a/Foo/1", "https://Patient/1", "a/b/Patient/1"] {
            assert_eq!(base_of(other), None, "{other}");
        }
    }
}
