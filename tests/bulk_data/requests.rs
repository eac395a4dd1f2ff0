//! The request that starts an export.

use super::{ALL, LAB, NOW, Server, file_of, text};
use crate::support::app::{bearer, claims};
use crate::support::{BASE, GRANT, ORIGIN};
use export::{ExportLevel, ExportStatus};
use oauth::AccessClaims;
use serde_json::json;

#[test]
fn a_request_is_accepted_with_the_absolute_address_of_its_status() {
    let server = Server::with_exports();
    for (path, level) in [
        ("/fhir/r4/$export", ExportLevel::System),
        ("/fhir/r4/Patient/$export", ExportLevel::Patient),
        ("/fhir/r4/Group/two/$export", ExportLevel::Group),
    ] {
        let headers = [("Accept", "application/fhir+json"), ("Prefer", "respond-async")];
        let answer = server.ask("GET", path, ALL, &headers);
        assert_eq!((answer.status, answer.header("Preference-Applied")), (202, "respond-async"));
        let location = answer.header("Content-Location");
        assert!(location.starts_with("http://edge.test/fhir/r4/$export-status/"), "{location}");
        let request = server.accepted(&answer);
        assert_eq!((request.level, request.url), (level, format!("{ORIGIN}{path}")));
        assert_eq!((request.scopes.as_str(), request.since, request.until), (ALL, None, None));
        // A request without `Prefer` has the same answer.
        assert_eq!(server.get(path, ALL).status, 202);
    }
    let query = "/fhir/r4/$export?_type=Patient&_since=2025-01-20T12:40:38-05:00";
    assert_eq!(server.asked(query).url, format!("{ORIGIN}{query}"));
}

#[test]
fn version_4_has_its_parameters_in_a_body_and_no_list_in_a_value_b1_b2_b3_b4() {
    let server = Server::with_exports();
    let value = |name: &str, value: &str| json!({"name": name, "valueString": value});
    let types = json!([value("_type", "Patient"), value("_type", "Condition")]);
    for (path, level) in [
        ("/fhir/r4/$export-v4", ExportLevel::System),
        ("/fhir/r4/Patient/$export-v4", ExportLevel::Patient),
        ("/fhir/r4/Group/two/$export-v4", ExportLevel::Group),
    ] {
        let request = server.accepted(&server.post(path, &types));
        assert_eq!((request.level, request.url.as_str(), request.types.len()), (level, "", 2), "{path}");
        let answer = server.get(path, ALL);
        assert_eq!((answer.status, answer.header("Allow")), (405, "POST, OPTIONS"), "{path}");
        assert_eq!(server.post(&format!("{path}?_type=Patient"), &json!([])).issue().1, "http._type");
    }
    for (name, list) in
        [("_type", "Patient,Condition"), ("_elements", "id,name"), ("_typeFilter", "Goal?_id=x,Goal?_id=y")]
    {
        let listed = json!([value(name, list)]);
        let answer = server.post("/fhir/r4/$export-v4", &listed);
        assert_eq!((answer.status, answer.issue().1), (400, format!("http.{name}")));
        assert_eq!(server.accepted(&server.post("/fhir/r4/$export", &listed)).url, format!("{ORIGIN}/fhir/r4/$export"));
    }

    // The manifest of a request without an address is that of version 4.0.0.
    let path = server.complete(ALL, &["Patient"], 0, 1);
    let keys = || server.get(&path, ALL).json().as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(), ["transactionTime", "request", "requiresAccessToken", "output", "error"]);
    let id = path.rsplit_once('/').unwrap().1;
    if let ExportStatus::Complete(manifest) = &mut server.exports().all.borrow_mut().get_mut(id).unwrap().status {
        manifest.request.clear();
    }
    assert_eq!(keys(), ["transactionTime", "manifestType", "requiresAccessToken", "output", "outcome"]);
}

#[test]
fn the_format_of_files_has_all_its_names() {
    let server = Server::with_exports();
    for name in [
        "application/fhir%2Bndjson",
        "application/fhir+ndjson",
        "application%2Fndjson",
        "ndjson",
        "application/fhir%2bndjson;charset=utf-8",
    ] {
        assert_eq!(server.get(&format!("/fhir/r4/Patient/$export?_outputFormat={name}"), ALL).status, 202, "{name}");
    }
    for name in ["application/fhir%2Bjson", "json", "csv", ""] {
        let (code, about, _) = server.refused(&format!("/fhir/r4/$export?_outputFormat={name}"));
        assert_eq!((code.as_str(), about.as_str()), ("not-supported", "http._outputFormat"), "{name}");
    }
}

#[test]
fn since_and_until_are_instants() {
    let server = Server::with_exports();
    for (value, expected) in [
        ("2025-01-20T19:40:38%2B02:00", 1_737_394_838_000_000),
        ("2025-01-20T19:40:38+02:00", 1_737_394_838_000_000),
        ("2025-01-20T17:40:38.250Z", 1_737_394_838_250_000),
        ("2099-01-01T00:00:00Z", 4_070_908_800_000_000),
    ] {
        assert_eq!(server.asked(&format!("/fhir/r4/$export?_since={value}")).since, Some(expected), "{value}");
        assert_eq!(server.asked(&format!("/fhir/r4/$export?_until={value}")).until, Some(expected), "{value}");
    }
    for name in ["_since", "_until"] {
        let (code, about, _) = server.refused(&format!("/fhir/r4/$export?{name}=2025-01-20"));
        assert_eq!((code, about), (text("value"), format!("http.{name}")));
    }
    let twice = "_since=2025-01-20T17:40:38Z&_since=2025-01-20T17:40:38Z";
    assert_eq!(server.refused(&format!("/fhir/r4/$export?{twice}")).1, "http._since");
}

#[test]
fn types_are_those_in_the_request_or_all_within_the_scopes() {
    let server = Server::with_exports();
    let types = |path: &str, scopes: &str| server.accepted(&server.get(path, scopes)).types;
    // Repeated parameters and lists are equivalent.
    for query in ["_type=Patient,Observation", "_type=Observation&_type=Patient", "_type=Patient,Observation,Patient"] {
        assert_eq!(types(&format!("/fhir/r4/Patient/$export?{query}"), ALL), ["Patient", "Observation"], "{query}");
    }
    let some = "system/Observation.rs system/Patient.read system/Practitioner.r system/ValueSet.rs system/Goal.s";
    assert_eq!(types("/fhir/r4/$export", some), ["Patient", "Observation", "Practitioner", "ValueSet"]);
    assert_eq!(types("/fhir/r4/Patient/$export", some), ["Patient", "Observation", "Practitioner"]);
    assert_eq!(types("/fhir/r4/Group/two/$export", LAB), ["Patient", "Observation"]);
    let all = types("/fhir/r4/$export", ALL);
    for on in ["Patient", "Observation", "Practitioner", "Medication", "Group"] {
        assert!(all.iter().any(|name| name == on), "{on}");
    }
    for on in ["Coverage", "Binary"] {
        assert!(!all.iter().any(|name| name == on), "{on}");
    }
    // Types that a wildcard does not open are reported. Types that a list does not open are known to the client.
    let closed = |path: &str, scopes: &str| server.accepted(&server.get(path, scopes)).closed;
    let of_patients = closed("/fhir/r4/Patient/$export", ALL);
    assert!(of_patients.contains(&text("Coverage")) && !of_patients.contains(&text("Endpoint")), "{of_patients:?}");
    assert!(closed("/fhir/r4/$export", ALL).contains(&text("Endpoint")));
    assert!(!closed("/fhir/r4/$export", "system/*.rs system/Coverage.rs").contains(&text("Coverage")));
    for (path, scopes) in [("/fhir/r4/$export?_type=Patient", ALL), ("/fhir/r4/$export", some)] {
        assert!(closed(path, scopes).is_empty(), "{path} {scopes}");
    }
    // Binary is exported if it is named.
    assert_eq!(types("/fhir/r4/$export?_type=Binary", ALL), ["Binary"]);
}

#[test]
fn a_type_that_is_not_served_or_not_of_the_level_is_refused() {
    let server = Server::with_exports();
    for value in ["Foo", "patient", "Observation,,Patient", "", "Observation,Castle"] {
        let (code, about, said) = server.refused(&format!("/fhir/r4/$export?_type={value}"));
        assert_eq!((code.as_str(), about.as_str()), ("value", "http._type"), "{value}");
        assert!(said.ends_with("is no type that is served here."), "{said}");
    }
    for path in ["/fhir/r4/Patient/$export", "/fhir/r4/Group/two/$export"] {
        let scopes = "system/*.read system/ValueSet.read";
        for value in ["ValueSet", "Patient,ValueSet", "Practitioner", "Practitioner,Location"] {
            let answer = server.get(&format!("{path}?_type={value}"), scopes);
            assert_eq!((answer.status, answer.issue().1.as_str()), (400, "http._type"), "{path} {value}");
        }
        assert_eq!(server.get(&format!("{path}?_type=Patient,Practitioner"), scopes).status, 202);
    }
    let lenient = |query: &str| {
        server.ask("GET", &format!("/fhir/r4/$export?{query}"), ALL, &[("Prefer", "respond-async, handling=lenient")])
    };
    let answer = lenient("_type=Foo,Patient");
    assert_eq!(answer.header("Preference-Applied"), "respond-async, handling=lenient");
    let request = server.accepted(&answer);
    assert_eq!(request.types, ["Patient"]);
    assert_eq!(request.notes, ["\"Foo\" is no type that is served here. It was ignored."]);
    assert_eq!(lenient("_type=Foo").status, 400, "nothing is left");
}

#[test]
fn filters_are_parsed_by_their_types() {
    let server = Server::with_exports();
    let filters = |query: &str| server.asked(&format!("/fhir/r4/$export?{query}")).filters;
    let (a, b) = ("Observation%3Fstatus%3Dfinal%26category%3Dlaboratory", "Condition%3Fcategory%3Da,b");
    let written = ["Observation?status=final&category=laboratory", "Condition?category=a,b"];
    // Version 2.0.0 uses a list, and version 3.0.0 repeats the parameter.
    assert_eq!(filters(&format!("_typeFilter={a},{b}")), written);
    assert_eq!(filters(&format!("_typeFilter={a}&_typeFilter={b}")), written);
    assert_eq!(filters(&format!("_type=Observation,Condition&_typeFilter={a}")), written[..1]);
    let (_, about, said) = server.refused("/fhir/r4/$export?_typeFilter=Observation%3F_sort%3Ddate");
    assert!(about == "http._typeFilter" && said.contains("selects no resources"), "{said}");
    let outside = "_type=Patient&_typeFilter=Observation%3Fstatus%3Dfinal";
    assert_eq!(server.refused(&format!("/fhir/r4/$export?{outside}")).1, "http._typeFilter");
    let answer = server.ask("GET", &format!("/fhir/r4/$export?{outside}"), ALL, &[("Prefer", "handling=lenient")]);
    let request = server.accepted(&answer);
    assert!(request.filters.is_empty() && request.notes.len() == 1, "{request:?}");
    // The number of searches is limited, since each resource is compared with each search.
    let many = |count: usize| vec![a; count].join(",");
    assert_eq!(filters(&format!("_typeFilter={}", many(50))).len(), 50);
    for query in [format!("_typeFilter={}", many(51)), format!("_typeFilter={}&_typeFilter={b}", many(50))] {
        assert_eq!(server.refused(&format!("/fhir/r4/$export?{query}")).0, "too-costly");
    }
    // A filter on a type that the token does not open is refused.
    let closed = server.get("/fhir/r4/$export?_typeFilter=Goal%3F_id%3Dx", LAB);
    assert_eq!((closed.status, closed.issue().0), (401, text("forbidden")));
}

#[test]
fn elements_are_names() {
    let server = Server::with_exports();
    let asked = server.asked("/fhir/r4/$export?_elements=id,Patient.name&_elements=Observation.code,id");
    assert_eq!(asked.elements, ["id", "Patient.name", "Observation.code"]);
    for value in ["", "Patient.", "Castle.name", "Patient.name.family", "a%20b", "id,,name"] {
        assert_eq!(server.refused(&format!("/fhir/r4/$export?_elements={value}")).1, "http._elements", "{value}");
    }
}

#[test]
fn what_is_not_supported_is_named_and_refused_or_ignored_with_a_note() {
    let server = Server::with_exports();
    for (query, name) in [
        ("includeAssociatedData=LatestProvenanceResources", "includeAssociatedData"),
        ("_includeAssociatedData=x", "_includeAssociatedData"),
        ("_count=5", "_count"),
        ("organizeOutputBy=Group", "organizeOutputBy"),
        ("colour=red", "colour"),
    ] {
        let path = format!("/fhir/r4/$export?{query}");
        let answer = server.get(&path, ALL);
        let (code, about, _) = answer.issue();
        assert_eq!((answer.status, code, about), (400, text("not-supported"), format!("http.{name}")));
        let hint = answer.json()["issue"][0]["diagnostics"].as_str().unwrap().to_owned();
        assert!(hint.contains("_typeFilter") || name == "organizeOutputBy", "{hint}");
        let answer = server.ask("GET", &path, ALL, &[("Prefer", "handling=lenient")]);
        let notes = server.accepted(&answer).notes;
        assert!(notes.len() == 1 && notes[0].ends_with("It was ignored."), "{notes:?}");
    }
    for value in ["true", "false"] {
        assert_eq!(server.get(&format!("/fhir/r4/$export?allowPartialManifests={value}"), ALL).status, 202);
    }
    assert_eq!(server.refused("/fhir/r4/$export?allowPartialManifests=maybe").1, "http.allowPartialManifests");
    assert!(server.asked("/fhir/r4/Patient/$export?organizeOutputBy=Patient").by_patient);
    // All faults are reported at once.
    let all = server.get("/fhir/r4/$export?_since=a&_type=Foo&x=y", ALL).json();
    assert_eq!(all["issue"].as_array().unwrap().len(), 3);
}

#[test]
fn a_post_has_parameters_in_its_body_and_in_its_address() {
    let server = Server::with_exports();
    let parameters = json!([
        {"name": "_type", "valueString": "Patient,Observation"},
        {"name": "_type", "valueString": "Condition"},
        {"name": "_since", "valueInstant": "2025-01-20T17:40:38Z"},
        {"name": "_outputFormat", "valueString": "application/fhir+ndjson"},
        {"name": "_typeFilter", "valueString": "Observation?status=final"},
        {"name": "allowPartialManifests", "valueBoolean": true},
        {"name": "patient", "valueReference": {"reference": "Patient/bela"}},
        {"name": "patient", "valueReference": {"reference": format!("{BASE}/Patient/amara")}},
    ]);
    let request = server.accepted(&server.post("/fhir/r4/Patient/$export", &parameters));
    assert_eq!(request.types, ["Patient", "Condition", "Observation"]);
    assert_eq!(request.patients, Some(vec![text("amara"), text("bela")]));
    assert_eq!((request.since, request.filters.len()), (Some(1_737_394_838_000_000), 1));
    assert_eq!(request.url, format!("{BASE}/Patient/$export"), "without its parameters");
    // An empty list of parameters is valid, and without patients all are exported.
    assert_eq!(server.accepted(&server.post("/fhir/r4/Patient/$export", &json!([]))).patients, None);
    let token = server.token("etl", ALL, GRANT);
    let send = |content_type: &str, path: &str, body: &str| {
        server.send("POST", path, &[("Authorization", &token), ("Content-Type", content_type)], body).status
    };
    for (body, status) in [
        ("{", 400),
        ("[]", 400),
        (r#"{"resourceType": "Patient"}"#, 400),
        (r#"{"resourceType": "Parameters", "parameter": {}}"#, 400),
        (r#"{"resourceType": "Parameters", "parameter": [{"valueString": "x"}]}"#, 400),
        (r#"{"resourceType": "Parameters", "parameter": [{"name": "patient"}]}"#, 400),
        (r#"{"resourceType": "Parameters", "parameter": [{"name": "patient", "valueReference": {}}]}"#, 400),
        (r#"{"resourceType": "Parameters", "parameter": [{"name": "colour", "valueString": "red"}]}"#, 400),
        (r#"{"resourceType": "Parameters"}"#, 202),
        ("", 202),
    ] {
        assert_eq!(send("application/fhir+json", "/fhir/r4/Patient/$export", body), status, "{body}");
    }
    let form = "application/x-www-form-urlencoded";
    assert_eq!(send(form, "/fhir/r4/Patient/$export", "_type=Patient"), 415);
    // The address may have parameters, as in a GET. A parameter in both address and body is a conflict.
    let asked = |query: &str, body: &str| {
        let headers = [("Authorization", token.as_str()), ("Content-Type", "application/fhir+json")];
        server.send("POST", &format!("/fhir/r4/Patient/$export?{query}"), &headers, body)
    };
    let body =
        |name: &str| json!({"resourceType": "Parameters", "parameter": [{"name": name, "valueString": "Patient"}]});
    for sent in ["", r#"{"resourceType": "Parameters"}"#, &body("_elements").to_string()] {
        let request = server.accepted(&asked("_type=Patient,Goal", sent));
        assert_eq!((request.types, request.patients), (vec![text("Patient"), text("Goal")], None));
        assert_eq!(request.url, format!("{BASE}/Patient/$export?_type=Patient,Goal"));
    }
    for (query, sent, about) in [
        ("_type=Patient", body("_type").to_string(), "http._type"),
        ("patient=Patient/amara", String::new(), "http.patient"),
        ("colour=red", String::new(), "http.colour"),
    ] {
        let answer = asked(query, &sent);
        assert_eq!((answer.status, answer.issue().1.as_str()), (400, about), "{query}");
    }
}

#[test]
fn ex09_patients_are_named_by_post_and_are_there() {
    let server = Server::with_exports();
    let naming = |path: &str, ids: &[&str]| {
        let of = |id: &&str| json!({"name": "patient", "valueReference": {"reference": format!("Patient/{id}")}});
        server.post(path, &ids.iter().map(of).collect())
    };
    let many: Vec<_> = (0..250).map(|number| format!("p{number:03}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let request = server.accepted(&naming("/fhir/r4/Patient/$export", &many));
    assert_eq!(request.patients.unwrap().len(), 250);
    for (path, ids) in [
        ("/fhir/r4/Patient/$export", &["amara", "nobody"][..]),
        ("/fhir/r4/Group/two/$export", &["p001"]),
        ("/fhir/r4/Group/empty/$export", &["amara"]),
        ("/fhir/r4/$export", &["amara"]),
    ] {
        let answer = naming(path, ids);
        assert_eq!((answer.status, answer.issue().1.as_str()), (400, "http.patient"), "{path}");
    }
    // A client that may not see all patients is not told which patients exist.
    for scopes in ["system/Observation.rs", "system/Patient.rs?gender=female system/Observation.rs"] {
        let token = server.token("etl", scopes, GRANT);
        let headers = [("Authorization", token.as_str()), ("Content-Type", "application/fhir+json")];
        for (path, ids) in [("Patient/$export", ["amara", "nobody"]), ("Group/two/$export", ["amara", "p001"])] {
            let of = |id: &str| json!({"name": "patient", "valueReference": {"reference": format!("Patient/{id}")}});
            let body = json!({"resourceType": "Parameters", "parameter": ids.map(of)}).to_string();
            let request = server.accepted(&server.send("POST", &format!("/fhir/r4/{path}"), &headers, &body));
            assert_eq!((request.patients, request.notes), (Some(vec![text("amara")]), vec![]), "{path} {scopes}");
        }
    }
    let request = server.accepted(&naming("/fhir/r4/Group/two/$export", &["bela"]));
    assert_eq!(request.patients, Some(vec![text("bela")]));
    assert_eq!(server.refused("/fhir/r4/Patient/$export?patient=Patient/amara").1, "http.patient");
    let other = json!([{"name": "patient", "valueReference": {"reference": "Observation/x"}}]);
    assert_eq!(server.post("/fhir/r4/Patient/$export", &other).status, 400);
    let all: Vec<_> = (0..1_001).map(|number| format!("q{number}")).collect();
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    assert_eq!(naming("/fhir/r4/Patient/$export", &all).issue().0, "too-costly");
}

#[test]
fn ex03_a_group_is_its_current_members_and_never_everybody() {
    let server = Server::with_exports();
    let patients = |group: &str| server.asked(&format!("/fhir/r4/Group/{group}/$export")).patients;
    assert_eq!(patients("two"), Some(vec![text("amara"), text("bela")]));
    assert_eq!(patients("many").unwrap().len(), 250);
    for nobody in ["empty", "left"] {
        assert_eq!(patients(nobody), Some(Vec::new()), "{nobody}");
    }
    let some = server.asked("/fhir/r4/Group/some/$export");
    assert_eq!(some.patients, Some(vec![text("amara")]));
    assert_eq!(some.notes, ["Patient/unknown, a member of the group, is not here."]);
    for refused in ["nested", "staff", "none"] {
        assert_eq!(server.refused(&format!("/fhir/r4/Group/{refused}/$export")).0, "not-supported", "{refused}");
    }
    for path in ["/fhir/r4/Group/nobody/$export", "/fhir/r4/Group/a_b/$export", "/fhir/r4/Group/$export"] {
        let answer = server.get(path, ALL);
        assert_eq!((answer.status, answer.issue().0), (404, text("not-found")), "{path}");
    }
    // A client that may not read Groups may export one.
    assert_eq!(server.accepted(&server.get("/fhir/r4/Group/two/$export", LAB)).patients.unwrap().len(), 2);
}

#[test]
fn davinci_data_export_has_a_type_and_ignores_strangers() {
    let server = Server::with_exports();
    let path = "/fhir/r4/Group/two/$davinci-data-export";
    let of = |name: &str| json!({"name": "exportType", "valueCanonical": name});
    let pdex = |code: &str| of(&format!("hl7.fhir.us.davinci-pdex#{code}"));
    let since = json!({"name": "_since", "valueInstant": "2025-01-20T17:40:38Z"});
    for (parameters, refused) in [
        (json!([]), None),
        (json!([of("hl7.fhir.us.davinci-atr")]), None),
        (json!([pdex("payertopayer")]), None),
        (json!([pdex("provider-delta"), since]), None),
        (json!([pdex("provider-delta")]), Some(("required", "http._since"))),
        (json!([pdex("provider-other")]), Some(("not-supported", "http.exportType"))),
        (json!([pdex("payertopayer"), pdex("payertopayer")]), Some(("value", "http.exportType"))),
    ] {
        let answer = server.post(path, &parameters);
        match refused {
            None => assert_eq!(server.accepted(&answer).patients.unwrap().len(), 2, "{parameters}"),
            Some((code, about)) => assert_eq!(answer.issue().0 + "|" + &answer.issue().1, format!("{code}|{about}")),
        }
        let logged = parameters[0]["valueCanonical"].as_str().filter(|_| refused.is_none());
        assert_eq!(answer.audit[0]["export_type"].as_str(), logged, "{parameters}");
    }
    assert_eq!(server.post("/fhir/r4/Group/two/$export", &json!([pdex("payertopayer")])).status, 400);
    let naming = |references: &[&str]| {
        let of = |text: &&str| json!({"name": "patient", "valueReference": {"reference": text}});
        let request = server.accepted(&server.post(path, &references.iter().map(of).collect()));
        (request.patients.unwrap(), request.notes)
    };
    let ignored = |what: &str| format!("{what} It was ignored.");
    let [nonsense, stranger] =
        ["\"x y\" is no reference to a Patient.", "Patient/p001 is not a member of the group."].map(ignored);
    let both = vec![nonsense, stranger];
    assert_eq!(naming(&["Patient/amara", "Patient/p001", "x y"]), (vec![text("amara")], both.clone()));
    assert_eq!(naming(&["Patient/p001", "x y"]), (Vec::new(), both), "never everybody");
    assert_eq!(naming(&["x y"]).0, Vec::<String>::new());
}

#[test]
fn ex10_a_client_exports_its_own_groups_alone() {
    let server = Server::with_exports();
    let begin = |groups: &[&str], group: &str| {
        let groups = Some(groups.iter().map(|name| text(name)).collect());
        let claims = AccessClaims { groups, grant_id: Some(GRANT.into()), ..claims("etl", ALL) };
        let token = bearer(&server.app, claims, NOW / 1_000_000);
        server.send("GET", &format!("/fhir/r4/Group/{group}/$export"), &[("Authorization", &token)], "")
    };
    for groups in [&["empty", "two"][..], &["Organization/payer"]] {
        let own = server.accepted(&begin(groups, "two"));
        assert_eq!((own.patients.unwrap().len(), own.groups.unwrap().concat()), (2, groups.concat()));
    }
    for groups in [&["empty"][..], &["Organization/other"], &[]] {
        let [other, missing] = ["two", "nobody"].map(|group| begin(groups, group));
        assert_eq!((other.status, &other.text), (404, &missing.text), "{groups:?}");
    }
}

#[test]
fn head_and_preflight_begin_nothing() {
    let server = Server::with_exports();
    for path in ["/fhir/r4/$export", "/fhir/r4/Patient/$export", "/fhir/r4/Group/two/$export"] {
        let head = server.ask("HEAD", path, ALL, &[]);
        assert_eq!((head.status, head.header("Allow")), (405, "GET, POST, OPTIONS"));
        assert_eq!(server.send("OPTIONS", path, &[], "").status, 204);
    }
    assert!(server.exports().all.borrow().is_empty());
    let preflight = server.send("OPTIONS", "/fhir/r4/$export-status/x", &[], "");
    assert!(preflight.header("Access-Control-Allow-Methods").contains("DELETE"));
    for name in ["Authorization", "Prefer", "Range", "If-Range"] {
        assert!(preflight.header("Access-Control-Allow-Headers").split(", ").any(|one| one == name), "{name}");
    }
    let begun = server.get("/fhir/r4/$export", ALL);
    for name in ["Content-Location", "X-Progress", "Expires", "Content-Range", "Accept-Ranges", "Retry-After"] {
        assert!(begun.header("Access-Control-Expose-Headers").split(", ").any(|one| one == name), "{name}");
    }
}

#[test]
fn only_json_is_the_form_of_an_outcome() {
    let server = Server::with_exports();
    for accept in ["application/fhir+json", "application/fhir+ndjson", "*/*", "application/json"] {
        assert_eq!(server.ask("GET", "/fhir/r4/$export", ALL, &[("Accept", accept)]).status, 202, "{accept}");
    }
    assert_eq!(server.ask("GET", "/fhir/r4/$export", ALL, &[("Accept", "application/fhir+xml")]).status, 406);
    let path = file_of(&server.complete(ALL, &["Patient"], 0, 0), 1);
    assert_eq!(server.ask("GET", &path, ALL, &[("Accept", "application/fhir+ndjson")]).status, 200);
}

#[test]
fn a_server_without_exports_has_neither_addresses_nor_operations() {
    let without = Server::new(None);
    for path in ["/fhir/r4/$export", "/fhir/r4/Patient/$export", "/fhir/r4/$export-status/x"] {
        let answer = without.get(path, ALL);
        assert_eq!((answer.status, answer.issue().0), (404, text("not-supported")), "{path}");
    }
    for (server, exports) in [(without, false), (Server::with_exports(), true)] {
        let statement = server.send("GET", "/fhir/r4/metadata", &[], "");
        assert_eq!(statement.status, 200);
        assert_eq!(statement.text.contains("uv/bulkdata/OperationDefinition/group-export"), exports);
    }
}
