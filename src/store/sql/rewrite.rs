//! The change of a chart's rows when resources are stored or removed: rows in, rows out.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use super::chart_table::{open_chart, parts, rows};
use crate::fhir::{Id, ResourceType};
use crate::search::IndexSet;
use crate::store::IndexedResource;
use crate::store::chart::{Chart, ChartError, MOST_TEXTS, PackedChart, repack};

/// Rows of a chart to write and to delete. A row is given by its offset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChartChange {
    /// The rows to insert or replace.
    pub put: Vec<(i64, Vec<u8>)>,
    /// The rows to delete.
    pub delete: Vec<i64>,
}

impl ChartChange {
    /// Returns whether there is nothing to write and to delete.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.put.is_empty() && self.delete.is_empty()
    }

    /// Adds the change to a digest.
    pub fn digest(&self, to: &mut Sha256) {
        for (offset, bytes) in &self.put {
            to.update(offset.to_be_bytes());
            to.update((bytes.len() as u64).to_be_bytes());
            to.update(bytes);
        }
        self.delete.iter().for_each(|offset| to.update(offset.to_be_bytes()));
    }
}

/// A chart with all its pages.
///
/// # Errors
/// If the rows are damaged or incomplete.
pub fn whole_chart(resource_type: ResourceType, stored: Vec<(i64, Vec<u8>)>) -> Result<Option<Chart>, ChartError> {
    open_chart(resource_type, parts(stored)?)
}

/// The reason why a chart cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RewriteError {
    /// The stored rows are damaged.
    Damaged(ChartError),
    /// The chart would become too large.
    TooLarge,
}

impl From<ChartError> for RewriteError {
    fn from(error: ChartError) -> Self {
        Self::Damaged(error)
    }
}

/// The change of a chart, of which `stored` are all rows. Each of `changes` is a resource to store, or the id of one to
/// remove. If the chart is not indexed by the set of parameters, `index_again` extracts the facts of its other
/// resources anew.
///
/// # Errors
/// See [`RewriteError`].
pub fn rewrite(
    resource_type: ResourceType,
    stored: Vec<(i64, Vec<u8>)>,
    changes: BTreeMap<Id, Option<IndexedResource>>,
    set: &IndexSet,
    index_again: &mut dyn FnMut(&mut IndexedResource) -> Result<(), ChartError>,
) -> Result<ChartChange, RewriteError> {
    // What takes from a chart that a version before has let grow is written.
    let grows = changes.values().any(Option::is_some);
    let mut old: HashMap<i64, Vec<u8>> = stored.iter().cloned().collect();
    let (mut resources, mut pages) = (Vec::new(), Vec::new());
    if let Some(chart) = whole_chart(resource_type, stored)? {
        let id = |row: u32| Id::parse(chart.id(row));
        pages = chart.rows_of_pages().into_iter().map(|page| page.into_iter().filter_map(id).collect()).collect();
        resources = chart.unpack()?;
        resources.retain(|resource| !changes.contains_key(&resource.id));
        if !chart.is_indexed_for(set) {
            resources.iter_mut().try_for_each(index_again)?;
        }
    }
    resources.extend(changes.into_values().flatten());
    if grows && resources.iter().map(|resource| resource.body.len()).sum::<usize>() > MOST_TEXTS {
        return Err(RewriteError::TooLarge);
    }
    let mut change = ChartChange::default();
    if !resources.is_empty() {
        // A chart that could not be read again is not written.
        let packed = Some(repack(&resources, &pages, set)).filter(|packed| packed.is_readable(grows));
        let packed: PackedChart = packed.ok_or(RewriteError::TooLarge)?;
        drop(resources);
        for (offset, row) in rows(&packed).ok_or(RewriteError::TooLarge)? {
            if old.remove(&offset).as_ref() != Some(&row) {
                change.put.push((offset, row));
            }
        }
    }
    change.delete = old.into_keys().collect();
    change.delete.sort_unstable();
    Ok(change)
}
