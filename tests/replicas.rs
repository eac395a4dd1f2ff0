//! The status of a grant and the access lists come from the primary, regardless of replicas. The records are read from
//! a replica that is frozen at an earlier state, from D1's tables and from KV, while the primary changes. The replica
//! does not undo a correction at the primary either.

use std::cell::Cell;
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::support::random::Random;
use crate::support::{BASE, Values, index, now, query_context};
use api::{Disclosure, Moment, Problem, answer_conditional_request};
use auth_store::SqlAuthStore;
use database::{Database, DatabaseError, Statement};
use fhir::{Id, splice};
use ingest::LoadTarget;
use native::{NoProgress, SqliteDatabase, SqliteRows, SqliteWriter, shelve};
use oauth::AuthStore;
use rusqlite::Connection;
use search::CursorKey;
use serde_json::{Value, json};
use smart::{Grant, ScopeSet};
use store::{
    AccessListCache, AccessListReader, Bookmark, ChartCache, Corrections, FreshnessWindow, GrantCheckedStore,
    GrantStatusCache, KvStore, RecordDatabases, SessionStart, ShelfCache, SqlStore, Store,
};

const NOW: i64 = 1_800_000_000;

/// A database in a file that counts its batches and may fail.
struct WatchedDatabase {
    file: SqliteDatabase,
    asked: Cell<usize>,
    /// True while its answers are delayed.
    held: Cell<bool>,
    broken: Cell<bool>,
}

impl WatchedDatabase {
    fn open(path: &Path) -> Self {
        let file = SqliteDatabase::new(Connection::open(path).unwrap());
        Self { file, asked: Cell::default(), held: Cell::default(), broken: Cell::default() }
    }
}

impl Database for &WatchedDatabase {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        self.asked.set(self.asked.get() + 1);
        if self.broken.get() {
            return Err(DatabaseError::other("the primary is away"));
        }
        let answers = self.file.batch(statements).await;
        poll_fn(|_| if self.held.get() { Poll::Pending } else { Poll::Ready(()) }).await;
        answers
    }
}

/// The records in D1. The frozen replica does not answer sessions that begin with a bookmark.
struct Replicated<'a> {
    primary: &'a WatchedDatabase,
    replica: &'a WatchedDatabase,
    corrections: &'a Corrections,
    bookmark: &'a Bookmark,
}

impl Database for Replicated<'_> {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        let number = self.corrections.number();
        match self.bookmark.start(number) {
            SessionStart::Nearest => self.replica.batch(statements).await,
            SessionStart::Bookmark(_) => self.primary.batch(statements).await,
            SessionStart::Primary => {
                let answers = self.primary.batch(statements).await?;
                self.bookmark.keep(number, "now".to_owned());
                Ok(answers)
            }
        }
    }
}

/// A primary, a replica with an earlier state of the primary, and the caches of an isolate.
struct World {
    primary: WatchedDatabase,
    records: WatchedDatabase,
    replica: WatchedDatabase,
    bookmark: Bookmark,
    connection: Connection,
    files: [PathBuf; 2],
    values: Values,
    grants: GrantStatusCache,
    access_lists: AccessListCache,
    charts: ChartCache<SqliteRows>,
    shelves: ShelfCache,
}

/// The storage from which records are read.
#[derive(Debug, Clone, Copy)]
enum From {
    D1,
    Kv,
}

const BOTH: [From; 2] = [From::D1, From::Kv];

impl World {
    /// Makes a world with a patient and grants with these names, which the replica has too. Then the replica is frozen.
    fn new(grants: &[&str]) -> Self {
        let mut data =
            vec![json!({"resourceType": "Patient", "id": "a"}), json!({"resourceType": "Patient", "id": "b"})];
        for patient in ["a", "b"] {
            let subject = json!({"reference": format!("Patient/{patient}")});
            data.push(json!({"resourceType": "Condition", "id": format!("c{patient}"), "subject": subject}));
        }
        let files = [crate::support::tempfile(), crate::support::tempfile()];
        let mut writer = SqliteWriter::open(&files[0]).unwrap();
        for outcome in index(&data) {
            writer.store(outcome).unwrap().unwrap();
        }
        writer.finish().unwrap();
        let connection = Connection::open(&files[0]).unwrap();
        grants.iter().for_each(|id| give(&connection, id));
        // The copy of a database is complete if nobody writes to it.
        connection.execute("VACUUM INTO ?1", [files[1].to_str().unwrap()]).unwrap();
        let mut values = Values::default();
        shelve(&Connection::open(&files[1]).unwrap(), &mut values, &mut NoProgress).unwrap();
        let [primary, records, replica] = [0, 0, 1].map(|at| WatchedDatabase::open(&files[at]));
        let (grants, access_lists, charts, shelves, bookmark) = Default::default();
        Self { primary, records, replica, bookmark, connection, files, values, grants, access_lists, charts, shelves }
    }

    fn load(&self, resources: &[Value]) {
        let mut writer = SqliteWriter::open(&self.files[0]).unwrap();
        for outcome in index(resources) {
            writer.store(outcome).unwrap().unwrap();
        }
        writer.finish().unwrap();
    }

    /// Adds a patient to the access list of `dr` at the primary, or removes the patient.
    fn list(&self, patient: &str, listed: bool) {
        let change =
            if listed { "INSERT INTO access VALUES ('dr', ?1)" } else { "DELETE FROM access WHERE patient = ?1" };
        assert_eq!(self.connection.execute(change, [patient]).unwrap(), 1);
    }

    fn revoke(&self, id: &str) {
        let revoke = "UPDATE grants SET revoked_at = ?2 WHERE id = ?1";
        assert_eq!(self.connection.execute(revoke, (id, NOW)).unwrap(), 1);
    }

    /// Returns the status of an answer, after this number of seconds.
    fn asks(&self, from: From, question: &str, grant: &str, later: i64) -> u16 {
        now(self.answers(from, question, grant, later)).0
    }

    async fn answers(&self, from: From, question: &str, grant: &str, later: i64) -> (u16, String) {
        let grant = Grant {
            id: Some(grant.into()),
            client: "app".into(),
            patient: Id::parse("a"),
            scopes: ScopeSet::parse("patient/*.read").unwrap(),
            ..Grant::default()
        };
        self.answered(from, question, &grant, None, later).await.0
    }

    /// Returns the status and text of an answer to the user `dr`.
    fn answers_user(&self, from: From, question: &str, later: i64) -> (u16, String) {
        let scopes = ScopeSet::parse("user/*.read").unwrap();
        let grant = Grant { client: "app".into(), user: Some("dr".into()), scopes, ..Grant::default() };
        now(self.answered(from, question, &grant, None, later)).0
    }

    /// Returns the status and text of an answer, and its tag if `known` is the value of `If-None-Match`.
    async fn answered(
        &self,
        from: From,
        question: &str,
        grant: &Grant,
        known: Option<&str>,
        later: i64,
    ) -> ((u16, String), String) {
        let base = BASE.to_owned();
        let at = NOW + later;
        let guarded = (&self.primary, &self.grants);
        match from {
            From::D1 => {
                let access_lists = AccessListReader::new(&self.primary, &self.access_lists, at);
                let (corrections, bookmark) = (self.charts.corrections(), &self.bookmark);
                let (primary, replica) = (&self.records, &self.replica);
                let database = Replicated { primary, replica, corrections, bookmark };
                let records =
                    SqlStore::new(RecordDatabases::one(database), access_lists, base, &self.charts, at * 1_000_000);
                answered(&GrantCheckedStore::new(records, guarded.0, guarded.1, at), question, grant, known).await
            }
            From::Kv => {
                let access_lists = AccessListReader::new(&self.primary, &self.access_lists, at);
                let records = KvStore::new(self.values.clone(), access_lists, base, &self.shelves, at);
                answered(&GrantCheckedStore::new(records, guarded.0, guarded.1, at), question, grant, known).await
            }
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    }
}

fn give(connection: &Connection, id: &str) {
    let insert = "INSERT INTO grants (id, client, created_at, expires_at) VALUES (?1, 'app', ?2, ?3)";
    connection.execute(insert, (id, NOW - 60, NOW + 900)).unwrap();
}

async fn answered<S: Store>(store: &S, question: &str, grant: &Grant, known: Option<&str>) -> ((u16, String), String) {
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let moment = Moment { now: NOW * 1_000_000, random: [7; 32] };
    let context = query_context(grant, &cursors, &moment);
    match answer_conditional_request(store, question, known, context, &mut Disclosure::default()).await {
        Ok(reply) => {
            let tag = reply.headers.iter().find(|(name, _)| *name == "ETag").map(|(_, tag)| tag.clone());
            ((reply.status, splice(reply.body)), tag.unwrap_or_default())
        }
        Err(problem) => ((status(&problem), problem.outcome()), String::new()),
    }
}

fn status(problem: &Problem) -> u16 {
    problem.reply::<String>().status
}

const QUESTIONS: [&str; 4] = ["Patient/a", "Patient", "Patient?_summary=count", "Observation"];

#[test]
fn a_fresh_grant_that_the_replica_does_not_have_is_good() {
    for from in BOTH {
        for question in QUESTIONS {
            let world = World::new(&[]);
            give(&world.connection, "fresh");
            assert_eq!(world.asks(from, question, "fresh", 0), 200, "{question} from {from:?}");
        }
    }
}

#[test]
fn a_grant_that_the_primary_has_revoked_is_refused_though_the_replica_has_it_active() {
    for from in BOTH {
        for question in QUESTIONS {
            let world = World::new(&["g"]);
            world.revoke("g");
            assert_eq!(world.asks(from, question, "g", 0), 401, "{question} from {from:?}");
            assert_eq!(world.asks(from, "Patient/ghost", "g", 0), 401, "nor is it said what is not there");
            assert_eq!(world.asks(from, question, "unknown", 0), 401, "{question} from {from:?}");
        }
    }
}

#[test]
fn a_revoked_grant_ends_within_five_seconds_and_at_once_where_it_was_revoked() {
    for from in BOTH {
        let world = World::new(&["g", "h"]);
        assert_eq!(world.asks(from, "Patient/a", "g", 0), 200);
        world.revoke("g");
        assert_eq!(world.asks(from, "Patient/a", "g", 4), 200, "what ends elsewhere ends here within seconds");
        assert_eq!(world.asks(from, "Patient/a", "g", 5), 401);
        assert_eq!(world.asks(from, "Patient/a", "h", 5), 200);
        world.revoke("h");
        world.grants.forget();
        assert_eq!(world.asks(from, "Patient/a", "h", 5), 401, "what ends here ends at once");
    }
}

#[test]
fn the_primary_is_asked_once_in_five_seconds_for_each_grant_and_again_after_a_no() {
    for from in BOTH {
        let world = World::new(&["g", "h"]);
        for later in 0..=12 {
            QUESTIONS.iter().for_each(|question| assert_eq!(world.asks(from, question, "g", later), 200));
        }
        assert_eq!(world.primary.asked.get(), 3, "at 0, 5 and 10 seconds, from {from:?}");
        assert_eq!(world.asks(from, "Patient/a", "h", 12), 200);
        assert_eq!(world.primary.asked.get(), 4);
        world.revoke("h");
        (20..24).for_each(|later| assert_eq!(world.asks(from, "Patient/a", "h", later), 401));
        assert_eq!(world.primary.asked.get(), 8, "a no is not kept");
    }
}

#[test]
fn where_the_primary_does_not_answer_nothing_goes_out() {
    for from in BOTH {
        let world = World::new(&["g"]);
        world.primary.broken.set(true);
        for question in QUESTIONS {
            let (status, text) = now(world.answers(from, question, "g", 0));
            assert_eq!(status, 503, "{question} from {from:?}");
            let outcome: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(outcome["issue"][0]["code"], "transient");
            assert!(!text.contains("away"), "{text}");
        }
        world.primary.broken.set(false);
        assert_eq!(world.asks(from, "Patient/a", "g", 0), 200);
        world.primary.broken.set(true);
        assert_eq!(world.asks(from, "Patient/a", "g", 4), 200, "a yes is good for five seconds");
        assert_eq!(world.asks(from, "Patient/a", "g", 5), 503);
    }
}

#[test]
fn records_wait_for_the_status_and_are_read_meanwhile() {
    for from in BOTH {
        let world = World::new(&["g", "h"]);
        let mut context = Context::from_waker(Waker::noop());
        for (grant, ends, expected) in [("g", false, 200), ("h", true, 401)] {
            world.primary.held.set(true);
            if ends {
                world.revoke(grant);
            }
            let mut answer = pin!(world.answers(from, "Patient/a", grant, 0));
            for _ in 0..3 {
                assert!(answer.as_mut().poll(&mut context).is_pending(), "nothing goes out before the status is known");
            }
            assert!(world.replica.asked.get() + world.values.1.get() > 0, "the records are there already");
            world.primary.held.set(false);
            let Poll::Ready((status, text)) = answer.as_mut().poll(&mut context) else { panic!("it waits for more") };
            assert_eq!((status, text.contains("\"Patient\"")), (expected, expected == 200));
        }
    }
}

#[test]
fn a_revocation_while_the_answer_is_on_its_way_is_not_overlooked_afterwards() {
    for from in BOTH {
        let world = World::new(&["g"]);
        let mut context = Context::from_waker(Waker::noop());
        world.primary.held.set(true);
        let mut answer = pin!(world.answers(from, "Patient/a", "g", 0));
        assert!(answer.as_mut().poll(&mut context).is_pending());
        world.revoke("g");
        world.grants.forget();
        world.primary.held.set(false);
        assert!(answer.as_mut().poll(&mut context).is_ready());
        assert_eq!(world.asks(from, "Patient/a", "g", 1), 401, "what it said before is not remembered");
    }
}

/// A user's requests about the patient `b`, which are answered with a record, or, without access, with none.
const ABOUT_B: [&str; 4] = ["Patient/b", "Patient?_id=b", "Condition?patient=b", "Condition/cb"];

impl World {
    /// Returns whether the user `dr` gets records of the patient `b`, by each request.
    fn shows_b(&self, from: From, later: i64) -> [bool; 4] {
        ABOUT_B.map(|question| {
            let (status, text) = self.answers_user(from, question, later);
            let shown = text.contains(r#""id":"b""#) || text.contains(r#""id":"cb""#);
            let expected = if shown || question.contains('?') { 200 } else { 404 };
            assert_eq!(status, expected, "{question}: {text}");
            shown
        })
    }
}

#[test]
fn access_that_is_withdrawn_ends_within_five_seconds_and_at_once_where_it_was_withdrawn() {
    for from in BOTH {
        let world = World::new(&[]);
        world.list("b", true);
        assert_eq!(world.shows_b(from, 0), [true; 4]);
        world.list("b", false);
        world.primary.broken.set(true);
        for question in ["Patient/b", "Condition?patient=b"] {
            assert_eq!(
                world.answers_user(from, question, 4).0,
                200,
                "a remembered list is used for five seconds: {question}"
            );
            // The primary does not report either whether the client was stopped.
            assert_eq!(world.answers_user(from, question, 5).0, 503, "and never longer: {question}");
        }
        world.primary.broken.set(false);
        assert_eq!(world.shows_b(from, 5), [false; 4]);
        world.list("b", true);
        assert_eq!(world.shows_b(from, 6), [true; 4]);
        world.list("b", false);
        world.access_lists.forget();
        assert_eq!(world.shows_b(from, 6), [false; 4], "where it was withdrawn it ends at once");
    }
}

#[test]
fn access_that_is_given_is_seen_at_once() {
    for from in BOTH {
        let world = World::new(&[]);
        assert_eq!(world.shows_b(from, 0), [false; 4], "nobody is listed");
        world.list("a", true);
        assert_eq!(world.answers_user(from, "Patient/a", 0).0, 200, "the list of one patient is remembered");
        assert_eq!(world.shows_b(from, 1), [false; 4]);
        world.list("b", true);
        assert_eq!(world.shows_b(from, 1), [true; 4]);
    }
}

#[test]
fn an_access_list_is_read_from_the_primary_once_in_five_seconds() {
    let world = World::new(&[]);
    ["a", "b"].into_iter().for_each(|patient| world.list(patient, true));
    for later in 0..=12 {
        for question in ["Patient/a", "Condition?patient=a", "Condition?patient=a,b", "Patient/b"] {
            assert_eq!(world.answers_user(From::Kv, question, later).0, 200);
        }
    }
    assert_eq!((world.primary.asked.get(), world.replica.asked.get()), (6, 0), "at 0, 5 and 10 seconds");
    (0..3).for_each(|_| assert_eq!(world.answers_user(From::Kv, "Patient/ghost", 12).0, 404));
    assert_eq!(world.primary.asked.get(), 9, "a no is not kept");
}

#[test]
fn a_user_who_may_see_all_patients_is_listed_at_the_primary_and_the_patients_are_those_of_the_records() {
    let world = World::new(&[]);
    world.list("*", true);
    world.list("a", true);
    world.connection.execute("DELETE FROM resource", []).unwrap();
    let auth_store = SqlAuthStore::new(&world.primary).with_directory(&world.replica);
    let list = |most| {
        let page = now(auth_store.access_list("dr", most)).unwrap();
        (page.patients, page.more)
    };
    assert_eq!(list(1), (vec!["a".to_owned()], true));
    assert_eq!(list(2), (vec!["a".to_owned(), "b".to_owned()], false));
    world.list("*", false);
    assert_eq!(list(2), (vec!["a".to_owned()], false));
}

#[test]
fn access_that_is_withdrawn_while_the_answer_is_on_its_way_is_not_overlooked_afterwards() {
    for from in BOTH {
        let world = World::new(&[]);
        world.list("b", true);
        let grant =
            Grant { user: Some("dr".into()), scopes: ScopeSet::parse("user/*.read").unwrap(), ..Grant::default() };
        world.primary.held.set(true);
        let mut answer = pin!(world.answered(from, "Patient/b", &grant, None, 0));
        assert!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        world.list("b", false);
        world.access_lists.forget();
        world.primary.held.set(false);
        assert!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
        assert_eq!(world.shows_b(from, 1), [false; 4], "what it said before is not remembered");
    }
}

fn condition(id: &str, patient: &str, text: &str) -> Value {
    let subject = json!({"reference": format!("Patient/{patient}")});
    json!({"resourceType": "Condition", "id": id, "subject": subject, "code": {"text": text}})
}

impl World {
    /// Returns whether a search for the patient `a` and a read of the Condition `ca` show each of these texts.
    fn shows(&self, texts: [&str; 2], later: i64) -> [[bool; 2]; 2] {
        ["Condition?patient=a", "Condition/ca"].map(|question| {
            let (_, text) = now(self.answers(From::D1, question, "g", later));
            texts.map(|shown| text.contains(shown))
        })
    }
}

#[test]
fn a_correction_is_seen_within_five_seconds_though_the_replica_never_has_it() {
    let world = World::new(&["g"]);
    let texts = [r#""id":"ca""#, "corrected"];
    assert_eq!(world.shows(texts, 0), [[true, false]; 2]);
    world.load(&[condition("ca", "a", "corrected")]);
    assert_eq!(world.shows(texts, 4), [[true, false]; 2], "the number is known for five seconds");
    let before = world.replica.asked.get();
    for later in [5, 6, 11, 60] {
        assert_eq!(world.shows(texts, later), [[true, true]; 2], "{later}");
    }
    assert_eq!(world.replica.asked.get(), before, "no session begins at any replica");
    world.load(&[condition("ca", "b", "corrected")]);
    for later in [65, 70] {
        assert_eq!(world.shows(texts, later), [[false; 2]; 2], "it belongs to another patient: {later}");
    }
}

#[test]
fn a_chart_of_before_a_correction_is_checked_again_within_its_window() {
    let mut world = World::new(&["g"]);
    world.charts = ChartCache::new(FreshnessWindow::parse("5").unwrap());
    assert_eq!(world.asks(From::D1, "Patient/a", "g", 0), 200);
    assert_eq!(world.shows(["corrected"; 2], 3), [[false; 2]; 2], "the chart is checked at 3 seconds");
    world.load(&[condition("ca", "a", "corrected")]);
    let asked = world.replica.asked.get();
    assert_eq!(world.shows(["corrected"; 2], 4), [[false; 2]; 2]);
    assert_eq!((world.replica.asked.get(), world.records.asked.get()), (asked, 0), "within the window");
    assert_eq!(world.shows(["corrected"; 2], 5), [[true; 2]; 2], "the number is asked for at 5 seconds");
}

#[test]
fn an_addition_asks_nothing_of_the_primary_of_the_records() {
    let world = World::new(&["g"]);
    world.load(&[condition("more", "a", "added")]);
    for later in [0, 5, 10] {
        assert_eq!(world.shows(["added", r#""id":"ca""#], later), [[false, true]; 2]);
    }
    assert_eq!(world.records.asked.get(), 0);
}

#[test]
fn an_isolate_that_begins_after_a_correction_asks_the_primary_once() {
    let world = World::new(&["g"]);
    world.load(&[condition("ca", "a", "corrected")]);
    assert_eq!(world.shows(["corrected"; 2], 0), [[true; 2]; 2]);
    assert_eq!(world.bookmark.start(1), SessionStart::Bookmark("now".into()));
}

#[test]
fn what_was_read_beside_a_check_that_learned_of_a_correction_does_not_go_out() {
    let world = World::new(&["g"]);
    world.load(&[condition("ca", "a", "corrected")]);
    let mut context = Context::from_waker(Waker::noop());
    world.primary.held.set(true);
    let mut first = pin!(world.answers(From::D1, "Condition?patient=a", "g", 0));
    let mut second = pin!(world.answers(From::D1, "Condition/ca", "g", 0));
    assert!(first.as_mut().poll(&mut context).is_pending() && second.as_mut().poll(&mut context).is_pending());
    assert_eq!(world.replica.asked.get(), 1, "the second has the chart of the first");
    world.primary.held.set(false);
    for answer in [&mut first, &mut second].map(|answer: &mut std::pin::Pin<&mut _>| answer.as_mut().poll(&mut context))
    {
        let Poll::Ready((200, text)) = answer else { panic!("it waits for more") };
        assert!(text.contains("corrected"), "{text}");
    }
}

#[test]
fn nm01_no_answer_is_confirmed_that_has_changed_or_is_of_another_view() {
    const QUESTIONS: [&str; 9] = [
        "Condition?patient=a&_count=1",
        "Condition?patient=a&_count=1&_total=accurate&_sort=_id",
        "Condition?patient=a,b&_elements=code",
        "Condition?patient=a&_include=Condition:asserter",
        "Condition?patient=a&asserter:Practitioner.name=x",
        "Condition?patient=a&_revinclude=Provenance:target",
        "Patient/a/Condition",
        "Patient/a/$everything",
        "Patient/a/*?_type=Patient,Condition",
    ];
    let pick = |random: &mut Random, all: &[&'static str]| all[random.below(all.len())];
    let to = |reference: String| json!({"reference": reference});
    let (mut confirmed, mut refused) = (0, 0);
    for seed in 1..=20 {
        let (mut random, world, mut active, mut lists) = (Random(seed), World::new(&["0"]), 0, [false; 3]);
        let mut is_ended = false;
        // The tags of answers, each with its view, question and text.
        let mut tags: Vec<(String, (usize, &str, String))> = Vec::new();
        for step in 0..50 {
            match random.below(12) {
                // A record stays as it is, changes without a new version, or moves.
                0..=2 => world.load(&[json!({"resourceType": "Condition", "id": pick(&mut random, &["ca", "cb", "c"]),
                    "meta": {"versionId": "1", "lastUpdated": "2024-01-01T00:00:00Z"},
                    "clinicalStatus": {"coding": [{"code": pick(&mut random, &["active", "inactive"])}]},
                    "subject": to(format!("Patient/{}", pick(&mut random, &["a", "a", "b"]))),
                    "asserter": to(format!("Practitioner/{}", pick(&mut random, &["p", "q"])))})]),
                3 => world.load(&[json!({"resourceType": "Practitioner", "id": pick(&mut random, &["p", "q"]),
                    "name": [{"family": pick(&mut random, &["x", "y"])}]})]),
                5 => world.load(&[json!({"resourceType": "Provenance", "id": "v", "recorded": "2024-01-01T00:00:00Z",
                    "target": [to("Condition/ca".to_owned()), to(format!("Patient/{}", pick(&mut random, &["a", "b"])))],
                    "agent": [{"who": {"display": pick(&mut random, &["m", "n"])}}]})]),
                6 => {
                    let patient = random.below(3);
                    lists[patient] = !lists[patient];
                    world.list(["a", "b", "*"][patient], lists[patient]);
                }
                7 if !is_ended => {
                    world.revoke(&active.to_string());
                    is_ended = true;
                }
                _ if is_ended => {
                    active += 1;
                    give(&world.connection, &active.to_string());
                    is_ended = false;
                }
                _ => {}
            }
            let (view, question) =
                ((seed as usize / 2 + random.below(2)) % 5, QUESTIONS[(seed as usize + random.below(2)) % 9]);
            let scopes = ["patient/*.rs", "patient/Condition.rs?clinical-status=active", "user/*.rs", "system/*.rs"];
            let grant = Grant {
                id: Some(active.to_string()),
                client: "app".into(),
                patient: Id::parse("a").filter(|_| view < 2),
                user: Some("dr".to_owned()).filter(|_| view == 2),
                scopes: ScopeSet::parse(scopes.get(view).unwrap_or(&"system/Condition.rs system/Patient.rs")).unwrap(),
                ..Grant::default()
            };
            let from = BOTH[usize::from(random.one_in(8))];
            let known: Vec<_> = tags.iter().rev().take(30).map(|(tag, _)| tag.as_str()).collect();
            // Later than an isolate keeps grants and lists.
            let ask = |known: &str| now(world.answered(from, question, &grant, Some(known), 6 * step));
            let ((status, text), tag) = ask(&known.join(", "));
            let ((whole_status, whole), _) = ask("");
            let what = format!("seed {seed}, step {step}, view {view}, {question} from {from:?}");
            if status == 304 {
                let is_same = |(_, answer): &(String, _)| *answer == (view, question, whole.clone());
                assert!(tags.iter().rev().take(30).any(is_same), "{what}: it has changed");
                confirmed += 1;
            } else {
                assert_eq!((status, &text), (whole_status, &whole), "{what}");
                refused += usize::from(status == 401);
            }
            if whole_status == 200 {
                tags.push((tag, (view, question, whole)));
            }
        }
    }
    assert!(confirmed > 100 && refused > 100, "{confirmed} {refused}");
}
