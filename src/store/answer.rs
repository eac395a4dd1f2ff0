//! The answers of stores, and what they cost.

use std::collections::BTreeSet;

use fhir::Id;
use search::Include;

/// A page of a searchset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<B> {
    /// The entries of the matches, in order. If the query wants a part of each resource, there is a text for each;
    /// else a store may join several entries into one text, separated by commas.
    pub matches: Vec<B>,
    /// The included entries, some of them joined by commas, in the order of their rounds and then of references.
    pub included: Vec<B>,
    /// The includes that were not followed to their end, because an answer has no room for more.
    pub cut: Vec<Include>,
    /// The chains that lead out of the records of patients, as they were written.
    pub leading_out: BTreeSet<String>,
    /// The end of the page, if there are more matches.
    pub page_end: Option<String>,
    /// The number of matches on all pages, if it is known.
    pub total: Option<u64>,
    /// The patients to whom the resources of the page belong, included ones too, in order and each once.
    pub patients: Vec<Id>,
    /// The cost of reading.
    pub cost: Cost,
}

/// The result of a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read<B> {
    /// The resource, if it exists and the grant opens it.
    pub found: Option<StoredResource<B>>,
    /// The cost of reading.
    pub cost: Cost,
}

/// A stored resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResource<B> {
    /// The text.
    pub body: B,
    /// `meta.versionId`, or a digest of the text if there is none.
    pub version: String,
    /// `meta.lastUpdated` as an HTTP date.
    pub modified: Option<String>,
    /// The patients to whom it belongs, in order and each once.
    pub patients: Vec<Id>,
}

/// The cost of reading the records for an answer, for `Server-Timing`. It includes neither the check of the grant,
/// which is made at the same time or not at all, nor the reading of access lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cost {
    /// No cost that is counted.
    #[default]
    Free,
    /// The work of a database.
    D1 {
        /// Rows that it read.
        rows_read: u64,
        /// Batches of statements that it was sent. Some may have run at the same time.
        trips: u64,
    },
    /// The work of a key-value store.
    Kv {
        /// Values that were read from it.
        reads: u64,
    },
}

impl Cost {
    /// The cost of reading first this and then that.
    #[must_use]
    pub fn and_then(self, other: Self) -> Self {
        self.sum(other, |one, other| one + other)
    }

    /// The cost of reading this and that at the same time.
    #[must_use]
    pub fn in_parallel(self, other: Self) -> Self {
        self.sum(other, u64::max)
    }

    fn sum(self, other: Self, trips: fn(u64, u64) -> u64) -> Self {
        match (self, other) {
            (Self::D1 { rows_read, trips: own }, Self::D1 { rows_read: others, trips: other }) => {
                Self::D1 { rows_read: rows_read + others, trips: trips(own, other) }
            }
            (Self::Kv { reads }, Self::Kv { reads: others }) => Self::Kv { reads: reads + others },
            (cost, Self::Free) | (Self::Free, cost) => cost,
            (Self::D1 { .. }, Self::Kv { .. }) | (Self::Kv { .. }, Self::D1 { .. }) => Self::Free,
        }
    }
}
