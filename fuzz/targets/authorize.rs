//! See `authorize` in tests/outside/entry_points.rs.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| edgechart_fuzz::entry_points::authorize(bytes));
