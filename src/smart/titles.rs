//! The titles of the resource types, as the descriptions of scopes name them.

use fhir::{Language, ResourceType as T};

/// The title of the resources of a type in a record: `Orders and Referrals`. A type without one is called by its name.
#[must_use]
pub fn title(resource_type: T, language: Language) -> &'static str {
    language.of(match resource_type {
        T::Account => ["Billing Accounts", "Cuentas de facturación"],
        T::ActivityDefinition => ["Definitions of Activities", "Definiciones de actividades"],
        T::AdverseEvent => ["Adverse Events", "Eventos adversos"],
        T::AllergyIntolerance => ["Allergies and Intolerances", "Alergias e intolerancias"],
        T::Appointment => ["Appointments", "Citas"],
        T::AppointmentResponse => ["Replies to Appointments", "Respuestas a citas"],
        T::AuditEvent => ["Records of Access", "Registros de acceso"],
        T::Basic => ["Other Records", "Otros registros"],
        T::Binary => ["Files", "Archivos"],
        T::BiologicallyDerivedProduct => ["Blood and Tissue Products", "Productos de sangre y tejidos"],
        T::BodyStructure => ["Body Structures", "Estructuras del cuerpo"],
        T::Bundle => ["Collections of Records", "Colecciones de registros"],
        T::CapabilityStatement => ["Capabilities of Systems", "Capacidades de los sistemas"],
        T::CarePlan => ["Care Plans", "Planes de atención"],
        T::CareTeam => ["Care Teams", "Equipos de atención"],
        T::CatalogEntry => ["Catalogue Entries", "Entradas de catálogos"],
        T::ChargeItem => ["Charges", "Cargos"],
        T::ChargeItemDefinition => ["Rules for Charges", "Reglas para los cargos"],
        T::Claim => ["Claims", "Reclamaciones al seguro"],
        T::ClaimResponse => ["Answers to Claims", "Respuestas a reclamaciones"],
        T::ClinicalImpression => ["Clinical Assessments", "Valoraciones clínicas"],
        T::CodeSystem => ["Code Systems", "Sistemas de códigos"],
        T::Communication => ["Messages", "Mensajes"],
        T::CommunicationRequest => ["Requests to Communicate", "Solicitudes de comunicación"],
        T::CompartmentDefinition => ["Definitions of Compartments", "Definiciones de compartimentos"],
        T::Composition => ["Clinical Documents", "Documentos clínicos"],
        T::ConceptMap => ["Translations of Codes", "Traducciones de códigos"],
        T::Condition => ["Conditions", "Problemas de salud"],
        T::Consent => ["Consents", "Consentimientos"],
        T::Contract => ["Contracts", "Contratos"],
        T::Coverage => ["Insurance Coverages", "Coberturas de seguro"],
        T::CoverageEligibilityRequest => ["Questions about Coverage", "Consultas sobre la cobertura"],
        T::CoverageEligibilityResponse => ["Answers about Coverage", "Respuestas sobre la cobertura"],
        T::DetectedIssue => ["Detected Issues", "Problemas detectados"],
        T::Device => ["Implanted Devices", "Dispositivos implantados"],
        T::DeviceDefinition => ["Definitions of Devices", "Definiciones de dispositivos"],
        T::DeviceMetric => ["Measurements of Devices", "Mediciones de dispositivos"],
        T::DeviceRequest => ["Orders of Devices", "Solicitudes de dispositivos"],
        T::DeviceUseStatement => ["Use of Devices", "Uso de dispositivos"],
        T::DiagnosticReport => ["Diagnostic Reports", "Informes de diagnóstico"],
        T::DocumentManifest => ["Sets of Documents", "Conjuntos de documentos"],
        T::DocumentReference => ["Documents", "Documentos"],
        T::EffectEvidenceSynthesis => ["Evidence of Effects", "Evidencia de efectos"],
        T::Encounter => ["Encounters", "Visitas"],
        T::Endpoint => ["Electronic Addresses of Services", "Direcciones electrónicas de servicios"],
        T::EnrollmentRequest => ["Requests for Enrollment", "Solicitudes de afiliación"],
        T::EnrollmentResponse => ["Answers about Enrollment", "Respuestas de afiliación"],
        T::EpisodeOfCare => ["Episodes of Care", "Episodios de atención"],
        T::EventDefinition => ["Definitions of Events", "Definiciones de eventos"],
        T::Evidence => ["Evidence from Studies", "Evidencia de estudios"],
        T::EvidenceVariable => ["Variables of Evidence", "Variables de evidencia"],
        T::ExampleScenario => ["Example Scenarios", "Escenarios de ejemplo"],
        T::ExplanationOfBenefit => ["Explanations of Benefits", "Explicaciones de beneficios"],
        T::FamilyMemberHistory => ["Family History", "Antecedentes familiares"],
        T::Flag => ["Alerts", "Alertas"],
        T::Goal => ["Goals", "Metas"],
        T::GraphDefinition => ["Definitions of Graphs", "Definiciones de grafos"],
        T::Group => ["Groups of Patients", "Grupos de pacientes"],
        T::GuidanceResponse => ["Answers of Decision Support", "Respuestas de apoyo a las decisiones"],
        T::HealthcareService => ["Healthcare Services", "Servicios de salud"],
        T::ImagingStudy => ["Imaging Studies", "Estudios de imágenes"],
        T::Immunization => ["Immunizations", "Vacunas"],
        T::ImmunizationEvaluation => ["Evaluations of Immunizations", "Evaluaciones de vacunas"],
        T::ImmunizationRecommendation => ["Recommended Immunizations", "Vacunas recomendadas"],
        T::ImplementationGuide => ["Implementation Guides", "Guías de implementación"],
        T::InsurancePlan => ["Insurance Plans", "Planes de seguro"],
        T::Invoice => ["Invoices", "Facturas"],
        T::Library => ["Libraries of Knowledge", "Bibliotecas de conocimiento"],
        T::Linkage => ["Links between Records", "Vínculos entre registros"],
        T::List => ["Lists of Records", "Listas de registros"],
        T::Location => ["Locations", "Lugares de atención"],
        T::Measure => ["Quality Measures", "Medidas de calidad"],
        T::MeasureReport => ["Reports of Quality Measures", "Informes de medidas de calidad"],
        T::Media => ["Images", "Imágenes"],
        T::Medication => ["Medications", "Medicamentos"],
        T::MedicationAdministration => ["Administered Medications", "Medicamentos administrados"],
        T::MedicationDispense => ["Dispensed Medications", "Medicamentos entregados"],
        T::MedicationKnowledge => ["Knowledge about Medications", "Información sobre medicamentos"],
        T::MedicationRequest => ["Prescriptions", "Recetas"],
        T::MedicationStatement => ["Medications Taken", "Medicamentos que se toman"],
        T::MedicinalProduct => ["Medicinal Products", "Productos medicinales"],
        T::MedicinalProductAuthorization => {
            ["Authorizations of Medicinal Products", "Autorizaciones de productos medicinales"]
        }
        T::MedicinalProductContraindication => {
            ["Contraindications of Medicinal Products", "Contraindicaciones de productos medicinales"]
        }
        T::MedicinalProductIndication => ["Indications of Medicinal Products", "Indicaciones de productos medicinales"],
        T::MedicinalProductIngredient => ["Ingredients of Medicinal Products", "Ingredientes de productos medicinales"],
        T::MedicinalProductInteraction => {
            ["Interactions of Medicinal Products", "Interacciones de productos medicinales"]
        }
        T::MedicinalProductManufactured => ["Manufactured Medicinal Products", "Productos medicinales fabricados"],
        T::MedicinalProductPackaged => ["Packaged Medicinal Products", "Productos medicinales envasados"],
        T::MedicinalProductPharmaceutical => ["Forms of Medicinal Products", "Formas de productos medicinales"],
        T::MedicinalProductUndesirableEffect => {
            ["Undesirable Effects of Medicinal Products", "Efectos indeseables de productos medicinales"]
        }
        T::MessageDefinition => ["Definitions of Messages", "Definiciones de mensajes"],
        T::MessageHeader => ["Headers of Messages", "Encabezados de mensajes"],
        T::MolecularSequence => ["Genetic Sequences", "Secuencias genéticas"],
        T::NamingSystem => ["Naming Systems", "Sistemas de nombres"],
        T::NutritionOrder => ["Nutrition Orders", "Órdenes de nutrición"],
        T::Observation => ["Observations", "Observaciones"],
        T::ObservationDefinition => ["Definitions of Observations", "Definiciones de observaciones"],
        T::OperationDefinition => ["Definitions of Operations", "Definiciones de operaciones"],
        T::OperationOutcome => ["Outcomes of Requests", "Resultados de solicitudes"],
        T::Organization => ["Organizations", "Organizaciones"],
        T::OrganizationAffiliation => ["Affiliations of Organizations", "Afiliaciones de organizaciones"],
        T::Parameters => ["Parameters of Operations", "Parámetros de operaciones"],
        T::Patient => ["Patient Details", "Datos del paciente"],
        T::PaymentNotice => ["Notices of Payments", "Avisos de pago"],
        T::PaymentReconciliation => ["Reconciled Payments", "Conciliaciones de pagos"],
        T::Person => ["Persons", "Personas"],
        T::PlanDefinition => ["Definitions of Plans", "Definiciones de planes"],
        T::Practitioner => ["Practitioners", "Profesionales de la salud"],
        T::PractitionerRole => ["Roles of Practitioners", "Funciones de los profesionales de la salud"],
        T::Procedure => ["Procedures", "Procedimientos"],
        T::Provenance => ["Sources of Records", "Origen de los registros"],
        T::Questionnaire => ["Questionnaires", "Cuestionarios"],
        T::QuestionnaireResponse => ["Answers to Questionnaires", "Respuestas a cuestionarios"],
        T::RelatedPerson => ["Related Persons", "Familiares y contactos"],
        T::RequestGroup => ["Groups of Orders", "Grupos de órdenes"],
        T::ResearchDefinition => ["Definitions of Research", "Definiciones de investigación"],
        T::ResearchElementDefinition => ["Elements of Research", "Elementos de investigación"],
        T::ResearchStudy => ["Research Studies", "Estudios de investigación"],
        T::ResearchSubject => ["Participation in Research", "Participación en investigación"],
        T::RiskAssessment => ["Risk Assessments", "Evaluaciones de riesgo"],
        T::RiskEvidenceSynthesis => ["Evidence of Risks", "Evidencia de riesgos"],
        T::Schedule => ["Schedules", "Agendas"],
        T::SearchParameter => ["Search Parameters", "Parámetros de búsqueda"],
        T::ServiceRequest => ["Orders and Referrals", "Órdenes y remisiones"],
        T::Slot => ["Free and Busy Times", "Horas libres y ocupadas"],
        T::Specimen => ["Specimens", "Muestras"],
        T::SpecimenDefinition => ["Definitions of Specimens", "Definiciones de muestras"],
        T::StructureDefinition => ["Definitions of Structures", "Definiciones de estructuras"],
        T::StructureMap => ["Maps of Structures", "Mapas de estructuras"],
        T::Subscription => ["Subscriptions", "Suscripciones"],
        T::Substance => ["Substances", "Sustancias"],
        T::SubstanceNucleicAcid => ["Nucleic Acids", "Ácidos nucleicos"],
        T::SubstancePolymer => ["Polymers", "Polímeros"],
        T::SubstanceProtein => ["Proteins", "Proteínas"],
        T::SubstanceReferenceInformation => ["References about Substances", "Referencias sobre sustancias"],
        T::SubstanceSourceMaterial => ["Sources of Substances", "Orígenes de sustancias"],
        T::SubstanceSpecification => ["Specifications of Substances", "Especificaciones de sustancias"],
        T::SupplyDelivery => ["Deliveries of Supplies", "Entregas de suministros"],
        T::SupplyRequest => ["Requests for Supplies", "Solicitudes de suministros"],
        T::Task => ["Tasks", "Tareas"],
        T::TerminologyCapabilities => ["Capabilities of Terminology", "Capacidades de terminología"],
        T::TestReport => ["Reports of Software Tests", "Informes de pruebas de software"],
        T::TestScript => ["Scripts of Software Tests", "Guiones de pruebas de software"],
        T::ValueSet => ["Value Sets", "Conjuntos de valores"],
        T::VerificationResult => ["Verifications of Records", "Verificaciones de registros"],
        T::VisionPrescription => ["Vision Prescriptions", "Recetas de lentes"],
        other => [other.name(); 2],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_served_type_has_a_title_of_its_own() {
        for language in Language::ALL {
            let titles: HashSet<_> = T::served().iter().map(|resource_type| title(*resource_type, language)).collect();
            assert_eq!(titles.len(), T::served().len());
            assert!(
                T::served().iter().all(|resource_type| title(*resource_type, language) != resource_type.name()),
                "a title is missing"
            );
        }
    }
}
