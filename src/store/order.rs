//! A single sort for all types. Each type to which the standard sort is applied adds five kilobytes to the Worker.

use std::cmp::Ordering;

/// Sorts the numbers below `count` by `compare`.
pub fn ordered(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b));
    order
}

/// Sorts the elements of a slice by `compare`.
pub fn sorted<T: Copy>(all: &[T], compare: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    let of = |a: usize, b: usize| match (all.get(a), all.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    };
    ordered(all.len(), &of).into_iter().filter_map(|at| all.get(at).copied()).collect()
}
