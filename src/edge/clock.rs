//! The clock of Workers, which stands still between calls of the platform.

use crate::fhir::Micros;

/// Microseconds since 1970.
pub fn now() -> Micros {
    js_sys::Date::now() as Micros * 1_000
}

/// The milliseconds since a time.
pub fn since(then: Micros) -> u64 {
    ((now() - then) / 1_000).try_into().unwrap_or_default()
}
