//! Elements of FHIR, and the text that resources are written to.

use serde_json::{Map, Value, json};

use super::calendar::Moment;
use super::random::Random;

const CORE: &str = "http://hl7.org/fhir/us/core/StructureDefinition/";
const BASE: &str = "http://hl7.org/fhir/StructureDefinition/";
const HL7: &str = "http://terminology.hl7.org/CodeSystem/";

/// A code of a code system.
#[derive(Debug, Clone, Copy)]
pub(super) struct Code {
    system: System,
    pub(super) code: &'static str,
    pub(super) display: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum System {
    Snomed,
    Loinc,
    RxNorm,
    Cvx,
    Icd10,
    Taxonomy,
    Race,
    /// A code system of HL7's terminology, by the end of its address.
    Hl7(&'static str),
}

impl System {
    fn url(self) -> String {
        match self {
            Self::Snomed => "http://snomed.info/sct".to_owned(),
            Self::Loinc => "http://loinc.org".to_owned(),
            Self::RxNorm => "http://www.nlm.nih.gov/research/umls/rxnorm".to_owned(),
            Self::Cvx => "http://hl7.org/fhir/sid/cvx".to_owned(),
            Self::Icd10 => "http://hl7.org/fhir/sid/icd-10-cm".to_owned(),
            Self::Taxonomy => "http://nucc.org/provider-taxonomy".to_owned(),
            Self::Race => "urn:oid:2.16.840.1.113883.6.238".to_owned(),
            Self::Hl7(name) => format!("{HL7}{name}"),
        }
    }
}

pub(super) const fn code(system: System, code: &'static str, display: &'static str) -> Code {
    Code { system, code, display }
}

pub(super) const fn snomed(code: &'static str, display: &'static str) -> Code {
    Code { system: System::Snomed, code, display }
}

pub(super) const fn loinc(code: &'static str, display: &'static str) -> Code {
    Code { system: System::Loinc, code, display }
}

pub(super) const fn icd10(code: &'static str, display: &'static str) -> Code {
    Code { system: System::Icd10, code, display }
}

impl Code {
    pub(super) fn coding(&self) -> Value {
        json!({"system": self.system.url(), "code": self.code, "display": self.display})
    }

    pub(super) fn concept(&self) -> Value {
        json!({"coding": [self.coding()], "text": self.display})
    }

    /// The concept with a second coding.
    pub(super) fn also(&self, other: &Self) -> Value {
        json!({"coding": [self.coding(), other.coding()], "text": self.display})
    }
}

/// A concept whose code needs no display: the statuses and categories that FHIR itself defines.
pub(super) fn status(system: &str, code: &str) -> Value {
    json!({"coding": [{"system": format!("{HL7}{system}"), "code": code}]})
}

/// A number of so many decimal places, from `low` to `high`.
pub(super) fn draw(random: &mut Random, low: f64, high: f64, places: u32) -> f64 {
    let scale = f64::from(10_u32.pow(places));
    #[allow(clippy::cast_possible_truncation, reason = "measured values are small")]
    let (low, high) = ((low * scale).round() as i64, (high * scale).round() as i64);
    #[allow(clippy::cast_precision_loss, reason = "measured values are small")]
    let drawn = random.between(low, high) as f64;
    drawn / scale
}

/// A quantity in a unit of UCUM. Without decimal places it is an integer.
pub(super) fn quantity(value: f64, places: u32, unit: &str, ucum: &str) -> Value {
    #[allow(clippy::cast_possible_truncation, reason = "measured values are small")]
    let value = if places == 0 { json!(value.round() as i64) } else { json!(value) };
    json!({"value": value, "unit": unit, "system": "http://unitsofmeasure.org", "code": ucum})
}

/// A resource that others refer to, with the name that it is shown by.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) reference: String,
    pub(super) name: String,
}

impl Named {
    pub(super) fn to(&self) -> Value {
        json!({"reference": self.reference, "display": self.name})
    }
}

/// A reference by `Type/id` alone.
pub(super) fn to(reference: &str) -> Value {
    json!({"reference": reference})
}

/// The members of both objects; those of the second win.
pub(super) fn with(mut first: Value, second: Value) -> Value {
    if let (Value::Object(first), Value::Object(second)) = (&mut first, second) {
        first.extend(second);
    }
    first
}

/// Resources as lines of NDJSON, with the random numbers they are made of.
pub(super) struct Sheet {
    pub(super) random: Random,
    pub(super) text: String,
}

impl Sheet {
    pub(super) fn new(random: Random) -> Self {
        Self { random, text: String::new() }
    }

    /// Writes a resource under a new id, and returns its reference. A profile is named by the end of its address: US
    /// Core's, or, where it begins with a capital letter, FHIR's own.
    pub(super) fn add(&mut self, kind: &str, profile: &str, at: Moment, body: Value) -> String {
        let id = self.random.uuid();
        self.add_as(kind, &id, profile, at, body)
    }

    /// Adds a resource under a given id.
    pub(super) fn add_as(&mut self, kind: &str, id: &str, profile: &str, at: Moment, body: Value) -> String {
        let of_fhir = profile.starts_with(|first: char| first.is_ascii_uppercase());
        let profile = if of_fhir { format!("{BASE}{profile}") } else { format!("{CORE}{profile}") };
        let mut resource = Map::new();
        resource.insert("resourceType".to_owned(), Value::from(kind));
        resource.insert("id".to_owned(), Value::from(id));
        let meta = json!({"versionId": "1", "lastUpdated": at.exported(), "profile": [profile]});
        resource.insert("meta".to_owned(), meta);
        let resource = with(Value::Object(resource), body);
        self.text.push_str(&resource.to_string());
        self.text.push('\n');
        format!("{kind}/{id}")
    }
}
