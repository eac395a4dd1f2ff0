//! Descriptions of scopes for patients, as the consent page, the browser and the command line show them.
//! `search/describe.rs` describes queries.

use super::compartment::is_directory;
use super::scope::{Level, ResourceScope, Scope, wildcard};
use super::words::Texts;
use fhir::Language;
use search::Clause;

impl Scope {
    /// Returns a sentence about what the scope allows, without its full stop.
    pub fn describe(&self, language: Language) -> String {
        match self {
            Self::Resource(scope) => scope.describe(language),
            Self::Other(name) => other(name, Texts::of(language)).to_owned(),
        }
    }
}

fn other(name: &str, texts: &Texts) -> &'static str {
    match name {
        "openid" => texts.openid,
        "fhirUser" => texts.fhir_user,
        "profile" => texts.profile,
        "launch" => texts.launch,
        "launch/patient" => texts.launch_patient,
        "launch/encounter" => texts.launch_encounter,
        "offline_access" => texts.offline_access,
        "online_access" => texts.online_access,
        _ => texts.other,
    }
}

/// Returns a description of the filters of a scope: `category is laboratory and whose status is final`.
pub fn conditions(only: &[Clause], language: Language) -> String {
    all_of(only, language, Texts::of(language).and_whose)
}

/// Returns a description of filters, joined by `and`.
pub(crate) fn all_of(only: &[Clause], language: Language, and: &str) -> String {
    only.iter().map(|clause| clause.in_short(language)).collect::<Vec<_>>().join(and)
}

impl ResourceScope {
    fn describe(&self, language: Language) -> String {
        let (texts, what) = (Texts::of(language), self.describe_resources(language));
        let verb = match (self.read, self.search) {
            (true, true) => texts.read,
            (true, false) => texts.only_read,
            (false, true) => texts.search,
            (false, false) => return format!("{} {what}; {}", texts.change, texts.never_changes),
        };
        let only = conditions(&self.only, language);
        let only = if only.is_empty() { only } else { format!("{}{only}", texts.whose) };
        format!("{verb} {what}{only}{}", self.of(texts))
    }

    fn describe_resources(&self, language: Language) -> String {
        match self.resource_type {
            Some(resource_type) => resource_type.title(language).to_owned(),
            None => {
                let all: Vec<_> = wildcard(self.level).map(|resource_type| resource_type.title(language)).collect();
                format!("{} {} ({})", all.len(), Texts::of(language).kinds, all.join(", "))
            }
        }
    }

    /// Returns the phrase for the patients in the sentence. It is empty for the patient in context.
    fn of(&self, texts: &Texts) -> &'static str {
        match (self.level, self.resource_type) {
            (_, Some(resource_type)) if is_directory(resource_type) => "",
            (Level::Patient, _) => "",
            (Level::User, _) => texts.of_users,
            (Level::System | Level::Public, _) => texts.of_all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::OF_APPS;

    fn says(scope: &str) -> [String; 2] {
        [Language::English, Language::Spanish].map(|language| Scope::parse(scope).unwrap().describe(language))
    }

    #[test]
    fn scopes_are_said_in_words() {
        for (scope, english, spanish) in [
            ("patient/Immunization.read", "Read Immunizations", "Leer Vacunas"),
            (
                "patient/Observation.rs?category=http://s|laboratory",
                "Read Observations whose category is laboratory",
                "Leer Observaciones, solo si la categoría es laboratory",
            ),
            (
                "patient/Observation.rs?category=laboratory,survey&status=final",
                "Read Observations whose category is laboratory or survey and whose status is final",
                "Leer Observaciones, solo si la categoría es laboratory o survey y el estado es final",
            ),
            (
                "patient/AllergyIntolerance.r",
                "Read, one by one and not by searching, Allergies and Intolerances",
                "Leer, uno por uno y sin buscar, Alergias e intolerancias",
            ),
            (
                "user/Condition.s",
                "Search Conditions, of every patient whom you may see",
                "Buscar Problemas de salud, de todos los pacientes que usted puede ver",
            ),
            (
                "system/Condition.read",
                "Read Conditions, of all patients",
                "Leer Problemas de salud, de todos los pacientes",
            ),
            ("user/Practitioner.read", "Read Practitioners", "Leer Profesionales de la salud"),
            (
                "patient/Goal.write",
                "Change Goals; it opens nothing here, where records are only read",
                "Cambiar Metas; aquí no da acceso a nada, porque los registros solo se leen",
            ),
            ("openid", "Know who you are, by signing you in", "Saber quién es usted, al iniciar su sesión"),
        ] {
            assert_eq!(says(scope), [english, spanish], "{scope}");
        }
        let [english, spanish] = says("patient/*.read");
        assert!(english.starts_with("Read 22 kinds of records (Patient Details, Allergies"), "{english}");
        assert!(spanish.starts_with("Leer 22 tipos de registros (Datos del paciente, Alergias"), "{spanish}");
        assert!(!english.contains("Dispensed") && says("system/*.rs")[0].contains("Files"));
        for scope in OF_APPS {
            let [english, spanish] = says(scope);
            assert_ne!(english, spanish, "{scope}");
        }
    }
}
