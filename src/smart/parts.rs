//! The scopes that a person grants of those that an app requests: the ticked ones, or parts of them. A part is a scope
//! with a filter by category instead of the whole type. The parts are the categories for which servers of US Core have
//! to support such scopes, in the syntax of version 2 (US Core, "SMART on FHIR Obligations and Capabilities").

use super::scope::{Level, ResourceScope, Scope, ScopeSet, wildcard};
use super::words::Texts;
use fhir::{Language, ResourceType};

/// A function that returns the title of a part in a language.
type Title = fn(&Texts) -> &'static str;

/// A part of a scope: the resources of one category.
#[derive(Debug, Clone, Copy)]
pub struct ScopePart {
    resource_type: ResourceType,
    system: &'static str,
    code: &'static str,
    title: Title,
}

const CONDITION_CATEGORY: &str = "http://terminology.hl7.org/CodeSystem/condition-category";
const US_CORE_CONDITION_CATEGORY: &str = "http://hl7.org/fhir/us/core/CodeSystem/condition-category";
const OBSERVATION_CATEGORY: &str = "http://terminology.hl7.org/CodeSystem/observation-category";
const US_CORE_CATEGORY: &str = "http://hl7.org/fhir/us/core/CodeSystem/us-core-category";

const fn part(resource_type: ResourceType, system: &'static str, code: &'static str, title: Title) -> ScopePart {
    ScopePart { resource_type, system, code, title }
}

const CONDITION: ResourceType = ResourceType::Condition;
const OBSERVATION: ResourceType = ResourceType::Observation;

/// Every part, in the order of the page.
const PARTS: [ScopePart; 9] = [
    part(CONDITION, CONDITION_CATEGORY, "problem-list-item", |texts| texts.problem_list),
    part(CONDITION, CONDITION_CATEGORY, "encounter-diagnosis", |texts| texts.diagnoses),
    part(CONDITION, US_CORE_CONDITION_CATEGORY, "health-concern", |texts| texts.concerns),
    part(OBSERVATION, OBSERVATION_CATEGORY, "laboratory", |texts| texts.laboratory),
    part(OBSERVATION, OBSERVATION_CATEGORY, "vital-signs", |texts| texts.vital_signs),
    part(OBSERVATION, OBSERVATION_CATEGORY, "procedure", |texts| texts.tests),
    part(OBSERVATION, OBSERVATION_CATEGORY, "social-history", |texts| texts.habits),
    part(OBSERVATION, OBSERVATION_CATEGORY, "survey", |texts| texts.survey),
    part(OBSERVATION, US_CORE_CATEGORY, "sdoh", |texts| texts.social_needs),
];

/// Returns the parts that can be granted instead of a scope. Only `patient` scopes for a whole type have parts.
pub fn parts(scope: &Scope) -> impl Iterator<Item = ScopePart> {
    let is_unfiltered =
        |scope: &&ResourceScope| scope.level == Level::Patient && (scope.read || scope.search) && scope.only.is_empty();
    let unfiltered = scope.resources().filter(is_unfiltered).and_then(|scope| scope.resource_type);
    PARTS.into_iter().filter(move |part| Some(part.resource_type) == unfiltered)
}

/// Returns the scopes of a level that open a part of a type (US Core, "SMART Scopes").
pub fn part_scopes(level: Level) -> impl Iterator<Item = String> {
    PARTS.into_iter().map(move |part| part.of_level(level))
}

/// Returns the scopes that a person grants: the ticked requested ones, without what another choice excludes.
///
/// - Resources that an unticked scope opens are removed from the other scopes that open them, at each level, in either
///   syntax, by type or by wildcard. Ticked scopes that open less are kept: by a filter, or for a type where a wildcard
///   is unticked.
/// - If parts of a type are chosen, the scopes that open this type open only those parts.
///
/// A wildcard that loses a type becomes the list of its remaining types.
///
/// ```
/// use smart::{ScopeSet, granted_scopes};
///
/// let requested = ScopeSet::parse("patient/Goal.rs user/Goal.read user/Goal.rs patient/Goal.s").unwrap();
/// let granted = |unticked: &str| granted_scopes(&requested, |written| written != unticked, &[]).to_string();
/// assert_eq!(granted("patient/Goal.rs"), "");
/// assert_eq!(granted("user/Goal.rs"), "");
/// assert_eq!(granted("patient/Goal.s"), "patient/Goal.r user/Goal.r");
/// ```
pub fn granted_scopes(requested: &ScopeSet, is_ticked: impl Fn(&str) -> bool, parts: &[ScopePart]) -> ScopeSet {
    let (ticked, unticked): (Vec<_>, Vec<_>) = requested.iter().partition(|(written, _)| is_ticked(written));
    let unticked: Vec<_> = unticked.into_iter().filter_map(|(_, scope)| scope.resources()).collect();
    let granted = ticked.into_iter().flat_map(|(written, scope)| {
        let narrowed = scope.resources().and_then(|scope| narrowed(written, scope, &unticked, parts));
        narrowed.unwrap_or_else(|| vec![written.to_owned()])
    });
    granted.filter_map(|written| Scope::parse(&written).ok().map(|scope| (written, scope))).collect()
}

/// Returns the other requested scopes that open less if this one is unticked ([`granted_scopes`]).
pub fn closed_with<'a>(
    requested: &'a ScopeSet,
    (written, unticked): (&'a str, &'a Scope),
) -> impl Iterator<Item = &'a str> {
    let others = requested.iter().filter(move |(other, _)| *other != written);
    others.filter_map(move |(other, scope)| {
        narrowed(other, scope.resources()?, &[unticked.resources()?], &[]).map(|_| other)
    })
}

/// Returns the scopes that are granted instead of a ticked one. `None` if the scope is granted as written.
fn narrowed(
    written: &str,
    scope: &ResourceScope,
    unticked: &[&ResourceScope],
    parts: &[ScopePart],
) -> Option<Vec<String>> {
    let is_left = |name: Option<ResourceType>, opens: fn(&ResourceScope) -> bool| {
        let closes = |other: &&ResourceScope| {
            let is_of_it = scope.only.iter().all(|clause| other.only.contains(clause));
            other.resource_type == name && opens(other) && is_of_it
        };
        opens(scope) && !unticked.iter().any(closes)
    };
    let filter = written.split_once('?').map(|(_, filter)| filter);
    let types = scope.resource_type.map_or_else(|| wildcard(scope.level).collect(), |name| vec![name]);
    let (mut is_whole, mut granted) = (true, Vec::new());
    for name in types {
        let opens = |access| is_left(scope.resource_type, access) && is_left(Some(name), access);
        let (read, search) = (opens(|scope| scope.read), opens(|scope| scope.search));
        let of_parts: Vec<_> =
            parts.iter().filter(|part| part.resource_type == name).map(|part| part.filter()).collect();
        let is_in_part = |filter: &str| filter.split('&').any(|one| of_parts.iter().any(|part| part == one));
        let is_as_asked = of_parts.is_empty() || filter.is_some_and(is_in_part);
        is_whole &= is_as_asked && (read, search) == (scope.read, scope.search);
        let access = match (read, search) {
            (true, true) => "rs",
            (true, false) => "r",
            (false, true) => "s",
            (false, false) => continue,
        };
        let unfiltered = format!("{}/{}.{access}", scope.level.name(), name.name());
        match filter {
            None if is_as_asked => granted.push(unfiltered),
            Some(filter) if is_as_asked => granted.push(format!("{unfiltered}?{filter}")),
            None => granted.extend(of_parts.iter().map(|part| format!("{unfiltered}?{part}"))),
            Some(_) => {}
        }
    }
    (!is_whole).then_some(granted)
}

impl PartialEq for ScopePart {
    /// Compares the filters. A filter by category identifies a part; its title does not.
    fn eq(&self, other: &Self) -> bool {
        (self.resource_type, self.system, self.code) == (other.resource_type, other.system, other.code)
    }
}

impl Eq for ScopePart {}

impl ScopePart {
    /// Returns the granted scope.
    pub fn written(self) -> String {
        self.of_level(Level::Patient)
    }

    fn of_level(self, level: Level) -> String {
        format!("{}/{}.rs?{}", level.name(), self.resource_type.name(), self.filter())
    }

    fn filter(self) -> String {
        format!("category={}|{}", self.system, self.code)
    }

    /// Returns a description of the resources for patients.
    pub fn title(self, language: Language) -> &'static str {
        (self.title)(Texts::of(language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Grant};
    use fhir::Id;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{select, subsequence};

    fn parts_of(scope: &str) -> Vec<String> {
        parts(&Scope::parse(scope).unwrap()).map(ScopePart::written).collect()
    }

    #[test]
    fn only_a_whole_type_of_a_patient_has_parts() {
        for whole in
            ["patient/Condition.rs", "patient/Condition.read", "patient/Condition.cruds", "patient/Condition.r"]
        {
            assert_eq!(parts_of(whole).len(), 3, "{whole}");
        }
        assert_eq!(parts_of("patient/Observation.rs").len(), 6);
        let all = "user/Condition.rs system/Condition.rs patient/*.rs patient/Condition.write patient/Procedure.rs \
            patient/Condition.rs?category=x|problem-list-item launch/patient"
            .split(' ');
        for none in all {
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

    #[test]
    fn cs19_what_is_unticked_or_narrowed_is_closed_in_the_other_scopes_too() {
        const PROBLEMS: &str = "category=http://terminology.hl7.org/CodeSystem/condition-category|problem-list-item";
        // The unticked scopes follow `-`. `+` means that the part is ticked.
        for (requested, unticked, is_part, granted) in [
            ("patient/*.r patient/Condition.r", "patient/*.r", false, "patient/Condition.r"),
            ("patient/*.read user/*.read", "user/*.read", false, ""),
            ("patient/*.read user/*.read", "patient/*.read", false, ""),
            ("patient/*.read patient/*.rs", "patient/*.rs", false, ""),
            ("patient/Condition.read user/Condition.read", "patient/Condition.read", false, ""),
            ("patient/Condition.read user/Condition.read", "user/Condition.read", false, ""),
            ("patient/Condition.r user/Condition.rs", "user/Condition.rs", false, ""),
            ("patient/Condition.rs user/Condition.r", "user/Condition.r", false, "patient/Condition.s"),
            ("patient/Condition.rs?$ user/Condition.rs", "user/Condition.rs", false, "patient/Condition.rs?$"),
            ("patient/Condition.rs user/*.rs", "user/*.rs", false, "patient/Condition.rs"),
            ("patient/Condition.read patient/Condition.rs", "patient/Condition.rs", false, ""),
            ("patient/Condition.r patient/Condition.s", "patient/Condition.s", false, "patient/Condition.r"),
            ("patient/Condition.cruds patient/Condition.s", "patient/Condition.s", false, "patient/Condition.r"),
            ("patient/Condition.rs patient/Condition.rs?$", "patient/Condition.rs?$", false, ""),
            ("patient/Condition.rs patient/Condition.rs?$", "patient/Condition.rs", false, "patient/Condition.rs?$"),
            ("patient/Condition.read user/Condition.r", "", true, "patient/Condition.rs?$ user/Condition.r?$"),
            ("patient/Condition.r patient/Condition.s", "", true, "patient/Condition.r?$ patient/Condition.s?$"),
            ("patient/Condition.r patient/Condition.s?category=x", "", true, "patient/Condition.r?$"),
            (
                "patient/Condition.r patient/Condition.s?code=x&$",
                "",
                true,
                "patient/Condition.r?$ patient/Condition.s?code=x&$",
            ),
        ] {
            let [requested, granted] = [requested, granted].map(|text| text.replace('$', PROBLEMS));
            let parts = if is_part { &PARTS[..1] } else { &[] };
            let requested = ScopeSet::parse(&requested).unwrap();
            let unticked = unticked.replace('$', PROBLEMS);
            assert_eq!(
                granted_scopes(&requested, |written| written != unticked, parts).to_string(),
                granted,
                "{requested}"
            );
        }
        for (unticked, is_part) in [("patient/Condition.read", false), ("", true)] {
            let requested = ScopeSet::parse("patient/*.read patient/Condition.read").unwrap();
            let parts = if is_part { &PARTS[..1] } else { &[] };
            let granted = granted_scopes(&requested, |written| written != unticked, parts);
            assert_eq!(granted.resource_scopes().count(), 21 + usize::from(is_part));
            let of_conditions = granted.resource_scopes().filter(|scope| scope.opens(CONDITION, Action::Read));
            assert!(of_conditions.eq(Scope::parse(&PARTS[0].written()).unwrap().resources().filter(|_| is_part)));
        }
    }

    fn requested() -> impl Strategy<Value = ScopeSet> {
        let names = select(&["*", "*", "Condition", "Condition", "Observation", "Goal"][..]);
        let access = select(&["read", "rs", "r", "s", "*", "write"][..]);
        let filter = select(&["", "", "", "0", "1", "0&code=x"][..]);
        let one =
            (select(&["patient", "user"][..]), names, access, filter).prop_map(|(level, name, access, filter)| {
                let filter = if filter.is_empty() || name == "*" || name == "Goal" {
                    String::new()
                } else {
                    format!("?{filter}")
                };
                let filter = filter.replace('0', &PARTS[0].filter()).replace('1', &PARTS[3].filter());
                format!("{level}/{name}.{access}{filter}")
            });
        vec(one, 1..6).prop_map(|scopes| ScopeSet::parse(&scopes.join(" ")).unwrap())
    }

    proptest! {
        #[test]
        fn cs19_no_rule_of_the_grant_opens_more_than_was_chosen(
            requested in requested(),
            ticks in vec(prop::bool::weighted(0.7), 6),
            parts in subsequence(PARTS.to_vec(), 0..3),
        ) {
            let at = |written: &str| requested.iter().position(|(other, _)| other == written).unwrap();
            let is_ticked = |written: &str| ticks[at(written)];
            let granted = granted_scopes(&requested, is_ticked, &parts);
            // Every granted resource is opened by a ticked scope.
            let ticked = requested.retained(|written, _| is_ticked(written));
            for (written, scope) in granted.iter() {
                prop_assert!(ticked.covers(scope), "{written}");
            }
            let grant = Grant {
                patient: Id::parse("p"),
                user: Some("u".to_owned()),
                scopes: granted.clone(),
                ..Grant::default()
            };
            let clauses: Vec<_> = parts.iter().map(|part| Scope::parse(&part.written()).unwrap()).collect();
            for name in [CONDITION, OBSERVATION, ResourceType::Goal, ResourceType::Procedure] {
                for action in [Action::Read, Action::Search] {
                    let rules = grant.rules(name, action);
                    for (_, scope) in requested.iter().filter(|(written, _)| !is_ticked(written)) {
                        let scope = scope.resources().unwrap();
                        let is_named = scope.resource_type.is_some() || !granted.iter().any(|(_, one)| {
                            one.resources().unwrap().resource_type == Some(name)
                        });
                        let is_whole =
                            rules.iter().any(|rule| rule.only.iter().all(|clause| scope.only.contains(clause)));
                        prop_assert!(!(scope.opens(name, action) && is_named && is_whole), "{granted}");
                    }
                    let of_type: Vec<_> = clauses.iter().filter_map(Scope::resources).filter(|s| s.resource_type == Some(name)).collect();
                    for scope in granted.resource_scopes().filter(|scope| !of_type.is_empty() && scope.opens(name, action)) {
                        prop_assert!(of_type.iter().any(|part| scope.only.contains(&part.only[0])), "{granted}");
                    }
                }
            }
            // All requested scopes can be granted as written, and the page shows what unticking a box excludes.
            prop_assert_eq!(&granted_scopes(&requested, |_| true, &[]), &requested);
            for (written, scope) in requested.iter() {
                let closes: Vec<_> = closed_with(&requested, (written, scope)).collect();
                let without = granted_scopes(&requested, |other| other != written, &[]);
                let same = |other: &str| other != written && !closes.contains(&other);
                prop_assert!(requested.iter().all(|(other, _)| same(other) == without.iter().any(|(one, _)| one == other)));
            }
        }
    }
}
