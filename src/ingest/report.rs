//! The report of a load in the background.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::document::illegal_id;
use super::load::{LoadEvent, Stored};
use super::memory::RejectedResource;
use ::job::Report;
use fhir::ResourceType;

/// The most faults that a report lists. It counts the others.
pub const MAX_FAULTS: usize = 200;

/// The most references of older resources in a report.
const MAX_OLDER: usize = 50;

/// The most types that a report counts by name, and the longest of their names, in characters.
const MAX_TYPES: usize = 50;
const MAX_TYPE_LENGTH: usize = 64;

/// The name under which a report counts the resources of further types.
const FURTHER: &str = "(others)";

/// The longest reason in a report, in bytes. A reason may quote the source.
const MAX_REASON_LENGTH: usize = 640;

/// The report of a load of a file, or of a part of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    /// The resources that were not stored before.
    pub new: usize,
    /// The resources that were stored with other contents.
    pub changed: usize,
    /// The resources that were stored with the same contents.
    pub same: usize,
    /// The resources of which a newer stored form was kept.
    pub older: usize,
    /// The first of these. The corrections that their sender intended were not made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub older_resources: Vec<String>,
    /// The resources that were deleted.
    pub deleted: usize,
    /// The references to no known resource, or to several at once.
    pub unresolved: usize,
    /// The resources that are stored but belong to nobody, because nothing determines their patient, by type. Users
    /// with access to only some patients cannot read them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nobodys: BTreeMap<String, usize>,
    /// The resources that are left out because their ids are not FHIR ids, by type. References to them are broken.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub illegal_ids: BTreeMap<String, usize>,
    /// The resources of types that are not served, by type. At most 50 types are listed.
    pub not_served: BTreeMap<String, usize>,
    /// The faults, and the occurrences in the file that differ from the one that counts. At most 200 are listed.
    pub faults: Vec<RejectedResource>,
    /// The number of further faults.
    pub more_faults: usize,
}

impl FileReport {
    /// Returns the report of a file, or of a part of one, that is not loaded for this reason.
    pub fn refused(location: &str, why: &str) -> Self {
        let mut report = Self::default();
        report.fault(&location, why);
        report
    }

    /// Adds a fault.
    pub(super) fn fault(&mut self, location: &dyn Display, why: &str) {
        if self.faults.len() < MAX_FAULTS {
            let end = why.floor_char_boundary(MAX_REASON_LENGTH);
            let why =
                if end < why.len() { format!("{}…", why.get(..end).unwrap_or_default()) } else { why.to_owned() };
            self.faults.push(RejectedResource { location: location.to_string(), why });
        } else {
            self.more_faults += 1;
        }
    }

    /// Adds and counts the fault of a resource whose id is not a valid FHIR id.
    pub(super) fn illegal_id(&mut self, location: &dyn Display, resource_type: ResourceType) {
        self.fault(location, &illegal_id(resource_type));
        *self.illegal_ids.entry(resource_type.name().to_owned()).or_default() += 1;
    }

    /// Counts a resource of a type that is not served.
    pub(super) fn not_served(&mut self, resource_type: &str) {
        let end = resource_type.char_indices().nth(MAX_TYPE_LENGTH).map_or(resource_type.len(), |(end, _)| end);
        self.count_not_served(resource_type.get(..end).unwrap_or_default(), 1);
    }

    fn count_not_served(&mut self, resource_type: &str, count: usize) {
        let named = self.not_served.keys().filter(|resource_type| *resource_type != FURTHER).count();
        let is_listed = named < MAX_TYPES || self.not_served.contains_key(resource_type);
        *self.not_served.entry(if is_listed { resource_type } else { FURTHER }.to_owned()).or_default() += count;
    }

    pub(super) fn count(&mut self, location: &dyn Display, event: LoadEvent<'_>) {
        match event {
            LoadEvent::NotServed(resource_type) => self.not_served(&resource_type),
            LoadEvent::IllegalId(resource_type) => self.illegal_id(location, resource_type),
            LoadEvent::Fault(why) => self.fault(location, &why),
            LoadEvent::Repeated { .. } => {}
            LoadEvent::Older(reference) => {
                self.older += 1;
                if self.older_resources.len() < MAX_OLDER {
                    self.older_resources.push(reference.to_string());
                }
            }
            LoadEvent::Differs(reference, others) => {
                let why = format!("{reference} comes again with another content, and the last one counts");
                others.iter().for_each(|location| self.fault(location, &why));
            }
            LoadEvent::Deleted(owner) => self.deleted += usize::from(owner.is_some()),
            LoadEvent::Stored { resource_type, effect, ambiguous, unresolved, owner } => {
                if owner.is_nobody(resource_type) {
                    *self.nobodys.entry(resource_type.name().to_owned()).or_default() += 1;
                }
                *match effect {
                    Stored::New => &mut self.new,
                    Stored::Changed => &mut self.changed,
                    Stored::Same => &mut self.same,
                } += 1;
                self.unresolved += unresolved + ambiguous.len();
            }
        }
    }
}

impl Report for FileReport {
    fn given_up(part: Option<usize>) -> Self {
        let location = part.map_or_else(|| "the file".to_owned(), |part| format!("part {part}"));
        Self::refused(&location, "it could not be loaded in several tries: send it again later")
    }

    fn stopped() -> Self {
        Self::refused("the file", "it is not loaded: the client is disabled")
    }

    fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    fn and(mut self, other: Self) -> Self {
        let Self { new, changed, same, older, deleted, unresolved, more_faults, .. } = other;
        let Self { older_resources, nobodys, illegal_ids, not_served, faults, .. } = other;
        self.new += new;
        self.changed += changed;
        self.same += same;
        self.older += older;
        self.deleted += deleted;
        self.unresolved += unresolved;
        self.more_faults += more_faults;
        self.older_resources.extend(older_resources);
        self.older_resources.truncate(MAX_OLDER);
        for (all, more) in [(&mut self.nobodys, nobodys), (&mut self.illegal_ids, illegal_ids)] {
            for (resource_type, count) in more {
                *all.entry(resource_type).or_default() += count;
            }
        }
        for (resource_type, count) in not_served {
            self.count_not_served(&resource_type, count);
        }
        for fault in faults {
            if self.faults.len() < MAX_FAULTS { self.faults.push(fault) } else { self.more_faults += 1 }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_a_limited_number_of_types_and_of_older_resources() {
        let mut report = FileReport::default();
        for number in 0..1_000 {
            report.not_served(&format!("{number:03}{}", "ü".repeat(1_000)));
            report.count(&0, LoadEvent::Older(&fhir::Reference::parse(&format!("Patient/{number}")).unwrap()));
        }
        let report = report.clone().and(report);
        assert_eq!((report.not_served.len(), report.not_served[FURTHER]), (MAX_TYPES + 1, 1_900));
        assert!(report.not_served.keys().all(|resource_type| resource_type.chars().count() <= MAX_TYPE_LENGTH));
        assert_eq!((report.older, report.older_resources.len()), (2_000, MAX_OLDER));
    }

    #[test]
    fn wr03_a_report_lists_a_limited_number_of_faults_of_limited_length() {
        let mut report = FileReport::default();
        for line in 0..MAX_FAULTS + 3 {
            report.fault(&line, &["ü", "🩺"][line % 2].repeat(10_000));
        }
        assert_eq!((report.faults.len(), report.more_faults), (MAX_FAULTS, 3));
        assert!(report.faults.iter().all(|fault| fault.why.len() == MAX_REASON_LENGTH + '…'.len_utf8()));
        let twice = report.clone().and(report);
        assert_eq!((twice.faults.len(), twice.more_faults), (MAX_FAULTS, MAX_FAULTS + 6));
        let text = serde_json::to_string(&twice).unwrap();
        assert_eq!(serde_json::from_str::<FileReport>(&text).unwrap(), twice);
    }
}
