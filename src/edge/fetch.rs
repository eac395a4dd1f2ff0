//! Documents of other servers: keys of clients and of trusted issuers.

use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, RequestInit, RequestRedirect, Response};

use super::crypto::WebCrypto;
use super::http::read;
use super::js::said;
use super::turns::settled;
use crate::oauth::{Fetch, FetchError, FetchedDocument};

/// How long an answer is waited for, body and all, in milliseconds.
const PATIENCE: u32 = 3_000;
/// The longest document that is read, in bytes.
const LONGEST: usize = 64 * 1024;

#[wasm_bindgen]
extern "C" {
    /// <https://developer.mozilla.org/docs/Web/API/Window/fetch>
    #[wasm_bindgen(js_name = fetch, catch)]
    fn fetch(address: &str, init: &RequestInit) -> Result<js_sys::Promise, JsValue>;
}

impl Fetch for WebCrypto {
    async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError> {
        let response = asked(address).await.map_err(|error| FetchError(said(&error)))?;
        let header = |name: &str| response.headers().get(name).ok().flatten().unwrap_or_default();
        if response.status() != 200 {
            return Err(FetchError(format!("the answer was {}", response.status())));
        }
        let kind = header("Content-Type").to_ascii_lowercase();
        if !kind.contains("json") {
            return Err(FetchError(format!("the answer is {kind:?}, and not JSON")));
        }
        let max_age = max_age(&header("Cache-Control"));
        let bytes = read(response.body(), LONGEST).await.map_err(|error| FetchError(said(&error)))?;
        let bytes = bytes.ok_or_else(|| FetchError("the answer is too long".to_owned()))?;
        let text = String::from_utf8(bytes).map_err(|_| FetchError("the answer is not UTF-8".to_owned()))?;
        Ok(FetchedDocument { text, max_age })
    }
}

async fn asked(address: &str) -> Result<Response, JsValue> {
    let init = RequestInit::new();
    init.set_redirect(RequestRedirect::Manual);
    init.set_signal(Some(&AbortSignal::timeout_with_u32(PATIENCE)));
    settled(fetch(address, &init)?).await?.dyn_into()
}

/// How long an answer may be kept, by its `Cache-Control` (RFC 9111).
fn max_age(cache_control: &str) -> Option<i64> {
    let mut directives = cache_control.split(',').map(str::trim);
    let forbids = |one: &str| one.eq_ignore_ascii_case("no-store") || one.eq_ignore_ascii_case("no-cache");
    if directives.clone().any(forbids) {
        return Some(0);
    }
    directives.find_map(|one| one.strip_prefix("max-age=")?.parse().ok())
}
