//! Reads of Binaries with the scope of the resource that carries them: their cost, and when the access ends.
//! `tests/cases/attachments.json` covers what the scope opens.

use crate::window::World;
use fhir::Id;
use serde_json::{Value, json};
use smart::{Grant, ScopeSet};
use store::FreshnessWindow;

fn grant(scopes: &str) -> Grant {
    Grant {
        client: "app".into(),
        scopes: ScopeSet::parse(scopes).unwrap(),
        patient: Id::parse("a"),
        user: Some("dr".to_owned()),
        ..Grant::default()
    }
}

/// Returns a document of a patient that carries these Binaries.
fn note(patient: &str, carried: &[&str]) -> Value {
    let content: Vec<_> = carried.iter().map(|url| json!({"attachment": {"url": url}})).collect();
    json!({"resourceType": "DocumentReference", "id": format!("note-of-{patient}"), "content": content,
        "subject": {"reference": format!("Patient/{patient}")}})
}

fn binary(id: &str, of: Option<&str>) -> Value {
    let mut binary = json!({"resourceType": "Binary", "id": id, "contentType": "text/plain", "data": "eA=="});
    if let Some(of) = of {
        binary["securityContext"] = json!({"reference": of});
    }
    binary
}

fn world() -> World {
    let world = World::new(FreshnessWindow::NONE);
    world.load(&[
        note("a", &["Binary/note", "Binary/of-b", "Binary/missing"]),
        note("b", &["Binary/of-b"]),
        binary("note", None),
        binary("of-b", Some("Patient/b")),
        binary("alone", None),
    ]);
    world
}

#[test]
fn dc06_a_read_of_what_nothing_carries_takes_one_trip_whether_it_is_there_or_not() {
    let world = world();
    let asks = |scopes: &str, id: &str| {
        let (answer, batches) = world.answers(&grant(scopes), &format!("Binary/{id}"), 0);
        (answer.is_some(), batches)
    };
    let scopes = "patient/*.rs patient/Media.rs patient/Communication.rs patient/Consent.rs";
    assert_eq!((asks(scopes, "alone"), asks(scopes, "none")), ((false, 1), (false, 1)));
    assert_eq!(asks(scopes, "note"), (true, 2), "the charts of all that may carry it, and the Binary");
    assert_eq!((asks(scopes, "of-b"), asks(scopes, "missing")), ((false, 2), (false, 2)));
    let both = format!("{scopes} patient/Binary.rs");
    assert_eq!((asks(&both, "alone"), asks(&both, "none")), ((false, 2), (false, 2)));
    for level in ["user", "system"] {
        let scopes = format!("{level}/DocumentReference.rs {level}/Patient.rs");
        assert_eq!(asks(&scopes, "alone"), asks(&scopes, "none"), "{level}");
        assert!(asks(&scopes, "note").0, "{level}");
    }
    assert_eq!(asks("system/Binary.rs", "alone"), (true, 1), "its own scope needs nothing that carries it");
}

#[test]
fn what_no_longer_carries_a_binary_opens_it_no_more() {
    let world = world();
    let reads = |scopes: &str, id: &str| world.answers(&grant(scopes), &format!("Binary/{id}"), 0).0.is_some();
    let levels = ["patient", "user", "system"].map(|level| format!("{level}/DocumentReference.r"));
    assert!(levels.iter().all(|scopes| reads(scopes, "note")));
    world.load(&[note("a", &["Binary/other"])]);
    assert!(!levels.iter().any(|scopes| reads(scopes, "note")));
    world.load(&[note("a", &["Binary/note"])]);
    assert!(levels.iter().all(|scopes| reads(scopes, "note")));
    // The Binary now names another patient as its owner, and then no known patient.
    for other in ["Patient/b", "Group/g", "urn:uuid:unknown"] {
        world.load(&[binary("note", Some(other))]);
        assert!(!levels.iter().any(|scopes| reads(scopes, "note")), "{other}");
    }
    world.load(&[binary("note", Some("Patient/a"))]);
    assert!(levels.iter().all(|scopes| reads(scopes, "note")));
    // The document now belongs to another patient.
    world
        .load(&[json!({"resourceType": "DocumentReference", "id": "note-of-a", "subject": {"reference": "Patient/b"},
        "content": [{"attachment": {"url": "Binary/note"}}]})]);
    assert!(!levels.iter().any(|scopes| reads(scopes, "note")));
}
