//! Estimates of how many resources a clause finds. The row store uses them to choose where a statement begins.

use super::date_window::{DAY, YEAR};
use fhir::Micros;

/// An estimate of how many resources a clause finds, in ascending order. A stream of keys that finds many fills the
/// page quickly. A range that finds many has to be read as a whole, so it comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Breadth {
    /// An identifier.
    Identifier,
    /// A time within a day.
    Day,
    /// A string, or a prefix that is longer than the indexed ones. The estimate is smaller for a longer text.
    LongString(usize),
    /// A reference or a code.
    Code,
    /// A prefix that is an index key. The estimate is smaller for a longer text.
    Beginning(usize),
    /// A time within a year.
    Year,
    /// One of the few codes of a required value set, or any code of a system.
    CommonCode,
    /// A longer or open-ended time.
    OpenTime,
    /// A text anywhere in a string.
    Anywhere,
}

impl Breadth {
    /// Returns the breadth of a range of times of that length.
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
