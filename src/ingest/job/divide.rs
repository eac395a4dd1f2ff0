//! The division of a file into parts, each of which is loaded as a whole. All resources of a patient in a file are in
//! the same part, so that they become visible at once.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::whole_text::{Text, fields, line_of_part};
use crate::breaks::Breaks;
use crate::report::FileReport;
use crate::sources::note_bases;
use crate::text::{LineLocation, TextDocuments};
use crate::{DocumentEntry, Fault, Intake, MAX_FILE_LENGTH, Parsed, Rejection, entries, entry_path};
use ::job::JobError;
use fhir::Reference;
use smart::{for_each_owning, is_directory, is_owned_through_others};
use store::names::{BUCKETS, bucket};

/// The size of an object with lines of the file, in bytes.
const OBJECT: usize = 4 << 20;
/// The size of a part, in bytes. A part with a single bucket of patients may be larger.
const PART: usize = 4 << 20;
/// The size of a part with deletions and with resources that are owned through others, in bytes. The charts of all
/// resources to which they refer are in memory at the same time.
const PART_OF_OTHERS: usize = 1 << 20;
/// The bytes for which a resource counts at least. Its names are looked up and stored, whatever its length.
const LEAST: usize = 512;
/// Resources with more references than these may have more patients. A resource with `n` times as many counts `n` times
/// its bytes, since each of its patients may get a copy. It counts at most `MAX_TIMES` times, since a resource of still
/// more patients is stored once.
const FEW_REFERENCES: usize = 8;
const MAX_TIMES: usize = 8;
/// The most patients of a part. All their charts of the types in the part are in memory at the same time.
const MAX_PATIENTS: usize = 128;

/// The most patients of a file. All of them are recorded until the file is divided.
const MAX_PATIENTS_OF_FILE: usize = 500_000;
/// The most deletions of a file that is loaded as a whole. Their owners are not known before they are looked up.
const MAX_DELETIONS: usize = 1_000;

/// The group of resources that are in no compartment. It is loaded first, since other resources refer to it.
const DIRECTORY: u32 = 0;
/// The group of the first bucket of patients.
const FIRST_BUCKET: u32 = 1;
/// The group of deletions and of resources that are owned through others.
const OTHERS: u32 = FIRST_BUCKET + BUCKETS;

/// A range of bytes of an object with lines of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectRange {
    /// The number of the object.
    pub object: usize,
    /// The first byte.
    pub from: u64,
    /// The byte after the last one.
    pub to: u64,
}

/// A division of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Division {
    /// The ranges of each part.
    pub parts: Vec<Vec<ObjectRange>>,
    /// The bases of the absolute references in the file, of which two at most are kept.
    pub referred: BTreeSet<String>,
    /// The faults of the file.
    pub report: FileReport,
}

/// The lines of a group in an object.
#[derive(Debug, Clone, Copy)]
struct GroupRange {
    group: u32,
    /// The first byte, and the byte after the last one.
    range: (u64, u64),
    /// The bytes for which they count in a part.
    cost: usize,
}

/// Divides a file.
#[derive(Debug, Default)]
pub struct Divider {
    /// The FHIR base of this server.
    base: String,
    /// The lines that are not yet in an object, each with its group and the factor of its bytes.
    lines: Vec<(u32, usize, String)>,
    /// The bytes of these lines.
    bytes: usize,
    /// The groups in each object.
    objects: Vec<Vec<GroupRange>>,
    patients: HashSet<(u32, u32)>,
    /// The weighted bytes of all resources ([`cost_of`]).
    cost: usize,
    /// The weighted bytes of resources that count several times.
    copied: usize,
    /// The most patients of a part.
    most_patients: usize,
    /// The most bytes of a part with deletions and with resources that are owned through others.
    most_of_others: usize,
    deletions: usize,
    referred: BTreeSet<String>,
    report: FileReport,
}

impl Divider {
    /// Returns a divider for a file that is loaded into the server with this FHIR base.
    pub fn new(base: &str) -> Self {
        let (most_patients, most_of_others) = (MAX_PATIENTS, PART_OF_OTHERS);
        Self { base: base.to_owned(), most_patients, most_of_others, ..Self::default() }
    }

    /// Divides the file into parts of half the patients, and of half the bytes of those owned through others.
    fn halve(&mut self) {
        let of_others = self.lines.iter().filter(|(group, ..)| *group == OTHERS);
        let bytes: usize = of_others.map(|(_, times, line)| cost_of(line, *times)).sum();
        self.most_patients = (self.patients.len() / 2).max(1);
        self.most_of_others = (bytes / 2).max(1);
    }

    /// Adds a document that begins on that line, counted from 0.
    pub fn add(&mut self, first_line: usize, document: &str) {
        located(first_line, document).for_each(|(at, entry)| {
            self.add_entry(&at, entry);
        });
    }

    /// Adds the documents of a text, with breaks.
    pub async fn add_text(&mut self, text: &str, breaks: &mut Breaks<'_>) {
        for (line, document) in TextDocuments::of(text, Intake::Store).documents() {
            for (at, entry) in located(line, document) {
                let bytes = self.add_entry(&at, entry);
                breaks.after_loading(bytes).await;
            }
        }
    }

    /// Adds an entry or its fault. Returns the bytes of the entry.
    fn add_entry(&mut self, at: &LineLocation, entry: Result<DocumentEntry<'_>, Fault>) -> usize {
        let (bytes, parsed) = match entry {
            Ok(entry) => (entry.text.len(), entry.take()),
            Err(Fault { reason, .. }) => (0, Err(Rejection::Fault(reason))),
        };
        match parsed {
            Ok(parsed) => self.add_parsed(at, &parsed),
            Err(Rejection::NotServed(resource_type)) => self.report.not_served(&resource_type),
            Err(Rejection::IllegalId(resource_type)) => self.report.illegal_id(at, resource_type),
            Err(Rejection::Fault(reason)) => self.report.fault(at, &reason),
        }
        bytes
    }

    fn add_parsed(&mut self, at: &LineLocation, parsed: &Parsed<'_>) {
        let line = line_of_part(at, parsed);
        let (group, patient, times) = match parsed {
            Parsed::Resource(parsed) => {
                note_bases(&mut self.referred, &parsed.resource, &self.base);
                group_of(&parsed.reference(), &parsed.resource)
            }
            Parsed::Deletion(_) => {
                self.deletions += 1;
                (OTHERS, String::new(), 1)
            }
        };
        self.patients.insert((group, bucket(&patient, u32::MAX)));
        self.bytes += line.len();
        let cost = cost_of(&line, times);
        self.cost += cost;
        self.copied += if times > 1 { cost } else { 0 };
        self.lines.push((group, times, line));
    }

    /// Returns whether all resources fit into one part.
    pub fn is_one_part(&self) -> bool {
        self.patients.len() <= MAX_PATIENTS
            && self.deletions <= MAX_DELETIONS
            && self.copied <= PART_OF_OTHERS
            && self.cost <= MAX_FILE_LENGTH
    }

    /// Returns whether the file has more patients than one file may have.
    pub fn has_too_many_patients(&self) -> bool {
        self.patients.len() > MAX_PATIENTS_OF_FILE
    }

    /// Adds the fault of a line that cannot be read.
    pub fn fault(&mut self, line: usize, why: &str) {
        self.report.fault(&LineLocation { line, path: String::new() }, why);
    }

    /// Returns the next object to write, with its number, if there are enough lines for it.
    pub fn full_object(&mut self) -> Option<(usize, Vec<u8>)> {
        if self.bytes < OBJECT { None } else { self.next_object() }
    }

    /// Returns the next object to write, with its number, if there are lines that are not yet in an object.
    pub fn next_object(&mut self) -> Option<(usize, Vec<u8>)> {
        let mut lines = std::mem::take(&mut self.lines);
        if lines.is_empty() {
            return None;
        }
        lines.sort_by_key(|(group, ..)| *group);
        let mut object = Vec::with_capacity(std::mem::take(&mut self.bytes));
        let mut groups = Vec::new();
        for of_group in lines.chunk_by(|(one, ..), (other, ..)| one == other) {
            let mut growing: Option<GroupRange> = None;
            for (group, times, line) in of_group {
                let (at, cost) = (object.len() as u64, cost_of(line, *times));
                let full = growing.take_if(|growing| growing.cost + cost > most_of(*group, self.most_of_others));
                groups.extend(full);
                object.extend(line.as_bytes());
                let growing = growing.get_or_insert(GroupRange { group: *group, range: (at, at), cost: 0 });
                growing.range.1 = object.len() as u64;
                growing.cost += cost;
            }
            groups.extend(growing);
        }
        self.objects.push(groups);
        Some((self.objects.len() - 1, object))
    }

    /// Returns the division. All objects must have been taken.
    pub fn finish(self) -> Division {
        let most_of_others = self.most_of_others;
        let Self { objects, patients, referred, report, most_patients, .. } = self;
        let groups = (OTHERS + 1) as usize;
        let (mut sizes, mut counts) = (vec![0; groups], vec![0; groups]);
        for GroupRange { group, cost, .. } in objects.iter().flatten() {
            if let Some(size) = sizes.get_mut(*group as usize) {
                *size += cost;
            }
        }
        for (group, _) in patients {
            if let Some(count) = counts.get_mut(group as usize) {
                *count += 1;
            }
        }
        let mut parts = Vec::new();
        let (mut first, mut size, mut count) = (DIRECTORY, 0, 0);
        for (group, (of_group, patients)) in (DIRECTORY..).zip(sizes.iter().zip(&counts)) {
            let begins_anew = matches!(group, FIRST_BUCKET | OTHERS);
            if begins_anew || size + of_group > PART || count + patients > most_patients {
                add_parts(&mut parts, &objects, first..group, most_of_others);
                (first, size, count) = (group, 0, 0);
            }
            size += of_group;
            count += patients;
        }
        add_parts(&mut parts, &objects, first..OTHERS + 1, most_of_others);
        Division { parts, referred, report }
    }
}

/// Returns the bytes for which a line counts in a part.
fn cost_of(line: &str, times: usize) -> usize {
    line.len().max(LEAST) * times
}

/// Returns the entries of a document that begins on that line, counted from 0, with their locations.
fn located(
    first_line: usize,
    document: &str,
) -> impl Iterator<Item = (LineLocation, Result<DocumentEntry<'_>, Fault>)> {
    let (mut line, mut counted) = (first_line, 0);
    entries(document, Intake::Store).into_iter().map(move |entry| {
        let (at, path) = entry.as_ref().map_or_else(|fault| (fault.at, &fault.path), |entry| (entry.at, &entry.path));
        // Entries are in document order.
        let since = document.as_bytes().get(counted..at).unwrap_or_default();
        line += since.iter().filter(|byte| **byte == b'\n').count();
        counted = counted.max(at);
        (LineLocation { line, path: entry_path(path) }, entry)
    })
}

/// Adds the part with these groups, the end of the range excluded. A part that exceeds the limit on its bytes is
/// divided, in the order of the file.
fn add_parts(
    parts: &mut Vec<Vec<ObjectRange>>,
    objects: &[Vec<GroupRange>],
    groups: Range<u32>,
    most_of_others: usize,
) {
    let most = most_of(groups.start, most_of_others);
    let (mut part, mut size): (Vec<ObjectRange>, usize) = (Vec::new(), 0);
    for (object, ranges) in objects.iter().enumerate() {
        for GroupRange { range: (from, to), cost, .. } in ranges.iter().filter(|of| groups.contains(&of.group)) {
            if size + cost > most && !part.is_empty() {
                parts.push(std::mem::take(&mut part));
                size = 0;
            }
            size += cost;
            match part.last_mut().filter(|range| (range.object, range.to) == (object, *from)) {
                Some(range) => range.to = *to,
                None => part.push(ObjectRange { object, from: *from, to: *to }),
            }
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
}

/// Returns the most bytes of a part that begins with this group.
const fn most_of(group: u32, most_of_others: usize) -> usize {
    match group {
        OTHERS => most_of_others,
        DIRECTORY => PART,
        _ => MAX_FILE_LENGTH,
    }
}

/// Returns the group of a resource, the name of its patient or other compartment, and the factor of its bytes.
fn group_of(reference: &Reference, resource: &Value) -> (u32, String, usize) {
    if is_directory(reference.resource_type) {
        // Resources of the directory are stored as rows, not in charts.
        return (DIRECTORY, String::new(), 1);
    }
    let (mut owning, mut references) = (None, 0);
    for_each_owning(reference.resource_type, resource, &mut |element| {
        references += 1;
        let text = element.get("reference").and_then(Value::as_str);
        owning = owning.take().or_else(|| Some(text.map_or_else(|| element.to_string(), str::to_owned)));
    });
    let owner = owning.unwrap_or_else(|| reference.to_string());
    if is_owned_through_others(reference.resource_type) {
        return (OTHERS, owner, (references / FEW_REFERENCES).clamp(1, MAX_TIMES));
    }
    // All spellings of a reference to a patient, such as a URL or a UUID, lead to the same bucket.
    let patient = Reference::unversioned(&owner);
    let is_conditional = patient.contains('?');
    let id = patient.rsplit(['/', ':']).next().filter(|_| !is_conditional);
    let patient = id.unwrap_or(patient).to_owned();
    (FIRST_BUCKET + bucket(&patient, BUCKETS), patient, 1)
}

/// Divides a part, or a file that is read as a whole, because its charts are too large to be loaded together. Returns
/// the texts of the new parts, in loading order and for [`Text::Part`], and the bases and the report of the
/// division. There is only one text if it cannot be divided.
///
/// # Errors
/// If a part is not in the object that was made from the text.
pub async fn divided_further(
    base: &str,
    text: &Text,
    breaks: &mut Breaks<'_>,
) -> Result<(Vec<String>, BTreeSet<String>, FileReport), JobError> {
    let mut divider = Divider::new(base);
    match text {
        Text::File(text) => divider.add_text(text, breaks).await,
        Text::Part(text) => {
            for line in text.lines() {
                let damaged = || JobError("a line of a part is damaged".to_owned());
                let (line, path, document) = fields(line).ok_or_else(damaged)?;
                let at = LineLocation { line, path: path.to_owned() };
                for entry in entries(document, Intake::Store).into_iter().filter(Result::is_ok) {
                    let bytes = divider.add_entry(&at, entry);
                    breaks.after_loading(bytes).await;
                }
            }
        }
    }
    divider.halve();
    // There is at most one object, to which the ranges of the parts refer.
    let object = divider.next_object().map_or_else(Vec::new, |(_, object)| object);
    let Division { parts, referred, report } = divider.finish();
    let text = |part: &Vec<ObjectRange>| {
        let of_range = |range: &ObjectRange| object.get(range.from as usize..range.to as usize);
        let texts = part.iter().map(|range| of_range(range).map(String::from_utf8_lossy));
        texts.collect::<Option<String>>().ok_or_else(|| JobError("a part is not in its object".to_owned()))
    };
    Ok((parts.iter().map(text).collect::<Result<_, _>>()?, referred, report))
}

#[cfg(test)]
mod tests {
    use super::super::whole_text::entries_of_part;
    use super::*;
    use crate::document::Deletion;
    use crate::writer::WriteError;
    use serde_json::json;

    fn divided(lines: &[Value]) -> (Division, Vec<Vec<String>>) {
        let (mut divider, mut objects) = (Divider::new("https://own"), Vec::new());
        for (number, line) in lines.iter().enumerate() {
            divider.add(number, &line.to_string());
            objects.extend(divider.full_object().map(|(_, object)| object));
        }
        objects.extend(divider.next_object().map(|(_, object)| object));
        let division = divider.finish();
        let text = |part: &Vec<ObjectRange>| {
            let of_range = |range: &ObjectRange| &objects[range.object][range.from as usize..range.to as usize];
            part.iter().map(|range| std::str::from_utf8(of_range(range)).unwrap()).collect::<String>()
        };
        let resources = |part: &Vec<ObjectRange>| {
            let mut found = Vec::new();
            for entry in entries_of_part(&text(part)) {
                let (location, entry) = entry.unwrap();
                found.push(match entry {
                    Ok(Parsed::Resource(parsed)) => format!("{location}: {}", parsed.reference()),
                    Ok(Parsed::Deletion(Deletion { reference, at })) => format!("{location}: -{reference} {at:?}"),
                    Err(rejected) => panic!("{rejected:?}"),
                });
            }
            found
        };
        let parts = division.parts.iter().map(resources).collect();
        (division, parts)
    }

    #[test]
    fn the_resources_of_a_patient_are_in_one_part_behind_those_of_the_directory() {
        let observation = |id: &str, patient: &str| json!({"resourceType": "Observation", "id": id, "subject": {"reference": patient}});
        let bundle = json!({"resourceType": "Bundle", "timestamp": "2026-01-01T00:00:00Z", "entry": [
            {"fullUrl": "urn:uuid:p", "resource": {"resourceType": "Patient"}},
            {"resource": {"resourceType": "Foo", "id": "c"}},
            null,
            {"request": {"method": "DELETE", "url": "Condition/x"}},
        ]});
        let lines = [
            observation("1", "Patient/p"),
            bundle,
            observation("2", "https://here/Patient/p/_history/1"),
            json!({"resourceType": "Provenance", "id": "v", "target": [{"reference": "Observation/1"}]}),
            json!({"resourceType": "Organization", "id": "o"}),
            observation("3", "https://ehr/Patient/p"),
        ];
        let (Division { report, referred, .. }, parts) = divided(&lines);
        assert_eq!(referred, [String::new(), "https://here".to_owned()].into());
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[0], ["line 5: Organization/o"]);
        let of_patient = ["line 1: Observation/1", "line 2, Bundle.entry[0]: Patient/p", "line 3: Observation/2"];
        assert_eq!(parts[1], [&of_patient[..], &["line 6: Observation/3"]].concat());
        let deletion = "line 2, Bundle.entry[3]: -Condition/x Some(\"2026-01-01T00:00:00Z\")";
        assert_eq!(parts[2], [deletion, "line 4: Provenance/v"]);
        let faults: Vec<_> = report.faults.iter().map(|fault| fault.location.as_str()).collect();
        assert_eq!((faults, report.not_served.get("Foo")), (vec!["line 2, Bundle.entry[2]"], Some(&1)));
    }

    #[test]
    fn parts_are_limited_and_the_largest_patient_is_divided_in_order() {
        let text = "x".repeat(100_000);
        let resources: Vec<_> = (0..300)
            .map(|number| {
                // Two thirds belong to one patient.
                let patient = if number % 3 == 0 { format!("Patient/{number}") } else { "Patient/large".to_owned() };
                json!({"resourceType": "Observation", "id": format!("{number}"), "subject": {"reference": patient},
                    "note": [{"text": text}]})
            })
            .collect();
        let (division, parts) = divided(&resources);
        let size = |part: &Vec<ObjectRange>| part.iter().map(|range| range.to - range.from).sum::<u64>();
        assert!(division.parts.iter().all(|part| size(part) <= MAX_FILE_LENGTH as u64), "{:?}", division.parts);
        let number = |line: &String| line.rsplit('/').next().unwrap().parse::<usize>().unwrap();
        let mut all: Vec<_> = parts.iter().flatten().map(number).collect();
        let large: Vec<_> = all.iter().copied().filter(|number| number % 3 != 0).collect();
        assert!(large.is_sorted() && large.len() == 200);
        all.sort_unstable();
        assert_eq!(all, (0..300).collect::<Vec<_>>());
    }

    #[test]
    fn wr13_what_refers_to_many_patients_comes_in_small_parts_in_order() {
        let text = "x".repeat(1_000);
        let provenance = |number: usize, targets: usize| {
            let target = |at: usize| json!({"reference": format!("Observation/{number}-{at}")});
            json!({"resourceType": "Provenance", "id": format!("{number}"), "note": text,
                "target": (0..targets).map(target).collect::<Value>()})
        };
        // A part of resources of many patients has an eighth of the bytes.
        let of_many = divided(&(0..600).map(|number| provenance(number, 64)).collect::<Vec<_>>()).1;
        assert!((15..30).contains(&of_many.len()), "{}", of_many.len());
        let (division, parts) = divided(&(0..6_000).map(|number| provenance(number, 1)).collect::<Vec<_>>());
        let size = |part: &Vec<ObjectRange>| part.iter().map(|range| (range.to - range.from) as usize).sum::<usize>();
        assert!(division.parts.iter().all(|part| size(part) <= PART_OF_OTHERS), "{:?}", division.parts);
        assert!((7..10).contains(&parts.len()), "{}", parts.len());
        let all: Vec<_> = parts.iter().flatten().map(|line| line.rsplit('/').next().unwrap().to_owned()).collect();
        assert!(all.iter().map(|id| id.parse::<usize>().unwrap()).eq(0..6_000));
    }

    #[test]
    fn a_part_has_few_patients() {
        let patient = |number: usize| json!({"resourceType": "Patient", "id": format!("{number}")});
        let (division, parts) = divided(&(0..2_000).map(patient).collect::<Vec<_>>());
        assert!(parts.iter().all(|part| part.len() <= MAX_PATIENTS) && parts.len() < 32, "{}", parts.len());
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), 2_000);
        assert_eq!(division.report, FileReport::default());
        assert_eq!(divided(&[]), (Division::default(), Vec::new()));
    }

    #[test]
    fn a_part_has_a_limited_number_of_short_resources() {
        let of_one = |number: usize| json!({"resourceType": "Observation", "id": format!("{number}"), "subject": {"reference": "Patient/p"}});
        let lines: Vec<_> = (0..40_000).map(of_one).collect();
        let parts = divided(&lines).1;
        assert!(parts.iter().all(|part| part.len() <= MAX_FILE_LENGTH / LEAST) && parts.len() == 3, "{}", parts.len());
        let is_one_part = |count: usize| {
            let mut divider = Divider::new("https://own");
            lines.iter().take(count).enumerate().for_each(|(number, line)| divider.add(number, &line.to_string()));
            divider.is_one_part()
        };
        assert!(is_one_part(MAX_FILE_LENGTH / LEAST) && !is_one_part(MAX_FILE_LENGTH / LEAST + 1));
    }

    #[test]
    fn a_damaged_line_of_a_part_is_an_error() {
        let read = |text: &str| entries_of_part(text).try_for_each(|entry| entry.map(|_| ()));
        let document = json!({"resourceType": "Patient", "id": "a"});
        assert_eq!(read(&format!("1\t\t{document}\n")), Ok(()));
        for damaged in [format!("x\t\t{document}\n"), format!("1\t{document}\n")] {
            assert_eq!(read(&damaged), Err(WriteError::new("a line of a part is damaged")));
        }
    }
}
