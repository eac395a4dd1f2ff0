//! The database of what is written and of what is spent once: D1 at its primary, where no replica can be behind.

use worker::Env;

use super::d1::{D1, D1Rows};
use super::js::said;
use crate::store::{Database, DatabaseError, Statement};

/// D1 at its primary. A session with it is opened where something is asked, since most requests ask nothing.
pub struct Primary<'a>(pub &'a Env);

impl Database for Primary<'_> {
    type Rows = D1Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        let database = D1::primary(self.0).map_err(|error| DatabaseError(error.to_string()))?;
        database.run(&statements).await.map_err(|error| DatabaseError(said(&error)))
    }
}
