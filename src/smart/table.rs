//! The scope decision table: for each type, whether a list of scopes opens it, by which scope, and if not, why.
//! It is made by [`Grant::rules`], as the permission of each request is.

use serde::Serialize;

use super::describe::conditions;
use super::grant::{AccessRule, Grant};
use super::scope::{Action, Level, ResourceScope, Scope, ScopeSet, wildcard};
use crate::fhir::{Id, Language, ResourceType};

/// The meaning of one scope of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopeLine {
    /// The scope, as written.
    pub scope: String,
    /// A sentence about what the scope allows, in the language of the table.
    pub says: String,
    /// The reason, if the text is no scope. It is for developers, and in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A type and an action in the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// True if any scope opens the type.
    pub open: bool,
    /// The scopes that open the type.
    pub by: Vec<String>,
    /// The conditions, one of which must hold, if the scopes open only a part of the resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrowed: Option<Vec<String>>,
    /// The reason, if no scope opens the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The row of a type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopeRow {
    /// The type.
    #[serde(rename = "type")]
    pub resource_type: &'static str,
    /// Reading by id.
    pub read: Cell,
    /// Searching, and being included in a search.
    pub search: Cell,
}

/// A parsed list of scopes. A part that is no scope opens nothing and has a reason; the other parts still count.
#[derive(Debug, Clone)]
pub struct ScopeTable {
    lines: Vec<ScopeLine>,
    grant: Grant,
    language: Language,
}

impl ScopeTable {
    /// Parses a blank-separated list, for a token of a user, with this patient in context, if any.
    #[must_use]
    pub fn new(text: &str, patient: Option<&str>, language: Language) -> Self {
        let mut lines: Vec<ScopeLine> = Vec::new();
        let mut good = Vec::new();
        for part in text.split(' ').filter(|part| !part.is_empty()) {
            if lines.iter().any(|line| line.scope == part) {
                continue;
            }
            let (says, refused) = match Scope::parse(part) {
                Ok(scope) => {
                    good.push(part);
                    (scope.describe(language), None)
                }
                Err(error) => {
                    let nothing = language.of(["Nothing", "Nada"]).to_owned();
                    (nothing, Some(format!("This is no scope: {}.", error.reason)))
                }
            };
            lines.push(ScopeLine { scope: part.to_owned(), says, refused });
        }
        let grant = Grant {
            patient: patient.and_then(Id::parse),
            user: Some(String::new()),
            scopes: ScopeSet::parse(&good.join(" ")).unwrap_or_default(),
            ..Grant::default()
        };
        Self { lines, grant, language }
    }

    /// The scopes in the order in which they were written, each once.
    #[must_use]
    pub fn lines(&self) -> &[ScopeLine] {
        &self.lines
    }

    /// A row for each served type.
    #[must_use]
    pub fn rows(&self) -> Vec<ScopeRow> {
        let row = |resource_type: &ResourceType| ScopeRow {
            resource_type: resource_type.name(),
            read: self.cell(*resource_type, Action::Read),
            search: self.cell(*resource_type, Action::Search),
        };
        ResourceType::served().iter().map(row).collect()
    }

    fn cell(&self, resource_type: ResourceType, action: Action) -> Cell {
        let rules = self.grant.rules(resource_type, action);
        let alone = |scope: &str| {
            let scopes = ScopeSet::parse(scope).unwrap_or_default();
            !Grant { scopes, ..self.grant.clone() }.rules(resource_type, action).is_empty()
        };
        let by: Vec<_> = self.written().filter(|(scope, _)| alone(scope)).map(|(scope, _)| scope.to_owned()).collect();
        let open = !rules.is_empty();
        let narrowed = open && rules.iter().all(|rule| !rule.only.is_empty());
        Cell {
            open,
            by,
            narrowed: narrowed.then(|| rules.iter().map(|rule| condition(rule, self.language)).collect()),
            why: (!open).then(|| self.explain_closed(resource_type, action)),
        }
    }

    fn written(&self) -> impl Iterator<Item = (&str, &ResourceScope)> {
        self.grant.scopes.iter().filter_map(|(written, scope)| match scope {
            Scope::Resource(scope) => Some((written, scope)),
            Scope::Other(_) => None,
        })
    }

    /// The reason why no scope opens the type. It names the scope that comes closest.
    fn explain_closed(&self, resource_type: ResourceType, action: Action) -> String {
        let lists = |level| wildcard(level).any(|listed| listed == resource_type);
        let mut named = self
            .written()
            .filter(|(_, scope)| scope.resource_type.map_or_else(|| lists(scope.level), |own| own == resource_type));
        if let Some((written, scope)) = named.next() {
            let why = if scope.opens(resource_type, action) {
                [
                    "{} opens nothing without a patient in the token.",
                    "{} no da acceso a nada sin un paciente en el token.",
                ]
            } else if !scope.read && !scope.search {
                ["{} is for changes, and this service only reads.", "{} es para cambios, y este servicio solo lee."]
            } else if action == Action::Read {
                ["{} opens searching {type}, not reading it by id.", "{} permite buscar {type}, no leerlo por su id."]
            } else {
                ["{} opens reading {type} by id, not searching it.", "{} permite leer {type} por su id, no buscarlo."]
            };
            return self.language.of(why).replace("{type}", resource_type.name()).replace("{}", written);
        }
        let would_need = self.language.of(["it would need", "haría falta"]);
        if let Some((written, scope)) = self.written().find(|(_, scope)| scope.resource_type.is_none()) {
            let (level, is_not_in) = (scope.level.name(), self.language.of(["is not in", "no está en"]));
            return format!("{resource_type} {is_not_in} {written}: {would_need} {level}/{resource_type}.read.");
        }
        let level = self.written().map(|(_, scope)| scope.level).min().unwrap_or(Level::Patient).name();
        let nothing_names = self.language.of(["No scope names", "Ningún permiso nombra"]);
        format!("{nothing_names} {resource_type}: {would_need} {level}/{resource_type}.read.")
    }
}

/// The filters of an access rule in words: `category is laboratory and status is final`.
#[must_use]
pub fn condition(rule: &AccessRule, language: Language) -> String {
    conditions(&rule.only, language, [" and ", " y "])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;

    fn cell(scopes: &str, resource_type: T, action: Action) -> Cell {
        ScopeTable::new(scopes, Some("a"), Language::English).cell(resource_type, action)
    }

    #[test]
    fn a_cell_names_the_scopes_that_open_it() {
        let cell = cell(
            "openid patient/*.read patient/Observation.rs?category=x user/Condition.read",
            T::Observation,
            Action::Read,
        );
        assert!(cell.open && cell.narrowed.is_none() && cell.why.is_none());
        assert_eq!(cell.by, ["patient/*.read", "patient/Observation.rs?category=x"]);
    }

    #[test]
    fn a_partly_open_cell_has_its_conditions() {
        let scopes = "patient/Observation.rs?category=http://s|laboratory patient/Observation.rs?code=k&status=final";
        let cell = cell(scopes, T::Observation, Action::Search);
        assert_eq!(cell.narrowed.unwrap(), ["category is laboratory", "code is k and status is final"]);
    }

    #[test]
    fn a_closed_cell_has_a_reason() {
        let why = |scopes: &str, resource_type, action| cell(scopes, resource_type, action).why.unwrap();
        assert_eq!(
            why("patient/*.read", T::MedicationDispense, Action::Read),
            "MedicationDispense is not in patient/*.read: it would need patient/MedicationDispense.read."
        );
        assert_eq!(
            why("openid user/Condition.read", T::Goal, Action::Read),
            "No scope names Goal: it would need user/Goal.read."
        );
        assert_eq!(
            why("patient/Goal.s", T::Goal, Action::Read),
            "patient/Goal.s opens searching Goal, not reading it by id."
        );
        assert_eq!(
            why("patient/Goal.r", T::Goal, Action::Search),
            "patient/Goal.r opens reading Goal by id, not searching it."
        );
        assert_eq!(
            why("patient/Goal.write", T::Goal, Action::Search),
            "patient/Goal.write is for changes, and this service only reads."
        );
        let nobody = ScopeTable::new("patient/*.read", None, Language::English);
        assert_eq!(
            nobody.cell(T::Goal, Action::Read).why.unwrap(),
            "patient/*.read opens nothing without a patient in the token."
        );
    }

    #[test]
    fn a_part_that_is_no_scope_has_a_line_with_the_reason() {
        let table = ScopeTable::new("patient/Foo.read  openid openid patient/Goal.read", None, Language::English);
        let refused: Vec<_> = table.lines().iter().map(|line| (line.scope.as_str(), line.refused.is_some())).collect();
        assert_eq!(refused, [("patient/Foo.read", true), ("openid", false), ("patient/Goal.read", false)]);
        assert_eq!(table.rows().len(), T::served().len());
    }

    #[test]
    fn a_table_is_in_one_language() {
        let why = |scopes: &str, patient, resource_type, action| {
            ScopeTable::new(scopes, patient, Language::Spanish).cell(resource_type, action).why.unwrap()
        };
        for (scopes, patient, action, expected) in [
            ("patient/*.read", None, Action::Read, "patient/*.read no da acceso a nada sin un paciente en el token."),
            ("patient/Goal.s", Some("a"), Action::Read, "patient/Goal.s permite buscar Goal, no leerlo por su id."),
            ("patient/Goal.r", Some("a"), Action::Search, "patient/Goal.r permite leer Goal por su id, no buscarlo."),
            (
                "patient/Goal.write",
                Some("a"),
                Action::Read,
                "patient/Goal.write es para cambios, y este servicio solo lee.",
            ),
            ("openid", Some("a"), Action::Read, "Ningún permiso nombra Goal: haría falta patient/Goal.read."),
        ] {
            assert_eq!(why(scopes, patient, T::Goal, action), expected);
        }
        assert_eq!(
            why("patient/*.read", Some("a"), T::Specimen, Action::Read),
            "Specimen no está en patient/*.read: haría falta patient/Specimen.read."
        );
        let table = ScopeTable::new(
            "patient/Foo.read patient/Goal.rs?lifecycle-status=active,planned",
            Some("a"),
            Language::Spanish,
        );
        assert_eq!(table.lines()[0].says, "Nada");
        let narrowed = table.cell(T::Goal, Action::Read).narrowed.unwrap();
        assert_eq!(narrowed, ["lifecycle-status es active o planned"]);
    }
}
