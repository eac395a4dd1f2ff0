//! The values that answers are sorted by, each as a code: text that any store can sort by.
//!
//! Codes of one parameter sort like its values, or, for a descending order, in reverse. No code is a prefix of another
//! one, so that the codes of several parameters can be concatenated.

use super::sort_key::{newest_first, oldest_first};
use fhir::Micros;

/// The code of a resource without a value. It sorts last in both directions.
pub const MISSING: &str = "~";
/// The most characters of a text that affect the order.
const MAX_LENGTH: usize = 64;
/// The character between the parts of a text. It sorts before all characters of a part.
const BETWEEN: char = '\u{1}';

/// A value that answers are sorted by. The values of one parameter have the same form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortValue {
    /// A time.
    Time(Micros),
    /// A text, of which the first 64 characters affect the order.
    Text(String),
}

impl SortValue {
    /// Returns a text of two parts. The second part affects the order where the first parts are equal.
    pub fn of_parts(first: &str, second: &str) -> Self {
        Self::Text(format!("{first}{BETWEEN}{second}"))
    }

    pub fn code(&self, descending: bool) -> String {
        match self {
            Self::Time(time) if descending => newest_first(Some(*time)),
            Self::Time(time) => oldest_first(Some(*time)),
            Self::Text(text) => text_code(text, descending),
        }
    }
}

/// Returns the bytes of a text as hexadecimal digits; in descending order, each is subtracted from the last byte value.
/// The end sorts before further digits in ascending order, and after them in descending order.
fn text_code(text: &str, descending: bool) -> String {
    let (turned, end) = if descending { (0xf, '}') } else { (0, '.') };
    let until = text.char_indices().nth(MAX_LENGTH).map_or(text.len(), |(at, _)| at);
    let bytes = text.bytes().take(until);
    let digits = bytes.flat_map(|byte| [byte >> 4, byte & 0xf]).map(|digit| u32::from(digit ^ turned));
    digits.filter_map(|digit| char::from_digit(digit, 16)).chain([end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_are_in_the_order_of_texts(a in "[a-cé ]{0,6}", b in "[a-cé ]{0,6}", c in ".{0,3}", d in ".{0,3}") {
            let code = |text: &str, descending| SortValue::Text(text.to_owned()).code(descending);
            prop_assert_eq!(code(&a, false).cmp(&code(&b, false)), a.cmp(&b));
            prop_assert_eq!(code(&a, true).cmp(&code(&b, true)), b.cmp(&a));
            let several = |a: &str, c: &str| code(a, true) + &code(c, false);
            prop_assert_eq!(several(&a, &c).cmp(&several(&b, &d)), b.cmp(&a).then(c.cmp(&d)));
            for descending in [false, true] {
                prop_assert!(code(&a, descending).as_str() < MISSING);
                prop_assert!(SortValue::Time(7).code(descending).as_str() < MISSING);
            }
        }
    }

    #[test]
    fn sixty_four_characters_count() {
        let code = |text: &str| SortValue::Text(text.to_owned()).code(false);
        assert_eq!(code(&"é".repeat(64)), code(&"é".repeat(70)));
        assert!(code(&"é".repeat(63)) < code(&"é".repeat(64)));
    }
}
