//! SQLite as a database of statements: for the command line, and for tests.

mod database;
mod schema;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

pub use self::database::{SqliteDatabase, SqliteRows};
pub use schema::tables;

/// Returns the output of a future that is ready at its first poll, as all futures of this database are.
///
/// # Panics
/// If the future waits.
#[allow(clippy::panic, reason = "a future of this database waits for nothing")]
pub fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}
