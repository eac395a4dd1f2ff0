//! The stored records, as read from rows of the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::error::WriteError;
use super::opened_chart::OpenedChart;
use super::stored_row::StoredRow;
use super::tables::Tables;
use crate::catalogue::{Damage, EarlierLoads, named_by};
use crate::index::clinical_time;
use chart::{Chart, ChartError, pack};
use collections::cache::{Cache, Cached, ENTRY};
use fhir::{Id, Micros, Reference, ResourceType};
use search::{IndexSet, SortKey, provenance_target, try_facts};
use smart::{Owner, is_directory};
use store::IndexedResource;
use store::names::{compartments, has_own_rows, name_hash};
use store::sql::{self, Lookup, Row, chart_keys, chart_of, whole_chart};

/// The stored records.
#[derive(Debug)]
pub struct Records<T> {
    tables: T,
    set: &'static IndexSet,
    /// The time of changes in the records, if it is to be stored.
    pub(super) now: Option<Micros>,
    opened: Cache<CachedChart>,
}

/// The chart that contains a stored resource, and its row there.
struct StoredLocation {
    /// The compartment.
    n: i64,
    /// The chart of the resource's type.
    chart: Rc<OpenedChart>,
    row: u32,
}

/// A chart, the absence of a chart, or the reason why it cannot be read.
#[derive(Debug, Clone)]
struct CachedChart(Result<Option<Rc<OpenedChart>>, WriteError>);

impl Cached for CachedChart {
    fn size(&self) -> usize {
        ENTRY + self.0.iter().flatten().map(|chart| chart.size()).sum::<usize>()
    }
}

impl<T: Tables> Records<T> {
    /// Returns the records in these tables, which are indexed by this set of parameters.
    pub fn of(tables: T, set: &'static IndexSet) -> Self {
        Self { tables, set, now: None, opened: Cache::default() }
    }

    /// Returns the tables.
    pub const fn tables(&self) -> &T {
        &self.tables
    }

    /// Returns the set of parameters by which the records are indexed.
    pub const fn set(&self) -> &'static IndexSet {
        self.set
    }

    /// Returns the tables for changing them.
    pub(super) const fn tables_mut(&mut self) -> &mut T {
        &mut self.tables
    }

    pub(super) fn into_tables(self) -> T {
        self.tables
    }

    /// Forgets the opened charts, because charts have changed.
    pub(super) fn forget_charts(&mut self) {
        self.opened = Cache::default();
    }

    /// Forgets an opened chart, because it is written again.
    pub(super) fn forget_chart(&self, n: i64, resource_type: ResourceType) {
        self.opened.forget(&format!("{n}/{resource_type}"));
    }

    /// Returns a stored resource with its facts and owner, according to the set of parameters.
    ///
    /// # Errors
    /// If the stored data are damaged.
    pub fn indexed(&self, reference: &Reference) -> Result<Option<IndexedResource>, WriteError> {
        if has_own_rows(reference.resource_type) { self.indexed_row(reference) } else { self.find(reference) }
    }

    /// Returns the stored form of a resource that has a row.
    ///
    /// # Errors
    /// If the row does not contain a resource.
    pub fn indexed_row(&self, reference: &Reference) -> Result<Option<IndexedResource>, WriteError> {
        let Some(row) = self.row(reference)? else { return Ok(None) };
        let mut resource = row.into_indexed(reference);
        self.index_again(&mut resource)?;
        Ok(Some(resource))
    }

    /// Returns the row of a resource.
    ///
    /// # Errors
    /// If the row is damaged.
    pub(super) fn row(&self, reference: &Reference) -> Result<Option<StoredRow>, WriteError> {
        let rows = self.tables.rows(&Lookup::Resource(reference.clone()));
        let damaged = || WriteError::new(format!("the stored row of {reference} is damaged"));
        rows.into_iter().next().map(|row| StoredRow::of(reference.resource_type, &row).ok_or_else(damaged)).transpose()
    }

    /// Returns the stored resource with that reference, if it is in a chart.
    fn find(&self, reference: &Reference) -> Result<Option<IndexedResource>, WriteError> {
        let place = self.locate_in(&self.compartments_of(reference)?, reference)?;
        place.map(|StoredLocation { n, chart, row }| chart.unpack_row(row).map_err(WriteError::of_chart(n))).transpose()
    }

    /// Returns the owner and the text of a stored resource, if it is in a chart of these compartments.
    ///
    /// # Errors
    /// If a chart is damaged.
    pub(super) fn find_in(
        &self,
        compartments: &[i64],
        reference: &Reference,
    ) -> Result<Option<(Owner, String)>, WriteError> {
        let Some(StoredLocation { n, chart, row }) = self.locate_in(compartments, reference)? else { return Ok(None) };
        Ok(Some((chart.owner(row).clone(), chart.text(row).map_err(WriteError::of_chart(n))?)))
    }

    /// Returns whether exactly the charts that should contain a resource contain it. `is_same` tells whether a row of a
    /// chart is the resource.
    ///
    /// # Errors
    /// If a chart is damaged.
    pub(super) fn is_in_all(
        &self,
        reference: &Reference,
        compartments: &[i64],
        located: &[i64],
        is_same: &dyn Fn(&OpenedChart, u32) -> Result<bool, ChartError>,
    ) -> Result<bool, WriteError> {
        // After an interrupted load, there may be further compartments.
        let first = compartments.get(..1).unwrap_or_default();
        let expected = if has_own_rows(reference.resource_type) { compartments } else { first };
        if located != expected {
            return Ok(false);
        }
        for n in compartments {
            let Some(StoredLocation { chart, row, .. }) = self.locate_in(&[*n], reference)? else { return Ok(false) };
            if !is_same(&chart, row).map_err(WriteError::of_chart(*n))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a resource of known patients or of the directory is stored everywhere it should be, with texts
    /// for which `is_same` holds, and no other resource waits for it by its reference: such a resource might find it
    /// only in the source of this load.
    ///
    /// # Errors
    /// If the stored data are damaged.
    pub(super) fn holds(&self, reference: &Reference, is_same: &dyn Fn(&str) -> bool) -> Result<bool, WriteError> {
        let Reference { resource_type, .. } = reference;
        if has_own_rows(*resource_type) && !self.row(reference)?.is_some_and(|row| is_same(&row.body)) {
            return Ok(false);
        }
        if !self.references(&Lookup::Dependent(reference.to_string()))?.is_empty() {
            return Ok(false);
        }
        if is_directory(*resource_type) {
            return Ok(true);
        }
        let located = self.compartments_of(reference)?;
        let Some(StoredLocation { chart, row, .. }) = self.locate_in(&located, reference)? else { return Ok(false) };
        let owner = chart.owner(row);
        if !matches!(owner, Owner::Patients(patients) if !patients.is_empty()) {
            return Ok(false);
        }
        let all = self.compartments_of_owner(reference, owner);
        self.is_in_all(reference, &all, &located, &|chart, row| Ok(is_same(&chart.text(row)?)))
    }

    /// Returns the content of a stored resource.
    ///
    /// # Errors
    /// If the text of the resource is not a resource.
    fn content(&self, reference: &Reference) -> Result<Option<Value>, WriteError> {
        let mut damage = None;
        if has_own_rows(reference.resource_type) {
            let Some(row) = self.row(reference)? else { return Ok(None) };
            match parsed(reference, &row.body) {
                // A resource with a patient is also in a chart.
                Err(error) if !is_directory(reference.resource_type) => damage = Some(error),
                content => return content.map(Some),
            }
        }
        match self.find_in(&self.compartments_of(reference)?, reference)? {
            Some((_, text)) => parsed(reference, &text).map(Some),
            None => damage.map_or(Ok(None), Err),
        }
    }

    fn stored_owner(&self, reference: &Reference) -> Result<Option<Owner>, WriteError> {
        if has_own_rows(reference.resource_type) {
            return Ok(self.row(reference)?.map(|row| row.owner));
        }
        let location = self.locate_in(&self.compartments_of(reference)?, reference)?;
        Ok(location.map(|StoredLocation { chart, row, .. }| chart.owner(row).clone()))
    }

    /// Returns the text of a stored resource.
    fn text(&self, reference: &Reference) -> Result<Option<String>, WriteError> {
        if has_own_rows(reference.resource_type) {
            return Ok(self.row(reference)?.map(|row| row.body));
        }
        Ok(self.find_in(&self.compartments_of(reference)?, reference)?.map(|(_, text)| text))
    }

    /// Returns the row of a stored resource in the charts of one of these compartments.
    fn locate_in(&self, compartments: &[i64], reference: &Reference) -> Result<Option<StoredLocation>, WriteError> {
        for n in compartments.iter().copied() {
            if let Some(chart) = self.chart(n, reference.resource_type)?
                && let Some(row) = chart.find(reference.id.as_str())
            {
                return Ok(Some(StoredLocation { n, chart, row }));
            }
        }
        Ok(None)
    }

    /// Returns the numbers of the compartments that may contain a stored resource.
    pub(super) fn compartments_of(&self, reference: &Reference) -> Result<Vec<i64>, WriteError> {
        if has_own_rows(reference.resource_type) {
            let row = self.row(reference)?;
            return Ok(row.map(|row| self.compartments_of_owner(reference, &row.owner)).unwrap_or_default());
        }
        let rows = self.tables.rows(&Lookup::Locator(name_hash(&reference.to_string())));
        Ok(rows.iter().filter_map(|row| row.get(1)?.integer()).collect())
    }

    /// Returns the numbers of the compartments of a stored resource with that owner.
    pub(super) fn compartments_of_owner(&self, reference: &Reference, owner: &Owner) -> Vec<i64> {
        let all = compartments(reference.resource_type, &reference.id, owner);
        all.iter().filter_map(|compartment| self.number(compartment)).collect()
    }

    pub(super) fn number(&self, compartment: &str) -> Option<i64> {
        let rows = self.tables.rows(&Lookup::Compartment(compartment.to_owned()));
        rows.first()?.first()?.integer()
    }

    /// Returns a chart in the form in which it will be written: indexed by the set of parameters.
    fn chart(&self, n: i64, resource_type: ResourceType) -> Result<Option<Rc<OpenedChart>>, WriteError> {
        let key = format!("{n}/{resource_type}");
        if let Some(CachedChart(chart)) = self.opened.get(&key) {
            return chart;
        }
        let chart = self.open(n, resource_type);
        self.opened.put(&key, CachedChart(chart.clone()));
        chart
    }

    fn open(&self, n: i64, resource_type: ResourceType) -> Result<Option<Rc<OpenedChart>>, WriteError> {
        let chart = whole_chart(resource_type, self.chart_rows(n, resource_type)).map_err(WriteError::of_chart(n))?;
        Ok(chart.map(|chart| self.current(n, chart).map(OpenedChart::new)).transpose()?.map(Rc::new))
    }

    /// Returns all rows of a chart, each with its offset.
    pub fn chart_rows(&self, n: i64, resource_type: ResourceType) -> Vec<(i64, Vec<u8>)> {
        let (first, _) = chart_keys(n, resource_type);
        let rows = self.tables.rows(&Lookup::Chart(n, resource_type));
        let offset = |row: Row| match <[sql::Value; 2]>::try_from(row) {
            Ok([sql::Value::Integer(key), sql::Value::Blob(data)]) => Some((key - first, data)),
            _ => None,
        };
        rows.into_iter().filter_map(offset).collect()
    }

    /// Returns the types of a compartment's charts that are not indexed by this version's parameters of the set, and
    /// the errors of damaged heads.
    pub fn outdated(&self, n: i64) -> (Vec<ResourceType>, Vec<WriteError>) {
        let mut heads: BTreeMap<u8, Vec<(i64, Vec<u8>)>> = BTreeMap::new();
        for row in self.tables.rows(&Lookup::Heads(n)) {
            if let [sql::Value::Integer(key), sql::Value::Blob(data)] = &row[..]
                && let Some((_, resource_type)) = chart_of(*key)
            {
                let offset = key - chart_keys(n, resource_type).0;
                heads.entry(resource_type.number()).or_default().push((offset, data.clone()));
            }
        }
        let (mut outdated, mut damaged) = (Vec::new(), Vec::new());
        for (number, rows) in heads {
            let Some(resource_type) = ResourceType::numbered(number) else { continue };
            match whole_chart(resource_type, rows) {
                Ok(chart) => {
                    outdated.extend(chart.filter(|chart| !chart.is_indexed_for(self.set)).map(|_| resource_type));
                }
                Err(error) => damaged.push(WriteError::of_chart(n)(error)),
            }
        }
        (outdated, damaged)
    }

    /// Returns a chart of the same resources that is indexed by the set of parameters.
    fn current(&self, n: i64, chart: Chart) -> Result<Chart, WriteError> {
        if chart.is_indexed_for(self.set) {
            return Ok(chart);
        }
        let packed = pack(&self.resources_of(n, &chart)?, self.set);
        let chart = Chart::open(chart.resource_type(), &packed.head).map_err(WriteError::of_chart(n))?;
        packed.pages.into_iter().enumerate().for_each(|(number, page)| chart.put_page(number, page));
        Ok(chart)
    }

    /// Returns the resources of a chart of a compartment with all its pages, according to the set of parameters.
    ///
    /// # Errors
    /// If the chart is damaged.
    pub fn resources_of(&self, n: i64, chart: &Chart) -> Result<Vec<IndexedResource>, WriteError> {
        let mut resources = chart.unpack().map_err(WriteError::of_chart(n))?;
        if !chart.is_indexed_for(self.set) {
            let again = resources.iter_mut().try_for_each(|resource| self.index_again(resource));
            again.map_err(|error| WriteError::of_chart(n)(ChartError(error.why)))?;
        }
        Ok(resources)
    }

    /// Extracts the facts of a stored resource again, according to the set of parameters, and its sort key. The text,
    /// the owner and the time of the last change are kept; the load has already resolved the references.
    ///
    /// # Errors
    /// If the text is not a resource.
    pub(super) fn index_again(&self, resource: &mut IndexedResource) -> Result<(), WriteError> {
        let text = parsed(&resource.reference(), &resource.body)?;
        let changed_at = resource.changed_at();
        let read = |reference: &Reference| self.content(reference);
        resource.facts = try_facts(resource.resource_type, &text, &resource.body, self.set, &read)?;
        resource.owner.leave_others(&mut resource.facts);
        resource.set_changed_at(changed_at);
        resource.sort_key = SortKey::new(clinical_time(resource.resource_type, &text), &resource.id);
        Ok(())
    }

    /// Returns the Provenances whose target is a stored resource, from the charts of its patients.
    fn provenances(&self, target: &Reference) -> Result<BTreeSet<Reference>, WriteError> {
        let mut found = BTreeSet::new();
        let Some(param) = provenance_target().filter(|_| !is_directory(target.resource_type)) else { return Ok(found) };
        // Most Provenances are in the same compartment, so that their chart is read together with that of the resource.
        for n in self.compartments_of(target)? {
            self.chart(n, param.base)?;
        }
        let Some(owner) = self.stored_owner(target)? else { return Ok(found) };
        let target = target.to_string();
        for patient in owner.patients() {
            let Some(n) = self.number(patient.as_str()) else { continue };
            let Some(chart) = self.chart(n, param.base)? else { continue };
            let ids = chart.rows_about(&target).iter().filter_map(|row| Id::parse(chart.id(*row)));
            found.extend(ids.map(|id| Reference { resource_type: param.base, id }));
            chart.check().map_err(WriteError::of_chart(n))?;
        }
        Ok(found)
    }

    /// Returns the references in a column of rows.
    fn references(&self, lookup: &Lookup) -> Result<Vec<Reference>, WriteError> {
        let damaged = || WriteError::new(format!("a row of the table {} is damaged", lookup.table().name()));
        let reference = |row: &Row| Reference::parse(row.get(1)?.text()?);
        let rows = self.tables.rows(lookup);
        rows.iter().map(|row| reference(row).ok_or_else(damaged)).collect()
    }
}

impl<T: Tables> EarlierLoads for Records<T> {
    fn named(&self, name: &str) -> Result<Vec<Reference>, Damage> {
        named_by(name, |stored| Ok(self.references(&Lookup::Alias(stored.to_owned()))?))
    }

    fn owner(&self, reference: &Reference) -> Result<Option<Owner>, Damage> {
        Ok(self.stored_owner(reference)?)
    }

    fn body(&self, reference: &Reference) -> Option<String> {
        self.text(reference).unwrap_or(None)
    }

    fn resource(&self, reference: &Reference) -> Result<Option<Value>, Damage> {
        Ok(self.content(reference)?)
    }

    /// Returns the dependents without the Provenances of an unreadable chart, which is left unchanged like these.
    fn dependents(&self, name: &str) -> Result<Vec<Reference>, Damage> {
        let mut all = self.references(&Lookup::Dependent(name.to_owned()))?;
        if let Some(Ok(provenances)) = Reference::parse(name).map(|reference| self.provenances(&reference)) {
            all.extend(provenances);
        }
        Ok(all)
    }

    fn deleted_at(&self, reference: &Reference) -> Option<Micros> {
        self.tables.rows(&Lookup::Deleted(reference.clone())).first()?.get(1)?.integer()
    }
}

/// Parses the text of a stored resource.
///
/// # Errors
/// If the text is not a JSON object.
pub(super) fn parsed(reference: &Reference, body: &str) -> Result<Value, WriteError> {
    let read = serde_json::from_str(body).ok().filter(Value::is_object);
    read.ok_or_else(|| WriteError::new(format!("the stored text of {reference} is damaged")))
}
