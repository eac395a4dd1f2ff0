//! The owners of Provenance and Group resources, which belong to the patients of the resources that they refer to. They
//! are computed for a whole load before anything is stored, so the order within a load and the order of loads make no
//! difference.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::catalogue::{Catalogue, EarlierLoads};
use crate::fhir::Reference;
use crate::smart::{Owner, each_owning, is_owned_through_others, joint_owner};

/// The owners that a load changes.
#[derive(Debug, Default)]
pub struct Owners {
    /// Of what is owned through others, and is in the load or depends on it.
    joint: HashMap<Reference, Owner>,
    dependents: BTreeSet<Reference>,
}

impl Owners {
    /// Works out the owners, of the load and of what is stored and depends on it. `base` is the server's FHIR base.
    #[must_use]
    pub fn work_out(catalogue: &Catalogue, beyond: &impl EarlierLoads, base: &str) -> Self {
        let dependents = all_dependents(catalogue, beyond);
        let mut open: HashMap<Reference, Vec<Option<Reference>>> = HashMap::new();
        for (reference, through) in catalogue.owned_through() {
            let local = |text: Option<&str>| text.and_then(|text| catalogue.local(text, base, beyond));
            open.insert(reference.clone(), through.map(local).collect());
        }
        for reference in dependents.iter().filter(|reference| is_owned_through_others(reference.kind)) {
            // The references of a stored resource are resolved, as far as they ever are.
            let mut through = Vec::new();
            if let Some(resource) = beyond.resource(reference) {
                each_owning(reference.kind, &resource, &mut |element| {
                    let text = element.get("reference").and_then(Value::as_str);
                    through.push(text.and_then(Reference::parse));
                });
            }
            open.insert(reference.clone(), through);
        }
        let mut owners = Self { joint: HashMap::new(), dependents };
        owners.index(&open, catalogue, beyond, base);
        owners
    }

    /// Works out each again when one has changed through which it is owned, until none changes: from not indexed to indexed, and
    /// never back, so that it ends. What is owned through itself stays not indexed.
    fn index(
        &mut self,
        open: &HashMap<Reference, Vec<Option<Reference>>>,
        catalogue: &Catalogue,
        beyond: &impl EarlierLoads,
        base: &str,
    ) {
        let mut followers: HashMap<&Reference, Vec<&Reference>> = HashMap::new();
        for (reference, through) in open {
            self.joint.insert(reference.clone(), Owner::Undetermined(BTreeSet::new()));
            for target in through.iter().flatten().filter(|target| open.contains_key(target)) {
                followers.entry(target).or_default().push(reference);
            }
        }
        let mut stale: Vec<&Reference> = open.keys().collect();
        while let Some(reference) = stale.pop() {
            let through = open.get(reference).into_iter().flatten().cloned();
            let owner = joint_owner(reference.kind, through, &|target| self.owner(target, catalogue, beyond, base));
            if self.joint.get(reference) != Some(&owner) {
                self.joint.insert(reference.clone(), owner);
                stale.extend(followers.get(reference).into_iter().flatten());
            }
        }
    }

    /// To whom a resource belongs; nothing where it is not known.
    #[must_use]
    pub fn owner(
        &self,
        reference: &Reference,
        catalogue: &Catalogue,
        beyond: &impl EarlierLoads,
        base: &str,
    ) -> Option<Owner> {
        let joint = self.joint.get(reference).cloned();
        joint.or_else(|| catalogue.owner(reference, base, beyond)).or_else(|| beyond.owner(reference))
    }

    /// The stored resources that depend on the load and are not in it.
    #[must_use]
    pub const fn dependents(&self) -> &BTreeSet<Reference> {
        &self.dependents
    }
}

/// The stored resources that depend on the load, also through others, and are not in it.
fn all_dependents(catalogue: &Catalogue, beyond: &impl EarlierLoads) -> BTreeSet<Reference> {
    let is_stored = |reference: &Reference| !catalogue.brings(reference);
    let mut open: Vec<_> = catalogue.dependents().iter().filter(|reference| is_stored(reference)).cloned().collect();
    let mut all = BTreeSet::new();
    while let Some(reference) = open.pop() {
        if all.insert(reference.clone()) {
            open.extend(beyond.dependents(&reference).into_iter().filter(is_stored));
        }
    }
    all
}
