//! The port that a runtime implements: a database, and the rows that it returns.

use std::str::FromStr;

use super::{DatabaseError, Statement};

/// A database that runs a batch of statements in one round trip.
pub trait Database {
    /// The rows of a statement.
    type Rows: Rows;

    /// Runs the statements on one snapshot of the data, and returns the rows of each.
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError>;
}

/// A large text, which stays in the database or the store until it is written out.
pub trait LargeText: Into<String> {
    /// Returns whether the text contains `part`.
    fn has(&self, part: &str) -> bool;
    /// Calls `action` with each part of the text.
    fn for_each_part(&self, action: &mut dyn FnMut(&[u8]));
}

impl LargeText for String {
    fn has(&self, part: &str) -> bool {
        self.contains(part)
    }

    fn for_each_part(&self, action: &mut dyn FnMut(&[u8])) {
        action(self.as_bytes());
    }
}

/// The rows that one statement returned.
pub trait Rows: Clone {
    /// The type of large texts.
    type Body: LargeText;

    /// Returns the number of rows.
    fn count(&self) -> usize;
    /// Returns the text or number in a column of a row, as text. `None` if it is null.
    fn text(&self, row: usize, column: &str) -> Option<String>;
    /// Returns the text in a column of a row that is never null.
    fn required_text(&self, row: usize, column: &str) -> Result<String, DatabaseError> {
        self.text(row, column).ok_or_else(|| DatabaseError::damaged(column))
    }
    /// Returns the number in a column of a row. `None` if it is null.
    fn number<N: FromStr>(&self, row: usize, column: &str) -> Result<Option<N>, DatabaseError> {
        let text = self.text(row, column);
        text.map(|text| text.parse().map_err(|_| DatabaseError::damaged(column))).transpose()
    }
    /// Returns the number in a column of a row that is never null.
    fn required_number<N: FromStr>(&self, row: usize, column: &str) -> Result<N, DatabaseError> {
        self.number(row, column)?.ok_or_else(|| DatabaseError::damaged(column))
    }
    /// Returns the bytes in a column of a row, which has them as hexadecimal digits. `None` if it is null.
    ///
    /// # Errors
    /// If the column has other characters.
    fn bytes(&self, row: usize, column: &str) -> Result<Option<Vec<u8>>, DatabaseError> {
        let text = self.text(row, column);
        let bytes = text.map(|text| base16ct::upper::decode_vec(text).map_err(|_| DatabaseError::damaged(column)));
        bytes.transpose()
    }
    /// Returns the texts in the column `entry` of the first `most` rows, except for nulls.
    fn entries(&self, most: usize) -> Vec<Self::Body>;
    /// Returns the texts of [`Self::entries`], joined by commas. `None` if there are none.
    fn run(&self, most: usize) -> Option<Self::Body>;
    /// Returns the length of the texts in the column `entry`, in characters or bytes.
    fn length(&self) -> usize;
    /// Returns the distinct ids in the column `owner` of the first `most` rows whose `entry` is not null, joined by
    /// line ends. The column has other characters around the ids.
    fn owners(&self, most: usize) -> String;
    /// Returns the number of rows that the database read for these rows.
    fn rows_read(&self) -> u64;
}
