//! The search parameters that are served: those that `src/tables/served.tsv` names, with the facts of
//! [their definitions](super::definition) and the differences that the table says. The parser, the extractor, the
//! stores, the CapabilityStatement and `docs/search-parameters.md` all read this one table.

use std::sync::LazyLock;

use super::clinical_order::clinical_order;
use super::definition::{ANY_TYPE, Definition, Meaning, types};
use super::kind::Kind;
use super::param::Param;
use super::param_id::ParamId;
use super::us_core;
use crate::fhir::{ResourceType as T, words};

/// The parameters that every type has.
const SHARED: [&str; 2] = ["_id", "_lastUpdated"];

/// The parameters of each type of R4, by index. A served type has those of [`SHARED`] first, and then those of its
/// line, in the same order.
static PARAMS: LazyLock<Vec<Vec<Param>>> = LazyLock::new(|| {
    let of = |on| named_in_table(on).filter_map(|word| served(on, word).ok()).collect();
    T::all().map(of).collect()
});

/// The parameters of a type as the table names them, with a star behind those that need no patient.
fn named_in_table(on: T) -> impl Iterator<Item = &'static str> {
    on.choices().into_iter().flat_map(|choices| SHARED.into_iter().chain(words(choices.parameters)))
}

/// The name of the parameters of [`presence`], which no query can ask for.
const PRESENCE: &str = "_present";

/// The parameter of each type of R4 whose values are the names of other parameters, by index. `None` if the type is not
/// served.
static PRESENCES: LazyLock<Vec<Option<Param>>> = LazyLock::new(|| {
    let of = |on| {
        Some(Param {
            on,
            name: PRESENCE,
            kind: Kind::TOKEN,
            paths: &[],
            elements: &[],
            clinical: false,
            identifying: false,
            repeats: false,
            unless: None,
            via: None,
            included: &[],
            definition: None,
            id: ParamId::of_param(on, PRESENCE)?,
        })
    };
    T::all().map(of).collect()
});

/// The parameter of a type that a word of the table stands for.
///
/// # Errors
/// If there is no such parameter, searches do not support it, or it has no number; with the reason.
fn served(on: T, word: &'static str) -> Result<Param, &'static str> {
    let name = word.trim_end_matches('*');
    let (definition, via) = match name.split_once('.') {
        _ if SHARED.contains(&name) => (find(ANY_TYPE, name)?, None),
        None => (find(on.name(), name)?, None),
        Some((reference, chained)) => {
            let from = find(on.name(), reference)?.meaning()?;
            let (Some(&[to]), [path]) = (from.kind.targets(), from.paths.as_slice()) else {
                return Err("a chain needs a reference with one path and one target type");
            };
            (find(to.name(), chained)?, Some((*path, to)))
        }
    };
    let Meaning { kind, paths, elements, repeats } = definition.meaning()?;
    let included = match (us_core::included(on, name), kind.targets()) {
        (Some(""), Some(targets)) => targets,
        (Some(targets), _) => types(targets),
        (None, _) => &[],
    };
    let mut param = Param {
        on,
        name,
        kind,
        paths: paths.leak(),
        elements: elements.leak(),
        clinical: false,
        identifying: name != word || kind.is_id(),
        repeats,
        unless: None,
        included,
        definition: via.is_none().then_some(definition.source),
        via,
        id: ParamId::of_param(on, name).ok_or("it has no number in src/tables/parameter-numbers.tsv")?,
    };
    for difference in differences(on) {
        change(&mut param, difference)?;
    }
    param.clinical = kind.is_date() && clinical_order(on).first().is_some_and(|first| first == param.paths);
    Ok(param)
}

fn find(on: &'static str, name: &str) -> Result<Definition, &'static str> {
    Definition::find(on, name).ok_or("neither R4 nor US Core defines it in a way that searches support")
}

/// The differences of a type's parameters from their definitions.
fn differences(on: T) -> impl Iterator<Item = &'static str> {
    let all = on.choices().map(|choices| choices.differences).filter(|all| !all.is_empty());
    all.into_iter().flat_map(|all| all.split("; "))
}

/// Makes a difference to the parameter, if it is about it.
fn change(param: &mut Param, difference: &'static str) -> Result<(), &'static str> {
    let (name, rest) = difference.split_once(' ').unwrap_or((difference, ""));
    if name != param.name {
        return Ok(());
    }
    let (verb, what) = rest.split_once(' ').unwrap_or((rest, ""));
    match (verb, what.split_once(" is ")) {
        ("reads", None) => {
            param.paths = words(what).collect::<Vec<_>>().leak();
            param.elements = param.paths;
        }
        ("to", None) => param.kind = Kind::reference(types(what)),
        ("unless", Some(except)) => param.unless = Some(except),
        _ => return Err("its difference is none of reads, to and unless"),
    }
    Ok(())
}

/// The parameters of a type, `_id` and `_lastUpdated` first.
#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
pub fn params_of(on: T) -> std::slice::Iter<'static, Param> {
    PARAMS[on.index()].iter()
}

/// The parameter under which stores keep what is known of a type's parameters besides their values
/// ([`super::kind::Presence`]).
#[must_use]
#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
pub fn presence(on: T) -> Option<&'static Param> {
    PRESENCES[on.index()].as_ref()
}

/// The parameters of which stores keep facts: those of the type, and last its [`presence`].
pub fn stored_params(on: T) -> impl Iterator<Item = &'static Param> {
    params_of(on).chain(presence(on))
}

/// The parameters of all types.
pub fn params() -> impl Iterator<Item = &'static Param> {
    PARAMS.iter().flatten()
}

/// The parameter `_id` of a type.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "a type that is served has it: a test says so")]
pub fn id_param(on: T) -> &'static Param {
    &PARAMS[on.index()][0]
}

/// The parameter `_lastUpdated` of a type.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "a type that is served has it: a test says so")]
pub fn last_updated(on: T) -> &'static Param {
    &PARAMS[on.index()][1]
}

/// The parameter with that name, if the type has one.
#[must_use]
pub fn named(on: T, name: &str) -> Option<&'static Param> {
    params_of(on).find(|param| param.name == name)
}

/// The elements by which the parameter `patient` of a type is defined, whether it is served or not.
#[must_use]
pub fn patient_elements(on: T) -> Vec<&'static str> {
    find(on.name(), "patient")
        .and_then(|definition| definition.meaning())
        .map_or_else(|_| Vec::new(), |found| found.paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Source;
    use std::collections::HashSet;

    #[test]
    fn every_parameter_of_the_table_is_served_and_has_a_number_of_its_own() {
        let mut param_ids = HashSet::new();
        for on in T::served() {
            let mut names = HashSet::new();
            for word in named_in_table(*on) {
                let param = served(*on, word).unwrap_or_else(|why| panic!("{on} {word}: {why}"));
                assert!(names.insert(param.name), "{on} {word} is twice in the table");
                assert!(param_ids.insert(param.id), "{on} {word} has the number of another");
            }
            assert_eq!((id_param(*on).name, last_updated(*on).name), ("_id", "_lastUpdated"));
            assert_eq!(names, params_of(*on).map(|param| param.name).collect());
            let presence = presence(*on).unwrap_or_else(|| panic!("{on} has no number for what is present"));
            assert!(names.insert(presence.name) && param_ids.insert(presence.id), "{on}");
            for difference in differences(*on) {
                assert!(names.contains(difference.split(' ').next().unwrap()), "{on}: {difference}");
            }
        }
        assert_eq!(params().count() + T::served().len(), param_ids.len());
    }

    #[test]
    fn the_types_that_the_table_names_are_served() {
        for difference in T::served().iter().flat_map(|on| differences(*on)) {
            if let Some((_, targets)) = difference.split_once(" to ") {
                assert_eq!(types(targets).len(), words(targets).count(), "{difference}");
            }
        }
    }

    #[test]
    fn what_searches_do_not_support_is_not_served() {
        for (word, why) in [
            ("code-value-quantity", "neither R4 nor US Core defines it in a way that searches support"),
            ("subject.name", "a chain needs a reference with one path and one target type"),
            ("colour", "neither R4 nor US Core defines it in a way that searches support"),
            ("method", "it has no number in src/tables/parameter-numbers.tsv"),
        ] {
            assert_eq!(served(T::Observation, word).unwrap_err(), why, "{word}");
        }
    }

    #[test]
    fn addresses_are_those_of_the_definitions() {
        let url = |on, name| named(on, name).unwrap().definition.map(Source::url);
        for (on, name, address) in [
            (T::Observation, "date", "http://hl7.org/fhir/us/core/SearchParameter/us-core-observation-date"),
            (T::Observation, "_id", "http://hl7.org/fhir/SearchParameter/Resource-id"),
            (T::CareTeam, "participant", "http://hl7.org/fhir/SearchParameter/CareTeam-participant"),
            (T::MedicationRequest, "medication", "http://hl7.org/fhir/SearchParameter/medications-medication"),
        ] {
            assert_eq!(url(on, name).as_deref(), Some(address));
        }
        assert_eq!(url(T::PractitionerRole, "practitioner.name"), None);
    }

    #[test]
    fn the_clinical_parameter_has_the_first_paths_of_the_clinical_order() {
        for param in params().filter(|param| param.clinical) {
            assert_eq!(clinical_order(param.on).first().map(Vec::as_slice), Some(param.paths), "{}", param.on);
        }
        let by_update = |on| named(on, "_lastUpdated").unwrap().clinical;
        assert!(by_update(T::Patient) && !by_update(T::Observation));
    }
}
