//! The migrations, which wrangler applies to D1 from this folder, for programs with SQLite of their own.

/// The migrations, in their order.
pub const MIGRATIONS: [&str; 2] = [include_str!("0001_records.sql"), include_str!("0002_authorization.sql")];
