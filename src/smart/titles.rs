//! The titles of the resource types, as the descriptions of scopes name them.

use crate::fhir::{Language, ResourceType as T};

/// The title of the resources of a type in a record: `Orders and Referrals`. A type without one is called by its name.
#[must_use]
pub fn title(resource_type: T, language: Language) -> &'static str {
    language.of(match resource_type {
        T::AllergyIntolerance => ["Allergies and Intolerances", "Alergias e intolerancias"],
        T::Binary => ["Files", "Archivos"],
        T::CarePlan => ["Care Plans", "Planes de atención"],
        T::CareTeam => ["Care Teams", "Equipos de atención"],
        T::Condition => ["Conditions", "Problemas de salud"],
        T::Coverage => ["Insurance Coverages", "Coberturas de seguro"],
        T::Device => ["Implanted Devices", "Dispositivos implantados"],
        T::DiagnosticReport => ["Diagnostic Reports", "Informes de diagnóstico"],
        T::DocumentReference => ["Documents", "Documentos"],
        T::Encounter => ["Encounters", "Visitas"],
        T::Endpoint => ["Electronic Addresses of Services", "Direcciones electrónicas de servicios"],
        T::Goal => ["Goals", "Metas"],
        T::Group => ["Groups of Patients", "Grupos de pacientes"],
        T::Immunization => ["Immunizations", "Vacunas"],
        T::Location => ["Locations", "Lugares de atención"],
        T::Media => ["Images", "Imágenes"],
        T::Medication => ["Medications", "Medicamentos"],
        T::MedicationDispense => ["Dispensed Medications", "Medicamentos entregados"],
        T::MedicationRequest => ["Prescriptions", "Recetas"],
        T::Observation => ["Observations", "Observaciones"],
        T::Organization => ["Organizations", "Organizaciones"],
        T::Patient => ["Patient Details", "Datos del paciente"],
        T::Practitioner => ["Practitioners", "Profesionales de la salud"],
        T::PractitionerRole => ["Roles of Practitioners", "Funciones de los profesionales de la salud"],
        T::Procedure => ["Procedures", "Procedimientos"],
        T::Provenance => ["Sources of Records", "Origen de los registros"],
        T::Questionnaire => ["Questionnaires", "Cuestionarios"],
        T::QuestionnaireResponse => ["Answers to Questionnaires", "Respuestas a cuestionarios"],
        T::RelatedPerson => ["Related Persons", "Familiares y contactos"],
        T::ServiceRequest => ["Orders and Referrals", "Órdenes y remisiones"],
        T::Specimen => ["Specimens", "Muestras"],
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
