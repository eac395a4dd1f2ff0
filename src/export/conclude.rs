//! The conclusion of an export. Its parts were made in sequence, while loads may have changed the records. So the
//! records are listed again. Parts that have changed are made again, until all parts are of the same state, as
//! described by one listing. Then the manifest is written.

use std::collections::{BTreeMap, BTreeSet};

use super::chain::MILLISECOND;
use super::chart_part::{BLOCKS, PartFailure};
use super::deletions::deletions;
use super::files::FileWriter;
use super::keys::{key_of_object, key_of_own};
use super::kind::ExportKind;
use super::listing::{ListedRows, Listing};
use super::referred::{Follower, ReferredResources};
use super::scope::{PartOfExport, PartScope, scopes_of_rows};
use super::selection::Selection;
use super::status::{Manifest, ManifestFile};
use super::stored_parts::{self, PartContents, StoredPart};
use super::work::ExportWork;
use super::writer::PartWriter;
use database::{Database, Rows};
use fhir::{Issue, IssueCode, ResourceType, outcome};
use job::{Bucket, Conclusion, JobError, JobOf, PartOf, statement};
use smart::is_directory;
use store::sql::RoutedStatement;

/// The most rounds of further parts. Later changes are handled within the conclusion.
const MAX_ROUNDS: usize = 20;
/// The most listings of the records in one conclusion.
const MAX_LISTINGS: usize = 10;

/// The newest parts of an export by scope, each as its digest.
type PartDigests = BTreeMap<PartScope, String>;

impl<D: Database, B: Bucket> ExportWork<'_, D, B> {
    /// Concludes an export whose parts all have reports.
    ///
    /// # Errors
    /// If a database or the bucket does not answer, or the records change continually.
    pub(super) async fn conclude_export(
        &self,
        job: &JobOf<ExportKind>,
        selection: &Selection,
        parts: &[PartOf<ExportKind>],
    ) -> Result<Conclusion<PartOfExport>, JobError> {
        let databases = &self.source.databases;
        let (_, until) = self.times(selection);
        let mut newest = newest(parts);
        let round = parts.iter().filter_map(|part| part.contents.as_ref()).map(|part| part.round).max();
        let round = round.unwrap_or_default();
        let of_round = parts.iter().filter_map(|part| part.contents.as_ref()).filter(|part| part.round == round);
        let last_count = of_round.count();
        for _ in 0..MAX_LISTINGS {
            let digests: Vec<String> = newest.values().cloned().collect();
            let stored = stored_parts::read(self.state, &digests, until).await?;
            let referred = if selection.is_of_patients {
                self.follow(job, selection, &stored).await?
            } else {
                ReferredResources::default()
            };
            let rows = if selection.is_of_patients { ListedRows::These(&referred.rows) } else { ListedRows::All };
            let listing = Listing::read(databases, selection, rows).await?;
            let is_outdated = |(scope, digest): &(&PartScope, &String)| scope.digest(&listing, selection) != **digest;
            let mut outdated: Vec<PartScope> =
                newest.iter().filter(is_outdated).map(|(scope, _)| scope.clone()).collect();
            if !selection.is_of_patients {
                outdated.extend(scopes_of_new_types(&listing, selection, &newest));
            }
            if outdated.is_empty() {
                if selection.is_of_patients && !referred.is_of(&listing) {
                    continue;
                }
                match &selection.publication {
                    Some(publication) => self.publish(job, publication, &newest, &stored).await?,
                    None => self.write_files(job, selection, stored, referred).await?,
                }
                return Ok(Conclusion::Ended);
            }
            if round < MAX_ROUNDS && (round == 0 || outdated.len() < last_count) {
                let further = outdated.into_iter().map(|scope| PartOfExport { scope, round: round + 1 });
                return Ok(Conclusion::Further(further.collect()));
            }
            for scope in outdated {
                let made = self.make(selection, &job.id, &scope).await?;
                newest.insert(scope, made.digest);
            }
        }
        Err(JobError("the records change while an export is concluded".to_owned()))
    }

    /// Reads the resources to which those of the parts refer.
    async fn follow(
        &self,
        job: &JobOf<ExportKind>,
        selection: &Selection,
        parts: &[StoredPart],
    ) -> Result<ReferredResources, JobError> {
        let references: BTreeSet<String> = parts.iter().flat_map(|part| &part.contents.referred).cloned().collect();
        for _ in 0..MAX_LISTINGS {
            let writer = PartWriter::new(self.bucket, key_of_own(&job.id, "directory"));
            let follower = Follower::new(&self.source.databases, selection, writer);
            match follower.follow(references.clone()).await {
                Ok(referred) => return Ok(referred),
                Err(PartFailure::Failed(error)) => return Err(error),
                Err(PartFailure::Changed) => {}
            }
        }
        Err(JobError("the records change while an export is concluded".to_owned()))
    }

    /// Writes the manifest of a publication. Each part with resources is a file, whose address is its digest. Charts
    /// have only one public type.
    async fn publish(
        &self,
        job: &JobOf<ExportKind>,
        publication: &str,
        newest: &PartDigests,
        stored: &[StoredPart],
    ) -> Result<(), JobError> {
        let file = |(digest, StoredPart { contents, .. }): (&String, &StoredPart)| {
            let resource_type = contents.segments.first()?.resource_type.clone();
            Some(ManifestFile { resource_type, number: 0, count: contents.count(), part: Some(digest.clone()) })
        };
        let found = newest.values().zip(stored).filter_map(|found| Some((file(found)?, found.1)));
        let (output, parts): (Vec<_>, Vec<_>) = found.filter(|(file, _)| file.count > 0).unzip();
        let page = Some(self.extend_chain(publication, &output, &parts).await?);
        let manifest = Manifest { page, ..self.manifest(job, output) };
        FileWriter::new(self.bucket, publication).write_manifest(&manifest).await
    }

    fn manifest(&self, job: &JobOf<ExportKind>, output: Vec<ManifestFile>) -> Manifest {
        Manifest {
            transaction_time: self.now - MILLISECOND,
            expires_at: self.now + self.kept,
            request: job.parameters.url.clone(),
            output,
            deleted: Vec::new(),
            error: Vec::new(),
            page: None,
        }
    }

    /// Writes the lists of all files, and the manifest.
    async fn write_files(
        &self,
        job: &JobOf<ExportKind>,
        selection: &Selection,
        mut parts: Vec<StoredPart>,
        referred: ReferredResources,
    ) -> Result<(), JobError> {
        let mut faults: Vec<String> = Vec::new();
        parts.push(StoredPart { object: key_of_own(&job.id, "directory"), contents: referred.contents });
        for part in &mut parts {
            faults.append(&mut part.contents.faults);
        }
        let mut files = FileWriter::new(self.bucket, &job.id);
        let mut output = Vec::new();
        let types = job.parameters.types.iter().map(String::as_str);
        for name in [BLOCKS].into_iter().chain(types) {
            let segments = parts.iter().flat_map(|StoredPart { object, contents }| {
                let own = contents.segments.iter().filter(|segment| segment.resource_type == name);
                own.map(|segment| (key_of_object(object, segment.object), segment))
            });
            output.extend(files.write(name, segments).await?);
        }
        let deleted = match job.parameters.since {
            Some(since) if !selection.names_patients() => {
                let lines = deletions(&self.source.databases, selection, since, job.parameters.until).await?;
                let mut files = self.write_own(job, &mut files, "deleted", BLOCKS, &lines).await?;
                files.iter_mut().for_each(|file| "Bundle".clone_into(&mut file.resource_type));
                files
            }
            Some(_) | None => Vec::new(),
        };
        let notes = job.parameters.notes.iter().map(|note| Issue::warning(IssueCode::Informational, note.clone()));
        let faults = faults.into_iter().map(|fault| Issue::error(IssueCode::Exception, fault));
        // Their number tells less than their ids, unless the request names them.
        let is_told = |number: &usize| *number > 0 && !job.parameters.names_patients;
        let opted_out = Some(selection.opted_out()).filter(is_told).map(|number| {
            let text = format!("Patients who have opted out, and are left out: {number}.");
            Issue::information(IssueCode::Informational, text)
        });
        // Of listed patients, the types would tell what kinds of records they have.
        let types = if selection.names_patients() { &[][..] } else { &job.parameters.closed };
        let closed = self.closed_types(types, &parts).await?;
        let closed = (!closed.is_empty()).then(|| {
            let text = format!(
                "There are records of types that the scopes do not open, since a wildcard stands for a list of types: \
                 {}. A scope that names the type opens it.",
                closed.join(", ")
            );
            Issue::information(IssueCode::Informational, text)
        });
        let lines: Vec<String> =
            notes.chain(faults).chain(opted_out).chain(closed).map(|issue| outcome(&[issue])).collect();
        let error = self.write_own(job, &mut files, "errors", "OperationOutcome", &lines).await?;
        files.write_manifest(&Manifest { deleted, error, ..self.manifest(job, output) }).await
    }

    /// Returns the given types that have resources, in the charts of the parts or as rows.
    async fn closed_types(&self, types: &[String], parts: &[StoredPart]) -> Result<Vec<String>, JobError> {
        let rows: Vec<_> =
            types.iter().filter_map(|name| ResourceType::parse(name)).filter(|of| is_directory(*of)).collect();
        let first = |of: &ResourceType| {
            let text = "SELECT id FROM resource WHERE type = ?1 LIMIT 1";
            RoutedStatement::directory(statement(text, [of.to_string()]))
        };
        // A database does not accept an empty batch.
        let answers = match rows.as_slice() {
            [] => Vec::new(),
            rows => self.source.databases.run(rows.iter().map(first).collect()).await?,
        };
        let stored = rows.iter().zip(&answers).filter(|(_, rows)| rows.count() > 0).map(|(of, _)| of.name());
        let mut stored: BTreeSet<&str> = stored.collect();
        stored.extend(parts.iter().flat_map(|part| &part.contents.closed).map(String::as_str));
        Ok(types.iter().filter(|name| stored.contains(name.as_str())).cloned().collect())
    }

    /// Writes files of lines that belong only to this export.
    async fn write_own(
        &self,
        job: &JobOf<ExportKind>,
        files: &mut FileWriter<'_, B>,
        name: &str,
        resource_type: &'static str,
        lines: &[String],
    ) -> Result<Vec<ManifestFile>, JobError> {
        let object = key_of_own(&job.id, name);
        let mut writer = PartWriter::new(self.bucket, object.clone());
        for line in lines {
            writer.add(0, resource_type, line.as_bytes());
            writer.write_full().await?;
        }
        let contents = PartContents { segments: writer.finish().await?, ..PartContents::default() };
        let segments = contents.segments.iter().map(|segment| (key_of_object(&object, segment.object), segment));
        files.write(resource_type, segments).await
    }
}

/// Returns the scopes of the rows of types that had no rows when the export was divided.
fn scopes_of_new_types(listing: &Listing, selection: &Selection, newest: &PartDigests) -> Vec<PartScope> {
    let known: BTreeSet<&str> = newest
        .keys()
        .filter_map(|scope| match scope {
            PartScope::Rows { resource_type, .. } => Some(resource_type.as_str()),
            PartScope::Charts { .. } => None,
        })
        .collect();
    let types = selection.types.iter().map(|of| of.resource_type).filter(|of| !known.contains(of.name()));
    types.flat_map(|of| scopes_of_rows(listing, of)).collect()
}

fn newest(parts: &[PartOf<ExportKind>]) -> PartDigests {
    let mut newest: BTreeMap<PartScope, (usize, String)> = BTreeMap::new();
    for part in parts {
        let digest = part.report.as_ref().and_then(|report| report.digest.clone());
        if let (Some(PartOfExport { scope, round }), Some(digest)) = (&part.contents, digest)
            && newest.get(scope).is_none_or(|(other, _)| other <= round)
        {
            newest.insert(scope.clone(), (*round, digest));
        }
    }
    newest.into_iter().map(|(scope, (_, digest))| (scope, digest)).collect()
}
