//! Answers from shelves in a key-value store. A question about one patient takes one read of one value, and none if the
//! isolate has it in its cache. The database is asked for access lists at the same time.

mod body_ref;
mod cache;
mod key;
mod reader;
mod shelf;

use std::collections::BTreeSet;
use std::rc::Rc;

pub use body_ref::BodyRef;
pub use cache::ShelfCache;
pub use key::{MANIFEST, Manifest, bucket, index, is_whole, location, names, part, shelf};
use reader::{FetchedShelves, Reading};
pub use shelf::{PackedShelf, Shelf, ShelfError, format_field};

use super::chart::{BodyPlace, ChartRow, View, added};
use super::evaluate::{AccessList, AccessLists, Candidate, Candidates, evaluate, include, open, patients_of};
use super::join::both;
use super::sql::{Database, Rows, Statement};
use super::{Cost, Page, Read, RecordStore, StoreError, StoredResource};
use crate::fhir::{Frame, Id, Reference, ResourceType};
use crate::search::{Clause, Query, SortRule};
use crate::smart::{AccessRule, PatientSet, Permitted};

/// A store of values by keys.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Shelves {
    /// Reads the values of several keys at once. A missing value is `None`.
    ///
    /// # Errors
    /// If the storage does not answer.
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError>;
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
        let query = ask.question();
        let rules = || ask.includes().iter().map(|(_, rules)| rules.as_slice()).chain([ask.rules()]);
        let reading = Reading::of(self);
        let (access_lists, shelves) = both(self.access_lists(users(rules())), reading.candidates(query)).await;
        let (access_lists, mut shelves) = (access_lists?, shelves?);
        let clauses: Vec<_> = query.all.iter().chain(rules().flatten().flat_map(|rule| &rule.only)).collect();
        let (page, included, page_end, total, patients, beside);
        {
            let matching = views(&shelves, &clauses, &query.sort);
            // A resource of several patients is in none of their records.
            let in_record = |row: &ChartRow<'_, '_>| query.patients.is_none() || row.owner().sole().is_some();
            let rows = matching.iter().flat_map(View::rows).filter(in_record);
            // One chart has its rows in the default order.
            let found = evaluate(ask, &access_lists, after, Candidates { rows, by_sort_key: matching.len() == 1 });
            beside = reading.beside(ask, &found.page).await?;
            let others = views(&beside, &clauses, &[]);
            let followed = include(ask, &access_lists, &found.page, |include, rows| added(&others, include, rows));
            let mut owners = patients_of(found.page.iter().copied());
            patients_of(followed.iter().copied()).iter().for_each(|patient| patient.put(&mut owners));
            let choose = |row: &ChartRow<'_, '_>| Chosen::of(*row, shelves.iter().chain(&beside));
            page = found.page.iter().filter_map(choose).collect::<Vec<_>>();
            included = followed.iter().filter_map(choose).collect::<Vec<_>>();
            (page_end, total, patients) = (found.page_end, found.total, owners);
        }
        shelves.extend(beside);
        reading.bodies(&shelves, page.iter().chain(&included)).await?;
        let framed = |chosen: &Chosen| chosen.framed(&shelves, &self.base, query.on);
        Ok(Page {
            matches: page.iter().map(framed).collect::<Result<_, _>>()?,
            included: included.iter().map(framed).collect::<Result<_, _>>()?,
            page_end,
            total,
            patients,
            cost: reading.cost(),
        })
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<BodyRef>, StoreError> {
        let reading = Reading::of(self);
        let access_lists = self.access_lists(users([ask.rules()].into_iter()));
        let (access_lists, shelves) = both(access_lists, reading.shelf_of(ask)).await;
        let (access_lists, shelves) = (access_lists?, shelves?);
        let Some((chosen, patients)) = sole(ask, &access_lists, &shelves) else {
            return Ok(Read { found: None, cost: reading.cost() });
        };
        reading.bodies(&shelves, [chosen].iter()).await?;
        let stored = chosen.shelf(&shelves).map(|shelf| {
            Ok(StoredResource {
                body: chosen.body(&shelves, String::new(), "")?,
                version: shelf.chart.version(chosen.row),
                modified: shelf.chart.modified(chosen.row),
                patients,
            })
        });
        Ok(Read { found: stored.transpose()?, cost: reading.cost() })
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
    /// A row of one of the shelves.
    fn of<'a>(row: ChartRow<'_, '_>, mut shelves: impl Iterator<Item = &'a (String, Rc<Shelf>)>) -> Option<Self> {
        let shelf = shelves.position(|(_, shelf)| std::ptr::eq(&raw const shelf.chart, row.chart()))?;
        Some(Self { shelf, row: row.row })
    }

    /// The row as an entry of a searchset.
    fn framed(self, shelves: &FetchedShelves, base: &str, on: ResourceType) -> Result<BodyRef, StoreError> {
        let (kind, id) = self.shelf(shelves).map_or((on, ""), |shelf| (shelf.chart.kind(), shelf.chart.id(self.row)));
        let frame = if kind == on { Frame::matched(base, on) } else { Frame::included(base, kind) };
        self.body(shelves, [&frame.open, id, frame.middle].concat(), frame.close)
    }

    fn shelf(self, shelves: &FetchedShelves) -> Option<&Shelf> {
        shelves.get(self.shelf).map(|(_, shelf)| &**shelf)
    }

    /// The text of the row, with a text before and behind it.
    fn body(self, shelves: &FetchedShelves, before: String, after: &'static str) -> Result<BodyRef, StoreError> {
        let missing = || StoreError::Unavailable("a page of a shelf is missing".to_owned());
        let place = self.shelf(shelves).ok_or_else(missing)?.chart.body(self.row);
        match place.map_err(|error| StoreError::Unavailable(error.0))? {
            BodyPlace::Read(page, range) => BodyRef::of(page, range, before, after).ok_or_else(missing),
            BodyPlace::Unread(_) => Err(missing()),
        }
    }
}

/// The charts of shelves as a search looks at them.
fn views<'a>(shelves: &'a FetchedShelves, clauses: &[&'a Clause], sort: &[SortRule]) -> Vec<View<'a>> {
    shelves.iter().map(|(_, shelf)| View::new(&shelf.chart, clauses.iter().copied(), sort)).collect()
}

/// The row of a resource that may be read, and the patients to whom it belongs.
fn sole(ask: &Permitted<Reference>, access_lists: &AccessLists, shelves: &FetchedShelves) -> Option<(Chosen, Vec<Id>)> {
    let clauses = || ask.rules().iter().flat_map(|rule| &rule.only);
    let views: Vec<_> = shelves.iter().map(|(_, shelf)| View::new(&shelf.chart, clauses(), &[])).collect();
    views.iter().enumerate().find_map(|(shelf, view)| {
        let row = open(ask, access_lists, view.find(ask.question()))?;
        Some((Chosen { shelf, row: row.row }, patients_of(std::iter::once(row))))
    })
}
