//! HTTP requests and answers, independent of a runtime. A runtime converts a request to a [`Call`], and the [`Reply`]
//! to a response. Paths below the FHIR base answer in FHIR format, paths below `/oauth` in that of OAuth.
//!
//! [`answer()`] is the router. It uses the table in `routes.rs`; each route is answered by a function in its own file.
//! A [`RequestTarget`] tells the runtime how to receive the request.

mod answer_tags;
mod app_context;
mod audit;
mod bearer;
mod binary;
mod call;
mod carrier;
mod client_endpoints;
mod compartment;
mod discovery;
mod doc_ref;
mod documents;
mod everything;
mod explain;
mod export;
mod form;
mod group_joins;
mod health_links;
mod ingest;
mod interactions;
mod job_kinds;
mod last_n;
mod launcher;
mod mcp;
mod measurement;
mod metadata;
mod negotiate;
#[cfg(any(test, feature = "openapi"))]
mod openapi;
mod operation;
mod pages;
mod path;
mod patients;
mod ports;
mod problem;
mod readiness;
mod reply;
mod request;
mod router;
mod routes;
mod sandbox;
mod service_base_urls;
mod settings;
mod signin_pages;
mod stream;
mod style;
mod summary;
mod target;
mod throttle;
mod token_cache;
mod transport;
mod user_agent;
mod variables;

pub use app_context::AppContext;
pub use audit::{AUDIT, Disclosure, lines_of_export, lines_of_part};
pub use call::{Call, Method, Moment, network_hash};
pub use explain::{Explanation, explain};
pub use interactions::QueryContext;
pub use job_kinds::{KINDS, is_own_object};
pub use measurement::{Measurement, Point};
pub use metadata::capabilities;
#[cfg(any(test, feature = "openapi"))]
pub use openapi::openapi;
pub use operation::unconfigured;
pub use ports::{AssetPort, IngestPort, IngestRequest, ReadingPort};
pub use problem::Problem;
pub use readiness::Readiness;
pub use reply::{HeaderPolicy, Reply};
pub use request::{answer_conditional_request, answer_request};
pub use router::{Log, answer};
pub use routes::{Body, Route};
pub use sandbox::sandbox_registrations;
pub use service_base_urls::ServiceBaseUrls;
pub use settings::{Environment, Settings};
pub use stream::{ObjectForm, ObjectPiece, Stream, StreamPiece};
pub use target::RequestTarget;
pub use throttle::{Limit, Throttle};
pub use token_cache::TokenCache;
pub use transport::plain_http;
pub use variables::{Storage, Variables};
