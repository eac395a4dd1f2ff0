//! A chart is used for the window after the check of its version, and not longer. Within the window D1 is not queried,
//! and all charts of an answer are of one check. Resources that are requested by id or identifier are located and read
//! in one trip, but only under a grant to which every chart is open.

use std::cell::Cell;
use std::path::PathBuf;

use crate::support::{BASE, give_access, index, now, query_context};
use api::{Disclosure, Moment, answer_request};
use database::{Database, DatabaseError, Rows, Statement};
use fhir::{Id, ResourceType, splice};
use ingest::LoadTarget;
use native::{SqliteDatabase, SqliteRows, SqliteWriter, tables};
use rusqlite::Connection;
use search::CursorKey;
use serde_json::{Value, json};
use smart::{Grant, PatientList, ScopeSet, belongs_to_nobody, is_directory};
use store::{
    AccessList, AccessListCache, AccessListReader, ChartCache, FreshnessWindow, GrantCheckedStore, GrantStatusCache,
    RecordDatabases, SqlStore,
};

const NOW: i64 = 1_800_000_000_000;

/// A database that counts its batches, the statements of the largest batch, and the heads and pages of charts that it
/// returned.
struct CountingDatabase {
    file: SqliteDatabase,
    batches: Cell<usize>,
    largest: Cell<usize>,
    sent: Cell<usize>,
}

impl Database for &CountingDatabase {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        self.batches.set(self.batches.get() + 1);
        self.largest.set(self.largest.get().max(statements.len()));
        let answers = self.file.batch(statements).await?;
        let is_sent = |rows: &Self::Rows, row| rows.text(row, "data").is_some_and(|data| !data.is_empty());
        let sent = |rows: &Self::Rows| (0..rows.count()).filter(|row| is_sent(rows, *row)).count();
        self.sent.set(self.sent.get() + answers.iter().map(sent).sum::<usize>());
        Ok(answers)
    }
}

pub struct World {
    path: PathBuf,
    database: CountingDatabase,
    charts: ChartCache<SqliteRows>,
    lists: AccessListCache,
}

impl Drop for World {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).unwrap();
    }
}

impl World {
    pub fn new(window: FreshnessWindow) -> Self {
        let path = crate::support::tempfile();
        load(&path, &[patient("a"), patient("b"), condition("x", "a"), condition("y", "b")]);
        let file = SqliteDatabase::new(Connection::open(&path).unwrap());
        let database =
            CountingDatabase { file, batches: Cell::default(), largest: Cell::default(), sent: Cell::default() };
        Self { path, database, charts: ChartCache::new(window), lists: AccessListCache::default() }
    }

    /// Returns the result of a search at this millisecond, and the number of its batches.
    fn asks(&self, question: &str, later: i64) -> (Vec<String>, usize) {
        let (answer, batches) = self.answers(&system(), question, later);
        (ids(&answer.unwrap_or_else(|| panic!("{question} is refused"))), batches)
    }

    /// Returns the result of a read or search for anybody's records, and the numbers of its batches, heads and pages.
    fn finds(&self, question: &str, later: i64) -> (Vec<String>, usize, usize) {
        let before = self.database.sent.get();
        let (answer, batches) = self.answers(&system(), question, later);
        (answer.iter().flat_map(ids).collect(), batches, self.database.sent.get() - before)
    }

    /// Returns the answer to the holder of a grant, unless it is refused, and the number of its batches. The user `dr`
    /// may see patient a, and the user `chief` all patients.
    pub fn answers(&self, grant: &Grant, question: &str, later: i64) -> (Option<Value>, usize) {
        let before = self.database.batches.get();
        let grants = GrantStatusCache::default();
        let at = (NOW + later) * 1_000;
        let primary = || {
            let database = tables(Connection::open_in_memory().unwrap()).unwrap();
            let list = AccessList::These([Id::parse("a").unwrap()].into());
            let of_user = |user: &str| PatientList::OfUser(user.to_owned());
            give_access(&database, &[(of_user("dr"), list), (of_user("chief"), AccessList::All)].into());
            SqliteDatabase::new(database)
        };
        let access_lists = AccessListReader::new(primary(), &self.lists, at / 1_000_000);
        let records =
            SqlStore::new(RecordDatabases::one(&self.database), access_lists, BASE.to_owned(), &self.charts, at);
        let store = GrantCheckedStore::new(records, primary(), &grants, at / 1_000_000);
        let cursors = CursorKey::new(b"a key of sufficient length for it");
        let moment = Moment { now: at, random: [7; 32] };
        let context = query_context(grant, &cursors, &moment);
        let reply = now(answer_request(&store, question, context, &mut Disclosure::default()));
        let answer = reply.ok().map(|reply| serde_json::from_str(&splice(reply.body)).unwrap());
        (answer, self.database.batches.get() - before)
    }

    pub fn load(&self, resources: &[Value]) {
        load(&self.path, resources);
    }
}

fn load(path: &std::path::Path, resources: &[Value]) {
    let mut writer = SqliteWriter::open(path).unwrap();
    for outcome in index(resources) {
        writer.store(outcome).unwrap().unwrap();
    }
    writer.finish().unwrap();
}

fn system() -> Grant {
    Grant { client: "app".into(), scopes: ScopeSet::parse("system/*.read").unwrap(), ..Grant::default() }
}

fn user(name: &str) -> Grant {
    let scopes = ScopeSet::parse("user/*.read").unwrap();
    Grant { client: "app".into(), scopes, user: Some(name.to_owned()), ..Grant::default() }
}

/// Returns the ids of the resources in a Bundle, or the id of a resource.
fn ids(answer: &Value) -> Vec<String> {
    let id = |resource: &Value| resource["id"].as_str().unwrap_or_default().to_owned();
    match answer["resourceType"].as_str() {
        Some("Bundle") => {
            let entries = answer["entry"].as_array().into_iter().flatten();
            let found = entries.filter(|entry| entry["search"]["mode"] != "outcome");
            found.map(|entry| id(&entry["resource"])).collect()
        }
        _ => vec![id(answer)],
    }
}

fn patient(id: &str) -> Value {
    json!({"resourceType": "Patient", "id": id})
}

fn condition(id: &str, patient: &str) -> Value {
    json!({"resourceType": "Condition", "id": id, "subject": {"reference": format!("Patient/{patient}")}})
}

fn encounter(id: &str, patient: &str, identifier: &str) -> Value {
    let identifier = json!([{"system": "http://s", "value": identifier}]);
    let subject = json!({"reference": format!("Patient/{patient}")});
    json!({"resourceType": "Encounter", "id": id, "subject": subject, "identifier": identifier})
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
fn the_record_of_a_patient_is_read_in_one_batch_and_the_directory_in_one_for_each_step() {
    let world = World::new(FreshnessWindow::default());
    assert_eq!(world.asks("Patient/a/$everything", 0), found(&["a", "x"], 1));
    assert_eq!(world.asks("Patient/a/$everything?_count=1", 1), found(&["a"], 0));
    assert_eq!(world.asks("Patient/a/$everything", 1_000), found(&["a", "x"], 1), "the window has ended");
    let (role, practitioner) = (json!({"reference": "PractitionerRole/r"}), json!({"reference": "Practitioner/p"}));
    let mut asserted = condition("x", "a");
    asserted["asserter"] = role;
    world.load(&[
        asserted,
        json!({"resourceType": "PractitionerRole", "id": "r", "practitioner": practitioner}),
        json!({"resourceType": "Practitioner", "id": "p"}),
    ]);
    assert_eq!(world.asks("Patient/a/$everything", 5_000), found(&["a", "x", "r", "p"], 3));
    world.load(&(0..700).map(|number| condition(&format!("c{number:03}"), "a")).collect::<Vec<_>>());
    let (ids, batches) = world.asks("Patient/a/$everything?_type=Patient,Condition", 10_000);
    assert_eq!((ids.len(), batches), (200, 1));
}

#[test]
fn includes_within_a_record_take_no_further_trip_and_each_step_in_the_directory_one() {
    let world = World::new(FreshnessWindow::NONE);
    let reference = |to: &str| json!({"reference": to});
    let during = |id: &str, encounter: &str| {
        let mut condition = condition(id, "a");
        condition["encounter"] = reference(&format!("Encounter/{encounter}"));
        condition
    };
    let mut visit = encounter("e", "a", "1");
    visit["location"] = json!([{"location": reference("Location/l")}]);
    let team = json!({"resourceType": "CareTeam", "id": "t", "status": "active", "subject": reference("Patient/a"),
        "participant": [{"member": reference("PractitionerRole/r")}]});
    let role = json!({"resourceType": "PractitionerRole", "id": "r", "practitioner": reference("Practitioner/p")});
    world.load(&[team, role, json!({"resourceType": "Practitioner", "id": "p"})]);
    let location = json!({"resourceType": "Location", "id": "l"});
    world.load(&[during("x", "e"), visit, encounter("eb", "b", "2"), location]);
    world.load(&[during("elsewhere", "eb"), during("nowhere", "gone")]);
    world.asks("PractitionerRole?_id=r&_include=PractitionerRole:practitioner", 0);
    let at_once = found(&["elsewhere", "nowhere", "x", "e"], 1);
    let own = Grant { patient: Id::parse("a"), scopes: ScopeSet::parse("patient/*.read").unwrap(), ..user("dr") };
    let (answer, batches) = world.answers(&own, "Condition?_include=Condition:encounter", 0);
    assert_eq!((ids(&answer.unwrap()), batches), at_once);
    for (question, all, batches) in [
        ("Encounter?patient=a&_revinclude=Condition:encounter", &["e", "x"][..], 1),
        ("Encounter?patient=a&_include=Encounter:location", &["e", "l"], 2),
        ("Encounter?patient=a&_include=Encounter:location&_revinclude=Condition:encounter", &["e", "x", "l"], 2),
        ("PractitionerRole?_id=r&_include=PractitionerRole:practitioner", &["r", "p"], 1),
        ("PractitionerRole?_id=r&_include:iterate=PractitionerRole:practitioner", &["r", "p"], 2),
        ("Practitioner?_id=p&_revinclude=PractitionerRole:practitioner", &["p", "r"], 2),
        ("CareTeam?patient=a&_include=CareTeam:participant:PractitionerRole", &["t", "r"], 2),
        (
            "CareTeam?patient=a&_include=CareTeam:participant&_include:iterate=PractitionerRole:practitioner",
            &["t", "r", "p"],
            3,
        ),
        ("Condition?patient=a&_id=elsewhere&_include=Condition:encounter", &["elsewhere", "eb"], 3),
        ("Condition?patient=a&_id=nowhere&_include=Condition:encounter", &["nowhere"], 2),
    ] {
        assert_eq!(world.asks(question, 0), found(all, batches), "{question}");
    }
    // A closed resource takes as many trips as a missing one.
    let of = |id: &str| {
        world.answers(&user("dr"), &format!("Condition?patient=a&_id={id}&_include=Condition:encounter"), 0).1
    };
    assert_eq!((of("elsewhere"), of("nowhere")), (2, 2));
}

#[test]
fn whether_provenances_are_of_many_patients_is_asked_once_within_the_window() {
    let world = World::new(FreshnessWindow::default());
    let provenance = |id: &str, targets: Vec<String>| {
        let targets: Vec<_> = targets.iter().map(|target| json!({"reference": target})).collect();
        json!({"resourceType": "Provenance", "id": id, "target": targets})
    };
    let ask = |later| world.asks("Condition?patient=a&_revinclude=Provenance:target", later);
    world.load(&[condition("x", "a"), provenance("own", vec!["Condition/x".to_owned()])]);
    assert_eq!(ask(0), found(&["x", "own"], 1), "in the batch of the charts");
    assert_eq!(ask(500), found(&["x", "own"], 0));
    world.asks("Condition?patient=b&_revinclude=Provenance:target", 600);
    assert_eq!(ask(999), found(&["x", "own"], 0));
    let many: Vec<_> = (0..70).map(|n| patient(&format!("m{n}"))).collect();
    let targets = (0..70).map(|n| format!("Patient/m{n}")).chain(["Condition/x".to_owned()]).collect();
    world.load(&[many, vec![condition("x", "a"), provenance("many", targets)]].concat());
    assert_eq!(ask(2_000), found(&["x", "many", "own"], 3), "its name, and then its chart");
}

#[test]
fn a_record_of_all_types_is_read_in_batches_of_a_part_of_them() {
    let world = World::new(FreshnessWindow::default());
    let subject = json!({"reference": "Patient/a"});
    world.load(&[json!({"resourceType": "VisionPrescription", "id": "v", "patient": subject})]);
    let all = |level: &str| {
        let scopes: Vec<_> = ResourceType::served().iter().map(|on| format!("{level}/{on}.read")).collect();
        Grant { scopes: ScopeSet::parse(&scopes.join(" ")).unwrap(), ..user("dr") }
    };
    let asks = |grant: &Grant, question: &str, later| {
        let (answer, batches) = world.answers(grant, question, later);
        (ids(&answer.unwrap_or_else(|| panic!("{question} is refused"))), batches)
    };
    let grant = all("system");
    let (found, batches) = asks(&grant, "Patient/a/$everything", 0);
    assert_eq!(found, ["a", "x", "v"]);
    let types = ResourceType::served().iter().filter(|on| !is_directory(**on) && !belongs_to_nobody(**on)).count();
    assert!(types > 64 && batches == types.div_ceil(64), "{batches} for {types} types");
    assert!(world.database.largest.get() <= 64, "{}", world.database.largest.get());
    assert_eq!(asks(&grant, "Patient/a/$everything", 999).1, 0, "each batch is of one check");
    assert_eq!(asks(&grant, "Patient/a/$everything?_count=1", 2_000), (vec!["a".to_owned()], 1), "no more is needed");
    // A closed resource takes as many trips as a missing one.
    let grant = all("user");
    let everything = |id: &str| world.answers(&grant, &format!("Patient/{id}/$everything"), 4_000);
    assert_eq!(
        [everything("b"), everything("ghost")],
        [(None, types.div_ceil(64) + 1), (None, types.div_ceil(64) + 1)]
    );
    assert_eq!(asks(&grant, "Patient/a/*", 6_000).0, ["x", "v"]);
}

#[test]
fn a_record_of_somebody_else_takes_as_many_trips_as_one_that_is_not_there() {
    let grant = user("dr");
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
fn a_compartment_takes_a_second_trip_only_where_another_record_has_members() {
    let world = World::new(FreshnessWindow::NONE);
    let mut told = condition("told", "b");
    told["asserter"] = json!({"reference": "Patient/a"});
    let mut own = condition("own", "a");
    own["asserter"] = json!({"reference": "Patient/a"});
    let group = json!({"resourceType": "Group", "id": "g", "type": "person", "actual": true,
        "member": [{"entity": {"reference": "Patient/a"}}, {"entity": {"reference": "Patient/b"}}]});
    world.load(&[told, own, group]);
    // The chart and the names are read in parallel.
    assert_eq!(world.asks("Patient/b/Condition?_sort=_id", 0), found(&["told", "y"], 2));
    assert_eq!(world.asks("Patient/a/Condition?_sort=_id", 0), found(&["own", "told", "x"], 3));
    assert_eq!(world.asks("Condition?patient=a&_sort=_id", 0), found(&["own", "x"], 1));
    assert_eq!(world.asks("Patient/a/Group", 0), found(&["g"], 3));
    assert_eq!(world.asks("Patient?_has:Group:member:_id=g&_sort=_id", 0), found(&["a", "b"], 2));
    // For a user to whom the other record is closed, the trips are the same as if the record were missing.
    let closed = world.answers(&user("dr"), "Patient/a/Condition?_sort=_id", 0);
    assert_eq!((ids(&closed.0.unwrap()), closed.1), found(&["own", "x"], 2));
    let own = Grant { patient: Id::parse("a"), scopes: ScopeSet::parse("patient/*.read").unwrap(), ..user("dr") };
    assert_eq!(world.answers(&own, "Patient/a/Condition", 0).1, 1, "nothing else is opened");
}

#[test]
fn what_nobody_is_kept_from_is_located_and_read_in_one_trip() {
    for question in ["Condition/x", "Condition?_id=x", "Encounter?identifier=http://s|1", "Encounter?identifier=1"] {
        let world = World::new(FreshnessWindow::default());
        world.load(&[encounter("x", "a", "1"), encounter("x2", "a", "2")]);
        assert_eq!(world.finds(question, 0), (vec!["x".to_owned()], 1, 1), "{question}");
        for later in [0, 500, 999] {
            assert_eq!(world.finds(question, later), (vec!["x".to_owned()], 0, 0), "{question} {later}");
        }
        assert_eq!(world.finds(question, 1_000), (vec!["x".to_owned()], 1, 0), "{question}: only the version is asked");
        assert_eq!(world.finds(question, 1_999).1, 0, "{question}: another window has begun");
        assert_eq!(world.finds(question, 999).1, 1, "a clock that goes back proves nothing");
        assert_eq!(world.finds("Condition/none", 999), (vec![], 1, 0));
        world.load(&[condition("none", "a")]);
        assert_eq!(world.finds("Condition/none", 999), (vec!["none".to_owned()], 1, 1), "what is added is found");
    }
}

#[test]
fn a_chart_that_the_isolate_has_is_not_sent_for_another_id() {
    let world = World::new(FreshnessWindow::NONE);
    world.load(&[condition("x2", "a"), condition("z", "a")]);
    assert_eq!(world.finds("Condition?patient=a&_id=x", 0).1, 1);
    for id in ["x", "x2", "z"] {
        assert_eq!(world.finds(&format!("Condition/{id}"), 0), (vec![id.to_owned()], 1, 0), "{id}");
    }
    assert_eq!(world.finds("Condition/y", 0), (vec!["y".to_owned()], 1, 1), "of another patient");
    world.load(&[condition("x3", "a")]);
    assert_eq!(world.finds("Condition/x", 0), (vec!["x".to_owned()], 1, 1), "the chart has changed");
}

#[test]
fn several_names_take_one_trip() {
    let world = World::new(FreshnessWindow::NONE);
    world.load(&[encounter("e", "a", "1"), encounter("f", "b", "2"), encounter("g", "b", "3")]);
    assert_eq!(world.finds("Condition?_id=x,y,none", 0), (vec!["x".to_owned(), "y".to_owned()], 1, 2));
    assert_eq!(world.finds("Condition?_id=x,y,none", 0).1, 1);
    let found = world.finds("Encounter?identifier=http://s|", 0);
    assert_eq!((found.0.len(), found.1, found.2), (3, 1, 2), "of a system");
    assert_eq!(world.finds("Encounter?identifier=2,3", 0), (vec!["f".to_owned(), "g".to_owned()], 1, 0));
}

#[test]
fn a_resource_that_has_moved_is_found_within_the_window() {
    let world = World::new(FreshnessWindow::default());
    assert_eq!(world.finds("Condition/x", 0).1, 1);
    world.load(&[condition("x", "b")]);
    assert_eq!(world.asks("Condition?patient=a,b", 500).0.len(), 2);
    assert_eq!(world.finds("Condition/x", 600), (vec!["x".to_owned()], 1, 0), "the chart of a is of another version");
    assert_eq!(world.finds("Condition/x", 1_599).1, 0);
}

#[test]
fn many_charts_of_one_name_are_all_read() {
    let world = World::new(FreshnessWindow::NONE);
    let patients: Vec<_> = (0..12).map(|number| format!("p{number:02}")).collect();
    let encounters = patients.iter().map(|patient| encounter(&format!("of-{patient}"), patient, "shared"));
    world.load(&patients.iter().map(|id| patient(id)).chain(encounters).collect::<Vec<_>>());
    let found = world.finds("Encounter?identifier=shared", 0);
    assert_eq!((found.0.len(), found.1), (12, 2), "more than one statement reads of a single name");
    assert_eq!(world.finds("Encounter?identifier=shared", 0).1, 2);
}

#[test]
fn a_read_of_a_large_chart_takes_another_trip_for_an_older_page_alone() {
    let world = World::new(FreshnessWindow::NONE);
    world.load(&(0..700).map(|number| condition(&format!("c{number:03}"), "a")).collect::<Vec<_>>());
    let trips = |question: &str| {
        let (ids, trips, sent) = world.finds(question, 0);
        assert_eq!(ids.len(), 1, "{question}");
        (trips, sent)
    };
    assert_eq!(trips("Condition/c000"), (1, 8), "its head and the newest pages");
    assert_eq!(trips("Condition/c699"), (2, 1), "the version, and its page");
    assert_eq!(trips("Condition/c698"), (1, 0));
    let world = World::new(FreshnessWindow::NONE);
    world.load(&(0..200).map(|number| condition(&format!("c{number:03}"), "a")).collect::<Vec<_>>());
    let found = world.finds("Condition?_id=c000,c001", 0);
    assert_eq!((found.0.len(), found.1), (2, 1), "they are on the last page");
    let found = world.finds("Condition?_id=c000,c199", 0);
    assert_eq!((found.0.len(), found.1), (2, 2), "one of them is on another page");
    assert_eq!(world.finds("Condition?patient=a&_count=200", 0).1, 1, "what was read so does not make it two");
}

#[test]
fn a_user_who_may_see_all_patients_needs_one_trip() {
    let world = World::new(FreshnessWindow::NONE);
    let batches = |name: &str| world.answers(&user(name), "Condition/x", 0).1;
    assert_eq!(batches("chief"), 1, "the list is known");
    assert_eq!((batches("dr"), batches("dr")), (2, 2), "another patient's chart would tell by the time that it takes");
}

#[test]
fn the_directory_is_asked_the_same_once_within_the_window() {
    let world = World::new(FreshnessWindow::default());
    let practitioner = |id: &str, family: &str| {
        let identifier = json!([{"system": "http://s", "value": family}]);
        json!({"resourceType": "Practitioner", "id": id, "identifier": identifier, "name": [{"family": family}]})
    };
    world.load(&[practitioner("p", "Lind")]);
    for question in ["Practitioner/p", "Practitioner?identifier=http://s|Lind", "Practitioner?_id=p", "Patient/b"] {
        let batches = [0, 500, 999, 1_000, 1_999, 999].map(|later| world.finds(question, later).1);
        assert_eq!(batches, [1, 0, 0, 1, 0, 1], "{question}");
    }
    assert_eq!(world.finds("Practitioner?identifier=Berg", 1_000), (vec![], 1, 0));
    world.load(&[practitioner("q", "Berg")]);
    assert_eq!(world.finds("Practitioner?identifier=Berg", 1_000).0.len(), 1, "what is added is found");
    // A cached answer is specific to the patients whom the user may see.
    let batches = |grant: &Grant, question: &str| world.answers(grant, question, 2_000);
    assert_eq!(batches(&user("chief"), "Patient/b").1, 1);
    let (answer, trips) = batches(&user("dr"), "Patient/b");
    assert_eq!((answer, trips), (None, 1), "another's answer is not given");
    assert_eq!(batches(&user("dr"), "Patient/none"), (None, 1));
    let none = World::new(FreshnessWindow::NONE);
    assert_eq!([0, 0].map(|later| none.finds("Patient/a", later).1), [1, 1], "without a window");
}

#[test]
fn a_chain_and_has_take_no_further_trip_where_the_patient_is_known() {
    let world = World::new(FreshnessWindow::default());
    let visit =
        json!({"resourceType": "Encounter", "id": "e", "status": "finished", "subject": {"reference": "Patient/a"}});
    let mut many: Vec<Value> = (0..600).map(|number| condition(&format!("c{number:03}"), "a")).collect();
    for condition in &mut many {
        condition["encounter"] = json!({"reference": "Encounter/e"});
    }
    many.push(visit);
    world.load(&many);
    let batches = |question: &str, later| {
        let (ids, batches) = world.asks(question, later);
        assert!(!ids.is_empty(), "{question}");
        batches
    };
    let chain = "Condition?patient=a&encounter.status=finished&_count=50";
    assert_eq!(batches(chain, 0), 1);
    assert_eq!(batches(chain, 999), 0, "all charts are of one check");
    assert_eq!(batches("Condition?patient=a&encounter.patient._id=a&_count=50", 2_000), 1);
    assert_eq!(batches("Encounter?patient=a&_has:Condition:encounter:_id=c007", 4_000), 1);
    assert_eq!(batches("Encounter?_id=e&_has:Condition:encounter:_id=c007", 8_000), 2, "its name, and its record");
    assert_eq!(
        batches("Patient?_id=a,b&_has:Condition:patient:_id=y,c007", 10_000),
        2,
        "their rows, and their records"
    );
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

/// Returns a resource that is hard to compress.
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
