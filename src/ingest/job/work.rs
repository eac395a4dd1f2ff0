//! The worker for jobs that load files: it divides files and loads their parts.

use std::collections::BTreeSet;

use super::divide::{Divider, Division, ObjectRange, divided_further};
use super::keys::key_of_lines;
use super::kind::{IngestKind, LoadParameters, delete_lines};
use super::lines::{Lines, STEP, SplitText};
use super::whole_text::Text;
use crate::breaks::{Breaks, Pause};
use crate::load::Load;
use crate::load_documents::{ChangedPatients, Documents, TextFault, load_documents, text_of};
use crate::report::FileReport;
use crate::sources::Sources;
use crate::text::is_json;
use crate::writer::{Clock, WriteFailure};
use crate::{MAX_FILE_LENGTH, TakenBlock};
use ::job::{self, Bucket, DonePart, JobError, JobOf, PartOf, PartResult, Plan, Report, Work};
use database::Database;
use search::IndexSet;
use store::RecordDatabases;

/// The fault of a job whose file is missing.
const GONE: &str = "it is not in the bucket any more";
/// The most lines at the beginning of a file that may be invalid JSON. A file with more of them is not NDJSON.
const MAX_BAD_LINES: usize = 100;
/// The bytes of a file that are read at a time.
const RANGE: u64 = 4 << 20;

/// A job that loads a file.
type Job = JobOf<IngestKind>;
type Part = PartOf<IngestKind>;

/// The progress that a message made.
pub type Progress = job::Progress<FileReport, ChangedPatients>;
/// A part that was loaded, with the patients whose records changed.
pub type LoadedPart = DonePart<FileReport, ChangedPatients>;

/// The records that jobs change.
#[derive(Debug)]
pub struct TargetRecords<'a, D> {
    /// The databases of the records, at their primaries.
    pub databases: RecordDatabases<'a, D>,
    /// See [`Load::base`].
    pub base: &'a str,
    /// See [`Load::attachments`].
    pub attachments: &'a str,
    /// The set of parameters by which the first records are indexed.
    pub set: &'static IndexSet,
    /// Returns the time that is stored as the time of a job's changes.
    pub clock: Clock<'a>,
    /// Lets other tasks of the same thread run.
    pub pause: Pause<'a>,
}

/// Loads files of a bucket.
pub(super) struct IngestWork<'a, D, B> {
    /// The bucket of the files.
    pub bucket: &'a B,
    /// The bucket of documents. `None` if documents are kept in their resources.
    pub documents: Option<&'a B>,
    /// The records that the jobs change.
    pub target: &'a TargetRecords<'a, D>,
}

#[derive(Default)]
struct LinesRead {
    /// True if at least one line was JSON.
    has_good: bool,
    /// The number of lines before it that were not.
    bad: usize,
}

impl LinesRead {
    fn line(&mut self, divider: &mut Divider, number: usize, line: Result<&str, String>) -> Result<(), String> {
        if !self.has_good {
            self.has_good = line.as_ref().is_ok_and(|line| is_json(line));
            self.bad += usize::from(!self.has_good);
            if self.bad > MAX_BAD_LINES {
                return Err(format!(
                    "its first {MAX_BAD_LINES} lines are no JSON: a document of several lines has {MAX_FILE_LENGTH} bytes \
                     at most, send NDJSON"
                ));
            }
        }
        match line {
            Ok(line) => divider.add(number, line),
            Err(why) => divider.fault(number, &why),
        }
        if divider.has_too_many_patients() {
            return Err("it has too many patients: send it in several files".to_owned());
        }
        Ok(())
    }
}

impl<D: Database, B: Bucket> Work<IngestKind> for IngestWork<'_, D, B> {
    type Input = Text;
    type Details = ChangedPatients;

    /// Divides a file, unless it is loaded as a whole.
    async fn plan(&self, job: &Job) -> Result<Plan<IngestKind, Text>, JobError> {
        let mut divider = Divider::new(self.target.base);
        let mut breaks = Breaks::new(self.target.pause);
        let LoadParameters { file, bytes: length, .. } = &job.parameters;
        // A file that is long because of documents is short without them.
        if *length <= MAX_FILE_LENGTH as u64 || self.documents.is_some() {
            match self.whole_text(job).await? {
                Ok(text) => {
                    divider.add_text(&text, &mut breaks).await;
                    if divider.is_one_part() {
                        return Ok(Plan::Whole(Text::File(text)));
                    }
                    // All lines of the file are in memory, and become one object.
                    return self.divide(job, divider).await;
                }
                // The lines of the file are read one by one.
                Err(TextFault::TooLong | TextFault::Lines) => {}
                Err(TextFault::Bytes(why)) => return self.refuse(job, &why, 0).await,
            }
        }
        let (mut lines, mut read) = (Lines::new(is_gzip(file), self.documents.is_some()), LinesRead::default());
        let (mut objects, mut written) = (Vec::new(), 0);
        let mut start = 0;
        while start < *length {
            let end = (start + RANGE).min(*length);
            let Some(bytes) = self.bucket.read(file, start..end).await? else {
                return self.refuse(job, GONE, written).await;
            };
            // A range may inflate to many times its size, so full objects are written before the next step.
            for step in bytes.chunks(STEP) {
                let mut each = |number: usize, line: Result<&str, String>| {
                    read.line(&mut divider, number, line)?;
                    objects.extend(divider.full_object());
                    Ok(())
                };
                if let Err(why) = lines.add(step, &mut each) {
                    return self.refuse(job, &why, written).await;
                }
                self.store(lines.text.take_blocks()).await?;
                breaks.after_reading(lines.text.read()).await;
                for (number, object) in objects.drain(..) {
                    self.bucket.write(&key_of_lines(&job.id, number), object).await?;
                    written = number + 1;
                }
            }
            start = end;
        }
        if let Err(why) = lines.end(&mut |number, line| read.line(&mut divider, number, line)) {
            return self.refuse(job, &why, written).await;
        }
        // Some bytes of gzip only come at the end.
        self.store(lines.text.take_blocks()).await?;
        self.divide(job, divider).await
    }

    async fn run(
        &self,
        job: &Job,
        part: &Part,
        input: Option<Text>,
    ) -> Result<PartResult<FileReport, ChangedPatients>, JobError> {
        let refused = |report| PartResult { report, corrects: false, details: ChangedPatients::default() };
        let text = match input {
            Some(text) => text,
            None => match self.text_of(job, part.contents.as_deref()).await? {
                Ok(text) => text,
                Err(why) => return Ok(refused(FileReport::refused("the file", &why))),
            },
        };
        // An earlier try may have corrected something before it failed.
        let mut result = refused(FileReport::default());
        result.corrects = part.tries > 1;
        let (now, TargetRecords { base, attachments, databases, set, clock, pause }) = (job.created_at, self.target);
        let load = Load { base, attachments, now, clock: now, keeps_newer: true };
        let mut referred = None;
        // Texts that have yet to be loaded, in reverse order, each with whether it may be divided.
        let mut texts = vec![(text, true)];
        let mut breaks = Breaks::new(*pause);
        while let Some((text, may_be_divided)) = texts.pop() {
            breaks.take().await;
            let sources = || match &referred {
                Some(referred) => sources_of(job).of_part(BTreeSet::clone(referred)),
                None => sources_of(job),
            };
            let documents = Documents { sources: &sources, entries: &|| text.entries(), may_be_divided };
            match load_documents(databases, set, *clock, load, &documents, &mut breaks).await {
                Ok(loaded) => {
                    result.report = result.report.and(loaded.report);
                    result.corrects |= loaded.corrects;
                    result.details.updated.extend(loaded.patients.updated);
                    result.details.deleted.extend(loaded.patients.deleted);
                }
                Err(WriteFailure::TooMuch) => {
                    let (parts, of_text, report) = divided_further(base, &text, &mut breaks).await?;
                    if parts.len() < 2 {
                        texts.push((text, false));
                        continue;
                    }
                    result.report = result.report.and(report);
                    if matches!(text, Text::File(_)) {
                        referred = Some(of_text);
                    }
                    texts.extend(parts.into_iter().rev().map(|part| (Text::Part(part), true)));
                }
                // The part would fail again.
                Err(WriteFailure::Work(error)) => {
                    let report = FileReport::refused(&format!("part {}", part.number), &error.why);
                    result.report = result.report.and(report);
                }
                Err(WriteFailure::Database(error)) => return Err(error.into()),
            }
        }
        Ok(result)
    }
}

impl<D: Database, B: Bucket> IngestWork<'_, D, B> {
    /// Writes the last object of a divided file. Returns the parts.
    async fn divide(&self, job: &Job, mut divider: Divider) -> Result<Plan<IngestKind, Text>, JobError> {
        if let Some((number, object)) = divider.next_object() {
            self.bucket.write(&key_of_lines(&job.id, number), object).await?;
        }
        let Division { parts, referred, report } = divider.finish();
        Ok(Plan::Parts { parts, notes: referred, report })
    }

    /// Deletes the objects that were written for a file that is not loaded.
    async fn refuse(&self, job: &Job, why: &str, written: usize) -> Result<Plan<IngestKind, Text>, JobError> {
        delete_lines(self.bucket, &job.id, written).await?;
        Ok(Plan::Refused(FileReport::refused("the file", why)))
    }

    /// Stores the blocks of documents that the bucket lacks, before the resources that refer to them are stored.
    async fn store(&self, blocks: Vec<TakenBlock>) -> Result<(), JobError> {
        let Some(documents) = self.documents else { return Ok(()) };
        for TakenBlock { block, bytes } in blocks {
            let key = block.key();
            if documents.info(&key).await?.is_none_or(|info| info.bytes != block.length) {
                documents.write(&key, bytes).await?;
            }
        }
        Ok(())
    }

    /// Returns the text of a file that is read as a whole, with marks in place of documents.
    async fn whole_text(&self, job: &Job) -> Result<Result<String, TextFault>, JobError> {
        let LoadParameters { file, bytes: length, .. } = &job.parameters;
        let mut text = SplitText::new(is_gzip(file), self.documents.is_some());
        let mut breaks = Breaks::new(self.target.pause);
        let mut start = 0;
        while start < *length {
            let end = (start + RANGE).min(*length);
            let Some(bytes) = self.bucket.read(file, start..end).await? else {
                return Ok(Err(TextFault::Bytes(GONE.to_owned())));
            };
            for step in bytes.chunks(STEP) {
                if let Err(why) = text.add(step) {
                    return Ok(Err(TextFault::Bytes(why)));
                }
                self.store(text.take_blocks()).await?;
                breaks.after_reading(text.read()).await;
                if text.bytes().len() > MAX_FILE_LENGTH {
                    return Ok(Err(TextFault::TooLong));
                }
            }
            start = end;
        }
        if let Err(why) = text.end() {
            return Ok(Err(TextFault::Bytes(why)));
        }
        self.store(text.take_blocks()).await?;
        Ok(text_of(std::mem::take(text.bytes())))
    }

    /// Returns the text of a part, or the reason why there is none.
    async fn text_of(&self, job: &Job, ranges: Option<&[ObjectRange]>) -> Result<Result<Text, String>, JobError> {
        let Some(ranges) = ranges else {
            return Ok(match self.whole_text(job).await? {
                Ok(text) => Ok(Text::File(text)),
                Err(TextFault::TooLong | TextFault::Lines) => Err(format!("it is longer than {MAX_FILE_LENGTH} bytes")),
                Err(TextFault::Bytes(why)) => Err(why),
            });
        };
        let mut all = Vec::new();
        for ObjectRange { object, from, to } in ranges {
            let bytes = self.bucket.read(&key_of_lines(&job.id, *object), *from..*to).await?;
            all.extend(bytes.ok_or_else(|| JobError("an object of a divided file is missing".to_owned()))?);
        }
        let text = String::from_utf8(all).map_err(|_| JobError("an object of a divided file is damaged".to_owned()))?;
        Ok(Ok(Text::Part(text)))
    }
}

/// Returns the servers that the resources of a job come from.
fn sources_of(job: &Job) -> Sources {
    let sources = Sources::named(job.parameters.source.as_deref());
    match &job.notes {
        Some(referred) => sources.of_part(referred.clone()),
        None => sources,
    }
}

fn is_gzip(file: &str) -> bool {
    file.ends_with(".gz")
}
