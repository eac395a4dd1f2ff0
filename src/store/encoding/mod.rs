//! The encoding of facts as rows of text, for the types that are searched without a patient.
//!
//! A row has a compartment, a parameter id, a key and the sort key of the resource. A compartment is a patient's id, or
//! empty for facts that are searched without a patient. The primary key is (compartment, parameter id, key, sort key),
//! so that the rows of one key are in the order of the answer. [`crate::search::kind`] gives the keys of facts and of
//! criteria.
//!
//! A resource whose clinical date lasts longer than a day has a second row in a compartment for that length,
//! `<compartment>~`, or `<compartment>~~` if it lasts longer than a month (see [`Length`]). A search for "ends after"
//! therefore reads only from the earliest start that a time of each length can have.

mod date_cover;
mod pair;

use std::collections::BTreeSet;

use super::indexed::IndexedResource;
use crate::fhir::{Id, Micros, ResourceType};
use crate::search::kind::date::Length;
use crate::search::kind::index_keys;
use crate::search::{Kind, Param, ParamId, newest_first, pairs};

pub use date_cover::{DateCover, cover};
pub use pair::{IndexKeys, PairCondition, paired};

/// Sorts after every id, because ids consist of letters, digits, `-` and `.`.
const AFTER_IDS: char = '~';

/// A fact, as a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactRow {
    /// The compartment: the patient's id or the empty text, followed by the mark of a [`Length`].
    pub compartment: String,
    /// The parameter, the pair, or the type as a whole.
    pub param_id: ParamId,
    /// The key.
    pub value: String,
    /// The sort key of the resource.
    pub sort_key: String,
    /// The end of the fact's time if it is a time, else the end of the clinical date, if there is one.
    pub ends_at: Option<Micros>,
}

/// A reference that includes may follow, as a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkRow {
    /// The parameter.
    pub param_id: ParamId,
    /// `Type/id`.
    pub target: String,
}

/// The compartment of a resource: that of its one patient, or the common one.
#[must_use]
pub fn compartment(indexed: &IndexedResource) -> &str {
    indexed.owner.sole().map_or("", Id::as_str)
}

/// The rows of a resource's facts.
#[must_use]
pub fn fact_rows(indexed: &IndexedResource) -> Vec<FactRow> {
    let mut rows = Vec::new();
    let compartment = compartment(indexed);
    let clinical = indexed.clinical();
    let ends_at = clinical.map(|span| span.until);
    let length = clinical.as_ref().map_or(Length::Short, Length::of);
    let mut add = |compartment: &str, param_id: ParamId, value: &str, ends_at: Option<Micros>| {
        for mark in BTreeSet::from([Length::Short.mark(), length.mark()]) {
            let (compartment, sort_key) = ([compartment, mark].concat(), indexed.sort_key.as_str().to_owned());
            rows.push(FactRow { compartment, param_id, value: value.to_owned(), sort_key, ends_at });
        }
    };
    add(compartment, ParamId::everything(indexed.kind), "", ends_at);
    for (param, fact) in indexed.facts.iter().filter(|(param, _)| is_kept(param)) {
        for key in index_keys(param, fact) {
            let ends_at = key.ends_at.or(ends_at);
            add(compartment, param.id, &key.value, ends_at);
            if param.identifying {
                add("", param.id, &key.value, ends_at);
            }
        }
    }
    for pair in pairs(indexed.kind) {
        // A compartment has only one Patient, so that pairs are of use for searches across all patients alone.
        let compartment = if indexed.kind == ResourceType::Patient { "" } else { compartment };
        for one in indexed.facts_of(pair.first) {
            for other in indexed.facts_of(pair.second) {
                for key in pair::pair_keys(pair, one, other) {
                    add(compartment, pair.param_id, &key.value, key.ends_at.or(ends_at));
                }
            }
        }
    }
    rows.sort();
    rows.dedup();
    rows
}

/// The rows of the references that includes may follow from a resource.
#[must_use]
pub fn link_rows(indexed: &IndexedResource) -> Vec<LinkRow> {
    indexed.links().map(|(param, target)| LinkRow { param_id: param.id, target: target.to_string() }).collect()
}

/// Returns whether the facts of a parameter have rows of their own. The id, the patient and the clinical date have
/// none, because they are part of each key.
fn is_kept(param: &Param) -> bool {
    !(param.clinical || param.name == "patient" || param.kind == Kind::Id)
}

/// A text that sorts between the sort keys that start at that time or later and those that start earlier.
#[must_use]
pub fn sort_key_at(start: Micros) -> String {
    let mut sort_key = newest_first(Some(start));
    sort_key.push(AFTER_IDS);
    sort_key
}

/// A text that sorts after every sort key.
pub const LAST_SORT_KEY: &str = "~";
