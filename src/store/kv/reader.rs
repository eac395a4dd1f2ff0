//! Reads the values for one request, from the cache of the isolate or from the store.

use std::cell::Cell;
use std::rc::Rc;

use super::cache::{CachedValue, ShelfCache};
use super::key::{self, MANIFEST, Manifest, key_of, name_at, part_name, part_number};
use super::shelf::{Shelf, ShelfError, contents};
use crate::chart_source::{Attempt, ChartQuery, ChartSource, IncludedRow};
use crate::join::{DirectoryEnd, FoundReferences, JoinMatches, reference, satisfies};
use crate::rounds::Round;
use crate::search_charts::join_in_directory;
use crate::search_plan::Search;
use crate::{Cost, StoreError};
use chart::{BodyLocation, BodyRef, Chart, ChartName, ChartRow, inflate};
use collections::order::sorted;
use fhir::{Reference, ResourceType};
use search::Param;
use search::registry::id_param;
use smart::is_directory;

/// The most values that a search may read. An invocation of a Worker has 1,000 requests.
const MAX_READS: usize = 300;
/// The most bytes that a search may read. An isolate has 128 MB.
const MAX_BYTES: usize = 48 << 20;
/// The number of values that are requested at once.
const AT_ONCE: usize = 16;

/// A store of values by keys.
pub trait Shelves {
    /// Reads the values of several keys at once. `None` stands for a missing value.
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError>;
}

/// A shelf that was read.
pub(super) struct FetchedShelf {
    name: ChartName,
    shelf: Rc<Shelf>,
}

impl AsRef<Chart> for FetchedShelf {
    fn as_ref(&self) -> &Chart {
        &self.shelf.chart
    }
}

/// A reader of shelves and other values for one search or read. It counts its reads.
pub(super) struct ShelfReader<'s, S> {
    shelves: &'s S,
    cache: &'s ShelfCache,
    now: i64,
    reads: Cell<u64>,
    bytes: Cell<usize>,
}

impl<S: Shelves> ChartSource for &ShelfReader<'_, S> {
    type Fetched = FetchedShelf;
    type Body = BodyRef;

    async fn locate(&self, wanted: &ChartQuery, resource_type: ResourceType) -> Result<Vec<ChartName>, StoreError> {
        match wanted {
            ChartQuery::Named(param, names) if param.kind.is_id() => {
                let references: Vec<_> = names.iter().filter_map(|name| Reference::parse(name)).collect();
                self.find_shelves(resource_type, &references).await
            }
            ChartQuery::Named(param, all) => {
                self.locate_names(param, all, resource_type, &self.manifest().await?).await
            }
            ChartQuery::All => {
                let manifest = self.manifest().await?;
                Ok((0..manifest.parts_of(resource_type)).map(|number| part_name(resource_type, number)).collect())
            }
        }
    }

    async fn locate_each(&self, wanted: &[(&'static Param, Vec<String>)]) -> Result<Vec<ChartName>, StoreError> {
        let manifest = self.manifest().await?;
        let mut found = Vec::new();
        for (param, names) in wanted {
            found.extend(self.locate_names(param, names, param.base, &manifest).await?);
        }
        Ok(found)
    }

    async fn charts(&self, names: &[ChartName], only: Option<ResourceType>) -> Result<Vec<FetchedShelf>, StoreError> {
        let is_wanted = |name: &&ChartName| only.is_none_or(|only| name.resource_type == only);
        if !names.iter().all(|name| is_wanted(&name)) {
            // The other shelves are then in the cache.
            self.fetch(&distinct(names.iter().map(key_of)), ValueForm::Shelf).await?;
        }
        let names: Vec<&ChartName> = names.iter().filter(is_wanted).collect();
        let keys: Vec<String> = names.iter().map(|name| key_of(name)).collect();
        let mut found = Vec::with_capacity(names.len());
        let mut is_complete = !names.is_empty() || only.is_none();
        for (name, value) in names.into_iter().zip(self.fetch(&keys, ValueForm::Shelf).await?) {
            match value {
                CachedValue::Shelf(shelf) => found.push(FetchedShelf { name: name.clone(), shelf }),
                // Within one load, no part is missing.
                CachedValue::Bytes(_) | CachedValue::Absent if part_number(name).is_some() => {
                    return Err(self.of_another_load());
                }
                CachedValue::Bytes(_) | CachedValue::Absent => is_complete = false,
            }
        }
        // A missing shelf of a patient is empty, and so is a search that reaches no shelf, if there is a manifest.
        if !is_complete {
            self.manifest().await?;
        }
        Ok(found)
    }

    async fn prefetch(&self, names: &[ChartName], heads: &[ChartName]) -> Result<(), StoreError> {
        self.fetch(&distinct(names.iter().chain(heads).map(key_of)), ValueForm::Shelf).await.map(drop)
    }

    fn compartment(shelf: &FetchedShelf) -> &str {
        &shelf.name.compartment
    }

    async fn texts(&self, shelves: &[FetchedShelf], rows: &[ChartRow<'_, '_>]) -> Attempt<()> {
        for FetchedShelf { name, shelf } in shelves {
            shelf.chart.check().map_err(StoreError::of_chart(&key_of(name)))?;
        }
        let mut wanted: Vec<(String, usize, usize)> = Vec::new();
        let body = |row: &ChartRow<'_, '_>, FetchedShelf { name, .. }: &FetchedShelf| {
            row.chart().body(row.row).map_err(StoreError::of_chart(&key_of(name)))
        };
        let is_of = |row: &ChartRow<'_, '_>, shelf: &FetchedShelf| std::ptr::eq(shelf.as_ref(), row.chart());
        for row in rows {
            let Some((at, fetched)) = shelves.iter().enumerate().find(|(_, shelf)| is_of(row, shelf)) else { continue };
            let FetchedShelf { name, shelf } = fetched;
            if let BodyLocation::Unread(number) = body(row, fetched)?
                && let Some(page) = shelf.page_name(number)
            {
                let value = format!("{}/{page}", key_of(name));
                if !wanted.iter().any(|(other, ..)| *other == value) {
                    wanted.push((value, at, number));
                }
            }
        }
        let keys: Vec<String> = wanted.iter().map(|(value, ..)| value.clone()).collect();
        if keys.is_empty() {
            return Ok(());
        }
        for ((_, shelf, number), value) in wanted.into_iter().zip(self.fetch(&keys, ValueForm::Bytes).await?) {
            let CachedValue::Bytes(bytes) = value else { return Err(self.of_another_load().into()) };
            if let Some(FetchedShelf { shelf, .. }) = shelves.get(shelf) {
                shelf.chart.put_page(number, contents(&bytes).map_err(unavailable)?.to_vec());
            }
        }
        for row in rows {
            shelves.iter().find(|shelf| is_of(row, shelf)).map(|shelf| body(row, shelf)).transpose()?;
        }
        // The cached shelves now have the pages, so that the pages need no copy.
        keys.iter().for_each(|key| self.cache.forget(key));
        shelves.iter().for_each(|shelf| self.cache.measure(&key_of(&shelf.name)));
        Ok(())
    }

    const HAS_ROWS: bool = false;

    async fn rows(&self, _: &Search<'_>, _: &Round, _: usize) -> Result<Vec<IncludedRow<BodyRef>>, StoreError> {
        Ok(Vec::new())
    }

    async fn directory(&self, search: &Search<'_>, ends: &[DirectoryEnd<'_>]) -> Attempt<Vec<FoundReferences>> {
        let mut names = Vec::new();
        for DirectoryEnd { inner, targets } in ends {
            let targets: Vec<Reference> = targets.iter().cloned().collect();
            let shelves = self.find_shelves(inner.request().resource_type, &targets).await?;
            shelves.into_iter().for_each(|name| name.put(&mut names));
        }
        let shelves = self.charts(&names, None).await?;
        search.check(&shelves)?;
        let views = search.views(&shelves);
        let mut found = Vec::with_capacity(ends.len());
        for DirectoryEnd { inner, targets } in ends {
            let joined = match inner.joins() {
                [] => Vec::new(),
                joins => join_in_directory(self, search, joins, inner.request().resource_type).await?,
            };
            let rows = targets.iter().filter_map(|target| views.iter().find_map(|view| view.find(target)));
            let is_found = |row: &ChartRow<'_, '_>| {
                satisfies(inner, search.access_lists, *row) && JoinMatches::all_find(&joined, *row)
            };
            found.push(rows.filter(is_found).map(reference).collect());
        }
        Ok(found)
    }

    /// Returns whether the shelf is a part of the resource's type; only there is the resource a match.
    fn is_home(shelf: &FetchedShelf, _: ChartRow<'_, '_>) -> bool {
        part_number(&shelf.name).is_some()
    }

    fn parallel(&self) -> Self {
        self
    }

    fn add_parallel(&self, _: &Self, _: &Self) {}

    fn cost(&self) -> Cost {
        Cost::Kv { reads: self.reads.get() }
    }
}

impl<'s, S> ShelfReader<'s, S> {
    pub(super) const fn new(shelves: &'s S, cache: &'s ShelfCache, now: i64) -> Self {
        Self { shelves, cache, now, reads: Cell::new(0), bytes: Cell::new(0) }
    }
}

impl<S: Shelves> ShelfReader<'_, S> {
    /// Returns the names of the shelves that may hold the resources of one type with these references. A Patient is on
    /// its own shelf, a resource of a directory type in a part of its type, and the index has the locations of others.
    async fn find_shelves(
        &self,
        resource_type: ResourceType,
        references: &[Reference],
    ) -> Result<Vec<ChartName>, StoreError> {
        if resource_type == ResourceType::Patient {
            return Ok(references.iter().map(|patient| ChartName::new(&patient.id, resource_type)).collect());
        }
        let manifest = self.manifest().await?;
        if is_directory(resource_type) {
            return Ok(references.iter().filter_map(|reference| manifest.part(reference)).collect());
        }
        let names: Vec<String> = references.iter().map(ToString::to_string).collect();
        self.locate_names(id_param(resource_type), &names, resource_type, &manifest).await
    }

    /// Returns the names of the shelves of the resources with these names of a parameter, from the index.
    async fn locate_names(
        &self,
        param: &'static Param,
        names: &[String],
        resource_type: ResourceType,
        manifest: &Manifest,
    ) -> Result<Vec<ChartName>, StoreError> {
        manifest.require(param)?;
        let keys = distinct(names.iter().map(|name| manifest.index_of(name)));
        let mut found = Vec::new();
        for (key, value) in keys.iter().zip(self.fetch(&keys, ValueForm::Index).await?) {
            let CachedValue::Bytes(bytes) = value else { return Err(self.of_another_load()) };
            let damaged = |_| StoreError::Damaged(format!("{key}: a value of the index is not UTF-8"));
            let text = std::str::from_utf8(&bytes).map_err(damaged)?;
            for location in names.iter().flat_map(|name| key::locations(text, name)) {
                // A part that is missing from the manifest belongs to another load.
                found.push(name_at(location, resource_type, manifest).ok_or_else(|| self.of_another_load())?);
            }
        }
        Ok(found)
    }

    pub(super) async fn manifest(&self) -> Result<Manifest, StoreError> {
        match self.fetch(&[MANIFEST.to_owned()], ValueForm::Bytes).await?.pop() {
            Some(CachedValue::Bytes(bytes)) => Manifest::read(&bytes).inspect_err(|_| self.cache.forget(MANIFEST)),
            Some(CachedValue::Absent | CachedValue::Shelf(_)) | None => {
                self.cache.forget(MANIFEST);
                Err(StoreError::Unavailable("there are no shelves: load them".to_owned()))
            }
        }
    }

    /// Returns the error for a missing value, which means that a load is in progress.
    fn of_another_load(&self) -> StoreError {
        self.cache.forget(MANIFEST);
        StoreError::Unavailable("the shelves are being loaded".to_owned())
    }

    async fn fetch(&self, keys: &[String], form: ValueForm) -> Result<Vec<CachedValue>, StoreError> {
        let known = |key: &String| self.cache.get(key, self.now);
        let mut kept: Vec<Option<CachedValue>> = keys.iter().map(known).collect();
        let missing: Vec<usize> = (0..).zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(at, _)| at).collect();
        if self.reads.get() as usize + missing.len() > MAX_READS {
            return Err(StoreError::TooCostly);
        }
        // Another fetch for the same answer may begin before this one ends.
        self.reads.set(self.reads.get() + missing.len() as u64);
        for group in missing.chunks(AT_ONCE) {
            let wanted: Vec<String> = group.iter().filter_map(|at| keys.get(*at).cloned()).collect();
            let values = self.shelves.get(&wanted).await.map_err(unavailable)?;
            let read: usize = values.iter().flatten().map(Vec::len).sum();
            self.bytes.set(self.bytes.get() + read);
            for ((at, key), value) in group.iter().zip(wanted).zip(values) {
                let what = self.open(value, form, &key)?;
                self.cache.put(&key, what.clone(), self.now);
                if let Some(kept) = kept.get_mut(*at) {
                    *kept = Some(what);
                }
            }
            if self.bytes.get() > MAX_BYTES {
                return Err(StoreError::TooCostly);
            }
        }
        Ok(kept.into_iter().map(|kept| kept.unwrap_or(CachedValue::Absent)).collect())
    }

    /// Checks the format of a value, and opens it if it is a shelf. The manifest has its own check of the format.
    fn open(&self, value: Option<Vec<u8>>, form: ValueForm, key: &str) -> Result<CachedValue, StoreError> {
        let Some(bytes) = value else { return Ok(CachedValue::Absent) };
        if key != MANIFEST {
            contents(&bytes).map_err(unavailable)?;
        }
        let damaged = |ShelfError(why)| StoreError::Damaged(format!("{key}: {why}"));
        match form {
            ValueForm::Shelf => {
                let resource_type =
                    key::type_of(key).ok_or_else(|| StoreError::Unavailable("a key is of no shelf".to_owned()))?;
                Shelf::open(resource_type, &bytes).map(|shelf| CachedValue::Shelf(Rc::new(shelf))).map_err(damaged)
            }
            ValueForm::Index => {
                let text = contents(&bytes).and_then(|stored| Ok(inflate(stored)?)).map_err(damaged)?;
                Ok(CachedValue::Bytes(Rc::new(text)))
            }
            ValueForm::Bytes => Ok(CachedValue::Bytes(Rc::new(bytes))),
        }
    }
}

/// The form in which a value is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueForm {
    Shelf,
    /// A value of the index: lines of text.
    Index,
    /// Any other value, as stored.
    Bytes,
}

fn unavailable(error: ShelfError) -> StoreError {
    StoreError::Unavailable(error.0)
}

/// Returns the keys, sorted and without duplicates.
fn distinct(keys: impl Iterator<Item = String>) -> Vec<String> {
    let keys: Vec<String> = keys.collect();
    let mut keys = sorted(keys.iter().collect::<Vec<_>>(), &|a, b| a.cmp(b));
    keys.dedup();
    keys.into_iter().cloned().collect()
}
