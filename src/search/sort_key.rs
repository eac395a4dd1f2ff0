//! The order of answers (docs/decisions/search.md#default-order), as text that any store can sort by: newest first
//! by the resource's own clinical date, undated last, then by id.

use fhir::{Id, Micros};

/// Hexadecimal digits of a coded time.
const WIDTH: usize = 15;
/// Added to a time to make it positive: FHIR's years 1 to 9999 lie within ±2^58 microseconds of 1970.
const ZERO: i64 = 1 << 58;
/// The largest coded time.
const TOP: i64 = (1 << 59) - 1;

/// The code for no date. It sorts after every time in both directions.
pub const UNDATED: &str = "fffffffffffffff";

/// Writes a time as text that sorts the latest time first. No time sorts last.
pub fn newest_first(time: Option<Micros>) -> String {
    code(time.map(|time| TOP - shifted(time)))
}

/// Writes a time as text that sorts the earliest time first. No time sorts last.
pub fn oldest_first(time: Option<Micros>) -> String {
    code(time.map(shifted))
}

/// Returns the time that [`oldest_first`] wrote as this text. `None` for any other text, and for the text of no time.
pub fn time_of(text: &str) -> Option<Micros> {
    let shifted =
        Some(text).filter(|text| text.len() == WIDTH && text.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    i64::from_str_radix(shifted, 16).ok().filter(|shifted| (0..=TOP).contains(shifted)).map(|shifted| shifted - ZERO)
}

fn shifted(time: Micros) -> i64 {
    time.saturating_add(ZERO).clamp(0, TOP)
}

fn code(shifted: Option<i64>) -> String {
    let Some(value) = shifted else { return UNDATED.to_owned() };
    let mut text = String::with_capacity(WIDTH);
    for digit in (0..WIDTH).rev() {
        text.push(char::from_digit((value >> (4 * digit)) as u32 & 0xf, 16).unwrap_or_default());
    }
    text
}

/// The position of a resource in the order of its type: its coded time, then its id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortKey(String);

impl SortKey {
    /// The offset of the id in the text of a sort key.
    pub const ID_AT: usize = WIDTH;

    /// Creates the sort key of a resource from its clinical date ([`fhir::Span::sort_time`]) and its id.
    pub fn new(time: Option<Micros>, id: &Id) -> Self {
        Self(newest_first(time) + id.as_str())
    }

    /// Returns a sort key from its text in a store.
    pub const fn from_text(text: String) -> Self {
        Self(text)
    }

    /// Returns the coded time in the text of a sort key, as a number.
    pub fn time_in(text: &str) -> u64 {
        text.get(..WIDTH).and_then(|code| u64::from_str_radix(code, 16).ok()).unwrap_or_default()
    }

    /// Appends a coded time to the text of a sort key. `None` if the number is too large.
    pub fn write_time(time: u64, text: &mut String) -> Option<()> {
        use std::fmt::Write;
        if time >> (4 * WIDTH) > 0 {
            return None;
        }
        write!(text, "{time:0WIDTH$x}").ok()
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::Span;

    #[test]
    fn the_text_sorts_as_the_times_do() {
        let times =
            ["0001", "1969-12-31T23:59:59.999999Z", "1970", "2024-01-01", "2024-01-01T00:00:00.000001Z", "9999-12-31"];
        let starts: Vec<_> = times.iter().map(|text| Span::parse(text).map(|span| span.from)).collect();
        for pair in starts.windows(2) {
            assert!(oldest_first(pair[0]) < oldest_first(pair[1]));
            assert!(newest_first(pair[0]) > newest_first(pair[1]));
        }
        for start in starts {
            assert!(oldest_first(start).as_str() < UNDATED && newest_first(start).as_str() < UNDATED);
            assert_eq!(newest_first(start).len(), WIDTH);
        }
    }

    #[test]
    fn a_time_is_read_from_its_text() {
        for time in [-1, 0, 1_764_115_200_123_456, 1 - ZERO] {
            assert_eq!(time_of(&oldest_first(Some(time))), Some(time));
        }
        for other in [UNDATED, "", "0", "-00000000000001", "+00000000000001", "00000000000000g", "ééééééé0"] {
            assert!(time_of(other).is_none_or(|time| oldest_first(Some(time)) == other), "{other}");
        }
        assert_eq!((time_of(UNDATED), time_of("0")), (None, None));
    }

    #[test]
    fn equal_times_are_ordered_by_id() {
        let id = |text| Id::parse(text).unwrap();
        assert!(SortKey::new(None, &id("a")) < SortKey::new(None, &id("b")));
        assert!(SortKey::new(Some(5), &id("z")) < SortKey::new(None, &id("a")));
    }
}
