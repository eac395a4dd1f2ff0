//! The measurements of this isolate. They are counted in it, and written to Analytics Engine where that is bound.

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use super::ffi;
use crate::api::{Measurement, Metrics, Point, uuid_of};
use crate::fhir::Micros;

/// The binding of the dataset.
const DATASET: &str = "METRICS";

/// The recorder of an isolate.
pub struct Recorder {
    /// The counts of the isolate.
    pub metrics: Metrics,
    dataset: Option<JsValue>,
}

impl Recorder {
    /// The recorder of an isolate that begins. `random` are random bytes for its name.
    pub fn new(env: &Env, random: &[u8], now: Micros) -> Self {
        let dataset = Reflect::get(env.as_ref(), &DATASET.into()).ok().filter(JsValue::is_object);
        Self { metrics: Metrics::new(uuid_of(random), now / 1_000_000), dataset }
    }

    /// Counts a measurement, and writes its point. It cannot fail.
    pub fn record(&self, measurement: &Measurement) {
        self.metrics.count(measurement);
        if let Some(dataset) = &self.dataset {
            let Point { index, texts, numbers } = measurement.point();
            ffi::write_point(dataset, index, &texts.join("\n"), &numbers);
        }
    }
}
