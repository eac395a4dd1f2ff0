//! What a search takes of the runtime, in one call each: a step from wasm to JavaScript and back costs as much as most of
//! what is done there. The other side is `crossing.js`.

use js_sys::{JsString, Object, Promise};
use wasm_bindgen::prelude::*;
use web_sys::Response;

#[wasm_bindgen(module = "/src/edge/crossing.js")]
extern "C" {
    /// <https://developers.cloudflare.com/d1/worker-api/d1-database/>
    pub type Database;

    /// What D1 answers to a statement: <https://developers.cloudflare.com/d1/worker-api/return-object/>
    pub type Answer;

    /// Runs statements as one batch: of each the SQL, then its binds, of which it has as many as `counts` says.
    #[wasm_bindgen(catch)]
    pub fn batch(
        database: &Database,
        constraint: &str,
        texts: &str,
        lengths: &[u32],
        counts: &[u32],
    ) -> Result<Promise, JsValue>;

    /// How many rows it has.
    #[wasm_bindgen(js_name = rowCount)]
    pub fn row_count(answer: &Answer) -> u32;

    /// How many rows the database read for it.
    #[wasm_bindgen(js_name = rowsRead)]
    pub fn rows_read(answer: &Answer) -> f64;

    /// What stands in that column of that row, as text; nothing where it is null.
    pub fn cell(answer: &Answer, row: usize, column: &str) -> Option<String>;

    /// The texts in the column `entry` of the first rows, but for those where it is null.
    pub fn entries(answer: &Answer, most: usize) -> Vec<JsString>;

    /// One text of all: each of `stored` with the text that stands before it, and the one behind the last.
    pub fn spliced(texts: &str, lengths: &[u32], stored: Vec<JsString>) -> JsString;

    /// A response with the headers of its class, and its own: names and values in turn. What has no body has no type.
    #[wasm_bindgen(catch)]
    pub fn response(
        body: &JsValue,
        status: u16,
        of_class: &Object,
        texts: &str,
        lengths: &[u32],
    ) -> Result<Response, JsValue>;
}

/// Texts that cross as one, with the length of each in UTF-16 code units.
#[derive(Debug, Default)]
pub struct Texts {
    /// All of them.
    pub all: String,
    /// Their lengths.
    pub lengths: Vec<u32>,
}

impl Texts {
    /// One more.
    pub fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.lengths.push(units(text));
    }
}

/// The length of a text in JavaScript.
fn units(text: &str) -> u32 {
    let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
    u32::try_from(units).unwrap_or(u32::MAX)
}
