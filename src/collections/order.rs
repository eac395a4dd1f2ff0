//! Sorting and sets that add little code. Each type to which the standard sort is applied adds four kilobytes to a
//! module, and collecting a set applies that sort.

use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Sorts the numbers below `count` by `compare`.
pub fn ordered(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b));
    order
}

/// Sorts the elements of a list by `compare`. Equal elements keep their order.
pub fn sorted<T>(all: Vec<T>, compare: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    let of = |a: usize, b: usize| match (all.get(a), all.get(b)) {
        (Some(one), Some(other)) => compare(one, other).then(a.cmp(&b)),
        _ => Ordering::Equal,
    };
    let order = ordered(all.len(), &of);
    let mut all: Vec<_> = all.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| all.get_mut(at)?.take()).collect()
}

/// Returns a set of these values.
pub fn set_of<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    values.into_iter().for_each(|value| {
        set.insert(value);
    });
    set
}
