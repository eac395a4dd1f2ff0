//! Stored texts in answers.

use js_sys::Object;

use chart::BodyRef;
use database::LargeText;

/// A stored text, in JavaScript or in wasm.
pub enum Text {
    /// A JavaScript string, which never enters wasm, or an array of strings, which converts to a text with commas.
    Js(Object),
    /// A slice of a value in wasm.
    Wasm(BodyRef),
}

impl From<BodyRef> for Text {
    fn from(body: BodyRef) -> Self {
        Self::Wasm(body)
    }
}

impl LargeText for Text {
    fn has(&self, part: &str) -> bool {
        match self {
            Self::Js(text) => text.to_string().includes(part, 0),
            Self::Wasm(body) => body.has(part),
        }
    }

    fn for_each_part(&self, action: &mut dyn FnMut(&[u8])) {
        match self {
            Self::Js(text) => action(String::from(text.to_string()).as_bytes()),
            Self::Wasm(body) => body.for_each_part(action),
        }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        match text {
            Text::Js(text) => text.to_string().into(),
            Text::Wasm(body) => body.into(),
        }
    }
}
