//! Answers from shelves in a key-value store. A question about one patient takes one read of one value, and none if the
//! isolate has it in its cache. Access lists are read at the same time.

mod cache;
mod key;
mod reader;
mod shelf;

use futures_util::future::join;

pub use cache::ShelfCache;
use key::is_part;
pub use key::{MANIFEST, Manifest, index, location, part, shelf};
use reader::{FetchedShelves, Reading};
pub use shelf::{PackedShelf, Shelf, ShelfError, format_field};

use super::access_lists::{AccessListReader, all_clauses, all_rules, patient_of, told, users};
use super::chart::{BodyRef, ChartRow, View, added};
use super::evaluate::{Candidate, Candidates, evaluate, include, open, patients_of};
use super::indexed_params::{check_chart, needed, needed_by_filters};
use super::{Cost, Dependency, Page, Read, RecordStore, StoreError, StoredResource};
use crate::database::Database;
use crate::fhir::{Frame, Reference};
use crate::search::{Clause, Query, SortRule};
use crate::smart::Permitted;

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
    access_lists: AccessListReader<'a, D>,
    base: String,
    cache: &'a ShelfCache,
    now: i64,
}

impl<'a, S, D> KvStore<'a, S, D> {
    /// Creates a store over these shelves, whose entries have URLs below the FHIR base `base`. `cache` is that of the
    /// isolate, and `now` the time of the call in seconds.
    pub const fn new(
        shelves: S,
        access_lists: AccessListReader<'a, D>,
        base: String,
        cache: &'a ShelfCache,
        now: i64,
    ) -> Self {
        Self { shelves, access_lists, base, cache, now }
    }
}

impl<S: Shelves, D: Database> RecordStore for KvStore<'_, S, D> {
    type Body = BodyRef;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<BodyRef>, StoreError> {
        let query = ask.question();
        let reading = Reading::of(self);
        let access_lists = self.access_lists.read(users(all_rules(ask)), query.patients.as_deref());
        let (access_lists, matching) = join(access_lists, reading.candidates(query)).await;
        let (access_lists, matching) = (access_lists?, matching?);
        let (clauses, needed) = (all_clauses(ask), needed(ask));
        let check = |shelves: &FetchedShelves| {
            shelves
                .iter()
                .map(|(_, shelf)| &shelf.chart)
                .try_for_each(|chart| check_chart(chart, chart.rows(), &needed, all_rules(ask), &access_lists))
        };
        check(&matching)?;
        let charts = views(&matching, &clauses, &query.sort);
        // A resource of several patients is in none of their records. It is a match where it is in a part of its type.
        let rows = matching.iter().zip(&charts).flat_map(|((key, _), chart)| {
            let in_part = query.patients.is_none() && is_part(key);
            chart.rows().filter(move |row| in_part || row.owner().sole().is_some())
        });
        // One chart has its rows in the default order.
        let found = evaluate(ask, &access_lists, after, Candidates { rows, by_sort_key: charts.len() == 1 });
        let other = reading.for_includes(ask, &found.page).await?;
        check(&other)?;
        let other_charts = views(&other, &clauses, &[]);
        let included = include(ask, &access_lists, &found.page, |include, page| added(&other_charts, include, page));
        reading.texts(&matching, &found.page).await?;
        reading.texts(&other, &included).await?;
        let owners = found.page.iter().map(|row| row.owner()).chain(included.iter().map(|row| row.owner()));
        let patients = patients_of(owners);
        let matched = Frame::matched(&self.base, query.on);
        let entry = |row: &ChartRow<'_, '_>| {
            BodyRef::entry(*row, &Frame::included(&self.base, row.kind())).map_err(StoreError::from)
        };
        Ok(Page {
            matches: found
                .page
                .iter()
                .map(|row| BodyRef::entry(*row, &matched).map_err(StoreError::from))
                .collect::<Result<_, _>>()?,
            included: included.iter().map(entry).collect::<Result<_, _>>()?,
            page_end: found.page_end,
            total: found.total,
            patients,
            cost: told(reading.cost(), all_rules(ask), &access_lists),
        })
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<BodyRef>, StoreError> {
        let reading = Reading::of(self);
        let access_lists = self.access_lists.read(users([ask.rules()].into_iter()), patient_of(ask));
        let (access_lists, shelves) = join(access_lists, reading.shelf_of(ask)).await;
        let (access_lists, shelves) = (access_lists?, shelves?);
        let clauses: Vec<_> = ask.rules().iter().flat_map(|rule| &rule.only).collect();
        let needed = needed_by_filters(ask.rules());
        for chart in shelves.iter().map(|(_, shelf)| &shelf.chart) {
            let row = chart.find(ask.question().id.as_str());
            check_chart(chart, row.into_iter(), &needed, [ask.rules()].into_iter(), &access_lists)?;
        }
        let charts = views(&shelves, &clauses, &[]);
        let Some(row) = charts.iter().find_map(|chart| open(ask, &access_lists, chart.find(ask.question()))) else {
            return Ok(Read { found: None, cost: reading.cost() });
        };
        reading.texts(&shelves, &[row]).await?;
        let found = StoredResource {
            body: BodyRef::of_row(row, String::new(), "")?,
            version: row.chart().version(row.row),
            modified: row.chart().modified(row.row),
            patients: patients_of(std::iter::once(row.owner())),
        };
        Ok(Read { found: Some(found), cost: reading.cost() })
    }

    async fn dependencies(&self) -> Vec<Dependency> {
        self.cache.forget(MANIFEST);
        let manifest = Reading::of(self).manifest().await;
        vec![Dependency::of("charts", manifest.map(|_| ()).map_err(StoreError::into_detail))]
    }

    fn missed(&self) -> Cost {
        Cost::Kv { reads: 1 }
    }
}

/// The charts of shelves as a search looks at them.
fn views<'a>(shelves: &'a FetchedShelves, clauses: &[&'a Clause], sort: &[SortRule]) -> Vec<View<'a>> {
    shelves.iter().map(|(_, shelf)| View::new(&shelf.chart, clauses.iter().copied(), sort)).collect()
}
