//! Points in time as text: the FHIR `instant`, and the date of HTTP. They are formatted by hand: chrono's patterns need
//! an interpreter, which every page of the app would download, and a search formats two of them.

use chrono::{DateTime, Datelike, Timelike};

use super::Micros;

/// A FHIR `instant` (<https://hl7.org/fhir/R4/datatypes.html#instant>) in UTC, to the millisecond. Years of FHIR have
/// four digits; a time outside of them becomes the first or the last of them.
#[must_use]
pub fn instant(time: Micros) -> String {
    let time = DateTime::from_timestamp_micros(time.clamp(YEAR_0, END_OF_9999)).unwrap_or_default().naive_utc();
    let mut text = String::with_capacity(24);
    // Each field with the value of its first digit and the character that follows it.
    for (field, first, mark) in [
        (time.year().unsigned_abs(), 1_000, '-'),
        (time.month(), 10, '-'),
        (time.day(), 10, 'T'),
        (time.hour(), 10, ':'),
        (time.minute(), 10, ':'),
        (time.second(), 10, '.'),
        (time.and_utc().timestamp_subsec_millis(), 100, 'Z'),
    ] {
        let mut unit = first;
        while unit > 0 {
            text.push(char::from(b'0' + (field / unit % 10) as u8));
            unit /= 10;
        }
        text.push(mark);
    }
    text
}

const YEAR_0: Micros = -62_167_219_200_000_000;
const END_OF_9999: Micros = 253_402_300_799_999_999;

/// An HTTP date (RFC 9110, section 5.6.7). `None` if the time is outside of the calendar.
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
        assert_eq!(instant(-62_167_219_200_000_000), "0000-01-01T00:00:00.000Z");
        assert_eq!(instant(253_402_300_799_999_999), "9999-12-31T23:59:59.999Z");
        for (extreme, said) in [(Micros::MIN, "0000-01-01T00:00:00.000Z"), (Micros::MAX, "9999-12-31T23:59:59.999Z")] {
            assert_eq!(instant(extreme), said);
            assert!(http_date(extreme).is_none_or(|date| date.ends_with("GMT")));
        }
    }
}
