//! The store that the configuration names, be it D1 or KV, behind one type: so that what stands on it is compiled once.

use js_sys::JsString;
use worker::Env;

use super::d1::{Access, D1};
use super::env::{Isolate, Where};
use super::kv::Kv;
use crate::fhir::Reference;
use crate::search::Query;
use crate::smart::Permitted;
use crate::store::kv::Cut;
use crate::store::{Cost, Held, KvStore, Page, Read, SqlStore, Store, StoreError};

/// The records.
pub enum Records<'a> {
    /// In D1.
    D1(SqlStore<D1>),
    /// On shelves in KV; D1 says who may see them.
    Kv(KvStore<'a, Kv, Access>),
}

/// A stored text on its way out.
pub enum Text {
    /// A JavaScript string, which never enters wasm.
    There(JsString),
    /// A slice of a value in wasm.
    Here(Cut),
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        match text {
            Text::There(text) => text.into(),
            Text::Here(cut) => cut.into(),
        }
    }
}

impl<'a> Records<'a> {
    /// The records that the configuration names, at that time in seconds.
    ///
    /// # Errors
    /// Where a binding is missing.
    pub fn of(env: &Env, isolate: &'a Isolate, now: i64) -> worker::Result<Self> {
        let base = isolate.settings.base.clone();
        let database = D1::nearest(env)?;
        Ok(match isolate.records {
            Where::D1 => Self::D1(SqlStore::new(database, base)),
            Where::Kv => Self::Kv(KvStore::new(Kv::of(env)?, Access(database), base, &isolate.shelves, now)),
        })
    }
}

fn page<B>(page: Page<B>, text: impl Fn(B) -> Text) -> Page<Text> {
    let Page { matches, included, more, total, cost } = page;
    let [matches, included] = [matches, included].map(|entries| entries.into_iter().map(&text).collect());
    Page { matches, included, more, total, cost }
}

fn read<B>(read: Read<B>, text: impl Fn(B) -> Text) -> Read<Text> {
    let held = |Held { body, version, modified }| Held { body: text(body), version, modified };
    Read { found: read.found.map(held), cost: read.cost }
}

impl Store for Records<'_> {
    type Body = Text;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Text>, StoreError> {
        match self {
            Self::D1(store) => store.search(ask, after).await.map(|found| page(found, Text::There)),
            Self::Kv(store) => store.search(ask, after).await.map(|found| page(found, Text::Here)),
        }
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Text>, StoreError> {
        match self {
            Self::D1(store) => store.read(ask).await.map(|found| read(found, Text::There)),
            Self::Kv(store) => store.read(ask).await.map(|found| read(found, Text::Here)),
        }
    }

    async fn ready(&self) -> Result<(), StoreError> {
        match self {
            Self::D1(store) => store.ready().await,
            Self::Kv(store) => store.ready().await,
        }
    }

    fn missed(&self) -> Cost {
        match self {
            Self::D1(store) => store.missed(),
            Self::Kv(store) => store.missed(),
        }
    }
}
