//! A load: two passes over documents. The first one learns the names that references may use, the second one indexes
//! each resource and stores it, or deletes it. Then the stored resources that depend on the load are indexed again.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::age::{Age, Stated};
use super::catalogue::{Catalogue, Chosen, EarlierLoads, Resolution};
use super::document::{Deletion, Parsed, ParsedResource, Rejected};
use super::index::{IndexError, Indexed, Indexer, is_stored_as};
use super::owners::Owners;
use super::request::Condition;
use super::sources::Sources;
use super::value;
use crate::fhir::{Micros, Reference, ResourceType, without_meta};
use crate::search::IndexSet;
use crate::smart::Owner;
use crate::store::IndexedResource;

/// A store that a load fills.
pub trait LoadTarget: EarlierLoads {
    /// The reason why it does not accept resources.
    type Error;

    /// True if all loads into it are one set of files: absolute references of one load lead to resources of another.
    const IS_ONE_SET: bool = false;

    /// The set of parameters by which it is indexed.
    fn set(&self) -> &'static IndexSet;

    /// Returns whether a resource is stored with a text for which `is_same` holds, belongs to known patients or to the
    /// directory, and was stored together with all that depends on it. `false` if it is not known.
    fn holds(&self, _reference: &Reference, _is_same: &dyn Fn(&str) -> bool) -> bool {
        false
    }

    /// Stores a resource. Lookups may find it only after [`Self::flush`].
    ///
    /// # Errors
    /// If the store does not accept it.
    fn store(&mut self, indexed: Indexed) -> Result<Result<Stored, Refused>, Self::Error>;

    /// Removes a resource that was deleted at that time. Lookups may find it until [`Self::flush`]. Returns whether it
    /// was stored.
    ///
    /// # Errors
    /// If what is stored is damaged.
    fn remove(&mut self, reference: &Reference, at: Micros) -> Result<Result<bool, Refused>, Self::Error>;

    /// Writes what has been stored.
    ///
    /// # Errors
    /// If the store does not accept it.
    fn flush(&mut self) -> Result<(), Self::Error>;

    /// A stored resource with its facts and owner.
    ///
    /// # Errors
    /// If what is stored is damaged.
    fn indexed(&self, reference: &Reference) -> Result<Result<Option<IndexedResource>, Refused>, Self::Error>;
}

/// The reason why a resource is not stored or removed: what is stored of it, or of its patient, is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

/// The effect of storing a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// The resource was not stored before.
    New,
    /// The resource was stored with other contents.
    Changed,
    /// The resource was stored with the same contents.
    Same,
}

/// What happens to a resource in a load.
#[derive(Debug)]
pub enum LoadEvent<'a> {
    /// The type is not served.
    NotServed(String),
    /// The id of a resource of this type is not one of FHIR. The resource is left out; references to it lead nowhere.
    IllegalId(ResourceType),
    /// The text is no resource, or cannot be stored. The text is the reason.
    Fault(String),
    /// The other occurrence in the load counts: the newest, and of equal ones the last.
    Repeated {
        /// True if it is older than that one.
        is_older: bool,
    },
    /// A newer form of it is stored, and counts.
    Older(&'a Reference),
    /// The resource came before with other contents and the same age, at these locations. This occurrence counts.
    Differs(&'a Reference, Vec<String>),
    /// The resource was deleted. The value is its owner, if it had been stored.
    Deleted(Option<Owner>),
    /// The resource was stored.
    Stored {
        /// The type.
        resource_type: ResourceType,
        /// The effect.
        effect: Stored,
        /// The references that match several resources.
        ambiguous: Vec<String>,
        /// See [`Indexed::unresolved`].
        unresolved: usize,
        /// The owner.
        owner: Owner,
    },
}

/// Takes each resource of the documents, and each fault, with its location.
pub type Take<'t, E> = dyn FnMut(&dyn Display, Result<Parsed<'_>, Rejected>) -> Result<(), E> + 't;

/// The settings of a load.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// The FHIR base that the data will be served under.
    pub base: &'a str,
    /// The base of relative attachment addresses.
    pub attachments: &'a str,
    /// The time of the load. Resources without `meta.lastUpdated` have it.
    pub now: Micros,
    /// The time by the clock. A later time that a source states is in the future, and does not count.
    pub clock: Micros,
    /// True if a newer form of a resource that is stored counts. In the load itself the newest form always counts.
    pub keeps_newer: bool,
}

/// An entry whose condition is met by what is stored ([`ParsedResource::settled`]).
fn settled<'a>(parsed: Parsed<'a>, target: &impl EarlierLoads) -> Result<Parsed<'a>, Rejected> {
    match parsed {
        Parsed::Resource(resource) => Ok(Parsed::Resource(resource.settled(|name| target.named(name))?)),
        Parsed::Deletion(_) => Ok(parsed),
    }
}

/// An entry of a document, at the time of the load.
enum Dated<'a> {
    Resource(ParsedResource<'a>, Age),
    /// A deletion, and its time.
    Deletion(Reference, Micros, Age),
}

impl Load<'_> {
    /// Loads documents into a store. `each` is called twice, and gives all resources in the same order each time.
    /// `sources` tells the servers of the resources apart. `report` is told what happens to each resource, and may end
    /// the load.
    ///
    /// # Errors
    /// The errors of the store, of `each` and of `report`. What was stored before then is incomplete.
    pub fn load<T: LoadTarget, E: From<T::Error>>(
        &self,
        target: &mut T,
        sources: &mut Sources,
        each: &mut dyn FnMut(&mut Take<'_, E>) -> Result<(), E>,
        report: &mut dyn FnMut(&dyn Display, LoadEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut catalogue = Catalogue::default();
        each(&mut |location, entry| match entry.and_then(|parsed| sources.localize(settled(parsed, target)?)) {
            Ok(parsed) => {
                let reference = match self.dated(parsed).0 {
                    Dated::Resource(ParsedResource { resource_type, id, resource, text, .. }, age) => {
                        sources.note(&resource, self.base);
                        let reference = Reference { resource_type, id };
                        let is_same = |stored: &str| is_stored_as(resource_type, &resource, &text, stored);
                        if self.counts(&mut catalogue, &reference, age, target) {
                            if catalogue.is_first(&reference) && target.holds(&reference, &is_same) {
                                catalogue.hold(&reference);
                            } else {
                                catalogue.learn(resource_type, &reference.id, &resource, target);
                            }
                        }
                        reference
                    }
                    Dated::Deletion(reference, _, age) => {
                        if self.counts(&mut catalogue, &reference, age, target) {
                            catalogue.learn_deletion(&reference, target);
                        }
                        reference
                    }
                };
                let damage = target.take_damage().map(|why| format!("what depends on {reference}: {why}"));
                damage.map_or(Ok(()), |why| report(location, LoadEvent::Fault(why)))
            }
            Err(Rejected::NotServed(resource_type)) => report(location, LoadEvent::NotServed(resource_type)),
            Err(Rejected::IllegalId(resource_type)) => report(location, LoadEvent::IllegalId(resource_type)),
            Err(Rejected::Fault(reason)) => report(location, LoadEvent::Fault(reason)),
        })?;
        catalogue.set_source(sources.only(), T::IS_ONE_SET);
        let owners = Owners::compute(&catalogue, target, self.base);
        let mut stale = catalogue.of_dependents(owners.dependents().clone());
        let mut rejected = BTreeSet::new();
        each(&mut |location, entry| {
            let parsed = entry.and_then(|parsed| sources.localize(settled(parsed, target)?));
            let Ok(parsed) = parsed else { return Ok(()) };
            let (dated, fault) = self.dated(parsed);
            let (reference, text, age) = match &dated {
                Dated::Resource(parsed, age) => (parsed.reference(), parsed.text.as_ref(), *age),
                Dated::Deletion(reference, _, age) => (reference.clone(), "", *age),
            };
            let others = match catalogue.chosen(&reference, age, text, &|| location.to_string()) {
                Chosen::Stored => return report(location, LoadEvent::Older(&reference)),
                Chosen::Another { is_older } => return report(location, LoadEvent::Repeated { is_older }),
                Chosen::This(others) => others,
            };
            if !others.is_empty() {
                report(location, LoadEvent::Differs(&reference, others))?;
            }
            if let Some(fault) = fault {
                report(location, LoadEvent::Fault(fault))?;
            }
            if catalogue.is_held(&reference) {
                let (resource_type, owner) =
                    (reference.resource_type, target.owner(&reference).unwrap_or(Owner::Everyone));
                let (effect, ambiguous, unresolved) = (Stored::Same, Vec::new(), 0);
                return report(location, LoadEvent::Stored { resource_type, effect, ambiguous, unresolved, owner });
            }
            let ParsedResource { resource_type, id, resource, text, is_entry, condition, .. } = match dated {
                Dated::Resource(parsed, _) => parsed,
                Dated::Deletion(_, at, _) => {
                    let owner = target.owner(&reference);
                    let event = match target.remove(&reference, at)? {
                        Err(Refused(why)) => {
                            rejected.insert(reference.clone());
                            LoadEvent::Fault(format!("{reference}: {why}"))
                        }
                        Ok(true) => LoadEvent::Deleted(Some(owner.unwrap_or(Owner::Everyone))),
                        Ok(false) => LoadEvent::Deleted(None),
                    };
                    return report(location, event);
                }
            };
            if let Some(Condition { name, .. }) = condition
                && catalogue.find(&name, target) != Resolution::One(reference.clone())
            {
                rejected.insert(reference.clone());
                let why = format!("{reference}: another record of the file has the identifier of its request");
                return report(location, LoadEvent::Fault(why));
            }
            let indexer = self.indexer(&catalogue, &owners, target);
            let indexed = match indexer.index(resource_type, &id, resource, &text) {
                Ok(indexed) => indexed,
                Err(error) => {
                    rejected.insert(reference.clone());
                    return report(location, LoadEvent::Fault(format!("{reference}: {}", error.0)));
                }
            };
            if let Some(stray) = indexed.stray.as_ref().filter(|_| is_entry) {
                let why = format!("{reference} belongs to nobody: no entry of its Bundle is {stray}");
                report(location, LoadEvent::Fault(why))?;
            }
            let (ambiguous, unresolved) = (indexed.ambiguous.clone(), indexed.unresolved);
            let owner = indexed.resource.owner.clone();
            let effect = match target.store(indexed)? {
                Err(Refused(why)) => {
                    rejected.insert(reference.clone());
                    return report(location, LoadEvent::Fault(format!("{reference}: {why}")));
                }
                Ok(effect) => effect,
            };
            report(location, LoadEvent::Stored { resource_type, effect, ambiguous, unresolved, owner })
        })?;
        target.flush()?;
        // What depends on these was stored by their new forms.
        rejected.iter().for_each(|reference| stale.depend(reference, target));
        self.index_dependents(&stale, target, report)
    }

    /// An entry with its age. A stated time that does not count is a fault; then the resource has the time of the load.
    fn dated<'a>(&self, parsed: Parsed<'a>) -> (Dated<'a>, Option<String>) {
        match parsed {
            Parsed::Resource(mut parsed) => {
                let age = Age::of(&parsed.resource, self.now, self.clock);
                let problem = Stated::of_resource(&parsed.resource, self.clock).fault("meta.lastUpdated");
                let fault = problem.map(|problem| format!("{}: {problem}", parsed.reference()));
                if fault.is_some()
                    && let Ok(text) = without_meta(&parsed.text, &["lastUpdated"])
                    && let Ok(resource) = value::read(&text)
                {
                    (parsed.resource, parsed.text) = (resource, text.into());
                }
                (Dated::Resource(parsed, age), fault)
            }
            Parsed::Deletion(Deletion { reference, at }) => {
                let stated = Stated::read(at.as_deref(), self.clock);
                let problem = stated.fault("the time of the deletion");
                let fault = problem.map(|problem| format!("{reference}: {problem}"));
                let time = stated.time().unwrap_or(self.now);
                (Dated::Deletion(reference, time, Age::of_deletion(time)), fault)
            }
        }
    }

    /// Returns whether an occurrence of a resource counts, unless a later one does.
    fn counts<T: LoadTarget>(&self, catalogue: &mut Catalogue, reference: &Reference, age: Age, target: &T) -> bool {
        let is_outdated = || {
            let stored = target.body(reference).and_then(|stored| Age::of_text(&stored, self.now, self.clock));
            let stored = stored.or_else(|| target.deleted_at(reference).map(Age::of_deletion));
            stored.is_some_and(|stored| age.is_before(stored))
        };
        catalogue.offer(reference, age, &|| self.keeps_newer && is_outdated())
    }

    /// Indexes again the stored resources that depend on those that were loaded, or on those that were rejected. One
    /// that is damaged or refused stays as it is.
    fn index_dependents<T: LoadTarget, E: From<T::Error>>(
        &self,
        stale: &Catalogue,
        target: &mut T,
        report: &mut dyn FnMut(&dyn Display, LoadEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let owners = Owners::compute(stale, target, self.base);
        for reference in owners.dependents() {
            let indexed = match target.indexed(reference)? {
                Ok(None) => continue,
                Ok(Some(stored)) => self.indexer(stale, &owners, target).index_again(stored),
                Err(Refused(why)) => Err(IndexError(why)),
            };
            let stored = match indexed {
                Ok(indexed) => target.store(indexed)?.map(|_| ()),
                Err(IndexError(why)) => Err(Refused(why)),
            };
            if let Err(Refused(why)) = stored {
                report(&"the stored records", LoadEvent::Fault(format!("{reference} is not indexed again: {why}")))?;
            }
        }
        Ok(target.flush()?)
    }

    fn indexer<'a, T: LoadTarget>(
        &'a self,
        catalogue: &'a Catalogue,
        owners: &'a Owners,
        earlier: &'a T,
    ) -> Indexer<'a, T> {
        let (base, attachments, now) = (self.base, self.attachments, self.now);
        Indexer { catalogue, owners, earlier, set: earlier.set(), base, attachments, now }
    }
}
