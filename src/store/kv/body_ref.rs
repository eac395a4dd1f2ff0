//! References to bodies: a slice of a value, with the text around it.

use std::ops::Range;
use std::rc::Rc;

/// An entry or a resource whose text stays in the value until the answer is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyRef {
    /// The text before it.
    pub before: String,
    value: Rc<Vec<u8>>,
    range: Range<usize>,
    /// The text after it.
    pub after: &'static str,
}

impl BodyRef {
    /// Creates a reference to a slice of a value. `None` if the value is shorter.
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
