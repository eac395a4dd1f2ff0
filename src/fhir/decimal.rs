//! Exact decimal numbers as FHIR writes them (<https://hl7.org/fhir/R4/datatypes.html#decimal>): `0.1` is a tenth, and
//! not the nearest binary number.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

const MAX_DIGITS: usize = 18;

/// A decimal number of at most 18 digits: a mantissa without trailing zeros, times a power of ten.
///
/// ```
/// use fhir::Decimal;
///
/// assert_eq!(Decimal::parse("5.40"), Decimal::parse("0.54e1"));
/// assert_eq!(Decimal::parse("120").unwrap().to_string(), "120");
/// assert_eq!(Decimal::parse("1."), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Decimal {
    mantissa: i64,
    exponent: i8,
}

impl Decimal {
    /// Parses a number in the syntax of JSON. `None` if it has another syntax, more than 18 digits besides leading and
    /// trailing zeros, or an exponent that exceeds a signed byte.
    pub fn parse(text: &str) -> Option<Self> {
        Literal::read(text)?.value()
    }

    /// Returns the mantissa, and the power of ten.
    pub const fn parts(self) -> (i64, i8) {
        (self.mantissa, self.exponent)
    }
}

impl std::fmt::Display for Decimal {
    /// Writes the number, with an exponent only if it is very large or very small.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        WideDecimal::from(*self).fmt(f)
    }
}

/// A decimal number that results from a calculation. Two are equal if they represent the same number.
#[derive(Debug, Clone, Copy)]
pub struct WideDecimal {
    mantissa: i128,
    exponent: i32,
}

impl From<Decimal> for WideDecimal {
    fn from(Decimal { mantissa, exponent }: Decimal) -> Self {
        Self { mantissa: mantissa.into(), exponent: exponent.into() }
    }
}

impl WideDecimal {
    /// Returns the number `mantissa × 10^exponent`.
    pub const fn new(mantissa: i128, exponent: i32) -> Self {
        Self { mantissa, exponent }
    }

    /// Returns the product. `None` if it has too many digits.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        let exponent = self.exponent.checked_add(other.exponent)?;
        Some(Self { mantissa: self.mantissa.checked_mul(other.mantissa)?, exponent })
    }

    /// Returns the sum. `None` if it has too many digits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let exponent = match (self.mantissa, other.mantissa) {
            (0, _) => other.exponent,
            (_, 0) => self.exponent,
            (_, _) => self.exponent.min(other.exponent),
        };
        Some(Self { mantissa: self.at(exponent)?.checked_add(other.at(exponent)?)?, exponent })
    }

    /// Returns the number with the opposite sign.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self { mantissa: self.mantissa.wrapping_neg(), ..self }
    }

    /// Returns the number without its sign.
    #[must_use]
    pub const fn magnitude(self) -> Self {
        Self { mantissa: self.mantissa.wrapping_abs(), ..self }
    }

    /// Returns the mantissa for an exponent that is not greater. `None` if it has too many digits.
    fn at(self, exponent: i32) -> Option<i128> {
        if self.mantissa == 0 {
            return Some(0);
        }
        let power = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        self.mantissa.checked_mul(10_i128.checked_pow(power)?)
    }

    /// Returns the digits `d`, without leading and trailing zeros, and the exponent `e` for which the magnitude is
    /// `0.d × 10^e`. Zero has no digits.
    pub fn digits(self) -> (String, i32) {
        let written = self.mantissa.unsigned_abs().to_string();
        let digits = written.trim_end_matches('0').to_owned();
        let length = i32::try_from(written.len()).unwrap_or(i32::MAX);
        (digits, self.exponent.saturating_add(length))
    }

    /// Returns whether the number is less than zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.mantissa < 0
    }
}

impl Ord for WideDecimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.mantissa.signum().cmp(&other.mantissa.signum());
        let exponent = self.exponent.min(other.exponent);
        signs.then_with(|| match (self.at(exponent), other.at(exponent)) {
            (Some(own), Some(others)) => own.cmp(&others),
            // One fits the common exponent. The other has too many digits for it, so that it is farther from zero.
            (None, _) if self.is_negative() => Ordering::Less,
            (_, None) if !self.is_negative() => Ordering::Less,
            (_, _) => Ordering::Greater,
        })
    }
}

impl PartialOrd for WideDecimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for WideDecimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for WideDecimal {}

impl std::fmt::Display for WideDecimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (digits, point) = self.digits();
        let sign = if self.is_negative() { "-" } else { "" };
        let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
        match usize::try_from(point) {
            _ if digits.is_empty() => f.write_str("0"),
            Ok(point) if (1..=MAX_DIGITS).contains(&point) => match digits.split_at_checked(point) {
                None | Some((_, "")) => write!(f, "{sign}{digits:0<point$}"),
                Some((whole, fraction)) => write!(f, "{sign}{whole}.{fraction}"),
            },
            _ if (-5..1).contains(&point) => {
                let width = usize::try_from(length.saturating_sub(point)).unwrap_or_default();
                write!(f, "{sign}0.{digits:0>width$}")
            }
            Ok(_) | Err(_) => write!(f, "{sign}{digits}e{}", point.saturating_sub(length)),
        }
    }
}

/// A number in a search. Its last digit determines its precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenDecimal {
    /// The number.
    pub value: WideDecimal,
    /// The first number that rounds to it, at the precision as written.
    pub from: WideDecimal,
    /// The first number that rounds to the next number.
    pub until: WideDecimal,
}

impl WrittenDecimal {
    /// Parses a number in the syntax of JSON. `None` if it has another syntax, or more than 18 digits.
    ///
    /// `5.4` stands for the numbers from 5.35 to 5.45. A number with an exponent has one more digit of precision: `1e2`
    /// stands for the numbers from 95 to 105, as in R4's example (<https://hl7.org/fhir/R4/search.html#number>).
    pub fn parse(text: &str) -> Option<Self> {
        let literal = Literal::read(text)?;
        if literal.digits.len() > MAX_DIGITS {
            return None;
        }
        let value = WideDecimal::from(literal.value()?);
        let place = if literal.has_exponent { literal.exponent.checked_sub(1)? } else { literal.exponent };
        let half = WideDecimal::new(5, place.checked_sub(1)?);
        Some(Self { value, from: value.plus(half.negated())?, until: value.plus(half)? })
    }
}

/// The parts of a number as written.
struct Literal {
    is_negative: bool,
    /// The digits, without leading zeros and without a decimal point.
    digits: String,
    /// The power of ten of the last digit.
    exponent: i32,
    has_exponent: bool,
}

impl Literal {
    /// Reads a number by the grammar of JSON (RFC 8259, section 6).
    fn read(text: &str) -> Option<Self> {
        let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (number, power) = rest.split_once(['e', 'E']).map_or((rest, None), |(number, power)| (number, Some(power)));
        let (whole, fraction) =
            number.split_once('.').map_or((number, None), |(whole, fraction)| (whole, Some(fraction)));
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_whole = are_digits(whole) && (whole == "0" || !whole.starts_with('0'));
        if !is_whole || !fraction.is_none_or(are_digits) {
            return None;
        }
        let fraction = fraction.unwrap_or_default();
        let exponent = match power {
            None => 0,
            Some(power) if are_digits(power.strip_prefix(['+', '-']).unwrap_or(power)) => power.parse::<i32>().ok()?,
            Some(_) => return None,
        };
        Some(Self {
            is_negative,
            digits: [whole, fraction].concat().trim_start_matches('0').to_owned(),
            exponent: exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?,
            has_exponent: power.is_some(),
        })
    }

    fn value(&self) -> Option<Decimal> {
        let digits = self.digits.trim_end_matches('0');
        if digits.is_empty() {
            return Some(Decimal { mantissa: 0, exponent: 0 });
        }
        if digits.len() > MAX_DIGITS {
            return None;
        }
        let magnitude: i64 = digits.parse().ok()?;
        let zeros = i32::try_from(self.digits.len() - digits.len()).ok()?;
        let exponent = i8::try_from(self.exponent.checked_add(zeros)?).ok()?;
        Some(Decimal { mantissa: if self.is_negative { -magnitude } else { magnitude }, exponent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    fn wide(text: &str) -> WideDecimal {
        decimal(text).into()
    }

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        for (text, mantissa, exponent) in [
            ("0", 0, 0),
            ("-0.000", 0, 0),
            ("0e99999", 0, 0),
            ("5.40", 54, -1),
            ("-2", -2, 0),
            ("1e-3", 1, -3),
            ("0.0010", 1, -3),
            ("100", 1, 2),
            ("1.50E+1", 15, 0),
            ("123456789012345678", 123_456_789_012_345_678, 0),
            ("1000000000000000000000", 1, 21),
            ("0.00000000000000000000000000001", 1, -29),
            ("1.000000000000000000000000", 1, 0),
        ] {
            assert_eq!(decimal(text), Decimal { mantissa, exponent }, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_of_json_or_has_too_many_digits_is_none() {
        for text in [
            "",
            "-",
            ".5",
            "1.",
            "1.e2",
            "01",
            "-01",
            "+1",
            "1_0",
            "NaN",
            "Infinity",
            "1e",
            "1e+",
            "1e1.5",
            "1e--1",
            "1e+-1",
            "0x1",
            " 1",
            "1 ",
            "١",
            "1,5",
            "--1",
            "1.2.3",
            "1e2e3",
            "1e128",
            "1e-129",
            "1e99999999999",
            "1234567890123456789",
            "0.1234567890123456789",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
            assert_eq!(WrittenDecimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal::parse(&"9".repeat(5_000)), None);
        assert_eq!(Decimal::parse(&format!("0.{}1", "0".repeat(5_000))), None);
        assert_eq!(WrittenDecimal::parse("1.000000000000000000"), None, "19 digits say how precise it is");
    }

    #[test]
    fn the_last_digit_says_how_precise_a_number_is() {
        for (text, from, until) in [
            ("100", "99.5", "100.5"),
            ("100.00", "99.995", "100.005"),
            ("1e2", "95", "105"),
            ("1.0e2", "99.5", "100.5"),
            ("5.4", "5.35", "5.45"),
            ("5.40", "5.395", "5.405"),
            ("-2", "-2.5", "-1.5"),
            ("0", "-0.5", "0.5"),
            ("0.0", "-0.05", "0.05"),
            ("1e-3", "0.00095", "0.00105"),
            ("999999999999999999", "999999999999999998.5", "999999999999999999.5"),
        ] {
            let written = WrittenDecimal::parse(text).unwrap();
            let shown = [written.from, written.until].map(|number| number.to_string());
            assert_eq!(shown, [from, until], "{text}");
            assert_eq!(written.value, wide(text));
        }
    }

    #[test]
    fn numbers_of_any_size_are_compared() {
        let ascending =
            ["-1e127", "-100", "-99.9", "-1e-127", "0", "1e-128", "0.1", "0.10000000000000001", "3", "1e127"];
        let ascending = ascending.map(wide);
        for (at, number) in ascending.iter().enumerate() {
            for (other_at, other) in ascending.iter().enumerate() {
                assert_eq!(number.cmp(other), at.cmp(&other_at), "{number} and {other}");
            }
        }
        let [large, small] = ["1e127", "1e-127"].map(wide);
        assert_eq!(large.plus(small), None);
        assert_eq!(large.plus(wide("0")), Some(large));
        assert_eq!((small.times(large), wide("0.1").plus(wide("0.2"))), (Some(wide("1")), Some(wide("0.3"))));
    }

    #[test]
    fn numbers_are_written_as_people_write_them() {
        for (text, written) in [
            ("120", "120"),
            ("5.40", "5.4"),
            ("-0.05", "-0.05"),
            ("0.000001", "0.000001"),
            ("1e-12", "1e-12"),
            ("12.5e20", "125e19"),
            ("100000000000000000", "100000000000000000"),
            ("0", "0"),
        ] {
            assert_eq!(decimal(text).to_string(), written);
        }
    }

    /// Returns a number in an allowed spelling, with at most 17 digits.
    fn literal() -> impl Strategy<Value = String> {
        "-?(0|[1-9][0-9]{0,8})(\\.[0-9]{1,8})?([eE][+-]?[0-9]{1,2})?"
    }

    proptest! {
        #[test]
        fn a_number_parses_to_what_it_prints(text in literal()) {
            let number = decimal(&text);
            prop_assert_eq!(decimal(&number.to_string()), number);
        }

        #[test]
        fn numbers_are_in_the_order_of_the_nearest_binary_ones(one in literal(), other in literal()) {
            let float = |text: &str| text.parse::<f64>().unwrap();
            // Two different numbers may have the same nearest binary number.
            let nearest = float(&one).partial_cmp(&float(&other)).unwrap();
            prop_assert!(nearest == Ordering::Equal || wide(&one).cmp(&wide(&other)) == nearest);
            prop_assert_eq!(wide(&one) == wide(&other), decimal(&one) == decimal(&other));
        }

        #[test]
        fn a_number_lies_in_the_middle_of_its_range(text in literal()) {
            let WrittenDecimal { value, from, until } = WrittenDecimal::parse(&text).unwrap();
            prop_assert!(from < value && value < until);
            prop_assert_eq!(from.plus(until), value.plus(value));
        }

        #[test]
        fn any_text_is_read_as_json_reads_it(text in "[-+.0-9eE]{0,12}") {
            let is_json = serde_json::from_str::<serde_json::Number>(&text).is_ok();
            prop_assert!(is_json || Decimal::parse(&text).is_none());
            // JSON allows numbers that are too large.
            prop_assert!(!is_json || text.contains(['e', 'E']) || Decimal::parse(&text).is_some());
        }
    }
}
