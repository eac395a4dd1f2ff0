//! The format of charts, rows and shelves. A store records its format, and a store of another format is refused.

use crate::search::IndexSet;

/// The version, raised when charts, rows or shelves have another form. New parameters do not raise it: a store says
/// which ones it is indexed by.
const VERSION: &str = "1";

/// The name of the format.
#[must_use]
pub const fn format() -> &'static str {
    VERSION
}

/// The set of parameters that a store notes as the one by which its records are to be indexed.
///
/// # Errors
/// If this version does not know it, with a line for the log.
pub fn wanted_set(noted: &str) -> Result<&'static IndexSet, String> {
    IndexSet::parse(noted).map_err(|why| format!("the records are to be indexed by a set that is unknown: {why}"))
}

/// The log line about a store of another format.
#[must_use]
pub fn another_format(what: &str, stored: &str) -> String {
    format!("the {what} are of format {stored:?}, and this is {VERSION:?}: load them again")
}
