//! The owners of Provenance and Group resources, which belong to the patients of the resources that they refer to. They
//! are computed for a whole load before anything is stored, so the order within a load and the order of loads make no
//! difference.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::catalogue::{Catalogue, EarlierLoads};
use crate::fhir::Reference;
use crate::smart::{Owner, for_each_owning, is_owned_through_others, joint_owner};

/// The owners that a load determines or changes.
#[derive(Debug, Default)]
pub struct Owners {
    /// The owners of resources that are owned through others, and are in the load or depend on it.
    joint: HashMap<Reference, Owner>,
    dependents: BTreeSet<Reference>,
    /// The resources of which that could not be computed, each with the reason.
    damage: HashMap<Reference, String>,
}

impl Owners {
    /// Computes the owners for a load and for the stored resources that depend on it. `base` is the server's FHIR base.
    #[must_use]
    pub fn compute(catalogue: &Catalogue, earlier: &impl EarlierLoads, base: &str) -> Self {
        let mut owners = Self::default();
        owners.find_dependents(catalogue, earlier);
        owners.compute_joint(catalogue, earlier, base);
        owners
    }

    /// Computes each owner, and again after a change of an owner on which it depends, until none changes. An owner
    /// changes only from unknown to known, so the loop ends. A resource that is owned only through itself stays
    /// unknown.
    fn compute_joint(&mut self, catalogue: &Catalogue, earlier: &impl EarlierLoads, base: &str) {
        let through = |reference: &Reference| {
            catalogue
                .through(reference, base, earlier)
                .unwrap_or_else(|| stored_through(reference, catalogue, base, earlier))
        };
        let stored =
            self.dependents.iter().filter(|reference| is_owned_through_others(reference.resource_type)).cloned();
        let open: HashSet<Reference> = catalogue.owned_through().cloned().chain(stored).collect();
        let mut followers: HashMap<Reference, Vec<&Reference>> = HashMap::new();
        for reference in &open {
            self.joint.insert(reference.clone(), Owner::Undetermined(BTreeSet::new()));
            for target in through(reference).into_iter().flatten().filter(|target| open.contains(target)) {
                followers.entry(target).or_default().push(reference);
            }
        }
        // What was damaged is met again below, for each resource.
        let _ = earlier.take_damage();
        let mut stale: Vec<&Reference> = open.iter().collect();
        while let Some(reference) = stale.pop() {
            let known = |target: &Reference| self.owner(target, catalogue, earlier, base);
            let owner = joint_owner(reference.resource_type, through(reference), &known);
            if let Some(why) = earlier.take_damage() {
                self.damage.insert(reference.clone(), why);
            }
            if self.joint.get(reference) != Some(&owner) {
                self.joint.insert(reference.clone(), owner);
                stale.extend(followers.get(reference).into_iter().flatten());
            }
        }
    }

    /// Returns the owner of a resource, or `None` if it is unknown.
    #[must_use]
    pub fn owner(
        &self,
        reference: &Reference,
        catalogue: &Catalogue,
        earlier: &impl EarlierLoads,
        base: &str,
    ) -> Option<Owner> {
        if catalogue.deletes(reference) {
            return None;
        }
        let joint = self.joint.get(reference).cloned();
        joint.or_else(|| catalogue.owner(reference, base, earlier)).or_else(|| earlier.owner(reference))
    }

    /// Returns why the owner of a resource, or what depends on it, could not be computed.
    #[must_use]
    pub fn damage(&self, reference: &Reference) -> Option<&String> {
        self.damage.get(reference)
    }

    /// Adds the stored resources that depend on the load, directly or through others, and are not part of it.
    fn find_dependents(&mut self, catalogue: &Catalogue, earlier: &impl EarlierLoads) {
        let is_stored = |reference: &Reference| !catalogue.contains(reference) && !catalogue.deletes(reference);
        let mut open: Vec<_> =
            catalogue.dependents().iter().filter(|reference| is_stored(reference)).cloned().collect();
        while let Some(reference) = open.pop() {
            if self.dependents.insert(reference.clone()) {
                open.extend(earlier.dependents(&reference.to_string()).into_iter().filter(is_stored));
                if let Some(why) = earlier.take_damage() {
                    self.damage.insert(reference, why);
                }
            }
        }
    }

    /// Returns the stored resources that depend on the load and are not part of it.
    #[must_use]
    pub const fn dependents(&self) -> &BTreeSet<Reference> {
        &self.dependents
    }
}

/// Returns the references of a stored resource that is owned through others, each resolved if it can be.
fn stored_through(
    reference: &Reference,
    catalogue: &Catalogue,
    base: &str,
    earlier: &impl EarlierLoads,
) -> Vec<Option<Reference>> {
    let mut through = Vec::new();
    if let Some(resource) = earlier.resource(reference) {
        for_each_owning(reference.resource_type, &resource, &mut |element| {
            let text = element.get("reference").and_then(Value::as_str);
            through.push(text.and_then(|text| catalogue.local(text, base, earlier)));
        });
    }
    through
}
