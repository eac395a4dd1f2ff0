//! The chart of one patient while it is written.

use serde_json::{Value, json};

use super::calendar::{Day, Moment, TODAY, day, plus_days, years};
use super::directory::{Directory, Practice, address};
use super::elements::{Code, Named, Sheet, System, code, status, to, with};
use super::names::{FAMILY, FEMALE, MALE};
use super::random::Random;

/// The chart: the text so far, and what later resources need to know of earlier ones.
pub(super) struct Chart<'a> {
    pub(super) sheet: Sheet,
    pub(super) directory: &'a Directory,
    pub(super) practice: &'a Practice,
    pub(super) patient: Named,
    pub(super) relative: Option<Named>,
    pub(super) birth: Day,
    /// The day of death, or the last day of every record.
    pub(super) end: Day,
    pub(super) died: bool,
    pub(super) is_female: bool,
    /// Against what is usual at an age, in hundredths.
    pub(super) stature: i64,
    pub(super) weight: i64,
    /// The practitioner whom the patient usually sees, by number.
    pub(super) doctor: usize,
}

/// A visit while it is written.
pub(super) struct Scene {
    pub(super) encounter: String,
    pub(super) start: Moment,
    pub(super) end: Moment,
    pub(super) practitioner: Named,
    pub(super) role: Named,
    pub(super) organization: Named,
    pub(super) is_inpatient: bool,
    /// The resources written at the visit, which its Provenance signs.
    pub(super) written: Vec<String>,
}

/// Frequent items are repeated.
const RACES: &[Code] = &[
    WHITE,
    WHITE,
    WHITE,
    WHITE,
    WHITE,
    BLACK,
    BLACK,
    code(System::Race, "2028-9", "Asian"),
    code(System::Race, "1002-5", "American Indian or Alaska Native"),
    code(System::Race, "2076-8", "Native Hawaiian or Other Pacific Islander"),
    code(System::Hl7("v3-NullFlavor"), "UNK", "Unknown"),
];

const WHITE: Code = code(System::Race, "2106-3", "White");
const BLACK: Code = code(System::Race, "2054-5", "Black or African American");

const LANGUAGES: &[(&str, &str)] = &[
    ("en-US", "English (United States)"),
    ("en-US", "English (United States)"),
    ("en-US", "English (United States)"),
    ("es", "Spanish"),
    ("zh", "Chinese"),
    ("pt", "Portuguese"),
    ("vi", "Vietnamese"),
];

/// The id of the patient of that number.
pub(super) fn patient_id(seed: u64, number: u64) -> String {
    Random::new(seed, number + 1).uuid()
}

impl<'a> Chart<'a> {
    /// Begins the chart of the patient of that number: who it is, who is near, and who pays.
    pub(super) fn begin(directory: &'a Directory, seed: u64, number: u64) -> Self {
        let mut sheet = Sheet::new(Random::new(seed, number + 1));
        let id = sheet.random.uuid();
        let random = &mut sheet.random;
        let is_female = random.chance(51);
        let birth = plus_days(TODAY, -random.between(20, 94 * 365));
        let age = years(birth, TODAY);
        let died = age > 45 && random.chance(u32::try_from(age - 40).unwrap_or_default());
        let end = if died { plus_days(TODAY, -random.between(30, 8 * 365)) } else { TODAY };
        let practice = random.pick(&directory.clinics);
        let doctor = random.below(u32::try_from(practice.practitioners.len()).unwrap_or(1)) as usize;
        let (stature, weight) = (random.between(93, 107), random.between(80, 135));
        let family = *random.pick(FAMILY);
        let mut chart = Self {
            sheet,
            directory,
            practice,
            patient: Named { reference: format!("Patient/{id}"), name: String::new() },
            relative: None,
            birth,
            end,
            died,
            is_female,
            stature,
            weight,
            doctor,
        };
        chart.write_patient(&id, family);
        chart.write_relative(family);
        chart.write_coverage();
        chart
    }

    /// The reference of what is about the patient.
    pub(super) fn subject(&self) -> Value {
        to(&self.patient.reference)
    }

    pub(super) fn age(&self, at: Day) -> i64 {
        years(self.birth, at)
    }

    /// The time of the last change of the patient's personal data.
    pub(super) fn known(&self) -> Moment {
        Moment { day: self.end, minute: 600 }
    }

    /// Writes a resource of a visit, which is signed with it.
    pub(super) fn add(&mut self, scene: &mut Scene, kind: &str, profile: &str, body: Value) -> String {
        let reference = self.add_unsigned(scene, kind, profile, body);
        scene.written.push(reference.clone());
        reference
    }

    /// Writes a resource of a visit.
    pub(super) fn add_unsigned(&mut self, scene: &Scene, kind: &str, profile: &str, body: Value) -> String {
        self.sheet.add(kind, profile, scene.start, body)
    }

    fn write_patient(&mut self, id: &str, family: &str) {
        let known = self.known();
        let (is_female, age, town) = (self.is_female, self.age(self.end), self.practice.town);
        let random = &mut self.sheet.random;
        let first = *random.pick(if is_female { FEMALE } else { MALE });
        let middle = *random.pick(if is_female { FEMALE } else { MALE });
        let race = random.pick(RACES);
        let is_hispanic = random.chance(19);
        let ethnicity = if is_hispanic {
            code(System::Race, "2135-2", "Hispanic or Latino")
        } else {
            code(System::Race, "2186-5", "Not Hispanic or Latino")
        };
        let (language, spoken) = *random.pick(LANGUAGES);
        let married = age > 24 && random.chance(55);
        let (birth_sex, sex) = if is_female { ("F", "248152002") } else { ("M", "248153007") };
        let name = format!("{first} {middle} {family}");
        let mut names = vec![json!({"use": "official", "text": name, "family": family, "given": [first, middle]})];
        if married && is_female {
            let maiden = *random.pick(FAMILY);
            let wedding = plus_days(self.birth, random.between(19 * 365, 24 * 365));
            names.push(json!({
                "use": "old", "text": format!("{first} {middle} {maiden}"), "family": maiden, "given": [first, middle],
                "period": {"end": wedding.to_string()}
            }));
        }
        let (mrn, ssn) = (random.digits(8), format!("999-{}-{}", random.digits(2), random.digits(4)));
        let mut telecom = vec![
            json!({"system": "phone", "value": format!("{}-555-01{}", town.area, random.digits(2)), "use": "home"}),
        ];
        if age > 13 {
            telecom.push(json!({
                "system": "email", "use": "home", "value": format!("{}.{}@mail.example.org", plain(first), plain(family))
            }));
        }
        let extension = |name: &str, code: &Code| {
            json!({
                "url": format!("http://hl7.org/fhir/us/core/StructureDefinition/{name}"),
                "extension": [{"url": "ombCategory", "valueCoding": code.coding()}, {"url": "text", "valueString": code.display}]
            })
        };
        let address = address(&mut self.sheet, town, "home");
        let body = json!({
            "extension": [
                extension("us-core-race", race),
                extension("us-core-ethnicity", &ethnicity),
                {"url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex", "valueCode": birth_sex},
                {"url": "http://hl7.org/fhir/us/core/StructureDefinition/us-core-sex", "valueCode": sex}
            ],
            "identifier": [
                {
                    "use": "usual",
                    "type": {"coding": [{
                        "system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": "MR",
                        "display": "Medical record number"
                    }]},
                    "system": "https://records.example.org/mrn",
                    "value": mrn
                },
                {
                    "use": "official",
                    "type": {"coding": [{
                        "system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": "SS",
                        "display": "Social Security number"
                    }]},
                    "system": "http://hl7.org/fhir/sid/us-ssn",
                    "value": ssn
                }
            ],
            "active": true,
            "name": names,
            "telecom": telecom,
            "gender": if is_female { "female" } else { "male" },
            "birthDate": self.birth.to_string(),
            "address": [address],
            "communication": [{
                "language": {"coding": [{"system": "urn:ietf:bcp:47", "code": language, "display": spoken}]},
                "preferred": true
            }],
            "generalPractitioner": self.usual_doctor().map(|doctor| vec![doctor.to()]).unwrap_or_default(),
            "managingOrganization": self.practice.organization.to()
        });
        let body = match (self.died, age > 17) {
            (true, _) => with(body, json!({"deceasedDateTime": Moment { day: self.end, minute: 1200 }.text()})),
            (false, true) => with(
                body,
                json!({
                    "maritalStatus": status("v3-MaritalStatus", if married { "M" } else { "S" })
                }),
            ),
            (false, false) => body,
        };
        self.patient.name = name;
        self.sheet.add_as("Patient", id, "us-core-patient", known, body);
    }

    /// A parent, a spouse or a child, for most.
    fn write_relative(&mut self, family: &str) {
        if !self.sheet.random.chance(60) {
            return;
        }
        let known = self.known();
        let kind = match self.age(self.end) {
            0..=17 => ("PRN", "parent"),
            18..=64 => ("SPS", "spouse"),
            _ => ("CHILD", "child"),
        };
        let is_female = self.sheet.random.chance(50);
        let given = *self.sheet.random.pick(if is_female { FEMALE } else { MALE });
        let name = format!("{given} {family}");
        let (phone, address) = (
            super::directory::phone(&mut self.sheet, self.practice.town),
            address(&mut self.sheet, self.practice.town, "home"),
        );
        let reference = self.sheet.add(
            "RelatedPerson",
            "us-core-relatedperson",
            known,
            json!({
                "active": true,
                "patient": self.subject(),
                "relationship": [{"coding": [{
                    "system": "http://terminology.hl7.org/CodeSystem/v3-RoleCode", "code": kind.0, "display": kind.1
                }]}],
                "name": [{"use": "official", "text": name, "family": family, "given": [given]}],
                "telecom": [phone],
                "address": [address]
            }),
        );
        self.relative = Some(Named { reference, name });
    }

    fn write_coverage(&mut self) {
        let known = self.known();
        let (age, end) = (self.age(self.end), self.end);
        let from = self.birth.max(day(2015, 1, 1)).min(end);
        let random = &mut self.sheet.random;
        let payer = match age {
            65.. => self.directory.payers.first(),
            _ => Some(random.pick(&self.directory.payers)),
        };
        let Some(payer) = payer else { return };
        let member = random.digits(10);
        let (group, plan) = (format!("G-{}", random.digits(4)), format!("P-{}", random.digits(3)));
        let class = |kind: &str, value: &str, name: &str| json!({"type": status("coverage-class", kind), "value": value, "name": name});
        let period = if self.died {
            json!({"start": from.to_string(), "end": end.to_string()})
        } else {
            json!({"start": from.to_string()})
        };
        self.sheet.add("Coverage", "us-core-coverage", known, json!({
            "identifier": [{
                "type": {"coding": [{
                    "system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": "MB", "display": "Member Number"
                }]},
                "system": "https://payers.example.org/member",
                "value": member
            }],
            "status": if self.died { "cancelled" } else { "active" },
            "type": {"coding": [{"system": "https://nahdo.org/sopt", "code": "512"}], "text": "Commercial PPO"},
            "subscriberId": member,
            "beneficiary": self.subject(),
            "relationship": status("subscriber-relationship", "self"),
            "period": period,
            "payor": [payer.to()],
            "class": [class("group", &group, "Members"), class("plan", &plan, &payer.name)]
        }));
    }

    pub(super) fn usual_doctor(&self) -> Option<&Named> {
        self.practice.practitioners.get(self.doctor)
    }
}

/// A name as it stands in an address of electronic mail.
fn plain(name: &str) -> String {
    name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}
