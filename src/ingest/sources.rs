//! The servers from which the resources of a load come. An id is only unique on its server: `Patient/1` of one server
//! is not `Patient/1` of another (<https://hl7.org/fhir/R4/resource.html#id>).

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value;

use super::bundle_names::{base_of, for_each_reference};
use super::document::{Deletion, Parsed, ParsedResource, Rejection};
use super::spill::{SpillMap, SpillTable, key};
use fhir::{Id, OF_THING, Reference, ResourceType, digest_text, for_each_object, respell};

/// The servers of the resources of a load, by their FHIR bases.
#[derive(Debug, Default)]
pub struct Sources {
    /// The base that the operator names. References below it are to resources of this server.
    named: Option<String>,
    /// The bases of absolute references, and an empty text for a relative reference to a patient. Two at most are kept,
    /// since only a single one is conclusive.
    referred: BTreeSet<String>,
    /// True if `referred` is complete for the whole file, of which this load is a part.
    is_known: bool,
    /// The base of each resource whose address is known, as text.
    of: SpillMap,
    /// The policy for a resource whose id is already used by another server.
    clash: Clash,
}

/// The policy for a resource whose id is that of a resource of another server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Clash {
    /// The resource is refused.
    #[default]
    Refuse,
    /// The resource gets another id.
    Rename,
}

impl Sources {
    /// Returns the sources of a load with this policy.
    pub fn with(clash: Clash) -> Self {
        Self { clash, ..Self::default() }
    }

    /// Returns the sources of a load whose absolute references below `base` are to resources of this server.
    pub fn named(base: Option<&str>) -> Self {
        let base = base.map(|base| base.trim_end_matches('/').to_owned());
        Self { named: base, ..Self::default() }
    }

    /// Returns the sources of a part of a file. The bases of the absolute references in the file are `referred`.
    #[must_use]
    pub fn of_part(self, referred: BTreeSet<String>) -> Self {
        Self { referred, is_known: true, ..self }
    }

    /// Keeps a part of the bases of resources in a table from now on.
    pub(super) fn spill_into(&mut self, table: Option<&Rc<dyn SpillTable>>) {
        self.of.spill_into(table);
    }

    /// Returns the base of all absolute references, if they have the same base and no patient is referred to otherwise:
    /// beside relative references, an absolute one leads to another server.
    pub fn only(&self) -> Option<String> {
        self.referred.first().filter(|base| self.referred.len() == 1 && !base.is_empty()).cloned()
    }

    /// Records the bases of the absolute references in a resource. `own` is the base of this server.
    pub fn note(&mut self, resource: &Value, own: &str) {
        if !self.is_known {
            note_bases(&mut self.referred, resource, own);
        }
    }

    /// Makes the references of an entry local where possible, and distinguishes resources of several servers.
    ///
    /// # Errors
    /// If a resource has the id of a resource of another server, and is refused.
    pub fn localize<'a>(&mut self, parsed: Parsed<'a>) -> Result<Parsed<'a>, Rejection> {
        match parsed {
            Parsed::Resource(resource) => self.localize_resource(resource).map(Parsed::Resource),
            Parsed::Deletion(Deletion { .. }) => Ok(parsed),
        }
    }

    fn localize_resource<'a>(&mut self, mut parsed: ParsedResource<'a>) -> Result<ParsedResource<'a>, Rejection> {
        let mut is_changed = false;
        if let Some(named) = self.named.as_deref() {
            for_each_reference(&mut parsed.resource, &mut |text| {
                let local = Reference::unversioned(text).strip_prefix(named).and_then(|rest| rest.strip_prefix('/'));
                if let Some(reference) = local.and_then(Reference::parse) {
                    *text = reference.to_string();
                    is_changed = true;
                }
            });
        }
        if let Some(base) = parsed.base.clone().filter(|base| Some(base) != self.named.as_ref()) {
            let own = Reference { resource_type: parsed.resource_type, id: parsed.id.clone() };
            if let Some(other) = self.other_base(&own, &base) {
                let Some(id) = self.renamed(&own, &base) else {
                    let why = format!("{own} of {base} has the id of another resource, which is of {other}");
                    return Err(Rejection::Fault(why));
                };
                if let Some(members) = parsed.resource.as_object_mut() {
                    members.insert("id".to_owned(), Value::from(id.as_str()));
                }
                (parsed.id, is_changed) = (id, true);
            }
            for_each_reference(&mut parsed.resource, &mut |text| {
                if let Some(target) = Reference::parse(text)
                    && self.other_base(&target, &base).is_some()
                {
                    *text = match self.renamed(&target, &base) {
                        Some(id) => Reference { resource_type: target.resource_type, id }.to_string(),
                        None => format!("{base}/{target}"),
                    };
                    is_changed = true;
                }
            });
        }
        if is_changed {
            parsed.text = respell(&parsed.resource, &parsed.text).into();
        }
        Ok(parsed)
    }

    /// Returns the base of the known resource with that reference, if it differs from `base`.
    fn other_base(&mut self, reference: &Reference, base: &str) -> Option<String> {
        let name = key(&format!("base of {reference}"));
        let known: Option<String> = self.of.get(&name);
        if known.is_none() {
            self.of.put(name, base);
        }
        known.filter(|known| known != base)
    }

    /// Returns the new id of a resource, which is derived from its address.
    fn renamed(&self, reference: &Reference, base: &str) -> Option<Id> {
        if self.clash == Clash::Refuse {
            return None;
        }
        Id::parse(&digest_text::<OF_THING>(format!("{base}/{reference}")))
    }
}

/// Adds the bases of the absolute references in a resource, and the empty text for a relative reference to a patient.
/// `own` is the base of this server.
pub fn note_bases(found: &mut BTreeSet<String>, resource: &Value, own: &str) {
    for_each_object(resource, &mut |members| {
        let text = members.get("reference").and_then(Value::as_str);
        let base = text.and_then(|text| match Reference::parse(text) {
            Some(reference) => (reference.resource_type == ResourceType::Patient).then_some(""),
            None => base_of(text),
        });
        if let Some(base) = base.filter(|base| *base != own && found.len() < 2 && !found.contains(*base)) {
            found.insert(base.to_owned());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Intake, entries};
    use serde_json::json;

    fn localized(sources: &mut Sources, base: &str, resource: &Value) -> Result<Value, Rejection> {
        let url = format!("{base}/{}/{}", resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap());
        let bundle = json!({"resourceType": "Bundle", "entry": [{"fullUrl": url, "resource": resource}]}).to_string();
        let entry = entries(&bundle, Intake::Store).pop().unwrap().unwrap();
        let Parsed::Resource(parsed) = sources.localize(entry.take()?)? else { panic!("it is a resource") };
        assert_eq!(parsed.text.parse::<Value>().unwrap(), parsed.resource);
        assert_eq!(parsed.resource["id"], parsed.id.as_str());
        Ok(parsed.resource)
    }

    #[test]
    fn the_same_id_of_two_servers_is_two_resources_or_a_fault() {
        let patient = json!({"resourceType": "Patient", "id": "1"});
        let condition = json!({"resourceType": "Condition", "id": "c", "subject": {"reference": "Patient/1"}});
        let mut renaming = Sources::with(Clash::Rename);
        assert_eq!(localized(&mut renaming, "https://a", &patient).unwrap(), patient);
        let other = localized(&mut renaming, "https://b", &patient).unwrap();
        assert_ne!(other["id"], "1");
        let of_other = localized(&mut renaming, "https://b", &condition).unwrap();
        assert_eq!(of_other["subject"]["reference"], format!("Patient/{}", other["id"].as_str().unwrap()));
        assert_eq!(localized(&mut renaming, "https://b", &patient).unwrap(), other);

        let mut refusing = Sources::default();
        localized(&mut refusing, "https://a", &patient).unwrap();
        let Err(Rejection::Fault(why)) = localized(&mut refusing, "https://b", &patient) else {
            panic!("it is accepted")
        };
        assert_eq!(why, "Patient/1 of https://b has the id of another resource, which is of https://a");
        let stray = localized(&mut refusing, "https://b", &condition).unwrap();
        assert_eq!(stray["subject"]["reference"], "https://b/Patient/1");
    }

    #[test]
    fn references_below_the_named_base_are_relative() {
        let mut sources = Sources::named(Some("https://ehr/fhir/"));
        let of = |text: &str| json!({"resourceType": "Condition", "id": "c", "subject": {"reference": text}});
        let found = localized(&mut sources, "https://x", &of("https://ehr/fhir/Patient/p/_history/1")).unwrap();
        assert_eq!(found, of("Patient/p"));
        let other = of("https://other/fhir/Patient/p");
        assert_eq!(localized(&mut sources, "https://x", &other).unwrap(), other);
    }

    #[test]
    fn one_base_of_all_absolute_references_is_that_of_the_source() {
        let mut sources = Sources::default();
        let of = |text: &str| json!({"subject": {"reference": text}});
        for text in ["Group/1", "https://here/Patient/1", "urn:uuid:1", "https://ehr/Patient/1", "https://ehr/Group/1"]
        {
            sources.note(&of(text), "https://here");
        }
        assert_eq!(sources.only().as_deref(), Some("https://ehr"));
        sources.note(&of("Patient/1"), "https://here");
        assert_eq!(sources.only(), None);
        let mut several = Sources::default();
        ["https://ehr/Patient/1", "https://other/Patient/1"]
            .iter()
            .for_each(|text| several.note(&of(text), "https://here"));
        assert_eq!(several.only(), None);
    }
}
