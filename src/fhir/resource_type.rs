//! The resource types that edgechart serves. A type that is not in this list has no route, no scope and no row.

macro_rules! resource_types {
    ($($name:ident),* $(,)?) => {
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

            /// The name as it stands in `resourceType`, in routes and in scopes.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// The type of that exact name (case matters, as in FHIR), if it is served.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($name) => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

resource_types!(
    AllergyIntolerance,
    Binary,
    CarePlan,
    CareTeam,
    Condition,
    Coverage,
    Device,
    DiagnosticReport,
    DocumentReference,
    Encounter,
    Endpoint,
    Goal,
    Group,
    Immunization,
    Location,
    Media,
    Medication,
    MedicationDispense,
    MedicationRequest,
    Observation,
    Organization,
    Patient,
    Practitioner,
    PractitionerRole,
    Procedure,
    Provenance,
    Questionnaire,
    QuestionnaireResponse,
    RelatedPerson,
    ServiceRequest,
    Specimen,
);

impl ResourceType {
    /// The place of this type in [`ResourceType::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
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

    #[test]
    fn every_type_is_found_by_its_name_and_sits_at_its_index() {
        for (at, kind) in ResourceType::ALL.iter().enumerate() {
            assert_eq!(ResourceType::parse(kind.name()), Some(*kind));
            assert_eq!(kind.index(), at);
        }
        assert_eq!(ResourceType::parse("observation"), None);
        assert_eq!(ResourceType::parse("Claim"), None);
    }
}
