//! The cache of an isolate: values by name, limited in size, of which the least recently used are dropped first.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// The most bytes in a cache. An isolate has 128 MB, which it also needs for answers.
const MOST_BYTES: usize = 32 << 20;

/// The bytes that an entry counts for besides its value. They are more than it takes, to limit the number of entries.
pub const ENTRY: usize = 2_000;

/// A value that a cache can hold.
pub trait Cached {
    /// Its share of the size of the cache.
    fn size(&self) -> usize;
}

/// A cache of values by name, whose sizes add up to `MOST` at most. Without another limit, sizes are bytes.
#[derive(Debug)]
pub struct Cache<V, const MOST: usize = MOST_BYTES>(RefCell<Inside<V>>);

#[derive(Debug)]
struct Inside<V> {
    entries: HashMap<String, Entry<V>>,
    /// The sum of the sizes.
    size: usize,
    order: Order,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    /// Its size when it was last counted.
    size: usize,
    /// The time of its last use, by the clock of the order.
    used: u64,
}

/// The names by the time at which each was last used, on a clock that counts uses.
#[derive(Debug, Default)]
struct Order {
    clock: u64,
    names: BTreeMap<u64, String>,
}

impl Order {
    /// Adds a name as used now, and returns the time.
    fn add(&mut self, name: String) -> u64 {
        self.clock += 1;
        self.names.insert(self.clock, name);
        self.clock
    }

    /// Moves the name that was last used at that time to now, and returns the time.
    fn renew(&mut self, used: u64) -> u64 {
        match self.names.remove(&used) {
            Some(name) => self.add(name),
            None => used,
        }
    }
}

impl<V, const MOST: usize> Default for Cache<V, MOST> {
    fn default() -> Self {
        Self(RefCell::new(Inside { entries: HashMap::new(), size: 0, order: Order::default() }))
    }
}

impl<V, const MOST: usize> Cache<V, MOST> {
    /// Calls a function with the value of a name, if it is in the cache.
    pub fn with<R>(&self, name: &str, read: impl FnOnce(&mut V) -> R) -> Option<R> {
        let Inside { entries, order, .. } = &mut *self.0.borrow_mut();
        let entry = entries.get_mut(name)?;
        entry.used = order.renew(entry.used);
        Some(read(&mut entry.value))
    }

    /// The value of a name, if it is in the cache.
    pub fn get(&self, name: &str) -> Option<V>
    where
        V: Clone,
    {
        self.with(name, |value| value.clone())
    }

    /// Removes a value, and returns it.
    pub fn take(&self, name: &str) -> Option<V> {
        self.0.borrow_mut().remove(name)
    }

    /// Removes a value.
    pub fn forget(&self, name: &str) {
        self.0.borrow_mut().remove(name);
    }

    /// Removes all values.
    pub fn forget_all(&self) {
        let inside = &mut *self.0.borrow_mut();
        inside.entries.clear();
        inside.order.names.clear();
        inside.size = 0;
    }
}

impl<V: Cached, const MOST: usize> Cache<V, MOST> {
    /// Adds a value. It takes the place of an earlier one.
    pub fn put(&self, name: String, value: V) {
        let inside = &mut *self.0.borrow_mut();
        inside.remove(&name);
        let size = value.size();
        let used = inside.order.add(name.clone());
        inside.size += size;
        inside.entries.insert(name, Entry { value, size, used });
        inside.shrink(MOST);
    }

    /// Counts a value anew, after it has grown.
    pub fn measure(&self, name: &str) {
        let inside = &mut *self.0.borrow_mut();
        let Some(entry) = inside.entries.get_mut(name) else { return };
        let size = entry.value.size();
        inside.size = inside.size + size - entry.size;
        entry.size = size;
        inside.shrink(MOST);
    }
}

impl<V> Inside<V> {
    fn remove(&mut self, name: &str) -> Option<V> {
        let entry = self.entries.remove(name)?;
        self.order.names.remove(&entry.used);
        self.size -= entry.size;
        Some(entry.value)
    }

    /// Drops the least recently used values until the others are small enough.
    fn shrink(&mut self, most: usize) {
        while self.size > most {
            let Some((_, name)) = self.order.names.pop_first() else { break };
            self.remove(&name);
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
        let cache = Cache::<_, 32>::default();
        for name in ["a", "b", "c"] {
            cache.put(name.into(), Sized(10));
        }
        assert!(cache.get("a").is_some());
        cache.put("d".into(), Sized(10));
        let held: Vec<_> = ["a", "b", "c", "d"].into_iter().filter(|name| cache.get(name).is_some()).collect();
        assert_eq!(held, ["a", "c", "d"]);
    }

    #[test]
    fn a_value_is_counted_once() {
        let cache = Cache::<_, 32>::default();
        for _ in 0..100 {
            cache.put("a".into(), Sized(10));
        }
        assert!(cache.get("a").is_some());
        cache.put("b".into(), Sized(1));
        cache.forget("a");
        assert_eq!(cache.0.borrow().size, 1);
        assert_eq!(cache.0.borrow().order.names.len(), 1);
        cache.forget_all();
        assert_eq!((cache.0.borrow().size, cache.0.borrow().order.names.len()), (0, 0));
    }

    #[test]
    fn a_value_that_has_grown_takes_the_place_of_others() {
        let cache = Cache::<_, 32>::default();
        cache.put("a".into(), Sized(10));
        cache.put("b".into(), Sized(10));
        cache.with("b", |value| value.0 = 30);
        cache.measure("b");
        assert!(cache.get("a").is_none() && cache.get("b").is_some());
        cache.with("b", |value| value.0 = 40);
        cache.measure("b");
        assert!(cache.get("b").is_none(), "it alone is more than the cache holds");
    }

    #[test]
    fn the_size_of_all_values_is_limited() {
        let cache = Cache::<_, 10>::default();
        for at in 0..5_000 {
            cache.put(at.to_string(), Sized(at % 4 + 1));
            let inside = cache.0.borrow();
            assert_eq!(inside.entries.values().map(|entry| entry.size).sum::<usize>(), inside.size);
            assert!(inside.size <= 10 && inside.entries.len() == inside.order.names.len());
            assert!(inside.entries.contains_key(&at.to_string()), "the newest is kept");
        }
    }
}
