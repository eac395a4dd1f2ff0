//! Packs resources into a chart.

use std::collections::{BTreeMap, HashMap};

use super::deflate::deflate;
use super::head::{Column, StoredHead, StoredOwner};
use super::id::{PackedId, PackedVersion};
use super::value::{Entry, Value};
use super::{PAGE_BODIES, PAGE_BYTES};
use crate::search::ParamId;
use crate::smart::Owner;
use crate::store::IndexedResource;

/// The stored values of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedChart {
    /// The head.
    pub head: Vec<u8>,
    /// The pages, the oldest first.
    pub pages: Vec<Vec<u8>>,
}

/// Packs resources of one type.
#[must_use]
pub fn pack(rows: &[IndexedResource]) -> PackedChart {
    let mut rows: Vec<&IndexedResource> = rows.iter().collect();
    rows.sort_by(|a, b| a.sort_key.cmp(&b.sort_key));
    let pages = paginated(&rows);
    let (owners, owner_of) = owners(&rows);
    let mut head = StoredHead {
        owners,
        owner_of,
        pages: pages.iter().map(|page| number(page.len())).collect(),
        columns: columns(&rows),
        ..StoredHead::default()
    };
    let mut time = 0;
    for row in &rows {
        let own_time = row.sort_key.time();
        head.time_deltas.push(own_time.saturating_sub(time));
        head.ids.push(PackedId::of(row.id.as_str()));
        head.versions.push(PackedVersion::of(&row.version));
        head.lengths.push(number(row.body.len()));
        time = own_time;
    }
    let text = |page: &Vec<&IndexedResource>| -> String { page.iter().map(|row| &*row.body).collect() };
    PackedChart {
        head: deflate(&postcard::to_allocvec(&head).unwrap_or_default()),
        pages: pages.iter().map(|page| deflate(text(page).as_bytes())).collect(),
    }
}

/// The rows on each page, the oldest first.
fn paginated<'a>(rows: &[&'a IndexedResource]) -> Vec<Vec<&'a IndexedResource>> {
    let (mut pages, mut last, mut bytes) = (Vec::new(), Vec::new(), 0);
    for row in rows.iter().rev() {
        if !last.is_empty() && (last.len() >= PAGE_BODIES || bytes + row.body.len() > PAGE_BYTES) {
            pages.push(std::mem::take(&mut last));
            bytes = 0;
        }
        last.push(*row);
        bytes += row.body.len();
    }
    pages.extend((!last.is_empty()).then_some(last));
    pages
}

/// The distinct owners, and which of them each row has.
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

/// The index. Ids are not in it, since each row has its own.
fn columns(rows: &[&IndexedResource]) -> Vec<Column> {
    let mut columns: BTreeMap<ParamId, HashMap<Value<'_>, Vec<u32>>> = BTreeMap::new();
    for (number, row) in (0..).zip(rows) {
        for (param, fact) in row.facts.iter().filter(|(param, _)| param.name != "_id") {
            let rows = columns.entry(param.id).or_default().entry(Value::of(fact)).or_default();
            if rows.last() != Some(&number) {
                rows.push(number);
            }
        }
    }
    let column = |(param, values): (ParamId, HashMap<Value<'_>, Vec<u32>>)| {
        let mut values: Vec<_> = values.into_iter().collect();
        values.sort_by(|(a, a_rows), (b, b_rows)| a_rows.first().cmp(&b_rows.first()).then_with(|| a.cmp(b)));
        let mut entries = Vec::new();
        values.iter().for_each(|(value, rows)| Entry::write(value, rows, &mut entries));
        Column { param: param.number(), entries }
    };
    columns.into_iter().map(column).collect()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
