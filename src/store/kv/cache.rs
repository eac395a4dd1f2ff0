//! The cache of an isolate for values that it has read. It keeps a value only for as long as a change may take to
//! become visible in KV.

use std::rc::Rc;

use super::shelf::Shelf;
use collections::cache::{Cache, Cached, ENTRY};

/// The seconds for which a value is kept. A change becomes visible in KV within a minute.
const MAX_LENGTH: i64 = 60;

/// A value that was read.
#[derive(Debug, Clone)]
pub enum CachedValue {
    /// There is no value with the key.
    Absent,
    /// A shelf.
    Shelf(Rc<Shelf>),
    /// Any other value.
    Bytes(Rc<Vec<u8>>),
}

/// A value, and the time at which it was read, in seconds.
#[derive(Debug, Clone)]
struct TimedValue(CachedValue, i64);

impl Cached for TimedValue {
    fn size(&self) -> usize {
        ENTRY
            + match &self.0 {
                CachedValue::Absent => 0,
                CachedValue::Shelf(shelf) => shelf.chart.size(),
                CachedValue::Bytes(bytes) => bytes.len(),
            }
    }
}

/// The cache of an isolate.
#[derive(Debug, Default)]
pub struct ShelfCache(Cache<TimedValue>);

impl ShelfCache {
    /// Returns the value of a key, if it is cached. `now` is in seconds.
    pub fn get(&self, key: &str, now: i64) -> Option<CachedValue> {
        let TimedValue(value, read) = self.0.get(key)?;
        (now.saturating_sub(read) < MAX_LENGTH).then_some(value)
    }

    /// Adds a value that was read at `now`.
    pub fn put(&self, key: &str, value: CachedValue, now: i64) {
        self.0.put(key, TimedValue(value, now));
    }

    /// Measures the size of a value again, after pages were added to it.
    pub fn measure(&self, key: &str) {
        self.0.measure(key);
    }

    /// Removes a value that belongs to another load.
    pub fn forget(&self, key: &str) {
        self.0.forget(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_kept_for_a_minute() {
        let cache = ShelfCache::default();
        cache.put("a", CachedValue::Absent, 100);
        assert!(cache.get("a", 159).is_some());
        assert!(cache.get("a", 160).is_none());
    }
}
