//! What a load knows before it settles anything: the names of its resources, whom they belong to, and the parts of them
//! that chained searches look into.

use std::collections::HashMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::fhir::{Id, Reference, ResourceType, each};
use crate::search::{PARAMS, named};
use crate::smart::Owner;

/// What earlier loads stored.
pub trait Beyond {
    /// The resources that a name stands for.
    fn named(&self, name: &str) -> Vec<Reference>;
    /// To whom a stored resource belongs.
    fn owner(&self, reference: &Reference) -> Option<Owner>;
    /// A stored resource.
    fn resource(&self, reference: &Reference) -> Option<Value>;
}

/// Nothing was stored before.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Beyond for Nothing {
    fn named(&self, _: &str) -> Vec<Reference> {
        Vec::new()
    }

    fn owner(&self, _: &Reference) -> Option<Owner> {
        None
    }

    fn resource(&self, _: &Reference) -> Option<Value> {
        None
    }
}

/// The first half of a SHA-256: names are many, and only ever compared.
type Key = [u8; 16];

fn key(name: &str) -> Key {
    let mut key = [0; 16];
    key.iter_mut().zip(Sha256::digest(name)).for_each(|(to, from)| *to = from);
    key
}

/// What one load knows. It grows by some tens of bytes a resource.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// By name; nothing where several resources have it.
    names: HashMap<Key, Option<Reference>>,
    /// By `Type/id`, the reference to its patient, as written.
    belongs: HashMap<Key, u32>,
    written: Vec<String>,
    writing: HashMap<String, u32>,
    chained: HashMap<Reference, Value>,
    /// How often a resource comes again.
    repeats: HashMap<Key, u32>,
}

/// No patient is named.
const NOBODY: u32 = u32::MAX;

impl Catalogue {
    /// Learns of a resource.
    pub fn learn(&mut self, kind: ResourceType, id: &Id, resource: &Value, full_url: Option<&str>) {
        let reference = Reference { kind, id: id.clone() };
        for name in names(kind, resource, full_url) {
            let known = self.names.entry(key(&name)).or_insert_with(|| Some(reference.clone()));
            if known.as_ref() != Some(&reference) {
                *known = None;
            }
        }
        let patient = if kind == ResourceType::Patient { Some(reference.to_string()) } else { subject(kind, resource) };
        let belongs = patient.map_or(NOBODY, |patient| self.intern(&patient));
        let key = key(&reference.to_string());
        if self.belongs.insert(key, belongs).is_some() {
            *self.repeats.entry(key).or_default() += 1;
        }
        if PARAMS.iter().any(|param| param.via.is_some_and(|(_, to)| to == kind)) {
            self.chained.insert(reference, resource.clone());
        }
    }

    /// Whether the load brings that resource.
    #[must_use]
    pub fn brings(&self, reference: &Reference) -> bool {
        self.belongs.contains_key(&key(&reference.to_string()))
    }

    /// Whether the same resource comes again later in the load: the last one counts. To be asked once for each.
    pub fn comes_again(&mut self, reference: &Reference) -> bool {
        match self.repeats.get_mut(&key(&reference.to_string())) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            Some(_) | None => false,
        }
    }

    /// The resources of the load that a chained search looks into.
    pub fn looked_into(&self) -> impl Iterator<Item = &Reference> {
        self.chained.keys()
    }

    /// The resources that a name stands for: none, one, or (without saying which) several.
    #[must_use]
    pub fn find(&self, name: &str, beyond: &impl Beyond) -> Found {
        let here = self.names.get(&key(name));
        match here {
            Some(None) => Found::Several,
            Some(Some(reference)) if name.starts_with("urn:") => Found::One(reference.clone()),
            Some(_) | None => {
                let mut all = beyond.named(name);
                all.extend(here.cloned().flatten());
                all.sort();
                all.dedup();
                match (all.pop(), all.is_empty()) {
                    (None, _) => Found::None,
                    (Some(only), true) => Found::One(only),
                    (Some(_), false) => Found::Several,
                }
            }
        }
    }

    /// To whom a resource of this load belongs, its subject as written.
    pub(super) fn subject_of(&self, reference: &Reference) -> Option<&str> {
        let at = self.belongs.get(&key(&reference.to_string()))?;
        self.written.get(*at as usize).map(String::as_str)
    }

    /// What a chained search sees of a resource of this load.
    pub(super) fn chained(&self, reference: &Reference) -> Option<&Value> {
        self.chained.get(reference)
    }

    fn intern(&mut self, text: &str) -> u32 {
        if let Some(at) = self.writing.get(text) {
            return *at;
        }
        let at = u32::try_from(self.written.len()).unwrap_or(NOBODY);
        self.written.push(text.to_owned());
        self.writing.insert(text.to_owned(), at);
        at
    }
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing that is known.
    None,
    /// That resource.
    One(Reference),
    /// More than one, so that it stands for none.
    Several,
}

/// The names by which a resource may be referred to beside `Type/id`: its address in its Bundle, and its identifiers.
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

/// The name of what has that identifier; of any type, where the type is empty.
pub(super) fn by_identifier(kind: &str, system: &str, value: &str) -> String {
    format!("{kind}?identifier={system}|{value}")
}

/// The reference to the patient that a resource is about.
fn subject(kind: ResourceType, resource: &Value) -> Option<String> {
    let mut found = None;
    for path in named(kind, "patient")?.paths {
        each(resource, path, &mut |element| {
            let text = element.get("reference").and_then(Value::as_str);
            found = found.take().or_else(|| text.map(str::to_owned));
        });
    }
    found
}
