//! Times as FHIR defines them: each date, of any precision, is a half-open range.
//!
//! `2020` is the whole year, `2020-05-01T10:00:00Z` one second. A Period is the range between its ends, open where an
//! end is missing; a Timing is the range between its outer limits. A value without a zone is in UTC, and a leap second
//! belongs to the next minute. A text that is not a date, such as an `onsetString`, has no range.

use chrono::{Days, Months, NaiveDate};
use serde_json::Value;

/// Microseconds since 1970-01-01T00:00:00Z.
pub type Micros = i64;

/// The start of a Period without a start.
pub const OPEN_START: Micros = i64::MIN;
/// The end of a Period without an end.
pub const OPEN_END: Micros = i64::MAX;

const SECOND: Micros = 1_000_000;
const MINUTE: Micros = 60 * SECOND;

/// A half-open range of time, `[from, until)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first microsecond of the range.
    pub from: Micros,
    /// The first microsecond after the range.
    pub until: Micros,
}

impl Span {
    /// Returns the time by which the range is sorted: its start, or the last microsecond of a Period without a start.
    pub const fn sort_time(self) -> Micros {
        if self.from == OPEN_START { self.until.saturating_sub(1) } else { self.from }
    }

    /// Parses a FHIR `date`, `dateTime` or `instant` of any precision. Seconds may be missing, as in searches.
    ///
    /// ```
    /// use fhir::Span;
    /// let day = Span::parse("2024-02-29").unwrap();
    /// assert_eq!(day.until - day.from, 86_400_000_000);
    /// assert!(Span::parse("2024-02-30").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
        let mut parts = date.split('-');
        let year: i32 = digits(parts.next()?, 4)?.try_into().ok()?;
        let month = parts.next().map(|part| digits(part, 2));
        let day = parts.next().map(|part| digits(part, 2));
        if parts.next().is_some() || year == 0 {
            return None;
        }
        match (month, day, time) {
            (None, None, None) => {
                let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
                Self::of_days(first, first.checked_add_months(Months::new(12))?)
            }
            (Some(month), None, None) => {
                let first = NaiveDate::from_ymd_opt(year, month?, 1)?;
                Self::of_days(first, first.checked_add_months(Months::new(1))?)
            }
            (Some(month), Some(day), None) => {
                let date = NaiveDate::from_ymd_opt(year, month?, day?)?;
                Self::of_days(date, date.checked_add_days(Days::new(1))?)
            }
            (Some(month), Some(day), Some(time)) => {
                Self::of_time(midnight(NaiveDate::from_ymd_opt(year, month?, day?)?), time)
            }
            (_, _, Some(_)) | (None, Some(_), None) => None,
        }
    }

    /// Returns the time of an element of type date, dateTime, instant, Period or Timing. `None` if it has no time.
    pub fn of_element(element: &Value) -> Option<Self> {
        if let Some(text) = element.as_str() {
            return Self::parse(text);
        }
        if element.get("event").is_some() || element.get("repeat").is_some() {
            return Self::of_timing(element);
        }
        let end = |name| element.get(name).and_then(Value::as_str).and_then(Self::parse);
        match (end("start"), end("end")) {
            (None, None) => None,
            // A Period that ends before it starts is invalid; only its start counts.
            (Some(start), Some(end)) if start.from >= end.until => Some(start),
            (start, end) => {
                Some(Self { from: start.map_or(OPEN_START, |s| s.from), until: end.map_or(OPEN_END, |e| e.until) })
            }
        }
    }

    fn of_timing(timing: &Value) -> Option<Self> {
        let events = timing.get("event").and_then(Value::as_array).into_iter().flatten();
        let bounds = timing.get("repeat").and_then(|repeat| repeat.get("boundsPeriod"));
        events
            .chain(bounds)
            .filter_map(Self::of_element)
            .reduce(|outer, span| Self { from: outer.from.min(span.from), until: outer.until.max(span.until) })
    }

    fn of_days(first: NaiveDate, next: NaiveDate) -> Option<Self> {
        Some(Self { from: midnight(first), until: midnight(next) })
    }

    /// Parses `hh:mm[:ss[.f+]][zone]` on the day that begins at `midnight`.
    fn of_time(midnight: Micros, time: &str) -> Option<Self> {
        let clock_end = time.find(['Z', '+', '-']).unwrap_or(time.len());
        let (clock, zone) = time.split_at_checked(clock_end)?;
        let east = zone_offset(zone)?;
        let mut parts = clock.split(':');
        let hour = digits(parts.next()?, 2).filter(|hour| *hour < 24)?;
        let minute = digits(parts.next()?, 2).filter(|minute| *minute < 60)?;
        let (second, length) = match parts.next() {
            None => (0, MINUTE),
            Some(seconds) => {
                let (whole, fraction) =
                    seconds.split_once('.').map_or((seconds, None), |(whole, fraction)| (whole, Some(fraction)));
                let whole = digits(whole, 2).filter(|second| *second <= 60)?;
                let (part, length) = fraction.map_or(Some((0, SECOND)), fraction_of_second)?;
                (Micros::from(whole) * SECOND + part, length)
            }
        };
        if parts.next().is_some() {
            return None;
        }
        let from = midnight + Micros::from(hour) * 60 * MINUTE + Micros::from(minute) * MINUTE + second - east;
        Some(Self { from, until: from + length })
    }
}

/// Returns the fraction in microseconds, and the length of its last digit. Digits after the sixth are dropped.
fn fraction_of_second(digits: &str) -> Option<(Micros, Micros)> {
    if digits.len() > 20 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kept = digits.get(..6).unwrap_or(digits);
    let length = SECOND / 10_i64.pow(kept.len() as u32);
    Some((kept.parse::<Micros>().ok()? * length, length))
}

/// Returns the offset of a zone, in microseconds east of UTC: `Z`, nothing (UTC), or `±hh:mm` up to 14 hours.
fn zone_offset(zone: &str) -> Option<Micros> {
    if matches!(zone, "" | "Z") {
        return Some(0);
    }
    let (sign, rest) = match zone.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, zone.strip_prefix('-')?),
    };
    let (hours, minutes) = rest.split_once(':')?;
    let minutes = digits(hours, 2)? * 60 + digits(minutes, 2).filter(|minutes| *minutes < 60)?;
    (minutes <= 14 * 60).then(|| sign * Micros::from(minutes) * MINUTE)
}

fn midnight(date: NaiveDate) -> Micros {
    date.signed_duration_since(NaiveDate::default()).num_days() * 24 * 60 * MINUTE
}

/// Parses a number of exactly `width` ASCII digits.
fn digits(text: &str, width: usize) -> Option<u32> {
    (text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instant;
    use proptest::prelude::*;
    use serde_json::json;

    fn span(text: &str) -> Span {
        Span::parse(text).unwrap_or_else(|| panic!("{text} is a date"))
    }

    #[test]
    fn precision_is_a_range() {
        for (text, from, until) in [
            ("2019", "2019-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
            ("2020-02", "2020-02-01T00:00:00Z", "2020-03-01T00:00:00Z"),
            ("2019-12-31", "2019-12-31T00:00:00Z", "2020-01-01T00:00:00Z"),
            ("2020-05-01T10:30", "2020-05-01T10:30:00Z", "2020-05-01T10:31:00Z"),
            ("2020-05-01T10:30:07Z", "2020-05-01T10:30:07Z", "2020-05-01T10:30:08Z"),
            ("2020-05-01T10:30:07.5Z", "2020-05-01T10:30:07.500Z", "2020-05-01T10:30:07.600Z"),
        ] {
            assert_eq!(span(text), Span { from: span(from).from, until: span(until).from }, "{text}");
        }
    }

    #[test]
    fn fractions_are_cut_at_the_microsecond() {
        assert_eq!(span("2021-11-10T16:48:57.2469581Z"), span("2021-11-10T16:48:57.246958Z"));
        assert_eq!(span("1970-01-01T00:00:00.000001Z"), Span { from: 1, until: 2 });
    }

    #[test]
    fn zones_move_the_instant_and_no_zone_means_utc() {
        assert_eq!(span("2022-03-30T04:08:59+05:30"), span("2022-03-29T22:38:59Z"));
        assert_eq!(span("2022-03-30T04:08:59-05:00"), span("2022-03-30T09:08:59Z"));
        assert_eq!(span("2022-03-30T04:08:59"), span("2022-03-30T04:08:59Z"));
    }

    #[test]
    fn a_leap_second_belongs_to_the_next_minute() {
        assert_eq!(span("2015-06-30T23:59:60Z"), span("2015-07-01T00:00:00Z"));
    }

    #[test]
    fn a_text_that_is_no_date_has_no_span() {
        for bad in [
            "",
            "2024-13-01",
            "2024-02-30",
            "24-1-1",
            "ge",
            "now",
            "2024-1-1",
            "0000",
            "20240101",
            "2024-01-01T",
            "2024-01-01T10",
            "2024-01-01T24:00:00Z",
            "2024-01-01T10:60Z",
            "2024-01-01T10:00:61Z",
            "2024-01-01T10:00:00.Z",
            "2024-01-01T10:00:00ZZ",
            "2024-01-01T10:00:00+5:00",
            "2024-01-01T10:00:00+15:00",
            "2024-01T10:00:00Z",
            "2024-01-01-01",
            " 2024",
            "２０２４",
            "2024-01-01T10:00:00é",
            "around April 9, 2013",
        ] {
            assert_eq!(Span::parse(bad), None, "{bad}");
        }
        assert_eq!(Span::parse(&"9".repeat(5000)), None);
    }

    #[test]
    fn a_period_is_open_where_an_end_is_missing() {
        let of = |value| Span::of_element(&value);
        assert_eq!(of(json!({"start": "2012"})), Some(Span { from: span("2012").from, until: OPEN_END }));
        assert_eq!(of(json!({"end": "2012-05"})), Some(Span { from: OPEN_START, until: span("2012-05").until }));
        assert_eq!(of(json!({"extension": []})), None);
        assert_eq!(of(json!({"start": "soon"})), None);
    }

    #[test]
    fn a_period_has_its_place_at_its_start_or_else_at_its_end() {
        let sort_time = |value| Span::of_element(&value).map(Span::sort_time);
        assert_eq!(sort_time(json!({"start": "2012", "end": "2013"})), Some(span("2012").from));
        assert_eq!(sort_time(json!({"start": "2012"})), Some(span("2012").from));
        assert_eq!(sort_time(json!({"end": "2012-05"})), Some(span("2012-05").until - 1));
    }

    #[test]
    fn a_period_that_is_the_wrong_way_round_counts_by_its_start() {
        let of = |value| Span::of_element(&value);
        assert_eq!(of(json!({"start": "2012", "end": "2011-05"})), Some(span("2012")));
        let day = Span { from: span("2012-03-10").from, until: span("2012-03").until };
        assert_eq!(of(json!({"start": "2012-03-10", "end": "2012-03"})), Some(day));
    }

    #[test]
    fn a_timing_counts_by_its_outer_limits() {
        let timing = json!({"event": ["2020-03-01", "2020-01-01"], "repeat": {"boundsPeriod": {"end": "2020-06-01"}}});
        assert_eq!(Span::of_element(&timing), Some(Span { from: OPEN_START, until: span("2020-06-01").until }));
        let events = json!({"event": ["2020-03-01", "2020-01-01"]});
        assert_eq!(
            Span::of_element(&events),
            Some(Span { from: span("2020-01-01").from, until: span("2020-03-01").until })
        );
        assert_eq!(Span::of_element(&json!({"repeat": {"frequency": 1}})), None);
    }

    const DAY: Micros = 24 * 60 * MINUTE;

    /// Returns a time in the years 1 to 9999, at least a day from their ends, so that no zone leads out of them.
    fn time() -> impl Strategy<Value = Micros> {
        span("0001-01-02").from..span("9999-12-30").from
    }

    proptest! {
        #[test]
        fn an_instant_parses_to_what_it_prints(time in time()) {
            let from = time - time.rem_euclid(1_000);
            prop_assert_eq!(Span::parse(&instant(time)), Some(Span { from, until: from + 1_000 }));
        }

        #[test]
        fn a_time_lies_in_the_span_of_its_text_however_it_is_cut(time in time(), zone in -840_i64..=840) {
            let local = instant(time + zone * MINUTE);
            let zone = format!("{}{:02}:{:02}", if zone < 0 { '-' } else { '+' }, zone.abs() / 60, zone.abs() % 60);
            for (cut, length) in [(16, MINUTE), (19, SECOND), (20, 0), (21, SECOND / 10), (23, SECOND / 1_000)] {
                let span = Span::parse(&format!("{}{zone}", local.split_at(cut).0));
                // A point without digits after it is not a fraction.
                prop_assert_eq!(span.is_some(), cut != 20);
                if let Some(span) = span {
                    prop_assert!(span.from <= time && time < span.until && span.until - span.from == length);
                }
            }
            let utc = instant(time);
            let wider: Vec<_> = [10, 7, 4].iter().map(|cut| span(utc.split_at(*cut).0)).collect();
            prop_assert!(wider[0].from <= time && time < wider[0].until && wider[0].until - wider[0].from == DAY);
            for pair in wider.windows(2) {
                prop_assert!(pair[1].from <= pair[0].from && pair[0].until <= pair[1].until);
            }
        }

        #[test]
        fn a_parsed_span_has_a_length(text in "[0-9]{4}(-[0-9]{2}){0,2}(T[0-9]{2}:[0-9]{2}(:[0-6][0-9](\\.[0-9]{1,9})?)?(Z|[+-][01][0-9]:[0-9]{2})?)?|\\PC{0,30}") {
            prop_assert!(Span::parse(&text).is_none_or(|span| span.from < span.until));
        }
    }
}
