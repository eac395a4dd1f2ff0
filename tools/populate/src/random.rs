//! Random numbers that are the same on every machine: one ChaCha8 stream for each patient.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use uuid::Builder;

/// A stream of random numbers. What is drawn from one stream changes nothing in another.
pub(super) struct Random(ChaCha8Rng);

impl Random {
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self(generator)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        u32::try_from((u64::from(self.0.next_u32()) * u64::from(end)) >> 32).unwrap_or_default()
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = u32::try_from(high - low + 1).unwrap_or(1);
        low + i64::from(self.below(width))
    }

    /// True in so many of a hundred draws.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the items, of which there is at least one.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(u32::try_from(items.len()).unwrap_or(u32::MAX)) as usize]
    }

    /// So many decimal digits.
    pub(super) fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'0' + u8::try_from(self.below(10)).unwrap_or_default())).collect()
    }

    /// A UUID of version 4 (RFC 9562, section 5.4).
    pub(super) fn uuid(&mut self) -> String {
        let random = u128::from(self.0.next_u64()) << 64 | u128::from(self.0.next_u64());
        Builder::from_random_bytes(random.to_be_bytes()).into_uuid().hyphenated().to_string()
    }
}
