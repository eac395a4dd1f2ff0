//! The format of charts, rows and shelves. A store records its format, and a store of another format is refused.

/// The version, raised when charts, rows or shelves have another form. New parameters do not raise it: a store says
/// which ones it is indexed by.
const VERSION: &str = "10";

/// The name of the format.
#[must_use]
pub const fn format() -> &'static str {
    VERSION
}

/// The log line about a store of another format.
#[must_use]
pub fn another_format(what: &str, stored: &str) -> String {
    format!("the {what} are of format {stored:?}, and this is {VERSION:?}: load them again")
}
