//! The report of a load in the background.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::load::{LoadEvent, Stored};
use super::memory::RejectedResource;

/// The most faults that a report lists. Of more it has the number.
pub const MOST_FAULTS: usize = 200;

/// The longest reason in a report, in characters. A reason may quote the source.
const LONGEST_REASON: usize = 320;

/// The report of a load of a file, or of a part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    /// The resources that were not stored before.
    pub new: usize,
    /// The resources that were stored with other contents.
    pub changed: usize,
    /// The resources that were stored with the same contents.
    pub same: usize,
    /// The resources of which a newer form was kept.
    pub older: usize,
    /// The resources that were deleted.
    pub deleted: usize,
    /// The references to no known resource, or to several at once.
    pub unresolved: usize,
    /// The resources of types that are not served, by type.
    pub not_served: BTreeMap<String, usize>,
    /// The faults, and the occurrences in the file that differ from the one that counts: 200 at most.
    pub faults: Vec<RejectedResource>,
    /// The number of further faults.
    pub more_faults: usize,
}

impl FileReport {
    /// The report of a file, or a part of one, that is not loaded for this reason.
    #[must_use]
    pub fn refused(location: &str, why: &str) -> Self {
        let mut report = Self::default();
        report.fault(&location, why);
        report
    }

    /// Adds a fault.
    pub(super) fn fault(&mut self, location: &dyn Display, why: &str) {
        if self.faults.len() < MOST_FAULTS {
            let why = match why.char_indices().nth(LONGEST_REASON) {
                Some((end, _)) => format!("{}…", why.get(..end).unwrap_or_default()),
                None => why.to_owned(),
            };
            self.faults.push(RejectedResource { location: location.to_string(), why });
        } else {
            self.more_faults += 1;
        }
    }

    /// Counts a resource of a type that is not served.
    pub(super) fn not_served(&mut self, kind: String) {
        *self.not_served.entry(kind).or_default() += 1;
    }

    /// Counts an event of a load.
    pub(super) fn count(&mut self, location: &dyn Display, event: LoadEvent<'_>) {
        match event {
            LoadEvent::NotServed(kind) => self.not_served(kind),
            LoadEvent::Fault(why) => self.fault(location, &why),
            LoadEvent::Repeated => {}
            LoadEvent::Older => self.older += 1,
            LoadEvent::Differs(reference, others) => {
                let why = format!("{reference} comes again with another content, and the last one counts");
                others.iter().for_each(|location| self.fault(location, &why));
            }
            LoadEvent::Deleted(_, was_stored) => self.deleted += usize::from(was_stored),
            LoadEvent::Stored { effect, ambiguous, unresolved, .. } => {
                *match effect {
                    Stored::New => &mut self.new,
                    Stored::Changed => &mut self.changed,
                    Stored::Same => &mut self.same,
                } += 1;
                self.unresolved += unresolved + ambiguous.len();
            }
        }
    }

    /// Adds the report of another part.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let Self { new, changed, same, older, deleted, unresolved, not_served, faults, more_faults } = other;
        self.new += new;
        self.changed += changed;
        self.same += same;
        self.older += older;
        self.deleted += deleted;
        self.unresolved += unresolved;
        self.more_faults += more_faults;
        for (kind, count) in not_served {
            *self.not_served.entry(kind).or_default() += count;
        }
        for fault in faults {
            if self.faults.len() < MOST_FAULTS { self.faults.push(fault) } else { self.more_faults += 1 }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_lists_a_limited_number_of_faults_of_limited_length() {
        let mut report = FileReport::default();
        for line in 0..MOST_FAULTS + 3 {
            report.fault(&line, &"ü".repeat(10_000));
        }
        assert_eq!((report.faults.len(), report.more_faults), (MOST_FAULTS, 3));
        assert_eq!(report.faults[0].why.chars().count(), LONGEST_REASON + 1);
        let twice = report.clone().and(report);
        assert_eq!((twice.faults.len(), twice.more_faults), (MOST_FAULTS, MOST_FAULTS + 6));
        let text = serde_json::to_string(&twice).unwrap();
        assert_eq!(serde_json::from_str::<FileReport>(&text).unwrap(), twice);
    }
}
