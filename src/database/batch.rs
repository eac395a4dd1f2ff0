//! Batches of statements in which each statement is answered.

use super::{Database, DatabaseError, Statement};

/// Runs statements as one batch, and returns the rows of each.
///
/// # Errors
/// If the database does not answer each statement.
pub async fn run_all<D: Database>(database: &D, statements: Vec<Statement>) -> Result<Vec<D::Rows>, DatabaseError> {
    let expected = statements.len();
    let answers = database.batch(statements).await?;
    if answers.len() == expected { Ok(answers) } else { Err(another_number()) }
}

/// Runs a known number of statements, as [`run_all`] does.
///
/// # Errors
/// As for [`run_all`].
pub async fn run_each<D: Database, const N: usize>(
    database: &D,
    statements: [Statement; N],
) -> Result<[D::Rows; N], DatabaseError> {
    database.batch(statements.into()).await?.try_into().map_err(|_| another_number())
}

fn another_number() -> DatabaseError {
    DatabaseError::other("the database answered another number of statements")
}
