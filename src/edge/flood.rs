//! The platform's rate limiting as a [`Throttle`].

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use worker::Env;
use worker::wasm_bindgen_futures::JsFuture;

use super::crypto::{WebCrypto, object};
use super::js::bound;
use crate::api::Throttle;

/// The binding's name.
const BINDING: &str = "FLOOD";

#[wasm_bindgen]
extern "C" {
    /// <https://developers.cloudflare.com/workers/runtime-apis/bindings/rate-limit/>
    pub type RateLimit;

    #[wasm_bindgen(method, catch)]
    fn limit(this: &RateLimit, options: &JsValue) -> Result<Promise, JsValue>;
}

impl RateLimit {
    /// The limit of that environment, where one is bound.
    pub fn of(env: &Env) -> Option<Self> {
        bound(env, BINDING)
    }

    async fn leaves(&self, network: &str) -> Result<bool, JsValue> {
        let outcome = JsFuture::from(self.limit(object(&[("key", network.into())])?.as_ref())?).await?;
        Ok(Reflect::get(&outcome, &"success".into())?.is_truthy())
    }
}

impl Throttle for WebCrypto {
    /// Where nothing counts, or it does not answer, nobody is kept out: what must not be guessed is guarded elsewhere.
    async fn admits(&self, network: &str) -> bool {
        match &self.flood {
            Some(limit) => limit.leaves(network).await.unwrap_or(true),
            None => true,
        }
    }
}
