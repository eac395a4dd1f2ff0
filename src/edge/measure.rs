//! The measurements of this isolate. They are counted in memory, and written to Analytics Engine if it is bound.

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use super::ffi;
use api::{Measurement, Metrics, Point, uuid_of};
use fhir::{Micros, digest};

const DATASET: &str = "METRICS";

/// The recorder of an isolate.
pub struct Recorder {
    /// The counts of the isolate.
    pub metrics: Metrics,
    dataset: Option<JsValue>,
}

impl Recorder {
    /// Makes the recorder of a new isolate. `random` are random bytes for the name of the isolate.
    pub fn new(env: &Env, random: &[u8], now: Micros) -> Self {
        let dataset = Reflect::get(env.as_ref(), &DATASET.into()).ok().filter(JsValue::is_object);
        Self { metrics: Metrics::new(uuid_of(digest(random)), now / 1_000_000), dataset }
    }

    /// Counts a measurement, and writes its point. This cannot fail.
    pub fn record(&self, measurement: &Measurement) {
        let memory = memory();
        self.metrics.count(measurement);
        self.metrics.set_memory(memory);
        if let Some(dataset) = &self.dataset {
            let Point { index, texts, numbers } = measurement.point(memory);
            ffi::write_point(dataset, index, &texts.join("\n"), &numbers);
        }
    }
}

/// Returns the size of the module's memory in bytes, which never shrinks. It is 0 outside of wasm.
pub fn memory() -> u64 {
    /// The bytes of a page (<https://webassembly.github.io/spec/core/exec/runtime.html#memory-instances>).
    const PAGE: u64 = 65_536;
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0) as u64;
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0;
    pages * PAGE
}
