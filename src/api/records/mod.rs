//! Requests for records: each interaction and operation, and what their answers have in common.

pub mod answer;
pub mod answer_tags;
pub mod binary;
pub mod carrier;
pub mod compartment;
pub mod doc_ref;
pub mod documents;
pub mod everything;
pub mod explain;
pub mod group_joins;
pub mod interactions;
pub mod last_n;
pub mod read;
pub mod record_types;
pub mod request;
pub mod search;
pub mod searchset;
pub mod summary;
