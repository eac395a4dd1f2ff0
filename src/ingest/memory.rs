//! Loads into memory. References of a later load resolve to resources of an earlier one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use super::catalogue::{Catalogue, EarlierLoads};
use super::document::{ParsedResource, Rejected, entries, entry_path, line_of};
use super::index::{DOCUMENTS, Indexed, Indexer};
use super::owners::Owners;
use crate::fhir::{Micros, Reference};
use crate::smart::Owner;
use crate::store::{AccessList, MemoryStore};

/// A memory store that can be loaded.
#[derive(Debug)]
pub struct LoadedMemory {
    base: String,
    store: MemoryStore,
    names: BTreeMap<String, BTreeSet<Reference>>,
    dependents: BTreeMap<Reference, BTreeSet<Reference>>,
}

/// What a load into memory did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// Resources that were loaded.
    pub resources: usize,
    /// What could not be taken.
    pub refused: Vec<RejectedResource>,
    /// Resources of types that are not served, by type.
    pub unserved: BTreeMap<String, usize>,
    /// References that stay as they are: to nothing that is known, or to several at once.
    pub unresolved: usize,
}

/// Something that could not be taken.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RejectedResource {
    /// Where it stands: `line 3`, `line 3, Bundle.entry[1]`.
    #[serde(rename = "where")]
    pub place: String,
    /// What is wrong with it.
    pub why: String,
}

impl LoadedMemory {
    /// An empty store, whose entries are addressed under the FHIR base `base`.
    #[must_use]
    pub fn new(base: &str) -> Self {
        let store = MemoryStore::new(base.to_owned(), Vec::new());
        Self { base: base.to_owned(), store, names: BTreeMap::new(), dependents: BTreeMap::new() }
    }

    /// The store.
    #[must_use]
    pub const fn store(&self) -> &MemoryStore {
        &self.store
    }

    /// Says whom a user may see.
    pub fn enrol(&mut self, user: &str, access_list: AccessList) {
        self.store.enrol(user, access_list);
    }

    /// Loads a document at that time: a resource, a Bundle, or NDJSON of either.
    pub fn load(&mut self, text: &str, now: Micros) -> Report {
        let mut report = Report::default();
        let documents = documents(text);
        let mut catalogue = Catalogue::default();
        each(&documents, &mut |place, taken| match taken {
            Ok(ParsedResource { kind, id, resource, url, .. }) => {
                catalogue.learn(kind, &id, &resource, url.as_deref(), &*self);
            }
            Err(Rejected::NotServed(kind)) => *report.unserved.entry(kind).or_default() += 1,
            Err(Rejected::Fault(why)) => report.refused.push(RejectedResource { place: place(), why }),
        });
        let owners = Owners::work_out(&catalogue, self, &self.base);
        let mut outcomes = Vec::new();
        let mut stale = Catalogue::of_dependents(owners.dependents().clone());
        each(&documents, &mut |place, taken| {
            let Ok(ParsedResource { kind, id, resource, text, url }) = taken else { return };
            let reference = Reference { kind, id };
            let Some(others) = catalogue.is_last(&reference, text, place) else { return };
            report.refused.extend(others.into_iter().map(|place| RejectedResource {
                place,
                why: format!("{reference} comes again with another content, and the last one counts"),
            }));
            let indexed =
                self.indexer(&catalogue, &owners, now).index(kind, &reference.id, resource, text, url.as_deref());
            match indexed {
                Ok(outcome) => {
                    report.resources += 1;
                    report.unresolved += outcome.unresolved + outcome.ambiguous.len();
                    outcomes.push(outcome);
                }
                Err(error) => {
                    report.refused.push(RejectedResource { place: place(), why: error.0 });
                    stale.depend(&reference, self);
                }
            }
        });
        self.take_in(outcomes);
        let owners = Owners::work_out(&stale, self, &self.base);
        let indexer = self.indexer(&stale, &owners, now);
        let rows = owners.dependents().iter().filter_map(|reference| self.store.row(reference));
        let again: Vec<_> = rows.map(|row| indexer.index_again(row.clone())).collect();
        if !again.is_empty() {
            self.take_in(again);
        }
        report
    }

    /// Puts indexed resources beside those that are there.
    fn take_in(&mut self, outcomes: Vec<Indexed>) {
        let mut indexed = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let reference = outcome.indexed.reference();
            for name in outcome.names {
                self.names.entry(name).or_default().insert(reference.clone());
            }
            for target in outcome.depends_on {
                self.dependents.entry(target).or_default().insert(reference.clone());
            }
            indexed.push(outcome.indexed);
        }
        self.store = std::mem::take(&mut self.store).with(indexed);
    }

    fn indexer<'a>(&'a self, catalogue: &'a Catalogue, owners: &'a Owners, now: Micros) -> Indexer<'a, Self> {
        Indexer { catalogue, owners, beyond: self, base: &self.base, attachments: DOCUMENTS, now }
    }
}

/// The documents of a text, each with the line that it begins on: the text is one, or each of its lines.
fn documents(text: &str) -> Vec<(usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_json = |text: &str| serde_json::from_str::<&RawValue>(text).is_ok();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let by_line = lines.peek().is_some_and(|(_, first)| is_json(first));
    if by_line { lines.collect() } else { vec![(0, text)] }
}

/// Takes each resource of the documents, and each fault, with its place.
type Take<'t, 'a> = dyn FnMut(&dyn Fn() -> String, Result<ParsedResource<'a>, Rejected>) + 't;

/// Calls `take` with each resource of the documents, and with what is none; and with its place, which is written only where
/// it is told: `line 3, Bundle.entry[1]`.
fn each<'a>(documents: &[(usize, &'a str)], take: &mut Take<'_, 'a>) {
    let place = |line: usize, path: &[usize]| {
        let entry = entry_path(path);
        format!("line {}{}{entry}", line + 1, if entry.is_empty() { "" } else { ", " })
    };
    for (first, text) in documents {
        for entry in entries(text) {
            match entry {
                Err(fault) => {
                    take(&|| place(first + fault.line, &fault.path), Err(Rejected::Fault(fault.reason.clone())));
                }
                Ok(entry) => {
                    let (at, path) = (entry.at, entry.path.clone());
                    take(&|| place(first + line_of(text, at), &path), entry.take());
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

    /// Also those that did so in an earlier form of theirs.
    fn dependents(&self, reference: &Reference) -> Vec<Reference> {
        self.dependents.get(reference).into_iter().flatten().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_bundle_a_resource_or_lines_of_them() {
        let mut held = LoadedMemory::new("http://here");
        let bundle = "{\n \"resourceType\": \"Bundle\", \"entry\": [{\"resource\": {\"resourceType\": \"Patient\", \"id\": \"a\"}},\n {\"resource\": {\"resourceType\": \"Claim\"}}]}";
        let report = held.load(bundle, 0);
        assert_eq!((report.resources, report.unserved.get("Claim"), report.refused.len()), (1, Some(&1), 0));
        let report = held
            .load("\u{feff}{\"resourceType\":\"Patient\",\"id\":\"b\"}\n\n{\"resourceType\":\"Patient\"}\noops\n", 0);
        assert_eq!(report.resources, 1);
        let refused: Vec<_> = report.refused.iter().map(|refused| refused.place.as_str()).collect();
        assert_eq!(refused, ["line 3", "line 4"]);
        assert!(report.refused[0].why.starts_with("Patient without an id"), "{:?}", report.refused);
        assert!(report.refused[1].why.starts_with("it is not JSON"), "{:?}", report.refused);
        assert_eq!(held.store().rows().len(), 2);
    }

    #[test]
    fn what_comes_later_resolves_against_what_is_there() {
        let mut held = LoadedMemory::new("http://here");
        held.load(r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"Old"}]}"#, 0);
        held.load(r#"{"resourceType":"PractitionerRole","id":"r","practitioner":{"reference":"Practitioner?identifier=npi|7"}}"#, 0);
        let names = |held: &LoadedMemory| {
            let row = held.store().rows().iter().find(|row| row.id.as_str() == "r").unwrap().clone();
            row.facts
                .iter()
                .filter(|(param, _)| param.name == "practitioner.name")
                .map(|(_, f)| format!("{f:?}"))
                .collect::<String>()
        };
        assert!(names(&held).contains("old"), "{}", names(&held));
        held.load(r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"New"}]}"#, 0);
        assert!(names(&held).contains("new"), "{}", names(&held));
    }

    #[test]
    fn the_time_is_that_of_the_load_that_last_changed_the_content() {
        let mut held = LoadedMemory::new("http://here");
        let mut load = |name: &str, now: i64| {
            held.load(&format!(r#"{{"resourceType":"Organization","id":"a","name":"{name}"}}"#), now);
            let row = held.store().rows()[0].clone();
            (row.modified.unwrap(), row.version)
        };
        let (first, version) = load("One", 0);
        assert_eq!(first, "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(load("One", 1_000_000), (first, version.clone()));
        let (second, other) = load("Two", 2_000_000);
        assert!(second == "Thu, 01 Jan 1970 00:00:02 GMT" && other != version, "{second}");
        assert_eq!(load("One", 3_000_000), ("Thu, 01 Jan 1970 00:00:03 GMT".to_owned(), version));
    }
}
