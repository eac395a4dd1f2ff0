//! What an isolate keeps of what it has read: bounded in bytes, the least recently used going first, and each value only
//! for as long as KV itself may take to show a change.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::store::shelf::Shelf;

/// The bytes that are kept: an isolate has 128 MB, and answers are made beside them.
const MOST: usize = 32 << 20;
/// Seconds that a value is kept: KV shows a change within a minute.
const LONGEST: i64 = 60;
/// What an entry counts for beside its value: more than it costs, so that there are never too many to look through.
const ENTRY: usize = 2_000;

/// A value that was read.
#[derive(Debug, Clone)]
pub enum CachedValue {
    /// There is none.
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
                Self::Shelf(shelf) => shelf.size(),
                Self::Bytes(bytes) => bytes.len(),
            }
    }
}

/// What an isolate keeps.
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

#[derive(Debug)]
struct CacheEntry {
    what: CachedValue,
    /// What it counted for when it was put here: a shelf may have been read further since.
    size: usize,
    read: i64,
    used: u64,
}

impl ShelfCache {
    /// The value of that key, if it is kept. `now` is in seconds.
    pub fn get(&self, key: &str, now: i64) -> Option<CachedValue> {
        let mut inside = self.values.borrow_mut();
        inside.clock += 1;
        let clock = inside.clock;
        let entry = inside.kept.get_mut(key).filter(|entry| now.saturating_sub(entry.read) < LONGEST)?;
        entry.used = clock;
        Some(entry.what.clone())
    }

    /// Keeps a value that was read at `now`.
    pub fn put(&self, key: String, what: CachedValue, now: i64) {
        let mut inside = self.values.borrow_mut();
        inside.clock += 1;
        let used = inside.clock;
        let size = what.size();
        inside.bytes += size;
        if let Some(old) = inside.kept.insert(key, CacheEntry { what, size, read: now, used }) {
            inside.bytes -= old.size;
        }
        while inside.bytes > MOST {
            let oldest = inside.kept.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(gone) = oldest.and_then(|key| inside.kept.remove(&key)) else { break };
            inside.bytes -= gone.size;
        }
    }

    /// Forgets a value that has turned out to be of another load.
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
    fn what_was_not_used_goes_first() {
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
