//! The change of a chart's rows when resources are stored or removed: it takes rows and returns rows.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::chart_table::{open_chart, parts, rows};
use crate::IndexedResource;
use chart::{Chart, ChartError, MAX_HEAD, MAX_TEXTS, PackedChart, repack};
use fhir::{DigestOfParts, Id, ResourceType, to_postcard};
use search::IndexSet;
use search::kind::StoredFact;

/// Rows of a chart to write and to delete. Rows are given by their offsets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChartChange {
    /// The rows to insert or replace.
    pub put: Vec<(i64, Vec<u8>)>,
    /// The rows to delete.
    pub delete: Vec<i64>,
}

impl ChartChange {
    /// Returns whether there are no rows to write or delete.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.put.is_empty() && self.delete.is_empty()
    }

    /// Adds the change to a digest.
    pub fn digest(&self, to: &mut DigestOfParts) {
        to.add(self.put.len().to_string());
        for (offset, bytes) in &self.put {
            to.add(offset.to_be_bytes()).add(bytes);
        }
        for offset in &self.delete {
            to.add(offset.to_be_bytes());
        }
    }
}

/// Returns a chart with all its pages.
///
/// # Errors
/// If the rows are damaged or incomplete.
pub fn whole_chart(resource_type: ResourceType, stored: Vec<(i64, Vec<u8>)>) -> Result<Option<Chart>, ChartError> {
    open_chart(resource_type, parts(stored)?)
}

/// The reason why a chart cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The stored rows are damaged.
    #[error(transparent)]
    Damaged(#[from] ChartError),
    /// The chart would become too large.
    #[error("the chart becomes too large")]
    TooLarge,
}

/// Returns whether resources may be packed into one chart, according to their texts and the distinct values of their
/// facts. Packing a chart only to refuse it would take too much memory.
fn is_bounded(resources: &[IndexedResource]) -> bool {
    let texts: usize = resources.iter().map(|resource| resource.body.len()).sum();
    let (mut known, mut values) = (HashSet::new(), 0);
    for (param, fact) in resources.iter().flat_map(|resource| &resource.facts) {
        let stored = to_postcard(&StoredFact::of(fact));
        let mut hasher = DefaultHasher::new();
        (param.id.number(), &stored).hash(&mut hasher);
        if known.insert(hasher.finish()) {
            values += stored.len();
        }
        if values > MAX_HEAD {
            return false;
        }
    }
    texts <= MAX_TEXTS
}

/// Returns the change of a chart. `stored` are all its rows. Each of `changes` is a resource to store, or the id of a
/// resource to remove. If the chart is not indexed by the set of parameters, `index_again` extracts the facts of its
/// other resources again.
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
    // A change that shrinks a chart is written even if it is too large, for instance due to more parameters.
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
    if grows && !is_bounded(&resources) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use chart::pack;
    use search::{SortKey, facts};
    use serde_json::{Value, json};
    use smart::Owner;

    /// Returns an observation with a text of that length, and a thousand codes, either its own or those that all have.
    fn observation(number: usize, has_own_codes: bool, text: usize) -> IndexedResource {
        let (resource_type, id) = (ResourceType::Observation, Id::parse(&format!("o{number}")).unwrap());
        let of = if has_own_codes { number } else { 0 };
        let codes: Value = (0..1_000).map(|code| json!({"code": format!("{of:030}{code:030}")})).collect();
        let resource = json!({"resourceType": "Observation", "id": id.as_str(), "code": {"coding": codes}});
        IndexedResource {
            resource_type,
            owner: Owner::Patients([Id::parse("p").unwrap()].into()),
            sort_key: SortKey::new(None, &id),
            version: "1".to_owned(),
            facts: facts(resource_type, &resource, "", IndexSet::us_core(), &|_| None),
            body: " ".repeat(text),
            id,
        }
    }

    #[test]
    fn wr15_a_chart_grows_as_far_as_a_later_change_fits_into_memory() {
        let store = |stored: Vec<(i64, Vec<u8>)>, changes: BTreeMap<Id, Option<IndexedResource>>| {
            rewrite(ResourceType::Observation, stored, changes, IndexSet::us_core(), &mut |_| Ok(()))
        };
        let some = |count: usize, has_own_codes: bool, text: usize| {
            let all = (0..count).map(|number| observation(number, has_own_codes, text));
            all.map(|resource| (resource.id.clone(), Some(resource))).collect::<BTreeMap<_, _>>()
        };
        for (count, has_own_codes, text, is_stored) in [
            (60, true, 100, true),
            (90, true, 100, false),
            (90, false, 100, true),
            (12, false, 2_000_000, true),
            (13, false, 2_000_000, false),
        ] {
            let stored = store(Vec::new(), some(count, has_own_codes, text));
            assert_eq!(stored.is_ok(), is_stored, "{count} {has_own_codes} {text}");
            assert!(is_stored || stored == Err(RewriteError::TooLarge));
        }
        // A chart that is too large cannot grow, but can shrink.
        let larger: Vec<_> = some(90, true, 100).into_values().flatten().collect();
        let larger = rows(&pack(&larger, IndexSet::us_core())).unwrap();
        assert!(store(larger.clone(), [(Id::parse("o7").unwrap(), None)].into()).is_ok());
        assert_eq!(store(larger, some(1, true, 100)), Err(RewriteError::TooLarge));
    }
}
