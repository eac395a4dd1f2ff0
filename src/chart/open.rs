//! A chart that is opened for searches and reads.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use std::str::from_utf8;

use super::ChartError;
use super::deflate::{Contents, blocks, inflated};
use super::entry::Entry;
use super::form::takes;
use super::further::FurtherIndex;
use super::head::{Column, StoredFurther, StoredHead, StoredOwner};
use super::id::PackedVersion;
use super::page::{PageRow, open_page};
use crate::IndexedResource;
use collections::order::sorted;
use fhir::{Id, ResourceType, http_date, write_uuid};
use search::kind::StoredUnit;
use search::registry::{id_param, last_updated};
use search::{Fact, Facts, IndexSet, Param, ParamId, SortKey, stored_params};
use smart::Owner;

/// Resources of one type: the opened head, and the pages that have been read.
#[derive(Debug)]
pub struct Chart {
    resource_type: ResourceType,
    rows: Vec<Row>,
    /// The sort keys of all rows, concatenated.
    sort_keys: String,
    owners: Vec<Owner>,
    columns: Vec<Column>,
    /// The index by parameters outside of US Core.
    pub(super) further: Option<FurtherIndex>,
    pages: RefCell<Vec<Page>>,
    /// The length of the texts of each page, in bytes.
    page_bytes: Vec<usize>,
    head_bytes: usize,
    /// True if an entry of the index could not be read.
    is_cut: Cell<bool>,
}

#[derive(Debug)]
struct Row {
    /// The end of the row's sort key in `sort_keys`. The key begins where that of the previous row ends.
    sort_key_end: usize,
    owner: usize,
    version: PackedVersion,
    page: usize,
    text: Range<usize>,
}

#[derive(Debug, Clone)]
enum Page {
    /// The page has not been read.
    Unread,
    /// The bytes as stored.
    Stored(Vec<u8>),
    /// The inflated bytes.
    Open(Rc<Vec<u8>>),
}

/// The location of the text of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyLocation {
    /// A range of the bytes of a page.
    Read(Rc<Vec<u8>>, Range<usize>),
    /// The page with that number, which has not been read.
    Unread(usize),
}

impl Chart {
    /// Opens the head of a chart of a type.
    ///
    /// # Errors
    /// If the head has another form, or is damaged.
    pub fn open(resource_type: ResourceType, stored: &[u8]) -> Result<Self, ChartError> {
        let (block, further) = blocks(stored)?;
        let further = further.map(FurtherIndex::open).transpose()?;
        let Contents { plain, inflated } = inflated(block)?;
        let head = postcard::from_bytes(&inflated).map_err(|_| ChartError::new("a head is damaged"))?;
        let chart = Self::of(resource_type, plain, head, further);
        let mut chart = chart.ok_or_else(|| ChartError::new("a head does not fit together"))?;
        chart.head_bytes = plain.len() + inflated.len() + chart.further.as_ref().map_or(0, FurtherIndex::size);
        Ok(chart)
    }

    fn of(
        resource_type: ResourceType,
        plain: &[u8],
        head: StoredHead<'_>,
        further: Option<FurtherIndex>,
    ) -> Option<Self> {
        let uuids = head.ids.iter().filter(|id| id.is_none()).count();
        let (uuids, digests) = plain.split_at_checked(uuids.checked_mul(16)?)?;
        let (mut uuids, mut digests) = (uuids.as_chunks().0.iter(), digests.as_chunks().0.iter());
        let count = head.ids.len();
        let is_complete = [head.time_deltas.len(), head.versions.len(), head.lengths.len()] == [count; 3]
            && (head.owner_of.is_empty() || head.owner_of.len() == count);
        if !is_complete {
            return None;
        }
        let owners = head.owners.iter().map(StoredOwner::owner).collect::<Option<Vec<_>>>()?;
        let locations = text_locations(&head)?;
        let mut sort_keys = String::new();
        let mut time = 0_u64;
        let mut rows = Vec::with_capacity(count);
        let properties = head.time_deltas.iter().zip(&head.ids).zip(head.versions).zip(locations);
        for (at, (((step, id), version), (page, text))) in properties.enumerate() {
            time = time.checked_add(*step)?;
            let begin = sort_keys.len();
            SortKey::write_time(time, &mut sort_keys)?;
            match id {
                Some(id) => sort_keys.push_str(id),
                None => write_uuid(uuids.next()?, &mut sort_keys),
            }
            if !Id::is_valid(sort_keys.get(begin + SortKey::ID_AT..)?) {
                return None;
            }
            let version = match version {
                Some(text) => PackedVersion::Text(shared(text, rows.last())),
                None => PackedVersion::Digest(*digests.next()?),
            };
            let owner = head.owner_of.get(at).map_or(0, |owner| *owner as usize);
            owners.get(owner)?;
            rows.push(Row { sort_key_end: sort_keys.len(), owner, version, page, text });
        }
        let pages = RefCell::new(vec![Page::Unread; head.pages.len()]);
        let mut page_bytes = vec![0; head.pages.len()];
        for row in &rows {
            if let Some(bytes) = page_bytes.get_mut(row.page) {
                *bytes = row.text.end.max(*bytes);
            }
        }
        let (columns, head_bytes, is_cut) = (head.columns, 0, Cell::new(false));
        Some(Self { resource_type, rows, sort_keys, owners, columns, further, pages, page_bytes, head_bytes, is_cut })
    }

    /// Returns the type of the resources.
    pub const fn resource_type(&self) -> ResourceType {
        self.resource_type
    }

    /// Returns the numbers of the rows.
    pub fn rows(&self) -> Range<u32> {
        0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    /// Returns the number of pages.
    pub fn pages(&self) -> usize {
        self.pages.borrow().len()
    }

    /// Returns the pages of a set, each with the bytes to which it inflates.
    pub fn page_lengths(&self, pages: &BTreeSet<usize>) -> Vec<(usize, usize)> {
        pages.iter().filter_map(|page| Some((*page, *self.page_bytes.get(*page)?))).collect()
    }

    /// Adds a page as stored.
    pub fn put_page(&self, number: usize, stored: Vec<u8>) {
        if let Some(page @ Page::Unread) = self.pages.borrow_mut().get_mut(number) {
            *page = Page::Stored(stored);
        }
    }

    /// Forgets a page that has been read, to free its memory.
    pub fn forget_page(&self, number: usize) {
        if let Some(page) = self.pages.borrow_mut().get_mut(number) {
            *page = Page::Unread;
        }
    }

    /// Returns the size of the chart when all pages that have been read are inflated, in bytes.
    pub fn size(&self) -> usize {
        let of_page = |(page, bytes): (&Page, &usize)| match page {
            Page::Unread => 0,
            Page::Stored(_) | Page::Open(_) => *bytes,
        };
        let texts: usize = self.pages.borrow().iter().zip(&self.page_bytes).map(of_page).sum();
        self.head_bytes + self.sort_keys.len() + self.rows.len() * size_of::<Row>() + texts
    }

    /// Returns the rows of a page, in the order of the texts.
    fn rows_of_page(&self, page: usize) -> Vec<PageRow<'_>> {
        self.page_rows(self.rows().filter(|row| self.row(*row).is_some_and(|row| row.page == page)))
    }

    fn page_rows(&self, rows: impl Iterator<Item = u32>) -> Vec<PageRow<'_>> {
        let rows = rows.filter_map(|number| Some((number, self.row(number)?)));
        let mut rows: Vec<_> = rows
            .map(|(number, row)| PageRow { id: self.id(number), version: row.version.text(), end: row.text.end })
            .collect();
        rows.sort_unstable_by_key(|row| row.end);
        rows
    }

    fn row(&self, row: u32) -> Option<&Row> {
        self.rows.get(row as usize)
    }

    /// Returns the owner of a row. A row that does not exist belongs to nobody.
    pub fn owner(&self, row: u32) -> &Owner {
        const NOBODY: &Owner = &Owner::Patients(BTreeSet::new());
        self.row(row).and_then(|row| self.owners.get(row.owner)).unwrap_or(NOBODY)
    }

    /// Returns the sort key of a row.
    pub fn sort_key(&self, row: u32) -> &str {
        let before = row.checked_sub(1).and_then(|before| self.row(before)).map_or(0, |row| row.sort_key_end);
        self.row(row).and_then(|row| self.sort_keys.get(before..row.sort_key_end)).unwrap_or_default()
    }

    /// Returns the id of a row.
    pub fn id(&self, row: u32) -> &str {
        self.sort_key(row).get(SortKey::ID_AT..).unwrap_or_default()
    }

    /// Returns the version of a row: `StoredResource::version` in `store`.
    pub fn version(&self, row: u32) -> String {
        self.version_text(row).into_owned()
    }

    /// Returns the version of a row, which may be borrowed.
    pub(super) fn version_text(&self, row: u32) -> Cow<'_, str> {
        self.row(row).map(|row| row.version.text()).unwrap_or_default()
    }

    /// Returns the length of the text of a row, in bytes.
    pub(super) fn length(&self, row: u32) -> usize {
        self.row(row).map_or(0, |row| row.text.len())
    }

    /// Returns the page of a row, and the range of its text there.
    pub(super) fn place(&self, row: u32) -> Option<(usize, Range<usize>)> {
        self.row(row).map(|row| (row.page, row.text.clone()))
    }

    pub(super) fn stored_page(&self, number: usize) -> Result<Vec<u8>, ChartError> {
        match self.pages.borrow().get(number) {
            Some(Page::Stored(stored)) => blocks(stored).map(|_| stored.clone()),
            Some(Page::Unread | Page::Open(_)) | None => Err(missing()),
        }
    }

    /// Returns the texts of a page, which is not kept. `rows` are its rows.
    pub(super) fn inflate_page(&self, number: usize, rows: &[u32]) -> Result<Vec<u8>, ChartError> {
        match self.pages.borrow().get(number) {
            Some(Page::Stored(stored)) => open_page(stored, &self.page_rows(rows.iter().copied())),
            Some(Page::Unread | Page::Open(_)) | None => Err(missing()),
        }
    }

    /// Returns the time of the last change of a row: `StoredResource::modified` in `store`.
    pub fn modified(&self, row: u32) -> Option<String> {
        let param = last_updated(self.resource_type);
        let entry = self.entries(param.id).find(|entry| entry.rows().any(|other| other == row))?;
        http_date(entry.value.span()?.from)
    }

    /// Returns the location of the text of a row.
    ///
    /// # Errors
    /// If the row's page is damaged.
    pub fn body(&self, row: u32) -> Result<BodyLocation, ChartError> {
        let Row { page: number, text, .. } = self.row(row).ok_or_else(|| ChartError::new("there is no such row"))?;
        let mut pages = self.pages.borrow_mut();
        let page = pages.get_mut(*number).ok_or_else(|| ChartError::new("there is no such page"))?;
        let bytes = match page {
            Page::Unread => return Ok(BodyLocation::Unread(*number)),
            Page::Open(bytes) => Rc::clone(bytes),
            Page::Stored(stored) => {
                let bytes = Rc::new(open_page(stored, &self.rows_of_page(*number))?);
                *page = Page::Open(Rc::clone(&bytes));
                bytes
            }
        };
        if bytes.get(text.clone()).is_none() {
            return Err(ChartError::new("a page is too short"));
        }
        Ok(BodyLocation::Read(bytes, text.clone()))
    }

    /// Returns whether the resources are in the order of [`super::pack`]. They are not after loads that added older
    /// resources or removed some.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        let (mut page, mut texts, mut bytes) = (0, 0, 0);
        self.rows.iter().rev().all(|row| {
            bytes += row.text.len();
            if !takes(texts, bytes) {
                (page, texts, bytes) = (page + 1, 0, row.text.len());
            }
            texts += 1;
            row.page == page && row.text.end == bytes
        })
    }

    /// Returns the rows whose texts are on each page, in the order of the texts.
    pub fn rows_of_pages(&self) -> Vec<Vec<u32>> {
        let mut pages = vec![Vec::new(); self.pages()];
        for (number, row) in self.rows().zip(&self.rows) {
            if let Some(page) = pages.get_mut(row.page) {
                page.push((row.text.start, number));
            }
        }
        let in_order = |texts: Vec<(usize, u32)>| sorted(texts, &Ord::cmp).into_iter().map(|(_, row)| row).collect();
        pages.into_iter().map(in_order).collect()
    }

    /// Returns the row with an id.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.rows().find(|row| self.id(*row) == id)
    }

    /// Returns the distinct facts under a parameter, in the order of their first rows. They end where the bytes are
    /// invalid; [`Self::check`] then fails.
    pub fn entries(&self, param: ParamId) -> Entries<'_> {
        let of_param = |column: &&Column| column.param == param.number();
        let further = || match self.further.as_ref()?.index() {
            Ok(StoredFurther { columns, units }) => Some((columns.iter().find(of_param)?, units.as_slice())),
            Err(_) => {
                self.is_cut.set(true);
                None
            }
        };
        let column = self.columns.iter().find(of_param).map(|column| (column, &[][..])).or_else(further);
        let (bytes, units) = column.map_or((&[][..], &[][..]), |(column, units)| (column.entries.as_slice(), units));
        Entries { bytes, units, is_cut: &self.is_cut }
    }

    /// Returns the values of a parameter: the entries of all its columns.
    pub fn entries_of(&self, param: &Param) -> impl Iterator<Item = Entry<'_>> {
        param.columns.iter().flat_map(|column| self.entries(*column))
    }

    /// Checks whether the entries of the index that were read so far are valid. Entries are read one by one.
    ///
    /// # Errors
    /// If an entry was damaged.
    pub fn check(&self) -> Result<(), ChartError> {
        if self.is_cut.get() { Err(ChartError::new("an index is damaged")) } else { Ok(()) }
    }

    /// Returns whether the chart has the values of a parameter. It does not if it was packed before the parameter was
    /// added, or for another set of parameters.
    #[must_use]
    pub fn is_indexed_by(&self, param: &Param) -> bool {
        let is_indexed = || match &self.further {
            _ if param.in_us_core => self.columns.iter().any(|column| column.param == param.id.number()),
            Some(further) => further.params(self.resource_type).any(|id| id == param.index_id),
            None => false,
        };
        self.rows.is_empty() || param.kind.is_id() || is_indexed()
    }

    /// Returns whether the chart has exactly the values of the parameters of a set.
    #[must_use]
    pub fn is_indexed_for(&self, set: &IndexSet) -> bool {
        let is_as_wanted = |param: &Param| self.is_indexed_by(param) == set.has(param);
        self.rows.is_empty() || stored_params(self.resource_type).all(is_as_wanted)
    }

    /// Returns the packed resources. Their facts are in the order of the registry.
    pub fn unpack(&self) -> Result<Vec<IndexedResource>, ChartError> {
        self.rows().zip(self.facts()?).map(|(row, facts)| self.indexed(row, facts, self.text(row)?)).collect()
    }

    /// Calls `action` with each of the packed resources, page by page. One page is inflated at a time.
    ///
    /// # Errors
    /// The errors of `action`, or if a page has not been read, or is damaged.
    pub fn for_each_resource(
        &self,
        action: &mut dyn FnMut(IndexedResource) -> Result<(), ChartError>,
    ) -> Result<(), ChartError> {
        let mut facts = self.facts()?;
        for (number, rows) in self.rows_of_pages().into_iter().enumerate() {
            let page = self.inflate_page(number, &rows)?;
            for row in rows {
                let facts = facts.get_mut(row as usize).map(std::mem::take).unwrap_or_default();
                let (_, range) = self.place(row).ok_or_else(missing)?;
                action(self.indexed(row, facts, text_in(&page, range)?)?)?;
            }
        }
        Ok(())
    }

    /// Returns one of the packed resources.
    pub fn unpack_row(&self, row: u32) -> Result<IndexedResource, ChartError> {
        let mut facts = Vec::new();
        self.for_each_fact(&mut |other, param, fact| {
            if other == row {
                facts.push((param, fact.clone()));
            }
        })?;
        self.indexed(row, facts, self.text(row)?)
    }

    fn facts(&self) -> Result<Vec<Facts>, ChartError> {
        let mut facts = vec![Vec::new(); self.rows.len()];
        self.for_each_fact(&mut |row, param, fact| {
            if let Some(facts) = facts.get_mut(row as usize) {
                facts.push((param, fact.clone()));
            }
        })?;
        Ok(facts)
    }

    /// Calls `action` with each row and fact, in the order of parameters.
    fn for_each_fact(&self, action: &mut dyn FnMut(u32, &'static Param, &Fact)) -> Result<(), ChartError> {
        for param in stored_params(self.resource_type) {
            for entry in self.entries(param.id) {
                let rows = entry.rows();
                let fact = entry.value.fact().ok_or_else(|| ChartError::new("a stored value is invalid"))?;
                rows.for_each(|row| action(row, param, &fact));
            }
        }
        self.check()
    }

    /// Returns the text of a row.
    pub fn text(&self, row: u32) -> Result<String, ChartError> {
        let BodyLocation::Read(bytes, range) = self.body(row)? else { return Err(missing()) };
        text_in(&bytes, range)
    }

    fn indexed(&self, row: u32, mut facts: Facts, body: String) -> Result<IndexedResource, ChartError> {
        let indexed = || {
            let id = Id::parse(self.id(row))?;
            facts.insert(0, (id_param(self.resource_type), id.clone().into()));
            Some(IndexedResource {
                resource_type: self.resource_type,
                owner: self.owner(row).clone(),
                sort_key: SortKey::from_text(self.sort_key(row).to_owned()),
                version: self.version(row),
                facts,
                body,
                id,
            })
        };
        indexed().ok_or_else(|| ChartError::new("a row is invalid"))
    }
}

fn missing() -> ChartError {
    ChartError::new("a page is missing")
}

/// Returns the text of a resource in the bytes of its page.
pub(super) fn text_in(page: &[u8], range: Range<usize>) -> Result<String, ChartError> {
    let bytes = page.get(range).ok_or_else(|| ChartError::new("a page is too short"))?;
    from_utf8(bytes).map(str::to_owned).map_err(|_| ChartError::new("a text is not UTF-8"))
}

/// The entries of a column.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    bytes: &'a [u8],
    units: &'a [StoredUnit<'static>],
    is_cut: &'a Cell<bool>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        if self.bytes.is_empty() {
            return None;
        }
        let Some((entry, rest)) = Entry::take(self.bytes, self.units, self.is_cut) else {
            self.is_cut.set(true);
            return None;
        };
        self.bytes = rest;
        Some(entry)
    }
}

/// Returns the text of a version. It shares that of the previous row if they are equal.
fn shared(text: &str, before: Option<&Row>) -> Rc<str> {
    match before.map(|row| &row.version) {
        Some(PackedVersion::Text(known)) if **known == *text => Rc::clone(known),
        Some(_) | None => text.into(),
    }
}

/// Returns the page and the byte range of each row's text. `None` if the rows do not match the pages.
fn text_locations(head: &StoredHead<'_>) -> Option<Vec<(usize, Range<usize>)>> {
    let positions = positions(head)?;
    let mut lengths = vec![None; positions.len()];
    for (position, length) in positions.iter().zip(&head.lengths) {
        let of_text = lengths.get_mut(*position)?;
        if of_text.replace(*length).is_some() {
            return None;
        }
    }
    let mut lengths = lengths.into_iter();
    let mut texts = Vec::with_capacity(positions.len());
    for (page, count) in head.pages.iter().enumerate() {
        let mut at = 0_usize;
        for _ in 0..*count {
            let end = at.checked_add(lengths.next()?? as usize)?;
            texts.push((page, at..end));
            at = end;
        }
    }
    if lengths.next().is_some() {
        return None;
    }
    positions.into_iter().map(|position| texts.get(position).cloned()).collect()
}

/// Returns the position of each row's text among the texts of all pages.
fn positions(head: &StoredHead<'_>) -> Option<Vec<usize>> {
    let count = head.lengths.len();
    if head.position_deltas.is_empty() {
        return Some((0..count).rev().collect());
    }
    let mut last = i64::try_from(count).ok()?;
    let position = |delta: &i32| {
        last = last - 1 + i64::from(*delta);
        usize::try_from(last).ok()
    };
    (head.position_deltas.len() == count).then(|| head.position_deltas.iter().map(position).collect())?
}
