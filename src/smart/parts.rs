//! The parts of a scope: the scopes with a filter by category that a person can grant in place of the whole type. They
//! are the categories for which servers of US Core have to support such scopes, and in the syntax of version 2 (US
//! Core, "SMART on FHIR Obligations and Capabilities").

use super::scope::{Level, Scope};
use crate::fhir::{Language, ResourceType};

/// A part of a scope: the resources of one category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopePart {
    resource_type: ResourceType,
    system: &'static str,
    code: &'static str,
    titles: [&'static str; 2],
}

const CONDITION_CATEGORY: &str = "http://terminology.hl7.org/CodeSystem/condition-category";
const US_CORE_CONDITION_CATEGORY: &str = "http://hl7.org/fhir/us/core/CodeSystem/condition-category";
const OBSERVATION_CATEGORY: &str = "http://terminology.hl7.org/CodeSystem/observation-category";
const US_CORE_CATEGORY: &str = "http://hl7.org/fhir/us/core/CodeSystem/us-core-category";

const fn part(
    resource_type: ResourceType,
    system: &'static str,
    code: &'static str,
    titles: [&'static str; 2],
) -> ScopePart {
    ScopePart { resource_type, system, code, titles }
}

const CONDITION: ResourceType = ResourceType::Condition;
const OBSERVATION: ResourceType = ResourceType::Observation;

/// Every part, in the order of the page.
const PARTS: [ScopePart; 9] = [
    part(CONDITION, CONDITION_CATEGORY, "problem-list-item", ["the problem list", "la lista de problemas"]),
    part(
        CONDITION,
        CONDITION_CATEGORY,
        "encounter-diagnosis",
        ["diagnoses made at visits", "diagnósticos hechos en las consultas"],
    ),
    part(CONDITION, US_CORE_CONDITION_CATEGORY, "health-concern", ["health concerns", "inquietudes sobre la salud"]),
    part(OBSERVATION, OBSERVATION_CATEGORY, "laboratory", ["laboratory results", "resultados de laboratorio"]),
    part(OBSERVATION, OBSERVATION_CATEGORY, "vital-signs", ["vital signs", "signos vitales"]),
    part(
        OBSERVATION,
        OBSERVATION_CATEGORY,
        "procedure",
        ["results of clinical tests", "resultados de pruebas clínicas"],
    ),
    part(
        OBSERVATION,
        OBSERVATION_CATEGORY,
        "social-history",
        ["habits and life, such as smoking", "hábitos y vida, como el tabaquismo"],
    ),
    part(OBSERVATION, OBSERVATION_CATEGORY, "survey", ["answers to questionnaires", "respuestas a cuestionarios"]),
    part(
        OBSERVATION,
        US_CORE_CATEGORY,
        "sdoh",
        ["social needs, such as housing and food", "necesidades sociales, como vivienda y comida"],
    ),
];

/// The parts that can be granted in place of a scope. Only scopes of the level `patient` that open reading and
/// searching a whole type have any.
pub fn parts(scope: &Scope) -> impl Iterator<Item = ScopePart> {
    let whole = match scope {
        Scope::Resource(scope) if scope.level == Level::Patient && scope.read && scope.search => {
            scope.resource_type.filter(|_| scope.only.is_empty())
        }
        Scope::Resource(_) | Scope::Other(_) => None,
    };
    PARTS.into_iter().filter(move |part| Some(part.resource_type) == whole)
}

impl ScopePart {
    /// The scope, as it is granted.
    #[must_use]
    pub fn written(self) -> String {
        let Self { resource_type, system, code, .. } = self;
        format!("patient/{}.rs?category={system}|{code}", resource_type.name())
    }

    /// Its resources, in words for patients.
    #[must_use]
    pub const fn title(self, language: Language) -> &'static str {
        language.of(self.titles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smart::ScopeSet;

    fn parts_of(scope: &str) -> Vec<String> {
        parts(&Scope::parse(scope).unwrap()).map(ScopePart::written).collect()
    }

    #[test]
    fn only_a_whole_type_of_a_patient_has_parts() {
        for whole in ["patient/Condition.rs", "patient/Condition.read", "patient/Condition.cruds"] {
            assert_eq!(parts_of(whole).len(), 3, "{whole}");
        }
        assert_eq!(parts_of("patient/Observation.rs").len(), 6);
        for none in [
            "user/Condition.rs",
            "system/Condition.rs",
            "patient/*.rs",
            "patient/Condition.r",
            "patient/Condition.s",
            "patient/Condition.write",
            "patient/Procedure.rs",
            "patient/Condition.rs?category=x|problem-list-item",
            "launch/patient",
        ] {
            assert_eq!(parts_of(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn each_part_is_a_scope_that_the_whole_covers() {
        for whole in ["patient/Condition.rs", "patient/Observation.read"] {
            let all = ScopeSet::parse(whole).unwrap();
            for part in parts(&Scope::parse(whole).unwrap()) {
                let some = ScopeSet::parse(&part.written()).unwrap();
                let covers = |set: &ScopeSet, other: &ScopeSet| other.iter().all(|(_, scope)| set.covers(scope));
                assert!(covers(&all, &some) && !covers(&some, &all), "{}", part.written());
                assert_eq!(some.resource_scopes().next().unwrap().only.len(), 1);
                let [english, spanish] = Language::ALL.map(|language| part.title(language));
                assert_ne!(english, spanish);
            }
        }
    }
}
