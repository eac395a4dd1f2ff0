//! The resources of the directory, and those of nobody, to which the resources of patients refer. Their references to
//! one another are followed, and each is exported once.

use std::collections::{BTreeMap, BTreeSet};

use super::chart_part::PartFailure;
use super::line::{line, note_references};
use super::listing::Listing;
use super::row_part::{select_texts, takes};
use super::selection::{Selection, TypeSelection, is_shared};
use super::stored_parts::PartContents;
use super::writer::PartWriter;
use chart::{Chart, View};
use database::{Database, Rows};
use fhir::{Reference, ResourceType};
use job::{Bucket, JobError, statement};
use smart::{Owner, is_directory};
use store::RecordDatabases;
use store::names::compartments;
use store::sql::{Destination, RoutedStatement, chart_keys, compartment_keys, whole_chart};

/// The most rows that one statement reads.
const ROWS_AT_ONCE: usize = 64;
/// The most charts that one batch reads. They are small, since few resources belong to nobody.
const CHARTS_AT_ONCE: usize = 8;

/// The resources to which others refer, and the state in which they were read.
#[derive(Debug, Default)]
pub struct ReferredResources {
    /// The contents of the part with these resources.
    pub contents: PartContents,
    /// The ids of all requested rows.
    pub rows: BTreeMap<ResourceType, Vec<String>>,
    /// The digests of the existing rows.
    digests: BTreeMap<(ResourceType, String), String>,
    /// The versions of the requested compartments, by id. `None` if there is no such compartment.
    versions: BTreeMap<String, Option<i64>>,
}

impl ReferredResources {
    /// Returns whether the resources are in the state of a listing. The listing must have the rows of [`Self::rows`].
    pub fn is_of(&self, listing: &Listing) -> bool {
        let shared = listing.compartments.values().filter(|one| one.id.starts_with('_'));
        let versions: BTreeMap<&str, i64> = shared.map(|one| (one.id.as_str(), one.version)).collect();
        listing.rows == self.digests
            && self.versions.iter().all(|(id, version)| versions.get(id.as_str()).copied() == *version)
    }
}

/// Reads the resources to which others refer.
#[derive(Debug)]
pub struct Follower<'a, D, B> {
    databases: &'a RecordDatabases<'a, D>,
    selection: &'a Selection,
    writer: PartWriter<'a, B>,
    read: ReferredResources,
    /// The references in the resources that were read.
    further: BTreeSet<String>,
}

impl<'a, D: Database, B: Bucket> Follower<'a, D, B> {
    /// Creates a follower, which has followed nothing yet. `writer` writes the resources that it finds.
    pub fn new(databases: &'a RecordDatabases<'a, D>, selection: &'a Selection, writer: PartWriter<'a, B>) -> Self {
        Self { databases, selection, writer, read: ReferredResources::default(), further: BTreeSet::new() }
    }

    /// Reads the resources to which these references lead, and those to which they refer in turn.
    ///
    /// # Errors
    /// If a database or the bucket does not answer, or a chart changes in the meantime.
    pub async fn follow(mut self, references: BTreeSet<String>) -> Result<ReferredResources, PartFailure> {
        let (mut known, mut next) = (references.clone(), references);
        while !next.is_empty() {
            let mut rows: BTreeMap<ResourceType, Vec<String>> = BTreeMap::new();
            let mut charts: BTreeMap<(String, ResourceType), BTreeSet<String>> = BTreeMap::new();
            for Reference { resource_type, id } in next.iter().filter_map(|reference| Reference::parse(reference)) {
                if is_directory(resource_type) {
                    rows.entry(resource_type).or_default().push(id.as_str().to_owned());
                } else if is_shared(resource_type) {
                    let of_nobody = Owner::Patients(BTreeSet::new());
                    for compartment in compartments(resource_type, &id, &of_nobody) {
                        charts.entry((compartment, resource_type)).or_default().insert(id.as_str().to_owned());
                    }
                }
            }
            for (resource_type, ids) in rows {
                self.rows(resource_type, ids).await?;
            }
            let charts: Vec<_> = charts.into_iter().collect();
            for some in charts.chunks(CHARTS_AT_ONCE) {
                self.charts(some).await?;
            }
            next = std::mem::take(&mut self.further);
            next.retain(|reference| known.insert(reference.clone()));
        }
        self.read.contents.segments = self.writer.finish().await?;
        Ok(self.read)
    }

    async fn rows(&mut self, resource_type: ResourceType, ids: Vec<String>) -> Result<(), PartFailure> {
        let Some((place, selected)) = self.selection.of_type(resource_type) else { return Ok(()) };
        for some in ids.chunks(ROWS_AT_ONCE) {
            let rows = super::row_part::run(self.databases, select_texts(resource_type, some)).await?;
            for row in 0..rows.count() {
                let (id, text) = (rows.required_text(row, "id")?, rows.required_text(row, "body")?);
                let finds = |indexed: &_| selected.takes_referred(indexed);
                let is_taken = takes(selected, &id, &text, rows.text(row, "params"), self.selection.set, finds);
                self.read.digests.insert((resource_type, id.clone()), rows.required_text(row, "digest")?);
                match is_taken {
                    Some(true) => self.take(place, selected, &id, text.as_bytes()),
                    Some(false) => {}
                    None => self.fault(selected, &id),
                }
                self.writer.write_full().await?;
            }
        }
        self.read.rows.entry(resource_type).or_default().extend(ids);
        Ok(())
    }

    /// Reads resources of nobody from the charts of their compartments.
    async fn charts(&mut self, charts: &[((String, ResourceType), BTreeSet<String>)]) -> Result<(), PartFailure> {
        let statements = charts.iter().map(|((compartment, resource_type), _)| {
            let (first, last) = chart_keys(0, *resource_type);
            let (width, _) = compartment_keys(1, 1);
            let text = format!(
                "SELECT p.version, CAST(c.k - p.n * {width} - {first} AS TEXT) AS offset, hex(c.data) AS data \
                 FROM compartment p LEFT JOIN chart c ON c.k BETWEEN p.n * {width} + {first} AND p.n * {width} + {last} \
                 WHERE p.id = ?1 AND p.version <> 0"
            );
            let to = Destination::Compartment(compartment.clone());
            RoutedStatement { to, statement: statement(&text, [compartment.clone()]) }
        });
        let answers = self.databases.run(statements.collect()).await?;
        for (((compartment, resource_type), ids), rows) in charts.iter().zip(&answers) {
            let version = rows.number(0, "version").unwrap_or_default();
            let before = self.read.versions.insert(compartment.clone(), version);
            if before.is_some_and(|before| before != version) {
                return Err(PartFailure::Changed);
            }
            let Some((place, selected)) = self.selection.of_type(*resource_type) else { continue };
            let mut stored = Vec::with_capacity(rows.count());
            for row in 0..rows.count() {
                if let (Some(offset), Ok(Some(bytes))) = (rows.number(row, "offset")?, rows.bytes(row, "data")) {
                    stored.push((offset, bytes));
                }
            }
            match whole_chart(*resource_type, stored) {
                Ok(Some(chart)) => {
                    if let Some(missing) = selected.params().find(|param| !chart.is_indexed_by(param)) {
                        let text = format!("the charts of {resource_type} are not indexed by {}", missing.name);
                        return Err(PartFailure::Failed(JobError(text)));
                    }
                    self.of_chart(place, selected, &chart, ids);
                }
                Ok(None) => {}
                Err(_) => ids.iter().for_each(|id| self.fault(selected, id)),
            }
            self.writer.write_full().await?;
        }
        Ok(())
    }

    /// Takes the resources of nobody with these ids from a chart.
    fn of_chart(&mut self, place: usize, selected: &TypeSelection, chart: &Chart, ids: &BTreeSet<String>) {
        let view = View::new(chart, selected.clauses(), &[]);
        for row in view.rows().filter(|row| ids.contains(chart.id(row.row))) {
            let is_taken = chart.owner(row.row).patients().next().is_none() && selected.takes_referred(row);
            match chart.text(row.row) {
                Ok(text) if is_taken => self.take(place, selected, chart.id(row.row), text.as_bytes()),
                Ok(_) => {}
                Err(_) => self.fault(selected, chart.id(row.row)),
            }
        }
    }

    fn take(&mut self, place: usize, selected: &TypeSelection, id: &str, text: &[u8]) {
        let Some(line) = line(selected, text) else { return self.fault(selected, id) };
        if !note_references(self.selection, text, &mut self.further) {
            return self.fault(selected, id);
        }
        self.writer.add(place, selected.resource_type.name(), &line);
    }

    fn fault(&mut self, selected: &TypeSelection, id: &str) {
        self.read.contents.faults.push(format!("{}/{id} cannot be read.", selected.resource_type));
    }
}
