//! The configuration, which is read once for each isolate.

use std::cell::OnceCell;
use std::rc::Rc;
use std::thread::LocalKey;

use worker::{D1Database, Env};

use super::crypto::WebCrypto;
use super::d1::{self, D1, D1Rows, RecordsD1};
use super::http::random;
use super::js::message;
use super::kv::Kv;
use super::measure::Recorder;
use super::rate_limit::RateLimits;
use super::reading::READING;
use api::{Environment, Readiness, Settings, Storage, TokenCache, Variables};
use fhir::Micros;
use oauth::{Documents, EXAMPLE_KEY, IdentityProvider, SigningKeys, is_sandbox_secret};
use store::{AccessListCache, ChartCache, GrantStatusCache, RecordDatabases, ShardMapCache, ShelfCache};

/// The state that an isolate keeps between requests.
pub struct Isolate {
    /// The settings of the deployment.
    pub settings: Settings,
    /// The keys of the authorization server.
    pub keys: SigningKeys,
    /// The platform's cryptography.
    pub crypto: WebCrypto,
    /// The cached documents of other servers.
    pub documents: Documents,
    /// The cached verified tokens.
    pub tokens: TokenCache,
    /// The database of the records.
    pub directory: RecordsD1,
    /// The databases of the further shards.
    pub shards: Vec<RecordsD1>,
    /// The cached shard map.
    pub shard_map: ShardMapCache,
    /// The database of the authorization server's state and of the access lists.
    pub auth_database: D1Database,
    /// The kind of store that holds the records.
    pub records: StoreKind,
    /// The cached charts.
    pub charts: ChartCache<D1Rows>,
    /// The cached shelves.
    pub shelves: ShelfCache,
    /// The cached grants that were active at the last check.
    pub grants: GrantStatusCache,
    /// The cached access lists.
    pub access_lists: AccessListCache,
    /// The address that completes relative addresses of attachments in loads.
    pub attachments: String,
    /// The time for which an export is kept after its end.
    pub export_kept: Micros,
    /// The cached state of the dependencies.
    pub readiness: Readiness,
    /// The recorder of the requests, messages and tasks of this isolate.
    pub recorder: Recorder,
}

impl Isolate {
    /// Returns the directory of the records, at the nearest replica that has all corrections.
    pub const fn directory(&self) -> D1<'_> {
        D1::nearest(&self.directory, self.charts.corrections())
    }

    /// Returns the databases of the records, each at the nearest replica that has all corrections.
    pub fn record_databases(&self) -> RecordDatabases<'_, D1<'_>> {
        if self.shards.is_empty() {
            return RecordDatabases::one(self.directory());
        }
        let corrections = self.charts.corrections();
        let shards = self.shards.iter().map(|shard| D1::nearest(shard, corrections)).collect();
        RecordDatabases::sharded(self.directory(), shards, D1::records(&self.directory), &self.shard_map, corrections)
    }

    /// Returns the databases of the records at their primaries, for changes. `map` is the map of the run.
    pub fn primary_databases<'a>(&'a self, map: &'a ShardMapCache) -> RecordDatabases<'a, D1<'a>> {
        if self.shards.is_empty() {
            return RecordDatabases::one(D1::records(&self.directory));
        }
        let [directory, primary] = [D1::records(&self.directory), D1::records(&self.directory)];
        let shards = self.shards.iter().map(D1::records).collect();
        RecordDatabases::sharded(directory, shards, primary, map, self.charts.corrections())
    }
}

/// The kinds of stores that can hold the records.
pub enum StoreKind {
    /// Charts and rows in D1.
    D1,
    /// Shelves in KV.
    Kv(Kv),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Requests, and also jobs if they have no separate Worker.
    Requests,
    /// Only jobs, which need no secret.
    Jobs,
}

thread_local! {
    static ISOLATE: OnceCell<Rc<Isolate>> = const { OnceCell::new() };
    static JOBS: OnceCell<Rc<Isolate>> = const { OnceCell::new() };
}

/// Returns the state of this isolate, which is made at its first request.
///
/// # Errors
/// A fault of the configuration, for the log.
pub fn isolate(env: &Env) -> Result<Rc<Isolate>, String> {
    kept(&ISOLATE, env, Purpose::Requests)
}

/// Returns the state of this isolate for jobs. A Worker without secrets is only for jobs, and answers no request.
///
/// # Errors
/// A fault of the configuration, for the log.
pub fn isolate_of_jobs(env: &Env) -> Result<Rc<Isolate>, String> {
    if env.secret(PEPPER).is_ok() { isolate(env) } else { kept(&JOBS, env, Purpose::Jobs) }
}

fn kept(cell: &'static LocalKey<OnceCell<Rc<Isolate>>>, env: &Env, purpose: Purpose) -> Result<Rc<Isolate>, String> {
    if let Some(known) = cell.with(|cell| cell.get().cloned()) {
        return Ok(known);
    }
    let random = random().map_err(|error| message(&error))?;
    let made = Rc::new(make(env, purpose, &random)?);
    Ok(cell.with(|cell| Rc::clone(cell.get_or_init(|| made))))
}

/// The name of the secret that keys forms, cursors and pseudonyms.
const PEPPER: &str = "PEPPER";

/// Makes the state in which an isolate rehearses. It has no secret and no random number, and nothing keeps it.
///
/// # Errors
/// A fault of the configuration.
pub fn rehearsing(env: &Env) -> Result<Isolate, String> {
    let keys = SigningKeys::new(EXAMPLE_KEY, &[]).map_err(|error| error.0)?;
    Ok(Isolate { keys, ..make(env, Purpose::Jobs, &[0; 32])? })
}

fn make(env: &Env, purpose: Purpose, random: &[u8; 32]) -> Result<Isolate, String> {
    let variables = Variables::read(|name| env.var(name).ok().map(|value| value.to_string()))?;
    let environment = variables.environment;
    let given = |name: &str| match env.secret(name) {
        Ok(value) if environment == Environment::Production && is_sandbox_secret(&value.to_string()) => {
            Err(format!("{name} is a secret of a sandbox; make one with: edgechart keys --production"))
        }
        Ok(value) => Ok(Some(value.to_string())),
        Err(_) => Ok(None),
    };
    // The launcher and the published users of a sandbox are not allowed beside real records.
    let optional = |name: &str| match given(name)? {
        Some(value) if environment == Environment::Sandbox && !is_sandbox_secret(&value) => {
            Err(format!("{name} is no secret of a sandbox, and ENVIRONMENT is sandbox"))
        }
        value => Ok(value),
    };
    let needed = |name: &str, value: Option<String>| value.ok_or_else(|| format!("the secret {name} is not set"));
    let secret = |name: &str| needed(name, optional(name)?);
    // A Worker that is only for jobs uses no pepper in its answers.
    let pepper = match purpose {
        Purpose::Requests => secret(PEPPER)?.into_bytes(),
        Purpose::Jobs => random.to_vec(),
    };
    let (keys, identity) = if variables.trusted.is_empty() && purpose == Purpose::Requests {
        let (current, identity) = (secret("SIGN_ES256_CURRENT")?, secret("SIGN_RS256_CURRENT")?);
        let others = |names: [&str; 2]| -> Result<Vec<_>, String> {
            Ok(names.map(&optional).into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        };
        let verifying = others(["SIGN_ES256_NEXT", "SIGN_ES256_OLD"])?;
        let verifying: Vec<_> = verifying.iter().map(String::as_str).collect();
        let published = others(["SIGN_RS256_NEXT", "SIGN_RS256_OLD"])?;
        let identities: Vec<_> = std::iter::once(&identity).chain(&published).map(String::as_str).collect();
        let keys = SigningKeys::new(&current, &verifying).and_then(|keys| keys.with_identity(&identities));
        (keys.map_err(|error| format!("a signing key: {}", error.0))?, Some(identity))
    } else {
        (SigningKeys::none(), None)
    };
    let providers = match purpose {
        Purpose::Requests => IdentityProvider::parse(&variables.identity_providers, |name| needed(name, given(name)?))
            .map_err(|reason| format!("IDENTITY_PROVIDERS: {reason}"))?,
        Purpose::Jobs => Vec::new(),
    };
    let settings = Settings::new(&variables.origin, environment, &pepper);
    let settings = match &variables.service_base_urls {
        Some(list) => settings.publishing(list),
        None => settings,
    };
    let settings = Settings {
        trusted: variables.trusted,
        providers,
        index: variables.index.1,
        guides: variables.guides,
        public: variables.public,
        summaries: env.service(READING).is_ok(),
        refresh_days: variables.refresh_days,
        agents: variables.agents,
        export_v4: variables.export_v4,
        links: variables.links,
        agent_registration: variables.agent_registration,
        ..settings
    };
    let crypto = WebCrypto::new(identity, RateLimits::of(env)).map_err(|error| message(&error))?;
    let records = match variables.storage {
        Storage::D1 => StoreKind::D1,
        Storage::Kv => StoreKind::Kv(Kv::of(env)?),
    };
    Ok(Isolate {
        settings,
        keys,
        crypto,
        directory: RecordsD1::new(d1::database(env, d1::RECORDS)?),
        shards: d1::shards(env),
        shard_map: ShardMapCache::default(),
        auth_database: d1::database(env, d1::AUTH)?,
        documents: Documents::default(),
        tokens: TokenCache::default(),
        records,
        charts: ChartCache::new(variables.fresh),
        shelves: ShelfCache::default(),
        grants: GrantStatusCache::default(),
        access_lists: AccessListCache::default(),
        attachments: variables.attachments,
        export_kept: variables.export_kept,
        readiness: Readiness::default(),
        recorder: Recorder::new(env),
    })
}
