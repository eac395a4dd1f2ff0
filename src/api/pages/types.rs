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
    /// Refresh tokens.
    Session,
}

impl Group {
    /// Every group, in the order of the page.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::Everything,
        Self::Problems,
        Self::Medications,
        Self::Results,
        Self::Care,
        Self::Documents,
        Self::Session,
    ];

    /// Its heading.
    pub const fn title(self, messages: Messages) -> &'static str {
        match self {
            Self::Identity => messages.identity(),
            Self::Everything => messages.everything(),
            Self::Problems => messages.problems(),
            Self::Medications => messages.medications(),
            Self::Results => messages.results(),
            Self::Care => messages.care(),
            Self::Documents => messages.documents(),
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
        T::AllergyIntolerance => (Group::Problems, ["allergies", "alergias"]),
        T::Binary => (Group::Documents, ["files", "archivos"]),
        T::CarePlan => (Group::Care, ["care plans", "planes de atención"]),
        T::CareTeam => (Group::Care, ["care teams", "equipos de atención"]),
        T::Condition => (Group::Problems, ["health problems and diagnoses", "problemas de salud y diagnósticos"]),
        T::Coverage => (Group::Identity, ["insurance", "seguro médico"]),
        T::Device => (Group::Care, ["implants and devices", "implantes y dispositivos"]),
        T::DiagnosticReport => (Group::Results, ["test reports", "informes de pruebas"]),
        T::DocumentReference => (Group::Documents, ["notes and documents", "notas y documentos"]),
        T::Encounter => (Group::Care, ["visits and stays", "visitas y hospitalizaciones"]),
        T::Endpoint => (Group::Care, ["technical addresses", "direcciones técnicas"]),
        T::Goal => (Group::Care, ["goals", "metas"]),
        T::Group => (Group::Care, ["groups of people", "grupos de personas"]),
        T::Immunization => (Group::Medications, ["vaccinations", "vacunas"]),
        T::Location => (Group::Care, ["places of care", "lugares de atención"]),
        T::Media => (Group::Results, ["pictures", "imágenes"]),
        T::Medication => (Group::Medications, ["medicines", "medicamentos"]),
        T::MedicationDispense => (Group::Medications, ["dispensed medicines", "medicamentos entregados"]),
        T::MedicationRequest => (Group::Medications, ["prescriptions", "recetas"]),
        T::Observation => (
            Group::Results,
            [
                "test results, vital signs and other observations",
                "resultados de pruebas, signos vitales y otras observaciones",
            ],
        ),
        T::Organization => (Group::Care, ["organizations", "organizaciones"]),
        T::Patient => (
            Group::Identity,
            [
                "name, birth date, address and other personal details",
                "nombre, fecha de nacimiento, dirección y otros datos personales",
            ],
        ),
        T::Practitioner => (Group::Care, ["the names of clinicians", "los nombres de los profesionales de la salud"]),
        T::PractitionerRole => {
            (Group::Care, ["the roles of clinicians", "las funciones de los profesionales de la salud"])
        }
        T::Procedure => (Group::Care, ["procedures", "procedimientos"]),
        T::Provenance => (Group::Documents, ["where records come from", "de dónde vienen los registros"]),
        T::Questionnaire => (Group::Results, ["questionnaires", "cuestionarios"]),
        T::QuestionnaireResponse => (Group::Results, ["answers to questionnaires", "respuestas a cuestionarios"]),
        T::RelatedPerson => (Group::Identity, ["relatives and contacts", "familiares y contactos"]),
        T::ServiceRequest => (Group::Care, ["orders and referrals", "órdenes y remisiones"]),
        T::Specimen => (Group::Results, ["samples", "muestras"]),
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
