//! Calls to JavaScript that the `worker` crate does not have, or that would copy every text of a search into wasm and
//! out again in that crate. The JavaScript functions are in `ffi.js`.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use web_sys::{Headers, Response};

#[wasm_bindgen]
extern "C" {
    /// A D1 database or a session of it, both of which run batches. `worker` has the same call, but its `D1Result`
    /// returns rows only as Rust values.
    pub type Batches;

    #[wasm_bindgen(method, catch)]
    pub fn batch(this: &Batches, statements: Vec<JsValue>) -> Result<Promise, JsValue>;

    /// The answer to one statement: <https://developers.cloudflare.com/d1/worker-api/return-object/>
    pub type Answer;

    #[wasm_bindgen(method, getter)]
    pub fn results(this: &Answer) -> Option<Array>;

    #[wasm_bindgen(method, getter)]
    pub fn meta(this: &Answer) -> AnswerMeta;

    /// The metadata of an answer.
    pub type AnswerMeta;

    #[wasm_bindgen(method, getter)]
    pub fn rows_read(this: &AnswerMeta) -> Option<f64>;
}

#[wasm_bindgen(module = "/ffi.js")]
extern "C" {
    /// Returns the non-null texts in the column `entry` of the first `most` rows. `None` if there are none.
    pub fn entries(rows: &Array, most: usize) -> Option<Array>;

    /// Returns the length of the texts in the column `entry`.
    pub fn length(rows: &Array) -> usize;

    /// Returns the distinct ids in `owner` of the first `most` rows whose `entry` is not null, joined by line ends.
    pub fn owners(rows: &Array, most: usize) -> String;

    /// Writes a point of Analytics Engine. `texts` are joined by line ends.
    #[wasm_bindgen(js_name = writePoint)]
    pub fn write_point(dataset: &JsValue, index: &str, texts: &str, numbers: &[f64]);

    /// Makes a response with a body that is a string, bytes, or null.
    #[wasm_bindgen(catch)]
    pub fn response(body: &JsValue, status: u16, headers: &Headers) -> Result<Response, JsValue>;
}

#[wasm_bindgen(module = "/stream.js")]
extern "C" {
    /// Makes a response whose body is sent while objects of a bucket are read. `stream.js` describes the `pieces`, and
    /// `length` is their total length.
    #[wasm_bindgen(catch)]
    pub fn streamed(
        bucket: &JsValue,
        pieces: &Array,
        length: f64,
        status: u16,
        headers: &Headers,
    ) -> Result<Response, JsValue>;
}
