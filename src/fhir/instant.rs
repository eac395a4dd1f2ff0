//! Points in time on their way out: FHIR's `instant`, and HTTP's date. Written by hand: chrono's patterns are an interpreter
//! that every visitor of the app would fetch, and a search writes two of these.

use chrono::{DateTime, Datelike, Timelike};

use super::Micros;

/// A FHIR `instant` (<https://hl7.org/fhir/R4/datatypes.html#instant>) in UTC, to the millisecond.
#[must_use]
pub fn instant(time: Micros) -> String {
    let time = DateTime::from_timestamp_micros(time).unwrap_or_default();
    let mut text = String::with_capacity(24);
    if time.year() < 0 {
        text.push('-');
    }
    for (value, width, mark) in [
        (time.year().unsigned_abs(), 4, '-'),
        (time.month(), 2, '-'),
        (time.day(), 2, 'T'),
        (time.hour(), 2, ':'),
        (time.minute(), 2, ':'),
        (time.second(), 2, '.'),
        (time.timestamp_subsec_millis(), 3, 'Z'),
    ] {
        digits(value, width, &mut text);
        text.push(mark);
    }
    text
}

/// A number in at least so many digits.
fn digits(value: u32, width: u32, text: &mut String) {
    if width > 1 || value > 9 {
        digits(value / 10, width.saturating_sub(1), text);
    }
    text.extend(char::from_digit(value % 10, 10));
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
        assert_eq!(instant(253_402_300_800_000_000), "10000-01-01T00:00:00.000Z");
        for extreme in [Micros::MIN, Micros::MAX] {
            assert!(instant(extreme).ends_with('Z') && http_date(extreme).is_none_or(|date| date.ends_with("GMT")));
        }
    }
}
