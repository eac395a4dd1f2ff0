//! The names in a query string: a parameter, its modifier, and the references that lead to the resources that have the
//! parameter.
//!
//! ```text
//! name  = param [":" modifier] / chain / has
//! chain = param [":" Type] "." name
//! has   = "_has:" Type ":" param ":" name
//! ```

use crate::index_set::IndexSet;
use crate::join::Hop;
use crate::kind::Modifier;
use crate::modifier_params::modifier_param;
use crate::param::Param;
use crate::registry::{named, params_of};
use crate::result_param::RESULT_PARAMS;
use fhir::{Issue, IssueCode, ResourceType, quoted};

/// The most references that a name follows forward.
const MAX_CHAINED: usize = 4;
/// The most references that a name follows backward.
const MAX_REVERSED: usize = 3;
/// The most parameters that a name stands for: one for each type to which an untyped reference may lead.
const MAX_ALTERNATIVES: usize = 16;

/// The modifiers of tokens that need the codes of a code system or a value set.
const TERMINOLOGY: [&str; 4] = ["above", "below", "in", "not-in"];

/// The meaning of a parameter's name in a query.
#[derive(Debug)]
pub(super) enum Name {
    /// A parameter of the type, with its modifier: `code`, `name:exact`.
    Own(&'static Param, Option<Modifier>),
    /// Parameters of resources that a reference connects with those of the type, one for each type.
    Join(Hop, Vec<(ResourceType, Self)>),
}

impl Name {
    /// Reads a name in a search on a type.
    ///
    /// # Errors
    /// If there is no such parameter (the hint lists those that exist), if `_has` is incomplete, or if the name follows
    /// too many references or means too many parameters.
    pub(super) fn read(set: &IndexSet, base: ResourceType, name: &str) -> Result<Self, Issue> {
        let read = read(set, base, name, Hops::default())?;
        let mut ends = Vec::new();
        read.add_ends(&mut ends);
        check_kind(name, &ends)?;
        Ok(read)
    }

    /// Adds the parameters at the ends of the name.
    fn add_ends(&self, ends: &mut Vec<&'static Param>) {
        match self {
            Self::Own(param, _) => ends.push(param),
            Self::Join(_, alternatives) => alternatives.iter().for_each(|(_, name)| name.add_ends(ends)),
        }
    }

    fn ends(&self) -> usize {
        match self {
            Self::Own(..) => 1,
            Self::Join(_, alternatives) => alternatives.iter().map(|(_, name)| name.ends()).sum(),
        }
    }
}

/// Refuses a name that means parameters of different FHIR types, whose values are parsed in different ways.
fn check_kind(name: &str, ends: &[&'static Param]) -> Result<(), Issue> {
    let kind = |param: &Param| param.kind.fhir_type();
    let Some(first) = ends.first() else { return Ok(()) };
    let Some(other) = ends.iter().find(|end| kind(end) != kind(first)) else { return Ok(()) };
    let said = |param: &Param| format!("a {} on {}", kind(param), param.base);
    let text = format!("{} is {} and {}.", quoted(name), said(first), said(other));
    Err(not_supported(text, "say the type of the resource: reference:Type.parameter".to_owned()))
}

/// The references that a name has followed so far.
#[derive(Debug, Clone, Copy, Default)]
struct Hops {
    chained: usize,
    reversed: usize,
}

fn read(set: &IndexSet, base: ResourceType, name: &str, hops: Hops) -> Result<Name, Issue> {
    if name.split(':').next() == Some("_has") {
        return reverse(set, base, name, hops);
    }
    let (bare, modifier) = name.split_once(':').unwrap_or((name, ""));
    // A chain may lead to a contained resource, for which no load has stored the values of chained parameters.
    let is_fact = |param: &&Param| param.via.is_none() || hops.chained == 0;
    if let Some(param) = named(base, bare).filter(|_| !modifier.contains('.')).filter(is_fact) {
        let found = own(set, base, name);
        // A chain that is answered in one step (`Param::via`) accepts other chains' modifiers in two steps.
        if found.is_ok() || param.via.is_none() {
            return found;
        }
    }
    match name.split_once('.') {
        Some((reference, rest)) => chain(set, base, reference, rest, hops),
        None => own(set, base, name),
    }
}

fn own(set: &IndexSet, base: ResourceType, name: &str) -> Result<Name, Issue> {
    let (bare, written) = name.split_once(':').map_or((name, None), |(bare, modifier)| (bare, Some(modifier)));
    let param = find(set, base, bare)?;
    let Some(written) = written else { return Ok(Name::Own(param, None)) };
    let Some(modifier) = modifier_of(param, written)? else {
        let taken = param.modifiers().filter(|modifier| set.takes(param, *modifier));
        let names: Vec<_> = taken.map(|modifier| format!(":{}", modifier.name())).collect();
        let takes = if names.is_empty() { "no modifier".to_owned() } else { names.join(", ") };
        let text = format!("The search parameter \"{bare}\" of {base} has no modifier {}.", quoted(written));
        let needs_terminology = TERMINOLOGY.contains(&written) && param.kind.fhir_type() == "token";
        let why = if needs_terminology { "; there is no terminology here, by which codes are in others" } else { "" };
        return Err(not_supported(text, format!("{bare} takes {takes}{why}")));
    };
    match modifier_param(param, modifier) {
        None => Ok(Name::Own(param, Some(modifier))),
        Some(other) if set.has(other) => Ok(Name::Own(other, None)),
        Some(other) => Err(set.not_indexed(other.base, other.name)),
    }
}

/// Returns the modifier of a parameter with this spelling: one that it accepts, or the type of a reference's target.
/// `None` if the parameter does not accept it.
///
/// # Errors
/// If it is a type to which the reference cannot lead.
fn modifier_of(param: &Param, written: &str) -> Result<Option<Modifier>, Issue> {
    let own = param.modifiers().find(|modifier| modifier.name() == written);
    let Some((targets, resource_type)) = param.kind.targets().zip(ResourceType::parse(written)) else { return Ok(own) };
    if targets.contains(&resource_type) {
        return Ok(Some(Modifier::Type(resource_type)));
    }
    let names: Vec<_> = targets.iter().map(|target| target.name()).collect();
    let text = format!("\"{}\" of {} does not refer to a {resource_type}.", param.name, param.base);
    Err(Issue::error(IssueCode::Value, text).hint(format!("one of: {}", names.join(", "))))
}

/// Reads a chain: a reference, with the type of its target if given, and the name after it.
fn chain(set: &IndexSet, base: ResourceType, reference: &str, rest: &str, hops: Hops) -> Result<Name, Issue> {
    let (bare, target) = reference.split_once(':').map_or((reference, None), |(bare, target)| (bare, Some(target)));
    let param = find(set, base, bare)?;
    let Some(all) = param.kind.targets() else {
        let names = set.params_of(base).filter(|param| param.kind.targets().is_some()).map(|param| param.name);
        let text = format!("The search parameter \"{bare}\" of {base} is no reference, with which a chain begins.");
        return Err(not_supported(text, format!("references of {base}: {}", names.collect::<Vec<_>>().join(", "))));
    };
    if hops.chained == MAX_CHAINED {
        return Err(too_costly(format!("A chain follows at most {MAX_CHAINED} references.")));
    }
    let targets: Vec<ResourceType> =
        all.iter().filter(|to| target.is_none_or(|name| to.name() == name)).copied().collect();
    if targets.is_empty() {
        let names: Vec<_> = all.iter().map(|to| to.name()).collect();
        let text = format!("\"{bare}\" of {base} refers to no {}.", quoted(target.unwrap_or_default()));
        return Err(not_supported(text, format!("one of: {}", names.join(", "))));
    }
    if let Ok(Name::Own(param, modifier)) = own(set, base, &format!("{bare}.{rest}"))
        && hops.chained == 0
        && param.via.is_some_and(|(_, to)| targets == [to])
    {
        return Ok(Name::Own(param, modifier));
    }
    let hops = Hops { chained: hops.chained + 1, ..hops };
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    for to in targets {
        match read(set, to, rest, hops) {
            Ok(name) => found.push((to, name)),
            Err(issue) if matches!(issue.code, IssueCode::NotSupported | IssueCode::Value) => refused.push(issue),
            Err(issue) => return Err(issue),
        }
    }
    let name = Name::Join(Hop::To(param), found);
    match (name.ends(), <[Issue; 1]>::try_from(refused)) {
        (0, Ok([issue])) => Err(issue),
        (0, Err(_)) => {
            let names: Vec<_> = all.iter().map(|to| to.name()).collect();
            let text =
                format!("No resource that \"{bare}\" of {base} refers to has a search parameter {}.", quoted(rest));
            Err(not_supported(text, format!("{bare} refers to: {}", names.join(", "))))
        }
        (MAX_ALTERNATIVES.., _) if name.ends() > MAX_ALTERNATIVES => {
            let text = format!("{} may be about more than {MAX_ALTERNATIVES} types of resources.", quoted(rest));
            Err(too_costly(text).hint(format!("say which: {bare}:Type.{rest}")))
        }
        _ => Ok(name),
    }
}

/// Reads `_has`: the type of the resources that refer to this type, their reference, and the name after it.
fn reverse(set: &IndexSet, target: ResourceType, name: &str, hops: Hops) -> Result<Name, Issue> {
    const FORM: &str = "_has:Type:reference:parameter";
    let mut parts = name.splitn(4, ':').skip(1);
    let (Some(from), Some(reference), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(Issue::error(IssueCode::Structure, format!("{} is incomplete.", quoted(name))).hint(FORM));
    };
    let Some(from) = ResourceType::parse(from).filter(|from| params_of(*from).next().is_some()) else {
        let text = format!("There is no type {}, whose resources refer to others.", quoted(from));
        return Err(not_supported(text, FORM.to_owned()));
    };
    let leads_here = |param: &&'static Param| param.kind.targets().is_some_and(|targets| targets.contains(&target));
    let Some(param) = set.named(from, reference).filter(|param| leads_here(param)) else {
        let names: Vec<_> = set.params_of(from).filter(leads_here).map(|param| param.name).collect();
        let text = format!("{from} has no search parameter {} that refers to {target}.", quoted(reference));
        let takes = if names.is_empty() { "none does".to_owned() } else { names.join(", ") };
        return Err(not_supported(text, format!("references of {from} to {target}: {takes}")));
    };
    if hops.reversed == MAX_REVERSED {
        return Err(too_costly(format!("\"_has\" follows at most {MAX_REVERSED} references.")));
    }
    let inner = read(set, from, rest, Hops { reversed: hops.reversed + 1, ..hops })?;
    Ok(Name::Join(Hop::From(param), vec![(from, inner)]))
}

/// Returns a parameter of the set.
fn find(set: &IndexSet, base: ResourceType, name: &str) -> Result<&'static Param, Issue> {
    set.find(base, name)?.ok_or_else(|| {
        let known: Vec<_> = set.params_of(base).map(|param| param.name).chain(RESULT_PARAMS).collect();
        let text = format!("{base} has no search parameter {}.", quoted(name));
        not_supported(text, format!("{base} takes: {}", known.join(", ")))
    })
}

fn not_supported(text: String, hint: String) -> Issue {
    Issue::error(IssueCode::NotSupported, text).hint(hint)
}

fn too_costly(text: String) -> Issue {
    Issue::error(IssueCode::TooCostly, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;

    #[test]
    fn a_name_follows_a_limited_number_of_references() {
        let read =
            |name: &str| Name::read(IndexSet::us_core(), T::Provenance, name).map(drop).map_err(|issue| issue.code);
        let nested = |levels: usize| "_has:Provenance:target:".repeat(levels) + "_id";
        let chained = |levels: usize| "target:Provenance.".repeat(levels) + "_id";
        assert_eq!([nested(MAX_REVERSED), chained(MAX_CHAINED)].map(|name| read(&name)), [Ok(()), Ok(())]);
        for name in [nested(MAX_REVERSED + 1), chained(MAX_CHAINED + 1), "target.patient".to_owned()] {
            assert_eq!(read(&name), Err(IssueCode::TooCostly), "{name}");
        }
    }

    #[test]
    fn a_name_has_one_kind() {
        let ends = |names: [(T, &str); 2]| names.map(|(base, name)| named(base, name).unwrap());
        assert!(check_kind("name", &ends([(T::Patient, "name"), (T::Location, "name")])).is_ok());
        let issue = check_kind("x", &ends([(T::Goal, "description"), (T::Location, "name")])).unwrap_err();
        assert_eq!(issue.text, "\"x\" is a token on Goal and a string on Location.");
    }
}
