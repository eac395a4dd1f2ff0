//! One sort for everything that a store sorts: each type that is sorted for itself costs a Worker five kilobytes.

use std::cmp::Ordering;

/// The numbers below `count`, in the order that `compare` gives them.
pub fn ordered(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b));
    order
}

/// The same of the elements of a slice.
pub fn sorted<T: Copy>(all: &[T], compare: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    let of = |a: usize, b: usize| match (all.get(a), all.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    };
    ordered(all.len(), &of).into_iter().filter_map(|at| all.get(at).copied()).collect()
}
