//! Intervals of numbers, the common form of numbers and quantities. A number is an interval that contains only itself.
//! A Range is one between its ends. A Quantity with a comparator is one with a single end.
//!
//! The precision of a stored number has no effect (docs/decisions/search.md#numbers-and-quantities). In a comparison
//! for equality, a number of a search stands for all numbers that round to it
//! (<https://hl7.org/fhir/R4/search.html#number>).

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::form::Phrase;
use super::index::{IndexKey, KeyRange};
use crate::sort_value::SortValue;
use fhir::{Decimal, WideDecimal, WrittenDecimal};

/// The numbers between two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The lower end. `None` if the interval is unbounded below.
    low: Option<Decimal>,
    /// The upper end. `None` if the interval is unbounded above.
    high: Option<Decimal>,
    /// True if the interval does not contain its ends.
    is_open: bool,
}

impl Interval {
    /// Returns the interval of one number.
    pub const fn point(number: Decimal) -> Self {
        Self { low: Some(number), high: Some(number), is_open: false }
    }

    /// Returns the numbers of a Range. `None` if it has no ends, or if it ends before it begins.
    pub fn range(low: Option<Decimal>, high: Option<Decimal>) -> Option<Self> {
        let ends = low.map(WideDecimal::from).zip(high.map(WideDecimal::from));
        let is_range = ends.map_or(low.is_some() || high.is_some(), |(low, high)| low <= high);
        is_range.then_some(Self { low, high, is_open: false })
    }

    /// Returns the numbers of a value after a comparator
    /// (<https://hl7.org/fhir/R4/valueset-quantity-comparator.html>). `None` if there is no such comparator.
    pub fn from_comparator(comparator: &str, value: Decimal) -> Option<Self> {
        let (low, high, is_open) = match comparator {
            "<" => (None, Some(value), true),
            "<=" => (None, Some(value), false),
            ">=" => (Some(value), None, false),
            ">" => (Some(value), None, true),
            _ => return None,
        };
        Some(Self { low, high, is_open })
    }

    /// Returns the ends, for comparisons.
    pub fn ends(&self) -> Ends {
        let Self { low, high, is_open } = *self;
        Ends { low: low.map(WideDecimal::from), high: high.map(WideDecimal::from), is_open }
    }

    /// Returns a text that is unique to this interval.
    pub fn written(&self) -> String {
        let end = |end: Option<Decimal>| end.map_or_else(String::new, |end| end.to_string());
        [end(self.low), end(self.high)].join(if self.is_open { "<" } else { ".." })
    }
}

/// The stored form of an [`Interval`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StoredInterval {
    /// One number.
    Point(Decimal),
    /// The lower end, the upper end, and true if the interval does not contain them.
    Between(Option<Decimal>, Option<Decimal>, bool),
}

impl From<Interval> for StoredInterval {
    fn from(Interval { low, high, is_open }: Interval) -> Self {
        match low.filter(|low| high == Some(*low) && !is_open) {
            Some(number) => Self::Point(number),
            None => Self::Between(low, high, is_open),
        }
    }
}

impl From<StoredInterval> for Interval {
    fn from(stored: StoredInterval) -> Self {
        match stored {
            StoredInterval::Point(number) => Self::point(number),
            StoredInterval::Between(low, high, is_open) => Self { low, high, is_open },
        }
    }
}

/// A conversion of numbers to another unit, which keeps their order. `None` means that the result has too many digits.
pub type Conversion<'a> = &'a dyn Fn(WideDecimal) -> Option<WideDecimal>;

/// The ends of an interval, for comparing them.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    low: Option<WideDecimal>,
    high: Option<WideDecimal>,
    is_open: bool,
}

impl Ends {
    /// Returns the ends, converted. `None` if `convert` fails for one of them.
    pub fn converted(&self, convert: Conversion<'_>) -> Option<Self> {
        let end = |end: Option<WideDecimal>| end.map_or(Some(None), |end| convert(end).map(Some));
        Some(Self { low: end(self.low)?, high: end(self.high)?, is_open: self.is_open })
    }

    /// Returns the lower end, else the upper end, as the value to sort by.
    pub fn sort_value(&self) -> SortValue {
        SortValue::Text(self.low.or(self.high).map_or_else(String::new, |end| coded(end, Side::At)))
    }

    /// Compares the least number with another number. An excluded lower end counts as greater than its number.
    fn low(&self, number: WideDecimal) -> Ordering {
        let beyond = if self.is_open { Ordering::Greater } else { Ordering::Equal };
        self.low.map_or(Ordering::Less, |low| low.cmp(&number).then(beyond))
    }

    /// Compares the greatest number with another number. An excluded upper end counts as less than its number.
    fn high(&self, number: WideDecimal) -> Ordering {
        let before = if self.is_open { Ordering::Less } else { Ordering::Equal };
        self.high.map_or(Ordering::Greater, |high| high.cmp(&number).then(before))
    }

    /// Returns the index key after `prefix`: the lower end, with the upper end as the rest.
    pub fn key(&self, prefix: &str) -> IndexKey {
        let (beyond, before) = if self.is_open { (Side::After, Side::Before) } else { (Side::At, Side::At) };
        let low = self.low.map_or_else(String::new, |low| coded(low, beyond));
        IndexKey {
            value: [prefix, &low].concat(),
            rest: self.high.map_or_else(|| NO_END.to_owned(), |high| coded(high, before)),
        }
    }
}

/// A comparison with an interval, by R4's rules for ranges (<https://hl7.org/fhir/R4/search.html#prefix>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberCriterion {
    /// The interval lies between these numbers. The range excludes the second one.
    Within(WideDecimal, WideDecimal),
    /// The interval contains a number between these.
    Overlaps(WideDecimal, WideDecimal),
    /// The interval consists of this number.
    Is(WideDecimal),
    /// The interval contains a number less than this.
    Less(WideDecimal),
    /// The interval contains a number greater than this.
    Greater(WideDecimal),
    /// The interval contains this number or a greater one.
    AtLeast(WideDecimal),
    /// All numbers of the interval are greater than this.
    Above(WideDecimal),
    /// All numbers of the interval are less than this.
    Below(WideDecimal),
}

/// The prefixes that numbers accept, for a hint.
pub const PREFIXES: &str = "after eq, ne, gt, lt, ge, le, sa, eb, ap or nothing";

impl NumberCriterion {
    /// Returns the comparisons for a number after a prefix, one of which must hold. `None` if the prefix is unknown.
    pub fn of(prefix: &str, WrittenDecimal { value, from, until }: WrittenDecimal) -> Option<Vec<Self>> {
        Some(match prefix {
            "eq" => vec![Self::Within(from, until)],
            "ne" => vec![Self::Less(from), Self::AtLeast(until)],
            "gt" => vec![Self::Greater(value)],
            "lt" => vec![Self::Less(value)],
            "ge" => vec![Self::Greater(value), Self::Is(value)],
            "le" => vec![Self::Less(value), Self::Is(value)],
            "sa" => vec![Self::Above(value)],
            "eb" => vec![Self::Below(value)],
            "ap" => {
                let tenth = value.magnitude().times(WideDecimal::new(1, -1))?;
                vec![Self::Overlaps(value.plus(tenth.negated())?, value.plus(tenth)?)]
            }
            _ => return None,
        })
    }

    /// Returns the comparison with its numbers converted. `None` if `convert` fails for one of them.
    pub fn converted(self, convert: Conversion<'_>) -> Option<Self> {
        Some(match self {
            Self::Within(from, until) => Self::Within(convert(from)?, convert(until)?),
            Self::Overlaps(from, until) => Self::Overlaps(convert(from)?, convert(until)?),
            Self::Is(number) => Self::Is(convert(number)?),
            Self::Less(number) => Self::Less(convert(number)?),
            Self::Greater(number) => Self::Greater(convert(number)?),
            Self::AtLeast(number) => Self::AtLeast(convert(number)?),
            Self::Above(number) => Self::Above(convert(number)?),
            Self::Below(number) => Self::Below(convert(number)?),
        })
    }

    /// Returns whether an interval with these ends satisfies the comparison.
    pub fn holds_between(&self, ends: &Ends) -> bool {
        match *self {
            Self::Within(from, until) => ends.low(from).is_ge() && ends.high(until).is_lt(),
            Self::Overlaps(from, until) => ends.high(from).is_ge() && ends.low(until).is_le(),
            Self::Is(number) => ends.low(number).is_eq() && ends.high(number).is_eq(),
            Self::Less(number) => ends.low(number).is_lt(),
            Self::Greater(number) => ends.high(number).is_gt(),
            Self::AtLeast(number) => ends.high(number).is_ge(),
            Self::Above(number) => ends.low(number).is_gt(),
            Self::Below(number) => ends.high(number).is_lt(),
        }
    }

    /// Returns the index keys, after `prefix`, of the intervals that satisfy the comparison.
    pub fn keys(&self, prefix: &str) -> KeyRange {
        let at = |number: WideDecimal, side: Side| [prefix, &coded(number, side)].concat();
        let all = KeyRange::from(prefix.to_owned());
        match *self {
            Self::Within(from, until) => KeyRange {
                from: at(from, Side::At),
                until: at(until, Side::At),
                by: Some(coded(until, Side::Before)),
                ..all
            },
            Self::Overlaps(from, until) => {
                KeyRange { until: at(until, Side::After), after: Some(coded(from, Side::Before)), ..all }
            }
            Self::Is(number) => KeyRange {
                from: at(number, Side::At),
                until: at(number, Side::After),
                by: Some(coded(number, Side::At)),
                ..all
            },
            Self::Less(number) => KeyRange { until: at(number, Side::At), ..all },
            Self::Greater(number) => KeyRange { after: Some(coded(number, Side::At)), ..all },
            Self::AtLeast(number) => KeyRange { after: Some(coded(number, Side::Before)), ..all },
            Self::Above(number) => KeyRange { from: at(number, Side::After), ..all },
            Self::Below(number) => {
                KeyRange { until: at(number, Side::At), by: Some(coded(number, Side::Before)), ..all }
            }
        }
    }

    /// Describes the comparison in English, as a verb and an object.
    pub fn in_words(&self) -> Phrase {
        match self {
            Self::Within(from, until) => ("lies within", format!("{from} up to {until}")),
            Self::Overlaps(from, until) => ("is about", format!("{from} to {until}")),
            Self::Is(number) => ("is", number.to_string()),
            Self::Less(number) => ("is less than", number.to_string()),
            Self::Greater(number) => ("is greater than", number.to_string()),
            Self::AtLeast(number) => ("is at least", number.to_string()),
            Self::Above(number) => ("lies above", number.to_string()),
            Self::Below(number) => ("lies below", number.to_string()),
        }
    }
}

/// A position at a number or immediately beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    At,
    After,
}

/// The code of a missing upper end, which sorts after the codes of all numbers.
const NO_END: &str = "~";
/// The number that is added to a power of ten, so that its code has no sign.
const BIAS: i32 = 5_000;

/// Returns the code of a position, which sorts as text: the sign, the power of ten, the digits, and the side.
fn coded(number: WideDecimal, side: Side) -> String {
    let side = match side {
        Side::Before => '0',
        Side::At => '1',
        Side::After => '2',
    };
    let (digits, power) = number.digits();
    let power = power.saturating_add(BIAS);
    if digits.is_empty() {
        format!("1{side}")
    } else if number.is_negative() {
        // A negative number sorts earlier the farther it is from zero.
        let digits: String = digits.bytes().map(|digit| char::from(b'9' - (digit - b'0'))).collect();
        format!("0{:04}{digits}~{side}", 2 * BIAS - power)
    } else {
        format!("2{power:04}{digits}!{side}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::element::prefixed;
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    fn criteria(text: &str) -> Vec<NumberCriterion> {
        let (prefix, number) = prefixed(text);
        NumberCriterion::of(prefix, WrittenDecimal::parse(number).unwrap()).unwrap()
    }

    fn holds(interval: Interval, text: &str) -> bool {
        criteria(text).iter().any(|criterion| criterion.holds_between(&interval.ends()))
    }

    #[test]
    fn prefixes_follow_r4_on_numbers() {
        for (number, found, not_found) in [
            (
                "5.4",
                "eq5.4 eq5.40 eq5 ge5.4 le5.4 ap5 ap5.9 gt5.39 lt5.41 sa5.3 eb5.5 ne5.5",
                "gt5.4 lt5.4 sa5.4 eb5.4 ne5.4 eq5.41",
            ),
            ("5.35", "eq5.4 ne5.40 lt5.4", "eq5.3 eq5.40"),
            ("5.449", "eq5.4", "eq5.5"),
            ("5.45", "eq5.5", "eq5.4"),
            ("95", "eq1e2 ap100 ap105", "eq100 ne1e2 ap106"),
            ("105", "ne1e2 ap100", "eq1e2"),
            ("0", "eq0 eq0.0 ap0 ge0 le0", "gt0 lt0 ne0"),
            ("-2", "eq-2 lt-1.9 gt-2.1 ap-2.2", "eq2 ap2 ap-2.3"),
        ] {
            let point = Interval::point(decimal(number));
            for (texts, expected) in [(found, true), (not_found, false)] {
                texts.split(' ').for_each(|text| assert_eq!(holds(point, text), expected, "{text} of {number}"));
            }
        }
    }

    #[test]
    fn prefixes_follow_r4_on_intervals() {
        let range = |low: &str, high: &str| Interval::range(Decimal::parse(low), Decimal::parse(high)).unwrap();
        let from_comparator = |comparator: &str| Interval::from_comparator(comparator, decimal("5")).unwrap();
        for (name, interval, found, not_found) in [
            ("3 to 5", range("3", "5"), "ge4 le4 gt4 lt4 ap5 ap2.8 ne4 sa2 eb6", "eq4 ge5 le3 gt5 lt3 sa3 eb5 ap6 ap2"),
            ("from 3", range("3", ""), "gt9 sa2 ap9 ne3", "eq3 eb9 lt3 sa3"),
            ("up to 5", range("", "5"), "lt-9 le5 eb5.1 ge4 ap5", "gt5 ge5 sa0 eb5 eq5"),
            ("less than 5", from_comparator("<"), "lt10 gt3 lt-9 eb5 ne5 ap4.6", "eq5 eq3 gt5 ge5 sa3 ap6"),
            ("at most 5", from_comparator("<="), "lt10 gt3 le5 ap5.5", "eq5 gt5 ge5 eb5"),
            ("more than 5", from_comparator(">"), "gt10 lt6 sa5 sa4 ne5", "eq5 lt5 le5 eb6"),
            ("at least 5", from_comparator(">="), "gt10 ge5 sa4", "eq5 lt5 le5 sa5"),
        ] {
            for (texts, expected) in [(found, true), (not_found, false)] {
                texts.split(' ').for_each(|text| assert_eq!(holds(interval, text), expected, "{text} of {name}"));
            }
        }
        assert!(holds(range("5.36", "5.44"), "eq5.4"));
        assert_eq!(Interval::range(Some(decimal("5")), Some(decimal("3"))), None);
        assert_eq!((Interval::range(None, None), Interval::from_comparator("ad", decimal("5"))), (None, None));
    }

    fn number() -> impl Strategy<Value = String> {
        select(vec![
            "-1e9", "-12", "-5.41", "-5.4", "-1", "-0.01", "0", "1e-9", "0.5", "1", "5", "5.4", "5.41", "6", "54",
            "1e9",
        ])
        .prop_map(str::to_owned)
    }

    fn interval() -> impl Strategy<Value = Interval> {
        let range = (prop::option::of(number()), prop::option::of(number()));
        let range = range.prop_filter_map("an end after a start", |(low, high)| {
            Interval::range(low.as_deref().map(decimal), high.as_deref().map(decimal))
        });
        let from_comparator = (select(vec!["<", "<=", ">=", ">"]), number());
        let from_comparator = from_comparator
            .prop_map(|(comparator, value)| Interval::from_comparator(comparator, decimal(&value)).unwrap());
        prop_oneof![number().prop_map(|text| Interval::point(decimal(&text))), range, from_comparator]
    }

    proptest! {
        #[test]
        fn an_interval_is_stored_whole(interval in interval()) {
            prop_assert_eq!(Interval::from(StoredInterval::from(interval)), interval);
        }

        #[test]
        fn the_keys_of_a_criterion_are_those_of_the_intervals_that_satisfy_it(
            interval in interval(), number in number(),
            prefix in select(vec!["eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "ap"]),
        ) {
            let ends = interval.ends();
            for criterion in criteria(&format!("{prefix}{number}")) {
                for (own, of_key) in [("", ""), ("a\u{1f}", "a\u{1f}"), ("a\u{1f}", "b\u{1f}")] {
                    let (range, key) = (criterion.keys(own), ends.key(of_key));
                    let is_in = range.from <= key.value
                        && key.value < range.until
                        && range.after.is_none_or(|after| key.rest > after)
                        && range.by.is_none_or(|by| key.rest <= by);
                    prop_assert_eq!(is_in, own == of_key && criterion.holds_between(&ends), "{:?} {:?}", criterion, interval);
                }
            }
        }

        #[test]
        fn codes_are_in_the_order_of_their_numbers(one in number(), other in number()) {
            let wide = |text: &str| WideDecimal::from(decimal(text));
            prop_assert_eq!(coded(wide(&one), Side::At).cmp(&coded(wide(&other), Side::At)), wide(&one).cmp(&wide(&other)));
            prop_assert!(coded(wide(&one), Side::Before) < coded(wide(&one), Side::At));
            prop_assert!(coded(wide(&one), Side::At) < coded(wide(&one), Side::After));
        }

        #[test]
        fn different_intervals_have_different_texts(one in interval(), other in interval()) {
            prop_assert_eq!(one.written() == other.written(), one == other);
        }
    }
}
