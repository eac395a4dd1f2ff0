//! The format of rows and shelves. A store records the format that it was written in; a store of another format is refused.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::search::{PARAMS, pairs};

/// Raised when rows or shelves are written otherwise for the same registry.
const VERSION: u32 = 5;

/// The name of the form: this version, and a digest of the registry that decides what is in the rows.
#[must_use]
pub fn format() -> &'static str {
    static FORMAT: LazyLock<String> = LazyLock::new(name);
    &FORMAT
}

/// What the log hears of a store of another form.
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
    for kind in crate::fhir::ResourceType::ALL {
        for pair in pairs(*kind) {
            digest.update(format!("{kind}.{}+{}.{:?};", pair.first.name, pair.second.name, pair.form));
        }
    }
    let digest: String = digest.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{VERSION}-{digest}")
}
