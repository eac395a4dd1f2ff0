//! Loads files into a database. Each file is read twice: first for the names that references may use, then to index it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Failure;
use super::blocks::SharedBlocks;
use super::input::{InputDocument, InputDocuments, files};
use super::writer::SqliteWriter;
use fhir::Micros;
use ingest::{Intake, Load, LoadEvent, Rejection, Sources, Stored, Take, entries, entry_path, illegal_id, line_of};

/// Receives the progress of a load.
pub trait Progress {
    /// Starts a part of the work, which has this number of bytes.
    fn begin(&mut self, what: &str, bytes: u64);
    /// Reports the number of bytes of the part that are done.
    fn at(&mut self, bytes: u64);
    /// Shows a line to the user at once.
    fn say(&mut self, line: &str);
}

/// Ignores all progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&mut self, _: &str, _: u64) {}
    fn at(&mut self, _: u64) {}
    fn say(&mut self, _: &str) {}
}

/// The result of a load.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The numbers of stored resources that are new, changed and unchanged, by type.
    pub stored: BTreeMap<String, [usize; 3]>,
    /// The number of resources of types that are not served, by type.
    pub not_served: BTreeMap<String, usize>,
    /// The number of resources that are left out because their ids are illegal in FHIR, by type.
    pub illegal_ids: BTreeMap<String, usize>,
    /// The faults, each with file, line, index in its Bundle, and reason.
    pub faults: Vec<String>,
    /// Resources that appeared several times, equally new but different, and their locations. The last one is kept.
    pub differing: Vec<String>,
    /// References that several resources match, and their locations.
    pub ambiguous: Vec<String>,
    /// The number of references that are not of the form `Type/id` and stay as they are.
    pub unresolved: usize,
    /// The number of resources that were skipped because a newer version was kept.
    pub older: usize,
    /// The number of resources that belong to nobody because nothing names their patient, by type.
    pub nobodys: BTreeMap<String, usize>,
    /// The number of resources that were deleted.
    pub deleted: usize,
    /// The number of resources that were to be deleted but were not stored.
    pub absent: usize,
    /// The number of resources that appeared more than once. The newest one is kept.
    pub repeated: usize,
}

/// The heading of [`Summary::not_served`].
pub(super) const NOT_SERVED: &str = "not served, left out";
/// The heading of [`Summary::illegal_ids`].
pub(super) const ILLEGAL_IDS: &str = "left out for an illegal id, so that references to them lead nowhere";
/// The heading of [`Summary::nobodys`].
pub(super) const NOBODYS: &str = "of no known patient, so that nobody reads them";

/// Writes a line with the number of resources of each type, or nothing if there are none.
pub(super) fn write_counts(
    f: &mut std::fmt::Formatter<'_>,
    heading: &str,
    counts: &BTreeMap<String, usize>,
) -> std::fmt::Result {
    if counts.is_empty() {
        return Ok(());
    }
    let counts: Vec<_> = counts.iter().map(|(resource_type, count)| format!("{resource_type} {count}")).collect();
    writeln!(f, "{heading}: {}", counts.join(", "))
}

impl Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut all = [0; 3];
        for (resource_type, counts) in &self.stored {
            let [new, changed, same] = counts;
            writeln!(
                f,
                "  {resource_type:<24}{:>9}   {new} new, {changed} changed, {same} as before",
                new + changed + same
            )?;
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        }
        let [new, changed, same] = all;
        writeln!(f, "{} resources: {new} new, {changed} changed, {same} as before", new + changed + same)?;
        write_counts(f, NOT_SERVED, &self.not_served)?;
        write_counts(f, ILLEGAL_IDS, &self.illegal_ids)?;
        if self.older > 0 {
            writeln!(f, "older than what is kept, left out: {}", self.older)?;
        }
        if self.deleted + self.absent > 0 {
            writeln!(f, "{} deleted, {} that were not there", self.deleted, self.absent)?;
        }
        if self.repeated > 0 {
            writeln!(f, "came more than once, the newest one counts: {}", self.repeated)?;
        }
        if self.unresolved > 0 {
            writeln!(f, "references that nothing here answers, left as they are: {}", self.unresolved)?;
        }
        write_counts(f, NOBODYS, &self.nobodys)?;
        for line in &self.differing {
            writeln!(f, "{line}")?;
        }
        for line in &self.ambiguous {
            writeln!(f, "several resources answer {line}")?;
        }
        write!(f, "faults: {}", self.faults.len())
    }
}

/// The settings of a load.
#[derive(Debug, Clone)]
pub struct Loader {
    /// The FHIR base under which the data will be served.
    pub base: String,
    /// The base address of documents, with which relative attachment addresses are completed.
    pub attachments: String,
    /// The FHIR base of the server that the records come from. Absolute references below it count as local.
    pub source_base: Option<String>,
    /// True if the first fault ends the load and nothing is stored.
    pub strict: bool,
    /// The time of the load, which is stored with its changes.
    pub now: Micros,
    /// The clock of the load, as in [`Load::clock`].
    pub clock: Micros,
    /// True if a newer version of a resource is kept, whether it is stored or in the same load.
    pub keeps_newer: bool,
}

impl Loader {
    /// Loads files and folders into a database. If a chart cannot be read or written, the load is rolled back and
    /// repeated without the records of its patient, which then count as faults. If there is a store for them, long
    /// values of `data` become documents, whose blocks are put there before the resources are put into the database.
    ///
    /// # Errors
    /// If a file cannot be opened, the database cannot be written, or, in a strict load, a resource is rejected.
    pub fn load(
        &self,
        paths: &[PathBuf],
        mut writer: SqliteWriter,
        blocks: Option<&SharedBlocks>,
        progress: &mut dyn Progress,
    ) -> Result<Summary, Failure> {
        writer.change_at(self.now);
        let files = files(paths)?;
        let bytes = files.iter().map(|file| std::fs::metadata(file).map_or(0, |data| data.len())).sum();
        let mut summary = Summary::default();
        let Self { base, attachments, now, clock, keeps_newer, .. } = self;
        let load = Load { base, attachments, now: *now, clock: *clock, keeps_newer: *keeps_newer };
        loop {
            let mut passes = ["reading", "storing"].into_iter();
            let mut pass = |take: &mut Take<'_, Failure>| {
                progress.begin(passes.next().unwrap_or_default(), bytes);
                for_each_document(&files, blocks, progress, take)
            };
            let mut sources = Sources::named(self.source_base.as_deref());
            load.load(&mut writer, &mut sources, &mut pass, &mut |location, event| {
                self.count(location, event, &mut summary)
            })?;
            if !writer.has_failed() {
                break;
            }
            (writer, summary) = (writer.begin_again()?, Summary::default());
        }
        if summary.stored.is_empty() && summary.older + summary.deleted + summary.absent == 0 {
            self.fault("nothing was loaded: there is no resource of a type that is served".to_owned(), &mut summary)?;
        }
        blocks.map_or(Ok(()), |blocks| blocks.borrow_mut().finish())?;
        writer.finish()?;
        summary.faults.iter().for_each(|fault| progress.say(fault));
        Ok(summary)
    }

    fn count(&self, location: &dyn Display, event: LoadEvent<'_>, summary: &mut Summary) -> Result<(), Failure> {
        match event {
            LoadEvent::NotServed(resource_type) => *summary.not_served.entry(resource_type).or_default() += 1,
            LoadEvent::IllegalId(resource_type) => {
                *summary.illegal_ids.entry(resource_type.name().to_owned()).or_default() += 1;
                self.fault(format!("{location}: {}", illegal_id(resource_type)), summary)?;
            }
            LoadEvent::Fault(reason) => self.fault(format!("{location}: {reason}"), summary)?,
            LoadEvent::Repeated { .. } => summary.repeated += 1,
            LoadEvent::Older(_) => summary.older += 1,
            LoadEvent::Deleted(Some(_)) => summary.deleted += 1,
            LoadEvent::Deleted(None) => summary.absent += 1,
            LoadEvent::Differs(reference, others) => {
                let others = others.join(", ");
                summary.differing.push(format!("{reference} differs at {others}: that of {location} counts"));
            }
            LoadEvent::Stored { resource_type, effect, ambiguous, unresolved, owner } => {
                let [new, changed, same] = summary.stored.entry(resource_type.name().to_owned()).or_default();
                *match effect {
                    Stored::New => new,
                    Stored::Changed => changed,
                    Stored::Same => same,
                } += 1;
                if owner.is_nobody(resource_type) {
                    *summary.nobodys.entry(resource_type.name().to_owned()).or_default() += 1;
                }
                summary.unresolved += unresolved;
                summary.ambiguous.extend(ambiguous.iter().map(|name| format!("{name} ({location})")));
            }
        }
        Ok(())
    }

    fn fault(&self, line: String, summary: &mut Summary) -> Result<(), Failure> {
        if self.strict {
            return Err(Failure(format!("{line}\nnothing was stored (--strict)")));
        }
        summary.faults.push(line);
        Ok(())
    }
}

/// Calls `take` with each resource of the files, and with each fault.
fn for_each_document(
    files: &[PathBuf],
    blocks: Option<&SharedBlocks>,
    progress: &mut dyn Progress,
    take: &mut Take<'_, Failure>,
) -> Result<(), Failure> {
    let mut before = 0;
    for file in files {
        for document in InputDocuments::with_blocks(file, blocks)? {
            match document {
                Err((line, reason)) => {
                    take(&InputLocation { file, line, path: &[], text: "", at: 0 }, Err(Rejection::Fault(reason)))?;
                }
                Ok(InputDocument { text, line, read }) => {
                    progress.at(before + read);
                    for (at, path, entry) in entries(&text, Intake::Store).into_iter().map(ingest::take) {
                        take(&InputLocation { file, line, path: &path, text: &text, at }, entry)?;
                    }
                }
            }
        }
        before += std::fs::metadata(file).map_or(0, |data| data.len());
    }
    Ok(())
}

/// The location of a resource in the input. Its line is counted only when the location is displayed.
struct InputLocation<'a> {
    file: &'a Path,
    /// The line on which the document begins.
    line: usize,
    /// The index in each enclosing Bundle, outermost first.
    path: &'a [usize],
    text: &'a str,
    at: usize,
}

impl Display for InputLocation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line + line_of(self.text, self.at) + 1)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, ": {}", entry_path(self.path)) }
    }
}
