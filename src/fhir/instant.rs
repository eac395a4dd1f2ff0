//! Points in time as text: the FHIR `instant` and the HTTP date.

use chrono::{DateTime, Datelike, Month, SecondsFormat, Timelike};

use super::Micros;

/// Returns a FHIR `instant` (<https://hl7.org/fhir/R4/datatypes.html#instant>) in UTC, to the millisecond. FHIR's years
/// have four digits; an earlier or later time becomes the first or the last such time.
pub fn instant(time: Micros) -> String {
    let time = DateTime::from_timestamp_micros(time.clamp(YEAR_0, END_OF_9999)).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

const YEAR_0: Micros = -62_167_219_200_000_000;
const END_OF_9999: Micros = 253_402_300_799_999_999;

/// Returns an HTTP date (RFC 9110, section 5.6.7). `None` if its year does not have four digits.
pub fn http_date(time: Micros) -> Option<String> {
    let time = DateTime::from_timestamp_micros(time).filter(|time| (0..=9999).contains(&time.year()))?;
    let month = Month::try_from(u8::try_from(time.month()).ok()?).ok()?.name().get(..3)?;
    let (weekday, day, year) = (time.weekday(), time.day(), time.year());
    Some(format!(
        "{weekday}, {day:02} {month} {year:04} {:02}:{:02}:{:02} GMT",
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
        assert_eq!(instant(-62_167_219_200_000_000), "0000-01-01T00:00:00.000Z");
        assert_eq!(instant(253_402_300_799_999_999), "9999-12-31T23:59:59.999Z");
        for (extreme, expected) in
            [(Micros::MIN, "0000-01-01T00:00:00.000Z"), (Micros::MAX, "9999-12-31T23:59:59.999Z")]
        {
            assert_eq!(instant(extreme), expected);
            assert!(http_date(extreme).is_none_or(|date| date.ends_with("GMT")));
        }
    }
}
