//! The tables that a writer reads and changes.

use super::gathered::{GatheredChart, ResourceEdit};
use store::sql::{Change, Lookup, Row};

/// The tables of the records. A lookup reflects earlier changes.
pub trait Tables {
    /// Returns the rows of a lookup, in no order. If they are not known, none are returned, and the code that created
    /// the tables has to start again with these rows ([`Self::lacks_rows`]).
    fn rows(&self, lookup: &Lookup) -> Vec<Row>;

    /// Returns whether unknown rows were looked up, so that the work has to be done again with more rows. Further
    /// lookups until then are known the next time.
    fn lacks_rows(&self) -> bool {
        false
    }

    /// Changes a row.
    fn change(&mut self, change: Change);

    /// Gathers a resource until its chart is written. It replaces one with the same compartment, type and id.
    fn gather(&mut self, gathered: ResourceEdit);

    /// Removes and returns the resources of the first kept chart, by compartment and number of the type.
    fn next_gathered(&mut self) -> Option<GatheredChart>;
}
