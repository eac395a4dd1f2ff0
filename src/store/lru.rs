//! A cache of an isolate. It is limited in bytes, and drops the least recently used values first.

use std::cell::RefCell;
use std::collections::HashMap;

/// The most bytes in a cache. An isolate has 128 MB, which it also needs for answers.
const MOST: usize = 32 << 20;
/// The bytes that an entry counts for besides its value. They are more than it takes, to limit the number of entries.
const ENTRY: usize = 2_000;

/// A value that a cache can hold.
pub trait Cached: Clone {
    /// Its size in bytes.
    fn size(&self) -> usize;
}

/// A cache of values by keys.
#[derive(Debug)]
pub struct Lru<V> {
    inside: RefCell<Inside<V>>,
}

impl<V> Default for Lru<V> {
    fn default() -> Self {
        Self { inside: RefCell::new(Inside { entries: HashMap::new(), bytes: 0, clock: 0 }) }
    }
}

#[derive(Debug)]
struct Inside<V> {
    entries: HashMap<String, Entry<V>>,
    bytes: usize,
    clock: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    /// Its size when it was last counted.
    size: usize,
    used: u64,
}

impl<V: Cached> Lru<V> {
    /// The value of a key, if it is in the cache.
    pub fn get(&self, key: &str) -> Option<V> {
        let mut inside = self.inside.borrow_mut();
        inside.clock += 1;
        let clock = inside.clock;
        let entry = inside.entries.get_mut(key)?;
        entry.used = clock;
        Some(entry.value.clone())
    }

    /// Adds a value.
    pub fn put(&self, key: String, value: V) {
        let mut inside = self.inside.borrow_mut();
        inside.clock += 1;
        let used = inside.clock;
        let size = ENTRY + value.size();
        inside.bytes += size;
        if let Some(old) = inside.entries.insert(key, Entry { value, size, used }) {
            inside.bytes -= old.size;
        }
        inside.shrink();
    }

    /// Counts a value anew, after it has grown.
    pub fn measure(&self, key: &str) {
        let mut inside = self.inside.borrow_mut();
        let Some(entry) = inside.entries.get_mut(key) else { return };
        let old = std::mem::replace(&mut entry.size, ENTRY + entry.value.size());
        let new = entry.size;
        inside.bytes = inside.bytes + new - old;
        inside.shrink();
    }

    /// Removes a value.
    pub fn forget(&self, key: &str) {
        let mut inside = self.inside.borrow_mut();
        if let Some(gone) = inside.entries.remove(key) {
            inside.bytes -= gone.size;
        }
    }
}

impl<V> Inside<V> {
    /// Drops the least recently used values until the others are small enough.
    fn shrink(&mut self) {
        while self.bytes > MOST {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(gone) = oldest.and_then(|key| self.entries.remove(&key)) else { break };
            self.bytes -= gone.size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Sized(usize);

    impl Cached for Sized {
        fn size(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn the_least_recently_used_value_is_dropped_first() {
        let cache = Lru::default();
        for key in ["a", "b", "c"] {
            cache.put(key.into(), Sized(10 << 20));
        }
        assert!(cache.get("a").is_some());
        cache.put("d".into(), Sized(10 << 20));
        let held: Vec<_> = ["a", "b", "c", "d"].into_iter().filter(|key| cache.get(key).is_some()).collect();
        assert_eq!(held, ["a", "c", "d"]);
    }

    #[test]
    fn a_value_is_counted_once() {
        let cache = Lru::default();
        for _ in 0..100 {
            cache.put("a".into(), Sized(10 << 20));
        }
        assert!(cache.get("a").is_some());
        cache.put("b".into(), Sized(0));
        cache.forget("a");
        assert_eq!(cache.inside.borrow().bytes, ENTRY);
    }
}
