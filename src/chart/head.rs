//! The head of a chart in its stored form.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::id::PackedId;
use fhir::Id;
use search::kind::StoredUnit;
use smart::Owner;

/// The head of a chart, without the parts that are stored plain: the ids that are UUIDs, followed by the versions that
/// are digests. All lists except `owners`, `pages` and `columns` have an element for each row; `owner_of` and
/// `position_deltas` may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredHead<'a> {
    /// The first part of each row's sort key, as a number: the difference to the previous row.
    pub time_deltas: Vec<u64>,
    /// The ids. `None` means the next UUID.
    #[serde(borrow)]
    pub ids: Vec<Option<&'a str>>,
    /// The versions. `None` means the next digest.
    #[serde(borrow)]
    pub versions: Vec<Option<&'a str>>,
    /// The distinct owners.
    pub owners: Vec<StoredOwner>,
    /// The index of each row's owner. Empty if all rows have the first owner.
    pub owner_of: Vec<u32>,
    /// The number of texts on each page.
    pub pages: Vec<u32>,
    /// The position of each row's text among the texts of all pages, as the difference to the position before that of
    /// the previous row. Empty if the texts are in the opposite order of the rows, as they are until a load adds older
    /// resources to a chart.
    pub position_deltas: Vec<i32>,
    /// The length of each row's text, in bytes.
    pub lengths: Vec<u32>,
    /// The index by the parameters of US Core. A parameter without a column was added after the chart was packed.
    pub columns: Vec<Column>,
}

/// The index of a chart by parameters outside of US Core. It is preceded by plain bits, one for each number of a
/// parameter of the type in ascending order. A bit is set if the chart is indexed by that parameter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFurther {
    /// The columns of the parameters for which at least one row has a value.
    pub columns: Vec<Column>,
    /// The units of the quantities in the columns, without duplicates.
    pub units: Vec<StoredUnit<'static>>,
}

/// The values of one search parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The parameter's id.
    pub param: u16,
    /// The entries ([`super::entry::Entry`]) in the order of their first rows, concatenated.
    #[serde(with = "serde_bytes")]
    pub entries: Vec<u8>,
}

/// An [`Owner`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredOwner {
    /// [`Owner::Everyone`].
    Everyone,
    /// [`Owner::Patients`].
    Patients(Vec<PackedId>),
    /// [`Owner::Undetermined`].
    Undetermined(Vec<PackedId>),
}

impl StoredOwner {
    /// Returns the stored form of an owner.
    pub fn of(owner: &Owner) -> Self {
        let packed = |patients: &BTreeSet<Id>| patients.iter().map(|id| PackedId::of(id.as_str())).collect();
        match owner {
            Owner::Everyone => Self::Everyone,
            Owner::Patients(patients) => Self::Patients(packed(patients)),
            Owner::Undetermined(patients) => Self::Undetermined(packed(patients)),
        }
    }

    /// Returns the owner, unless one of the ids is invalid.
    pub fn owner(&self) -> Option<Owner> {
        Some(match self {
            Self::Everyone => Owner::Everyone,
            Self::Patients(patients) => Owner::Patients(ids(patients)?),
            Self::Undetermined(patients) => Owner::Undetermined(ids(patients)?),
        })
    }
}

fn ids(packed: &[PackedId]) -> Option<BTreeSet<Id>> {
    let id = |packed: &PackedId| {
        let mut text = String::new();
        packed.write(&mut text);
        Id::parse(&text)
    };
    packed.iter().map(id).collect()
}
