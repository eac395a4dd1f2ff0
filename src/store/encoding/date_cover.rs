//! An index of dates by their years, for searches by a date together with another value: `birthdate=ge1950&name=ann`.
//!
//! The rows of one key are in the order of the answer. If a few keys hold nothing but matches, a page is read from the
//! beginning of each, however many rows they have. Each date is therefore stored under its year and under groups of 3,
//! 9, 27 and 81 years, so that few keys make up a range of years: seven from 1950 on. A range of many years with a part
//! of a year at an end reads the whole year, and compares each of its rows with the date. A range of few years reads
//! the part as a range of keys and sorts its rows, which are few for one year and one name. Keys down to the day would
//! triple the number of rows.
//!
//! A date that is a year (1950) or a month (1950-05) is in no group of years, because the searched range may begin or
//! end inside of it. All such dates are under one key, and each of its rows is compared with the date.

use chrono::{DateTime, Datelike, NaiveDate};

use super::pair::IndexKeys;
use crate::fhir::{Micros, OPEN_END, OPEN_START, Span};
use crate::search::kind::date::{DAY, DateWindow, Length, earlier};
use crate::search::oldest_first;

/// The first year that has a key. Earlier years count as this one.
const FIRST: i32 = 1850;
/// The year after the last one that has a key. This year and later ones count as the one before.
const LAST: i32 = FIRST + 243;
/// The numbers of years that keys hold. Each group lies within one of the next larger size.
const WIDTHS: [i32; 5] = [81, 27, 9, 3, 1];
/// The number of whole years from which on a part of a year is read as a whole year, since it is little in comparison.
const MANY: i32 = 9;
/// The key of dates that last longer than a day.
const IMPRECISE: &str = "~";

/// The keys under which a date is stored.
pub fn keys(date: &Span) -> Vec<String> {
    // A date within one day ends before a midnight if and only if it starts before it.
    if date.from.div_euclid(DAY) != date.until.saturating_sub(1).div_euclid(DAY) {
        return vec![IMPRECISE.to_owned()];
    }
    let year = year_of(date.from).min(LAST - 1);
    WIDTHS.iter().map(|width| group(year, *width)).chain([moment(date.from)]).collect()
}

/// The keys of all dates in one of several windows. If `exact` is true, all dates under a key are in a window, except
/// for those of unsure keys.
pub struct DateCover {
    /// The keys. Each date is under at most one of them.
    pub keys: Vec<IndexKeys>,
    /// True if the keys that are not unsure hold no other dates.
    pub exact: bool,
}

/// The keys of the dates in the windows.
pub fn cover(windows: &[DateWindow]) -> DateCover {
    let mut exact = true;
    let mut spans: Vec<(Micros, Micros)> = Vec::new();
    for window in windows {
        let is_midnight = |time: Option<Micros>| time.is_none_or(|time| time.rem_euclid(DAY) == 0);
        let at_midnight = is_midnight(window.after) && is_midnight(window.by);
        let from = if at_midnight { window.from.max(window.after) } else { window.from(Length::Short) };
        let (mut from, mut until) = (from.unwrap_or(OPEN_START), earlier(window.before, window.by).unwrap_or(OPEN_END));
        // The first and the last year also hold all dates beyond them.
        let is_inside = (from == OPEN_START || from > start_of(FIRST)) && (until == OPEN_END || until < start_of(LAST));
        exact &= at_midnight && is_inside;
        if from < until {
            spans.retain(|(other_from, other_until)| {
                let meets = *other_from <= until && from <= *other_until;
                if meets {
                    (from, until) = (from.min(*other_from), until.max(*other_until));
                }
                !meets
            });
            spans.push((from, until));
        }
    }
    let imprecise = IMPRECISE.to_owned();
    let mut keys = vec![IndexKeys::Unsure(imprecise)];
    for (from, until) in spans {
        add_years(from, until, &mut keys);
    }
    DateCover { keys, exact }
}

fn add_years(from: Micros, until: Micros, keys: &mut Vec<IndexKeys>) {
    let between = |from: Micros, until: Micros| IndexKeys::Between(moment(from), moment(until));
    let (first, last) = (year_of(from.saturating_sub(1)) + i32::from(from > start_of(FIRST)), year_of(until));
    if first >= last {
        return keys.push(between(from, until));
    }
    let part_of = |year: i32, from: Micros, until: Micros| {
        if last - first < MANY { between(from, until) } else { IndexKeys::Unsure(group(year, 1)) }
    };
    if from.max(start_of(FIRST)) < start_of(first) {
        keys.push(part_of(first - 1, from, start_of(first)));
    }
    let mut year = first;
    while year < last {
        let fits = |width: &&i32| (year - FIRST) % **width == 0 && year + **width <= last;
        let width = *WIDTHS.iter().find(fits).unwrap_or(&1);
        keys.push(IndexKeys::One(group(year, width)));
        year += width;
    }
    if start_of(last) < until.min(start_of(LAST)) {
        keys.push(part_of(last, start_of(last), until));
    }
}

fn group(year: i32, width: i32) -> String {
    format!("{width}.{}", (year - FIRST) / width)
}

/// A point in time as a key. The prefix tells it from the key of a group.
fn moment(time: Micros) -> String {
    format!("@{}", oldest_first(Some(time)))
}

/// The year of a time, from [`FIRST`] to [`LAST`].
fn year_of(time: Micros) -> i32 {
    let time = time.clamp(start_of(FIRST), start_of(LAST));
    DateTime::from_timestamp_micros(time).map_or(FIRST, |time| time.year())
}

fn start_of(year: i32) -> Micros {
    let midnight = NaiveDate::from_ymd_opt(year, 1, 1).and_then(|day| day.and_hms_opt(0, 0, 0));
    midnight.map_or(OPEN_START, |time| time.and_utc().timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Criterion, Handling, parse};
    use proptest::prelude::*;

    fn windows(asked: &str) -> Vec<DateWindow> {
        let parameters = [("birthdate".to_owned(), asked.to_owned())];
        let query = parse(crate::fhir::ResourceType::Patient, &parameters, Handling::Strict, "").unwrap();
        query.all[0].any.iter().filter_map(Criterion::window).collect()
    }

    fn covered(asked: &str) -> Vec<String> {
        let said = |keys: IndexKeys| match keys {
            IndexKeys::One(key) | IndexKeys::Unsure(key) => key,
            IndexKeys::Between(..) => "@".to_owned(),
        };
        cover(&windows(asked)).keys.into_iter().map(said).collect()
    }

    #[test]
    fn a_range_is_a_few_keys() {
        assert_eq!(covered("1968"), ["~", "1.118"]);
        assert_eq!(covered("1968-03-09"), ["~", "@"]);
        assert_eq!(covered("ge1950"), ["~", "1.100", "1.101", "3.34", "3.35", "27.4", "27.5", "81.2"]);
        assert_eq!(covered("ge1950-05-17"), ["~", "1.100", "1.101", "3.34", "3.35", "27.4", "27.5", "81.2"]);
        assert_eq!(covered("lt1931"), ["~", "81.0"]);
        assert_eq!(covered("gt2090-05"), ["~", "@", "1.241", "1.242"]);
        assert_eq!(covered("ge2400").len(), 2);
    }

    #[test]
    fn one_range_is_twenty_keys_at_most() {
        let ranges = (FIRST..LAST).flat_map(|from| (from..LAST).map(move |until| (from, until)));
        let most = ranges.map(|(from, until)| {
            let window = DateWindow {
                from: Some(start_of(from) + 1),
                before: Some(start_of(until) + 1),
                ..DateWindow::default()
            };
            cover(&[window]).keys.len()
        });
        assert_eq!(most.max(), Some(20));
    }

    proptest! {
        #[test]
        fn every_match_is_under_a_key_of_the_cover(
            (year, month, day) in (1700i32..2200, 1u32..13, 1u32..29), precision in 0usize..4,
            (other, at, on) in (1700i32..2200, 1u32..13, 1u32..29), asked_precision in 0usize..4,
            prefix in prop::sample::select(vec!["", "ne", "gt", "lt", "ge", "le", "sa", "eb"]),
        ) {
            let cut = |text: String, precision: usize| text.get(..[4, 7, 10, 20][precision]).unwrap().to_owned();
            let date = Span::parse(&cut(format!("{year:04}-{month:02}-{day:02}T12:00:00Z"), precision)).unwrap();
            let asked = format!("{prefix}{}", cut(format!("{other:04}-{at:02}-{on:02}T00:00:00Z"), asked_precision));
            let parameters = [("birthdate".to_owned(), asked.clone())];
            let query = parse(crate::fhir::ResourceType::Patient, &parameters, Handling::Strict, "").unwrap();
            let fact = crate::search::Fact::Span(date);
            let holds = query.all[0].any.iter().any(|criterion: &Criterion| criterion.holds(&fact));
            let cover = cover(&windows(&asked));
            let found: Vec<_> = cover.keys.iter().filter(|of_cover| keys(&date).iter().any(|key| match of_cover {
                IndexKeys::One(one) | IndexKeys::Unsure(one) => one == key,
                IndexKeys::Between(from, until) => from <= key && key < until,
            })).collect();
            prop_assert!(!found.is_empty() || !holds, "{asked} {date:?}");
            let is_sure = cover.exact && found.iter().any(|keys| !matches!(keys, IndexKeys::Unsure(_)));
            prop_assert!(holds || !is_sure, "{asked} {date:?}");
        }
    }
}
