//! The scope decision table: for each type, whether a list of scopes opens it, by which scope, and if not, why
//! (decisions 16, 17 and 21). It is made by [`Grant::rules`], as the permission of each request is.

use serde::Serialize;

use super::grant::{AccessRule, Grant};
use super::scope::{Action, Level, ResourceScope, Scope, ScopeSet, wildcard};
use crate::fhir::{Id, ResourceType};

/// The meaning of one scope of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopeLine {
    /// The scope, as written.
    pub scope: String,
    /// A sentence about what the scope allows.
    pub says: String,
    /// The reason, if the text is no scope.
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
    pub kind: &'static str,
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
}

impl ScopeTable {
    /// Parses a blank-separated list, for a token of a user, with this patient in context, if any.
    #[must_use]
    pub fn new(text: &str, patient: Option<&str>) -> Self {
        let mut lines: Vec<ScopeLine> = Vec::new();
        let mut good = Vec::new();
        for part in text.split(' ').filter(|part| !part.is_empty()) {
            if lines.iter().any(|line| line.scope == part) {
                continue;
            }
            let (says, refused) = match Scope::parse(part) {
                Ok(scope) => {
                    good.push(part);
                    (scope.says(), None)
                }
                Err(error) => ("Nothing".to_owned(), Some(format!("This is no scope: {}.", error.reason))),
            };
            lines.push(ScopeLine { scope: part.to_owned(), says, refused });
        }
        let grant = Grant {
            patient: patient.and_then(Id::parse),
            user: Some(String::new()),
            scopes: ScopeSet::parse(&good.join(" ")).unwrap_or_default(),
            ..Grant::default()
        };
        Self { lines, grant }
    }

    /// The scopes in the order in which they were written, each once.
    #[must_use]
    pub fn lines(&self) -> &[ScopeLine] {
        &self.lines
    }

    /// A row for each served type.
    #[must_use]
    pub fn rows(&self) -> Vec<ScopeRow> {
        let row = |kind: &ResourceType| ScopeRow {
            kind: kind.name(),
            read: self.cell(*kind, Action::Read),
            search: self.cell(*kind, Action::Search),
        };
        ResourceType::ALL.iter().map(row).collect()
    }

    fn cell(&self, kind: ResourceType, action: Action) -> Cell {
        let rules = self.grant.rules(kind, action);
        let alone = |scope: &str| {
            let scopes = ScopeSet::parse(scope).unwrap_or_default();
            !Grant { scopes, ..self.grant.clone() }.rules(kind, action).is_empty()
        };
        let by: Vec<_> = self.written().filter(|(scope, _)| alone(scope)).map(|(scope, _)| scope.to_owned()).collect();
        let open = !rules.is_empty();
        let narrowed = open && rules.iter().all(|rule| !rule.only.is_empty());
        Cell {
            open,
            by,
            narrowed: narrowed.then(|| rules.iter().map(condition).collect()),
            why: (!open).then(|| self.why(kind, action)),
        }
    }

    fn written(&self) -> impl Iterator<Item = (&str, &ResourceScope)> {
        self.grant.scopes.iter().filter_map(|(written, scope)| match scope {
            Scope::Resource(scope) => Some((written, scope)),
            Scope::Other(_) => None,
        })
    }

    /// The reason why no scope opens the type. It names the scope that comes closest.
    fn why(&self, kind: ResourceType, action: Action) -> String {
        let lists = |level| wildcard(level).any(|listed| listed == kind);
        let mut named =
            self.written().filter(|(_, scope)| scope.kind.map_or_else(|| lists(scope.level), |own| own == kind));
        if let Some((written, scope)) = named.next() {
            if scope.opens(kind, action) {
                return format!("{written} opens nothing without a patient in the token.");
            }
            return match (action, scope.read || scope.search) {
                (Action::Read, true) => format!("{written} opens searching {kind}, not reading it by id."),
                (Action::Search, true) => format!("{written} opens reading {kind} by id, not searching it."),
                (_, false) => format!("{written} is for changes, and this service only reads."),
            };
        }
        if let Some((written, scope)) = self.written().find(|(_, scope)| scope.kind.is_none()) {
            let level = scope.level.name();
            return format!("{kind} is not in {written}: it would need {level}/{kind}.read.");
        }
        let level = self.written().map(|(_, scope)| scope.level).min().unwrap_or(Level::Patient);
        format!("No scope names {kind}: it would need {}/{kind}.read.", level.name())
    }
}

/// The filters of an access rule in words: `category is laboratory and status is final`.
#[must_use]
pub fn condition(rule: &AccessRule) -> String {
    rule.only.iter().map(crate::search::Clause::in_short).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;

    fn cell(scopes: &str, kind: T, action: Action) -> Cell {
        ScopeTable::new(scopes, Some("a")).cell(kind, action)
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
        let why = |scopes: &str, kind, action| cell(scopes, kind, action).why.unwrap();
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
        let nobody = ScopeTable::new("patient/*.read", None);
        assert_eq!(
            nobody.cell(T::Goal, Action::Read).why.unwrap(),
            "patient/*.read opens nothing without a patient in the token."
        );
    }

    #[test]
    fn a_part_that_is_no_scope_has_a_line_with_the_reason() {
        let table = ScopeTable::new("patient/Foo.read  openid openid patient/Goal.read", None);
        let refused: Vec<_> = table.lines().iter().map(|line| (line.scope.as_str(), line.refused.is_some())).collect();
        assert_eq!(refused, [("patient/Foo.read", true), ("openid", false), ("patient/Goal.read", false)]);
        assert_eq!(table.rows().len(), T::ALL.len());
    }
}
