//! Shards: the databases over which charts are distributed. A chart is in the shard of its compartment's bucket, which
//! the map of shards determines. The first shard is the database that also holds the directory: the locator, the list
//! of all compartments, and the rows of types. A deployment with only this shard needs no map.

use super::names::{BUCKETS, bucket};

/// The most shards. Each further local database is attached to the first, and SQLite attaches at most ten.
pub const MAX_SHARDS: usize = 11;

/// The bits of a compartment's number after those of its bucket. A number has 31 bits, which SQLite stores in four
/// bytes.
pub const SERIAL_BITS: u32 = 19;

/// Returns the bucket of a compartment's number.
pub fn bucket_of(n: i64) -> u32 {
    (n >> SERIAL_BITS).rem_euclid(i64::from(BUCKETS)) as u32
}

/// Returns the first and the last number of a compartment in a bucket.
pub fn numbers_of(bucket: u32) -> (i64, i64) {
    let first = i64::from(bucket) << SERIAL_BITS;
    (first, first + (1 << SERIAL_BITS) - 1)
}

/// The map from buckets to shards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardMap {
    /// The first bucket of each range and its shard, in the order of buckets. The first range begins at 0, and
    /// successive ranges are in different shards.
    ranges: Vec<(u32, usize)>,
}

impl Default for ShardMap {
    /// Returns the map with all buckets in the first shard.
    fn default() -> Self {
        Self { ranges: vec![(0, 0)] }
    }
}

impl ShardMap {
    /// Returns the map with these entries for `shards` shards: the first bucket of each range and its shard. Without
    /// entries, everything is in the first shard. `None` if entries are out of order, if ranges are missing, or if a
    /// shard or a bucket is unknown.
    pub fn of_entries(entries: &[(u32, usize)], shards: usize) -> Option<Self> {
        if entries.is_empty() {
            return Some(Self::default());
        }
        let in_order = entries.is_sorted_by(|(one, _), (other, _)| one < other);
        let complete = entries.first().is_some_and(|(first, _)| *first == 0);
        let is_known = |(first, shard): &(u32, usize)| *first < BUCKETS && *shard < shards;
        let is_valid = in_order && complete && entries.iter().all(is_known);
        is_valid.then(|| Self { ranges: join_ranges(entries.iter().copied()) })
    }

    /// Returns the first bucket of each range and its shard, in the order of buckets.
    pub fn ranges(&self) -> &[(u32, usize)] {
        &self.ranges
    }

    /// Returns the shard of a bucket.
    pub fn shard(&self, bucket: u32) -> usize {
        let behind = self.ranges.partition_point(|(first, _)| *first <= bucket);
        behind.checked_sub(1).and_then(|at| self.ranges.get(at)).map_or(0, |(_, shard)| *shard)
    }

    /// Returns the shard of a compartment.
    pub fn shard_of(&self, compartment: &str) -> usize {
        // Most deployments have one shard.
        if self.ranges.len() == 1 { self.shard(0) } else { self.shard(bucket(compartment, BUCKETS)) }
    }

    /// Returns the buckets of a shard, in order.
    pub fn buckets(&self, shard: usize) -> impl Iterator<Item = u32> {
        (0..BUCKETS).filter(move |bucket| self.shard(*bucket) == shard)
    }

    /// Returns the map after a move of these buckets to a shard.
    #[must_use]
    pub fn moved(&self, buckets: &[u32], to: usize) -> Self {
        let shard = |bucket: u32| if buckets.contains(&bucket) { to } else { self.shard(bucket) };
        Self { ranges: join_ranges((0..BUCKETS).map(|bucket| (bucket, shard(bucket)))) }
    }

    /// Returns the buckets to move to a new shard, so that it gets as many as each of the `shards` existing ones. They
    /// are taken from the end of the largest shards.
    pub fn share_of_new(&self, shards: usize) -> Vec<u32> {
        let mut of_shards: Vec<Vec<u32>> = (0..shards).map(|shard| self.buckets(shard).collect()).collect();
        let share = BUCKETS as usize / (shards + 1);
        let mut chosen = Vec::with_capacity(share);
        while chosen.len() < share
            && let Some(bucket) = of_shards.iter_mut().max_by_key(|buckets| buckets.len()).and_then(Vec::pop)
        {
            chosen.push(bucket);
        }
        chosen.sort_unstable();
        chosen
    }
}

/// Merges neighbouring ranges with the same shard.
fn join_ranges(ranges: impl IntoIterator<Item = (u32, usize)>) -> Vec<(u32, usize)> {
    let mut joined: Vec<(u32, usize)> = Vec::new();
    for (first, shard) in ranges {
        if joined.last().is_none_or(|(_, before)| *before != shard) {
            joined.push((first, shard));
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_must_be_complete_and_in_order() {
        assert_eq!(ShardMap::of_entries(&[], 1), Some(ShardMap::default()));
        let map = ShardMap::of_entries(&[(0, 0), (7, 0), (1_024, 1), (4_095, 0)], 2).unwrap();
        assert_eq!(map.ranges(), [(0, 0), (1_024, 1), (4_095, 0)], "equal neighbours are one range");
        assert_eq!([0, 1_023, 1_024, 4_094, 4_095].map(|bucket| map.shard(bucket)), [0, 0, 1, 1, 0]);
        for ranges in
            [vec![(1, 0)], vec![(0, 0), (0, 1)], vec![(0, 0), (9, 1), (8, 0)], vec![(0, 2)], vec![(0, 0), (4_096, 0)]]
        {
            assert_eq!(ShardMap::of_entries(&ranges, 2), None, "{ranges:?}");
        }
    }

    #[test]
    fn a_move_changes_the_shard_of_its_buckets_alone() {
        let map = ShardMap::default().moved(&[3, 4, 4_095], 2);
        assert_eq!(map.ranges(), [(0, 0), (3, 2), (5, 0), (4_095, 2)]);
        assert_eq!(map.buckets(2).collect::<Vec<_>>(), [3, 4, 4_095]);
        assert_eq!(map.moved(&[3, 4, 4_095], 0), ShardMap::default());
        assert_eq!(ShardMap::of_entries(map.ranges(), 3), Some(map));
    }

    #[test]
    fn new_shards_get_equal_shares() {
        let mut map = ShardMap::default();
        for shards in 1..5 {
            let before = map.clone();
            map = map.moved(&map.share_of_new(shards), shards);
            let counts: Vec<_> = (0..=shards).map(|shard| map.buckets(shard).count()).collect();
            assert_eq!(counts.iter().sum::<usize>(), BUCKETS as usize);
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= shards, "{counts:?}");
            let stayed = (0..BUCKETS).filter(|bucket| before.shard(*bucket) == map.shard(*bucket)).count();
            assert_eq!(BUCKETS as usize - stayed, *counts.last().unwrap(), "only to the new one");
        }
    }

    #[test]
    fn a_compartment_is_in_the_shard_of_its_bucket() {
        let map = ShardMap::default().moved(&[bucket("mateo-reyes", BUCKETS)], 1);
        assert_eq!([map.shard_of("mateo-reyes"), map.shard_of("amara-okafor")], [1, 0]);
        assert_eq!(ShardMap::default().shard_of("mateo-reyes"), 0);
    }
}
