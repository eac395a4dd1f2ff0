//! The owners of Provenance and Group resources, which belong to the patients of the resources that they refer to. The
//! owner of each is found in the catalogue of a whole load and in what earlier loads stored, so that neither the order
//! within a load nor the order of loads matters.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::{Catalogue, Damage, EarlierLoads};
use super::spill::{NameDigest, SpillMap, key};
use fhir::{Id, Reference};
use smart::{Owner, for_each_owning, is_owned_through_others, joint_owner};

/// The owners that a load determines or changes.
#[derive(Debug, Default)]
pub struct Owners {
    /// The owners, as [`KnownOwner`], of resources that are owned through others, as far as others that are owned
    /// through them were asked about: a long chain is followed once.
    joint: RefCell<SpillMap>,
    dependents: BTreeSet<Reference>,
    /// The stored resources whose dependents cannot be read.
    damage: HashMap<Reference, Damage>,
}

/// The owner of a resource that is owned through others.
#[derive(Debug, Serialize, Deserialize)]
enum KnownOwner {
    Patients(Vec<String>),
    Undetermined(Vec<String>),
    Damaged(String),
}

impl KnownOwner {
    fn of(owner: &Result<Owner, Damage>) -> Self {
        let ids = |owner: &Owner| owner.patients().map(ToString::to_string).collect();
        match owner {
            Ok(owner @ Owner::Undetermined(_)) => Self::Undetermined(ids(owner)),
            Ok(owner) => Self::Patients(ids(owner)),
            Err(Damage(why)) => Self::Damaged(why.clone()),
        }
    }

    fn owner(self) -> Result<Owner, Damage> {
        let patients = |ids: Vec<String>| ids.iter().filter_map(|id| Id::parse(id)).collect();
        match self {
            Self::Patients(ids) => Ok(Owner::Patients(patients(ids))),
            Self::Undetermined(ids) => Ok(Owner::Undetermined(patients(ids))),
            Self::Damaged(why) => Err(Damage(why)),
        }
    }
}

impl Owners {
    /// Computes the owners for a load and for the stored resources that depend on it. `base` is the server's FHIR base.
    pub fn compute(catalogue: &Catalogue, earlier: &impl EarlierLoads, base: &str) -> Self {
        let mut owners = Self::default();
        owners.joint.get_mut().spill_into(catalogue.table());
        owners.find_dependents(catalogue, earlier);
        // While dependents are stored again, their earlier forms may not be found.
        for reference in owners.dependents.iter().filter(|reference| owners.is_joint(reference, catalogue)) {
            // A damaged resource is encountered again.
            let _ = owners.joint(reference, catalogue, earlier, base);
        }
        owners
    }

    /// Returns whether a resource is owned through others, and is in the load or depends on it.
    fn is_joint(&self, reference: &Reference, catalogue: &Catalogue) -> bool {
        is_owned_through_others(reference.resource_type)
            && (self.dependents.contains(reference) || catalogue.contains(reference))
    }

    fn known(&self, reference: &Reference) -> Option<Result<Owner, Damage>> {
        self.joint.borrow().get(&joint_key(reference)).map(KnownOwner::owner)
    }

    /// Returns the owner of a resource that is owned through others, together with the owners of all such resources on
    /// which it depends. Each is computed, and again after a change of an owner on which it depends, until no owner
    /// changes. An owner only changes from unknown to known, and damage is final, so the loop ends. A resource that is
    /// only owned through itself stays unknown.
    fn joint(
        &self,
        of: &Reference,
        catalogue: &Catalogue,
        earlier: &impl EarlierLoads,
        base: &str,
    ) -> Result<Owner, Damage> {
        if let Some(known) = self.known(of) {
            return known;
        }
        let mut joint: HashMap<Reference, Result<Owner, Damage>> = HashMap::new();
        let mut through: HashMap<Reference, Result<Vec<Option<Reference>>, Damage>> = HashMap::new();
        let mut followers: HashMap<Reference, Vec<Reference>> = HashMap::new();
        let mut found = vec![of.clone()];
        while let Some(reference) = found.pop() {
            if through.contains_key(&reference) {
                continue;
            }
            let targets = catalogue
                .through(&reference, base, earlier)
                .unwrap_or_else(|| stored_through(&reference, catalogue, base, earlier));
            // A damaged resource is encountered again below.
            for target in targets.iter().flatten().flatten().filter(|target| self.is_joint(target, catalogue)) {
                if self.known(target).is_none() {
                    followers.entry(target.clone()).or_default().push(reference.clone());
                    found.push(target.clone());
                }
            }
            joint.insert(reference.clone(), Ok(Owner::Undetermined(BTreeSet::new())));
            through.insert(reference, targets);
        }
        let mut stale: Vec<&Reference> = through.keys().collect();
        while let Some(reference) = stale.pop() {
            let before = joint.get(reference);
            let (Some(targets), false) = (through.get(reference), matches!(before, Some(Err(_)))) else { continue };
            let known = |target: &Reference| match joint.get(target) {
                Some(owner) => owner.clone().map(Some),
                None => self.owner(target, catalogue, earlier, base),
            };
            let owner = targets.clone().and_then(|targets| joint_owner(reference.resource_type, targets, &known));
            if before != Some(&owner) {
                joint.insert(reference.clone(), owner);
                stale.extend(followers.get(reference).into_iter().flatten());
            }
        }
        let mut known = self.joint.borrow_mut();
        for (reference, owner) in &joint {
            known.put(joint_key(reference), &KnownOwner::of(owner));
        }
        joint.remove(of).unwrap_or_else(|| Ok(Owner::Undetermined(BTreeSet::new())))
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
        if self.is_joint(reference, catalogue) {
            return self.joint(reference, catalogue, earlier, base).map(Some);
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
    pub const fn dependents(&self) -> &BTreeSet<Reference> {
        &self.dependents
    }
}

/// Returns the name of the owner of a resource in the table of the catalogue.
fn joint_key(reference: &Reference) -> NameDigest {
    key(&format!("owner of {reference}"))
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

#[cfg(test)]
mod tests {
    use super::super::NoEarlierLoads;
    use super::super::age::Age;
    use super::super::catalogue::{ChosenForm, Resolution};
    use super::super::spill::SpillTable;
    use super::super::spill::tests::TestTable;
    use super::*;
    use fhir::ResourceType;
    use serde_json::json;
    use std::rc::Rc;

    const BASE: &str = "https://here";

    /// A load with the most values that one of its collections had in memory at any time.
    struct Loaded {
        catalogue: Catalogue,
        owners: Owners,
        most: usize,
    }

    impl Loaded {
        fn of(resources: &[Value], table: Option<&Rc<dyn SpillTable>>) -> Self {
            let (mut catalogue, mut most) = (Catalogue::default(), 0);
            catalogue.spill_into(table);
            for (number, resource) in resources.iter().enumerate() {
                let (reference, age) = (reference(resource), Age::of(resource, 0, 0));
                if catalogue.add_occurrence(number, &reference, age, &|| false) {
                    let Reference { resource_type, id } = reference;
                    catalogue.add_resource(resource_type, &id, resource, &NoEarlierLoads).unwrap();
                }
                most = most.max(catalogue.in_memory());
            }
            let owners = Owners::compute(&catalogue, &NoEarlierLoads, BASE);
            Self { catalogue, owners, most }
        }

        fn owner(&mut self, of: &Value) -> Option<Owner> {
            let owner = self.owners.owner(&reference(of), &self.catalogue, &NoEarlierLoads, BASE).unwrap();
            self.most = self.most.max(self.catalogue.in_memory()).max(self.owners.joint.borrow().count());
            owner
        }

        fn choice(&mut self, number: usize, of: &Value) -> ChosenForm {
            let age = Age::of(of, 0, 0);
            self.catalogue.choice(number, &reference(of), age, &of.to_string(), &|| number.to_string())
        }

        fn find(&self, name: &str) -> Resolution {
            self.catalogue.find(name, &NoEarlierLoads).unwrap()
        }
    }

    fn reference(resource: &Value) -> Reference {
        let resource_type = ResourceType::parse(resource["resourceType"].as_str().unwrap()).unwrap();
        Reference { resource_type, id: Id::parse(resource["id"].as_str().unwrap()).unwrap() }
    }

    /// Returns the records of patients. Some occur twice, some have an identifier in common, and some Provenances have
    /// others as targets, or each other.
    fn records(patients: usize) -> Vec<Value> {
        let mut records = Vec::new();
        for n in 0..patients {
            let of = |resource_type: &str, n: usize| json!({"reference": format!("{resource_type}/{n}")});
            let identified = |value: usize| json!([{"system": "mrn", "value": value.to_string()}]);
            let name = format!("Patient?identifier=mrn|{n}");
            let id = n.to_string();
            records.extend([
                json!({"resourceType": "Patient", "id": id, "identifier": identified(n)}),
                json!({"resourceType": "Patient", "id": id, "identifier": identified(if n % 4 == 3 { n - 1 } else { n }), "active": true}),
                json!({"resourceType": "Condition", "id": id, "subject": {"reference": name}}),
                json!({"resourceType": "Observation", "id": id, "subject": of("Patient", n)}),
                json!({"resourceType": "Provenance", "id": id,
                    "target": [of("Observation", n), of("Condition", n), of("Provenance", n ^ (n % 3))]}),
                json!({"resourceType": "Appointment", "id": id,
                    "participant": [{"actor": of("Patient", n)}, {"actor": of("Practitioner", 1)}]}),
            ]);
        }
        records
    }

    #[test]
    fn twice_the_patients_take_the_same_memory_and_have_the_same_owners_as_without_a_table() {
        let most = [60, 120].map(|patients| {
            let (records, table) = (records(patients), Rc::<TestTable>::default() as Rc<dyn SpillTable>);
            let (mut spilled, mut whole) = (Loaded::of(&records, Some(&table)), Loaded::of(&records, None));
            for (number, record) in records.iter().enumerate() {
                assert_eq!(spilled.owner(record), whole.owner(record), "{record}");
                assert_eq!(spilled.choice(number, record), whole.choice(number, record), "{record}");
            }
            for n in 0..=patients {
                let name = format!("Patient?identifier=mrn|{n}");
                assert_eq!(spilled.find(&name), whole.find(&name), "{name}");
            }
            assert!(whole.most > 5 * patients, "{}", whole.most);
            spilled.most
        });
        assert_eq!(most[0], most[1]);
    }

    #[test]
    fn a_chain_of_provenances_is_followed_once() {
        let reads = [100, 200].map(|length| {
            let table = Rc::<TestTable>::default();
            let target = |n: usize| match n + 1 {
                next if next < length => format!("Provenance/{next}"),
                _ => "Patient/p".to_owned(),
            };
            let provenance = |n: usize| {
                json!({"resourceType": "Provenance", "id": n.to_string(), "target": [{"reference": target(n)}]})
            };
            let mut records: Vec<_> = (0..length).map(provenance).collect();
            records.push(json!({"resourceType": "Patient", "id": "p"}));
            let mut loaded = Loaded::of(&records, Some(&(Rc::clone(&table) as Rc<dyn SpillTable>)));
            for record in &records {
                let owner = loaded.owner(record);
                assert_eq!(owner.and_then(|owner| owner.sole().cloned()), Id::parse("p"), "{record}");
            }
            table.reads.get()
        });
        assert!(reads[1] <= 2 * reads[0] + 50, "{reads:?}");
    }
}
