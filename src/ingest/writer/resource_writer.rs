//! A writer: it writes the resources of a load into tables, and answers the load's queries about stored ones.

use std::collections::{BTreeMap, HashMap};

use super::error::WriteError;
use super::stored_records::Records;
use super::stored_row::StoredRow;
use super::tables::Tables;
use crate::index::IndexedEntry;
use crate::load::{LoadRefusal, LoadTarget, Stored};
use fhir::{DigestOfParts, Micros, Reference};
use search::IndexSet;
use smart::is_directory;
use store::IndexedResource;
use store::names::has_own_rows;
use store::sql::{Change, Lookup, Table};

/// The compartments that a load does not change, by number, each with the reason.
pub type SkippedCompartments = BTreeMap<i64, String>;

/// Writes resources into tables.
#[derive(Debug)]
pub struct Writer<T> {
    pub(super) records: Records<T>,
    /// The numbers of compartments that were looked up or assigned since the charts were last written.
    pub(super) numbers: HashMap<String, i64>,
    /// The last number in each bucket in which numbers were assigned.
    pub(super) last: HashMap<u32, i64>,
    /// The digests of changes since the versions of compartments were last set.
    pub(super) changed: BTreeMap<i64, DigestOfParts>,
    corrects: bool,
    pub(super) skipped: SkippedCompartments,
    /// True if loads are atomic: a resource that is already stored needs no further work.
    pub(super) relies_on_whole_loads: bool,
}

impl<T: Tables> Writer<T> {
    /// Makes the writer leave these compartments unchanged.
    pub fn bar(&mut self, compartments: &SkippedCompartments) {
        self.skipped.clone_from(compartments);
    }

    /// Stores this time as the time of further changes. Without it, stores do not know the time of a change.
    pub const fn change_at(&mut self, now: Micros) {
        self.records.now = Some(now);
    }

    /// Returns the reason why one of these compartments is not changed, if any.
    pub(super) fn skipped(&self, compartments: &[i64]) -> Option<String> {
        compartments.iter().find_map(|n| self.skipped.get(n)).cloned()
    }

    /// Creates a writer on these tables, whose records are indexed by this set of parameters.
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

    /// Returns the row of a resource, if its type has rows.
    fn row(&self, reference: &Reference) -> Result<Option<StoredRow>, WriteError> {
        if has_own_rows(reference.resource_type) { self.records.row(reference) } else { Ok(None) }
    }

    /// Removes the record of a deletion, since the resource is stored again. Its text now determines its age.
    fn forget_deletion(&mut self, reference: &Reference) {
        if !self.tables().rows(&Lookup::Deleted(reference.clone())).is_empty() {
            self.tables_mut().change(Change::Delete(Table::Deleted, vec![reference.to_string().into()]));
        }
    }

    /// Returns why a stored resource is not changed, if so: its row is damaged, or one of its compartments is barred.
    fn bar_of_stored(&self, reference: &Reference) -> Option<String> {
        let bar = self.row(reference).and_then(|_| self.bar_of_located(reference));
        bar.unwrap_or_else(|error| Some(error.why))
    }

    /// Returns the reason why the compartments in which a resource is stored are not changed, if any.
    ///
    /// # Errors
    /// If the chart of the resource is damaged.
    pub(super) fn bar_of_located(&self, reference: &Reference) -> Result<Option<String>, WriteError> {
        if self.skipped.is_empty() {
            return Ok(None);
        }
        let located = self.records.compartments_of(reference)?;
        if let Some(why) = self.skipped(&located) {
            return Ok(Some(why));
        }
        // The locator only names the first of its compartments.
        let stored = self.records.find_in(&located, reference)?;
        let of_owner = stored.map(|(owner, _)| self.records.compartments_of_owner(reference, &owner));
        Ok(self.skipped(&of_owner.unwrap_or_default()))
    }

    /// Returns the tables.
    pub const fn tables(&self) -> &T {
        self.records.tables()
    }

    /// Returns the tables, for changes outside of the writer.
    pub const fn tables_mut(&mut self) -> &mut T {
        self.records.tables_mut()
    }

    /// Returns the tables with all changes.
    pub fn into_tables(self) -> T {
        self.records.into_tables()
    }

    /// Returns whether stored data were changed or removed.
    #[must_use]
    pub const fn corrects(&self) -> bool {
        self.corrects
    }

    /// Stores a resource of a type that has rows again, with the facts of this version and resolved references.
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

    /// Rewrites the charts of a compartment that are not indexed by the set of parameters. Returns their number, and
    /// the errors of charts that are damaged or would become too large, and so stay unchanged. The compartment gets a
    /// new version at [`LoadTarget::flush`].
    ///
    /// # Errors
    /// If an error does not concern this compartment.
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
    type Earlier = Records<T>;

    fn earlier(&self) -> &Records<T> {
        &self.records
    }

    fn set(&self) -> &'static IndexSet {
        self.records.set()
    }

    fn holds(&self, reference: &Reference, is_same: &dyn Fn(&str) -> bool) -> bool {
        // Damage will be found when the resource is stored.
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
        // 0 stands for an unknown time.
        let row = vec![reference.to_string().into(), at.into(), self.records.now.unwrap_or_default().into()];
        let noted = self.tables().rows(&Lookup::Deleted(reference.clone()));
        // If a deletion is loaded again, the time at which this server made it is kept.
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
