//! Loads into the store of `store/memory.rs`. References in a later load resolve to resources of an earlier one.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt::Display;

use serde_json::Value;

use super::catalogue::{Damage, EarlierLoads, depends_on, named_by, names_of_patients, stored_names};
use super::document::{Intake, illegal_id};
use super::index::{DOCUMENTS, IndexedEntry};
use super::load::{Load, LoadEvent, LoadRefusal, LoadTarget, Stored};
use super::sources::{Clash, Sources};
use super::text::TextDocuments;
use fhir::{Micros, Reference, read_own};
use search::IndexSet;
use smart::{Owner, PatientList};
use store::{AccessList, IndexedResource, MemoryStore};

/// A memory store that loads documents.
#[derive(Debug)]
pub struct LoadedMemory {
    base: String,
    set: &'static IndexSet,
    store: MemoryStore,
    names: BTreeMap<String, BTreeSet<Reference>>,
    dependents: BTreeMap<String, BTreeSet<Reference>>,
    deleted: BTreeMap<Reference, Micros>,
    /// The servers that the resources come from.
    sources: Sources,
    /// Resources that are not yet in the store.
    added: Vec<IndexedResource>,
    /// Resources that are in the store, but were deleted.
    removed: BTreeSet<Reference>,
}

/// The report of a load into memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// The number of loaded resources.
    pub resources: usize,
    /// The rejected resources and documents.
    pub refused: Vec<RejectedResource>,
    /// The number of resources of unsupported types, by type.
    pub unserved: BTreeMap<String, usize>,
    /// The number of unresolved references: to no known resource, or to several at once.
    pub unresolved: usize,
    /// The resources that were replaced or deleted: `older` if the form at that location does not count, `changed` if
    /// it replaced an earlier one, or `deleted`.
    pub replaced: Vec<RejectedResource>,
}

/// A rejected resource or document.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RejectedResource {
    /// The location in the text, such as `line 3` or `line 3, Bundle.entry[1]`.
    #[serde(rename = "where")]
    pub location: String,
    /// The reason, which is shown to people.
    pub why: String,
}

impl LoadedMemory {
    /// Creates an empty store with the FHIR base `base`, which will be indexed by all parameters.
    pub fn new(base: &str) -> Self {
        Self::indexed_by(IndexSet::of_r4(), base)
    }

    /// Creates an empty store with the FHIR base `base`, which will be indexed by a set of parameters.
    pub fn indexed_by(set: &'static IndexSet, base: &str) -> Self {
        let store = MemoryStore::new(base.to_owned(), Vec::new());
        Self {
            base: base.to_owned(),
            set,
            store,
            names: BTreeMap::new(),
            dependents: BTreeMap::new(),
            deleted: BTreeMap::new(),
            sources: Sources::with(Clash::Rename),
            added: Vec::new(),
            removed: BTreeSet::new(),
        }
    }

    /// Returns the loaded store, which answers reads and searches.
    pub const fn store(&self) -> &MemoryStore {
        &self.store
    }

    /// Sets the patients on a list.
    pub fn enrol(&mut self, list: PatientList, patients: AccessList) {
        self.store.enrol(list, patients);
    }

    /// Loads a resource, a Bundle, or NDJSON of either. `now` is the time of the load, in microseconds since 1970.
    pub fn load(&mut self, text: &str, now: Micros) -> Report {
        let mut report = Report::default();
        let documents = TextDocuments::of(text, Intake::Viewer);
        let base = self.base.clone();
        let load = Load { base: &base, attachments: DOCUMENTS, now, clock: Micros::MAX, keeps_newer: true };
        let mut count = |location: &dyn Display, event: LoadEvent<'_>| {
            let mut refuse = |location: String, why: String| report.refused.push(RejectedResource { location, why });
            let replaced = match &event {
                LoadEvent::Repeated { is_older: true } | LoadEvent::Older(_) => Some("older"),
                LoadEvent::Stored { effect: Stored::Changed, .. } => Some("changed"),
                LoadEvent::Deleted(_) => Some("deleted"),
                LoadEvent::NotServed(_)
                | LoadEvent::IllegalId(_)
                | LoadEvent::Fault(_)
                | LoadEvent::Repeated { is_older: false }
                | LoadEvent::Differs(..)
                | LoadEvent::Stored { effect: Stored::New | Stored::Same, .. } => None,
            };
            let replaced = replaced.map(|why| RejectedResource { location: location.to_string(), why: why.to_owned() });
            report.replaced.extend(replaced);
            match event {
                LoadEvent::NotServed(resource_type) => *report.unserved.entry(resource_type).or_default() += 1,
                LoadEvent::IllegalId(resource_type) => refuse(location.to_string(), illegal_id(resource_type)),
                LoadEvent::Fault(why) => refuse(location.to_string(), why),
                LoadEvent::Repeated { .. } | LoadEvent::Older(_) | LoadEvent::Deleted(..) => {}
                LoadEvent::Differs(reference, others) => {
                    let why = format!("{reference} comes again with another content, and the last one counts");
                    others.into_iter().for_each(|location| refuse(location, why.clone()));
                }
                LoadEvent::Stored { ambiguous, unresolved, .. } => {
                    report.resources += 1;
                    report.unresolved += unresolved + ambiguous.len();
                }
            }
            Ok(())
        };
        let mut sources = std::mem::take(&mut self.sources);
        let Ok(()) = load.load::<_, Infallible>(self, &mut sources, &mut |take| documents.for_each(take), &mut count);
        self.sources = sources;
        report
    }
}

impl LoadedMemory {
    /// Removes the names and dependencies of the earlier text of a resource.
    fn forget(&mut self, reference: &Reference, body: &str) {
        let content: Value = read_own(body);
        let forget = |all: &mut BTreeMap<String, BTreeSet<Reference>>, name: &str| {
            all.get_mut(name).map(|known| known.remove(reference));
        };
        for name in stored_names(reference.resource_type, &content) {
            forget(&mut self.names, &name);
        }
        for name in depends_on(reference.resource_type, &content).into_iter().chain(names_of_patients(&content)) {
            forget(&mut self.dependents, &name);
        }
    }
}

impl LoadTarget for LoadedMemory {
    type Error = Infallible;
    type Earlier = Self;
    const IS_ONE_SET: bool = true;

    fn earlier(&self) -> &Self {
        self
    }

    fn set(&self) -> &'static IndexSet {
        self.set
    }

    fn store(&mut self, indexed: IndexedEntry) -> Result<Result<Stored, LoadRefusal>, Infallible> {
        let IndexedEntry { resource, names, depends_on, .. } = indexed;
        let reference = resource.reference();
        let before = self.store.row(&reference).map(|row| row.body.clone());
        if let Some(before) = before.filter(|before| *before != resource.body) {
            self.forget(&reference, &before);
        }
        for name in names {
            self.names.entry(name).or_default().insert(reference.clone());
        }
        for target in depends_on {
            self.dependents.entry(target).or_default().insert(reference.clone());
        }
        let stored = match self.store.row(&reference) {
            Some(old) if *old == resource => Stored::Same,
            Some(_) => Stored::Changed,
            None => Stored::New,
        };
        self.added.push(resource);
        Ok(Ok(stored))
    }

    fn remove(&mut self, reference: &Reference, at: Micros) -> Result<Result<bool, LoadRefusal>, Infallible> {
        self.deleted.insert(reference.clone(), at);
        let Some(body) = self.store.row(reference).map(|row| row.body.clone()) else { return Ok(Ok(false)) };
        self.forget(reference, &body);
        self.removed.insert(reference.clone());
        Ok(Ok(true))
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        let removed = std::mem::take(&mut self.removed);
        if !removed.is_empty() {
            self.store = std::mem::take(&mut self.store).without(&removed);
        }
        let added = std::mem::take(&mut self.added);
        if !added.is_empty() {
            self.store = std::mem::take(&mut self.store).with(added);
        }
        Ok(())
    }

    fn indexed(&self, reference: &Reference) -> Result<Result<Option<IndexedResource>, LoadRefusal>, Infallible> {
        Ok(Ok(self.store.row(reference).cloned()))
    }
}

impl EarlierLoads for LoadedMemory {
    // The memory store has no rows, and so no limit on length.
    const MAX_BODY_LENGTH: usize = usize::MAX;

    fn named(&self, name: &str) -> Result<Vec<Reference>, Damage> {
        named_by(name, |stored| Ok(self.names.get(stored).into_iter().flatten().cloned().collect()))
    }

    fn owner(&self, reference: &Reference) -> Result<Option<Owner>, Damage> {
        Ok(self.store.row(reference).map(|row| row.owner.clone()))
    }

    fn body(&self, reference: &Reference) -> Option<String> {
        self.store.row(reference).map(|row| row.body.clone())
    }

    fn resource(&self, reference: &Reference) -> Result<Option<Value>, Damage> {
        Ok(self.store.row(reference).map(|row| read_own(&row.body)))
    }

    fn deleted_at(&self, reference: &Reference) -> Option<Micros> {
        self.deleted.get(reference).copied()
    }

    fn dependents(&self, name: &str) -> Result<Vec<Reference>, Damage> {
        Ok(self.dependents.get(name).into_iter().flatten().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_bundle_a_resource_or_lines_of_them() {
        let mut memory = LoadedMemory::new("http://here");
        let bundle = "{\n \"resourceType\": \"Bundle\", \"entry\": [{\"resource\": {\"resourceType\": \"Patient\", \"id\": \"a\"}},\n {\"resource\": {\"resourceType\": \"Foo\"}}]}";
        let report = memory.load(bundle, 0);
        assert_eq!((report.resources, report.unserved.get("Foo"), report.refused.len()), (1, Some(&1), 0));
        let report = memory
            .load("\u{feff}{\"resourceType\":\"Patient\",\"id\":\"b\"}\n\n{\"resourceType\":\"Patient\"}\noops\n", 0);
        assert_eq!(report.resources, 1);
        let refused: Vec<_> = report.refused.iter().map(|refused| refused.location.as_str()).collect();
        assert_eq!(refused, ["line 3", "line 4"]);
        assert!(report.refused[0].why.starts_with("Patient without an id"), "{:?}", report.refused);
        assert!(report.refused[1].why.starts_with("it is not JSON"), "{:?}", report.refused);
        assert_eq!(memory.store().rows().len(), 2);
    }

    #[test]
    fn what_a_bundle_deletes_is_gone_and_nothing_finds_it_by_a_name() {
        let mut memory = LoadedMemory::new("http://here");
        memory.load(r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"Old"}]}"#, 0);
        memory.load(r#"{"resourceType":"PractitionerRole","id":"r","practitioner":{"reference":"Practitioner/d"}}"#, 0);
        let chained = |memory: &LoadedMemory, id: &str| {
            let row = memory.store().rows().iter().find(|row| row.id.as_str() == id).unwrap();
            row.facts.iter().any(|(param, _)| param.name == "practitioner.name")
        };
        assert!(chained(&memory, "r"));
        let deletion = r#"{"resourceType":"Bundle","entry":[{"request":{"method":"DELETE","url":"Practitioner/d"}},{"request":{"method":"DELETE","url":"Practitioner/e"}}]}"#;
        let report = memory.load(deletion, 0);
        assert_eq!(replaced(&report), [("Bundle.entry[0]", "deleted"), ("Bundle.entry[1]", "deleted")]);
        assert_eq!(Report { replaced: Vec::new(), ..report }, Report::default());
        assert_eq!(memory.store().rows().len(), 1);
        assert!(!chained(&memory, "r"));
        let report = memory.load(r#"{"resourceType":"PractitionerRole","id":"s","practitioner":{"reference":"Practitioner?identifier=npi|7"}}"#, 0);
        assert_eq!(report.unresolved, 1);
    }

    fn replaced(report: &Report) -> Vec<(&str, &str)> {
        report.replaced.iter().map(|one| (one.location.rsplit(", ").next().unwrap(), one.why.as_str())).collect()
    }

    #[test]
    fn the_forms_that_do_not_count_are_told_with_their_places() {
        let form = |name: &str, updated: &str| {
            format!(
                r#"{{"resourceType":"Organization","id":"a","name":"{name}","meta":{{"lastUpdated":"{updated}"}}}}"#
            )
        };
        let (one, two, three) = (form("One", "2021-01-01"), form("Two", "2022-01-01"), form("Three", "2023-01-01"));
        let mut memory = LoadedMemory::new("http://here");
        // A text that is loaded twice replaces nothing.
        let report = memory.load(&format!("{two}\n{one}\n{two}"), 0);
        assert_eq!(replaced(&report), [("line 2", "older")]);
        assert_eq!(replaced(&memory.load(&two, 0)), []);
        assert_eq!(replaced(&memory.load(&one, 0)), [("line 1", "older")]);
        assert_eq!(replaced(&memory.load(&three, 0)), [("line 1", "changed")]);
        assert!(memory.store().rows()[0].body.contains("Three"));
    }

    #[test]
    fn later_loads_resolve_references_to_earlier_ones() {
        let mut memory = LoadedMemory::new("http://here");
        memory.load(r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"Old"}]}"#, 0);
        memory.load(r#"{"resourceType":"PractitionerRole","id":"r","practitioner":{"reference":"Practitioner?identifier=npi|7"}}"#, 0);
        let names = |memory: &LoadedMemory| {
            let row = memory.store().rows().iter().find(|row| row.id.as_str() == "r").unwrap().clone();
            row.facts
                .iter()
                .filter(|(param, _)| param.name == "practitioner.name")
                .map(|(_, f)| format!("{f:?}"))
                .collect::<String>()
        };
        assert!(names(&memory).contains("old"), "{}", names(&memory));
        memory.load(r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"New"}]}"#, 0);
        assert!(names(&memory).contains("new"), "{}", names(&memory));
    }

    #[test]
    fn the_time_is_that_of_the_load_that_last_changed_the_content() {
        let mut memory = LoadedMemory::new("http://here");
        let mut load = |name: &str, now: i64| {
            memory.load(&format!(r#"{{"resourceType":"Organization","id":"a","name":"{name}"}}"#), now);
            let row = memory.store().rows()[0].clone();
            (row.modified().unwrap(), row.version)
        };
        let (first, version) = load("One", 0);
        assert_eq!(first, "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(load("One", 1_000_000), (first, version.clone()));
        let (second, other) = load("Two", 2_000_000);
        assert!(second == "Thu, 01 Jan 1970 00:00:02 GMT" && other != version, "{second}");
        assert_eq!(load("One", 3_000_000), ("Thu, 01 Jan 1970 00:00:03 GMT".to_owned(), version));
    }
}
