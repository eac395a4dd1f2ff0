//! The cache of an isolate for the charts and rows that it has read, and the checks of their versions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::window::FreshnessWindow;
use crate::IndexedParams;
use crate::corrections::Corrections;
use crate::names::compartments;
use chart::{Chart, ChartName};
use collections::cache::{Cache, Cached, ENTRY};
use fhir::{Id, Micros};

/// The most bytes of cached names, as they are counted. This is enough for two thousand names.
const MAX_LOCATED: usize = 4 << 20;
/// The most bytes of cached answers from rows.
const MAX_ROWS: usize = 8 << 20;

/// A cache of the charts that an isolate has read, of the rows `R` of the directory that it has read within the window,
/// and of the parameters by which the directory is indexed.
#[derive(Debug)]
pub struct ChartCache<R> {
    pub(super) charts: Cache<CachedChart>,
    /// The charts to which names led.
    pub(super) located: Cache<LocatedCharts, MAX_LOCATED>,
    pub(super) rows: Cache<RecentRows<R>, MAX_ROWS>,
    window: FreshnessWindow,
    /// The number of checks so far.
    checks: Cell<u64>,
    /// The parameters by which the rows and names of the directory were indexed when it was queried.
    pub(super) indexed: RefCell<IndexedParams>,
    /// The last check for Provenances of many patients. True if it found any.
    pub(super) of_many: Cell<Option<(bool, Check)>>,
    corrections: Corrections,
}

impl<R> Default for ChartCache<R> {
    fn default() -> Self {
        Self::new(FreshnessWindow::default())
    }
}

impl<R> ChartCache<R> {
    /// Creates an empty cache. During the window, its contents are used without another check.
    pub fn new(window: FreshnessWindow) -> Self {
        Self {
            charts: Cache::default(),
            located: Cache::default(),
            rows: Cache::default(),
            window,
            checks: Cell::default(),
            indexed: RefCell::default(),
            of_many: Cell::default(),
            corrections: Corrections::default(),
        }
    }

    /// Returns the corrections that the charts must have.
    pub const fn corrections(&self) -> &Corrections {
        &self.corrections
    }

    /// Returns the next check, at this time. Call this before querying the database.
    pub(super) fn check(&self, at: Micros) -> Check {
        self.checks.set(self.checks.get().wrapping_add(1));
        Check { at, number: self.checks.get(), corrections: self.corrections.number() }
    }

    /// Returns whether the results of a check are still valid at this time.
    pub(super) fn is_fresh(&self, check: Check, now: Micros) -> bool {
        self.window.has(check.at, now) && check.corrections == self.corrections.number()
    }
}

/// A batch that queries the versions of charts. All versions are of the same state of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    at: Micros,
    number: u64,
    corrections: i64,
}

/// A chart as read, or the absence of a chart.
#[derive(Debug, Clone)]
pub struct CachedChart {
    /// The version of the chart's compartment.
    pub(super) version: i64,
    pub(super) chart: Option<Rc<Chart>>,
    /// The last check of the version.
    pub(super) checked: Rc<Cell<Check>>,
}

impl CachedChart {
    /// Returns the chart as read. `None` for the absence of a chart.
    pub(super) fn fetched(self, name: &ChartName) -> Option<FetchedChart> {
        Some(FetchedChart { name: name.clone(), version: self.version, chart: self.chart? })
    }
}

impl Cached for CachedChart {
    fn size(&self) -> usize {
        ENTRY + self.chart.as_ref().map_or(0, |chart| chart.size())
    }
}

/// A chart that was read.
#[derive(Debug, Clone)]
pub struct FetchedChart {
    pub(super) name: ChartName,
    pub(super) version: i64,
    pub(super) chart: Rc<Chart>,
}

impl FetchedChart {
    /// Returns whether a search without patients finds a resource of several patients in this chart. It finds the
    /// resource in the chart to which its names lead, although other charts have it too.
    pub(super) fn is_home(&self, row: u32) -> bool {
        let Some(id) = Id::parse(self.chart.id(row)) else { return false };
        let owner = self.chart.owner(row);
        compartments(self.name.resource_type, &id, owner).first() == Some(&self.name.compartment)
    }
}

impl AsRef<Chart> for FetchedChart {
    fn as_ref(&self) -> &Chart {
        &self.chart
    }
}

/// The charts to which names led.
#[derive(Debug, Clone)]
pub struct LocatedCharts {
    /// The names of the charts, each with the version of its compartment.
    pub(super) charts: Vec<(ChartName, i64)>,
    /// The check that found the charts.
    pub(super) check: Check,
}

impl Cached for LocatedCharts {
    fn size(&self) -> usize {
        ENTRY + self.charts.len() * ENTRY / 10
    }
}

/// The rows that a batch of statements returned.
#[derive(Debug, Clone)]
pub struct RecentRows<R> {
    pub(super) answers: Vec<R>,
    pub(super) length: usize,
    pub(super) check: Check,
}

impl<R> Cached for RecentRows<R> {
    fn size(&self) -> usize {
        ENTRY + self.length
    }
}
