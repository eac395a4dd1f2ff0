//! Bulk Data export over HTTP (<https://hl7.org/fhir/uv/bulkdata/STU3/export.html>): the request that begins an export,
//! its status, and its files. [`::export::ExportPort`] is the port of the exports themselves.

mod answer;
mod exporter;
mod file;
mod gzip;
mod manifest;
mod members;
mod parameters;
mod type_filter;
mod types;

pub use answer::{answer, is_polling, publication};
