//! Reading the values for one question, from the cache of the isolate or from the store.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::cache::CachedValue;
use super::key::{self, MANIFEST, Manifest, part, shelf};
use super::{Chosen, KvStore, Shelves, ValueReader};
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::{Kind, Query};
use crate::smart::{AccessRule, PatientSet, Permitted, is_directory};
use crate::store::order::sorted;
use crate::store::shelf::{BodyPlace, Shelf, ShelfError, extent, foreign};
use crate::store::{Cost, StoreError};

/// The most values that one question may read. An invocation of a Worker may make 1,000 requests.
const MOST_READS: usize = 300;
/// The most bytes that one question may read. An isolate has 128 MB.
const MOST_BYTES: usize = 48 << 20;
/// The most bytes that KV takes as one value.
const LARGEST: usize = 25 << 20;
/// The most values that are read at once.
const AT_ONCE: usize = 16;

/// The bytes of a shelf that are read first. Most shelves are smaller.
const FIRST: usize = 64 << 10;
/// The bytes of bodies that are read ahead, about those of a page.
const AHEAD: usize = 128 << 10;

/// Shelves, by their keys.
pub(super) type FetchedShelves = Vec<(String, Rc<Shelf>)>;
/// Body blocks, by their keys.
pub(super) type BodyBlocks = Vec<(String, Rc<Vec<u8>>)>;

/// The key of a body block of a shelf.
pub(super) fn block_key(shelf: &str, name: &str) -> String {
    format!("{shelf}/{name}")
}

/// The reading for one question.
pub(super) struct Reading<'s, 'c, S: Shelves, D> {
    store: &'s KvStore<'c, S, D>,
    reads: Cell<u64>,
    bytes: Cell<usize>,
    /// The key and the unread rest of the shelf of which only a part was read.
    rest: RefCell<Option<(String, S::ValueReader)>>,
    /// True if shelves are to be read whole and not from the cache.
    whole: Cell<bool>,
}

impl<'s, 'c, S: Shelves, D> Reading<'s, 'c, S, D> {
    pub(super) const fn of(store: &'s KvStore<'c, S, D>) -> Self {
        Self { store, reads: Cell::new(0), bytes: Cell::new(0), rest: RefCell::new(None), whole: Cell::new(false) }
    }

    pub(super) const fn cost(&self) -> Cost {
        Cost::Kv { reads: self.reads.get() }
    }

    /// The shelves that may hold matches of a search.
    pub(super) async fn candidates(&self, query: &Query) -> Result<FetchedShelves, StoreError> {
        if let Some(patients) = &query.patients {
            return self.of_patients(patients.iter().map(|patient| shelf(patient, query.on)).collect()).await;
        }
        let manifest = self.manifest().await?;
        let by_index = |kind: Kind| matches!(kind, Kind::Id | Kind::Identifier);
        let clauses = query.all.iter().filter(|clause| clause.param.identifying && !clause.negated);
        let asked = clauses.filter(|clause| by_index(clause.param.kind)).find_map(|clause| {
            let names = clause.any.iter().map(|criterion| key::asked(clause.param, criterion));
            Some((clause.param.kind, names.collect::<Option<Vec<_>>>()?))
        });
        let Some((kind, names)) = asked else {
            return self.parts((0..manifest.parts_of(query.on)).map(|number| part(query.on, number)).collect()).await;
        };
        let references = || names.iter().filter_map(|name| Reference::parse(name));
        if kind == Kind::Id && is_directory(query.on) {
            return self.parts(distinct(references().filter_map(|reference| manifest.part(&reference)))).await;
        }
        if kind == Kind::Id && query.on == ResourceType::Patient {
            return self.of_patients(distinct(references().map(|patient| shelf(&patient.id, query.on)))).await;
        }
        let keys = self.located(&names, query.on, &manifest).await?;
        self.of_patients(keys).await
    }

    /// The shelves that may hold a resource.
    pub(super) async fn shelf_of(&self, ask: &Permitted<Reference>) -> Result<FetchedShelves, StoreError> {
        let reference = ask.question();
        if is_directory(reference.kind) {
            let key = self.manifest().await?.part(reference);
            return self.parts(key.into_iter().collect()).await;
        }
        // A rule for one patient opens only resources on that patient's shelves, and a Patient is on its own shelf.
        let sole = |rule: &AccessRule| match &rule.patients {
            PatientSet::One(patient) => Some(patient.clone()),
            PatientSet::All | PatientSet::AccessList(_) => None,
        };
        let patients: Option<Vec<Id>> = if reference.kind == ResourceType::Patient {
            Some(vec![reference.id.clone()])
        } else {
            ask.rules().iter().map(sole).collect()
        };
        if let Some(patients) = patients {
            return self.of_patients(distinct(patients.iter().map(|patient| shelf(patient, reference.kind)))).await;
        }
        let manifest = self.manifest().await?;
        let keys = self.located(&[reference.to_string()], reference.kind, &manifest).await?;
        self.of_patients(keys).await
    }

    /// The keys of the shelves of the resources with these names, from the index.
    async fn located(
        &self,
        names: &[String],
        kind: ResourceType,
        manifest: &Manifest,
    ) -> Result<Vec<String>, StoreError> {
        let keys = distinct(names.iter().map(|name| manifest.index_of(name)));
        let mut found = Vec::new();
        for value in self.fetch(&keys, As::Bytes).await? {
            let CachedValue::Bytes(bytes) = value else { return Err(self.of_another_load()) };
            let text = std::str::from_utf8(&bytes).unwrap_or_default();
            let homes = names.iter().flat_map(|name| key::homes(text, name));
            found.extend(homes.filter_map(|home| key::of_home(home, kind, manifest)));
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

    /// Reads the bodies of rows: the further ones of the shelf that is being read, and body blocks. Returns `None` if a
    /// shelf from the cache has too few bodies. Its key may have another value by now, so that the question has to be
    /// evaluated again on shelves that are read whole.
    pub(super) async fn bodies(
        &self,
        shelves: &FetchedShelves,
        rows: impl Iterator<Item = &Chosen>,
    ) -> Result<Option<BodyBlocks>, StoreError> {
        let (mut ends, mut keys) = (vec![0; shelves.len()], Vec::new());
        for chosen in rows {
            let Some((key, shelf)) = shelves.get(chosen.shelf) else { continue };
            match shelf.body(chosen.row) {
                BodyPlace::Read(..) => {}
                BodyPlace::Unread(end) => ends.iter_mut().skip(chosen.shelf).take(1).for_each(|to| *to = end.max(*to)),
                BodyPlace::InBlock(name, _) => keys.push(block_key(key, &name)),
            }
        }
        for ((key, shelf), end) in shelves.iter().zip(ends).filter(|(_, end)| *end > 0) {
            if !self.read_on(key, shelf, end).await? && !self.whole.replace(true) {
                return Ok(None);
            }
        }
        self.blocks(distinct(keys.into_iter())).await.map(Some)
    }

    /// Reads further bodies of a shelf. Returns false if it is not the shelf that is being read.
    async fn read_on(&self, key: &str, shelf: &Rc<Shelf>, end: usize) -> Result<bool, StoreError> {
        let Some((_, mut source)) = self.rest.borrow_mut().take_if(|(of, _)| of == key) else { return Ok(false) };
        let mut bodies = shelf.bodies();
        self.more(&mut source, &mut bodies, end.saturating_add(AHEAD).saturating_sub(shelf.read_to())).await?;
        shelf.extend(bodies);
        self.store.cache.put(key.to_owned(), CachedValue::Shelf(Rc::clone(shelf)), self.store.now);
        Ok(true)
    }

    async fn blocks(&self, keys: Vec<String>) -> Result<BodyBlocks, StoreError> {
        if keys.is_empty() {
            return Ok(BodyBlocks::new());
        }
        let fetched = self.fetch(&keys, As::Bytes).await?;
        let block = |(key, kept)| match kept {
            CachedValue::Bytes(bytes) => Some((key, bytes)),
            CachedValue::Shelf(_) | CachedValue::Absent => None,
        };
        keys.into_iter().zip(fetched).map(block).collect::<Option<_>>().ok_or_else(|| self.of_another_load())
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
        let again = self.whole.get() && form == As::Shelf;
        let known = |key: &String| self.store.cache.get(key, self.store.now).filter(|_| !again);
        let mut kept: Vec<Option<CachedValue>> = keys.iter().map(known).collect();
        let missing: Vec<usize> = (0..).zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(at, _)| at).collect();
        if self.reads.get() as usize + missing.len() > MOST_READS {
            return Err(StoreError::TooCostly);
        }
        for group in missing.chunks(AT_ONCE) {
            let wanted: Vec<String> = group.iter().filter_map(|at| keys.get(*at).cloned()).collect();
            self.reads.set(self.reads.get() + wanted.len() as u64);
            let values = match &*wanted {
                [key] if form == As::Shelf && !again => vec![self.front(key).await?],
                _ => {
                    let values = self.store.shelves.get(&wanted).await.map_err(unavailable)?;
                    values.iter().flatten().for_each(|value| self.count(value.len()));
                    values
                }
            };
            for ((at, key), value) in group.iter().zip(wanted).zip(values) {
                let what = self.opened(value, form, &key)?;
                self.store.cache.put(key, what.clone(), self.store.now);
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

    /// Reads as much of a shelf as a search needs, and some of the bodies.
    async fn front(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let opened = self.store.shelves.open(key).await.map_err(unavailable)?;
        let Some(mut source) = opened else { return Ok(None) };
        let (mut bytes, mut missing) = (Vec::new(), Some(FIRST));
        while let Some(more) = missing {
            self.more(&mut source, &mut bytes, more).await?;
            let extent = extent(&bytes).filter(|extent| *extent > bytes.len() && bytes.len() == FIRST);
            missing = extent.map(|extent| (extent - bytes.len()).saturating_add(AHEAD));
        }
        *self.rest.borrow_mut() = Some((key.to_owned(), source));
        Ok(Some(bytes))
    }

    async fn more(&self, source: &mut S::ValueReader, bytes: &mut Vec<u8>, more: usize) -> Result<(), StoreError> {
        let before = bytes.len();
        source.read(bytes, more.min(LARGEST)).await.map_err(unavailable)?;
        self.count(bytes.len() - before);
        Ok(())
    }

    fn count(&self, bytes: usize) {
        self.bytes.set(self.bytes.get() + bytes);
    }

    /// Checks the format of a value, and opens it if it is a shelf. The manifest has its own check of the format.
    fn opened(&self, value: Option<Vec<u8>>, form: As, key: &str) -> Result<CachedValue, StoreError> {
        let Some(bytes) = value else { return Ok(CachedValue::Absent) };
        let bytes = Rc::new(bytes);
        match form {
            As::Shelf => Shelf::open(bytes).map(|shelf| CachedValue::Shelf(Rc::new(shelf))).map_err(unavailable),
            As::Bytes if key == MANIFEST => Ok(CachedValue::Bytes(bytes)),
            As::Bytes => foreign(&bytes).map_or(Ok(CachedValue::Bytes(bytes)), |error| Err(unavailable(error))),
        }
    }
}

/// The form in which a value is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum As {
    Shelf,
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
