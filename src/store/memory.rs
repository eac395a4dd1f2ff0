//! Answers by looking: every resource with its facts in memory. The reference for all other stores, the store of the
//! browser, and what a patient's shelf becomes when it is opened.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::settled::Settled;
use super::{Cost, Held, Page, Read, Store, StoreError};
use crate::fhir::{Frame, Id, Reference, ResourceType};
use crate::search::{Clause, Criterion, Fact, Include, Kind, Param, Query, SortKey, Total};
use crate::smart::{Opening, Owner, Permitted, Reach};

/// Whom a user may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roster {
    /// Every patient.
    All,
    /// These.
    These(BTreeSet<Id>),
}

/// A store that holds everything itself.
#[derive(Debug, Default)]
pub struct MemoryStore {
    base: String,
    /// By type, then by rank.
    rows: Vec<Settled>,
    by_id: HashMap<(ResourceType, Id), usize>,
    lanes: HashMap<(ResourceType, Id), Vec<usize>>,
    /// What points to a resource by a parameter that may be followed back.
    targeted: HashMap<String, Vec<usize>>,
    rosters: HashMap<String, Roster>,
    revoked: HashSet<String>,
}

impl MemoryStore {
    /// A store of these resources, whose entries are addressed under the FHIR base `base`. Of two with the same type and
    /// id, the later counts.
    #[must_use]
    pub fn new(base: String, settled: impl IntoIterator<Item = Settled>) -> Self {
        let mut latest: HashMap<(ResourceType, Id), Settled> = HashMap::new();
        for row in settled {
            latest.insert((row.kind, row.id.clone()), row);
        }
        let mut rows: Vec<_> = latest.into_values().collect();
        rows.sort_by(|a, b| (a.kind, &a.rank).cmp(&(b.kind, &b.rank)));
        let mut store = Self { base, ..Self::default() };
        for (at, row) in rows.iter().enumerate() {
            store.by_id.insert((row.kind, row.id.clone()), at);
            if let Owner::Patients(patients) = &row.owner {
                for patient in patients {
                    store.lanes.entry((row.kind, patient.clone())).or_default().push(at);
                }
            }
            if row.kind == ResourceType::Provenance {
                for fact in row.facts.iter().map(|(_, fact)| fact) {
                    if let Fact::Reference(target) = fact {
                        store.targeted.entry(target.clone()).or_default().push(at);
                    }
                }
            }
        }
        Self { rows, ..store }
    }

    /// The same store with these too.
    #[must_use]
    pub fn with(self, settled: impl IntoIterator<Item = Settled>) -> Self {
        let Self { base, rows, rosters, revoked, .. } = self;
        Self { rosters, revoked, ..Self::new(base, rows.into_iter().chain(settled)) }
    }

    /// Says whom a user may see.
    pub fn enrol(&mut self, user: &str, roster: Roster) {
        self.rosters.insert(user.to_owned(), roster);
    }

    /// Ends an authorization.
    pub fn revoke(&mut self, grant: &str) {
        self.revoked.insert(grant.to_owned());
    }

    /// Every resource, by type and rank.
    #[must_use]
    pub fn rows(&self) -> &[Settled] {
        &self.rows
    }

    /// The resource of that reference.
    #[must_use]
    pub fn row(&self, reference: &Reference) -> Option<&Settled> {
        self.rows.get(*self.by_id.get(&(reference.kind, reference.id.clone()))?)
    }

    /// The answer to a search.
    ///
    /// # Errors
    /// Where the grant has been revoked.
    pub fn look(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<String>, StoreError> {
        self.check(ask.grant())?;
        let query = ask.ask();
        let (keys, descending) = query.sort_keys();
        let mut hits: Vec<(String, &Settled)> = self
            .candidates(query)
            .filter(|row| self.opens(ask.openings(), row))
            .filter(|row| query.all.iter().all(|clause| satisfies(row, clause)))
            .map(|row| (place(query, &keys, row), row))
            .collect();
        let width = keys.len() * crate::search::Rank::ID_AT;
        let order = |a: &str, b: &str| compare(a, b, width, descending);
        if !query.sort.is_empty() {
            hits.sort_by(|(a, _), (b, _)| order(a, b));
        }
        let total = hits.len() as u64;
        let behind = |place: &str| match after {
            None => true,
            Some(after) if query.sort.is_empty() => place > after,
            Some(after) => order(place, after) == Ordering::Greater,
        };
        let rest = hits.into_iter().filter(|(place, _)| behind(place)).collect::<Vec<_>>();
        let count = if query.count_only { 0 } else { query.count };
        let page = rest.get(..count.min(rest.len())).unwrap_or_default();
        let more = (rest.len() > page.len() && !query.count_only).then(|| page.last().map(|(place, _)| place.clone()));
        let known = query.total == Total::WhereKnown && after.is_none() && more.is_none();
        let frame = Frame::matched(&self.base, query.on);
        let matches = page.iter().map(|(_, row)| frame.around(row.id.as_str(), &row.body));
        let included = if query.count_only {
            Vec::new()
        } else {
            ask.include_groups().flat_map(|group| self.included(page, query.on, &group)).collect()
        };
        Ok(Page {
            matches: matches.collect(),
            included,
            more: more.flatten(),
            total: (query.count_only || query.total == Total::Accurate || known).then_some(total),
            cost: Cost::default(),
        })
    }

    /// The answer to a read.
    ///
    /// # Errors
    /// Where the grant has been revoked.
    pub fn find(&self, ask: &Permitted<Reference>) -> Result<Read<String>, StoreError> {
        self.check(ask.grant())?;
        let row = self.row(ask.ask()).filter(|row| self.opens(ask.openings(), row));
        let held = |row: &Settled| Held {
            body: row.body.clone(),
            version: row.version.clone(),
            modified: row.modified.clone(),
        };
        Ok(Read { found: row.map(held), cost: Cost::default() })
    }

    fn check(&self, grant: Option<&str>) -> Result<(), StoreError> {
        if grant.is_some_and(|grant| self.revoked.contains(grant)) { Err(StoreError::Revoked) } else { Ok(()) }
    }

    /// Those that can match, in the default order: of the patients that are asked for, with the ids, or of the type.
    fn candidates<'a>(&'a self, query: &'a Query) -> Box<dyn Iterator<Item = &'a Settled> + 'a> {
        if let Some(patients) = &query.patients {
            let lanes = patients.iter().filter_map(|patient| self.lanes.get(&(query.on, patient.clone())));
            let mut places: Vec<usize> = lanes.flatten().copied().collect();
            places.sort_unstable();
            // What belongs to several patients is in no patient's record.
            return Box::new(
                places.into_iter().filter_map(|at| self.rows.get(at)).filter(|row| row.owner.sole().is_some()),
            );
        }
        if let Some(clause) = query.all.iter().find(|clause| clause.param.kind == Kind::Id) {
            let mut places: Vec<usize> = clause.any.iter().filter_map(|c| self.place_of(query.on, c)).collect();
            places.sort_unstable();
            return Box::new(places.into_iter().filter_map(|at| self.rows.get(at)));
        }
        Box::new(self.of_kind(query.on).filter_map(|at| self.rows.get(at)))
    }

    fn place_of(&self, kind: ResourceType, criterion: &Criterion) -> Option<usize> {
        let Criterion::Id(id) = criterion else { return None };
        self.by_id.get(&(kind, id.clone())).copied()
    }

    fn of_kind(&self, kind: ResourceType) -> Range<usize> {
        self.rows.partition_point(|row| row.kind < kind)..self.rows.partition_point(|row| row.kind <= kind)
    }

    /// What one parameter includes, each resource once, by its reference.
    fn included(
        &self,
        page: &[(String, &Settled)],
        on: ResourceType,
        group: &[&(Include, Vec<Opening>)],
    ) -> Vec<String> {
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        for (include, openings) in group {
            let frame = Frame::included(&self.base, include.brings(on));
            for (_, row) in page {
                for other in self.followed(*include, row).filter(|other| self.opens(openings, other)) {
                    let entry = || frame.around(other.id.as_str(), &other.body);
                    found.entry(format!("{}/{}", other.kind, other.id)).or_insert_with(entry);
                }
            }
        }
        found.into_values().collect()
    }

    /// The resources at the other end of a reference.
    fn followed<'a>(&'a self, include: Include, row: &'a Settled) -> Box<dyn Iterator<Item = &'a Settled> + 'a> {
        if include.param.on == row.kind {
            let of_include = move |link: &&(&Param, Reference)| link.0 == include.param && link.1.kind == include.to;
            return Box::new(row.links.iter().filter(of_include).filter_map(|(_, target)| self.row(target)));
        }
        let places = self.targeted.get(&format!("{}/{}", row.kind, row.id)).into_iter().flatten();
        // What is about a resource stands beside it in its patient's record.
        Box::new(places.filter_map(|at| self.rows.get(*at)).filter(|other| is_beside(other, row)))
    }

    fn opens(&self, openings: &[Opening], row: &Settled) -> bool {
        openings.iter().any(|opening| {
            self.reaches(&opening.reach, &row.owner) && opening.only.iter().all(|clause| satisfies(row, clause))
        })
    }

    fn reaches(&self, reach: &Reach, owner: &Owner) -> bool {
        match (reach, owner) {
            (Reach::All, _) | (_, Owner::Everyone) => true,
            (Reach::One(patient), Owner::Patients(_)) => owner.sole() == Some(patient),
            (Reach::Roster(user), Owner::Patients(patients)) => match self.rosters.get(user) {
                Some(Roster::All) => true,
                Some(Roster::These(listed)) => !patients.is_empty() && patients.is_subset(listed),
                None => false,
            },
        }
    }
}

impl Store for MemoryStore {
    type Body = String;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<String>, StoreError> {
        self.look(ask, after)
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<String>, StoreError> {
        self.find(ask)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn is_beside(provenance: &Settled, row: &Settled) -> bool {
    match (&provenance.owner, row.owner.sole()) {
        (Owner::Patients(patients), Some(patient)) => patients.contains(patient),
        (owner, None) => owner.sole().is_none(),
        (Owner::Everyone, Some(_)) => false,
    }
}

fn satisfies(row: &Settled, clause: &Clause) -> bool {
    row.facts_of(clause.param).any(|fact| clause.any.iter().any(|criterion| criterion.holds(fact)))
}

fn place(query: &Query, keys: &[SortKey], row: &Settled) -> String {
    if query.sort.is_empty() { row.rank.as_str().to_owned() } else { row.place(keys) + row.id.as_str() }
}

/// Compares two places: by their keys, then by their ids.
fn compare(a: &str, b: &str, width: usize, descending: bool) -> Ordering {
    let (a, b) = (a.split_at_checked(width).unwrap_or((a, "")), b.split_at_checked(width).unwrap_or((b, "")));
    let ids = if descending { b.1.cmp(a.1) } else { a.1.cmp(b.1) };
    a.0.cmp(b.0).then(ids)
}
