//! Errors of databases.

/// The reason why a database did not run statements.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct DatabaseError {
    /// The kind, on which callers base decisions.
    pub kind: DatabaseErrorKind,
    /// The message, which is only for the log.
    pub detail: String,
}

/// The kinds of errors of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseErrorKind {
    /// A constraint did not hold, because another writer changed the same rows. Nothing was changed.
    Conflict,
    /// The database did not answer, or was too busy. The same statements may succeed later.
    Unavailable,
    /// A statement, a value or the database is too large. The same statements would fail again.
    TooLarge,
    /// Anything else, such as a faulty statement, or inconsistent rows.
    Other,
}

/// Texts of the errors of D1, by kind (<https://developers.cloudflare.com/d1/observability/debug-d1/#error-list>).
const MESSAGES: [(&str, DatabaseErrorKind); 11] = [
    ("constraint failed", DatabaseErrorKind::Conflict),
    ("SQLITE_TOOBIG", DatabaseErrorKind::TooLarge),
    ("Exceeded maximum DB size", DatabaseErrorKind::TooLarge),
    ("overloaded", DatabaseErrorKind::Unavailable),
    ("was reset", DatabaseErrorKind::Unavailable),
    ("to be reset", DatabaseErrorKind::Unavailable),
    ("reset because", DatabaseErrorKind::Unavailable),
    ("Network connection lost", DatabaseErrorKind::Unavailable),
    ("Cannot resolve D1 DB", DatabaseErrorKind::Unavailable),
    ("database is locked", DatabaseErrorKind::Unavailable),
    ("SQLITE_BUSY", DatabaseErrorKind::Unavailable),
];

impl DatabaseError {
    /// Makes an error of this kind.
    pub fn new(kind: DatabaseErrorKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }

    /// Makes an error of the kind [`DatabaseErrorKind::Other`].
    pub fn other(detail: impl Into<String>) -> Self {
        Self::new(DatabaseErrorKind::Other, detail)
    }

    /// Makes the error for an unreadable value in this column. The value may be confidential and is not in the message.
    pub fn damaged(column: &str) -> Self {
        Self::other(format!("a stored value is damaged: {column}"))
    }

    /// Makes the error of a database that reports the kind only in the message, as D1 does.
    pub fn of_message(message: impl Into<String>) -> Self {
        let detail = message.into();
        let known = MESSAGES.iter().find(|(text, _)| detail.contains(text));
        Self { kind: known.map_or(DatabaseErrorKind::Other, |(_, kind)| *kind), detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_follows_from_what_d1_says() {
        use DatabaseErrorKind::{Conflict, Other, TooLarge, Unavailable};
        for (message, kind) in [
            ("D1_ERROR: UNIQUE constraint failed: compartment.n: SQLITE_CONSTRAINT", Conflict),
            ("D1_ERROR: NOT NULL constraint failed: compartment.version: SQLITE_CONSTRAINT", Conflict),
            ("D1_ERROR: NOT NULL constraint failed: resource.digest: SQLITE_CONSTRAINT_NOTNULL", Conflict),
            ("D1_ERROR: string or blob too big: SQLITE_TOOBIG", TooLarge),
            ("D1_ERROR: statement too long: SQLITE_TOOBIG", TooLarge),
            ("D1_ERROR: Exceeded maximum DB size.", TooLarge),
            ("D1_ERROR: D1 DB is overloaded. Requests queued for too long.", Unavailable),
            ("D1_ERROR: D1 DB is overloaded. Too many requests queued.", Unavailable),
            ("D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.", Unavailable),
            ("D1_ERROR: D1 DB exceeded its CPU time limit and was reset.", Unavailable),
            ("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.", Unavailable),
            ("D1_ERROR: Internal error in D1 DB storage caused object to be reset.", Unavailable),
            ("D1_ERROR: D1 DB reset because its code was updated.", Unavailable),
            ("D1_ERROR: Network connection lost.", Unavailable),
            ("D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.", Unavailable),
            ("D1_ERROR: database is locked: SQLITE_BUSY", Unavailable),
            ("D1_ERROR: no such table: fact: SQLITE_ERROR", Other),
            ("", Other),
        ] {
            assert_eq!(DatabaseError::of_message(message), DatabaseError::new(kind, message));
        }
    }
}
