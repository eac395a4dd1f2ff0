//! Each entry point for bytes from outside, and the properties that hold for all bytes. `mod.rs` tries odd bytes in
//! every test run; `fuzz/` tries them for any length of time.

use std::cell::RefCell;

use api::{Disclosure, Moment, answer_request, explain};
use chart::{Chart, deflate_with_plain};
use fhir::{Id, Language, ResourceType, Span, splice};
use ingest::{Intake, LoadedMemory, entries, line_of};
use native::{NoProgress, shelve};
use oauth::{AccessClaims, EXAMPLE_KEY, ExpectedToken, SigningKeys, UnverifiedToken, basic, checks};
use rusqlite::Connection;
use search::{CursorKey, IndexSet};
use serde_json::{Value, json};
use smart::{Grant, ScopeSet, ScopeTable};
use store::{KvStore, MemoryStore, Shelf, ShelfCache};

use crate::support::{
    Access, BASE, ORIGIN, Platform, Values, guarded, index, loaded, memory, now, query_context, reader,
};
use crate::world::World;

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };
/// The registrations of the apps of `World`.
const REDIRECTS: [&str; 5] = [
    "https://pub.example/cb",
    "https://other.example/cb",
    "http://127.0.0.1",
    "https://conf.example/cb",
    "https://sys.example/cb",
];
/// The number of requests after which a world is replaced, since it remembers them.
const OLD: u32 = 300;

/// An entry point: a function of bytes.
pub type Door = fn(&[u8]);

/// All entry points, by name.
pub const DOORS: &[(&str, Door)] = &[
    ("query", query),
    ("date", date),
    ("token", token),
    ("scope", scope),
    ("cursor", cursor),
    ("form", form),
    ("bundle", bundle),
    ("shelf", shelf),
    ("head", head),
    ("authorize", authorize),
];

thread_local! {
    static STORE: MemoryStore = memory(&index(&resources()), &Access::new());
    static VALUES: Values = {
        let mut values = Values::default();
        shelve(&loaded(&index(&resources()), &Access::new()), &mut values, &mut NoProgress).unwrap();
        values
    };
    static WORLD: RefCell<(u32, World)> = RefCell::new((0, World::new()));
}

/// Returns a small record.
fn resources() -> [Value; 6] {
    let about = |resource_type: &str, id: &str| {
        json!({"resourceType": resource_type, "id": id, "subject": {"reference": "Patient/a"}, "status": "final",
            "code": {"coding": [{"system": "http://loinc.org", "code": "4548-4"}]}, "effectiveDateTime": "2020-02-29", "onsetDateTime": "2021"})
    };
    [
        json!({"resourceType": "Patient", "id": "a", "name": [{"family": "Okafor", "given": ["Zoë"]}], "birthDate": "1990"}),
        about("Observation", "1"),
        about("Observation", "2"),
        about("Condition", "1"),
        json!({"resourceType": "Provenance", "id": "p", "target": [{"reference": "Observation/1"}], "recorded": "2021-01-01T00:00:00Z"}),
        json!({"resourceType": "Practitioner", "id": "d", "name": [{"family": "Lindholm"}]}),
    ]
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn grant() -> Grant {
    let scopes = ScopeSet::parse("system/*.read").unwrap();
    Grant { client: "app".into(), scopes, ..Grant::default() }
}

/// Tries a search or a read, as written below the FHIR base: an answer is JSON, and its self link repeats it. It can be
/// explained, with a type or a refusal.
pub fn query(bytes: &[u8]) {
    let (grant, cursors) = (grant(), CursorKey::new(b"secret"));
    let explained = explain(text(bytes), &grant, BASE, IndexSet::of_r4(), 0);
    assert!(explained.refused.is_some() || !explained.resource_type.is_empty());
    let context = query_context(&grant, &cursors, &MOMENT);
    STORE.with(|store| {
        let answer = |question: &str| {
            now(answer_request(store, question, context, &mut Disclosure::default())).map(|reply| splice(reply.body))
        };
        match answer(text(bytes)) {
            Ok(found) => {
                let page: Value = serde_json::from_str(&found).unwrap();
                if page["resourceType"] == "Bundle" && !text(bytes).contains("_cursor") {
                    assert_eq!(answer(page["link"][0]["url"].as_str().unwrap()), Ok(found));
                }
            }
            Err(problem) => {
                let outcome: Value = serde_json::from_str(&problem.outcome()).unwrap();
                assert_eq!(outcome["resourceType"], "OperationOutcome");
                assert!((400..500).contains(&problem.reply::<String>().status), "{problem:?}");
            }
        }
    });
}

/// Tries a date of a query or a resource: if it is valid, its end is not before its start.
pub fn date(bytes: &[u8]) {
    for span in [Span::parse(text(bytes)), Span::of_element(&serde_json::from_slice(bytes).unwrap_or_default())] {
        assert!(span.is_none_or(|span| span.from <= span.until));
    }
}

/// Tries a bearer token or another Authorization header: only tokens that our key signed are accepted.
pub fn token(bytes: &[u8]) {
    let keys = SigningKeys::new(EXAMPLE_KEY, &[]).unwrap();
    let verified = UnverifiedToken::new(text(bytes)).verify((&keys, &Platform), MOMENT.seconds(), ORIGIN, BASE);
    if let Ok(verified) = now(verified) {
        assert_eq!(verified.claims(), &claims());
    }
    let expected: ExpectedToken =
        serde_json::from_value(json!({"issuer": ORIGIN, "audience": BASE, "type": "access"})).unwrap();
    let lines = checks(text(bytes), &keys.jwks(), MOMENT.seconds(), &expected);
    assert!(!lines.is_empty());
    let _ = basic(text(bytes));
}

/// Returns the claims of the only valid token.
fn claims() -> AccessClaims {
    AccessClaims {
        iss: ORIGIN.into(),
        aud: BASE.into(),
        sub: "user".into(),
        client_id: "app".into(),
        jti: "j".into(),
        scope: "patient/*.read openid".into(),
        grant_id: Some("g".into()),
        patient: Some("a".into()),
        encounter: None,
        fhir_user: None,
        groups: None,
        purpose: None,
    }
}

/// Returns the only valid token.
pub fn good_token() -> String {
    SigningKeys::new(EXAMPLE_KEY, &[]).unwrap().sign(claims(), MOMENT.seconds(), MOMENT.seconds() + 60).unwrap()
}

/// Tries a list of scopes: a valid scope is printed as it was parsed, and can be explained.
pub fn scope(bytes: &[u8]) {
    let table = ScopeTable::new(text(bytes), Some("a"), Language::Spanish);
    assert!(!table.rows().is_empty());
    for cell in table.rows().iter().flat_map(|row| [&row.read, &row.search]) {
        assert_eq!((cell.open, cell.why.is_none()), (!cell.by.is_empty(), cell.open));
    }
    let refused = table.lines().iter().any(|line| line.refused.is_some());
    match ScopeSet::parse(text(bytes)) {
        Err(_) => assert!(refused),
        Ok(set) => {
            assert!(!refused);
            assert_eq!(ScopeSet::parse(&set.to_string()), Ok(set.clone()));
            assert!(set.iter().all(|(_, scope)| set.covers(scope)));
        }
    }
}

/// Tries a cursor: only a cursor that was sealed opens, without any change.
pub fn cursor(bytes: &[u8]) {
    let key = CursorKey::new(b"secret");
    if let Some(place) = key.open(text(bytes), "Observation?patient=a") {
        assert_eq!(key.seal(&place, "Observation?patient=a"), text(bytes));
    }
}

/// Tries the body of a form, at each address that accepts forms: the server never fails.
pub fn form(bytes: &[u8]) {
    in_world(|world| {
        let bearer = format!("Bearer {}", good_token());
        for path in [
            "/fhir/r4/Observation/_search",
            "/oauth/token",
            "/oauth/introspect",
            "/oauth/revoke",
            "/oauth/login",
            "/oauth/consent",
        ] {
            let headers = [("Authorization", bearer.as_str())];
            let headers = if path.starts_with("/fhir") { &headers[..] } else { &[] };
            let answer = world.ask("POST", path, headers, text(bytes));
            assert!(answer.status < 500, "{path}: {} {}", answer.status, answer.text);
            assert!(answer.text.is_empty() || answer.text.starts_with(['{', '<']), "{path}: {}", answer.text);
        }
    });
}

/// Tries an authorization request: redirects lead only to an app's own address, and pages quote nothing unescaped.
pub fn authorize(bytes: &[u8]) {
    in_world(|world| {
        let answer = world.ask("GET", &format!("/oauth/authorize?{}", text(bytes)), &[], "");
        assert!(answer.status < 500, "{} {}", answer.status, answer.text);
        if let Some(location) = answer.location() {
            assert!(REDIRECTS.iter().any(|own| location.starts_with(own)), "{location}");
            assert!(!location.contains(['\r', '\n']), "{location:?}");
        }
        assert!(!answer.text.contains("<script"), "{}", answer.text);
    });
}

fn in_world(ask: impl FnOnce(&World)) {
    WORLD.with_borrow_mut(|(age, world)| {
        *age += 1;
        if *age == OLD {
            (*age, *world) = (0, World::new());
        }
        ask(world);
    });
}

/// Tries a document to load: its entries are parts of it, stored resources have ids, and reloading it changes nothing.
pub fn bundle(bytes: &[u8]) {
    let text = text(bytes);
    for entry in entries(text, Intake::Store).into_iter().flatten() {
        assert_eq!(text.get(entry.at..entry.at + entry.text.len()), Some(entry.text));
        assert!(line_of(text, entry.at) <= text.lines().count());
        let _ = entry.take();
    }
    let mut held = LoadedMemory::new(BASE);
    let report = held.load(text, 0);
    let rows = |held: &LoadedMemory| held.store().rows().iter().map(|row| format!("{row:?}")).collect::<Vec<_>>();
    let before = rows(&held);
    assert!(before.len() <= report.resources);
    for row in held.store().rows() {
        let resource: Value = serde_json::from_str(&row.body).unwrap();
        assert_eq!(resource["resourceType"], row.resource_type.name());
        assert_eq!(resource["id"].as_str().and_then(Id::parse), Some(row.id.clone()));
    }
    held.load(text, 0);
    assert_eq!(rows(&held), before);
}

/// Tries the head of a chart after a change below the checksum. The other bytes are four ids or eight versions.
pub fn head(bytes: &[u8]) {
    if let Ok(chart) = Chart::open(ResourceType::Observation, &deflate_with_plain(&[1; 64], bytes)) {
        for row in chart.rows() {
            assert!(chart.find(chart.id(row)).is_some());
            let _ = (chart.owner(row), chart.version(row), chart.modified(row), chart.body(row));
        }
        assert!(chart.unpack().is_ok_and(|rows| rows.is_empty()) || chart.pages() > 0);
    }
}

/// Tries a changed value of a key-value store: there is an answer, or a line in the log. The first byte selects the
/// value. Each following three bytes change it after the name of its format; a rest truncates it.
pub fn shelf(bytes: &[u8]) {
    let Some((which, changes)) = bytes.split_first() else { return };
    let mut values = VALUES.with(Clone::clone);
    let mut keys: Vec<_> = values.0.keys().cloned().collect();
    keys.sort();
    let value = values.0.get_mut(&keys[usize::from(*which) % keys.len()]).unwrap();
    let behind = 16.min(value.len() - 1);
    let place = |value: &[u8], low: u8, high: u8| {
        behind + usize::from(u16::from_le_bytes([low, high])) % (value.len() - behind)
    };
    let changes = changes.chunks_exact(3);
    let rest = changes.remainder();
    for change in changes {
        let at = place(value, change[0], change[1]);
        value[at] = change[2];
    }
    if let [low, high] = rest {
        value.truncate(place(value, *low, *high));
    }
    if let Ok(shelf) = Shelf::open(ResourceType::Observation, value) {
        assert!(
            shelf.chart.unpack().is_ok_and(|rows| rows.len() == shelf.chart.rows().len()) || shelf.chart.pages() > 0
        );
    }
    // The grant of a client without a user needs nothing from the database.
    let database = Connection::open_in_memory().unwrap();
    let cache = ShelfCache::default();
    let store = KvStore::new(values, reader(database), BASE.to_owned(), &cache, MOMENT.seconds());
    let store = guarded(store);
    let (grant, cursors) = (grant(), CursorKey::new(b"secret"));
    let context = query_context(&grant, &cursors, &MOMENT);
    for question in [
        "Observation?patient=a&date=ge2020&_revinclude=Provenance:target&_sort=date",
        "Condition?patient=a&_total=accurate",
        "Practitioner?name=lind",
        "Observation/1",
        "Provenance/p",
        "Patient/a",
    ] {
        let answer =
            now(answer_request(&store, question, context, &mut Disclosure::default())).map(|reply| splice(reply.body));
        assert!(bytes.len() > 1 || answer.is_ok_and(|text| text.starts_with('{')), "{question}");
    }
}
