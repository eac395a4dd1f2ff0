//! The engine as a module for browsers: searches and reads of records, as on the server; the scope decision table;
//! explanations of queries; and the checks of tokens. All of this works offline.
//!
//! Small values are passed as plain objects, Bundles and resources as text. Every refusal is thrown as an
//! OperationOutcome. `types.rs` has the types in TypeScript. The page, and the launch that fetches the data, are in
//! `www/`.

mod capabilities;
mod explain;
mod ffi;
mod fold;
mod records;
mod scopes;
mod types;
mod verify;

pub use capabilities::capabilities;
pub use explain::explain;
pub use fold::fold;
pub use records::Records;
pub use scopes::Scopes;
pub use verify::verify;
