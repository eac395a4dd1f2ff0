//! The files of an export: lists of segments, and the manifest that names them.

use serde::Deserialize;

use super::chart_part::BLOCKS;
use super::keys::{key_of_file, key_of_manifest, key_of_page};
use super::segment::Segment;
use super::status::{ChainPage, ExportFile, FileSegment, Manifest, ManifestFile};
use fhir::{DigestOfParts, OF_THING};
use job::{Bucket, JobError};

/// The most bytes of a file, unless it has only one segment.
const MAX_INFLATED: u64 = 1 << 30;
/// The most segments of a file.
const MAX_SEGMENTS: usize = 512;
/// The largest list of a file or a manifest that is read, in bytes.
const LARGEST_LIST: u64 = 32 << 20;

fn are_of_one_part(segment: &FileSegment, object: &str) -> bool {
    let part = |key: &str| key.rsplit_once('/').map(|(part, _)| part.to_owned());
    part(&segment.object) == part(object)
}

/// Writes the lists of files.
#[derive(Debug)]
pub struct FileWriter<'b, B> {
    bucket: &'b B,
    job: String,
    /// The number of the next file.
    number: usize,
}

impl<'b, B: Bucket> FileWriter<'b, B> {
    /// Creates a writer for the lists of a job.
    pub fn new(bucket: &'b B, job: &str) -> Self {
        Self { bucket, job: job.to_owned(), number: 0 }
    }

    /// Returns the writer with another number of the next file.
    #[must_use]
    pub fn numbered(self, number: usize) -> Self {
        Self { number, ..self }
    }

    /// Writes the files of a type with these segments, each with the key of its object. Returns the manifest entries.
    ///
    /// # Errors
    /// If the bucket rejects a file.
    pub async fn write<'s>(
        &mut self,
        resource_type: &str,
        segments: impl Iterator<Item = (String, &'s Segment)>,
    ) -> Result<Vec<ManifestFile>, JobError> {
        let mut files = Vec::new();
        let (mut own, mut count, mut inflated): (Vec<FileSegment>, _, _) = (Vec::new(), 0, 0);
        let mut is_in_line = false;
        for (object, segment) in segments {
            let is_full = own.len() >= MAX_SEGMENTS || inflated + segment.inflated > MAX_INFLATED;
            // The block of a patient is within one part, and must be in one file.
            let may_end = resource_type != BLOCKS || own.last().is_some_and(|last| !are_of_one_part(last, &object));
            if !own.is_empty() && is_full && may_end && !is_in_line {
                files.push(self.write_file(resource_type, std::mem::take(&mut own), count).await?);
                (count, inflated) = (0, 0);
            }
            own.push(segment.of_file(object));
            count += segment.count;
            is_in_line = segment.count == 0;
            inflated += segment.inflated;
        }
        if !own.is_empty() {
            files.push(self.write_file(resource_type, own, count).await?);
        }
        Ok(files)
    }

    async fn write_file(
        &mut self,
        resource_type: &str,
        segments: Vec<FileSegment>,
        count: u64,
    ) -> Result<ManifestFile, JobError> {
        let mut digest = DigestOfParts::default();
        for FileSegment { object, offset, stored, inflated, crc } in &segments {
            digest.add(object).add(format!("{offset} {stored} {inflated} {crc}"));
        }
        let etag = digest.text::<OF_THING>();
        let file = ExportFile { segments, etag, resource_type: resource_type.to_owned() };
        let number = self.number;
        self.number += 1;
        self.put(&key_of_file(&self.job, number), &file).await?;
        Ok(ManifestFile { resource_type: resource_type.to_owned(), number, count, part: None })
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// If the bucket rejects the manifest.
    pub async fn write_manifest(&self, manifest: &Manifest) -> Result<(), JobError> {
        self.put(&key_of_manifest(&self.job), manifest).await
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    /// If the bucket rejects it.
    pub async fn put(&self, key: &str, value: &impl serde::Serialize) -> Result<(), JobError> {
        let text = serde_json::to_vec(value).map_err(|error| JobError(error.to_string()))?;
        Ok(self.bucket.write(key, text).await?)
    }
}

/// Returns the manifest of a job. `None` if there is none.
pub async fn read_manifest(bucket: &impl Bucket, job: &str) -> Result<Option<Manifest>, JobError> {
    read(bucket, &key_of_manifest(job)).await
}

/// Returns a page of the chain of a publication. `None` if there is none.
pub async fn read_page(bucket: &impl Bucket, publication: &str, number: usize) -> Result<Option<ChainPage>, JobError> {
    read(bucket, &key_of_page(publication, number)).await
}

/// Returns the list of the segments of a file. `None` if there is none.
pub async fn read_file(bucket: &impl Bucket, job: &str, number: usize) -> Result<Option<ExportFile>, JobError> {
    read(bucket, &key_of_file(job, number)).await
}

async fn read<T: for<'de> Deserialize<'de>>(bucket: &impl Bucket, key: &str) -> Result<Option<T>, JobError> {
    let Some(bytes) = bucket.read(key, 0..LARGEST_LIST).await? else { return Ok(None) };
    let read = serde_json::from_slice(&bytes).map(Some);
    read.map_err(|error| JobError(format!("{key} is damaged at column {}", error.column())))
}
