//! The known search parameters: those that `src/fhir/tables/served.tsv` names, and the others of R4 and of guides that
//! searches support. They follow their definitions (`definition.rs`), with the differences that the table states.
//! The parser, the extractor, the stores, the CapabilityStatement and `docs/search-parameters.md` read this one table.
//! An [`IndexSet`](super::IndexSet) states by which of them a store is indexed.

use std::sync::{LazyLock, OnceLock};

use super::carrier::CARRIERS;
use super::clinical_order::{clinical_order, has_clinical_date};
use super::compartments::members_by;
use super::definition::{ANY_TYPE, Definition, Meaning, types};
use super::guide::Guide;
use super::kind::{Component, Form, Kind, Modifier};
use super::param::Param;
use super::param_id::ParamId;
use collections::order::sorted;
use fhir::{ResourceType as T, words};

/// The parameters of US Core that every type has.
const SHARED: [&str; 2] = ["_id", "_lastUpdated"];

/// The parameters of R4 that are not offered, although searches could read their elements.
const NOT_OFFERED: [&str; 1] = ["phonetic"];

/// The parameters of each type of R4, by index. Each list is read on first use.
static PARAMS: LazyLock<Vec<OnceLock<Vec<Param>>>> = LazyLock::new(|| T::all().map(|_| OnceLock::new()).collect());

/// Returns the parameters of a type: those of [`SHARED`], those of its line in the table in the same order, and the
/// other supported ones of R4.
fn read(base: T) -> Vec<Param> {
    let mut params: Vec<Param> = param_words(base).filter_map(|word| served(base, word).ok()).collect();
    let wholes: Vec<_> = params.iter().map(|param| component_params(param, &params)).collect();
    params.iter_mut().zip(wholes).for_each(|(param, component_params)| set_component_params(param, component_params));
    let columns: Vec<_> = params.iter().map(|param| columns(param, &params)).collect();
    params.iter_mut().zip(columns).for_each(|(param, columns)| param.columns = columns.leak());
    params
}

/// Returns the parameters of a type as the table names them, with a star after those that need no patient.
fn named_in_table(base: T) -> impl Iterator<Item = &'static str> {
    base.choices().into_iter().flat_map(|choices| SHARED.into_iter().chain(words(choices.parameters)))
}

/// Returns the parameters of a type as the table names them, and the names of the others that R4 defines.
fn param_words(base: T) -> impl Iterator<Item = &'static str> {
    let is_named = move |name: &str| named_in_table(base).any(|word| word.trim_end_matches('*') == name);
    let defined = base.choices().into_iter().flat_map(move |_| [base.name(), ANY_TYPE]).flat_map(Definition::names);
    named_in_table(base).chain(defined.filter(move |name| !is_named(name) && !NOT_OFFERED.contains(name)))
}

/// Returns the names of the parameters of a type that searches support, whether they have a number or not.
pub fn param_names(base: T) -> impl Iterator<Item = &'static str> {
    let is_supported = move |word: &&'static str| {
        let meaning = defined(base, word).and_then(|(definition, _)| definition.meaning());
        meaning.is_ok_and(|meaning| !has_several_dates_in_rows(base, &meaning))
    };
    param_words(base).filter(is_supported).map(|word| word.trim_end_matches('*'))
}

/// Returns whether a date would need several times in a row of its type, which has one (`src/store/encoding.rs`).
fn has_several_dates_in_rows(base: T, meaning: &Meaning) -> bool {
    is_of_directory(base) && meaning.kind.is_date() && meaning.repeats
}

/// Returns whether resources of a type are in no patient's record.
pub(super) fn is_of_directory(base: T) -> bool {
    base.choices().is_none_or(|choices| choices.owner == "directory")
}

/// Returns the positions of the parameters that have the values of the components of a composite, if its instance may
/// be the resource. Empty if a component is not a parameter.
fn component_params(param: &Param, all: &[Param]) -> Vec<usize> {
    let place = |component: &Component| {
        let paths: Vec<_> = component.paths.iter().filter_map(|path| path.strip_prefix('/')).collect();
        let is_it = |other: &Param| {
            // A SampledData has no value.
            let read = other.paths.iter().filter(|path| !path.ends_with("SampledData"));
            (other.via.is_none() && other.unless.is_none() && other.kind.has_facts_of(component.kind))
                && (!paths.is_empty() && read.eq(&paths))
        };
        all.iter().position(is_it)
    };
    param.kind.components().iter().map(place).collect::<Option<_>>().unwrap_or_default()
}

/// Makes a composite read the values of these parameters where its instance is the resource, instead of elements.
fn set_component_params(param: &mut Param, component_params: Vec<usize>) {
    if component_params.is_empty() {
        return;
    }
    let of_others = |component: &Component| {
        let paths: Vec<_> = component.paths.iter().filter(|path| !path.starts_with('/')).copied().collect();
        Component { paths: paths.leak(), ..*component }
    };
    let components: Vec<_> = param.kind.components().iter().map(of_others).collect();
    param.kind = Kind::composite(components.leak());
    param.paths = param.paths.iter().filter(|root| !root.is_empty()).copied().collect::<Vec<_>>().leak();
    param.component_params = component_params.leak();
}

/// Returns the parameters that hold the facts of one: for each of its elements the one with the oldest number, or the
/// parameter itself. A parameter of US Core has its own column. Those of R4 are never in columns of guides.
pub(super) fn columns(param: &Param, all: &[Param]) -> Vec<ParamId> {
    let own = vec![param.id];
    if param.in_us_core {
        return own;
    }
    let is_part = |other: &&Param| {
        (other.kind.has_facts_of(param.kind) && param.is_of_guides >= other.is_of_guides)
            && (other.via.is_none() && other.unless.is_none() && !other.paths.is_empty())
            && other.paths.iter().all(|path| param.paths.contains(path))
    };
    let parts = sorted(all.iter().filter(is_part).collect(), &|a: &&Param, b| a.id.cmp(&b.id));
    if let Some(same) = parts.iter().find(|part| part.paths.len() == param.paths.len() && part.id < param.id) {
        return columns(same, all);
    }
    let (mut read, mut found) = (Vec::new(), Vec::new());
    for part in parts.into_iter().filter(|part| part.paths.len() < param.paths.len()) {
        if columns(part, all) == [part.id] && !part.paths.iter().all(|path| read.contains(path)) {
            read.extend(part.paths);
            found.push(part.id);
        }
    }
    if param.paths.iter().all(|path| read.contains(path)) { found } else { own }
}

/// The parameters of a type that no query can use. `None` stands for one that the type does not have.
struct Hidden {
    /// See [`presence`].
    presence: Option<Param>,
    /// See [`contained`].
    contained: Option<Param>,
    /// The one of [`clinical_dates`] that no query can use.
    dated: Option<Param>,
    /// See [`changed`].
    changed: Option<Param>,
    /// See [`attachment`].
    attachment: Option<Param>,
    /// See [`group_party`].
    group_party: Option<Param>,
    /// See [`membership`].
    membership: Option<Param>,
}

impl Hidden {
    fn of(base: T) -> Self {
        let number = |name| ParamId::of_param(base, name);
        // Some have the number of an unused modifier of `_present`. Groups have no date.
        let unused = |modifier| number("_present")?.with_modifier(modifier);
        let param = |name, kind, id: Option<ParamId>| id.map(|id| hidden(base, name, kind, id));
        let attached = CARRIERS.iter().find(|(carrier, _)| *carrier == base).map(|(_, path)| vec![*path]);
        let attachment = param("_attachment", Kind::token(Form::Attachment, ""), number("_attachment"));
        let of_group = unused(Modifier::OfType).filter(|_| base == T::Group);
        let party = param("_party", Kind::token(Form::Party, ""), of_group);
        let typed = |path: &&str| format!("{path}[Patient]").leak() as &'static str;
        let members: Vec<_> = member_elements(base).iter().map(typed).collect();
        let member = param("_member", Kind::reference(&[T::Patient]), number("_member"));
        Self {
            presence: param("_present", Kind::TOKEN, number("_present")),
            contained: param("_contained", Kind::TOKEN, unused(Modifier::Text))
                .map(|param| Param { elements: &["contained"], ..param }),
            dated: param("_dated", Kind::DATE, unused(Modifier::OfType)).filter(|_| has_clinical_date(base)),
            changed: param("_changed", Kind::DATE, number("_changed")),
            attachment: attachment.zip(attached).map(|(param, paths)| Param {
                paths: paths.leak(),
                identifying: true,
                ..param
            }),
            group_party: party.map(|param| Param {
                paths: &["managingEntity", "characteristic"],
                identifying: true,
                ..param
            }),
            membership: member.filter(|_| !members.is_empty()).map(|param| Param { paths: members.leak(), ..param }),
        }
    }
}

/// The hidden parameters of each type of R4, by index. They are made on first use.
static HIDDEN: LazyLock<Vec<OnceLock<Hidden>>> = LazyLock::new(|| T::all().map(|_| OnceLock::new()).collect());

#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
fn hidden_of(base: T) -> &'static Hidden {
    HIDDEN[base.index()].get_or_init(|| Hidden::of(base))
}

/// Returns a parameter of every set that reads no elements and that no query can use.
fn hidden(base: T, name: &'static str, kind: Kind, id: ParamId) -> Param {
    Param {
        base,
        name,
        kind,
        paths: &[],
        elements: &[],
        clinical: false,
        identifying: false,
        repeats: false,
        unless: None,
        via: None,
        included: &[],
        typed: false,
        owns: false,
        in_us_core: true,
        is_of_guides: false,
        columns: vec![id].leak(),
        component_params: &[],
        id,
        index_id: id,
    }
}

/// Returns the parameter of a type that a word of the table means.
///
/// # Errors
/// If there is no such parameter, searches do not support it, or it has no number; with the reason.
fn served(base: T, word: &'static str) -> Result<Param, &'static str> {
    let name = word.trim_end_matches('*');
    let (definition, via) = defined(base, word)?;
    let meaning = definition.meaning()?;
    if has_several_dates_in_rows(base, &meaning) {
        return Err("a resource of a type with rows has one value of a date");
    }
    let Meaning { kind, paths, elements, repeats, typed } = meaning;
    if via.is_some() && kind.reads_text() {
        return Err("the text of the resource to which a chain leads is not at hand");
    }
    let in_us_core = named_in_table(base).any(|other| other.trim_end_matches('*') == name);
    let is_patients = base.choices().is_some_and(|choices| choices.owner == "itself") && !is_shared(name);
    let id = ParamId::of_param(base, name).ok_or("it has no number in src/search/tables/parameter-numbers.tsv")?;
    let included = match (Guide::of_contract().included(base, name), kind.targets()) {
        (Some(named), Some(targets)) if named.is_empty() => targets,
        (Some(named), _) => named.into_iter().filter_map(T::parse).collect::<Vec<_>>().leak(),
        (None, _) => &[],
    };
    let mut param = Param {
        base,
        name,
        kind,
        paths: paths.leak(),
        elements: elements.leak(),
        clinical: false,
        identifying: name != word || kind.is_id() || is_patients,
        repeats,
        unless: None,
        included,
        typed: typed || name == "patient",
        owns: false,
        in_us_core,
        is_of_guides: !in_us_core && definition.is_of_guides(),
        columns: &[],
        component_params: &[],
        via,
        id,
        index_id: id,
    };
    for difference in differences(base) {
        change(&mut param, difference)?;
    }
    let is_first = |first: &Vec<&str>| first == param.paths;
    param.clinical = kind.is_date() && in_us_core && clinical_order(base).first().is_some_and(is_first);
    let is_owning = !param.paths.is_empty() && owning_elements(base) == param.paths;
    param.owns = kind.targets().is_some() && via.is_none() && is_owning;
    Ok(param)
}

/// The definition that a word of the table means. For a chain, also the path of the reference and the type of its
/// target.
type Defined = (Definition, Option<(&'static str, T)>);

/// Returns the definition that a word of the table means.
fn defined(base: T, word: &'static str) -> Result<Defined, &'static str> {
    let name = word.trim_end_matches('*');
    match name.split_once('.') {
        _ if is_shared(name) => Ok((find(ANY_TYPE, name)?, None)),
        None => Ok((find(base.name(), name)?, None)),
        Some((reference, chained)) => {
            let from = find(base.name(), reference)?.meaning()?;
            let (Some(&[to]), [path]) = (from.kind.targets(), from.paths.as_slice()) else {
                return Err("a chain needs a reference with one path and one target type");
            };
            Ok((find(to.name(), chained)?, Some((*path, to))))
        }
    }
}

/// Returns whether the name is that of a parameter that all types share.
fn is_shared(name: &str) -> bool {
    name.starts_with('_')
}

fn find(base: &'static str, name: &str) -> Result<Definition, &'static str> {
    Definition::find(base, name).ok_or("neither R4 nor a guide defines it in a way that searches support")
}

/// Returns the differences of a type's parameters from their definitions.
fn differences(base: T) -> impl Iterator<Item = &'static str> {
    let all = base.choices().map(|choices| choices.differences).filter(|all| !all.is_empty());
    all.into_iter().flat_map(|all| all.split("; "))
}

/// Applies a difference to the parameter, if it concerns this parameter.
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

/// Returns the parameters of a type, `_id` and `_lastUpdated` first.
pub fn params_of(base: T) -> std::slice::Iter<'static, Param> {
    of_type(base).iter()
}

#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
fn of_type(base: T) -> &'static [Param] {
    PARAMS[base.index()].get_or_init(|| read(base))
}

/// Returns the parameter under which stores keep facts about the presence of a type's parameters
/// ([`super::kind::Presence`]).
pub fn presence(base: T) -> Option<&'static Param> {
    hidden_of(base).presence.as_ref()
}

/// Returns the parameter for the types of the resources that a resource contains ([`super::containing`]).
pub fn contained(base: T) -> Option<&'static Param> {
    hidden_of(base).contained.as_ref()
}

/// Returns the parameters whose values are the dates by which resources of a type are ordered: the search parameter for
/// the first element of the order, if it is in US Core, and the parameter for the date of resources without a value of
/// the former. None if the type has no date of its own.
pub fn clinical_dates(base: T) -> impl Iterator<Item = &'static Param> {
    params_of(base).filter(move |param| param.clinical && has_clinical_date(base)).chain(&hidden_of(base).dated)
}

/// Returns the parameter for the time at which this server stored or last changed a resource. Stores that were loaded
/// before the parameter was introduced do not know the time.
pub fn changed(base: T) -> Option<&'static Param> {
    hidden_of(base).changed.as_ref()
}

/// Returns the parameter whose values are the addresses of the Binaries that resources of a type carry. `None` if they
/// carry none.
pub fn attachment(base: T) -> Option<&'static Param> {
    hidden_of(base).attachment.as_ref()
}

/// Returns the parameter whose values are the organizations and other parties that manage a Group or are a
/// characteristic of it. `None` for other types.
pub fn group_party(base: T) -> Option<&'static Param> {
    hidden_of(base).group_party.as_ref()
}

/// Returns the parameter whose values are the patients in whose compartments resources of a type are although they do
/// not belong to them. `None` if there are no such patients. Stores keep only values that are not owners.
pub fn membership(base: T) -> Option<&'static Param> {
    hidden_of(base).membership.as_ref()
}

/// Returns whether chained parameters read resources of that type.
#[must_use]
pub fn is_chained_to(base: T) -> bool {
    static TYPES: LazyLock<Vec<T>> = LazyLock::new(|| {
        let params = T::served().iter().flat_map(|base| params_of(*base));
        params.filter_map(|param| param.via).map(|(_, to)| to).collect()
    });
    TYPES.contains(&base)
}

/// Returns the parameter `_id` of a type.
#[allow(clippy::indexing_slicing, reason = "a type that is served has it: a test says so")]
pub fn id_param(base: T) -> &'static Param {
    &of_type(base)[0]
}

/// Returns the parameter `_lastUpdated` of a type.
#[allow(clippy::indexing_slicing, reason = "a type that is served has it: a test says so")]
pub fn last_updated(base: T) -> &'static Param {
    &of_type(base)[1]
}

/// Returns the parameter with that name, if the type has one.
pub fn named(base: T, name: &str) -> Option<&'static Param> {
    params_of(base).find(|param| param.name == name)
}

/// Returns the elements that determine the patient of a resource, as compartments read them. Empty if others do.
fn owning_elements(base: T) -> Vec<&'static str> {
    match base.choices().map_or("directory", |choices| choices.owner) {
        "" => patient_elements(base),
        "directory" | "itself" | "targets" | "members" => Vec::new(),
        elements => words(elements).collect(),
    }
}

/// Returns the elements in the definition of the parameter `patient` of a type, whether or not it is served.
pub fn patient_elements(base: T) -> Vec<&'static str> {
    elements_of(base, "patient")
}

/// Returns the elements in the definition of a parameter of a type, whether or not it is served.
fn elements_of(base: T, name: &str) -> Vec<&'static str> {
    find(base.name(), name).and_then(|definition| definition.meaning()).map_or_else(|_| Vec::new(), |found| found.paths)
}

/// Returns the elements that R4's definition of the compartment of a patient lists for a type, without those that
/// determine a sole owner. A resource is also in the compartments of the patients to whom these refer. A Provenance has
/// none, since it is stored with each of its patients.
pub fn member_elements(base: T) -> Vec<&'static str> {
    let bare = |path: &'static str| path.split_once("[Patient]").map_or(path, |(path, _)| path);
    let of_several = |owner: &str| owner == "members" || owner.starts_with("each");
    let owning: Vec<_> = match base.choices().map_or("", |choices| choices.owner) {
        owner if of_several(owner) => Vec::new(),
        _ => owning_elements(base).into_iter().map(bare).collect(),
    };
    let listed = members_by(T::Patient, base).into_iter().flatten().filter(|_| base != T::Provenance);
    let mut found: Vec<&'static str> = Vec::new();
    for path in listed.flat_map(|name| elements_of(base, name)).map(bare) {
        if !owning.contains(&path) && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored_params::stored_params;
    use std::collections::HashSet;

    fn params() -> impl Iterator<Item = &'static Param> {
        T::served().iter().flat_map(|base| params_of(*base))
    }

    #[test]
    fn every_parameter_is_served_and_has_a_number_of_its_own() {
        let mut param_ids = HashSet::new();
        for base in T::served() {
            assert!(named_in_table(*base).all(|word| defined(*base, word).unwrap().0.meaning().is_ok()), "{base}");
            let mut names = HashSet::new();
            for word in
                param_words(*base).filter(|word| param_names(*base).any(|one| one == word.trim_end_matches('*')))
            {
                let param = served(*base, word).unwrap_or_else(|why| panic!("{base} {word}: {why}"));
                assert!(names.insert(param.name), "{base} {word} is twice in the table");
                assert!(param_ids.insert(param.id), "{base} {word} has the number of another");
            }
            assert_eq!((id_param(*base).name, last_updated(*base).name), ("_id", "_lastUpdated"));
            assert_eq!(names, params_of(*base).map(|param| param.name).collect());
            let presence = presence(*base).unwrap_or_else(|| panic!("{base} has no number for what is present"));
            assert!(names.insert(presence.name) && param_ids.insert(presence.id), "{base}");
            let changed = changed(*base).unwrap_or_else(|| panic!("{base} has no number for the time of its changes"));
            assert!(names.insert(changed.name) && param_ids.insert(changed.id), "{base}");
            for difference in differences(*base) {
                assert!(names.contains(difference.split(' ').next().unwrap()), "{base}: {difference}");
            }
        }
        assert_eq!(params().count() + 2 * T::served().len(), param_ids.len());
    }

    #[test]
    fn facts_of_the_same_elements_are_kept_once() {
        let columns = |base, name: &str| {
            let name_of = |id: &ParamId| stored_params(base).find(|param| param.id == *id).unwrap().name;
            named(base, name).unwrap().columns.iter().map(name_of).collect::<Vec<_>>()
        };
        for (base, name, expected) in [
            (T::Observation, "code", &["code"][..]),
            (T::Observation, "subject", &["patient"]),
            (T::Observation, "patient", &["patient"]),
            (T::Observation, "combo-code", &["code", "component-code"]),
            (T::Observation, "combo-value-concept", &["component-value-concept", "value-concept"]),
            (T::Observation, "performer", &["performer"]),
            (T::Coverage, "beneficiary", &["patient"]),
            (T::Encounter, "practitioner", &["participant"]),
            (T::Patient, "address", &["address"]),
            (T::Observation, "code-value-quantity", &[]),
            (T::Observation, "code-value-string", &["code-value-string"]),
            (T::Observation, "combo-code-value-quantity", &["combo-code-value-quantity"]),
            (T::Observation, "component-code-value-quantity", &["combo-code-value-quantity"]),
        ] {
            assert_eq!(columns(base, name), expected, "{base} {name}");
        }
        for param in params() {
            let owners = param.columns.iter().map(|id| params_of(param.base).find(|owner| owner.id == *id).unwrap());
            assert!(owners.clone().all(Param::is_stored), "{} {}", param.base, param.name);
            let read: HashSet<_> = owners.flat_map(|owner| owner.paths).collect();
            assert_eq!(read, param.paths.iter().collect(), "{} {}", param.base, param.name);
        }
    }

    #[test]
    fn the_patient_is_said_by_the_elements_that_the_owner_is_read_from() {
        let owning = |base| params_of(base).filter(|param| param.owns).map(|param| param.name).collect::<Vec<_>>();
        assert_eq!(owning(T::Observation), ["patient", "subject"]);
        assert_eq!(owning(T::Coverage), ["patient", "beneficiary"]);
        for base in [T::Patient, T::Provenance, T::Group, T::Practitioner] {
            assert!(owning(base).is_empty(), "{base}");
        }
    }

    #[test]
    fn the_types_that_the_table_names_are_served() {
        for difference in T::served().iter().flat_map(|base| differences(*base)) {
            if let Some((_, targets)) = difference.split_once(" to ") {
                assert_eq!(types(targets).len(), words(targets).count(), "{difference}");
            }
        }
    }

    #[test]
    fn what_searches_do_not_support_is_not_served() {
        for (word, why) in [
            ("subject.name", "a chain needs a reference with one path and one target type"),
            ("colour", "neither R4 nor a guide defines it in a way that searches support"),
        ] {
            assert_eq!(served(T::Observation, word).unwrap_err(), why, "{word}");
        }
    }

    #[test]
    fn the_clinical_parameter_has_the_first_paths_of_the_clinical_order() {
        for param in params().filter(|param| param.clinical) {
            assert_eq!(clinical_order(param.base).first().map(Vec::as_slice), Some(param.paths), "{}", param.base);
        }
        let by_update = |base| named(base, "_lastUpdated").unwrap().clinical;
        assert!(by_update(T::Patient) && !by_update(T::Observation));
    }
}
