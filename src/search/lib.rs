//! Search: the search parameters of each type, their facts in a resource, and the meaning of a query string
//! (<https://hl7.org/fhir/R4/search.html>).
//!
//! FHIR's rules (prefixes, precision, implied systems, folding) are applied in this module alone. [`parse()`] turns the
//! decoded parameters of a query string into a [`Query`] of plain [`Criterion`]s, or refuses them; [`facts`] turns a
//! resource into plain [`Fact`]s. Both are always valid, and stores only compare them. [`kind`] has a file for each
//! kind of parameter. A [`Fact`] may share its unit with others by reference counting, so facts stay on one thread.
//!
//! Permission is in `smart`, and the search for the answer in `store`.
//!
//! # A search without a store
//!
//! The clauses in [`Query::all`] compare the facts of one resource, as below. They are not the whole query: a store
//! also compares its owner ([`Query::patients`], from `patient=`), `about`, `any_of`, `member_of` and `period`, reads
//! other resources for `joins` and includes, and sorts and pages the matches.
//!
//! ```
//! use fhir::ResourceType;
//! use search::{Handling, IndexSet, facts, parse, values_of};
//! use serde_json::json;
//!
//! let resources = [
//!     json!({"resourceType": "Patient", "id": "amara", "name": [{"family": "Okafor"}], "birthDate": "1984-05-02"}),
//!     json!({"resourceType": "Patient", "id": "nils", "name": [{"family": "Lindqvist"}], "birthDate": "1990-11-30"}),
//! ];
//! let parameters = [("name".to_owned(), "oka".to_owned()), ("birthdate".to_owned(), "lt1990".to_owned())];
//! let query = parse(ResourceType::Patient, &parameters, Handling::Strict, "https://example.org/fhir").unwrap();
//!
//! let found = resources.iter().filter(|resource| {
//!     let facts = facts(ResourceType::Patient, resource, &resource.to_string(), IndexSet::of_r4(), &|_| None);
//!     query.all.iter().all(|clause| clause.holds(|param| values_of(&facts, param)))
//! });
//! assert_eq!(found.map(|resource| resource["id"].as_str().unwrap()).collect::<Vec<_>>(), ["amara"]);
//!
//! let wrong = [("nome".to_owned(), "oka".to_owned())];
//! let unknown = parse(ResourceType::Patient, &wrong, Handling::Strict, "").unwrap_err();
//! assert!(unknown[0].text.contains("nome"));
//! ```

mod answer_tag;
mod carried;
mod carrier;
mod changed;
mod clause;
mod clinical_order;
mod clinical_period;
mod combination;
mod compartments;
mod contained;
mod cursor;
mod definition;
mod describe;
mod extract;
mod fold;
mod groups;
mod guide;
mod include;
mod index_set;
mod join;
pub mod kind;
mod members;
mod modifier_params;
mod param;
mod param_id;
mod parse;
mod query;
mod read_contained;
pub mod registry;
mod result_param;
pub mod sort_key;
mod sort_value;
pub mod sorting;
mod stored_params;
mod ucum;
mod words;

pub use answer_tag::{AnswerTag, TagKey};
pub use carried::carriers_of;
pub use carrier::CARRIERS;
pub use changed::changed_between;
pub use clause::Clause;
pub use clinical_order::clinical_date;
pub use clinical_period::{ClinicalPeriod, check_date};
pub use combination::{Combination, combinations};
pub use compartments::{compartment_types, types_in_compartment};
pub use contained::containing;
pub use cursor::CursorKey;
pub use extract::{Facts, facts, references, try_facts, values_of};
pub use fold::fold;
pub use groups::{groups_named, names_groups};
pub use guide::{Guide, Guides};
pub use include::{
    Include, MAX_ROUNDS, included_types, includes, is_followed, provenance_target, reverse_includes, us_core_includes,
};
pub use index_set::IndexSet;
pub use join::{Hop, Join, Subquery};
pub use kind::{Criterion, Fact, Kind, Modifier, meets};
pub use members::{about_directory, in_compartment, member_of};
pub use param::Param;
pub use param_id::ParamId;
pub use parse::{Handling, ParseContext, parse, parse_in};
pub use query::{EntryMode, LatestLimit, MemberOf, Query, SortRule, Total};
pub use read_contained::{Contained, read_contained};
pub use result_param::{MAX_COUNT, choose_subset};
pub use sort_key::SortKey;
pub use sort_value::MISSING;
pub use stored_params::stored_params;
