//! The functions of the browser module on odd input: queries, scopes, tokens and loads, which are random combinations
//! of fragments of such texts. Nothing panics. The random numbers have a fixed seed.

use api::explain;
use fhir::{Id, Language};
use ingest::LoadedMemory;
use oauth::{ExpectedToken, TokenKind, checks};
use search::IndexSet;
use serde_json::Value;
use smart::{Grant, ScopeSet, ScopeTable};

use crate::support::random::Random;

#[rustfmt::skip]
const QUESTIONS: &[&str] = &[
    "Observation", "Patient", "PractitionerRole", "CareTeam", "Provenance", "MedicationRequest", "Foo", "/", "?", "&", "=", ",",
    "|", "\\", "%", "%2", "%c3%a9", "%00", "+", "é", "\u{1f600}", "\u{0}", "\u{1f}", "\u{1e}", "~", "patient", "a", "Patient/a", "_id", "category",
    "code", "date", "ge", "2020", "2020-02-30", "9999-12-31", "0001", "T24:00", "-", ":", "exact", "name", "practitioner.name",
    "_include", "_revinclude", "Provenance:target", "CareTeam:participant", "_sort", "_count", "_cursor", "_elements", "_total",
    "_summary", "count", "accurate", "0", "18446744073709551616", "http://here/fhir/r4", "http://x|y", "$", "_history", "*",
];

#[rustfmt::skip]
const SCOPES: &[&str] = &[
    "patient", "user", "system", "/", "*", "Observation", "Condition", "Goal", "Foo", ".", "read", "write", "rs", "r", "s", "cruds",
    "sr", "?", "category", "=", "laboratory", "http://s|x", "&", "status", "date", " ", "  ", "\n", "\t", "openid", "launch/patient",
    "é", "\u{1f600}", "\u{0}", "|", ",", "\\",
];

#[rustfmt::skip]
const TOKENS: &[&str] = &[
    ".", ".", "eyJhbGciOiJFUzI1NiJ9", "eyJhbGciOiJub25lIn0", "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", "e30", "bnVsbA", "W10", "eyJleHAiOjFlMzAwfQ",
    "eyJleHAiOi0xfQ", "AAAA", "A", "=", "é", "\u{0}", "-", "_", "eyJhdWQiOlt7fV0sImlzcyI6W119",
];

#[rustfmt::skip]
const DOCUMENTS: &[&str] = &[
    "{", "}", "[", "]", ":", ",", "\"", "\n", "\"resourceType\"", "\"Patient\"", "\"Bundle\"", "\"Observation\"", "\"id\"", "\"a\"", "\"entry\"", "\"resource\"",
    "{\"resourceType\":\"Patient\",\"id\":\"a\"}", "{\"resourceType\":\"Observation\",\"id\":\"a\",\"subject\":", "{\"reference\":\"Patient/a\"}", "\u{feff}", "é", "\u{0}",
    "1e999", "-", "null", "\\u", "\\ud800", "{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":",
];

#[test]
fn no_question_breaks_an_explanation() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let scopes = [
        "system/*.read",
        "patient/*.read",
        "user/*.read patient/Observation.rs?category=a patient/Observation.rs?code=b&status=c",
        "patient/CareTeam.r patient/PractitionerRole.rs?specialty=x",
        "",
    ];
    let mut refused = 0;
    for round in 0..30_000 {
        let on = ["Observation?", "Patient?", "PractitionerRole?", "CareTeam?", ""][round % 5];
        let question = format!("{on}{}", random.text(QUESTIONS, 12));
        let grant = Grant {
            patient: Id::parse("a").filter(|_| random.below(2) == 0),
            user: Some("u".into()).filter(|_| random.below(2) == 0),
            scopes: ScopeSet::parse(scopes[random.below(scopes.len())]).unwrap(),
            ..Grant::default()
        };
        let explained = explain(&question, &grant, "http://here/fhir/r4", IndexSet::all(), 0);
        // There is either an answer or a refusal with a reason.
        match &explained.refused {
            Some(outcome) => {
                refused += 1;
                assert!(outcome["issue"][0]["details"]["text"].is_string(), "{question}");
                assert!(explained.statement.is_none(), "{question}");
            }
            None => assert!(explained.statement.is_some(), "{question}"),
        }
    }
    assert!((3_000..29_900).contains(&refused), "{refused} of 30,000 were refused: the texts are too good, or too bad");
}

#[test]
fn no_text_breaks_the_scope_table() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut open, mut refused) = (0, 0);
    for round in 0..5_000 {
        let own = ["patient/Observation.rs?category=a ", "user/*.", "system/Goal.", ""][round % 4];
        let text = format!("{own}{}", random.text(SCOPES, 12));
        let table = ScopeTable::new(&text, Some("a").filter(|_| random.below(3) > 0), Language::ALL[round % 2]);
        refused += table.lines().iter().filter(|line| line.refused.is_some()).count();
        for row in table.rows() {
            for cell in [row.read, row.search] {
                assert_eq!(cell.open, !cell.by.is_empty(), "{text:?} {}", row.resource_type);
                assert_eq!(cell.open, cell.why.is_none(), "{text:?} {}", row.resource_type);
                open += usize::from(cell.open);
            }
        }
    }
    assert!(open > 1_000 && refused > 1_000, "{open} cells were open, {refused} scopes refused");
}

#[test]
fn no_token_breaks_the_checks() {
    let mut random = Random(0xda94_2042_e4dd_58b5);
    let sets = [
        serde_json::json!({"keys": [{"kty": "EC", "kid": "k"}]}),
        serde_json::json!({"keys": [{"kty": "EC", "crv": "P-256", "x": "AAAA", "y": 7}, 1, null]}),
        serde_json::json!({"keys": {}}),
        Value::Null,
    ];
    for _ in 0..20_000 {
        let token = random.text(TOKENS, 8);
        let expected = ExpectedToken {
            issuer: Some("i".into()).filter(|_| random.below(2) == 0),
            audience: Some("a".into()).filter(|_| random.below(2) == 0),
            kind: if random.below(2) == 0 { TokenKind::Access } else { TokenKind::Id },
        };
        let all = checks(&token, &sets[random.below(sets.len())], [0, i64::MAX, i64::MIN][random.below(3)], &expected);
        assert!(all.iter().any(|check| !check.ok), "{token:?} passes all checks");
    }
}

#[test]
fn no_document_breaks_a_load() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut loaded = 0;
    for _ in 0..20_000 {
        let mut held = LoadedMemory::new("http://here");
        loaded += held.load(&random.text(DOCUMENTS, 10), 0).resources;
    }
    assert!(loaded > 100, "{loaded} resources were loaded");
    // The text is nested more deeply than any parser accepts.
    let deep =
        format!("{{\"resourceType\":\"Patient\",\"id\":\"a\",\"x\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(LoadedMemory::new("http://here").load(&deep, 0).resources, 0);
}
