//! The resource types in words that patients use, and the groups of the consent page that they are in.

use super::Messages;
use crate::fhir::{Language, ResourceType as T};

/// A group of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The identity of the user, and the patient.
    Identity,
    /// Wildcards.
    Everything,
    /// Problems.
    Problems,
    /// Medications and vaccines.
    Medications,
    /// Observations of any kind.
    Results,
    /// Encounters, plans and care teams.
    Care,
    /// Documents and Provenance.
    Documents,
    /// Insurance, claims and bills.
    Insurance,
    /// Definitions, terminology and other knowledge, which is about no patient.
    Catalogues,
    /// Refresh tokens.
    Session,
}

impl Group {
    /// Every group, in the order of the page.
    pub const ALL: [Self; 10] = [
        Self::Identity,
        Self::Everything,
        Self::Problems,
        Self::Medications,
        Self::Results,
        Self::Care,
        Self::Documents,
        Self::Insurance,
        Self::Catalogues,
        Self::Session,
    ];

    /// The heading.
    pub const fn title(self, messages: Messages) -> &'static str {
        match self {
            Self::Identity => messages.identity(),
            Self::Everything => messages.everything(),
            Self::Problems => messages.problems(),
            Self::Medications => messages.medications(),
            Self::Results => messages.results(),
            Self::Care => messages.care(),
            Self::Documents => messages.documents(),
            Self::Insurance => messages.insurance(),
            Self::Catalogues => messages.catalogues(),
            Self::Session => messages.session(),
        }
    }
}

/// The name of the resources of a type within a sentence: `orders and referrals`.
pub fn plain(resource_type: T, language: Language) -> &'static str {
    language.of(row(resource_type).1)
}

/// The group of a type.
pub fn group(resource_type: T) -> Group {
    row(resource_type).0
}

/// A type without a row is called by its name.
fn row(resource_type: T) -> (Group, [&'static str; 2]) {
    match resource_type {
        T::Account => (Group::Insurance, ["billing accounts", "cuentas de facturación"]),
        T::ActivityDefinition => (Group::Catalogues, ["definitions of activities", "definiciones de actividades"]),
        T::AdverseEvent => (Group::Problems, ["harm in the course of care", "daños durante la atención"]),
        T::AllergyIntolerance => (Group::Problems, ["allergies", "alergias"]),
        T::Appointment => (Group::Care, ["appointments", "citas"]),
        T::AppointmentResponse => (Group::Care, ["replies to appointments", "respuestas a citas"]),
        T::AuditEvent => {
            (Group::Documents, ["who has seen or changed records", "quién ha visto o cambiado los registros"])
        }
        T::Basic => (Group::Documents, ["other records", "otros registros"]),
        T::Binary => (Group::Documents, ["files", "archivos"]),
        T::BiologicallyDerivedProduct => {
            (Group::Medications, ["blood and tissue products", "productos de sangre y tejidos"])
        }
        T::BodyStructure => (Group::Problems, ["parts of the body", "partes del cuerpo"]),
        T::Bundle => (Group::Documents, ["collections of records", "colecciones de registros"]),
        T::CapabilityStatement => (Group::Catalogues, ["what systems can do", "lo que pueden hacer los sistemas"]),
        T::CarePlan => (Group::Care, ["care plans", "planes de atención"]),
        T::CareTeam => (Group::Care, ["care teams", "equipos de atención"]),
        T::CatalogEntry => (Group::Catalogues, ["catalogue entries", "entradas de catálogos"]),
        T::ChargeItem => (Group::Insurance, ["charges", "cargos"]),
        T::ChargeItemDefinition => (Group::Catalogues, ["rules for charges", "reglas para los cargos"]),
        T::Claim => (Group::Insurance, ["claims to insurers", "reclamaciones al seguro"]),
        T::ClaimResponse => {
            (Group::Insurance, ["answers of insurers to claims", "respuestas del seguro a las reclamaciones"])
        }
        T::ClinicalImpression => (Group::Problems, ["clinical assessments", "valoraciones clínicas"]),
        T::CodeSystem => (Group::Catalogues, ["code systems", "sistemas de códigos"]),
        T::Communication => (Group::Care, ["messages", "mensajes"]),
        T::CommunicationRequest => {
            (Group::Care, ["requests to tell somebody something", "solicitudes de comunicación"])
        }
        T::CompartmentDefinition => {
            (Group::Catalogues, ["definitions of compartments", "definiciones de compartimentos"])
        }
        T::Composition => (Group::Documents, ["clinical documents", "documentos clínicos"]),
        T::ConceptMap => (Group::Catalogues, ["translations of codes", "traducciones de códigos"]),
        T::Condition => (Group::Problems, ["health problems and diagnoses", "problemas de salud y diagnósticos"]),
        T::Consent => {
            (Group::Documents, ["consents and choices of privacy", "consentimientos y decisiones de privacidad"])
        }
        T::Contract => (Group::Insurance, ["contracts", "contratos"]),
        T::Coverage => (Group::Insurance, ["insurance", "seguro médico"]),
        T::CoverageEligibilityRequest => {
            (Group::Insurance, ["questions about what insurance covers", "consultas sobre lo que cubre el seguro"])
        }
        T::CoverageEligibilityResponse => {
            (Group::Insurance, ["answers about what insurance covers", "respuestas sobre lo que cubre el seguro"])
        }
        T::DetectedIssue => (
            Group::Problems,
            ["warnings, such as of interactions of medicines", "advertencias, como interacciones de medicamentos"],
        ),
        T::Device => (Group::Care, ["implants and devices", "implantes y dispositivos"]),
        T::DeviceDefinition => (Group::Catalogues, ["definitions of devices", "definiciones de dispositivos"]),
        T::DeviceMetric => (Group::Results, ["what devices measure", "lo que miden los dispositivos"]),
        T::DeviceRequest => (Group::Care, ["orders of devices", "solicitudes de dispositivos"]),
        T::DeviceUseStatement => (Group::Care, ["the use of devices", "el uso de dispositivos"]),
        T::DiagnosticReport => (Group::Results, ["test reports", "informes de pruebas"]),
        T::DocumentManifest => (Group::Documents, ["sets of documents", "conjuntos de documentos"]),
        T::DocumentReference => (Group::Documents, ["notes and documents", "notas y documentos"]),
        T::EffectEvidenceSynthesis => (Group::Catalogues, ["evidence of effects", "evidencia de efectos"]),
        T::Encounter => (Group::Care, ["visits and stays", "visitas y hospitalizaciones"]),
        T::Endpoint => (Group::Catalogues, ["technical addresses", "direcciones técnicas"]),
        T::EnrollmentRequest => (Group::Insurance, ["requests for enrollment", "solicitudes de afiliación"]),
        T::EnrollmentResponse => (Group::Insurance, ["answers about enrollment", "respuestas de afiliación"]),
        T::EpisodeOfCare => (Group::Care, ["episodes of care", "episodios de atención"]),
        T::EventDefinition => (Group::Catalogues, ["definitions of events", "definiciones de eventos"]),
        T::Evidence => (Group::Catalogues, ["evidence from studies", "evidencia de estudios"]),
        T::EvidenceVariable => (Group::Catalogues, ["variables of evidence", "variables de evidencia"]),
        T::ExampleScenario => (Group::Catalogues, ["example scenarios", "escenarios de ejemplo"]),
        T::ExplanationOfBenefit => (Group::Insurance, ["what insurance has paid", "lo que ha pagado el seguro"]),
        T::FamilyMemberHistory => (Group::Problems, ["family history", "antecedentes familiares"]),
        T::Flag => (Group::Problems, ["alerts", "alertas"]),
        T::Goal => (Group::Care, ["goals", "metas"]),
        T::GraphDefinition => (Group::Catalogues, ["definitions of graphs", "definiciones de grafos"]),
        T::Group => (Group::Care, ["groups of people", "grupos de personas"]),
        T::GuidanceResponse => (Group::Care, ["answers of decision support", "respuestas de apoyo a las decisiones"]),
        T::HealthcareService => (Group::Care, ["healthcare services", "servicios de salud"]),
        T::ImagingStudy => {
            (Group::Results, ["X-rays, scans and other imaging", "radiografías y otros estudios de imágenes"])
        }
        T::Immunization => (Group::Medications, ["vaccinations", "vacunas"]),
        T::ImmunizationEvaluation => (Group::Medications, ["evaluations of vaccinations", "evaluaciones de vacunas"]),
        T::ImmunizationRecommendation => (Group::Medications, ["recommended vaccinations", "vacunas recomendadas"]),
        T::ImplementationGuide => (Group::Catalogues, ["implementation guides", "guías de implementación"]),
        T::InsurancePlan => (Group::Insurance, ["insurance plans", "planes de seguro"]),
        T::Invoice => (Group::Insurance, ["bills", "facturas"]),
        T::Library => (Group::Catalogues, ["libraries of knowledge", "bibliotecas de conocimiento"]),
        T::Linkage => (Group::Documents, ["links between records", "vínculos entre registros"]),
        T::List => (Group::Documents, ["lists of records", "listas de registros"]),
        T::Location => (Group::Care, ["places of care", "lugares de atención"]),
        T::Measure => (Group::Catalogues, ["quality measures", "medidas de calidad"]),
        T::MeasureReport => (Group::Results, ["reports of quality measures", "informes de medidas de calidad"]),
        T::Media => (Group::Results, ["pictures", "imágenes"]),
        T::Medication => (Group::Medications, ["descriptions of medicines", "descripciones de medicamentos"]),
        T::MedicationAdministration => {
            (Group::Medications, ["medicines that were given", "medicamentos administrados"])
        }
        T::MedicationDispense => (Group::Medications, ["dispensed medicines", "medicamentos entregados"]),
        T::MedicationKnowledge => (Group::Catalogues, ["knowledge about medicines", "información sobre medicamentos"]),
        T::MedicationRequest => (Group::Medications, ["prescriptions", "recetas"]),
        T::MedicationStatement => (Group::Medications, ["medicines that are taken", "medicamentos que se toman"]),
        T::MedicinalProduct => (Group::Catalogues, ["medicinal products", "productos medicinales"]),
        T::MedicinalProductAuthorization => {
            (Group::Catalogues, ["authorizations of medicinal products", "autorizaciones de productos medicinales"])
        }
        T::MedicinalProductContraindication => (
            Group::Catalogues,
            ["contraindications of medicinal products", "contraindicaciones de productos medicinales"],
        ),
        T::MedicinalProductIndication => {
            (Group::Catalogues, ["indications of medicinal products", "indicaciones de productos medicinales"])
        }
        T::MedicinalProductIngredient => {
            (Group::Catalogues, ["ingredients of medicinal products", "ingredientes de productos medicinales"])
        }
        T::MedicinalProductInteraction => {
            (Group::Catalogues, ["interactions of medicinal products", "interacciones de productos medicinales"])
        }
        T::MedicinalProductManufactured => {
            (Group::Catalogues, ["manufactured medicinal products", "productos medicinales fabricados"])
        }
        T::MedicinalProductPackaged => {
            (Group::Catalogues, ["packaged medicinal products", "productos medicinales envasados"])
        }
        T::MedicinalProductPharmaceutical => {
            (Group::Catalogues, ["forms of medicinal products", "formas de productos medicinales"])
        }
        T::MedicinalProductUndesirableEffect => (
            Group::Catalogues,
            ["undesirable effects of medicinal products", "efectos indeseables de productos medicinales"],
        ),
        T::MessageDefinition => (Group::Catalogues, ["definitions of messages", "definiciones de mensajes"]),
        T::MessageHeader => {
            (Group::Documents, ["headers of messages between systems", "encabezados de mensajes entre sistemas"])
        }
        T::MolecularSequence => (Group::Results, ["genetic sequences", "secuencias genéticas"]),
        T::NamingSystem => (Group::Catalogues, ["naming systems", "sistemas de nombres"]),
        T::NutritionOrder => (Group::Care, ["diets and nutrition", "dietas y nutrición"]),
        T::Observation => (
            Group::Results,
            [
                "test results, vital signs and other observations",
                "resultados de pruebas, signos vitales y otras observaciones",
            ],
        ),
        T::ObservationDefinition => {
            (Group::Catalogues, ["definitions of observations", "definiciones de observaciones"])
        }
        T::OperationDefinition => (Group::Catalogues, ["definitions of operations", "definiciones de operaciones"]),
        T::OperationOutcome => (Group::Catalogues, ["outcomes of requests", "resultados de solicitudes"]),
        T::Organization => (Group::Care, ["organizations", "organizaciones"]),
        T::OrganizationAffiliation => {
            (Group::Care, ["affiliations of organizations", "afiliaciones de organizaciones"])
        }
        T::Parameters => (Group::Catalogues, ["parameters of operations", "parámetros de operaciones"]),
        T::Patient => (
            Group::Identity,
            [
                "name, birth date, address and other personal details",
                "nombre, fecha de nacimiento, dirección y otros datos personales",
            ],
        ),
        T::PaymentNotice => (Group::Insurance, ["notices of payments", "avisos de pago"]),
        T::PaymentReconciliation => (Group::Insurance, ["reconciled payments", "conciliaciones de pagos"]),
        T::Person => (Group::Identity, ["persons with several records", "personas con varios expedientes"]),
        T::PlanDefinition => (Group::Catalogues, ["definitions of plans", "definiciones de planes"]),
        T::Practitioner => (Group::Care, ["the names of clinicians", "los nombres de los profesionales de la salud"]),
        T::PractitionerRole => {
            (Group::Care, ["the roles of clinicians", "las funciones de los profesionales de la salud"])
        }
        T::Procedure => (Group::Care, ["procedures", "procedimientos"]),
        T::Provenance => (Group::Documents, ["where records come from", "de dónde vienen los registros"]),
        T::Questionnaire => (Group::Results, ["questionnaires", "cuestionarios"]),
        T::QuestionnaireResponse => (Group::Results, ["answers to questionnaires", "respuestas a cuestionarios"]),
        T::RelatedPerson => (Group::Identity, ["relatives and contacts", "familiares y contactos"]),
        T::RequestGroup => (Group::Care, ["groups of orders", "grupos de órdenes"]),
        T::ResearchDefinition => (Group::Catalogues, ["definitions of research", "definiciones de investigación"]),
        T::ResearchElementDefinition => (Group::Catalogues, ["elements of research", "elementos de investigación"]),
        T::ResearchStudy => (Group::Care, ["research studies", "estudios de investigación"]),
        T::ResearchSubject => (Group::Care, ["participation in research", "participación en investigación"]),
        T::RiskAssessment => (Group::Problems, ["assessments of risks", "evaluaciones de riesgo"]),
        T::RiskEvidenceSynthesis => (Group::Catalogues, ["evidence of risks", "evidencia de riesgos"]),
        T::Schedule => (Group::Care, ["schedules", "agendas"]),
        T::SearchParameter => (Group::Catalogues, ["search parameters", "parámetros de búsqueda"]),
        T::ServiceRequest => (Group::Care, ["orders and referrals", "órdenes y remisiones"]),
        T::Slot => (Group::Care, ["free and busy times", "horas libres y ocupadas"]),
        T::Specimen => (Group::Results, ["samples", "muestras"]),
        T::SpecimenDefinition => (Group::Catalogues, ["definitions of samples", "definiciones de muestras"]),
        T::StructureDefinition => (Group::Catalogues, ["definitions of structures", "definiciones de estructuras"]),
        T::StructureMap => (Group::Catalogues, ["maps of structures", "mapas de estructuras"]),
        T::Subscription => (Group::Documents, ["subscriptions to changes", "suscripciones a cambios"]),
        T::Substance => (Group::Catalogues, ["substances", "sustancias"]),
        T::SubstanceNucleicAcid => (Group::Catalogues, ["nucleic acids", "ácidos nucleicos"]),
        T::SubstancePolymer => (Group::Catalogues, ["polymers", "polímeros"]),
        T::SubstanceProtein => (Group::Catalogues, ["proteins", "proteínas"]),
        T::SubstanceReferenceInformation => {
            (Group::Catalogues, ["references about substances", "referencias sobre sustancias"])
        }
        T::SubstanceSourceMaterial => (Group::Catalogues, ["sources of substances", "orígenes de sustancias"]),
        T::SubstanceSpecification => {
            (Group::Catalogues, ["specifications of substances", "especificaciones de sustancias"])
        }
        T::SupplyDelivery => (Group::Care, ["deliveries of supplies", "entregas de suministros"]),
        T::SupplyRequest => (Group::Care, ["requests for supplies", "solicitudes de suministros"]),
        T::Task => (Group::Care, ["tasks", "tareas"]),
        T::TerminologyCapabilities => (
            Group::Catalogues,
            ["what terminology services can do", "lo que pueden hacer los servicios de terminología"],
        ),
        T::TestReport => (Group::Catalogues, ["reports of software tests", "informes de pruebas de software"]),
        T::TestScript => (Group::Catalogues, ["scripts of software tests", "guiones de pruebas de software"]),
        T::ValueSet => (Group::Catalogues, ["value sets", "conjuntos de valores"]),
        T::VerificationResult => (Group::Documents, ["verifications of records", "verificaciones de registros"]),
        T::VisionPrescription => (Group::Care, ["prescriptions for glasses and contact lenses", "recetas de lentes"]),
        other => (Group::Care, [other.name(); 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_served_type_has_a_plain_name_of_its_own() {
        for language in Language::ALL {
            let names: HashSet<_> = T::served().iter().map(|resource_type| plain(*resource_type, language)).collect();
            assert_eq!(names.len(), T::served().len());
            assert!(
                T::served().iter().all(|resource_type| plain(*resource_type, language) != resource_type.name()),
                "a name is missing"
            );
        }
    }
}
