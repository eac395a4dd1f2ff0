//! Breaks in the work of a job, so that other tasks of its thread run. A local server has one thread for jobs and
//! requests. The breaks depend on bytes and not on a clock, so that the same job always has the same ones.

use std::fmt::{Debug, Formatter};
use std::pin::Pin;

/// Yields: the rest of a job continues after other tasks of the thread have run.
#[derive(Clone, Copy)]
pub struct Pause<'a>(pub &'a dyn Fn() -> Pin<Box<dyn Future<Output = ()>>>);

impl Debug for Pause<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pause(..)")
    }
}

/// The bytes that are read from a file between two breaks. They take some 10 ms.
const READ_AT_ONCE: u64 = 1 << 20;
/// The bytes of resources that are parsed, indexed or packed between two breaks.
const LOADED_AT_ONCE: u64 = 128 << 10;
/// The bytes for which a resource counts at least.
const RESOURCE: usize = 1 << 10;

/// Yields after an amount of work.
#[derive(Debug)]
pub struct Breaks<'a> {
    pause: Pause<'a>,
    /// The read bytes at the last break for reading.
    read: u64,
    /// The bytes of resources since the last break.
    loaded: u64,
}

impl<'a> Breaks<'a> {
    /// Returns the breaks of a work that begins.
    pub const fn new(pause: Pause<'a>) -> Self {
        Self { pause, read: 0, loaded: 0 }
    }

    /// Yields once.
    pub async fn take(&mut self) {
        self.loaded = 0;
        (self.pause.0)().await;
    }

    /// Yields if enough of a file was read. `read` counts all its bytes so far.
    pub async fn after_reading(&mut self, read: u64) {
        if read - self.read >= READ_AT_ONCE {
            self.read = read;
            self.take().await;
        }
    }

    /// Yields if enough resources were parsed, indexed or packed. The next one had so many bytes.
    pub async fn after_loading(&mut self, bytes: usize) {
        self.loaded += bytes.max(RESOURCE) as u64;
        if self.loaded >= LOADED_AT_ONCE {
            self.take().await;
        }
    }
}
