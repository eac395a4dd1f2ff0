//! Requests for a range of a body (RFC 9110, section 14).

use std::ops::Range;

/// What a request asks of a body of some length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskedRange {
    /// The whole body: there is no range, or one that this server ignores, such as several.
    Whole,
    /// This range of its bytes, which is not empty.
    Part(Range<u64>),
    /// A range behind its end.
    Unsatisfiable,
}

/// The range that the headers ask for, of a body of that length and with that strong tag. Of `If-Range` only an equal
/// tag counts, since there is no date.
#[must_use]
pub fn asked_range(range: Option<&str>, if_range: Option<&str>, tag: &str, length: u64) -> AskedRange {
    let Some(range) = range.filter(|_| if_range.is_none_or(|known| known.trim() == tag)) else {
        return AskedRange::Whole;
    };
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<u64>().unwrap_or(u64::MAX))
    };
    let unit = range.trim().split_once('=').filter(|(unit, _)| unit.trim().eq_ignore_ascii_case("bytes"));
    let Some((first, last)) = unit.and_then(|(_, range)| range.trim().split_once('-')) else {
        return AskedRange::Whole;
    };
    let (start, end) = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => (first, last.saturating_add(1).min(length)),
        (Some(first), None) if last.is_empty() => (first, length),
        (None, Some(last)) if first.is_empty() => {
            (if last == 0 { length } else { length.saturating_sub(last) }, length)
        }
        _ => return AskedRange::Whole,
    };
    if start < end { AskedRange::Part(start..end) } else { AskedRange::Unsatisfiable }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_at_the_end_of_the_body() {
        for (range, expected) in [
            ("bytes=0-99", AskedRange::Part(0..100)),
            ("bytes=0-0", AskedRange::Part(0..1)),
            ("Bytes = 990-2000", AskedRange::Part(990..1_000)),
            ("bytes=5-", AskedRange::Part(5..1_000)),
            ("bytes=-5", AskedRange::Part(995..1_000)),
            ("bytes=-5000", AskedRange::Part(0..1_000)),
            ("bytes=0-99999999999999999999999", AskedRange::Part(0..1_000)),
            ("bytes=1000-", AskedRange::Unsatisfiable),
            ("bytes=1000-1001", AskedRange::Unsatisfiable),
            ("bytes=99999999999999999999999-", AskedRange::Unsatisfiable),
            ("bytes=-0", AskedRange::Unsatisfiable),
            ("bytes=5-4", AskedRange::Whole),
            ("bytes=0-1,3-4", AskedRange::Whole),
            ("bytes=-", AskedRange::Whole),
            ("bytes=a-b", AskedRange::Whole),
            ("bytes=+1-2", AskedRange::Whole),
            ("lines=0-1", AskedRange::Whole),
            ("", AskedRange::Whole),
        ] {
            assert_eq!(asked_range(Some(range), None, "\"t\"", 1_000), expected, "{range}");
        }
        assert_eq!(asked_range(None, None, "\"t\"", 1_000), AskedRange::Whole);
        assert_eq!(asked_range(Some("bytes=0-"), None, "\"t\"", 0), AskedRange::Unsatisfiable);
    }

    #[test]
    fn a_range_of_another_version_is_the_whole_body() {
        let asked = |if_range| asked_range(Some("bytes=0-1"), Some(if_range), "\"t\"", 10);
        assert_eq!(asked("\"t\""), AskedRange::Part(0..2));
        for other in ["\"u\"", "W/\"t\"", "Thu, 29 Feb 2024 15:00:00 GMT", ""] {
            assert_eq!(asked(other), AskedRange::Whole, "{other}");
        }
    }
}
