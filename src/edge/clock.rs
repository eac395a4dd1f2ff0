//! The clock of the platform.

use crate::fhir::Micros;

/// Microseconds since 1970. The clock of Workers stands still between calls of the platform.
pub fn now() -> Micros {
    js_sys::Date::now() as Micros * 1_000
}
