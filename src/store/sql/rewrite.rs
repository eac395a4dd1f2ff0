//! The change of a chart's rows when resources are stored or removed: it takes rows and returns rows.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::chart_table::{open_chart, parts, rows};
use crate::IndexedResource;
use chart::{Chart, ChartError, MAX_HEAD, MAX_TEXTS, Packing, to_bytes};
use fhir::{DigestOfParts, Id, OF_THING, ResourceType, digest};
use search::IndexSet;

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

/// Returns the change of a chart. `stored` are all its rows. Each of `changes` is a resource to store
/// ([`chart::to_bytes`]), or the id of a resource to remove. If the chart is not indexed by the set of parameters,
/// `index_again` extracts the facts of its other resources again.
///
/// # Errors
/// See [`RewriteError`].
pub fn rewrite(
    resource_type: ResourceType,
    stored: Vec<(i64, Vec<u8>)>,
    mut changes: BTreeMap<Id, Option<Rc<[u8]>>>,
    set: &IndexSet,
    index_again: &mut dyn FnMut(&mut IndexedResource) -> Result<(), ChartError>,
) -> Result<ChartChange, RewriteError> {
    // A change that shrinks a chart is written even if it is too large, for instance due to more parameters.
    let grows = changes.values().any(Option::is_some);
    let mut old: HashMap<i64, [u8; OF_THING]> = stored.iter().map(|(offset, row)| (*offset, digest(row))).collect();
    let chart = whole_chart(resource_type, stored)?;
    if let Some(outdated) = chart.as_ref().filter(|chart| !chart.is_indexed_for(set)) {
        outdated.for_each_resource(&mut |mut resource| {
            if !changes.contains_key(&resource.id) {
                index_again(&mut resource)?;
                changes.insert(resource.id.clone(), Some(to_bytes(&resource).into()));
            }
            Ok(())
        })?;
    }
    let stays = |id: &str| Id::parse(id).is_none_or(|id| !changes.contains_key(&id));
    let mut packing = Packing::of(resource_type, chart.as_ref(), stays);
    for bytes in changes.values().flatten() {
        packing.add_bytes(bytes)?;
    }
    let mut change = ChartChange::default();
    if !packing.is_empty() {
        if grows && packing.texts() > MAX_TEXTS {
            return Err(RewriteError::TooLarge);
        }
        let packed = packing.pack(set, if grows { MAX_HEAD } else { usize::MAX })?;
        // A chart that could not be read again is not written.
        let packed = packed.filter(|packed| packed.is_readable(grows)).ok_or(RewriteError::TooLarge)?;
        drop((chart, changes));
        for (offset, row) in rows(packed).ok_or(RewriteError::TooLarge)? {
            if old.remove(&offset) != Some(digest(&row)) {
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

    fn id(text: &str) -> Id {
        Id::parse(text).unwrap()
    }

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
        let store = |stored: Vec<(i64, Vec<u8>)>, changes: BTreeMap<Id, Option<Rc<[u8]>>>| {
            rewrite(ResourceType::Observation, stored, changes, IndexSet::us_core(), &mut |_| Ok(()))
        };
        let some = |count: usize, has_own_codes: bool, text: usize| {
            let all = (0..count).map(|number| observation(number, has_own_codes, text));
            all.map(|resource| (resource.id.clone(), Some(to_bytes(&resource).into()))).collect::<BTreeMap<_, _>>()
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
        let larger: Vec<_> = (0..90).map(|number| observation(number, true, 100)).collect();
        let larger = rows(pack(&larger, IndexSet::us_core())).unwrap();
        assert!(store(larger.clone(), [(Id::parse("o7").unwrap(), None)].into()).is_ok());
        assert_eq!(store(larger, some(1, true, 100)), Err(RewriteError::TooLarge));
    }

    /// Returns the resources of a chart with these rows, as the chart is read.
    fn resources(rows: &[(i64, Vec<u8>)]) -> Vec<IndexedResource> {
        whole_chart(ResourceType::Observation, rows.to_vec()).unwrap().unwrap().unpack().unwrap()
    }

    fn changed(mut rows: Vec<(i64, Vec<u8>)>, change: ChartChange) -> Vec<(i64, Vec<u8>)> {
        rows.retain(|(offset, _)| !change.delete.contains(offset) && change.put.iter().all(|(put, _)| put != offset));
        rows.extend(change.put);
        rows.sort_unstable();
        rows
    }

    #[test]
    fn a_changed_chart_reads_as_one_that_is_packed_anew_and_keeps_its_other_pages() {
        let set = IndexSet::of_r4();
        let of = |number: usize, code: &str| {
            let (resource_type, id) = (ResourceType::Observation, id(&format!("o{number:03}")));
            let value = json!({"value": number, "unit": code, "system": "http://u", "code": code});
            let resource = json!({"resourceType": "Observation", "id": id.as_str(), "valueQuantity": value,
                "code": {"coding": [{"system": "http://s", "code": code}]}, "subject": {"reference": "Patient/p"},
                "effectiveDateTime": format!("20{:02}-01-01", number % 60)});
            let body = resource.to_string();
            let facts = facts(resource_type, &resource, &body, set, &|_| None);
            let owner = Owner::Patients([self::id(if number.is_multiple_of(7) { "q" } else { "p" })].into());
            let time = fhir::Span::parse(&format!("20{:02}-01-01", number % 60)).map(fhir::Span::sort_time);
            let (sort_key, version) = (SortKey::new(time, &id), number.to_string());
            IndexedResource { resource_type, owner, sort_key, version, facts, body, id }
        };
        let bytes = |resource: &IndexedResource| (resource.id.clone(), Some(Rc::<[u8]>::from(to_bytes(resource))));
        let store = |stored: &[(i64, Vec<u8>)], changes| {
            rewrite(ResourceType::Observation, stored.to_vec(), changes, set, &mut |_| Ok(())).unwrap()
        };
        let mut all: BTreeMap<Id, IndexedResource> =
            (0..200).map(|number| of(number, "mg")).map(|resource| (resource.id.clone(), resource)).collect();
        let mut stored = changed(Vec::new(), store(&[], all.values().map(bytes).collect()));
        // Resources are added, replaced and removed; the last change has all of these, on several pages.
        for (add, replace, remove) in
            [(200..210, 0..0, 0..0), (0..0, 5..6, 0..0), (0..0, 0..0, 100..101), (210..300, 20..160, 160..190)]
        {
            let mut changes: BTreeMap<Id, Option<Rc<[u8]>>> = BTreeMap::new();
            for resource in add.map(|number| of(number, "kg")).chain(replace.map(|number| of(number, "g"))) {
                let (id, bytes) = bytes(&resource);
                changes.insert(id.clone(), bytes);
                all.insert(id, resource);
            }
            for number in remove {
                let id = id(&format!("o{number:03}"));
                changes.insert(id.clone(), None);
                all.remove(&id);
            }
            let few = changes.len() < 20;
            let change = store(&stored, changes);
            assert!(!few || change.put.len() <= 2, "{}", change.put.len());
            stored = changed(stored, change);
            let anew: Vec<_> = all.values().cloned().collect();
            let anew = rows(pack(&anew, set)).unwrap();
            assert_eq!(resources(&stored), resources(&anew));
            assert!(store(&stored, BTreeMap::new()).is_empty());
        }
        // A page that is damaged is not taken over.
        let mut damaged = stored.clone();
        *damaged[0].1.last_mut().unwrap() ^= 1;
        let change = [bytes(&of(400, "kg"))].into();
        let refused = rewrite(ResourceType::Observation, damaged, change, set, &mut |_| Ok(()));
        assert!(matches!(refused, Err(RewriteError::Damaged(_))), "{refused:?}");
    }
}
