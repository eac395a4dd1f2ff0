//! Clauses that no value may satisfy (`:not`), and clauses about the presence of a value or an element (`:missing`).
//! Every store gives the same answers, and a clause and its negation divide the resources between them. These tests
//! also negate kinds that have no `:not`.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{
    Access, BASE, Guarded, Values, index, limited, loaded, memory, now, over_sqlite, shelves, sqlite, tempfile,
};
use fhir::{Id, ResourceType as T};
use native::SqliteDatabase;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use search::{Clause, Criterion, Handling, ParamId, Query, Total, named, parse};
use serde_json::{Value, json};
use smart::{Grant, Permitted, Scope, ScopeSet};
use store::{AccessList, KvStore, MemoryStore, SqlStore, Store, StoreError};

/// Returns resources with several values, one value and no value for what is searched.
fn resources() -> Vec<Value> {
    let of = |patient: &str| json!({"reference": format!("Patient/{patient}")});
    let coded = |code: &str| json!([{"coding": [{"system": "s", "code": code}]}]);
    let mut all = vec![
        json!({"resourceType": "Patient", "id": "a", "gender": "female", "birthDate": "1950-05-17",
            "name": [{"family": "Okafor", "given": ["Amara"]}], "identifier": [{"system": "mrn", "value": "1"}]}),
        json!({"resourceType": "Patient", "id": "b", "gender": "male", "birthDate": "1968",
            "name": [{"family": "Lindqvist"}], "deceasedDateTime": "2020-02-03"}),
        json!({"resourceType": "Patient", "id": "c", "name": [{"family": "Okafor"}, {"family": "Lindqvist-Amara"}]}),
        json!({"resourceType": "Practitioner", "id": "p", "name": [{"family": "Lind"}]}),
        json!({"resourceType": "Practitioner", "id": "q", "name": [{"use": "official"}], "identifier": [{"system": "npi", "value": "7"}]}),
        json!({"resourceType": "Location", "id": "l", "name": "Ward", "address": {"city": "Lund", "state": "X"}}),
        json!({"resourceType": "Location", "id": "m", "name": "Theatre", "address": {"use": "work"}}),
        json!({"resourceType": "Location", "id": "n", "address": {"city": "Lund"}}),
        json!({"resourceType": "Encounter", "id": "e", "status": "finished", "class": {"code": "AMB"},
            "subject": of("a"), "period": {"start": "2020-01-01", "end": "2020-03-09"}}),
        json!({"resourceType": "Provenance", "id": "both", "recorded": "2020-01-01T00:00:00Z",
            "target": [{"reference": "Observation/o-a-0"}, {"reference": "Observation/o-b-0"}]}),
    ];
    for patient in ["a", "b", "c"] {
        for (at, date) in ["2019-12-31", "2020", "2020-06", "2020-06-15T10:00:00Z", ""].into_iter().enumerate() {
            let mut observation = json!({"resourceType": "Observation", "id": format!("o-{patient}-{at}"),
                "status": if at % 2 == 0 { "final" } else { "amended" }, "subject": of(patient)});
            if !date.is_empty() {
                observation["effectiveDateTime"] = json!(date);
            }
            if at > 0 {
                observation["category"] = coded(["", "lab", "vital", "lab", "survey"][at]);
            }
            if at > 1 {
                observation["code"] = json!({"coding": [{"code": "x"}, {"system": "s", "code": "y"}]});
            }
            let mut condition = json!({"resourceType": "Condition", "id": format!("c-{patient}-{at}"), "subject": of(patient),
                "code": {"coding": [{"system": "s", "code": (if at % 2 == 0 { "x" } else { "y" })}]}});
            if at % 2 == 0 {
                condition["encounter"] = json!({"reference": "Encounter/e"});
                condition["recordedDate"] = json!("2020-06-01");
            }
            if at > 2 {
                condition["onsetPeriod"] = json!({"start": "2019-01-01", "end": "2020-06-30"});
                condition["category"] = coded("lab");
            } else if at > 0 {
                condition["onsetDateTime"] = json!("2020-06-15");
                condition["clinicalStatus"] = json!({"coding": [{"code": "active"}]});
            } else {
                condition["category"] = json!([{"text": "lab"}]);
            }
            let mut allergy = json!({"resourceType": "AllergyIntolerance", "id": format!("i-{patient}-{at}"),
                "patient": of(patient)});
            if at % 2 == 0 {
                allergy["clinicalStatus"] =
                    json!({"coding": [{"code": (if at == 4 { "resolved" } else { "active" })}]});
            }
            if at % 3 == 2 {
                allergy["verificationStatus"] = json!({"coding": [{"code": "entered-in-error"}]});
            }
            all.extend([observation, condition, allergy]);
        }
    }
    all
}

/// Parameters with their values.
type Params = &'static [(&'static str, &'static [&'static str])];

/// Parameters and values of each type, some of which find something.
const ASKED: &[(T, Params)] = &[
    (
        T::AllergyIntolerance,
        &[
            ("clinical-status", &["active", "resolved,active"]),
            ("clinical-status:missing", &["true", "false"]),
            ("clinical-status:not", &["active", "resolved,active", "none"]),
        ],
    ),
    (
        T::Observation,
        &[
            ("_id", &["o-a-0", "o-a-0,o-b-1", "none"]),
            ("_lastUpdated", &["lt2020", "ge2020"]),
            ("_id:missing", &["true", "false"]),
            ("category", &["lab", "s|lab,vital", "s|", "none"]),
            ("category:missing", &["true", "false"]),
            ("category:not", &["lab", "s|lab,vital"]),
            ("date:missing", &["true", "false"]),
            ("status:not", &["final", "|final", "http://hl7.org/fhir/observation-status|"]),
            ("code", &["x", "s|y", "|x", "s|"]),
            ("date", &["2020", "ge2020-06", "lt2020-06-15", "ne2020", "eb2020-06,sa2020-06"]),
            ("status", &["final", "|final", "http://hl7.org/fhir/observation-status|"]),
        ],
    ),
    (
        T::Condition,
        &[
            ("category", &["lab", "none"]),
            ("category:missing", &["true", "false"]),
            ("encounter:missing", &["true", "false"]),
            ("onset-date:missing", &["true", "false"]),
            ("clinical-status", &["active", "recurrance"]),
            ("code", &["x", "y,z"]),
            ("encounter", &["e", "f"]),
            ("onset-date", &["2020", "ge2020-06-15", "lt2019-06", "gt2020-06-20"]),
            ("recorded-date", &["2020", "lt2020"]),
        ],
    ),
    (
        T::Patient,
        &[
            ("_id", &["a", "a,b"]),
            ("birthdate", &["ge1950", "1968", "lt1960-01-01"]),
            ("death-date", &["ge2000"]),
            ("family", &["oka", "lindqvist-am", "x"]),
            ("gender", &["female", "other"]),
            ("gender:missing", &["true", "false"]),
            ("gender:not", &["female", "male,female"]),
            ("birthdate:missing", &["true", "false"]),
            ("given", &["am"]),
            ("identifier", &["mrn|1", "2", "mrn|"]),
            ("name", &["amara", "lind"]),
            ("name:contains", &["ist"]),
            ("name:exact", &["Okafor"]),
        ],
    ),
    (
        T::Practitioner,
        &[
            ("_id", &["p"]),
            ("identifier", &["7", "npi|"]),
            ("identifier:not", &["7"]),
            ("name", &["li", "x"]),
            ("name:missing", &["true", "false"]),
        ],
    ),
    (
        T::Location,
        &[
            ("_lastUpdated:missing", &["true", "false"]),
            ("address:missing", &["true", "false"]),
            ("address-city", &["lu"]),
            ("address-city:missing", &["true", "false"]),
            ("address-state", &["x"]),
            ("name", &["ward", "the"]),
            ("name:missing", &["true", "false"]),
        ],
    ),
    (T::Provenance, &[("_id", &["both"]), ("target", &["Observation/o-a-0", "Observation/o-a-1"])]),
];

/// Generates a search on a type, with some negated clauses, and some clauses about presence.
fn question() -> impl Strategy<Value = Query> {
    let shape = (
        subsequence(vec!["patient=a", "patient=a,b,c"], 0..2),
        subsequence(
            vec!["_count=2", "_total=accurate", "_summary=count", "_sort=_lastUpdated", "_sort=-_id", "_sort=name"],
            0..2,
        ),
    );
    select(ASKED)
        .prop_flat_map(|(on, params)| {
            let parameter = select(params).prop_flat_map(|(name, values)| (Just(name), select(values)));
            (Just(on), prop::collection::vec((parameter, any::<bool>(), any::<bool>()), 1..4))
        })
        .prop_flat_map(move |asked| (Just(asked), shape.clone()))
        .prop_filter_map("sorted once", |((on, clauses), (patients, shapes))| {
            let pair = |text: &&str| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
            let is_owned = !matches!(on, T::Practitioner | T::Location);
            let patients = patients.iter().filter(|_| is_owned).filter_map(pair);
            let asked = clauses.iter().map(|((name, value), _, _)| ((*name).to_owned(), (*value).to_owned()));
            let parameters: Vec<_> = asked.chain(patients).chain(shapes.iter().filter_map(pair)).collect();
            let mut query = parse(on, &parameters, Handling::Strict, BASE).ok()?;
            for (clause, (_, negated, present)) in query.all.iter_mut().zip(&clauses) {
                clause.negated ^= *negated;
                if *present {
                    clause.any = vec![Criterion::Present];
                }
            }
            Some(query)
        })
}

/// Generates the holder of a token with filters, some of which exclude values.
fn grant() -> impl Strategy<Value = Grant> {
    let scopes = [
        "system/*.rs",
        "patient/*.rs",
        "user/*.rs",
        "patient/Observation.rs?category=lab patient/Condition.rs?code=y",
        "user/Observation.rs?category=lab user/Observation.rs?status=final&code=x user/Condition.rs?category=lab",
        "system/Observation.rs?category=lab system/Observation.rs?category=vital system/Patient.rs?gender=female",
    ];
    (select(scopes.to_vec()), any::<bool>()).prop_map(|(scopes, negated)| {
        let scopes = ScopeSet::parse(scopes).unwrap();
        let turned = scopes.iter().map(|(written, scope)| {
            let mut scope = scope.clone();
            if let Scope::Resource(scope) = &mut scope {
                scope.only.iter_mut().for_each(|clause| clause.negated = negated);
            }
            (written.to_owned(), scope)
        });
        Grant {
            client: "app".into(),
            patient: Id::parse("a"),
            user: Some("dr".into()),
            scopes: turned.collect(),
            ..Grant::default()
        }
    })
}

struct Stores {
    memory: MemoryStore,
    sqlite: Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>>,
    shelves: Guarded<KvStore<'static, Values, SqliteDatabase>>,
}

fn stores() -> Stores {
    let access: Access =
        BTreeMap::from([("dr".to_owned(), AccessList::These(["a", "c"].map(|id| Id::parse(id).unwrap()).into()))]);
    let indexed = index(&resources());
    Stores { memory: memory(&indexed, &access), sqlite: sqlite(&indexed, &access), shelves: shelves(&indexed, &access) }
}

/// Returns the entries, the position of the next page, and the number of matches.
fn page<S: Store>(store: &S, ask: &Permitted<Query>, after: Option<&str>) -> (String, Option<String>, Option<u64>) {
    let page = now(store.search(ask, after)).unwrap();
    let matches: Vec<String> = page.matches.into_iter().map(Into::into).collect();
    (matches.join(","), page.page_end, page.total)
}

#[test]
fn every_store_answers_negated_clauses_alike() {
    let stores = stores();
    let (mut asked, mut found) = (0, 0);
    let config = ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let counts = std::cell::RefCell::new((&mut asked, &mut found));
    runner
        .run(&(question(), grant()), |(query, grant)| {
            let Ok(permitted) = grant.narrow(query, None) else { return Ok(()) };
            let mut after = None;
            loop {
                let expected = page(&stores.memory, &permitted, after.as_deref());
                let after_that = after.as_deref();
                prop_assert_eq!(
                    &page(&stores.sqlite, &permitted, after_that),
                    &expected,
                    "SQLite {:?}",
                    permitted.request()
                );
                prop_assert_eq!(
                    &page(&stores.shelves, &permitted, after_that),
                    &expected,
                    "shelves {:?}",
                    permitted.request()
                );
                if permitted.request().all.iter().any(|clause| clause.negated) {
                    let (asked, found) = &mut *counts.borrow_mut();
                    **asked += 1;
                    **found += usize::from(!expected.0.is_empty());
                }
                let (_, Some(more), _) = expected else { return Ok(()) };
                after = Some(more);
            }
        })
        .unwrap();
    assert!(asked > 300 && found > asked / 4, "{found} of {asked} answers to negated clauses have matches");
}

#[test]
fn a_clause_and_its_negation_divide_the_resources() {
    let stores = stores();
    let all = Grant { client: "app".into(), scopes: ScopeSet::parse("system/*.rs").unwrap(), ..Grant::default() };
    let ids = |on: T, clauses: Vec<Clause>| {
        let patient = ("patient".to_owned(), "a,b,c".to_owned());
        let parameters = if named(on, "patient").is_some() { vec![patient] } else { Vec::new() };
        let query = parse(on, &parameters, Handling::Strict, BASE).unwrap();
        let query = Query { all: clauses, total: Total::Accurate, ..query };
        let query = if on == T::Patient {
            Query { patients: Some(["a", "b", "c"].map(|id| Id::parse(id).unwrap()).into()), ..query }
        } else {
            query
        };
        let permitted = all.narrow(query, None).unwrap();
        let (entries, more, total) = page(&stores.memory, &permitted, None);
        assert_eq!(more, None);
        let entries: Vec<Value> = serde_json::from_str(&format!("[{entries}]")).unwrap();
        assert_eq!(total, Some(entries.len() as u64));
        entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let mut divided = 0;
    for (on, params) in ASKED {
        let everything = ids(*on, Vec::new());
        for (name, values) in *params {
            for value in *values {
                let query = parse(*on, &[((*name).to_owned(), (*value).to_owned())], Handling::Strict, BASE).unwrap();
                let clause = query.all[0].clone();
                let some = ids(*on, vec![clause.clone()]);
                let none = ids(*on, vec![Clause { negated: !clause.negated, ..clause }]);
                assert!(some.is_disjoint(&none), "{on}?{name}={value}");
                assert_eq!(some.union(&none).cloned().collect::<BTreeSet<_>>(), everything, "{on}?{name}={value}");
                divided += usize::from(!some.is_empty() && !none.is_empty());
            }
        }
    }
    assert!(divided > 20, "{divided} clauses divide anything");
}

#[test]
fn a_negated_filter_closes_what_has_the_value() {
    let stores = stores();
    let scope = |negated| {
        let Ok(Scope::Resource(mut scope)) = Scope::parse("patient/Observation.rs?category=lab") else { panic!() };
        scope.only[0].negated = negated;
        Grant {
            client: "app".into(),
            patient: Id::parse("a"),
            scopes: [("filtered".to_owned(), Scope::Resource(scope))].into_iter().collect(),
            ..Grant::default()
        }
    };
    for (negated, lab, other) in [(false, true, false), (true, false, true)] {
        let read = |id: &str| {
            let reference = fhir::Reference::parse(&format!("Observation/{id}")).unwrap();
            let permitted = scope(negated).permits(reference).unwrap();
            let found = now(stores.memory.read(&permitted)).unwrap().found.is_some();
            assert_eq!(now(stores.sqlite.read(&permitted)).unwrap().found.is_some(), found);
            assert_eq!(now(stores.shelves.read(&permitted)).unwrap().found.is_some(), found);
            found
        };
        assert_eq!((read("o-a-1"), read("o-a-0"), read("o-a-2")), (lab, other, other));
    }
}

/// Returns a store of three practitioners with a name. After the second follow this many candidates without data.
fn crowd(candidates: u32) -> Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> {
    let people = ["0", "1", "2"].map(|id| {
        json!({"resourceType": "Practitioner", "id": id, "name": [{"family": "Lind"}],
            "meta": {"lastUpdated": format!("202{id}-01-01T00:00:00Z")}})
    });
    // The file of the loaded records is removed, so that its database can only be read.
    let file = tempfile();
    loaded(&index(&people), &Access::new()).execute("VACUUM INTO ?1", [file.to_str()]).unwrap();
    let records = limited(&file);
    let everything = ParamId::everything(T::Practitioner).number();
    let second = "SELECT sort FROM fact WHERE param = ?1 ORDER BY sort LIMIT 1 OFFSET 1";
    let second: String = records.query_row(second, [everything], |row| row.get(0)).unwrap();
    let text = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?3)
        INSERT INTO fact (param, value, sort, rest) SELECT ?1, '', ?2 || n, '' FROM n";
    records.execute(text, rusqlite::params![everything, second, candidates]).unwrap();
    std::fs::remove_file(&file).unwrap();
    over_sqlite(records, &Access::new())
}

#[test]
fn a_search_for_what_is_there_looks_at_so_many_resources_and_no_more() {
    let all = Grant { client: "app".into(), scopes: ScopeSet::parse("system/*.rs").unwrap(), ..Grant::default() };
    let asked = |parameters: &[(&str, &str)]| {
        let parameters: Vec<_> = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        all.narrow(parse(T::Practitioner, &parameters, Handling::Strict, BASE).unwrap(), None).unwrap()
    };
    let there = ("name:missing", "false");
    for (candidates, is_too_costly) in [(19_997, false), (19_998, true)] {
        let store = crowd(candidates);
        let answer = |parameters: &[(&str, &str)]| now(store.search(&asked(parameters), None));
        // A page of one is full with the second practitioner, which shows that there are more.
        assert!(answer(&[there, ("_count", "1")]).is_ok());
        for shape in [
            ("_count", "2"),
            ("_total", "accurate"),
            ("_summary", "count"),
            ("_sort", "_lastUpdated"),
            ("_sort", "name"),
        ] {
            match answer(&[there, shape]) {
                Ok(page) => assert!(!is_too_costly && page.total.is_none_or(|total| total == 3), "{shape:?}"),
                Err(error) => assert!(is_too_costly && error == StoreError::TooCostly, "{shape:?}: {error:?}"),
            }
        }
        // An order that rows do not have needs all matches. Most of these have no text, which counts as damage.
        let gathered = answer(&[("_sort", "-name"), ("_count", "1")]).unwrap_err();
        assert_eq!(gathered == StoreError::TooCostly, is_too_costly, "{gathered:?}");
        // A search for a value is not limited.
        assert!(answer(&[("name", "lind"), there]).is_ok());
        assert!(answer(&[("_count", "1")]).is_ok());
    }
}
