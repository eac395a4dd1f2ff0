//! Windows of time: the bounds of the times that satisfy a criterion, and the ranges of their index keys.

use super::index::KeyRange;
use crate::sort_key::oldest_first;
use fhir::{Micros, Span};

/// A day, in microseconds.
pub const DAY: Micros = 24 * 60 * 60 * 1_000_000;
const MONTH: Micros = 32 * DAY;
/// The length of a year, in microseconds.
pub const YEAR: Micros = 366 * DAY;

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
fn earlier(one: Option<Micros>, other: Option<Micros>) -> Option<Micros> {
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

    /// The time within which the times of a day at most start that are in the window. `None` if it is open.
    #[must_use]
    pub fn length(&self) -> Option<Micros> {
        let (from, until) = (self.from(Length::Short)?, earlier(self.before, self.by)?);
        Some(until.saturating_sub(from))
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
