//! The numbers of parameters in stores, in a table that only grows. Stores keep these numbers, so a row never changes,
//! and no number is given again.
//!
//! A new parameter or type has new rows at the end, with the next numbers. If it is dropped later, or its facts change,
//! its number goes into [`RETIRED`]. Changed facts have another number, in a new row at the end.
//! `tests/parameters.tsv` has the meaning of each number.

use crate::fhir::is_same;

/// The name of the row for every resource of a type.
pub(super) const EVERYTHING: &str = "*";

/// The type, the name of the parameter, and the number. Earlier versions numbered pairs of parameters too, named with
/// `+` between them.
const NUMBERS: &[(&str, &str, u16)] = &[
    ("AllergyIntolerance", "*", 1),
    ("AllergyIntolerance", "_id", 2),
    ("AllergyIntolerance", "_lastUpdated", 3),
    ("AllergyIntolerance", "patient", 4),
    ("AllergyIntolerance", "clinical-status", 5),
    ("Binary", "*", 6),
    ("Binary", "_id", 7),
    ("Binary", "_lastUpdated", 8),
    ("CarePlan", "*", 9),
    ("CarePlan", "_id", 10),
    ("CarePlan", "_lastUpdated", 11),
    ("CarePlan", "patient", 12),
    ("CarePlan", "category", 13),
    ("CarePlan", "date", 14),
    ("CarePlan", "status", 15),
    ("CarePlan", "category+status", 16),
    ("CareTeam", "*", 17),
    ("CareTeam", "_id", 18),
    ("CareTeam", "_lastUpdated", 19),
    ("CareTeam", "patient", 20),
    ("CareTeam", "participant", 21),
    ("CareTeam", "role", 22),
    ("CareTeam", "status", 23),
    ("Condition", "*", 24),
    ("Condition", "_id", 25),
    ("Condition", "_lastUpdated", 26),
    ("Condition", "patient", 27),
    ("Condition", "abatement-date", 28),
    ("Condition", "asserted-date", 29),
    ("Condition", "category", 30),
    ("Condition", "clinical-status", 31),
    ("Condition", "code", 32),
    ("Condition", "encounter", 33),
    ("Condition", "onset-date", 34),
    ("Condition", "recorded-date", 35),
    ("Condition", "category+clinical-status", 36),
    ("Condition", "category+encounter", 37),
    ("Coverage", "*", 38),
    ("Coverage", "_id", 39),
    ("Coverage", "_lastUpdated", 40),
    ("Coverage", "patient", 41),
    ("Device", "*", 42),
    ("Device", "_id", 43),
    ("Device", "_lastUpdated", 44),
    ("Device", "patient", 45),
    ("Device", "status", 46),
    ("Device", "type", 47),
    ("DiagnosticReport", "*", 48),
    ("DiagnosticReport", "_id", 49),
    ("DiagnosticReport", "_lastUpdated", 50),
    ("DiagnosticReport", "patient", 51),
    ("DiagnosticReport", "category", 52),
    ("DiagnosticReport", "code", 53),
    ("DiagnosticReport", "date", 54),
    ("DiagnosticReport", "status", 55),
    ("DocumentReference", "*", 56),
    ("DocumentReference", "_id", 57),
    ("DocumentReference", "_lastUpdated", 58),
    ("DocumentReference", "patient", 59),
    ("DocumentReference", "category", 60),
    ("DocumentReference", "date", 61),
    ("DocumentReference", "period", 62),
    ("DocumentReference", "status", 63),
    ("DocumentReference", "type", 64),
    ("DocumentReference", "type+period", 65),
    ("Encounter", "*", 66),
    ("Encounter", "_id", 67),
    ("Encounter", "_lastUpdated", 68),
    ("Encounter", "patient", 69),
    ("Encounter", "class", 70),
    ("Encounter", "date", 71),
    ("Encounter", "discharge-disposition", 72),
    ("Encounter", "identifier", 73),
    ("Encounter", "location", 74),
    ("Encounter", "status", 75),
    ("Encounter", "type", 76),
    ("Endpoint", "*", 77),
    ("Endpoint", "_id", 78),
    ("Endpoint", "_lastUpdated", 79),
    ("Goal", "*", 80),
    ("Goal", "_id", 81),
    ("Goal", "_lastUpdated", 82),
    ("Goal", "patient", 83),
    ("Goal", "description", 84),
    ("Goal", "lifecycle-status", 85),
    ("Goal", "target-date", 86),
    ("Group", "*", 87),
    ("Group", "_id", 88),
    ("Group", "_lastUpdated", 89),
    ("Immunization", "*", 90),
    ("Immunization", "_id", 91),
    ("Immunization", "_lastUpdated", 92),
    ("Immunization", "patient", 93),
    ("Immunization", "date", 94),
    ("Immunization", "status", 95),
    ("Location", "*", 96),
    ("Location", "_id", 97),
    ("Location", "_lastUpdated", 98),
    ("Location", "address", 99),
    ("Location", "address-city", 100),
    ("Location", "address-postalcode", 101),
    ("Location", "address-state", 102),
    ("Location", "name", 103),
    ("Location", "address+address-city", 104),
    ("Location", "address+address-postalcode", 105),
    ("Location", "address-city+address-postalcode", 106),
    ("Location", "address+address-state", 107),
    ("Location", "address-city+address-state", 108),
    ("Location", "address-postalcode+address-state", 109),
    ("Location", "address+name", 110),
    ("Location", "address-city+name", 111),
    ("Location", "address-postalcode+name", 112),
    ("Location", "address-state+name", 113),
    ("Media", "*", 114),
    ("Media", "_id", 115),
    ("Media", "_lastUpdated", 116),
    ("Media", "patient", 117),
    ("Medication", "*", 118),
    ("Medication", "_id", 119),
    ("Medication", "_lastUpdated", 120),
    ("MedicationDispense", "*", 121),
    ("MedicationDispense", "_id", 122),
    ("MedicationDispense", "_lastUpdated", 123),
    ("MedicationDispense", "patient", 124),
    ("MedicationDispense", "medication", 125),
    ("MedicationDispense", "status", 126),
    ("MedicationDispense", "type", 127),
    ("MedicationDispense", "status+type", 128),
    ("MedicationRequest", "*", 129),
    ("MedicationRequest", "_id", 130),
    ("MedicationRequest", "_lastUpdated", 131),
    ("MedicationRequest", "patient", 132),
    ("MedicationRequest", "authoredon", 133),
    ("MedicationRequest", "encounter", 134),
    ("MedicationRequest", "intent", 135),
    ("MedicationRequest", "medication", 136),
    ("MedicationRequest", "status", 137),
    ("MedicationRequest", "intent+status", 138),
    ("MedicationRequest", "intent+encounter", 139),
    ("Observation", "*", 140),
    ("Observation", "_id", 141),
    ("Observation", "_lastUpdated", 142),
    ("Observation", "patient", 143),
    ("Observation", "category", 144),
    ("Observation", "code", 145),
    ("Observation", "date", 146),
    ("Observation", "status", 147),
    ("Observation", "category+status", 148),
    ("Organization", "*", 149),
    ("Organization", "_id", 150),
    ("Organization", "_lastUpdated", 151),
    ("Organization", "address", 152),
    ("Organization", "name", 153),
    ("Organization", "address+name", 154),
    ("Patient", "*", 155),
    ("Patient", "_id", 156),
    ("Patient", "_lastUpdated", 157),
    ("Patient", "birthdate", 158),
    ("Patient", "death-date", 159),
    ("Patient", "family", 160),
    ("Patient", "gender", 161),
    ("Patient", "given", 162),
    ("Patient", "identifier", 163),
    ("Patient", "name", 164),
    ("Patient", "birthdate+birthdate", 165),
    ("Patient", "death-date+death-date", 166),
    ("Patient", "family+birthdate", 167),
    ("Patient", "family+death-date", 168),
    ("Patient", "gender+birthdate", 169),
    ("Patient", "gender+death-date", 170),
    ("Patient", "family+gender", 171),
    ("Patient", "given+birthdate", 172),
    ("Patient", "given+death-date", 173),
    ("Patient", "family+given", 174),
    ("Patient", "gender+given", 175),
    ("Patient", "name+birthdate", 176),
    ("Patient", "name+death-date", 177),
    ("Patient", "family+name", 178),
    ("Patient", "gender+name", 179),
    ("Patient", "given+name", 180),
    ("Practitioner", "*", 181),
    ("Practitioner", "_id", 182),
    ("Practitioner", "_lastUpdated", 183),
    ("Practitioner", "identifier", 184),
    ("Practitioner", "name", 185),
    ("PractitionerRole", "*", 186),
    ("PractitionerRole", "_id", 187),
    ("PractitionerRole", "_lastUpdated", 188),
    ("PractitionerRole", "endpoint", 189),
    ("PractitionerRole", "practitioner", 190),
    ("PractitionerRole", "practitioner.identifier", 191),
    ("PractitionerRole", "practitioner.name", 192),
    ("PractitionerRole", "specialty", 193),
    ("PractitionerRole", "endpoint+practitioner", 194),
    ("PractitionerRole", "endpoint+practitioner.name", 195),
    ("PractitionerRole", "practitioner+practitioner.name", 196),
    ("PractitionerRole", "endpoint+specialty", 197),
    ("PractitionerRole", "practitioner+specialty", 198),
    ("PractitionerRole", "practitioner.name+specialty", 199),
    ("Procedure", "*", 200),
    ("Procedure", "_id", 201),
    ("Procedure", "_lastUpdated", 202),
    ("Procedure", "patient", 203),
    ("Procedure", "code", 204),
    ("Procedure", "date", 205),
    ("Procedure", "status", 206),
    ("Provenance", "*", 207),
    ("Provenance", "_id", 208),
    ("Provenance", "_lastUpdated", 209),
    ("Provenance", "patient", 210),
    ("Provenance", "target", 211),
    ("Questionnaire", "*", 212),
    ("Questionnaire", "_id", 213),
    ("Questionnaire", "_lastUpdated", 214),
    ("QuestionnaireResponse", "*", 215),
    ("QuestionnaireResponse", "_id", 216),
    ("QuestionnaireResponse", "_lastUpdated", 217),
    ("QuestionnaireResponse", "patient", 218),
    ("QuestionnaireResponse", "authored", 219),
    ("QuestionnaireResponse", "questionnaire", 220),
    ("QuestionnaireResponse", "status", 221),
    ("RelatedPerson", "*", 222),
    ("RelatedPerson", "_id", 223),
    ("RelatedPerson", "_lastUpdated", 224),
    ("RelatedPerson", "patient", 225),
    ("RelatedPerson", "name", 226),
    ("ServiceRequest", "*", 227),
    ("ServiceRequest", "_id", 228),
    ("ServiceRequest", "_lastUpdated", 229),
    ("ServiceRequest", "patient", 230),
    ("ServiceRequest", "authored", 231),
    ("ServiceRequest", "category", 232),
    ("ServiceRequest", "code", 233),
    ("ServiceRequest", "status", 234),
    ("Specimen", "*", 235),
    ("Specimen", "_id", 236),
    ("Specimen", "_lastUpdated", 237),
    ("Specimen", "patient", 238),
    ("AllergyIntolerance", "clinical-status", 239),
    ("CarePlan", "date", 240),
    ("CareTeam", "status", 241),
    ("Condition", "onset-date", 242),
    ("Coverage", "_lastUpdated", 243),
    ("DiagnosticReport", "date", 244),
    ("DocumentReference", "date", 245),
    ("Encounter", "date", 246),
    ("Location", "address", 247),
    ("Location", "address-city", 248),
    ("Location", "address-postalcode", 249),
    ("Location", "address-state", 250),
    ("Location", "name", 251),
    ("Observation", "date", 252),
    ("Organization", "address", 253),
    ("Organization", "name", 254),
    ("Patient", "family", 255),
    ("Patient", "given", 256),
    ("Patient", "name", 257),
    ("Practitioner", "name", 258),
    ("PractitionerRole", "practitioner.name", 259),
    ("Procedure", "date", 260),
    ("RelatedPerson", "name", 261),
];

/// The ranges of numbers that are no longer used, in ascending order: those of pairs of parameters; of strings that
/// were folded otherwise; and of types whose order counted a Period without a start as undated.
const RETIRED: &[(u16, u16)] = &[
    (5, 5),
    (14, 14),
    (16, 16),
    (23, 23),
    (34, 34),
    (36, 37),
    (40, 40),
    (54, 54),
    (61, 61),
    (65, 65),
    (71, 71),
    (99, 113),
    (128, 128),
    (138, 139),
    (146, 146),
    (148, 148),
    (152, 154),
    (160, 160),
    (162, 162),
    (164, 180),
    (185, 185),
    (192, 192),
    (194, 199),
    (205, 205),
    (226, 226),
];

/// The number of a parameter, or of [`EVERYTHING`] of a type, if it has one that is not retired.
#[allow(clippy::indexing_slicing, reason = "the index is below the length")]
pub(super) const fn number(on: &str, name: &str) -> Option<u16> {
    let mut at = NUMBERS.len();
    while at > 0 {
        at -= 1;
        let (row_on, row_name, number) = NUMBERS[at];
        if is_same(row_name, name) && is_same(row_on, on) && !is_retired(number) {
            return Some(number);
        }
    }
    None
}

/// All numbers of a type, the retired ones too.
pub(super) fn numbers(on: &str) -> impl Iterator<Item = u16> {
    NUMBERS.iter().filter(move |row| row.0 == on).map(|row| row.2)
}

#[allow(clippy::indexing_slicing, reason = "the index is below the length")]
const fn is_retired(number: u16) -> bool {
    let mut at = 0;
    while at < RETIRED.len() {
        if RETIRED[at].0 <= number && number <= RETIRED[at].1 {
            return true;
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::ResourceType;
    use crate::search::params_of;
    use base16ct::lower::encode_string;
    use sha2::{Digest, Sha256};
    use std::collections::BTreeSet;

    /// The number of rows after each change of the table, and their digest. New rows add a line here; no line changes.
    const COMMITTED: &[(usize, &str)] = &[(238, "20e87473dd58eeeb"), (261, "db124819dbdc410f")];

    fn digest(rows: usize) -> String {
        let mut digest = Sha256::new();
        for (on, name, number) in &NUMBERS[..rows] {
            digest.update(format!("{on} {name} {number}\n"));
        }
        encode_string(&digest.finalize()[..8])
    }

    #[test]
    fn numbers_are_consecutive() {
        for ((on, name, number), expected) in NUMBERS.iter().zip(1..) {
            assert_eq!(*number, expected, "{on} {name}");
        }
    }

    #[test]
    fn committed_rows_never_change() {
        for (rows, committed) in COMMITTED {
            assert!(*rows <= NUMBERS.len(), "a row is missing: there were {rows}");
            assert_eq!(digest(*rows), *committed, "one of the first {rows} rows has changed");
        }
        let last = COMMITTED.last().map(|(rows, _)| *rows);
        let (rows, digest) = (NUMBERS.len(), digest(NUMBERS.len()));
        assert_eq!(last, Some(rows), "the new rows need a line in COMMITTED: ({rows}, {digest:?})");
    }

    #[test]
    fn retired_numbers_are_in_the_table() {
        assert!(RETIRED.is_sorted_by(|a, b| a.1 < b.0));
        for number in RETIRED.iter().flat_map(|(first, last)| *first..=*last) {
            assert!(NUMBERS.iter().any(|row| row.2 == number), "{number} was never given");
        }
    }

    #[test]
    fn every_parameter_and_type_has_one_number_and_every_other_number_is_retired() {
        let mut served = BTreeSet::new();
        for on in ResourceType::ALL {
            served.insert((on.name(), EVERYTHING.to_owned()));
            served.extend(params_of(*on).map(|param| (on.name(), param.name.to_owned())));
        }
        let mut numbered = BTreeSet::new();
        for (on, name, number) in NUMBERS.iter().filter(|row| !is_retired(row.2)) {
            assert!(
                numbered.insert((*on, (*name).to_owned())),
                "{on} {name} has several numbers: retire all but {number}"
            );
        }
        let missing: Vec<_> = served.difference(&numbered).collect();
        assert!(missing.is_empty(), "these need a row in NUMBERS: {missing:?}");
        let unused: Vec<_> = numbered.difference(&served).collect();
        assert!(unused.is_empty(), "the numbers of these belong into RETIRED: {unused:?}");
    }
}
