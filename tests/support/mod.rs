//! Resources that are indexed as in a load, and stores of each kind over them, for all tests.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod app;
pub mod export_server;
pub mod job_server;
pub mod random;
pub mod records;

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use api::{self, Disclosure, Moment, QueryContext, Reply, Throttle, answer_request};
use auth_store::SqlAuthStore;
use base64ct::{Base64UrlUnpadded, Encoding};
use fhir::{Id, ResourceType};
use ingest::{Catalogue, IndexedEntry, Indexer, LoadTarget, NoEarlierLoads, Owners};
use native::{
    Failure, Loader, NoProgress, Sink, SqliteDatabase, SqliteRows, SqliteWriter, database, move_buckets,
    sharded_database, shelve, stretch, tables,
};
use oauth::{Algorithm, Crypto, CryptoError, Fetch, FetchError, FetchedDocument};
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use rusqlite::Connection;
use rusqlite::limits::Limit;
use search::{CursorKey, IndexSet, MAX_COUNT};
use serde_json::Value;
use smart::{Grant, PatientList, ScopeSet};
use store::names::BUCKETS;
use store::sql::{chart_keys, chart_of, whole_chart};
use store::{
    AccessList, AccessListCache, AccessListReader, ChartCache, FreshnessWindow, GrantCheckedStore, GrantStatusCache,
    IndexedResource, KvStore, MemoryStore, RecordDatabases, ShelfCache, ShelfError, Shelves, SqlStore, Store,
};

pub const ORIGIN: &str = "http://edge.test";
pub const BASE: &str = "http://edge.test/fhir/r4";

/// The time of a load in tests: 2001-01-01T00:00:00Z, before every `meta.lastUpdated` in the resources.
pub const LOADED_AT: i64 = 978_307_200_000_000;
/// The clock of tests: 2030-03-17T17:46:40Z, after every `meta.lastUpdated` in the resources.
pub const CLOCK: i64 = 1_900_000_000_000_000;

/// The patients whom users may see.
pub type Access = BTreeMap<PatientList, AccessList>;

/// Indexes resources as a load does, by all parameters.
pub fn index(resources: &[Value]) -> Vec<IndexedEntry> {
    index_by(IndexSet::of_r4(), resources)
}

/// Compares the part of a document from `first` up to `after` with a generated table. `REGENERATE=1` writes the table
/// again.
pub fn check_table(file: &str, first: &str, after: &str, table: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    let (before, rest) = text.split_at(text.find(first).unwrap());
    let (written, rest) = rest.split_at(rest.find(after).unwrap());
    if std::env::var_os("REGENERATE").is_some() {
        std::fs::write(file, [before, table, rest].concat()).unwrap();
    } else if let Some((now, then)) = table.lines().zip(written.lines()).find(|(now, then)| now != then) {
        panic!("{file} has {then:?} in place of {now:?}: REGENERATE=1 writes it anew");
    } else {
        assert_eq!(table.len(), written.len(), "{file}: REGENERATE=1 writes it anew");
    }
}

/// Returns the text of a value as another JSON writer might write it: with blanks, and with escapes in names and texts.
pub fn respelled(value: &Value) -> String {
    let text = |text: &str| {
        let written = text.chars().zip(text.len()..).map(|(c, at)| match c {
            '/' if at % 2 == 0 => "\\/".to_owned(),
            '"' | '\\' => format!("\\{c}"),
            _ if at % 3 == 0 || c.is_control() => {
                c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
            }
            _ => c.to_string(),
        });
        format!("\"{}\"", written.collect::<String>())
    };
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{}\t: {}", text(name), respelled(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(" ,"))
        }
        Value::Array(items) => format!("[ {} ]", items.iter().map(respelled).collect::<Vec<_>>().join(" , ")),
        Value::String(value) => text(value),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Indexes resources, of which every second text is by another writer.
pub fn index_respelled(resources: &[Value]) -> Vec<IndexedEntry> {
    let written =
        |(at, resource): (usize, &Value)| if at % 2 == 0 { respelled(resource) } else { resource.to_string() };
    index_texts(IndexSet::of_r4(), resources, resources.iter().enumerate().map(written))
}

/// Indexes resources by a set of parameters.
pub fn index_by(set: &'static IndexSet, resources: &[Value]) -> Vec<IndexedEntry> {
    index_texts(set, resources, resources.iter().map(Value::to_string))
}

fn index_texts(set: &'static IndexSet, resources: &[Value], texts: impl Iterator<Item = String>) -> Vec<IndexedEntry> {
    let of = |resource: &Value| {
        let resource_type = ResourceType::parse(resource["resourceType"].as_str()?)?;
        Some((resource_type, Id::parse(resource["id"].as_str()?)?))
    };
    let mut catalogue = Catalogue::default();
    for resource in resources {
        if let Some((resource_type, id)) = of(resource) {
            catalogue.add_resource(resource_type, &id, resource, &NoEarlierLoads).unwrap();
        }
    }
    let indexer = Indexer {
        catalogue: &catalogue,
        owners: &Owners::compute(&catalogue, &NoEarlierLoads, BASE),
        earlier: &NoEarlierLoads,
        set,
        base: BASE,
        attachments: "https://documents.example.org",
        now: LOADED_AT,
    };
    let indexed = resources.iter().zip(texts).filter_map(|(resource, text)| {
        let (resource_type, id) = of(resource)?;
        Some(indexer.index(resource_type, &id, resource.clone(), &text).unwrap())
    });
    indexed.collect()
}

/// Returns the resources of the NDJSON files of a folder. `None` if the folder does not exist.
pub fn folder(path: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(path);
    if !path.exists() {
        return None;
    }
    let mut resources = Vec::new();
    for file in native::files(&[path]).unwrap() {
        for document in native::InputDocuments::open(&file).unwrap() {
            let document = document.unwrap();
            for entry in ingest::entries(&document.text, ingest::Intake::Store) {
                resources.push(serde_json::from_str(entry.unwrap().text).unwrap());
            }
        }
    }
    Some(resources)
}

pub fn memory(outcomes: &[IndexedEntry], access: &Access) -> MemoryStore {
    let indexed: Vec<IndexedResource> = outcomes.iter().map(|indexed| indexed.resource.clone()).collect();
    let mut store = MemoryStore::new(BASE.to_owned(), indexed);
    for (list, patients) in access {
        store.enrol(list.clone(), patients.clone());
    }
    store
}

/// The limits of D1 (<https://developers.cloudflare.com/d1/platform/limits/>, and workerd's `sqlite.c++`).
const D1_LIMITS: [(Limit, i32); 5] = [
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 100_000),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 5),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 100),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
];

/// Returns a real SQLite database in memory that has the same records, with the limits of D1.
pub fn sqlite(
    outcomes: &[IndexedEntry],
    access: &Access,
) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    sqlite_by(IndexSet::of_r4(), outcomes, access)
}

pub fn sqlite_by(
    set: &'static IndexSet,
    outcomes: &[IndexedEntry],
    access: &Access,
) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    over_sqlite(loaded_by(set, outcomes, access), access)
}

/// Returns a store over a database, with a separate isolate.
pub fn over_sqlite(records: Connection, access: &Access) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    over_databases(RecordDatabases::one(SqliteDatabase::new(records)), access)
}

fn over_databases(
    databases: RecordDatabases<'static, SqliteDatabase>,
    access: &Access,
) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    let cache: &'static ChartCache<SqliteRows> = Box::leak(Box::new(ChartCache::new(FreshnessWindow::NONE)));
    let lists = tables(Connection::open_in_memory().unwrap()).unwrap();
    give_access(&lists, access);
    guarded(SqlStore::new(databases, reader(lists), BASE.to_owned(), cache, 0))
}

/// A store over records, with the grants in a separate database.
pub type Guarded<R> = GrantCheckedStore<'static, R, SqliteDatabase>;

/// The grant that is active in these stores.
pub const GRANT: &str = "g";

/// Returns a store over these records whose primary has one active grant, [`GRANT`].
pub fn guarded<R>(records: R) -> Guarded<R> {
    let primary = tables(Connection::open_in_memory().unwrap()).unwrap();
    let insert = "INSERT INTO grants (id, client, created_at, expires_at) VALUES (?1, 'app', 0, 1900000000)";
    primary.execute(insert, [GRANT]).unwrap();
    let primary = SqliteDatabase::new(primary);
    GrantCheckedStore::new(records, primary, Box::leak(Box::<GrantStatusCache>::default()), 1_800_000_000)
}

/// Returns shelves of the same records, as the loader makes them from a database.
pub fn shelves(outcomes: &[IndexedEntry], access: &Access) -> Guarded<KvStore<'static, Values, SqliteDatabase>> {
    shelves_by(IndexSet::of_r4(), outcomes, access)
}

pub fn shelves_by(
    set: &'static IndexSet,
    outcomes: &[IndexedEntry],
    access: &Access,
) -> Guarded<KvStore<'static, Values, SqliteDatabase>> {
    let database = loaded_by(set, outcomes, access);
    let mut values = Values::default();
    shelve(&database, &mut values, &mut NoProgress).unwrap();
    over(values, database)
}

/// Returns a store over these values, with a separate isolate.
pub fn over(values: Values, access: Connection) -> Guarded<KvStore<'static, Values, SqliteDatabase>> {
    let cache: &'static ShelfCache = Box::leak(Box::default());
    guarded(KvStore::new(values, reader(access), BASE.to_owned(), cache, 1_800_000_000))
}

/// Returns a reader of access lists from a database, with a separate isolate.
pub fn reader(access: Connection) -> AccessListReader<'static, SqliteDatabase> {
    let cache: &'static AccessListCache = Box::leak(Box::default());
    AccessListReader::new(SqliteDatabase::new(access), cache, 1_800_000_000)
}

/// Values in memory, and the number of their bytes that were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(pub HashMap<String, Vec<u8>>, pub Rc<Cell<usize>>);

impl Shelves for Values {
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError> {
        let values: Vec<_> = keys.iter().map(|key| self.0.get(key).cloned()).collect();
        self.1.set(self.1.get() + values.iter().flatten().map(Vec::len).sum::<usize>());
        Ok(values)
    }
}

impl Sink for Values {
    fn put(&mut self, key: &str, value: &[u8]) -> Result<(), Failure> {
        let old = self.0.insert(key.to_owned(), value.to_vec());
        assert!(old.is_none(), "{key} is written twice");
        Ok(())
    }
}

/// Returns a database that holds these resources, indexed by all parameters.
pub fn loaded(outcomes: &[IndexedEntry], access: &Access) -> Connection {
    loaded_by(IndexSet::of_r4(), outcomes, access)
}

pub fn loaded_by(set: &'static IndexSet, outcomes: &[IndexedEntry], access: &Access) -> Connection {
    let file = tempfile();
    store_all(SqliteWriter::indexing(database(&file).unwrap(), set).unwrap(), outcomes);
    let connection = limited(&file);
    give_access(&connection, access);
    std::fs::remove_file(&file).unwrap();
    connection
}

/// Returns the records in three shards, each of which has every third bucket, and the rows of every third type.
pub fn sharded_by(
    set: &'static IndexSet,
    outcomes: &[IndexedEntry],
    access: &Access,
) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    let files = [tempfile(), tempfile(), tempfile()];
    let mut database = sharded_database(&files[0], &files[1..]).unwrap();
    for shard in [1, 2] {
        let buckets: Vec<u32> = (0..BUCKETS).filter(|bucket| *bucket as usize % 3 == shard).collect();
        move_buckets(&mut database, &buckets, shard, None).unwrap();
    }
    store_all(SqliteWriter::indexing(database, set).unwrap(), outcomes);
    let store = over_shards(&files, access);
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    store
}

/// Returns a store over the files of three shards, with a separate isolate.
pub fn over_shards(
    files: &[PathBuf; 3],
    access: &Access,
) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    let [directory, others @ ..] = files.each_ref().map(|file| SqliteDatabase::new(limited(file)));
    let (primary, map) = (SqliteDatabase::new(limited(&files[0])), Box::leak(Box::default()));
    over_databases(RecordDatabases::sharded(directory, others.into(), primary, map, Box::leak(Box::default())), access)
}

fn store_all(mut writer: SqliteWriter, outcomes: &[IndexedEntry]) {
    for outcome in outcomes {
        writer.store(outcome.clone()).unwrap().unwrap();
    }
    writer.finish().unwrap();
}

/// Returns a connection with the limits of D1.
pub fn limited(file: &Path) -> Connection {
    let connection = Connection::open(file).unwrap();
    for (limit, most) in D1_LIMITS {
        connection.set_limit(limit, most).unwrap();
    }
    connection
}

pub fn give_access(connection: &Connection, access: &Access) {
    for (list, patients) in access {
        let patients = match patients {
            AccessList::All => vec!["*".to_owned()],
            AccessList::These(patients) | AccessList::AllBut(patients) => {
                patients.iter().map(ToString::to_string).collect()
            }
        };
        let (table, name) = match list {
            PatientList::OfUser(user) => ("access", user),
            PatientList::OfPurpose(purpose) => ("opt_out", purpose),
        };
        for patient in patients {
            connection.execute(&format!("INSERT INTO {table} VALUES (?1, ?2)"), [name, &patient]).unwrap();
        }
    }
}

/// Returns the context of a request to a store that has all parameters.
pub fn query_context<'a>(grant: &'a Grant, cursors: &'a CursorKey, moment: &'a Moment) -> QueryContext<'a> {
    QueryContext { base: BASE, index: IndexSet::of_r4(), cursors, grant, prefer: None, moment, most: MAX_COUNT }
}

/// Returns the reply to a client that may see all records.
pub fn reply<S: Store>(store: &S, question: &str) -> Reply<S::Body> {
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let moment = Moment { now: 0, random: [7; 32] };
    let scopes = ScopeSet::parse("system/*.read").unwrap();
    let grant = Grant { client: "app".into(), scopes, ..Grant::default() };
    let context = query_context(&grant, &cursors, &moment);
    now(answer_request(store, question, context, &mut Disclosure::default())).unwrap()
}

/// Returns the answer to a client that may see all records.
pub fn answer<S: Store>(store: &S, question: &str) -> Value {
    serde_json::from_str(&fhir::splice(reply(store, question).body)).unwrap()
}

/// Returns the ids of the entries of an answer to a client that may see all records.
pub fn ids<S: Store>(store: &S, question: &str) -> Vec<String> {
    let bundle = answer(store, question);
    let entries = bundle["entry"].as_array().into_iter().flatten();
    entries.map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect()
}

/// Returns an empty auth store.
pub fn auth_store() -> SqlAuthStore<SqliteDatabase> {
    SqlAuthStore::new(SqliteDatabase::new(tables(Connection::open_in_memory().unwrap()).unwrap()))
}

/// Returns the settings of a strict load.
pub fn loader() -> Loader {
    Loader {
        base: BASE.to_owned(),
        attachments: "https://documents.example.org".to_owned(),
        strict: true,
        now: LOADED_AT,
        clock: CLOCK,
        source_base: None,
        keeps_newer: false,
    }
}

/// The tables of records that readers use, with their columns that are independent of the history of loads.
pub const READ_TABLES: [(&str, &str); 7] = [
    ("compartment", "n, id"),
    ("chart", "k, hex(data)"),
    ("locator", "hash, n"),
    ("resource", "type, id, patient, owners, sort, params, version, modified, digest, body"),
    ("fact", "param, value, sort, rest"),
    ("link", "id, param, target"),
    ("format", "number, params"),
];

/// Returns every row of these tables of an attached database, as text.
pub fn rows(database: &Connection, schema: &str, tables: &[(&str, &str)]) -> Vec<String> {
    let mut all = Vec::new();
    for (table, columns) in tables {
        let text = format!("SELECT json_array({columns}) FROM {schema}.{table} ORDER BY 1");
        let mut statement = database.prepare(&text).unwrap();
        let found = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        all.extend(found.map(|row| format!("{schema}.{table} {}", row.unwrap())));
    }
    all
}

type ChartRows = Vec<(i64, Vec<u8>)>;

/// Returns the resources of each chart in an attached database, by compartment and type. Their pages depend on loads.
pub fn charts(database: &Connection, schema: &str) -> BTreeMap<String, String> {
    let mut rows: BTreeMap<(String, ResourceType), ChartRows> = BTreeMap::new();
    let text = format!(
        "SELECT c.k, p.id, c.data FROM {schema}.chart c JOIN main.compartment p ON p.n = c.k >> 27 ORDER BY c.k DESC"
    );
    let mut statement = database.prepare(&text).unwrap();
    let mut found = statement.query([]).unwrap();
    while let Some(row) = found.next().unwrap() {
        let (key, compartment): (i64, String) = (row.get(0).unwrap(), row.get(1).unwrap());
        let (n, resource_type) = chart_of(key).unwrap();
        let offset = key - chart_keys(n, resource_type).0;
        rows.entry((compartment, resource_type)).or_default().push((offset, row.get(2).unwrap()));
    }
    let chart = |((compartment, resource_type), rows): ((String, ResourceType), _)| {
        let chart = whole_chart(resource_type, rows).unwrap().unwrap();
        (format!("{compartment}/{resource_type}"), format!("{:?}", chart.unpack().unwrap()))
    };
    rows.into_iter().map(chart).collect()
}

/// Returns a path of a new file. An open SQLite file survives the removal of its name.
pub fn tempfile() -> PathBuf {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("edgechart-test-{}-{}.sqlite", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    std::env::temp_dir().join(name)
}

/// Runs a future that never waits, since these stores answer at once.
pub fn now<F: Future>(future: F) -> F::Output {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("a store that has everything at hand waits for nothing"),
    }
}

/// The platform of a Worker, as needed by these tests: it stretches passwords, verifies ES256, and
/// accepts one signature of other algorithms for any data.
pub struct Platform;

impl Crypto for Platform {
    async fn sign_rs256(&self, _: &[u8]) -> Result<Vec<u8>, CryptoError> {
        Ok(b"signature".to_vec())
    }

    async fn verify(
        &self,
        algorithm: Algorithm,
        jwk: &Value,
        data: &[u8],
        signature: &[u8],
    ) -> Result<bool, CryptoError> {
        if algorithm != Algorithm::Es256 {
            return Ok(signature == b"signature");
        }
        let part = |name: &str| Base64UrlUnpadded::decode_vec(jwk[name].as_str().unwrap()).unwrap();
        let key = VerifyingKey::from_sec1_bytes(&[vec![4], part("x"), part("y")].concat()).unwrap();
        Ok(Signature::from_slice(signature).is_ok_and(|signature| key.verify(data, &signature).is_ok()))
    }

    async fn stretch(&self, password: &[u8], salt: &[u8], rounds: u32) -> Result<[u8; 32], CryptoError> {
        Ok(stretch(password, salt, rounds))
    }
}

impl Throttle for Platform {
    async fn admits(&self, _: api::Limit, _: &str) -> bool {
        true
    }
}

impl Fetch for Platform {
    async fn fetch(&self, _: &str) -> Result<FetchedDocument, FetchError> {
        Err(FetchError("there is no network".into()))
    }

    async fn send_form(&self, _: &str, _: Option<&str>, _: String) -> Result<String, FetchError> {
        Err(FetchError("there is no network".into()))
    }
}
