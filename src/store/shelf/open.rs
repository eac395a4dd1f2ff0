//! Reading the bytes of a shelf in place.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;
use std::str::from_utf8;

use super::{COLUMN, ENTRY, EVERYONE, FACTS, FORMAT, HEAD, LINKS, ROW, UNDETERMINED, fact, format_field};
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::{Fact, ParamId, SortKey, params_of};
use crate::smart::Owner;
use crate::store::{IndexedResource, another_format, format};

/// The reason for which a value is not a shelf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShelfError(pub String);

/// An opened shelf: its head has been parsed, and everything else is parsed on demand. It has the beginning of the
/// value, with everything that a search needs, and the bodies that have been read.
#[derive(Debug, Clone)]
pub struct Shelf {
    bytes: Rc<Vec<u8>>,
    bodies_at: usize,
    /// The bodies, if more of them have been read since.
    further: RefCell<Option<Rc<Vec<u8>>>>,
    own: u32,
    rows: u32,
    rows_at: usize,
    owners: Vec<Owner>,
    columns: Vec<Column>,
    blocks: String,
}

#[derive(Debug, Clone, Copy)]
struct Column {
    param_id: u32,
    holds: u32,
    entries: u32,
    entries_at: usize,
}

/// The location of the body of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyPlace {
    /// A range of bytes that have been read.
    Read(Rc<Vec<u8>>, Range<usize>),
    /// Somewhere before this offset in the value, of which not enough has been read.
    Unread(usize),
    /// A range of the body block whose key has this ending.
    InBlock(String, Range<usize>),
}

/// A distinct value of a column, and the rows that have it.
#[derive(Debug, Clone, Copy)]
pub struct ColumnEntry<'a> {
    /// Its bytes.
    pub value: &'a [u8],
    places: &'a [u8],
}

impl ColumnEntry<'_> {
    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = u32> {
        self.places.chunks_exact(4).filter_map(|bytes| Some(u32::from_le_bytes(*bytes.first_chunk()?)))
    }
}

/// The entries of a column.
#[derive(Debug, Clone)]
pub struct ColumnEntries<'a> {
    bytes: &'a [u8],
    at: usize,
    left: u32,
}

impl<'a> Iterator for ColumnEntries<'a> {
    type Item = ColumnEntry<'a>;

    fn next(&mut self) -> Option<ColumnEntry<'a>> {
        self.left = self.left.checked_sub(1)?;
        let entry = entry(self.bytes, self.at);
        self.at += ENTRY;
        entry
    }
}

/// The error of a value of another [`format()`], if it has another.
pub fn foreign(value: &[u8]) -> Option<ShelfError> {
    let stored = value.get(..FORMAT).unwrap_or(value);
    if stored == format_field(format()) {
        return None;
    }
    let stored = String::from_utf8_lossy(stored);
    let stored = stored.trim_end_matches('\0');
    Some(ShelfError(another_format("shelves", stored)))
}

/// The number of bytes of a value that a search needs, after which the bodies begin. `head` is the beginning of the
/// value.
#[must_use]
pub fn extent(head: &[u8]) -> Option<usize> {
    Some(number(head, HEAD - 4)? as usize)
}

impl Shelf {
    /// Opens a value, of which at least [`extent`] bytes must be there.
    ///
    /// # Errors
    /// If it is of another [`format()`], or its tables exceed it.
    pub fn open(bytes: Rc<Vec<u8>>) -> Result<Self, ShelfError> {
        if let Some(error) = foreign(&bytes) {
            return Err(error);
        }
        Self::read(bytes).ok_or_else(|| ShelfError("a shelf is truncated".to_owned()))
    }

    fn read(bytes: Rc<Vec<u8>>) -> Option<Self> {
        let head = |place: usize| number(&bytes, 2 * FORMAT + 4 * place);
        let (own, rows, rows_at) = (head(0)?, head(1)?, head(2)? as usize);
        let (owners, owners_at) = (head(3)?, head(4)? as usize);
        let (columns, columns_at) = (head(5)?, head(6)? as usize);
        let bodies_at = extent(&bytes).filter(|at| *at <= bytes.len())?;
        bytes.get(rows_at..rows_at.checked_add(ROW.checked_mul(rows as usize)?)?)?;
        let blocks = from_utf8(bytes.get(FORMAT..2 * FORMAT)?).ok()?.trim_end_matches('\0').to_owned();
        let columns = (0..columns as usize).map(|at| {
            let at = columns_at.checked_add(at.checked_mul(COLUMN)?)?;
            let field = |place: usize| number(&bytes, at + 4 * place);
            let (param_id, holds, entries, entries_at) = (field(0)?, field(1)?, field(2)?, field(3)? as usize);
            bytes.get(entries_at..entries_at.checked_add(ENTRY.checked_mul(entries as usize)?)?)?;
            Some(Column { param_id, holds, entries, entries_at })
        });
        let columns = columns.collect::<Option<Vec<_>>>()?;
        let owners = read_owners(&bytes, owners, owners_at)?;
        (own <= rows && bytes.len() >= HEAD).then_some(())?;
        Some(Self { bytes, bodies_at, further: RefCell::default(), own, rows, rows_at, owners, columns, blocks })
    }

    /// Its own rows.
    #[must_use]
    pub const fn own(&self) -> Range<u32> {
        0..self.own
    }

    /// All rows, also of included copies.
    #[must_use]
    pub const fn all(&self) -> Range<u32> {
        0..self.rows
    }

    /// The number of bytes of the value that have been read.
    #[must_use]
    pub fn read_to(&self) -> usize {
        self.further.borrow().as_ref().map_or(self.bytes.len(), |bodies| self.bodies_at + bodies.len())
    }

    /// The bytes of memory that it takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len() + self.further.borrow().as_ref().map_or(0, |bodies| bodies.len())
    }

    /// The bodies that have been read.
    #[must_use]
    pub fn bodies(&self) -> Vec<u8> {
        match &*self.further.borrow() {
            Some(bodies) => bodies.to_vec(),
            None => self.bytes.get(self.bodies_at..).unwrap_or_default().to_vec(),
        }
    }

    /// Replaces the bodies, after more of them have been read.
    pub fn extend(&self, bodies: Vec<u8>) {
        *self.further.borrow_mut() = Some(Rc::new(bodies));
    }

    /// The type of a row.
    #[must_use]
    pub fn kind(&self, row: u32) -> Option<ResourceType> {
        ResourceType::ALL.get(self.field(row, 0)? as usize).copied()
    }

    /// The owner of a row. A row with an invalid owner belongs to nobody.
    #[must_use]
    pub fn owner(&self, row: u32) -> &Owner {
        const NOBODY: &Owner = &Owner::Patients(std::collections::BTreeSet::new());
        self.field(row, 1).and_then(|owner| self.owners.get(owner as usize)).unwrap_or(NOBODY)
    }

    /// The sort key of a row.
    #[must_use]
    pub fn sort_key(&self, row: u32) -> &str {
        self.text(row, 2)
    }

    /// The id of a row.
    #[must_use]
    pub fn id(&self, row: u32) -> &str {
        self.sort_key(row).get(SortKey::ID_AT..).unwrap_or_default()
    }

    /// See [`crate::store::StoredResource::version`].
    #[must_use]
    pub fn version(&self, row: u32) -> &str {
        self.text(row, 4)
    }

    /// See [`crate::store::StoredResource::modified`].
    #[must_use]
    pub fn modified(&self, row: u32) -> Option<&str> {
        Some(self.text(row, 6)).filter(|text| !text.is_empty())
    }

    /// The location of the body of a row.
    #[must_use]
    pub fn body(&self, row: u32) -> BodyPlace {
        let (at, length) = (self.field(row, 9).unwrap_or(0) as usize, self.field(row, 10).unwrap_or(0) as usize);
        let range = at..at.saturating_add(length);
        if let Some(block) = self.field(row, 8).filter(|block| *block > 0) {
            return BodyPlace::InBlock(format!("{}-{block}", self.blocks), range);
        }
        if range.end <= self.bytes.len() {
            return BodyPlace::Read(Rc::clone(&self.bytes), range);
        }
        let behind = range.start.checked_sub(self.bodies_at).zip(range.end.checked_sub(self.bodies_at));
        match (&*self.further.borrow(), behind) {
            (Some(bodies), Some((from, to))) if to <= bodies.len() => BodyPlace::Read(Rc::clone(bodies), from..to),
            _ => BodyPlace::Unread(range.end),
        }
    }

    /// The row of a resource.
    #[must_use]
    pub fn find(&self, reference: &Reference) -> Option<u32> {
        let is_it = |row: &u32| self.kind(*row) == Some(reference.kind) && self.id(*row) == reference.id.as_str();
        self.all().find(is_it)
    }

    /// The distinct facts of a parameter.
    #[must_use]
    pub fn facts(&self, param_id: ParamId) -> ColumnEntries<'_> {
        self.entries(param_id, FACTS)
    }

    /// The distinct targets of a parameter that includes may follow.
    #[must_use]
    pub fn links(&self, param_id: ParamId) -> ColumnEntries<'_> {
        self.entries(param_id, LINKS)
    }

    /// The entry of a reference among the facts of a parameter.
    #[must_use]
    pub fn pointing(&self, param_id: ParamId, target: &[u8]) -> Option<ColumnEntry<'_>> {
        let column = self.column(param_id, FACTS)?;
        let (mut from, mut to) = (0, column.entries as usize);
        while from < to {
            let middle = usize::midpoint(from, to);
            let entry = entry(&self.bytes, column.entries_at + middle * ENTRY)?;
            match entry.value.cmp(target) {
                Ordering::Equal => return Some(entry),
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
            }
        }
        None
    }

    fn column(&self, param_id: ParamId, holds: u32) -> Option<Column> {
        let is_it = |column: &&Column| column.param_id == u32::from(param_id.number()) && column.holds == holds;
        self.columns.iter().find(is_it).copied()
    }

    fn entries(&self, param_id: ParamId, holds: u32) -> ColumnEntries<'_> {
        let (at, left) = self.column(param_id, holds).map_or((0, 0), |column| (column.entries_at, column.entries));
        ColumnEntries { bytes: &self.bytes, at, left }
    }

    fn field(&self, row: u32, place: usize) -> Option<u32> {
        if row >= self.rows {
            return None;
        }
        number(&self.bytes, self.rows_at + row as usize * ROW + 4 * place)
    }

    /// A text of a row, whose offset and length are in the fields at `place`.
    fn text(&self, row: u32, place: usize) -> &str {
        let text = || from_utf8(slice(&self.bytes, self.field(row, place)?, self.field(row, place + 1)?)?).ok();
        text().unwrap_or_default()
    }

    /// The own resources and the included copies, as they were packed, without those whose bodies have not been read.
    #[must_use]
    pub fn unpack(&self) -> Vec<IndexedResource> {
        self.all().filter_map(|row| self.indexed(row)).collect()
    }

    fn indexed(&self, row: u32) -> Option<IndexedResource> {
        let (kind, id) = (self.kind(row)?, Id::parse(self.id(row))?);
        let (mut facts, mut links) = (Vec::new(), Vec::new());
        for param in params_of(kind) {
            if param.name == "_id" {
                facts.push((param, Fact::Id(id.clone())));
            }
            for entry in self.facts(param.id).filter(|entry| entry.rows().any(|other| other == row)) {
                facts.push((param, fact::decode(entry.value)?));
            }
            for entry in self.links(param.id).filter(|entry| entry.rows().any(|other| other == row)) {
                links.push((param, Reference::parse(from_utf8(entry.value).ok()?)?));
            }
        }
        let BodyPlace::Read(bytes, range) = self.body(row) else { return None };
        Some(IndexedResource {
            kind,
            owner: self.owner(row).clone(),
            sort_key: SortKey::from_text(self.sort_key(row).to_owned()),
            version: self.version(row).to_owned(),
            modified: self.modified(row).map(str::to_owned),
            facts,
            links,
            body: from_utf8(bytes.get(range)?).ok()?.to_owned(),
            id,
        })
    }
}

fn read_owners(bytes: &[u8], count: u32, at: usize) -> Option<Vec<Owner>> {
    let mut at = at;
    let mut next = || {
        let number = number(bytes, at);
        at = at.saturating_add(4);
        number
    };
    let mut owners = Vec::new();
    for _ in 0..count {
        owners.push(match next()? {
            EVERYONE => Owner::Everyone,
            count => {
                let mut ids = std::collections::BTreeSet::new();
                for _ in 0..count & !UNDETERMINED {
                    let text = slice(bytes, next()?, next()?)?;
                    ids.insert(Id::parse(from_utf8(text).ok()?)?);
                }
                if count & UNDETERMINED == 0 { Owner::Patients(ids) } else { Owner::Undetermined(ids) }
            }
        });
    }
    Some(owners)
}

fn entry(bytes: &[u8], at: usize) -> Option<ColumnEntry<'_>> {
    let value = slice(bytes, number(bytes, at)?, number(bytes, at + 4)?)?;
    let places = number(bytes, at + 8)?.checked_mul(4)?;
    Some(ColumnEntry { value, places: slice(bytes, number(bytes, at + 12)?, places)? })
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn slice(bytes: &[u8], at: u32, length: u32) -> Option<&[u8]> {
    bytes.get(at as usize..)?.get(..length as usize)
}
