//! A stored text on its way out.

use js_sys::Object;

use crate::store::kv::BodyRef;

/// A stored text, wherever the store has it.
pub enum Text {
    /// A JavaScript string, which never enters wasm; or an array of them: as text, that has a comma between each two.
    There(Object),
    /// A slice of a value in wasm.
    Here(BodyRef),
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        match text {
            Text::There(text) => text.to_string().into(),
            Text::Here(cut) => cut.into(),
        }
    }
}
