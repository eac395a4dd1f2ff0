//! Parameters of modifiers: the texts of `code:text`, the types of `identifier:of-type`, and the identifiers of
//! `subject:identifier`. Each is a parameter with the modifier in its name. Stores keep and compare its facts like
//! those of any other parameter.

use std::sync::{LazyLock, OnceLock};

use super::kind::Modifier;
use super::param::Param;
use super::param_id::ParamId;
use super::registry::{columns, params_of};
use fhir::ResourceType as T;

/// The name of the number by which stores record that they have the facts of all these parameters of a type. A
/// parameter of a guide has those of its modifiers under its own number.
const ALL: &str = "_beside";

/// The parameters of each type of R4, by index. Each list is made on first use.
static PARAMS: LazyLock<Vec<OnceLock<Vec<Param>>>> = LazyLock::new(|| T::all().map(|_| OnceLock::new()).collect());

/// Returns the parameters of the modifiers of a type.
#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
pub(super) fn modifier_params(base: T) -> &'static [Param] {
    PARAMS[base.index()].get_or_init(|| {
        let each = |param: &'static Param| param.modifiers().filter_map(|modifier| read(param, modifier));
        let mut params: Vec<Param> = params_of(base).flat_map(each).collect();
        let columns: Vec<_> = params.iter().map(|param| columns(param, &params)).collect();
        params.iter_mut().zip(columns).for_each(|(param, columns)| param.columns = columns.leak());
        params
    })
}

/// Returns the parameter of a modifier of another parameter. `None` if the modifier compares that parameter's values.
pub(super) fn modifier_param(param: &Param, modifier: Modifier) -> Option<&'static Param> {
    let id = param.id.with_modifier(modifier)?;
    modifier_params(param.base).iter().find(|other| other.id == id)
}

fn read(param: &Param, modifier: Modifier) -> Option<Param> {
    let (kind, parts) = param.kind.of_modifier(modifier)?;
    let targets = param.kind.targets().filter(|_| param.typed);
    let elements: Vec<String> = param
        .paths
        .iter()
        .flat_map(|path| match targets {
            None => vec![(*path).to_owned()],
            Some(targets) => targets.iter().map(|target| format!("{path}[{target}]")).collect(),
        })
        .collect();
    let path =
        |element: &String, part: &str| if part.is_empty() { element.clone() } else { format!("{element}.{part}") };
    let paths = elements.iter().flat_map(|element| parts.iter().map(move |part| &*path(element, part).leak()));
    Some(Param {
        name: format!("{}:{}", param.name, modifier.name()).leak(),
        kind,
        paths: paths.collect::<Vec<_>>().leak(),
        elements: &[],
        // A parameter of a modifier does not name resources without rows.
        identifying: param.identifying && param.base == T::Patient,
        repeats: false,
        clinical: false,
        included: &[],
        typed: false,
        owns: false,
        in_us_core: false,
        columns: &[],
        id: param.id.with_modifier(modifier)?,
        index_id: if param.is_of_guides { param.id } else { ParamId::of_param(param.base, ALL)? },
        ..*param
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::named;
    use std::collections::HashSet;

    fn found(base: T, name: &str, modifier: Modifier) -> Option<&'static Param> {
        modifier_param(named(base, name).unwrap(), modifier)
    }

    #[test]
    fn each_has_the_parts_that_its_modifier_asks_for() {
        for (base, name, modifier, paths) in [
            (T::Observation, "code", Modifier::Text, &["code.text", "code.coding.display", "code.display"][..]),
            (T::Patient, "identifier", Modifier::Text, &["identifier.type.text"]),
            (T::Patient, "identifier", Modifier::OfType, &["identifier"]),
            (T::Observation, "subject", Modifier::Identifier, &["subject.identifier"]),
            (T::Observation, "patient", Modifier::Identifier, &["subject[Patient].identifier"]),
        ] {
            let param = found(base, name, modifier).unwrap();
            assert_eq!((param.name, param.paths), (&*format!("{name}:{}", modifier.name()), paths));
        }
        assert_eq!(found(T::Observation, "code", Modifier::Not), None);
        assert_eq!(found(T::Observation, "status", Modifier::Text), None);
    }

    #[test]
    fn facts_of_the_same_elements_are_kept_once() {
        let columns = found(T::Observation, "combo-code", Modifier::Text).unwrap().columns;
        let of = |name| found(T::Observation, name, Modifier::Text).unwrap().id;
        assert_eq!(columns, [of("code"), of("component-code")]);
    }

    #[test]
    fn each_has_a_number_of_its_own() {
        let all: Vec<_> = T::served().iter().flat_map(|base| params_of(*base).chain(modifier_params(*base))).collect();
        let numbers: HashSet<_> = all.iter().map(|param| param.id).collect();
        assert_eq!(numbers.len(), all.len());
        let made = |param: &&&Param| param.modifiers().any(|modifier| param.kind.of_modifier(modifier).is_some());
        assert!(
            all.iter().filter(made).all(|param| !modifier_params(param.base).is_empty()),
            "each type has the number {ALL}"
        );
    }
}
