//! The interface of the browser module, in wasm: its JavaScript values and refusals. Run in Node by
//! wasm-bindgen-test-runner (`make wasm`). `tests/browser/cases.test.mjs` tests the answers.

#![cfg(test)]
#![cfg(target_arch = "wasm32")]

use browser::{Records, Scopes, explain, fold, verify};
use js_sys::{Array, JSON, Object, Reflect};
use oauth::{AccessClaims, SigningKeys};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

const BASE: &str = "http://here/fhir/r4";
const DATA: &str = concat!(
    r#"{"resourceType":"Patient","id":"a","name":[{"family":"Okafor"}]}"#,
    "\n",
    r#"{"resourceType":"Patient","id":"b"}"#,
    "\n",
    r#"{"resourceType":"Observation","id":"lab","subject":{"reference":"Patient/a"},"valueQuantity":{"value":1.0},"category":[{"coding":[{"code":"laboratory"}]}]}"#,
    "\n",
    r#"{"resourceType":"Observation","id":"vit","subject":{"reference":"Patient/a"},"category":[{"coding":[{"code":"vital-signs"}]}]}"#,
    "\n",
    r#"{"resourceType":"Foo","id":"c"}"#,
    "\n",
    r#"{"resourceType":"Observation","id":"ob","subject":{"reference":"Patient/b"},"performer":[{"reference":"urn:uuid:1"}]}"#,
    "\noops\n",
);

fn js(value: &Value) -> JsValue {
    JSON::parse(&value.to_string()).unwrap()
}

fn of(value: &JsValue) -> Value {
    serde_json::from_str(&String::from(JSON::stringify(value).unwrap())).unwrap()
}

fn records(grant: &JsValue) -> Records {
    let mut records = Records::new(BASE, grant).unwrap();
    records.load(DATA, None).unwrap();
    records
}

fn ids(records: &Records, query: &str) -> Vec<String> {
    let bundle: Value = serde_json::from_str(&records.search(query, None).unwrap()).unwrap();
    let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
    entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect()
}

/// Returns the code of the OperationOutcome that was thrown.
fn code<T>(answer: Result<T, JsValue>) -> String {
    let Err(thrown) = answer else { panic!("nothing was thrown") };
    let thrown = of(&thrown);
    assert_eq!(thrown["resourceType"], "OperationOutcome", "{thrown}");
    assert!(thrown["issue"][0]["details"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    thrown["issue"][0]["code"].as_str().unwrap().to_owned()
}

#[wasm_bindgen_test]
fn records_without_a_patient_are_counted_and_patients_without_a_resource_are_named() {
    let mut records = Records::new(BASE, &JsValue::UNDEFINED).unwrap();
    let lines = [
        json!({"resourceType": "Patient", "id": "a"}),
        json!({"resourceType": "Condition", "id": "of-a", "subject": {"reference": "Patient/a"}}),
        json!({"resourceType": "Condition", "id": "of-x", "subject": {"reference": "Patient/x"}}),
        json!({"resourceType": "AllergyIntolerance", "id": "of-x", "patient": {"reference": "Patient/x"}}),
        json!({"resourceType": "Condition", "id": "c", "subject": {"display": "Ada"}}),
        json!({"resourceType": "Organization", "id": "o"}),
    ];
    records.load(&lines.map(|line| line.to_string()).join("\n"), None).unwrap();
    assert_eq!(records.addresses(None), ["Condition/c"]);
    assert_eq!(records.addresses(Some("x".to_owned())).len(), 2);
    assert!(records.texts("x").lines().all(|line| line.contains("\"id\":\"of-x\"")));
    assert_eq!(records.texts("x").lines().count(), 2);
    let mut absent = records.absent_patients();
    absent.sort();
    assert_eq!(absent, ["x AllergyIntolerance/of-x", "x Condition/of-x"]);
    assert_eq!(ids(&records, "AllergyIntolerance?patient=x"), ["of-x"]);
    records.load(&json!({"resourceType": "Patient", "id": "x"}).to_string(), None).unwrap();
    assert!(records.absent_patients().is_empty());
}

#[wasm_bindgen_test]
fn a_load_reports_what_it_took_and_what_not() {
    let mut records = Records::new(BASE, &JsValue::UNDEFINED).unwrap();
    let report = of(&records.load(DATA, None).unwrap());
    assert_eq!(
        (&report["resources"], &report["unserved"], &report["unresolved"]),
        (&json!(5), &json!({"Foo": 1}), &json!(1))
    );
    assert_eq!(report["refused"][0]["where"], "line 7");
    assert!(report["refused"][0]["why"].as_str().unwrap().starts_with("it is not JSON"));
    assert_eq!(of(&records.counts().unwrap()), json!({"Observation": 3, "Patient": 2}));
}

#[wasm_bindgen_test]
fn a_chart_answers_with_text_digit_for_digit() {
    let records = records(&JsValue::UNDEFINED);
    assert_eq!(ids(&records, "Observation?patient=a&category=laboratory"), ["lab"]);
    assert_eq!(ids(&records, "http://here/fhir/r4/Observation?patient=a&category=laboratory"), ["lab"]);
    assert!(records.read("Observation", "lab").unwrap().contains(r#""value":1.0"#));
    let made = records.search("Patient?_id=a", Some("2026-01-02T03:04:05Z".into())).unwrap();
    assert!(made.contains(r#""lastUpdated":"2026-01-02T03:04:05.000Z""#), "{made}");
    assert_eq!(code(records.search("Patient?_id=a", Some("soon".into()))), "value");
}

#[wasm_bindgen_test]
fn pages_are_followed_by_links_of_the_same_records() {
    let records = records(&JsValue::NULL);
    let page: Value = serde_json::from_str(&records.search("Observation?patient=a&_count=1", None).unwrap()).unwrap();
    let next = page["link"][1]["url"].as_str().unwrap();
    assert!(next.starts_with("http://here/fhir/r4/Observation?"), "{next}");
    assert_eq!(ids(&records, next).len(), 1);
    let other = Records::new(BASE, &JsValue::UNDEFINED).unwrap();
    assert_eq!(code(other.search(next, None)), "value");
}

#[wasm_bindgen_test]
fn a_grant_narrows_what_is_found() {
    let mut records = records(&js(&json!({"scopes": "patient/Observation.rs?category=laboratory", "patient": "a"})));
    assert_eq!(ids(&records, "Observation"), ["lab"]);
    assert_eq!(code(records.search("Observation?patient=b", None)), "forbidden");
    assert_eq!(code(records.read("Observation", "vit")), "not-found");
    assert_eq!(code(records.read("Patient", "a")), "forbidden");
    for (patients, found) in [(json!(["b"]), 1), (json!("all"), 3), (json!([]), 0)] {
        records.authorize(&js(&json!({"scopes": "user/*.read", "patients": patients}))).unwrap();
        assert_eq!(ids(&records, "Observation?_id=lab,vit,ob").len(), found, "{patients}");
    }
    // A load does not change the patients that the user may see.
    records.authorize(&js(&json!({"scopes": "user/*.read", "patients": ["b"]}))).unwrap();
    records.load(DATA, None).unwrap();
    assert_eq!(ids(&records, "Observation?_id=lab,vit,ob"), ["ob"]);
    records.authorize(&js(&json!({"scopes": "user/*.read"}))).unwrap();
    assert_eq!(code(records.search("Observation?_id=ob", None)), "forbidden");
}

#[wasm_bindgen_test]
fn a_bad_grant_is_thrown_and_changes_nothing() {
    let mut records = records(&js(&json!({"scopes": "patient/*.read", "patient": "a"})));
    for bad in [
        json!({}),
        json!({"scopes": 1}),
        json!({"scopes": "patient/Foo.read"}),
        json!({"scopes": "", "patient": "a b"}),
        json!({"scopes": "", "patients": "some"}),
        json!({"scopes": "", "patients": [1]}),
        json!({"scopes": "", "patients": {}}),
        json!([]),
        json!("patient/*.read"),
        json!(7),
    ] {
        assert_eq!(code(records.authorize(&js(&bad))), "value", "{bad}");
        assert_eq!(code(Records::new(BASE, &js(&bad))), "value", "{bad}");
    }
    assert_eq!(ids(&records, "Observation").len(), 2);
}

#[wasm_bindgen_test]
fn what_is_no_question_is_thrown() {
    let records = records(&JsValue::UNDEFINED);
    for bad in [
        "",
        "?",
        "/",
        "Foo",
        "Foo?a=b",
        "Observation/",
        "Observation/a/b",
        "http://elsewhere/Patient?_id=a",
        "é",
        "Patient?%",
        "Patient/$x",
        "\0",
    ] {
        assert!(!code(records.search(bad, None)).is_empty(), "{bad}");
    }
    for (resource_type, id) in [
        ("Patient", "nobody"),
        ("Patient", ""),
        ("", "a"),
        ("Foo", "a"),
        ("Patient", "a/b"),
        ("Patient", "a b"),
        ("Patient", "?_id=a"),
        ("Pa?", "a"),
    ] {
        assert!(!code(records.read(resource_type, id)).is_empty(), "{resource_type} {id}");
    }
}

#[wasm_bindgen_test]
fn scopes_are_lines_and_a_matrix() {
    let scopes = Scopes::new("openid patient/*.read patient/Foo.read", Some("a".into()), None);
    let lines = of(&scopes.lines());
    assert_eq!(lines[0], json!({"scope": "openid", "says": "Know who you are, by signing you in"}));
    assert!(lines[2]["refused"].is_string());
    for (language, says) in
        [("es-MX", "Saber quién es usted, al iniciar su sesión"), ("fr", "Know who you are, by signing you in")]
    {
        let lines = of(&Scopes::new("openid", None, Some(language.into())).lines());
        assert_eq!(lines[0]["says"], says, "{language}");
    }
    let matrix = of(&scopes.matrix());
    let row = |resource_type: &str| {
        matrix.as_array().unwrap().iter().find(|row| row["type"] == resource_type).unwrap().clone()
    };
    assert_eq!(row("Observation")["search"], json!({"open": true, "by": ["patient/*.read"]}));
    assert_eq!(row("MedicationDispense")["read"]["open"], false);
    assert!(row("MedicationDispense")["read"]["why"].as_str().unwrap().contains("is not in patient/*.read"));
    let part = of(&Scopes::new("patient/Goal.r?lifecycle-status=active", Some("a".into()), None).matrix());
    let goal = part.as_array().unwrap().iter().find(|row| row["type"] == "Goal").unwrap();
    assert_eq!(goal["read"]["narrowed"], json!(["lifecycle-status is active"]));
    assert_eq!(of(&Scopes::new("", None, None).matrix()).as_array().unwrap().len(), 146);
}

#[wasm_bindgen_test]
fn an_explanation_says_what_was_added() {
    let grant = js(&json!({"scopes": "patient/*.read", "patient": "a"}));
    let said = of(&explain("Observation?code=k", &grant, None).unwrap());
    assert_eq!(
        said["criteria"],
        json!([
            {"param": "patient", "kind": "reference", "says": "belongs to Patient/a", "added": true},
            {"param": "code", "kind": "token", "says": "code is k"}
        ])
    );
    assert!(said.get("refused").is_none());
    let refused = of(&explain("Coverage?patient=a", &grant, Some("http://x/".into())).unwrap());
    assert_eq!(refused["refused"]["issue"][0]["code"], "forbidden");
    assert_eq!(code(explain("Observation", &js(&json!({})), None)), "value");
    assert_eq!(of(&explain("Patient/a", &JsValue::UNDEFINED, None).unwrap())["criteria"][0]["says"], "_id is a");
    let by_us_core = js(&json!({"scopes": "patient/*.read", "patient": "a", "index": "us-core"}));
    let refused = of(&explain("Observation?performer=b", &by_us_core, None).unwrap());
    assert_eq!(refused["refused"]["issue"][0]["code"], "not-supported");
}

#[wasm_bindgen_test]
fn a_token_is_checked_line_by_line() {
    let keys = SigningKeys::new(oauth::EXAMPLE_KEY, &[]).unwrap();
    let claims = AccessClaims {
        iss: "http://here".into(),
        aud: BASE.into(),
        sub: "s".into(),
        client_id: "c".into(),
        jti: "j".into(),
        scope: "openid".into(),
        grant_id: None,
        patient: None,
        encounter: None,
        fhir_user: None,
        groups: None,
        purpose: None,
    };
    let token = keys.sign(claims, 1_800_000_000, 1_800_000_300).unwrap();
    let expected = js(&json!({"issuer": "http://here", "audience": BASE, "type": "access"}));
    let all = of(&verify(&token, &js(&keys.jwks()), 1_800_000_001.5, &expected).unwrap());
    assert!(all.as_array().unwrap().iter().all(|check| check["ok"] == true), "{all}");
    for now in [f64::NAN, f64::INFINITY, -1e300] {
        let all = of(&verify(&token, &js(&keys.jwks()), now, &expected).unwrap());
        assert!(all.as_array().unwrap().iter().any(|check| check["ok"] == false), "{now}: {all}");
    }
    // A circular object is not a key set.
    let circle = Object::new();
    Reflect::set(&circle, &"keys".into(), &Array::of1(&circle)).unwrap();
    assert_eq!(code(verify(&token, &circle, 0.0, &expected)), "value");
    assert_eq!(code(verify(&token, &js(&keys.jwks()), 0.0, &JsValue::UNDEFINED)), "value");
    assert_eq!(code(verify(&token, &js(&keys.jwks()), 0.0, &js(&json!({"type": "refresh"})))), "value");
}

#[wasm_bindgen_test]
fn a_text_is_folded_as_searches_compare_it() {
    assert_eq!(fold("Zoë O’Brien-NUÑEZ"), "zoe o'brien nunez");
}
