//! The catalogue of a load: the names of its resources, their owners, and the elements that chained searches read. It
//! is complete before the first resource is indexed.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::age::Age;
use crate::fhir::{Id, Micros, Reference, ResourceType, compact, each, json};
use crate::search::{PARAMS, params_of};
use crate::smart::{Owner, each_owning, is_directory, is_owned_through_others};

/// The resources that earlier loads stored.
pub trait EarlierLoads {
    /// Returns the resources with that name.
    fn named(&self, name: &str) -> Vec<Reference>;
    /// Returns the owner of a stored resource.
    fn owner(&self, reference: &Reference) -> Option<Owner>;
    /// Returns the text of a stored resource.
    fn body(&self, reference: &Reference) -> Option<String>;
    /// Returns the stored resources that [depend on](depends_on) the one with that reference or name.
    fn dependents(&self, name: &str) -> Vec<Reference>;
    /// Returns the time when a resource was deleted, unless that was long ago.
    fn deleted_at(&self, reference: &Reference) -> Option<Micros>;

    /// Returns a stored resource.
    fn resource(&self, reference: &Reference) -> Option<Value> {
        serde_json::from_str(&self.body(reference)?).ok()
    }
}

/// Returns the resources on which the owner, the chained facts or the references of a resource depend: references, and
/// the names to which no resource is known yet. Loading one of them causes the resource to be indexed again.
#[must_use]
pub fn depends_on(kind: ResourceType, resource: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each_unresolved(resource, &mut |name| {
        found.insert(name);
    });
    let mut add = |element: &Value| {
        let text = element.get("reference").and_then(Value::as_str);
        found.extend(text.and_then(Reference::parse).map(|reference| reference.to_string()));
    };
    if is_owned_through_others(kind) {
        each_owning(kind, resource, &mut add);
    }
    for (reference, _) in params_of(kind).filter_map(|param| param.via) {
        each(resource, reference, &mut add);
    }
    found
}

/// The earlier loads of an empty store.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEarlierLoads;

impl EarlierLoads for NoEarlierLoads {
    fn named(&self, _: &str) -> Vec<Reference> {
        Vec::new()
    }

    fn owner(&self, _: &Reference) -> Option<Owner> {
        None
    }

    fn body(&self, _: &Reference) -> Option<String> {
        None
    }

    fn deleted_at(&self, _: &Reference) -> Option<Micros> {
        None
    }

    fn dependents(&self, _: &str) -> Vec<Reference> {
        Vec::new()
    }
}

/// The first half of a SHA-256. Names are many and are only compared.
type NameDigest = [u8; 16];

fn key(name: &str) -> NameDigest {
    Sha256::digest(name).first_chunk().copied().unwrap_or_default()
}

/// The catalogue of one load. Its size is some tens of bytes per resource.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// Resources by name. `None` if several have the same name.
    names: HashMap<NameDigest, Option<Reference>>,
    /// The reference to the patient, as written, by `Type/id`. An index into `written`.
    belongs: HashMap<NameDigest, u32>,
    written: Vec<String>,
    writing: HashMap<String, u32>,
    /// The references, as written, of resources that are owned through others: a JSON array, with null for one that is
    /// written in no known form. One text takes a third of the memory of many.
    owned_through: HashMap<Reference, String>,
    /// Stored resources that depend on those of the load.
    dependents: BTreeSet<Reference>,
    chained: HashMap<Reference, Value>,
    /// The resources that the load deletes.
    deleted: HashSet<NameDigest>,
    /// The occurrence of each resource that counts, in loads that keep what is newer.
    choices: HashMap<NameDigest, Choice>,
    /// The repetitions of resources that occur more than once.
    repeats: HashMap<NameDigest, Repeats>,
}

/// The remaining occurrences of a resource, and the earlier ones with their content and location.
#[derive(Debug, Default)]
struct Repeats {
    left: usize,
    earlier: Vec<(NameDigest, String)>,
}

/// The choice among the occurrences of a resource.
#[derive(Debug, Default)]
struct Choice {
    /// The number of occurrences.
    offered: usize,
    /// The number of occurrences that were counted again.
    passed: usize,
    /// The number of the occurrence that counts.
    chosen: Option<usize>,
    /// The age of the form or the deletion that counts.
    newest: Option<Age>,
}

/// The form of a resource that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chosen {
    /// This occurrence.
    This,
    /// Another occurrence in the load.
    Another,
    /// The stored form, which is newer than all of the load.
    Stored,
}

/// The index of a resource that names no patient.
const NOBODY: u32 = u32::MAX;

impl Catalogue {
    /// Adds a resource, and the stored resources that depend on it.
    pub fn learn(
        &mut self,
        kind: ResourceType,
        id: &Id,
        resource: &Value,
        full_url: Option<&str>,
        earlier: &impl EarlierLoads,
    ) {
        let reference = Reference { kind, id: id.clone() };
        for name in names(kind, resource, full_url) {
            self.dependents.extend(earlier.dependents(&name));
            let known = self.names.entry(key(&name)).or_insert_with(|| Some(reference.clone()));
            if known.as_ref() != Some(&reference) {
                *known = None;
            }
        }
        let mut owning = Vec::new();
        each_owning(kind, resource, &mut |element| owning.push(name_of(element)));
        let belongs = if is_owned_through_others(kind) {
            self.owned_through.insert(reference.clone(), json(&owning));
            NOBODY
        } else if kind == ResourceType::Patient {
            self.intern(Some(reference.to_string()))
        } else {
            self.intern(owning.into_iter().next().flatten())
        };
        self.depend(&reference, earlier);
        let key = key(&reference.to_string());
        let was_deleted = self.deleted.remove(&key);
        if self.belongs.insert(key, belongs).is_some() || was_deleted {
            self.repeats.entry(key).or_default().left += 1;
        }
        if PARAMS.iter().any(|param| param.via.is_some_and(|(_, to)| to == kind)) {
            self.chained.insert(reference, resource.clone());
        }
    }

    /// Adds the address of a form of a resource that does not count, so that references by it lead to the resource.
    pub(super) fn learn_address(&mut self, reference: &Reference, full_url: Option<&str>) {
        if let Some(url) = full_url {
            self.names.entry(key(url)).or_insert_with(|| Some(reference.clone()));
        }
    }

    /// Adds an occurrence of a resource, a form or a deletion, to a load that keeps what is newer. It is compared with
    /// the newest one before it in the load, and the first one with what is stored. Returns whether it counts, unless a
    /// later one does.
    pub(super) fn offer(&mut self, reference: &Reference, age: Age, is_outdated: &dyn Fn() -> bool) -> bool {
        let choice = self.choices.entry(key(&reference.to_string())).or_default();
        choice.offered += 1;
        let counts = match choice.newest {
            Some(newest) => !age.is_before(newest),
            None => !is_outdated(),
        };
        if counts {
            (choice.chosen, choice.newest) = (Some(choice.offered), Some(age));
        }
        counts
    }

    /// Counts an occurrence of a resource again, in the same order. Returns what [`Self::offer`] has chosen.
    pub(super) fn chosen(&mut self, reference: &Reference) -> Chosen {
        let choice = self.choices.entry(key(&reference.to_string())).or_default();
        choice.passed += 1;
        match choice.chosen {
            Some(chosen) if chosen == choice.passed => Chosen::This,
            Some(_) => Chosen::Another,
            None => Chosen::Stored,
        }
    }

    /// Adds the deletion of a resource. If the resource comes again behind it, that counts.
    pub fn learn_deletion(&mut self, reference: &Reference, earlier: &impl EarlierLoads) {
        self.depend(reference, earlier);
        self.owned_through.remove(reference);
        self.chained.remove(reference);
        let key = key(&reference.to_string());
        let was_learnt = self.belongs.remove(&key).is_some();
        if !self.deleted.insert(key) || was_learnt {
            self.repeats.entry(key).or_default().left += 1;
        }
    }

    /// Returns whether the load deletes that resource.
    pub(super) fn deletes(&self, reference: &Reference) -> bool {
        !self.deleted.is_empty() && self.deleted.contains(&key(&reference.to_string()))
    }

    /// Adds the stored resources that depend on that one, so that they are indexed again.
    pub fn depend(&mut self, reference: &Reference, earlier: &impl EarlierLoads) {
        self.dependents.extend(earlier.dependents(&reference.to_string()));
    }

    /// Returns whether the load contains that resource.
    #[must_use]
    pub fn contains(&self, reference: &Reference) -> bool {
        self.belongs.contains_key(&key(&reference.to_string()))
    }

    /// Counts an occurrence of the resource in the load. To be called once for each occurrence, in order. Returns the
    /// locations of earlier occurrences with another content if this is the last one, which is the one that is stored.
    /// Returns `None` if the resource occurs again.
    pub fn count_occurrence(
        &mut self,
        reference: &Reference,
        text: &str,
        location: &dyn Fn() -> String,
    ) -> Option<Vec<String>> {
        let Some(repeats) = self.repeats.get_mut(&key(&reference.to_string())) else { return Some(Vec::new()) };
        let content = key(&compact(text));
        if repeats.left == 0 {
            repeats.earlier.retain(|(earlier, _)| *earlier != content);
            return Some(repeats.earlier.drain(..).map(|(_, location)| location).collect());
        }
        repeats.left -= 1;
        if repeats.earlier.iter().all(|(earlier, _)| *earlier != content) {
            repeats.earlier.push((content, location()));
        }
        None
    }

    /// Counts a deletion as an occurrence of the resource. Returns whether it is the last one.
    pub fn count_deletion(&mut self, reference: &Reference) -> bool {
        let repeats = self.repeats.get_mut(&key(&reference.to_string())).filter(|repeats| repeats.left > 0);
        if let Some(repeats) = repeats {
            repeats.left -= 1;
            return false;
        }
        true
    }

    /// Creates a catalogue of an empty load with these dependents.
    #[must_use]
    pub fn of_dependents(dependents: BTreeSet<Reference>) -> Self {
        Self { dependents, ..Self::default() }
    }

    /// Resolves a name.
    #[must_use]
    pub fn find(&self, name: &str, earlier: &impl EarlierLoads) -> Resolution {
        let here = self.names.get(&key(name));
        match here {
            Some(None) => Resolution::Several,
            Some(Some(reference)) if name.starts_with("urn:") => Resolution::One(reference.clone()),
            Some(_) | None => {
                let mut all = earlier.named(name);
                all.extend(here.cloned().flatten());
                all.retain(|reference| !self.deletes(reference));
                all.sort();
                all.dedup();
                match (all.pop(), all.is_empty()) {
                    (None, _) => Resolution::None,
                    (Some(only), true) => Resolution::One(only),
                    (Some(_), false) => Resolution::Several,
                }
            }
        }
    }

    /// Resolves a reference to a resource of this server, whose FHIR base is `base`.
    pub(super) fn local(&self, text: &str, base: &str, earlier: &impl EarlierLoads) -> Option<Reference> {
        Reference::parse(text).or_else(|| match self.target(text, base, earlier) {
            Resolution::One(reference) => Some(reference),
            Resolution::None | Resolution::Several => None,
        })
    }

    /// Resolves a reference that is not of the form `Type/id`.
    pub(super) fn target(&self, text: &str, base: &str, earlier: &impl EarlierLoads) -> Resolution {
        let unversioned = Reference::unversioned(text);
        let under_base = unversioned.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
        if let Some(reference) = under_base.and_then(Reference::parse) {
            let known = self.contains(&reference) || !self.deletes(&reference) && earlier.owner(&reference).is_some();
            return if known { Resolution::One(reference) } else { Resolution::None };
        }
        self.find(&name_in(unversioned), earlier)
    }

    /// Returns the owner of a resource of this load that is not owned through others. Returns `None` if the load does
    /// not contain it.
    pub(super) fn owner(&self, reference: &Reference, base: &str, earlier: &impl EarlierLoads) -> Option<Owner> {
        let at = self.belongs.get(&key(&reference.to_string()))?;
        if is_directory(reference.kind) {
            return Some(Owner::Everyone);
        }
        let text = self.written.get(*at as usize);
        let patient = text.and_then(|text| self.local(text, base, earlier));
        let patient = patient.filter(|patient| patient.kind == ResourceType::Patient);
        Some(Owner::Patients(patient.map(|patient| patient.id).into_iter().collect()))
    }

    /// Returns the resources of this load that are owned through others.
    pub(super) fn owned_through(&self) -> impl Iterator<Item = &Reference> {
        self.owned_through.keys()
    }

    /// Returns the references of a resource of this load that is owned through others, each resolved if it can be.
    pub(super) fn through(
        &self,
        reference: &Reference,
        base: &str,
        earlier: &impl EarlierLoads,
    ) -> Option<Vec<Option<Reference>>> {
        let written: Vec<Option<String>> = serde_json::from_str(self.owned_through.get(reference)?).unwrap_or_default();
        let local = |text: Option<String>| text.and_then(|text| self.local(&text, base, earlier));
        Some(written.into_iter().map(local).collect())
    }

    /// Returns the stored resources that depend on those of the load.
    pub(super) const fn dependents(&self) -> &BTreeSet<Reference> {
        &self.dependents
    }

    /// Returns a resource of this load that chained searches read.
    pub(super) fn chained(&self, reference: &Reference) -> Option<&Value> {
        self.chained.get(reference)
    }

    fn intern(&mut self, text: Option<String>) -> u32 {
        let Some(text) = text else { return NOBODY };
        if let Some(at) = self.writing.get(&text) {
            return *at;
        }
        let at = u32::try_from(self.written.len()).unwrap_or(NOBODY);
        self.written.push(text.clone());
        self.writing.insert(text, at);
        at
    }
}

/// The result of resolving a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// No known resource has the name.
    None,
    /// One resource has the name.
    One(Reference),
    /// Several resources have the name, so that it identifies none.
    Several,
}

/// Returns the names by which references may refer to a resource, apart from `Type/id`: its address in its Bundle, and
/// its identifiers.
#[must_use]
pub fn names(kind: ResourceType, resource: &Value, full_url: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = full_url.map(str::to_owned).into_iter().collect();
    each(resource, "identifier", &mut |identifier| {
        let part = |name| identifier.get(name).and_then(Value::as_str).filter(|part| !part.is_empty());
        if let (Some(system), Some(value)) = (part("system"), part("value")) {
            names.push(by_identifier(kind.name(), system, value));
            names.push(by_identifier("", system, value));
        }
    });
    names
}

/// Returns the names of a resource that are stored: those of [`names`] without the identifiers of a type, which follow
/// from those of any type.
#[must_use]
pub fn stored_names(kind: ResourceType, resource: &Value, full_url: Option<&str>) -> Vec<String> {
    let mut names = names(kind, resource, full_url);
    names.retain(|name| typed_identifier(name).is_none());
    names
}

/// Returns the resources with a name, by the stored names.
pub(super) fn named_by(name: &str, stored: impl Fn(&str) -> Vec<Reference>) -> Vec<Reference> {
    match typed_identifier(name) {
        Some((kind, untyped)) => stored(untyped).into_iter().filter(|reference| reference.kind == kind).collect(),
        None => stored(name),
    }
}

/// Returns the type of a name by type and identifier, and the name by the identifier alone.
fn typed_identifier(name: &str) -> Option<(ResourceType, &str)> {
    let (kind, untyped) = name.split_at_checked(name.find("?identifier=")?)?;
    Some((ResourceType::parse(kind)?, untyped))
}

/// Returns the name of a resource with that identifier. An empty type stands for any type.
fn by_identifier(kind: &str, system: &str, value: &str) -> String {
    format!("{kind}?identifier={system}|{value}")
}

/// Returns the name that a reference of another form than `Type/id` is: a conditional one is percent-decoded.
fn name_in(unversioned: &str) -> Cow<'_, str> {
    let decoded = percent_decode_str(unversioned).decode_utf8_lossy();
    if decoded.contains("?identifier=") { decoded } else { Cow::Borrowed(unversioned) }
}

/// Calls `visit` with the name of each Reference in a value that is not of the form `Type/id`.
fn each_unresolved(value: &Value, visit: &mut dyn FnMut(String)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| each_unresolved(item, visit)),
        Value::Object(members) => {
            match members.get("reference").and_then(Value::as_str) {
                Some(text) if text.starts_with('#') || Reference::parse(text).is_some() => {}
                Some(text) => visit(name_in(Reference::unversioned(text)).into_owned()),
                None => {
                    if let Some(name) = identified(members) {
                        visit(name);
                    }
                }
            }
            members.values().for_each(|member| each_unresolved(member, visit));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the name in a Reference: its `reference` or, without one, its `identifier`.
fn name_of(element: &Value) -> Option<String> {
    let members = element.as_object()?;
    let reference = members.get("reference").and_then(Value::as_str);
    reference.map(str::to_owned).or_else(|| identified(members))
}

/// Returns the name that a Reference without `reference` gives by its `identifier`. Other elements with an `identifier`
/// have further members, or a list of identifiers.
pub(super) fn identified(members: &Map<String, Value>) -> Option<String> {
    const OF_REFERENCE: [&str; 5] = ["identifier", "type", "display", "id", "extension"];
    let identifier = members.get("identifier").and_then(Value::as_object)?;
    if !members.keys().all(|member| OF_REFERENCE.contains(&member.as_str())) {
        return None;
    }
    let part = |name: &str| identifier.get(name).and_then(Value::as_str);
    let kind = members.get("type").and_then(Value::as_str).unwrap_or("");
    Some(by_identifier(kind, part("system")?, part("value")?))
}
