//! A stored chart as a load reads it. A load queries many resources of a chart in sequence, so that no query may read
//! the whole chart: data on all rows are computed at the first query that needs them, and kept.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;

use chart::{Chart, ChartError};
use collections::cache::{Cached, ENTRY};
use search::kind::StoredFact;
use search::registry::changed;
use search::{Fact, Facts, Param, provenance_target, stored_params};
use store::IndexedResource;

/// The bytes that an id takes besides its text.
const NOTED: usize = 64;

/// A chart with all its pages.
#[derive(Debug)]
pub struct OpenedChart {
    chart: Chart,
    rows: HashMap<String, u32>,
    /// See [`digest`], for each row.
    facts: OnceCell<Vec<u64>>,
    /// See [`Self::rows_about`].
    targets: OnceCell<Targets>,
}

/// The targets of a chart of Provenance.
#[derive(Debug, Default)]
struct Targets {
    /// The position of each target in `rows`.
    positions: HashMap<String, u32>,
    rows: Vec<Vec<u32>>,
}

impl Deref for OpenedChart {
    type Target = Chart;

    fn deref(&self) -> &Chart {
        &self.chart
    }
}

impl Cached for OpenedChart {
    fn size(&self) -> usize {
        let noted: usize = self.rows.keys().map(|id| id.len() + NOTED).sum();
        ENTRY + self.chart.size() + noted
    }
}

impl OpenedChart {
    /// Opens a chart of which all pages have been read.
    pub fn new(chart: Chart) -> Self {
        let rows = chart.rows().map(|row| (chart.id(row).to_owned(), row)).collect();
        Self { chart, rows, facts: OnceCell::new(), targets: OnceCell::new() }
    }

    /// Returns the row of an id.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.rows.get(id).copied()
    }

    /// Returns whether a row equals a resource, with the same facts, whenever it was stored.
    ///
    /// # Errors
    /// If the page of the row is damaged.
    pub fn is_same(&self, row: u32, new: &IndexedResource) -> Result<bool, ChartError> {
        let chart = &self.chart;
        Ok(chart.version(row) == new.version
            && chart.sort_key(row) == new.sort_key.as_str()
            && *chart.owner(row) == new.owner
            && chart.text(row)? == new.body
            && self.facts().get(row as usize) == Some(&digest(&new.facts)))
    }

    /// Returns the digest of the facts of each row.
    fn facts(&self) -> &[u64] {
        self.facts.get_or_init(|| {
            let mut digests = vec![0_u64; self.chart.rows().len()];
            for param in stored_params(self.chart.resource_type()).filter(|param| is_compared(param)) {
                for entry in self.chart.entries(param.id) {
                    let of_fact = digest_of_fact(param, &entry.value);
                    for row in entry.rows() {
                        if let Some(digest) = digests.get_mut(row as usize) {
                            *digest = digest.wrapping_add(of_fact);
                        }
                    }
                }
            }
            digests
        })
    }

    /// Returns the rows of a chart of Provenance whose target is this resource.
    pub fn rows_about(&self, target: &str) -> &[u32] {
        let targets = self.targets.get_or_init(|| {
            let mut targets = Targets::default();
            for entry in provenance_target().into_iter().flat_map(|param| self.chart.entries_of(param)) {
                let rows = entry.rows().collect();
                if let Some(target) = entry.value.fact().as_ref().and_then(Fact::reference)
                    && let Ok(position) = u32::try_from(targets.rows.len())
                {
                    targets.positions.insert(target.to_owned(), position);
                    targets.rows.push(rows);
                }
            }
            targets
        });
        let position = targets.positions.get(target);
        position.and_then(|position| targets.rows.get(*position as usize)).map_or(&[], Vec::as_slice)
    }
}

/// Returns whether the facts of a parameter distinguish forms of a resource. Ids do not, since each row has its own,
/// nor do times of change on this server, since they follow from other differences.
fn is_compared(param: &Param) -> bool {
    !param.kind.is_id() && changed(param.base) != Some(param)
}

/// Returns a digest of the compared facts of a resource, which must be distinct. Their order has no effect.
fn digest(facts: &Facts) -> u64 {
    let facts = facts.iter().filter(|(param, _)| is_compared(param));
    facts.fold(0, |sum, (param, fact)| sum.wrapping_add(digest_of_fact(param, &StoredFact::of(fact))))
}

fn digest_of_fact(param: &Param, fact: &StoredFact<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (param.id.number(), fact).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chart::pack;
    use fhir::{Id, ResourceType};
    use search::{IndexSet, SortKey, facts};
    use serde_json::json;
    use smart::Owner;

    fn provenance(id: &str, targets: &[&str]) -> IndexedResource {
        let targets: Vec<_> = targets.iter().map(|target| json!({"reference": target})).collect();
        let (resource_type, id) = (ResourceType::Provenance, Id::parse(id).unwrap());
        let resource = json!({"resourceType": "Provenance", "id": id.as_str(), "target": targets});
        IndexedResource {
            resource_type,
            owner: Owner::Patients([Id::parse("p").unwrap()].into()),
            sort_key: SortKey::new(None, &id),
            version: "1".to_owned(),
            facts: facts(resource_type, &resource, "", IndexSet::of_r4(), &|_| None),
            body: resource.to_string(),
            id,
        }
    }

    #[test]
    fn rows_are_found_by_id_by_target_and_compared_as_a_whole() {
        let all = [provenance("a", &["Observation/1", "Observation/2"]), provenance("b", &["Observation/2"])];
        let packed = pack(&all, IndexSet::of_r4());
        let chart = Chart::open(ResourceType::Provenance, &packed.head).unwrap();
        packed.pages.into_iter().enumerate().for_each(|(number, page)| chart.put_page(number, page));
        let chart = OpenedChart::new(chart);
        let rows = all.each_ref().map(|resource| chart.find(resource.id.as_str()).unwrap());
        assert_eq!(chart.find("c"), None);
        assert_eq!(chart.rows_about("Observation/1"), [rows[0]]);
        assert_eq!(chart.rows_about("Observation/2").len(), 2);
        assert!(chart.rows_about("Observation/3").is_empty());

        for (resource, row) in all.iter().zip(rows) {
            assert_eq!(chart.is_same(row, resource), Ok(true));
            let changed = |change: &dyn Fn(&mut IndexedResource)| {
                let mut changed = resource.clone();
                change(&mut changed);
                chart.is_same(row, &changed).unwrap()
            };
            assert!(!changed(&|resource| resource.body.push(' ')));
            assert!(!changed(&|resource| resource.owner = Owner::Everyone));
            assert!(!changed(&|resource| drop(resource.facts.pop())));
            // The order does not matter.
            assert!(changed(&|resource| resource.facts.reverse()));
        }
    }
}
