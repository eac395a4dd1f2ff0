//! Permission, tried at random: for every grant and every request, every resource of the answer is one that the grant
//! allows, none that it allows is missing, memory, SQLite and shelves give the same text, and the audit names exactly
//! the patients whose records are in it. What a search for what is not there (`:missing`, `:not`) finds is judged too, and
//! so are chains and `_has`. Of what the grant does not open nothing depends: the answer is the same, byte for byte, as
//! that of a store which never had it.
//!
//! The rules of permission are written here a second time, over JSON, and share nothing with the engine but the data.
//! `TRIALS=100000 cargo test --profile cli --test integration trials:: -- --nocapture` tries more.
use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Access, index_respelled, memory, now, query_context, shelves, sqlite};
use api::{Disclosure, Moment, Problem, answer_request};
use fhir::{Id, Reference, splice};
use ingest::Indexed;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestRunner};
use search::CursorKey;
use serde_json::{Value, json};
use smart::{Grant, ScopeSet};
use store::{AccessList, Store};

pub const PATIENTS: [&str; 3] = ["a", "b", "c"];
const CATEGORIES: [&str; 3] = ["laboratory", "vital-signs", "survey"];
const CATEGORY_SYSTEM: &str = "http://terminology.hl7.org/CodeSystem/observation-category";
const DATES: [&str; 8] =
    ["2019", "2020-02", "2020-02-29", "2020-02-29T12:00:00Z", "2020-03-01T00:30:00+05:30", "2021-06", "2022-01-01", ""];
const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

// ---- the data -------------------------------------------------------------------------------------------------------

/// A patient, or now and then nobody.
fn subject() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::weighted(0.95, select(&PATIENTS[..]))
}

fn about(subject: Option<&str>) -> Value {
    subject.map_or_else(|| json!({"display": "unknown"}), |id| json!({"reference": format!("Patient/{id}")}))
}

fn observation() -> impl Strategy<Value = Value> {
    let categories = prop_oneof![9 => subsequence(&CATEGORIES[..], 0..=2).prop_map(Some), 1 => Just(None)];
    let parts = (subject(), categories, select(&["4548-4", "2339-0", "8480-6"][..]));
    // Now and then it is about nobody, and a patient may have performed it.
    let performers = prop_oneof![
        4 => Just(vec![]),
        2 => Just(vec!["Practitioner/0"]),
        2 => subsequence(vec!["Practitioner/0", "Patient/a", "Patient/b", "Patient/c"], 1..3),
    ];
    (parts, select(&DATES[..]), select(&["final", "preliminary"][..]), performers, prop::bool::weighted(0.2)).prop_map(
        |((subject, categories, code), date, status, performers, is_about_nobody)| {
            let coding = |system: &str, code: &str| json!({"coding": [{"system": system, "code": code}]});
            let coded = |codes: Vec<&str>| codes.iter().map(|code| coding(CATEGORY_SYSTEM, code)).collect::<Vec<_>>();
            let mut resource = json!({
                "resourceType": "Observation", "status": status, "subject": about(subject),
                "category": categories.map_or_else(|| vec![json!({"text": "laboratory"})], coded),
                "code": coding("http://loinc.org", code),
            });
            if !date.is_empty() {
                resource["effectiveDateTime"] = json!(date);
            }
            if !performers.is_empty() {
                resource["performer"] = performers.iter().map(|performer| json!({"reference": performer})).collect();
            }
            if is_about_nobody {
                resource.as_object_mut().unwrap().remove("subject");
            }
            resource
        },
    )
}

fn encounter() -> impl Strategy<Value = Value> {
    (subject(), select(&["finished", "planned"][..]), 0..4_usize).prop_map(|(subject, status, at)| {
        let location = json!([{"location": {"reference": place(at)}}]);
        json!({"resourceType": "Encounter", "subject": about(subject), "status": status, "location": location, "contained": [cellar()]})
    })
}

/// The reference to one of three places, of which one is missing, or to the [`cellar`].
fn place(at: usize) -> String {
    if at == 3 { "#c".to_owned() } else { format!("Location/{at}") }
}

/// A contained place.
fn cellar() -> Value {
    json!({"resourceType": "Location", "id": "c", "name": "Cellar"})
}

/// The number of an Encounter, which may be one of another patient, or missing.
fn visit() -> impl Strategy<Value = Option<usize>> {
    prop::option::weighted(0.8, 0..5_usize)
}

fn condition() -> impl Strategy<Value = Value> {
    (subject(), select(&DATES[..]), select(&["active", "resolved"][..]), visit()).prop_map(|(subject, onset, status, at)| {
        let mut resource = json!({
            "resourceType": "Condition", "subject": about(subject),
            "clinicalStatus": {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/condition-clinical", "code": status}]},
            "category": [{"coding": [{"code": "problem-list-item"}]}],
        });
        if !onset.is_empty() {
            resource["onsetDateTime"] = json!(onset);
        }
        if let Some(at) = at {
            resource["encounter"] = json!({"reference": format!("Encounter/{at}")});
        }
        resource
    })
}

fn medication_request() -> impl Strategy<Value = Value> {
    (subject(), select(&["active", "stopped"][..]), 0..3_usize, visit()).prop_map(
        |(subject, status, medication, at)| {
            let code = json!({"coding": [{"code": "inner"}]});
            let mut resource = json!({
                "resourceType": "MedicationRequest", "subject": about(subject), "status": status, "intent": "order",
                "authoredOn": "2020-05-05", "medicationReference": {"reference": format!("Medication/{medication}")},
                "contained": [{"resourceType": "Medication", "id": "0", "code": code}],
            });
            if medication == 2 {
                resource["medicationReference"] = json!({"reference": "#0"});
            }
            if let Some(at) = at {
                resource["encounter"] = json!({"reference": format!("Encounter/{at}")});
            }
            resource
        },
    )
}

fn provenance() -> impl Strategy<Value = Value> {
    let target = (select(&["Observation", "Condition", "MedicationRequest"][..]), 0..6_usize);
    prop::collection::vec(target, 1..4).prop_map(|targets| {
        let targets: Vec<_> =
            targets.iter().map(|(resource_type, id)| json!({"reference": format!("{resource_type}/{id}")})).collect();
        json!({"resourceType": "Provenance", "target": targets, "recorded": "2021-01-01T00:00:00Z"})
    })
}

fn group() -> impl Strategy<Value = Value> {
    subsequence(vec!["a", "b", "c", "ghost"], 0..4).prop_map(|members| {
        let members: Vec<_> = members.iter().map(|id| json!({"entity": about(Some(id))})).collect();
        json!({"resourceType": "Group", "type": "person", "actual": true, "member": members})
    })
}

fn role() -> impl Strategy<Value = Value> {
    (0..2_usize, 0..4_usize).prop_map(|(who, at)| {
        let [who, place] = [format!("Practitioner/{who}"), place(at)];
        json!({"resourceType": "PractitionerRole", "practitioner": {"reference": who}, "location": [{"reference": place}], "contained": [cellar()]})
    })
}

/// A small hospital: every resource has the id of its place among those of its type.
pub fn data() -> impl Strategy<Value = Vec<Value>> {
    let many = |most| 0..most;
    (
        prop::collection::vec(observation(), 6..20),
        prop::collection::vec(condition(), many(6)),
        prop::collection::vec(medication_request(), many(6)),
        prop::collection::vec(provenance(), many(6)),
        prop::collection::vec(role(), many(3)),
        prop::collection::vec(encounter(), many(5)),
        prop::collection::vec(group(), many(4)),
    )
        .prop_map(|(observations, conditions, requests, provenances, roles, encounters, groups)| {
            let people = ["Lindholm", "Achterberg"].iter().map(|name| json!({"resourceType": "Practitioner", "name": [{"family": name}]}));
            let places = ["Ward", "Cellar"].iter().map(|name| json!({"resourceType": "Location", "name": name}));
            let medications = (0..2).map(|_| json!({"resourceType": "Medication", "code": {"text": "x"}}));
            let mut all: Vec<Value> = PATIENTS
                .iter()
                .map(|id| json!({"resourceType": "Patient", "id": id, "name": [{"family": format!("Family-{id}")}], "gender": "female"}))
                .collect();
            for group in [observations, conditions, requests, provenances, roles, encounters, groups, people.collect(), places.collect(), medications.collect()] {
                for (at, mut resource) in group.into_iter().enumerate() {
                    resource["id"] = json!(at.to_string());
                    all.push(resource);
                }
            }
            all
        })
}

// ---- the grants -----------------------------------------------------------------------------------------------------

pub fn scope() -> impl Strategy<Value = String> {
    let kinds = [
        "*",
        "Patient",
        "Observation",
        "Condition",
        "Encounter",
        "Group",
        "Location",
        "MedicationRequest",
        "Provenance",
        "Practitioner",
        "PractitionerRole",
        "Medication",
    ];
    let access = ["read", "read", "rs", "r", "s", "*", "write"];
    let plain = (
        select(&["patient", "user", "system"][..]),
        prop_oneof![1 => Just("*"), 2 => select(kinds.to_vec())],
        select(access.to_vec()),
    )
        .prop_map(|(level, resource_type, access)| format!("{level}/{resource_type}.{access}"));
    let granular = (select(&["patient", "user", "system"][..]), select(&["rs", "r", "s"][..]), select(&CATEGORIES[..]))
        .prop_map(|(level, access, category)| {
            format!("{level}/Observation.{access}?category={CATEGORY_SYSTEM}|{category}")
        });
    prop_oneof![4 => plain, 1 => granular]
}

/// What a token says, as plain texts.
#[derive(Debug, Clone)]
pub struct Token {
    pub scopes: Vec<String>,
    pub patient: Option<&'static str>,
    pub user: Option<&'static str>,
    /// The resource of the user.
    pub fhir_user: Option<&'static str>,
}

fn token() -> impl Strategy<Value = Token> {
    let user = select(&[None, Some("few"), Some("chief"), Some("nobody")][..]);
    let fhir_user = prop::option::of(select(&["Patient/a", "Patient/b", "Practitioner/0", "Condition/0"][..]));
    let identity = prop::bool::ANY;
    (
        prop::collection::vec(scope(), 1..6),
        identity,
        prop::option::weighted(0.7, select(&PATIENTS[..])),
        user,
        fhir_user,
    )
        .prop_map(|(mut scopes, identity, patient, user, fhir_user)| {
            if identity {
                scopes.push("fhirUser".into());
            }
            Token { scopes, patient, user, fhir_user }
        })
}

/// Whom the users may see.
fn access() -> Access {
    let few = ["a", "b"].iter().filter_map(|id| Id::parse(id)).collect();
    Access::from([("few".to_owned(), AccessList::These(few)), ("chief".to_owned(), AccessList::All)])
}

// ---- the requests ---------------------------------------------------------------------------------------------------

const OTHERS: &[(&str, &[&str])] = &[
    (
        "Condition",
        &[
            "clinical-status=active",
            "clinical-status:not=active",
            "onset-date=ge2020",
            "onset-date:missing=true",
            "encounter.status=finished",
            "encounter.status:not=finished",
            "encounter.patient.name=family-b",
            "encounter.location.name=cellar",
            "encounter._has:MedicationRequest:encounter:status=active",
            "_has:Provenance:target:_id=0,1,2",
            "patient.name=family-a",
            "_revinclude=Provenance:target",
            "_include=Condition:encounter",
            "_include:iterate=Encounter:location",
            "_include=*",
            "_revinclude:iterate=MedicationRequest:encounter",
            "_count=1",
            "_id=0,1",
        ],
    ),
    (
        "Encounter",
        &[
            "status=finished",
            "_has:Condition:encounter:clinical-status=active",
            "_has:MedicationRequest:encounter:status:not=active",
            "_has:Condition:encounter:_has:Provenance:target:_id=0,1,2",
            "patient.name=family",
            "location.name=ward",
            "_revinclude=Condition:encounter",
            "_revinclude:iterate=Provenance:target",
            "_include=Encounter:patient",
            "_include=Encounter:*",
            "location._has:PractitionerRole:location:practitioner.name=achter",
            "_id=0,1",
            "_count=1",
            "_total=accurate",
        ],
    ),
    (
        "MedicationRequest",
        &[
            "status=active",
            "intent=order",
            "encounter.status=finished",
            "encounter:Encounter.patient.gender=female",
            "medication.code=inner",
            "medication.code:not=inner",
            "medication._id=0",
            "encounter.location.name=cellar",
            "_include=MedicationRequest:medication",
            "_include=MedicationRequest:encounter",
            "_include:iterate=*",
            "_total=accurate",
            "_revinclude=Provenance:target",
        ],
    ),
    (
        "Provenance",
        &[
            "target=Observation/1",
            "_id=0,1,2",
            "_count=2",
            "target:Observation.status=final",
            "target.clinical-status=active",
            "_has:Provenance:target:_id=0",
            "_include=Provenance:target",
            "_include=Provenance:target:Observation",
            "_include:iterate=Condition:encounter",
        ],
    ),
    (
        "Patient",
        &[
            "_id=a",
            "_id=a,b",
            "name=family",
            "gender=female",
            "gender:not=male",
            "birthdate:missing=true",
            "_has:Observation:patient:category=laboratory",
            "_has:Observation:patient:category:not=laboratory",
            "_has:Condition:patient:encounter.status=finished",
            "_has:Encounter:patient:location.name=cellar",
            "_has:MedicationRequest:patient:medication.code=inner",
            "_has:Encounter:patient:_has:Condition:encounter:clinical-status=active",
            "_has:Group:member:_id=0,1",
            "_has:Group:member:type=person",
            "_revinclude=Group:member",
            "_revinclude=Observation:patient",
            "_revinclude=Condition:patient",
            "_revinclude:iterate=Provenance:target",
            "_count=1",
            "_sort=-name,gender",
        ],
    ),
    (
        "Practitioner",
        &[
            "_id=0",
            "name=lind",
            "name=a",
            "name:missing=false",
            "identifier:not=7",
            "_revinclude=PractitionerRole:practitioner",
            "_has:PractitionerRole:practitioner:_id=0",
            "_has:PractitionerRole:practitioner:location.name=ward",
            "_has:Observation:performer:status=final",
            "_sort=name",
        ],
    ),
    (
        "PractitionerRole",
        &[
            "practitioner.name=achter",
            "practitioner.name=l",
            "practitioner.name:missing=false",
            "location.name=cellar",
            "location._has:PractitionerRole:location:_id=1",
            "_id=0",
            "_include=PractitionerRole:practitioner",
            "_include=*",
            "_sort=-practitioner",
        ],
    ),
    ("Medication", &["_id=0", "_id=0,1"]),
    (
        "Group",
        &[
            "member=Patient/a",
            "member=Patient/b",
            "member=Patient/b,Patient/ghost",
            "type=person",
            "_id=0,1",
            "_count=1",
        ],
    ),
];

fn question() -> impl Strategy<Value = String> {
    let patient = || select(&["a", "b", "c", "Patient/a", "ghost"][..]);
    let observations = (
        prop::option::weighted(0.9, patient()),
        subsequence(
            vec![
                "category=laboratory",
                "category=laboratory,survey",
                "category:missing=true",
                "category:missing=false",
                "category:not=laboratory",
                "category:not=laboratory,survey",
                "date:missing=true",
                "status:not=final",
                "code=4548-4",
                "code=http://loinc.org|2339-0,8480-6",
                "date=ge2020",
                "date=lt2021",
                "date=ap2020-02-29",
                "date=ne2020",
                "status=final",
                "patient.name=family-a",
                "_has:Provenance:target:_id=0,1,2",
                "_has:Provenance:target:target:Condition.clinical-status=active",
                "_sort=date",
                "_sort=-_id",
                "_sort=-status,date",
                "_sort=category",
                "_count=2",
                "_total=accurate",
                "_revinclude=Provenance:target",
                "_include=Observation:patient",
                "_include=*",
                "_include:iterate=Patient:*",
                "_revinclude:iterate=Condition:patient",
                "_summary=count",
                "_id=0,1,2",
            ],
            0..4,
        ),
    )
        .prop_map(|(patient, rest)| asked("Observation", patient, &rest));
    let others = select(OTHERS).prop_flat_map(move |(resource_type, parameters)| {
        let compartment = !matches!(resource_type, "Patient" | "Practitioner" | "PractitionerRole" | "Medication");
        let patient = prop::option::weighted(if compartment { 0.8 } else { 0.02 }, patient());
        let rest = subsequence(parameters.to_vec(), 0..=parameters.len().min(2));
        (patient, rest).prop_map(move |(patient, rest)| asked(resource_type, patient, &rest))
    });
    let reads = (
        select(
            &[
                "Observation",
                "Condition",
                "Encounter",
                "MedicationRequest",
                "Provenance",
                "Patient",
                "Practitioner",
                "Medication",
            ][..],
        ),
        select(&["0", "1", "2", "3", "a", "b", "c", "ghost"][..]),
    )
        .prop_map(|(resource_type, id)| format!("{resource_type}/{id}"));
    let filters =
        || subsequence(vec!["category=laboratory", "category:missing=false", "_id=0,1,2", "_summary=count"], 0..3);
    let several = (prop::option::weighted(0.8, patient()), filters()).prop_map(|(patient, mut rest)| {
        rest.push("_count=3");
        asked("", patient, &rest).replace('?', "?_type=Observation,Condition&")
    });
    let compartments = (select(&["a", "b", "c", "ghost"][..]), filters()).prop_map(|(patient, mut rest)| {
        rest.push("_count=3");
        asked(&format!("Patient/{patient}/Observation"), None, &rest)
    });
    let groups = select(&["a", "b", "c", "ghost"][..]).prop_map(|patient| format!("Patient/{patient}/Group?_count=2"));
    prop_oneof![5 => observations, 3 => others, 2 => reads, 1 => several, 1 => compartments, 1 => groups]
}

fn asked(resource_type: &str, patient: Option<&str>, rest: &[&str]) -> String {
    let patient = patient.map(|patient| format!("patient={patient}"));
    let all: Vec<_> = patient.iter().map(String::as_str).chain(rest.iter().copied()).collect();
    if all.is_empty() {
        resource_type.to_owned()
    } else {
        format!("{resource_type}?{}", all.join("&").replace('|', "%7C"))
    }
}

// ---- who may see what, written again --------------------------------------------------------------------------------

/// The wildcard lists of the contract, as far as these data go.
fn listed(level: &str, resource_type: &str) -> bool {
    let everywhere = [
        "Patient",
        "Observation",
        "Condition",
        "Encounter",
        "Location",
        "MedicationRequest",
        "Provenance",
        "Practitioner",
        "PractitionerRole",
    ];
    everywhere.contains(&resource_type)
        || (level == "system" && resource_type == "Medication")
        || (level != "patient" && resource_type == "Group")
}

/// The patients a resource is about, as far as they are known, and whether all are; nothing where it is about nobody
/// and everybody's.
pub fn concerns(resource: &Value, all: &BTreeMap<String, &Value>) -> Option<(BTreeSet<String>, bool)> {
    let named = |reference: &Value| {
        let id = reference["reference"].as_str().and_then(|text| text.strip_prefix("Patient/"));
        id.into_iter().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    match resource["resourceType"].as_str().unwrap() {
        "Patient" => Some(([resource["id"].as_str().unwrap().to_owned()].into(), true)),
        "Location" | "Practitioner" | "PractitionerRole" | "Medication" => None,
        "Provenance" => {
            let targets = resource["target"].as_array().unwrap().iter();
            let known = |target: &Value| concerns(all.get(target["reference"].as_str().unwrap())?, all);
            let each: Vec<_> = targets.map(|target| known(target).unwrap_or_default()).collect();
            // A target that is unknown, or nobody's, makes it nobody's.
            let indexed = each.iter().all(|(patients, indexed)| *indexed && !patients.is_empty());
            Some((each.into_iter().flat_map(|(patients, _)| patients).collect(), indexed))
        }
        "Group" => {
            let members = members(resource);
            let known: BTreeSet<_> =
                members.iter().filter(|id| all.contains_key(&format!("Patient/{id}"))).cloned().collect();
            let indexed = known.len() == members.len();
            Some((known, indexed))
        }
        // What is about nobody belongs to the one patient who performed it.
        "Observation" if resource["subject"].is_null() => {
            let performers = performers(resource);
            Some((if performers.len() == 1 { performers } else { BTreeSet::new() }, true))
        }
        _ => Some((named(&resource["subject"]), true)),
    }
}

fn patients(references: &[Value]) -> BTreeSet<String> {
    let id = |reference: &Value| Some(reference["reference"].as_str()?.strip_prefix("Patient/")?.to_owned());
    references.iter().filter_map(id).collect()
}

fn performers(resource: &Value) -> BTreeSet<String> {
    patients(resource["performer"].as_array().map_or(&[], Vec::as_slice))
}

fn members(resource: &Value) -> BTreeSet<String> {
    let members = resource["member"].as_array().into_iter().flatten();
    patients(&members.map(|member| member["entity"].clone()).collect::<Vec<_>>())
}

/// Returns whether a resource is in the compartment of a patient, and no Patient.
fn is_of_compartment(resource: &Value, patient: &str, all: &BTreeMap<String, &Value>) -> bool {
    match resource["resourceType"].as_str().unwrap() {
        "Patient" => false,
        "Group" => members(resource).contains(patient),
        // One of several patients is in no search by patient.
        "Provenance" => owners(resource, all) == Some([patient.to_owned()].into()),
        _ => performers(resource).contains(patient) || concerns(resource, all).unwrap_or_default().0.contains(patient),
    }
}

/// Returns whether a token may ask for resources of a type of another patient than its own.
fn asks_for_others(token: &Token, resource_type: &str) -> bool {
    token.scopes.iter().filter_map(|scope| scope.split_once('/')).any(|(level, rest)| {
        let (of, access) = rest.split_once('.').unwrap();
        let access = access.split('?').next().unwrap();
        let opens = of == resource_type || (of == "*" && listed(level, resource_type));
        let acts = matches!(access, "read" | "*") || (access != "write" && access.contains('s'));
        opens && acts && (level == "system" || (level == "user" && token.user.is_some()))
    })
}

/// The patient in whose compartment a question searches, and the rest of the question.
fn compartment(question: &str) -> (Option<&str>, &str) {
    let found =
        question.strip_prefix("Patient/").filter(|_| question.contains('?')).and_then(|rest| rest.split_once('/'));
    found.map_or((None, question), |(patient, rest)| (Some(patient), rest))
}

/// The patients to whom a resource belongs: nobody, until all whom it is about are known.
fn owners(resource: &Value, all: &BTreeMap<String, &Value>) -> Option<BTreeSet<String>> {
    concerns(resource, all).map(|(patients, indexed)| if indexed { patients } else { BTreeSet::new() })
}

/// Returns whether one of the token's scopes allows this resource, by a read or by a search.
pub fn allowed(token: &Token, action: char, resource: &Value, all: &BTreeMap<String, &Value>) -> bool {
    let resource_type = resource["resourceType"].as_str().unwrap();
    // The user's own resource, by a read alone.
    let is_user = token.fhir_user == Some(name(resource).as_str());
    if is_user && action == 'r' && token.scopes.iter().any(|scope| scope == "fhirUser") {
        return true;
    }
    token.scopes.iter().filter(|scope| *scope != "fhirUser").any(|scope| {
        let (scope, filter) =
            scope.split_once('?').map_or((scope.as_str(), None), |(scope, filter)| (scope, Some(filter)));
        let (level, rest) = scope.split_once('/').unwrap();
        let (of, access) = rest.split_once('.').unwrap();
        let opens_type = of == resource_type || (of == "*" && listed(level, resource_type));
        let acts = matches!(access, "read" | "*") || (access != "write" && access.contains(action));
        let reaches = |reached: &dyn Fn(&str) -> bool| match owners(resource, all) {
            None => true,
            Some(owners) => !owners.is_empty() && owners.iter().all(|owner| reached(owner)),
        };
        let reached = match level {
            "system" => true,
            // Without a patient, such a scope opens nothing at all.
            "patient" => token.patient.is_some_and(|own| reaches(&|owner| owner == own)),
            _ => match token.user {
                Some("chief") => true,
                Some("few") => reaches(&|owner| owner == "a" || owner == "b"),
                Some(_) => reaches(&|_| false),
                None => false,
            },
        };
        let filtered = filter.is_none_or(|filter| {
            let code = filter.rsplit_once('|').unwrap().1;
            let categories = resource["category"].as_array().into_iter().flatten();
            categories.clone().any(|category| category["coding"][0]["code"] == code)
        });
        opens_type && acts && reached && filtered
    })
}

// ---- what is not there, chains and _has, written again --------------------------------------------------------------

/// Returns whether an Observation, a Condition or a MedicationRequest satisfies a parameter: of whose record it is, what it is not or what
/// it lacks, and what it refers to or refers to it in the same record, as far as a search by the token may see that.
/// `None` if the parameter asks for something else.
fn satisfies(resource: &Value, parameter: &str, token: &Token, all: &BTreeMap<String, &Value>) -> Option<bool> {
    let patient = resource["subject"]["reference"].as_str();
    let owner = owners(resource, all).filter(|owners| owners.len() == 1).and_then(|owners| owners.into_iter().next());
    let is_seen = |other: &Value| {
        let (patients, _) = concerns(other, all).unwrap_or_default();
        let is_beside = owner.as_ref().is_some_and(|owner| patients.contains(owner));
        is_beside && allowed(token, 's', other, all)
    };
    let seen = |reference: Option<&str>| reference.and_then(|name| all.get(name)).filter(|other| is_seen(other));
    let visit = || seen(resource["encounter"]["reference"].as_str());
    let has = |element: &str, codes: &str| {
        let concepts = resource[element].as_array().map_or(std::slice::from_ref(&resource[element]), Vec::as_slice);
        let codings = concepts.iter().flat_map(|concept| concept["coding"].as_array().into_iter().flatten());
        codings.clone().any(|coding| codes.split(',').any(|code| coding["code"] == code))
    };
    Some(match parameter.split_once('=')? {
        ("patient", patient) => {
            resource["subject"]["reference"] == format!("Patient/{}", patient.trim_start_matches("Patient/"))
        }
        ("member", named) => {
            members(resource).iter().any(|id| named.split(',').any(|one| one == format!("Patient/{id}")))
        }
        ("type", _) => true,
        ("category:not", codes) => !has("category", codes),
        ("category:missing", is_missing) => {
            resource["category"].as_array().is_none_or(Vec::is_empty) == (is_missing == "true")
        }
        ("clinical-status:not", codes) => !has("clinicalStatus", codes),
        ("date:missing", _) => resource["effectiveDateTime"].is_null(),
        ("onset-date:missing", _) => resource["onsetDateTime"].is_null(),
        ("status:not", code) => resource["status"] != code,
        ("encounter.status", status) => visit().is_some_and(|visit| visit["status"] == status),
        ("encounter.status:not", status) => visit().is_some_and(|visit| visit["status"] != status),
        ("encounter.patient.name", begins) => {
            let of_visit = visit().and_then(|visit| seen(visit["subject"]["reference"].as_str()));
            of_visit.is_some_and(|found| begins.ends_with(found["id"].as_str().unwrap()))
        }
        ("encounter.location.name", begins) => {
            let place = |visit: &Value| match visit["location"][0]["location"]["reference"].as_str()? {
                "#c" => visit["contained"].get(0).cloned(),
                name => all.get(name).map(|place| (*place).clone()),
            };
            visit().and_then(|visit| place(visit)).is_some_and(|place| {
                let place = &place;
                allowed(token, 's', place, all) && place["name"].as_str().unwrap().to_lowercase() == begins
            })
        }
        ("medication.code" | "medication.code:not", _) => {
            // The code is that of the contained one, which no other has.
            let reference = resource["medicationReference"]["reference"].as_str().unwrap();
            let inner = if reference == "#0" { Some(&resource["contained"][0]) } else { all.get(reference).copied() };
            inner.is_some_and(|inner| {
                allowed(token, 's', inner, all) && (reference == "#0") != parameter.contains(":not")
            })
        }
        ("medication._id", _) => {
            let medication = all.get("Medication/0").filter(|found| allowed(token, 's', found, all));
            medication.is_some() && resource["medicationReference"]["reference"] == "Medication/0"
        }
        ("patient.name", begins) => seen(patient).is_some_and(|found| begins.ends_with(found["id"].as_str().unwrap())),
        ("_has:Provenance:target:_id", ids) => ids.split(',').any(|id| {
            let targets =
                |found: &&Value| found["target"].as_array().into_iter().flatten().cloned().collect::<Vec<_>>();
            let found = seen(Some(&format!("Provenance/{id}")));
            found.is_some_and(|found| targets(found).iter().any(|target| target["reference"] == name(resource)))
        }),
        ("_count" | "_sort" | "_total", _) => true,
        (name, _) if name.starts_with("_include") || name.starts_with("_revinclude") => true,
        _ => return None,
    })
}

// ---- the trials -----------------------------------------------------------------------------------------------------

struct Answer {
    text: String,
    /// The patients that the audit names.
    named: BTreeSet<String>,
    matches: Vec<Value>,
    included: Vec<Value>,
    next: Option<String>,
    total: Option<u64>,
}

fn answer<S: Store>(store: &S, question: &str, grant: &Grant) -> Result<Answer, Problem> {
    let cursors = CursorKey::new(b"a key of sufficient length for it");
    let context = query_context(grant, &cursors, &MOMENT);
    let mut disclosure = Disclosure::default();
    let reply = now(answer_request(store, question, context, &mut disclosure))?;
    let named = disclosure.patients.iter().map(ToString::to_string).collect();
    let text = splice(reply.body);
    let body: Value = serde_json::from_str(&text).unwrap();
    if body["resourceType"] != "Bundle" {
        return Ok(Answer { text, named, matches: vec![body], included: vec![], next: None, total: None });
    }
    let entries = |mode: &str| {
        let entries = body["entry"].as_array().into_iter().flatten();
        entries.filter(|entry| entry["search"]["mode"] == mode).map(|entry| entry["resource"].clone()).collect()
    };
    let next = body["link"].as_array().unwrap().iter().find(|link| link["relation"] == "next");
    let next = next.map(|link| link["url"].as_str().unwrap().to_owned());
    let total = body["total"].as_u64();
    Ok(Answer { matches: entries("match"), included: entries("include"), next, total, text, named })
}

fn status(problem: &Problem) -> u16 {
    problem.reply::<String>().status
}

pub fn name(resource: &Value) -> String {
    format!("{}/{}", resource["resourceType"].as_str().unwrap(), resource["id"].as_str().unwrap())
}

/// Every page's matches, and everything included.
fn everything<S: Store>(store: &S, question: &str, grant: &Grant) -> Result<(Vec<Value>, Vec<Value>), Problem> {
    let mut first = answer(store, question, grant)?;
    let (mut matches, mut included) = (std::mem::take(&mut first.matches), std::mem::take(&mut first.included));
    let mut next = first.next;
    while let Some(link) = next {
        let page = answer(store, &link, grant)?;
        matches.extend(page.matches);
        included.extend(page.included);
        next = page.next;
    }
    Ok((matches, included))
}

fn names(resources: &[Value]) -> BTreeSet<String> {
    resources.iter().map(name).collect()
}

#[test]
fn whatever_is_granted_and_asked_nothing_leaks_nothing_is_lost_and_the_stores_agree() {
    let trials: u32 = std::env::var("TRIALS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    // A population is dear and a question is cheap: many of these for each of those.
    const EACH: usize = 40;
    let mut runner =
        TestRunner::new(Config { cases: trials.div_ceil(EACH as u32), failure_persistence: None, ..Config::default() });
    // Now and then the user's own resource is asked for: of all resources it is one.
    let own = |(token, question, own): (Token, String, bool)| {
        let question = token.fhir_user.filter(|_| own).map_or(question, str::to_owned);
        (token, question)
    };
    let asked = prop::collection::vec((token(), question(), prop::bool::weighted(0.1)).prop_map(own), EACH);
    let (mut answered, mut held) = (std::cell::Cell::new(0_u64), std::cell::Cell::new(0_u64));
    let count = |counter: &std::cell::Cell<u64>, by: usize| counter.set(counter.get() + by as u64);
    let outcome = runner.run(&(data(), asked), |(data, asked)| {
        let indexed = index_respelled(&data);
        let (memory, sqlite) = (memory(&indexed, &access()), sqlite(&indexed, &access()));
        let shelves = shelves(&indexed, &access());
        let all: BTreeMap<String, &Value> = data.iter().map(|resource| (name(resource), resource)).collect();
        for (token, question) in asked {
            let grant = |scopes: &str, token: &Token| Grant {
                id: None,
                client: "trial".into(),
                patient: token.patient.and_then(Id::parse),
                user: token.user.map(str::to_owned),
                fhir_user: token.fhir_user.and_then(Reference::parse),
                scopes: ScopeSet::parse(scopes).unwrap(),
            };
            let own = grant(&token.scopes.join(" "), &token);
            let label = format!("{question} under {token:?}");
            let (here, there) = (answer(&memory, &question, &own), answer(&sqlite, &question, &own));
            let told = |answer: &Result<Answer, Problem>| match answer {
                Ok(answer) => (200, answer.text.clone(), answer.named.clone()),
                Err(problem) => (status(problem), String::new(), BTreeSet::new()),
            };
            let is_open = |row: &&Indexed| {
                let resource = all[&row.resource.reference().to_string()];
                allowed(&token, action(&question), resource, &all)
            };
            let opened: Vec<_> = indexed.iter().filter(is_open).cloned().collect();
            let cut = crate::support::memory(&opened, &access());
            prop_assert_eq!(told(&here), told(&answer(&cut, &question, &own)), "what is closed tells: {}", label);
            prop_assert_eq!(told(&here), told(&answer(&shelves, &question, &own)), "on shelves: {}", label);
            let (here, there) = match (here, there) {
                (Ok(here), Ok(there)) => (here, there),
                (Err(here), Err(there)) => {
                    prop_assert_eq!(status(&here), status(&there), "{}", label);
                    let asked_for_all = everything(&memory, &question, &grant(EVERYTHING, &token));
                    // These need the scopes of further types, or name a patient whom the token does not.
                    let names_another = compartment(&question).0.is_some_and(|of| Some(of) != token.patient)
                        || question.contains("member=");
                    let chained = question.contains("practitioner.name")
                        || question.contains("_type=")
                        || is_joined(&question)
                        || names_another;
                    for resource in asked_for_all.map(|(found, _)| found).unwrap_or_default() {
                        prop_assert!(
                            chained || !allowed(&token, action(&question), &resource, &all),
                            "{} is refused: {label}",
                            name(&resource)
                        );
                    }
                    continue;
                }
                (here, there) => {
                    prop_assert!(false, "memory says {} and SQLite {}: {label}", told(&here).0, told(&there).0);
                    continue;
                }
            };
            prop_assert_eq!(&here.text, &there.text, "{}", label);
            let whose = here
                .matches
                .iter()
                .chain(&here.included)
                .filter_map(|resource| concerns(resource, &all))
                .map(|(patients, _)| patients);
            let whose: BTreeSet<_> = whose.flatten().collect();
            prop_assert_eq!(&here.named, &whose, "whom the audit names: {}", label);
            prop_assert_eq!(&there.named, &whose, "whom the audit names on SQLite: {}", label);
            let (matches, included) = everything(&sqlite, &question, &own).unwrap();
            prop_assert_eq!(
                &everything(&shelves, &question, &own).unwrap(),
                &(matches.clone(), included.clone()),
                "{}",
                label
            );
            count(&answered, 1);
            count(&held, matches.len() + included.len());
            for resource in matches.iter().chain(&included) {
                prop_assert!(allowed(&token, action(&question), resource, &all), "{} leaks: {label}", name(resource));
            }
            if action(&question) == 'r' {
                continue;
            }
            // The answer of a server that permits everything, without the resources that the grant does not permit.
            let implied = match token.patient {
                Some(patient)
                    if !question.contains("patient=")
                        && !question.starts_with("Patient/")
                        && own_patient_is_meant(&token, &question) =>
                {
                    // What names the patient elsewhere than in its subject may be the patient's too.
                    if question.starts_with("Observation?") || question == "Observation" {
                        format!("Patient/{patient}/{question}")
                    } else {
                        format!("{question}{}patient={patient}", if question.contains('?') { '&' } else { '?' })
                    }
                }
                _ => question.clone(),
            };
            // A chain and `_has` look at what the grant permits alone.
            let asked = if is_joined(&question) { &cut } else { &memory };
            let Ok((open, open_included)) = everything(asked, &implied, &grant(EVERYTHING, &token)) else { continue };
            let expected: Vec<_> =
                open.into_iter().filter(|resource| allowed(&token, action(&question), resource, &all)).collect();
            prop_assert_eq!(names(&matches), names(&expected), "{}", label);
            prop_assert_eq!(matches.len(), expected.len(), "a match comes twice: {}", label);
            let (of_patient, searched) = compartment(&implied);
            let (of_type, parameters) = searched.split_once('?').unwrap_or((searched, ""));
            let is_judged = matches!(of_type, "Observation" | "Condition" | "MedicationRequest" | "Group");
            if is_judged && !question.contains("_summary") {
                let of_type = data.iter().filter(|resource| resource["resourceType"] == of_type);
                for resource in of_type.filter(|resource| allowed(&token, 's', resource, &all)) {
                    let mut each: Vec<_> =
                        parameters.split('&').map(|parameter| satisfies(resource, parameter, &token, &all)).collect();
                    each.extend(of_patient.map(|patient| Some(is_of_compartment(resource, patient, &all))));
                    let is_match = names(&matches).contains(&name(resource));
                    prop_assert!(!is_match || !each.contains(&Some(false)), "{} matches: {label}", name(resource));
                    let is_wanted = each.iter().all(|satisfied| *satisfied == Some(true));
                    prop_assert!(is_match || !is_wanted, "{} does not match: {label}", name(resource));
                }
            }
            if let Some(total) = here.total {
                prop_assert_eq!(
                    total as usize,
                    if question.contains("_summary=count") { total as usize } else { expected.len() },
                    "{}",
                    label
                );
            }
            let reachable: BTreeSet<_> = included.iter().map(name).collect();
            for resource in open_included.iter().filter(|resource| allowed(&token, 's', resource, &all)) {
                let cited = cites(resource, &expected, &question);
                prop_assert!(!cited || reachable.contains(&name(resource)), "{} is lost: {label}", name(resource));
            }
        }
        Ok(())
    });
    println!(
        "{trials} trials; {} were answered, with {} resources, none of them leaked or lost",
        answered.get_mut(),
        held.get_mut()
    );
    outcome.unwrap();
    assert!(
        *answered.get_mut() > u64::from(trials) / 4 && *held.get_mut() > u64::from(trials) / 4,
        "the trials ask too little"
    );
}

/// The references in a resource.
pub fn references(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => {
            let own = members.get("reference").and_then(Value::as_str).map(str::to_owned);
            members.values().flat_map(references).chain(own).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => BTreeSet::new(),
    }
}

fn record_question() -> impl Strategy<Value = (&'static str, Option<usize>, Vec<&'static str>)> {
    let types = vec![
        "Patient",
        "Observation",
        "Condition",
        "Encounter",
        "Group",
        "MedicationRequest",
        "Provenance",
        "Practitioner",
    ];
    let types = prop_oneof![2 => Just(Vec::new()), 1 => subsequence(types, 1..4)];
    (select(&["a", "b", "c", "ghost"][..]), prop::option::of(1..5_usize), types)
}

#[test]
fn everything_of_a_patient_is_what_searches_of_each_type_find() {
    let trials: u32 = std::env::var("TRIALS").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    const EACH: usize = 20;
    const DIRECTORY: [&str; 4] = ["Practitioner", "PractitionerRole", "Medication", "Location"];
    let mut runner =
        TestRunner::new(Config { cases: trials.div_ceil(EACH as u32), failure_persistence: None, ..Config::default() });
    let asked = prop::collection::vec((token(), record_question()), EACH);
    let mut held = std::cell::Cell::new(0_usize);
    let outcome = runner.run(&(data(), asked), |(data, asked)| {
        let indexed = index_respelled(&data);
        let (memory, sqlite) = (memory(&indexed, &access()), sqlite(&indexed, &access()));
        let shelves = shelves(&indexed, &access());
        let all: BTreeMap<String, &Value> = data.iter().map(|resource| (name(resource), resource)).collect();
        for (token, (patient, count, types)) in asked {
            let own = Grant {
                client: "trial".into(),
                patient: token.patient.and_then(Id::parse),
                user: token.user.map(str::to_owned),
                scopes: ScopeSet::parse(&token.scopes.join(" ")).unwrap(),
                ..Grant::default()
            };
            let is_wanted = |of: &str| types.is_empty() || types.contains(&of);
            let count = count.map(|count| format!("_count={count}"));
            let types = (!types.is_empty()).then(|| format!("_type={}", types.join(",")));
            let parameters: Vec<_> = count.into_iter().chain(types.clone()).collect();
            let question = format!("Patient/{patient}/$everything?{}", parameters.join("&"));
            let label = format!("{question} under {token:?}");
            let told = |answer: Result<Answer, Problem>| match answer {
                Ok(answer) => (200, answer.text, answer.named),
                Err(problem) => (status(&problem), problem.outcome(), BTreeSet::new()),
            };
            let here = told(answer(&memory, &question, &own));
            prop_assert_eq!(&here, &told(answer(&sqlite, &question, &own)), "on SQLite: {}", label);
            prop_assert_eq!(&here, &told(answer(&shelves, &question, &own)), "on shelves: {}", label);
            let opened: Vec<&Value> = data.iter().filter(|resource| allowed(&token, 's', resource, &all)).collect();
            let of_record = |resource: &Value| owners(resource, &all) == Some([patient.to_owned()].into());
            let of_type = |resource: &Value| is_wanted(resource["resourceType"].as_str().unwrap());
            let expected: BTreeSet<_> = opened
                .iter()
                .filter(|resource| of_record(resource) && of_type(resource))
                .map(|one| name(one))
                .collect();
            if here.0 != 200 {
                prop_assert!(expected.is_empty() || here.0 == 400, "{} of {:?}: {label}", here.0, expected);
                continue;
            }
            let (matches, included) = everything(&sqlite, &question, &own).unwrap();
            prop_assert_eq!(names(&matches), expected, "{}", label);
            prop_assert_eq!(matches.len(), names(&matches).len(), "a match comes twice: {}", label);
            let in_directory = |resource: &Value| DIRECTORY.contains(&resource["resourceType"].as_str().unwrap());
            let (mut reached, mut from): (BTreeSet<String>, Vec<&Value>) = (BTreeSet::new(), matches.iter().collect());
            for _ in 0..2 {
                let cited: BTreeSet<String> = from.iter().flat_map(|resource| references(resource)).collect();
                let is_cited = |one: &&Value| in_directory(one) && of_type(one) && cited.contains(&name(one));
                from = opened.iter().copied().filter(is_cited).collect();
                reached.extend(from.iter().map(|one| name(one)));
            }
            prop_assert_eq!(names(&included), reached, "{}", label);
            held.set(held.get() + matches.len() + included.len());
            if types.is_some() {
                continue;
            }
            // All types of the compartment have the others of its members too, but no Patient.
            let question = question.replace("$everything", "*");
            let label = format!("{question} under {token:?}");
            let here = told(answer(&memory, &question, &own));
            prop_assert_eq!(&here, &told(answer(&sqlite, &question, &own)), "on SQLite: {}", label);
            prop_assert_eq!(&here, &told(answer(&shelves, &question, &own)), "on shelves: {}", label);
            let is_member = |resource: &&&Value| {
                let asks = asks_for_others(&token, resource["resourceType"].as_str().unwrap());
                (asks || token.patient == Some(patient)) && is_of_compartment(resource, patient, &all)
            };
            let others: BTreeSet<_> = opened.iter().filter(is_member).map(|one| name(one)).collect();
            prop_assert!(here.0 == 200 || others.is_empty(), "{}", label);
            if here.0 == 200 {
                let (found, included) = everything(&sqlite, &question, &own).unwrap();
                prop_assert_eq!((names(&found), included.len()), (others, 0), "{}", label);
            }
        }
        Ok(())
    });
    outcome.unwrap();
    assert!(*held.get_mut() > trials as usize / 4, "the trials ask too little");
}

/// Scopes that open all of the data.
const EVERYTHING: &str = "system/*.read";

/// The letter of the permission that a question needs: `r` for a read, `s` for a search.
fn action(question: &str) -> char {
    if question.contains('/') && !question.contains('?') { 'r' } else { 's' }
}

/// Returns whether a question has a chain or `_has`, which other resources than the matches decide.
fn is_joined(question: &str) -> bool {
    let names = question.split(['?', '&']).skip(1).filter_map(|parameter| parameter.split('=').next());
    names.into_iter().any(|name| name != "practitioner.name" && (name.contains('.') || name.starts_with("_has")))
}

/// Returns whether a request that names no patient means the patient of the token.
fn own_patient_is_meant(token: &Token, question: &str) -> bool {
    !question.contains("_id=") && token.scopes.iter().any(|scope| scope.starts_with("patient/"))
}

/// Returns whether an included resource refers to one of these matches, or a match to it, by a reference that the
/// question follows.
fn cites(included: &Value, matches: &[Value], question: &str) -> bool {
    const ELEMENTS: [(&str, &str); 8] = [
        ("Group:member", "member"),
        ("Condition:encounter", "encounter"),
        ("MedicationRequest:encounter", "encounter"),
        ("MedicationRequest:medication", "medicationReference"),
        ("Observation:patient", "subject"),
        ("Condition:patient", "subject"),
        ("PractitionerRole:practitioner", "practitioner"),
        ("Provenance:target", "target"),
    ];
    let names = |resource: &Value, element: &str| references(&resource[element]);
    ELEMENTS.iter().any(|(value, element)| {
        let source = value.split(':').next().unwrap();
        let asks = |name: &str| question.split(['?', '&']).any(|parameter| parameter == format!("{name}={value}"));
        let forward = asks("_include")
            && matches.iter().any(|one| one["resourceType"] == source && names(one, element).contains(&name(included)));
        let cited = names(included, element);
        let back = asks("_revinclude")
            && included["resourceType"] == source
            && matches.iter().any(|one| cited.contains(&name(one)));
        forward || back
    })
}
