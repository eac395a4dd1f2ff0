//! The description of a server: its CapabilityStatement, its OpenAPI document, and the documents at `.well-known`.

pub mod metadata;
#[cfg(any(test, feature = "openapi"))]
pub mod openapi;
pub mod well_known;
