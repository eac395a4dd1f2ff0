//! Writing the lines of a part: a segment grows for each type, and what is full is written as an object.

use std::collections::BTreeMap;

use super::keys::key_of_object;
use super::segment::{GrowingSegment, Segment};
use crate::job::{Bucket, StorageError};

/// The bytes of lines in a segment, unless it has one line alone.
const MOST_INFLATED: u64 = 4 << 20;
/// The bytes of segments after which an object is written. As many again may be in segments that are ended for it.
const FULL: usize = 4 << 20;

/// Writes the lines of a part.
#[derive(Debug)]
pub struct PartWriter<'b, B> {
    bucket: &'b B,
    /// The beginning of the keys of the objects.
    part: String,
    /// The segments that grow, by the places of their types.
    growing: BTreeMap<usize, (&'static str, GrowingSegment)>,
    /// The segments of the next object.
    bytes: Vec<u8>,
    segments: Vec<Segment>,
    objects: usize,
}

impl<'b, B: Bucket> PartWriter<'b, B> {
    /// A writer of the objects whose keys begin with `part`.
    pub fn new(bucket: &'b B, part: String) -> Self {
        let (bytes, segments) = (Vec::new(), Vec::new());
        Self { bucket, part, growing: BTreeMap::new(), bytes, segments, objects: 0 }
    }

    /// Adds the text of a resource of a type, whose place in the export is given.
    pub fn add(&mut self, place: usize, resource_type: &'static str, text: &[u8]) {
        let (_, growing) = self.growing.entry(place).or_insert_with(|| (resource_type, GrowingSegment::default()));
        if growing.count > 0 && growing.inflated() + text.len() as u64 >= MOST_INFLATED {
            let (segment, bytes) = growing.finish(resource_type);
            self.put(segment, &bytes);
        }
        if let Some((_, growing)) = self.growing.get_mut(&place) {
            growing.add(text);
        }
    }

    /// Places a segment in the next object.
    fn put(&mut self, segment: Segment, bytes: &[u8]) {
        self.segments.push(Segment { object: self.objects, offset: self.bytes.len() as u64, ..segment });
        self.bytes.extend(bytes);
    }

    /// Writes an object if there is enough for one.
    ///
    /// # Errors
    /// If the bucket does not accept it.
    pub async fn write_full(&mut self) -> Result<(), StorageError> {
        let growing: usize = self.growing.values().map(|(_, growing)| growing.stored()).sum();
        if self.bytes.len() + growing < FULL {
            return Ok(());
        }
        self.write().await
    }

    /// Writes all that there is as an object.
    async fn write(&mut self) -> Result<(), StorageError> {
        let mut finished = Vec::new();
        for (resource_type, growing) in self.growing.values_mut().filter(|(_, growing)| growing.count > 0) {
            finished.push(growing.finish(resource_type));
        }
        for (segment, bytes) in finished {
            self.put(segment, &bytes);
        }
        if !self.bytes.is_empty() {
            let key = key_of_object(&self.part, self.objects);
            self.bucket.write(&key, std::mem::take(&mut self.bytes)).await?;
            self.objects += 1;
        }
        Ok(())
    }

    /// Writes what is left. Returns the segments.
    ///
    /// # Errors
    /// If the bucket does not accept it.
    pub async fn finish(mut self) -> Result<Vec<Segment>, StorageError> {
        self.write().await?;
        Ok(self.segments)
    }
}
