//! Parameters of type date (<https://hl7.org/fhir/R4/search.html#date>), over date, dateTime, instant, Period and
//! Timing.
//!
//! A fact is a [`Span`]: the first instant of the time, and the first instant after it. Its index key is its start,
//! with a prefix for its [`Length`], and its end as the rest. A search for times that end after an instant therefore
//! reads only from the earliest start that a time of each length can have.

use serde_json::Value;

use super::date_window::{DateWindow, Length};
use super::element::{malformed, prefixed};
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::IndexKey;
use crate::sort_key::oldest_first;
use crate::sort_value::SortValue;
use fhir::{Issue, Micros, Span, instant, quoted};

/// The kind of parameters over a date, dateTime, instant, Period or Timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dates;

impl ParamKind for Dates {
    type Value = Span;
    type Comparison = DateCriterion;

    fn values(&self, element: &Value, add: &mut dyn FnMut(Span)) {
        Span::of_element(element).into_iter().for_each(add);
    }

    /// Parses a date after a prefix, by R4's rules for ranges (<https://hl7.org/fhir/R4/search.html#prefix>).
    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<DateCriterion>, Issue> {
        use DateCriterion::{EndsAfter, EndsBy, Overlaps, StartsBefore, StartsFrom, Within};
        const FORMS: &str = "YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm[:ss[.fff]][Z|+hh:mm|-hh:mm], after eq, ne, gt, lt, ge, le, sa, eb, ap or nothing";
        let raw = value.text;
        let (prefix, written) = prefixed(raw);
        // A plus sign that was not encoded arrives as a space; no date has a space.
        let span = Span::parse(&written.replace(' ', "+"))
            .ok_or_else(|| malformed(format!("{} is not a date.", quoted(raw)), FORMS))?;
        Ok(Comparisons::OneOf(match prefix {
            "eq" => vec![Within(span)],
            "ne" => vec![StartsBefore(span.from), EndsAfter(span.until)],
            "gt" => vec![EndsAfter(span.until)],
            "lt" => vec![StartsBefore(span.from)],
            "ge" => vec![EndsAfter(span.until), Within(span)],
            "le" => vec![StartsBefore(span.from), Within(span)],
            "sa" => vec![StartsFrom(span.until)],
            "eb" => vec![EndsBy(span.from)],
            "ap" => vec![Overlaps(around(span, value.now))],
            other => return Err(malformed(format!("\"{other}\" is not a prefix that dates take here."), FORMS)),
        }))
    }

    fn keys(&self, span: &Span) -> Vec<IndexKey> {
        let value = format!("{}{}", Length::of(span).mark(), oldest_first(Some(span.from)));
        vec![IndexKey { value, rest: oldest_first(Some(span.until)) }]
    }
}

/// Returns the times that are approximately in a span. R4 recommends a margin, on either side, of a tenth of the time
/// between the span and the present. That time is measured to the nearer end of the span.
const fn around(span: Span, now: Micros) -> Span {
    let distance = if now < span.from { span.from.saturating_sub(now) } else { now.saturating_sub(span.until) };
    let margin = if distance > 0 { distance / 10 } else { 0 };
    Span { from: span.from.saturating_sub(margin), until: span.until.saturating_add(margin) }
}

impl FactValue for Span {
    fn text(&self) -> String {
        format!("{} {}", self.from, self.until)
    }

    /// Returns the start, or the end of a Period without a start.
    fn sort_value(&self) -> SortValue {
        SortValue::Time(self.sort_time())
    }
}

/// A comparison with a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DateCriterion {
    /// The time lies within this one.
    Within(Span),
    /// The time has an instant in common with this one. Whether it does depends on the moment of the search.
    Overlaps(Span),
    /// The time starts before this.
    StartsBefore(Micros),
    /// The time starts at this instant or later.
    StartsFrom(Micros),
    /// The first instant after the time is later than this.
    EndsAfter(Micros),
    /// The first instant after the time is this one or earlier.
    EndsBy(Micros),
}

impl Comparison for DateCriterion {
    type Value = Span;

    fn holds(&self, span: &Span) -> bool {
        match self {
            Self::Within(within) => within.from <= span.from && span.until <= within.until,
            Self::Overlaps(other) => span.from < other.until && span.until > other.from,
            Self::StartsBefore(time) => span.from < *time,
            Self::StartsFrom(time) => span.from >= *time,
            Self::EndsAfter(time) => span.until > *time,
            Self::EndsBy(time) => span.until <= *time,
        }
    }

    fn words(&self) -> Phrase {
        match self {
            Self::Within(span) => ("lies within", range(span)),
            Self::Overlaps(span) => ("overlaps", range(span)),
            Self::StartsBefore(time) => ("starts before", point(*time)),
            Self::StartsFrom(time) => ("starts not before", point(*time)),
            Self::EndsAfter(time) => ("reaches beyond", point(*time)),
            Self::EndsBy(time) => ("ends before", point(*time)),
        }
    }
}

impl DateCriterion {
    /// Returns the bounds of the times that satisfy the comparison.
    pub(super) fn window(&self) -> DateWindow {
        let any = DateWindow::default();
        match self {
            Self::Within(span) => {
                DateWindow { from: Some(span.from), before: Some(span.until), by: Some(span.until), ..any }
            }
            Self::Overlaps(span) => DateWindow { before: Some(span.until), after: Some(span.from), ..any },
            Self::StartsBefore(time) => DateWindow { before: Some(*time), ..any },
            Self::StartsFrom(time) => DateWindow { from: Some(*time), ..any },
            Self::EndsAfter(time) => DateWindow { after: Some(*time), ..any },
            Self::EndsBy(time) => DateWindow { before: Some(*time), by: Some(*time), ..any },
        }
    }

    /// Returns whether the comparison depends on the moment of the search.
    pub(super) const fn is_relative(&self) -> bool {
        matches!(self, Self::Overlaps(_))
    }

    /// Describes two criteria, one of which must hold, as the single comparison that a query wrote: `ge` or `le`.
    pub(super) fn words_of_two(&self, other: &Self) -> Option<Phrase> {
        match (self, other) {
            (Self::EndsAfter(time), Self::Within(span)) if *time == span.until => Some(("is on or after", range(span))),
            (Self::StartsBefore(time), Self::Within(span)) if *time == span.from => {
                Some(("is on or before", range(span)))
            }
            _ => None,
        }
    }
}

/// The lengths of an instant's text that end with its year, month, day, minute and second.
const PRECISIONS: [usize; 5] = [4, 7, 10, 16, 19];

/// Writes a range of time as the shortest date that denotes it, if there is one.
fn range(span: &Span) -> String {
    let from = instant(span.from);
    let dates = PRECISIONS.iter().filter_map(|length| from.get(..*length));
    let shortest = dates.into_iter().find(|date| Span::parse(date) == Some(*span));
    shortest.map_or_else(|| format!("{} up to {}", point(span.from), point(span.until)), str::to_owned)
}

/// Writes a point in time. At midnight, it writes only the day.
fn point(time: Micros) -> String {
    let instant = instant(time);
    instant.strip_suffix("T00:00:00.000Z").map(str::to_owned).unwrap_or(instant)
}

#[cfg(test)]
mod tests {
    use super::super::tests::parsed;
    use fhir::{ResourceType as T, Span, instant};

    #[test]
    fn approximately_is_a_tenth_of_the_time_to_the_present() {
        let day = |text: &str| Span::parse(text).unwrap();
        let around = |text: &str, now: &str| {
            let Span { from, until } = super::around(day(text), day(now).from);
            [from, until].map(|time| instant(time).split_once('T').unwrap().0.to_owned())
        };
        assert_eq!(around("2024-03-11", "2024-06-20"), ["2024-03-01", "2024-03-22"]);
        assert_eq!(around("2024-06-20", "2024-03-12"), ["2024-06-10", "2024-07-01"]);
        assert_eq!(around("2024", "2024-06-20"), ["2024-01-01", "2025-01-01"]);
        assert_eq!(around("2024", "2024-01-01"), ["2024-01-01", "2025-01-01"]);
        assert_eq!(around("2024", "2025-01-01"), ["2024-01-01", "2025-01-01"]);

        let [criterion] = parsed(T::Observation, "date", "ap1970-01-11").unwrap().try_into().unwrap();
        let holds = |text: &str| criterion.holds(&day(text).into());
        // The search is ten days before the date, so that the margin is a day.
        assert_eq!(["1970-01-09", "1970-01-10", "1970-01-12", "1970-01-13"].map(holds), [false, true, true, false]);
        assert!(holds("1970") && criterion.is_relative());
    }
}
