//! The engine in a browser: a chart that is loaded once and searched as the server searches it, what scopes open, how a
//! query is understood, and what a token's checks say. All of it works offline.
//!
//! Each export is a line or two: small values cross as plain objects, Bundles and resources as text, and every refusal is
//! thrown as an OperationOutcome. `types.rs` has their shapes in TypeScript. Not here: the page, and the launch that gets
//! the data (`www/`).

mod capabilities;
mod chart;
mod explain;
mod ffi;
mod scopes;
mod types;
mod verify;

pub use capabilities::capabilities;
pub use chart::Chart;
pub use explain::explain;
pub use scopes::Scopes;
pub use verify::verify;
