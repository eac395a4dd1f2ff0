//! Answers from shelves in a key-value store. A question about one patient takes one read of one value, and none if the
//! isolate has it in its cache. The database is asked for access lists at the same time.

mod body_ref;
mod cache;
mod key;
mod reader;

use std::collections::BTreeSet;
use std::rc::Rc;

pub use body_ref::BodyRef;
pub use cache::ShelfCache;
pub use key::{MANIFEST, Manifest, home, index, is_whole, names, part, shelf, spread};
use reader::{BodyBlocks, FetchedShelves, Reading, block_key};

use super::evaluate::{AccessList, AccessLists, Candidates, SearchResult, evaluate, open, patients_of};
use super::join::both;
use super::shelf::{BodyPlace, ShelfError, ShelfRow, View, followed};
use super::sql::{Database, Rows, Statement};
use super::{Cost, Page, Read, RecordStore, StoreError, StoredResource};
use crate::fhir::{Frame, Id, Reference};
use crate::search::Query;
use crate::smart::{AccessRule, PatientSet, Permitted};

/// A store of values by keys.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Shelves {
    /// The reader of a value of which perhaps not everything is needed.
    type ValueReader: ValueReader;

    /// Reads the values of several keys at once. A missing value is `None`.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError>;

    /// Opens the value of a key for reading from its beginning. A missing value is `None`.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn open(&self, key: &str) -> Result<Option<Self::ValueReader>, ShelfError>;
}

/// A value that is read from its beginning, as far as it is needed.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait ValueReader {
    /// Reads `more` bytes, or as many as there are.
    ///
    /// # Errors
    /// If reading fails.
    async fn read(&mut self, bytes: &mut Vec<u8>, more: usize) -> Result<(), ShelfError>;
}

/// A store that answers from shelves.
#[derive(Debug)]
pub struct KvStore<'a, S, D> {
    shelves: S,
    access: D,
    base: String,
    cache: &'a ShelfCache,
    now: i64,
}

impl<'a, S, D> KvStore<'a, S, D> {
    /// Creates a store over these shelves, whose entries have URLs below the FHIR base `base`. `access` is the database
    /// with the access lists, `cache` that of the isolate, and `now` the time of the call in seconds.
    pub const fn new(shelves: S, access: D, base: String, cache: &'a ShelfCache, now: i64) -> Self {
        Self { shelves, access, base, cache, now }
    }
}

impl<S: Shelves, D: Database> RecordStore for KvStore<'_, S, D> {
    type Body = BodyRef;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<BodyRef>, StoreError> {
        let rules = || ask.includes().iter().map(|(_, rules)| rules.as_slice()).chain([ask.rules()]);
        let reading = Reading::of(self);
        loop {
            let access_lists = self.access_lists(users(rules()));
            let (access_lists, shelves) = both(access_lists, reading.candidates(ask.question())).await;
            let (access_lists, shelves) = (access_lists?, shelves?);
            let looked = chosen(ask, &access_lists, after, &shelves);
            let rows = looked.page.iter().chain(&looked.included);
            let Some(blocks) = reading.bodies(&shelves, rows).await? else { continue };
            let matched = Frame::matched(&self.base, ask.question().on);
            let matches = looked.page.iter().map(|chosen| chosen.framed(&shelves, &blocks, &matched));
            let included = looked.included.iter().map(|chosen| {
                let kind = shelves.get(chosen.shelf).and_then(|(_, shelf)| shelf.kind(chosen.row));
                chosen.framed(&shelves, &blocks, &Frame::included(&self.base, kind.unwrap_or(ask.question().on)))
            });
            return Ok(Page {
                matches: matches.collect::<Result<_, _>>()?,
                included: included.collect::<Result<_, _>>()?,
                page_end: looked.page_end,
                total: looked.total,
                patients: looked.patients,
                cost: reading.cost(),
            });
        }
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<BodyRef>, StoreError> {
        let reading = Reading::of(self);
        loop {
            let access_lists = self.access_lists(users([ask.rules()].into_iter()));
            let (access_lists, shelves) = both(access_lists, reading.shelf_of(ask)).await;
            let (access_lists, shelves) = (access_lists?, shelves?);
            let found = sole(ask, &access_lists, &shelves);
            let chosen = found.as_ref().map(|(chosen, _)| *chosen);
            let Some(blocks) = reading.bodies(&shelves, chosen.iter()).await? else { continue };
            let held = found.and_then(|(chosen, patients)| Some((chosen, patients, &shelves.get(chosen.shelf)?.1)));
            let held = held.map(|(chosen, patients, shelf)| {
                Ok(StoredResource {
                    body: chosen.cut(&shelves, &blocks, String::new(), "")?,
                    version: shelf.version(chosen.row).to_owned(),
                    modified: shelf.modified(chosen.row).map(str::to_owned),
                    patients,
                })
            });
            return Ok(Read { found: held.transpose()?, cost: reading.cost() });
        }
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.cache.forget(MANIFEST);
        Reading::of(self).manifest().await.map(|_| ())
    }

    fn missed(&self) -> Cost {
        Cost::Kv { reads: 1 }
    }
}

impl<S, D: Database> KvStore<'_, S, D> {
    /// Reads the access lists of these users in one batch, or none if there are no users.
    async fn access_lists(&self, users: BTreeSet<&str>) -> Result<AccessLists, StoreError> {
        if users.is_empty() {
            return Ok(AccessLists::new());
        }
        let listed = |user: &&str| Statement {
            text: "SELECT a.patient FROM access a WHERE a.user = ?1".to_owned(),
            binds: vec![(*user).to_owned()],
        };
        let answers = self.access.batch(users.iter().map(listed).collect()).await;
        let answers = answers.map_err(|error| StoreError::Unavailable(error.0))?;
        let access_list = |rows: &D::Rows| {
            let patients: Vec<_> = (0..rows.count()).filter_map(|row| rows.text(row, "patient")).collect();
            if patients.iter().any(|patient| patient == "*") {
                return AccessList::All;
            }
            AccessList::These(patients.iter().filter_map(|patient| Id::parse(patient)).collect())
        };
        Ok(users.iter().zip(answers).map(|(user, rows)| ((*user).to_owned(), access_list(&rows))).collect())
    }
}

/// The users whose access lists the rules need.
fn users<'a>(rules: impl Iterator<Item = &'a [AccessRule]>) -> BTreeSet<&'a str> {
    let user = |rule: &'a AccessRule| match &rule.patients {
        PatientSet::AccessList(user) => Some(user.as_str()),
        PatientSet::All | PatientSet::One(_) => None,
    };
    rules.flatten().filter_map(user).collect()
}

/// A row that was found: the number of its shelf, and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chosen {
    shelf: usize,
    row: u32,
}

impl Chosen {
    fn framed(self, shelves: &FetchedShelves, blocks: &BodyBlocks, frame: &Frame) -> Result<BodyRef, StoreError> {
        let id = shelves.get(self.shelf).map_or("", |(_, shelf)| shelf.id(self.row));
        self.cut(shelves, blocks, [&frame.open, id, frame.middle].concat(), frame.close)
    }

    fn cut(
        self,
        shelves: &FetchedShelves,
        blocks: &BodyBlocks,
        before: String,
        after: &'static str,
    ) -> Result<BodyRef, StoreError> {
        let cut = || {
            let (key, shelf) = shelves.get(self.shelf)?;
            match shelf.body(self.row) {
                BodyPlace::Read(value, range) => BodyRef::of(value, range, before, after),
                BodyPlace::Unread(_) => None,
                BodyPlace::InBlock(name, range) => {
                    let key = block_key(key, &name);
                    let block = blocks.iter().find_map(|(other, block)| (*other == key).then_some(block))?;
                    BodyRef::of(Rc::clone(block), range, before, after)
                }
            }
        };
        cut().ok_or_else(|| StoreError::Unavailable("a shelf is truncated".to_owned()))
    }
}

/// The row of a resource if the grant opens it, and the patients to whom it belongs.
fn sole(ask: &Permitted<Reference>, access_lists: &AccessLists, shelves: &FetchedShelves) -> Option<(Chosen, Vec<Id>)> {
    let clauses = || ask.rules().iter().flat_map(|rule| &rule.only);
    let views: Vec<_> = shelves.iter().map(|(_, shelf)| View::new(shelf, clauses(), &[])).collect();
    views.iter().enumerate().find_map(|(shelf, view)| {
        let place = open(ask, access_lists, view.find(ask.question()))?;
        Some((Chosen { shelf, row: place.row }, patients_of(std::iter::once(place))))
    })
}

/// Evaluates a search on the shelves.
fn chosen(
    ask: &Permitted<Query>,
    access_lists: &AccessLists,
    after: Option<&str>,
    shelves: &FetchedShelves,
) -> SearchResult<Chosen> {
    let query = ask.question();
    let rules = ask.includes().iter().flat_map(|(_, rules)| rules).chain(ask.rules());
    let clauses: Vec<_> = query.all.iter().chain(rules.flat_map(|rule| &rule.only)).collect();
    let views: Vec<_> =
        shelves.iter().map(|(_, shelf)| View::new(shelf, clauses.iter().copied(), &query.sort)).collect();
    // The rows of one shelf are in the default order.
    let candidates = Candidates { rows: views.iter().flat_map(View::own), by_sort_key: views.len() == 1 };
    let SearchResult { page, included, page_end, total, patients } =
        evaluate(ask, access_lists, after, candidates, |include, page: &[ShelfRow<'_, '_>]| {
            followed(&views, include, page)
        });
    let choose = |place: ShelfRow<'_, '_>| {
        let shelf = shelves.iter().position(|(_, shelf)| std::ptr::eq(&**shelf, place.shelf()))?;
        Some(Chosen { shelf, row: place.row })
    };
    SearchResult {
        page: page.into_iter().filter_map(choose).collect(),
        included: included.into_iter().filter_map(choose).collect(),
        page_end,
        total,
        patients,
    }
}
