//! Answers from shelves in a key-value store. A question about one patient is one read of one value, and none where the
//! isolate still holds it; whom a user may see is asked of the database at the same time.

mod cache;
mod cut;
mod key;
mod reading;

use std::collections::BTreeSet;
use std::rc::Rc;

pub use cache::ShelfCache;
pub use cut::Cut;
pub use key::{MANIFEST, Manifest, home, index, is_whole, names, part, shelf, spread};
use reading::{Fetched, Reading, Trays, tray_key};

use super::both::both;
use super::look::{Candidates, Looked, Roster, Rosters, look, open, patients_of};
use super::shelf::{Body, Place, ShelfError, View, followed};
use super::sql::{Database, Rows, Statement};
use super::{Cost, Held, Page, Read, RecordStore, StoreError};
use crate::fhir::{Frame, Id, Reference};
use crate::search::Query;
use crate::smart::{Opening, Permitted, Reach};

/// A store of values by keys.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Shelves {
    /// A value of which perhaps not everything is wanted.
    type Source: Source;

    /// The values of some keys, asked for at once; nothing for those that are not there.
    ///
    /// # Errors
    /// Where it does not answer.
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError>;

    /// The value of a key, to be read from its beginning; nothing where it is not there.
    ///
    /// # Errors
    /// Where it does not answer.
    async fn open(&self, key: &str) -> Result<Option<Self::Source>, ShelfError>;
}

/// A value that is read from its beginning, as far as it is wanted. The rest of it does not come.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Source {
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
    type Body = Cut;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Cut>, StoreError> {
        let openings = || ask.includes().iter().map(|(_, openings)| openings.as_slice()).chain([ask.openings()]);
        let reading = Reading::of(self);
        loop {
            let rosters = self.rosters(users(openings()));
            let (rosters, shelves) = both(rosters, reading.candidates(ask.ask())).await;
            let (rosters, shelves) = (rosters?, shelves?);
            let looked = chosen(ask, &rosters, after, &shelves);
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

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Cut>, StoreError> {
        let reading = Reading::of(self);
        loop {
            let rosters = self.rosters(users([ask.openings()].into_iter()));
            let (rosters, shelves) = both(rosters, reading.shelf_of(ask)).await;
            let (rosters, shelves) = (rosters?, shelves?);
            let found = sole(ask, &rosters, &shelves);
            let chosen = found.as_ref().map(|(chosen, _)| *chosen);
            let Some(trays) = reading.bodies(&shelves, chosen.iter()).await? else { continue };
            let held = found.and_then(|(chosen, patients)| Some((chosen, patients, &shelves.get(chosen.shelf)?.1)));
            let held = held.map(|(chosen, patients, shelf)| {
                Ok(Held {
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
    async fn rosters(&self, users: BTreeSet<&str>) -> Result<Rosters, StoreError> {
        if users.is_empty() {
            return Ok(Rosters::new());
        }
        let listed = |user: &&str| Statement {
            text: "SELECT a.patient FROM access a WHERE a.user = ?1".to_owned(),
            binds: vec![(*user).to_owned()],
        };
        let answers = self.access.batch(users.iter().map(listed).collect()).await;
        let answers = answers.map_err(|error| StoreError::Unavailable(error.0))?;
        let roster = |rows: &D::Rows| {
            let patients: Vec<_> = (0..rows.count()).filter_map(|row| rows.text(row, "patient")).collect();
            if patients.iter().any(|patient| patient == "*") {
                return Roster::All;
            }
            Roster::These(patients.iter().filter_map(|patient| Id::parse(patient)).collect())
        };
        Ok(users.iter().zip(answers).map(|(user, rows)| ((*user).to_owned(), roster(&rows))).collect())
    }
}

/// The users whose rosters decide.
fn users<'a>(openings: impl Iterator<Item = &'a [Opening]>) -> BTreeSet<&'a str> {
    let user = |opening: &'a Opening| match &opening.reach {
        Reach::Roster(user) => Some(user.as_str()),
        Reach::All | Reach::One(_) => None,
    };
    openings.flatten().filter_map(user).collect()
}

/// A row that was found: the number of its shelf, and its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Chosen {
    shelf: usize,
    row: u32,
}

impl Chosen {
    fn framed(self, shelves: &Fetched, trays: &Trays, frame: &Frame) -> Result<Cut, StoreError> {
        let id = shelves.get(self.shelf).map_or("", |(_, shelf)| shelf.id(self.row));
        self.cut(shelves, trays, [&frame.open, id, frame.middle].concat(), frame.close)
    }

    fn cut(self, shelves: &Fetched, trays: &Trays, before: String, after: &'static str) -> Result<Cut, StoreError> {
        let cut = || {
            let (key, shelf) = shelves.get(self.shelf)?;
            match shelf.body(self.row) {
                Body::Read(value, range) => Cut::of(value, range, before, after),
                Body::Unread(_) => None,
                Body::OnTray(name, range) => {
                    let key = tray_key(key, &name);
                    let tray = trays.iter().find_map(|(other, tray)| (*other == key).then_some(tray))?;
                    Cut::of(Rc::clone(tray), range, before, after)
                }
            }
        };
        cut().ok_or_else(|| StoreError::Unavailable("a shelf is cut short".to_owned()))
    }
}

/// Where a resource stands that may be read, and the patients to whom it belongs.
fn sole(ask: &Permitted<Reference>, rosters: &Rosters, shelves: &Fetched) -> Option<(Chosen, Vec<Id>)> {
    let clauses = || ask.openings().iter().flat_map(|opening| &opening.only);
    let views: Vec<_> = shelves.iter().map(|(_, shelf)| View::new(shelf, clauses(), &[])).collect();
    views.iter().enumerate().find_map(|(shelf, view)| {
        let place = open(ask, rosters, view.find(ask.ask()))?;
        Some((Chosen { shelf, row: place.row }, patients_of(std::iter::once(place))))
    })
}

/// Looks on the shelves.
fn chosen(ask: &Permitted<Query>, rosters: &Rosters, after: Option<&str>, shelves: &Fetched) -> Looked<Chosen> {
    let query = ask.ask();
    let openings = ask.includes().iter().flat_map(|(_, openings)| openings).chain(ask.openings());
    let clauses: Vec<_> = query.all.iter().chain(openings.flat_map(|opening| &opening.only)).collect();
    let views: Vec<_> =
        shelves.iter().map(|(_, shelf)| View::new(shelf, clauses.iter().copied(), &query.sort)).collect();
    // One shelf has its rows in the default order.
    let candidates = Candidates { rows: views.iter().flat_map(View::own), by_rank: views.len() == 1 };
    let Looked { page, included, more, total, patients } =
        look(ask, rosters, after, candidates, |include, page: &[Place<'_, '_>]| followed(&views, include, page));
    let choose = |place: Place<'_, '_>| {
        let shelf = shelves.iter().position(|(_, shelf)| std::ptr::eq(&**shelf, place.shelf()))?;
        Some(Chosen { shelf, row: place.row })
    };
    Looked {
        page: page.into_iter().filter_map(choose).collect(),
        included: included.into_iter().filter_map(choose).collect(),
        more,
        total,
        patients,
    }
}
