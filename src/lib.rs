//! **edgechart**: a question is parsed once into plain criteria, narrowed once by the grant, and answered by whoever
//! holds the facts.
//!
//! One crate, compiled for four places: with feature `edge` it is a Cloudflare Worker, with `browser` a module of a web
//! app, with `cli` the native command line, and with none of them a pure library.
//!
//! # The map
//!
//! ```text
//! floor 7   edge/        native/       browser/        hosts: the only rooms that name a runtime
//! floor 6   api/                                       front desk: HTTP in words, no sockets
//! floor 5   ingest/      auth store/                       what comes in | the authorization' memory, as SQL
//! floor 4   oauth/       store/                        authorization | answers (neither knows the other)
//! floor 3   smart/                                     permission
//! floor 2   search/                                    questions
//! floor 1   fhir/                                      nouns
//! ```
//!
//! # Invariants
//!
//! * A file uses only rooms below its own, or its own room. Hosts never use each other.
//! * The rooms below the hosts name no clock, no randomness and no runtime: [`api::Moment`] comes in with each call.
//! * A store answers nothing but a [`smart::Permitted`] question, and only [`smart::Grant`] makes one.
//! * The text of a resource is never parsed on its way out: it is spliced into the answer as it was stored.
//! * `tests/house.rs` holds the first two against the code.

pub mod api;
pub mod auth_store;
pub mod fhir;
pub mod ingest;
pub mod oauth;
pub mod search;
pub mod smart;
pub mod store;

#[cfg(feature = "browser")]
pub mod browser;
#[cfg(all(feature = "edge", target_arch = "wasm32"))]
mod edge;
#[cfg(feature = "cli")]
pub mod native;

/// Made for wasm: smaller than Rust's own, and a search, which asks it a hundred times and more, costs less.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
