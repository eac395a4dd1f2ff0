//! Compares the scope decision table, which shows what each wildcard opens in actual requests, with the lists of the
//! contract and with the checked-in tables (`docs/scopes.md`). `REGENERATE=1` writes these tables again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use fhir::{Id, Language, Reference, ResourceType};
use search::{Handling, parse, us_core_includes};
use smart::{Denied, Grant, ScopeSet, belongs_to_nobody, is_directory};

const TABLE: &str = "docs/scopes.md";
const CONTRACT: &str = "docs/contract.md";
const WILDCARDS: [&str; 3] = ["patient/*.read", "user/*.read", "system/*.read"];

fn grant(scopes: &str) -> Grant {
    let scopes = ScopeSet::parse(scopes).unwrap();
    Grant { client: "app".into(), patient: Id::parse("a"), user: Some("dr".into()), scopes, ..Grant::default() }
}

fn reads(scopes: &str, resource_type: ResourceType) -> bool {
    grant(scopes).permits(Reference { resource_type, id: Id::parse("x").unwrap() }).is_ok()
}

fn searches(scopes: &str, resource_type: ResourceType) -> bool {
    let query = parse(resource_type, &[("_id".into(), "x".into())], Handling::Strict, "http://here").unwrap();
    grant(scopes).narrow(query, None).is_ok()
}

/// Returns whether a permitted search on this type may include another type.
fn brings(scopes: &str, on: ResourceType, name: &str, value: &str) -> bool {
    let query = parse(on, &[("_id".into(), "x".into()), (name.into(), value.into())], Handling::Strict, "http://here");
    match grant(&format!("{scopes} system/{on}.s")).narrow(query.unwrap(), Some(Handling::Strict)) {
        Ok(_) => true,
        Err(Denied::Scope { .. }) => false,
        Err(other) => panic!("{on} {name}={value}: {other:?}"),
    }
}

fn cell(scopes: &str, resource_type: ResourceType) -> &'static str {
    match (reads(scopes, resource_type), searches(scopes, resource_type)) {
        (true, true) => "read, search",
        (true, false) => "read",
        (false, true) => "search",
        (false, false) => "–",
    }
}

fn table() -> String {
    let mut text = String::from(
        "| Type | In words | Belongs to | `patient/*.read` | `user/*.read` | `system/*.read` |\n\
         |---|---|---|---|---|---|\n",
    );
    let mut others = BTreeMap::from(["a patient", "everybody", "nobody"].map(|whose| (whose, Vec::new())));
    for resource_type in ResourceType::served() {
        let whose = match (is_directory(*resource_type), belongs_to_nobody(*resource_type)) {
            (true, _) => "everybody",
            (_, true) => "nobody",
            (false, false) => "a patient",
        };
        let [patient, user, system] = WILDCARDS.map(|scope| cell(scope, *resource_type));
        if [patient, user, system] == ["–"; 3] {
            others.entry(whose).or_default().push(resource_type.name());
        } else {
            let title = resource_type.title(Language::English);
            writeln!(text, "| {resource_type} | {title} | {whose} | {patient} | {user} | {system} |").unwrap();
        }
    }
    text.push_str("\n| Belongs to | Types that no wildcard opens |\n|---|---|\n");
    for (whose, types) in others {
        writeln!(text, "| {whose} | {} |", types.join(", ")).unwrap();
    }
    text.push_str(
        "\n## What comes with a search\n\n\
         An include needs a scope for the type that it adds. Without one it is left out with a warning, or refused under\n\
         `Prefer: handling=strict`. The table has the includes of US Core; any other include follows the same rule.\n\n\
         | Search on | Include | Adds | `patient/*.read` | `user/*.read` | `system/*.read` |\n\
         |---|---|---|---|---|---|\n",
    );
    let mut includes: Vec<(String, Vec<&str>)> = Vec::new();
    for resource_type in ResourceType::served() {
        for (name, value, brought) in us_core_includes(*resource_type) {
            let [patient, user, system] =
                WILDCARDS.map(|scope| if brings(scope, *resource_type, name, &value) { "added" } else { "left out" });
            let value = value.strip_suffix(&format!(":{resource_type}")).unwrap_or(&value);
            let cells = format!("`{name}={value}` | {brought} | {patient} | {user} | {system}");
            match includes.iter_mut().find(|(known, _)| *known == cells) {
                Some((_, types)) => types.push(resource_type.name()),
                None => includes.push((cells, vec![resource_type.name()])),
            }
        }
    }
    for (cells, types) in includes {
        writeln!(text, "| {} | {cells} |", types.join(", ")).unwrap();
    }
    text.push_str(
        "\n## How access is spelled\n\n\
         | Access | Opens |\n\
         |---|---|\n",
    );
    for access in
        ["read", "search", "write", "*", "rs", "r", "s", "c", "u", "d", "cud", "cruds", "rs?category=http://x|y"]
    {
        let scope = format!("patient/Observation.{access}");
        let part = if access.contains('?') { ", only of resources that satisfy the filter" } else { "" };
        writeln!(text, "| `.{}` | {}{part} |", access.replace('|', "\\|"), cell(&scope, ResourceType::Observation))
            .unwrap();
    }
    text
}

/// Returns the list of a wildcard according to the code.
fn listed(scope: &str) -> BTreeSet<&'static str> {
    ResourceType::served()
        .iter()
        .filter(|resource_type| reads(scope, **resource_type))
        .map(|resource_type| resource_type.name())
        .collect()
}

#[test]
fn the_table_is_the_one_that_is_checked_in() {
    let (first, after) = ("| Type | In words", "\n## How the table is made");
    crate::support::check_table(TABLE, first, after, &table());
}

#[test]
fn the_lists_are_those_of_the_contract() {
    let contract = std::fs::read_to_string(CONTRACT).unwrap();
    let own = |wildcard: &str| listed(&format!("{wildcard}.read")).into_iter().map(str::to_owned).collect();
    for (wildcard, count) in [("patient/*", 22), ("user/*", 23), ("system/*", 25)] {
        let start = format!("| `{wildcard}` | ");
        let line = contract.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("no {start}"));
        let types: BTreeSet<_> = line.trim_end_matches(" |").split(", ").map(str::to_owned).collect();
        assert_eq!(types.len(), count, "{wildcard}");
        assert_eq!(types, own(wildcard), "{wildcard}");
    }
}

#[test]
fn the_contract_counts_the_types_that_are_on_no_list() {
    let listed: BTreeSet<_> = WILDCARDS.into_iter().flat_map(listed).collect();
    let start = format!("The other {} types, such as ", ResourceType::served().len() - listed.len());
    let contract = std::fs::read_to_string(CONTRACT).unwrap();
    let examples = contract.lines().find_map(|line| line.strip_prefix(&start)?.split_once(" are in none of them."));
    let (examples, _) = examples.unwrap_or_else(|| panic!("no {start}"));
    let mut examples = examples.split([',', ' ']).filter(|word| !["", "and"].contains(word));
    assert!(examples.all(|name| ResourceType::parse(name).is_some() && !listed.contains(name)));
}

#[test]
fn every_spelling_of_a_wildcard_has_the_same_list() {
    for level in ["patient", "user", "system"] {
        let list = listed(&format!("{level}/*.read"));
        for access in ["rs", "*", "cruds", "r"] {
            assert_eq!(listed(&format!("{level}/*.{access}")), list, "{level}/*.{access}");
        }
        for access in ["s", "write", "cud"] {
            assert_eq!(listed(&format!("{level}/*.{access}")), BTreeSet::new(), "{level}/*.{access}");
        }
        let searched = |scope: &str| {
            ResourceType::served().iter().filter(|resource_type| searches(scope, **resource_type)).count()
        };
        assert_eq!(searched(&format!("{level}/*.s")), list.len());
        assert_eq!(searched(&format!("{level}/*.r")), 0);
    }
}

#[test]
fn a_scope_of_its_own_opens_any_type_that_is_served() {
    for resource_type in ResourceType::served() {
        for level in ["patient", "user", "system"] {
            let scope = format!("{level}/{resource_type}.read");
            assert_eq!(listed(&scope), BTreeSet::from([resource_type.name()]), "{scope}");
            assert!(searches(&scope, *resource_type), "{scope}");
        }
    }
}
