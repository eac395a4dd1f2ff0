//! Writing the lines of a part: a segment grows for each type, and full segments are written as objects.

use std::collections::BTreeMap;

use base64ct::{Base64, Encoding};

use super::keys::key_of_object;
use super::segment::{GrowingSegment, Segment};
use fhir::{documents, may_have_documents};
use job::{Bucket, StorageError};

/// The most bytes of lines in a segment, unless it has only one line.
const MAX_INFLATED: u64 = 4 << 20;
/// The bytes of segments at which an object is written. As many again may be in segments that are ended for this.
const FULL: usize = 4 << 20;

/// Writes the lines of a part.
#[derive(Debug)]
pub struct PartWriter<'b, B> {
    bucket: &'b B,
    /// The prefix of the keys of the objects.
    part: String,
    /// The growing segments, by the positions of their types.
    growing: BTreeMap<usize, (&'static str, GrowingSegment)>,
    /// The segments of the next object.
    bytes: Vec<u8>,
    segments: Vec<Segment>,
    objects: usize,
    /// The lines that wait for blocks of documents, or for another waiting line, in order.
    waiting: Vec<(usize, &'static str, Vec<u8>)>,
}

impl<'b, B: Bucket> PartWriter<'b, B> {
    /// Creates a writer of objects whose keys begin with `part`.
    pub fn new(bucket: &'b B, part: String) -> Self {
        let (bytes, segments) = (Vec::new(), Vec::new());
        Self { bucket, part, growing: BTreeMap::new(), bytes, segments, objects: 0, waiting: Vec::new() }
    }

    /// Adds the text of a resource of a type, with the type's position in the export. A text with documents, and all
    /// later ones, are written by the next call of [`Self::write_full`] or [`Self::finish`].
    pub fn add(&mut self, place: usize, resource_type: &'static str, text: &[u8]) {
        if self.waiting.is_empty() && !may_have_documents(text) {
            self.add_line(place, resource_type, text);
        } else {
            self.waiting.push((place, resource_type, text.to_vec()));
        }
    }

    fn add_line(&mut self, place: usize, resource_type: &'static str, text: &[u8]) {
        let (_, growing) = self.growing.entry(place).or_insert_with(|| (resource_type, GrowingSegment::default()));
        if growing.count > 0 && growing.inflated() + text.len() as u64 >= MAX_INFLATED {
            let (segment, bytes) = growing.finish(resource_type);
            self.put(segment, &bytes);
        }
        if let Some((_, growing)) = self.growing.get_mut(&place) {
            growing.add(text);
        }
    }

    /// Writes the waiting lines. A document is read from its bucket block by block.
    async fn write_waiting(&mut self) -> Result<(), StorageError> {
        for (place, resource_type, line) in std::mem::take(&mut self.waiting) {
            match std::str::from_utf8(&line) {
                Ok(text) if documents(text).next().is_some() => self.write_joined(place, resource_type, text).await?,
                Ok(_) | Err(_) => self.add_line(place, resource_type, &line),
            }
        }
        Ok(())
    }

    /// Writes a line with documents in segments of its own.
    async fn write_joined(
        &mut self,
        place: usize,
        resource_type: &'static str,
        text: &str,
    ) -> Result<(), StorageError> {
        self.end_segment(place, |growing| growing.count > 0);
        let mut from = 0;
        for (range, document) in documents(text) {
            self.write_part(place, resource_type, text.get(from..range.start).unwrap_or_default().as_bytes());
            for block in document.blocks() {
                let bytes = self.bucket.read(&block.key(), 0..block.length).await?;
                let bytes = bytes.filter(|bytes| bytes.len() as u64 == block.length);
                let bytes = bytes.ok_or_else(|| StorageError(format!("the block {} is not there", block.hash)))?;
                self.write_part(place, resource_type, Base64::encode_string(&bytes).as_bytes());
                self.end_segment(place, |growing| growing.inflated() >= MAX_INFLATED);
                if self.bytes.len() >= FULL {
                    self.write_object().await?;
                }
            }
            from = range.end;
        }
        self.write_part(place, resource_type, text.get(from..).unwrap_or_default().as_bytes());
        if let Some((_, growing)) = self.growing.get_mut(&place) {
            growing.end_line();
        }
        self.end_segment(place, |_| true);
        Ok(())
    }

    fn write_part(&mut self, place: usize, resource_type: &'static str, bytes: &[u8]) {
        let (_, growing) = self.growing.entry(place).or_insert_with(|| (resource_type, GrowingSegment::default()));
        growing.write(bytes);
    }

    /// Ends the segment of a type, if there is one and `is_ended` returns true for it.
    fn end_segment(&mut self, place: usize, is_ended: impl Fn(&GrowingSegment) -> bool) {
        if let Some((resource_type, growing)) = self.growing.get_mut(&place).filter(|(_, growing)| is_ended(growing)) {
            let (segment, bytes) = growing.finish(resource_type);
            self.put(segment, &bytes);
        }
    }

    /// Puts a segment into the next object.
    fn put(&mut self, segment: Segment, bytes: &[u8]) {
        self.segments.push(Segment { object: self.objects, offset: self.bytes.len() as u64, ..segment });
        self.bytes.extend(bytes);
    }

    /// Writes an object if there are enough bytes for one.
    ///
    /// # Errors
    /// If the bucket rejects it.
    pub async fn write_full(&mut self) -> Result<(), StorageError> {
        self.write_waiting().await?;
        let growing: usize = self.growing.values().map(|(_, growing)| growing.stored()).sum();
        if self.bytes.len() + growing < FULL {
            return Ok(());
        }
        self.write().await
    }

    /// Writes all segments as an object.
    async fn write(&mut self) -> Result<(), StorageError> {
        let mut finished = Vec::new();
        for (resource_type, growing) in self.growing.values_mut().filter(|(_, growing)| growing.count > 0) {
            finished.push(growing.finish(resource_type));
        }
        for (segment, bytes) in finished {
            self.put(segment, &bytes);
        }
        self.write_object().await
    }

    /// Writes the ended segments as an object.
    async fn write_object(&mut self) -> Result<(), StorageError> {
        if !self.bytes.is_empty() {
            let key = key_of_object(&self.part, self.objects);
            self.bucket.write(&key, std::mem::take(&mut self.bytes)).await?;
            self.objects += 1;
        }
        Ok(())
    }

    /// Writes the remaining data. Returns the segments.
    ///
    /// # Errors
    /// If the bucket rejects them.
    pub async fn finish(mut self) -> Result<Vec<Segment>, StorageError> {
        self.write_waiting().await?;
        self.write().await?;
        Ok(self.segments)
    }
}
