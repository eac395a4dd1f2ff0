//! The answers of stores, and their costs.

use std::collections::BTreeSet;

use fhir::{Id, ResourceType};
use search::Include;

/// A page of a searchset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<B> {
    /// The entries of the matches, in order. If the query requests a part of each resource, each entry is a text of its
    /// own; otherwise a store may join several entries into one text, separated by commas.
    pub matches: Vec<B>,
    /// The included entries, of which some may be joined by commas, in the order of rounds and then of references.
    pub included: Vec<B>,
    /// The includes that were not followed to their end because of the limits of an answer.
    pub cut: Vec<Include>,
    /// The chains that lead out of patients' records, as written.
    pub leading_out: BTreeSet<String>,
    /// The end of the page, if there are more matches.
    pub page_end: Option<String>,
    /// The number of matches on all pages, if known.
    pub total: Option<u64>,
    /// Of several searches, the types of those that have matches, as far as the page had to search.
    pub types: Vec<ResourceType>,
    /// The patients to whom the resources of the page belong, including included ones, in order and without duplicates.
    pub patients: Vec<Id>,
    /// The versions of the records of the patients whom the query names, in the order of the query. Only present if the
    /// page depends on nothing else, no access list can limit it, and `patients` are those of the query.
    pub versions: Option<Vec<i64>>,
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
    /// The patients to whom the resource belongs, in order and without duplicates.
    pub patients: Vec<Id>,
}

/// The cost of reading the records for an answer, for `Server-Timing`. It excludes the check of the grant, which is
/// made in parallel or not at all, and the reading of access lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cost {
    /// No counted cost.
    #[default]
    Free,
    /// The work of a database.
    D1 {
        /// The rows that it read.
        rows_read: u64,
        /// The batches of statements that it received. Some may have run at the same time.
        trips: u64,
    },
    /// The work of a key-value store.
    Kv {
        /// The values that were read from it.
        reads: u64,
    },
}

impl Cost {
    /// Returns the cost of two readings in sequence.
    #[must_use]
    pub fn and_then(self, other: Self) -> Self {
        self.sum(other, |one, other| one + other)
    }

    /// Returns the cost of two readings at the same time.
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
