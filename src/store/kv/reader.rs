//! Reading the values for one question, from the cache of the isolate or from the store.

use std::cell::Cell;
use std::rc::Rc;

use super::cache::CachedValue;
use super::key::{self, MANIFEST, Manifest, part, shelf};
use super::shelf::{Shelf, ShelfError, contents};
use super::{KvStore, Shelves};
use crate::fhir::{Reference, ResourceType};
use crate::search::{Include, Kind, Param, Query, id_param};
use crate::smart::{AccessRule, PatientSet, Permitted, is_directory};
use crate::store::chart::{BodyPlace, ChartRow, inflate, targets};
use crate::store::evaluate::Candidate;
use crate::store::names::{names_of, pointing};
use crate::store::order::sorted;
use crate::store::{Cost, StoreError};

/// The most values that a search may read. An invocation of a Worker has 1,000 requests.
const MOST_READS: usize = 300;
/// The most bytes that a search may read. An isolate has 128 MB.
const MOST_BYTES: usize = 48 << 20;
/// The number of values that are requested at once.
const AT_ONCE: usize = 16;

/// Shelves, by their keys.
pub(super) type FetchedShelves = Vec<(String, Rc<Shelf>)>;

/// The reading of the values for one search or read.
pub(super) struct Reading<'s, 'c, S, D> {
    store: &'s KvStore<'c, S, D>,
    reads: Cell<u64>,
    bytes: Cell<usize>,
}

impl<'s, 'c, S: Shelves, D> Reading<'s, 'c, S, D> {
    pub(super) const fn of(store: &'s KvStore<'c, S, D>) -> Self {
        Self { store, reads: Cell::new(0), bytes: Cell::new(0) }
    }

    pub(super) const fn cost(&self) -> Cost {
        Cost::Kv { reads: self.reads.get() }
    }

    /// The shelves that may hold matches of a search.
    pub(super) async fn candidates(&self, query: &Query) -> Result<FetchedShelves, StoreError> {
        if let Some(patients) = &query.patients {
            let keys = |kind| patients.iter().map(move |patient| shelf(patient, kind));
            // The shelves for reverse includes are requested at the same time. They are in the cache then.
            if !query.revinclude.is_empty() {
                let ahead = query.revinclude.iter().flat_map(|include| keys(include.param.on));
                self.fetch(&distinct(keys(query.on).chain(ahead)), As::Shelf).await?;
            }
            return self.of_patients(keys(query.on).collect()).await;
        }
        let manifest = self.manifest().await?;
        let Some((param, names)) = names_of(query) else {
            return self.parts((0..manifest.parts_of(query.on)).map(|number| part(query.on, number)).collect()).await;
        };
        if param.kind == Kind::Id {
            let references: Vec<_> = names.iter().filter_map(|name| Reference::parse(name)).collect();
            return self.of_references(query.on, &references).await;
        }
        let keys = self.located(param, &names, query.on, &manifest).await?;
        self.of_patients(keys).await
    }

    /// The shelves that may hold a resource.
    pub(super) async fn shelf_of(&self, ask: &Permitted<Reference>) -> Result<FetchedShelves, StoreError> {
        let reference = ask.question();
        // A rule for one patient opens only resources on that patient's shelves.
        let sole = |rule: &AccessRule| match &rule.patients {
            PatientSet::One(patient) => Some(shelf(patient, reference.kind)),
            PatientSet::All | PatientSet::AccessList(_) => None,
        };
        let keys = ask.rules().iter().map(sole).collect::<Option<Vec<_>>>();
        match keys.filter(|_| !is_directory(reference.kind) && reference.kind != ResourceType::Patient) {
            Some(keys) => self.of_patients(distinct(keys.into_iter())).await,
            None => self.of_references(reference.kind, std::slice::from_ref(reference)).await,
        }
    }

    /// The shelves that may hold the resources of one type with these references. A Patient is on its own shelf, a
    /// resource of a directory type in a part of its type, and the index says where others are.
    async fn of_references(&self, kind: ResourceType, references: &[Reference]) -> Result<FetchedShelves, StoreError> {
        if kind == ResourceType::Patient {
            return self.of_patients(distinct(references.iter().map(|patient| shelf(&patient.id, kind)))).await;
        }
        let manifest = self.manifest().await?;
        if is_directory(kind) {
            return self.parts(distinct(references.iter().filter_map(|reference| manifest.part(reference)))).await;
        }
        let names: Vec<String> = references.iter().map(ToString::to_string).collect();
        self.of_patients(self.located(id_param(kind), &names, kind, &manifest).await?).await
    }

    /// The keys of the shelves of the resources with these names, which are values of a parameter, from the index.
    async fn located(
        &self,
        param: &'static Param,
        names: &[String],
        kind: ResourceType,
        manifest: &Manifest,
    ) -> Result<Vec<String>, StoreError> {
        manifest.require(param)?;
        let keys = distinct(names.iter().map(|name| manifest.index_of(name)));
        let mut found = Vec::new();
        for value in self.fetch(&keys, As::Index).await? {
            let CachedValue::Bytes(bytes) = value else { return Err(self.of_another_load()) };
            let text = std::str::from_utf8(&bytes).unwrap_or_default();
            let locations = names.iter().flat_map(|name| key::locations(text, name));
            found.extend(locations.filter_map(|location| key::key_at(location, kind, manifest)));
        }
        Ok(distinct(found.into_iter()))
    }

    /// Reads shelves of patients. A missing shelf is empty, provided that there is a manifest.
    async fn of_patients(&self, keys: Vec<String>) -> Result<FetchedShelves, StoreError> {
        let fetched = self.fetch(&keys, As::Shelf).await?;
        if fetched.iter().any(|kept| matches!(kept, CachedValue::Absent)) {
            self.manifest().await?;
        }
        Ok(keys.into_iter().zip(fetched).filter_map(|(key, kept)| Some((key, as_shelf(kept)?))).collect())
    }

    /// Reads parts of the shelf of a whole type. None is missing if all are of one load.
    async fn parts(&self, keys: Vec<String>) -> Result<FetchedShelves, StoreError> {
        let fetched = self.fetch(&keys, As::Shelf).await?;
        let shelves = keys.into_iter().zip(fetched).map(|(key, kept)| Some((key, as_shelf(kept)?)));
        shelves.collect::<Option<_>>().ok_or_else(|| self.of_another_load())
    }

    /// The shelves that may hold the resources that the includes of a search add to its page, each once.
    pub(super) async fn for_includes(
        &self,
        ask: &Permitted<Query>,
        page: &[ChartRow<'_, '_>],
    ) -> Result<FetchedShelves, StoreError> {
        let mut shelves = FetchedShelves::new();
        if !page.is_empty() {
            for (include, _) in ask.includes() {
                for shelf in self.included(*include, page).await? {
                    if !shelves.iter().any(|(key, _)| *key == shelf.0) {
                        shelves.push(shelf);
                    }
                }
            }
        }
        Ok(shelves)
    }

    /// The shelves that may hold the resources that an include adds to a page.
    async fn included(&self, include: Include, page: &[ChartRow<'_, '_>]) -> Result<FetchedShelves, StoreError> {
        let kind = page.first().map_or(include.to, |row| include.added_type(row.kind()));
        if kind == include.to {
            let targets: Vec<Reference> = targets(include, page).into_iter().collect();
            return if targets.is_empty() { Ok(Vec::new()) } else { self.of_references(kind, &targets).await };
        }
        let (mut keys, mut names) = (Vec::new(), Vec::new());
        for row in page {
            match row.owner().sole() {
                Some(patient) => keys.push(shelf(patient, kind)),
                None => names.push(pointing(include.param, &row.reference())),
            }
        }
        if !names.is_empty() {
            keys.extend(self.located(include.param, &names, kind, &self.manifest().await?).await?);
        }
        self.of_patients(distinct(keys.into_iter())).await
    }

    /// Reads the pages that hold the texts of rows of these shelves, if they have values of their own.
    pub(super) async fn texts(&self, shelves: &FetchedShelves, rows: &[ChartRow<'_, '_>]) -> Result<(), StoreError> {
        let mut wanted: Vec<(String, usize, usize)> = Vec::new();
        for row in rows {
            let of_row = |(_, shelf): &(String, Rc<Shelf>)| std::ptr::eq(&raw const shelf.chart, row.chart());
            let Some((at, (key, shelf))) = shelves.iter().enumerate().find(|(_, shelf)| of_row(shelf)) else {
                continue;
            };
            if let BodyPlace::Unread(number) = row.chart().body(row.row)?
                && let Some(name) = shelf.page_name(number)
            {
                let value = format!("{key}/{name}");
                if !wanted.iter().any(|(other, ..)| *other == value) {
                    wanted.push((value, at, number));
                }
            }
        }
        let keys: Vec<String> = wanted.iter().map(|(value, ..)| value.clone()).collect();
        if keys.is_empty() {
            return Ok(());
        }
        for ((_, shelf, number), value) in wanted.into_iter().zip(self.fetch(&keys, As::Bytes).await?) {
            let CachedValue::Bytes(bytes) = value else { return Err(self.of_another_load()) };
            if let Some((_, shelf)) = shelves.get(shelf) {
                shelf.chart.put_page(number, contents(&bytes).map_err(unavailable)?.to_vec());
            }
        }
        // The shelves have the pages now.
        keys.iter().for_each(|key| self.store.cache.forget(key));
        shelves.iter().for_each(|(key, _)| self.store.cache.measure(key));
        Ok(())
    }

    pub(super) async fn manifest(&self) -> Result<Manifest, StoreError> {
        match self.fetch(&[MANIFEST.to_owned()], As::Bytes).await?.pop() {
            Some(CachedValue::Bytes(bytes)) => Manifest::read(&bytes).map_err(|text| {
                self.store.cache.forget(MANIFEST);
                StoreError::Unavailable(text)
            }),
            Some(CachedValue::Absent | CachedValue::Shelf(_)) | None => {
                self.store.cache.forget(MANIFEST);
                Err(StoreError::Unavailable("there are no shelves: load them".to_owned()))
            }
        }
    }

    /// The error for a missing value, which means that a load is in progress.
    fn of_another_load(&self) -> StoreError {
        self.store.cache.forget(MANIFEST);
        StoreError::Unavailable("the shelves are being loaded".to_owned())
    }

    /// Reads the values of keys, from the cache if it has them.
    async fn fetch(&self, keys: &[String], form: As) -> Result<Vec<CachedValue>, StoreError> {
        let known = |key: &String| self.store.cache.get(key, self.store.now);
        let mut kept: Vec<Option<CachedValue>> = keys.iter().map(known).collect();
        let missing: Vec<usize> = (0..).zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(at, _)| at).collect();
        if self.reads.get() as usize + missing.len() > MOST_READS {
            return Err(StoreError::TooCostly);
        }
        for group in missing.chunks(AT_ONCE) {
            let wanted: Vec<String> = group.iter().filter_map(|at| keys.get(*at).cloned()).collect();
            self.reads.set(self.reads.get() + wanted.len() as u64);
            let values = self.store.shelves.get(&wanted).await.map_err(unavailable)?;
            let read: usize = values.iter().flatten().map(Vec::len).sum();
            self.bytes.set(self.bytes.get() + read);
            for ((at, key), value) in group.iter().zip(wanted).zip(values) {
                let what = self.opened(value, form, &key)?;
                self.store.cache.put(&key, what.clone(), self.store.now);
                if let Some(kept) = kept.get_mut(*at) {
                    *kept = Some(what);
                }
            }
            if self.bytes.get() > MOST_BYTES {
                return Err(StoreError::TooCostly);
            }
        }
        Ok(kept.into_iter().map(|kept| kept.unwrap_or(CachedValue::Absent)).collect())
    }

    /// Checks the format of a value, and opens it if it is a shelf. The manifest has its own check of the format.
    fn opened(&self, value: Option<Vec<u8>>, form: As, key: &str) -> Result<CachedValue, StoreError> {
        let Some(bytes) = value else { return Ok(CachedValue::Absent) };
        match form {
            As::Shelf => {
                let kind =
                    key::kind_of(key).ok_or_else(|| StoreError::Unavailable("a key is of no shelf".to_owned()))?;
                Shelf::open(kind, &bytes).map(|shelf| CachedValue::Shelf(Rc::new(shelf))).map_err(unavailable)
            }
            As::Index => {
                let text = contents(&bytes).and_then(|stored| Ok(inflate(stored)?)).map_err(unavailable)?;
                Ok(CachedValue::Bytes(Rc::new(text)))
            }
            As::Bytes if key == MANIFEST => Ok(CachedValue::Bytes(Rc::new(bytes))),
            As::Bytes => {
                contents(&bytes).map_err(unavailable)?;
                Ok(CachedValue::Bytes(Rc::new(bytes)))
            }
        }
    }
}

/// The form in which a value is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum As {
    Shelf,
    /// A value of the index: lines of text.
    Index,
    /// Another value, as it is.
    Bytes,
}

fn unavailable(error: ShelfError) -> StoreError {
    StoreError::Unavailable(error.0)
}

/// The keys, sorted and each once.
fn distinct(keys: impl Iterator<Item = String>) -> Vec<String> {
    let keys: Vec<String> = keys.collect();
    let mut keys = sorted(&keys.iter().collect::<Vec<_>>(), &|a, b| a.cmp(b));
    keys.dedup();
    keys.into_iter().cloned().collect()
}

fn as_shelf(kept: CachedValue) -> Option<Rc<Shelf>> {
    match kept {
        CachedValue::Shelf(shelf) => Some(shelf),
        CachedValue::Bytes(_) | CachedValue::Absent => None,
    }
}
