//! Jobs that are repeated after a restore.

use rusqlite::Connection;

use super::Failure;
use super::statements::for_each_row;
use api::KINDS;
use job::Replay;

/// Has jobs repeated. Returns the clients whose jobs are left out, and the number of these jobs.
///
/// # Errors
/// If the database does not accept the statements. In this case, nothing has changed.
pub fn done_again(connection: &mut Connection, replay: &Replay) -> Result<Vec<(String, u64)>, Failure> {
    let mut left_out = Vec::new();
    for_each_row(connection, &replay.statements(&KINDS), &mut |row| {
        left_out.push((row.get("client")?, row.get("jobs")?));
        Ok(())
    })?;
    Ok(left_out)
}
