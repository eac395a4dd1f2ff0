//! The rounds in which includes are followed, for every store. The first round follows the references of the matches of
//! a page; each further round follows those of the resources that the round before found, by iterating includes. A
//! store looks up and opens the resources of a round; this module decides which are found, and in which order.

use chart::InRecord;
use std::collections::{BTreeMap, BTreeSet};

use collections::order::{set_of, sorted};
use fhir::{Id, Reference, ResourceType};
use search::{Include, MAX_ROUNDS, Param, Query};
use smart::Permitted;

/// The most resources that includes add to a page.
pub const MAX_INCLUDED: usize = 500_usize;

/// A resource from which includes are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludeSource {
    /// The reference to the resource.
    pub reference: Reference,
    /// The patient in whose record the resource is.
    pub patient: Option<Id>,
    /// The resources that it refers to by the parameters of [`Permitted::followed`].
    pub links: Vec<(&'static Param, Reference)>,
}

/// The resources that a round looks for.
#[derive(Debug, Default)]
pub struct Round {
    /// The targets of references, each with the patients in whose records the referring resources are.
    pub targets: BTreeMap<Reference, BTreeSet<Id>>,
    /// For each parameter, the resources whose referring resources are sought.
    pub referring: Vec<(&'static Param, Vec<InRecord>)>,
}

impl Round {
    /// Returns whether the round looks for no resources.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty() && self.referring.is_empty()
    }

    /// Divides the round into the resources to find in rows and those to find in charts, by type.
    #[must_use]
    pub fn divide(
        self,
        is_target_in_rows: impl Fn(ResourceType) -> bool,
        is_referring_in_rows: impl Fn(ResourceType) -> bool,
    ) -> (Self, Self) {
        let (targets, others) =
            self.targets.into_iter().partition(|(target, _)| is_target_in_rows(target.resource_type));
        let (referring, other) = self.referring.into_iter().partition(|(param, _)| is_referring_in_rows(param.base));
        (Self { targets, referring }, Self { targets: others, referring: other })
    }
}

/// The state between two rounds.
#[derive(Debug)]
pub struct Rounds<'a> {
    permitted: &'a Permitted<Query>,
    rounds: usize,
    /// The matches of the page, and the resources included so far.
    known: BTreeSet<Reference>,
    /// The number of resources included so far.
    count: usize,
    /// The resources that the last round found.
    newest: Vec<IncludeSource>,
    /// The includes that were not followed to their end.
    cut: Vec<Include>,
}

impl<'a> Rounds<'a> {
    /// Returns the state before the first round, with the matches of a page.
    pub fn new(permitted: &'a Permitted<Query>, page: Vec<IncludeSource>) -> Self {
        let known = set_of(page.iter().map(|match_| match_.reference.clone()));
        Self { permitted, rounds: 0, known, count: 0, newest: page, cut: Vec::new() }
    }

    /// Returns the next round. `None` if there is nothing to look for, or if the includes have been followed to the
    /// limits.
    pub fn next(&mut self) -> Option<Round> {
        let mut cut = Vec::new();
        let is_last = self.rounds == MAX_ROUNDS || self.count == MAX_INCLUDED;
        let mut round = Round::default();
        for include in self.active() {
            let before = (round.targets.len(), round.referring.len());
            self.look(include, &mut round);
            if before != (round.targets.len(), round.referring.len()) {
                cut.push(*include);
            }
        }
        if is_last {
            self.cut.append(&mut cut);
            return None;
        }
        self.rounds += 1;
        (!round.is_empty()).then_some(round)
    }

    /// Returns the includes of the next round.
    fn active(&self) -> impl Iterator<Item = &'a Include> + use<'a> {
        let is_first = self.rounds == 0;
        self.permitted.includes().iter().filter(move |include| is_first || include.iterates)
    }

    /// Adds the resources that an include leads to.
    fn look(&self, include: &Include, round: &mut Round) {
        let opens = |resource_type| self.permitted.rules_of_included(resource_type).is_some();
        if !include.is_reverse {
            for reached in &self.newest {
                let followed = reached.links.iter().filter(|(param, to)| include.follows(param, to.resource_type));
                let targets = followed.map(|(_, target)| target);
                let new = targets.filter(|target| opens(target.resource_type) && !self.known.contains(target));
                for target in new {
                    round.targets.entry(target.clone()).or_default().extend(reached.patient.clone());
                }
            }
            return;
        }
        for param in include.source.filter(|source| opens(*source)).into_iter().flat_map(|on| include.params(on)) {
            let is_found = |reached: &&IncludeSource| include.finds(param, reached.reference.resource_type);
            let of = |reached: &IncludeSource| (reached.reference.clone(), reached.patient.clone());
            let reached: Vec<_> = self.newest.iter().filter(is_found).map(of).collect();
            if !reached.is_empty() && !round.referring.iter().any(|(other, _)| *other == param) {
                round.referring.push((param, reached));
            }
        }
    }

    /// Returns the most resources of a round that a store needs to find, so that none is missing and an excess over the
    /// limit is noticed.
    pub fn most(&self) -> usize {
        MAX_INCLUDED + self.known.len() + 1
    }

    /// Chooses the resources to include from those that a round found and the grant opens, without duplicates, in the
    /// order of references.
    pub fn choose<R>(&mut self, mut found: Vec<(Reference, R)>) -> Vec<R> {
        found = sorted(found, &|(a, _), (b, _)| a.cmp(b));
        found.dedup_by(|(a, _), (b, _)| a == b);
        found.retain(|(reference, _)| !self.known.contains(reference));
        let room = MAX_INCLUDED - self.count;
        if found.len() > room {
            let is_first = self.rounds == 1;
            let left = set_of(found.drain(room..).map(|(reference, _)| reference));
            let active = self.permitted.includes().iter().filter(|include| is_first || include.iterates);
            let cut: Vec<_> = active.filter(|include| left.iter().any(|left| self.leads(include, left))).collect();
            self.cut.extend(cut.into_iter().copied());
        }
        self.count += found.len();
        self.known.extend(found.iter().map(|(reference, _)| reference.clone()));
        found.into_iter().map(|(_, row)| row).collect()
    }

    /// Returns whether an include may have led to a resource from those that the round before found.
    fn leads(&self, include: &Include, to: &Reference) -> bool {
        if include.is_reverse {
            return include.source == Some(to.resource_type);
        }
        let mut links = self.newest.iter().flat_map(|reached| &reached.links);
        links.any(|(param, target)| target == to && include.follows(param, to.resource_type))
    }

    /// Continues from the chosen resources.
    pub fn go_on(&mut self, chosen: Vec<IncludeSource>) {
        self.newest = chosen;
    }

    /// Returns the includes that were not followed to their end, without duplicates.
    pub fn into_cut(self) -> Vec<Include> {
        let mut cut: Vec<Include> = Vec::new();
        for include in self.cut {
            if !cut.contains(&include) {
                cut.push(include);
            }
        }
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResourceType as T;
    use search::{Handling, parse};
    use smart::{Grant, ScopeSet};

    fn permitted(resource_type: T, parameters: &[(&str, &str)]) -> Permitted<Query> {
        let owned: Vec<_> = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let query = parse(resource_type, &owned, Handling::Strict, "http://here").unwrap();
        let grant = Grant { scopes: ScopeSet::parse("system/*.rs").unwrap(), ..Grant::default() };
        grant.narrow(query, None).unwrap()
    }

    fn organization(id: usize, part_of: &[usize]) -> IncludeSource {
        let reference =
            |id: &usize| Reference { resource_type: T::Organization, id: Id::parse(&id.to_string()).unwrap() };
        let [param] = permitted(T::Organization, &[("_include", "Organization:partof")]).followed(T::Organization)[..]
        else {
            panic!("it is one")
        };
        let links = part_of.iter().map(|id| (param, reference(id))).collect();
        IncludeSource { reference: reference(&id), patient: None, links }
    }

    /// Follows includes through organizations `part_of(id)`. Returns the numbers of included resources and of cut
    /// includes.
    fn follow(
        include: (&str, &str),
        page: Vec<IncludeSource>,
        part_of: &dyn Fn(usize) -> Vec<usize>,
    ) -> (usize, usize) {
        let permitted = permitted(T::Organization, &[include]);
        let mut rounds = Rounds::new(&permitted, page);
        let mut count = 0;
        while let Some(round) = rounds.next() {
            let found = round.targets.into_keys().map(|target| (target.clone(), target)).collect();
            let chosen = rounds.choose(found);
            count += chosen.len();
            let number = |target: &Reference| target.id.as_str().parse().unwrap();
            rounds.go_on(chosen.iter().map(|target| organization(number(target), &part_of(number(target)))).collect());
        }
        (count, rounds.into_cut().len())
    }

    #[test]
    fn an_answer_has_a_limit_of_included_resources_and_says_where_it_ends() {
        let many: Vec<usize> = (1..=MAX_INCLUDED + 1).collect();
        let once = ("_include", "Organization:partof");
        assert_eq!(follow(once, vec![organization(0, &many[..MAX_INCLUDED])], &|_| vec![]), (MAX_INCLUDED, 0));
        assert_eq!(follow(once, vec![organization(0, &many)], &|_| vec![]), (MAX_INCLUDED, 1));
        let iterated = ("_include:iterate", "Organization:partof");
        let page = || vec![organization(0, &many[..MAX_INCLUDED])];
        assert_eq!(follow(iterated, page(), &|_| vec![]), (MAX_INCLUDED, 0), "there is nothing behind it");
        assert_eq!(follow(iterated, page(), &|_| vec![MAX_INCLUDED + 1]), (MAX_INCLUDED, 1));
        assert_eq!(follow(iterated, page(), &|id| vec![id - 1]), (MAX_INCLUDED, 0), "it is there already");
    }

    #[test]
    fn only_an_include_of_what_is_left_out_is_cut() {
        let includes = [("_revinclude", "Organization:partof"), ("_revinclude", "PractitionerRole:organization")];
        let permitted = permitted(T::Organization, &includes);
        let mut rounds = Rounds::new(&permitted, vec![organization(0, &[])]);
        assert_eq!(rounds.next().unwrap().referring.len(), 2);
        let of = |resource_type, id: usize| Reference { resource_type, id: Id::parse(&id.to_string()).unwrap() };
        let roles = (0..MAX_INCLUDED).map(|id| of(T::PractitionerRole, id));
        let found = (1..=3).map(|id| of(T::Organization, id)).chain(roles).map(|found| (found, ())).collect();
        assert_eq!(rounds.choose(found).len(), MAX_INCLUDED);
        let cut: Vec<_> = rounds.into_cut().iter().map(Include::value).collect();
        assert_eq!(cut, ["PractitionerRole:organization"]);
    }

    #[test]
    fn references_are_followed_a_number_of_times_and_not_in_circles() {
        let iterated = ("_include:iterate", "Organization:partof");
        let page = || vec![organization(0, &[1])];
        assert_eq!(follow(iterated, page(), &|id| vec![id + 1]), (MAX_ROUNDS, 1));
        assert_eq!(follow(iterated, page(), &|id| vec![(id + 1) % (MAX_ROUNDS + 1)]), (MAX_ROUNDS, 0));
        assert_eq!(follow(("_include", "Organization:partof"), page(), &|id| vec![id + 1]), (1, 0));
    }
}
