//! Windows of time: the bounds of the times that satisfy a criterion, and the ranges of their index keys.

use super::index::KeyRange;
use crate::sort_key::oldest_first;
use fhir::{Micros, Span};

/// A day, in microseconds.
pub const DAY: Micros = 24 * 60 * 60 * 1_000_000;
const MONTH: Micros = 32 * DAY;
/// The length of a year, in microseconds.
pub const YEAR: Micros = 366 * DAY;

/// The length of a time, as a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// At most a day.
    Short,
    /// At most a month.
    Middle,
    /// Longer than a month.
    Long,
}

impl Length {
    /// From the shortest to the longest.
    pub const ALL: [Self; 3] = [Self::Short, Self::Middle, Self::Long];

    /// Returns the length of a time.
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

    /// Returns the prefix of the index keys of times with that length.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Short => "",
            Self::Middle => "~",
            Self::Long => "~~",
        }
    }

    /// Returns the earliest possible start of a time of that length that ends after `after`. `None` if unbounded.
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
    /// The time ends later than this instant.
    pub after: Option<Micros>,
    /// The time ends at this instant or earlier.
    pub by: Option<Micros>,
}

/// Returns the earlier of two times, either of which may be absent.
fn earlier(one: Option<Micros>, other: Option<Micros>) -> Option<Micros> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl DateWindow {
    /// Returns the intersection of two windows.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            from: self.from.max(other.from),
            before: earlier(self.before, other.before),
            after: self.after.max(other.after),
            by: earlier(self.by, other.by),
        }
    }

    /// Returns whether the window contains no time.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let crossed = |low: Option<Micros>, high: Option<Micros>| low.zip(high).is_some_and(|(low, high)| low >= high);
        crossed(self.from, self.before) || crossed(self.after, self.by)
    }

    /// Returns the earliest possible start of a time of that length in the window.
    pub fn from(&self, length: Length) -> Option<Micros> {
        self.from.max(self.after.and_then(|after| length.back_from(after)))
    }

    /// Returns the length of the range in which the times of at most a day in the window start. `None` if open-ended.
    pub fn length(&self) -> Option<Micros> {
        let (from, until) = (self.from(Length::Short)?, earlier(self.before, self.by)?);
        Some(until.saturating_sub(from))
    }

    /// Returns the index keys of the times in the window, as one range for each length.
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
