//! The tables of a database: the migrations that create them.

use rusqlite::Connection;

/// The migrations, in the order in which wrangler applies them to D1.
const MIGRATIONS: [&str; 2] =
    [include_str!("migrations/0001_records.sql"), include_str!("migrations/0002_authorization.sql")];
/// The later migrations, each of which makes only what is missing.
const LATER: [&str; 2] =
    [include_str!("migrations/0003_opt_out.sql"), include_str!("migrations/0004_health_links.sql")];

/// Creates the missing tables.
///
/// # Errors
/// If the database does not accept them.
pub fn tables(connection: Connection) -> Result<Connection, rusqlite::Error> {
    let exists = "SELECT count(*) FROM sqlite_schema WHERE name = 'resource'";
    if connection.query_row(exists, [], |row| row.get::<_, i64>(0))? == 0 {
        connection.execute_batch(&MIGRATIONS.concat())?;
    }
    connection.execute_batch(&LATER.concat())?;
    Ok(connection)
}
