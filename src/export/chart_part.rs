//! A part with the charts of some compartments. The charts are read in statements of limited size, page by page, and
//! each page is inflated once. So only a page, the answer of a statement, and the data to be written are in memory.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::line::{line, note_references};
use super::selection::{Selection, TypeSelection};
use super::stored_parts::PartContents;
use super::writer::PartWriter;
use chart::{BodyLocation, Chart, ChartError, View};
use database::{Database, DatabaseError, Rows, run_all, run_each};
use job::{Bucket, JobError, statement};
use smart::Owner;
use store::sql::{ChartPart, chart_keys, chart_of, compartment_keys, is_last_part, open_chart, parts};

/// The most stored bytes that one statement reads. They arrive as twice as many digits.
const AT_ONCE: usize = 2 << 20;
/// The most faults that a part reports.
const MAX_FAULTS: usize = 100;

/// The name of the files with blocks of patients, in place of a type's name.
pub const BLOCKS: &str = "";
/// The position of blocks in an export, after those of all types.
const PLACE_OF_BLOCKS: usize = usize::MAX;

/// Returns the line that precedes the resources of a patient.
fn header(patient: &str) -> String {
    let reference = json!({"reference": format!("Patient/{patient}")});
    let parameter = json!([{"name": "header", "valueReference": reference}]);
    json!({"resourceType": "Parameters", "parameter": parameter}).to_string()
}

/// A compartment with its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compartment {
    /// The number.
    pub n: i64,
    pub id: String,
    pub version: i64,
}

/// The reason why a part was not made.
#[derive(Debug)]
pub enum PartFailure {
    /// The records of the part have changed in the meantime.
    Changed,
    /// Any other reason.
    Failed(JobError),
}

impl<E: Into<JobError>> From<E> for PartFailure {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Makes a part from charts.
#[derive(Debug)]
pub struct ChartPartMaker<'a, B> {
    selection: &'a Selection,
    writer: PartWriter<'a, B>,
    referred: BTreeSet<String>,
    faults: Vec<String>,
    /// The types that are not exported.
    closed: BTreeSet<&'static str>,
    /// The patient whose block is being written, if blocks are written.
    block: Option<String>,
    /// The chart whose rows are being read.
    open: Option<OpenChart<'a>>,
}

/// A chart whose rows are being read.
#[derive(Debug)]
struct OpenChart<'a> {
    /// The first key.
    first: i64,
    compartment: String,
    place: usize,
    selected: &'a TypeSelection,
    /// The parts of a row that continues.
    pending: Vec<(i64, Vec<u8>)>,
    chart: Option<Chart>,
    /// The rows of each page whose texts are exported, in the order of the texts.
    pages: Vec<Vec<u32>>,
    /// The pages that have not yet been read.
    unread: BTreeSet<usize>,
    is_faulty: bool,
}

impl<'a, B: Bucket> ChartPartMaker<'a, B> {
    /// Creates a maker of objects whose keys begin with `part`.
    pub fn new(selection: &'a Selection, bucket: &'a B, part: String) -> Self {
        let (referred, faults, closed) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        Self { selection, writer: PartWriter::new(bucket, part), referred, faults, closed, block: None, open: None }
    }

    /// Adds the charts of some compartments of a database.
    ///
    /// # Errors
    /// If the database or the bucket does not answer, a compartment changes in the meantime, or a chart is not indexed
    /// by a parameter of a filter.
    pub async fn add<D: Database>(&mut self, database: &D, compartments: &[Compartment]) -> Result<(), PartFailure> {
        let by_number: BTreeMap<i64, &Compartment> = compartments.iter().map(|one| (one.n, one)).collect();
        let ranges: Value =
            by_number.keys().map(|n| Value::from(<[i64; 2]>::from(compartment_keys(*n, *n)).to_vec())).collect();
        let sizes = "SELECT CAST(c.k AS TEXT) AS k, length(c.data) AS bytes FROM json_each(?1) j CROSS JOIN chart c \
                     WHERE c.k BETWEEN j.value ->> 0 AND j.value ->> 1";
        let [rows] = run_each(database, [statement(sizes, [ranges.to_string()])]).await?;
        let mut keys = Vec::with_capacity(rows.count());
        for row in 0..rows.count() {
            keys.push((rows.required_number(row, "k")?, rows.required_number(row, "bytes")?));
        }
        keys.sort_unstable_by(|a, b| b.cmp(a));
        for (_, resource_type) in keys.iter().filter_map(|(key, _)| chart_of(*key)) {
            if !self.selection.names_patients() && self.selection.of_type(resource_type).is_none() {
                self.closed.insert(resource_type.name());
            }
        }
        for KeyRanges { ranges, compartments } in self.statements(&keys) {
            let (ranges, numbers): (Value, Value) = (ranges.into_iter().collect(), compartments.into_iter().collect());
            let data = "SELECT CAST(c.k AS TEXT) AS k, hex(c.data) AS data FROM json_each(?1) j CROSS JOIN chart c \
                        WHERE c.k BETWEEN j.value ->> 0 AND j.value ->> 1";
            let versions = "SELECT p.n, p.version FROM json_each(?1) j CROSS JOIN compartment p WHERE p.n = j.value";
            let statements = vec![statement(data, [ranges.to_string()]), statement(versions, [numbers.to_string()])];
            let answers = run_all(database, statements).await?;
            let [data, versions] = &answers[..] else { return Err(PartFailure::Changed) };
            for row in 0..versions.count() {
                let n: i64 = versions.required_number(row, "n")?;
                if by_number.get(&n).map(|one| one.version) != versions.number(row, "version")? {
                    return Err(PartFailure::Changed);
                }
            }
            let mut in_order = Vec::with_capacity(data.count());
            for row in 0..data.count() {
                in_order.push((data.required_number::<i64>(row, "k")?, row));
            }
            in_order.sort_unstable_by(|a, b| b.cmp(a));
            for (key, row) in in_order {
                let bytes = data.bytes(row, "data")?.ok_or_else(|| DatabaseError::damaged("data"))?;
                self.take(key, bytes, &by_number)?;
                self.writer.write_full().await?;
            }
        }
        self.close();
        Ok(())
    }

    /// Returns the ranges of keys of each statement, in descending order, for the exported types.
    fn statements(&self, keys: &[(i64, usize)]) -> Vec<KeyRanges> {
        let mut all: Vec<KeyRanges> = Vec::new();
        let mut bytes = AT_ONCE;
        // The previous key, if the same statement reads its row.
        let mut before = None;
        for (key, length) in keys {
            let Some((n, resource_type)) = chart_of(*key) else { continue };
            if self.selection.of_type(resource_type).is_none() {
                before = None;
                continue;
            }
            bytes += length;
            if bytes > AT_ONCE {
                all.push(KeyRanges::default());
                (bytes, before) = (*length, None);
            }
            if let Some(last) = all.last_mut() {
                last.add(*key, n, before == Some(n));
            }
            before = Some(n);
        }
        all
    }

    /// Takes a row. The rows come in descending order of their keys, so that a chart begins with its head.
    fn take(&mut self, key: i64, bytes: Vec<u8>, by_number: &BTreeMap<i64, &Compartment>) -> Result<(), PartFailure> {
        let Some((n, resource_type)) = chart_of(key) else { return Ok(()) };
        let (first, _) = chart_keys(n, resource_type);
        if self.open.as_ref().is_none_or(|open| open.first != first) {
            self.close();
            let selected = self.selection.of_type(resource_type).zip(by_number.get(&n));
            let Some(((place, selected), compartment)) = selected else { return Ok(()) };
            let compartment = compartment.id.clone();
            self.open = Some(OpenChart::new(first, compartment, place, selected));
        }
        let Self { selection, writer, referred, block, open: Some(open), .. } = self else { return Ok(()) };
        if open.is_faulty {
            return Ok(());
        }
        let patient = Some(&open.compartment).filter(|one| selection.by_patient && !one.starts_with('_')).cloned();
        let (place, selected) = (open.place, open.selected);
        let taken = open.take(selection, key - first, bytes, &mut |owner, text| {
            let Some(line) = line(selected, text) else { return false };
            if selection.is_of_patients && !note_references(selection, text, referred) {
                return false;
            }
            // Resources of several patients are in no patient's block, wherever they are stored.
            match patient.as_ref().filter(|_| owner.sole().is_some()) {
                Some(patient) => {
                    // The charts of a patient follow one another.
                    if block.as_ref() != Some(patient) {
                        writer.add(PLACE_OF_BLOCKS, BLOCKS, header(patient).as_bytes());
                        *block = Some(patient.clone());
                    }
                    writer.add(PLACE_OF_BLOCKS, BLOCKS, &line);
                }
                None => writer.add(place, selected.resource_type.name(), &line),
            }
            true
        });
        match taken {
            Ok(()) => Ok(()),
            Err(ReadError::Damaged) => {
                open.is_faulty = true;
                Ok(())
            }
            Err(ReadError::NotIndexed(param)) => {
                let text = format!("the charts of {resource_type} are not indexed by {param}: they will be");
                Err(PartFailure::Failed(JobError(text)))
            }
        }
    }

    /// Ends the chart whose rows have been read.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let is_whole = open.chart.is_some() && open.unread.is_empty() && open.pending.is_empty();
        if (open.is_faulty || !is_whole) && self.faults.len() < MAX_FAULTS {
            let owner = if open.compartment.starts_with('_') {
                "resources of no single patient".to_owned()
            } else {
                format!("Patient/{}", open.compartment)
            };
            self.faults.push(format!("Resources of type {} of {owner} cannot be read.", open.selected.resource_type));
        }
    }

    /// Writes the remaining data. Returns the contents of the part.
    ///
    /// # Errors
    /// If the bucket rejects them.
    pub async fn finish(self) -> Result<PartContents, JobError> {
        let Self { writer, referred, faults, closed, .. } = self;
        let segments = writer.finish().await?;
        let closed = closed.into_iter().map(str::to_owned).collect();
        Ok(PartContents { segments, referred: referred.into_iter().collect(), closed, faults, publication: None })
    }
}

/// The ranges of keys that one statement reads, and their compartments.
#[derive(Debug, Default)]
struct KeyRanges {
    ranges: Vec<[i64; 2]>,
    compartments: BTreeSet<i64>,
}

impl KeyRanges {
    fn add(&mut self, key: i64, n: i64, goes_on: bool) {
        match self.ranges.last_mut() {
            Some([first, _]) if goes_on => *first = key,
            _ => self.ranges.push([key, key]),
        }
        self.compartments.insert(n);
    }
}

/// The reason why a chart cannot be read.
enum ReadError {
    Damaged,
    NotIndexed(&'static str),
}

impl From<ChartError> for ReadError {
    fn from(_: ChartError) -> Self {
        Self::Damaged
    }
}

impl<'a> OpenChart<'a> {
    fn new(first: i64, compartment: String, place: usize, selected: &'a TypeSelection) -> Self {
        let (pending, pages) = (Vec::new(), Vec::new());
        let (chart, unread, is_faulty) = (None, BTreeSet::new(), false);
        Self { first, compartment, place, selected, pending, chart, pages, unread, is_faulty }
    }

    /// Takes a row: a head with the last page, another page, or a part of either. `take` is called with each exported
    /// text and its owner. It returns false if the text is damaged.
    fn take(
        &mut self,
        selection: &Selection,
        offset: i64,
        bytes: Vec<u8>,
        take: &mut dyn FnMut(&Owner, &[u8]) -> bool,
    ) -> Result<(), ReadError> {
        self.pending.push((offset, bytes));
        if !is_last_part(offset) {
            return Ok(());
        }
        for (part, bytes) in parts(std::mem::take(&mut self.pending))? {
            let page = match part {
                ChartPart::Head => {
                    self.open(selection, bytes)?;
                    continue;
                }
                ChartPart::LastPage => self.chart.as_ref().map_or(0, Chart::pages).saturating_sub(1),
                ChartPart::Page(number) => usize::from(number),
            };
            let Some(chart) = &self.chart else { return Err(ReadError::Damaged) };
            self.unread.remove(&page);
            let rows = self.pages.get(page).map_or(&[][..], Vec::as_slice);
            if rows.is_empty() {
                continue;
            }
            chart.put_page(page, bytes);
            for row in rows {
                let BodyLocation::Read(bytes, range) = chart.body(*row)? else { return Err(ReadError::Damaged) };
                if !bytes.get(range).is_some_and(|text| take(chart.owner(*row), text)) {
                    return Err(ReadError::Damaged);
                }
            }
            chart.forget_page(page);
        }
        Ok(())
    }

    /// Opens the head, and finds the rows to export.
    fn open(&mut self, selection: &Selection, head: Vec<u8>) -> Result<(), ReadError> {
        let resource_type = self.selected.resource_type;
        let Some(chart) = open_chart(resource_type, [(ChartPart::Head, head)])? else { return Err(ReadError::Damaged) };
        let owned =
            |row: &u32| selection.has_owner(&self.compartment, resource_type, chart.id(*row), chart.owner(*row));
        let rows: BTreeSet<u32> = if self.selected.is_everything() {
            chart.rows().filter(owned).collect()
        } else {
            if let Some(missing) = self.selected.params().find(|param| !chart.is_indexed_by(param)) {
                return Err(ReadError::NotIndexed(missing.name));
            }
            let view = View::new(&chart, self.selected.clauses(), &[]);
            let found = view.rows().filter(|row| self.selected.takes(Some(&self.compartment), *row));
            found.map(|row| row.row).filter(owned).collect()
        };
        chart.check()?;
        self.pages = chart.rows_of_pages();
        self.pages.iter_mut().for_each(|page| page.retain(|row| rows.contains(row)));
        self.unread =
            (0..self.pages.len()).filter(|page| self.pages.get(*page).is_some_and(|rows| !rows.is_empty())).collect();
        self.chart = Some(chart);
        Ok(())
    }
}
