//! References to bodies: a slice of a value, with text before and after it.

use std::ops::Range;
use std::rc::Rc;

use super::ChartError;
use super::open::{BodyLocation, Chart};
use database::LargeText;

/// An entry or a resource whose text stays in the value until the answer is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyRef {
    /// The text before the slice.
    pub before: String,
    value: Rc<Vec<u8>>,
    range: Range<usize>,
    /// The text after the slice.
    pub after: &'static str,
}

impl BodyRef {
    /// Creates a reference to a slice of a value. `None` if the value is shorter than the range.
    pub fn of(value: Rc<Vec<u8>>, range: Range<usize>, before: String, after: &'static str) -> Option<Self> {
        value.get(range.clone())?;
        Some(Self { before, value, range, after })
    }

    /// Returns the text of a row of a chart, with a text before and after it. The row's page must have been read.
    ///
    /// # Errors
    /// If the page is missing or damaged.
    pub fn of_chart(chart: &Chart, row: u32, before: String, after: &'static str) -> Result<Self, ChartError> {
        let missing = || ChartError::new("a page of a chart is missing");
        match chart.body(row)? {
            BodyLocation::Read(page, range) => Self::of(page, range, before, after).ok_or_else(missing),
            BodyLocation::Unread(_) => Err(missing()),
        }
    }

    /// Returns the slice.
    pub fn bytes(&self) -> &[u8] {
        self.value.get(self.range.clone()).unwrap_or_default()
    }
}

impl LargeText for BodyRef {
    fn has(&self, part: &str) -> bool {
        memchr::memmem::find(self.bytes(), part.as_bytes()).is_some()
    }

    fn for_each_part(&self, action: &mut dyn FnMut(&[u8])) {
        [self.before.as_bytes(), self.bytes(), self.after.as_bytes()].into_iter().for_each(action);
    }
}

impl From<BodyRef> for String {
    fn from(cut: BodyRef) -> Self {
        [&cut.before, &*Self::from_utf8_lossy(cut.bytes()), cut.after].concat()
    }
}
