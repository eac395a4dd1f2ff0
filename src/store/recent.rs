//! Responses of the primary that an isolate caches for at most five seconds.

use std::cell::Cell;

use collections::cache::{Cache, Cached};

/// The seconds for which a response is valid after the primary was queried.
const MAX_LENGTH: i64 = 5;

/// Responses by name. At most `MAX` are cached, counted by their sizes.
#[derive(Debug)]
pub struct Recent<V, const MAX: usize> {
    answers: Cache<Answer<V>, MAX>,
    /// The number of times that all responses were forgotten.
    forgotten: Cell<u64>,
}

#[derive(Debug)]
struct Answer<V> {
    /// The time at which the primary was queried, in seconds.
    requested_at: i64,
    size: usize,
    value: V,
}

impl<V> Cached for Answer<V> {
    fn size(&self) -> usize {
        self.size
    }
}

/// The state when the primary was queried. A response is not cached if all responses were forgotten since then.
#[derive(Debug, Clone, Copy)]
pub struct RequestedAt {
    forgotten: u64,
    seconds: i64,
}

impl<V, const MAX: usize> Default for Recent<V, MAX> {
    fn default() -> Self {
        Self { answers: Cache::default(), forgotten: Cell::new(0) }
    }
}

impl<V: Clone, const MAX: usize> Recent<V, MAX> {
    /// Returns the response with that name, if the primary was queried less than five seconds before `now`, in seconds.
    /// `None` if the clock was set back since then.
    pub fn get(&self, name: &str, now: i64) -> Option<V> {
        let value = |answer: &mut Answer<V>| {
            (0..MAX_LENGTH).contains(&now.saturating_sub(answer.requested_at)).then(|| answer.value.clone())
        };
        self.answers.with(name, value)?
    }

    /// Returns the state to pass to [`Self::put`]. Call this before querying the primary, at `now` in seconds.
    pub const fn begin_request(&self, now: i64) -> RequestedAt {
        RequestedAt { forgotten: self.forgotten.get(), seconds: now }
    }

    /// Caches a response of the primary. `size` is its share of `MAX`.
    pub fn put(&self, name: &str, value: V, size: usize, requested: RequestedAt) {
        if requested.forgotten == self.forgotten.get() {
            self.answers.put(name, Answer { requested_at: requested.seconds, size, value });
        }
    }

    /// Forgets all responses, because this isolate may just have changed one.
    pub fn forget(&self) {
        self.forgotten.set(self.forgotten.get().wrapping_add(1));
        self.answers.forget_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_counts_for_five_seconds_unless_it_is_forgotten_meanwhile() {
        let recent = Recent::<u8, 10>::default();
        assert_eq!(recent.get("a", 100), None);
        recent.put("a", 1, 1, recent.begin_request(100));
        assert_eq!(
            [100, 104, 105, 99].map(|now| recent.get("a", now)),
            [Some(1), Some(1), None, None],
            "a clock that goes back proves nothing"
        );
        assert_eq!(recent.get("other", 104), None);
        let requested = recent.begin_request(101);
        recent.forget();
        assert_eq!(recent.get("a", 101), None);
        recent.put("a", 1, 1, requested);
        assert_eq!(recent.get("a", 101), None, "it may have changed while the answer was on its way");
    }

    #[test]
    fn a_later_answer_replaces_an_earlier_one() {
        let recent = Recent::<u8, 10>::default();
        for value in 0..100 {
            recent.put("a", value, 9, recent.begin_request(0));
            assert_eq!(recent.get("a", 0), Some(value));
        }
        recent.put("b", 0, 1, recent.begin_request(0));
        assert_eq!((recent.get("b", 0), recent.get("a", 0)), (Some(0), Some(99)), "both fit");
        recent.put("c", 0, 1, recent.begin_request(0));
        assert_eq!((recent.get("b", 0), recent.get("a", 0)), (None, Some(99)), "the one not used for longest went");
    }
}
