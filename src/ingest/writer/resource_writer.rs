//! A writer: it writes the resources of a load into tables, and answers what the load asks about earlier ones.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::error::WriteError;
use super::stored_records::Records;
use super::stored_row::StoredRow;
use super::tables::Tables;
use crate::catalogue::{Damage, EarlierLoads};
use crate::index::IndexedEntry;
use crate::load::{LoadRefusal, LoadTarget, Stored};
use fhir::{DigestOfParts, Micros, Reference};
use search::IndexSet;
use smart::{Owner, is_directory};
use store::IndexedResource;
use store::names::has_own_rows;
use store::sql::{Change, Lookup, Table};

/// The compartments that a load leaves as they are, by their numbers, each with the reason.
pub type SkippedCompartments = BTreeMap<i64, String>;

/// Writes resources into tables.
#[derive(Debug)]
pub struct Writer<T> {
    pub(super) records: Records<T>,
    /// The numbers of compartments that have been looked up or given since the charts were written.
    pub(super) numbers: HashMap<String, i64>,
    /// The last number in each bucket, as far as numbers were given.
    pub(super) last: HashMap<u32, i64>,
    /// The digests of changes since the versions of compartments were set.
    pub(super) changed: BTreeMap<i64, DigestOfParts>,
    corrects: bool,
    pub(super) skipped: SkippedCompartments,
    /// See [`Self::rely_on_whole_loads`].
    relies_on_whole_loads: bool,
}

impl<T: Tables> Writer<T> {
    /// Leaves these compartments as they are.
    pub fn bar(&mut self, compartments: &SkippedCompartments) {
        self.skipped.clone_from(compartments);
    }

    /// Relies on loads that were made together or not at all: a resource that is stored needs nothing more.
    pub const fn rely_on_whole_loads(&mut self) {
        self.relies_on_whole_loads = true;
    }

    /// Keeps this time with what is changed from now on, as that of the change. Without any, stores do not know it.
    pub const fn change_at(&mut self, now: Micros) {
        self.records.now = Some(now);
    }

    /// Returns why one of these compartments is left as it is.
    pub(super) fn skipped(&self, compartments: &[i64]) -> Option<String> {
        compartments.iter().find_map(|n| self.skipped.get(n)).cloned()
    }

    /// A writer on these tables, whose records are indexed by this set of parameters.
    #[must_use]
    pub fn new(tables: T, set: &'static IndexSet) -> Self {
        Self {
            records: Records::of(tables, set),
            numbers: HashMap::new(),
            last: HashMap::new(),
            changed: BTreeMap::new(),
            corrects: false,
            skipped: SkippedCompartments::new(),
            relies_on_whole_loads: false,
        }
    }

    /// The row of a resource, if its type has rows.
    fn row(&self, reference: &Reference) -> Result<Option<StoredRow>, WriteError> {
        if has_own_rows(reference.resource_type) { self.records.row(reference) } else { Ok(None) }
    }

    /// Forgets that a resource was deleted, since it is stored again. Its age is that of its text now.
    fn forget_deletion(&mut self, reference: &Reference) {
        if !self.tables().rows(&Lookup::Deleted(reference.clone())).is_empty() {
            self.tables_mut().change(Change::Delete(Table::Deleted, vec![reference.to_string().into()]));
        }
    }

    /// Returns why a stored resource is left as it is: its row cannot be read, or one of its compartments is barred.
    fn bar_of_stored(&self, reference: &Reference) -> Option<String> {
        let bar = self.row(reference).and_then(|_| self.bar_of_located(reference));
        bar.unwrap_or_else(|error| Some(error.why))
    }

    /// Returns why the compartments in which a resource is stored are left as they are.
    ///
    /// # Errors
    /// If its chart is damaged.
    pub(super) fn bar_of_located(&self, reference: &Reference) -> Result<Option<String>, WriteError> {
        if self.skipped.is_empty() {
            return Ok(None);
        }
        let located = self.records.compartments_of(reference)?;
        if let Some(why) = self.skipped(&located) {
            return Ok(Some(why));
        }
        // The locator names the first of its compartments alone.
        let stored = self.records.find_in(&located, reference)?;
        let of_owner = stored.map(|(owner, _)| self.records.compartments_of_owner(reference, &owner));
        Ok(self.skipped(&of_owner.unwrap_or_default()))
    }

    /// The stored records.
    #[must_use]
    pub const fn records(&self) -> &Records<T> {
        &self.records
    }

    /// The tables.
    #[must_use]
    pub const fn tables(&self) -> &T {
        self.records.tables()
    }

    /// The tables, for changes that a writer does not make.
    pub const fn tables_mut(&mut self) -> &mut T {
        self.records.tables_mut()
    }

    /// The tables with all changes that were made.
    #[must_use]
    pub fn into_tables(self) -> T {
        self.records.into_tables()
    }

    /// Returns whether something was changed or removed that had been stored before.
    #[must_use]
    pub const fn corrects(&self) -> bool {
        self.corrects
    }

    /// Stores a resource of a type that has rows again, with the facts of this version. Its references are resolved.
    ///
    /// # Errors
    /// If the stored resource is damaged.
    pub fn index_row(&mut self, reference: &Reference) -> Result<Stored, WriteError> {
        let Some(resource) = self.records.indexed_row(reference)? else { return Ok(Stored::Same) };
        let old = self.records.row(reference)?;
        let is_stale = old.as_ref().is_some_and(|old| !old.says_of(&resource, self.records.set()));
        let stored = self.store_row(&resource, old, is_stale);
        self.corrects |= stored == Stored::Changed;
        Ok(stored)
    }

    /// Writes the charts of a compartment again that are not indexed by the set of parameters. Returns their number,
    /// and the errors of those that are damaged or become too large, and stay as they are. The compartment has another
    /// version after [`LoadTarget::flush`].
    ///
    /// # Errors
    /// If an error is not one of this compartment.
    pub fn index_charts(&mut self, n: i64) -> Result<(usize, Vec<WriteError>), WriteError> {
        let (outdated, mut unread) = self.records.outdated(n);
        let mut indexed = 0;
        for resource_type in outdated {
            match self.write_chart(n, resource_type, BTreeMap::new()) {
                Ok(()) => indexed += 1,
                Err(error) if error.compartment.is_some() => unread.push(error),
                Err(error) => return Err(error),
            }
        }
        Ok((indexed, unread))
    }
}

impl<T: Tables> LoadTarget for Writer<T> {
    type Error = WriteError;

    fn set(&self) -> &'static IndexSet {
        self.records.set()
    }

    fn holds(&self, reference: &Reference, is_same: &dyn Fn(&str) -> bool) -> bool {
        // Damage is found when the resource is stored.
        self.relies_on_whole_loads
            && self.skipped.is_empty()
            && self.records.holds(reference, is_same).unwrap_or_default()
    }

    fn store(&mut self, mut indexed: IndexedEntry) -> Result<Result<Stored, LoadRefusal>, WriteError> {
        indexed.resource.set_changed_at(self.records.now);
        let resource = &indexed.resource;
        let old = match self.row(&resource.reference()) {
            Ok(old) => old,
            Err(WriteError { why, .. }) => return Ok(Err(LoadRefusal(why))),
        };
        if let Some(why) = self.bar_of(resource)? {
            return Ok(Err(LoadRefusal(why)));
        }
        let in_chart = if is_directory(resource.resource_type) { Stored::Same } else { self.store_in_chart(resource)? };
        let in_rows =
            if has_own_rows(resource.resource_type) { self.store_row(resource, old, false) } else { Stored::Same };
        self.remember(&indexed);
        let stored = if in_chart == Stored::Same { in_rows } else { in_chart };
        if stored == Stored::New || !self.relies_on_whole_loads {
            self.forget_deletion(&indexed.resource.reference());
        }
        self.corrects |= [in_chart, in_rows].contains(&Stored::Changed);
        Ok(Ok(stored))
    }

    fn remove(&mut self, reference: &Reference, at: Micros) -> Result<Result<bool, LoadRefusal>, WriteError> {
        if let Some(why) = self.bar_of_stored(reference) {
            return Ok(Err(LoadRefusal(why)));
        }
        let (in_charts, in_rows) = (self.remove_from_charts(reference)?, self.remove_row(reference)?);
        let body = in_charts.or(in_rows);
        // 0 stands for a time that is not known.
        let row = vec![reference.to_string().into(), at.into(), self.records.now.unwrap_or_default().into()];
        let noted = self.tables().rows(&Lookup::Deleted(reference.clone()));
        // One that is loaded again keeps the time at which this server has made it.
        let is_noted = noted.iter().any(|noted| noted.get(1) == row.get(1) && noted.get(2) != Some(&0.into()));
        if body.is_some() || !is_noted {
            self.tables_mut().change(Change::Put(Table::Deleted, row));
        }
        let Some(body) = body else { return Ok(Ok(false)) };
        self.forget(reference, &body);
        self.corrects = true;
        Ok(Ok(true))
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        self.write_charts()?;
        self.set_versions()
    }

    fn indexed(&self, reference: &Reference) -> Result<Result<Option<IndexedResource>, LoadRefusal>, WriteError> {
        if let Some(why) = self.bar_of_stored(reference) {
            return Ok(Err(LoadRefusal(why)));
        }
        match self.records.indexed(reference) {
            Err(WriteError { why, compartment: None, .. }) => Ok(Err(LoadRefusal(why))),
            indexed => indexed.map(Ok),
        }
    }
}

impl<T: Tables> EarlierLoads for Writer<T> {
    fn named(&self, name: &str) -> Result<Vec<Reference>, Damage> {
        self.records.named(name)
    }

    fn owner(&self, reference: &Reference) -> Result<Option<Owner>, Damage> {
        self.records.owner(reference)
    }

    fn body(&self, reference: &Reference) -> Option<String> {
        self.records.body(reference)
    }

    fn dependents(&self, name: &str) -> Result<Vec<Reference>, Damage> {
        self.records.dependents(name)
    }

    fn resource(&self, reference: &Reference) -> Result<Option<Value>, Damage> {
        self.records.resource(reference)
    }

    fn deleted_at(&self, reference: &Reference) -> Option<Micros> {
        self.records.deleted_at(reference)
    }
}
