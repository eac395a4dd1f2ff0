//! The cases of `tests/cases/` on the memory store, on SQLite, on three shards and on shelves, through the router.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::app::{App, app_over, bearer, claims};
use crate::support::{BASE, ORIGIN, index_by, memory, now, sharded_by, shelves_by, sqlite_by};
use api::{Body, Call, Environment, Method, Moment, RequestTarget, Settings, Stream, StreamPiece, answer};
use fhir::{Id, splice};
use oauth::AccessClaims;
use search::IndexSet;
use serde::Deserialize;
use serde_json::Value;
use smart::{PatientList, PublicScopes};
use store::{AccessList, Store};

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

#[derive(Deserialize)]
struct File {
    index: Option<String>,
    public: Option<String>,
    data: Vec<Value>,
    #[serde(default)]
    access: BTreeMap<String, Value>,
    grants: BTreeMap<String, GrantInput>,
    cases: Vec<Case>,
}

impl File {
    /// Returns the set of parameters by which the stores of the file are indexed.
    fn set(&self) -> &'static IndexSet {
        self.index.as_deref().map_or(IndexSet::of_r4(), |index| IndexSet::parse(index).unwrap())
    }
}

#[derive(Deserialize)]
struct GrantInput {
    scopes: String,
    patient: Option<String>,
    user: Option<String>,
    #[serde(rename = "fhirUser")]
    fhir_user: Option<String>,
    groups: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    grant: Option<String>,
    ask: String,
    method: Option<String>,
    form: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    status: Option<u16>,
    ids: Option<Vec<String>>,
    #[serde(default)]
    included: Vec<String>,
    pages: Option<Vec<Vec<String>>>,
    #[serde(default, deserialize_with = "given")]
    total: Option<Value>,
    #[serde(rename = "self")]
    own: Option<String>,
    issue: Option<String>,
    expression: Option<String>,
    diagnostics: Option<String>,
    challenge: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, Option<String>>,
    contains: Option<Value>,
    lacks: Option<Value>,
    audit: Option<BTreeMap<String, Value>>,
    same_as: Option<String>,
}

/// Distinguishes a null from a missing member.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

struct Answered {
    status: u16,
    headers: Vec<(&'static str, String)>,
    text: String,
    body: Value,
    /// The line of the audit log.
    audit: Value,
}

/// The answers so far: status, headers and text.
type Seen = BTreeMap<String, (u16, Vec<(&'static str, String)>, String)>;

/// Returns the text with its parts in braces replaced.
fn spelled(text: &str, seen: &Seen) -> String {
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inside, rest) = part.split_once('}').unwrap();
        out += &match inside.split_once('*') {
            Some((times, what)) => {
                (1000..1000 + times.parse::<usize>().unwrap()).map(|at| what.replace('#', &at.to_string())).collect()
            }
            None if inside == "base" => BASE.to_owned(),
            None => {
                let page = serde_json::from_str(&seen[inside].2).unwrap();
                link(&page, "next").unwrap().split_once("&_cursor=").unwrap().1.to_owned()
            }
        };
        out += rest;
    }
    out
}

fn ask<S: Store>(app: &App<S>, file: &File, case: &Case, path: &str, seen: &Seen) -> Answered {
    let token = case.grant.as_ref().map(|name| {
        let GrantInput { scopes, patient, user, fhir_user, groups } = &file.grants[name];
        let claims = AccessClaims {
            sub: user.clone().unwrap_or_else(|| "app".into()),
            jti: name.clone(),
            patient: patient.clone(),
            fhir_user: fhir_user.as_ref().map(|resource| format!("{BASE}/{resource}")),
            groups: groups.clone(),
            ..claims("app", scopes)
        };
        bearer(app, claims, MOMENT.seconds())
    });
    let header = |name: &str| case.headers.iter().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, v)| v.clone());
    let method = case.method.as_deref().unwrap_or("GET");
    let form = case.form.as_ref().map(|_| "application/x-www-form-urlencoded".to_owned());
    let said = |name: &str| match name {
        "Authorization" => header(name).or_else(|| token.clone()),
        "Content-Type" => header(name).or_else(|| form.clone()),
        "X-Request-Id" => Some("case".to_owned()),
        name => header(name),
    };
    let lookup = |name: &str| said(name).map(Cow::Owned);
    let target = format!("/fhir/r4/{}", spelled(path, seen));
    let target = RequestTarget::of(&target);
    let longest = match target.route.map_or(Body::None, |route| route.body) {
        Body::UpTo(longest) => longest,
        Body::None | Body::Stream => 0,
    };
    let call = Call {
        method: Method::parse(method),
        target,
        headers: &lookup,
        body: (method == "POST")
            .then(|| spelled(case.form.as_deref().unwrap_or_default(), seen).into_bytes())
            .filter(|body| body.len() <= longest),
        moment: MOMENT,
    };
    let (reply, log) = now(answer(app, &call));
    let audit = log.audit.first().map(|line| serde_json::from_str(line).unwrap()).unwrap_or_default();
    let status = reply.status;
    let headers: Vec<_> = reply.all_headers().map(|(name, value)| (name, value.to_owned())).collect();
    let text = reply.stream.map_or_else(|| splice(reply.body), |stream| sent(&stream));
    let body = serde_json::from_str(&text).unwrap_or_default();
    Answered { status, headers, text, body, audit }
}

/// Returns the text of a stream without objects of the bucket.
fn sent(stream: &Stream) -> String {
    let bytes = |piece: &StreamPiece| match piece {
        StreamPiece::Bytes(bytes) => bytes.clone(),
        StreamPiece::Object(object) => panic!("{object:?}"),
    };
    String::from_utf8(stream.pieces.iter().flat_map(bytes).collect()).unwrap()
}

fn ids(bundle: &Value, mode: &str) -> Vec<String> {
    let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
    let of_mode = entries.iter().filter(|entry| entry["search"]["mode"] == mode).map(|entry| &entry["resource"]);
    of_mode.map(|r| format!("{}/{}", r["resourceType"].as_str().unwrap(), r["id"].as_str().unwrap())).collect()
}

fn link(bundle: &Value, relation: &str) -> Option<String> {
    let links = bundle["link"].as_array()?;
    Some(links.iter().find(|link| link["relation"] == relation)?["url"].as_str()?.to_owned())
}

fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    all.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn check<S: Store>(app: &App<S>, file: &File, case: &Case, seen: &mut Seen) {
    let expect = &case.expect;
    let answered = ask(app, file, case, &case.ask, seen);
    let Answered { status, headers, text, body, audit } = &answered;
    let whole = (*status, headers.clone(), text.clone());
    let other = expect.same_as.as_ref().map(|other| seen.get(other).cloned());
    assert!(seen.insert(case.name.clone(), whole.clone()).is_none(), "another case has that name");
    assert_eq!(*status, expect.status.unwrap_or(200), "{text}");
    if let Some(expected) = &expect.ids {
        assert_eq!(&ids(body, "match"), expected);
        let mut included = ids(body, "include");
        included.sort();
        assert_eq!(included, expect.included);
        assert!(body.get("entry").is_none_or(|entries| entries != &serde_json::json!([])));
    }
    for (member, value) in expect.audit.iter().flatten() {
        assert_eq!(&audit[member], value, "{member} of {audit}");
    }
    if expect.audit.is_some() && case.grant.is_some() {
        assert_eq!(audit["client"], "app", "{audit}");
    }
    if let Some(pages) = &expect.pages {
        let mut found = vec![ids(body, "match")];
        let mut next = link(body, "next");
        while let Some(url) = next {
            let page = ask(app, file, case, url.strip_prefix(BASE).unwrap().trim_start_matches('/'), seen);
            assert_eq!(page.status, 200, "{url}: {}", page.text);
            found.push(ids(&page.body, "match"));
            next = link(&page.body, "next");
        }
        assert_eq!(&found, pages);
    }
    if let Some(total) = &expect.total {
        assert_eq!(body.get("total").unwrap_or(&Value::Null), total);
    }
    if let Some(own) = &expect.own {
        assert_eq!(link(body, "self"), Some(format!("{BASE}/{own}")));
    }
    let outcome = match body["resourceType"].as_str() {
        Some("OperationOutcome") => Some(body.clone()),
        _ => body["entry"].as_array().and_then(|entries| {
            entries.iter().find(|entry| entry["search"]["mode"] == "outcome").map(|entry| entry["resource"].clone())
        }),
    };
    let issue = outcome.map(|outcome| outcome["issue"][0].clone()).unwrap_or_default();
    assert_eq!(issue["code"].as_str(), expect.issue.as_deref(), "{text}");
    if expect.issue.is_some() {
        assert!(issue["details"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{text}");
    }
    if let Some(expression) = &expect.expression {
        assert_eq!(issue["expression"][0].as_str(), Some(expression.as_str()), "{text}");
    }
    if let Some(part) = &expect.diagnostics {
        assert!(issue["diagnostics"].as_str().is_some_and(|all| all.contains(part)), "{text}");
    }
    let header = |name: &str| headers.iter().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str());
    if let Some(part) = &expect.challenge {
        assert!(header("WWW-Authenticate").is_some_and(|all| all.contains(part)), "{headers:?}");
    }
    for (name, value) in &expect.headers {
        assert_eq!(header(name), value.as_deref(), "{name}");
    }
    for part in expect.contains.iter().flat_map(texts) {
        assert!(text.contains(&part), "{part:?} is not in {text}");
    }
    for part in expect.lacks.iter().flat_map(texts) {
        assert!(!text.contains(&part), "{part:?} is in {text}");
    }
    if let Some(other) = other {
        assert_eq!(Some(whole), other);
    }
}

/// Checks all cases of a file, and returns the failed ones, each with the reason.
fn check_all<S: Store>(store: S, file: &File, name: &str) -> Vec<String> {
    let public = file.public.as_deref().map(|scopes| PublicScopes::parse(scopes).unwrap());
    let settings = Settings { index: file.set(), public, ..Settings::new(ORIGIN, Environment::Sandbox, b"test") };
    let app = app_over(store, settings);
    let mut seen = Seen::new();
    let mut failing = Vec::new();
    for case in &file.cases {
        let checked = catch_unwind(AssertUnwindSafe(|| check(&app, file, case, &mut seen)));
        if let Err(why) = checked {
            let why = why.downcast_ref::<String>().map(String::as_str).or(why.downcast_ref::<&str>().copied());
            failing.push(format!("{name}: {}: {}", case.name, why.unwrap_or_default()));
        }
    }
    failing
}

#[test]
fn the_cases_hold_on_memory_on_sqlite_and_on_shelves() {
    let mut count = 0;
    let mut failing = Vec::new();
    let mut paths: Vec<_> = std::fs::read_dir("tests/cases").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        let text = std::fs::read_to_string(path).unwrap();
        let file: File = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_stem().unwrap().to_string_lossy();
        let access_list = |value: &Value| {
            value.as_array().map_or(AccessList::All, |ids| {
                AccessList::These(ids.iter().map(|id| Id::parse(id.as_str().unwrap()).unwrap()).collect())
            })
        };
        let access =
            file.access.iter().map(|(user, value)| (PatientList::OfUser(user.clone()), access_list(value))).collect();
        let (set, outcomes) = (file.set(), index_by(file.set(), &file.data));
        failing.extend(check_all(memory(&outcomes, &access), &file, &format!("{name} on memory")));
        failing.extend(check_all(sqlite_by(set, &outcomes, &access), &file, &format!("{name} on SQLite")));
        failing.extend(check_all(sharded_by(set, &outcomes, &access), &file, &format!("{name} on three shards")));
        failing.extend(check_all(shelves_by(set, &outcomes, &access), &file, &format!("{name} on shelves")));
        count += file.cases.len();
    }
    println!("{count} cases");
    assert!(failing.is_empty(), "{} do not hold:\n{}", failing.len(), failing.join("\n"));
}
