//! A load into memory: what is loaded later resolves against what is there.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::catalogue::{Beyond, Catalogue};
use super::document::{Refused, Taken, entries, line_of};
use super::settle::{DOCUMENTS, Outcome, Settler};
use crate::fhir::Reference;
use crate::smart::Owner;
use crate::store::{MemoryStore, Roster, Settled};

/// A memory store that can be loaded.
#[derive(Debug)]
pub struct Held {
    base: String,
    store: MemoryStore,
    names: BTreeMap<String, Vec<Reference>>,
}

/// What a load into memory did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Report {
    /// Resources that were loaded.
    pub resources: usize,
    /// What could not be taken.
    pub refused: Vec<RefusedPlace>,
    /// Resources of types that are not served, by type.
    pub unserved: BTreeMap<String, usize>,
    /// References that stay as they are: to nothing that is known, or to several at once.
    pub unresolved: usize,
}

/// Something that could not be taken.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RefusedPlace {
    /// Where it stands: `line 3`.
    #[serde(rename = "where")]
    pub place: String,
    /// What is wrong with it.
    pub why: String,
}

impl Held {
    /// An empty store, whose entries are addressed under the FHIR base `base`.
    #[must_use]
    pub fn new(base: &str) -> Self {
        let store = MemoryStore::new(base.to_owned(), Vec::new());
        Self { base: base.to_owned(), store, names: BTreeMap::new() }
    }

    /// The store.
    #[must_use]
    pub const fn store(&self) -> &MemoryStore {
        &self.store
    }

    /// Says whom a user may see.
    pub fn enrol(&mut self, user: &str, roster: Roster) {
        self.store.enrol(user, roster);
    }

    /// Loads a document: a resource, a Bundle, or NDJSON of either.
    pub fn load(&mut self, text: &str) -> Report {
        let mut report = Report::default();
        let documents = documents(text);
        let mut catalogue = Catalogue::default();
        each(&documents, &mut |place, taken| match taken {
            Ok(Taken { kind, id, resource, url, .. }) => catalogue.learn(kind, &id, &resource, url.as_deref()),
            Err(Refused::NotServed(kind)) => *report.unserved.entry(kind).or_default() += 1,
            Err(Refused::Fault(reason)) => report.refused.push(at(place, reason)),
        });
        let mut settled = Vec::new();
        let mut names = Vec::new();
        each(&documents, &mut |place, taken| {
            let Ok(Taken { kind, id, resource, text, url }) = taken else { return };
            match self.settle(&catalogue, &Reference { kind, id }, resource, text, url.as_deref()) {
                Ok(outcome) => {
                    report.resources += 1;
                    report.unresolved += outcome.unresolved + outcome.ambiguous.len();
                    let target = Reference { kind: outcome.settled.kind, id: outcome.settled.id.clone() };
                    names.extend(outcome.names.into_iter().map(|name| (name, target.clone())));
                    settled.push(outcome.settled);
                }
                Err(reason) => report.refused.push(at(place, reason)),
            }
        });
        self.take_in(&catalogue, settled);
        for (name, target) in names {
            let targets = self.names.entry(name).or_default();
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        report
    }

    /// Puts settled resources beside those that are there, and settles again what looks into them.
    fn take_in(&mut self, catalogue: &Catalogue, settled: Vec<Settled>) {
        self.store = std::mem::take(&mut self.store).with(settled);
        let looks = |row: &&Settled| {
            let to_loaded = |reference: &Reference| catalogue.brings(reference);
            !catalogue.brings(&row.reference()) && row.looks_into().any(|reference| to_loaded(&reference))
        };
        let stale: Vec<Settled> = self.store.rows().iter().filter(looks).cloned().collect();
        let again = stale.iter().filter_map(|row| {
            let resource: Value = serde_json::from_str(&row.body).ok()?;
            self.settle(catalogue, &row.reference(), resource, &row.body, None).ok()
        });
        let again: Vec<Settled> = again.map(|outcome| outcome.settled).collect();
        if !again.is_empty() {
            self.store = std::mem::take(&mut self.store).with(again);
        }
    }

    fn settle(
        &self,
        catalogue: &Catalogue,
        reference: &Reference,
        resource: Value,
        text: &str,
        url: Option<&str>,
    ) -> Result<Outcome, String> {
        let settler = Settler { catalogue, beyond: self, base: &self.base, attachments: DOCUMENTS };
        settler.settle(reference.kind, &reference.id, resource, text, url).map_err(|error| error.0)
    }
}

fn at(line: usize, why: String) -> RefusedPlace {
    RefusedPlace { place: format!("line {}", line + 1), why }
}

/// The documents of a text, each with the line that it begins on: the text is one, or each of its lines.
fn documents(text: &str) -> Vec<(usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_json = |text: &str| serde_json::from_str::<&RawValue>(text).is_ok();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let by_line = lines.peek().is_some_and(|(_, first)| is_json(first));
    if by_line { lines.collect() } else { vec![(0, text)] }
}

/// Calls `take` with each resource of the documents, and with what is none; with its line, counted from zero.
fn each<'a>(documents: &[(usize, &'a str)], take: &mut dyn FnMut(usize, Result<Taken<'a>, Refused>)) {
    for (line, text) in documents {
        match entries(text) {
            Err(fault) => take(line + fault.line, Err(Refused::Fault(fault.reason))),
            Ok(found) => found.into_iter().for_each(|entry| {
                let taken = entry.clone().take();
                // Lines are counted only where they are told.
                let place = if taken.is_err() { line + line_of(text, entry.at) } else { *line };
                take(place, taken);
            }),
        }
    }
}

impl Beyond for Held {
    fn named(&self, name: &str) -> Vec<Reference> {
        self.names.get(name).cloned().unwrap_or_default()
    }

    fn owner(&self, reference: &Reference) -> Option<Owner> {
        self.store.row(reference).map(|row| row.owner.clone())
    }

    fn resource(&self, reference: &Reference) -> Option<Value> {
        serde_json::from_str(&self.store.row(reference)?.body).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_bundle_a_resource_or_lines_of_them() {
        let mut held = Held::new("http://here");
        let bundle = "{\n \"resourceType\": \"Bundle\", \"entry\": [{\"resource\": {\"resourceType\": \"Patient\", \"id\": \"a\"}},\n {\"resource\": {\"resourceType\": \"Claim\"}}]}";
        let report = held.load(bundle);
        assert_eq!((report.resources, report.unserved.get("Claim"), report.refused.len()), (1, Some(&1), 0));
        let report =
            held.load("\u{feff}{\"resourceType\":\"Patient\",\"id\":\"b\"}\n\n{\"resourceType\":\"Patient\"}\noops\n");
        assert_eq!(report.resources, 1);
        let refused: Vec<_> = report.refused.iter().map(|refused| refused.place.as_str()).collect();
        assert_eq!(refused, ["line 3", "line 4"]);
        assert!(report.refused[0].why.starts_with("Patient without an id"), "{:?}", report.refused);
        assert!(report.refused[1].why.starts_with("it is not JSON"), "{:?}", report.refused);
        assert_eq!(held.store().rows().len(), 2);
    }

    #[test]
    fn what_comes_later_resolves_against_what_is_there() {
        let mut held = Held::new("http://here");
        held.load(r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"Old"}]}"#);
        held.load(r#"{"resourceType":"PractitionerRole","id":"r","practitioner":{"reference":"Practitioner?identifier=npi|7"}}"#);
        let names = |held: &Held| {
            let row = held.store().rows().iter().find(|row| row.id.as_str() == "r").unwrap().clone();
            row.facts
                .iter()
                .filter(|(param, _)| param.name == "practitioner.name")
                .map(|(_, f)| format!("{f:?}"))
                .collect::<String>()
        };
        assert!(names(&held).contains("old"), "{}", names(&held));
        held.load(r#"{"resourceType":"Practitioner","id":"d","identifier":[{"system":"npi","value":"7"}],"name":[{"family":"New"}]}"#);
        assert!(names(&held).contains("new"), "{}", names(&held));
    }
}
