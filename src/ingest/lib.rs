//! Loading: from the text of files to indexed resources.
//!
//! A load reads its input twice. The first pass fills a [`Catalogue`] with the names that references use, the owners,
//! and the elements that chained searches read; the [`Owners`] of Provenance and Group follow from it. The second
//! pass indexes each resource: resolves references, completes attachment addresses, and extracts facts. Stored
//! resources that depend on the load are indexed again at its end ([`Load`]). A [`Writer`] makes the changes of a load
//! in the tables of a database. This module reads no files, and uses databases only through their port,
//! [`database::Database`].
//!
//! # From NDJSON to answers, in memory
//!
//! ```
//! use fhir::{Id, ResourceType};
//! use ingest::LoadedMemory;
//! use search::{Handling, parse};
//! use smart::{Grant, ScopeSet};
//!
//! let base = "https://ehr.example/fhir/r4";
//! let mut memory = LoadedMemory::new(base);
//! let records = r#"{"resourceType": "Patient", "id": "a", "name": [{"family": "Okafor"}]}
//! {"resourceType": "Encounter", "id": "e", "class": {"code": "AMB"}, "subject": {"reference": "Patient/a"}}
//! {"resourceType":"Observation","id":"o","subject":{"reference":"Patient/a"},"encounter":{"reference":"Encounter/e"}}
//! "#;
//! let report = memory.load(records, 0);
//! assert_eq!((report.resources, report.refused.len()), (3, 0));
//!
//! let search = |scopes: &str| {
//!     let parameters = [("encounter.class", "AMB"), ("_include", "Observation:subject")];
//!     let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_owned()));
//!     let query = parse(ResourceType::Observation, &parameters, Handling::Strict, base).expect("known parameters");
//!     let scopes = ScopeSet::parse(scopes).expect("known scopes");
//!     let grant = Grant { scopes, patient: Id::parse("a"), ..Grant::default() };
//!     // The grant refuses a search for which no scope suffices, and a chain to a type that it does not open.
//!     let permitted = grant.narrow(query, None).ok()?;
//!     Some(memory.store().evaluate(&permitted, None).expect("the grant is active"))
//! };
//! // Each match, and each included resource, is an entry of a Bundle.
//! let page = search("patient/Observation.rs patient/Encounter.rs patient/Patient.rs").expect("the scopes open it");
//! let entry: serde_json::Value = serde_json::from_str(&page.matches[0]).expect("an entry");
//! assert_eq!(entry["fullUrl"], "https://ehr.example/fhir/r4/Observation/o");
//! assert_eq!(page.included.len(), 1);
//! assert!(search("patient/Observation.rs patient/Patient.rs").is_none());
//! ```

mod age;
mod breaks;
mod bundle_names;
mod catalogue;
mod document;
mod index;
mod invalid_data;
pub mod job;
mod load;
mod load_documents;
mod memory;
mod owners;
mod reindex;
mod report;
mod request;
mod sources;
mod spill;
mod splitter;
mod text;
mod value;
pub mod writer;

pub use catalogue::{Catalogue, EarlierLoads, NoEarlierLoads, names};
pub use document::{
    DocumentEntry, Fault, Intake, Parsed, Rejection, entries, entry_path, illegal_id, line_of, on_one_line, take,
};
pub use index::{DOCUMENTS, IndexedEntry, Indexer};
pub use load::{Load, LoadEvent, LoadRefusal, LoadTarget, Stored, Take};
pub use load_documents::{ChangedPatients, MAX_FILE_LENGTH, narrowing};
pub use memory::{LoadedMemory, RejectedResource, Report};
pub use owners::Owners;
pub use reindex::{Reindexed, reindex};
pub use report::FileReport;
pub use sources::Sources;
pub use spill::{NameDigest, SpillTable, SpilledValue};
pub use splitter::{MAX_INLINE_LENGTH, Splitter, TakenBlock};
pub use text::{TextDocuments, not_utf8};
pub use value::read as read_json;
pub use writer::Writer;
