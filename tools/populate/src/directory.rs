//! The directory that all patients share: clinics, hospitals, a laboratory, pharmacies and payers, and their staff.

use serde_json::{Value, json};

use super::calendar::{Moment, day};
use super::elements::{Code, Named, Sheet, System, code, snomed, to, with};
use super::formulary::FORMULARY;
use super::names::{FAMILY, FEMALE, MALE, STREETS, TOWNS, Town};
use super::random::Random;

const CLINICS: usize = 30;
const HOSPITALS: usize = 5;

/// The address of the questionnaire that every clinic asks.
pub(super) const QUESTIONNAIRE: &str = "https://forms.example.org/Questionnaire/before-your-visit";

/// A place where patients are seen.
pub(super) struct Practice {
    pub(super) organization: Named,
    pub(super) location: Named,
    pub(super) practitioners: Vec<Named>,
    pub(super) roles: Vec<Named>,
    pub(super) town: &'static Town,
}

/// The names of the directory that charts refer to.
pub(super) struct Directory {
    pub(super) clinics: Vec<Practice>,
    pub(super) hospitals: Vec<Practice>,
    pub(super) laboratory: Named,
    pub(super) payers: Vec<Named>,
    pharmacies: Vec<Named>,
}

impl Directory {
    pub(super) fn pharmacy(&self, random: &mut Random) -> Named {
        random.pick(&self.pharmacies).clone()
    }
}

const PRIMARY_CARE: &[Code] = &[
    code(System::Taxonomy, "207Q00000X", "Family Medicine Physician"),
    code(System::Taxonomy, "207R00000X", "Internal Medicine Physician"),
    code(System::Taxonomy, "208000000X", "Pediatrics Physician"),
    code(System::Taxonomy, "363LF0000X", "Family Nurse Practitioner"),
    code(System::Taxonomy, "208D00000X", "General Practice Physician"),
];

const SPECIALTIES: &[Code] = &[
    code(System::Taxonomy, "207RC0000X", "Cardiovascular Disease Physician"),
    code(System::Taxonomy, "207P00000X", "Emergency Medicine Physician"),
    code(System::Taxonomy, "208600000X", "Surgery Physician"),
    code(System::Taxonomy, "207X00000X", "Orthopaedic Surgery Physician"),
    code(System::Taxonomy, "207RP1001X", "Pulmonary Disease Physician"),
    code(System::Taxonomy, "208M00000X", "Hospitalist Physician"),
    code(System::Taxonomy, "2085R0202X", "Diagnostic Radiology Physician"),
    code(System::Taxonomy, "207RE0101X", "Endocrinology, Diabetes & Metabolism Physician"),
    code(System::Taxonomy, "207RN0300X", "Nephrology Physician"),
    code(System::Taxonomy, "2084N0400X", "Neurology Physician"),
];

const PAYERS: &[&str] = &["Medicare", "Medicaid", "Northeast Mutual", "Granite Health Plan", "Harbor Commercial PPO"];
const PHARMACIES: &[&str] =
    &["Beacon Pharmacy", "Common Street Drugs", "Riverside Apothecary", "Union Square Pharmacy"];

/// The time of the last change of the directory.
const MADE: Moment = Moment { day: day(2024, 1, 15), minute: 600 };

/// Writes the directory.
pub(super) fn write(sheet: &mut Sheet) -> Directory {
    shared(sheet);
    let mut elsewhere = |names: &[&str], kind: &str, display: &str| -> Vec<Named> {
        names
            .iter()
            .map(|name| {
                let town = sheet.random.pick(TOWNS);
                organization(sheet, name, kind, display, town)
            })
            .collect()
    };
    let payers = elsewhere(PAYERS, "pay", "Payer");
    let pharmacies = elsewhere(PHARMACIES, "prov", "Healthcare Provider");
    let town = sheet.random.pick(TOWNS);
    let laboratory = organization(sheet, "Meadow Reference Laboratory", "prov", "Healthcare Provider", town);
    let mut clinics = Vec::new();
    let mut hospitals = Vec::new();
    for town in TOWNS.iter().cycle().take(CLINICS) {
        let street = sheet.random.pick(STREETS).trim_end_matches(" Street");
        let kind = sheet.random.pick(&["Family Medicine", "Primary Care", "Health Center"]);
        clinics.push(practice(sheet, &format!("{street} {kind}, {}", town.city), town, PRIMARY_CARE, false));
    }
    for town in TOWNS.iter().step_by(3).take(HOSPITALS) {
        hospitals.push(practice(sheet, &format!("{} General Hospital", town.city), town, SPECIALTIES, true));
    }
    Directory { clinics, hospitals, laboratory, payers, pharmacies }
}

/// Resources of no organization: medications, a questionnaire, a group that is only described.
fn shared(sheet: &mut Sheet) {
    for drug in FORMULARY {
        let body = json!({"code": drug.code.concept(), "status": "active"});
        sheet.add_as("Medication", &drug.id(), "us-core-medication", MADE, body);
    }
    sheet.add(
        "Questionnaire",
        "Questionnaire",
        MADE,
        json!({
            "url": QUESTIONNAIRE,
            "version": "2",
            "name": "BeforeYourVisit",
            "title": "Before your visit",
            "status": "active",
            "subjectType": ["Patient"],
            "date": "2012-01-02",
            "item": [
                {"linkId": "pain", "text": "How strong is your pain, from 0 to 10?", "type": "decimal"},
                {"linkId": "sleep", "text": "How did you sleep?", "type": "choice", "answerOption": [
                    {"valueString": "Well"}, {"valueString": "Badly"}
                ]},
                {"linkId": "ask", "text": "What would you like to talk about?", "type": "string"}
            ]
        }),
    );
    sheet.add(
        "Group",
        "Group",
        MADE,
        json!({
            "active": true,
            "type": "person",
            "actual": false,
            "name": "Adults with type 2 diabetes",
            "characteristic": [{
                "code": {"text": "Diagnosis"},
                "valueCodeableConcept": snomed("44054006", "Type 2 diabetes mellitus").concept(),
                "exclude": false
            }]
        }),
    );
}

/// A practice with a location, and one practitioner of each specialty. A hospital has an endpoint too.
fn practice(sheet: &mut Sheet, name: &str, town: &'static Town, specialties: &[Code], is_hospital: bool) -> Practice {
    let organization = organization(sheet, name, "prov", "Healthcare Provider", town);
    let kind = if is_hospital { ("HOSP", "Hospital") } else { ("FMC", "Family medicine clinic") };
    let (number, address) = (phone(sheet, town), address(sheet, town, "work"));
    let location = sheet.add(
        "Location",
        "us-core-location",
        MADE,
        json!({
            "status": "active",
            "name": name,
            "mode": "instance",
            "type": [{"coding": [{
                "system": "http://terminology.hl7.org/CodeSystem/v3-RoleCode", "code": kind.0, "display": kind.1
            }]}],
            "telecom": [number],
            "address": address,
            "managingOrganization": organization.to()
        }),
    );
    let location = Named { reference: location, name: name.to_owned() };
    let endpoint = is_hospital.then(|| {
        sheet.add("Endpoint", "Endpoint", MADE, json!({
            "status": "active",
            "connectionType": {
                "system": "http://terminology.hl7.org/CodeSystem/endpoint-connection-type",
                "code": "direct-project",
                "display": "Direct Project"
            },
            "name": format!("Direct mailbox of {name}"),
            "managingOrganization": organization.to(),
            "payloadType": [{"coding": [{
                "system": "http://terminology.hl7.org/CodeSystem/endpoint-payload-type", "code": "any", "display": "Any"
            }]}],
            "address": format!("mailto:records@{}.example.org", town.city.to_lowercase().replace(' ', "-"))
        }))
    });
    let (mut practitioners, mut roles) = (Vec::new(), Vec::new());
    for specialty in specialties {
        let practitioner = practitioner(sheet, town, specialty);
        let role = json!({
            "active": true,
            "practitioner": practitioner.to(),
            "organization": organization.to(),
            "code": [specialty.concept()],
            "specialty": [specialty.concept()],
            "location": [location.to()],
            "telecom": [phone(sheet, town)]
        });
        let role = match &endpoint {
            Some(endpoint) => with(role, json!({"endpoint": [to(endpoint)]})),
            None => role,
        };
        let role = sheet.add("PractitionerRole", "us-core-practitionerrole", MADE, role);
        roles.push(Named { reference: role, name: practitioner.name.clone() });
        practitioners.push(practitioner);
    }
    Practice { organization, location, practitioners, roles, town }
}

fn practitioner(sheet: &mut Sheet, town: &Town, specialty: &Code) -> Named {
    let is_female = sheet.random.chance(50);
    let given = *sheet.random.pick(if is_female { FEMALE } else { MALE });
    let family = *sheet.random.pick(FAMILY);
    let nurse = specialty.display.contains("Nurse");
    let (prefix, suffix, degree) =
        if nurse { ("Ms.", "NP", "Master of Nursing") } else { ("Dr.", "MD", "Doctor of Medicine") };
    let prefix = if nurse && !is_female { "Mr." } else { prefix };
    let name = format!("{prefix} {given} {family}, {suffix}");
    let (npi, phone, address) = (npi(&mut sheet.random), phone(sheet, town), address(sheet, town, "work"));
    let reference = sheet.add("Practitioner", "us-core-practitioner", MADE, json!({
        "identifier": [{"use": "official", "system": "http://hl7.org/fhir/sid/us-npi", "value": npi}],
        "active": true,
        "name": [{
            "use": "official", "text": name, "family": family, "given": [given], "prefix": [prefix], "suffix": [suffix]
        }],
        "telecom": [phone],
        "address": [address],
        "gender": if is_female { "female" } else { "male" },
        "qualification": [{"code": {
            "coding": [{"system": "http://terminology.hl7.org/CodeSystem/v2-0360", "code": suffix, "display": degree}],
            "text": degree
        }}]
    }));
    Named { reference, name }
}

fn organization(sheet: &mut Sheet, name: &str, kind: &str, display: &str, town: &Town) -> Named {
    let (npi, phone, address) = (npi(&mut sheet.random), phone(sheet, town), address(sheet, town, "work"));
    let reference = sheet.add(
        "Organization",
        "us-core-organization",
        MADE,
        json!({
            "identifier": [{"use": "official", "system": "http://hl7.org/fhir/sid/us-npi", "value": npi}],
            "active": true,
            "type": [{"coding": [{
                "system": "http://terminology.hl7.org/CodeSystem/organization-type", "code": kind, "display": display
            }]}],
            "name": name,
            "telecom": [phone],
            "address": [address]
        }),
    );
    Named { reference, name: name.to_owned() }
}

/// A telephone number of those that are kept free for fiction.
pub(super) fn phone(sheet: &mut Sheet, town: &Town) -> Value {
    json!({"system": "phone", "value": format!("{}-555-01{}", town.area, sheet.random.digits(2)), "use": "work"})
}

pub(super) fn address(sheet: &mut Sheet, town: &Town, usage: &str) -> Value {
    let random = &mut sheet.random;
    json!({
        "use": usage,
        "line": [format!("{} {}", random.between(1, 999), random.pick(STREETS))],
        "city": town.city,
        "state": town.state,
        "postalCode": format!("{}{}", town.zip, random.digits(2)),
        "country": "US"
    })
}

/// A National Provider Identifier: nine digits, and the check digit that they have behind the prefix of US providers
/// (Luhn, as for cards).
fn npi(random: &mut Random) -> String {
    let digits = format!("1{}", random.digits(8));
    let doubled = |digit: u32| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    // The digits of the prefix 80840 add up to 24.
    let sum: u32 = digits
        .chars()
        .filter_map(|digit| digit.to_digit(10))
        .enumerate()
        .map(|(at, digit)| if at % 2 == 0 { doubled(digit) } else { digit })
        .sum::<u32>()
        + 24;
    format!("{digits}{}", (10 - sum % 10) % 10)
}
