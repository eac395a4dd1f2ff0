//! Workers KV as [`Shelves`]: each value is read alone, as bytes, and where not all of it may be wanted, as a stream. A bulk
//! read gives texts alone, and for values as large as shelves takes ten times as long.

use js_sys::{Array, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use worker::Env;

use super::js::{needed, object, said};
use super::turns::settled;
use crate::store::shelf::ShelfError;
use crate::store::{Shelves, ValueReader};

/// The binding's name.
const BINDING: &str = "CHARTS";

#[wasm_bindgen]
extern "C" {
    /// <https://developers.cloudflare.com/kv/api/read-key-value-pairs/>
    #[derive(Clone)]
    type KvNamespace;

    #[wasm_bindgen(method, catch)]
    fn get(this: &KvNamespace, key: &str, form: &str) -> Result<Promise, JsValue>;

    /// <https://developers.cloudflare.com/workers/runtime-apis/streams/readablestream/>
    type ByteStream;

    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn reader(this: &ByteStream, options: &Object) -> Result<BytesReader, JsValue>;

    /// <https://developers.cloudflare.com/workers/runtime-apis/streams/readablestreambyobreader/>
    type BytesReader;

    #[wasm_bindgen(method, catch, js_name = readAtLeast)]
    fn read_at_least(this: &BytesReader, least: u32, into: &Uint8Array) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn cancel(this: &BytesReader) -> Result<Promise, JsValue>;
}

/// The namespace of the shelves.
#[derive(Clone)]
pub struct Kv(KvNamespace);

impl Kv {
    /// The namespace of that environment.
    ///
    /// # Errors
    /// Where there is no such binding.
    pub fn of(env: &Env) -> Result<Self, String> {
        needed(env, BINDING).map(Self)
    }

    async fn all(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, JsValue> {
        let asked = Array::new();
        for key in keys {
            asked.push(&self.0.get(key, "arrayBuffer")?.into());
        }
        let values: Array = settled(Promise::all(&asked)).await?.dyn_into()?;
        let bytes = |value: JsValue| (!value.is_null()).then(|| Uint8Array::new(&value).to_vec());
        Ok(values.iter().map(bytes).collect())
    }

    async fn stream(&self, key: &str) -> Result<Option<KvStream>, JsValue> {
        let value = settled(self.0.get(key, "stream")?).await?;
        if value.is_null() {
            return Ok(None);
        }
        let options = object(&[("mode", "byob".into())])?;
        Ok(Some(KvStream(value.unchecked_into::<ByteStream>().reader(&options)?)))
    }
}

/// A value on its way. What has not come when it is dropped does not come.
pub struct KvStream(BytesReader);

impl KvStream {
    async fn append(&self, bytes: &mut Vec<u8>, more: usize) -> Result<(), JsValue> {
        let room = u32::try_from(more).unwrap_or(u32::MAX);
        let read = self.0.read_at_least(room, &Uint8Array::new_with_length(room))?;
        let value = Reflect::get(&settled(read).await?, &"value".into())?;
        // At the end there is none.
        if let Some(value) = value.dyn_ref::<Uint8Array>() {
            let from = bytes.len();
            bytes.resize(from + value.length() as usize, 0);
            bytes.get_mut(from..).into_iter().for_each(|room| value.copy_to(room));
        }
        Ok(())
    }
}

impl ValueReader for KvStream {
    async fn read(&mut self, bytes: &mut Vec<u8>, more: usize) -> Result<(), ShelfError> {
        self.append(bytes, more).await.map_err(|error| ShelfError(said(&error)))
    }
}

impl Drop for KvStream {
    fn drop(&mut self) {
        drop(self.0.cancel());
    }
}

impl Shelves for Kv {
    type ValueReader = KvStream;

    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, ShelfError> {
        self.all(keys).await.map_err(|error| ShelfError(said(&error)))
    }

    async fn open(&self, key: &str) -> Result<Option<KvStream>, ShelfError> {
        self.stream(key).await.map_err(|error| ShelfError(said(&error)))
    }
}
