//! The corrections that a replica must have before it may answer. A replica of the records may be arbitrarily old. It
//! may delay an addition, but must not undo a correction or a removal. A load that changes or removes stored resources
//! raises a number at the primary of the authorization server's database. An isolate queries this number together with
//! the status of a grant, and remembers it for at most five seconds. When the number has risen, the isolate reads from
//! the primary once, and begins its further sessions with the bookmark of that session: D1 does not answer such a
//! session from a replica that has not reached the bookmark.

use std::cell::{Cell, RefCell};

use super::recent::{Recent, RequestedAt};
use database::{DatabaseError, Rows, Statement};

/// The corrections that an isolate knows of.
#[derive(Debug, Default)]
pub struct Corrections {
    /// The highest number that the primary has returned. 0 means that there were no corrections.
    number: Cell<i64>,
    /// Has a value if the primary was queried within the last five seconds.
    checked: Recent<(), 1>,
}

impl Corrections {
    /// Returns the highest known number.
    pub const fn number(&self) -> i64 {
        self.number.get()
    }

    /// Returns whether the primary has to be queried at `now`, in seconds.
    pub(super) fn are_due(&self, now: i64) -> bool {
        self.checked.get("", now).is_none()
    }

    /// See [`Recent::begin_request`].
    pub(super) const fn begin_request(&self, now: i64) -> RequestedAt {
        self.checked.begin_request(now)
    }

    /// Returns the statement for the number.
    pub(super) fn statement() -> Statement {
        Statement { text: "SELECT c.number FROM correction c".to_owned(), binds: Vec::new() }
    }

    /// Reads the number from the rows of its statement, and remembers it. Without a row, there were no corrections.
    ///
    /// # Errors
    /// If the row has no number.
    pub(super) fn update<R: Rows>(&self, rows: &R, requested: RequestedAt) -> Result<(), DatabaseError> {
        let number = rows.number(0, "number")?.unwrap_or_default();
        self.number.set(self.number.get().max(number));
        self.checked.put("", (), 1, requested);
        Ok(())
    }
}

/// The required state of the records at the start of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionStart {
    /// The session begins at any replica.
    Nearest,
    /// The session begins at a replica that has reached the bookmark, or at the primary.
    Bookmark(String),
    /// The session begins at the primary. The caller must keep its bookmark ([`Bookmark::keep`]).
    Primary,
}

/// The bookmark of one database of the records, with the number of corrections that it includes.
#[derive(Debug, Default)]
pub struct Bookmark(RefCell<Option<(i64, String)>>);

impl Bookmark {
    /// Returns the start of a session that must have the corrections up to this number.
    pub fn start(&self, number: i64) -> SessionStart {
        match &*self.0.borrow() {
            _ if number == 0 => SessionStart::Nearest,
            Some((kept, bookmark)) if *kept >= number => SessionStart::Bookmark(bookmark.clone()),
            Some(_) | None => SessionStart::Primary,
        }
    }

    /// Keeps the bookmark of a session that began at the primary when this number was known.
    pub fn keep(&self, number: i64, bookmark: String) {
        let mut kept = self.0.borrow_mut();
        if kept.as_ref().is_none_or(|(kept, _)| *kept < number) {
            *kept = Some((number, bookmark));
        }
    }

    /// Forgets the bookmark, because a session that began with it has failed.
    pub fn forget(&self) {
        self.0.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_begins_with_a_bookmark_that_has_all_corrections_or_at_the_primary() {
        let bookmark = Bookmark::default();
        assert_eq!(bookmark.start(0), SessionStart::Nearest, "nothing was ever corrected");
        assert_eq!(bookmark.start(7), SessionStart::Primary);
        bookmark.keep(7, "b7".into());
        let of_seven = SessionStart::Bookmark("b7".into());
        assert_eq!([7, 3].map(|number| bookmark.start(number)), [of_seven.clone(), of_seven.clone()]);
        assert_eq!(bookmark.start(8), SessionStart::Primary, "it may lack the eighth");
        bookmark.keep(6, "late".into());
        assert_eq!(bookmark.start(7), of_seven, "a session of before that ends later");
        bookmark.keep(8, "b8".into());
        assert_eq!(bookmark.start(8), SessionStart::Bookmark("b8".into()));
        bookmark.forget();
        assert_eq!([0, 8].map(|number| bookmark.start(number)), [SessionStart::Nearest, SessionStart::Primary]);
    }
}
