//! The port that a runtime implements: a database, and the rows that it returns.

use std::str::FromStr;

use super::{DatabaseError, Statement};

/// A database that runs a batch of statements in one round trip.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait Database {
    /// The rows of a statement.
    type Rows: Rows;

    /// Runs the statements on one snapshot of the data, and returns the rows of each.
    ///
    /// # Errors
    /// If the database does not answer.
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError>;
}

/// A large text, which is left where the database or the store has it until it is written out.
pub trait LargeText: Into<String> {
    /// Returns whether this is in the text.
    fn has(&self, part: &str) -> bool;
}

impl LargeText for String {
    fn has(&self, part: &str) -> bool {
        self.contains(part)
    }
}

/// The rows that one statement returned.
pub trait Rows: Clone {
    /// A large text.
    type Body: LargeText;

    /// The number of rows.
    fn count(&self) -> usize;
    /// The text or number in a column of a row, as text. `None` if it is null.
    fn text(&self, row: usize, column: &str) -> Option<String>;
    /// The text in a column of a row that is never null.
    ///
    /// # Errors
    /// If it is null.
    fn required_text(&self, row: usize, column: &str) -> Result<String, DatabaseError> {
        self.text(row, column).ok_or_else(|| DatabaseError::damaged(column))
    }
    /// The number in a column of a row. `None` if it is null.
    ///
    /// # Errors
    /// If it is no number of that type.
    fn number<N: FromStr>(&self, row: usize, column: &str) -> Result<Option<N>, DatabaseError> {
        let text = self.text(row, column);
        text.map(|text| text.parse().map_err(|_| DatabaseError::damaged(column))).transpose()
    }
    /// The number in a column of a row that is never null.
    ///
    /// # Errors
    /// If it is null, or no number of that type.
    fn required_number<N: FromStr>(&self, row: usize, column: &str) -> Result<N, DatabaseError> {
        self.number(row, column)?.ok_or_else(|| DatabaseError::damaged(column))
    }
    /// The bytes in a column of a row, which has them as hexadecimal digits. `None` if it is null.
    ///
    /// # Errors
    /// If it has other characters.
    fn bytes(&self, row: usize, column: &str) -> Result<Option<Vec<u8>>, DatabaseError> {
        let text = self.text(row, column);
        let bytes = text.map(|text| base16ct::upper::decode_vec(text).map_err(|_| DatabaseError::damaged(column)));
        bytes.transpose()
    }
    /// The texts in the column `entry` of the first `most` rows, except for nulls.
    fn entries(&self, most: usize) -> Vec<Self::Body>;
    /// The texts of [`Self::entries`], joined by commas. `None` if there are none.
    fn run(&self, most: usize) -> Option<Self::Body>;
    /// The length of the texts in the column `entry`, in characters or bytes.
    fn length(&self) -> usize;
    /// The ids in the column `owner` of those of the first `most` rows whose `entry` is not null, each once, joined by
    /// line ends. The column has other characters around the ids.
    fn owners(&self, most: usize) -> String;
    /// The number of rows that the database read for them.
    fn rows_read(&self) -> u64;
}
