//! HTTP requests and answers, independent of a runtime. A runtime makes a [`Call`] of a request, and a response of the
//! [`Reply`]. Paths under the FHIR base answer in FHIR, paths under `/oauth` in OAuth.
//!
//! [`answer()`] is the router. It reads the table in `routes.rs`; each route is answered by a function in a file of its
//! own.

mod app_context;
mod audit;
mod bearer;
mod call;
mod client_endpoints;
mod discovery;
mod explain;
mod form;
mod ingest;
mod launcher;
mod metadata;
mod metrics;
mod negotiate;
mod observation;
#[cfg(any(test, feature = "cli"))]
mod openapi;
mod operation;
mod pages;
mod patients;
mod problem;
mod records;
mod reply;
mod router;
mod routes;
mod sandbox;
mod settings;
mod signin_pages;
mod submit;
mod throttle;
mod token_cache;
mod transport;
mod user_agent;

pub use app_context::AppContext;
pub use audit::{AUDIT, Disclosure, lines_of_part};
pub use call::{Call, Method, Moment, network_hash, uuid_of};
pub use explain::{ExplainedClause, ExplainedInclude, Explanation, explain};
pub use ingest::{Boxed, INGEST, IngestJobs, IngestRequest};
pub use metadata::capabilities;
pub use metrics::Metrics;
pub use observation::{AnsweredCall, Observation, Point};
#[cfg(any(test, feature = "cli"))]
pub use openapi::openapi;
pub use operation::{Readiness, unconfigured};
pub use problem::Problem;
pub use records::{QueryContext, answer_question};
pub use reply::{HeaderPolicy, Reply};
pub use router::{Log, answer};
pub use routes::{METRICS_PATH, READY, may_end_grants};
pub use sandbox::sandbox_registrations;
pub use settings::{Environment, Settings};
pub use submit::is_allowed;
pub use throttle::{Limit, Throttle};
pub use token_cache::TokenCache;
pub use transport::plain_http;
