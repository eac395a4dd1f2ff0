//! The port of the search over charts: where charts are located and read. A database and a key-value store implement
//! it; [`super::search_charts`] is the search. The memory store has its rows at hand, and so nothing to locate or read:
//! it goes straight to [`super::evaluate`].

use super::indexed_params::check_chart;
use super::join::{DirectoryEnd, FoundReferences};
use super::rounds::{IncludeSource, Round};
use super::search_plan::SearchPlan;
use super::{Cost, StoreError};
use chart::evaluate::AccessLists;
use chart::{BodyRef, Chart, ChartName, ChartRow, View};
use fhir::{Id, ResourceType};
use search::{Include, Param, Query};
use smart::Permitted;

/// The result of an attempt to read charts that may change meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt<T> {
    /// The attempt has this result.
    Done(T),
    /// A chart changed while it was read, so that another attempt is needed.
    Stale,
}

/// The resources whose charts are sought, because their patients are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChartQuery {
    /// The resources with one of these names, which are values of a parameter ([`super::names`]).
    Named(&'static Param, Vec<String>),
    /// All of the type.
    All,
}

/// A source of charts for one search or read. It does not read again what it has read.
#[allow(async_fn_in_trait, reason = "the futures of a Worker are not Send, and need not be")]
pub trait ChartSource: Sized {
    /// A chart that was read.
    type Fetched: AsRef<Chart>;
    /// The text of a resource or an entry.
    type Body: From<BodyRef>;

    /// The names of the charts that may hold these resources of a type.
    ///
    /// # Errors
    /// If the storage does not answer, or they are too many, or the resources are not indexed by the parameter.
    async fn locate(&self, sought: &ChartQuery, on: ResourceType) -> Result<Vec<ChartName>, StoreError>;

    /// The names of the charts that may hold resources with these names, which are values of parameters, in one trip.
    ///
    /// # Errors
    /// As for [`Self::locate`].
    async fn locate_each(&self, sought: &[(&'static Param, Vec<String>)]) -> Result<Vec<ChartName>, StoreError>;

    /// The charts that may hold these resources of a type, for a caller to whom none of them is closed.
    ///
    /// # Errors
    /// As for [`Self::locate`] and [`Self::charts`].
    async fn located(&self, sought: &ChartQuery, on: ResourceType) -> Result<Vec<Self::Fetched>, StoreError> {
        let mut names = Vec::new();
        self.locate(sought, on).await?.into_iter().for_each(|name| name.put(&mut names));
        self.charts(&names, Some(on)).await
    }

    /// The charts with these names that exist, in the order of the names; if a type is given, those of that type alone.
    /// The others are read at the same time, for a later call.
    ///
    /// # Errors
    /// If the storage does not answer, or the charts are too many or too large.
    async fn charts(&self, names: &[ChartName], only: Option<ResourceType>) -> Result<Vec<Self::Fetched>, StoreError>;

    /// Reads these charts at the same time, for later calls of [`Self::charts`]. Of those in `heads` no texts are
    /// needed.
    ///
    /// # Errors
    /// As [`Self::charts`].
    async fn prefetch(&self, names: &[ChartName], heads: &[ChartName]) -> Result<(), StoreError>;

    /// The compartment of a chart.
    fn compartment(chart: &Self::Fetched) -> &str;

    /// Reads the pages of these charts that hold the texts of rows and have not been read yet.
    ///
    /// # Errors
    /// If the storage does not answer, or the pages are too large, or a page is damaged, or what was read of the index
    /// of a chart.
    async fn texts(&self, charts: &[Self::Fetched], rows: &[ChartRow<'_, '_>]) -> Result<Attempt<()>, StoreError>;

    /// True if resources of types with rows are included from these, and not from charts.
    const HAS_ROWS: bool;

    /// The resources that a round of includes looks for and the grant opens, from the rows of their types: at most
    /// `most` of each type and parameter.
    ///
    /// # Errors
    /// If the storage does not answer, or they are not indexed by a parameter.
    async fn rows(
        &self,
        search: &Search<'_>,
        round: &Round,
        most: usize,
    ) -> Result<Vec<IncludedRow<Self::Body>>, StoreError>;

    /// Returns whether a chart is the one by which a search without patients finds this resource of several patients,
    /// or of none. It may be in several charts.
    fn is_home(chart: &Self::Fetched, row: ChartRow<'_, '_>) -> bool;

    /// The references to resources of the directory by which each of these ends of joins is satisfied.
    ///
    /// # Errors
    /// If the storage does not answer, or they are not indexed by a parameter.
    async fn directory(
        &self,
        search: &Search<'_>,
        ends: &[DirectoryEnd<'_>],
    ) -> Result<Vec<FoundReferences>, StoreError>;

    /// A reader for reading at the same time as another one. [`Self::add_parallel`] adds the cost of both.
    #[must_use]
    fn parallel(&self) -> Self;

    /// Adds the cost of two readers that have read at the same time.
    fn add_parallel(&self, one: &Self, other: &Self);

    /// The cost of the reading so far.
    fn cost(&self) -> Cost;
}

/// A search whose access lists are known.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The request.
    pub permitted: &'a Permitted<Query>,
    /// The plan of the search.
    pub plan: &'a SearchPlan<'a>,
    /// The access lists that its rules need.
    pub access_lists: &'a AccessLists,
    /// The FHIR base, below which the URLs of entries are.
    pub base: &'a str,
}

impl Search<'_> {
    /// Fails if one of these charts is not indexed by a parameter that the search needs.
    ///
    /// # Errors
    /// The missing parameter, as [`StoreError::NotIndexed`].
    pub fn check(&self, charts: &[impl AsRef<Chart>]) -> Result<(), StoreError> {
        let SearchPlan { needed, rules, .. } = self.plan;
        charts
            .iter()
            .map(AsRef::as_ref)
            .try_for_each(|chart| check_chart(chart, chart.rows(), needed, rules.iter().copied(), self.access_lists))
    }

    /// The charts as the search looks for included resources in them.
    pub fn views<'c>(&'c self, charts: &'c [impl AsRef<Chart>]) -> Vec<View<'c>> {
        charts.iter().map(|chart| View::new(chart.as_ref(), self.plan.clauses.iter().copied(), &[])).collect()
    }
}

/// An included resource from a row.
#[derive(Debug)]
pub struct IncludedRow<B> {
    /// The resource, as includes are followed from it.
    pub reached: IncludeSource,
    /// The patients to whom it belongs.
    pub patients: Vec<Id>,
    /// The entry.
    pub entry: B,
}

/// The resources that the includes of a search add to its page.
#[derive(Debug)]
pub struct IncludedPage<B> {
    /// The entries, each as a text or several joined by commas.
    pub texts: Vec<B>,
    /// The patients to whom they belong, in order and each once.
    pub patients: Vec<Id>,
    /// The includes that were not followed to their end.
    pub cut: Vec<Include>,
}

impl<B> Default for IncludedPage<B> {
    fn default() -> Self {
        Self { texts: Vec::new(), patients: Vec::new(), cut: Vec::new() }
    }
}
