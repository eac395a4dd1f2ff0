//! The configured store of records, D1 or KV, as one type, so that the code that uses it is compiled once.

use super::d1::D1;
use super::env::{Isolate, StoreKind};
use super::kv::Kv;
use super::text::Text;
use api::Moment;
use chart::BodyRef;
use fhir::Reference;
use search::Query;
use smart::Permitted;
use store::{
    AccessListReader, Corrections, Cost, Dependency, KvStore, Page, Read, SqlStore, StoreError, StoredResource,
    UncheckedStore,
};

/// The store of the records.
pub enum ConfiguredStore<'a> {
    /// Charts and rows in D1.
    D1(SqlStore<'a, D1<'a>, D1<'a>>),
    /// Shelves in KV, with access lists in D1.
    Kv(KvStore<'a, Kv, D1<'a>>),
}

impl<'a> ConfiguredStore<'a> {
    /// Returns the configured store, at the moment of the call.
    pub fn of(isolate: &'a Isolate, moment: &Moment) -> Self {
        let now = moment.seconds();
        let base = isolate.settings.base.clone();
        let primary = D1::primary(&isolate.auth_database);
        let access_lists = AccessListReader::new(primary, &isolate.access_lists, now);
        match &isolate.records {
            StoreKind::D1 => {
                let databases = isolate.record_databases();
                Self::D1(SqlStore::new(databases, access_lists, base, &isolate.charts, moment.now))
            }
            StoreKind::Kv(kv) => Self::Kv(KvStore::new(kv.clone(), access_lists, base, &isolate.shelves, now)),
        }
    }
}

fn page(page: Page<BodyRef>) -> Page<Text> {
    let Page { matches, included, cut, leading_out, page_end, total, types, patients, versions, cost } = page;
    let [matches, included] = [matches, included].map(|bodies| bodies.into_iter().map(Text::Wasm).collect());
    Page { matches, included, cut, leading_out, page_end, total, types, patients, versions, cost }
}

fn read(read: Read<BodyRef>) -> Read<Text> {
    let stored = |StoredResource { body, version, modified, patients }| StoredResource {
        body: Text::Wasm(body),
        version,
        modified,
        patients,
    };
    Read { found: read.found.map(stored), cost: read.cost }
}

impl UncheckedStore for ConfiguredStore<'_> {
    type Body = Text;

    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<Text>, StoreError> {
        match self {
            Self::D1(store) => store.search(permitted, after).await,
            Self::Kv(store) => store.search(permitted, after).await.map(page),
        }
    }

    async fn search_each(&self, searches: &[Permitted<Query>], after: Option<&str>) -> Result<Page<Text>, StoreError> {
        match self {
            Self::D1(store) => store.search_each(searches, after).await,
            Self::Kv(store) => store.search_each(searches, after).await.map(page),
        }
    }

    async fn versions(&self, searches: &[Permitted<Query>]) -> Result<Option<(Vec<i64>, Cost)>, StoreError> {
        match self {
            Self::D1(store) => store.versions(searches).await,
            Self::Kv(_) => Ok(None),
        }
    }

    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<Text>, StoreError> {
        match self {
            Self::D1(store) => store.read(permitted).await,
            Self::Kv(store) => store.read(permitted).await.map(read),
        }
    }

    fn corrections(&self) -> Option<&Corrections> {
        match self {
            Self::D1(store) => store.corrections(),
            Self::Kv(store) => store.corrections(),
        }
    }

    async fn dependencies(&self) -> Vec<Dependency> {
        match self {
            Self::D1(store) => store.dependencies().await,
            Self::Kv(store) => store.dependencies().await,
        }
    }

    fn miss_cost(&self) -> Cost {
        match self {
            Self::D1(store) => store.miss_cost(),
            Self::Kv(store) => store.miss_cost(),
        }
    }
}
