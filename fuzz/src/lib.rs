//! What the targets throw bytes at: the entry points of `tests/outside/`, with the world that they stand in.
#![allow(dead_code, reason = "the targets use a part of what the tests share")]

#[path = "../../tests/outside/entry_points.rs"]
pub mod entry_points;
#[path = "../../tests/support/mod.rs"]
mod support;
#[path = "../../tests/signin/world.rs"]
mod world;
