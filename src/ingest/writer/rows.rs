//! The rows of types that are searched without a patient, and the data that only later loads use: names and dependents.

use super::error::WriteError;
use super::resource_writer::Writer;
use super::stored_records::parsed;
use super::stored_row::{StoredRow, resource_row};
use super::tables::Tables;
use crate::catalogue::{depends_on, names_of_patients, stored_names};
use crate::{IndexedEntry, Stored};
use fhir::{DigestOfParts, OF_THING, Reference};
use search::stored_params;
use search::{IndexSet, ParamId, facts};
use smart::Owner;
use store::names::{has_own_rows, is_in_each_record};
use store::sql::{Change, Table};
use store::{FactRow, IndexedResource, LinkRow, fact_rows, link_rows};

impl<T: Tables> Writer<T> {
    /// Stores the row of a resource, with its facts and links, in place of the stored row. A row with the same content
    /// is kept, unless `is_stale`: then its list of parameters with values has to be written again.
    pub(super) fn store_row(&mut self, resource: &IndexedResource, old: Option<StoredRow>, is_stale: bool) -> Stored {
        let set = self.records.set();
        let (facts, links) = (fact_rows(resource, set), link_rows(resource));
        let digest = digest(resource, &facts, &links);
        let reference = resource.reference();
        let before = match old {
            // A row may be damaged although its digest is valid.
            Some(old) if old.digest == digest && old.is_of(resource) => {
                if !is_stale {
                    return Stored::Same;
                }
                let row = resource_row(resource, set, digest);
                self.tables_mut().change(Change::Resource { row, before: Some(old.digest) });
                return Stored::Changed;
            }
            Some(old) => {
                if old.body != resource.body {
                    self.forget(&reference, &old.body);
                }
                let before = old.digest.clone();
                self.remove_values(&reference, old);
                Some(before)
            }
            None => None,
        };
        let stored = if before.is_some() { Stored::Changed } else { Stored::New };
        let tables = self.tables_mut();
        tables.change(Change::Resource { row: resource_row(resource, set, digest), before });
        for FactRow { param_id, value, sort_key, rest } in facts {
            let row = vec![param_id.into(), value.into(), sort_key.into(), rest.into()];
            tables.change(Change::Put(Table::Fact, row));
        }
        for LinkRow { param_id, target } in links {
            let row = vec![resource.id.as_str().into(), param_id.into(), target.into()];
            tables.change(Change::Put(Table::Link, row));
        }
        stored
    }

    /// Deletes the row of a resource, with its facts and links. Returns its text, if there was a row.
    pub(super) fn remove_row(&mut self, reference: &Reference) -> Result<Option<String>, WriteError> {
        if !has_own_rows(reference.resource_type) {
            return Ok(None);
        }
        let Some(old) = self.records.row(reference)? else { return Ok(None) };
        let body = old.body.clone();
        self.remove_values(reference, old);
        let key = vec![reference.resource_type.name().into(), reference.id.as_str().into()];
        self.tables_mut().change(Change::Delete(Table::Resource, key));
        Ok(Some(body))
    }

    /// Deletes the facts and links of the earlier form of a resource that has a row. It may have been indexed by
    /// another set of parameters.
    fn remove_values(&mut self, reference: &Reference, old: StoredRow) {
        let known = old.params.clone();
        let mut old = old.into_indexed(reference);
        let text = parsed(reference, &old.body);
        // The target of a chain may have changed since then, so that the stored facts may be different. A damaged text
        // does not tell the stored facts of any parameter.
        let unknown =
            stored_params(old.resource_type).filter(|param| param.via.is_some() || text.is_err()).map(|param| param.id);
        let unknown: Vec<_> = unknown.chain(text.is_err().then(|| ParamId::everything(old.resource_type))).collect();
        for param_id in unknown {
            let facts = vec![("param", param_id.into()), ("sort", old.sort_key.as_str().into())];
            self.tables_mut().change(Change::DeleteAll(Table::Fact, facts));
            if text.is_err() {
                let links = vec![("id", reference.id.as_str().into()), ("param", param_id.into())];
                self.tables_mut().change(Change::DeleteAll(Table::Link, links));
            }
        }
        let Ok(text) = text else { return };
        // The stored facts have the stored sort key.
        old.facts = facts(old.resource_type, &text, &old.body, IndexSet::of_r4(), &|_| None);
        let tables = self.tables_mut();
        let everything = ParamId::everything(old.resource_type);
        let is_stored = |row: &FactRow| row.param_id == everything || known.has(row.param_id);
        for FactRow { param_id, value, sort_key, rest } in
            fact_rows(&old, IndexSet::of_r4()).into_iter().filter(is_stored)
        {
            let key = vec![param_id.into(), value.into(), sort_key.into(), rest.into()];
            tables.change(Change::Delete(Table::Fact, key));
        }
        for LinkRow { param_id, target } in link_rows(&old) {
            let key = vec![reference.id.as_str().into(), param_id.into(), target.into()];
            tables.change(Change::Delete(Table::Link, key));
        }
    }

    /// Deletes what [`Self::remember`] stored for an earlier text: all rows of the resource if the text is damaged.
    pub(super) fn forget(&mut self, reference: &Reference, body: &str) {
        let own = reference.to_string();
        let Ok(resource) = parsed(reference, body) else {
            for (table, column) in [(Table::Alias, "target"), (Table::Dependent, "source")] {
                self.tables_mut().change(Change::DeleteAll(table, vec![(column, own.as_str().into())]));
            }
            return;
        };
        for name in stored_names(reference.resource_type, &resource) {
            self.tables_mut().change(Change::Delete(Table::Alias, vec![name.into(), own.as_str().into()]));
        }
        for target in depends_on(reference.resource_type, &resource).into_iter().chain(names_of_patients(&resource)) {
            let key = vec![target.into(), own.as_str().into()];
            self.tables_mut().change(Change::Delete(Table::Dependent, key));
        }
    }

    /// Stores the names by which later loads may refer to the resource, and the resources on which it depends.
    pub(super) fn remember(&mut self, indexed: &IndexedEntry) {
        let own = indexed.resource.reference().to_string();
        for name in &indexed.names {
            let row = vec![name.as_str().into(), own.as_str().into()];
            self.tables_mut().change(Change::Put(Table::Alias, row));
        }
        let is_found = is_found_by_charts(&indexed.resource);
        for target in indexed.depends_on.iter().filter(|target| !is_found || Reference::parse(target).is_none()) {
            let row = vec![target.as_str().into(), own.as_str().into()];
            self.tables_mut().change(Change::Put(Table::Dependent, row));
        }
    }
}

/// Returns whether a resource is found, without rows for this, as a dependent of each resource on which its owner
/// depends. A Provenance is, if all its targets are known and have few patients: it is in the charts of these patients.
fn is_found_by_charts(resource: &IndexedResource) -> bool {
    let is_known = matches!(&resource.owner, Owner::Patients(patients) if !patients.is_empty());
    is_known && is_in_each_record(resource.resource_type, &resource.owner)
}

fn digest(indexed: &IndexedResource, facts: &[FactRow], links: &[LinkRow]) -> String {
    let mut digest = DigestOfParts::default();
    digest.add(&indexed.body).add(format!("{:?}{:?}", indexed.owner, indexed.modified()));
    for row in facts {
        digest.add(row.param_id.number().to_string()).add(&row.value).add(&row.rest);
    }
    for link in links {
        digest.add(&link.target);
    }
    digest.text::<OF_THING>()
}
