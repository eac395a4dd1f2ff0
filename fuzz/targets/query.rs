//! See `query` in tests/outside/doors.rs.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| edgechart_fuzz::doors::query(bytes));
