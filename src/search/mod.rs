//! Questions: which search parameters there are, what they find in a resource, and what a query string asks.
//!
//! FHIR's meaning (prefixes, precision, implied systems, folding) ends in this room. [`parse()`] compiles a query string
//! into a [`Query`] of plain [`Criterion`]s and refuses what it cannot; [`facts`] compiles a resource into plain
//! [`Fact`]s. After that nothing can be invalid, and the stores only compare.
//!
//! Not here: who may ask (`smart`), and how an answer is found (`store`).

mod combination;
mod criterion;
mod cursor;
mod definition;
mod definitions;
mod describe;
mod fact;
mod fold;
mod include;
pub mod kind;
mod param;
mod parse;
mod query;
mod registry;
mod sort_key;

pub use combination::{COMBINATIONS, Combination, Expectation, Pair, PairForm, pairs};
pub use criterion::Criterion;
pub use cursor::CursorKey;
pub use definition::Source;
pub use fact::{Fact, Facts, facts, links};
pub use fold::{fold, word_starts};
pub use include::{Include, includes, provenance_target, reverse_includes};
pub use kind::{Kind, Modifier};
pub use param::{Param, ParamId};
pub use parse::{Handling, MAX_COUNT, parse};
pub use query::{Clause, Query, SortRule, Total};
pub use registry::{PARAMS, id_param, last_updated, named, params_of};
pub use sort_key::{SortKey, UNDATED, newest_first, oldest_first};
