//! Answers from shelves in a key-value store. A question about one patient is one read of one value, and none where the
//! isolate still holds it; the check that the grant stands goes to the database at the same time.

mod both;
mod cache;
mod cut;
mod key;
mod standing;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use both::both;
use cache::Kept;
pub use cache::ShelfCache;
pub use cut::Cut;
pub use key::{MANIFEST, Manifest, home, index, is_whole, names, part, shelf, spread};

use super::look::{Looked, Roster, Rosters, look, open};
use super::order::sorted;
use super::shelf::{Place, Shelf, ShelfError, View, followed, foreign};
use super::sql::{Database, Rows, Statement};
use super::{Cost, Held, Page, Read, Store, StoreError};
use crate::fhir::{Frame, Id, Reference, ResourceType};
use crate::search::{Kind, Query};
use crate::smart::{Opening, Permitted, Reach, is_directory};

/// The values that one question may read: an invocation of a Worker has 1,000 requests, and its isolate 128 MB.
const MOST_READS: usize = 300;
const MOST_BYTES: usize = 48 << 20;
/// Values that are asked for at once.
const AT_ONCE: usize = 16;

/// A store of values by keys.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Shelves {
    /// The values of some keys, asked for at once; nothing for those that are not there.
    ///
    /// # Errors
    /// Where it does not answer.
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
    /// A store over these shelves, whose entries are addressed under the FHIR base `base`. `access` knows which grants
    /// stand and whom users may see; `cache` is the isolate's, and `now` the time of the call in seconds.
    pub const fn new(shelves: S, access: D, base: String, cache: &'a ShelfCache, now: i64) -> Self {
        Self { shelves, access, base, cache, now }
    }
}

impl<S: Shelves, D: Database> Store for KvStore<'_, S, D> {
    type Body = Cut;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Cut>, StoreError> {
        let openings = ask.includes().iter().map(|(_, openings)| openings.as_slice()).chain([ask.openings()]);
        let reading = Reading::of(self);
        let (rosters, found) = both(self.rosters(ask.grant(), &users(openings)), reading.candidates(ask.ask())).await;
        let (rosters, shelves) = (rosters?, found?);
        let looked = chosen(ask, &rosters, after, &shelves);
        let trays = reading.trays(&shelves, looked.page.iter().chain(&looked.included)).await?;
        let matched = Frame::matched(&self.base, ask.ask().on);
        let matches = looked.page.iter().map(|chosen| chosen.framed(&shelves, &trays, &matched));
        let included = looked.included.iter().map(|chosen| {
            let kind = shelves.get(chosen.shelf).and_then(|(_, shelf)| shelf.kind(chosen.row));
            chosen.framed(&shelves, &trays, &Frame::included(&self.base, kind.unwrap_or(ask.ask().on)))
        });
        Ok(Page {
            matches: matches.collect::<Result<_, _>>()?,
            included: included.collect::<Result<_, _>>()?,
            more: looked.more,
            total: looked.total,
            cost: reading.cost(),
        })
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Cut>, StoreError> {
        let reading = Reading::of(self);
        let users = users([ask.openings()].into_iter());
        let (rosters, found) = both(self.rosters(ask.grant(), &users), reading.shelf_of(ask)).await;
        let (rosters, shelves) = (rosters?, found?);
        let clauses = || ask.openings().iter().flat_map(|opening| &opening.only);
        let views: Vec<_> = shelves.iter().map(|(_, shelf)| View::new(shelf, clauses(), &[])).collect();
        let row = views.iter().enumerate().find_map(|(shelf, view)| {
            open(ask, &rosters, view.find(ask.ask())).map(|place| Chosen { shelf, row: place.row })
        });
        let Some(chosen) = row else { return Ok(Read { found: None, cost: reading.cost() }) };
        let trays = reading.trays(&shelves, [chosen].iter()).await?;
        let bare = Frame { open: String::new(), middle: "", close: "" };
        let held = match shelves.get(chosen.shelf) {
            None => None,
            Some((_, shelf)) => Some(Held {
                body: chosen.cut(&shelves, &trays, bare.open, bare.close)?,
                version: shelf.version(chosen.row).to_owned(),
                modified: shelf.modified(chosen.row).map(str::to_owned),
            }),
        };
        Ok(Read { found: held, cost: reading.cost() })
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
    /// Whom these users may see, behind the check that the grant stands: one batch, and none where there is nothing to ask or
    /// the grant stood seconds ago.
    async fn rosters(&self, grant: Option<&str>, users: &BTreeSet<&str>) -> Result<Rosters, StoreError> {
        let listed = |user: &&str| Statement {
            text: "SELECT a.patient FROM access a WHERE a.user = ?1".to_owned(),
            binds: vec![(*user).to_owned()],
        };
        let standing = self.cache.grants();
        // Where something is asked anyway, the grant is asked for too.
        let grant = grant.filter(|id| !users.is_empty() || !standing.stands(id, self.now));
        let batch: Vec<_> = grant.map(Statement::live).into_iter().chain(users.iter().map(listed)).collect();
        if batch.is_empty() {
            return Ok(Rosters::new());
        }
        let asked = standing.asks();
        let answers = self.access.batch(batch).await.map_err(|error| StoreError::Unavailable(error.0))?;
        let mut answers = answers.into_iter();
        if let Some(grant) = grant {
            if answers.next().is_none_or(|rows| rows.count() == 0) {
                return Err(StoreError::Revoked);
            }
            standing.learn(grant, asked, self.now);
        }
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

/// Shelves, by their keys.
type Fetched = Vec<(String, Rc<Shelf>)>;
/// Trays, by their keys.
type Trays = Vec<(String, Rc<Vec<u8>>)>;

impl Chosen {
    fn framed(self, shelves: &Fetched, trays: &Trays, frame: &Frame) -> Result<Cut, StoreError> {
        let id = shelves.get(self.shelf).map_or("", |(_, shelf)| shelf.id(self.row));
        self.cut(shelves, trays, [&frame.open, id, frame.middle].concat(), frame.close)
    }

    fn cut(self, shelves: &Fetched, trays: &Trays, before: String, after: &'static str) -> Result<Cut, StoreError> {
        let cut = || {
            let (key, shelf) = shelves.get(self.shelf)?;
            let value = match shelf.tray(self.row) {
                None => shelf.bytes(),
                Some(name) => {
                    let key = tray_key(key, &name);
                    trays.iter().find_map(|(other, tray)| (*other == key).then_some(tray))?
                }
            };
            Cut::of(value, shelf.body(self.row), before, after)
        };
        cut().ok_or_else(|| StoreError::Unavailable("a shelf is cut short".to_owned()))
    }
}

fn tray_key(shelf: &str, name: &str) -> String {
    format!("{shelf}/{name}")
}

/// Looks on the shelves.
fn chosen(ask: &Permitted<Query>, rosters: &Rosters, after: Option<&str>, shelves: &Fetched) -> Looked<Chosen> {
    let query = ask.ask();
    let openings = ask.includes().iter().flat_map(|(_, openings)| openings).chain(ask.openings());
    let clauses: Vec<_> = query.all.iter().chain(openings.flat_map(|opening| &opening.only)).collect();
    let views: Vec<_> =
        shelves.iter().map(|(_, shelf)| View::new(shelf, clauses.iter().copied(), &query.sort)).collect();
    let candidates = views.iter().flat_map(View::own);
    let Looked { page, included, more, total } =
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
    }
}

/// What one question reads.
struct Reading<'s, 'c, S, D> {
    store: &'s KvStore<'c, S, D>,
    reads: Cell<u64>,
    bytes: Cell<usize>,
}

impl<'s, 'c, S: Shelves, D> Reading<'s, 'c, S, D> {
    const fn of(store: &'s KvStore<'c, S, D>) -> Self {
        Self { store, reads: Cell::new(0), bytes: Cell::new(0) }
    }

    const fn cost(&self) -> Cost {
        Cost::Kv { reads: self.reads.get() }
    }

    /// The shelves on which the matches of a search stand.
    async fn candidates(&self, query: &Query) -> Result<Fetched, StoreError> {
        if let Some(patients) = &query.patients {
            return self.of_patients(patients.iter().map(|patient| shelf(patient, query.on)).collect()).await;
        }
        let manifest = self.manifest().await?;
        let by_index = |kind: Kind| matches!(kind, Kind::Id | Kind::Identifier);
        let clause = query.all.iter().find(|clause| clause.param.identifying && by_index(clause.param.kind));
        let Some(clause) = clause else {
            return self.parts((0..manifest.parts_of(query.on)).map(|number| part(query.on, number)).collect()).await;
        };
        let names: Vec<_> = clause.any.iter().filter_map(|criterion| key::asked(clause.param, criterion)).collect();
        let references = || names.iter().filter_map(|name| Reference::parse(name));
        if clause.param.kind == Kind::Id && is_directory(query.on) {
            return self.parts(distinct(references().filter_map(|reference| manifest.part(&reference)))).await;
        }
        if clause.param.kind == Kind::Id && query.on == ResourceType::Patient {
            return self.of_patients(distinct(references().map(|patient| shelf(&patient.id, query.on)))).await;
        }
        let keys = self.located(&names, query.on, &manifest).await?;
        self.of_patients(keys).await
    }

    /// The shelf on which a resource stands.
    async fn shelf_of(&self, ask: &Permitted<Reference>) -> Result<Fetched, StoreError> {
        let reference = ask.ask();
        if is_directory(reference.kind) {
            let key = self.manifest().await?.part(reference);
            return self.parts(key.into_iter().collect()).await;
        }
        // What a patient's own token reaches stands on that patient's shelf, and a patient stands on its own.
        let sole = |opening: &Opening| match &opening.reach {
            Reach::One(patient) => Some(patient.clone()),
            Reach::All | Reach::Roster(_) => None,
        };
        let patients: Option<Vec<Id>> = if reference.kind == ResourceType::Patient {
            Some(vec![reference.id.clone()])
        } else {
            ask.openings().iter().map(sole).collect()
        };
        if let Some(patients) = patients {
            return self.of_patients(distinct(patients.iter().map(|patient| shelf(patient, reference.kind)))).await;
        }
        let manifest = self.manifest().await?;
        let keys = self.located(&[reference.to_string()], reference.kind, &manifest).await?;
        self.of_patients(keys).await
    }

    /// The keys of the shelves on which the resources of these names stand.
    async fn located(
        &self,
        names: &[String],
        kind: ResourceType,
        manifest: &Manifest,
    ) -> Result<Vec<String>, StoreError> {
        let keys = distinct(names.iter().map(|name| manifest.index_of(name)));
        let mut found = Vec::new();
        for value in self.fetch(&keys, As::Bytes).await? {
            let Kept::Bytes(bytes) = value else { return Err(self.of_another_load()) };
            let text = std::str::from_utf8(&bytes).unwrap_or_default();
            let homes = names.iter().flat_map(|name| key::homes(text, name));
            found.extend(homes.filter_map(|home| key::of_home(home, kind, manifest)));
        }
        Ok(distinct(found.into_iter()))
    }

    /// Patients' shelves. One that is not there is empty, if anything has been loaded.
    async fn of_patients(&self, keys: Vec<String>) -> Result<Fetched, StoreError> {
        let fetched = self.fetch(&keys, As::Shelf).await?;
        if fetched.iter().any(|kept| matches!(kept, Kept::Absent)) {
            self.manifest().await?;
        }
        Ok(keys.into_iter().zip(fetched).filter_map(|(key, kept)| Some((key, as_shelf(kept)?))).collect())
    }

    /// Parts of the shelf of a whole type. All are there, if they are of one load.
    async fn parts(&self, keys: Vec<String>) -> Result<Fetched, StoreError> {
        let fetched = self.fetch(&keys, As::Shelf).await?;
        let shelves = keys.into_iter().zip(fetched).map(|(key, kept)| Some((key, as_shelf(kept)?)));
        shelves.collect::<Option<_>>().ok_or_else(|| self.of_another_load())
    }

    /// The trays on which the bodies of rows lie.
    async fn trays(&self, shelves: &Fetched, rows: impl Iterator<Item = &Chosen>) -> Result<Trays, StoreError> {
        let key = |chosen: &Chosen| {
            let (key, shelf) = shelves.get(chosen.shelf)?;
            Some(tray_key(key, &shelf.tray(chosen.row)?))
        };
        let keys = distinct(rows.filter_map(key));
        if keys.is_empty() {
            return Ok(Trays::new());
        }
        let fetched = self.fetch(&keys, As::Bytes).await?;
        let tray = |(key, kept)| match kept {
            Kept::Bytes(bytes) => Some((key, bytes)),
            Kept::Shelf(_) | Kept::Absent => None,
        };
        keys.into_iter().zip(fetched).map(tray).collect::<Option<_>>().ok_or_else(|| self.of_another_load())
    }

    async fn manifest(&self) -> Result<Manifest, StoreError> {
        match self.fetch(&[MANIFEST.to_owned()], As::Bytes).await?.pop() {
            Some(Kept::Bytes(bytes)) => Manifest::read(&bytes).map_err(|text| {
                self.store.cache.forget(MANIFEST);
                StoreError::Unavailable(text)
            }),
            Some(Kept::Absent | Kept::Shelf(_)) | None => {
                self.store.cache.forget(MANIFEST);
                Err(StoreError::Unavailable("there are no shelves: load them".to_owned()))
            }
        }
    }

    /// A value that must be there is not: another load is on its way.
    fn of_another_load(&self) -> StoreError {
        self.store.cache.forget(MANIFEST);
        StoreError::Unavailable("the shelves are being loaded".to_owned())
    }

    /// The values of some keys, those that the isolate keeps without a read.
    async fn fetch(&self, keys: &[String], form: As) -> Result<Vec<Kept>, StoreError> {
        let mut kept: Vec<Option<Kept>> = keys.iter().map(|key| self.store.cache.get(key, self.store.now)).collect();
        let missing: Vec<usize> = (0..).zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(at, _)| at).collect();
        if self.reads.get() as usize + missing.len() > MOST_READS {
            return Err(StoreError::TooCostly);
        }
        for group in missing.chunks(AT_ONCE) {
            let wanted: Vec<String> = group.iter().filter_map(|at| keys.get(*at).cloned()).collect();
            let values = self.store.shelves.get(&wanted).await.map_err(|error| StoreError::Unavailable(error.0))?;
            self.reads.set(self.reads.get() + wanted.len() as u64);
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
        Ok(kept.into_iter().map(|kept| kept.unwrap_or(Kept::Absent)).collect())
    }

    /// A value in the form that it is wanted in. The manifest says its format itself.
    fn opened(&self, value: Option<Vec<u8>>, form: As, key: &str) -> Result<Kept, StoreError> {
        let Some(bytes) = value else { return Ok(Kept::Absent) };
        self.bytes.set(self.bytes.get() + bytes.len());
        let bytes = Rc::new(bytes);
        let refused = |error: ShelfError| StoreError::Unavailable(error.0);
        match form {
            As::Shelf => Shelf::open(bytes).map(|shelf| Kept::Shelf(Rc::new(shelf))).map_err(refused),
            As::Bytes if key == MANIFEST => Ok(Kept::Bytes(bytes)),
            As::Bytes => foreign(&bytes).map_or(Ok(Kept::Bytes(bytes)), |error| Err(refused(error))),
        }
    }
}

/// How a value is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum As {
    Shelf,
    Bytes,
}

/// Keys, each once.
fn distinct(keys: impl Iterator<Item = String>) -> Vec<String> {
    let keys: Vec<String> = keys.collect();
    let mut keys = sorted(&keys.iter().collect::<Vec<_>>(), &|a, b| a.cmp(b));
    keys.dedup();
    keys.into_iter().cloned().collect()
}

fn as_shelf(kept: Kept) -> Option<Rc<Shelf>> {
    match kept {
        Kept::Shelf(shelf) => Some(shelf),
        Kept::Bytes(_) | Kept::Absent => None,
    }
}
