//! The authorization server over HTTP: its endpoints for clients, the pages of the sign-in, and the sandbox.

pub mod client_endpoints;
pub mod launcher;
pub mod pages;
pub mod patients;
pub mod sandbox;
pub mod signin_pages;
pub mod style;
pub mod user_agent;
