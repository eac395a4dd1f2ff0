//! The resource types of R4. Facts about them are in `src/fhir/tables/types.tsv`. Each type that this server serves has
//! a line in `src/fhir/tables/served.tsv`, of which each module reads its own columns, and a number in
//! `src/fhir/tables/type-numbers.tsv`.

use std::sync::LazyLock;

use super::tables::{columns, lines, words};

/// A resource type of FHIR R4, as its index among all types in alphabetical order. [`ResourceType::parse`] only knows
/// the types that this server serves, which are in `src/fhir/tables/served.tsv`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceType(u8);

/// The choices of this server about a type, from its line of `src/fhir/tables/served.tsv`.
#[derive(Debug, Clone, Copy)]
pub struct Choices {
    /// The names of its search parameters.
    pub parameters: &'static str,
    /// The elements that order its resources.
    pub order: &'static str,
    /// The way in which the owner of its resources is determined.
    pub owner: &'static str,
    /// The differences from the definitions of parameters.
    pub differences: &'static str,
}

/// The facts about a type and, if it is served, the choices.
struct Row {
    name: &'static str,
    essential: Vec<&'static str>,
    attachments: Vec<&'static str>,
    choices: Option<Choices>,
    number: u8,
}

impl Row {
    /// Returns whether the type has both choices and a number.
    const fn is_served(&self) -> bool {
        self.choices.is_some() && self.number > 0
    }
}

/// The number of the types of R4.
const COUNT: u8 = 146;

/// The rows of all types of R4, by index, and the types that are served.
static TYPES: LazyLock<(Vec<Row>, Vec<ResourceType>)> = LazyLock::new(|| {
    let mut rows = Vec::with_capacity(COUNT.into());
    for line in lines(include_str!("tables/types.tsv")) {
        let [name, essential, attachments, ..] = columns(line);
        rows.push(Row {
            name,
            essential: words(essential).collect(),
            attachments: words(attachments).collect(),
            choices: None,
            number: 0,
        });
    }
    for (name, number) in lines(include_str!("tables/type-numbers.tsv")).zip(1..) {
        if let Some(row) = row_of(&mut rows, name) {
            row.number = number;
        }
    }
    for line in lines(include_str!("tables/served.tsv")) {
        let [name, parameters, order, owner, differences, ..] = columns(line);
        if let Some(row) = row_of(&mut rows, name) {
            row.choices = Some(Choices { parameters, order, owner, differences });
        }
    }
    let served = (0..COUNT).zip(&rows).filter(|(_, row)| row.is_served()).map(|(at, _)| ResourceType(at));
    let served = served.collect();
    (rows, served)
});

/// Returns the row of the type with that name, among all rows in alphabetical order.
fn row_of<'a>(rows: &'a mut [Row], name: &str) -> Option<&'a mut Row> {
    let at = rows.binary_search_by(|row| row.name.cmp(name)).ok()?;
    rows.get_mut(at)
}

macro_rules! named {
    ($($name:ident = $index:literal,)*) => {
        #[allow(non_upper_case_globals, reason = "they are written as FHIR writes them")]
        impl ResourceType {
            $(
                #[doc = concat!("<https://hl7.org/fhir/R4/", stringify!($name), ".html>")]
                pub const $name: Self = Self($index);
            )*
        }

        #[cfg(test)]
        const NAMED: &[(&str, ResourceType)] = &[$((stringify!($name), ResourceType::$name)),*];
    };
}

// The types, each with its index.
named! {
    Account = 0,
    ActivityDefinition = 1,
    AdverseEvent = 2,
    AllergyIntolerance = 3,
    Appointment = 4,
    AppointmentResponse = 5,
    AuditEvent = 6,
    Basic = 7,
    Binary = 8,
    BiologicallyDerivedProduct = 9,
    BodyStructure = 10,
    Bundle = 11,
    CapabilityStatement = 12,
    CarePlan = 13,
    CareTeam = 14,
    CatalogEntry = 15,
    ChargeItem = 16,
    ChargeItemDefinition = 17,
    Claim = 18,
    ClaimResponse = 19,
    ClinicalImpression = 20,
    CodeSystem = 21,
    Communication = 22,
    CommunicationRequest = 23,
    CompartmentDefinition = 24,
    Composition = 25,
    ConceptMap = 26,
    Condition = 27,
    Consent = 28,
    Contract = 29,
    Coverage = 30,
    CoverageEligibilityRequest = 31,
    CoverageEligibilityResponse = 32,
    DetectedIssue = 33,
    Device = 34,
    DeviceDefinition = 35,
    DeviceMetric = 36,
    DeviceRequest = 37,
    DeviceUseStatement = 38,
    DiagnosticReport = 39,
    DocumentManifest = 40,
    DocumentReference = 41,
    EffectEvidenceSynthesis = 42,
    Encounter = 43,
    Endpoint = 44,
    EnrollmentRequest = 45,
    EnrollmentResponse = 46,
    EpisodeOfCare = 47,
    EventDefinition = 48,
    Evidence = 49,
    EvidenceVariable = 50,
    ExampleScenario = 51,
    ExplanationOfBenefit = 52,
    FamilyMemberHistory = 53,
    Flag = 54,
    Goal = 55,
    GraphDefinition = 56,
    Group = 57,
    GuidanceResponse = 58,
    HealthcareService = 59,
    ImagingStudy = 60,
    Immunization = 61,
    ImmunizationEvaluation = 62,
    ImmunizationRecommendation = 63,
    ImplementationGuide = 64,
    InsurancePlan = 65,
    Invoice = 66,
    Library = 67,
    Linkage = 68,
    List = 69,
    Location = 70,
    Measure = 71,
    MeasureReport = 72,
    Media = 73,
    Medication = 74,
    MedicationAdministration = 75,
    MedicationDispense = 76,
    MedicationKnowledge = 77,
    MedicationRequest = 78,
    MedicationStatement = 79,
    MedicinalProduct = 80,
    MedicinalProductAuthorization = 81,
    MedicinalProductContraindication = 82,
    MedicinalProductIndication = 83,
    MedicinalProductIngredient = 84,
    MedicinalProductInteraction = 85,
    MedicinalProductManufactured = 86,
    MedicinalProductPackaged = 87,
    MedicinalProductPharmaceutical = 88,
    MedicinalProductUndesirableEffect = 89,
    MessageDefinition = 90,
    MessageHeader = 91,
    MolecularSequence = 92,
    NamingSystem = 93,
    NutritionOrder = 94,
    Observation = 95,
    ObservationDefinition = 96,
    OperationDefinition = 97,
    OperationOutcome = 98,
    Organization = 99,
    OrganizationAffiliation = 100,
    Parameters = 101,
    Patient = 102,
    PaymentNotice = 103,
    PaymentReconciliation = 104,
    Person = 105,
    PlanDefinition = 106,
    Practitioner = 107,
    PractitionerRole = 108,
    Procedure = 109,
    Provenance = 110,
    Questionnaire = 111,
    QuestionnaireResponse = 112,
    RelatedPerson = 113,
    RequestGroup = 114,
    ResearchDefinition = 115,
    ResearchElementDefinition = 116,
    ResearchStudy = 117,
    ResearchSubject = 118,
    RiskAssessment = 119,
    RiskEvidenceSynthesis = 120,
    Schedule = 121,
    SearchParameter = 122,
    ServiceRequest = 123,
    Slot = 124,
    Specimen = 125,
    SpecimenDefinition = 126,
    StructureDefinition = 127,
    StructureMap = 128,
    Subscription = 129,
    Substance = 130,
    SubstanceNucleicAcid = 131,
    SubstancePolymer = 132,
    SubstanceProtein = 133,
    SubstanceReferenceInformation = 134,
    SubstanceSourceMaterial = 135,
    SubstanceSpecification = 136,
    SupplyDelivery = 137,
    SupplyRequest = 138,
    Task = 139,
    TerminologyCapabilities = 140,
    TestReport = 141,
    TestScript = 142,
    ValueSet = 143,
    VerificationResult = 144,
    VisionPrescription = 145,
}

impl ResourceType {
    /// Returns every type of R4, served or not, in the order of their indices.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT).map(Self)
    }

    /// Returns every served type, in alphabetical order.
    pub fn served() -> &'static [Self] {
        &TYPES.1
    }

    /// Returns the served type with this exact name. Case matters, as in FHIR.
    pub fn parse(name: &str) -> Option<Self> {
        let index = TYPES.0.binary_search_by(|row| row.name.cmp(name)).ok()?;
        u8::try_from(index).ok().map(Self).filter(|resource_type| resource_type.row().is_served())
    }

    /// Returns the served type with that number in stores.
    pub fn numbered(number: u8) -> Option<Self> {
        Self::served().iter().copied().find(|resource_type| resource_type.number() == number)
    }

    /// Returns the index of the type among those of R4.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
    fn row(self) -> &'static Row {
        &TYPES.0[self.index()]
    }

    /// Returns the name as in `resourceType`, in routes and in scopes.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the number of the type in stores, which no version changes: at least 1, or 0 if the type is not served.
    pub fn number(self) -> u8 {
        self.row().number
    }

    /// Returns the choices of this server about the type.
    pub fn choices(self) -> Option<Choices> {
        self.row().choices
    }

    /// Returns the elements that are mandatory or modifying in R4, except those that all types share.
    pub fn essential(self) -> &'static [&'static str] {
        &self.row().essential
    }

    /// Returns the elements of type Attachment, without elements that have a choice of types.
    pub fn attachments(self) -> &'static [&'static str] {
        &self.row().attachments
    }
}

impl std::fmt::Display for ResourceType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for ResourceType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_r4_are_in_alphabetical_order() {
        assert_eq!(TYPES.0.len(), usize::from(COUNT));
        assert!(TYPES.0.is_sorted_by(|one, other| one.name < other.name));
    }

    #[test]
    fn every_type_has_a_constant_with_its_index() {
        let constants: Vec<_> = NAMED.iter().map(|(name, constant)| (*name, constant.index())).collect();
        let types: Vec<_> = TYPES.0.iter().map(|row| row.name).zip(0..).collect();
        assert_eq!(constants, types);
    }

    #[test]
    fn every_line_of_the_choices_is_a_type_with_a_number() {
        let names: Vec<_> = lines(include_str!("tables/served.tsv")).map(|line| columns(line)[0]).collect();
        let served: Vec<_> = ResourceType::served().iter().map(|resource_type| resource_type.name()).collect();
        assert_eq!(names, served, "they are in alphabetical order, and each has a number");
        for resource_type in ResourceType::served() {
            assert_eq!(ResourceType::parse(resource_type.name()), Some(*resource_type));
            assert_eq!(ResourceType::numbered(resource_type.number()), Some(*resource_type));
        }
    }

    #[test]
    fn a_type_that_is_not_served_is_not_found() {
        for unknown in ["observation", "MedicationOrder", "Foo", ""] {
            assert_eq!(ResourceType::parse(unknown), None);
        }
        assert_eq!(ResourceType::numbered(0), None);
    }
}
