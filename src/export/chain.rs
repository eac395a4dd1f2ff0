//! The chain of a publication (`$bulk-publish` of Bulk Data Access 4.0.0-ballot): pages that lead from one state of the
//! public directory to the next one, for clients that have the files of an earlier state.

use std::borrow::Cow;
use std::collections::BTreeSet;

use flate2::{Decompress, FlushDecompress};
use serde::Deserialize;

use super::deletions::bundles;
use super::files::{FileWriter, read_manifest, read_page};
use super::keys::{key_of_object, key_of_own, key_of_page};
use super::status::{ChainPage, ManifestFile, NextPage};
use super::stored_parts::{self, StoredPart};
use super::work::ExportWork;
use super::writer::PartWriter;
use database::Database;
use fhir::Micros;
use job::{Bucket, JobError};

/// The resolution of times in FHIR. Changes within the same millisecond are reported by the next export.
pub(super) const MILLISECOND: Micros = 1_000;
/// The most files that a page adds or replaces. After more changes, a new chain begins.
const MAX_CHANGED: usize = 64;

/// The members of a line that name its resource.
#[derive(Deserialize)]
struct LineName<'a> {
    #[serde(rename = "resourceType", borrow)]
    resource_type: Cow<'a, str>,
    #[serde(borrow)]
    id: Cow<'a, str>,
}

impl<D: Database, B: Bucket> ExportWork<'_, D, B> {
    /// Adds a page for the files of a new state, which are these parts. Returns the number of the last page.
    pub(super) async fn extend_chain(
        &self,
        publication: &str,
        files: &[ManifestFile],
        parts: &[&StoredPart],
    ) -> Result<usize, JobError> {
        let published = read_manifest(self.bucket, publication).await?.and_then(|manifest| manifest.page);
        let (mut number, mut last) = match published {
            Some(number) => (number, read_page(self.bucket, publication, number).await?),
            None => (0, None),
        };
        // The last publication may have ended before it wrote its manifest.
        while let Some(page) = &last
            && let Some(next) = read_page(self.bucket, publication, number + 1).await?
        {
            self.lead_on(publication, number, page, &next).await?;
            number += 1;
            last = Some(next);
        }
        let begins = ChainPage {
            transaction_time: self.now - MILLISECOND,
            files: files.to_vec(),
            output: None,
            deleted: Vec::new(),
            next: NextPage::Pending,
        };
        let Some(last) = last else {
            let number = published.map_or(0, |number| number + 1);
            self.write_page(publication, number, &begins).await?;
            return Ok(number);
        };
        if last.files == files {
            // It is written again, since a rule of the bucket deletes objects after two weeks.
            self.write_page(publication, number, &last).await?;
            return Ok(number);
        }
        let next = self.changes(publication, (number + 1, &last), &begins, parts).await?.unwrap_or(begins);
        self.write_page(publication, number + 1, &next).await?;
        self.lead_on(publication, number, &last, &next).await?;
        Ok(number + 1)
    }

    /// Returns the page with that number, which leads from the state of the last page to that of a page with these
    /// parts. `None` if there are too many changes, or a part of the last state is not there any more.
    async fn changes(
        &self,
        publication: &str,
        (number, last): (usize, &ChainPage),
        begins: &ChainPage,
        parts: &[&StoredPart],
    ) -> Result<Option<ChainPage>, JobError> {
        let added = begins.files.iter().zip(parts).filter(|(file, _)| !last.files.contains(file));
        let (output, parts): (Vec<_>, Vec<_>) = added.map(|(file, part)| (file.clone(), *part)).unzip();
        let replaced: Vec<_> = last.files.iter().filter(|file| !begins.files.contains(file)).collect();
        if output.len() + replaced.len() > MAX_CHANGED {
            return Ok(None);
        }
        let mut gone = BTreeSet::new();
        for digest in replaced.iter().filter_map(|file| file.part.as_deref()) {
            match stored_parts::published(self.state, digest, publication).await? {
                Some(part) => gone.append(&mut self.names(&part).await?),
                None => return Ok(None),
            }
        }
        for part in parts {
            let there = self.names(part).await?;
            gone.retain(|name| !there.contains(name));
        }
        let object = key_of_own(publication, &number.to_string());
        let mut writer = PartWriter::new(self.bucket, object.clone());
        bundles(&gone.into_iter().collect::<Vec<_>>()).iter().for_each(|line| writer.add(0, "Bundle", line.as_bytes()));
        let segments = writer.finish().await?;
        let segments = segments.iter().map(|segment| (key_of_object(&object, segment.object), segment));
        let deleted = FileWriter::new(self.bucket, publication).numbered(number).write("Bundle", segments).await?;
        Ok(Some(ChainPage { output: Some(output), deleted, ..begins.clone() }))
    }

    /// Returns the resources of a part: `Type/id`.
    async fn names(&self, StoredPart { object, contents }: &StoredPart) -> Result<BTreeSet<String>, JobError> {
        let mut names = BTreeSet::new();
        for segment in &contents.segments {
            let key = key_of_object(object, segment.object);
            let damaged = || JobError(format!("{key} is damaged"));
            let range = segment.offset..segment.offset + segment.stored;
            let bytes = self.bucket.read(&key, range).await?.ok_or_else(damaged)?;
            let mut text = Vec::with_capacity(segment.inflated as usize);
            let inflated = Decompress::new(false).decompress_vec(&bytes, &mut text, FlushDecompress::Sync);
            inflated.map_err(|_| damaged())?;
            for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let LineName { resource_type, id } = serde_json::from_slice(line).map_err(|_| damaged())?;
                names.insert(format!("{resource_type}/{id}"));
            }
        }
        Ok(names)
    }

    /// Writes the number of the next page into a page that has none.
    async fn lead_on(
        &self,
        publication: &str,
        number: usize,
        page: &ChainPage,
        next: &ChainPage,
    ) -> Result<(), JobError> {
        if page.next != NextPage::Pending {
            return Ok(());
        }
        let next = if next.output.is_some() { NextPage::Number(number + 1) } else { NextPage::Closed };
        self.write_page(publication, number, &ChainPage { next, ..page.clone() }).await
    }

    async fn write_page(&self, publication: &str, number: usize, page: &ChainPage) -> Result<(), JobError> {
        FileWriter::new(self.bucket, publication).put(&key_of_page(publication, number), page).await
    }
}
