//! Moves of the charts of buckets and the rows of types between shards: nothing is lost or duplicated, the changes of a
//! concurrent load are kept, an interrupted move can be finished, and the SQL files do the same to remote databases.
//! `tests/cases.rs` runs every case on three shards.

use std::path::PathBuf;

use auth_store::SqlAuthStore;
use fhir::ResourceType;
use native::{
    NoProgress, SqlFiles, SqliteDatabase, SqliteWriter, delete_moved, delete_moved_rows, move_buckets, move_rows,
    row_status, shard_status, sharded_database, shelve,
};
use oauth::AuthStore;
use rusqlite::Connection;
use serde_json::{Value, json};
use store::names::{BUCKETS, bucket};
use store::{Cost, Store};

/// A directory and two further shards, in separate files.
struct Folder {
    files: [PathBuf; 3],
}

impl Folder {
    fn new() -> Self {
        Self { files: [crate::support::tempfile(), crate::support::tempfile(), crate::support::tempfile()] }
    }

    fn open(&self) -> Connection {
        sharded_database(&self.files[0], &self.files[1..]).unwrap()
    }

    /// Loads the sample, or other files instead.
    fn load(&self, paths: &[PathBuf]) {
        crate::support::loader().load(paths, SqliteWriter::over(self.open()).unwrap(), &mut NoProgress).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    }
}

/// The charts and versions of all shards: (k, data) and (n, id, version), in order.
type Content = (Vec<(i64, Vec<u8>)>, Vec<(i64, String, i64)>);

fn content(connections: &[&Connection], schemas: &[&str]) -> Content {
    let (mut charts, mut compartments) = (Vec::new(), Vec::new());
    for (connection, schema) in connections.iter().flat_map(|one| schemas.iter().map(move |schema| (one, schema))) {
        let mut statement = connection.prepare(&format!("SELECT k, data FROM {schema}.chart")).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        charts.extend(rows.map(Result::unwrap));
        let text = format!("SELECT n, id, version FROM {schema}.compartment WHERE version <> 0");
        let mut statement = connection.prepare(&text).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        compartments.extend(rows.map(Result::unwrap));
    }
    charts.sort();
    compartments.sort();
    (charts, compartments)
}

fn all(database: &Connection) -> Content {
    content(&[database], &["main", "shard_1", "shard_2"])
}

fn sample() -> Vec<PathBuf> {
    vec![PathBuf::from("sample")]
}

/// Returns the numbers of buckets, compartments and other shards' buckets of each shard.
fn counts(database: &Connection) -> Vec<(usize, u64, usize)> {
    let (_, status) = shard_status(database).unwrap();
    status.iter().map(|shard| (shard.buckets, shard.compartments, shard.others.len())).collect()
}

#[test]
fn charts_are_neither_lost_nor_doubled_by_moves() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    let before = all(&database);
    let compartments = before.1.len() as u64;
    assert!(compartments > 8);
    assert_eq!(counts(&database), [(4_096, compartments, 0), (0, 0, 0), (0, 0, 0)]);
    let upper: Vec<u32> = (2_048..BUCKETS).collect();
    assert_eq!(move_buckets(&mut database, &upper, 1, None).unwrap(), 2_048);
    let [main, first, _] = counts(&database)[..] else { panic!() };
    assert_eq!((main.0, first.0, main.1 + first.1), (2_048, 2_048, compartments));
    assert!(main.2 > 0 && first.2 == 0, "until they are deleted, the copies of before stay: {main:?}");
    assert_eq!(delete_moved(&mut database, None).unwrap(), main.2);
    assert_eq!(all(&database), before);
    assert_eq!(delete_moved(&mut database, None).unwrap(), 0);
    assert_eq!(move_buckets(&mut database, &upper, 1, None).unwrap(), 0, "they are there");
    // The records are moved to the third shard, and back into the directory.
    for to in [2, 0] {
        move_buckets(&mut database, &(0..BUCKETS).collect::<Vec<_>>(), to, None).unwrap();
        delete_moved(&mut database, None).unwrap();
        assert_eq!(all(&database), before);
        assert_eq!(counts(&database)[to], (4_096, compartments, 0));
    }
    let text = "SELECT count(*) FROM main.compartment";
    let listed: i64 = database.query_row(text, [], |row| row.get(0)).unwrap();
    assert_eq!(listed.unsigned_abs(), compartments, "the directory lists all of them, wherever they are");
}

#[test]
fn a_load_gives_the_same_charts_however_they_are_distributed() {
    let (one, other) = (Folder::new(), Folder::new());
    one.load(&sample());
    let mut database = other.open();
    move_buckets(&mut database, &(0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect::<Vec<_>>(), 1, None).unwrap();
    drop(database);
    other.load(&sample());
    assert_eq!(all(&one.open()), all(&other.open()));
    let again = other.open();
    let [main, first, _] = counts(&again)[..] else { panic!() };
    assert!(main.1 > 0 && first.1 > 0 && main.2 + first.2 == 0, "{main:?} {first:?}");
    drop(again);
    other.load(&sample());
    assert_eq!(all(&one.open()), all(&other.open()), "a second load changes nothing");
}

#[test]
fn a_shard_that_was_lost_is_rebuilt_by_the_same_load() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    move_buckets(&mut database, &(0..BUCKETS).filter(|bucket| bucket % 2 == 1).collect::<Vec<_>>(), 1, None).unwrap();
    delete_moved(&mut database, None).unwrap();
    let before = all(&database);
    let in_shard = counts(&database)[1].1;
    drop(database);
    std::fs::remove_file(&folder.files[1]).unwrap();
    assert_eq!(counts(&folder.open())[1].1, 0);
    folder.load(&sample());
    let database = folder.open();
    assert_eq!(counts(&database)[1].1, in_shard);
    assert!(in_shard > 2 && all(&database) == before, "with the same charts and versions");
}

#[test]
fn an_interrupted_move_is_finished_by_the_next_one() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    let before = all(&database);
    let of_patient = bucket("mateo-reyes", BUCKETS);
    // A copy without an entry in the map, and an incomplete copy.
    let (first, last) = (i64::from(of_patient) << 19, (i64::from(of_patient) + 1) << 19);
    let text =
        format!("INSERT INTO shard_1.compartment SELECT * FROM main.compartment WHERE n BETWEEN {first} AND {last}");
    database.execute_batch(&text).unwrap();
    assert_eq!(counts(&database)[1], (0, 0, 1));
    move_buckets(&mut database, &[of_patient], 1, None).unwrap();
    delete_moved(&mut database, None).unwrap();
    assert_eq!(all(&database), before);
    assert_eq!(counts(&database)[1], (1, 1, 0));
}

#[test]
fn a_reader_with_the_map_of_before_reads_the_map_again() {
    let folder = Folder::new();
    folder.load(&sample());
    let store = crate::support::over_shards(&folder.files, &crate::support::Access::new());
    let question = "Condition?patient=mateo-reyes";
    let before = crate::support::ids(&store, question);
    assert!(!before.is_empty());
    let mut database = folder.open();
    for to in [1, 0] {
        move_buckets(&mut database, &[bucket("mateo-reyes", BUCKETS)], to, None).unwrap();
        assert_eq!(crate::support::ids(&store, question), before, "both shards have it");
        if to == 1 {
            delete_moved(&mut database, None).unwrap();
            assert_eq!(crate::support::ids(&store, question), before, "the directory says that it is elsewhere");
        }
    }
}

#[test]
fn a_move_to_a_shard_that_is_not_there_is_refused() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    let refused = move_buckets(&mut database, &[7], 3, None).unwrap_err();
    assert!(refused.0.contains("no shard 3"), "{refused}");
    move_buckets(&mut database, &[7], 2, None).unwrap();
    drop(database);
    let refused = shard_status(&sharded_database(&folder.files[0], &folder.files[1..2]).unwrap()).unwrap_err();
    assert!(refused.0.contains("give the file of each shard"), "{refused}");
}

/// Makes a remote database for each shard, with the records of the sample and a long one, as in the folder's files.
fn remote_databases(folder: &Folder) -> [Connection; 3] {
    let long = crate::support::tempfile().with_extension("json");
    let text = format!("{}é''", "'A".repeat(150_000));
    let organization = json!({"resourceType": "Organization", "id": "long", "text": {"div": text}});
    std::fs::write(&long, organization.to_string()).unwrap();
    folder.load(&[&sample()[..], std::slice::from_ref(&long)].concat());
    std::fs::remove_file(&long).unwrap();
    ["main", "shard_1", "shard_2"].map(|schema| {
        let remote = native::tables(Connection::open_in_memory().unwrap()).unwrap();
        copy(&folder.open(), schema, &remote);
        remote
    })
}

/// Copies all records of a schema into another database.
fn copy(from: &Connection, schema: &str, to: &Connection) {
    let columns = |row: &rusqlite::Row<'_>| {
        (0..row.as_ref().column_count()).map(|at| row.get(at).unwrap()).collect::<Vec<rusqlite::types::Value>>()
    };
    for table in
        ["compartment", "chart", "locator", "resource", "fact", "link", "alias", "dependent", "format", "shard_map"]
    {
        let mut statement = from.prepare(&format!("SELECT * FROM {schema}.{table}")).unwrap();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let values = columns(row);
            let marks = vec!["?"; values.len()].join(", ");
            let insert = format!("INSERT INTO {table} VALUES ({marks})");
            to.execute(&insert, rusqlite::params_from_iter(values)).unwrap();
        }
    }
}

/// Runs the SQL files of a journal in `folder` on the remote databases, and removes them.
fn run_on(remote: &[Connection; 3], folder: &std::path::Path, journal: SqlFiles) {
    for file in journal.finish().unwrap() {
        let shard = file.parent().and_then(|parent| parent.file_name()).and_then(|name| name.to_str());
        let at = shard.and_then(|name| name.strip_prefix("SHARD_")).map_or(0, |number| number.parse().unwrap());
        let (text, target): (_, &Connection) = (std::fs::read_to_string(&file).unwrap(), &remote[at]);
        assert!(text.split(";\n").all(|statement| statement.len() < 100_000));
        target.execute_batch(&text).unwrap();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

fn map_in(database: &Connection) -> String {
    let map = "SELECT group_concat(first || ':' || shard) FROM (SELECT * FROM shard_map ORDER BY first)";
    database.query_row(map, [], |row| row.get(0)).unwrap()
}

#[test]
fn the_sql_files_do_the_same_to_remote_databases() {
    let (folder, sql) = (Folder::new(), crate::support::tempfile());
    let remote = remote_databases(&folder);
    let run = |journal: SqlFiles| run_on(&remote, &sql, journal);
    let journal = || SqlFiles::new(&sql).unwrap();
    for (buckets, to) in [((0..BUCKETS / 2).collect::<Vec<_>>(), 1), ((1_000..BUCKETS).collect(), 2), (vec![9], 0)] {
        let mut database = folder.open();
        let mut moved = journal();
        move_buckets(&mut database, &buckets, to, Some(&mut moved)).unwrap();
        run(moved);
        let mut deleted = journal();
        delete_moved(&mut database, Some(&mut deleted)).unwrap();
        run(deleted);
        assert_eq!(content(&remote.each_ref()[..], &["main"]), all(&database));
        assert_eq!(map_in(&remote[0]), map_in(&database));
    }
}

/// The tables with rows, and their columns that readers use.
const ROWS: [(&str, &str); 3] = [
    ("resource", "type, id, patient, owners, sort, params, version, modified, digest, body"),
    ("fact", "param, value, sort, rest"),
    ("link", "id, param, target"),
];

/// Returns the rows of types in a schema, without the name of the schema.
fn rows_in(database: &Connection, schema: &str) -> Vec<String> {
    let prefix = format!("{schema}.");
    let rows = crate::support::rows(database, schema, &ROWS).into_iter();
    rows.map(|row| row.strip_prefix(&prefix).unwrap().to_owned()).collect()
}

/// Returns the rows of types in all shards.
fn all_rows(database: &Connection) -> Vec<String> {
    let mut rows: Vec<_> =
        ["main", "shard_1", "shard_2"].into_iter().flat_map(|schema| rows_in(database, schema)).collect();
    rows.sort();
    rows
}

/// Returns the shard of the rows of each type, and the shards that have copies.
fn places(database: &Connection) -> Vec<(&'static str, usize, Vec<usize>)> {
    let status = row_status(database).unwrap().into_iter();
    status
        .filter(|of| of.shard > 0 || !of.others.is_empty())
        .map(|of| (of.resource_type.name(), of.shard, of.others))
        .collect()
}

/// Searches of types with rows, and searches that lead to such types.
const QUESTIONS: [&str; 13] = [
    "Patient?name=a",
    "Patient?gender=female&_sort=birthdate&_count=3",
    "Patient?name=a&_revinclude=Provenance:target&_count=5",
    "Practitioner?name=b&_count=5",
    "Practitioner?name:contains=a&_total=accurate",
    "PractitionerRole?_include=PractitionerRole:practitioner&_include=PractitionerRole:endpoint&_count=7",
    "PractitionerRole?_sort=specialty&_include=PractitionerRole:practitioner&_count=5",
    "PractitionerRole?practitioner.name=g",
    "Organization?name=l",
    "CareTeam?patient=amara-okafor&_include=CareTeam:participant",
    "MedicationRequest?patient=amara-okafor&_include=MedicationRequest:medication",
    "Encounter?patient=amara-okafor&location.name=l",
    "Location?name=l",
];

/// Returns the answers to the searches, by a store over the files with a separate isolate.
fn answers(folder: &Folder) -> Vec<Value> {
    let store = crate::support::over_shards(&folder.files, &crate::support::Access::new());
    QUESTIONS.iter().map(|question| crate::support::answer(&store, question)).collect()
}

#[test]
fn rows_are_neither_lost_nor_doubled_by_moves_and_answers_stay() {
    let folder = Folder::new();
    folder.load(&sample());
    let (mut database, expected) = (folder.open(), answers(&folder));
    for (question, answer) in QUESTIONS.iter().zip(&expected) {
        let entries = answer["entry"].as_array().unwrap_or_else(|| panic!("{question} finds nothing"));
        let included = entries.iter().any(|entry| entry["search"]["mode"] == "include");
        assert_eq!(included, question.contains("include="), "{question}");
    }
    let before = all_rows(&database);
    assert_eq!(places(&database), []);
    let [patient, practitioner, organization] =
        [ResourceType::Patient, ResourceType::Practitioner, ResourceType::Organization];
    let reader = crate::support::over_shards(&folder.files, &crate::support::Access::new());
    assert_eq!(crate::support::answer(&reader, QUESTIONS[0]), expected[0]);
    for (types, to) in [
        (vec![patient, practitioner], 1),
        (vec![practitioner, organization], 2),
        (vec![ResourceType::Location, ResourceType::CareTeam], 2),
        (vec![patient, practitioner, organization, ResourceType::Location, ResourceType::CareTeam], 0),
    ] {
        let count = move_rows(&mut database, &types, to, None).unwrap();
        assert!(count >= types.len() - 1, "{types:?}");
        assert_eq!(answers(&folder), expected, "both shards have {types:?}");
        if types.contains(&patient) && to == 1 {
            assert_eq!(crate::support::answer(&reader, QUESTIONS[0]), expected[0], "with the map of before");
        }
        assert_eq!(delete_moved_rows(&mut database, None).unwrap(), count);
        assert!(all_rows(&database) == before);
        assert_eq!(answers(&folder), expected, "{types:?} in shard {to}");
        assert_eq!(delete_moved_rows(&mut database, None).unwrap(), 0);
        assert_eq!(move_rows(&mut database, &types, to, None).unwrap(), 0, "they are there");
        // Charts are moved as before.
        let shard = (to + 1) % 3;
        move_buckets(&mut database, &(0..1_000).collect::<Vec<_>>(), shard, None).unwrap();
        delete_moved(&mut database, None).unwrap();
        assert_eq!(answers(&folder), expected, "charts in shard {shard}");
    }
    assert_eq!(places(&database), []);
}

#[test]
fn only_an_include_of_a_type_in_another_shard_takes_a_further_trip() {
    let folder = Folder::new();
    folder.load(&sample());
    let trips = |question: &str| {
        let store = crate::support::over_shards(&folder.files, &crate::support::Access::new());
        let Cost::D1 { trips, .. } = crate::support::reply(&store, question).cost else { panic!("{question}") };
        trips
    };
    let include = "PractitionerRole?_include=PractitionerRole:practitioner&_total=accurate";
    let others = [
        ("Practitioner?name=b&_total=accurate", 1),
        ("PractitionerRole?practitioner.name=g", 1),
        ("Practitioner/grace-lindholm", 1),
        ("Observation?patient=amara-okafor", 1),
        ("CareTeam?patient=amara-okafor&_include=CareTeam:participant", 2),
        ("Encounter?patient=amara-okafor&location.name=l", 2),
    ];
    let moved = [ResourceType::Practitioner, ResourceType::Location];
    for (to, expected) in [(0, 1), (2, 2)] {
        move_rows(&mut folder.open(), &moved, to, None).unwrap();
        assert_eq!(trips(include), expected, "in shard {to}");
        for (question, expected) in others {
            assert_eq!(trips(question), expected, "{question}, in shard {to}");
        }
    }
}

#[test]
fn a_load_stores_the_same_rows_however_they_are_divided() {
    let (one, other) = (Folder::new(), Folder::new());
    one.load(&sample());
    let mut database = other.open();
    crate::support::divide_rows(&mut database, 3);
    drop(database);
    other.load(&sample());
    assert!(places(&other.open()).len() > 10);
    assert!(all_rows(&one.open()) == all_rows(&other.open()));
    assert_eq!(answers(&one), answers(&other));
    let expected = crate::support::rows(&other.open(), "shard_1", &ROWS);
    assert!(expected.iter().any(|row| row.contains(".fact ")) && expected.iter().any(|row| row.contains(".resource ")));
    // A load changes and deletes resources in the new shard.
    let changed = crate::support::tempfile().with_extension("ndjson");
    let mut texts = String::new();
    for name in ["Patient", "Practitioner", "Organization", "CareTeam"] {
        texts += &std::fs::read_to_string(format!("sample/{name}.ndjson")).unwrap();
    }
    texts = texts.replace("\"family\":\"", "\"family\":\"Van ").replace("\"active\":true", "\"active\":false");
    let gone = json!({"resourceType": "Bundle", "type": "transaction", "entry": [
        {"request": {"method": "DELETE", "url": "Patient/mateo-reyes"}},
    ]});
    for text in [texts, format!("{gone}\n")] {
        std::fs::write(&changed, text).unwrap();
        for folder in [&one, &other] {
            folder.load(std::slice::from_ref(&changed));
        }
    }
    std::fs::remove_file(&changed).unwrap();
    let rows = all_rows(&one.open());
    assert!(rows == all_rows(&other.open()));
    assert!(rows.iter().any(|row| row.contains("~van ")), "names have changed");
    let of_deleted: Vec<_> = rows.iter().filter(|row| row.contains("\"Patient\",\"mateo-reyes")).collect();
    assert!(of_deleted.is_empty(), "{of_deleted:?}");
    assert_eq!(answers(&one), answers(&other));
    let shelved = [one.open(), other.open()].map(|database| {
        let mut values = crate::support::Values::default();
        shelve(&database, &mut values, &mut NoProgress).unwrap();
        values.0
    });
    assert!(shelved[0] == shelved[1], "and the shelves are the same");
}

#[test]
fn an_interrupted_move_of_rows_is_finished_by_the_next_one() {
    let folder = Folder::new();
    folder.load(&sample());
    let (mut database, expected) = (folder.open(), answers(&folder));
    let before = all_rows(&database);
    // An incomplete copy, without an entry in the map.
    let text = "INSERT INTO shard_1.resource SELECT * FROM main.resource WHERE type = 'Patient' AND id < 'f'; \
                INSERT INTO shard_1.fact SELECT * FROM main.fact WHERE value LIKE 'a%'";
    database.execute_batch(text).unwrap();
    assert_eq!(places(&database), [("Patient", 0, vec![1])]);
    assert_eq!(answers(&folder), expected);
    let facts = "DELETE FROM shard_1.fact WHERE param NOT IN (SELECT param FROM main.fact WHERE value = '' AND sort LIKE '%mateo-reyes')";
    database.execute_batch(facts).unwrap();
    move_rows(&mut database, &[ResourceType::Patient], 1, None).unwrap();
    // A load between the entry and the deletion writes only to the new shard.
    drop(database);
    let changed = crate::support::tempfile().with_extension("ndjson");
    let texts = std::fs::read_to_string("sample/Patient.ndjson").unwrap();
    std::fs::write(&changed, texts.replace("\"family\":\"", "\"family\":\"Van ")).unwrap();
    folder.load(std::slice::from_ref(&changed));
    std::fs::write(&changed, texts).unwrap();
    folder.load(std::slice::from_ref(&changed));
    std::fs::remove_file(&changed).unwrap();
    let mut database = folder.open();
    assert_eq!(places(&database), [("Patient", 1, vec![0])]);
    assert_eq!(delete_moved_rows(&mut database, None).unwrap(), 1);
    assert!(all_rows(&database) == before);
    assert_eq!(answers(&folder), expected);
}

#[test]
fn rows_that_cannot_move_stay() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    let refused = |database: &mut Connection, of, to| move_rows(database, &[of], to, None).unwrap_err().0;
    assert!(refused(&mut database, ResourceType::Observation, 1).contains("has no rows"));
    assert!(refused(&mut database, ResourceType::Patient, 3).contains("no shard 3"));
    database.execute_batch("INSERT INTO main.fact VALUES (60000, 'a', 'b', 'c')").unwrap();
    assert!(refused(&mut database, ResourceType::Patient, 1).contains("parameter 60000"));
    assert_eq!(places(&database), []);
}

#[test]
fn the_patients_of_a_user_who_may_see_all_are_those_of_the_shard_that_has_them() {
    let folder = Folder::new();
    folder.load(&sample());
    let mut database = folder.open();
    database.execute_batch("INSERT INTO main.access (user, patient) VALUES ('dr', '*')").unwrap();
    let open = |file: &PathBuf| SqliteDatabase::new(crate::support::limited(file));
    let listed = || {
        let records = folder.files.iter().map(open).collect();
        let auth_store = SqlAuthStore::new(open(&folder.files[0])).with_records(records);
        crate::support::now(auth_store.access_list("dr", 100)).unwrap().patients
    };
    let all = listed();
    assert!(all.len() > 5);
    move_rows(&mut database, &[ResourceType::Patient], 2, None).unwrap();
    delete_moved_rows(&mut database, None).unwrap();
    assert_eq!(listed(), all);
}

#[test]
fn a_directory_without_the_shards_of_its_map_is_not_ready() {
    let folder = Folder::new();
    folder.load(&sample());
    let fault = || {
        let directory = crate::support::limited(&folder.files[0]);
        let store = crate::support::over_sqlite(directory, &crate::support::Access::new());
        crate::support::now(store.dependencies()).remove(0).fault
    };
    assert_eq!(fault(), None);
    move_rows(&mut folder.open(), &[ResourceType::Organization], 2, None).unwrap();
    assert!(fault().is_some_and(|why| why.contains("shard 2, which is not bound")));
    let whole = crate::support::over_shards(&folder.files, &crate::support::Access::new());
    assert!(crate::support::now(whole.dependencies()).iter().all(|one| one.fault.is_none()));
}

#[test]
fn the_sql_files_move_rows_between_remote_databases() {
    let (folder, sql) = (Folder::new(), crate::support::tempfile());
    let remote = remote_databases(&folder);
    let run = |journal: SqlFiles| run_on(&remote, &sql, journal);
    let journal = || SqlFiles::new(&sql).unwrap();
    let same = || {
        let database = folder.open();
        for (schema, remote) in ["main", "shard_1", "shard_2"].into_iter().zip(&remote) {
            assert!(rows_in(remote, "main") == rows_in(&database, schema), "{schema}");
        }
    };
    for (types, to) in [
        (vec![ResourceType::Patient, ResourceType::Practitioner], 1),
        (vec![ResourceType::Practitioner, ResourceType::Organization], 2),
        (vec![ResourceType::Patient], 0),
    ] {
        let mut database = folder.open();
        let mut moved = journal();
        move_rows(&mut database, &types, to, Some(&mut moved)).unwrap();
        run(moved);
        same();
        let mut deleted = journal();
        delete_moved_rows(&mut database, Some(&mut deleted)).unwrap();
        run(deleted);
        same();
        assert_eq!(map_in(&remote[0]), map_in(&database));
    }
}
