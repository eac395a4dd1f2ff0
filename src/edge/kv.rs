//! Workers KV as [`Shelves`]: each value is read alone, as bytes. A bulk read gives texts alone, and for values as large
//! as shelves takes ten times as long.

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::Env;
use worker::wasm_bindgen_futures::JsFuture;

use super::js::{needed, said};
use crate::store::Shelves;
use crate::store::shelf::ShelfError;

/// The binding's name.
const BINDING: &str = "CHARTS";

#[wasm_bindgen]
extern "C" {
    /// <https://developers.cloudflare.com/kv/api/read-key-value-pairs/>
    type KvNamespace;

    #[wasm_bindgen(method, catch)]
    fn get(this: &KvNamespace, key: &str, form: &str) -> Result<Promise, JsValue>;
}

/// The namespace of the shelves.
pub struct Kv(KvNamespace);

impl Kv {
    /// The namespace of that environment.
    ///
    /// # Errors
    /// Where there is no such binding.
    pub fn of(env: &Env) -> worker::Result<Self> {
        needed(env, BINDING).map(Self)
    }

    async fn all(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, JsValue> {
        let asked = Array::new();
        for key in keys {
            asked.push(&self.0.get(key, "arrayBuffer")?.into());
        }
        let values: Array = JsFuture::from(Promise::all(&asked)).await?.dyn_into()?;
        let bytes = |value: JsValue| (!value.is_null()).then(|| Uint8Array::new(&value).to_vec());
        Ok(values.iter().map(bytes).collect())
    }
}

impl Shelves for Kv {
    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError> {
        self.all(keys).await.map_err(|error| ShelfError(said(&error)))
    }
}
