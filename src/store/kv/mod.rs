//! Answers from shelves in a key-value store. A question about one patient is one read of one value, and none where the
//! isolate still holds it; whom a user may see is asked of the database at the same time.

mod body_ref;
mod cache;
mod key;
mod reader;

use std::collections::BTreeSet;
use std::rc::Rc;

pub use body_ref::BodyRef;
pub use cache::ShelfCache;
pub use key::{MANIFEST, Manifest, home, index, is_whole, names, part, shelf, spread};
use reader::{BodyBlocks, FetchedShelves, Reading, tray_key};

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
    /// A value of which perhaps not everything is wanted.
    type ValueReader: ValueReader;

    /// The values of some keys, asked for at once; nothing for those that are not there.
    ///
    /// # Errors
    /// Where it does not answer.
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError>;

    /// The value of a key, to be read from its beginning; nothing where it is not there.
    ///
    /// # Errors
    /// Where it does not answer.
    async fn open(&self, key: &str) -> Result<Option<Self::ValueReader>, ShelfError>;
}

/// A value that is read from its beginning, as far as it is wanted. The rest of it does not come.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait ValueReader {
    /// Reads so many bytes more, or as many as there are.
    ///
    /// # Errors
    /// Where they do not come.
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
    /// A store over these shelves, whose entries are addressed under the FHIR base `base`. `access` knows whom
    /// users may see; `cache` is the isolate's, and `now` the time of the call in seconds.
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
            let (access_lists, shelves) = both(access_lists, reading.candidates(ask.ask())).await;
            let (access_lists, shelves) = (access_lists?, shelves?);
            let looked = chosen(ask, &access_lists, after, &shelves);
            let rows = looked.page.iter().chain(&looked.included);
            let Some(trays) = reading.bodies(&shelves, rows).await? else { continue };
            let matched = Frame::matched(&self.base, ask.ask().on);
            let matches = looked.page.iter().map(|chosen| chosen.framed(&shelves, &trays, &matched));
            let included = looked.included.iter().map(|chosen| {
                let kind = shelves.get(chosen.shelf).and_then(|(_, shelf)| shelf.kind(chosen.row));
                chosen.framed(&shelves, &trays, &Frame::included(&self.base, kind.unwrap_or(ask.ask().on)))
            });
            return Ok(Page {
                matches: matches.collect::<Result<_, _>>()?,
                included: included.collect::<Result<_, _>>()?,
                more: looked.more,
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
            let Some(trays) = reading.bodies(&shelves, chosen.iter()).await? else { continue };
            let held = found.and_then(|(chosen, patients)| Some((chosen, patients, &shelves.get(chosen.shelf)?.1)));
            let held = held.map(|(chosen, patients, shelf)| {
                Ok(StoredResource {
                    body: chosen.cut(&shelves, &trays, String::new(), "")?,
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
    /// Whom these users may see: one batch, and none where no user decides.
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

/// The users whose access lists decide.
fn users<'a>(rules: impl Iterator<Item = &'a [AccessRule]>) -> BTreeSet<&'a str> {
    let user = |rule: &'a AccessRule| match &rule.patients {
        PatientSet::AccessList(user) => Some(user.as_str()),
        PatientSet::All | PatientSet::One(_) => None,
    };
    rules.flatten().filter_map(user).collect()
}

/// A row that was found: the number of its shelf, and its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chosen {
    shelf: usize,
    row: u32,
}

impl Chosen {
    fn framed(self, shelves: &FetchedShelves, trays: &BodyBlocks, frame: &Frame) -> Result<BodyRef, StoreError> {
        let id = shelves.get(self.shelf).map_or("", |(_, shelf)| shelf.id(self.row));
        self.cut(shelves, trays, [&frame.open, id, frame.middle].concat(), frame.close)
    }

    fn cut(
        self,
        shelves: &FetchedShelves,
        trays: &BodyBlocks,
        before: String,
        after: &'static str,
    ) -> Result<BodyRef, StoreError> {
        let cut = || {
            let (key, shelf) = shelves.get(self.shelf)?;
            match shelf.body(self.row) {
                BodyPlace::Read(value, range) => BodyRef::of(value, range, before, after),
                BodyPlace::Unread(_) => None,
                BodyPlace::OnTray(name, range) => {
                    let key = tray_key(key, &name);
                    let tray = trays.iter().find_map(|(other, tray)| (*other == key).then_some(tray))?;
                    BodyRef::of(Rc::clone(tray), range, before, after)
                }
            }
        };
        cut().ok_or_else(|| StoreError::Unavailable("a shelf is cut short".to_owned()))
    }
}

/// Where a resource stands that may be read, and the patients to whom it belongs.
fn sole(ask: &Permitted<Reference>, access_lists: &AccessLists, shelves: &FetchedShelves) -> Option<(Chosen, Vec<Id>)> {
    let clauses = || ask.rules().iter().flat_map(|rule| &rule.only);
    let views: Vec<_> = shelves.iter().map(|(_, shelf)| View::new(shelf, clauses(), &[])).collect();
    views.iter().enumerate().find_map(|(shelf, view)| {
        let place = open(ask, access_lists, view.find(ask.ask()))?;
        Some((Chosen { shelf, row: place.row }, patients_of(std::iter::once(place))))
    })
}

/// Looks on the shelves.
fn chosen(
    ask: &Permitted<Query>,
    access_lists: &AccessLists,
    after: Option<&str>,
    shelves: &FetchedShelves,
) -> SearchResult<Chosen> {
    let query = ask.ask();
    let rules = ask.includes().iter().flat_map(|(_, rules)| rules).chain(ask.rules());
    let clauses: Vec<_> = query.all.iter().chain(rules.flat_map(|rule| &rule.only)).collect();
    let views: Vec<_> =
        shelves.iter().map(|(_, shelf)| View::new(shelf, clauses.iter().copied(), &query.sort)).collect();
    // One shelf has its rows in the default order.
    let candidates = Candidates { rows: views.iter().flat_map(View::own), by_sort_key: views.len() == 1 };
    let SearchResult { page, included, more, total, patients } =
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
        more,
        total,
        patients,
    }
}
