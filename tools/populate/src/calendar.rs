//! Days, and times of day in the zone of the clinics.

use chrono::{Datelike, NaiveDate, TimeDelta};

pub(super) type Day = NaiveDate;

/// The day on which every record ends. It does not depend on the clock, so that the same seed gives the same bytes.
pub(super) const TODAY: Day = day(2026, 9, 30);

/// A day of the calendar.
pub(super) const fn day(year: i32, month: u32, day: u32) -> Day {
    match NaiveDate::from_ymd_opt(year, month, day) {
        Some(day) => day,
        None => NaiveDate::MIN,
    }
}

pub(super) fn plus_days(day: Day, days: i64) -> Day {
    day.checked_add_signed(TimeDelta::days(days)).unwrap_or(day)
}

/// Full years between two days.
pub(super) fn years(from: Day, to: Day) -> i64 {
    to.years_since(from).map_or(0, i64::from)
}

/// A minute of a day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) day: Day,
    pub(super) minute: u32,
}

impl Moment {
    pub(super) fn plus(self, minutes: u32) -> Self {
        let minute = self.minute + minutes;
        Self { day: plus_days(self.day, i64::from(minute / 1440)), minute: minute % 1440 }
    }

    /// A dateTime, in New York's time. Summer time is counted by whole months, from April to October.
    pub(super) fn text(self) -> String {
        let zone = if (4..=10).contains(&self.day.month()) { "-04:00" } else { "-05:00" };
        format!("{}T{:02}:{:02}:00{zone}", self.day, self.minute / 60, self.minute % 60)
    }

    /// The instant of the nightly export that follows.
    pub(super) fn exported(self) -> String {
        format!("{}T07:00:00.000Z", plus_days(self.day, 1))
    }
}
