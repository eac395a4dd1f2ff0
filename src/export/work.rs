//! The worker for jobs that export records: it divides an export into parts, makes the parts, and concludes the export.

use std::collections::{BTreeMap, BTreeSet};

use super::chart_part::{ChartPartMaker, PartFailure};
use super::keys::key_of_part;
use super::kind::{ExportKind, ExportReport};
use super::listing::{
    ListedRows, Listing, compartments_in, digest_of_compartments, digest_of_rows, select_compartments,
};
use super::row_part;
use super::scope::{PartOfExport, PartScope, scopes};
use super::selection::{Selection, SelectionContext};
use super::stored_parts::{self, PartContents, StoredPart};
use super::writer::PartWriter;
use database::{Database, Rows, run_each};
use fhir::{Id, Micros, ResourceType};
use job::{Bucket, Conclusion, JobError, JobOf, PartOf, PartResult, Plan, Work, statement};
use search::IndexSet;
use store::RecordDatabases;
use store::shards::bucket_of;

/// The number of tries to make a part while its records change.
const TRIES: usize = 4;
/// The time for which a part is kept after the end of an export, so that a download that has begun can be completed.
const MARGIN: Micros = 3_600 * 1_000_000;

const OPTED_OUT: &str = "SELECT o.patient FROM clients c CROSS JOIN opt_out o \
                         ON o.purpose = json_extract(c.registration, '$.purpose') WHERE c.id = ?1 \
                         ORDER BY o.patient";

/// The time for which a published part is kept after the last publication with it.
const PUBLISHED_FOR: Micros = 7 * 24 * 3_600 * 1_000_000;

/// The records that exports read.
#[derive(Debug)]
pub struct ExportSource<'a, D> {
    /// The databases of the records, at their primaries.
    pub databases: RecordDatabases<'a, D>,
    /// The set of parameters by which the records are indexed.
    pub set: &'static IndexSet,
    /// The URL of the FHIR base.
    pub base: &'a str,
}

/// Exports records.
#[derive(Debug)]
pub struct ExportWork<'a, D, B> {
    /// The database of the parts.
    pub(super) state: &'a D,
    pub(super) bucket: &'a B,
    /// The records.
    pub(super) source: &'a ExportSource<'a, D>,
    /// The time of this call.
    pub(super) now: Micros,
    /// The time for which an export is kept after its end.
    pub(super) kept: Micros,
}

#[derive(Debug, Default)]
pub(super) struct MadePart {
    pub digest: String,
    /// The number of resources in the part.
    resources: u64,
    /// The patients whose records it may contain, if the export lists patients.
    patients: BTreeSet<Id>,
}

impl<D: Database, B: Bucket> Work<ExportKind> for ExportWork<'_, D, B> {
    type Input = ();
    type Details = BTreeSet<Id>;

    /// Divides an export according to the records.
    async fn plan(&self, job: &JobOf<ExportKind>) -> Result<Plan<ExportKind, ()>, JobError> {
        let selection = match self.selection(job).await? {
            Ok(selection) => selection,
            Err(why) => return Ok(Plan::Refused(ExportReport::failure(why))),
        };
        let listing = Listing::read(&self.source.databases, &selection, ListedRows::All).await?;
        let parts = scopes(&listing, &selection).into_iter().map(|scope| PartOfExport { scope, round: 0 });
        Ok(Plan::Parts { parts: parts.collect(), notes: (), report: ExportReport::default() })
    }

    /// Makes a part, unless another export has already made it.
    async fn run(
        &self,
        job: &JobOf<ExportKind>,
        part: &PartOf<ExportKind>,
        _: Option<()>,
    ) -> Result<PartResult<ExportReport, BTreeSet<Id>>, JobError> {
        let (report, details) = match (self.selection(job).await?, &part.contents) {
            (Ok(selection), Some(PartOfExport { scope, .. })) => {
                let MadePart { digest, resources, patients } = self.make(&selection, &job.id, scope).await?;
                (ExportReport { digest: Some(digest), resources, failed: None }, patients)
            }
            (Err(why), _) => (ExportReport::failure(why), BTreeSet::new()),
            (Ok(_), None) => (ExportReport::failure("A part of the export is damaged."), BTreeSet::new()),
        };
        Ok(PartResult { report, corrects: false, details })
    }

    async fn conclude(
        &self,
        job: &JobOf<ExportKind>,
        parts: &[PartOf<ExportKind>],
    ) -> Result<Conclusion<PartOfExport>, JobError> {
        if parts.iter().any(|part| part.report.as_ref().is_some_and(|report| report.failed.is_some())) {
            return Ok(Conclusion::Ended);
        }
        let selection = self.selection(job).await?.map_err(JobError)?;
        self.conclude_export(job, &selection, parts).await
    }
}

impl<D: Database, B: Bucket> ExportWork<'_, D, B> {
    /// Returns the selection that the request of a job describes, without the patients who have opted out by now. If
    /// others had opted out when a part was made, the conclusion finds the part outdated.
    async fn selection(&self, job: &JobOf<ExportKind>) -> Result<Result<Selection, String>, JobError> {
        let ExportSource { set, base, .. } = self.source;
        let [rows] = run_each(self.state, [statement(OPTED_OUT, [job.client.clone().unwrap_or_default()])]).await?;
        let opted_out = (0..rows.count()).map(|row| rows.required_text(row, "patient")).collect::<Result<_, _>>()?;
        Ok(Selection::of(&job.parameters, &SelectionContext { set, base, now: job.created_at }, opted_out))
    }

    /// Returns the time of this call, and the time until which a part that is made or reused now is kept.
    pub(super) fn times(&self, selection: &Selection) -> (Micros, Micros) {
        let kept = if selection.publication.is_some() { PUBLISHED_FOR } else { self.kept };
        (self.now, self.now + kept + MARGIN)
    }

    /// Makes a part from the current records, unless it already exists.
    ///
    /// # Errors
    /// If a database or the bucket does not answer, or the records change at each try.
    pub(super) async fn make(&self, selection: &Selection, job: &str, scope: &PartScope) -> Result<MadePart, JobError> {
        for _ in 0..TRIES {
            let made = match scope {
                PartScope::Charts { from, to } => self.make_of_charts(selection, job, (*from, *to)).await,
                PartScope::Rows { resource_type, from, to } => {
                    let Some(resource_type) = ResourceType::parse(resource_type) else {
                        return Err(JobError(format!("{resource_type} is no type")));
                    };
                    self.make_of_rows(selection, job, resource_type, (from, to.as_deref())).await
                }
            };
            match made {
                Ok(made) => return Ok(made),
                Err(PartFailure::Failed(error)) => return Err(error),
                Err(PartFailure::Changed) => self.source.databases.forget_map(),
            }
        }
        Err(JobError("the records change while they are exported".to_owned()))
    }

    async fn make_of_charts(
        &self,
        selection: &Selection,
        job: &str,
        (from, to): (i64, i64),
    ) -> Result<MadePart, PartFailure> {
        let databases = &self.source.databases;
        let map = databases.map().await?;
        let mut found = Vec::new();
        for (shard, database) in databases.all().enumerate() {
            if (bucket_of(from)..=bucket_of(to)).any(|bucket| map.shard(bucket) == shard) {
                let [rows] = run_each(database, [select_compartments(from, to)]).await?;
                found.push((database, compartments_in(&rows, &map, shard, selection)?));
            }
        }
        let mut all: Vec<_> = found.iter().flat_map(|(_, compartments)| compartments).collect();
        all.sort_unstable_by_key(|compartment| compartment.n);
        // The id of a compartment that is not a patient's is not a valid id.
        let patients = all.iter().filter(|_| selection.names_patients()).filter_map(|one| Id::parse(&one.id)).collect();
        let digest = digest_of_compartments(selection, all.into_iter());
        if let Some(known) = stored_parts::find(self.state, &digest, job, self.times(selection)).await? {
            return Ok(MadePart { digest, resources: known.contents.count(), patients });
        }
        let object = key_of_part(&digest, job);
        let mut maker = ChartPartMaker::new(selection, self.bucket, object.clone());
        for (database, compartments) in &found {
            if !compartments.is_empty() {
                maker.add(*database, compartments).await?;
            }
        }
        let contents = PartContents { publication: selection.publication.clone(), ..maker.finish().await? };
        let part = StoredPart { object, contents };
        stored_parts::store(self.state, &digest, &part, self.times(selection)).await?;
        Ok(MadePart { digest, resources: part.contents.count(), patients })
    }

    async fn make_of_rows(
        &self,
        selection: &Selection,
        job: &str,
        resource_type: ResourceType,
        (from, to): (&str, Option<&str>),
    ) -> Result<MadePart, PartFailure> {
        let databases = &self.source.databases;
        let rows = row_part::run(databases, row_part::select("id, digest", resource_type, from, to)).await?;
        let mut digests = BTreeMap::new();
        for row in 0..rows.count() {
            digests.insert(rows.required_text(row, "id")?, rows.required_text(row, "digest")?);
        }
        let own = digests.iter().map(|(id, digest)| (id.as_str(), digest.as_str()));
        let digest = digest_of_rows(selection, resource_type, own);
        if let Some(known) = stored_parts::find(self.state, &digest, job, self.times(selection)).await? {
            return Ok(MadePart { digest, resources: known.contents.count(), ..MadePart::default() });
        }
        let Some(selected) = selection.of_type(resource_type) else { return Err(PartFailure::Changed) };
        let object = key_of_part(&digest, job);
        let writer = PartWriter::new(self.bucket, object.clone());
        let contents = row_part::make(databases, selection.set, selected, &digests, writer).await?;
        let contents = PartContents { publication: selection.publication.clone(), ..contents };
        let part = StoredPart { object, contents };
        stored_parts::store(self.state, &digest, &part, self.times(selection)).await?;
        Ok(MadePart { digest, resources: part.contents.count(), ..MadePart::default() })
    }
}
