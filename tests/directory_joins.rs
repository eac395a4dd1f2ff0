//! Chains and `_has` within the directory: their limits, and the number of queries. `tests/cases/directory_chains.json`
//! covers the resources that they find.

use fhir::ResourceType;
use search::{Handling, parse};
use serde_json::{Value, json};
use smart::{Grant, PublicScopes, ScopeSet};
use store::{Cost, Store, StoreError};

use crate::support::{Access, index, memory, now, shelves, sqlite};

/// Returns organizations of which ten share a name, each with three roles. Every role has a separate practitioner.
fn directory(organizations: usize) -> Vec<Value> {
    let of = |number: usize| {
        let organization = json!({"resourceType": "Organization", "id": format!("o{number}"),
            "name": format!("All of {}", number / 10)});
        let role = |part: usize| {
            json!({"resourceType": "PractitionerRole", "id": format!("r{number}-{part}"),
                "organization": {"reference": format!("Organization/o{number}")},
                "practitioner": {"reference": format!("Practitioner/p{number}-{part}")},
                "specialty": [{"coding": [{"code": format!("part-{part}")}, {"code": format!("of-{}", number / 10)}]}]})
        };
        [organization, role(0), role(1), role(2)]
    };
    (0..organizations).flat_map(of).collect()
}

/// Returns the number of matches of a search, and the number of its trips.
fn ask<S: Store>(store: &S, on: ResourceType, name: &str, value: &str) -> Result<(u64, u64), StoreError> {
    let parameters = [(name, value), ("_summary", "count")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let query = parse(on, &parameters, Handling::Strict, "http://here").unwrap();
    let grant = match on {
        ResourceType::Basic => PublicScopes::parse("system/Basic.rs?code=item").unwrap().grant(),
        _ => Grant { scopes: ScopeSet::parse("system/*.read").unwrap(), ..Grant::default() },
    };
    let page = now(store.search(&grant.narrow(query, None).unwrap(), None))?;
    let trips = if let Cost::D1 { trips, .. } = page.cost { trips } else { 0 };
    Ok((page.total.unwrap(), trips))
}

const ROLE: ResourceType = ResourceType::PractitionerRole;
const ORGANIZATION: ResourceType = ResourceType::Organization;

#[test]
fn every_store_finds_the_same_and_a_database_takes_a_trip_for_each_step() {
    let indexed = index(&directory(60));
    let (rows, charts) = (sqlite(&indexed, &Access::new()), shelves(&indexed, &Access::new()));
    let memory = memory(&indexed, &Access::new());
    for (on, name, value, found, trips) in [
        (ROLE, "organization.name", "3", 30, 2),
        (ROLE, "organization.name", "3,4", 60, 2),
        (ROLE, "organization.name:missing", "false", 180, 2),
        (ROLE, "organization._has:PractitionerRole:organization:specialty", "of-3", 30, 3),
        (ORGANIZATION, "_has:PractitionerRole:organization:specialty", "of-3,of-4", 20, 2),
        (ORGANIZATION, "_has:PractitionerRole:organization:practitioner", "p7-1", 1, 2),
        (ORGANIZATION, "_has:PractitionerRole:organization:specialty", "none", 0, 2),
    ] {
        assert_eq!(ask(&memory, on, name, value).unwrap().0, found, "{name}={value}");
        assert_eq!(ask(&charts, on, name, value).unwrap().0, found, "{name}={value}");
        assert_eq!(ask(&rows, on, name, value).unwrap(), (found, trips), "{name}={value}");
    }
}

#[test]
fn every_store_asks_who_refers_to_what_a_resource_contains() {
    let role = |id: &str, place: &str| {
        json!({"resourceType": "PractitionerRole", "id": id, "specialty": [{"coding": [{"code": format!("of-{id}")}]}],
            "location": [{"reference": place}],
            "contained": [{"resourceType": "Location", "id": "c", "name": "Cellar"}]})
    };
    let indexed = index(&[role("inside", "#c"), role("outside", "Location/ward")]);
    let (rows, charts) = (sqlite(&indexed, &Access::new()), shelves(&indexed, &Access::new()));
    let memory = memory(&indexed, &Access::new());
    for (name, value, found) in [
        ("location.name", "cellar", 1),
        ("location._has:PractitionerRole:location:_id", "inside", 1),
        ("location._has:PractitionerRole:location:_id", "outside", 0),
        ("location._has:PractitionerRole:location:specialty", "of-inside,of-outside", 1),
    ] {
        assert_eq!(ask(&memory, ROLE, name, value).unwrap().0, found, "{name}={value}");
        assert_eq!(ask(&charts, ROLE, name, value).unwrap().0, found, "{name}={value}");
        assert_eq!(ask(&rows, ROLE, name, value).unwrap().0, found, "{name}={value}");
    }
}

#[test]
fn a_step_that_finds_too_much_is_too_costly_for_a_database() {
    let indexed = index(&directory(200));
    let (rows, memory) = (sqlite(&indexed, &Access::new()), memory(&indexed, &Access::new()));
    for (on, name, value, found, is_answered) in [
        (ROLE, "organization.name", "1", 330, true),
        (ROLE, "organization.name", "all", 600, false),
        (ROLE, "organization.name:missing", "false", 600, false),
        // 120 roles of 40 organizations, then 200 of 200, and then 400 of 200.
        (ORGANIZATION, "_has:PractitionerRole:organization:specialty", "of-0,of-1,of-2,of-3", 40, true),
        (ORGANIZATION, "_has:PractitionerRole:organization:specialty", "part-1", 200, false),
        (ORGANIZATION, "_has:PractitionerRole:organization:specialty:not", "part-1", 200, false),
    ] {
        assert_eq!(ask(&memory, on, name, value).unwrap().0, found, "{name}={value}");
        let answer = ask(&rows, on, name, value);
        if is_answered {
            assert_eq!(answer.unwrap().0, found, "{name}={value}");
        } else {
            assert!(matches!(answer, Err(StoreError::TooCostly)), "{name}={value}");
        }
    }
}

#[test]
fn a_database_finds_some_hundreds_of_public_items_and_the_other_stores_find_all() {
    let item = |at: usize| {
        let (code, subject) = (json!({"coding": [{"code": "item"}]}), json!({"reference": "MedicationKnowledge/m"}));
        json!({"resourceType": "Basic", "id": format!("i{at}"), "code": code, "subject": subject})
    };
    for (count, is_found) in [(300, true), (700, false)] {
        let indexed = index(&(0..count).map(item).collect::<Vec<_>>());
        let (rows, charts) = (sqlite(&indexed, &Access::new()), shelves(&indexed, &Access::new()));
        let memory = memory(&indexed, &Access::new());
        let find = (ResourceType::Basic, "subject", "MedicationKnowledge/m");
        assert_eq!(ask(&memory, find.0, find.1, find.2), Ok((count as u64, 0)));
        assert_eq!(ask(&charts, find.0, find.1, find.2), Ok((count as u64, 0)));
        let expected = if is_found { Ok((count as u64, 0)) } else { Err(StoreError::TooCostly) };
        assert_eq!(ask(&rows, find.0, find.1, find.2), expected, "no cost is told");
    }
}
