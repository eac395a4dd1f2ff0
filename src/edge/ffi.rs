//! What a search takes of the runtime, in one call each: a step from wasm to JavaScript and back costs as much as most of
//! what is done there. The other side is `FFI.js`.

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use web_sys::{Headers, Request, Response};

#[wasm_bindgen(module = "/src/edge/crossing.js")]
extern "C" {
    /// <https://developers.cloudflare.com/d1/worker-api/d1-database/>
    pub type D1Database;

    /// What D1 answers to a batch: <https://developers.cloudflare.com/d1/worker-api/return-object/> of each statement.
    pub type Answers;

    /// Method, scheme, what stands behind the origin in the address, and headers of those names, a line each; for a header
    /// that is not there a NUL.
    pub fn head(request: &Request, names: &Array) -> String;

    /// Runs statements as one batch, in a session of its own, which begins at the nearest replica (0) or at the primary (1), or
    /// without one, at the primary (2): of each the SQL, then its binds, of which it has as many as `counts` says.
    #[wasm_bindgen(catch)]
    pub fn batch(
        database: &D1Database,
        session: u8,
        texts: &str,
        lengths: &[u32],
        counts: &[u32],
    ) -> Result<Promise, JsValue>;

    /// Says of a promise that it may be rejected before anything waits for it: then that is not reported as an oversight.
    pub fn expected(promise: &Promise);

    /// Writes of each answer how many rows it has, and how many the database read for it.
    #[wasm_bindgen(catch)]
    pub fn sizes(answers: &Answers, into: &mut [u32]) -> Result<(), JsValue>;

    /// What stands in that column of that row of an answer, as text; nothing where it is null.
    pub fn cell(answers: &Answers, at: usize, row: usize, column: &str) -> Option<String>;

    /// The texts in the column `entry` of the first rows of an answer, but for those where it is null; nothing where there
    /// are none.
    pub fn entries(answers: &Answers, at: usize, most: usize) -> Option<Array>;

    /// The ids in the column `owner` of the first rows of an answer, but for those whose `entry` is null: each once, with a
    /// line's end between each two.
    pub fn owners(answers: &Answers, at: usize, most: usize) -> String;

    /// A response, and before it the lines that the log has of it, as many as `logged` says: they are the first texts. A body that is not
    /// given (undefined) is one text of all: each of `stored`, a string or a run of them, with the text that stands before
    /// it, and the one behind the last. The headers are those of its class, and `own` of its own, of which name and value are
    /// the last texts. What has no body (null) has no type.
    #[wasm_bindgen(catch)]
    pub fn response(
        status: u16,
        of_class: &Headers,
        own: usize,
        logged: usize,
        body: &JsValue,
        texts: &str,
        lengths: &[u32],
        stored: Vec<JsValue>,
    ) -> Result<Response, JsValue>;
}

/// Texts that cross as one, with the length of each in UTF-16 code units.
#[derive(Debug)]
pub struct Texts {
    /// All of them.
    pub all: String,
    /// Their lengths.
    pub lengths: Vec<u32>,
}

impl Default for Texts {
    /// None yet, and room for as many as a search takes: what grows is copied.
    fn default() -> Self {
        Self { all: String::with_capacity(2048), lengths: Vec::with_capacity(16) }
    }
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
