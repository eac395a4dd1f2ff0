//! What the configuration says, read once for each isolate.

use std::cell::OnceCell;
use std::rc::Rc;

use worker::Env;

use super::crypto::WebCrypto;
use super::d1::said;
use crate::api::{Environment, Settings, TokenCache};
use crate::oauth::{KeySets, Keys};

/// What an isolate keeps between requests.
pub struct Isolate {
    /// What the configuration says.
    pub settings: Settings,
    /// The keys of the authorization server.
    pub keys: Keys,
    /// The platform's cryptography.
    pub crypto: WebCrypto,
    /// The keys of others that were fetched before.
    pub key_sets: KeySets,
    /// Tokens that were verified before.
    pub tokens: TokenCache,
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
    let next = env.secret("SIGN_ES256_NEXT").map(|value| value.to_string()).ok();
    let others: Vec<_> = next.as_deref().into_iter().collect();
    let optional = |name: &str| env.secret(name).map(|value| value.to_string()).ok();
    let identity = optional("SIGN_RS256_CURRENT");
    let identities: Vec<_> = identity.iter().cloned().chain(optional("SIGN_RS256_NEXT")).collect();
    let identities: Vec<_> = identities.iter().map(String::as_str).collect();
    let keys = Keys::new(&secret("SIGN_ES256_CURRENT")?, &others)
        .and_then(|keys| keys.with_identity(&identities))
        .map_err(|error| format!("a signing key: {}", error.0))?;
    let settings = Settings::new(&var("ORIGIN")?, environment, secret("PEPPER")?.as_bytes());
    let crypto = WebCrypto::new(identity).map_err(|error| said(&error))?;
    Ok(Isolate { settings, keys, crypto, key_sets: KeySets::default(), tokens: TokenCache::default() })
}
