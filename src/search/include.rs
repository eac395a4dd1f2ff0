//! The includes of a search, forward (`_include`) and backward (`_revinclude`): the references that it follows from its
//! matches, and the types of the resources to which they lead.

use std::collections::BTreeSet;

use super::guide::Guide;
use super::index_set::IndexSet;
use super::param::Param;
use super::registry::{is_of_directory, named, params_of};
use collections::order::set_of;
use fhir::{Issue, IssueCode, ResourceType as T, quoted};

/// The most references that are followed in sequence. The first one begins at a match.
pub const MAX_ROUNDS: usize = 4;

/// A value of `_include` or `_revinclude`, which names the references to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Include {
    /// True for `_revinclude`: references are followed backward, to the resources that have them.
    pub is_reverse: bool,
    /// True if the references of included resources are followed too (`:iterate`).
    pub iterates: bool,
    /// The type of the resources that have the references. `None` stands for every type that the search reaches.
    pub source: Option<T>,
    /// The parameter of the references. `None` stands for all parameters of the type.
    pub param: Option<&'static Param>,
    /// The type of the targets. `None` stands for all target types of the parameter.
    pub to: Option<T>,
    /// The set of parameters by which the store is indexed.
    set: &'static IndexSet,
}

impl Include {
    /// Parses a value of `_include` (of `_revinclude` if `is_reverse`), for a search on a type of a store that is
    /// indexed by `set`.
    ///
    /// # Errors
    /// If the value is not of the form `*`, `Type:*` or `Type:parameter`, where the latter two may have a target type
    /// after them; if the store is not indexed by the parameter; or if a reverse include cannot find anything.
    pub(super) fn parse(
        base: T,
        set: &'static IndexSet,
        is_reverse: bool,
        iterates: bool,
        value: &str,
    ) -> Result<Self, Issue> {
        let mut include = Self { is_reverse, iterates, source: None, param: None, to: None, set };
        let parts: Vec<_> = value.split(':').collect();
        let refused = |hint: String| {
            let text = format!("{} is not something that a search on {base} can include.", quoted(value));
            Err(Issue::error(IssueCode::NotSupported, text).hint(hint))
        };
        let (source, name, to) = match *parts.as_slice() {
            ["*"] if is_reverse => return refused("Type:parameter, or Patient/<id>/$everything".to_owned()),
            ["*"] => return Ok(include),
            [source, name] => (source, name, None),
            [source, name, to] => (source, name, Some(to)),
            _ => return refused(include.names(base)),
        };
        let Some(source) = T::parse(source) else { return refused(include.names(base)) };
        include.source = Some(source);
        let names = include.names(base);
        if name != "*" {
            let Some(param) = set.find(source, name)?.filter(|param| is_followed(param)) else { return refused(names) };
            include.param = Some(param);
        }
        if let Some(to) = to {
            match T::parse(to) {
                Some(to) if include.params(source).any(|param| leads_to(param, to)) => include.to = Some(to),
                _ => return refused(names),
            }
        }
        if is_reverse && !iterates && include.added_types(base).is_empty() {
            return refused(names);
        }
        Ok(include)
    }

    /// Returns the values that name a followed parameter of the type, for a search on a type.
    fn names(&self, base: T) -> String {
        let source = self.source.unwrap_or(base);
        let own = Self { source: Some(source), ..*self };
        let leads = |param: &&'static Param| !self.is_reverse || own.finds(param, base);
        let names: Vec<_> = own.params(source).filter(leads).map(|param| format!("{source}:{}", param.name)).collect();
        match (self.is_reverse, names.is_empty()) {
            (true, true) => format!("Type:parameter, of a type that refers to {base}"),
            (false, true) => format!("{source} includes: nothing"),
            _ => format!("{source} includes: {}", names.join(", ")),
        }
    }

    /// Returns the name of the parameter of the query: `_include:iterate`.
    pub const fn name(&self) -> &'static str {
        match (self.is_reverse, self.iterates) {
            (false, false) => "_include",
            (false, true) => "_include:iterate",
            (true, false) => "_revinclude",
            (true, true) => "_revinclude:iterate",
        }
    }

    /// Returns the value of the parameter, such as `MedicationRequest:medication`.
    pub fn value(&self) -> String {
        let Some(source) = self.source else { return "*".to_owned() };
        let name = self.param.map_or("*", |param| param.name);
        let to = self.to.map(|to| format!(":{to}")).unwrap_or_default();
        format!("{source}:{name}{to}")
    }

    /// Returns the parameters of a type whose references the include follows.
    pub fn params(&self, source: T) -> impl Iterator<Item = &'static Param> {
        let Self { param, set, .. } = *self;
        let is_source = self.source.is_none_or(|own| own == source);
        let all = (is_source && param.is_none()).then(|| set.params_of(source).filter(|param| is_followed(param)));
        param.into_iter().filter(move |_| is_source).chain(all.into_iter().flatten())
    }

    /// Returns whether the include follows references of a parameter to resources of a type.
    #[must_use]
    pub fn follows(&self, param: &Param, target: T) -> bool {
        self.source.is_none_or(|source| source == param.base)
            && self.param.is_none_or(|own| own == param)
            && self.to.is_none_or(|to| to == target)
            && self.set.has(param)
            && is_followed(param)
            && leads_to(param, target)
    }

    /// Returns whether this reverse include finds resources whose parameter refers to resources of a type. It does not
    /// search patients' records for references to resources of the directory.
    #[must_use]
    pub fn finds(&self, param: &Param, target: T) -> bool {
        self.follows(param, target) && (is_of_directory(param.base) || !is_of_directory(target))
    }

    /// Returns the types of the resources that the include may add to resources of a type.
    pub fn added_types(&self, base: T) -> BTreeSet<T> {
        match self.source {
            Some(source) if self.is_reverse => {
                set_of(self.params(source).any(|param| self.finds(param, base)).then_some(source))
            }
            _ => {
                let targets = self.params(base).filter_map(|param| param.kind.targets()).flatten().copied();
                set_of(targets.filter(|target| self.to.is_none_or(|to| to == *target)))
            }
        }
    }
}

/// Returns the types of the resources that includes may add to a search on a type. `opens` is called once for each
/// type, with the first include that leads to it, and returns whether references of its resources are followed further.
pub fn included_types(base: T, includes: &[Include], opens: &mut dyn FnMut(&Include, T) -> bool) -> BTreeSet<T> {
    let (mut known, mut newest) = (BTreeSet::new(), set_of([base]));
    for round in 0..MAX_ROUNDS {
        let mut added = BTreeSet::new();
        for include in includes.iter().filter(|include| round == 0 || include.iterates) {
            for to in newest.iter().flat_map(|from| include.added_types(*from)) {
                if known.insert(to) && opens(include, to) {
                    added.insert(to);
                }
            }
        }
        newest = added;
    }
    known
}

/// Returns whether includes may follow a parameter: whether its references are elements of the resource itself.
#[must_use]
pub fn is_followed(param: &Param) -> bool {
    param.kind.targets().is_some() && param.via.is_none() && !param.paths.is_empty()
}

fn leads_to(param: &Param, target: T) -> bool {
    param.kind.targets().is_some_and(|targets| targets.contains(&target))
}

/// Returns the values of `_include` that name a parameter, for a search on a type of a store that is indexed by `set`.
pub fn includes(base: T, set: &IndexSet) -> impl Iterator<Item = String> {
    set.params_of(base).filter(|param| is_followed(param)).map(move |param| format!("{base}:{}", param.name))
}

/// Returns the values of `_revinclude` that name a parameter. The arguments are those of [`includes`].
pub fn reverse_includes(base: T, set: &'static IndexSet) -> impl Iterator<Item = String> {
    let any = Include { is_reverse: true, iterates: false, source: None, param: None, to: None, set };
    let params = T::served().iter().flat_map(|source| set.params_of(*source));
    params.filter(move |param| any.finds(param, base)).map(|param| format!("{}:{}", param.base, param.name))
}

/// Returns the includes that US Core requires of a type: the values, each with a target type, and the added types.
pub fn us_core_includes(base: T) -> Vec<(&'static str, String, T)> {
    let name = |param: &Param, to: T| format!("{}:{}:{to}", param.base, param.name);
    let forward = params_of(base).flat_map(|param| param.included.iter().map(move |to| (param, *to)));
    let mut all: Vec<_> = forward.map(|(param, to)| ("_include", name(param, to), to)).collect();
    if let Some(param) = provenance_target().filter(|_| Guide::of_contract().has_provenance(base)) {
        all.push(("_revinclude", name(param, base), param.base));
    }
    all
}

/// Returns the parameter of Provenance that refers to the resources it is about.
pub fn provenance_target() -> Option<&'static Param> {
    named(T::Provenance, "target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_us_core_are_served_and_lead_to_their_target_types() {
        let all: Vec<_> =
            T::served().iter().flat_map(|on| us_core_includes(*on).into_iter().map(|one| (*on, one))).collect();
        let forward = all.iter().filter(|(_, (name, ..))| *name == "_include");
        assert_eq!(
            forward.map(|(_, (_, value, _))| value.as_str()).collect::<Vec<_>>(),
            [
                "CareTeam:participant:PractitionerRole",
                "CareTeam:participant:Practitioner",
                "CareTeam:participant:Patient",
                "CareTeam:participant:RelatedPerson",
                "MedicationDispense:medication:Medication",
                "MedicationRequest:medication:Medication",
                "PractitionerRole:endpoint:Endpoint",
                "PractitionerRole:practitioner:Practitioner",
            ]
        );
        assert_eq!(all.len(), 8 + 19);
        for (base, (name, value, to)) in all {
            let include = Include::parse(base, IndexSet::us_core(), name == "_revinclude", false, &value).unwrap();
            assert_eq!((include.name(), include.value(), include.added_types(base)), (name, value, [to].into()));
        }
    }

    #[test]
    fn what_a_store_is_not_indexed_by_is_refused_by_name() {
        let of = |value| Include::parse(T::Observation, IndexSet::us_core(), false, false, value);
        assert_eq!(of("Observation:performer").unwrap_err().text, "Observation is not indexed by \"performer\" here.");
        assert_eq!(of("*").unwrap().added_types(T::Observation), [T::Patient].into());
    }

    #[test]
    fn types_are_reached_by_what_iterates() {
        let reached = |values: &[(&str, bool)]| {
            let parse = |(value, iterates): &(&str, bool)| {
                Include::parse(T::Encounter, IndexSet::of_r4(), false, *iterates, value).unwrap()
            };
            let includes: Vec<_> = values.iter().map(parse).collect();
            let types = included_types(T::Encounter, &includes, &mut |_, _| true);
            types.into_iter().map(T::name).collect::<Vec<_>>().join(" ")
        };
        let location = ("Encounter:location", false);
        assert_eq!(reached(&[location]), "Location");
        assert_eq!(reached(&[("Location:organization", true), location]), "Location Organization");
        assert_eq!(reached(&[("Location:organization", false), location]), "Location");
    }
}
