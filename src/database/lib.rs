//! Databases as the core uses them: SQL statements in, rows out, and errors with a kind. The runtimes implement
//! [`Database`] over D1 and over SQLite. The store of records, the authorization server and the jobs use it, and depend
//! neither on each other nor on a platform.

mod auth;
mod batch;
mod error;
mod port;
mod schema;
mod statement;

pub use auth::{GRANT_IS_ACTIVE, RAISE_CORRECTIONS};
pub use batch::{run_all, run_each};
pub use error::{DatabaseError, DatabaseErrorKind};
pub use port::{Database, LargeText, Rows};
pub use schema::missing_tables;
pub use statement::{MAX_STATEMENT_LENGTH, Statement};
