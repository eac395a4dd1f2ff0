//! The cache of an isolate: values by name, limited in size. The least recently used values are dropped first.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// The maximum number of bytes in a cache. An isolate has 128 MB, which it also needs for answers.
const MAX_BYTES: usize = 32 << 20;

/// The bytes that an entry counts in addition to its value. They exceed its real size, to limit the number of entries.
pub const ENTRY: usize = 2_000;

/// The number of uses that are examined for each requested value in [`Cache::latest`].
const USES_FOR_EACH: usize = 8;

/// A value that a cache can hold.
pub trait Cached {
    /// Returns the value's share of the size of the cache.
    fn size(&self) -> usize {
        1
    }
}

/// A cache of values by name, whose sizes add up to at most `MAX`. With the default limit, sizes are in bytes.
#[derive(Debug)]
pub struct Cache<V, const MAX: usize = MAX_BYTES>(RefCell<CacheEntries<V>>);

#[derive(Debug)]
struct CacheEntries<V> {
    index: Index,
    values: Vec<Option<V>>,
}

/// The names in a cache, each with a position. It is independent of the values, and so compiled once for all caches.
#[derive(Debug, Default)]
struct Index {
    positions: HashMap<Rc<str>, usize>,
    entries: Vec<Entry>,
    /// The positions without a name.
    free: Vec<usize>,
    size: usize,
    /// The number of uses so far.
    clock: u64,
    /// The positions in the order of their uses, each with the time of the use. Only the last use of a position counts.
    uses: VecDeque<(u64, usize)>,
}

#[derive(Debug)]
struct Entry {
    name: Rc<str>,
    /// The size of the value when it was last counted.
    size: usize,
    /// The time of the last use, or 0 if the position is free.
    used: u64,
}

impl Index {
    /// Returns the position of a name, and records a use.
    fn find(&mut self, name: &str) -> Option<usize> {
        let position = *self.positions.get(name)?;
        self.note_use(position);
        Some(position)
    }

    /// Returns the position of a name for a value of this size. The position is new if the name had none.
    fn insert(&mut self, name: &str, size: usize) -> usize {
        let position = self.find(name).unwrap_or_else(|| self.add(name.into()));
        self.resize(position, size);
        position
    }

    fn add(&mut self, name: Rc<str>) -> usize {
        let entry = Entry { name: Rc::clone(&name), size: 0, used: 0 };
        let position = self.free.pop().unwrap_or(self.entries.len());
        match self.entries.get_mut(position) {
            Some(free) => *free = entry,
            None => self.entries.push(entry),
        }
        self.positions.insert(name, position);
        self.note_use(position);
        position
    }

    fn note_use(&mut self, position: usize) {
        let Self { entries, uses, clock, .. } = self;
        *clock += 1;
        if let Some(entry) = entries.get_mut(position) {
            entry.used = *clock;
        }
        uses.push_back((*clock, position));
        if uses.len() > 2 * entries.len() + 16 {
            uses.retain(|(at, position)| entries.get(*position).is_some_and(|entry| entry.used == *at));
        }
    }

    fn resize(&mut self, position: usize, size: usize) {
        if let Some(entry) = self.entries.get_mut(position) {
            self.size = self.size + size - entry.size;
            entry.size = size;
        }
    }

    fn remove(&mut self, position: usize) {
        if let Some(entry) = self.entries.get_mut(position) {
            self.positions.remove(&entry.name);
            self.size -= entry.size;
            (entry.size, entry.used, entry.name) = (0, 0, Rc::from(""));
            self.free.push(position);
        }
    }

    /// Removes the least recently used name if the sizes add up to more than `most`, and returns its position.
    fn remove_excess(&mut self, most: usize) -> Option<usize> {
        while self.size > most {
            let (at, position) = self.uses.pop_front()?;
            if self.entries.get(position).is_some_and(|entry| entry.used == at) {
                self.remove(position);
                return Some(position);
            }
        }
        None
    }
}

impl<V, const MAX: usize> Default for Cache<V, MAX> {
    fn default() -> Self {
        Self(RefCell::new(CacheEntries { index: Index::default(), values: Vec::new() }))
    }
}

impl<V, const MAX: usize> Cache<V, MAX> {
    /// Calls a function with the value of a name, if it is in the cache.
    pub fn with<R>(&self, name: &str, read: impl FnOnce(&mut V) -> R) -> Option<R> {
        let CacheEntries { index, values } = &mut *self.0.borrow_mut();
        values.get_mut(index.find(name)?)?.as_mut().map(read)
    }

    /// Returns the value of a name, if it is in the cache.
    pub fn get(&self, name: &str) -> Option<V>
    where
        V: Clone,
    {
        self.with(name, |value| value.clone())
    }

    /// Returns at most `most` values whose names are `wanted`, with their names, the last used first. It examines only
    /// the last uses.
    pub fn latest(&self, most: usize, wanted: impl Fn(&str) -> bool) -> Vec<(Rc<str>, V)>
    where
        V: Clone,
    {
        let CacheEntries { index: Index { entries, uses, .. }, values } = &*self.0.borrow();
        let recent = uses.iter().rev().take(USES_FOR_EACH * most).filter_map(|(at, position)| {
            let entry = entries.get(*position).filter(|entry| entry.used == *at && wanted(&entry.name))?;
            Some((Rc::clone(&entry.name), values.get(*position)?.clone()?))
        });
        recent.take(most).collect()
    }

    /// Removes a value, and returns it.
    pub fn take(&self, name: &str) -> Option<V> {
        let CacheEntries { index, values } = &mut *self.0.borrow_mut();
        let position = index.find(name)?;
        index.remove(position);
        values.get_mut(position)?.take()
    }

    /// Removes a value.
    pub fn forget(&self, name: &str) {
        self.take(name);
    }

    /// Removes all values.
    pub fn forget_all(&self) {
        let CacheEntries { index, values } = &mut *self.0.borrow_mut();
        *index = Index::default();
        values.clear();
    }
}

impl<V: Cached, const MAX: usize> Cache<V, MAX> {
    /// Adds a value. It replaces an earlier value of the name.
    pub fn put(&self, name: &str, value: V) {
        let CacheEntries { index, values } = &mut *self.0.borrow_mut();
        let position = index.insert(name, value.size());
        match values.get_mut(position) {
            Some(slot) => *slot = Some(value),
            None => values.push(Some(value)),
        }
        shrink(index, values, MAX);
    }

    /// Determines the size of a value again, after it has grown.
    pub fn measure(&self, name: &str) {
        let CacheEntries { index, values } = &mut *self.0.borrow_mut();
        let Some(&position) = index.positions.get(name) else { return };
        index.resize(position, values.get(position).and_then(Option::as_ref).map_or(0, Cached::size));
        shrink(index, values, MAX);
    }
}

/// Drops the least recently used values until the others are small enough.
fn shrink<V>(index: &mut Index, values: &mut [Option<V>], most: usize) {
    while let Some(position) = index.remove_excess(most) {
        if let Some(value) = values.get_mut(position) {
            *value = None;
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
            cache.put(name, Sized(10));
        }
        assert!(cache.get("a").is_some());
        cache.put("d", Sized(10));
        let kept: Vec<_> = ["a", "b", "c", "d"].into_iter().filter(|name| cache.get(name).is_some()).collect();
        assert_eq!(kept, ["a", "c", "d"]);
    }

    #[test]
    fn the_latest_values_are_those_that_were_used_last() {
        let cache = Cache::<_, 100>::default();
        for (at, name) in ["a/x", "b/x", "c/y", "d/x"].into_iter().enumerate() {
            cache.put(name, Sized(at + 1));
        }
        cache.with("a/x", |_| ());
        cache.forget("b/x");
        let latest = |most| {
            let latest = cache.latest(most, |name| name.ends_with("/x"));
            latest.into_iter().map(|(name, Sized(size))| (name.to_string(), size)).collect::<Vec<_>>()
        };
        assert_eq!(latest(2), [("a/x".to_owned(), 1), ("d/x".to_owned(), 4)]);
        assert_eq!((latest(1).len(), latest(9).len()), (1, 2));
    }

    #[test]
    fn a_value_is_counted_once() {
        let cache = Cache::<_, 32>::default();
        for _ in 0..100 {
            cache.put("a", Sized(10));
        }
        assert!(cache.get("a").is_some());
        cache.put("b", Sized(1));
        cache.forget("a");
        assert_eq!(cache.0.borrow().index.size, 1);
        cache.forget_all();
        assert!(cache.get("b").is_none());
        assert_eq!(cache.0.borrow().index.size, 0);
    }

    #[test]
    fn a_value_that_has_grown_takes_the_place_of_others() {
        let cache = Cache::<_, 32>::default();
        cache.put("a", Sized(10));
        cache.put("b", Sized(10));
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
            cache.put(&at.to_string(), Sized(at % 4 + 1));
            let CacheEntries { index, values } = &*cache.0.borrow();
            let sizes = values.iter().flatten().map(Cached::size);
            assert!(index.size <= 10 && sizes.sum::<usize>() == index.size, "{index:?}");
            assert!(index.positions.contains_key(at.to_string().as_str()), "the newest is kept");
            assert!(values.len() < 20 && index.uses.len() < 60, "what is free is used again");
        }
    }
}
