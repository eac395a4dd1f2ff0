//! Loads into the store of `store/memory.rs`. References of a later load resolve to resources of an earlier one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use super::catalogue::{Catalogue, EarlierLoads};
use super::document::{ParsedResource, Rejected, entries, entry_path, line_of};
use super::index::{DOCUMENTS, Indexed, Indexer};
use super::owners::Owners;
use crate::fhir::{Micros, Reference};
use crate::smart::Owner;
use crate::store::{AccessList, MemoryStore};

/// A memory store that loads documents.
#[derive(Debug)]
pub struct LoadedMemory {
    base: String,
    store: MemoryStore,
    names: BTreeMap<String, BTreeSet<Reference>>,
    dependents: BTreeMap<Reference, BTreeSet<Reference>>,
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
}

/// A rejected resource or document.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RejectedResource {
    /// The location in the text, such as `line 3` or `line 3, Bundle.entry[1]`.
    #[serde(rename = "where")]
    pub location: String,
    /// The reason, for people.
    pub why: String,
}

impl LoadedMemory {
    /// Creates an empty store with the FHIR base `base`.
    #[must_use]
    pub fn new(base: &str) -> Self {
        let store = MemoryStore::new(base.to_owned(), Vec::new());
        Self { base: base.to_owned(), store, names: BTreeMap::new(), dependents: BTreeMap::new() }
    }

    /// Returns the loaded store, which answers reads and searches.
    #[must_use]
    pub const fn store(&self) -> &MemoryStore {
        &self.store
    }

    /// Sets the patients whom a user may see.
    pub fn enrol(&mut self, user: &str, access_list: AccessList) {
        self.store.enrol(user, access_list);
    }

    /// Loads a resource, a Bundle, or NDJSON of either. `now` is the time of the load, in microseconds since 1970.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::task::{Context, Poll, Waker};
    ///
    /// use edgechart::fhir::ResourceType;
    /// use edgechart::ingest::LoadedMemory;
    /// use edgechart::search::{Handling, parse};
    /// use edgechart::smart::{Grant, ScopeSet};
    /// use edgechart::store::Store;
    ///
    /// let base = "https://ehr.example/fhir/r4";
    /// let mut memory = LoadedMemory::new(base);
    /// let report = memory.load(r#"{"resourceType": "Patient", "id": "a", "name": [{"family": "Okafor"}]}"#, 0);
    /// assert_eq!((report.resources, report.refused.len()), (1, 0));
    ///
    /// let scopes = ScopeSet::parse("system/Patient.rs").expect("a known scope");
    /// let grant = Grant { scopes, ..Grant::default() };
    /// let parameters = [("family".to_owned(), "oka".to_owned())];
    /// let query = parse(ResourceType::Patient, &parameters, Handling::Strict, base).expect("a known parameter");
    /// let permitted = grant.narrow(query, None).expect("the scope permits the search");
    ///
    /// let search = std::pin::pin!(memory.store().search(&permitted, None));
    /// let Poll::Ready(page) = search.poll(&mut Context::from_waker(Waker::noop())) else { panic!("it waited") };
    /// assert_eq!(page.expect("memory does not fail").matches.len(), 1);
    /// ```
    pub fn load(&mut self, text: &str, now: Micros) -> Report {
        let mut report = Report::default();
        let documents = documents(text);
        let mut catalogue = Catalogue::default();
        each(&documents, &mut |location, taken| match taken {
            Ok(ParsedResource { kind, id, resource, url, .. }) => {
                catalogue.learn(kind, &id, &resource, url.as_deref(), &*self);
            }
            Err(Rejected::NotServed(kind)) => *report.unserved.entry(kind).or_default() += 1,
            Err(Rejected::Fault(why)) => report.refused.push(RejectedResource { location: location(), why }),
        });
        let owners = Owners::compute(&catalogue, self, &self.base);
        let mut all_indexed = Vec::new();
        let mut stale = Catalogue::of_dependents(owners.dependents().clone());
        each(&documents, &mut |location, taken| {
            let Ok(ParsedResource { kind, id, resource, text, url }) = taken else { return };
            let reference = Reference { kind, id };
            let Some(others) = catalogue.count_occurrence(&reference, text, location) else { return };
            report.refused.extend(others.into_iter().map(|location| RejectedResource {
                location,
                why: format!("{reference} comes again with another content, and the last one counts"),
            }));
            let result =
                self.indexer(&catalogue, &owners, now).index(kind, &reference.id, resource, text, url.as_deref());
            match result {
                Ok(indexed) => {
                    report.resources += 1;
                    report.unresolved += indexed.unresolved + indexed.ambiguous.len();
                    all_indexed.push(indexed);
                }
                Err(error) => {
                    report.refused.push(RejectedResource { location: location(), why: error.0 });
                    stale.depend(&reference, self);
                }
            }
        });
        self.add(all_indexed);
        let owners = Owners::compute(&stale, self, &self.base);
        let indexer = self.indexer(&stale, &owners, now);
        let rows = owners.dependents().iter().filter_map(|reference| self.store.row(reference));
        let again: Vec<_> = rows.map(|row| indexer.index_again(row.clone())).collect();
        if !again.is_empty() {
            self.add(again);
        }
        report
    }

    /// Adds indexed resources to the store. They replace earlier ones with the same type and id.
    fn add(&mut self, all_indexed: Vec<Indexed>) {
        let mut resources = Vec::with_capacity(all_indexed.len());
        for indexed in all_indexed {
            let reference = indexed.resource.reference();
            for name in indexed.names {
                self.names.entry(name).or_default().insert(reference.clone());
            }
            for target in indexed.depends_on {
                self.dependents.entry(target).or_default().insert(reference.clone());
            }
            resources.push(indexed.resource);
        }
        self.store = std::mem::take(&mut self.store).with(resources);
    }

    fn indexer<'a>(&'a self, catalogue: &'a Catalogue, owners: &'a Owners, now: Micros) -> Indexer<'a, Self> {
        Indexer { catalogue, owners, earlier: self, base: &self.base, attachments: DOCUMENTS, now }
    }
}

/// Returns the documents of a text, each with the line that it begins on. The text is one document, or one per line.
fn documents(text: &str) -> Vec<(usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_json = |text: &str| serde_json::from_str::<&RawValue>(text).is_ok();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let by_line = lines.peek().is_some_and(|(_, first)| is_json(first));
    if by_line { lines.collect() } else { vec![(0, text)] }
}

/// A function that takes the resources and faults of documents, with their locations.
type Take<'t, 'a> = dyn FnMut(&dyn Fn() -> String, Result<ParsedResource<'a>, Rejected>) + 't;

/// Calls `take` with each resource and each fault of the documents, and with a function that formats its location, such
/// as `line 3, Bundle.entry[1]`.
fn each<'a>(documents: &[(usize, &'a str)], take: &mut Take<'_, 'a>) {
    let location = |line: usize, path: &[usize]| {
        let entry = entry_path(path);
        format!("line {}{}{entry}", line + 1, if entry.is_empty() { "" } else { ", " })
    };
    for (first, text) in documents {
        for entry in entries(text) {
            match entry {
                Err(fault) => {
                    take(&|| location(first + fault.line, &fault.path), Err(Rejected::Fault(fault.reason.clone())));
                }
                Ok(entry) => {
                    let (at, path) = (entry.at, entry.path.clone());
                    take(&|| location(first + line_of(text, at), &path), entry.take());
                }
            }
        }
    }
}

impl EarlierLoads for LoadedMemory {
    fn named(&self, name: &str) -> Vec<Reference> {
        self.names.get(name).into_iter().flatten().cloned().collect()
    }

    fn owner(&self, reference: &Reference) -> Option<Owner> {
        self.store.row(reference).map(|row| row.owner.clone())
    }

    fn body(&self, reference: &Reference) -> Option<String> {
        self.store.row(reference).map(|row| row.body.clone())
    }

    /// Also returns resources of which only an earlier version depends on it.
    fn dependents(&self, reference: &Reference) -> Vec<Reference> {
        self.dependents.get(reference).into_iter().flatten().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_bundle_a_resource_or_lines_of_them() {
        let mut memory = LoadedMemory::new("http://here");
        let bundle = "{\n \"resourceType\": \"Bundle\", \"entry\": [{\"resource\": {\"resourceType\": \"Patient\", \"id\": \"a\"}},\n {\"resource\": {\"resourceType\": \"Claim\"}}]}";
        let report = memory.load(bundle, 0);
        assert_eq!((report.resources, report.unserved.get("Claim"), report.refused.len()), (1, Some(&1), 0));
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
