//! The platform's rate limiting.

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use worker::Env;

use super::js::{bound, object};
use super::turns::settled;
use crate::api::Limit;

/// The name of the binding of a limit.
const fn binding(limit: Limit) -> &'static str {
    match limit {
        Limit::Flood => "FLOOD",
        Limit::Authorize => "AUTHORIZE",
        Limit::Client => "CLIENT",
    }
}

#[wasm_bindgen]
extern "C" {
    /// <https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/>
    pub type RateLimit;

    #[wasm_bindgen(method, catch)]
    fn limit(this: &RateLimit, options: &JsValue) -> Result<Promise, JsValue>;
}

impl RateLimit {
    /// Whether there may be one more request under that key.
    async fn leaves(&self, key: &str) -> Result<bool, JsValue> {
        let outcome = settled(self.limit(object(&[("key", key.into())])?.as_ref())?).await?;
        Ok(Reflect::get(&outcome, &"success".into())?.is_truthy())
    }
}

/// The limits of an environment, where they are bound.
pub struct RateLimits([(Limit, Option<RateLimit>); 3]);

impl RateLimits {
    /// Those of that environment.
    pub fn of(env: &Env) -> Self {
        Self([Limit::Flood, Limit::Authorize, Limit::Client].map(|limit| (limit, bound(env, binding(limit)))))
    }

    /// Whether there may be one more request under that key. Where nothing counts, or it does not answer, nobody is kept
    /// out: what must not be guessed is guarded elsewhere.
    pub async fn admit(&self, limit: Limit, key: &str) -> bool {
        match self.0.iter().find(|(of, _)| *of == limit) {
            Some((_, Some(bound))) => bound.leaves(key).await.unwrap_or(true),
            Some((_, None)) | None => true,
        }
    }
}
