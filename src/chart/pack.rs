//! Packing of resources into a chart.

use std::borrow::Cow;
use std::collections::HashMap;

use super::deflate::{Contents, block, blocks, deflate_with_further, deflate_with_plain, inflated, is_readable};
use super::entry::Entry;
use super::error::ChartError;
use super::form::{MAX_HEAD, MAX_INFLATED, PAGE_BODIES, takes};
use super::further::FurtherIndex;
use super::head::{Column, StoredFurther, StoredHead, StoredOwner};
use super::id::PackedVersion;
use super::loose::{LooseResource, first_fact, write_facts};
use super::open::text_in;
use super::page::pack_page;
use crate::{Chart, IndexedResource};
use fhir::{ResourceType, to_postcard, uuid};
use search::kind::{StoredFact, StoredUnit};
use search::{IndexSet, ParamId, SortKey};

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
pub fn pack(rows: &[IndexedResource], set: &IndexSet) -> PackedChart {
    let Some(first) = rows.first() else { return empty() };
    let mut packing = Packing::of(first.resource_type, None, |_| false);
    rows.iter().for_each(|row| packing.add(row));
    // Without an earlier chart and a limit, nothing is damaged or too large.
    packing.pack(set, usize::MAX).ok().flatten().unwrap_or_else(empty)
}

fn empty() -> PackedChart {
    PackedChart { head: store_head(&[], &StoredHead::default(), None), pages: Vec::new() }
}

/// The resources of a chart to pack: those of an earlier chart that stay, and new ones. Facts and texts of the earlier
/// chart are not unpacked: a chart may have a million facts. Its entries get other rows, and its pages stay as they are
/// stored, as far as they have the same resources.
#[derive(Debug)]
pub struct Packing<'a> {
    resource_type: ResourceType,
    earlier: Option<&'a Chart>,
    rows: Vec<Row<'a>>,
    owners: Vec<StoredOwner>,
}

#[derive(Debug)]
struct Row<'a> {
    sort_key: &'a str,
    version: Cow<'a, str>,
    /// The position of the owner in [`Packing::owners`].
    owner: usize,
    text: Text<'a>,
    facts: Cow<'a, [u8]>,
}

/// The columns of the parameters of US Core, and the block of the other parameters.
type PackedIndex = (Vec<Column>, Option<Vec<u8>>);

#[derive(Debug)]
enum Text<'a> {
    /// The text of a new resource.
    New(&'a str),
    /// The text of a row of the earlier chart, and its length.
    Stored(u32, usize),
}

impl<'a> Row<'a> {
    fn id(&self) -> &'a str {
        self.sort_key.get(SortKey::ID_AT..).unwrap_or_default()
    }

    /// Returns the length of the text, in bytes.
    const fn length(&self) -> usize {
        match self.text {
            Text::New(text) => text.len(),
            Text::Stored(_, length) => length,
        }
    }

    /// Returns the row of the earlier chart.
    const fn stored(&self) -> Option<u32> {
        match self.text {
            Text::New(_) => None,
            Text::Stored(row, _) => Some(row),
        }
    }
}

impl<'a> Packing<'a> {
    /// Begins with the resources of an earlier chart whose ids stay. The chart must have all its pages and, if any
    /// resource stays, the values of the set of parameters.
    pub fn of(resource_type: ResourceType, earlier: Option<&'a Chart>, stays: impl Fn(&str) -> bool) -> Self {
        let mut packing = Self { resource_type, earlier, rows: Vec::new(), owners: Vec::new() };
        let Some(chart) = earlier else { return packing };
        for number in chart.rows().filter(|row| stays(chart.id(*row))) {
            let owner = packing.owner(StoredOwner::of(chart.owner(number)));
            packing.rows.push(Row {
                sort_key: chart.sort_key(number),
                version: chart.version_text(number),
                owner,
                text: Text::Stored(number, chart.length(number)),
                facts: Cow::Borrowed(&[]),
            });
        }
        packing
    }

    fn add(&mut self, new: &'a IndexedResource) {
        let owner = self.owner(StoredOwner::of(&new.owner));
        self.rows.push(Row {
            sort_key: new.sort_key.as_str(),
            version: Cow::Borrowed(&new.version),
            owner,
            text: Text::New(&new.body),
            facts: write_facts(new).into(),
        });
    }

    /// Adds a new resource in the form of [`super::to_bytes`].
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn add_bytes(&mut self, bytes: &'a [u8]) -> Result<(), ChartError> {
        let LooseResource { owner, sort_key, version, body, facts } = LooseResource::of(bytes)?;
        let owner = self.owner(owner);
        let (version, facts) = (Cow::Borrowed(version), Cow::Borrowed(facts));
        self.rows.push(Row { sort_key, version, owner, text: Text::New(body), facts });
        Ok(())
    }

    fn owner(&mut self, owner: StoredOwner) -> usize {
        // Neighbours mostly have the same owner.
        self.owners.iter().rposition(|known| *known == owner).unwrap_or_else(|| {
            self.owners.push(owner);
            self.owners.len() - 1
        })
    }

    /// Returns whether there are no resources.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the length of all texts, in bytes.
    pub fn texts(&self) -> usize {
        self.rows.iter().map(Row::length).sum()
    }

    /// Packs the resources. A resource of the earlier chart stays on its page, and new ones are added after the last
    /// one, so that a load changes few pages. `None` if the index has more than `most` bytes.
    ///
    /// # Errors
    /// If the earlier chart is damaged.
    pub fn pack(mut self, set: &IndexSet, most: usize) -> Result<Option<PackedChart>, ChartError> {
        self.rows.sort_by(|a, b| a.sort_key.cmp(b.sort_key));
        let earlier = self.earlier.map(Chart::rows_of_pages).unwrap_or_default();
        let pages = self.paginate(&earlier);
        let (owners, owner_of) = self.used_owners();
        let Some((columns, further)) = self.index(set, most)? else { return Ok(None) };
        let mut head = StoredHead {
            owners,
            owner_of,
            pages: pages.iter().map(|page| number(page.len())).collect(),
            position_deltas: position_deltas(&pages),
            columns,
            ..StoredHead::default()
        };
        let (mut time, mut uuids, mut digests) = (0, Vec::new(), Vec::new());
        for row in &self.rows {
            let own_time = SortKey::time_in(row.sort_key);
            head.time_deltas.push(own_time.saturating_sub(time));
            let uuid = uuid(row.id());
            uuids.extend(uuid);
            head.ids.push(uuid.is_none().then(|| row.id()));
            head.versions.push(match PackedVersion::of(&row.version) {
                PackedVersion::Digest(digest) => {
                    digests.push(digest);
                    None
                }
                PackedVersion::Text(_) => Some(&*row.version),
            });
            head.lengths.push(number(row.length()));
            time = own_time;
        }
        let plain = [uuids.as_flattened(), digests.as_flattened()].concat();
        let head = store_head(&plain, &head, further.as_deref());
        let mut texts = StoredTexts { chart: self.earlier, pages: &earlier, inflated: None };
        let pages = pages.iter().map(|page| self.page(page, &mut texts)).collect::<Result<_, _>>()?;
        Ok(Some(PackedChart { head, pages }))
    }

    /// Returns the rows on each page, in the order of their texts. `earlier` are the rows on the earlier pages.
    fn paginate(&self, earlier: &[Vec<u32>]) -> Vec<Vec<usize>> {
        let rows = &self.rows;
        let mut new: HashMap<&str, usize> = rows.iter().enumerate().map(|(at, row)| (row.id(), at)).collect();
        let mut pages = Vec::with_capacity(earlier.len() + rows.len() / PAGE_BODIES + 1);
        let mut last = GrowingPage::default();
        for page in earlier {
            last.close(&mut pages);
            for id in page.iter().filter_map(|row| Some(self.earlier?.id(*row))) {
                if let Some((&id, &row)) = new.get_key_value(id)
                    && last.add(row, rows)
                {
                    new.remove(id);
                }
            }
        }
        // The oldest row is the last.
        for row in (0..rows.len()).rev().filter(|row| rows.get(*row).is_some_and(|row| new.contains_key(row.id()))) {
            if !last.add(row, rows) {
                last.close(&mut pages);
                last.add(row, rows);
            }
        }
        last.close(&mut pages);
        pages
    }

    /// Returns the distinct owners in the order of the rows, and the index of each row's owner.
    fn used_owners(&self) -> (Vec<StoredOwner>, Vec<u32>) {
        let (mut used, mut owner_of) = (Vec::new(), Vec::with_capacity(self.rows.len()));
        for Row { owner, .. } in &self.rows {
            let at = used.iter().rposition(|known| known == owner).unwrap_or_else(|| {
                used.push(*owner);
                used.len() - 1
            });
            owner_of.push(number(at));
        }
        if used.len() < 2 {
            owner_of.clear();
        }
        (used.into_iter().filter_map(|at| self.owners.get(at).cloned()).collect(), owner_of)
    }

    /// Returns the index: a column for each parameter of US Core, even if no row has a value of it, and the block of
    /// the set's other parameters of the type ([`FurtherIndex`]), if any. Ids are not indexed, since each row has its
    /// own. The values of one parameter are in memory at a time. `None` if the columns have more than `most` bytes.
    fn index(&self, set: &IndexSet, most: usize) -> Result<Option<PackedIndex>, ChartError> {
        // The new row of each earlier one, and the places of the facts of new rows by the number of the parameter.
        let mut now = vec![None; self.earlier.map_or(0, |chart| chart.rows().len())];
        let mut new: HashMap<u16, Vec<(u32, u32)>> = HashMap::new();
        for (row, number) in self.rows.iter().zip(0_u32..) {
            if let Some(now) = row.stored().and_then(|stored| now.get_mut(stored as usize)) {
                *now = Some(number);
            }
            let mut rest = &*row.facts;
            while !rest.is_empty() {
                let at = u32::try_from(row.facts.len() - rest.len()).unwrap_or(u32::MAX);
                let ((param, _), behind) = first_fact(rest)?;
                new.entry(param).or_default().push((number, at));
                rest = behind;
            }
        }
        let mut params: Vec<_> = set.stored_params(self.resource_type).filter(|param| !param.kind.is_id()).collect();
        params.sort_by_key(|param| param.id);
        let (mut own, mut others, mut units, mut bytes) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for param in params {
            let mut values: HashMap<StoredFact<'_>, Vec<u32>> = HashMap::new();
            if let Some(chart) = self.earlier {
                for entry in chart.entries(param.id) {
                    if entry.value.clone().fact().is_none() {
                        return Err(ChartError::new("a stored value is invalid"));
                    }
                    let rows = entry.rows().filter_map(|row| now.get(row as usize).copied().flatten());
                    let rows: Vec<u32> = rows.collect();
                    if !rows.is_empty() {
                        values.insert(entry.value, rows);
                    }
                }
                chart.check()?;
            }
            for (number, at) in new.remove(&param.id.number()).unwrap_or_default() {
                let facts = self.rows.get(number as usize).and_then(|row| row.facts.get(at as usize..));
                let ((_, value), _) = first_fact(facts.unwrap_or_default())?;
                values.entry(value).or_default().push(number);
            }
            if values.is_empty() && !param.in_us_core {
                continue;
            }
            let mut values: Vec<_> = values.into_iter().collect();
            for (_, rows) in &mut values {
                rows.sort_unstable();
                rows.dedup();
            }
            values.sort_by(|(a, a_rows), (b, b_rows)| a_rows.first().cmp(&b_rows.first()).then_with(|| a.cmp(b)));
            let mut entries = Vec::new();
            for (value, rows) in values {
                Entry::write(&value.with_unit_in(&mut units), &rows, &mut entries);
                if bytes + entries.len() > most {
                    return Ok(None);
                }
            }
            bytes += entries.len();
            let columns = if param.in_us_core { &mut own } else { &mut others };
            columns.push(Column { param: param.id.number(), entries });
        }
        let further: Vec<ParamId> = set
            .stored_params(self.resource_type)
            .filter(|param| !param.in_us_core)
            .map(|param| param.index_id)
            .collect();
        let units = units.into_iter().map(StoredUnit::into_owned).collect();
        let index = StoredFurther { columns: others, units };
        Ok(Some((own, (!further.is_empty()).then(|| FurtherIndex::pack(self.resource_type, &further, &index)))))
    }

    /// Returns the stored form of a page with these rows.
    fn page(&self, page: &[usize], texts: &mut StoredTexts<'_>) -> Result<Vec<u8>, ChartError> {
        let rows = || page.iter().filter_map(|row| self.rows.get(*row));
        if let Some(stored) = texts.unchanged(rows().map(Row::stored))? {
            return Ok(stored);
        }
        let mut all = Vec::with_capacity(page.len());
        for row in rows() {
            let text = match row.text {
                Text::New(text) => Cow::Borrowed(text),
                Text::Stored(stored, _) => Cow::Owned(texts.text(stored)?),
            };
            all.push((row.id(), &*row.version, text));
        }
        Ok(pack_page(all.iter().map(|(id, version, text)| (*id, *version, &**text))))
    }
}

/// The texts of an earlier chart.
struct StoredTexts<'a> {
    chart: Option<&'a Chart>,
    pages: &'a [Vec<u32>],
    /// The last page that was inflated, with its number.
    inflated: Option<(usize, Vec<u8>)>,
}

impl StoredTexts<'_> {
    /// Returns the stored page that has exactly these rows, if any.
    fn unchanged(&self, mut rows: impl Iterator<Item = Option<u32>> + Clone) -> Result<Option<Vec<u8>>, ChartError> {
        let (Some(chart), Some(Some(first))) = (self.chart, rows.clone().next()) else { return Ok(None) };
        let Some((number, _)) = chart.place(first) else { return Ok(None) };
        let mut earlier = self.pages.get(number).into_iter().flatten();
        let is_same = rows.all(|row| row.is_some() && row.as_ref() == earlier.next()) && earlier.next().is_none();
        if is_same { chart.stored_page(number).map(Some) } else { Ok(None) }
    }

    fn text(&mut self, row: u32) -> Result<String, ChartError> {
        let place = self.chart.and_then(|chart| Some((chart, chart.place(row)?)));
        let (chart, (number, range)) = place.ok_or_else(|| ChartError::new("there is no such row"))?;
        let page = match self.inflated.take() {
            Some((last, page)) if last == number => page,
            _ => chart.inflate_page(number, self.pages.get(number).map(Vec::as_slice).unwrap_or_default())?,
        };
        let text = text_in(&page, range);
        self.inflated = Some((number, page));
        text
    }
}

/// A page to which rows are added.
#[derive(Default)]
struct GrowingPage {
    rows: Vec<usize>,
    bytes: usize,
}

impl GrowingPage {
    /// Adds a row, unless the page is full.
    fn add(&mut self, row: usize, rows: &[Row<'_>]) -> bool {
        let bytes = self.bytes + rows.get(row).map_or(0, Row::length);
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
