//! The resource types that edgechart serves, one row each. A row has the choices of this server about a type; facts
//! come from [the definitions](super::definitions). A type without a row has no route and no scope. The search
//! parameters of a type are in `search/registry.rs`.

use super::Language;
use super::definition::{Definition, is_same};

/// The way in which the owner of a resource is found, by type (decisions 21 and 22).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compartment {
    /// Resources are in no compartment: everybody may see them.
    Directory,
    /// A resource is a patient, who owns it.
    Themselves,
    /// A resource belongs to the patients that these elements refer to.
    Patient(&'static [&'static str]),
    /// A resource belongs to the owners of all resources that its `target` refers to.
    Targets,
    /// A resource belongs to the patients that are its members.
    Members,
}

/// The scopes whose `*` includes a type, with the type's position in their list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wildcard {
    /// No wildcard includes it: only a scope that names the type opens it.
    Never,
    /// `patient/*`, `user/*` and `system/*`.
    Patient(u8),
    /// `user/*` and `system/*`.
    User(u8),
    /// `system/*`.
    System(u8),
}

/// The part of a patient's record that a type belongs to, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// The patient, relatives and insurance.
    Identity,
    /// Conditions and allergies.
    Problems,
    /// Medications and vaccinations.
    Medications,
    /// Results, vital signs, and the answers to questionnaires.
    Results,
    /// Visits, plans, and care teams.
    Care,
    /// Documents, and the origin of records.
    Documents,
}

/// The facts about a type.
#[derive(Debug, Clone, Copy)]
struct Row {
    number: u8,
    title: [&'static str; 2],
    plain: [&'static str; 2],
    topic: Topic,
    order: &'static [&'static [&'static str]],
    compartment: Compartment,
    wildcard: Wildcard,
    definition: Definition,
}

impl Row {
    /// A row with the name, number, title, plain name and topic of a type; the title and the plain name in each
    /// language. By default, its resources belong to the patient of the search parameter `patient`, and are ordered by
    /// `meta.lastUpdated`.
    const fn new(name: &str, number: u8, title: [&'static str; 2], plain: [&'static str; 2], topic: Topic) -> Self {
        let definition = Definition::of(name);
        let (order, compartment) = (&[UPDATED] as &[_], Compartment::Patient(definition.patient));
        Self { number, title, plain, topic, order, compartment, wildcard: Wildcard::Never, definition }
    }

    /// Orders resources by the first of these elements that they have.
    const fn order(self, order: &'static [&'static [&'static str]]) -> Self {
        Self { order, ..self }
    }

    const fn compartment(self, compartment: Compartment) -> Self {
        Self { compartment, ..self }
    }

    const fn wildcard(self, wildcard: Wildcard) -> Self {
        Self { wildcard, ..self }
    }

    /// Keeps these elements in every subset, besides those of the definitions.
    const fn essential(mut self, essential: &'static [&'static str]) -> Self {
        self.definition.essential = essential;
        self
    }

    /// Lists the profiles of the definitions in another order.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    const fn profiles(mut self, profiles: &'static [&'static str]) -> Self {
        assert!(profiles.len() == self.definition.profiles.len(), "these are not the profiles of the type");
        let mut at = 0;
        while at < profiles.len() {
            assert!(contains(profiles, self.definition.profiles[at]), "a profile of the type is not among these");
            at += 1;
        }
        self.definition.profiles = profiles;
        self
    }

    /// The row, checked at compile time: its patient elements must be known.
    const fn checked(self) -> Self {
        if let Compartment::Patient(elements) = self.compartment {
            assert!(!elements.is_empty(), "the type has no parameter `patient`: its row has to say whose it is");
        }
        self
    }
}

#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
const fn contains(texts: &[&str], text: &str) -> bool {
    let mut at = 0;
    while at < texts.len() {
        if is_same(texts[at], text) {
            return true;
        }
        at += 1;
    }
    false
}

macro_rules! resource_types {
    ($(
        $name:ident($number:literal, $title:expr, $plain:expr, $topic:ident) $(.$with:ident($($arg:expr),*))*;
    )*) => {
        /// A FHIR R4 resource type that this API serves: the fifteen that the contract describes, those that its scope
        /// lists name, and Coverage, Specimen, Endpoint, Media and Questionnaire, which US Core resources point to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ResourceType {
            $(
                #[doc = concat!("<https://hl7.org/fhir/R4/", stringify!($name), ".html>")]
                $name,
            )*
        }

        impl ResourceType {
            /// Every served type, in alphabetical order.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name as in `resourceType`, in routes and in scopes.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// The served type of this exact name. Case matters, as in FHIR.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($name) => Some(Self::$name),)*
                    _ => None,
                }
            }
        }

        /// The rows of the types, by index.
        static ROWS: [Row; ResourceType::ALL.len()] = [
            $(Row::new(stringify!($name), $number, $title, $plain, Topic::$topic)$(.$with($($arg),*))*.checked()),*
        ];
    };
}

const UPDATED: &[&str] = &["meta.lastUpdated"];
const PERIOD: &[&str] = &["period"];
const RECORDED: &[&str] = &["recordedDate"];
const ONSET: &[&str] = &["onsetDateTime", "onsetPeriod"];
const ASSERTED: &[&str] = &["extension(http://hl7.org/fhir/StructureDefinition/condition-assertedDate).valueDateTime"];
const PERFORMED: &[&str] = &["performedDateTime", "performedPeriod"];
const EFFECTIVE: &[&str] = &["effectiveDateTime", "effectivePeriod", "effectiveTiming", "effectiveInstant"];

// In alphabetical order. Stores keep the numbers, so a number never changes and is not given again. A new type has the
// next number, wherever its row is.
resource_types! {
    AllergyIntolerance(1, ["Allergies and Intolerances", "Alergias e intolerancias"],
        ["allergies", "alergias"], Problems)
        .order(&[ONSET, RECORDED]).wildcard(Wildcard::Patient(2));
    Binary(2, ["Files", "Archivos"], ["files", "archivos"], Documents)
        .compartment(Compartment::Patient(&["securityContext"])).wildcard(Wildcard::System(23));
    CarePlan(3, ["Care Plans", "Planes de atención"], ["care plans", "planes de atención"], Care)
        .order(&[PERIOD]).wildcard(Wildcard::Patient(3));
    CareTeam(4, ["Care Teams", "Equipos de atención"], ["care teams", "equipos de atención"], Care)
        .order(&[PERIOD]).wildcard(Wildcard::Patient(4));
    Condition(5, ["Conditions", "Problemas de salud"],
        ["health problems and diagnoses", "problemas de salud y diagnósticos"], Problems)
        .order(&[ONSET, ASSERTED, RECORDED]).wildcard(Wildcard::Patient(5));
    Coverage(6, ["Insurance Coverages", "Coberturas de seguro"], ["insurance", "seguro médico"], Identity)
        .order(&[PERIOD]);
    Device(7, ["Implanted Devices", "Dispositivos implantados"],
        ["implants and devices", "implantes y dispositivos"], Care)
        .wildcard(Wildcard::Patient(6));
    DiagnosticReport(8, ["Diagnostic Reports", "Informes de diagnóstico"],
        ["test reports", "informes de pruebas"], Results)
        .order(&[EFFECTIVE, &["issued"]]).wildcard(Wildcard::Patient(7));
    DocumentReference(9, ["Documents", "Documentos"], ["notes and documents", "notas y documentos"], Documents)
        .order(&[&["date"], &["context.period"]]).wildcard(Wildcard::Patient(8));
    Encounter(10, ["Encounters", "Visitas"], ["visits and stays", "visitas y hospitalizaciones"], Care)
        .order(&[PERIOD]).wildcard(Wildcard::Patient(10));
    Endpoint(11, ["Electronic Addresses of Services", "Direcciones electrónicas de servicios"],
        ["technical addresses", "direcciones técnicas"], Care)
        .compartment(Compartment::Directory);
    Goal(12, ["Goals", "Metas"], ["goals", "metas"], Care)
        .order(&[&["startDate"], &["statusDate"]]).wildcard(Wildcard::Patient(9));
    Group(13, ["Groups of Patients", "Grupos de pacientes"], ["groups of people", "grupos de personas"], Care)
        .compartment(Compartment::Members).wildcard(Wildcard::User(24));
    Immunization(14, ["Immunizations", "Vacunas"], ["vaccinations", "vacunas"], Medications)
        .order(&[&["occurrenceDateTime"]]).wildcard(Wildcard::Patient(11));
    Location(15, ["Locations", "Lugares de atención"], ["places of care", "lugares de atención"], Care)
        .compartment(Compartment::Directory).wildcard(Wildcard::Patient(22));
    Media(16, ["Images", "Imágenes"], ["pictures", "imágenes"], Results);
    Medication(17, ["Medications", "Medicamentos"], ["medicines", "medicamentos"], Medications)
        .compartment(Compartment::Directory).wildcard(Wildcard::System(25));
    MedicationDispense(18, ["Dispensed Medications", "Medicamentos entregados"],
        ["dispensed medicines", "medicamentos entregados"], Medications)
        .order(&[&["whenHandedOver"], &["whenPrepared"]]);
    MedicationRequest(19, ["Prescriptions", "Recetas"], ["prescriptions", "recetas"], Medications)
        .order(&[&["authoredOn"]]).wildcard(Wildcard::Patient(12));
    Observation(20, ["Observations", "Observaciones"],
        [
            "test results, vital signs and other observations",
            "resultados de pruebas, signos vitales y otras observaciones",
        ], Results)
        .order(&[EFFECTIVE, &["issued"]]).wildcard(Wildcard::Patient(13)).profiles(OBSERVATION_PROFILES);
    Organization(21, ["Organizations", "Organizaciones"], ["organizations", "organizaciones"], Care)
        .compartment(Compartment::Directory).wildcard(Wildcard::Patient(21));
    Patient(22, ["Patient Details", "Datos del paciente"],
        [
            "name, birth date, address and other personal details",
            "nombre, fecha de nacimiento, dirección y otros datos personales",
        ], Identity)
        .compartment(Compartment::Themselves).wildcard(Wildcard::Patient(1));
    Practitioner(23, ["Practitioners", "Profesionales de la salud"],
        ["the names of clinicians", "los nombres de los profesionales de la salud"], Care)
        .compartment(Compartment::Directory).wildcard(Wildcard::Patient(16)).essential(&["active"]);
    PractitionerRole(24, ["Roles of Practitioners", "Funciones de los profesionales de la salud"],
        ["the roles of clinicians", "las funciones de los profesionales de la salud"], Care)
        .compartment(Compartment::Directory).wildcard(Wildcard::Patient(17)).essential(&["active"]);
    Procedure(25, ["Procedures", "Procedimientos"], ["procedures", "procedimientos"], Care)
        .order(&[PERFORMED]).wildcard(Wildcard::Patient(14));
    Provenance(26, ["Sources of Records", "Origen de los registros"],
        ["where records come from", "de dónde vienen los registros"], Documents)
        .order(&[&["recorded"]]).compartment(Compartment::Targets).wildcard(Wildcard::Patient(15));
    Questionnaire(27, ["Questionnaires", "Cuestionarios"], ["questionnaires", "cuestionarios"], Results)
        .compartment(Compartment::Directory);
    QuestionnaireResponse(28, ["Answers to Questionnaires", "Respuestas a cuestionarios"],
        ["answers to questionnaires", "respuestas a cuestionarios"], Results)
        .order(&[&["authored"]]).wildcard(Wildcard::Patient(19));
    RelatedPerson(29, ["Related Persons", "Familiares y contactos"],
        ["relatives and contacts", "familiares y contactos"], Identity)
        .wildcard(Wildcard::Patient(20));
    ServiceRequest(30, ["Orders and Referrals", "Órdenes y remisiones"],
        ["orders and referrals", "órdenes y remisiones"], Care)
        .order(&[&["authoredOn"]]).wildcard(Wildcard::Patient(18));
    Specimen(31, ["Specimens", "Muestras"], ["samples", "muestras"], Results);
}

/// The profiles of Observation: kinds of observations first, then vital signs.
const OBSERVATION_PROFILES: &[&str] = &[
    "us-core-observation-lab",
    "us-core-observation-clinical-result",
    "us-core-observation-screening-assessment",
    "us-core-simple-observation",
    "us-core-observation-pregnancystatus",
    "us-core-observation-pregnancyintent",
    "us-core-observation-occupation",
    "us-core-observation-sexual-orientation",
    "us-core-smokingstatus",
    "us-core-vital-signs",
    "us-core-blood-pressure",
    "us-core-bmi",
    "us-core-body-height",
    "us-core-body-temperature",
    "us-core-body-weight",
    "us-core-head-circumference",
    "us-core-heart-rate",
    "us-core-pulse-oximetry",
    "us-core-respiratory-rate",
    "head-occipital-frontal-circumference-percentile",
    "pediatric-bmi-for-age",
    "pediatric-weight-for-height",
];

impl ResourceType {
    /// The index of the type in [`ResourceType::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[allow(clippy::indexing_slicing, reason = "the array has an element for each type")]
    const fn row(self) -> &'static Row {
        &ROWS[self.index()]
    }

    /// The type of this exact name, at compile time.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    pub(crate) const fn find(name: &str) -> Option<Self> {
        let mut at = 0;
        while at < Self::ALL.len() {
            if is_same(Self::ALL[at].name(), name) {
                return Some(Self::ALL[at]);
            }
            at += 1;
        }
        None
    }

    /// Its number in stores, at least 1. It is the same in every version.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.row().number
    }

    /// The type with that number.
    #[must_use]
    pub fn numbered(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.number() == number)
    }

    /// The title of its resources in a record: `Orders and Referrals`.
    #[must_use]
    pub const fn title(self, language: Language) -> &'static str {
        language.of(self.row().title)
    }

    /// The name of its resources within a sentence, in words that patients use: `orders and referrals`.
    #[must_use]
    pub const fn plain(self, language: Language) -> &'static str {
        language.of(self.row().plain)
    }

    /// The part of a record that its resources belong to.
    #[must_use]
    pub const fn topic(self) -> Topic {
        self.row().topic
    }

    /// The elements that order its resources, by their start or else their end. The first that has a time counts
    /// (decision 8).
    #[must_use]
    pub const fn clinical_order(self) -> &'static [&'static [&'static str]] {
        self.row().order
    }

    /// The way in which the owner of its resources is found.
    #[must_use]
    pub const fn compartment(self) -> Compartment {
        self.row().compartment
    }

    /// The wildcards that include the type.
    #[must_use]
    pub const fn wildcard(self) -> Wildcard {
        self.row().wildcard
    }

    /// The elements that are mandatory or modifying in R4, except those that all types share.
    #[must_use]
    pub const fn essential(self) -> &'static [&'static str] {
        self.row().definition.essential
    }

    /// The elements of type Attachment.
    #[must_use]
    pub const fn attachments(self) -> &'static [&'static str] {
        self.row().definition.attachments
    }

    /// The names of its US Core profiles.
    #[must_use]
    pub const fn profiles(self) -> &'static [&'static str] {
        self.row().definition.profiles
    }

    /// Returns whether US Core requires `_revinclude=Provenance:target` for the type.
    #[must_use]
    pub const fn has_provenance(self) -> bool {
        self.row().definition.provenance
    }
}

impl std::fmt::Display for ResourceType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_type_is_found_by_its_name_and_sits_at_its_index() {
        for (at, kind) in ResourceType::ALL.iter().enumerate() {
            assert_eq!(ResourceType::parse(kind.name()), Some(*kind));
            assert_eq!(ResourceType::find(kind.name()), Some(*kind));
            assert_eq!(kind.index(), at);
        }
        assert!(ResourceType::ALL.is_sorted_by_key(|kind| kind.name()));
        for unknown in ["observation", "Claim"] {
            assert_eq!((ResourceType::parse(unknown), ResourceType::find(unknown)), (None, None));
        }
    }

    /// The numbers of all types that were ever served. A new type adds a row at the end; no row changes.
    const NUMBERS: &[(&str, u8)] = &[
        ("AllergyIntolerance", 1),
        ("Binary", 2),
        ("CarePlan", 3),
        ("CareTeam", 4),
        ("Condition", 5),
        ("Coverage", 6),
        ("Device", 7),
        ("DiagnosticReport", 8),
        ("DocumentReference", 9),
        ("Encounter", 10),
        ("Endpoint", 11),
        ("Goal", 12),
        ("Group", 13),
        ("Immunization", 14),
        ("Location", 15),
        ("Media", 16),
        ("Medication", 17),
        ("MedicationDispense", 18),
        ("MedicationRequest", 19),
        ("Observation", 20),
        ("Organization", 21),
        ("Patient", 22),
        ("Practitioner", 23),
        ("PractitionerRole", 24),
        ("Procedure", 25),
        ("Provenance", 26),
        ("Questionnaire", 27),
        ("QuestionnaireResponse", 28),
        ("RelatedPerson", 29),
        ("ServiceRequest", 30),
        ("Specimen", 31),
    ];

    #[test]
    fn numbers_are_unique_and_never_change() {
        for ((name, number), expected) in NUMBERS.iter().zip(1..) {
            assert_eq!(*number, expected, "{name}");
        }
        for kind in ResourceType::ALL {
            let committed = NUMBERS.iter().find(|row| row.0 == kind.name());
            assert_eq!(committed, Some(&(kind.name(), kind.number())), "{kind} and its row in NUMBERS differ");
        }
        let names: HashSet<_> = NUMBERS.iter().map(|row| row.0).collect();
        assert_eq!(names.len(), NUMBERS.len());
    }

    #[test]
    fn titles_and_plain_names_are_unique() {
        for called in [ResourceType::title, ResourceType::plain] {
            for language in Language::ALL {
                let names: HashSet<_> = ResourceType::ALL.iter().map(|kind| called(*kind, language)).collect();
                assert_eq!(names.len(), ResourceType::ALL.len());
            }
        }
    }
}
