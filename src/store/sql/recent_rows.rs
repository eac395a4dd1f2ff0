//! Cached answers from rows of the directory. Rows have no versions, so answers are reused within the window.

use super::chart_cache::RecentRows;
use super::charts::ChartReader;
use super::databases::RoutedStatement;
use crate::StoreError;
use database::{Database, Rows, Statement};
use search::Param;

/// The longest answer that is cached.
const MAX_LENGTH: usize = 100_000;

impl<D: Database> ChartReader<'_, D> {
    /// Runs statements on rows of the directory, like [`Self::run_indexed`], unless the isolate has a cached answer to
    /// the same statements. The statements include what the grant opens.
    ///
    /// # Errors
    /// As for [`Self::run_indexed`].
    pub async fn read_rows(
        &self,
        statements: Vec<RoutedStatement>,
        needed: &[&'static Param],
    ) -> Result<Vec<D::Rows>, StoreError> {
        self.read.borrow_mut().is_more = true;
        let key = key(&statements);
        let fresh =
            |kept: &mut RecentRows<D::Rows>| self.cache.is_fresh(kept.check, self.now).then(|| kept.answers.clone());
        if let Some(answers) = self.cache.rows.with(&key, fresh).flatten() {
            return Ok(answers);
        }
        let check = self.cache.check(self.now);
        let answers = self.run_indexed(statements, needed).await?;
        let length = answers.iter().map(Rows::length).sum();
        // A missing row may be added at any time, so its absence is not cached.
        if length > 0 && length <= MAX_LENGTH && self.cache.is_fresh(check, self.now) {
            self.cache.rows.put(&key, RecentRows { answers: answers.clone(), length, check });
        }
        Ok(answers)
    }
}

fn key(statements: &[RoutedStatement]) -> String {
    let texts = statements.iter().flat_map(|RoutedStatement { statement, .. }| {
        let Statement { text, binds } = statement;
        [text].into_iter().chain(binds)
    });
    texts.map(|text| format!("{} {text}", text.len())).collect()
}
