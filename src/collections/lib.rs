//! Collections that several members use: sorting, and caches of an isolate.

pub mod cache;
pub mod order;
