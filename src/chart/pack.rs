//! Packing of resources into a chart.

use std::collections::{BTreeMap, HashMap};

use super::deflate::{Contents, block, blocks, deflate_with_further, deflate_with_plain, inflated, is_readable};
use super::entry::Entry;
use super::error::ChartError;
use super::form::{MAX_HEAD, MAX_INFLATED, PAGE_BODIES, PAGE_BYTES};
use super::further::FurtherIndex;
use super::head::{Column, StoredFurther, StoredHead, StoredOwner};
use super::id::PackedVersion;
use super::page::pack_page;
use crate::IndexedResource;
use fhir::{Id, to_postcard, uuid};
use search::kind::{StoredFact, StoredUnit};
use search::{IndexSet, ParamId, stored_params};
use smart::Owner;

/// The stored values of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedChart {
    /// The head.
    pub head: Vec<u8>,
    /// The pages, from the oldest to the newest.
    pub pages: Vec<Vec<u8>>,
}

impl PackedChart {
    /// Returns whether the chart can be opened again. It cannot if its index is too large, or `grows` too much.
    #[must_use]
    pub fn is_readable(&self, grows: bool) -> bool {
        is_readable(&self.head, if grows { MAX_HEAD } else { MAX_INFLATED })
            && self.pages.iter().all(|page| is_readable(page, MAX_INFLATED))
    }
}

/// Packs resources of one type, indexed by a set of parameters.
#[must_use]
pub fn pack(rows: &[IndexedResource], set: &IndexSet) -> PackedChart {
    repack(rows, &[], set)
}

/// Packs resources of one type to replace an earlier chart. `earlier` has the ids of the resources on each of its
/// pages. A resource stays on its page, and new ones are added after the last one, so that a load changes few pages.
#[must_use]
pub fn repack(rows: &[IndexedResource], earlier: &[Vec<Id>], set: &IndexSet) -> PackedChart {
    let mut rows: Vec<&IndexedResource> = rows.iter().collect();
    rows.sort_by(|a, b| a.sort_key.cmp(&b.sort_key));
    let pages = paginate(&rows, earlier);
    let (owners, owner_of) = owners(&rows);
    let (columns, further) = index(&rows, set);
    let mut head = StoredHead {
        owners,
        owner_of,
        pages: pages.iter().map(|page| number(page.len())).collect(),
        position_deltas: position_deltas(&pages),
        columns,
        ..StoredHead::default()
    };
    let (mut time, mut uuids, mut digests) = (0, Vec::new(), Vec::new());
    for row in &rows {
        let own_time = row.sort_key.time();
        head.time_deltas.push(own_time.saturating_sub(time));
        let uuid = uuid(row.id.as_str());
        uuids.extend(uuid);
        head.ids.push(uuid.is_none().then(|| row.id.as_str()));
        head.versions.push(match PackedVersion::of(&row.version) {
            PackedVersion::Digest(digest) => {
                digests.push(digest);
                None
            }
            PackedVersion::Text(_) => Some(&*row.version),
        });
        head.lengths.push(number(row.body.len()));
        time = own_time;
    }
    let texts = |page: &Vec<usize>| {
        let rows = page.iter().filter_map(|row| rows.get(*row));
        pack_page(rows.map(|row| (row.id.as_str(), &*row.version, &*row.body)))
    };
    let plain = [uuids.as_flattened(), digests.as_flattened()].concat();
    PackedChart { head: store_head(&plain, &head, further.as_deref()), pages: pages.iter().map(texts).collect() }
}

/// Returns the rows on each page, in the order of their texts.
fn paginate(rows: &[&IndexedResource], earlier: &[Vec<Id>]) -> Vec<Vec<usize>> {
    let mut new: HashMap<&Id, usize> = rows.iter().enumerate().map(|(at, row)| (&row.id, at)).collect();
    let mut pages = Vec::with_capacity(earlier.len() + rows.len() / PAGE_BODIES + 1);
    let mut last = GrowingPage::default();
    for ids in earlier {
        last.close(&mut pages);
        for id in ids {
            if let Some((&id, &row)) = new.get_key_value(id)
                && last.add(row, rows)
            {
                new.remove(id);
            }
        }
    }
    // The oldest row is the last.
    for row in (0..rows.len()).rev().filter(|row| rows.get(*row).is_some_and(|row| new.contains_key(&row.id))) {
        if !last.add(row, rows) {
            last.close(&mut pages);
            last.add(row, rows);
        }
    }
    last.close(&mut pages);
    pages
}

/// A page to which rows are added.
#[derive(Default)]
struct GrowingPage {
    rows: Vec<usize>,
    bytes: usize,
}

/// Returns whether a page with this number of texts takes another one, with which it has `bytes` bytes.
pub(super) const fn takes(texts: usize, bytes: usize) -> bool {
    texts == 0 || (texts < PAGE_BODIES && bytes <= PAGE_BYTES)
}

impl GrowingPage {
    /// Adds a row, unless the page is full.
    fn add(&mut self, row: usize, rows: &[&IndexedResource]) -> bool {
        let bytes = self.bytes + rows.get(row).map_or(0, |row| row.body.len());
        let fits = takes(self.rows.len(), bytes);
        if fits {
            self.rows.push(row);
            self.bytes = bytes;
        }
        fits
    }

    /// Appends the page to `pages` unless it is empty, and begins the next one.
    fn close(&mut self, pages: &mut Vec<Vec<usize>>) {
        let Self { rows, .. } = std::mem::take(self);
        pages.extend((!rows.is_empty()).then_some(rows));
    }
}

/// See [`StoredHead::position_deltas`].
fn position_deltas(pages: &[Vec<usize>]) -> Vec<i32> {
    let mut positions = vec![0; pages.iter().map(Vec::len).sum()];
    for (position, row) in (0..).zip(pages.iter().flatten()) {
        if let Some(of_row) = positions.get_mut(*row) {
            *of_row = position;
        }
    }
    let before = std::iter::once(i32::try_from(positions.len()).unwrap_or(i32::MAX)).chain(positions.iter().copied());
    let deltas: Vec<i32> = before.zip(&positions).map(|(before, own)| own - (before - 1)).collect();
    if deltas.iter().all(|delta| *delta == 0) { Vec::new() } else { deltas }
}

/// Returns the distinct owners, and the index of each row's owner.
fn owners(rows: &[&IndexedResource]) -> (Vec<StoredOwner>, Vec<u32>) {
    let mut owners: Vec<&Owner> = Vec::new();
    let mut owner_of = Vec::with_capacity(rows.len());
    for row in rows {
        let known = owners.iter().position(|owner| **owner == row.owner);
        let at = known.unwrap_or_else(|| {
            owners.push(&row.owner);
            owners.len() - 1
        });
        owner_of.push(number(at));
    }
    if owners.len() < 2 {
        owner_of.clear();
    }
    (owners.into_iter().map(StoredOwner::of).collect(), owner_of)
}

/// Returns the index: a column for each parameter of US Core, even if no row has a value of it, and the block of the
/// set's other parameters of the type ([`FurtherIndex`]), if any. Ids are not indexed, since each row has its own.
fn index(rows: &[&IndexedResource], set: &IndexSet) -> (Vec<Column>, Option<Vec<u8>>) {
    let Some(resource_type) = rows.first().map(|row| row.resource_type) else { return (Vec::new(), None) };
    let of_us_core = stored_params(resource_type).filter(|param| param.in_us_core && !param.kind.is_id());
    let of_us_core = of_us_core.map(|param| param.id);
    let of_us_core: Vec<ParamId> = of_us_core.collect();
    let mut columns: BTreeMap<ParamId, HashMap<StoredFact<'_>, Vec<u32>>> =
        of_us_core.iter().map(|id| (*id, HashMap::new())).collect();
    let mut units = Vec::new();
    for (number, row) in (0..).zip(rows) {
        for (param, fact) in row.facts.iter().filter(|(param, _)| !param.kind.is_id() && set.has(param)) {
            let rows =
                columns.entry(param.id).or_default().entry(StoredFact::of(fact).with_unit_in(&mut units)).or_default();
            if rows.last() != Some(&number) {
                rows.push(number);
            }
        }
    }
    let column = |(param, values): (ParamId, HashMap<StoredFact<'_>, Vec<u32>>)| {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_by(|(a, a_rows), (b, b_rows)| a_rows.first().cmp(&b_rows.first()).then_with(|| a.cmp(b)));
        let mut entries = Vec::new();
        values.iter().for_each(|(value, rows)| Entry::write(value, rows, &mut entries));
        (param, Column { param: param.number(), entries })
    };
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (id, column) in columns.into_iter().map(column) {
        if of_us_core.contains(&id) { own.push(column) } else { others.push(column) }
    }
    let params: Vec<ParamId> =
        set.stored_params(resource_type).filter(|param| !param.in_us_core).map(|param| param.index_id).collect();
    let units = units.into_iter().map(StoredUnit::into_owned).collect();
    let further = StoredFurther { columns: others, units };
    (own, (!params.is_empty()).then(|| FurtherIndex::pack(resource_type, &params, &further)))
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the stored form of a head, its plain bytes, and the block of the further index.
fn store_head(plain: &[u8], head: &StoredHead<'_>, further: Option<&[u8]>) -> Vec<u8> {
    let head = to_postcard(head);
    match further {
        None => deflate_with_plain(plain, &head),
        Some(further) => deflate_with_further(&block(plain, &head), further),
    }
}

/// Returns a stored head as it was before a parameter of US Core was added. For tests.
///
/// # Errors
/// If the head is damaged.
pub fn without(head: &[u8], param: ParamId) -> Result<Vec<u8>, ChartError> {
    let (block, further) = blocks(head)?;
    let Contents { plain, inflated } = inflated(block)?;
    let mut head: StoredHead<'_> = postcard::from_bytes(&inflated).map_err(|_| ChartError::new("a head is damaged"))?;
    head.columns.retain(|column| column.param != param.number());
    Ok(store_head(plain, &head, further))
}
