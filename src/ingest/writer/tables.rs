//! The tables that a writer reads and changes.

use super::gathered::{GatheredChart, ResourceEdit};
use store::sql::{Change, Lookup, Row};

/// The tables of the records. A lookup finds what earlier changes have put.
pub trait Tables {
    /// The rows of a lookup, in no certain order. If they are not known, there are none, and the code that has made the
    /// tables begins again with them ([`Self::lacks_rows`]).
    fn rows(&self, lookup: &Lookup) -> Vec<Row>;

    /// Returns whether rows were looked up that are not known, so that all is done again with more rows. What is still
    /// looked up then is known the next time.
    fn lacks_rows(&self) -> bool {
        false
    }

    /// Changes a row.
    fn change(&mut self, change: Change);

    /// Keeps a resource until its chart is written. One with the same compartment, type and id is replaced.
    fn gather(&mut self, gathered: ResourceEdit);

    /// Removes and returns the resources of the first kept chart, by compartment and number of the type.
    fn next_gathered(&mut self) -> Option<GatheredChart>;
}
