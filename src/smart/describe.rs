//! Scopes in words for patients, as the consent page, the browser and the command line show them. `search/describe.rs`
//! does the same for queries.

use super::compartment::is_directory;
use super::scope::{Level, ResourceScope, Scope, wildcard};
use fhir::Language;
use search::Clause;

impl Scope {
    /// A sentence about what the scope allows, without its full stop.
    #[must_use]
    pub fn describe(&self, language: Language) -> String {
        match self {
            Self::Resource(scope) => scope.describe(language),
            Self::Other(name) => language.of(other(name)).to_owned(),
        }
    }
}

fn other(name: &str) -> [&'static str; 2] {
    match name {
        "openid" => ["Know who you are, by signing you in", "Saber quién es usted, al iniciar su sesión"],
        "fhirUser" => [
            "Know which record describes you, a patient's or a practitioner's, and read that one",
            "Saber qué registro lo describe a usted, de paciente o de profesional, y leer ese registro",
        ],
        "profile" => {
            ["Know your profile; it opens nothing further here", "Conocer su perfil; aquí no da acceso a nada más"]
        }
        "launch" => [
            "Start from within a medical record, with what is open there",
            "Comenzar desde un expediente médico, con lo que esté abierto en él",
        ],
        "launch/patient" => {
            ["Have you choose the patient whom it is about", "Pedirle que elija el paciente del que se trata"]
        }
        "launch/encounter" => {
            ["Have you choose the visit that it is about", "Pedirle que elija la consulta de la que se trata"]
        }
        "offline_access" => [
            "Stay connected while you do not use it, until you withdraw it",
            "Mantener la conexión cuando usted no use la aplicación, hasta que le retire el acceso",
        ],
        "online_access" => {
            ["Stay connected as long as you are signed in", "Mantener la conexión mientras tenga la sesión iniciada"]
        }
        "metrics" => ["See how the server is doing", "Ver cómo funciona el servidor"],
        _ => ["Something that opens no records", "Algo que no da acceso a registros"],
    }
}

/// The filters of a scope in words, with the words between two of them: `category is laboratory and status is final`.
#[must_use]
pub fn conditions(only: &[Clause], language: Language, and: [&'static str; 2]) -> String {
    let all: Vec<_> = only.iter().map(|clause| clause.in_short(language)).collect();
    all.join(language.of(and))
}

impl ResourceScope {
    fn describe(&self, language: Language) -> String {
        let verb = match (self.read, self.search) {
            (true, true) => ["Read", "Leer"],
            (true, false) => ["Read, one by one and not by searching,", "Leer, uno por uno y sin buscar,"],
            (false, true) => ["Search", "Buscar"],
            (false, false) => ["Change", "Cambiar"],
        };
        let (verb, what) = (language.of(verb), self.describe_resources(language));
        if !self.read && !self.search {
            let reads = [
                "it opens nothing here, where records are only read",
                "aquí no da acceso a nada, porque los registros solo se leen",
            ];
            return format!("{verb} {what}; {}", language.of(reads));
        }
        let only = conditions(&self.only, language, [" and whose ", " y "]);
        let only = if only.is_empty() { only } else { format!("{}{only}", language.of([" whose ", ", solo si "])) };
        format!("{verb} {what}{only}{}", language.of(self.of()))
    }

    fn describe_resources(&self, language: Language) -> String {
        match self.resource_type {
            Some(resource_type) => resource_type.title(language).to_owned(),
            None => {
                let all: Vec<_> = wildcard(self.level).map(|resource_type| resource_type.title(language)).collect();
                let kinds = language.of(["kinds of records", "tipos de registros"]);
                format!("{} {kinds} ({})", all.len(), all.join(", "))
            }
        }
    }

    /// The patients, as a part of the sentence. It is empty for the patient in context.
    fn of(&self) -> [&'static str; 2] {
        match (self.level, self.resource_type) {
            (_, Some(resource_type)) if is_directory(resource_type) => [""; 2],
            (Level::Patient, _) => [""; 2],
            (Level::User, _) => [", of every patient whom you may see", ", de todos los pacientes que usted puede ver"],
            (Level::System, _) => [", of all patients", ", de todos los pacientes"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(scope: &str) -> String {
        Scope::parse(scope).unwrap().describe(Language::English)
    }

    #[test]
    fn scopes_are_said_in_words() {
        for (scope, expected) in [
            ("patient/Observation.read", "Read Observations"),
            ("patient/Observation.rs?category=http://s|laboratory", "Read Observations whose category is laboratory"),
            (
                "patient/Observation.rs?category=laboratory,survey&status=final",
                "Read Observations whose category is laboratory or survey and whose status is final",
            ),
            ("patient/Condition.r", "Read, one by one and not by searching, Conditions"),
            ("user/Condition.s", "Search Conditions, of every patient whom you may see"),
            ("system/Condition.read", "Read Conditions, of all patients"),
            ("user/Practitioner.read", "Read Practitioners"),
            ("patient/Condition.write", "Change Conditions; it opens nothing here, where records are only read"),
            ("openid", "Know who you are, by signing you in"),
        ] {
            assert_eq!(says(scope), expected, "{scope}");
        }
        let all = says("patient/*.read");
        assert!(all.starts_with("Read 22 kinds of records (Patient Details, Allergies"), "{all}");
        assert!(!all.contains("Dispensed") && says("system/*.rs").contains("Files"));
    }

    #[test]
    fn scopes_are_said_in_spanish() {
        let in_spanish = |scope: &str| Scope::parse(scope).unwrap().describe(Language::Spanish);
        for (scope, expected) in [
            ("patient/Immunization.read", "Leer Vacunas"),
            (
                "patient/Observation.rs?category=http://s|laboratory,survey&status=final",
                "Leer Observaciones, solo si la categoría es laboratory o survey y el estado es final",
            ),
            ("patient/AllergyIntolerance.r", "Leer, uno por uno y sin buscar, Alergias e intolerancias"),
            ("user/Condition.s", "Buscar Problemas de salud, de todos los pacientes que usted puede ver"),
            ("patient/Goal.write", "Cambiar Metas; aquí no da acceso a nada, porque los registros solo se leen"),
            ("openid", "Saber quién es usted, al iniciar su sesión"),
        ] {
            assert_eq!(in_spanish(scope), expected, "{scope}");
        }
        assert!(in_spanish("patient/*.read").starts_with("Leer 22 tipos de registros (Datos del paciente, Alergias"));
        for scope in [
            "fhirUser",
            "profile",
            "launch",
            "launch/patient",
            "launch/encounter",
            "offline_access",
            "online_access",
            "metrics",
        ] {
            assert_ne!(in_spanish(scope), says(scope), "{scope}");
        }
    }
}
