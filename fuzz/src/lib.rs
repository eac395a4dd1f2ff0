//! The entry points of `tests/outside/`, which the targets call with odd bytes, and the world around them.
#![allow(dead_code, reason = "the targets use a part of what the tests share")]

#[path = "../../tests/outside/entry_points.rs"]
pub mod entry_points;
#[path = "../../tests/support/mod.rs"]
mod support;
#[path = "../../tests/world/mod.rs"]
mod world;
