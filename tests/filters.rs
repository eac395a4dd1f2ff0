//! Scope filters and long lists of values: D1 can run every combination of a token and a search, or the caller is told
//! that it is too costly. The database has the limits of D1.

use std::collections::BTreeMap;

use crate::support::{index, now, query_context, sqlite};
use api::{Disclosure, Moment, Problem, answer_request};
use fhir::{Id, IssueCode};
use search::CursorKey;
use serde_json::json;
use smart::{Grant, PatientList, ScopeSet};
use store::{AccessList, Store};

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

/// Returns whether a search or a read is answered with a page. Otherwise it is refused as too costly.
fn is_answered<S: Store>(store: &S, question: &str, scopes: &str) -> bool {
    let grant = Grant {
        client: "app".into(),
        patient: Id::parse("a"),
        user: Some("dr".into()),
        scopes: ScopeSet::parse(scopes).unwrap(),
        ..Grant::default()
    };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(&grant, &cursors, &MOMENT);
    match now(answer_request(store, question, context, &mut Disclosure::default())) {
        Ok(_) | Err(Problem::NotFound) => true,
        Err(Problem::Bad(issues)) => {
            assert_eq!(issues[0].code, IssueCode::TooCostly, "{question}");
            false
        }
        Err(other) => panic!("{question} with {} bytes of scopes: {other:?}", scopes.len()),
    }
}

/// Returns `count` copies of the text, with the number of each in place of `#`.
fn several(count: usize, text: &str, between: &str) -> String {
    (0..count).map(|at| text.replace('#', &at.to_string())).collect::<Vec<_>>().join(between)
}

#[test]
fn filters_times_values_are_answered_or_too_costly() {
    let observation = json!({"resourceType": "Observation", "id": "o", "status": "final",
        "subject": {"reference": "Patient/a"}, "code": {"coding": [{"system": "s", "code": "x0"}]},
        "category": [{"coding": [{"code": "c0"}]}], "effectiveDateTime": "2020-01-01"});
    let outcomes = index(&[json!({"resourceType": "Patient", "id": "a"}), observation]);
    let access_list =
        BTreeMap::from([(PatientList::OfUser("dr".to_owned()), AccessList::These([Id::parse("a").unwrap()].into()))]);
    let store = sqlite(&outcomes, &access_list);
    let filters = [
        // One filter with many conditions.
        several(1, "patient/Observation.rs?", "") + &several(40, "code=x#", "&"),
        // Many filters, with one condition and with several.
        several(150, "patient/Observation.rs?code=x#&category=c#", " "),
        several(120, "user/Observation.rs?code=x#&category=c#&status=final", " "),
        several(90, "patient/Observation.rs?code=x#&category=c# user/Observation.rs?code=x#&status=final", " "),
        // Many filters with many conditions.
        (0..20).map(|at| format!("user/Observation.rs?code=y{at}&{} ", several(38, "code=x#", "&"))).collect(),
        // Filters with many values.
        "patient/Observation.rs?code=".to_owned() + &several(125, "x#", ","),
        several(60, "patient/Observation.rs?code=x#,y#,|z#,s|&category=a,b,|c", " "),
    ];
    let questions = [
        "Observation?patient=a".to_owned(),
        "Observation/o".to_owned(),
        format!("Observation?patient=a&code={}", several(125, "x#", ",")),
        format!("Observation?patient=a&code={}&date=ge2019&date=lt2022", several(125, "x#", ",")),
        format!("Observation?patient=a&category={}&code={}", several(11, "c#", ","), several(11, "x#", ",")),
        format!("Observation?patient=a&date={}", several(10, "201#", ",")),
        "Observation?patient=a&_revinclude=Provenance:target".to_owned(),
        "Observation?patient=a&_sort=date&_total=accurate".to_owned(),
    ];
    let mut answered = Vec::new();
    for scopes in &filters {
        assert!(scopes.len() <= ScopeSet::MAX_LENGTH, "{}", scopes.len());
        answered.push(questions.iter().filter(|question| is_answered(&store, question, scopes)).count());
    }
    // The engine searches charts, and accepts everything that the parser accepts.
    assert_eq!(answered, [8; 7]);
    // Searches of rows by 125 values under many filters of a user also give statements of a length that D1 accepts.
    let filters = [
        several(40, "user/CareTeam.rs?role=x#&status=y#", " "),
        (0..20).map(|at| format!("user/CareTeam.rs?status=y{at}&{} ", several(38, "role=x#", "&"))).collect(),
    ];
    let questions = [
        "CareTeam/a".to_owned(),
        format!("CareTeam?role={}", several(125, "x#", ",")),
        format!("CareTeam?role={}&status=active", several(125, "x#", ",")),
        "CareTeam?role=x&_sort=-_lastUpdated&_total=accurate".to_owned(),
    ];
    let answered = |scopes: &String| questions.iter().filter(|question| is_answered(&store, question, scopes)).count();
    assert_eq!(filters.iter().map(answered).collect::<Vec<_>>(), [4; 2]);
}
