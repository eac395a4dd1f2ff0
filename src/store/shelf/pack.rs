//! Packing indexed resources into a shelf.

use base16ct::lower::encode_string;
use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use super::{BLOCK, ENTRY, EVERYONE, FACTS, FORMAT, HEAD, LARGEST, LINKS, ROW, UNDETERMINED, fact, format_field};
use crate::search::{Fact, ParamId};
use crate::smart::Owner;
use crate::store::{IndexedResource, format};

/// A shelf and its body blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The value.
    pub shelf: Vec<u8>,
    /// The body blocks, each with the ending of its key.
    pub blocks: Vec<(String, Vec<u8>)>,
}

/// Packs resources of one type with copies of the resources that may be included with them.
#[must_use]
pub fn pack(own: &[IndexedResource], included: &[IndexedResource]) -> Packed {
    let mut own: Vec<&IndexedResource> = own.iter().collect();
    let mut included: Vec<&IndexedResource> = included.iter().collect();
    own.sort_by_key(|row| &row.sort_key);
    included.sort_by_key(|row| (row.kind, &row.id));
    let rows: Vec<_> = own.iter().chain(&included).copied().collect();
    let bytes: usize = rows.iter().map(|row| row.body.len()).sum();
    let mut packer = Packer { apart: bytes > LARGEST, ..Packer::default() };
    packer.pack(own.len(), &rows)
}

#[derive(Default)]
struct Packer {
    value: Vec<u8>,
    /// The texts that are in the value, with their offsets and lengths.
    known: HashMap<String, (u32, u32)>,
    owners: Vec<Owner>,
    /// True if the bodies are in blocks.
    apart: bool,
    blocks: Vec<Vec<u8>>,
}

/// The entries of a column, and the rows of each.
#[derive(Default)]
struct PackedColumn {
    entries: Vec<(Vec<u8>, Vec<u32>)>,
    known: HashMap<Vec<u8>, usize>,
}

impl PackedColumn {
    fn add(&mut self, value: Vec<u8>, row: u32) {
        let next = self.entries.len();
        let at = *self.known.entry(value).or_insert_with_key(|value| {
            self.entries.push((value.clone(), Vec::new()));
            next
        });
        if let Some((_, rows)) = self.entries.get_mut(at) {
            rows.push(row);
        }
    }

    /// The entries in their final order: references sorted, others in the order in which they were added.
    fn arranged(self) -> Vec<(Vec<u8>, Vec<u32>)> {
        let mut entries = self.entries;
        if entries.iter().all(|(value, _)| fact::reference(value).is_some()) {
            entries.sort();
        }
        entries
    }
}

impl Packer {
    fn pack(&mut self, own: usize, rows: &[&IndexedResource]) -> Packed {
        self.value.resize(HEAD + rows.len() * ROW, 0);
        let mut columns: BTreeMap<(ParamId, u32), PackedColumn> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            let number = size(at);
            // The id is at the end of the sort key.
            for (param, found) in row.facts.iter().filter(|(param, _)| param.name != "_id") {
                columns.entry((param.id, FACTS)).or_default().add(fact::encode(found), number);
            }
            for (param, target) in &row.links {
                columns.entry((param.id, LINKS)).or_default().add(target.to_string().into_bytes(), number);
            }
        }
        let texts: Vec<_> = rows.iter().map(|row| self.texts(row)).collect();
        let (owners, owners_at) = self.owners();
        let count = columns.len();
        let columns_at = self.columns(columns);
        let bodies_at = size(self.value.len());
        let mut bodies = vec![(0, 0); rows.len()];
        for at in side_by_side(own, rows) {
            if let (Some(place), Some(row)) = (bodies.get_mut(at), rows.get(at)) {
                *place = self.body(&row.body);
            }
        }
        let mut table = Vec::with_capacity(rows.len() * ROW);
        for ((row, texts), (block, at)) in rows.iter().zip(texts).zip(bodies) {
            let numbers = texts.into_iter().chain([block, at, size(row.body.len())]);
            table.extend(numbers.flat_map(u32::to_le_bytes));
        }
        let blocks = std::mem::take(&mut self.blocks);
        let name = if blocks.is_empty() { String::new() } else { digest(&blocks) };
        let numbers = [size(own), size(rows.len()), size(HEAD), owners, owners_at, size(count), columns_at, bodies_at];
        let head = [format_field(format()), format_field(&name)].concat();
        let head = head.into_iter().chain(numbers.into_iter().flat_map(u32::to_le_bytes)).chain(table);
        self.value.iter_mut().zip(head).for_each(|(to, from)| *to = from);
        let named = |(at, block)| (format!("{name}-{}", at + 1), block);
        Packed { shelf: std::mem::take(&mut self.value), blocks: blocks.into_iter().enumerate().map(named).collect() }
    }

    /// Appends the texts of a row, and returns its fields before the body.
    fn texts(&mut self, row: &IndexedResource) -> [u32; 8] {
        let (sort_key, sort_key_length) = self.text(row.sort_key.as_str());
        let (version, version_length) = self.text(&row.version);
        let (modified, modified_length) = self.text(row.modified.as_deref().unwrap_or_default());
        let owner = self.owners.iter().position(|owner| *owner == row.owner).unwrap_or_else(|| {
            self.owners.push(row.owner.clone());
            self.owners.len() - 1
        });
        let kind = size(row.kind.index());
        [kind, size(owner), sort_key, sort_key_length, version, version_length, modified, modified_length]
    }

    /// Appends a body. Returns the number of its block, counted from one, and its offset there; or zero and its offset
    /// in the shelf.
    fn body(&mut self, body: &str) -> (u32, u32) {
        if !self.apart {
            return (0, self.append(body.as_bytes()));
        }
        if self.blocks.last().is_none_or(|block| block.len() >= BLOCK) {
            self.blocks.push(format_field(format()).to_vec());
        }
        let count = size(self.blocks.len());
        let Some(block) = self.blocks.last_mut() else { return (0, 0) };
        let at = size(block.len());
        block.extend(body.as_bytes());
        (count, at)
    }

    fn owners(&mut self) -> (u32, u32) {
        let owners = std::mem::take(&mut self.owners);
        let mut table = Vec::new();
        for owner in &owners {
            let count = match owner {
                Owner::Everyone => EVERYONE,
                Owner::Patients(patients) => size(patients.len()),
                Owner::Undetermined(patients) => UNDETERMINED | size(patients.len()),
            };
            table.extend(count.to_le_bytes());
            for patient in owner.patients() {
                let (at, length) = self.text(patient.as_str());
                table.extend([at, length].iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        (size(owners.len()), self.append(&table))
    }

    fn columns(&mut self, columns: BTreeMap<(ParamId, u32), PackedColumn>) -> u32 {
        let mut table = Vec::new();
        for ((param_id, holds), column) in columns {
            let entries = column.arranged();
            let mut records = Vec::with_capacity(entries.len() * ENTRY);
            for (value, rows) in &entries {
                let value_at = self.append(value);
                let places: Vec<u8> = rows.iter().flat_map(|row| row.to_le_bytes()).collect();
                let places_at = self.append(&places);
                let numbers = [value_at, size(value.len()), size(rows.len()), places_at];
                records.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            let entries_at = self.append(&records);
            let numbers = [u32::from(param_id.number()), holds, size(entries.len()), entries_at];
            table.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        self.append(&table)
    }

    /// Appends a text, unless it is there already.
    fn text(&mut self, text: &str) -> (u32, u32) {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let place = (self.append(text.as_bytes()), size(text.len()));
        self.known.insert(text.to_owned(), place);
        place
    }

    fn append(&mut self, bytes: &[u8]) -> u32 {
        let at = size(self.value.len());
        self.value.extend(bytes);
        at
    }
}

/// The order of bodies: the own rows in their order, each followed by its included copies that no earlier row has.
fn side_by_side(own: usize, rows: &[&IndexedResource]) -> Vec<usize> {
    let included: HashMap<String, usize> =
        rows.iter().enumerate().skip(own).map(|(at, row)| (row.reference().to_string(), at)).collect();
    let mut about: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate().skip(own) {
        for (_, fact) in &row.facts {
            if let Fact::Reference(target) = fact {
                about.entry(target).or_default().push(at);
            }
        }
    }
    let mut order = Vec::with_capacity(rows.len());
    let mut placed = vec![false; rows.len()];
    let mut place = |at: usize| {
        if placed.get_mut(at).is_some_and(|placed| !std::mem::replace(placed, true)) {
            order.push(at);
        }
    };
    for (at, row) in rows.iter().enumerate().take(own) {
        place(at);
        row.links.iter().filter_map(|(_, target)| included.get(&target.to_string())).for_each(|at| place(*at));
        about.get(&*row.reference().to_string()).into_iter().flatten().for_each(|at| place(*at));
    }
    (own..rows.len()).for_each(place);
    order
}

/// A number of bytes or rows. None exceeds the limit, because large bodies are in blocks.
fn size(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn digest(blocks: &[Vec<u8>]) -> String {
    let mut digest = Sha256::new();
    blocks.iter().for_each(|block| digest.update(block));
    encode_string(digest.finalize().get(..FORMAT / 2).unwrap_or_default())
}
