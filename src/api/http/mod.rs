//! Calls and replies: what HTTP gives and takes, the addresses of the server, and problems with their statuses.

pub mod call;
pub mod form;
pub mod negotiate;
pub mod path;
pub mod problem;
pub mod range;
pub mod reply;
pub mod routes;
pub mod stream;
pub mod target;
pub mod throttle;
