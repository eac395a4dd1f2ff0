//! The cache of an isolate for values that it has read. It is limited in bytes, drops the least recently used values
//! first, and keeps each value only for as long as KV itself may take to show a change.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::shelf::Shelf;

/// The most bytes in the cache. An isolate has 128 MB, which it also needs for answers.
const MOST: usize = 32 << 20;
/// The seconds for which a value is kept. KV shows a change within a minute.
const LONGEST: i64 = 60;
/// The bytes that an entry counts for besides its value. They are more than it takes, to limit the number of entries.
const ENTRY: usize = 2_000;

/// A value that was read.
#[derive(Debug, Clone)]
pub enum CachedValue {
    /// There is no value.
    Absent,
    /// A shelf.
    Shelf(Rc<Shelf>),
    /// Another value.
    Bytes(Rc<Vec<u8>>),
}

impl CachedValue {
    fn size(&self) -> usize {
        ENTRY
            + match self {
                Self::Absent => 0,
                Self::Shelf(shelf) => shelf.chart.size(),
                Self::Bytes(bytes) => bytes.len(),
            }
    }
}

/// The cache of an isolate.
#[derive(Debug, Default)]
pub struct ShelfCache {
    values: RefCell<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    kept: HashMap<String, CacheEntry>,
    bytes: usize,
    clock: u64,
}

impl Inside {
    /// Drops the least recently used values until the others are small enough.
    fn shrink(&mut self) {
        while self.bytes > MOST {
            let oldest = self.kept.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(gone) = oldest.and_then(|key| self.kept.remove(&key)) else { break };
            self.bytes -= gone.size;
        }
    }
}

#[derive(Debug)]
struct CacheEntry {
    what: CachedValue,
    /// Its size when it was last counted.
    size: usize,
    read: i64,
    used: u64,
}

impl ShelfCache {
    /// The value of a key, if it is in the cache. `now` is in seconds.
    pub fn get(&self, key: &str, now: i64) -> Option<CachedValue> {
        let mut inside = self.values.borrow_mut();
        inside.clock += 1;
        let clock = inside.clock;
        let entry = inside.kept.get_mut(key).filter(|entry| now.saturating_sub(entry.read) < LONGEST)?;
        entry.used = clock;
        Some(entry.what.clone())
    }

    /// Adds a value that was read at `now`.
    pub fn put(&self, key: String, what: CachedValue, now: i64) {
        let mut inside = self.values.borrow_mut();
        inside.clock += 1;
        let used = inside.clock;
        let size = what.size();
        inside.bytes += size;
        if let Some(old) = inside.kept.insert(key, CacheEntry { what, size, read: now, used }) {
            inside.bytes -= old.size;
        }
        inside.shrink();
    }

    /// Counts a value anew, after pages were added to it.
    pub fn measure(&self, key: &str) {
        let mut inside = self.values.borrow_mut();
        let Some(entry) = inside.kept.get_mut(key) else { return };
        let old = std::mem::replace(&mut entry.size, entry.what.size());
        let new = entry.size;
        inside.bytes = inside.bytes + new - old;
        inside.shrink();
    }

    /// Removes a value that is of another load.
    pub fn forget(&self, key: &str) {
        let mut inside = self.values.borrow_mut();
        if let Some(gone) = inside.kept.remove(key) {
            inside.bytes -= gone.size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(count: usize) -> CachedValue {
        CachedValue::Bytes(Rc::new(vec![0; count]))
    }

    #[test]
    fn the_least_recently_used_value_is_dropped_first() {
        let cache = ShelfCache::default();
        for key in ["a", "b", "c"] {
            cache.put(key.into(), bytes(10 << 20), 0);
        }
        assert!(cache.get("a", 0).is_some());
        cache.put("d".into(), bytes(10 << 20), 0);
        let held: Vec<_> = ["a", "b", "c", "d"].into_iter().filter(|key| cache.get(key, 0).is_some()).collect();
        assert_eq!(held, ["a", "c", "d"]);
    }

    #[test]
    fn a_value_is_kept_for_a_minute_and_counted_once() {
        let cache = ShelfCache::default();
        for _ in 0..100 {
            cache.put("a".into(), bytes(10 << 20), 100);
        }
        assert!(cache.get("a", 159).is_some());
        assert!(cache.get("a", 160).is_none());
        cache.put("b".into(), CachedValue::Absent, 160);
        cache.forget("a");
        assert_eq!(cache.values.borrow().bytes, ENTRY);
    }
}
