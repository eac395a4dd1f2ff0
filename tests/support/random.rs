//! Random numbers for the tests. The same seed gives the same numbers.

/// A random number generator (Marsaglia, Xorshift RNGs, 2003).
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    /// Returns true once in `most` times.
    pub fn one_in(&mut self, most: usize) -> bool {
        self.below(most) == 0
    }
}
