//! A server for tests: the router over SQLite, a settable clock, and a database that fails on demand.

pub mod provider;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use api::{AppContext, Call, Environment, Method, Moment, Readiness, RequestTarget, Settings, TokenCache, answer};
use auth_store::SqlAuthStore;
use database::{Database, DatabaseError, Statement};
use fhir::splice;
use ingest::LoadTarget;
use native::{Registrations, SqliteDatabase, SqliteWriter, database, register, stretch};
use oauth::{Documents, EXAMPLE_KEY, Pepper, SigningKeys, password};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use store::{
    AccessListCache, AccessListReader, ChartCache, GrantCheckedStore, GrantStatusCache, RecordDatabases, SqlStore,
};

use self::provider::Provider;
use crate::support::{BASE, ORIGIN, index, now, tempfile};

/// The faults of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The batch with this number does not run.
    Before(u32),
    /// The batch runs, but its answer is lost.
    After(u32),
}

/// A database that fails once.
pub struct FaultyDatabase {
    inner: SqliteDatabase,
    fault: Rc<Cell<Option<Fault>>>,
}

impl Database for FaultyDatabase {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        let failed = || Err(DatabaseError::other("the database is away"));
        match self.fault.get() {
            Some(Fault::Before(0)) => {
                self.fault.set(None);
                return failed();
            }
            Some(Fault::After(0)) => {
                self.fault.set(None);
                self.inner.batch(statements).await?;
                return failed();
            }
            Some(Fault::Before(count)) => self.fault.set(Some(Fault::Before(count - 1))),
            Some(Fault::After(count)) => self.fault.set(Some(Fault::After(count - 1))),
            None => {}
        }
        self.inner.batch(statements).await
    }
}

pub struct Answered {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    /// The values of `Set-Cookie`.
    pub cookies: Vec<String>,
    pub text: String,
    pub detail: Option<String>,
}

impl Answered {
    pub fn location(&self) -> Option<&str> {
        self.headers.get("Location").map(String::as_str)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// Returns the parameters of the redirect.
    pub fn heard(&self) -> BTreeMap<String, String> {
        let (_, query) =
            self.location().unwrap_or_else(|| panic!("{} {}", self.status, self.text)).split_once('?').unwrap();
        query.split('&').map(|pair| pair.split_once('=').unwrap()).map(|(n, v)| (decoded(n), decoded(v))).collect()
    }

    pub fn error(&self) -> String {
        match self.location() {
            Some(_) => self.heard().get("error").cloned().unwrap_or_default(),
            None => self.json()["error"].as_str().unwrap_or_default().to_owned(),
        }
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(&text.replace('+', " ")).decode_utf8().unwrap().into_owned()
}

pub fn encoded(fields: &[(&str, &str)]) -> String {
    let one = |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    fields.iter().map(|(name, value)| format!("{}={}", one(name), one(value))).collect::<Vec<_>>().join("&")
}

pub struct World {
    path: PathBuf,
    pub connection: RefCell<Connection>,
    pub settings: Settings,
    /// The platform, with an identity provider.
    pub provider: Provider,
    keys: SigningKeys,
    tokens: TokenCache,
    documents: Documents,
    /// The lines of the audit log and of the error log.
    pub log: RefCell<String>,
    pub clock: Cell<i64>,
    dice: Cell<u32>,
    pub fault: Rc<Cell<Option<Fault>>>,
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl World {
    pub fn new() -> Self {
        let path = tempfile();
        let patient = |id: &str, given: &str| json!({"resourceType": "Patient", "id": id, "birthDate": "1990-01-01", "name": [{"family": "Bell", "given": [given]}]});
        let condition = |id: &str, of: &str| json!({"resourceType": "Condition", "id": id, "subject": {"reference": format!("Patient/{of}")}, "code": {"text": "x"}});
        let encounter = |id: &str, of: &str, day: u8| {
            json!({"resourceType": "Encounter", "id": id, "status": "finished",
                   "subject": {"reference": format!("Patient/{of}")}, "class": {"code": "AMB", "display": "ambulatory"}, "type": [{"text": "Check-up"}],
                   "period": {"start": format!("2024-05-{day:02}T09:00:00Z")}})
        };
        let resources = [
            patient("a", "Ada"),
            patient("b", "Ben <i>"),
            patient("c", "Cy"),
            condition("ca", "a"),
            condition("cb", "b"),
            encounter("ea1", "a", 1),
            encounter("ea2", "a", 2),
            encounter("eb1", "b", 3),
            encounter("ec1", "c", 4),
        ];
        let mut writer = SqliteWriter::open(&path).unwrap();
        for outcome in index(&resources) {
            writer.store(outcome).unwrap().unwrap();
        }
        writer.finish().unwrap();
        let mut connection = database(&path).unwrap();
        let scopes = "launch launch/patient launch/encounter openid fhirUser offline_access online_access \
                      patient/*.read patient/*.rs patient/Observation.write user/*.read";
        let clients = json!([
            {"client_id": "pub", "name": "Pub <b>", "kind": "public", "redirect_uris": ["https://pub.example/cb"],
             "post_logout_redirect_uris": ["https://pub.example/", "http://127.0.0.1/bye?x=1"], "launch_uri": "https://pub.example/launch", "scopes": scopes},
            {"client_id": "other", "kind": "public", "redirect_uris": ["https://other.example/cb"], "scopes": scopes},
            {"client_id": "native", "kind": "public", "redirect_uris": ["http://127.0.0.1:8000/cb"], "scopes": scopes},
            {"client_id": "conf", "kind": "confidential", "secret": "conf-secret-of-a-good-length-0123456789",
             "redirect_uris": ["https://conf.example/cb?x=1"], "scopes": scopes},
            {"client_id": "sys", "kind": "backend", "secret": "sys-secret-of-a-good-length-0123456789",
             "redirect_uris": ["https://sys.example/cb"], "scopes": "system/*.read"},
            {"client_id": "ehr", "name": "EHR", "kind": "backend", "secret": "ehr-secret-of-a-good-length-0123456789",
             "scopes": "launch system/Patient.read"},
            {"client_id": "off", "kind": "public", "redirect_uris": ["https://off.example/cb"], "scopes": scopes, "disabled": true},
        ]);
        let clients = serde_json::from_value(clients).unwrap();
        let pepper = || Ok(Pepper::new(b"test"));
        register(&mut connection, Registrations { clients, users: Vec::new() }, &pepper).unwrap();
        for (user, resource, patients) in
            [("pa", "Patient/a", &["a"][..]), ("dr", "Practitioner/d", &["a", "b"]), ("ma", "RelatedPerson/m", &[])]
        {
            // One round is enough, since these tests do not guess passwords.
            let kept = password::stored_form(
                1,
                b"salt",
                &stretch(&password::peppered(&Pepper::new(b"test"), user), b"salt", 1),
            );
            let text = "INSERT INTO users (name, password, fhir_user, sandbox) VALUES (?1, ?2, ?3, 1)";
            connection.execute(text, params![user, kept, resource]).unwrap();
            for patient in patients {
                connection.execute("INSERT INTO access VALUES (?1, ?2)", [user, patient]).unwrap();
            }
        }
        let identity =
            json!({"kty": "RSA", "n": format!("w{}", "A".repeat(341)), "e": "AQAB", "d": "AQAB"}).to_string();
        let settings = Settings::new(ORIGIN, Environment::Sandbox, b"test");
        Self {
            path,
            connection: RefCell::new(connection),
            settings: Settings { providers: Provider::configured(), ..settings },
            provider: Provider::new(),
            keys: SigningKeys::new(EXAMPLE_KEY, &[]).unwrap().with_identity(&[&identity]).unwrap(),
            tokens: TokenCache::default(),
            documents: Documents::default(),
            log: RefCell::default(),
            clock: Cell::new(1_800_000_000),
            dice: Cell::new(0),
            fault: Rc::default(),
        }
    }

    pub fn execute(&self, sql: &str) {
        self.connection.borrow().execute_batch(sql).unwrap();
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.connection.borrow().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.set(self.clock.get() + seconds);
    }

    /// Runs the purge. Returns whether no expired rows are left.
    pub fn purge(&self) -> bool {
        let auth_store = SqlAuthStore::new(SqliteDatabase::new(Connection::open(&self.path).unwrap()));
        now(auth_store.purge(self.clock.get())).unwrap()
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answered {
        let open = || SqliteDatabase::new(Connection::open(&self.path).unwrap());
        // The caches of a new isolate.
        let (charts, grants) = (ChartCache::default(), GrantStatusCache::default());
        let lists = AccessListCache::default();
        let access_lists = AccessListReader::new(open(), &lists, self.clock.get());
        let records = SqlStore::new(
            RecordDatabases::one(open()),
            access_lists,
            BASE.to_owned(),
            &charts,
            self.clock.get() * 1_000_000,
        );
        let app = AppContext {
            settings: &self.settings,
            keys: &self.keys,
            tokens: &self.tokens,
            store: GrantCheckedStore::new(records, open(), &grants, self.clock.get()),
            auth_store: SqlAuthStore::new(FaultyDatabase { inner: open(), fault: Rc::clone(&self.fault) }),
            crypto: &self.provider,
            documents: &self.documents,
            readiness: &Readiness::default(),
            ingest: None,
            export: None,
            reading: None,
            assets: None,
        };
        self.dice.set(self.dice.get() + 1);
        let mut random = [7; 32];
        random[..4].copy_from_slice(&self.dice.get().to_be_bytes());
        let lookup = |name: &str| {
            let found =
                headers.iter().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, value)| (*value).to_owned());
            let form =
                (name == "Content-Type" && method == "POST").then(|| "application/x-www-form-urlencoded".to_owned());
            found.or(form).map(Cow::Owned)
        };
        let call = Call {
            method: Method::parse(method),
            target: RequestTarget::of(path),
            headers: &lookup,
            body: (method == "POST").then(|| body.as_bytes().to_vec()),
            moment: Moment { now: self.clock.get() * 1_000_000, random },
        };
        let (reply, log) = now(answer(&app, &call));
        self.log.borrow_mut().extend(log.audit.iter().chain(&log.detail).map(|line| format!("{line}\n")));
        let headers = reply.all_headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let cookies = reply.all_headers().filter(|(name, _)| *name == "Set-Cookie").map(|(_, line)| line.to_owned());
        let cookies = cookies.collect();
        Answered { status: reply.status, headers, cookies, text: splice(reply.body), detail: log.detail }
    }

    pub fn token(&self, headers: &[(&str, &str)], form: &[(&str, &str)]) -> Answered {
        self.ask("POST", "/oauth/token", headers, &encoded(form))
    }

    /// Returns the HTTP status of a read of a Condition with a token.
    pub fn read_condition(&self, token: &str, id: &str) -> u16 {
        self.ask("GET", &format!("/fhir/r4/Condition/{id}"), &[("Authorization", &format!("Bearer {token}"))], "")
            .status
    }

    pub fn browser(&self) -> Browser<'_> {
        self.browser_at("")
    }

    /// Returns a new browser in this network.
    pub fn browser_at(&self, network: &str) -> Browser<'_> {
        Browser { world: self, network: network.to_owned(), language: Cell::default(), cookies: RefCell::default() }
    }
}

/// A browser without JavaScript.
pub struct Browser<'a> {
    world: &'a World,
    pub network: String,
    /// The value of `Accept-Language`. It is not sent if it is empty.
    pub language: Cell<&'static str>,
    pub cookies: RefCell<BTreeMap<String, String>>,
}

impl<'a> Browser<'a> {
    pub const fn world(&self) -> &'a World {
        self.world
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answered {
        let cookies: Vec<_> = self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let mut all = vec![("Cookie", cookies.as_str()), ("CF-Connecting-IP", self.network.as_str())];
        all.extend(Some(("Accept-Language", self.language.get())).filter(|(_, language)| !language.is_empty()));
        all.extend(headers);
        let answer = self.world.ask(method, path, &all, body);
        for line in &answer.cookies {
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            if line.contains("Max-Age=0") {
                self.cookies.borrow_mut().remove(name);
            } else {
                self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    pub fn authorize(&self, request: &[(&str, &str)]) -> Answered {
        self.ask("GET", &format!("/oauth/authorize?{}", encoded(request)), &[], "")
    }

    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> Answered {
        self.ask("POST", path, &[("Origin", "null"), ("Sec-Fetch-Site", "same-origin")], &encoded(form))
    }

    /// Sends the form of a page with these fields and its hidden ones, and follows the redirect.
    pub fn submit(&self, page: &Answered, path: &str, form: &[(&str, &str)]) -> Answered {
        self.follow(self.send(page, path, form))
    }

    /// Sends the form of a page with these fields and its hidden ones.
    pub fn send(&self, page: &Answered, path: &str, form: &[(&str, &str)]) -> Answered {
        let hidden = hidden(page);
        let mut all: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        all.extend(form);
        self.post(path, &all)
    }

    /// Follows redirects to pages of the server, but not to an app.
    pub fn follow(&self, answer: Answered) -> Answered {
        let next = answer.location().filter(|address| answer.status == 303 && address.starts_with("/oauth/"));
        match next.map(str::to_owned) {
            Some(address) => self.follow(self.ask("GET", &address, &[], "")),
            None => answer,
        }
    }

    pub fn login(&self, page: &Answered, user: &str) -> Answered {
        self.submit(page, "/oauth/login", &[("username", user), ("password", user)])
    }

    /// Grants everything that a page requests.
    pub fn allow(&self, page: &Answered) -> Answered {
        let scopes = ticks(page);
        let mut form = vec![("decision", "allow")];
        form.extend(scopes.iter().map(|scope| ("scope", scope.as_str())));
        self.submit(page, "/oauth/consent", &form)
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = rest.split('"').next()?;
    Some(
        value
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&#39;", "'")
            .replace("&quot;", "\"")
            .replace("&amp;", "&"),
    )
}

/// Returns the names and values of the elements of a tag and a type.
fn named(page: &Answered, tag: &str, kind: &str) -> Vec<(String, String)> {
    let opening = format!("<{tag} ");
    let tags = page.text.split(&opening).skip(1).filter_map(|rest| rest.split('>').next());
    let tags = tags.map(|tag| format!(" {tag}")).filter(|tag| attribute(tag, "type").as_deref() == Some(kind));
    tags.filter_map(|tag| Some((attribute(&tag, "name")?, attribute(&tag, "value")?))).collect()
}

fn inputs(page: &Answered, kind: &str) -> Vec<(String, String)> {
    named(page, "input", kind)
}

/// Returns the hidden fields of the first form of a page.
pub fn hidden(page: &Answered) -> Vec<(String, String)> {
    let mut fields = inputs(page, "hidden");
    fields.truncate(2);
    fields
}

/// Returns the scopes that a page requests.
pub fn ticks(page: &Answered) -> Vec<String> {
    inputs(page, "checkbox").into_iter().filter(|(name, _)| name == "scope").map(|(_, value)| value).collect()
}

/// Returns the parts of scopes that a page offers.
pub fn parts(page: &Answered) -> Vec<String> {
    inputs(page, "checkbox").into_iter().filter(|(name, _)| name == "part").map(|(_, value)| value).collect()
}

/// Returns the patients or encounters that a page offers.
pub fn offered(page: &Answered) -> Vec<String> {
    let buttons = named(page, "button", "submit").into_iter();
    buttons.filter(|(name, _)| name == "patient" || name == "encounter").map(|(_, value)| value).collect()
}
