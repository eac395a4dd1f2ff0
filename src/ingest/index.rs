//! Indexes a resource: resolves its references, completes relative attachment addresses, and extracts the facts that
//! searches read. The result contains the text to store.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::age::MetaOnly;
use super::bundle_names::for_each_attachment_url;
use super::catalogue::{
    Catalogue, Damage, EarlierLoads, OF_REFERENCE, OF_RESOLVED, Resolution, conditional, depends_on, identified,
    identifier_in, is_resolved, name_of_patient, names_of_patients, stored_names,
};
use super::owners::Owners;
use super::value::too_long;
use fhir::{
    Id, Micros, OF_FORM, Reference, ResourceType, Span, compact, digest_text, instant, respell, with_meta, without_meta,
};
use search::{Facts, IndexSet, SortKey, clinical_date, try_facts};
use smart::{Owner, for_each_owning, owner_of};
use store::IndexedResource;

/// The most values of search parameters that a resource may have.
const MAX_FACTS: usize = 20_000;

/// Checks that the values of search parameters can be stored.
fn check(facts: &Facts) -> Result<(), IndexError> {
    if facts.len() > MAX_FACTS {
        return Err(IndexError(format!("{} of its values are searched, and there may be {MAX_FACTS}", facts.len())));
    }
    match facts.iter().find(|(_, fact)| !fact.is_short()) {
        Some((param, _)) => {
            Err(IndexError(format!("a value of {:?} is longer than the 2,000 bytes of an index", param.name)))
        }
        None => Ok(()),
    }
}

/// The default base of relative attachment addresses, except those of Binaries. It is not the FHIR base, because other
/// documents belong to another API.
pub const DOCUMENTS: &str = "https://documents.example.org";

/// Indexes the resources of a load.
#[derive(Debug)]
pub struct Indexer<'a, B> {
    /// The catalogue of the load.
    pub catalogue: &'a Catalogue,
    /// The owners of resources that are owned through others.
    pub owners: &'a Owners,
    /// The resources that earlier loads stored.
    pub earlier: &'a B,
    /// The set of parameters whose facts are extracted.
    pub set: &'a IndexSet,
    /// The FHIR base of this server. Absolute references below it are local.
    pub base: &'a str,
    /// The base of relative attachment addresses.
    pub attachments: &'a str,
    /// The time of the load, in microseconds since 1970.
    pub now: Micros,
}

/// The reason why a resource cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct IndexError(pub String);

impl From<Damage> for IndexError {
    fn from(Damage(why): Damage) -> Self {
        Self(why)
    }
}

/// An indexed resource, with the data that later loads and the report need.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedEntry {
    /// The resource to store.
    pub resource: IndexedResource,
    /// The names by which later loads may refer to the resource (`catalogue::stored_names`).
    pub names: Vec<String>,
    /// The references and names on which the owner, the facts and the references depend (`catalogue::depends_on`).
    pub depends_on: BTreeSet<String>,
    /// The references that match several resources.
    pub ambiguous: Vec<String>,
    /// The number of references that could not be resolved to the form `Type/id`.
    pub unresolved: usize,
    /// A reference that would determine the owner but can never be resolved: a name that is only valid inside a Bundle,
    /// and that no entry of the Bundle has.
    pub stray: Option<String>,
}

impl<B: EarlierLoads> Indexer<'_, B> {
    /// Indexes a resource, given as a value and as its text.
    ///
    /// # Errors
    /// If it is longer than [`EarlierLoads::MAX_BODY_LENGTH`], if it has too many or too long values of search
    /// parameters, or if a stored resource on which it depends cannot be read.
    pub fn index(
        &self,
        resource_type: ResourceType,
        id: &Id,
        mut resource: Value,
        text: &str,
    ) -> Result<IndexedEntry, IndexError> {
        let mut state = ReferenceResolution::default();
        let names = stored_names(resource_type, &resource);
        self.resolve(&mut resource, &mut state)?;
        self.complete_attachments(resource_type, &mut resource, &mut state);
        let body = if !state.changed { compact(text).into_owned() } else { respell(&resource, text) };
        let body = self.versioned(resource_type, id, &mut resource, body);
        if body.len() > B::MAX_BODY_LENGTH {
            return Err(IndexError(too_long(&body)));
        }
        let owner = self.owner(resource_type, id, &resource)?;
        let mut facts = self.facts(resource_type, &resource, &body)?;
        owner.leave_others(&mut facts);
        check(&facts)?;
        let indexed = IndexedResource {
            resource_type,
            id: id.clone(),
            owner,
            sort_key: SortKey::new(clinical_time(resource_type, &resource), id),
            version: version(&resource, &body),
            facts,
            body,
        };
        Ok(state.indexed(indexed, names, &resource))
    }

    /// Indexes a stored resource again after a load of one on which it depends. Owner, facts and references may change.
    ///
    /// # Errors
    /// If its text is not JSON, or if a stored resource on which it depends cannot be read.
    pub fn index_again(&self, mut stored: IndexedResource) -> Result<IndexedEntry, IndexError> {
        let own = stored.reference();
        self.owners.check(&own)?;
        let mut resource = parsed(&stored.body)?;
        let mut led = BTreeSet::new();
        for name in names_of_patients(&resource) {
            if self.earlier.dependents(&name)?.contains(&own) {
                led.insert(name);
            }
        }
        let mut state = ReferenceResolution { led: led.clone(), ..ReferenceResolution::default() };
        self.resolve(&mut resource, &mut state)?;
        if state.changed {
            stored.body = self.resolved_again(&stored.body, &mut resource, &led)?;
            stored.version = version(&resource, &stored.body);
        }
        let (resource_type, id) = (stored.resource_type, &stored.id);
        let owner = self.owner(resource_type, id, &resource)?;
        let mut facts = self.facts(resource_type, &resource, &stored.body)?;
        owner.leave_others(&mut facts);
        let sort_key = SortKey::new(clinical_time(resource_type, &resource), id);
        let names = stored_names(resource_type, &resource);
        Ok(state.indexed(IndexedResource { owner, facts, sort_key, ..stored }, names, &resource))
    }

    /// Returns the text of a stored resource whose references have since been resolved, in `resource`. The text is the
    /// same as if they had been resolved when it was loaded: if its `meta.versionId` is the digest that
    /// [`Self::versioned`] adds, the digest is computed again.
    fn resolved_again(&self, stored: &str, resource: &mut Value, led: &BTreeSet<String>) -> Result<String, IndexError> {
        let meta = |name: &str| resource.get("meta").and_then(|meta| meta.get(name)).and_then(Value::as_str);
        let (own_version, time) = (meta("versionId"), meta("lastUpdated").map(str::to_owned));
        for added in [&["versionId", "lastUpdated"][..], &["versionId"]] {
            let Ok(source) = without_meta(stored, added) else { continue };
            if own_version != Some(&digest(&source)) {
                continue;
            }
            let mut resolved = parsed(&source)?;
            self.resolve(
                &mut resolved,
                &mut ReferenceResolution { led: led.clone(), ..ReferenceResolution::default() },
            )?;
            let body = respell(&resolved, &source);
            let version = digest(&body);
            let time = time.as_deref().filter(|_| added.contains(&"lastUpdated"));
            let members: Vec<_> =
                [("versionId", version.as_str())].into_iter().chain(time.map(|time| ("lastUpdated", time))).collect();
            if let Ok(text) = with_meta(&body, &members) {
                *resource = parsed(&text)?;
                return Ok(text);
            }
        }
        Ok(respell(resource, stored))
    }

    /// Adds the metadata that the source did not give: `meta.versionId`, a digest of the loaded text, and
    /// `meta.lastUpdated`, the time of the last load that changed it (<https://hl7.org/fhir/R4/resource.html#Meta>).
    fn versioned(&self, resource_type: ResourceType, id: &Id, resource: &mut Value, body: String) -> String {
        let versioned = if lacks(resource, "lastUpdated") {
            let stored = self.earlier.body(&Reference { resource_type, id: id.clone() });
            let unchanged = stored.filter(|stored| {
                with_metadata(resource, &body, last_updated(stored).as_deref()).as_ref() == Some(stored)
            });
            unchanged.or_else(|| with_metadata(resource, &body, Some(&instant(self.now))))
        } else {
            with_metadata(resource, &body, None)
        };
        let Some(versioned) = versioned else { return body };
        if let (Some(members), Ok(read)) = (resource.as_object_mut(), serde_json::from_str::<MetaOnly>(&versioned)) {
            members.insert("meta".to_owned(), read.meta);
        }
        versioned
    }

    fn owner(&self, resource_type: ResourceType, id: &Id, resource: &Value) -> Result<Owner, Damage> {
        let known = |reference: &Reference| self.owners.owner(reference, self.catalogue, self.earlier, self.base);
        owner_of(resource_type, id, resource, &known)
    }

    fn facts(&self, resource_type: ResourceType, resource: &Value, text: &str) -> Result<Facts, Damage> {
        let target = |reference: &Reference| match self.catalogue.chained(reference) {
            None if !self.catalogue.deletes(reference) => self.earlier.resource(reference),
            of_load => Ok(of_load.cloned()),
        };
        try_facts(resource_type, resource, text, self.set, &target)
    }

    fn resolve(&self, value: &mut Value, state: &mut ReferenceResolution) -> Result<(), Damage> {
        match value {
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.resolve(item, state)),
            Value::Object(members) => {
                self.resolve_reference(members, state)?;
                members.values_mut().try_for_each(|member| self.resolve(member, state))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }

    fn resolve_reference(
        &self,
        members: &mut Map<String, Value>,
        state: &mut ReferenceResolution,
    ) -> Result<(), Damage> {
        let (name, found) = match members.get("reference").and_then(Value::as_str) {
            Some(text) if text.starts_with('#') => return Ok(()),
            Some(text) if Reference::parse(text).is_some() => {
                // The name led to this patient before. It may now lead to another one, or to none.
                let name = name_of_patient(members).filter(|name| state.led.contains(name));
                let Some(name) = name else { return Ok(()) };
                (name.clone(), self.catalogue.find(&name, self.earlier)?)
            }
            Some(text) => {
                let name = conditional(text).map_or_else(|| text.to_owned(), Cow::into_owned);
                (name, self.catalogue.target(text, self.base, self.earlier)?)
            }
            None => match identified(members, &OF_REFERENCE) {
                Some(name) => (name.clone(), self.catalogue.find(&name, self.earlier)?),
                None => return Ok(()),
            },
        };
        match found {
            Resolution::One(reference) => state.lead(members, &name, &reference),
            Resolution::Several => {
                state.lead_nowhere(members, &name);
                state.ambiguous.push(name);
            }
            Resolution::None => {
                state.lead_nowhere(members, &name);
                state.unresolved += 1;
            }
        }
        Ok(())
    }

    fn complete_attachments(&self, resource_type: ResourceType, resource: &mut Value, state: &mut ReferenceResolution) {
        for_each_attachment_url(resource_type, resource, &mut |url| {
            if is_relative(url) {
                // The address of a Binary is a FHIR address, which is below the FHIR base.
                let is_binary = url.strip_prefix("Binary/").is_some_and(Id::is_valid);
                let base = if is_binary { self.base } else { self.attachments };
                *url = format!("{}/{}", base.trim_end_matches('/'), url.trim_start_matches('/'));
                state.changed = true;
            }
        });
    }
}

/// The result of resolving references.
#[derive(Default)]
struct ReferenceResolution {
    changed: bool,
    ambiguous: Vec<String>,
    unresolved: usize,
    /// The names that have led to patients.
    led: BTreeSet<String>,
}

impl ReferenceResolution {
    /// Writes the resource to which a name leads into a Reference. If it is a patient, the name is kept in the
    /// Reference, since it may lead to another patient after a correction of identifiers.
    fn lead(&mut self, members: &mut Map<String, Value>, name: &str, reference: &Reference) {
        if reference.resource_type == ResourceType::Patient
            && let Some((resource_type, system, value)) = identifier_in(name)
        {
            if !members.contains_key("identifier") {
                if !resource_type.is_empty() {
                    members.insert("type".to_owned(), Value::from(resource_type));
                }
                let parts = [("system", system), ("value", value)];
                let parts = parts.into_iter().map(|(name, part)| (name.to_owned(), Value::from(part)));
                members.insert("identifier".to_owned(), Value::Object(parts.collect()));
            }
            self.led.extend(identified(members, &OF_RESOLVED));
        }
        let text = Value::from(reference.to_string());
        self.changed |= members.get("reference") != Some(&text);
        members.insert("reference".to_owned(), text);
    }

    /// Removes the patient from a Reference whose name no longer leads to one. The resource still depends on the name.
    fn lead_nowhere(&mut self, members: &mut Map<String, Value>, name: &str) {
        if self.led.remove(name) {
            members.shift_remove("reference");
            self.changed = true;
        }
    }

    /// Returns the indexed resource. Its references were resolved in `content`.
    fn indexed(self, resource: IndexedResource, names: Vec<String>, content: &Value) -> IndexedEntry {
        let Self { ambiguous, unresolved, led, .. } = self;
        let mut depends_on = depends_on(resource.resource_type, content);
        depends_on.extend(led);
        let is_nobody = resource.owner.is_nobody(resource.resource_type);
        let stray = if is_nobody { stray_reference(resource.resource_type, content) } else { None };
        IndexedEntry { resource, names, depends_on, ambiguous, unresolved, stray }
    }
}

/// Returns the first reference that would determine the owner but is a name that is only valid inside a Bundle.
fn stray_reference(resource_type: ResourceType, content: &Value) -> Option<String> {
    let mut found = None;
    for_each_owning(resource_type, content, &mut |element| {
        let text = element.get("reference").and_then(Value::as_str).filter(|text| text.starts_with("urn:"));
        found = found.take().or_else(|| text.map(str::to_owned));
    });
    found
}

/// Returns whether an address is that of a file without a scheme. A fragment, `#x`, names a contained resource.
fn is_relative(url: &str) -> bool {
    let first = url.split(['/', '?', '#']).next().unwrap_or_default();
    !url.is_empty() && !url.starts_with('#') && !url.starts_with("//") && !first.contains(':')
}

/// Returns the time by which a resource is ordered.
pub(super) fn clinical_time(resource_type: ResourceType, resource: &Value) -> Option<i64> {
    clinical_date(resource_type, resource).map(Span::sort_time)
}

/// Returns the text of a stored resource, parsed.
fn parsed(text: &str) -> Result<Value, IndexError> {
    serde_json::from_str(text).map_err(|error| IndexError(format!("its stored text is damaged: {error}")))
}

/// Returns `meta.lastUpdated` of a resource.
fn last_updated(text: &str) -> Option<String> {
    let read: MetaOnly = serde_json::from_str(text).ok()?;
    read.meta.get("lastUpdated").and_then(Value::as_str).map(str::to_owned)
}

/// Returns whether a member is missing in `meta` of a resource, and can be added.
fn lacks(resource: &Value, name: &str) -> bool {
    resource.get("meta").is_none_or(|meta| meta.is_object() && meta.get(name).is_none())
}

/// Returns the text of a resource with the metadata that it lacks: a version, which is a digest of the text, and
/// `time`. `None` if it lacks none.
fn with_metadata(resource: &Value, body: &str, time: Option<&str>) -> Option<String> {
    let version = lacks(resource, "versionId").then(|| digest(body));
    let members = [("versionId", version.as_deref()), ("lastUpdated", time.filter(|_| lacks(resource, "lastUpdated")))];
    let members: Vec<_> = members.iter().filter_map(|(name, value)| Some((*name, (*value)?))).collect();
    if members.is_empty() { None } else { with_meta(body, &members).ok() }
}

/// Returns whether a resource, given as a value and as its text, is already stored as that text and unaffected by other
/// loaded resources: it depends on no other resource, and has no reference to resolve.
pub(super) fn is_stored_as(resource_type: ResourceType, resource: &Value, text: &str, stored: &str) -> bool {
    let body = compact(text);
    let is_same = || with_metadata(resource, &body, last_updated(stored).as_deref()).is_some_and(|text| text == stored);
    (*body == *stored || is_same()) && is_resolved(resource) && depends_on(resource_type, resource).is_empty()
}

/// Returns `meta.versionId`, or a digest of the text if it is absent or not a FHIR id.
fn version(resource: &Value, body: &str) -> String {
    let stated = resource.get("meta").and_then(|meta| meta.get("versionId")).and_then(Value::as_str);
    match stated.and_then(Id::parse) {
        Some(version) => version.to_string(),
        None => digest(body),
    }
}

fn digest(text: &str) -> String {
    digest_text::<OF_FORM>(text)
}

#[cfg(test)]
mod tests {
    use super::super::NoEarlierLoads;
    use super::super::value::MAX_BODY;
    use super::*;
    use serde_json::json;

    /// 2026-01-01T00:00:00Z
    const NOW: Micros = 1_767_225_600_000_000;

    /// Indexes a single resource, with an empty store.
    fn index_alone(resource_type: ResourceType, id: &str, text: &str) -> Result<IndexedEntry, IndexError> {
        let indexer = Indexer {
            set: IndexSet::us_core(),
            catalogue: &Catalogue::default(),
            owners: &Owners::default(),
            earlier: &NoEarlierLoads,
            base: "http://x",
            attachments: "http://d",
            now: NOW,
        };
        indexer.index(resource_type, &Id::parse(id).unwrap(), serde_json::from_str(text).unwrap(), text)
    }

    fn index_all(resources: &[Value]) -> Vec<IndexedEntry> {
        let of = |resource: &Value| {
            let resource_type = ResourceType::parse(resource["resourceType"].as_str().unwrap()).unwrap();
            (resource_type, Id::parse(resource["id"].as_str().unwrap()).unwrap())
        };
        let mut catalogue = Catalogue::default();
        for resource in resources {
            let (resource_type, id) = of(resource);
            catalogue.add_resource(resource_type, &id, resource, &NoEarlierLoads).unwrap();
        }
        catalogue.set_source(Some("http://elsewhere".to_owned()), false);
        let owners = Owners::compute(&catalogue, &NoEarlierLoads, "https://here/fhir/r4");
        let indexer = Indexer {
            set: IndexSet::us_core(),
            catalogue: &catalogue,
            owners: &owners,
            earlier: &NoEarlierLoads,
            base: "https://here/fhir/r4",
            attachments: "https://documents.here/",
            now: NOW,
        };
        let index = |resource: &Value| {
            let (resource_type, id) = of(resource);
            indexer.index(resource_type, &id, resource.clone(), &resource.to_string()).unwrap()
        };
        resources.iter().map(index).collect()
    }

    #[test]
    fn an_ambiguous_reference_stays_and_is_reported() {
        let doctor = |id: &str| json!({"resourceType": "Practitioner", "id": id, "identifier": [{"system": "npi", "value": "7"}]});
        let role = json!({"resourceType": "PractitionerRole", "id": "r", "practitioner": {"reference": "Practitioner?identifier=npi|7"}});
        let all = index_all(&[doctor("a"), doctor("b"), role.clone()]);
        assert_eq!(all[2].ambiguous, ["Practitioner?identifier=npi|7"]);
        let body: Value = serde_json::from_str(&all[2].resource.body).unwrap();
        assert_eq!(body["practitioner"], role["practitioner"]);
    }

    #[test]
    fn the_owner_of_a_provenance_is_found_through_resolved_references() {
        let all = index_all(&[
            json!({"resourceType": "Patient", "id": "a"}),
            json!({"resourceType": "Observation", "id": "o", "subject": {"reference": "Patient/a"}, "identifier": [{"system": "s", "value": "o"}]}),
            json!({"resourceType": "Provenance", "id": "v", "target": [{"reference": "Observation?identifier=s|o"}]}),
        ]);
        assert_eq!(all[2].resource.owner.sole().map(Id::as_str), Some("a"));
    }

    #[test]
    fn the_text_keeps_digits_order_and_characters() {
        let text = r#"{"resourceType":"Observation","id":"o","valueQuantity":{"value":1.0,"b":1.2E+2,"c":-1E-22,"d":66.899999999999991,"e":9007199254740993},"subject":{"reference":"urn:gone"},"note":"  é\n\u00a0 \" "}"#;
        let indexed = index_alone(ResourceType::Observation, "o", text).unwrap();
        let meta = format!(r#""meta":{{"versionId":"{}","lastUpdated":"2026-01-01T00:00:00.000Z"}},"#, digest(text));
        assert_eq!(indexed.resource.body, text.replace(r#""id":"o","#, &format!(r#""id":"o",{meta}"#)));
    }

    #[test]
    fn relative_attachments_are_completed_with_the_document_base() {
        let note = |url: &str| {
            let resource =
                json!({"resourceType": "DocumentReference", "id": "n", "content": [{"attachment": {"url": url}}]});
            let indexed = index_all(&[resource]).remove(0).resource;
            serde_json::from_str::<Value>(&indexed.body).unwrap()["content"][0]["attachment"]["url"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(note("notes/1.pdf"), "https://documents.here/notes/1.pdf");
        assert_eq!(note("/Binary/1"), "https://documents.here/Binary/1");
        for absolute in ["https://x/1", "urn:oid:1.2", "data:text/plain,x", "//cdn/x", "HTTPS://x", "#contained"] {
            assert_eq!(note(absolute), absolute);
        }
    }

    #[test]
    fn a_resource_that_is_too_large_is_refused_with_its_size() {
        let resource = json!({"resourceType": "Media", "id": "m", "note": "x".repeat(MAX_BODY)});
        let refused = index_alone(ResourceType::Media, "m", &resource.to_string());
        let why = refused.unwrap_err().0;
        assert!(why.contains("bytes without its documents; there may be 1998000"), "{why}");
    }

    #[test]
    fn version_and_date_of_the_source_are_kept() {
        let all = index_all(&[
            json!({"resourceType": "Patient", "id": "a", "meta": {"versionId": "3", "lastUpdated": "2024-02-29T10:00:00.5-05:00"}}),
            json!({"resourceType": "Patient", "id": "b", "meta": {"versionId": "not \"one\""}}),
        ]);
        assert_eq!(all[0].resource.version, "3");
        assert_eq!(all[0].resource.modified().as_deref(), Some("Thu, 29 Feb 2024 15:00:00 GMT"));
        assert_eq!(all[1].resource.version.len(), 16);
        let meta = |at: usize| serde_json::from_str::<Value>(&all[at].resource.body).unwrap()["meta"].clone();
        assert_eq!(meta(0), json!({"versionId": "3", "lastUpdated": "2024-02-29T10:00:00.5-05:00"}));
        assert_eq!(meta(1), json!({"versionId": "not \"one\"", "lastUpdated": "2026-01-01T00:00:00.000Z"}));
    }

    #[test]
    fn a_missing_version_or_date_is_added() {
        let all = index_all(&[
            json!({"resourceType": "Organization", "id": "a"}),
            json!({"resourceType": "Organization", "id": "b", "meta": {"tag": [], "lastUpdated": "2024"}}),
            json!({"resourceType": "Organization", "id": "c", "meta": 5}),
        ]);
        let indexed: Vec<_> = all.iter().map(|indexed| &indexed.resource).collect();
        let version = digest(r#"{"resourceType":"Organization","id":"a"}"#);
        assert_eq!(
            indexed[0].body,
            format!(
                r#"{{"resourceType":"Organization","id":"a","meta":{{"versionId":"{version}","lastUpdated":"2026-01-01T00:00:00.000Z"}}}}"#
            )
        );
        assert_eq!(indexed[0].version, version);
        assert_eq!(indexed[0].modified().as_deref(), Some("Thu, 01 Jan 2026 00:00:00 GMT"));
        assert_eq!(indexed[0].sort_key, SortKey::new(Some(NOW), &indexed[0].id));
        assert!(indexed[0].facts.iter().any(|(param, _)| param.name == "_lastUpdated"));
        let meta: Value = serde_json::from_str::<Value>(&indexed[1].body).unwrap()["meta"].clone();
        assert_eq!(meta, json!({"tag": [], "lastUpdated": "2024", "versionId": indexed[1].version}));
        // A member `meta` that is not an object is kept.
        assert_eq!(indexed[2].body, r#"{"resourceType":"Organization","id":"c","meta":5}"#);
        assert_eq!(indexed[2].modified(), None);
    }

    #[test]
    fn a_name_that_has_led_to_a_patient_stays_beside_the_reference() {
        let all = index_all(&[
            json!({"resourceType": "Patient", "id": "p", "identifier": [{"system": "mrn", "value": "1"}]}),
            json!({"resourceType": "Condition", "id": "c", "subject": {"reference": "Patient?identifier=mrn%7C1"}}),
            json!({"resourceType": "Condition", "id": "d", "subject": {"identifier": {"system": "mrn", "value": "1"}}}),
        ]);
        let subject = |at: usize| serde_json::from_str::<Value>(&all[at].resource.body).unwrap()["subject"].clone();
        let identifier = json!({"system": "mrn", "value": "1"});
        assert_eq!(subject(1), json!({"reference": "Patient/p", "type": "Patient", "identifier": identifier}));
        assert_eq!(subject(2), json!({"identifier": identifier, "reference": "Patient/p"}));
        assert!(all[1].depends_on.contains("Patient?identifier=mrn|1"));
        assert!(all[2].depends_on.contains("?identifier=mrn|1"));
    }

    #[test]
    fn values_that_no_index_takes_are_a_fault() {
        let of = |code: &str| json!({"resourceType": "Observation", "id": "o", "status": "final", "code": {"coding": [{"code": code}]}});
        let index = |resource: &Value| index_alone(ResourceType::Observation, "o", &resource.to_string());
        assert!(index(&of(&"x".repeat(2_000))).is_ok());
        let why = index(&of(&"x".repeat(2_001))).unwrap_err().0;
        assert_eq!(why, "a value of \"code\" is longer than the 2,000 bytes of an index");
        let codings: Vec<_> = (0..=MAX_FACTS).map(|number| json!({"code": number.to_string()})).collect();
        let many = json!({"resourceType": "Observation", "id": "o", "code": {"coding": codings}});
        assert!(index(&many).unwrap_err().0.contains("there may be 20000"));
    }

    #[test]
    fn a_name_of_a_bundle_that_no_entry_has_is_told() {
        let of = |subject: Value| {
            index_all(&[json!({"resourceType": "Condition", "id": "c", "subject": subject})])[0].stray.clone()
        };
        assert_eq!(of(json!({"reference": "urn:uuid:x"})).as_deref(), Some("urn:uuid:x"));
        assert_eq!(of(json!({"reference": "Patient?identifier=s|1"})), None);
        assert_eq!(of(json!({"reference": "Patient/x"})), None);
    }
}
