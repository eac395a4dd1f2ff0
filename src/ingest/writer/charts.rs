//! Charts: resources are gathered, so that each chart is written once. Changed compartments get new versions.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::error::WriteError;
use super::gathered::{GatheredChart, ResourceEdit};
use super::opened_chart::OpenedChart;
use super::resource_writer::Writer;
use super::tables::Tables;
use crate::Stored;
use chart::{ChartError, to_bytes};
use fhir::{DigestOfParts, Id, Reference, ResourceType};
use smart::{Owner, is_directory};
use store::IndexedResource;
use store::names::{BUCKETS, bucket, compartments, has_own_rows, member_names, name_hash, names};
use store::shards::numbers_of;
use store::sql::{Change, Lookup, RewriteError, Table, Value, chart_keys, rewrite};

impl<T: Tables> Writer<T> {
    /// Stores a resource that belongs into a chart.
    pub(super) fn store_in_chart(&mut self, new: &IndexedResource) -> Result<Stored, WriteError> {
        let reference = new.reference();
        let of_new = self.numbers(&reference, &new.owner)?;
        let located = self.records.compartments_of(&reference)?;
        let is_same = |chart: &OpenedChart, row| chart.is_same(row, new);
        if self.records.is_in_all(&reference, &of_new, &located, &is_same)? {
            return Ok(Stored::Same);
        }
        let mut of_old = located.clone();
        let stored = match self.records.find_in(&located, &reference)? {
            Some((owner, body)) => {
                self.forget(&reference, &body);
                of_old.extend(self.numbers(&reference, &owner)?);
                Stored::Changed
            }
            None => Stored::New,
        };
        let others: BTreeSet<i64> = of_old.into_iter().filter(|n| !of_new.contains(n)).collect();
        let bytes: Rc<[u8]> = if self.tables().lacks_rows() { Rc::default() } else { to_bytes(new).into() };
        let mut gather = |n: i64, data: Option<Rc<[u8]>>| {
            self.tables_mut().gather(ResourceEdit { n, resource_type: new.resource_type, id: new.id.clone(), data });
        };
        of_new.iter().for_each(|n| gather(*n, Some(Rc::clone(&bytes))));
        others.iter().for_each(|n| gather(*n, None));
        let [first, further @ ..] = &of_new[..] else { return Ok(stored) };
        if has_own_rows(new.resource_type) {
            self.put_names(member_names(new), *first);
        } else {
            self.locate(new, *first, &others.into_iter().chain(further.iter().copied()).collect(), &located);
        }
        Ok(stored)
    }

    /// Returns the reason why the compartments of a resource, before and after, must not be changed, if any.
    pub(super) fn bar_of(&mut self, new: &IndexedResource) -> Result<Option<String>, WriteError> {
        if self.skipped.is_empty() || is_directory(new.resource_type) {
            return Ok(None);
        }
        let reference = new.reference();
        let of_new = self.numbers(&reference, &new.owner)?;
        match self.skipped(&of_new) {
            Some(why) => Ok(Some(why)),
            None => self.bar_of_located(&reference),
        }
    }

    /// Removes a resource from all its charts. Returns its text, if it was in a chart.
    pub(super) fn remove_from_charts(&mut self, reference: &Reference) -> Result<Option<String>, WriteError> {
        let located = self.records.compartments_of(reference)?;
        let old = self.records.find_in(&located, reference)?;
        // After an interrupted load, names may lead to charts that no longer have the resource.
        let mut all: BTreeSet<i64> = located.into_iter().collect();
        if let Some((owner, _)) = &old {
            all.extend(self.numbers(reference, owner)?);
        }
        let own = name_hash(&reference.to_string());
        for n in all {
            self.tables_mut().gather(ResourceEdit {
                n,
                resource_type: reference.resource_type,
                id: reference.id.clone(),
                data: None,
            });
            // The other names are kept, since another resource of the compartment may have them.
            self.tables_mut().change(Change::Delete(Table::Locator, vec![own.into(), n.into()]));
        }
        Ok(old.map(|(_, body)| body))
    }

    /// Enters the names of a resource into the locator. They lead to its first compartment. While charts of other
    /// compartments are written, its reference leads to those too, so that no copy is lost track of if the load is
    /// interrupted.
    fn locate(&mut self, resource: &IndexedResource, first: i64, others: &BTreeSet<i64>, located: &[i64]) {
        let own = name_hash(&resource.reference().to_string());
        let row = |hash: i64, n: i64| vec![hash.into(), n.into()];
        for n in others.iter().filter(|n| !located.contains(n)) {
            self.tables_mut().change(Change::Put(Table::Locator, row(own, *n)));
        }
        // Other names of the earlier form are kept, since another resource of the compartment may have them. A search
        // for them then finds nothing there.
        self.put_names(names(resource), first);
        for n in others {
            self.tables_mut().change(Change::Delete(Table::Locator, row(own, *n)));
        }
    }

    /// Enters names of a resource in a compartment into the locator.
    fn put_names(&mut self, names: Vec<String>, n: i64) {
        for name in names {
            self.tables_mut().change(Change::Put(Table::Locator, vec![name_hash(&name).into(), n.into()]));
        }
    }

    /// Returns the numbers of the compartments of a resource with that owner.
    fn numbers(&mut self, reference: &Reference, owner: &Owner) -> Result<Vec<i64>, WriteError> {
        let all = compartments(reference.resource_type, &reference.id, owner);
        all.iter().map(|compartment| self.number(compartment)).collect()
    }

    /// Returns the number of a compartment. A new compartment gets the next number in its bucket.
    fn number(&mut self, compartment: &str) -> Result<i64, WriteError> {
        if let Some(n) = self.numbers.get(compartment) {
            return Ok(*n);
        }
        let n = match self.records.number(compartment) {
            Some(n) => n,
            None => self.next_number(compartment)?,
        };
        self.numbers.insert(compartment.to_owned(), n);
        Ok(n)
    }

    /// Lists a new compartment in the directory.
    fn next_number(&mut self, compartment: &str) -> Result<i64, WriteError> {
        let of_bucket = bucket(compartment, BUCKETS);
        let (before_first, highest) = numbers_of(of_bucket);
        let last = self.last.get(&of_bucket).copied().unwrap_or_else(|| {
            let rows = self.records.tables().rows(&Lookup::Last(of_bucket));
            rows.first().and_then(|row| row.first()?.integer()).unwrap_or(before_first)
        });
        let n = last + 1;
        if n > highest {
            return Err(WriteError::new(format!("the bucket {of_bucket} has no number left for a compartment")));
        }
        self.last.insert(of_bucket, n);
        self.tables_mut().change(Change::List { n, id: compartment.to_owned() });
        Ok(n)
    }

    /// Writes the charts of the gathered resources.
    pub(super) fn write_charts(&mut self) -> Result<(), WriteError> {
        while self.write_next_chart()?.is_some() {}
        Ok(())
    }

    /// Writes the next chart of the gathered resources. Returns the bytes of these resources. `None` if all are
    /// written.
    ///
    /// # Errors
    /// If the stored chart is damaged, or would become too large.
    pub fn write_next_chart(&mut self) -> Result<Option<usize>, WriteError> {
        let Some(GatheredChart { n, resource_type, resources }) = self.tables_mut().next_gathered() else {
            return Ok(None);
        };
        let bytes = resources.values().flatten().map(|data| data.len()).sum();
        // The texts of opened charts would be in memory beside the chart that is written.
        self.records.forget_charts();
        let tables = self.tables();
        if tables.lacks_rows() {
            tables.rows(&Lookup::Chart(n, resource_type));
            tables.rows(&Lookup::Charts(n));
        } else {
            self.write_chart(n, resource_type, resources)?;
        }
        Ok(Some(bytes))
    }

    /// Writes a chart with these changes.
    pub(super) fn write_chart(
        &mut self,
        n: i64,
        resource_type: ResourceType,
        changes: BTreeMap<Id, Option<Rc<[u8]>>>,
    ) -> Result<(), WriteError> {
        let mut new_names = Vec::new();
        let mut again = |resource: &mut IndexedResource| {
            let names = if has_own_rows(resource_type) { member_names } else { names };
            let known = names(resource);
            self.records.index_again(resource).map_err(|error| ChartError(error.why))?;
            let all = compartments(resource_type, &resource.id, &resource.owner);
            if all.first().and_then(|first| self.records.number(first)) == Some(n) {
                new_names.extend(names(resource).into_iter().filter(|name| !known.contains(name)));
            }
            Ok(())
        };
        self.records.forget_chart(n, resource_type);
        let (rows, set) = (self.records.chart_rows(n, resource_type), self.records.set());
        let change = rewrite(resource_type, rows, changes, set, &mut again);
        let change = change.map_err(|error| match error {
            RewriteError::Damaged(error) => WriteError::of_chart(n)(error),
            RewriteError::TooLarge => WriteError::too_large(n),
        })?;
        self.put_names(new_names, n);
        if change.is_empty() {
            return Ok(());
        }
        let digest = self.changed.entry(n).or_default();
        digest.add([resource_type.number()]);
        change.digest(digest);
        let (first, _) = chart_keys(n, resource_type);
        let tables = self.tables_mut();
        for offset in change.delete {
            tables.change(Change::Delete(Table::Chart, vec![(first + offset).into()]));
        }
        for (offset, data) in change.put {
            tables.change(Change::Put(Table::Chart, vec![(first + offset).into(), Value::Blob(data)]));
        }
        Ok(())
    }

    /// Sets the versions of the compartments whose charts were written. A version is a digest of the previous version
    /// and the changes. So it identifies the content, and charts of a reloaded or restored database are not mistaken
    /// for earlier ones. It has 52 bits, which JavaScript represents exactly, and is not 0.
    pub(super) fn set_versions(&mut self) -> Result<(), WriteError> {
        self.records.forget_charts();
        let ids: BTreeMap<i64, String> = std::mem::take(&mut self.numbers).into_iter().map(|(id, n)| (n, id)).collect();
        for (n, mut digest) in std::mem::take(&mut self.changed) {
            let rows = self.records.tables().rows(&Lookup::Charts(n));
            let before = rows.first().and_then(|row| row.get(2)?.integer());
            let version = version(digest.add(before.map(i64::to_be_bytes).unwrap_or_default()));
            let no_id = || WriteError::new(format!("the compartment {n} has charts and no version"));
            let change = match before {
                Some(before) => Change::Version { n, before, after: version },
                None => Change::Compartment { n, id: ids.get(&n).ok_or_else(no_id)?.clone(), version },
            };
            self.tables_mut().change(change);
        }
        Ok(())
    }
}

fn version(digest: &DigestOfParts) -> i64 {
    (i64::from_be_bytes(digest.bytes()) >> 12).unsigned_abs().max(1).cast_signed()
}
