//! Which grants stood when the database was asked last. Where records come from shelves, that question is the only one that
//! would leave the isolate, so an answer holds for some seconds. What is withdrawn in this isolate ends at once all the
//! same; what is withdrawn elsewhere ends that much later, as it may where a replica of the database is behind.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Seconds that a grant is taken to stand.
const LONGEST: i64 = 5;
/// Grants that are remembered at once. Then all are forgotten.
const MOST: usize = 1_000;

/// When each grant was last known to stand, in seconds.
#[derive(Debug, Default)]
pub struct Standing {
    known: RefCell<HashMap<String, i64>>,
    forgotten: Cell<u64>,
}

/// What an answer of the database is to be remembered by: nothing is, where all was forgotten while it was on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked(u64);

impl Standing {
    /// Whether a grant is known to stand.
    pub fn stands(&self, grant: &str, now: i64) -> bool {
        self.known.borrow().get(grant).is_some_and(|asked| (0..LONGEST).contains(&now.saturating_sub(*asked)))
    }

    /// To be taken before the database is asked.
    pub const fn asks(&self) -> Asked {
        Asked(self.forgotten.get())
    }

    /// Remembers that a grant stood.
    pub fn learn(&self, grant: &str, asked: Asked, now: i64) {
        if asked != self.asks() {
            return;
        }
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(grant.to_owned(), now);
    }

    /// Forgets all of it.
    pub fn forget(&self) {
        self.forgotten.set(self.forgotten.get().wrapping_add(1));
        self.known.borrow_mut().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_stands_for_seconds_and_not_past_what_happens_meanwhile() {
        let standing = Standing::default();
        assert!(!standing.stands("g", 100));
        standing.learn("g", standing.asks(), 100);
        assert!(standing.stands("g", 104) && !standing.stands("g", 105) && !standing.stands("other", 104));
        assert!(!standing.stands("g", 99), "a clock that goes back proves nothing");
        let asked = standing.asks();
        standing.forget();
        assert!(!standing.stands("g", 101));
        standing.learn("g", asked, 101);
        assert!(!standing.stands("g", 101), "it may have been withdrawn while the answer was on its way");
    }

    #[test]
    fn there_are_never_too_many() {
        let standing = Standing::default();
        (0..5_000).for_each(|at| standing.learn(&at.to_string(), standing.asks(), 0));
        assert!(standing.known.borrow().len() <= MOST);
    }
}
