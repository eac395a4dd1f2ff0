//! Parameters of type date (<https://hl7.org/fhir/R4/search.html#date>), over date, dateTime, instant, Period and
//! Timing.
//!
//! A fact is a [`Span`]: the first instant of the time, and the first instant after it. Its index key is its start,
//! with a prefix for its [`Length`], and its end as the rest. A search for times that end after an instant therefore
//! reads only from the earliest start that a time of each length can have.

use serde_json::Value;

use super::{IndexKey, KeyRange, bad};
use crate::fhir::{Issue, Micros, Span, instant, quoted};
use crate::search::{Criterion, Fact, oldest_first};

/// A day, in microseconds.
pub const DAY: Micros = 24 * 60 * 60 * 1_000_000;
const MONTH: Micros = 32 * DAY;

/// A comparison with a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateCriterion {
    /// The time lies within this one.
    Within(Span),
    /// The time starts before this.
    StartsBefore(Micros),
    /// The time starts then or later.
    StartsFrom(Micros),
    /// The first instant after the time is later than this.
    EndsAfter(Micros),
    /// The first instant after the time is this or earlier.
    EndsBy(Micros),
}

impl DateCriterion {
    /// Returns whether a time satisfies it.
    pub(in crate::search) const fn holds(&self, span: &Span) -> bool {
        match self {
            Self::Within(within) => within.from <= span.from && span.until <= within.until,
            Self::StartsBefore(time) => span.from < *time,
            Self::StartsFrom(time) => span.from >= *time,
            Self::EndsAfter(time) => span.until > *time,
            Self::EndsBy(time) => span.until <= *time,
        }
    }

    /// The window of the times that satisfy it.
    pub(in crate::search) fn window(&self) -> DateWindow {
        let any = DateWindow::default();
        match self {
            Self::Within(span) => {
                DateWindow { from: Some(span.from), before: Some(span.until), by: Some(span.until), ..any }
            }
            Self::StartsBefore(time) => DateWindow { before: Some(*time), ..any },
            Self::StartsFrom(time) => DateWindow { from: Some(*time), ..any },
            Self::EndsAfter(time) => DateWindow { after: Some(*time), ..any },
            Self::EndsBy(time) => DateWindow { before: Some(*time), by: Some(*time), ..any },
        }
    }

    /// Describes it by a verb and an object.
    pub(in crate::search) fn words(&self) -> (&'static str, String) {
        match self {
            Self::Within(span) => ("lies within", range(span)),
            Self::StartsBefore(time) => ("starts before", point(*time)),
            Self::StartsFrom(time) => ("starts not before", point(*time)),
            Self::EndsAfter(time) => ("reaches beyond", point(*time)),
            Self::EndsBy(time) => ("ends before", point(*time)),
        }
    }
}

/// Adds the time of an element.
pub(super) fn facts(element: &Value, add: &mut dyn FnMut(Fact)) {
    if let Some(span) = Span::of_element(element) {
        add(Fact::Span(span));
    }
}

/// Parses a value: a date behind a prefix, by R4's rules for ranges (<https://hl7.org/fhir/R4/search.html#prefix>).
///
/// # Errors
/// If the date is malformed, or the prefix is unknown or not supported (`ap`).
pub(super) fn parse(raw: &str) -> Result<Vec<Criterion>, Issue> {
    use DateCriterion::{EndsAfter, EndsBy, StartsBefore, StartsFrom, Within};
    const FORMS: &str = "YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm[:ss[.fff]][Z|+hh:mm|-hh:mm], after eq, ne, gt, lt, ge, le, sa, eb or nothing";
    let prefixed = raw.get(..2).filter(|start| start.bytes().all(|byte| byte.is_ascii_lowercase()));
    let (prefix, written) = match prefixed {
        Some(prefix) => (prefix, raw.get(2..).unwrap_or_default()),
        None => ("eq", raw),
    };
    // A plus sign that was not encoded arrives as a space; no date has a space.
    let span =
        Span::parse(&written.replace(' ', "+")).ok_or_else(|| bad(format!("{} is not a date.", quoted(raw)), FORMS))?;
    let criteria = match prefix {
        "eq" => vec![Within(span)],
        "ne" => vec![StartsBefore(span.from), EndsAfter(span.until)],
        "gt" => vec![EndsAfter(span.until)],
        "lt" => vec![StartsBefore(span.from)],
        "ge" => vec![EndsAfter(span.until), Within(span)],
        "le" => vec![StartsBefore(span.from), Within(span)],
        "sa" => vec![StartsFrom(span.until)],
        "eb" => vec![EndsBy(span.from)],
        other => return Err(bad(format!("\"{other}\" is not a prefix that dates take here."), FORMS)),
    };
    Ok(criteria.into_iter().map(Criterion::Date).collect())
}

/// The index key of a time.
pub(super) fn key(span: &Span) -> IndexKey {
    let value = format!("{}{}", Length::of(span).mark(), oldest_first(Some(span.from)));
    IndexKey { value, rest: oldest_first(Some(span.until)) }
}

/// The length of a time, in classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// A day at most.
    Short,
    /// A month at most.
    Middle,
    /// Longer than a month.
    Long,
}

impl Length {
    /// From the shortest to the longest.
    pub const ALL: [Self; 3] = [Self::Short, Self::Middle, Self::Long];

    /// The length of a time.
    #[must_use]
    pub const fn of(span: &Span) -> Self {
        let length = span.until.saturating_sub(span.from);
        if length <= DAY {
            Self::Short
        } else if length <= MONTH {
            Self::Middle
        } else {
            Self::Long
        }
    }

    /// The prefix of the index keys of times of that length.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Short => "",
            Self::Middle => "~",
            Self::Long => "~~",
        }
    }

    /// The earliest start that a time of that length can have if it ends after `after`. `None` if there is no bound.
    const fn back_from(self, after: Micros) -> Option<Micros> {
        match self {
            Self::Short => Some(after.saturating_sub(DAY)),
            Self::Middle => Some(after.saturating_sub(MONTH)),
            Self::Long => None,
        }
    }
}

/// The bounds of a time that satisfies a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DateWindow {
    /// The earliest start, inclusive.
    pub from: Option<Micros>,
    /// The latest start, exclusive.
    pub before: Option<Micros>,
    /// The time ends later than this.
    pub after: Option<Micros>,
    /// The time ends by this.
    pub by: Option<Micros>,
}

/// The earlier of two times, either of which may be absent.
#[must_use]
pub fn earlier(one: Option<Micros>, other: Option<Micros>) -> Option<Micros> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl DateWindow {
    /// The intersection of two windows.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            from: self.from.max(other.from),
            before: earlier(self.before, other.before),
            after: self.after.max(other.after),
            by: earlier(self.by, other.by),
        }
    }

    /// Returns whether no time is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let crossed = |low: Option<Micros>, high: Option<Micros>| low.zip(high).is_some_and(|(low, high)| low >= high);
        crossed(self.from, self.before) || crossed(self.after, self.by)
    }

    /// The earliest start that a time of that length can have in the window.
    #[must_use]
    pub fn from(&self, length: Length) -> Option<Micros> {
        self.from.max(self.after.and_then(|after| length.back_from(after)))
    }

    /// The index keys of its times, one range for each length.
    #[must_use]
    pub fn ranges(&self) -> Vec<KeyRange> {
        let bound = |length: Length, time: Option<Micros>, open: &str| match time {
            Some(time) => format!("{}{}", length.mark(), oldest_first(Some(time))),
            None => format!("{}{open}", length.mark()),
        };
        let rest = |time: Option<Micros>| time.map(|time| oldest_first(Some(time)));
        // Coded times consist of hexadecimal digits, which sort before `~`.
        let range = |length: Length| KeyRange {
            from: bound(length, self.from(length), ""),
            until: bound(length, self.before, "~"),
            after: rest(self.after),
            by: rest(self.by),
            part: None,
        };
        Length::ALL.map(range).into()
    }
}

/// The lengths of an instant's text that end with its year, month, day, minute and second.
const PRECISIONS: [usize; 5] = [4, 7, 10, 16, 19];

/// Writes a range of time as the shortest date for it, if there is one.
fn range(span: &Span) -> String {
    let from = instant(span.from);
    let dates = PRECISIONS.iter().filter_map(|length| from.get(..*length));
    let shortest = dates.into_iter().find(|date| Span::parse(date) == Some(*span));
    shortest.map_or_else(|| format!("{} up to {}", point(span.from), point(span.until)), str::to_owned)
}

/// Writes a point in time, and at midnight the day alone.
fn point(time: Micros) -> String {
    let instant = instant(time);
    instant.strip_suffix("T00:00:00.000Z").map(str::to_owned).unwrap_or(instant)
}

#[cfg(test)]
mod tests {
    use super::super::tests::parsed;
    use crate::fhir::ResourceType as T;
    use crate::search::facts;

    #[test]
    fn comparators_follow_r4_on_ranges() {
        let holds = |raw: &str, element: serde_json::Value| {
            let found = facts(T::CarePlan, &serde_json::json!({"period": element}), &|_| None);
            let criteria = parsed(T::CarePlan, "date", raw).unwrap();
            found.iter().any(|(_, fact)| criteria.iter().any(|criterion| criterion.holds(fact)))
        };
        let year = || serde_json::json!({"start": "2020", "end": "2020"});
        let open = || serde_json::json!({"start": "2020-06-01"});
        for (raw, in_year, in_open) in [
            ("2020", true, false),
            ("eq2020-06", false, false),
            ("ne2020", false, true),
            ("gt2019", true, true),
            ("gt2020", false, true),
            ("gt2020-06", true, true),
            ("ge2020", true, true),
            ("ge2021", false, true),
            ("lt2020", false, false),
            ("lt2020-06", true, false),
            ("lt2021", true, true),
            ("le2020", true, false),
            ("le2020-06-01", true, false),
            ("sa2019", true, true),
            ("sa2020-06", false, false),
            ("eb2021", true, false),
            ("eb2020-12-31", false, false),
        ] {
            assert_eq!(holds(raw, year()), in_year, "{raw} of the year 2020");
            assert_eq!(holds(raw, open()), in_open, "{raw} of June 2020 onwards");
        }
    }

    #[test]
    fn an_unencoded_plus_in_a_date_is_a_plus() {
        assert_eq!(
            parsed(T::Observation, "date", "ge2024-01-01T00:00:00 05:00"),
            parsed(T::Observation, "date", "ge2024-01-01T00:00:00+05:00")
        );
    }

    #[test]
    fn bad_dates_are_refused() {
        let long = "9".repeat(5000);
        for raw in [
            "2024-13-01",
            "2024-02-30",
            "24-1-1",
            "ge",
            "gegt2024",
            "now",
            "ap2024",
            "GE2024",
            "é2024",
            "g",
            long.as_str(),
        ] {
            assert!(parsed(T::Observation, "date", raw).is_err(), "{raw}");
        }
    }
}
