//! Reading charts whose compartments are not known. For a grant that opens all charts, one statement locates and reads
//! them. For any other grant, the duration of the answer would disclose the size of closed charts. Therefore its charts
//! are located first ([`super::charts`]).

use super::chart_cache::{CachedChart, Check, FetchedChart, LocatedCharts};
use super::chart_table::{LocatedRows, select_located};
use super::charts::{ChartReader, version};
use super::databases::RoutedStatement;
use crate::StoreError;
use crate::names::is_of_system;
use chart::ChartName;
use collections::cache::ENTRY;
use database::{Database, Rows};
use fhir::ResourceType;
use search::Param;

/// The most known versions of charts that a statement lists, so that the charts are not sent again.
const MAX_KNOWN: usize = 128;

impl<D: Database> ChartReader<'_, D> {
    /// Returns the charts of a type to which these names of a parameter lead. `None` if there are too many for one
    /// statement.
    pub(super) async fn read_located(
        &self,
        param: &'static Param,
        names: &[String],
        resource_type: ResourceType,
    ) -> Result<Option<Vec<FetchedChart>>, StoreError> {
        let key = names.join("\n");
        if let Some(charts) = self.fresh_located(&key) {
            return Ok(Some(charts));
        }
        for read in located_rows(names) {
            let check = self.cache.check(self.now);
            if let Some(charts) = self.select_located(param, names, resource_type, *read, check).await? {
                let located: Vec<_> = charts.iter().map(|(name, chart)| (name.clone(), chart.version)).collect();
                // A missing chart may be added at any time, so its absence is not cached.
                if !located.is_empty() && key.len() < ENTRY {
                    self.cache.located.put(&key, LocatedCharts { charts: located, check });
                }
                return Ok(Some(charts.into_iter().filter_map(|(name, chart)| chart.fetched(&name)).collect()));
            }
        }
        Ok(None)
    }

    /// Returns the charts to which names led in a check within the window, if the isolate has each of them in the
    /// version of that check.
    fn fresh_located(&self, key: &str) -> Option<Vec<FetchedChart>> {
        let LocatedCharts { charts, check } = self.cache.located.get(key)?;
        if !self.cache.is_fresh(check, self.now) {
            return None;
        }
        let chart = |(name, version): &(ChartName, i64)| {
            let kept = self.cache.charts.get(&name.to_string()).filter(|kept| kept.version == *version)?;
            Some(kept.fetched(name))
        };
        charts.iter().map(chart).collect::<Option<Vec<_>>>().map(|charts| charts.into_iter().flatten().collect())
    }

    /// Returns the charts as one statement reads them. `None` if it may have missed some.
    async fn select_located(
        &self,
        param: &'static Param,
        names: &[String],
        resource_type: ResourceType,
        read: LocatedRows,
        check: Check,
    ) -> Result<Option<Vec<(ChartName, CachedChart)>>, StoreError> {
        let suffix = format!("/{resource_type}");
        let known = self.cache.charts.latest(MAX_KNOWN, |name| name.ends_with(&suffix));
        let versions: Vec<i64> = known.iter().map(|(_, chart)| chart.version).collect();
        let select = RoutedStatement::directory(select_located(names, resource_type, &versions, read));
        let answers = self.run_indexed(vec![select], &[param]).await?;
        let Some(rows) = answers.first() else { return Ok(None) };
        let mut of_charts: Vec<(ChartName, Vec<usize>)> = Vec::new();
        for row in 0..rows.count() {
            let Some(compartment) = rows.text(row, "id") else { continue };
            match of_charts.iter_mut().find(|(name, _)| name.compartment == compartment) {
                Some((_, own)) => own.push(row),
                None => of_charts.push((ChartName { compartment, resource_type }, vec![row])),
            }
        }
        let may_be_more = rows.count() >= read.most_rows();
        if may_be_more && of_charts.len() > 1 {
            // The head of the last chart may be incomplete.
            of_charts.pop();
        }
        let mut found = Vec::with_capacity(of_charts.len());
        for (name, own) in of_charts {
            let text = name.to_string();
            let known = known.iter().find(|(known, _)| **known == *text).map(|(_, chart)| chart.clone());
            let version = own.first().map_or(Ok(None), |row| version(&name, rows, *row))?;
            let is_known = version.is_some_and(|version| versions.contains(&version));
            if is_known && known.as_ref().map(|known| known.version) != version {
                // Another compartment has the same version, so the statement did not send the chart.
                return Ok(None);
            }
            match self.take(&name, known, (rows, own.iter().copied()), read == LocatedRows::Newest, check)? {
                Some(chart) => found.push((name, chart)),
                None => return Ok(None),
            }
        }
        if may_be_more && !found.iter().any(|(name, chart)| has(name, chart, names)) {
            return Ok(None);
        }
        Ok(Some(found))
    }
}

/// Returns the rows to read of the charts to which these names lead, and those for a second try if charts are missed.
pub fn located_rows(names: &[String]) -> &'static [LocatedRows] {
    match names {
        [name] if !is_of_system(name) => &[LocatedRows::Newest, LocatedRows::Heads],
        _ => &[LocatedRows::Heads],
    }
}

/// Returns whether a chart contains the one resource to which the name of an id leads.
fn has(name: &ChartName, chart: &CachedChart, names: &[String]) -> bool {
    let id = names.first().and_then(|first| first.strip_prefix(&format!("{}/", name.resource_type)));
    let chart = chart.clone().fetched(name);
    let row = |chart: &FetchedChart| Some(chart.is_home(chart.as_ref().find(id?)?));
    names.len() == 1 && chart.as_ref().and_then(row) == Some(true)
}
