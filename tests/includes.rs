//! A page has at most 500 included resources, the same from every store, and reports whether there are more.

use crate::support::{index, memory, now, query_context, shelves, sqlite};
use api::{Disclosure, Moment, answer_request};
use fhir::{ResourceType, splice};
use search::CursorKey;
use serde_json::{Value, json};
use smart::{Grant, ScopeSet};
use store::{MAX_INCLUDED, Store};

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

fn answer<S: Store>(store: &S, question: &str) -> Value {
    let scopes: Vec<_> = ResourceType::served().iter().map(|on| format!("system/{on}.rs")).collect();
    let grant = Grant { scopes: ScopeSet::parse(&scopes.join(" ")).unwrap(), ..Grant::default() };
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(&grant, &cursors, &MOMENT);
    let reply = now(answer_request(store, question, context, &mut Disclosure::default()));
    let reply = reply.unwrap_or_else(|problem| panic!("{question}: {}", problem.outcome()));
    serde_json::from_str(&splice(reply.body)).unwrap()
}

#[test]
fn every_store_includes_the_same_resources_where_there_are_too_many() {
    let reference = |to: String| json!({"reference": to});
    let more = MAX_INCLUDED + 1;
    let all = |on: &str, count: usize| (0..count).map(|at| reference(format!("{on}/{at}"))).collect::<Vec<_>>();
    let observation =
        |id: &str| json!({"resourceType": "Observation", "id": id, "subject": reference("Patient/a".into())});
    let mut panel = observation("panel");
    panel["hasMember"] = all("Observation", more).into();
    let mut data = vec![
        json!({"resourceType": "Patient", "id": "a"}),
        json!({"resourceType": "Organization", "id": "o"}),
        json!({"resourceType": "PractitionerRole", "id": "many", "endpoint": all("Endpoint", more)}),
        json!({"resourceType": "PractitionerRole", "id": "gone", "endpoint": all("Endpoint", more + 1)[1..]}),
        panel,
    ];
    for at in 0..more {
        let id = at.to_string();
        let owner = reference("Organization/o".into());
        data.push(observation(&id));
        data.push(json!({"resourceType": "Endpoint", "id": id}));
        data.push(json!({"resourceType": "Location", "id": id, "managingOrganization": owner}));
    }
    let (indexed, access) = (index(&data), crate::support::Access::new());
    let (memory, sqlite, shelves) = (memory(&indexed, &access), sqlite(&indexed, &access), shelves(&indexed, &access));
    for (question, is_cut) in [
        ("PractitionerRole?_id=many&_include=PractitionerRole:endpoint", true),
        ("PractitionerRole?_id=gone&_include=PractitionerRole:endpoint", false),
        ("PractitionerRole?_id=many&_include=*", true),
        ("Organization?_id=o&_revinclude=Location:organization", true),
        ("Observation?_id=panel&_include=Observation:has-member", true),
        ("Patient?_id=a&_revinclude=Observation:patient", true),
    ] {
        let here = answer(&memory, question);
        let modes = |mode: &str| {
            let entries = here["entry"].as_array().unwrap().iter();
            entries.filter(|entry| entry["search"]["mode"] == mode).collect::<Vec<_>>()
        };
        assert_eq!(modes("include").len(), MAX_INCLUDED, "{question}");
        let codes: Vec<_> = modes("outcome").iter().map(|entry| &entry["resource"]["issue"][0]["code"]).collect();
        assert_eq!(codes, if is_cut { vec!["too-costly"] } else { Vec::new() }, "{question}");
        assert_eq!(answer(&sqlite, question), here, "{question}");
        assert_eq!(answer(&shelves, question), here, "{question}");
    }
}
