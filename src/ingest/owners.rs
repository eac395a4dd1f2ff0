//! The owners of Provenance and Group resources, which belong to the patients of the resources that they refer to.
//! Owners are computed for a whole load before anything is stored, so that neither the order within a load nor the
//! order of loads matters.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::Value;

use super::catalogue::{Catalogue, Damage, EarlierLoads};
use fhir::Reference;
use smart::{Owner, for_each_owning, is_owned_through_others, joint_owner};

/// The owners that a load determines or changes.
#[derive(Debug, Default)]
pub struct Owners {
    /// The owners of resources that are owned through others, and that are in the load or depend on it.
    joint: HashMap<Reference, Result<Owner, Damage>>,
    dependents: BTreeSet<Reference>,
    /// The stored resources whose dependents cannot be read.
    damage: HashMap<Reference, Damage>,
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

    /// Computes each owner, and again after a change of an owner on which it depends, until no owner changes. An owner
    /// only changes from unknown to known, and damage is final, so the loop ends. A resource that is only owned through
    /// itself stays unknown.
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
            self.joint.insert(reference.clone(), Ok(Owner::Undetermined(BTreeSet::new())));
            // A damaged resource is encountered again below.
            for target in through(reference).into_iter().flatten().flatten().filter(|target| open.contains(target)) {
                followers.entry(target).or_default().push(reference);
            }
        }
        let mut stale: Vec<&Reference> = open.iter().collect();
        while let Some(reference) = stale.pop() {
            let before = self.joint.get(reference);
            if matches!(before, Some(Err(_))) {
                continue;
            }
            let known = |target: &Reference| self.owner(target, catalogue, earlier, base);
            let owner = through(reference).and_then(|targets| joint_owner(reference.resource_type, targets, &known));
            if before != Some(&owner) {
                self.joint.insert(reference.clone(), owner);
                stale.extend(followers.get(reference).into_iter().flatten());
            }
        }
    }

    /// Returns the owner of a resource, or `None` if it is unknown.
    ///
    /// # Errors
    /// If the resource, or one on which it depends, cannot be read.
    pub fn owner(
        &self,
        reference: &Reference,
        catalogue: &Catalogue,
        earlier: &impl EarlierLoads,
        base: &str,
    ) -> Result<Option<Owner>, Damage> {
        if catalogue.deletes(reference) {
            return Ok(None);
        }
        if let Some(joint) = self.joint.get(reference) {
            return joint.clone().map(Some);
        }
        let of_load = catalogue.owner(reference, base, earlier)?;
        if of_load.is_some() { Ok(of_load) } else { earlier.owner(reference) }
    }

    /// Fails if the dependents of a stored resource cannot be read.
    ///
    /// # Errors
    /// See above.
    pub fn check(&self, reference: &Reference) -> Result<(), Damage> {
        self.damage.get(reference).cloned().map_or(Ok(()), Err)
    }

    /// Adds the stored resources that depend on the load, directly or through others, and are not part of it.
    fn find_dependents(&mut self, catalogue: &Catalogue, earlier: &impl EarlierLoads) {
        let is_stored = |reference: &Reference| !catalogue.contains(reference) && !catalogue.deletes(reference);
        let mut open: Vec<_> =
            catalogue.dependents().iter().filter(|reference| is_stored(reference)).cloned().collect();
        while let Some(reference) = open.pop() {
            if self.dependents.insert(reference.clone()) {
                match earlier.dependents(&reference.to_string()) {
                    Ok(dependents) => open.extend(dependents.into_iter().filter(is_stored)),
                    Err(damage) => drop(self.damage.insert(reference, damage)),
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

/// Returns the references of a stored resource that is owned through others. Each is resolved if possible.
fn stored_through(
    reference: &Reference,
    catalogue: &Catalogue,
    base: &str,
    earlier: &impl EarlierLoads,
) -> Result<Vec<Option<Reference>>, Damage> {
    let mut through = Vec::new();
    if let Some(resource) = earlier.resource(reference)? {
        for_each_owning(reference.resource_type, &resource, &mut |element| {
            let text = element.get("reference").and_then(Value::as_str);
            through.push(text.map_or(Ok(None), |text| catalogue.local(text, base, earlier)));
        });
    }
    through.into_iter().collect()
}
