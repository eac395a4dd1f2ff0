//! The port of the search over charts: where charts are located and read. A database and a key-value store implement
//! it; [`super::search_charts`] is the search. The memory store has no charts to locate or read, and calls
//! [`super::evaluate`] directly.

use super::join::{DirectoryEnd, FoundReferences};
use super::names::OF_MANY;
use super::rounds::{IncludeSource, Round};
use super::search_plan::Search;
use super::{Cost, StoreError};
use chart::{BodyRef, Chart, ChartName, ChartRow};
use fhir::{Id, ResourceType};
use search::{Include, Param, provenance_target};

/// The result of an attempt to read charts that may change in the meantime.
pub type Attempt<T> = Result<T, AttemptError>;

/// The reason why an attempt has no result.
#[derive(Debug)]
pub enum AttemptError {
    /// A chart changed while it was read, so that another attempt is needed.
    Stale,
    /// The store does not answer.
    Store(StoreError),
}

impl<E: Into<StoreError>> From<E> for AttemptError {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

/// The resources whose charts are sought because their patients are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartQuery {
    /// The resources with one of these names, which are values of a parameter ([`super::names`]).
    Named(&'static Param, Vec<String>),
    /// All resources of the type.
    All,
}

/// A source of charts for one search or read. It reads nothing twice.
pub trait ChartSource: Sized {
    type Fetched: AsRef<Chart>;
    /// The text of a resource or an entry.
    type Body: From<BodyRef>;

    async fn locate(&self, query: &ChartQuery, resource_type: ResourceType) -> Result<Vec<ChartName>, StoreError>;

    /// Returns the names of the charts that may hold resources with these names of parameters, in one trip.
    async fn locate_each(&self, wanted: &[(&'static Param, Vec<String>)]) -> Result<Vec<ChartName>, StoreError>;

    /// Announces a call of [`Self::has_provenances_of_many`], so that the trip for the first charts can also find the
    /// answer.
    fn expect_provenances(&self) {}

    /// Returns whether there are Provenances that are not stored with their patients, because they are too many.
    ///
    /// # Errors
    /// As for [`Self::locate`].
    async fn has_provenances_of_many(&self) -> Result<bool, StoreError> {
        let Some(param) = provenance_target() else { return Ok(false) };
        let wanted = ChartQuery::Named(param, vec![OF_MANY.to_owned()]);
        Ok(!self.locate(&wanted, param.base).await?.is_empty())
    }

    /// Returns the charts that may hold these resources of a type. All charts must be open to the caller.
    ///
    /// # Errors
    /// As for [`Self::locate`] and [`Self::charts`].
    async fn located(&self, query: &ChartQuery, resource_type: ResourceType) -> Result<Vec<Self::Fetched>, StoreError> {
        let mut names = Vec::new();
        self.locate(query, resource_type).await?.into_iter().for_each(|name| name.put(&mut names));
        self.charts(&names, Some(resource_type)).await
    }

    /// Returns the existing charts with these names, in the order of the names; if a type is given, only those of that
    /// type. The other charts are read at the same time, for a later call.
    async fn charts(&self, names: &[ChartName], only: Option<ResourceType>) -> Result<Vec<Self::Fetched>, StoreError>;

    /// Reads these charts at the same time, for later calls of [`Self::charts`]. For those in `heads`, no texts are
    /// read.
    async fn prefetch(&self, names: &[ChartName], heads: &[ChartName]) -> Result<(), StoreError>;

    fn compartment(chart: &Self::Fetched) -> &str;

    /// Reads the pages of these charts that hold the texts of rows and have not yet been read.
    ///
    /// # Errors
    /// If the storage does not answer, if the pages are too large, or if a page or the part of a chart's index that was
    /// read is damaged.
    async fn texts(&self, charts: &[Self::Fetched], rows: &[ChartRow<'_, '_>]) -> Attempt<()>;

    /// True if resources of types with rows are included from rows, and not from charts.
    const HAS_ROWS: bool;

    /// Returns the resources that a round of includes looks for and the grant opens, from the rows of their types: at
    /// most `most` for each type and parameter.
    async fn rows(
        &self,
        search: &Search<'_>,
        round: &Round,
        most: usize,
    ) -> Result<Vec<IncludedRow<Self::Body>>, StoreError>;

    /// Returns whether a search without patients finds this resource in this chart. The resource has several patients
    /// or none, and may be in several charts, but is found in only one.
    fn is_home(chart: &Self::Fetched, row: ChartRow<'_, '_>) -> bool;

    /// Returns, for each of these ends of joins, the references to resources of the directory that satisfy it.
    async fn directory(&self, search: &Search<'_>, ends: &[DirectoryEnd<'_>]) -> Attempt<Vec<FoundReferences>>;

    /// Returns a reader that can read in parallel with another one. [`Self::add_parallel`] adds the cost of both.
    #[must_use]
    fn parallel(&self) -> Self;

    /// Adds the cost of two readers that read at the same time.
    fn add_parallel(&self, one: &Self, other: &Self);

    /// Returns the versions of the records of these patients, if nothing else has been read. `None` if the source has
    /// no versions.
    fn versions(&self, _patients: &[Id]) -> Option<Vec<i64>> {
        None
    }

    /// Returns the cost of the reading so far.
    fn cost(&self) -> Cost;
}

/// An included resource from a row.
#[derive(Debug)]
pub struct IncludedRow<B> {
    /// The resource, as a source of further includes.
    pub reached: IncludeSource,
    /// The patients to whom the resource belongs.
    pub patients: Vec<Id>,
    pub entry: B,
}

/// The resources that the includes of a search add to its page.
#[derive(Debug)]
pub struct IncludedPage<B> {
    /// The entries, as texts with one or several entries joined by commas.
    pub texts: Vec<B>,
    /// The patients to whom the resources belong, in order and without duplicates.
    pub patients: Vec<Id>,
    /// The includes that were not followed to their end.
    pub cut: Vec<Include>,
}

impl<B> Default for IncludedPage<B> {
    fn default() -> Self {
        Self { texts: Vec::new(), patients: Vec::new(), cut: Vec::new() }
    }
}
