//! Answers from shelves in a key-value store. A search of one patient's records reads one value, or none if it is in
//! the isolate's cache. Access lists are read at the same time.

mod cache;
mod key;
mod reader;
mod shelf;

pub use cache::ShelfCache;
pub use key::{MANIFEST, Manifest, index, location, part, shelf};
pub use reader::Shelves;
pub use shelf::{PackedShelf, Shelf, ShelfError, format_field};

use self::reader::ShelfReader;
use super::access_lists::{AccessListReader, lists_of, patient_of};
use super::search_charts::{read_chart, retry, search_charts, search_each_chart};
use super::search_plan::{SearchPlan, rules};
use super::{Cost, Dependency, Page, Read, StoreError, UncheckedStore};
use chart::BodyRef;
use database::Database;
use fhir::Reference;
use search::Query;
use smart::Permitted;

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
    /// Creates a store over these shelves, whose entries have URLs below the FHIR base `base`. `cache` is the cache of
    /// the isolate, and `now` the time of the call in seconds.
    pub const fn new(
        shelves: S,
        access_lists: AccessListReader<'a, D>,
        base: String,
        cache: &'a ShelfCache,
        now: i64,
    ) -> Self {
        Self { shelves, access_lists, base, cache, now }
    }

    const fn reader(&self) -> ShelfReader<'_, S> {
        ShelfReader::new(&self.shelves, self.cache, self.now)
    }
}

impl<S: Shelves, D: Database> UncheckedStore for KvStore<'_, S, D> {
    type Body = BodyRef;

    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<BodyRef>, StoreError> {
        let plan = SearchPlan::of(permitted);
        retry(async || {
            let patients = permitted.request().patients.as_deref();
            let listing = self.access_lists.read(lists_of(plan.rules.iter().copied()), patients);
            search_charts(&&self.reader(), &plan, &self.base, after, listing).await
        })
        .await
    }

    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<BodyRef>, StoreError> {
        let patients = searches.first().and_then(|permitted| permitted.request().patients.as_deref());
        retry(async || {
            let listing = self.access_lists.read(lists_of(searches.iter().flat_map(rules)), patients);
            search_each_chart(&&self.reader(), searches, &self.base, after, listing).await
        })
        .await
    }

    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<BodyRef>, StoreError> {
        retry(async || {
            let listing = self.access_lists.read(lists_of([permitted.rules()].into_iter()), patient_of(permitted));
            read_chart(&&self.reader(), permitted, listing).await
        })
        .await
    }

    async fn dependencies(&self) -> Vec<Dependency> {
        self.cache.forget(MANIFEST);
        let manifest = self.reader().manifest().await;
        vec![Dependency::of("charts", manifest.map(|_| ()).map_err(|error| error.to_string()))]
    }

    fn miss_cost(&self) -> Cost {
        Cost::Kv { reads: 1 }
    }
}
