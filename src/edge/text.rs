//! A stored text on its way out.

use js_sys::{Array, JsString};

use crate::store::kv::Cut;

/// A stored text, wherever the store has it.
pub enum Text {
    /// A JavaScript string, which never enters wasm.
    There(JsString),
    /// An array of them, with a comma between each two.
    Run(Array),
    /// A slice of a value in wasm.
    Here(Cut),
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        match text {
            Text::There(text) => text.into(),
            Text::Run(texts) => texts.join(",").into(),
            Text::Here(cut) => cut.into(),
        }
    }
}
