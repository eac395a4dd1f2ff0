//! A chart: packed resources of one type. Most charts contain those of one patient. A chart has a head, which a search
//! reads first, and pages, which contain the texts of the resources. Head and pages are deflated separately, so that a
//! search inflates only the head and the pages that its answer needs.
//!
//! # The stored form
//!
//! A stored value has plain bytes and deflated bytes, with a checksum (`deflate`). A page contains the concatenated
//! texts of its resources, in which ids and versions are replaced by numbers (`page`). A head is a `StoredHead` in the
//! format of postcard (<https://postcard.jamesmunns.com/wire-format>): numbers have variable length, and each list is
//! preceded by its length. It has a list for each property of a resource, since similar data deflate best together, and
//! an index: for each search parameter the distinct values, each with the rows that have it. A parameter that is
//! missing from the index was added after the chart was packed. Ids that are UUIDs and versions that are digests are
//! stored plain. If the store is indexed by more parameters than those of US Core, the values of the others follow,
//! deflated separately (`further`).
//!
//! The rows of a head are in the default order of answers, newest first. The texts are in the opposite order until a
//! load adds to the chart: a resource stays on its page, and a new one is added after the last text.
//!
//! Stored bytes are not trusted: inconsistent bytes are an error, never a panic. [`Chart::open`] checks what it reads,
//! and [`Chart::check`] the whole index.
//!
//! # Packing and searching
//!
//! [`evaluate::evaluate`] evaluates the resources of one type: rows of a packed chart, or [`IndexedResource`]s as they
//! are. The query has to be parsed with the parameters by which the chart is packed. Stores follow joins (chains,
//! `_has`) and includes, which lead to other types. `ingest` has an example of a store in memory that loads NDJSON and
//! answers a whole query.
//!
//! ```
//! use chart::evaluate::{Candidates, evaluate};
//! use chart::{AccessLists, Candidate, Chart, IndexedResource, View, pack};
//! use fhir::{Id, ResourceType, Span};
//! use search::{Handling, IndexSet, ParseContext, SortKey, facts, parse_in};
//! use smart::{Grant, Owner, ScopeSet};
//!
//! let (on, set) = (ResourceType::Observation, IndexSet::us_core());
//! let rows = [("a", "2024-03-01", "final"), ("b", "2025-03-01", "preliminary")].map(|(id, date, status)| {
//!     let resource = serde_json::json!({
//!         "resourceType": "Observation", "id": id, "status": status, "effectiveDateTime": date,
//!         "subject": {"reference": "Patient/amara"},
//!     });
//!     let (id, body) = (Id::parse(id).unwrap(), resource.to_string());
//!     IndexedResource {
//!         resource_type: on,
//!         owner: Owner::Patients([Id::parse("amara").unwrap()].into()),
//!         sort_key: SortKey::new(Span::parse(date).map(Span::sort_time), &id),
//!         version: "1".to_owned(),
//!         facts: facts(on, &resource, &body, set, &|_| None),
//!         id,
//!         body,
//!     }
//! });
//! let packed = pack(&rows, set);
//! let chart = Chart::open(on, &packed.head).unwrap();
//! chart.check().unwrap();
//!
//! let context = ParseContext { set, now: 0, handling: Handling::Strict, base: "" };
//! let query = parse_in(&context, on, &[("status".to_owned(), "final".to_owned())]).unwrap();
//! let scopes = ScopeSet::parse("patient/Observation.rs").unwrap();
//! let grant = Grant { scopes, patient: Id::parse("amara"), ..Grant::default() };
//! let permitted = grant.narrow(query, None).unwrap();
//! let view = View::new(&chart, permitted.request().all.iter(), &permitted.request().sort_keys().0);
//! let found = evaluate(&permitted, &AccessLists::new(), None, Candidates { rows: view.rows(), by_sort_key: true });
//! assert_eq!(found.page[0].id(), "a");
//! assert_eq!(found.page.len(), 1);
//! ```

mod body_ref;
mod deflate;
mod entry;
mod error;
pub mod evaluate;
mod form;
mod further;
mod head;
mod id;
mod indexed;
mod loose;
mod name;
mod open;
mod pack;
mod page;
mod view;

pub use body_ref::BodyRef;
pub use deflate::{Contents, blocks, contents, deflate, deflate_with_plain, inflate};
pub use error::ChartError;
pub use evaluate::{AccessList, AccessLists, Candidate, InRecord, matches};
pub use form::{FORM, MAX_HEAD, MAX_TEXTS};
pub use indexed::IndexedResource;
pub use loose::to_bytes;
pub use name::ChartName;
pub use open::{BodyLocation, Chart};
pub use pack::{PackedChart, Packing, pack, without};
pub use view::{ChartRow, View, links, referring_rows};
