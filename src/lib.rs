//! **edgechart** is a FHIR R4 API for reading clinical data, compiled to WebAssembly for the edge and for browsers.
//!
//! A query string is parsed into plain criteria ([`search::parse()`]), narrowed by the grant of a token
//! ([`smart::Grant::narrow`]), and answered by a store ([`store::Store`]). The crate is built in four forms: with the
//! feature `edge` it is a Cloudflare Worker, with `browser` a module of a web app, with `cli` the command line, and
//! without any of them a library that names no runtime.
//!
//! # Modules
//!
//! ```text
//! layer 7   edge/        native/       browser/   runtimes: Worker, command line, web page
//! layer 6   api/                                  HTTP requests and answers, without sockets
//! layer 5   ingest/      auth_store/  export/     loading | the authorization server's state, as SQL | exports
//! layer 4   oauth/       store/                   authorization | searches over stored records
//! layer 3   smart/                                scopes, grants, patient compartments
//! layer 2   search/      job/                     search parameters, queries | work in the background
//! layer 1   fhir/        database/    cache.rs    types, references, JSON, Bundles | statements | caches of an isolate
//!           order.rs                             sorting
//! ```
//!
//! # Invariants
//!
//! * A module uses modules of lower layers, and itself. Two modules of one layer do not know each other.
//! * Modules below the runtimes name no clock, no randomness and no platform. Each call gets the time and random bytes
//!   in an [`api::Moment`].
//! * A store answers [`smart::Permitted`] queries only, and only [`smart::Grant`] makes one.
//! * The text of a resource is not parsed on its way out. It is spliced into the answer as it was stored.
//!
//! `tests/house.rs` checks the first two against the code; the type system holds the third.

pub mod api;
pub mod auth_store;
pub mod cache;
pub mod database;
pub mod export;
pub mod fhir;
pub mod ingest;
pub mod job;
pub mod oauth;
mod order;
pub mod search;
pub mod smart;
pub mod store;

#[cfg(feature = "browser")]
pub mod browser;
#[cfg(all(feature = "edge", target_arch = "wasm32"))]
mod edge;
#[cfg(feature = "cli")]
pub mod native;
