//! The settings of a server, from its variables.

pub mod service_base_urls;
pub mod settings;
pub mod variables;
