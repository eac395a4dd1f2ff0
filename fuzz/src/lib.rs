//! What the targets throw bytes at: the doors of `tests/outside/`, with the world that they stand in.
#![allow(dead_code, reason = "the targets use a part of what the tests share")]

#[path = "../../tests/outside/doors.rs"]
pub mod doors;
#[path = "../../tests/support/mod.rs"]
mod support;
#[path = "../../tests/signin/world.rs"]
mod world;
