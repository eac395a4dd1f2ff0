//! The format of charts, rows and shelves. A store records its format, and a store of another format is refused.

use search::IndexSet;

/// The version, raised when the form of charts, rows or shelves changes. New parameters do not raise it, since a store
/// records by which ones it is indexed.
const VERSION: &str = "1";

/// Returns the name of the format.
pub const fn format() -> &'static str {
    VERSION
}

/// Returns the set of parameters by which records are to be indexed, according to the store's record of it.
///
/// # Errors
/// If this version does not know the set, with a line for the log.
pub fn wanted_set(noted: &str) -> Result<&'static IndexSet, String> {
    IndexSet::parse(noted).map_err(|why| format!("the records are to be indexed by a set that is unknown: {why}"))
}

/// Returns the log line for a store of another format.
pub fn another_format(what: &str, stored: &str) -> String {
    format!("the {what} are of format {stored:?}, and this is {VERSION:?}: load them again")
}
