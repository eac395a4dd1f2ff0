//! The clock of the platform.

use fhir::Micros;
use ingest::writer::Clock;

/// The clock by which records keep when they were changed. It is ahead, so that what is written after an export has
/// listed the records is later than the time of that export, whatever machines they run on: their clocks may differ,
/// and they stand still for milliseconds.
pub const OF_CHANGES: Clock<'static> = Clock(&|| now() + AHEAD);

/// The time by which that clock is ahead, in microseconds.
const AHEAD: Micros = 100_000;

/// Microseconds since 1970. The clock of Workers stands still between calls of the platform.
pub fn now() -> Micros {
    js_sys::Date::now() as Micros * 1_000
}
