//! The platform's rate limiting.

use js_sys::{Promise, Reflect};
use wasm_bindgen::prelude::*;
use worker::Env;

use super::js::{bound, object};
use super::turns::settled;

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

    /// Whether that network may ask once more.
    ///
    /// # Errors
    /// Where it does not answer.
    pub async fn leaves(&self, network: &str) -> Result<bool, JsValue> {
        let outcome = settled(self.limit(object(&[("key", network.into())])?.as_ref())?).await?;
        Ok(Reflect::get(&outcome, &"success".into())?.is_truthy())
    }
}
