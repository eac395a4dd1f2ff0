//! The entries of the index in a head.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use fhir::to_postcard;
use search::kind::{StoredFact, StoredUnit};

/// An entry of a column: a distinct value, and the rows that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<'a> {
    #[serde(borrow)]
    pub value: StoredFact<'a>,
    /// The rows in ascending order: the first row, and the difference of each further row to the one before it, in the
    /// number format of postcard. They are read only for the values that a search needs.
    #[serde(borrow, with = "serde_bytes")]
    row_deltas: &'a [u8],
    /// Set to true if the rows cannot be read to their end.
    #[serde(skip)]
    is_cut: Option<&'a Cell<bool>>,
}

impl<'a> Entry<'a> {
    /// Appends the entry of a value and its rows, which are in ascending order.
    pub fn write(value: &StoredFact<'_>, rows: &[u32], to: &mut Vec<u8>) {
        let before = std::iter::once(0).chain(rows.iter().copied());
        let deltas = before.zip(rows).map(|(before, row)| row - before);
        let row_deltas: Vec<u8> = deltas.flat_map(|delta| to_postcard(&delta)).collect();
        let entry = Entry { value: value.clone(), row_deltas: &row_deltas, is_cut: None };
        to.extend(to_postcard(&entry));
    }

    /// Returns the entry at the beginning of some bytes, and the bytes after it. Its unit may be one of `units`. `None`
    /// if the bytes are not an entry.
    pub fn take(bytes: &'a [u8], units: &'a [StoredUnit<'a>], is_cut: &'a Cell<bool>) -> Option<(Self, &'a [u8])> {
        let (entry, rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        Some((Self { value: entry.value.with_unit_of(units)?, is_cut: Some(is_cut), ..entry }, rest))
    }

    /// Returns the rows in ascending order. They end where the bytes are invalid; [`super::Chart::check`] then fails.
    pub fn rows(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut rest, mut row, is_cut) = (self.row_deltas, 0_u32, self.is_cut);
        std::iter::from_fn(move || {
            let Ok((delta, behind)) = postcard::take_from_bytes::<u32>(rest) else {
                is_cut.filter(|_| !rest.is_empty()).inspect(|is_cut| is_cut.set(true));
                return None;
            };
            rest = behind;
            row = row.saturating_add(delta);
            Some(row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_cut_are_noted() {
        let value = StoredFact::Reference("Patient/a".into());
        let mut bytes = Vec::new();
        Entry::write(&value, &[3, 200, 500], &mut bytes);
        let is_cut = Cell::new(false);
        let (entry, rest) = Entry::take(&bytes, &[], &is_cut).unwrap();
        assert_eq!((entry.rows().collect::<Vec<_>>(), rest.len(), is_cut.get()), (vec![3, 200, 500], 0, false));
        // The last delta has two bytes, of which one is missing.
        let cut = Entry { row_deltas: &entry.row_deltas[..entry.row_deltas.len() - 1], ..entry };
        assert_eq!((cut.rows().collect::<Vec<_>>(), is_cut.get()), (vec![3, 200], true));
        assert_eq!(Entry::take(&bytes[..bytes.len() - 1], &[], &is_cut), None);
    }
}
