//! The entries of the index of a head.

use serde::{Deserialize, Serialize};

use crate::search::kind::StoredFact;

/// An entry of a column: a distinct value, and the rows that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<'a> {
    /// The value.
    #[serde(borrow)]
    pub value: StoredFact<'a>,
    /// The rows in ascending order: the first, and the difference of each further one to the row before it, as postcard
    /// writes numbers. They are read only for the values that a search asks for.
    #[serde(borrow, with = "serde_bytes")]
    row_deltas: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Appends the entry of a value that these rows have, in ascending order.
    pub fn write(value: &StoredFact<'_>, rows: &[u32], to: &mut Vec<u8>) {
        let before = std::iter::once(0).chain(rows.iter().copied());
        let deltas = before.zip(rows).map(|(before, row)| row - before);
        let row_deltas: Vec<u8> = deltas.flat_map(|delta| postcard::to_allocvec(&delta).unwrap_or_default()).collect();
        let entry = Entry { value: value.clone(), row_deltas: &row_deltas };
        to.extend(postcard::to_allocvec(&entry).unwrap_or_default());
    }

    /// The rows, in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut rest, mut row) = (self.row_deltas, 0_u32);
        std::iter::from_fn(move || {
            let (delta, behind) = postcard::take_from_bytes::<u32>(rest).ok()?;
            rest = behind;
            row = row.saturating_add(delta);
            Some(row)
        })
    }
}
