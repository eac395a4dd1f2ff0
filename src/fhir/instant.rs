//! Points in time on their way out: FHIR's `instant`, and HTTP's date. Written by hand: chrono's patterns are an interpreter
//! that every visitor of the app would fetch.

use chrono::{DateTime, Datelike, Timelike};

use super::Micros;

/// A FHIR `instant` (<https://hl7.org/fhir/R4/datatypes.html#instant>) in UTC, to the millisecond.
#[must_use]
pub fn instant(time: Micros) -> String {
    let time = DateTime::from_timestamp_micros(time).unwrap_or_default();
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        time.year(),
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
        time.timestamp_subsec_millis()
    )
}

/// A date as HTTP writes it (RFC 9110, section 5.6.7).
#[must_use]
pub fn http_date(time: Micros) -> Option<String> {
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let time = DateTime::from_timestamp_micros(time)?;
    let day = DAYS.get(time.weekday().num_days_from_monday() as usize)?;
    let month = MONTHS.get(time.month0() as usize)?;
    Some(format!(
        "{day}, {:02} {month} {:04} {:02}:{:02}:{:02} GMT",
        time.day(),
        time.year(),
        time.hour(),
        time.minute(),
        time.second()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_in_two_ways() {
        assert_eq!(instant(1_800_000_000_123_456), "2027-01-15T08:00:00.123Z");
        assert_eq!(http_date(784_111_777_000_000).as_deref(), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
        assert_eq!(instant(-1), "1969-12-31T23:59:59.999Z");
        for extreme in [Micros::MIN, Micros::MAX] {
            assert!(instant(extreme).ends_with('Z') && http_date(extreme).is_none_or(|date| date.ends_with("GMT")));
        }
    }
}
