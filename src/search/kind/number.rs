//! Parameters of type number (<https://hl7.org/fhir/R4/search.html#number>), over decimals, integers and Ranges.
//!
//! A fact is an [`Interval`]. Its index key is its lower end, with the upper end as the rest.

use super::element::{malformed, prefixed};
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, Lookup};
use super::interval::{Interval, NumberCriterion, PREFIXES};
use crate::sort_value::SortValue;
use fhir::{Decimal, Elements, Issue, WrittenDecimal, quoted};

/// The kind of parameters over a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers;

impl Numbers {
    /// Calls `add` with each value in the text of an element.
    pub(super) fn values_in_text(element: &str, add: &mut dyn FnMut(Interval)) {
        match Elements::of(element) {
            Ok(range) => range_of(&range).map(|(interval, _)| interval),
            Err(_) => Decimal::parse(element).map(Interval::point),
        }
        .into_iter()
        .for_each(add);
    }
}

impl ParamKind for Numbers {
    type Value = Interval;
    type Comparison = NumberCriterion;

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<NumberCriterion>, Issue> {
        comparisons(value.text, &format!("a number such as 5.4 or 1e2, {PREFIXES}")).map(Comparisons::OneOf)
    }

    fn keys(&self, interval: &Interval) -> Vec<IndexKey> {
        vec![interval.ends().key("")]
    }
}

impl FactValue for Interval {
    fn text(&self) -> String {
        self.written()
    }

    fn sort_value(&self) -> SortValue {
        self.ends().sort_value()
    }
}

impl Comparison for NumberCriterion {
    type Value = Interval;

    fn holds(&self, interval: &Interval) -> bool {
        self.holds_between(&interval.ends())
    }

    fn words(&self) -> Phrase {
        self.in_words()
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Range(self.keys("")))
    }
}

/// Returns the comparisons for a number of a search with its prefix, one of which must hold.
///
/// # Errors
/// If the text is malformed. `forms` is the hint of the error.
pub fn comparisons(text: &str, forms: &str) -> Result<Vec<NumberCriterion>, Issue> {
    let (prefix, number) = prefixed(text);
    let written = WrittenDecimal::parse(number);
    let written =
        written.ok_or_else(|| malformed(format!("{} is not a number of at most 18 digits.", quoted(text)), forms))?;
    NumberCriterion::of(prefix, written)
        .ok_or_else(|| malformed(format!("\"{prefix}\" is not a prefix that numbers take."), forms))
}

/// Returns the numbers of a Range, and one of its ends, which has its unit. `None` without any end that is a number.
pub fn range_of<'a>(range: &Elements<'a>) -> Option<(Interval, Elements<'a>)> {
    let end = |name| range.get(name).and_then(|end| Elements::of(end).ok());
    let (low, high) = (end("low"), end("high"));
    let number = |end: &Elements<'_>| end.get("value").and_then(Decimal::parse);
    // An end without a comparable number is not the same as a missing end.
    let of = |end: &Option<Elements<'_>>| end.as_ref().map_or(Some(None), |end| number(end).map(Some));
    Some((Interval::range(of(&low)?, of(&high)?)?, low.or(high)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::{Criterion, Kind};
    use fhir::ResourceType as T;

    fn texts(element: &str) -> Vec<String> {
        let mut found = Vec::new();
        Numbers::values_in_text(element, &mut |interval| found.push(interval.written()));
        found
    }

    #[test]
    fn numbers_and_ranges_are_read_from_their_text() {
        for (element, expected) in [
            ("5.40", "5.4..5.4"),
            ("12345678901234567.8", "12345678901234567.8..12345678901234567.8"),
            (r#"{"low": {"value": 0.10}, "high": {"value": 2e-1}}"#, "0.1..0.2"),
            (r#"{"low": {"value": 1}}"#, "1.."),
            (r#"{"high": {"value": 1}, "extension": []}"#, "..1"),
        ] {
            assert_eq!(texts(element), [expected], "{element}");
        }
        for element in [
            "1234567890.123456789",
            "\"5\"",
            "true",
            "null",
            "{}",
            r#"{"low": {"unit": "%"}}"#,
            r#"{"low": {"value": 3}, "high": {"value": 2}}"#,
            r#"{"low": {"value": 1}, "high": {"value": 12345678901234567890}}"#,
        ] {
            assert!(texts(element).is_empty(), "{element}");
        }
    }

    #[test]
    fn a_number_is_parsed_behind_its_prefix() {
        let parsed = |text: &str| {
            let (resource_type, param) = (T::Observation, "probability");
            let value = RawValue { resource_type, param, modifier: None, text, base: "", now: 0 };
            Kind::NUMBER.criteria(&value)
        };
        let described = |text: &str| match parsed(text) {
            Ok(criteria) => {
                criteria.iter().map(Criterion::words).map(|(verb, object)| format!("{verb} {object}")).collect()
            }
            Err(issue) => vec![issue.text],
        };
        assert_eq!(described("0.8"), ["lies within 0.75 up to 0.85"]);
        assert_eq!(described("ne1e2"), ["is less than 95", "is at least 105"]);
        assert_eq!(described("ap-2"), ["is about -2.2 to -1.8"]);
        assert_eq!(described("ge0"), ["is greater than 0", "is 0"]);
        assert_eq!(described("xx1"), ["\"xx\" is not a prefix that numbers take."]);
        for bad in ["", "gt", "gtgt1", "1.", ".5", "NaN", "1_0", "GT1", "1 2", "1|2", "1234567890123456789", "é1"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }
}
