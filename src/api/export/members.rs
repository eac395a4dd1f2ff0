//! The patients of an export: those that a request names, or the members of a Group.

use futures_util::future::try_join_all;
use serde_json::Value;

use super::exporter::Exporter;
use crate::Settings;
use crate::http::problem::Problem;
use fhir::{Id, Issue, IssueCode, Micros, Reference, ResourceType, Span};
use search::Handling;
use search::{MAX_COUNT, Query, parse};
use smart::Grant;
use store::Store;

/// The most ids in one search.
const IDS: usize = 100;

/// The members of a group that are exported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Members {
    /// The patients, in order without duplicates.
    pub patients: Vec<Id>,
    /// Notes about the members that are left out.
    pub notes: Vec<String>,
}

/// Returns the members of a Group at a time.
///
/// # Errors
/// If there is no such Group, if it is not a list of patients, or if the store does not answer.
pub async fn members_of<S: Store>(
    store: &S,
    settings: &Settings,
    exporter: &Exporter,
    group: Id,
    now: Micros,
) -> Result<Members, Problem> {
    let grant = exporter.internal();
    let reference = Reference { resource_type: ResourceType::Group, id: group };
    let permitted = grant.permits(reference)?;
    let read = store.read(&permitted).await?;
    let text: String = read.found.ok_or(Problem::NotFound)?.body.into();
    let group: Value = serde_json::from_str(&text).map_err(|error| Problem::Fault(error.to_string()))?;
    let Members { patients: listed, mut notes } = listed_in(&group, &settings.base, now)?;
    let patients = known(store, &grant, &listed).await?;
    let absent = listed.iter().filter(|id| patients.binary_search(id).is_err());
    notes.extend(absent.map(|id| format!("Patient/{id}, a member of the group, is not here.")));
    Ok(Members { patients, notes })
}

/// Returns the patients that a request names and that exist or, if a group is exported, are members. Others are refused
/// or, if the request `ignores` them, named in notes. A token that does not open all patients is not told which ones
/// are missing: they have no records to export.
///
/// # Errors
/// If a patient is refused, or if the store does not answer.
pub async fn named_in<S: Store>(
    store: &S,
    exporter: &Exporter,
    named: &[Id],
    members: Option<Members>,
    ignores: bool,
) -> Result<(Vec<Id>, Vec<String>), Problem> {
    let (of, what) = match members {
        Some(Members { patients, .. }) => (patients, "a member of the group"),
        None => (known(store, &exporter.internal(), named).await?, "a patient of this server"),
    };
    let (there, absent): (Vec<_>, Vec<_>) = named.iter().cloned().partition(|id| of.binary_search(id).is_ok());
    let mut texts = absent.iter().map(|id| format!("Patient/{id} is not {what}."));
    if !exporter.opens_all(ResourceType::Patient) {
        return Ok((there, Vec::new()));
    }
    match texts.next() {
        Some(text) if !ignores => Err(Problem::from(Issue::error(IssueCode::Value, text).about("patient"))),
        first => Ok((there, first.into_iter().chain(texts).map(|text| format!("{text} It was ignored.")).collect())),
    }
}

/// Returns the patients of a list who are stored, in order.
async fn known<S: Store>(store: &S, grant: &Grant, ids: &[Id]) -> Result<Vec<Id>, Problem> {
    let find = |ids: &[Id]| {
        let list = ids.iter().map(Id::as_str).collect::<Vec<_>>().join(",");
        let query = parse(ResourceType::Patient, &[("_id".to_owned(), list)], Handling::Strict, "");
        async move {
            let query = Query { count: MAX_COUNT, ..query.map_err(Problem::Bad)? };
            let permitted = grant.narrow(query, None)?;
            Ok::<_, Problem>(store.search(&permitted, None).await?.patients)
        }
    };
    let found: Vec<Vec<Id>> = try_join_all(ids.chunks(IDS).map(find)).await?;
    let mut all = found.concat();
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// Returns the patients that a Group lists and that are its members at a time.
///
/// # Errors
/// If the Group is not a list of patients.
fn listed_in(group: &Value, base: &str, now: Micros) -> Result<Members, Problem> {
    let refused = |text: &str| Err(Problem::from(Issue::error(IssueCode::NotSupported, text)));
    let has = |name: &str| group.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    if group.get("actual") == Some(&Value::Bool(false)) {
        return refused("The group lists no members (actual is false). Its characteristics are not evaluated.");
    }
    if has("characteristic") && !has("member") {
        return refused("The group has characteristics and no members. Characteristics are not evaluated.");
    }
    if !matches!(group.get("type").and_then(Value::as_str), None | Some("person" | "animal")) {
        return refused("The group is not one of patients.");
    }
    let (mut members, mut unnamed) = (Members::default(), 0);
    for member in group.get("member").and_then(Value::as_array).into_iter().flatten() {
        if !is_current(member, now) {
            continue;
        }
        let text = member.get("entity").and_then(|entity| entity.get("reference")).and_then(Value::as_str);
        let relative = text.map(|text| text.strip_prefix(base).map_or(text, |rest| rest.trim_start_matches('/')));
        match relative.and_then(Reference::parse) {
            Some(Reference { resource_type: ResourceType::Patient, id }) => id.put(&mut members.patients),
            Some(Reference { resource_type: ResourceType::Group, .. }) => {
                return refused("The group has groups as members. Those are not looked into.");
            }
            Some(Reference { resource_type, .. }) => {
                return refused(&format!("The group has members that are no patients, such as a {resource_type}."));
            }
            None if text.is_some_and(|text| text.starts_with('#')) => {
                return refused("The group contains its members: they are no patients of this server.");
            }
            None => unnamed += 1,
        }
    }
    if unnamed > 0 {
        members.notes.push(format!("Members of the group that no reference to a patient here names: {unnamed}."));
    }
    Ok(members)
}

/// Returns whether a membership is valid at a time.
fn is_current(member: &Value, now: Micros) -> bool {
    let is_inactive = member.get("inactive") == Some(&Value::Bool(true));
    let period = member.get("period").and_then(Span::of_element);
    !is_inactive && period.is_none_or(|period| period.from <= now && now < period.until)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: Micros = 1_800_000_000_000_000;

    fn listed(group: &Value) -> Result<(Vec<String>, usize), String> {
        match listed_in(group, "https://records.example/fhir/r4", NOW) {
            Ok(Members { patients, notes }) => Ok((patients.iter().map(ToString::to_string).collect(), notes.len())),
            Err(problem) => Err(problem.outcome()),
        }
    }

    #[test]
    fn members_are_the_current_ones_and_each_once() {
        let of = |reference: &str| json!({"entity": {"reference": reference}});
        let with =
            |members: Value| json!({"resourceType": "Group", "type": "person", "actual": true, "member": members});
        let names = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let all = with(json!([
            of("Patient/b"), of("Patient/a"), of("Patient/b/_history/2"),
            of("https://records.example/fhir/r4/Patient/c"),
            {"entity": {"reference": "Patient/out"}, "inactive": true},
            {"entity": {"reference": "Patient/in"}, "inactive": false},
            {"entity": {"reference": "Patient/ended"}, "period": {"end": "2026"}},
            {"entity": {"reference": "Patient/later"}, "period": {"start": "2028"}},
            {"entity": {"reference": "Patient/until"}, "period": {"start": "2020", "end": "2027"}},
        ]));
        assert_eq!(listed(&all), Ok((names(&["a", "b", "c", "in", "until"]), 0)));
        assert_eq!(listed(&with(json!([]))), Ok((Vec::new(), 0)));
        assert_eq!(listed(&json!({"actual": true})), Ok((Vec::new(), 0)));
        let unknown =
            with(json!([of("Patient/a"), {"entity": {"identifier": {"value": "1"}}}, of("https://x/Patient/y"), {}]));
        assert_eq!(listed(&unknown), Ok((names(&["a"]), 1)), "one note says how many");
        // The characteristics of a group that lists members only describe it.
        let described = json!({"actual": true, "member": [of("Patient/a")], "characteristic": [{}]});
        assert_eq!(listed(&described), Ok((names(&["a"]), 0)));
    }

    #[test]
    fn a_group_of_another_kind_is_refused_with_words() {
        let of = |reference: &str| json!([{"entity": {"reference": reference}}]);
        for (group, why) in [
            (json!({"actual": false, "characteristic": [{}]}), "actual is false"),
            (json!({"actual": false, "member": of("Patient/a")}), "actual is false"),
            (json!({"actual": true, "characteristic": [{}]}), "characteristics and no members"),
            (json!({"type": "practitioner", "actual": true}), "not one of patients"),
            (json!({"type": "device", "actual": true, "member": of("Device/a")}), "not one of patients"),
            (json!({"type": "person", "member": of("Group/a")}), "groups as members"),
            (json!({"type": "person", "member": of("Practitioner/a")}), "such as a Practitioner"),
            (json!({"type": "person", "actual": true, "member": of("#1")}), "contains its members"),
        ] {
            let said = listed(&group).unwrap_err();
            assert!(said.contains(why) && said.contains("not-supported"), "{said}");
        }
    }
}
