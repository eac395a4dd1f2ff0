//! A chart is used for the window after its version was checked, and not longer: within it D1 is asked for nothing, and
//! all charts of an answer are of one check.

use std::cell::Cell;
use std::path::PathBuf;

use crate::support::{BASE, give_access, index, now};
use edgechart::api::{Disclosure, Moment, QueryContext, answer_request};
use edgechart::database::{Database, DatabaseError, Statement};
use edgechart::fhir::{Id, splice};
use edgechart::ingest::LoadTarget;
use edgechart::native::{SqliteDatabase, SqliteWriter, tables};
use edgechart::search::CursorKey;
use edgechart::smart::{Grant, ScopeSet};
use edgechart::store::{
    AccessList, AccessListCache, AccessListReader, ChartCache, FreshnessWindow, GrantCheckedStore, GrantStatusCache,
    RecordDatabases, SqlStore,
};
use rusqlite::Connection;
use serde_json::{Value, json};

const NOW: i64 = 1_800_000_000_000;

/// A database, and how many batches it was asked.
struct Counted {
    file: SqliteDatabase,
    batches: Cell<usize>,
}

impl Database for &Counted {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        self.batches.set(self.batches.get() + 1);
        self.file.batch(statements).await
    }
}

struct World {
    path: PathBuf,
    database: Counted,
    charts: ChartCache,
}

impl Drop for World {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).unwrap();
    }
}

impl World {
    fn new(window: FreshnessWindow) -> Self {
        let path = crate::support::tempfile();
        load(&path, &[patient("a"), patient("b"), condition("x", "a"), condition("y", "b")]);
        let file = SqliteDatabase::new(Connection::open(&path).unwrap());
        Self { path, database: Counted { file, batches: Cell::default() }, charts: ChartCache::new(window) }
    }

    /// The result of a search at that millisecond, and the batches that it takes.
    fn asks(&self, question: &str, later: i64) -> (Vec<String>, usize) {
        let grant =
            Grant { client: "app".into(), scopes: ScopeSet::parse("system/*.read").unwrap(), ..Grant::default() };
        let (answer, batches) = self.answers(&grant, question, later);
        let bundle = answer.unwrap_or_else(|| panic!("{question} is refused"));
        let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
        let id = |entry: &Value| entry["resource"]["id"].as_str().unwrap_or_default().to_owned();
        (entries.iter().map(id).collect(), batches)
    }

    /// The answer to a holder of a grant, unless it is refused, and the batches that it takes. The user `dr` may see
    /// patient a.
    fn answers(&self, grant: &Grant, question: &str, later: i64) -> (Option<Value>, usize) {
        let before = self.database.batches.get();
        let (lists, grants) = (AccessListCache::default(), GrantStatusCache::default());
        let at = (NOW + later) * 1_000;
        let primary = || {
            let database = tables(Connection::open_in_memory().unwrap()).unwrap();
            let list = AccessList::These([Id::parse("a").unwrap()].into());
            give_access(&database, &[("dr".to_owned(), list)].into());
            SqliteDatabase::new(database)
        };
        let access_lists = AccessListReader::new(primary(), &lists, at / 1_000_000);
        let records =
            SqlStore::new(RecordDatabases::one(&self.database), access_lists, BASE.to_owned(), &self.charts, at);
        let store = GrantCheckedStore::new(records, primary(), &grants, at / 1_000_000);
        let cursors = CursorKey::new(b"a key of sufficient length for it");
        let moment = Moment { now: at, random: [7; 32] };
        let context = QueryContext { base: BASE, cursors: &cursors, grant, prefer: None, moment: &moment };
        let reply = now(answer_request(&store, question, context, &mut Disclosure::default()));
        let answer = reply.ok().map(|reply| serde_json::from_str(&splice(reply.body)).unwrap());
        (answer, self.database.batches.get() - before)
    }

    fn load(&self, resources: &[Value]) {
        load(&self.path, resources);
    }
}

fn load(path: &std::path::Path, resources: &[Value]) {
    let mut writer = SqliteWriter::open(path, None).unwrap();
    for outcome in index(resources) {
        writer.store(outcome).unwrap().unwrap();
    }
    writer.finish().unwrap();
}

fn patient(id: &str) -> Value {
    json!({"resourceType": "Patient", "id": id})
}

fn condition(id: &str, patient: &str) -> Value {
    json!({"resourceType": "Condition", "id": id, "subject": {"reference": format!("Patient/{patient}")}})
}

fn found(ids: &[&str], batches: usize) -> (Vec<String>, usize) {
    (ids.iter().map(ToString::to_string).collect(), batches)
}

#[test]
fn a_search_within_the_window_asks_for_nothing() {
    let world = World::new(FreshnessWindow::default());
    assert_eq!(world.asks("Condition?patient=a", 0), found(&["x"], 1));
    world.load(&[condition("x2", "a")]);
    for later in [0, 500, 999] {
        assert_eq!(world.asks("Condition?patient=a", later), found(&["x"], 0), "{later}");
    }
    assert_eq!(world.asks("Condition?patient=a", 1_000).0.len(), 2, "the window has ended");
    assert_eq!(world.asks("Condition?patient=a", 1_999).1, 0, "another has begun");
    assert_eq!(world.asks("Condition?patient=a", 999).1, 1, "a clock that goes back proves nothing");
}

#[test]
fn a_check_that_finds_nothing_new_begins_a_window() {
    let world = World::new(FreshnessWindow::default());
    let batches = [0, 1_000, 1_500, 1_999, 2_000].map(|later| world.asks("Condition?patient=a", later).1);
    assert_eq!(batches, [1, 1, 0, 0, 1]);
}

#[test]
fn without_a_window_each_search_checks() {
    let world = World::new(FreshnessWindow::NONE);
    assert_eq!(world.asks("Condition?patient=a", 0), found(&["x"], 1));
    assert_eq!(world.asks("Condition?patient=a", 0), found(&["x"], 1));
    world.load(&[condition("x", "b")]);
    assert_eq!(world.asks("Condition?patient=a", 0), found(&[], 1));
}

#[test]
fn the_charts_of_an_answer_are_of_one_check() {
    let world = World::new(FreshnessWindow::default());
    assert_eq!(world.asks("Condition?patient=a", 0), found(&["x"], 1));
    world.load(&[condition("x", "b")]);
    assert_eq!(world.asks("Condition?patient=b", 500).0.len(), 2, "it has moved here");
    let (ids, batches) = world.asks("Condition?patient=a,b", 600);
    assert_eq!((ids.len(), batches), (2, 1), "and is not found twice");
    assert_eq!(world.asks("Condition?patient=a,b", 1_599).1, 0, "now one check has seen both");
}

#[test]
fn a_record_of_somebody_else_takes_as_many_trips_as_one_that_is_not_there() {
    let scopes = ScopeSet::parse("user/*.read").unwrap();
    let grant = Grant { client: "app".into(), scopes, user: Some("dr".to_owned()), ..Grant::default() };
    for (listed, of_others, nobodys) in
        [("Condition/x", "Condition/y", "Condition/none"), ("Condition?_id=x", "Condition?_id=y", "Condition?_id=none")]
    {
        let world = World::new(FreshnessWindow::NONE);
        assert_eq!(world.answers(&grant, listed, 0).1, 2, "{listed}: its name, and its chart");
        let [hidden, missing] = [of_others, nobodys].map(|question| world.answers(&grant, question, 0));
        assert_eq!((hidden.1, missing.1), (1, 1), "{listed}");
        let count = |answer: Option<Value>| answer.map(|bundle| bundle["entry"].as_array().map(Vec::len));
        assert_eq!(count(hidden.0), count(missing.0), "{listed}");
    }
}

#[test]
fn pages_that_the_isolate_does_not_have_are_of_the_version_that_it_knows() {
    let world = World::new(FreshnessWindow::default());
    let mut many: Vec<Value> = (0..700).map(|number| condition(&format!("c{number:03}"), "a")).collect();
    many.push(large("z"));
    world.load(&many);
    let batches = |id: &str, later| {
        let (ids, batches) = world.asks(&format!("Condition?patient=a&_count=1&_id={id}"), later);
        (ids.first().is_some_and(|found| found == id), batches)
    };
    assert_eq!(batches("c000", 0), (true, 1));
    assert_eq!(batches("c699", 1), (true, 1), "its page alone");
    assert_eq!(batches("c698", 2), (true, 0));
    assert_eq!(batches("z", 3), (true, 1), "a page that is stored in parts");
    world.load(&[condition("c640", "b")]);
    assert_eq!(batches("c640", 4), (true, 0));
    assert_eq!(batches("c600", 5), (true, 3), "the chart has changed: it is read anew, with the page");
    assert_eq!(batches("c640", 6), (false, 0));
}

/// A resource that cannot be deflated much.
fn large(id: &str) -> Value {
    let mut state = 1_u64;
    let text: String = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'0' + (state >> 58) as u8)
    })
    .filter(|digit| *digit != '\\')
    .take(1_500_000)
    .collect();
    let mut large = condition(id, "a");
    large["note"] = json!([{"text": text}]);
    large
}
