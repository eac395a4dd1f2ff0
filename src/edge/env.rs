//! What the configuration says, read once for each isolate.

use std::cell::OnceCell;
use std::rc::Rc;

use worker::Env;

use crate::api::{Environment, Settings, TokenCache};
use crate::oauth::Keys;
use crate::search::CursorKey;
use crate::store::ShelfCache;

/// What an isolate keeps between requests.
pub struct Isolate {
    /// What the configuration says.
    pub settings: Settings,
    /// The keys of the authorization server.
    pub keys: Keys,
    /// Tokens that were verified before.
    pub tokens: TokenCache,
    /// Where the records are.
    pub records: Where,
    /// Shelves that were read before.
    pub shelves: ShelfCache,
}

/// Where the records are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// In D1.
    D1,
    /// On shelves in KV.
    Kv,
}

thread_local! {
    static ISOLATE: OnceCell<Rc<Isolate>> = const { OnceCell::new() };
}

/// What this isolate keeps; made at its first request.
///
/// # Errors
/// What is wrong with the configuration, for the log.
pub fn isolate(env: &Env) -> Result<Rc<Isolate>, String> {
    if let Some(known) = ISOLATE.with(|cell| cell.get().cloned()) {
        return Ok(known);
    }
    let made = Rc::new(make(env)?);
    Ok(ISOLATE.with(|cell| Rc::clone(cell.get_or_init(|| made))))
}

fn make(env: &Env) -> Result<Isolate, String> {
    let var =
        |name: &str| env.var(name).map(|value| value.to_string()).map_err(|_| format!("{name} is not configured"));
    let secret = |name: &str| {
        env.secret(name).map(|value| value.to_string()).map_err(|_| format!("the secret {name} is not set"))
    };
    let environment = match var("ENVIRONMENT")?.as_str() {
        "sandbox" => Environment::Sandbox,
        "production" => Environment::Production,
        other => return Err(format!("ENVIRONMENT is {other:?}, and neither sandbox nor production")),
    };
    let records = match var("STORE").as_deref() {
        Ok("d1") | Err(_) => Where::D1,
        Ok("kv") => Where::Kv,
        Ok(other) => return Err(format!("STORE is {other:?}, and neither d1 nor kv")),
    };
    let next = env.secret("SIGN_ES256_NEXT").map(|value| value.to_string()).ok();
    let others: Vec<_> = next.as_deref().into_iter().collect();
    let keys =
        Keys::new(&secret("SIGN_ES256_CURRENT")?, &others).map_err(|error| format!("a signing key: {}", error.0))?;
    let cursors = CursorKey::new(secret("PEPPER")?.as_bytes());
    let settings = Settings::new(&var("ORIGIN")?, environment, cursors);
    Ok(Isolate { settings, keys, tokens: TokenCache::default(), records, shelves: ShelfCache::default() })
}
