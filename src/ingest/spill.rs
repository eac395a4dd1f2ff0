//! A map for the facts of a load, which has some for each of its resources. Without a table, all values are in memory;
//! with one, a limited number of them.

use std::collections::HashMap;
use std::fmt::Debug;
use std::rc::Rc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use fhir::{OF_THING, digest, to_postcard};

/// The digest of a name. Names are numerous and only compared.
pub type NameDigest = [u8; OF_THING];

pub(super) fn key(name: &str) -> NameDigest {
    digest(name)
}

/// A value by the digest of its name.
pub type SpilledValue = (NameDigest, Box<[u8]>);

/// An empty table outside of memory, for one load. A table that has failed returns no values. The store that has made
/// it reports the failure.
pub trait SpillTable: Debug {
    /// Returns the number of values that are in memory until they are put together.
    fn batch(&self) -> usize;

    /// Returns a value.
    fn value(&self, key: &NameDigest) -> Option<Vec<u8>>;

    /// Puts values, which are in the order of their digests.
    fn put(&self, values: &[SpilledValue]);
}

/// A map from names to values.
#[derive(Debug, Default)]
pub(super) struct SpillMap {
    /// The latest values.
    latest: HashMap<NameDigest, Box<[u8]>>,
    table: Option<Rc<dyn SpillTable>>,
    /// The names of all values that the table has.
    spilled: Filter,
}

impl SpillMap {
    /// Moves values into a table from now on, unless there is one already. Other maps may use the table with other
    /// names.
    pub(super) fn spill_into(&mut self, table: Option<&Rc<dyn SpillTable>>) {
        self.table = self.table.take().or_else(|| table.cloned());
    }

    pub(super) const fn table(&self) -> Option<&Rc<dyn SpillTable>> {
        self.table.as_ref()
    }

    /// Returns a value. It has the type that was put under this name.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &NameDigest) -> Option<T> {
        let read = |bytes: &[u8]| postcard::from_bytes(bytes).ok();
        match self.latest.get(key) {
            Some(value) => read(value),
            None => read(&self.table.as_ref().filter(|_| self.spilled.may_have(key))?.value(key)?),
        }
    }

    /// Puts a value, in place of an earlier one.
    pub(super) fn put<T: Serialize + ?Sized>(&mut self, key: NameDigest, value: &T) {
        self.latest.insert(key, to_postcard(value).into());
        let Some(table) = self.table.as_ref().filter(|table| self.latest.len() >= table.batch()) else { return };
        let mut values: Vec<SpilledValue> = self.latest.drain().collect();
        values.sort_unstable_by_key(|(key, _)| *key);
        values.iter().for_each(|(key, _)| self.spilled.add(key));
        table.put(&values);
    }

    /// Returns the number of values in memory.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.latest.len()
    }
}

/// A Bloom filter of a fixed size, with which names that are not in the table are rarely looked up. It takes 32 MiB
/// from the first name on. Of 100 names that it lacks, it takes none for known after 10 million names, and 12 after 60
/// million.
#[derive(Debug, Default)]
struct Filter(Vec<u64>);

/// The number of bits of an index into a [`Filter`].
const FILTER_INDEX: u32 = 28;

impl Filter {
    /// Returns the bits of a name, each with the index of its word. The digest is its own hash.
    fn bits(key: &NameDigest) -> impl Iterator<Item = (usize, u64)> {
        let (parts, _) = key.as_chunks::<4>();
        parts.iter().map(|part| {
            let bit = u32::from_le_bytes(*part) >> (u32::BITS - FILTER_INDEX);
            ((bit / u64::BITS) as usize, 1 << (bit % u64::BITS))
        })
    }

    fn add(&mut self, key: &NameDigest) {
        if self.0.is_empty() {
            self.0 = vec![0; 1 << (FILTER_INDEX - u64::BITS.ilog2())];
        }
        for (word, bit) in Self::bits(key) {
            if let Some(word) = self.0.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Returns whether a name may have been added. It has not if this is false.
    fn may_have(&self, key: &NameDigest) -> bool {
        Self::bits(key).all(|(word, bit)| self.0.get(word).is_some_and(|word| word & bit != 0))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// A table in memory, for tests.
    #[derive(Debug, Default)]
    pub struct TestTable {
        values: RefCell<HashMap<NameDigest, Box<[u8]>>>,
        /// The number of values that were looked up.
        pub reads: Cell<usize>,
    }

    impl SpillTable for TestTable {
        fn batch(&self) -> usize {
            10
        }

        fn value(&self, key: &NameDigest) -> Option<Vec<u8>> {
            self.reads.update(|reads| reads + 1);
            self.values.borrow().get(key).map(|value| value.to_vec())
        }

        fn put(&self, values: &[SpilledValue]) {
            assert!(values.is_sorted_by_key(|(key, _)| key));
            self.values.borrow_mut().extend(values.iter().cloned());
        }
    }

    #[test]
    fn a_map_that_spills_has_the_same_values() {
        let (mut map, table) = (SpillMap::default(), Rc::<TestTable>::default() as Rc<dyn SpillTable>);
        map.spill_into(Some(&table));
        let mut expected = HashMap::new();
        for n in 0..1_000_u32 {
            let name = key(&(n % 70).to_string());
            map.put(name, &n);
            expected.insert(name, n);
            assert!(map.count() < 10);
        }
        for n in 0..100 {
            let name = key(&n.to_string());
            assert_eq!(map.get::<u32>(&name).as_ref(), expected.get(&name));
        }
    }
}
