//! A text that goes out: a slice of a value, and what stands around it.

use std::ops::Range;
use std::rc::Rc;

/// An entry or a resource whose text is left where it lies until the answer is put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyRef {
    /// What stands before it.
    pub before: String,
    value: Rc<Vec<u8>>,
    range: Range<usize>,
    /// What stands behind it.
    pub after: &'static str,
}

impl BodyRef {
    /// A slice of a value; nothing where the value is shorter.
    #[must_use]
    pub fn of(value: Rc<Vec<u8>>, range: Range<usize>, before: String, after: &'static str) -> Option<Self> {
        value.get(range.clone())?;
        Some(Self { before, value, range, after })
    }

    /// The slice.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.value.get(self.range.clone()).unwrap_or_default()
    }
}

impl From<BodyRef> for String {
    fn from(cut: BodyRef) -> Self {
        [&cut.before, &*Self::from_utf8_lossy(cut.bytes()), cut.after].concat()
    }
}
