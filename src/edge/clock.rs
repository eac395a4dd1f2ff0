//! The clock of the platform.

use fhir::Micros;
use ingest::writer::Clock;

/// The clock for the times of changes of records. It is ahead of the time, so that records that are written after an
/// export has listed them have a later time than the export. The machines' clocks may differ, and stand still for
/// milliseconds.
pub const OF_CHANGES: Clock<'static> = Clock(&|| now() + AHEAD);

/// The time by which the clock of changes is ahead, in microseconds.
const AHEAD: Micros = 100_000;

/// Returns the microseconds since 1970. The clock of Workers stands still between calls of the platform.
pub fn now() -> Micros {
    js_sys::Date::now() as Micros * 1_000
}
