//! The scope decision table: for each type, whether a list of scopes opens it, which scopes do, and otherwise the
//! reason. It uses [`Grant::rules`], as the permission of each request does.

use serde::Serialize;

use super::describe::all_of;
use super::grant::{AccessRule, Grant};
use super::scope::{Action, Level, ResourceScope, Scope, ScopeSet, wildcard};
use super::words::Texts;
use fhir::{Id, Language, ResourceType};

/// The meaning of one scope of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopeLine {
    /// The scope, as written.
    pub scope: String,
    /// A sentence about what the scope allows, in the language of the table.
    pub says: String,
    /// The reason why the text is not a scope, if so. It is in English, for developers.
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
    /// The conditions, one of which must hold, if the scopes open only some of the resources.
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

/// A parsed list of scopes. A part that is not a scope opens nothing and has a reason; the other parts still count.
#[derive(Debug, Clone)]
pub struct ScopeTable {
    lines: Vec<ScopeLine>,
    grant: Grant,
    language: Language,
}

impl ScopeTable {
    /// Parses a blank-separated list, for a user's token with this patient in context, if any.
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
                    let nothing = Texts::of(language).no_scope.to_owned();
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

    /// Returns the scopes in the order in which they are written, without duplicates.
    pub fn lines(&self) -> &[ScopeLine] {
        &self.lines
    }

    /// Returns a row for each served type.
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
        self.grant.scopes.iter().filter_map(|(written, scope)| Some((written, scope.resources()?)))
    }

    /// Returns the reason why no scope opens the type. It names the scope that comes closest.
    fn explain_closed(&self, resource_type: ResourceType, action: Action) -> String {
        let texts = Texts::of(self.language);
        let lists = |level| wildcard(level).any(|listed| listed == resource_type);
        let mut named = self
            .written()
            .filter(|(_, scope)| scope.resource_type.map_or_else(|| lists(scope.level), |own| own == resource_type));
        if let Some((written, scope)) = named.next() {
            let why = if scope.opens(resource_type, action) {
                texts.without_patient
            } else if !scope.read && !scope.search {
                texts.for_changes
            } else if action == Action::Read {
                texts.only_searches
            } else {
                texts.only_reads
            };
            return why.replace("{type}", resource_type.name()).replace("{}", written);
        }
        let Texts { would_need, is_not_in, nothing_names, .. } = texts;
        if let Some((written, scope)) = self.written().find(|(_, scope)| scope.resource_type.is_none()) {
            let level = scope.level.name();
            return format!("{resource_type} {is_not_in} {written}: {would_need} {level}/{resource_type}.read.");
        }
        let level = self.written().map(|(_, scope)| scope.level).min().unwrap_or(Level::Patient).name();
        format!("{nothing_names} {resource_type}: {would_need} {level}/{resource_type}.read.")
    }
}

/// Returns a description of the filters of an access rule: `category is laboratory and status is final`.
pub fn condition(rule: &AccessRule, language: Language) -> String {
    all_of(&rule.only, language, Texts::of(language).and)
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
    fn a_closed_cell_has_a_reason_in_the_language_of_the_table() {
        let why = |scopes: &str, patient, resource_type, action| {
            let table = |language| ScopeTable::new(scopes, patient, language);
            [Language::English, Language::Spanish]
                .map(|language| table(language).cell(resource_type, action).why.unwrap())
        };
        let [english, spanish] = why("patient/*.read", Some("a"), T::Specimen, Action::Read);
        assert_eq!(english, "Specimen is not in patient/*.read: it would need patient/Specimen.read.");
        assert_eq!(spanish, "Specimen no está en patient/*.read: haría falta patient/Specimen.read.");
        let [english, spanish] = why("openid user/Condition.read", Some("a"), T::Goal, Action::Read);
        assert_eq!(english, "No scope names Goal: it would need user/Goal.read.");
        assert_eq!(spanish, "Ningún permiso nombra Goal: haría falta user/Goal.read.");
        let [english, spanish] = why("patient/Goal.s", Some("a"), T::Goal, Action::Read);
        assert_eq!(english, "patient/Goal.s opens searching Goal, not reading it by id.");
        assert_eq!(spanish, "patient/Goal.s permite buscar Goal, no leerlo por su id.");
        let [english, spanish] = why("patient/Goal.r", Some("a"), T::Goal, Action::Search);
        assert_eq!(english, "patient/Goal.r opens reading Goal by id, not searching it.");
        assert_eq!(spanish, "patient/Goal.r permite leer Goal por su id, no buscarlo.");
        let [_, spanish] = why("openid", Some("a"), T::Goal, Action::Read);
        assert_eq!(spanish, "Ningún permiso nombra Goal: haría falta patient/Goal.read.");
        for action in [Action::Read, Action::Search] {
            let [english, spanish] = why("patient/Goal.write", Some("a"), T::Goal, action);
            assert_eq!(english, "patient/Goal.write is for changes, and this service only reads.");
            assert_eq!(spanish, "patient/Goal.write es para cambios, y este servicio solo lee.");
        }
        let [english, spanish] = why("patient/*.read", None, T::Goal, Action::Read);
        assert_eq!(english, "patient/*.read opens nothing without a patient in the token.");
        assert_eq!(spanish, "patient/*.read no da acceso a nada sin un paciente en el token.");
        let scopes = "patient/Foo.read patient/Goal.rs?lifecycle-status=active,planned";
        let table = ScopeTable::new(scopes, Some("a"), Language::Spanish);
        assert_eq!(table.lines()[0].says, "Nada");
        let narrowed = table.cell(T::Goal, Action::Read).narrowed.unwrap();
        assert_eq!(narrowed, ["lifecycle-status es active o planned"]);
    }

    #[test]
    fn a_part_that_is_no_scope_has_a_line_with_the_reason() {
        let table = ScopeTable::new("patient/Foo.read  openid openid patient/Goal.read", None, Language::English);
        let refused: Vec<_> = table.lines().iter().map(|line| (line.scope.as_str(), line.refused.is_some())).collect();
        assert_eq!(refused, [("patient/Foo.read", true), ("openid", false), ("patient/Goal.read", false)]);
        assert_eq!(table.rows().len(), T::served().len());
    }
}
