//! Jobs that are repeated after a restore.

use rusqlite::{Connection, params_from_iter};

use super::Failure;
use api::KINDS;
use database::Statement;
use job::Replay;

/// Has jobs repeated. Returns the clients whose jobs are left out, and the number of these jobs.
///
/// # Errors
/// If the database does not accept the statements. In this case, nothing has changed.
pub fn done_again(connection: &mut Connection, replay: &Replay) -> Result<Vec<(String, u64)>, Failure> {
    let transaction = connection.transaction()?;
    let mut left_out = Vec::new();
    for Statement { text, binds } in replay.statements(&KINDS) {
        let mut statement = transaction.prepare(&text)?;
        let mut rows = statement.query(params_from_iter(&binds))?;
        while let Some(row) = rows.next()? {
            left_out.push((row.get("client")?, row.get("jobs")?));
        }
    }
    transaction.commit()?;
    Ok(left_out)
}
