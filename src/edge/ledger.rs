//! The database of what is written and of what is spent once: D1 at its primary, where no replica can be behind.

use worker::Env;

use super::d1::{D1, D1Rows};
use crate::store::{Database, DatabaseError, Statement};

/// D1 at its primary. It is looked up where something is asked, since most requests ask nothing.
pub struct Primary<'a>(pub &'a Env);

impl Database for Primary<'_> {
    type Rows = D1Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<D1Rows>, DatabaseError> {
        D1::primary(self.0).map_err(|error| DatabaseError(error.to_string()))?.run(&statements).await
    }
}
