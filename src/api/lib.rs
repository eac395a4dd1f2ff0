//! HTTP requests and answers, independent of a runtime. A runtime converts a request to a [`Call`], and the [`Reply`]
//! to a response. Paths below the FHIR base answer in FHIR format, paths below `/oauth` in that of OAuth.
//!
//! [`answer()`] is the router. It uses the table in `http/routes.rs`; each route is answered by a function in its own
//! file. A [`RequestTarget`] tells the runtime how to receive the request.

mod app_context;
mod audit;
mod authorization;
mod bearer;
mod configuration;
mod discovery;
mod export;
mod health_links;
mod http;
mod ingest;
mod job_kinds;
mod mcp;
mod measurement;
mod operation;
mod ports;
mod query_context;
mod readiness;
mod records;
mod router;
mod token_cache;
mod transport;

pub use app_context::AppContext;
pub use audit::{AUDIT, Disclosure, lines_of_export, lines_of_part};
pub use authorization::sandbox::sandbox_registrations;
pub use configuration::service_base_urls::ServiceBaseUrls;
pub use configuration::settings::{Environment, Settings};
pub use configuration::variables::{Storage, Variables};
pub use discovery::metadata::capabilities;
#[cfg(any(test, feature = "openapi"))]
pub use discovery::openapi::openapi;
pub use http::call::{Call, Method, Moment, network_hash};
pub use http::problem::Problem;
pub use http::reply::{HeaderPolicy, Reply};
pub use http::routes::{Body, Route};
pub use http::stream::{ObjectForm, ObjectPiece, Stream, StreamPiece};
pub use http::target::RequestTarget;
pub use http::throttle::{Limit, Throttle};
pub use job_kinds::{KINDS, is_own_object};
pub use measurement::{Measurement, Point};
pub use operation::unconfigured;
pub use ports::{AssetPort, IngestPort, IngestRequest, ReadingPort};
pub use query_context::QueryContext;
pub use readiness::Readiness;
pub use records::explain::{Explanation, explain};
pub use records::interactions::{answer_conditional_request, answer_request};
pub use router::{Log, answer};
pub use token_cache::TokenCache;
pub use transport::plain_http;
