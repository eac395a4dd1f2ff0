//! Groups of the patients that a search finds.

use std::path::{Path, PathBuf};

use fhir::Id;
use native::{
    Failure, NoProgress, SearchedDatabases, SqliteWriter, delete_moved, group, id_of_name, move_buckets, patients_of,
    sharded_database, stored_database,
};
use serde_json::{Value, json};
use store::names::BUCKETS;

use crate::support::BASE;

/// The SQLite files with these resources: the directory, and optionally a shard that has every other bucket.
struct Files(Vec<PathBuf>);

impl Files {
    fn with(resources: &[Value], shards: usize) -> Self {
        let files = Self((0..=shards).map(|_| crate::support::tempfile()).collect());
        let lines: String = resources.iter().map(|resource| format!("{resource}\n")).collect();
        files.load(&lines);
        if shards > 0 {
            let mut database = sharded_database(&files.0[0], &files.0[1..]).unwrap();
            let every_other: Vec<_> = (0..BUCKETS).step_by(2).collect();
            move_buckets(&mut database, &every_other, 1, None).unwrap();
            delete_moved(&mut database, None).unwrap();
        }
        files
    }

    fn load(&self, lines: &str) {
        let input = self.0[0].with_extension("ndjson");
        std::fs::write(&input, lines).unwrap();
        let writer = SqliteWriter::open(&self.0[0]).unwrap();
        crate::support::loader().load(std::slice::from_ref(&input), writer, &mut NoProgress).unwrap();
        std::fs::remove_file(&input).unwrap();
    }

    fn search(&self, search: &str) -> Result<String, Failure> {
        let open = |path: &Path| stored_database(path, &[]).unwrap();
        let databases = SearchedDatabases {
            directory: open(&self.0[0]),
            primary: open(&self.0[0]),
            shards: self.0[1..].iter().map(|file| open(file)).collect(),
        };
        let found = patients_of(search, databases, BASE, 0)?;
        Ok(found.iter().map(Id::as_str).collect::<Vec<_>>().join(" "))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for file in &self.0 {
            let _ = std::fs::remove_file(file);
        }
    }
}

fn records(patients: usize) -> Vec<Value> {
    let mut all = Vec::new();
    for at in 0..patients {
        let gender = if at % 2 == 0 { "female" } else { "male" };
        all.push(json!({"resourceType": "Patient", "id": format!("p{at:03}"), "gender": gender,
            "name": [{"family": format!("Family{at}")}]}));
        let code = if at % 3 == 0 { "44054006" } else { "38341003" };
        all.push(json!({"resourceType": "Condition", "id": format!("c{at}"),
            "code": {"coding": [{"system": "http://snomed.info/sct", "code": code}]},
            "subject": {"reference": format!("Patient/p{at:03}")}}));
    }
    all
}

#[test]
fn a_search_of_patients_or_of_what_they_have_gives_them_all() {
    let ids = |step: usize| (0..130).step_by(step).map(|at| format!("p{at:03}")).collect::<Vec<_>>().join(" ");
    for shards in [0, 1] {
        let files = Files::with(&records(130), shards);
        assert_eq!(files.search("Patient?gender=female").unwrap(), ids(2));
        assert_eq!(files.search("Patient").unwrap(), ids(1));
        assert_eq!(files.search("Condition?code=http://snomed.info/sct%7C44054006").unwrap(), ids(3));
        assert_eq!(files.search("Condition?code=44054006&patient=p003,p004").unwrap(), "p003");
        assert_eq!(files.search("Patient?_has:Condition:patient:code=44054006&gender=female").unwrap(), ids(6));
        assert_eq!(files.search("Patient?gender=other").unwrap(), "");
    }
}

#[test]
fn who_is_not_stored_is_no_member() {
    let mut all = records(2);
    all.push(json!({"resourceType": "Condition", "id": "x", "subject": {"reference": "Patient/elsewhere"}}));
    let files = Files::with(&all, 0);
    assert_eq!(files.search("Condition").unwrap(), "p000 p001");
}

#[test]
fn a_search_that_gives_no_group_is_refused() {
    let files = Files::with(&records(1), 0);
    for (search, why) in [
        ("Practitioner?name=x", "belongs to no patient"),
        ("Foo?x=1", "Foo is no type"),
        ("Patient?foo=1", "foo"),
        ("Patient?_id=p000&_revinclude=Condition:patient", "not from what comes with it"),
        ("Patient?_summary=count", "not from what comes with it"),
        ("Patient?name=%ff", "reading"),
    ] {
        let said = files.search(search).unwrap_err().0;
        assert!(said.contains(why), "{search}: {said}");
    }
}

#[test]
fn a_group_lists_its_members_and_is_loaded_as_any_other() {
    let files = Files::with(&records(3), 0);
    let members = ["p000", "p002"].into_iter().filter_map(Id::parse).collect();
    let id = id_of_name("Women, 2026: a Study").unwrap();
    assert_eq!(id.as_str(), "women-2026-a-study");
    let text = group("Women, 2026: a Study", &id, Some("urn:study|w"), &members);
    let expected = json!({
        "resourceType": "Group", "id": "women-2026-a-study", "identifier": [{"system": "urn:study", "value": "w"}],
        "active": true, "type": "person", "actual": true, "name": "Women, 2026: a Study", "quantity": 2,
        "member": [{"entity": {"reference": "Patient/p000"}}, {"entity": {"reference": "Patient/p002"}}],
    });
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    files.load(&text);
    let empty: Value = serde_json::from_str(&group("x", &id, Some("w"), &std::collections::BTreeSet::new())).unwrap();
    assert_eq!(
        (empty.get("member"), &empty["identifier"], &empty["quantity"]),
        (None, &json!([{"value": "w"}]), &json!(0))
    );
    assert_eq!((id_of_name("…"), id_of_name(&"long ".repeat(40)).unwrap().as_str().len() <= 64), (None, true));
}
