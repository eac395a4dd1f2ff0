//! A shelf as candidates for the evaluation. Each clause is evaluated once for each distinct fact, not for each row,
//! and only as far as rows are read.

use std::cell::RefCell;
use std::iter::Peekable;
use std::str::from_utf8;

use super::fact;
use super::open::{ColumnEntries, ColumnEntry, Shelf};
use crate::fhir::{Id, Micros, Reference, ResourceType};
use crate::search::{Clause, Fact, Include, Kind, Param, ParamId, SortRule};
use crate::smart::Owner;
use crate::store::evaluate::{Candidate, is_beside};

/// A shelf with the state of the evaluation of one question.
#[derive(Debug)]
pub struct View<'a> {
    shelf: &'a Shelf,
    judged: Vec<Judged<'a>>,
    starts: Vec<(ParamId, Vec<[Option<Micros>; 2]>)>,
}

impl<'a> View<'a> {
    /// Creates the view of a shelf for a question with these clauses and sort rules.
    #[must_use]
    pub fn new(shelf: &'a Shelf, clauses: impl Iterator<Item = &'a Clause>, sort: &[SortRule]) -> Self {
        Self {
            shelf,
            judged: clauses.map(|clause| Judged::new(shelf, clause)).collect(),
            starts: sort.iter().map(|key| (key.param.id, starts(shelf, key.param))).collect(),
        }
    }

    /// Its own rows.
    pub fn own<'v>(&'v self) -> impl Iterator<Item = ShelfRow<'v, 'a>> {
        self.shelf.own().map(move |row| ShelfRow { view: self, row })
    }

    /// The row of a resource.
    #[must_use]
    pub fn find<'v>(&'v self, reference: &Reference) -> Option<ShelfRow<'v, 'a>> {
        self.shelf.find(reference).map(|row| ShelfRow { view: self, row })
    }
}

/// A row of a shelf.
#[derive(Debug, Clone, Copy)]
pub struct ShelfRow<'v, 'a> {
    view: &'v View<'a>,
    /// Its number.
    pub row: u32,
}

impl<'a> ShelfRow<'_, 'a> {
    /// Its shelf.
    #[must_use]
    pub const fn shelf(&self) -> &'a Shelf {
        self.view.shelf
    }
}

impl<'v> Candidate<'v> for ShelfRow<'v, '_> {
    fn kind(self) -> ResourceType {
        // Every own row has a type. A row without one is never a candidate.
        self.view.shelf.kind(self.row).unwrap_or(ResourceType::Binary)
    }

    fn id(self) -> &'v str {
        self.view.shelf.id(self.row)
    }

    fn sort_key(self) -> &'v str {
        self.view.shelf.sort_key(self.row)
    }

    fn owner(self) -> &'v Owner {
        self.view.shelf.owner(self.row)
    }

    fn satisfies(self, clause: &'v Clause) -> bool {
        let known = self.view.judged.iter().find(|known| std::ptr::eq(known.clause, clause));
        known.map_or_else(|| Judged::new(self.view.shelf, clause).has(self.row), |known| known.has(self.row))
    }

    fn start(self, param: &'static Param, latest: bool) -> Option<Micros> {
        let (_, starts) = self.view.starts.iter().find(|(param_id, _)| *param_id == param.id)?;
        *starts.get(self.row as usize)?.get(usize::from(latest))?
    }
}

/// The rows that an include adds to rows. They are on the same shelves.
pub fn followed<'v, 'a>(views: &'v [View<'a>], include: Include, rows: &[ShelfRow<'v, 'a>]) -> Vec<ShelfRow<'v, 'a>> {
    let mut found = Vec::new();
    for view in views {
        let of_shelf = rows.iter().copied().filter(|place| std::ptr::eq(place.view, view));
        let (ahead, back): (Vec<ShelfRow>, Vec<ShelfRow>) =
            of_shelf.partition(|place| place.kind() == include.param.on);
        if !ahead.is_empty() {
            let mut bits = Bits::none(view.shelf);
            ahead.iter().for_each(|place| bits.set(place.row));
            let pointing = |entry: &ColumnEntry<'_>| entry.rows().any(|row| bits.has(row));
            let links = view.shelf.links(include.param.id).filter(pointing);
            let targets = links.filter_map(|entry| Reference::parse(from_utf8(entry.value).ok()?));
            found.extend(targets.filter(|to| to.kind == include.to).filter_map(|to| view.find(&to)));
        }
        for about in back {
            let target = fact::of_reference(&format!("{}/{}", about.kind(), about.id()));
            let Some(entry) = view.shelf.pointing(include.param.id, &target) else { continue };
            let places = entry.rows().map(|row| ShelfRow { view, row });
            found.extend(places.filter(|place| is_beside(place.owner(), about.owner())));
        }
    }
    found
}

/// The rows that satisfy a clause, as far as they have been evaluated.
#[derive(Debug)]
struct Judged<'a> {
    clause: &'a Clause,
    so_far: RefCell<(Bits, Peekable<ColumnEntries<'a>>)>,
}

impl<'a> Judged<'a> {
    fn new(shelf: &'a Shelf, clause: &'a Clause) -> Self {
        let mut rows = Bits::none(shelf);
        if clause.param.kind == Kind::Id {
            let has_id = |row: &u32| {
                shelf.kind(*row) == Some(clause.param.on)
                    && Id::parse(shelf.id(*row)).is_some_and(|id| clause.is_met_by(&Fact::Id(id)))
            };
            shelf.all().filter(has_id).for_each(|row| rows.set(row));
        }
        Self { clause, so_far: RefCell::new((rows, shelf.facts(clause.param.id).peekable())) }
    }

    /// Returns whether a row satisfies the clause. References are not in the order of rows, so that all are evaluated.
    fn has(&self, row: u32) -> bool {
        let (rows, rest) = &mut *self.so_far.borrow_mut();
        let comes = |entry: &ColumnEntry<'_>| {
            fact::reference(entry.value).is_some() || entry.rows().next().is_none_or(|first| first <= row)
        };
        while let Some(entry) = rest.next_if(comes) {
            if fact::decode(entry.value).is_some_and(|fact| self.clause.is_met_by(&fact)) {
                entry.rows().for_each(|row| rows.set(row));
            }
        }
        rows.has(row) != self.clause.negated
    }
}

/// The earliest and the latest start of the times of a parameter, for each row.
fn starts(shelf: &Shelf, param: &Param) -> Vec<[Option<Micros>; 2]> {
    let mut starts = vec![[None; 2]; shelf.all().len()];
    for entry in shelf.facts(param.id) {
        let Some(start) = fact::span(entry.value).and_then(|span| span.starts()) else { continue };
        for row in entry.rows() {
            if let Some([earliest, latest]) = starts.get_mut(row as usize) {
                *earliest = Some(earliest.map_or(start, |known: Micros| known.min(start)));
                *latest = (*latest).max(Some(start));
            }
        }
    }
    starts
}

/// A set of rows.
#[derive(Debug, Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(shelf: &Shelf) -> Self {
        Self(vec![0; shelf.all().len().div_ceil(64)])
    }

    fn set(&mut self, row: u32) {
        if let Some(word) = self.0.get_mut(row as usize / 64) {
            *word |= 1 << (row % 64);
        }
    }

    fn has(&self, row: u32) -> bool {
        self.0.get(row as usize / 64).is_some_and(|word| word & (1 << (row % 64)) != 0)
    }
}
