//! Estimates of the number of resources that a clause finds, by which the row store chooses where a statement begins.

use super::date_window::{DAY, YEAR};
use fhir::Micros;

/// An estimate of the number of resources that a clause finds, from the fewest to the most. A stream of keys may find
/// many: if it does, the page fills quickly. A range that finds many is read as a whole, so that it comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Breadth {
    /// An identifier.
    Identifier,
    /// A time within a day.
    Day,
    /// A string, or a beginning that is longer than those that are keys. The number is smaller for a longer text.
    LongString(usize),
    /// A reference or a code.
    Code,
    /// A beginning that is a key. The number is smaller for a longer text.
    Beginning(usize),
    /// A time within a year.
    Year,
    /// One of the few codes of a required value set, or any code of a system.
    CommonCode,
    /// A longer or open time.
    OpenTime,
    /// A text anywhere in a string.
    Anywhere,
}

impl Breadth {
    /// The breadth of times of that length together.
    #[must_use]
    pub const fn of_time(length: Micros) -> Self {
        if length <= DAY {
            Self::Day
        } else if length <= YEAR {
            Self::Year
        } else {
            Self::OpenTime
        }
    }
}
