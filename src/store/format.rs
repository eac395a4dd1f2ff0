//! The format of charts, rows and shelves. A store records its format, and a store of another format is refused.

use base16ct::lower::encode_string;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::search::PARAMS;

/// The version, raised when charts, rows or shelves change for the same registry.
const VERSION: u32 = 8;

/// The name of the format: the version, and a digest of the registry, which decides the contents of charts and rows.
#[must_use]
pub fn format() -> &'static str {
    static FORMAT: LazyLock<String> = LazyLock::new(name);
    &FORMAT
}

/// The log line about a store of another format.
#[must_use]
pub fn another_format(what: &str, stored: &str) -> String {
    format!("the {what} are of format {stored:?}, and this is {:?}: load them again", format())
}

fn name() -> String {
    let mut digest = Sha256::new();
    for param in &PARAMS {
        digest.update(format!("{}.{}.{:?}.{:?}.", param.on, param.name, param.kind, param.paths));
        digest.update(format!("{}{}{:?}{};", param.clinical, param.identifying, param.unless, param.id.number()));
    }
    let digest = encode_string(digest.finalize().get(..4).unwrap_or_default());
    format!("{VERSION}-{digest}")
}
