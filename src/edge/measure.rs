//! The measurements of this isolate, which are written to Analytics Engine if it is bound.

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use super::ffi;
use api::{Measurement, Point};

const DATASET: &str = "METRICS";

/// The recorder of an isolate, with the dataset for its points.
pub struct Recorder(Option<JsValue>);

impl Recorder {
    /// Makes the recorder of a new isolate.
    pub fn new(env: &Env) -> Self {
        Self(Reflect::get(env.as_ref(), &DATASET.into()).ok().filter(JsValue::is_object))
    }

    /// Writes the point of a measurement. This cannot fail.
    pub fn record(&self, measurement: &Measurement) {
        if let Some(dataset) = &self.0 {
            let Point { index, texts, numbers } = measurement.point(memory());
            ffi::write_point(dataset, index, &texts.join("\n"), &numbers);
        }
    }
}

/// Returns the size of the module's memory in bytes, which never shrinks.
pub fn memory() -> u64 {
    /// The bytes of a page (<https://webassembly.github.io/spec/core/exec/runtime.html#memory-instances>).
    const PAGE: u64 = 65_536;
    core::arch::wasm32::memory_size(0) as u64 * PAGE
}
