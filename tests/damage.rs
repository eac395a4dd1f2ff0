//! Stored data that was damaged outside of edgechart: an error that names its place, and never less in silence.

use crate::support::{Access, BASE, Values, index, limited, loaded, now, over, over_sqlite, tempfile};
use edgechart::api::{Disclosure, Moment, Problem, QueryContext, answer_question};
use edgechart::fhir::splice;
use edgechart::ingest::LoadTarget;
use edgechart::native::{Quiet, Writer, database, shelve};
use edgechart::search::CursorKey;
use edgechart::smart::{Grant, ScopeSet};
use edgechart::store::Store;
use edgechart::store::chart::deflate;
use edgechart::store::format;
use edgechart::store::kv::format_field;
use serde_json::{Value, json};

fn patient(id: &str) -> Value {
    json!({"resourceType": "Patient", "id": id, "name": [{"family": id}]})
}

fn condition(id: &str, patient: &str) -> Value {
    json!({"resourceType": "Condition", "id": id, "code": {"text": id}, "subject": {"reference": format!("Patient/{patient}")}})
}

fn practitioner(id: &str, family: &str, npi: &str) -> Value {
    json!({"resourceType": "Practitioner", "id": id, "name": [{"family": family}], "identifier": [{"system": "npi", "value": npi}]})
}

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

/// The text of an answer.
fn asked<S: Store>(store: &S, question: &str) -> Result<String, Problem> {
    let grant = Grant { scopes: ScopeSet::parse("system/*.read").unwrap(), ..Grant::default() };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = QueryContext { base: BASE, cursors: &cursors, grant: &grant, prefer: None, moment: &MOMENT };
    now(answer_question(store, question, context, &mut Disclosure::default())).map(|reply| splice(reply.body))
}

/// The text for the log of a question about damaged data. Its answer is 500 with an OperationOutcome.
fn damage<S: Store>(store: &S, question: &str) -> String {
    let problem = asked(store, question).unwrap_err();
    let outcome: Value = serde_json::from_str(&problem.outcome()).unwrap();
    assert_eq!((problem.reply::<String>().status, &outcome["resourceType"]), (500, &json!("OperationOutcome")));
    let Problem::Storage(detail) = problem else { panic!("{problem:?}") };
    detail
}

#[test]
fn damage_of_a_database_is_an_error_that_names_its_place() {
    let resources = index(&[patient("v"), condition("c", "v"), practitioner("d", "Lind", "7")]);
    let damaged = |statement: &str| {
        let file = tempfile();
        let mut writer = Writer::open(&file, None).unwrap();
        for resource in &resources {
            writer.store(resource.clone()).unwrap().unwrap();
        }
        writer.finish().unwrap();
        assert!(database(&file).unwrap().execute(statement, []).unwrap() > 0);
        let store = over_sqlite(limited(&file), &Access::new());
        std::fs::remove_file(&file).unwrap();
        store
    };
    let store = damaged("UPDATE compartment SET version = 'x' WHERE id = 'v'");
    for question in ["Condition?patient=v", "Condition/c"] {
        assert_eq!(damage(&store, question), "the version of the compartment v is damaged");
    }
    assert!(asked(&store, "Practitioner/d").is_ok());
    let store =
        damaged("UPDATE chart SET data = zeroblob(20) WHERE k >> 27 = (SELECT n FROM compartment WHERE id = 'v')");
    assert!(damage(&store, "Condition?patient=v").starts_with("a stored chart, v/Condition: "));
    // The last byte is one of the page that is behind the head.
    let store = damaged("UPDATE chart SET data = substr(data, 1, length(data) - 1) || x'ff'");
    assert!(damage(&store, "Condition?patient=v").starts_with("a stored chart, v/Condition: "));
    assert!(damage(&store, "Condition/c").starts_with("a stored chart, v/Condition: "));
    let store = damaged("UPDATE format SET params = '['");
    assert_eq!(damage(&store, "Practitioner?name=lind"), "the list of parameters in the table format is damaged");
}

#[test]
fn damage_of_values_is_an_error_that_names_its_key() {
    let database = loaded(&index(&[patient("v"), condition("c", "v"), practitioner("d", "Lind", "7")]), &Access::new());
    let mut values = Values::default();
    shelve(&database, &mut values, &mut Quiet).unwrap();
    let nobody = || loaded(&[], &Access::new());
    assert!(asked(&over(values.clone(), nobody()), "Condition/c").unwrap().contains("\"c\""));
    let damaged = |key: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut values = values.clone();
        change(values.0.get_mut(key).unwrap());
        over(values, nobody())
    };
    let index = values.0.keys().find(|key| key.starts_with("_/index/")).unwrap();
    let store =
        damaged(index, &|value| *value = [&format_field(format())[..], &deflate(b"Condition/c\t\xff\n")].concat());
    assert_eq!(damage(&store, "Condition/c"), format!("{index}: a value of the index is not UTF-8"));
    let store = damaged("v/Condition", &|value| value.truncate(40));
    assert!(damage(&store, "Condition?patient=v").starts_with("v/Condition: "));
    assert!(asked(&store, "Patient/v").is_ok());
    for (member, number) in [("Practitioner", json!("x")), ("Practitioner", json!(-1)), ("index", json!(null))] {
        let store = damaged("_/manifest", &|value| {
            let mut manifest: Value = serde_json::from_slice(value).unwrap();
            assert!(manifest[member].is_number(), "{manifest}");
            manifest[member] = number.clone();
            *value = manifest.to_string().into_bytes();
        });
        for question in ["Practitioner?name=lind", "Condition/c"] {
            assert_eq!(damage(&store, question), "_/manifest: a number of parts or of values of the index");
        }
    }
    let store = damaged("_/manifest", &|value| value.push(0xff));
    assert_eq!(damage(&store, "Practitioner?name=lind"), "_/manifest: it is no object");
}
